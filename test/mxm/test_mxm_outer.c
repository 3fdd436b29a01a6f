/* SPDX-License-Identifier: Apache-2.0
 *
 * Outer products: against the oracle for every semiring, mask and transpose; and against the row-
 * wise product to the bit, for floats that round, whatever the number of threads and slices: with
 * bins of many rows and of one, rows heavier than a bin, columns that take part in everything,
 * masks that empty rows and columns, rows that windows cut into several runs
 * (cpu/rowwise/window.h). Failing memory and cancelling leave everything as it was.
 */
#include "support/product.h"
#include "support/spec.h"
#include "support/sweeps.h"
#include "support/tuples.h"

#include "core/tune.h"

#include <stdlib.h>
#include <string.h>

/* ------------------------------------------------------------------------ against the oracle -- */

/* With rows of some, of tens and of hundreds of products, one heavy row, one heavy column. */
static const t_Shape shapes[] = {
    {17, 33, 18, T_RANDOM, T_RANDOM, 0.2, 0.3, 0.4},
    {13, 40, 200, T_RANDOM, T_RANDOM, 0.4, 0.2, 0.1},
    {15, 32, 31, T_FULL, T_FULL, 1, 1, 0.5},
    {20, 16, 34, T_FULL_ROW, T_FULL_COLUMN, 0.1, 0.1, 0.3},
    {18, 47, 19, T_FULL_COLUMN, T_FULL_ROW, 0.05, 0.4, 0.3},
    {9, 60, 90, T_FULL_ROW, T_RANDOM, 0.1, 0.3, 0.02},
    {300, 9, 7, T_RANDOM, T_RANDOM, 0.3, 0.4, 0.05},
    {1, 48, 1, T_RANDOM, T_RANDOM, 0.7, 0.7, 1},
    {31, 1, 33, T_RANDOM, T_RANDOM, 0.6, 0.6, 0.3},
    {40, 35, 50, T_EMPTY_ROWS, T_RANDOM, 0.3, 0.1, 0.01},
    {34, 50, 33, T_ONE_ROW, T_EMPTY_ROWS, 1, 0.5, 0.2},
    {16, 33, 17, T_EMPTY, T_RANDOM, 1, 0.5, 0.5},
    {33, 0, 33, T_RANDOM, T_RANDOM, 1, 0.5, 0.5},
};

static t_ProductCase outer_case(const char *name, const o_Ring *ring, size_t shape, unsigned f) {
    t_ProductCase of = t_mxm_case(name, ring, f);
    of.shape = shapes[shape % T_COUNT(shapes)];
    of.flags.method = GBL_METHOD_OUTER;
    return of;
}

GB_TEST(mxm_outer, semirings_0) {
    t_sweep_semirings(outer_case, 0, 2);
}

GB_TEST(mxm_outer, semirings_1) {
    t_sweep_semirings(outer_case, 1, 2);
}

/* Specialised kernels, generic ones and those by position; all masks, accumulators, transposes. */
GB_TEST(mxm_outer, every_combination) {
    const t_Ring *const rings[] = {t_find_ring(O_PLUS, O_TIMES, GBL_FP64_CODE),
                                   t_find_ring(O_MIN, O_PLUS, GBL_INT16_CODE),
                                   t_find_ring(O_ANY, O_SECONDI, GBL_INT64_CODE),
                                   t_find_ring(O_PLUS, O_ONEB, GBL_INT32_CODE),
                                   t_find_ring(O_ANY, O_ONEB, GBL_BOOL_CODE),
                                   t_find_ring(O_MIN, O_FIRSTJ, GBL_INT32_CODE)};
    t_sweep_flags(outer_case, rings, T_COUNT(rings), 1);
}

GB_TEST(mxm_outer, typecasts_and_aliases) {
    t_sweep_casts(outer_case, 400, (t_Shape){21, 21, 21, T_RANDOM, T_RANDOM, 0.3, 0.2, 0.3});
}

