/* SPDX-License-Identifier: Apache-2.0
 *
 * The method VECTOR: each of its variants against the oracle for every semiring, mask and
 * transpose; and against the row-wise product to the bit, for floats that round, whatever the
 * threads, the lengths of blocks and the memory: rows of equal length, one much longer than the
 * others, columns that collide in every table, tables at their least, fewer rows than lanes, empty
 * rows between. Failing memory leaves everything as it was.
 */
#include "support/sweeps.h"
#include "support/spec.h"
#include "support/tuples.h"

#include <math.h>

static const struct {
    gbl_Desc_Value value;
    const char *name;
} variants[] = {{GBL_VECTOR_SPA, "spa"},
                {GBL_VECTOR_HASH_32_256, "hash-32/256"},
                {GBL_VECTOR_HASH_256_256, "hash-256/256"},
                {GBL_VECTOR_H_HASH_32_256, "h-hash-32/256"},
                {GBL_VECTOR_H_HASH_256_256, "h-hash-256/256"}};
enum { VARIANTS = T_COUNT(variants) };

/* ------------------------------------------------------------------------ against the oracle -- */

static const t_Shape shapes[] = {
    {17, 33, 18, T_RANDOM, T_RANDOM, 0.2, 0.3, 0.4},
    {13, 40, 200, T_RANDOM, T_RANDOM, 0.4, 0.2, 0.1},
    {15, 32, 31, T_FULL, T_FULL, 1, 1, 0.5},
    {20, 16, 34, T_FULL_ROW, T_FULL_COLUMN, 0.1, 0.1, 0.3},
    {18, 47, 19, T_FULL_COLUMN, T_FULL_ROW, 0.05, 0.4, 0.3},
    {300, 9, 7, T_RANDOM, T_RANDOM, 0.3, 0.4, 0.05},
    {1, 48, 1, T_RANDOM, T_RANDOM, 0.7, 0.7, 1},
    {31, 1, 33, T_RANDOM, T_RANDOM, 0.6, 0.6, 0.3},
    {40, 35, 50, T_EMPTY_ROWS, T_EMPTY_ROWS, 0.3, 0.3, 0.01},
    {34, 50, 33, T_ONE_ROW, T_EMPTY_ROWS, 1, 0.5, 0.2},
    {16, 33, 17, T_EMPTY, T_RANDOM, 1, 0.5, 0.5},
    {33, 0, 33, T_RANDOM, T_RANDOM, 1, 0.5, 0.5},
};

static t_ProductCase vector_case(const char *name, const o_Ring *ring, size_t shape, unsigned f) {
    t_ProductCase of = t_mxm_case(name, ring, f);
    of.shape = shapes[shape % T_COUNT(shapes)];
    of.flags.method = GBL_METHOD_VECTOR;
    of.flags.variant = variants[(f + shape) % VARIANTS].value;
    of.flags.any_order = f % 7 == 3;
    return of;
}

static void every_semiring(size_t first, size_t step) {
    for (size_t k = first; k < t_ring_count; k += step) {
        const o_Ring ring = t_ring(&t_rings[k]);
        for (unsigned n = 0; n < VARIANTS; n++) {
            const unsigned f = (unsigned)(25 * n + 6 * k) % T_FLAGS_ALL;
            t_ProductCase of = vector_case(t_rings[k].name, &ring, 3 * k + n, f);
            of.flags.variant = variants[n].value;
            of.seed = 100 * k + n;
            of.wild = !t_is_float(t_rings[k].type);
            of.iso = n % 4 == 3;
            t_product(&of);
        }
    }
}

GB_TEST(mxm_vector, semirings_0) {
    every_semiring(0, 2);
}

GB_TEST(mxm_vector, semirings_1) {
    every_semiring(1, 2);
}

