/* SPDX-License-Identifier: Apache-2.0
 *
 * Products by tiles on the GPU, and tiles that stay with their matrices and go with them.
 */
#include "cuda/cuda_cases.h"

#include <stdlib.h>

/* Lanes alone, whose sums have the bits of the CPU's; tensor cores have tests of their own. */
static void by_lanes(void) {
    cuda_setup();
    setenv("GBLITE_TENSOR_CORES", "off", 1);
}

#define TILED_TEST(name) Test(cuda_tiled, name, .init = by_lanes, .fini = cuda_teardown)

CUDA_TEST(cuda_tiled, every_semiring) {
    cuda_every_semiring(GBL_METHOD_TILED, 3);
}

TILED_TEST(of_any_fill) {
    static const double fills[] = {0.004, 0.05, 0.3, 0.9, 1.0};
    for (size_t k = 0; k < T_COUNT(fills); k++)
        cuda_square(GBL_METHOD_TILED,
                    &(cuda_Plan){.rows = 83, .columns = 66, .tiles = 0.4, .fill = fills[k]},
                    10 + k);
}

/* Rows and columns of more than 256 tiles: lists that are searched, merged, and sorted by bits;
 * rows of tiles that are converted in chunks. */
TILED_TEST(of_long_rows_and_columns) {
    enum { LONG = 4500 };
    cuda_square(
        GBL_METHOD_TILED,
        &(cuda_Plan){.rows = 40, .columns = LONG, .strip = 1, .at_row = 17, .at_column = 4000}, 30);
    cuda_square(GBL_METHOD_TILED,
                &(cuda_Plan){.rows = 60,
                             .columns = 1200,
                             .tiles = 0.3,
                             .fill = 0.02,
                             .strip = 7,
                             .at_row = 5,
                             .at_column = 600},
                50);
}

TILED_TEST(of_masks) {
    const cuda_Plan of = {.rows = 70, .columns = 70, .tiles = 0.5, .fill = 0.3};
    const cuda_Plan masks[] = {
        {.rows = 70, .columns = 70, .tiles = 0.6, .fill = 0.5},
        {.rows = 70, .columns = 70, .tiles = 0.3, .fill = 1.0},
        {.rows = 70, .columns = 70, .strip = 3, .at_row = 20, .at_column = 40}};
    gbl_Matrix A = cuda_make(&of, 1), B = cuda_make(&of, 2);
    for (unsigned k = 0; k < 2 * T_COUNT(masks); k++) {
        gbl_Matrix M = cuda_make(&masks[k / 2], 3 + k);
        cuda_How h = cuda_plus_times(GBL_METHOD_TILED);
        h.mask = M;
        h.complement = k % 2 == 1;
        t_case("mask %u", k);
        cuda_seed(k);
        cuda_compare(&h, A, B);
        OK(gbl_Matrix_free(&M));
    }
    OK(gbl_Matrix_free(&A));
    OK(gbl_Matrix_free(&B));
}

/* The same bits whatever runs first. */
TILED_TEST(in_every_order) {
    const cuda_How plus = cuda_plus_times(GBL_METHOD_TILED);
    const cuda_Plan of = {.rows = 50,
                          .columns = 50,
                          .tiles = 0.7,
                          .fill = 0.2,
                          .strip = 2,
                          .at_row = 1,
                          .at_column = 2};
    gbl_Matrix A = cuda_make(&of, 7), B = cuda_make(&of, 8);
    for (uint64_t seed = 0; seed < 4; seed++) {
        cuda_seed(100 + seed);
        cuda_compare(&plus, A, B);
    }
    OK(gbl_Matrix_free(&A));
    OK(gbl_Matrix_free(&B));
}

/* --------------------------------------------------------------------------- tiles that are kept
 * --
 */

static int64_t bytes_in_use(void) {
    int64_t bytes = 0;
    OK(gbl_Global_get_INT64(GBL_GLOBAL, &bytes, GBL_DEVICE_BYTES_IN_USE));
    return bytes;
}

static void multiply_there(const cuda_How *h, gbl_Matrix A, gbl_Matrix B) {
    gbl_Explanation why = GBL_EXPLANATION_INIT;
    gbl_Matrix C = cuda_multiply(h, A, B, GBL_PLACE_GPU, &why);
    OK(gbl_Matrix_free(&C));
}

TILED_TEST(stay_with_their_matrix) {
    const cuda_How plus = cuda_plus_times(GBL_METHOD_TILED);
    const cuda_Plan of = {.rows = 64, .columns = 64, .tiles = 0.5, .fill = 0.4};
    const cuda_How pairs = {
        .method = GBL_METHOD_TILED, .ring = GBL_PLUS_PAIR_SEMIRING_INT64, .type = GBL_INT64};
    gbl_Matrix A = cuda_make(&of, 1), B = cuda_make(&of, 2);
    multiply_there(&pairs, A, B); /* without values */
    const int64_t patterns = bytes_in_use();
    multiply_there(&pairs, A, B);
    CHECK_EQ(bytes_in_use(), patterns);
    cuda_compare(&plus, A, B); /* values follow */
    const int64_t all = bytes_in_use();
    CHECK(all > patterns);
    cuda_compare(&plus, A, B);
    CHECK_EQ(bytes_in_use(), all);
    cuda_compare(&plus, B, A); /* lists by columns of A, too */
    CHECK(bytes_in_use() > all);
    OK(gbl_Matrix_setElement_FP64(A, 2.0, 1, 1));
    cuda_compare(&plus, A, B); /* tiles of before would be wrong */
    OK(gbl_Matrix_free(&B));
    OK(gbl_Matrix_free(&A));
    CHECK_EQ(bytes_in_use(), 0);
}

/* They make room, with the copies that they belong to. */
TILED_TEST(make_room) {
    const cuda_How plus = cuda_plus_times(GBL_METHOD_TILED);
    const cuda_Plan of = {.rows = 64, .columns = 64, .tiles = 0.5, .fill = 0.4};
    gbl_Matrix A = cuda_make(&of, 1), B = cuda_make(&of, 2), X = cuda_make(&of, 3),
               Y = cuda_make(&of, 4);
    int64_t peak = 0;
    multiply_there(&plus, A, B);
    OK(gbl_Global_get_INT64(GBL_GLOBAL, &peak, GBL_DEVICE_BYTES_PEAK));
    OK(gbl_Global_set_INT64(GBL_GLOBAL, peak + peak / 4, GBL_DEVICE_MEMORY_LIMIT));
    cuda_compare(&plus, X, Y);
    cuda_compare(&plus, A, B);
    OK(gbl_Global_set_INT64(GBL_GLOBAL, 0, GBL_DEVICE_MEMORY_LIMIT));
    OK(gbl_Matrix_free(&A));
    OK(gbl_Matrix_free(&B));
    OK(gbl_Matrix_free(&X));
    OK(gbl_Matrix_free(&Y));
}
