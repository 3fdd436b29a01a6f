/* SPDX-License-Identifier: Apache-2.0
 *
 * Every way of a row-wise product (workflow, accumulators, sketches, order of rows) against the
 * oracle: with every kind of mask, semirings of every kind, and shapes that give rows of every
 * length. And that a way that is asked for is the one that is taken.
 */
#include "support/product.h"
#include "support/spec.h"
#include "support/tuples.h"

#include <string.h>

static const struct {
    o_Opcode add, multiply;
    gbl_Type_Code type;
} sample[] = {
    {O_PLUS, O_TIMES, GBL_FP64_CODE},  {O_PLUS, O_TIMES, GBL_FP32_CODE},
    {O_PLUS, O_TIMES, GBL_INT64_CODE}, {O_PLUS, O_TIMES, GBL_UINT8_CODE},
    {O_MIN, O_PLUS, GBL_INT32_CODE},   {O_MIN, O_PLUS, GBL_FP64_CODE},
    {O_LOR, O_LAND, GBL_BOOL_CODE},    {O_ANY, O_ONEB, GBL_BOOL_CODE},
    {O_MAX, O_SECOND, GBL_INT16_CODE}, {O_ANY, O_SECONDI, GBL_INT64_CODE},
    {O_PLUS, O_ONEB, GBL_INT64_CODE},  {O_MIN, O_FIRSTJ, GBL_INT32_CODE},
};

/* rows of up to 8, 64 and hundreds of products, and all of them mixed */
static const t_Shape shapes[] = {
    {14, 11, 12, T_RANDOM, T_RANDOM, 0.2, 0.3, 0.4},
    {9, 30, 60, T_FULL_ROW, T_RANDOM, 0.2, 0.15, 0.2},
    {7, 40, 90, T_RANDOM, T_FULL_ROW, 0.7, 0.4, 0.3},
    {20, 16, 200, T_EMPTY_ROWS, T_EMPTY_ROWS, 0.6, 0.5, 0.1},
};

static const t_Ring *sampled(size_t k) {
    return t_find_ring(sample[k].add, sample[k].multiply, sample[k].type);
}

static t_ProductCase plain_case(const char *name, const o_Ring *ring, t_Flags flags) {
    t_ProductCase of = t_mxm_case(name, ring, 0);
    of.mask = o_type(GBL_INT16_CODE);
    of.flags = flags;
    of.flags.method = GBL_METHOD_ROWWISE;
    return of;
}

/* ---------------------------------------------- every way, every mask, semirings in between -- */

/* Every way with every mask, replacing and not; sketches and order go along with the seed. */
static void every_way(const t_Ring *entry, const o_Ring *ring, uint64_t seed, unsigned step) {
    for (size_t w = 0; w < T_COUNT(t_workflows); w++) {
        for (size_t a = 0; a < T_COUNT(t_accumulators); a++) {
            for (unsigned f = (unsigned)(w + a) % step; f < T_FLAGS_ALL; f += step) {
                t_ProductCase of = plain_case(entry->name, ring, t_flags(f));
                of.seed = seed + 4096 * w + 512 * a + f;
                t_set_way(&of.flags, t_below(&(t_Random){of.seed}, T_WAYS));
                of.flags.workflow = t_workflows[w];
                of.flags.accumulators = t_accumulators[a];
                of.shape = shapes[(w + a + f) % T_COUNT(shapes)];
                of.accum = t_some_accum(entry->type, f);
                of.wild = entry->type != GBL_FP32_CODE && entry->type != GBL_FP64_CODE;
                t_product(&of);
            }
        }
    }
}

static void sampled_ways(size_t from, size_t to) {
    for (size_t k = from; k < to; k++) {
        const t_Ring *entry = sampled(k);
        const o_Ring ring = t_ring(entry);
        every_way(entry, &ring, 100000 * k, 13);
    }
}

GB_TEST(mxm_rowwise, ways_0) {
    sampled_ways(0, 6);
}

GB_TEST(mxm_rowwise, ways_1) {
    sampled_ways(6, T_COUNT(sample));
}

