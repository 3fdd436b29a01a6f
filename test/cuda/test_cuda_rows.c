/* SPDX-License-Identifier: Apache-2.0
 *
 * Rows around the borders of warps, blocks, tables and windows: the GPU's kernels against those of
 * the CPU, entry for entry; values are whole numbers, whose sums are exact in any order. With tiny
 * sizes (GBLITE_TINY) the same rows cross the borders of all classes.
 */
#include "cuda/cuda_test.h"
#include "support/tuples.h"

#include "core/hll.h"

/* WIDE rows have several windows of the longest bitmaps; NEAR ones are ranked by bits where they
 * are hashed, in one window or several. */
enum { PIECES = 4, WIDE = 1 << 20, NEAR = 1 << 14 };

/* Row r of C gets about entries[r] entries in [0, width[r]), from PIECES rows of B that have a
 * third of their columns in common. */
typedef struct {
    gbl_Index rows, columns;
    const uint32_t *entries, *width;
} plan;

static gbl_Matrix right_factor(const plan *of, uint64_t seed) {
    t_Random r = t_random(seed);
    gbl_Matrix B = NULL;
    OK(gbl_Matrix_new(&B, GBL_FP64, of->rows * PIECES, of->columns));
    for (gbl_Index i = 0; i < of->rows; i++) {
        const uint64_t step = of->width[i] / (of->entries[i] + 1) + 1;
        for (uint32_t e = 0; e < of->entries[i]; e++) {
            const gbl_Index j = (e * step + t_below(&r, step)) % of->width[i];
            const gbl_Index first = e % PIECES;
            OK(gbl_Matrix_setElement_FP64(B, (double)(1 + t_below(&r, 9)), i * PIECES + first, j));
            if (e % 3 != 0) continue;
            OK(gbl_Matrix_setElement_FP64(B, (double)(1 + t_below(&r, 9)),
                                          i * PIECES + (first + 1) % PIECES, j));
        }
    }
    return B;
}

static gbl_Matrix left_factor(const plan *of, uint64_t seed) {
    t_Random r = t_random(seed);
    gbl_Matrix A = NULL;
    OK(gbl_Matrix_new(&A, GBL_FP64, of->rows, of->rows * PIECES));
    for (gbl_Index i = 0; i < of->rows; i++)
        for (gbl_Index k = 0; k < PIECES; k++)
            OK(gbl_Matrix_setElement_FP64(A, (double)(1 + t_below(&r, 9)), i, i * PIECES + k));
    return A;
}

typedef struct {
    gbl_Semiring ring;
    gbl_Type type;
    gbl_Desc_Value workflow;
    int32_t accumulators;
    gbl_Matrix mask;
    bool complement;
} how;

static gbl_Matrix multiply(const plan *of, const how *h, gbl_Matrix A, gbl_Matrix B,
                           gbl_Place place, gbl_Explanation *why) {
    gbl_Matrix C = NULL;
    gbl_Descriptor desc = NULL;
    OK(gbl_Matrix_new(&C, h->type, of->rows, of->columns));
    OK(gbl_Descriptor_new(&desc));
    OK(gbl_Descriptor_set(desc, GBL_METHOD, GBL_METHOD_ROWWISE));
    if (h->workflow != GBL_DEFAULT) OK(gbl_Descriptor_set(desc, GBL_WORKFLOW, h->workflow));
    if (h->accumulators != 0) OK(gbl_Descriptor_set_INT32(desc, h->accumulators, GBL_ACCUMULATORS));
    OK(gbl_Descriptor_set(desc, GBL_MASK, h->complement ? GBL_COMP_STRUCTURE : GBL_STRUCTURE));
    OK(gbl_Global_set_INT32(GBL_GLOBAL, place, GBL_PLACE));
    OK(gbl_mxm(C, h->mask, NULL, h->ring, A, B, desc));
    OK(gbl_Matrix_explain(why, C));
    OK(gbl_Descriptor_free(&desc));
    return C;
}

