/* SPDX-License-Identifier: Apache-2.0
 *
 * Random products by every method, to the bit: shapes from a few cells to millions of columns, most
 * specialised semirings and some that have no kernel, masks with false entries, threads, bins,
 * memory limits, workflows and accumulators as they come. Values are small whole numbers from 1 on,
 * so every sum is exact in every order, but for the types that wrap, where the order is nothing
 * either. Seeds are fixed; a failure names the one of its product.
 */
#include "support/tuples.h"

#include <stdlib.h>

enum { ROUNDS = 150 };

typedef struct {
    const char *name;
    const gbl_Semiring *ring;
    const gbl_Type *type;
} kind;

#define RING(add, multiply, T)                                                                     \
    { #add "_" #multiply "_" #T, &GBL_##add##_##multiply##_SEMIRING_##T, &GBL_##T }
static const kind kinds[] = {
    RING(PLUS, TIMES, FP64),  RING(PLUS, TIMES, FP32),   RING(PLUS, TIMES, INT64),
    RING(PLUS, TIMES, INT32), RING(PLUS, TIMES, INT16),  RING(PLUS, TIMES, INT8),
    RING(PLUS, FIRST, FP64),  RING(PLUS, SECOND, FP64),  RING(PLUS, SECOND, FP32),
    RING(PLUS, PAIR, FP64),   RING(PLUS, PAIR, FP32),    RING(PLUS, PAIR, INT64),
    RING(PLUS, PAIR, INT32),  RING(MIN, PLUS, FP64),     RING(MIN, PLUS, FP32),
    RING(MIN, PLUS, INT64),   RING(MIN, PLUS, INT32),    RING(MAX, PLUS, FP64),
    RING(MIN, MAX, FP64),     RING(MIN, FIRST, INT64),   RING(MIN, SECOND, INT64),
    RING(MAX, TIMES, FP64),   RING(MIN, SECONDI, INT64), RING(ANY, PAIR, BOOL),
    RING(LOR, LAND, BOOL),    RING(LXOR, LAND, BOOL),
};
#undef RING

/* Rows, inner and columns below these, and entries of the factors. */
typedef struct {
    uint64_t m, k, n, a, b;
} extent;
static const extent extents[] = {
    {20, 20, 40, 300, 600},           /* a few cells, well filled */
    {300, 300, 300, 3000, 6000},      /* rows of all lengths */
    {8, 60, 1 << 22, 200, 8000},      /* wide: hash tables, windows with few bits */
    {100000, 1000, 5000, 3000, 3000}, /* mostly empty rows */
    {150, 150, 150, 9000, 9000},      /* full tiles */
    {4, 4, 300000, 12, 20000},        /* a few rows of thousands of products */
};

/* A product, and how it is asked for. */
typedef struct {
    t_Random r;
    const kind *kind;
    gbl_Matrix A, B, M;
    gbl_Index m, n;
    t_Mask mask;
} job;

/* Entries anywhere, or crowded in some rows, in a band of columns, in the last columns. */
static gbl_Matrix scatter(t_Random *r, gbl_Type type, gbl_Index m, gbl_Index n, uint64_t nvals) {
    const bool crowded = t_chance(r, 0.5), zeros = type == GBL_BOOL;
    const uint64_t place = t_below(r, 3), width = place == 2 ? 300 : 4000, base = t_below(r, n);
    gbl_Index *I = malloc((nvals + 1) * sizeof *I), *J = malloc((nvals + 1) * sizeof *J);
    double *X = malloc((nvals + 1) * sizeof *X);
    cr_assert(I != NULL && J != NULL && X != NULL);
    for (uint64_t e = 0; e < nvals; e++) {
        I[e] = t_below(r, crowded && t_chance(r, 0.3) && m > 3 ? 3 : m);
        J[e] = place == 0   ? t_below(r, n)
               : place == 1 ? n - 1 - t_below(r, n < width ? n : width)
                            : (base + t_below(r, width)) % n;
        X[e] = (double)(zeros ? t_below(r, 3) : 1 + t_below(r, 7));
    }
    gbl_Matrix A = t_new_matrix(type, m, n);
    OK(gbl_Matrix_build_FP64(A, I, J, X, nvals, GBL_FIRST_FP64));
    free(I), free(J), free(X);
    return A;
}

static job job_new(uint64_t seed) {
    static const t_Mask masks[] = {T_NO_MASK,    T_NO_MASK,         T_VALUED,
                                   T_STRUCTURAL, T_COMP_STRUCTURAL, T_COMP};
    job of = {.r = t_random(seed), .kind = &kinds[seed % T_COUNT(kinds)]};
    const extent *e = &extents[t_below(&of.r, T_COUNT(extents))];
    const gbl_Type type = *of.kind->type;
    const gbl_Index k = 1 + t_below(&of.r, e->k);
    of.m = 1 + t_below(&of.r, e->m);
    of.n = 1 + t_below(&of.r, e->n);
    of.A = scatter(&of.r, type, of.m, k, t_below(&of.r, e->a));
    of.B = scatter(&of.r, type, k, of.n, t_below(&of.r, e->b));
    of.M = scatter(&of.r, GBL_BOOL, of.m, of.n, t_below(&of.r, 4000));
    of.mask = masks[t_below(&of.r, T_COUNT(masks))];
    return of;
}

typedef struct {
    const job *of;
    gbl_Matrix C;
    gbl_Descriptor desc;
} product;

static gbl_Info run(void *context) {
    const product *p = context;
    return gbl_mxm(p->C, t_has_mask(p->of->mask) ? p->of->M : NULL, NULL, *p->of->kind->ring,
                   p->of->A, p->of->B, p->desc);
}

/* By the method, and the rest as it comes. */
static gbl_Matrix multiply(job *of, gbl_Desc_Value method) {
    t_Flags flags = {.mask = of->mask, .method = method};
    if (method == GBL_METHOD_ROWWISE) t_set_way(&flags, t_below(&of->r, T_WAYS / 2)); /* in order */
    gbl_Descriptor desc = t_descriptor(&flags);
    if (method == GBL_METHOD_OUTER && t_chance(&of->r, 0.5)) {
        OK(gbl_Descriptor_set_INT32(desc, 1024 << t_below(&of->r, 12), GBL_BIN_BYTES));
        OK(gbl_Descriptor_set_INT32(desc, 1 + (int32_t)t_below(&of->r, 5), GBL_BIN_LINES));
    }
    const bool limited = method != GBL_METHOD_ROWWISE && t_chance(&of->r, 0.5);
    OK(gbl_Global_set_INT32(GBL_GLOBAL, 1 + (int32_t)t_below(&of->r, 3), GBL_NTHREADS));
    gbl_Matrix C = t_new_matrix(*of->kind->type, of->m, of->n);
    product p = {of, C, desc};
    if (limited) {
        const int64_t least = t_with_least_memory(run, &p);
        OK(gbl_Matrix_clear(C));
        OK(gbl_Global_set_INT64(GBL_GLOBAL, (int64_t)t_below(&of->r, 5) * least, GBL_MEMORY_LIMIT));
    }
    OK(run(&p));
    OK(gbl_Global_set_INT64(GBL_GLOBAL, 0, GBL_MEMORY_LIMIT));
    OK(gbl_Descriptor_free(&desc));
    return C;
}

static void compare(uint64_t seed) {
    static const gbl_Desc_Value methods[] = {GBL_METHOD_ROWWISE, GBL_METHOD_OUTER, GBL_METHOD_OUTER,
                                             GBL_METHOD_TILED,   GBL_METHOD_DOT,   GBL_METHOD_PANEL,
                                             GBL_METHOD_VECTOR,  GBL_DEFAULT};
    if (t_left_out()) return;
    job of = job_new(seed);
    t_case("seed %llu, %s", (unsigned long long)seed, of.kind->name);
    gbl_Matrix first = multiply(&of, GBL_METHOD_ROWWISE);
    t_Tuples expected = t_tuples_of(first);
    for (size_t k = 0; k < T_COUNT(methods); k++) {
        if (methods[k] == GBL_METHOD_DOT && of.mask != T_VALUED && of.mask != T_STRUCTURAL)
            continue;
        t_case("seed %llu, %s, method %d", (unsigned long long)seed, of.kind->name,
               (int)methods[k]);
        gbl_Matrix C = multiply(&of, methods[k]);
        t_expect_tuples(&expected, C);
        OK(gbl_Matrix_free(&C));
    }
    t_tuples_free(&expected);
    FREE(first, of.A, of.B, of.M);
}

GB_TEST(mxm_random, seeds_0) {
    for (uint64_t seed = 0; seed < ROUNDS; seed++) compare(seed);
}

GB_TEST(mxm_random, seeds_1) {
    for (uint64_t seed = 1000; seed < 1000 + ROUNDS; seed++) compare(seed);
}

GB_TEST(mxm_random, seeds_2) {
    for (uint64_t seed = 2000; seed < 2000 + ROUNDS; seed++) compare(seed);
}