GB_TEST(mxm_rowwise, user_types) {
    t_User users[] = {t_user_path(), t_user_colour()};
    for (size_t u = 0; u < T_COUNT(users); u++) {
        for (uint64_t way = 0; way < T_WAYS; way++) {
            t_ProductCase of = plain_case(u == 0 ? "path" : "colour", &users[u].ring,
                                          t_flags((13 * (unsigned)way) % T_FLAGS_ALL));
            of.seed = 3000000 + 1000 * u + way;
            of.accum = users[u].minus;
            of.shape = shapes[way / 8 % T_COUNT(shapes)];
            t_set_way(&of.flags, way);
            t_product(&of);
        }
    }
    t_user_free(&users[0]);
    t_user_free(&users[1]);
}

static void difference(void *z, const void *x, const void *y) {
    const double d = *(const double *)x - (double)*(const int8_t *)y;
    *(float *)z = (float)(d < 0 ? -d : d);
}

static void bit_join(void *z, const void *x, const void *y) {
    *(uint32_t *)z = (*(const uint32_t *)x | *(const uint32_t *)y) ^
                     (*(const uint32_t *)x & *(const uint32_t *)y);
}

/* A multiplication of three types, and an addition of the user over a built-in type. */
GB_TEST(mxm_rowwise, user_operators) {
    const o_Type fp32 = o_type(GBL_FP32_CODE), uint32 = o_type(GBL_UINT32_CODE);
    o_Binary mixed = {O_USER, fp32, o_type(GBL_FP64_CODE), o_type(GBL_INT8_CODE), difference, NULL};
    o_Binary join = {O_USER, uint32, uint32, uint32, bit_join, NULL};
    gbl_Monoid monoid = NULL;
    OK(gbl_BinaryOp_new(&mixed.handle, difference, GBL_FP32, GBL_FP64, GBL_INT8));
    OK(gbl_BinaryOp_new(&join.handle, bit_join, GBL_UINT32, GBL_UINT32, GBL_UINT32));
    OK(gbl_Monoid_new_UINT32(&monoid, join.handle, 0));
    o_Ring rings[] = {{t_find_binary(O_MAX, GBL_FP32_CODE), mixed, NULL},
                      {join, t_find_binary(O_TIMES, GBL_UINT32_CODE), NULL}};
    OK(gbl_Semiring_new(&rings[0].handle, GBL_MAX_MONOID_FP32, mixed.handle));
    OK(gbl_Semiring_new(&rings[1].handle, monoid, GBL_TIMES_UINT32));
    for (uint64_t way = 0; way < 2 * T_WAYS; way++) {
        t_ProductCase of = plain_case(way % 2 == 0 ? "max difference" : "xor times",
                                      &rings[way % 2], t_flags((17 * (unsigned)way) % T_FLAGS_ALL));
        of.seed = 3500000 + way;
        of.shape = shapes[way / 8 % T_COUNT(shapes)];
        t_set_way(&of.flags, way / 2);
        t_product(&of);
    }
    FREE(rings[0].handle, rings[1].handle, monoid, mixed.handle, join.handle);
}

/* Patterns of more than 4096 columns, in rows that are read off bits: rows of B that are held as
 * bits and rows that are not, rows of C with many and with few columns, all kinds of masks. */
GB_TEST(mxm_rowwise, patterns_by_bits) {
    static const t_Shape wide[] = {
        {5, 40, 9000, T_RANDOM, T_RANDOM, 0.5, 0.02, 0.01},
        {5, 40, 9000, T_FULL_ROW, T_RANDOM, 0.5, 0.002, 0.01},
        {4, 90, 4099, T_RANDOM, T_FULL_ROW, 0.6, 0.05, 0.2},
    };
    const t_Ring *entry = t_find_ring(O_ANY, O_ONEB, GBL_BOOL_CODE);
    const o_Ring ring = t_ring(entry);
    for (unsigned f = 0; f < T_FLAGS_ALL; f += 3) {
        t_ProductCase of = plain_case(entry->name, &ring, t_flags(f));
        of.seed = 8000000 + f;
        of.shape = wide[f / 3 % T_COUNT(wide)];
        of.flags.tran0 = of.flags.tran1 = false;
        t_product(&of);
    }
}

/* --------------------------------------------------------------------------- extreme shapes -- */