GB_TEST(mxm_vector, every_combination) {
    const t_Ring *const rings[] = {
        t_find_ring(O_PLUS, O_TIMES, GBL_FP64_CODE), t_find_ring(O_MIN, O_PLUS, GBL_INT16_CODE),
        t_find_ring(O_ANY, O_SECONDI, GBL_INT64_CODE), t_find_ring(O_PLUS, O_ONEB, GBL_INT32_CODE),
        t_find_ring(O_MIN, O_FIRSTJ, GBL_INT32_CODE)};
    t_sweep_flags(vector_case, rings, T_COUNT(rings), 1);
}

GB_TEST(mxm_vector, typecasts_and_aliases) {
    t_sweep_casts(vector_case, 200, (t_Shape){21, 21, 21, T_RANDOM, T_RANDOM, 0.3, 0.2, 0.3});
}

GB_TEST(mxm_vector, user_types) {
    t_sweep_user_types(vector_case, 3);
}

/* --------------------------------------------------------------- against the row-wise product */

typedef struct {
    gbl_Matrix A, B, M;
    gbl_Semiring ring; /* NULL: plus-times */
    t_Mask mask;
    gbl_Desc_Value variant;
    int32_t least, most, below; /* 0: as the variant has it */
} job;

typedef struct {
    t_Tuples C;
    gbl_Explanation how;
} result;

static gbl_Descriptor descriptor(const job *of, gbl_Desc_Value method) {
    const t_Flags flags = {
        .mask = of->mask, .replace = true, .method = method, .variant = of->variant};
    gbl_Descriptor desc = t_descriptor(&flags);
    if (method == GBL_METHOD_ROWWISE) /* sums of dense arrays lose a -0 */
        OK(gbl_Descriptor_set_INT32(desc, GBL_ACCUMULATE_HASH, GBL_ACCUMULATORS));
    OK(gbl_Descriptor_set_INT32(desc, of->least, GBL_BLOCK_LEAST));
    OK(gbl_Descriptor_set_INT32(desc, of->most, GBL_BLOCK_MOST));
    OK(gbl_Descriptor_set_INT32(desc, of->below, GBL_BLOCK_BELOW));
    return desc;
}

static gbl_Matrix output(const job *of) {
    const gbl_Index m = t_nrows(of->A), n = t_ncols(of->B);
    gbl_Type type = NULL;
    OK(gbl_Matrix_type(&type, of->A));
    return t_new_matrix(type, m, n);
}