static void compare(const plan *of, const how *h, gbl_Matrix A, gbl_Matrix B,
                    gbl_Explanation *why) {
    gbl_Explanation host = GBL_EXPLANATION_INIT;
    gbl_Matrix expected = multiply(of, h, A, B, GBL_PLACE_CPU, &host);
    gbl_Matrix actual = multiply(of, h, A, B, GBL_PLACE_GPU, why);
    cr_assert_str_eq(why->place, "gpu");
    CHECK_EQ(why->nvals, host.nvals);
    t_Tuples tuples = t_tuples_of(expected);
    t_expect_tuples(&tuples, actual);
    t_tuples_free(&tuples);
    OK(gbl_Matrix_free(&expected));
    OK(gbl_Matrix_free(&actual));
}

/* Lengths below, at and above what each class of hash tables holds, for tables of 12 bytes a slot,
 * in wide rows; then the same for dense windows. */
static const uint32_t around[] = {1,   31,  32,  33,  63,  64,  65, 113,
                                  114, 226, 228, 454, 456, 908, 912};
#ifdef GB_TINY
static const uint32_t longer[] = {680, 900, 1820, 2760, 5000};
#else
static const uint32_t longer[] = {1700, 1820, 3640, 3660, 7000, 10900, 10960, 13500};
#endif

static void run_lengths(const uint32_t *entries, size_t n, uint32_t width, const how *h) {
    uint32_t widths[T_COUNT(around)];
    for (size_t k = 0; k < n; k++) widths[k] = width > 0 ? width : entries[k] + 1;
    const plan of = {n, WIDE, entries, widths};
    gbl_Matrix A = left_factor(&of, 1), B = right_factor(&of, 2);
    gbl_Explanation why = GBL_EXPLANATION_INIT;
    t_case("%s rows, workflow %d, accumulators %d", width > 0 ? "wide" : "narrow", (int)h->workflow,
           (int)h->accumulators);
    compare(&of, h, A, B, &why);
    if (h->accumulators == GBL_ACCUMULATE_HASH) CHECK(why.rows_hashed > 0);
    if (h->accumulators == GBL_ACCUMULATE_DENSE) CHECK_EQ(why.rows_dense, n);
    OK(gbl_Matrix_free(&A));
    OK(gbl_Matrix_free(&B));
}

static void run_all_accumulators(const uint32_t *entries, size_t n, size_t w) {
    static const int32_t accumulators[] = {0, GBL_ACCUMULATE_HASH, GBL_ACCUMULATE_DENSE};
    for (size_t a = 0; a < T_COUNT(accumulators); a++) {
        const how h = {.ring = GBL_PLUS_TIMES_SEMIRING_FP64,
                       .type = GBL_FP64,
                       .workflow = t_workflows[w],
                       .accumulators = accumulators[a]};
        cuda_seed(10 * w + a);
        run_lengths(entries, n, WIDE, &h);
        if (entries == around) run_lengths(entries, n, NEAR, &h);
        run_lengths(entries, n, 0, &h);
    }
}

/* The longest tests of all: one per workflow, so that they run side by side. */
CUDA_TEST(cuda_rows, around_borders_1) {
    run_all_accumulators(around, T_COUNT(around), 1);
}

CUDA_TEST(cuda_rows, around_borders_2) {
    run_all_accumulators(around, T_COUNT(around), 2);
}

CUDA_TEST(cuda_rows, around_borders_3) {
    run_all_accumulators(around, T_COUNT(around), 3);
}

CUDA_TEST(cuda_rows, long_ones_1) {
    run_all_accumulators(longer, T_COUNT(longer), 1);
}

CUDA_TEST(cuda_rows, long_ones_2) {
    run_all_accumulators(longer, T_COUNT(longer), 2);
}

CUDA_TEST(cuda_rows, long_ones_3) {
    run_all_accumulators(longer, T_COUNT(longer), 3);
}

/* The same bits whatever runs first: threads, blocks, streams. On a GPU, simply again and again. */
CUDA_TEST(cuda_rows, in_every_order) {
    enum { SEEDS = 3 }; /* one a workflow */
    for (uint64_t seed = 1; seed <= SEEDS; seed++) {
        const how h = {.ring = GBL_PLUS_TIMES_SEMIRING_FP64,
                       .type = GBL_FP64,
                       .workflow = t_workflows[1 + seed % 3]};
        cuda_seed(1000 + seed);
        run_lengths(around, T_COUNT(around), WIDE, &h);
        run_lengths(around, T_COUNT(around), 0, &h);
    }
}