static const t_Shape extremes[] = {
    {40, 50, 70, T_ONE_ROW, T_RANDOM, 1, 0.5, 0.3}, /* all products in one row */
    {50, 40, 64, T_FULL, T_FULL_ROW, 1, 0.1, 0.2},  /* every row of C is full */
    {30, 25, 65, T_FULL, T_FULL, 1, 1, 0.5},
    {20, 30, 40, T_FULL, T_EMPTY, 1, 1, 0.3}, /* B empty */
    {20, 30, 40, T_EMPTY, T_FULL, 1, 1, 0.3},
    {90, 1, 110, T_FULL, T_FULL, 1, 1, 0.2}, /* a column times a row */
    {90, 1, 110, T_RANDOM, T_RANDOM, 0.5, 0.5, 0.2},
    {1, 120, 1, T_RANDOM, T_RANDOM, 0.6, 0.6, 1}, /* a row times a column */
    {1, 90, 300, T_FULL, T_RANDOM, 1, 0.5, 0.4},
    {120, 100, 1, T_RANDOM, T_FULL, 0.3, 1, 0.5}, /* one column of C */
    {33, 33, 33, T_DIAGONAL, T_DIAGONAL, 1, 1, 0.3},
    {60, 60, 60, T_DIAGONAL, T_FULL_ROW, 1, 0.1, 0.2},
    {40, 40, 40, T_FULL_COLUMN, T_FULL_ROW, 0, 0, 0.2}, /* C is full, one product an entry */
    {40, 40, 40, T_FULL_ROW, T_FULL_COLUMN, 0, 0, 0.2}, /* C has one entry a row but one */
    {80, 80, 80, T_FULL_ROW, T_FULL_ROW, 0.02, 0.02, 0.1},
    {300, 12, 20, T_EMPTY_ROWS, T_RANDOM, 0.3, 0.3, 0.1},
};

static void run_extremes(size_t from, size_t to) {
    for (size_t s = from; s < to; s++) {
        for (uint64_t way = s % 5; way < T_WAYS; way += 5) {
            const size_t k = (way + s) % T_COUNT(sample);
            const t_Ring *entry = sampled(k);
            const o_Ring ring = t_ring(entry);
            t_ProductCase of =
                plain_case(entry->name, &ring, t_flags((unsigned)(31 * way + s) % T_FLAGS_ALL));
            of.seed = 4000000 + 1000 * s + way;
            of.shape = extremes[s];
            if (way % 3 == 0) of.flags.mask = T_NO_MASK;
            of.iso = way % 5 == 0;
            t_set_way(&of.flags, way);
            t_product(&of);
        }
    }
}

GB_TEST(mxm_rowwise, extremes_0) {
    run_extremes(0, 6);
}

GB_TEST(mxm_rowwise, extremes_1) {
    run_extremes(6, T_COUNT(extremes));
}

GB_TEST(mxm_rowwise, aliases) {
    for (uint64_t way = 0; way < T_WAYS; way++) {
        const size_t k = way % T_COUNT(sample);
        const t_Ring *entry = sampled(k);
        const o_Ring ring = t_ring(entry);
        for (int alias = T_C_IS_A; alias < T_ALIASES; alias++) {
            t_ProductCase of =
                plain_case(entry->name, &ring, t_flags((unsigned)(29 * way + 7) % T_FLAGS_ALL));
            of.seed = 5000000 + 1000 * way;
            of.shape = (t_Shape){24, 24, 24, T_RANDOM, T_FULL_ROW, 0.2, 0.2, 0.2};
            of.a = of.b = of.c = of.mask = o_type(entry->type);
            of.alias = (t_Alias)alias;
            t_set_way(&of.flags, way);
            t_product(&of);
        }
    }
}

/* ---------------------------------------------------------------- the way that is asked for -- */

static gbl_Matrix random_matrix(uint64_t seed, gbl_Index nrows, gbl_Index ncols, double density) {
    t_Random r = t_random(seed);
    return t_random_matrix(
        &r, &(t_Content){o_type(GBL_INT64_CODE), nrows, ncols, T_FULL_ROW, density, false, false});
}

