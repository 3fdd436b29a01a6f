/* SPDX-License-Identifier: Apache-2.0
 *
 * Products by tiles on the GPU: every semiring against the oracle; matrices whose tiles are full,
 * sparse, in long rows and in long columns against the CPU, floats to the bit; tiles that stay with
 * their matrices and go with them.
 */
#include "cuda/cuda_test.h"
#include "support/product.h"
#include "support/tuples.h"

/* across the borders of tiles, with tiles of one entry and of all */
static const t_Shape shapes[] = {
    {14, 11, 12, T_RANDOM, T_RANDOM, 0.2, 0.3, 0.4},
    {17, 33, 49, T_FULL, T_FULL, 0.2, 0.3, 0.4},
    {40, 18, 70, T_RANDOM, T_FULL_ROW, 0.5, 0.4, 0.3},
    {50, 65, 34, T_EMPTY_ROWS, T_RANDOM, 0.1, 0.05, 0.1},
    {33, 47, 16, T_DIAGONAL, T_RANDOM, 0.2, 0.6, 0.3},
};

CUDA_TEST(cuda_tiled, every_semiring) {
    size_t kernels = 0;
    for (size_t k = 0; k < t_ring_count; k++) {
        const o_Ring ring = t_ring(&t_rings[k]);
        if (!cuda_has_kernel(&t_rings[k])) continue;
        kernels++;
        for (unsigned f = 0; f < 5; f++) {
            const uint64_t n = 5 * k + f;
            t_ProductCase of = {.kind = T_MXM,
                                .name = t_rings[k].name,
                                .ring = &ring,
                                .accum = t_some_accum(ring.add.z.code, 0),
                                .c = ring.add.z,
                                .a = ring.multiply.x,
                                .b = ring.multiply.y,
                                .mask = o_type(GBL_INT16_CODE),
                                .flags = t_flags((unsigned)(n * 7) % T_FLAGS_ALL),
                                .seed = n,
                                .iso = n % 6 == 0,
                                .shape = shapes[n % T_COUNT(shapes)]};
            of.flags.method = GBL_METHOD_TILED;
            of.wild = t_rings[k].type != GBL_FP32_CODE && t_rings[k].type != GBL_FP64_CODE;
            cuda_seed(n);
            t_product(&of);
        }
    }
    CHECK(kernels >= 27); /* the blocks of semiring/foreach.h; some serve two types */
}

/* -------------------------------------------------------------------------- shapes of all kinds --
 */

typedef struct {
    gbl_Index rows, columns;
    double tiles;    /* share of the tiles that have entries */
    double fill;     /* of their places */
    gbl_Index strip; /* row and column that are full, in whole or every strip-th entry; 0: none */
    gbl_Index at_row, at_column;
} plan;

/* Sums of such values depend on their order. */
static double value(t_Random *r) {
    return (double)(1 + t_below(r, 1000000)) / 997.0;
}

static gbl_Matrix make(const plan *of, uint64_t seed) {
    t_Random r = t_random(seed);
    gbl_Matrix A = NULL;
    OK(gbl_Matrix_new(&A, GBL_FP64, of->rows, of->columns));
    for (gbl_Index I = 0; I < of->rows; I += 16)
        for (gbl_Index J = 0; J < of->columns; J += 16) {
            if (!t_chance(&r, of->tiles)) continue;
            for (gbl_Index c = 0; c < 256; c++) {
                const gbl_Index i = I + c / 16, j = J + c % 16;
                if (i >= of->rows || j >= of->columns || !t_chance(&r, of->fill)) continue;
                OK(gbl_Matrix_setElement_FP64(A, value(&r), i, j));
            }
        }
    for (gbl_Index k = 0; of->strip > 0 && k < of->columns; k += of->strip)
        OK(gbl_Matrix_setElement_FP64(A, value(&r), of->at_row, k));
    for (gbl_Index k = 0; of->strip > 0 && k < of->rows; k += of->strip)
        OK(gbl_Matrix_setElement_FP64(A, value(&r), k, of->at_column));
    return A;
}

typedef struct {
    gbl_Semiring ring;
    gbl_Type type;
    gbl_Matrix mask;
    bool complement;
} how;