GB_TEST(mxm_outer, user_types) {
    t_sweep_user_types(outer_case, 1);
}

/* --------------------------------------------------------------- against the row-wise product */

/* A product, and what is to be known of its result. */
typedef struct {
    gbl_Semiring ring;
    gbl_Type type;
    gbl_Matrix A, B, M;
    t_Mask mask;
    bool transpose_a;
    int32_t bin_bytes, bin_lines; /* 0: as the planner likes */
} job;

typedef struct {
    t_Tuples C;
    gbl_Explanation how;
} result;

static void free_operands(job *of) {
    FREE(of->A, of->B, of->M);
}

static gbl_Descriptor descriptor(const job *of, gbl_Desc_Value method) {
    const t_Flags flags = {
        .mask = of->mask, .replace = true, .method = method, .tran0 = of->transpose_a};
    gbl_Descriptor desc = t_descriptor(&flags);
    OK(gbl_Descriptor_set_INT32(desc, of->bin_bytes, GBL_BIN_BYTES));
    OK(gbl_Descriptor_set_INT32(desc, of->bin_lines, GBL_BIN_LINES));
    return desc;
}

static gbl_Info multiply(gbl_Matrix C, const job *of, gbl_Descriptor desc) {
    return gbl_mxm(C, t_has_mask(of->mask) ? of->M : NULL, NULL, of->ring, of->A, of->B, desc);
}

static gbl_Matrix output(const job *of) {
    gbl_Index m = 0;
    if (of->transpose_a)
        OK(gbl_Matrix_ncols(&m, of->A));
    else
        OK(gbl_Matrix_nrows(&m, of->A));
    const gbl_Index n = t_ncols(of->B);
    return t_new_matrix(of->type, m, n);
}

static result run(const job *of, gbl_Desc_Value method) {
    gbl_Matrix C = output(of);
    gbl_Descriptor desc = descriptor(of, method);
    OK(multiply(C, of, desc));
    OK(gbl_Descriptor_free(&desc));
    result t = {t_tuples_of(C), GBL_EXPLANATION_INIT};
    OK(gbl_Matrix_explain(&t.how, C));
    OK(gbl_Matrix_free(&C));
    return t;
}

typedef struct {
    gbl_Matrix C;
    const job *of;
    gbl_Descriptor desc;
} outer_call;

static gbl_Info by_outer(void *call) {
    const outer_call *c = call;
    return multiply(c->C, c->of, c->desc);
}

/* With `times` the least memory. */
static result run_limited(const job *of, int64_t times) {
    if (times == 0) return run(of, GBL_METHOD_OUTER);
    outer_call call = {output(of), of, descriptor(of, GBL_METHOD_OUTER)};
    const int64_t least = t_with_least_memory(by_outer, &call);
    FREE(call.C, call.desc);
    OK(gbl_Global_set_INT64(GBL_GLOBAL, times * least, GBL_MEMORY_LIMIT));
    const result t = run(of, GBL_METHOD_OUTER);
    OK(gbl_Global_set_INT64(GBL_GLOBAL, 0, GBL_MEMORY_LIMIT));
    return t;
}

/* Memory (any, twice and once the least), bins, and what is flushed at once. */
static const int64_t limits[] = {0, 2, 1};
static const int32_t bin_bytes[] = {0, 1024, 70000}, bin_lines[] = {0, 1, 64};

/* Checks that some way needed more than one slice, unless that one may have been left out. */
static void check_slices(uint64_t slices) {
    CHECK(slices > 1 || t_samples());
}