static void expect_way(const gbl_Explanation *why, const t_Flags *flags, bool masked) {
    static const char *const names[] = {NULL, "upper bound", "estimate", "symbolic"};
    size_t w = 0;
    while (t_workflows[w] != flags->workflow) w++;
    if (names[w] != NULL) CHECK(strcmp(why->workflow, names[w]) == 0);
    const int32_t used = flags->accumulators;
    if (used != GBL_DEFAULT && !(used & GBL_ACCUMULATE_SORT)) CHECK_EQ(why->rows_sorted, 0);
    if (used != GBL_DEFAULT && !(used & GBL_ACCUMULATE_HASH)) CHECK_EQ(why->rows_hashed, 0);
    if (used != GBL_DEFAULT && !(used & GBL_ACCUMULATE_DENSE)) CHECK_EQ(why->rows_dense, 0);
    const uint64_t rows = why->rows_copied + why->rows_sorted + why->rows_hashed + why->rows_dense;
    CHECK(masked ? rows <= 60 : rows == 60);
    if (masked) CHECK_EQ(why->rows_copied, 0);
    if (flags->workflow == GBL_WORKFLOW_SYMBOLIC) CHECK_EQ(why->rows_overflowed, 0);
    if (flags->workflow == GBL_WORKFLOW_ESTIMATE) {
        CHECK_EQ(why->registers, flags->registers != 0       ? flags->registers
                                 : why->expansion_ratio < 48 ? 32
                                                             : 64);
        CHECK(why->nvals_estimated > 0.0);
    }
}

GB_TEST(mxm_rowwise, is_computed_as_asked_for) {
    static const t_Mask masks[] = {T_NO_MASK, T_STRUCTURAL, T_COMP};
    gbl_Matrix A = random_matrix(1, 60, 50, 0.1), B = random_matrix(2, 50, 300, 0.05);
    gbl_Matrix M = random_matrix(3, 60, 300, 0.1);
    gbl_Explanation why = GBL_EXPLANATION_INIT;
    for (gbl_Index i = 0; i < 60; i++) OK(gbl_Matrix_setElement_INT64(A, 1, i, 7));
    for (gbl_Index j = 0; j < 90; j++) OK(gbl_Matrix_setElement_INT64(B, 1, 7, j));
    for (uint64_t way = 0; way < T_WAYS; way++) {
        for (size_t m = 0; m < T_COUNT(masks); m++) {
            t_Flags flags = {.mask = masks[m], .method = GBL_METHOD_ROWWISE};
            t_set_way(&flags, way);
            t_case("%s", t_flags_text(&flags));
            gbl_Descriptor desc = t_descriptor(&flags);
            gbl_Matrix C = t_new_matrix(GBL_INT64, 60, 300);
            OK(gbl_mxm(C, m > 0 ? M : NULL, NULL, GBL_PLUS_TIMES_SEMIRING_INT64, A, B, desc));
            OK(gbl_Matrix_explain(&why, C));
            CHECK(strcmp(why.method, "rowwise") == 0);
            expect_way(&why, &flags, m > 0);
            FREE(C, desc);
        }
    }
    FREE(A, B, M);
}

static bool never(void *context, const char *what, double done) {
    (void)what;
    (void)done;
    ++*(int *)context;
    return false;
}

/* A product that is cancelled leaves its output as it was and keeps nothing. */
GB_TEST(mxm_rowwise, cancelled) {
    gbl_Matrix A = random_matrix(4, 60, 60, 0.2), C = random_matrix(5, 60, 60, 0.3);
    gbl_MxmEstimate e = GBL_MXM_ESTIMATE_INIT;
    for (int32_t registers = 32; registers <= 128; registers *= 2) { /* these sketches stay */
        const t_Flags flags = {.registers = registers};
        gbl_Descriptor desc = t_descriptor(&flags);
        OK(gbl_mxm_estimate(&e, GBL_PLUS_TIMES_SEMIRING_INT64, A, A, desc));
        OK(gbl_Descriptor_free(&desc));
    }
    o_Matrix before = t_dense(C);
    for (uint64_t way = 0; way < T_WAYS; way++) {
        t_Flags flags = {.mask = way % 3 == 0 ? T_STRUCTURAL : T_NO_MASK,
                         .method = GBL_METHOD_ROWWISE};
        int calls = 0;
        t_set_way(&flags, way);
        t_case("%s", t_flags_text(&flags));
        gbl_Descriptor desc = t_descriptor(&flags);
        const int64_t blocks = t_blocks();
        OK(gbl_Global_set_INT32(GBL_GLOBAL, 1 + (int32_t)(way % 3), GBL_NTHREADS));
        OK(gbl_set_progress(never, &calls));
        FAILS(GBL_CANCELLED,
              gbl_mxm(C, way % 3 == 0 ? A : NULL, NULL, GBL_PLUS_TIMES_SEMIRING_INT64, A, A, desc));
        OK(gbl_set_progress(NULL, NULL));
        CHECK(calls > 0);
        CHECK_EQ(t_blocks(), blocks);
        OK(gbl_Descriptor_free(&desc));
        t_expect("C", &before, C, 0);
    }
    FREE(before, A, C);
}

