/* SPDX-License-Identifier: Apache-2.0
 *
 * Types, operators, monoids and semirings as objects: reductions, the choice of kernels,
 * user-defined parts, lifetimes, errors.
 */
#include <stdlib.h>

#include "core/memory.h"
#include "semiring/ids.h"
#include "semiring_values.h"

/* -------------------------------------------------------------------------------- monoids -- */

/* the laws on edge values: identity + x = x, terminal + x = terminal */
static void check_laws(gb_Monoid *monoid) {
    gb_Type *const type = monoid->op->ztype;
    _Alignas(16) char X[NVALUES * BYTES], z[BYTES];
    fill_values(type->code, X);
    for (size_t k = 0; k < NVALUES; k++) {
        const char *x = X + k * type->size;
        monoid->op->scalar(z, monoid->identity, x);
        const bool nan_to_infinity = is_float(type->code) && isnan(load(type->code, x).d);
        CHECK(same(type->code, z, x) || nan_to_infinity);
        if (monoid->terminal != NULL) {
            monoid->op->scalar(z, monoid->terminal, x);
            CHECK(same(type->code, z, monoid->terminal));
        }
    }
}

/* sums of n random values against one operator call per value; floats up to rounding */
static void check_reduce(gb_Monoid *monoid, size_t n) {
    gb_Type *const type = monoid->op->ztype;
    char *X = malloc(n * type->size + 1), acc[BYTES], expected[BYTES], next[BYTES];
    cr_assert(X != NULL);
    t_Random random = t_random(n + (size_t)type->code);
    for (size_t k = 0; k < n; k++) {
        const value v = {.i = type->code == GBL_BOOL_CODE ? t_below(&random, 50) > 0
                                                          : (wide)t_next(&random) | 1,
                         .d = 0.9 + 0.2 * (double)t_below(&random, 1000) / 1000};
        store(type->code, X + k * type->size, v);
    }
    memcpy(acc, monoid->identity, type->size);
    memcpy(expected, monoid->identity, type->size);
    monoid->reduce(monoid, n, acc, X);
    for (size_t k = 0; k < n; k++) {
        monoid->op->scalar(next, expected, X + k * type->size);
        memcpy(expected, next, type->size);
    }
    const value a = load(type->code, acc), b = load(type->code, expected);
    if (is_float(type->code))
        CHECK(a.d == b.d ||
              fabs(a.d - b.d) <= (type->code == GBL_FP32_CODE ? 1e-3 : 1e-10) * fabs(b.d));
    else
        CHECK(a.i == b.i);
    free(X);
}

static void check_monoid(gb_Monoid *monoid, gb_BinaryOp *op, const char *name) {
    static const size_t lengths[] = {0, 1, 7, 8, 9, 100, 1023, 1024, 1025, 5003};
    t_case("GBL_%s", name);
    CHECK(monoid->op == op);
    check_laws(monoid);
    for (size_t k = 0; k < T_COUNT(lengths); k++) check_reduce(monoid, lengths[k]);
}

GB_TEST(algebra, monoids) {
#define EACH_OP(op, N) check_monoid(GBL_##op##_MONOID_##N, GBL_##op##_##N, #op "_MONOID_" #N);
#define EACH(N, T) EACH_OP(PLUS, N) EACH_OP(TIMES, N) EACH_OP(MIN, N) EACH_OP(MAX, N)
    GBL_FOREACH_NUMERIC(EACH)
#undef EACH
#define EACH(N, T) EACH_OP(BOR, N) EACH_OP(BAND, N) EACH_OP(BXOR, N) EACH_OP(BXNOR, N)
    GBL_FOREACH_UNSIGNED(EACH)
#undef EACH
    check_monoid(GBL_LOR_MONOID_BOOL, GBL_LOR, "LOR_MONOID_BOOL");
    check_monoid(GBL_LAND_MONOID_BOOL, GBL_LAND, "LAND_MONOID_BOOL");
    check_monoid(GBL_LXOR_MONOID_BOOL, GBL_LXOR, "LXOR_MONOID_BOOL");
    check_monoid(GBL_LXNOR_MONOID_BOOL, GBL_LXNOR, "LXNOR_MONOID_BOOL");
}

GB_TEST(algebra, any_takes_a_value_and_never_the_identity) {
    const double x[] = {4.5, -2, 8};
    double acc;
    memcpy(&acc, GBL_ANY_MONOID_FP64->identity, sizeof acc);
    GBL_ANY_MONOID_FP64->reduce(GBL_ANY_MONOID_FP64, 3, &acc, x);
    CHECK(acc == 4.5 || acc == -2 || acc == 8);
}