/* Values of 1, 4 and 8 bytes have tables and bitmaps of different sizes. */
CUDA_TEST(cuda_rows, of_all_sizes_of_values) {
    const struct {
        gbl_Semiring ring;
        gbl_Type type;
    } some[] = {{GBL_LOR_LAND_SEMIRING_BOOL, GBL_BOOL},
                {GBL_PLUS_TIMES_SEMIRING_INT32, GBL_INT32},
                {GBL_MIN_PLUS_SEMIRING_INT64, GBL_INT64},
                {GBL_MIN_PLUS_SEMIRING_FP64, GBL_FP64}};
    for (size_t k = 0; k < T_COUNT(some); k++) {
        const how h = {.ring = some[k].ring,
                       .type = some[k].type,
                       .workflow = k % 2 ? GBL_WORKFLOW_SYMBOLIC : GBL_WORKFLOW_UPPER_BOUND,
                       .accumulators = GBL_ACCUMULATE_HASH};
        run_lengths(around, T_COUNT(around), WIDE, &h);
        run_lengths(longer, T_COUNT(longer), NEAR, &h);
    }
}

CUDA_TEST(cuda_rows, of_masks) {
    uint32_t widths[T_COUNT(around)];
    for (size_t k = 0; k < T_COUNT(around); k++) widths[k] = k % 2 ? WIDE : 2000;
    const plan of = {T_COUNT(around), WIDE, around, widths};
    gbl_Matrix A = left_factor(&of, 1), B = right_factor(&of, 2), M = NULL;
    t_Random r = t_random(3);
    OK(gbl_Matrix_new(&M, GBL_BOOL, of.rows, of.columns));
    gbl_Matrix pattern = NULL;
    OK(gbl_Matrix_new(&pattern, GBL_FP64, of.rows, of.columns));
    OK(gbl_Global_set_INT32(GBL_GLOBAL, GBL_PLACE_CPU, GBL_PLACE));
    OK(gbl_mxm(pattern, NULL, NULL, GBL_PLUS_TIMES_SEMIRING_FP64, A, B, NULL));
    t_Tuples all = t_tuples_of(pattern);
    for (gbl_Index k = 0; k < all.n; k++)
        if (t_chance(&r, 0.4)) OK(gbl_Matrix_setElement_BOOL(M, true, all.I[k], all.J[k]));
    for (gbl_Index k = 0; k < 5000; k++)
        OK(gbl_Matrix_setElement_BOOL(M, true, t_below(&r, of.rows), t_below(&r, WIDE)));
    for (unsigned k = 0; k < 6; k++) {
        gbl_Explanation why = GBL_EXPLANATION_INIT;
        const how h = {.ring = GBL_PLUS_TIMES_SEMIRING_FP64,
                       .type = GBL_FP64,
                       .workflow = t_workflows[1 + k % 3],
                       .mask = M,
                       .complement = k >= 3};
        t_case("mask, case %u", k);
        compare(&of, &h, A, B, &why);
    }
    t_tuples_free(&all);
    OK(gbl_Matrix_free(&pattern));
    OK(gbl_Matrix_free(&A));
    OK(gbl_Matrix_free(&B));
    OK(gbl_Matrix_free(&M));
}

/* Columns whose hashes all look like those of a short row: rows that were given too little room are
 * found and done again. */
CUDA_TEST(cuda_rows, that_overflow) {
    enum { ROWS = 6, ENTRIES = 900 };
    gbl_Matrix A = NULL, B = NULL;
    gbl_Index j = 0;
    OK(gbl_Matrix_new(&A, GBL_FP64, ROWS, ROWS + 1));
    OK(gbl_Matrix_new(&B, GBL_FP64, ROWS + 1, WIDE));
    cuda_fill_row(B, ROWS); /* A has no entries for it */
    for (gbl_Index e = 0; e < ENTRIES; j++) {
        if (gb_hll_code(gb_hll_hash((uint32_t)j)) > 3) continue;
        for (gbl_Index k = 0; k < ROWS; k++)
            if ((e + k) % 3 == 0) OK(gbl_Matrix_setElement_FP64(B, (double)(k + 1), k, j));
        e++;
    }
    for (gbl_Index i = 0; i < ROWS; i++)
        for (gbl_Index k = 0; k < ROWS; k++) OK(gbl_Matrix_setElement_FP64(A, 1.0, i, k));
    for (int accumulators = 0; accumulators < 2; accumulators++) {
        const plan of = {ROWS, WIDE, NULL, NULL};
        const how h = {.ring = GBL_PLUS_TIMES_SEMIRING_FP64,
                       .type = GBL_FP64,
                       .workflow = GBL_WORKFLOW_ESTIMATE,
                       .accumulators = accumulators ? GBL_ACCUMULATE_DENSE : GBL_ACCUMULATE_HASH};
        gbl_Explanation why = GBL_EXPLANATION_INIT;
        compare(&of, &h, A, B, &why);
        CHECK(why.rows_overflowed > 0);
    }
    OK(gbl_Matrix_free(&A));
    OK(gbl_Matrix_free(&B));
}