/* Sums that come out as 0, of products that are 0 and -0 among others, are entries like all others,
 * in an accumulator that tells entries by their values too. Odd columns are empty: columns in runs
 * are summed otherwise. */
GB_TEST(mxm_rowwise, sums_of_zero_are_entries) {
    enum { N = 80 };
    static const double values[] = {1, -1, 0, -0.0, 2, -2};
    static double x[N][N];
    gbl_Descriptor desc = NULL;
    gbl_Index zeros = 0;
    t_Random r = t_random(77);
    gbl_Matrix A = t_new_matrix(GBL_FP64, N, N), C = t_new_matrix(GBL_FP64, N, N);
    OK(gbl_Descriptor_new(&desc));
    OK(gbl_Descriptor_set_INT32(desc, GBL_ACCUMULATE_DENSE, GBL_ACCUMULATORS));
    for (gbl_Index i = 0; i < N; i++) {
        for (gbl_Index j = 0; j < N; j += 2) {
            x[i][j] = i % 8 == 0 ? (j % 4 ? 0 : -0.0) : values[t_below(&r, T_COUNT(values))];
            OK(gbl_Matrix_setElement_FP64(A, x[i][j], i, j));
        }
    }
    OK(gbl_mxm(C, NULL, NULL, GBL_PLUS_TIMES_SEMIRING_FP64, A, A, desc));
    CHECK_EQ(t_nvals(C), N * N / 2);
    for (gbl_Index i = 0; i < N; i++) {
        for (gbl_Index j = 0; j < N; j += 2) {
            double sum = 0, found = 1;
            for (gbl_Index k = 0; k < N; k += 2) sum += x[i][k] * x[k][j];
            OK(gbl_Matrix_extractElement_FP64(&found, C, i, j));
            cr_assert(memcmp(&sum, &found, sizeof sum) == 0, "C(%d,%d) is %a, not %a", (int)i,
                      (int)j, found, sum);
            zeros += sum == 0;
        }
    }
    CHECK(zeros > N);
    FREE(A, C, desc);
}

/* -- memory that ends within a chunk */

enum { CROSSED = 36 };

/* C = A * B, or its two largest entries of a row. Row 3 of A is full and meets the first hash table
 * of the product just when the short rows before it are to be multiplied. */
static gbl_Info mixed_rows(gbl_Matrix C, gbl_Matrix A, gbl_Matrix B, bool filtered) {
    gbl_RowFilter keep = GBL_ROW_FILTER_INIT;
    gbl_Descriptor desc = NULL;
    keep.most = 2;
    gbl_Info info = gbl_Descriptor_new(&desc);
    if (info != GBL_SUCCESS) return info;
    OK(gbl_Descriptor_set(desc, GBL_METHOD, GBL_METHOD_ROWWISE));
    OK(gbl_Descriptor_set_INT32(desc, GBL_ACCUMULATE_SORT | GBL_ACCUMULATE_HASH, GBL_ACCUMULATORS));
    const gbl_Semiring ring = GBL_PLUS_TIMES_SEMIRING_INT64;
    info = filtered ? gbl_mxm_select(C, NULL, NULL, ring, &keep, A, B, desc)
                    : gbl_mxm(C, NULL, NULL, ring, A, B, desc);
    OK(gbl_Descriptor_free(&desc));
    return info;
}

static void matrices_of_mixed_rows(gbl_Matrix *A, gbl_Matrix *B) {
    t_Random r = t_random(17);
    OK(gbl_Matrix_new(A, GBL_INT64, CROSSED, CROSSED));
    OK(gbl_Matrix_new(B, GBL_INT64, CROSSED, CROSSED));
    for (gbl_Index k = 0; k < CROSSED; k++) {
        for (int e = 0; e < 4; e++)
            OK(gbl_Matrix_setElement_INT64(*B, 1 + (int64_t)t_below(&r, 9), k,
                                           t_below(&r, CROSSED)));
        OK(gbl_Matrix_setElement_INT64(*A, 1 + (int64_t)t_below(&r, 9), 3, k));
        if (k < 6) OK(gbl_Matrix_setElement_INT64(*A, 1 + (int64_t)t_below(&r, 9), k / 2, 5 * k));
    }
    OK(gbl_Matrix_wait(*A, GBL_MATERIALIZE));
    OK(gbl_Matrix_wait(*B, GBL_MATERIALIZE));
}