GB_TEST(algebra, float_extremes_ignore_nan) {
    double x[40], acc = (double)INFINITY;
    for (size_t k = 0; k < 40; k++) x[k] = k % 3 == 0 ? NAN : 100 - (double)k;
    GBL_MIN_MONOID_FP64->reduce(GBL_MIN_MONOID_FP64, 40, &acc, x);
    CHECK(acc == 62);
}

GB_TEST(algebra, monoids_of_the_user) {
    gbl_Monoid monoid;
    /* an operator that has a predefined monoid keeps its terminal value, whatever the identity */
    OK(gbl_Monoid_new_INT32(&monoid, GBL_MIN_INT32, 1000));
    CHECK(*(int32_t *)monoid->identity == 1000 && *(int32_t *)monoid->terminal == INT32_MIN);
    check_reduce(monoid, 2000);
    OK(gbl_Monoid_free(&monoid));
    CHECK(monoid == NULL);
    /* one that has not goes through the operator */
    OK(gbl_Monoid_new_INT16(&monoid, GBL_BXOR_INT16, 0));
    CHECK(monoid->terminal == NULL);
    check_reduce(monoid, 33);
    check_reduce(monoid, 34);
    OK(gbl_Monoid_free(&monoid));
    /* PLUS of BOOL is LOR */
    OK(gbl_Monoid_new_BOOL(&monoid, GBL_PLUS_BOOL, false));
    CHECK(*(bool *)monoid->terminal == true);
    OK(gbl_Monoid_free(&monoid));
}

/* ------------------------------------------------------------------------- choice of kernels -- */

/* these names have no type suffix, since no other type has them */
#define GBL_LAND_BOOL GBL_LAND
#define GBL_LOR_BOOL GBL_LOR