static gbl_Info multiply(gbl_Matrix C, const job *of, gbl_Descriptor desc) {
    const gbl_Semiring ring = of->ring != NULL ? of->ring : GBL_PLUS_TIMES_SEMIRING_FP64;
    return gbl_mxm(C, t_has_mask(of->mask) ? of->M : NULL, NULL, ring, of->A, of->B, desc);
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

/* Every variant, with blocks of its own and of some other rows, on one thread and on three. */
static void every_variant(const char *name, const job *given) {
    static const int32_t blocks[][3] = {{0, 0, 0}, {1, 1, 0}, {3, 7, 5}, {256, 256, INT32_MAX}};
    result rows = run(given, GBL_METHOD_ROWWISE);
    for (unsigned v = 0; v < VARIANTS; v++)
        for (unsigned n = 0; n < T_COUNT(blocks); n++) {
            if (t_left_out()) continue;
            job of = *given;
            of.variant = variants[v].value;
            of.least = blocks[n][0];
            of.most = blocks[n][1];
            of.below = blocks[n][2];
            t_case("%s, %s, blocks %u, mask %s", name, variants[v].name, n, t_mask_names[of.mask]);
            OK(gbl_Global_set_INT32(GBL_GLOBAL, n % 2 == 0 ? 1 : 3, GBL_NTHREADS));
            result vector = run(&of, GBL_METHOD_VECTOR);
            OK(gbl_Global_set_INT32(GBL_GLOBAL, 0, GBL_NTHREADS));
            const bool none = rows.C.n == 0 && strcmp(vector.how.method, "none") == 0;
            if (!none) cr_assert_str_eq(vector.how.method, "vector"); /* else nothing to multiply */
            if (rows.C.n > 0) cr_assert_str_eq(vector.how.workflow, variants[v].name);
            t_same_tuples(&rows.C, &vector.C, true);
            t_tuples_free(&vector.C);
        }
    t_tuples_free(&rows.C);
}

static void every_mask(const char *name, job *of) {
    static const t_Mask masks[] = {T_NO_MASK, T_STRUCTURAL, T_COMP};
    for (size_t m = 0; m < T_COUNT(masks); m++) {
        of->mask = masks[m];
        every_variant(name, of);
    }
    FREE(of->A, of->B, of->M);
}

static void square(const char *spec, const char *mask) {
    job of = {.A = t_from_spec(GBL_FP64, spec),
              .B = t_from_spec(GBL_FP64, spec),
              .M = t_from_spec(GBL_BOOL, mask)};
    every_mask(spec, &of);
}

GB_TEST(mxm_vector, uniform) {
    square("er:10:3", "rmat:10:3");
}

GB_TEST(mxm_vector, skewed) {
    square("rmat:9:5", "er:9:40");
}

GB_TEST(mxm_vector, equal_rows) {
    square("band:700:2", "band:700:9");
}

/* A value that rounds in sums. */
static double some_value(t_Random *r) {
    return ((double)(t_next(r) >> 11) + 1) * 0x1p-53;
}

/* Row i has the columns first, first + step, ... of degree(i). */
static gbl_Matrix made(gbl_Index rows, gbl_Index columns, gbl_Index step,
                       gbl_Index (*degree)(gbl_Index i), uint64_t seed) {
    t_Random r = t_random(seed);
    gbl_Matrix A = t_new_matrix(GBL_FP64, rows, columns);
    for (gbl_Index i = 0; i < rows; i++)
        for (gbl_Index e = 0; e < degree(i); e++)
            OK(gbl_Matrix_setElement_FP64(A, some_value(&r), i, (7 * i + step * e) % columns));
    OK(gbl_Matrix_wait(A, GBL_MATERIALIZE));
    return A;
}

static gbl_Index three(gbl_Index i) {
    (void)i;
    return 3;
}
static gbl_Index one_long(gbl_Index i) {
    return i == 11 ? 300 : 2;
}
static gbl_Index with_gaps(gbl_Index i) {
    return i % 3 == 0 ? i % 5 : 0;
}

static void rows_of(const char *name, gbl_Matrix A, gbl_Matrix B) {
    job of = {.A = A, .B = B};
    const gbl_Index m = t_nrows(A), n = t_ncols(B);
    t_Random r = t_random(m + n);
    OK(gbl_Matrix_new(&of.M, GBL_BOOL, m, n));
    for (unsigned e = 0; e < 400; e++)
        OK(gbl_Matrix_setElement_BOOL(of.M, e % 4 != 0, t_below(&r, m), t_below(&r, n)));
    every_mask(name, &of);
}

/* Some values are NaN, infinite or -0. */
static gbl_Matrix odd(gbl_Type type, uint64_t seed) {
    enum { N = 60 };
    static const double values[] = {-0.0, 0.0, INFINITY, -INFINITY, NAN};
    t_Random r = t_random(seed);
    gbl_Matrix A = t_new_matrix(type, N, N);
    for (unsigned e = 0; e < 240; e++) {
        const double x = t_chance(&r, 0.2) ? values[t_below(&r, T_COUNT(values))] : some_value(&r);
        OK(gbl_Matrix_setElement_FP64(A, x, t_below(&r, N), t_below(&r, N)));
    }
    return A;
}

GB_TEST(mxm_vector, odd_values) {
    const struct {
        const char *name;
        gbl_Semiring ring;
        gbl_Type type;
    } rings[] = {{"MIN_PLUS_FP64", GBL_MIN_PLUS_SEMIRING_FP64, GBL_FP64},
                 {"MIN_PLUS_FP32", GBL_MIN_PLUS_SEMIRING_FP32, GBL_FP32},
                 {"MAX_MIN_FP64", GBL_MAX_MIN_SEMIRING_FP64, GBL_FP64},
                 {"MAX_MIN_FP32", GBL_MAX_MIN_SEMIRING_FP32, GBL_FP32},
                 {"PLUS_FIRST_FP64", GBL_PLUS_FIRST_SEMIRING_FP64, GBL_FP64},
                 {"PLUS_FIRST_FP32", GBL_PLUS_FIRST_SEMIRING_FP32, GBL_FP32}};
    for (size_t k = 0; k < T_COUNT(rings); k++) {
        job of = {.A = odd(rings[k].type, 40 + k),
                  .B = odd(rings[k].type, 50 + k),
                  .M = odd(GBL_FP64, 60 + k),
                  .ring = rings[k].ring};
        every_mask(rings[k].name, &of);
    }
}

/* One lane goes on long after the others. */
GB_TEST(mxm_vector, one_long_row) {
    rows_of("one long row", made(70, 400, 1, one_long, 1), made(400, 500, 3, three, 2));
}

/* Numbers of the sequence of Fibonacci have nearly the same hash in every table, since its factor
 * is 2^32 over the golden ratio; multiples of a power of two have many. */
GB_TEST(mxm_vector, all_collide) {
    rows_of("all collide", made(60, 60, 7, three, 3), made(60, 1 << 17, 10946, three, 4));
    rows_of("powers of two", made(60, 60, 7, three, 3), made(60, 1 << 17, 4096, three, 4));
}

/* Rows of A without entries, and entries of A whose rows of B have none. */
GB_TEST(mxm_vector, empty_rows_between) {
    rows_of("gaps", made(300, 300, 1, with_gaps, 5), made(300, 90, 2, with_gaps, 6));
}

GB_TEST(mxm_vector, fewer_rows_than_lanes) {
    rows_of("three rows", made(3, 40, 5, three, 7), made(40, 35, 4, three, 8));
}

/* Columns of more bits than keys of short rows have. */
GB_TEST(mxm_vector, wide) {
    job of = {.A = made(50, 40, 3, three, 9),
              .B = made(40, (gbl_Index)1 << 27, 12345679, three, 10)};
    for (unsigned v = 0; v < VARIANTS; v++) {
        const gbl_Desc_Value value = variants[v].value;
        const bool blocks = value != GBL_VECTOR_SPA; /* which has a dense array */
        if (!blocks || t_left_out()) continue;
        result rows = run(&of, GBL_METHOD_ROWWISE);
        of.variant = value;
        result vector = run(&of, GBL_METHOD_VECTOR);
        t_same_tuples(&rows.C, &vector.C, true);
        t_tuples_free(&rows.C);
        t_tuples_free(&vector.C);
    }
    FREE(of.A, of.B);
}

/* ------------------------------------------------------------------------- descriptor, vectors */

GB_TEST(mxm_vector, fields) {
    gbl_Descriptor desc = NULL;
    int32_t value = 0;
    OK(gbl_Descriptor_new(&desc));
    for (unsigned v = 0; v < VARIANTS; v++) {
        OK(gbl_Descriptor_set(desc, GBL_VECTOR_VARIANT, variants[v].value));
        OK(gbl_Descriptor_get_INT32(desc, &value, GBL_VECTOR_VARIANT));
        CHECK_EQ(value, (int32_t)variants[v].value);
    }
    static const gbl_Desc_Field fields[] = {GBL_BLOCK_LEAST, GBL_BLOCK_MOST, GBL_BLOCK_BELOW};
    for (unsigned k = 0; k < T_COUNT(fields); k++) {
        OK(gbl_Descriptor_set_INT32(desc, 17 + (int32_t)k, fields[k]));
        OK(gbl_Descriptor_get_INT32(desc, &value, fields[k]));
        CHECK_EQ(value, 17 + (int32_t)k);
        FAILS(GBL_INVALID_VALUE, gbl_Descriptor_set_INT32(desc, -1, fields[k]));
    }
    FAILS(GBL_INVALID_VALUE, gbl_Descriptor_set_INT32(desc, 257, GBL_BLOCK_MOST));
    FAILS(GBL_INVALID_VALUE, gbl_Descriptor_set_INT32(desc, 257, GBL_BLOCK_LEAST));
    FAILS(GBL_INVALID_VALUE, gbl_Descriptor_set_INT32(desc, 7086, GBL_VECTOR_VARIANT));
    gbl_Matrix A = t_from_spec(GBL_FP64, "er:5:2");
    gbl_Vector u = t_new_vector(GBL_FP64, 32);
    FAILS(GBL_INVALID_VALUE, gbl_mxv(u, NULL, NULL, GBL_PLUS_TIMES_SEMIRING_FP64, A, u, desc));
    FREE(u, A, desc);
}

/* ----------------------------------------------------------------------------------- failures */

typedef struct {
    gbl_Matrix C;
    const job *of;
    gbl_Descriptor desc;
} vector_call;

static gbl_Info by_vector(void *call) {
    const vector_call *c = call;
    return multiply(c->C, c->of, c->desc);
}

/* With once and twice the least memory that the messages ask for. */
GB_TEST(mxm_vector, little_memory) {
    static const char *const specs[] = {"er:11:4", "rmat:9:9"};
    for (unsigned k = 0; k < 2 * VARIANTS; k++) {
        if (t_left_out()) continue;
        job of = {.A = t_from_spec(GBL_FP64, specs[k % 2]), .variant = variants[k / 2].value};
        of.B = of.A;
        t_case("%s of %s", variants[k / 2].name, specs[k % 2]);
        result rows = run(&of, GBL_METHOD_ROWWISE);
        vector_call call = {output(&of), &of, descriptor(&of, GBL_METHOD_VECTOR)};
        const int64_t least = t_with_least_memory(by_vector, &call);
        t_Tuples limited = t_tuples_of(call.C);
        t_same_tuples(&rows.C, &limited, true);
        t_tuples_free(&limited);
        FREE(call.C, call.desc);
        OK(gbl_Global_set_INT64(GBL_GLOBAL, 2 * least, GBL_MEMORY_LIMIT));
        result vector = run(&of, GBL_METHOD_VECTOR);
        OK(gbl_Global_set_INT64(GBL_GLOBAL, 0, GBL_MEMORY_LIMIT));
        t_same_tuples(&rows.C, &vector.C, true);
        t_tuples_free(&vector.C);
        t_tuples_free(&rows.C);
        OK(gbl_Matrix_free(&of.A));
    }
}

/* The n-th allocation fails, for every n. */
static void attempt_all(const job *of) {
    gbl_Descriptor desc = descriptor(of, GBL_METHOD_VECTOR);
    bool failed = true;
    for (int64_t n = 1; failed; n++) {
        gbl_Matrix C = output(of);
        OK(gbl_Matrix_setElement_FP64(C, 4.5, 3, 4));
        OK(gbl_Matrix_wait(C, GBL_MATERIALIZE));
        const int64_t live = t_live();
        t_case("allocation %lld fails", (long long)n);
        const gbl_Info info = FAIL_AT(n, multiply(C, of, desc), &failed);
        if (info == GBL_OUT_OF_MEMORY) {
            CHECK(t_live() <= live);
            CHECK_EQ(t_nvals(C), 1);
        }
        OK(gbl_Matrix_free(&C));
        CHECK(n < 2000);
    }
    OK(gbl_Descriptor_free(&desc));
}

Test(mxm_vector, allocations_fail) {
    t_brutal_setup();
    job of = {.A = made(90, 400, 1, one_long, 1), .B = made(400, 500, 3, three, 2)};
    for (unsigned v = 0; v < VARIANTS; v++) {
        of.variant = variants[v].value;
        attempt_all(&of);
    }
    FREE(of.A, of.B);
    t_brutal_teardown();
}