/* Returns the most slices that were needed. */
static uint64_t every_way(const char *name, const job *of) {
    uint64_t slices = 0;
    result rows = run(of, GBL_METHOD_ROWWISE);
    for (int32_t n = 0; n < 6; n++) {
        if (t_left_out()) continue;
        const int32_t threads = 1 + n / 2;
        const int64_t limit = limits[(n + n / 3) % 3];
        t_case("%s, mask %s, %d threads, %lld times the least memory", name, t_mask_names[of->mask],
               (int)threads, (long long)limit);
        OK(gbl_Global_set_INT32(GBL_GLOBAL, threads, GBL_NTHREADS));
        job sized = *of;
        sized.bin_bytes = bin_bytes[n % 3];
        sized.bin_lines = bin_lines[(n + 1) % 3];
        result outer = run_limited(&sized, limit);
        OK(gbl_Global_set_INT32(GBL_GLOBAL, 0, GBL_NTHREADS));
        CHECK(strcmp(outer.how.method, "outer") == 0);
        CHECK(outer.how.slices > 0 && outer.how.bins >= outer.how.slices);
        CHECK(outer.how.bytes_expanded > 0);
        if (outer.how.slices > slices) slices = outer.how.slices;
        t_same_tuples(&rows.C, &outer.C, false);
        t_tuples_free(&outer.C);
    }
    t_tuples_free(&rows.C);
    return slices;
}

static uint64_t every_mask(const char *name, job *of) {
    static const t_Mask masks[] = {T_NO_MASK, T_STRUCTURAL, T_COMP_STRUCTURAL};
    uint64_t slices = 0;
    for (size_t m = 0; m < T_COUNT(masks); m++) {
        of->mask = masks[m];
        const uint64_t needed = every_way(name, of);
        if (m == 0) slices = needed;
    }
    return slices;
}

static void square(gbl_Semiring ring, gbl_Type type, const char *spec, const char *mask) {
    job of = {
        .ring = ring, .type = type, .A = t_from_spec(type, spec), .M = t_from_spec(GBL_BOOL, mask)};
    of.B = of.A;
    check_slices(every_mask(spec, &of));
    FREE(of.A, of.M);
}

GB_TEST(mxm_outer, uniform) {
    square(GBL_PLUS_TIMES_SEMIRING_FP64, GBL_FP64, "er:10:6", "rmat:10:3");
}

GB_TEST(mxm_outer, skewed) {
    square(GBL_PLUS_TIMES_SEMIRING_FP64, GBL_FP64, "rmat:10:9", "er:10:40");
}

GB_TEST(mxm_outer, blocks) {
    square(GBL_PLUS_TIMES_SEMIRING_FP64, GBL_FP64, "fem:5:3", "band:375:9");
}

GB_TEST(mxm_outer, single_precision) {
    square(GBL_PLUS_TIMES_SEMIRING_FP32, GBL_FP32, "rmat:10:9", "er:10:30");
}

GB_TEST(mxm_outer, counts) {
    square(GBL_PLUS_PAIR_SEMIRING_INT64, GBL_INT64, "rmat:10:9", "er:10:30");
}

GB_TEST(mxm_outer, truth) {
    square(GBL_LOR_LAND_SEMIRING_BOOL, GBL_BOOL, "rmat:10:9", "er:10:30");
}

GB_TEST(mxm_outer, shortest_paths) {
    square(GBL_MIN_PLUS_SEMIRING_FP64, GBL_FP64, "er:9:12", "er:9:30");
}

/* A value that rounds in sums. */
static double some_value(t_Random *r) {
    return ((double)(t_next(r) >> 11) + 1) * 0x1p-53;
}

/* rows x columns with `degree` random entries a row, and some rows or one column that are full. */
static gbl_Matrix with_full(gbl_Index rows, gbl_Index columns, unsigned degree, bool row,
                            uint64_t seed) {
    t_Random r = t_random(seed);
    const gbl_Index length = row ? 4 * columns : rows;
    const gbl_Index n = rows * degree + length;
    gbl_Index *I = malloc(n * sizeof *I), *J = malloc(n * sizeof *J);
    double *X = malloc(n * sizeof *X);
    cr_assert(I != NULL && J != NULL && X != NULL);
    for (gbl_Index e = 0; e < n; e++) {
        const bool full = e < length;
        I[e] = !full ? (e - length) / degree : row ? rows / 3 + e / columns : e;
        J[e] = !full ? t_below(&r, columns) : row ? e % columns : columns / 3;
        X[e] = some_value(&r);
    }
    gbl_Matrix A = t_new_matrix(GBL_FP64, rows, columns);
    OK(gbl_Matrix_build_FP64(A, I, J, X, n, GBL_FIRST_FP64));
    free(I);
    free(J);
    free(X);
    return A;
}