static gbl_Matrix multiply(const how *h, gbl_Matrix A, gbl_Matrix B, gbl_Place place,
                           gbl_Explanation *why) {
    gbl_Matrix C = NULL;
    gbl_Descriptor desc = NULL;
    gbl_Index m, n;
    OK(gbl_Matrix_nrows(&m, A));
    OK(gbl_Matrix_ncols(&n, B));
    OK(gbl_Matrix_new(&C, h->type, m, n));
    OK(gbl_Descriptor_new(&desc));
    OK(gbl_Descriptor_set(desc, GBL_METHOD,
                          place == GBL_PLACE_GPU ? GBL_METHOD_TILED : GBL_METHOD_ROWWISE));
    OK(gbl_Descriptor_set(desc, GBL_MASK, h->complement ? GBL_COMP_STRUCTURE : GBL_STRUCTURE));
    OK(gbl_Global_set_INT32(GBL_GLOBAL, place, GBL_PLACE));
    OK(gbl_mxm(C, h->mask, NULL, h->ring, A, B, desc));
    OK(gbl_Matrix_explain(why, C));
    OK(gbl_Descriptor_free(&desc));
    return C;
}

/* The same entries and bits as by the CPU, which adds in the same order. */
static void compare(const how *h, gbl_Matrix A, gbl_Matrix B) {
    gbl_Explanation why = GBL_EXPLANATION_INIT;
    gbl_Matrix expected = multiply(h, A, B, GBL_PLACE_CPU, &why);
    gbl_Matrix actual = multiply(h, A, B, GBL_PLACE_GPU, &why);
    cr_assert_str_eq(why.place, "gpu");
    cr_assert_str_eq(why.method, "tiled");
    t_Tuples tuples = t_tuples_of(expected);
    t_expect_tuples(&tuples, actual);
    t_tuples_free(&tuples);
    OK(gbl_Matrix_free(&expected));
    OK(gbl_Matrix_free(&actual));
}

static how plus_times(void) {
    return (how){.ring = GBL_PLUS_TIMES_SEMIRING_FP64, .type = GBL_FP64};
}

static void square(const plan *of, uint64_t seed) {
    const how plus = plus_times();
    const plan across = {.rows = of->columns,
                         .columns = of->rows,
                         .tiles = of->tiles,
                         .fill = of->fill,
                         .strip = of->strip,
                         .at_row = of->at_column,
                         .at_column = of->at_row};
    gbl_Matrix A = make(of, seed), B = make(&across, seed + 1);
    t_case("%d x %d, tiles %g, fill %g, strip %d", (int)of->rows, (int)of->columns, of->tiles,
           of->fill, (int)of->strip);
    cuda_seed(seed);
    compare(&plus, A, B);
    OK(gbl_Matrix_free(&A));
    OK(gbl_Matrix_free(&B));
}

CUDA_TEST(cuda_tiled, of_any_fill) {
    static const double fills[] = {0.004, 0.05, 0.3, 0.9, 1.0};
    for (size_t k = 0; k < T_COUNT(fills); k++)
        square(&(plan){.rows = 83, .columns = 66, .tiles = 0.4, .fill = fills[k]}, 10 + k);
}

/* Rows and columns of more than 256 tiles: lists that are searched, merged, and sorted by bits;
 * rows of tiles that are converted in chunks. */
CUDA_TEST(cuda_tiled, of_long_rows_and_columns) {
    enum { LONG = 4500 };
    square(&(plan){.rows = 40, .columns = LONG, .strip = 1, .at_row = 17, .at_column = 4000}, 30);
    square(&(plan){.rows = LONG, .columns = 20, .strip = 9, .at_row = 4321, .at_column = 3}, 40);
    square(&(plan){.rows = 60,
                   .columns = 1200,
                   .tiles = 0.3,
                   .fill = 0.02,
                   .strip = 7,
                   .at_row = 5,
                   .at_column = 600},
           50);
}

