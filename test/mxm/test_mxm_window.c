/* SPDX-License-Identifier: Apache-2.0
 *
 * Rows of the outer product that windows cut into several runs (cpu/rowwise/window.h), where
 * products carry no values: every semiring over PAIR, by every method. All products are ones, so
 * where columns differ every entry is 1, and else what the row-wise product says.
 */
#include "support/product.h"
#include "support/tuples.h"

#include <stdlib.h>

#include "core/tune.h"

enum { SIDE = 1 << 18, ROWS = 3 };

/* Rows of `products` entries at equal distances; each row begins `shift` columns behind the last.
 */
static gbl_Matrix combs(gbl_Type type, gbl_Index products, gbl_Index shift) {
    const gbl_Index step = SIDE / products, n = ROWS * products;
    gbl_Index *I = malloc(n * sizeof *I), *J = malloc(n * sizeof *J);
    double *X = malloc(n * sizeof *X);
    cr_assert(I != NULL && J != NULL && X != NULL);
    for (gbl_Index e = 0; e < n; e++) {
        I[e] = e / products;
        J[e] = (e % products * step + shift * I[e]) % SIDE;
        X[e] = 7.0;
    }
    gbl_Matrix B = t_new_matrix(type, ROWS, SIDE);
    OK(gbl_Matrix_build_FP64(B, I, J, X, n, NULL));
    free(I), free(J), free(X);
    return B;
}

/* Row 0 meets one row of B, row 1 all of them. */
static gbl_Matrix selector(gbl_Type type) {
    gbl_Matrix A = t_new_matrix(type, 2, ROWS);
    OK(gbl_Matrix_setElement_FP64(A, 3.0, 0, 0));
    for (gbl_Index k = 0; k < ROWS; k++) OK(gbl_Matrix_setElement_FP64(A, 3.0, 1, k));
    return A;
}

/* `distinct`: no column is met twice by row 1. */
static void compare(const o_Ring *ring, gbl_Matrix A, gbl_Matrix B, bool distinct) {
    static const gbl_Desc_Value methods[] = {GBL_METHOD_OUTER, GBL_METHOD_TILED};
    gbl_Matrix rows = t_mxm(ring->handle, ring->add.z.handle, A, B, NULL,
                            &(t_Flags){.method = GBL_METHOD_ROWWISE});
    t_Tuples expected = t_tuples_of(rows);
    for (gbl_Index e = 0; distinct && e < expected.n; e++) CHECK(expected.X[e] == 1.0);
    for (size_t m = 0; m < T_COUNT(methods); m++) {
        gbl_Matrix C =
            t_mxm(ring->handle, ring->add.z.handle, A, B, NULL, &(t_Flags){.method = methods[m]});
        t_expect_tuples(&expected, C);
        OK(gbl_Matrix_free(&C));
    }
    t_tuples_free(&expected);
    OK(gbl_Matrix_free(&rows));
}

static void every_pair_ring(gbl_Index products) {
    for (size_t k = 0; k < t_ring_count; k++) {
        if (t_rings[k].multiply != O_ONEB) continue;
        const o_Ring ring = t_ring(&t_rings[k]);
        gbl_Matrix A = selector(ring.multiply.x.handle);
        for (gbl_Index shift = 0; shift < 2; shift++) {
            gbl_Matrix B = combs(ring.multiply.y.handle, products, shift);
            t_case("%s, %llu products, shift %llu", t_rings[k].name, (unsigned long long)products,
                   (unsigned long long)shift);
            compare(&ring, A, B, shift > 0);
            OK(gbl_Matrix_free(&B));
        }
        OK(gbl_Matrix_free(&A));
    }
}

GB_TEST(mxm_window, cut_once) {
    every_pair_ring(65);
}

GB_TEST(mxm_window, cut_often) {
    every_pair_ring(150);
}

/* The most that is cut, and one more. */
GB_TEST(mxm_window, borders) {
    every_pair_ring(GB_CUT_MOST);
    every_pair_ring(GB_CUT_MOST + 1);
}

GB_TEST(mxm_window, radix) {
    every_pair_ring(2000);
}
