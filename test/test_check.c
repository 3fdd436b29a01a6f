/* SPDX-License-Identifier: Apache-2.0
 *
 * gb_matrix_check finds every kind of damage: each case takes a good object, spoils one rule of
 * matrix.h or view.h, expects GBL_INVALID_OBJECT, and repairs it again.
 */
#include "support/gb_test.h"

#include "matrix/matrix.h"
#include "matrix/pending.h"

/* Sets the place to a value, expects the check to fail, and puts the old value back. */
#define SPOIL(place, value)                                                                        \
    do {                                                                                           \
        OK(gb_matrix_check(A));                                                                    \
        const __typeof__(place) t_kept = (place);                                                  \
        (place) = (__typeof__(place))(value);                                                      \
        t_case("%s = %s", #place, #value);                                                         \
        FAILS(GBL_INVALID_OBJECT, gb_matrix_check(A));                                             \
        (place) = t_kept;                                                                          \
    } while (0)

/* 4 x 5 with both formats:  row 0: 1, 3;  row 1: none;  row 2: 0, 1, 4;  row 3: 2 */
static gbl_Matrix good_matrix(bool iso) {
    const gbl_Index I[] = {0, 0, 2, 2, 2, 3}, J[] = {1, 3, 0, 1, 4, 2};
    const double X[] = {2.5, -1, 4, 8.5, 16, 31};
    gbl_Matrix made = NULL;
    OK(gbl_Matrix_new(&made, GBL_FP64, 4, 5));
    if (iso) {
        gbl_Scalar s = NULL;
        OK(gbl_Scalar_new(&s, GBL_FP64));
        OK(gbl_Scalar_setElement_FP64(s, 7));
        OK(gbl_Matrix_build_Scalar(made, I, J, s, 6));
        OK(gbl_Scalar_free(&s));
    } else {
        OK(gbl_Matrix_build_FP64(made, I, J, X, 6, NULL));
    }
    gb_CsView view;
    OK(gb_need(&made->m, GB_CSC, &view));
    return made;
}

static gbl_Vector good_vector(gbl_Index n, gbl_Index entries) {
    gbl_Vector made = NULL;
    OK(gbl_Vector_new(&made, GBL_INT32, n));
    for (gbl_Index k = 0; k < entries; k++)
        OK(gbl_Vector_setElement_INT32(made, (int32_t)(5 * k + 1), (k * 7) % n));
    gb_DenseView view;
    OK(gb_need_dense(&made->m, &view));
    return made;
}

GB_TEST(check, frame) {
    gbl_Matrix made = good_matrix(false);
    gb_Matrix *A = &made->m;
    SPOIL(A->magic, 12345);
    SPOIL(A->type, NULL);
    SPOIL(A->nrows, GBL_INDEX_MAX + 1);
    SPOIL(A->nrows, 5);
    SPOIL(A->ncols, GBL_INDEX_MAX + 1);
    SPOIL(A->ncols, 4);
    SPOIL(A->nvals, 5);
    SPOIL(A->has, A->has | GBL_HAS_TILE16);
    SPOIL(A->has, 0);
    SPOIL(A->has, GBL_HAS_CSR); /* the arrays of the other are still there */
    SPOIL(A->iso, true);
    FAILS(GBL_INVALID_OBJECT, gb_matrix_check(NULL));
    OK(gbl_Matrix_free(&made));

    OK(gbl_Matrix_new(&made, GBL_FP64, 4, 5));
    A = &made->m;
    SPOIL(A->nvals, 1);
    SPOIL(A->magic, GB_MAGIC_VECTOR); /* a vector has one column */
    OK(gbl_Matrix_free(&made));
}

GB_TEST(check, compressed) {
    gbl_Matrix made = good_matrix(false);
    gb_Matrix *A = &made->m;
    for (int format = 0; format < 2; format++) {
        gb_Cs *cs = &A->cs[format];
        SPOIL(cs->p, NULL);
        SPOIL(cs->i, NULL);
        SPOIL(cs->x, NULL);
        SPOIL(cs->nmajor, cs->nmajor + 1);
        SPOIL(cs->nvals, 7);
        SPOIL(cs->icap, 5);
        SPOIL(cs->xcap, 6 * sizeof(double) - 1);
        SPOIL(cs->iso, true);
        SPOIL(cs->p[0], 1);
        SPOIL(cs->p[1], 6);
        SPOIL(cs->p[cs->nmajor], 5);
        SPOIL(cs->i[2], 1000);
        SPOIL(((double *)cs->x)[4], 17); /* the other format says otherwise */
    }
    gb_Cs *csr = &A->cs[GB_CSR];
    SPOIL(csr->i[0], 4); /* sorted no more */
    SPOIL(csr->i[3], 0); /* twice in its row */
    SPOIL(csr->i[5], 3); /* sorted and distinct, but the other format says otherwise */
    csr->i[0] = 3, csr->i[1] = 1;
    ((double *)csr->x)[0] = -1, ((double *)csr->x)[1] = 2.5;
    csr->sorted = false;
    SPOIL(csr->sorted, true);
    OK(gbl_Matrix_free(&made));
}

GB_TEST(check, iso) {
    gbl_Matrix made = good_matrix(true);
    gb_Matrix *A = &made->m;
    SPOIL(A->iso, false);
    SPOIL(A->cs[GB_CSR].iso, false);
    SPOIL(A->cs[GB_CSC].xcap, 7);
    SPOIL(((double *)A->cs[GB_CSC].x)[0], 8);
    OK(gbl_Matrix_free(&made));
}

GB_TEST(check, dense) {
    gbl_Vector made = good_vector(9, 5);
    gb_Matrix *A = &made->m;
    CHECK(A->has == (GBL_HAS_CSC | GBL_HAS_BITMAP));
    SPOIL(A->has, GBL_HAS_CSC | GBL_HAS_FULL);
    SPOIL(A->has, GBL_HAS_CSC | GBL_HAS_FULL | GBL_HAS_BITMAP);
    SPOIL(A->has, GBL_HAS_CSC);
    SPOIL(A->dense.n, 8);
    SPOIL(A->dense.nvals, 6);
    SPOIL(A->dense.b, NULL);
    SPOIL(A->dense.x, NULL);
    SPOIL(A->dense.xcap, 9 * sizeof(int32_t) - 1);
    SPOIL(A->dense.iso, true);
    SPOIL(A->dense.b[0], 0);
    SPOIL(A->dense.b[0], 2);
    SPOIL(A->dense.b[2], 1);
    SPOIL(((int32_t *)A->dense.x)[7], -5); /* the list says otherwise */
    SPOIL(A->magic, GB_MAGIC_MATRIX);      /* a matrix has no dense form */
    SPOIL(A->ncols, 2);
    OK(gbl_Vector_free(&made));

    made = good_vector(5, 5);
    A = &made->m;
    CHECK(A->has & GBL_HAS_FULL);
    SPOIL(A->has, GBL_HAS_CSC | GBL_HAS_BITMAP);
    SPOIL(A->dense.n, 4);
    OK(gbl_Vector_free(&made));
}

GB_TEST(check, pending) {
    gbl_Matrix made = good_matrix(false);
    gb_Matrix *A = &made->m;
    OK(gbl_Matrix_setElement_FP64(made, 3, 3, 4));
    OK(gbl_Matrix_removeElement(made, 0, 0));
    SPOIL(A->pending->n, 0);
    SPOIL(A->pending->n, A->pending->cap + 1);
    SPOIL(A->pending->row[0], 4);
    SPOIL(A->pending->col[1], 5);
    SPOIL(A->pending->keep[1], 2);
    OK(gb_matrix_check(A));
    OK(gbl_Matrix_free(&made));
}