/* Rows of factors that a warp would walk for long: a block sketches them, and unites sketches. */
CUDA_TEST(cuda_rows, of_long_factors) {
#ifdef GB_TINY
    enum { INNER = 600, ROWS = 3, LENGTH = 500 };
#else
    enum { INNER = 9000, ROWS = 3, LENGTH = 8500 };
#endif
    gbl_Matrix A = NULL, B = NULL;
    t_Random r = t_random(31);
    OK(gbl_Matrix_new(&A, GBL_FP64, ROWS, INNER));
    OK(gbl_Matrix_new(&B, GBL_FP64, INNER, WIDE));
    for (gbl_Index k = 0; k < INNER; k++) {
        OK(gbl_Matrix_setElement_FP64(A, (double)(1 + t_below(&r, 9)), 1, k));
        OK(gbl_Matrix_setElement_FP64(B, (double)(1 + t_below(&r, 9)), k, 17 * k % 5000));
    }
    for (gbl_Index e = 0; e < LENGTH; e++) OK(gbl_Matrix_setElement_FP64(B, 2.0, 5, 9 * e));
    OK(gbl_Matrix_setElement_FP64(A, 3.0, 0, 5));
    OK(gbl_Matrix_setElement_FP64(A, 4.0, 2, 7));
    const plan of = {ROWS, WIDE, NULL, NULL};
    const how h = {
        .ring = GBL_PLUS_TIMES_SEMIRING_FP64, .type = GBL_FP64, .workflow = GBL_WORKFLOW_ESTIMATE};
    gbl_Explanation why = GBL_EXPLANATION_INIT;
    compare(&of, &h, A, B, &why);
    OK(gbl_Matrix_free(&A));
    OK(gbl_Matrix_free(&B));
}

/* The workflow that table 1 of the paper says. */
CUDA_TEST(cuda_rows, choose_a_workflow) {
    enum { SIDE = 96 };
    gbl_Matrix few = NULL, many = NULL, C = NULL;
    gbl_Explanation why = GBL_EXPLANATION_INIT;
    OK(gbl_Matrix_new(&few, GBL_FP64, SIDE, SIDE));
    OK(gbl_Matrix_new(&many, GBL_FP64, SIDE, SIDE));
    OK(gbl_Matrix_new(&C, GBL_FP64, SIDE, SIDE));
    for (gbl_Index i = 0; i < SIDE; i++) {
        OK(gbl_Matrix_setElement_FP64(few, 1.0, i, (i * 7) % SIDE));
        for (gbl_Index e = 0; e < 32; e++)
            OK(gbl_Matrix_setElement_FP64(many, 1.0, i, (i / 32 * 32 + e) % SIDE));
    }
    OK(gbl_mxm(C, NULL, NULL, GBL_PLUS_TIMES_SEMIRING_FP64, few, few, NULL));
    OK(gbl_Matrix_explain(&why, C));
    cr_assert_str_eq(why.workflow, "upper bound");
    CHECK_EQ(why.rows_sorted, SIDE);
    OK(gbl_mxm(C, NULL, NULL, GBL_PLUS_TIMES_SEMIRING_FP64, many, many, NULL));
    OK(gbl_Matrix_explain(&why, C));
    cr_assert_str_eq(why.workflow, "estimate");
    CHECK(why.compression_ratio > 20 && why.compression_ratio < 50); /* it is 32 */
    OK(gbl_mxm(C, NULL, NULL, GBL_PLUS_TIMES_SEMIRING_FP64, many, few, NULL));
    OK(gbl_Matrix_explain(&why, C));
    cr_assert_str_eq(why.workflow, "upper bound");
    OK(gbl_Matrix_free(&few));
    OK(gbl_Matrix_free(&many));
    OK(gbl_Matrix_free(&C));
}