/* Rows of 100 000 products, heavier than a bin; wide, so that they have ranges of columns. */
GB_TEST(mxm_outer, heavy_rows) {
    static const gbl_Index widths[] = {90, 1000, 100000};
    for (size_t k = 0; k < T_COUNT(widths); k++) {
        job of = {.ring = GBL_PLUS_TIMES_SEMIRING_FP64, .type = GBL_FP64};
        of.A = with_full(60, 2000, 3, true, 5 + k);
        of.B = with_full(2000, widths[k], 50, false, 9 + k);
        of.M = with_full(60, widths[k], 40, true, 13 + k);
        check_slices(every_mask("heavy rows", &of));
        free_operands(&of);
    }
}

/* One k whose outer product is nearly everything. */
GB_TEST(mxm_outer, one_heavy_column) {
    job of = {.ring = GBL_PLUS_TIMES_SEMIRING_FP64, .type = GBL_FP64};
    of.A = with_full(300, 90, 2, false, 21);
    of.B = with_full(90, 250, 3, true, 22);
    of.M = with_full(300, 250, 2, false, 23);
    check_slices(every_mask("one heavy column", &of));
    free_operands(&of);
}

/* Fewer rows than there could be bins, rows as wide as columns go, and rows far apart. */
GB_TEST(mxm_outer, extreme_shapes) {
    static const gbl_Index sides[][3] = {{2, 400, 300}, {3, 50, 1ull << 26}, {1ull << 19, 60, 5}};
    for (size_t k = 0; k < T_COUNT(sides); k++) {
        t_Random r = t_random(31 + k);
        job of = {.ring = GBL_PLUS_TIMES_SEMIRING_FP64, .type = GBL_FP64};
        OK(gbl_Matrix_new(&of.A, GBL_FP64, sides[k][0], sides[k][1]));
        OK(gbl_Matrix_new(&of.B, GBL_FP64, sides[k][1], sides[k][2]));
        OK(gbl_Matrix_new(&of.M, GBL_BOOL, sides[k][0], sides[k][2]));
        for (unsigned e = 0; e < 900; e++) {
            const gbl_Index i = t_below(&r, sides[k][0]), j = t_below(&r, sides[k][2]);
            OK(gbl_Matrix_setElement_FP64(of.A, some_value(&r), i, t_below(&r, sides[k][1])));
            OK(gbl_Matrix_setElement_FP64(of.B, some_value(&r), t_below(&r, sides[k][1]), j));
            OK(gbl_Matrix_setElement_BOOL(of.M, true, i, j));
        }
        (void)every_mask("extreme shape", &of);
        free_operands(&of);
    }
}

/* A factor whose columns are at hand in no order: integers, so that ROWWISE may add as it likes. */
GB_TEST(mxm_outer, unsorted_columns) {
    gbl_Matrix G = t_from_spec(GBL_INT64, "rmat:8:9"), U = NULL;
    gbl_Formats formats;
    const t_Flags flags = {
        .method = GBL_METHOD_ROWWISE, .accumulators = GBL_ACCUMULATE_HASH, .any_order = true};
    gbl_Descriptor desc = t_descriptor(&flags);
    const gbl_Index n = t_nrows(G);
    OK(gbl_Matrix_new(&U, GBL_INT64, n, n));
    OK(gbl_mxm(U, NULL, NULL, GBL_PLUS_TIMES_SEMIRING_INT64, G, G, desc));
    OK(gbl_Descriptor_free(&desc));
    OK(gbl_Matrix_formats(&formats, U));
    CHECK(!formats.sorted);
    job of = {.ring = GBL_PLUS_TIMES_SEMIRING_INT64, .type = GBL_INT64, .transpose_a = true};
    of.A = U;
    of.B = G;
    check_slices(every_way("unsorted columns", &of));
    FREE(G, U);
}