GB_TEST(algebra, every_kernel_is_found_by_its_parts) {
    gbl_Semiring ring;
#define EACH(name, add, multiply, type)                                                            \
    t_case("%s", #name);                                                                           \
    OK(gbl_Semiring_new(&ring, GBL_##add##_MONOID_##type, GBL_##multiply##_##type));               \
    CHECK_EQ(ring->kernel, GB_RING_##name);                                                        \
    OK(gbl_Semiring_free(&ring));
    GB_FOREACH_RING(EACH)
#undef EACH
}

static void check_semiring(gb_Semiring *ring, gb_Monoid *add, gb_BinaryOp *multiply,
                           const char *name) {
    t_case("GBL_%s", name);
    CHECK(ring->add == add && ring->multiply == multiply);
    CHECK_EQ(ring->kernel, gb_ring_lookup(add, multiply));
}

GB_TEST(algebra, predefined_semirings_run_the_kernel_of_their_parts) {
#define CALLED(add, name, op, N)                                                                   \
    check_semiring(GBL_##add##_##name##_SEMIRING_##N, GBL_##add##_MONOID_##N, GBL_##op##_##N,      \
                   #add "_" #name "_SEMIRING_" #N);
#define PLAIN(add, op, N) CALLED(add, op, op, N)
#define EACH(N, T)                                                                                 \
    PLAIN(PLUS, TIMES, N)                                                                          \
    PLAIN(MIN, PLUS, N)                                                                            \
    PLAIN(MAX, PLUS, N)                                                                            \
    PLAIN(MIN, TIMES, N)                                                                           \
    PLAIN(MIN, MAX, N)                                                                             \
    PLAIN(MAX, MIN, N)                                                                             \
    PLAIN(MAX, TIMES, N)                                                                           \
    PLAIN(PLUS, MIN, N)                                                                            \
    PLAIN(MIN, FIRST, N)                                                                           \
    PLAIN(MIN, SECOND, N)                                                                          \
    PLAIN(MAX, FIRST, N)                                                                           \
    PLAIN(MAX, SECOND, N)                                                                          \
    CALLED(PLUS, PAIR, ONEB, N)                                                                    \
    PLAIN(PLUS, FIRST, N)                                                                          \
    PLAIN(PLUS, SECOND, N)
    GBL_FOREACH_NUMERIC(EACH)
#undef EACH
#define EACH(N, T) CALLED(ANY, PAIR, ONEB, N) PLAIN(ANY, FIRST, N) PLAIN(ANY, SECOND, N)
    GBL_FOREACH_TYPE(EACH)
#undef EACH
#define EACH(add, N)                                                                               \
    PLAIN(add, FIRSTI, N) PLAIN(add, FIRSTJ, N) PLAIN(add, SECONDI, N) PLAIN(add, SECONDJ, N)
    EACH(MIN, INT32)
    EACH(MIN, INT64)
    EACH(MAX, INT32)
    EACH(MAX, INT64)
    EACH(ANY, INT32)
    EACH(ANY, INT64)
#undef EACH
    PLAIN(LOR, LAND, BOOL)
    PLAIN(LAND, LOR, BOOL)
    check_semiring(GBL_LXOR_LAND_SEMIRING_BOOL, GBL_LXOR_MONOID_BOOL, GBL_LAND, "LXOR_LAND");
    check_semiring(GBL_LXNOR_LOR_SEMIRING_BOOL, GBL_LXNOR_MONOID_BOOL, GBL_LOR, "LXNOR_LOR");
}

static void multiply_plus_one(void *z, const void *x, const void *y) {
    *(double *)z = *(const double *)x * *(const double *)y + 1;
}

static int kernel_of(gbl_Monoid add, gbl_BinaryOp multiply) {
    gbl_Semiring ring;
    OK(gbl_Semiring_new(&ring, add, multiply));
    const int kernel = ring->kernel;
    OK(gbl_Semiring_free(&ring));
    return kernel;
}

GB_TEST(algebra, kernels_of_assembled_semirings) {
    gbl_Monoid plus, plus_from_one, boolean;
    gbl_BinaryOp user;
    OK(gbl_Monoid_new_FP64(&plus, GBL_PLUS_FP64, 0));
    OK(gbl_Monoid_new_FP64(&plus_from_one, GBL_PLUS_FP64, 1));
    OK(gbl_Monoid_new_BOOL(&boolean, GBL_MAX_BOOL, false));
    OK(gbl_BinaryOp_new(&user, multiply_plus_one, GBL_FP64, GBL_FP64, GBL_FP64));
    CHECK_EQ(kernel_of(plus, GBL_TIMES_FP64), GB_RING_PLUS_TIMES_FP64);
    CHECK_EQ(kernel_of(plus, GBL_ONEB_FP64), GB_RING_PLUS_PAIR_FP64);
    CHECK_EQ(kernel_of(plus_from_one, GBL_TIMES_FP64), GB_RING_GENERIC);
    CHECK_EQ(kernel_of(plus, user), GB_RING_GENERIC);
    CHECK_EQ(kernel_of(boolean, GBL_MIN_BOOL), GB_RING_LOR_LAND_BOOL);
    CHECK_EQ(kernel_of(GBL_LOR_MONOID_BOOL, GBL_TIMES_BOOL), GB_RING_LOR_LAND_BOOL);
    CHECK_EQ(kernel_of(GBL_LOR_MONOID_BOOL, GBL_GT_FP64), GB_RING_GENERIC);
    CHECK_EQ(kernel_of(GBL_PLUS_MONOID_UINT64, GBL_TIMES_UINT64), GB_RING_PLUS_TIMES_INT64);
    CHECK_EQ(kernel_of(GBL_ANY_MONOID_UINT64, GBL_SECOND_UINT64), GB_RING_ANY_SECOND_INT64);
    CHECK_EQ(kernel_of(GBL_MIN_MONOID_UINT64, GBL_PLUS_UINT64), GB_RING_GENERIC);
    CHECK_EQ(kernel_of(GBL_MIN_MONOID_INT64, GBL_FIRSTJ_INT64), GB_RING_MIN_SECONDI_INT64);
    CHECK_EQ(kernel_of(GBL_PLUS_MONOID_INT8, GBL_TIMES_INT8), GB_RING_GENERIC);
    FREE(user, boolean, plus_from_one, plus);
}

/* --------------------------------------------------------------------- user-defined objects -- */

typedef struct {
    char tag[4];
    float re, im;
    char tail[9];
} record; /* 24 bytes, alignment 4 */

static void record_add(void *z, const void *x, const void *y) {
    const record *a = x, *b = y;
    record *c = z;
    memset(c, 0, sizeof *c);
    c->re = a->re + b->re;
    c->im = a->im - b->im;
}

static void record_norm(void *z, const void *x) {
    const record *a = x;
    *(double *)z = (double)a->re * 2 + (double)a->im;
}

static void record_at(void *z, const void *x, gbl_Index i, gbl_Index j, const void *y) {
    const record *a = x;
    *(int64_t *)z = (int64_t)a->re * 1000000 + (int64_t)(i * 1000 + j) + *(const int64_t *)y;
}

static void fill_records(record *x, size_t n) {
    memset(x, 0, n * sizeof *x);
    for (size_t k = 0; k < n; k++) x[k].re = (float)(k + 1), x[k].im = (float)(3 * k) + 0.5f;
}

GB_TEST(algebra, operators_of_the_user) {
    enum { N = 19 };
    record x[N], y[N], z[N];
    gbl_Type type;
    gbl_BinaryOp add;
    gbl_UnaryOp norm;
    gbl_IndexUnaryOp at;
    OK(gbl_Type_new(&type, sizeof(record)));
    OK(gbl_BinaryOp_new(&add, record_add, type, type, type));
    OK(gbl_UnaryOp_new(&norm, record_norm, GBL_FP64, type));
    OK(gbl_IndexUnaryOp_new(&at, record_at, GBL_INT64, type, GBL_INT64));
    fill_records(x, N);
    fill_records(y, N);
    for (int strides = 0; strides < 4; strides++) {
        const int sx = strides & 1, sy = strides >> 1;
        add->batch(add, N - 2, z, x + 1, sx, y + 2, sy);
        for (int k = 0; k < N - 2; k++) {
            const record *a = x + 1 + (sx ? k : 0), *b = y + 2 + (sy ? k : 0);
            CHECK(z[k].re == a->re + b->re && z[k].im == a->im - b->im);
        }
    }
    for (int sx = 0; sx < 2; sx++) {
        double norms[N];
        int64_t places[N];
        gb_Idx i[N], j = 77;
        const int64_t extra = 5;
        for (gb_Idx k = 0; k < N; k++) i[k] = 3 * k;
        norm->batch(norm, N, norms, x, sx);
        at->batch(at, N, places, x, sx, (gb_Positions){i, &j, 1, 0}, &extra);
        for (int k = 0; k < N; k++) {
            const record *a = x + (sx ? k : 0);
            CHECK(norms[k] == (double)a->re * 2 + (double)a->im);
            CHECK_EQ(places[k], (int64_t)a->re * 1000000 + i[k] * 1000 + 77 + 5);
        }
    }
    CHECK(gb_type_castable(type, type) && !gb_type_castable(type, GBL_FP64) &&
          !gb_type_castable(GBL_FP64, type));
    gb_cast(type, z, type, x, 1, N);
    CHECK(memcmp(z, x, sizeof z) == 0);
    gb_cast(type, z, type, x + 4, 0, N);
    CHECK(memcmp(&z[N - 1], &x[4], sizeof(record)) == 0);
    FREE(at, norm, add, type);
}

GB_TEST(algebra, fill_and_gather_of_any_size) {
    enum { N = 21, MAX = 40 };
    char x[N * MAX + 1], z[N * MAX], before[N * MAX];
    uint64_t at[N];
    t_Random random = t_random(5);
    for (size_t k = 0; k < sizeof x; k++) x[k] = (char)t_next(&random);
    for (size_t k = 0; k < N; k++) at[k] = k % 4 == 1 ? UINT64_MAX : t_below(&random, N);
    for (size_t size = 1; size <= MAX; size++) {
        t_case("size %zu", size);
        gb_fill(z, x + 1, size, N); /* an address without alignment */
        for (size_t k = 0; k < N; k++) CHECK(memcmp(z + k * size, x + 1, size) == 0);
        memcpy(before, z, sizeof z);
        gb_gather(z, x, at, size, N);
        for (size_t k = 0; k < N; k++) {
            const char *from = at[k] == UINT64_MAX ? before + k * size : x + at[k] * size;
            CHECK(memcmp(z + k * size, from, size) == 0);
        }
    }
}

/* -------------------------------------------------------------------------------- lifetimes -- */

GB_TEST(algebra, parts_live_as_long_as_the_whole) {
    const uint64_t blocks = gb_memory_blocks();
    gbl_Type type;
    gbl_BinaryOp op;
    gbl_Monoid monoid;
    gbl_Semiring ring;
    const record zero = {.tag = "id"};
    OK(gbl_Type_new(&type, sizeof(record)));
    OK(gbl_BinaryOp_new(&op, record_add, type, type, type));
    OK(gbl_Monoid_new_UDT(&monoid, op, &zero));
    OK(gbl_Semiring_new(&ring, monoid, op));
    CHECK_EQ(gb_memory_blocks(), blocks + 4);
    FREE(type, op, monoid);
    CHECK(type == NULL && op == NULL && monoid == NULL);
    CHECK_EQ(gb_memory_blocks(), blocks + 4);

    for (size_t n = 1; n <= 2; n++) { /* the result ends in either of the two places */
        record x[2], acc = {.re = 0};
        fill_records(x, 2);
        ring->add->reduce(ring->add, n, &acc, x);
        CHECK(acc.re == (n == 1 ? 1 : 3) && acc.im == (n == 1 ? -0.5f : -4));
    }
    CHECK(memcmp(ring->add->identity, &zero, sizeof zero) == 0);
    gb_Monoid *const kept = gb_retain(ring->add);
    OK(gbl_Semiring_free(&ring));
    CHECK(ring == NULL && gb_memory_blocks() == blocks + 3);
    gb_release(kept);
    CHECK_EQ(gb_memory_blocks(), blocks);
}

GB_TEST(algebra, predefined_objects_cannot_be_freed) {
    gbl_Type type = GBL_FP64;
    gbl_UnaryOp unary = GBL_ABS_FP64;
    gbl_BinaryOp op = GBL_PLUS_FP64;
    gbl_IndexUnaryOp index = GBL_TRIL;
    gbl_Monoid monoid = GBL_PLUS_MONOID_FP64;
    gbl_Semiring ring = GBL_PLUS_TIMES_SEMIRING_FP64;
    FREE(type, unary, op, index, monoid, ring);
    CHECK(!type && !unary && !op && !index && !monoid && !ring);
    OK(gbl_Semiring_free(&ring)); /* NULL already */
    OK(gbl_Semiring_wait(GBL_PLUS_TIMES_SEMIRING_FP64, GBL_MATERIALIZE));
    CHECK(GBL_PLUS_TIMES_SEMIRING_FP64->add->op->ztype == GBL_FP64);
}

/* ----------------------------------------------------------------------------------- errors -- */

static void negate(void *z, const void *x) {
    *(double *)z = -*(const double *)x;
}

GB_TEST(algebra, errors_of_types_and_operators) {
    gbl_Type type = GBL_FP64;
    gbl_UnaryOp unary = GBL_ABS_FP64;
    gbl_BinaryOp op = GBL_PLUS_FP64;
    gbl_IndexUnaryOp index = GBL_TRIL;
    size_t size = 99;
    gbl_Type_Code code;
    FAILS(GBL_INVALID_VALUE, gbl_Type_new(&type, 0));
    CHECK(type == NULL);
    FAILS(GBL_INVALID_VALUE, gbl_Type_new(&type, SIZE_MAX));
    FAILS(GBL_NULL_POINTER, gbl_Type_new(NULL, 8));
    FAILS(GBL_NULL_POINTER, gbl_Type_size(NULL, GBL_FP64));
    FAILS(GBL_NULL_POINTER, gbl_Type_size(&size, NULL));
    FAILS(GBL_NULL_POINTER, gbl_Type_code(NULL, GBL_FP64));
    OK(gbl_Type_size(&size, GBL_INT16));
    OK(gbl_Type_code(&code, GBL_INT16));
    CHECK(size == 2 && code == GBL_INT16_CODE);
    FAILS(GBL_NULL_POINTER, gbl_UnaryOp_new(&unary, NULL, GBL_FP64, GBL_FP64));
    CHECK(unary == NULL);
    FAILS(GBL_NULL_POINTER, gbl_UnaryOp_new(&unary, negate, GBL_FP64, NULL));
    FAILS(GBL_NULL_POINTER, gbl_BinaryOp_new(&op, record_add, NULL, GBL_FP64, GBL_FP64));
    CHECK(op == NULL);
    FAILS(GBL_NULL_POINTER, gbl_BinaryOp_new(NULL, record_add, GBL_FP64, GBL_FP64, GBL_FP64));
    FAILS(GBL_NULL_POINTER, gbl_IndexUnaryOp_new(&index, record_at, GBL_FP64, GBL_FP64, NULL));
    CHECK(index == NULL);
    FAILS(GBL_UNINITIALIZED_OBJECT,
          gbl_UnaryOp_new(&unary, negate, (gbl_Type)(void *)GBL_PLUS_FP64, GBL_FP64));
    FAILS(GBL_NULL_POINTER, gbl_Type_free(NULL));
    FAILS(GBL_INVALID_VALUE, gbl_Type_wait(GBL_FP64, (gbl_WaitMode)5));
    FAILS(GBL_NULL_POINTER, gbl_BinaryOp_wait(NULL, GBL_COMPLETE));
    FAILS(GBL_NULL_POINTER, gbl_Type_error(NULL, GBL_FP64));
}

GB_TEST(algebra, errors_of_monoids_and_semirings) {
    gbl_Monoid monoid = GBL_PLUS_MONOID_FP64;
    gbl_Semiring ring = GBL_PLUS_TIMES_SEMIRING_FP64;
    const char *text = NULL;
    FAILS(GBL_DOMAIN_MISMATCH, gbl_Monoid_new_FP64(&monoid, GBL_LT_FP64, 0));
    CHECK(monoid == NULL);
    CHECK(strstr(gbl_last_error(), "FP64 x FP64 -> BOOL") != NULL);
    OK(gbl_BinaryOp_error(&text, GBL_LT_FP64)); /* an input */
    CHECK(text[0] == '\0');
    FAILS(GBL_DOMAIN_MISMATCH, gbl_Monoid_new_INT32(&monoid, GBL_PLUS_INT64, 0));
    FAILS(GBL_DOMAIN_MISMATCH, gbl_Monoid_new_UDT(&monoid, GBL_PLUS_INT64, &(int64_t){0}));
    FAILS(GBL_DOMAIN_MISMATCH, gbl_Monoid_new_INT64(&monoid, GBL_FIRSTI_INT64, 0));
    FAILS(GBL_NULL_POINTER, gbl_Monoid_new_UDT(&monoid, GBL_PLUS_INT64, NULL));
    FAILS(GBL_NULL_POINTER, gbl_Monoid_new_INT64(&monoid, NULL, 0));
    FAILS(GBL_NULL_POINTER, gbl_Monoid_new_INT64(NULL, GBL_PLUS_INT64, 0));
    FAILS(GBL_DOMAIN_MISMATCH, gbl_Semiring_new(&ring, GBL_PLUS_MONOID_FP64, GBL_TIMES_FP32));
    CHECK(ring == NULL);
    FAILS(GBL_NULL_POINTER, gbl_Semiring_new(&ring, NULL, GBL_TIMES_FP32));
    FAILS(GBL_NULL_POINTER, gbl_Semiring_new(&ring, GBL_PLUS_MONOID_FP64, NULL));
    FAILS(GBL_UNINITIALIZED_OBJECT,
          gbl_Semiring_new(&ring, (gbl_Monoid)(void *)GBL_FP64, GBL_TIMES_FP64));
}

Test(algebra, nothing_is_made_before_init) {
    gbl_Type type;
    gbl_Monoid monoid;
    CHECK(gbl_Type_new(&type, 8) == GBL_PANIC && type == NULL);
    CHECK(gbl_Monoid_new_FP64(&monoid, GBL_PLUS_FP64, 0) == GBL_PANIC && monoid == NULL);
}

static bool no_memory;
static void *failing_malloc(size_t bytes) {
    return no_memory ? NULL : malloc(bytes);
}

Test(algebra, out_of_memory) {
    gbl_Type type = NULL, other = GBL_FP64;
    gbl_UnaryOp unary;
    gbl_BinaryOp op;
    gbl_IndexUnaryOp index;
    gbl_Monoid monoid;
    gbl_Semiring ring;
    OK(gbl_init_with_allocator(GBL_NONBLOCKING, failing_malloc, NULL, free));
    OK(gbl_Type_new(&type, sizeof(record)));
    no_memory = true;
    FAILS(GBL_OUT_OF_MEMORY, gbl_Type_new(&other, 8));
    FAILS(GBL_OUT_OF_MEMORY, gbl_UnaryOp_new(&unary, negate, type, type));
    FAILS(GBL_OUT_OF_MEMORY, gbl_BinaryOp_new(&op, record_add, type, type, type));
    FAILS(GBL_OUT_OF_MEMORY, gbl_IndexUnaryOp_new(&index, record_at, type, type, type));
    FAILS(GBL_OUT_OF_MEMORY, gbl_Monoid_new_FP64(&monoid, GBL_PLUS_FP64, 0));
    FAILS(GBL_OUT_OF_MEMORY, gbl_Semiring_new(&ring, GBL_PLUS_MONOID_FP64, GBL_TIMES_FP64));
    CHECK(!other && !unary && !op && !index && !monoid && !ring);
    no_memory = false;
    CHECK_EQ(type->refs, 1);
    OK(gbl_Type_free(&type));
    CHECK_EQ(gb_memory_blocks(), 0);
    OK(gbl_finalize());
}
