/* SPDX-License-Identifier: Apache-2.0
 *
 * The matrices that a machine is measured with: their shapes, that they are the same every time,
 * and that nothing is left of one for which there is no memory.
 */
#include "matrix/check.h"
#include "matrix/object.h"
#include "mxm/calibrate/calibrate.h"
#include "support/gb_test.h"

typedef struct {
    gb_Synthetic what;
    uint64_t least, most; /* entries */
} Case;

static const Case cases[] = {
    {{GB_UNIFORM, 50, 60, 4}, 150, 200},
    {{GB_SKEWED, 50, 60, 4}, 60, 200},
    {{GB_BANDED, 20, 20, 2}, 20 + 2 * 19 + 2 * 18, 20 + 2 * 19 + 2 * 18},
    {{GB_BANDED, 20, 12, 2}, 12 + 11 + 10 + 12 + 12, 12 + 11 + 10 + 12 + 12},
    {{GB_FILLED, 7, 9, 0}, 63, 63},
    /* 4 x 4 points, 10 = 3 * 4 - 2 pairs of neighbours a side, blocks of 3 x 3 */
    {{GB_BLOCKS, 48, 48, 3}, 10 * 10 * 9, 10 * 10 * 9},
};

static bool may_be(const gb_Synthetic *s, uint64_t i, uint64_t j) {
    if (s->shape == GB_BANDED) return i <= j + s->a && j <= i + s->a;
    if (s->shape != GB_BLOCKS) return true;
    const uint64_t side = 4, p = i / s->a, q = j / s->a;
    const uint64_t px = p % side, py = p / side, qx = q % side, qy = q / side;
    return px <= qx + 1 && qx <= px + 1 && py <= qy + 1 && qy <= py + 1;
}

GB_TEST(synthetic, shapes) {
    for (size_t k = 0; k < T_COUNT(cases); k++) {
        const gb_Synthetic *s = &cases[k].what;
        gb_Matrix *A = NULL, *again = NULL;
        gb_CsView rows, others;
        t_case("shape %d", (int)s->shape);
        OK(gb_synthetic_new(&A, s));
        OK(gb_synthetic_new(&again, s));
        OK(gb_matrix_check(A));
        CHECK(A->nrows == s->nrows && A->ncols == s->ncols);
        CHECK(A->nvals >= cases[k].least && A->nvals <= cases[k].most);
        OK(gb_acquire_sorted(A, GB_CSR, &rows));
        OK(gb_acquire_sorted(again, GB_CSR, &others));
        CHECK_EQ(again->nvals, A->nvals);
        for (uint64_t i = 0; i < s->nrows; i++) {
            for (uint64_t p = rows.p[i]; p < rows.p[i + 1]; p++) {
                const double x = ((const double *)rows.x)[p];
                CHECK(may_be(s, i, rows.i[p]) && rows.i[p] == others.i[p]);
                CHECK(x == ((const double *)others.x)[p] && x > 0);
            }
        }
        gb_matrix_free(A);
        gb_matrix_free(again);
    }
}

BRUTAL(synthetic) {
    for (size_t k = 0; k < T_COUNT(cases); k++) {
        for (int64_t n = 1;; n++) {
            gb_Matrix *A = NULL;
            t_fail_at(n);
            const gbl_Info info = gb_synthetic_new(&A, &cases[k].what);
            t_fail_at(0);
            CHECK(info == GBL_SUCCESS || (info == GBL_OUT_OF_MEMORY && A == NULL));
            gb_matrix_free(A);
            if (info == GBL_SUCCESS) break;
        }
    }
}