/* A product that fails says so, however many of its blocks are refused and where. */
Test(rowwise, no_row_is_lost, .init = t_brutal_setup, .fini = t_brutal_teardown) {
    gbl_Matrix A = NULL, B = NULL, C = NULL, expected = NULL;
    matrices_of_mixed_rows(&A, &B);
    for (int filtered = 0; filtered < 2; filtered++) {
        OK(gbl_Matrix_new(&expected, GBL_INT64, CROSSED, CROSSED));
        OK(mixed_rows(expected, A, B, filtered));
        o_Matrix right = t_dense(expected);
        bool failed = true;
        for (int64_t n = 1; failed; n++) {
            t_case("%s: allocation %d fails", filtered ? "filtered" : "all", (int)n);
            OK(gbl_Matrix_new(&C, GBL_INT64, CROSSED, CROSSED));
            const gbl_Info info = FAIL_AT(n, mixed_rows(C, A, B, filtered), &failed);
            if (info == GBL_SUCCESS) t_expect("C", &right, C, 0);
            OK(gbl_Matrix_free(&C));
        }
        FREE(right, expected);
    }
    FREE(A, B);
}

/* -- a few rows under a mask, which threads take whole */

static gbl_Info few_rows(gbl_Matrix C, gbl_Matrix A, gbl_Matrix B) {
    gbl_Descriptor desc = NULL;
    gbl_Info info = gbl_Descriptor_new(&desc);
    if (info != GBL_SUCCESS) return info;
    OK(gbl_Descriptor_set(desc, GBL_METHOD, GBL_METHOD_ROWWISE));
    OK(gbl_Descriptor_set_INT32(desc, GBL_COMP_STRUCTURE, GBL_MASK));
    info = gbl_mxm(C, A, NULL, GBL_PLUS_TIMES_SEMIRING_FP64, A, B, desc);
    OK(gbl_Descriptor_free(&desc));
    return info;
}

/* Rows of like length, then one that is longer than all others. */
GB_TEST(mxm_rowwise, few_rows_of_all_threads) {
    gbl_Matrix B = t_from_spec(GBL_FP64, "er:11:40");
    for (int longest = 0; longest < 2; longest++) {
        gbl_Matrix A = t_from_spec(GBL_FP64, "rect:4:2048:300");
        for (gbl_Index k = 0; k < 2048 && longest; k++)
            OK(gbl_Matrix_setElement_FP64(A, 1.5 + (double)k, 1, k));
        gbl_Matrix expected = t_new_matrix(GBL_FP64, 4, 2048);
        OK(gbl_Global_set_INT32(GBL_GLOBAL, 1, GBL_NTHREADS));
        OK(few_rows(expected, A, B));
        t_Tuples right = t_tuples_of(expected);
        for (int threads = 2; threads <= 5; threads++) {
            gbl_Matrix C = t_new_matrix(GBL_FP64, 4, 2048);
            t_case("%d threads, longest %d", threads, longest);
            OK(gbl_Global_set_INT32(GBL_GLOBAL, threads, GBL_NTHREADS));
            OK(few_rows(C, A, B));
            t_expect_tuples(&right, C);
            FREE(C);
        }
        t_tuples_free(&right);
        FREE(A, expected);
    }
    FREE(B);
}

Test(rowwise, none_of_few_rows_is_lost, .init = t_brutal_setup, .fini = t_brutal_teardown) {
    gbl_Matrix A = t_from_spec(GBL_FP64, "rect:4:512:200"), B = t_from_spec(GBL_FP64, "er:9:60"),
               C = NULL;
    OK(gbl_Global_set_INT32(GBL_GLOBAL, 2, GBL_NTHREADS));
    bool failed = true;
    for (int64_t n = 1; failed; n++) {
        t_case("allocation %d fails", (int)n);
        gbl_Index nvals = 0;
        OK(gbl_Matrix_new(&C, GBL_FP64, 4, 512));
        const gbl_Info info = FAIL_AT(n, few_rows(C, A, B), &failed);
        OK(gbl_Matrix_nvals(&nvals, C));
        CHECK(info == GBL_SUCCESS ? nvals > 1000 : nvals == 0);
        OK(gbl_Matrix_free(&C));
    }
    FREE(A, B);
}