CUDA_TEST(cuda_tiled, of_masks) {
    const plan of = {.rows = 70, .columns = 70, .tiles = 0.5, .fill = 0.3};
    const plan masks[] = {{.rows = 70, .columns = 70, .tiles = 0.6, .fill = 0.5},
                          {.rows = 70, .columns = 70, .tiles = 0.3, .fill = 1.0},
                          {.rows = 70, .columns = 70, .strip = 3, .at_row = 20, .at_column = 40}};
    gbl_Matrix A = make(&of, 1), B = make(&of, 2);
    for (unsigned k = 0; k < 2 * T_COUNT(masks); k++) {
        gbl_Matrix M = make(&masks[k / 2], 3 + k);
        how h = plus_times();
        h.mask = M;
        h.complement = k % 2 == 1;
        t_case("mask %u", k);
        cuda_seed(k);
        compare(&h, A, B);
        OK(gbl_Matrix_free(&M));
    }
    OK(gbl_Matrix_free(&A));
    OK(gbl_Matrix_free(&B));
}

/* The same bits whatever runs first. */
CUDA_TEST(cuda_tiled, in_every_order) {
    const how plus = plus_times();
    const plan of = {.rows = 50,
                     .columns = 50,
                     .tiles = 0.7,
                     .fill = 0.2,
                     .strip = 2,
                     .at_row = 1,
                     .at_column = 2};
    gbl_Matrix A = make(&of, 7), B = make(&of, 8);
    for (uint64_t seed = 0; seed < 8; seed++) {
        cuda_seed(100 + seed);
        compare(&plus, A, B);
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

static void multiply_there(const how *h, gbl_Matrix A, gbl_Matrix B) {
    gbl_Explanation why = GBL_EXPLANATION_INIT;
    gbl_Matrix C = multiply(h, A, B, GBL_PLACE_GPU, &why);
    OK(gbl_Matrix_free(&C));
}

CUDA_TEST(cuda_tiled, stay_with_their_matrix) {
    const how plus = plus_times();
    const plan of = {.rows = 64, .columns = 64, .tiles = 0.5, .fill = 0.4};
    const how pairs = {.ring = GBL_PLUS_PAIR_SEMIRING_INT64, .type = GBL_INT64};
    gbl_Matrix A = make(&of, 1), B = make(&of, 2);
    multiply_there(&pairs, A, B); /* without values */
    const int64_t patterns = bytes_in_use();
    multiply_there(&pairs, A, B);
    CHECK_EQ(bytes_in_use(), patterns);
    compare(&plus, A, B); /* values follow */
    const int64_t all = bytes_in_use();
    CHECK(all > patterns);
    compare(&plus, A, B);
    CHECK_EQ(bytes_in_use(), all);
    compare(&plus, B, A); /* lists by columns of A, too */
    CHECK(bytes_in_use() > all);
    OK(gbl_Matrix_setElement_FP64(A, 2.0, 1, 1));
    compare(&plus, A, B); /* tiles of before would be wrong */
    OK(gbl_Matrix_free(&B));
    OK(gbl_Matrix_free(&A));
    CHECK_EQ(bytes_in_use(), 0);
}

/* They make room, with the copies that they belong to. */
CUDA_TEST(cuda_tiled, make_room) {
    const how plus = plus_times();
    const plan of = {.rows = 64, .columns = 64, .tiles = 0.5, .fill = 0.4};
    gbl_Matrix A = make(&of, 1), B = make(&of, 2), X = make(&of, 3), Y = make(&of, 4);
    int64_t peak = 0;
    multiply_there(&plus, A, B);
    OK(gbl_Global_get_INT64(GBL_GLOBAL, &peak, GBL_DEVICE_BYTES_PEAK));
    OK(gbl_Global_set_INT64(GBL_GLOBAL, peak + peak / 4, GBL_DEVICE_MEMORY_LIMIT));
    compare(&plus, X, Y);
    compare(&plus, A, B);
    OK(gbl_Global_set_INT64(GBL_GLOBAL, 0, GBL_DEVICE_MEMORY_LIMIT));
    OK(gbl_Matrix_free(&A));
    OK(gbl_Matrix_free(&B));
    OK(gbl_Matrix_free(&X));
    OK(gbl_Matrix_free(&Y));
}