/* ----------------------------------------------------------------------------------- failures */

static bool never(void *context, const char *what, double done) {
    (void)context, (void)what;
    return done <= 0.0;
}

GB_TEST(mxm_outer, cancelled) {
    job of = {.ring = GBL_PLUS_TIMES_SEMIRING_FP64, .type = GBL_FP64};
    of.A = of.B = t_from_spec(GBL_FP64, "er:15:8");
    gbl_Matrix C = output(&of);
    OK(gbl_Matrix_setElement_FP64(C, 4.5, 3, 4));
    OK(gbl_set_progress(never, NULL));
    gbl_Descriptor desc = descriptor(&of, GBL_METHOD_OUTER);
    FAILS(GBL_CANCELLED, multiply(C, &of, desc));
    OK(gbl_Descriptor_free(&desc));
    OK(gbl_set_progress(NULL, NULL));
    CHECK_EQ(t_nvals(C), 1);
    FREE(C, of.A);
}

/* The n-th allocation fails, for every n. */
static void attempt_all(const job *of) {
    result rows = run(of, GBL_METHOD_ROWWISE);
    gbl_Descriptor desc = descriptor(of, GBL_METHOD_OUTER);
    bool failed = true;
    for (int64_t n = 1; failed; n++) {
        gbl_Matrix C = output(of);
        OK(gbl_Matrix_setElement_FP64(C, 4.5, 3, 4));
        OK(gbl_Matrix_wait(C, GBL_MATERIALIZE));
        const int64_t live = t_live();
        t_case("allocation %lld fails, mask %s", (long long)n, t_mask_names[of->mask]);
        const gbl_Info info = FAIL_AT(n, multiply(C, of, desc), &failed);
        if (info == GBL_OUT_OF_MEMORY) {
            CHECK(t_live() <= live);
            CHECK_EQ(t_nvals(C), 1);
            OK(multiply(C, of, desc));
        }
        t_expect_tuples(&rows.C, C);
        OK(gbl_Matrix_free(&C));
        CHECK(n < 2000);
    }
    OK(gbl_Descriptor_free(&desc));
    t_tuples_free(&rows.C);
}

Test(mxm_outer, allocations_fail) {
    static const t_Mask masks[] = {T_NO_MASK, T_STRUCTURAL, T_COMP_STRUCTURAL};
    t_brutal_setup();
    job of = {.ring = GBL_PLUS_TIMES_SEMIRING_FP64, .type = GBL_FP64};
    of.A = with_full(60, 500, 3, true, 41); /* rows of all kinds */
    of.B = with_full(500, 900, 50, false, 42);
    of.M = with_full(60, 900, 4, true, 43);
    result filled = run(&of, GBL_METHOD_OUTER); /* makes A's columns, which stay */
    t_tuples_free(&filled.C);
    for (size_t m = 0; m < T_COUNT(masks); m++) {
        of.mask = masks[m];
        attempt_all(&of);
        outer_call call = {output(&of), &of, descriptor(&of, GBL_METHOD_OUTER)};
        OK(gbl_Matrix_setElement_FP64(call.C, 4.5, 3, 4));
        const int64_t least = t_with_least_memory(by_outer, &call);
        FREE(call.C, call.desc);
        OK(gbl_Global_set_INT64(GBL_GLOBAL, 2 * least, GBL_MEMORY_LIMIT));
        attempt_all(&of);
        OK(gbl_Global_set_INT64(GBL_GLOBAL, 0, GBL_MEMORY_LIMIT));
    }
    free_operands(&of);
    t_brutal_teardown();
}

/* ---------------------------------------------------------------------------------- windows -- */

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

/* Row 0 selects one row of B, row 1 all of them. */
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
