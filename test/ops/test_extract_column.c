/* SPDX-License-Identifier: Apache-2.0
 *
 * One column of all rows, one row of all columns: from each form that a matrix is held in, into
 * vectors and matrices, with one value for all, updates and threads, against the elements.
 */
#include "support/gb_test.h"

#include "matrix/matrix.h"

enum { M = 300, N = 170 };

/* Column 3 is full, column 4 empty. */
static gbl_Matrix matrix(t_Random *r, bool iso) {
    gbl_Matrix A = t_new_matrix(GBL_FP64, M, N);
    for (gbl_Index i = 0; i < M; i++)
        for (gbl_Index j = 0; j < N; j++)
            if (j != 4 && (j == 3 || t_below(r, 9) == 0))
                OK(gbl_Matrix_setElement_FP64(A, iso ? 2 : (double)t_below(r, 1000), i, j));
    OK(gbl_Matrix_wait(A, GBL_MATERIALIZE));
    if (iso) OK(gbl_Matrix_assign_FP64(A, A, NULL, 2, GBL_ALL, M, GBL_ALL, N, GBL_DESC_S));
    return A;
}

/* w, or C, as one column; each of its elements is that of A. */
static void compare(gbl_Vector w, gbl_Matrix C, gbl_Matrix A, gbl_Index line, bool column) {
    for (gbl_Index k = 0; k < (column ? M : N); k++) {
        double x = 0, y = 0, z = 0;
        const gbl_Info info = column ? gbl_Matrix_extractElement_FP64(&x, A, k, line)
                                     : gbl_Matrix_extractElement_FP64(&x, A, line, k);
        CHECK_EQ(gbl_Vector_extractElement_FP64(&y, w, k), info);
        CHECK_EQ(gbl_Matrix_extractElement_FP64(&z, C, k, 0), info);
        CHECK(x == y && x == z);
    }
}

GB_TEST(extract_column, forms) {
    const gbl_Index lines[] = {0, 3, 4, 77, N - 1};
    for (unsigned k = 0; k < 2 * 2 * 2 * 2 * T_COUNT(lines); k++) {
        const bool column = k % 2 == 0, by_columns = k / 2 % 2, iso = k / 4 % 2, set = k / 8 % 2;
        const gbl_Index line = lines[k / 16], n = column ? M : N;
        const gbl_Descriptor desc = column ? NULL : GBL_DESC_T0;
        t_Random r = t_random(k);
        gb_CsView view;
        gbl_Vector w;
        t_case("k %u", k);
        OK(gbl_Global_set_INT32(GBL_GLOBAL, 1 + (int32_t)(k % 3), GBL_NTHREADS));
        gbl_Matrix A = matrix(&r, iso), C = t_new_matrix(GBL_FP64, n, 1);
        OK(gb_acquire_sorted(&A->m, by_columns ? GB_CSC : GB_CSR, &view));
        gb_matrix_keep_only(&A->m, by_columns ? GBL_HAS_CSC : GBL_HAS_CSR);
        if (set) OK(gbl_Matrix_setElement_FP64(A, 7, column ? 9 : line, column ? line : 9));
        OK(gbl_Vector_new(&w, GBL_FP64, n));
        OK(gbl_Col_extract(w, NULL, NULL, A, GBL_ALL, n, line, desc));
        OK(gbl_Matrix_extract(C, NULL, NULL, A, GBL_ALL, n, &line, 1, desc));
        compare(w, C, A, line, column);
        FREE(A, C, w);
    }
}

/* w is as it was where an allocation fails. */
BRUTAL(extract_column) {
    t_Random r = t_random(1);
    gbl_Matrix A = matrix(&r, false), C = t_new_matrix(GBL_FP64, M, 1);
    gbl_Vector w;
    gbl_Index nvals;
    const gbl_Index three = 3;
    bool failed = true;
    OK(gbl_Vector_new(&w, GBL_FP64, M));
    for (int64_t n = 1; failed; n++) {
        const gbl_Info info =
            FAIL_AT(n, gbl_Col_extract(w, NULL, NULL, A, GBL_ALL, M, 3, NULL), &failed);
        OK(gbl_Vector_nvals(&nvals, w));
        CHECK((nvals == 0) == (info != GBL_SUCCESS));
    }
    OK(gbl_Matrix_extract(C, NULL, NULL, A, GBL_ALL, M, &three, 1, NULL));
    compare(w, C, A, 3, true);
    FREE(A, C, w);
}
