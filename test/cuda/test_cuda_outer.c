/* SPDX-License-Identifier: Apache-2.0
 *
 * Outer products on the GPU: rows of no, few and many products, in bins that are sorted in shared
 * memory and in bins that are not.
 */
#include "cuda/cuda_cases.h"

CUDA_TEST(cuda_outer, every_semiring) {
    cuda_every_semiring(GBL_METHOD_OUTER, 1);
}

CUDA_TEST(cuda_outer, of_any_density) {
    static const double fills[] = {0.004, 0.05, 0.3};
    for (size_t k = 0; k < T_COUNT(fills); k++)
        cuda_square(GBL_METHOD_OUTER,
                    &(cuda_Plan){.rows = 93, .columns = 70, .tiles = 0.4, .fill = fills[k]},
                    10 + k);
}

/* Bins as long as they may be in shared memory, and longer: rows of 1 to 4320 products. */
CUDA_TEST(cuda_outer, of_long_rows) {
    cuda_square(GBL_METHOD_OUTER,
                &(cuda_Plan){.rows = 90, .columns = 90, .strip = 1, .at_row = 17, .at_column = 33},
                30);
    cuda_square(GBL_METHOD_OUTER,
                &(cuda_Plan){.rows = 260, .columns = 20, .strip = 3, .at_row = 201, .at_column = 3},
                40);
    const cuda_How plus = cuda_plus_times(GBL_METHOD_OUTER);
    gbl_Matrix A =
        cuda_make(&(cuda_Plan){.rows = 3, .columns = 180, .tiles = 1.0, .fill = 1.0}, 35);
    gbl_Matrix B =
        cuda_make(&(cuda_Plan){.rows = 180, .columns = 24, .tiles = 1.0, .fill = 1.0}, 36);
    cuda_compare(&plus, A, B);
    OK(gbl_Matrix_free(&A));
    OK(gbl_Matrix_free(&B));
}

#ifndef GB_TINY /* where the bins of nearly all rows are long */
/* Memory for sorting outside shared memory is for those rows alone, not for all products. */
CUDA_TEST(cuda_outer, long_rows_take_their_own_room) {
    const cuda_How plus = cuda_plus_times(GBL_METHOD_OUTER);
    const cuda_Plan right = {.rows = 400, .columns = 120, .tiles = 1.0, .fill = 0.1};
    cuda_Plan left = {.rows = 120, .columns = 400, .tiles = 1.0, .fill = 0.1};
    gbl_Matrix B = cuda_make(&right, 2);
    int64_t peak[2];
    for (int k = 0; k < 2; k++) { /* 57 thousand products, and 4800 more in one row */
        gbl_Explanation why = GBL_EXPLANATION_INIT;
        left.strip = k;
        left.at_row = 60;
        gbl_Matrix A = cuda_make(&left, 1);
        OK(gbl_Global_set_INT64(GBL_GLOBAL, 0, GBL_DEVICE_BYTES_PEAK));
        gbl_Matrix C = cuda_multiply(&plus, A, B, GBL_PLACE_GPU, &why);
        OK(gbl_Global_get_INT64(GBL_GLOBAL, &peak[k], GBL_DEVICE_BYTES_PEAK));
        CHECK(why.flops > 50000 && why.flops < 70000);
        OK(gbl_Matrix_free(&A));
        OK(gbl_Matrix_free(&C));
    }
    CHECK(peak[1] - peak[0] < 64 * 4800 + 100000);
    OK(gbl_Matrix_free(&B));
}
#endif

CUDA_TEST(cuda_outer, of_masks) {
    const cuda_Plan of = {.rows = 70, .columns = 70, .tiles = 0.5, .fill = 0.2};
    const cuda_Plan mask = {.rows = 70, .columns = 70, .tiles = 0.6, .fill = 0.5};
    gbl_Matrix A = cuda_make(&of, 1), B = cuda_make(&of, 2), M = cuda_make(&mask, 3);
    for (int complement = 0; complement < 2; complement++) {
        cuda_How h = cuda_plus_times(GBL_METHOD_OUTER);
        h.mask = M;
        h.complement = complement;
        cuda_compare(&h, A, B);
    }
    OK(gbl_Matrix_free(&A));
    OK(gbl_Matrix_free(&B));
    OK(gbl_Matrix_free(&M));
}

/* The same bits whatever runs first: columns of A are listed in another order each time. */
CUDA_TEST(cuda_outer, in_every_order) {
    const cuda_Plan of = {.rows = 60, .columns = 60, .tiles = 0.5, .fill = 0.15};
    const cuda_How plus = cuda_plus_times(GBL_METHOD_OUTER);
    gbl_Matrix A = cuda_make(&of, 7), B = cuda_make(&of, 8);
    for (uint64_t seed = 0; seed < 4; seed++) {
        cuda_seed(100 + seed);
        cuda_compare(&plus, A, B);
    }
    OK(gbl_Matrix_free(&A));
    OK(gbl_Matrix_free(&B));
}
