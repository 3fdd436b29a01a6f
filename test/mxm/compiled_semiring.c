/* SPDX-License-Identifier: Apache-2.0
 *
 * Semirings whose kernels a user compiled (gblite_semiring.h), of values of 1 to 64 bytes, with a
 * multiplication that does not commute and with terminal values: the same bits as the same semiring
 * through function pointers, by every method that takes both. Compiled once per instruction set.
 */
#include <math.h>

#include "support/gb_test.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "semiring/compiled.h"

#define GBL_SEMIRING bytes
#define GBL_SEMIRING_TYPE uint8_t
#define GBL_SEMIRING_ADD(x, y) ((x) > (y) ? (x) : (y))
#define GBL_SEMIRING_MULTIPLY(a, b) ((a) < (b) ? (a) : (b))
#define GBL_SEMIRING_IDENTITY 0
#define GBL_SEMIRING_TERMINAL(x) ((x) == 255)
#include <gblite_semiring.h>

#define GBL_SEMIRING lengths
#define GBL_SEMIRING_TYPE int32_t
#define GBL_SEMIRING_ADD(x, y) GBL_LANES_IMIN(x, y)
#define GBL_SEMIRING_MULTIPLY(a, b) ((a) + (b))
#define GBL_SEMIRING_IDENTITY INT32_MAX
#define GBL_SEMIRING_LANES 1
#include <gblite_semiring.h>

#define GBL_SEMIRING numbers
#define GBL_SEMIRING_TYPE double
#define GBL_SEMIRING_ADD(x, y) ((x) + (y))
#define GBL_SEMIRING_MULTIPLY(a, b) ((a) * (b))
#define GBL_SEMIRING_IDENTITY 0.0
#define GBL_SEMIRING_LANES 1
#include <gblite_semiring.h>

typedef struct {
    double length;
    int64_t hops;
} path;

static inline path better(path x, path y) {
    const bool first = x.length < y.length || (x.length == y.length && x.hops <= y.hops);
    return first ? x : y;
}

static inline path follow(path a, path b) {
    return (path){a.length + b.length, a.hops + b.hops};
}

#define GBL_SEMIRING paths
#define GBL_SEMIRING_TYPE path
#define GBL_SEMIRING_ADD(x, y) better(x, y)
#define GBL_SEMIRING_MULTIPLY(a, b) follow(a, b)
#define GBL_SEMIRING_IDENTITY ((path){INFINITY, 0})
#include <gblite_semiring.h>

/* A matrix [x y; z w] of numbers that wrap; it does not commute. */
typedef struct {
    uint32_t x, y, z, w;
} block;

static inline block sum(block a, block b) {
    return (block){a.x + b.x, a.y + b.y, a.z + b.z, a.w + b.w};
}

static inline block product(block a, block b) {
    return (block){a.x * b.x + a.y * b.z, a.x * b.y + a.y * b.w, a.z * b.x + a.w * b.z,
                   a.z * b.y + a.w * b.w};
}

#define GBL_SEMIRING blocks
#define GBL_SEMIRING_TYPE block
#define GBL_SEMIRING_ADD(x, y) sum(x, y)
#define GBL_SEMIRING_MULTIPLY(a, b) product(a, b)
#define GBL_SEMIRING_IDENTITY ((block){0, 0, 0, 0})
#include <gblite_semiring.h>

/* Sizes that no number has: colours of 3 bytes and vectors of 24, whose products do not commute. */
typedef struct {
    uint8_t r, g, b;
} colour;

static inline colour mix(colour x, colour y) {
    return (colour){x.r ^ y.r, x.g ^ y.g, x.b ^ y.b};
}

static inline colour filter(colour a, colour b) {
    return (colour){a.r & b.g, a.g & b.b, a.b & b.r};
}

#define GBL_SEMIRING colours
#define GBL_SEMIRING_TYPE colour
#define GBL_SEMIRING_ADD(x, y) mix(x, y)
#define GBL_SEMIRING_MULTIPLY(a, b) filter(a, b)
#define GBL_SEMIRING_IDENTITY ((colour){0, 0, 0})
#include <gblite_semiring.h>

#define GBL_SEMIRING shorts
#define GBL_SEMIRING_TYPE uint16_t
#define GBL_SEMIRING_ADD(x, y) (uint16_t)((x) + (y))
#define GBL_SEMIRING_MULTIPLY(a, b) (uint16_t)((unsigned)(a) * (b))
#define GBL_SEMIRING_IDENTITY 0
#include <gblite_semiring.h>

typedef struct {
    double x, y, z;
} vector;

static inline vector vector_sum(vector a, vector b) {
    return (vector){a.x + b.x, a.y + b.y, a.z + b.z};
}

static inline vector cross(vector a, vector b) {
    return (vector){a.y * b.z - a.z * b.y, a.z * b.x - a.x * b.z, a.x * b.y - a.y * b.x};
}

#define GBL_SEMIRING vectors
#define GBL_SEMIRING_TYPE vector
#define GBL_SEMIRING_ADD(x, y) vector_sum(x, y)
#define GBL_SEMIRING_MULTIPLY(a, b) cross(a, b)
#define GBL_SEMIRING_IDENTITY ((vector){0, 0, 0})
#include <gblite_semiring.h>

typedef struct {
    uint64_t word[8];
} set;

static inline set either(set a, set b) {
    for (int k = 0; k < 8; k++) a.word[k] |= b.word[k];
    return a;
}

static inline set both(set a, set b) {
    for (int k = 0; k < 8; k++) a.word[k] &= b.word[k];
    return a;
}

#define GBL_SEMIRING sets
#define GBL_SEMIRING_TYPE set
#define GBL_SEMIRING_ADD(x, y) either(x, y)
#define GBL_SEMIRING_MULTIPLY(a, b) both(a, b)
#define GBL_SEMIRING_IDENTITY ((set){{0}})
#include <gblite_semiring.h>

static const gbl_CompiledSemiring *const kernels[] = {&bytes, &lengths, &numbers, &paths,  &blocks,
                                                      &sets,  &colours, &shorts,  &vectors};
enum { RINGS = sizeof kernels / sizeof *kernels, MOST = 64 };

/* Both ways to the same semiring. */
typedef struct {
    const gbl_CompiledSemiring *of;
    gbl_Type type;
    gbl_BinaryOp add, multiply;
    gbl_Monoid monoid;
    gbl_Semiring compiled, pointers;
} Pair;

static Pair open_pair(int which) {
    const gbl_CompiledSemiring *of = kernels[which];
    Pair p = {.of = of};
    t_case("%s of %u bytes, for %s", of->name, of->size, of->set);
    OK(gbl_Type_new(&p.type, of->size));
    OK(gbl_BinaryOp_new(&p.add, of->add, p.type, p.type, p.type));
    OK(gbl_BinaryOp_new(&p.multiply, of->multiply, p.type, p.type, p.type));
    OK(gbl_Monoid_new_UDT(&p.monoid, p.add, of->identity));
    OK(gbl_Semiring_new(&p.pointers, p.monoid, p.multiply));
    OK(gbl_Semiring_compiled(&p.compiled, p.type, of));
    return p;
}

static void close_pair(Pair *p) {
    FREE(p->compiled, p->pointers, p->monoid, p->multiply, p->add, p->type);
}

/* Any bytes, but numbers where the type has floats, and often the terminal value where it has one.
 */
static void random_value(t_Random *r, const Pair *p, char to[MOST]) {
    const double number = (double)t_below(r, 1000) / 8;
    for (uint32_t k = 0; k < p->of->size; k++) to[k] = (char)t_below(r, 256);
    if (p->of == &numbers || p->of == &paths) memcpy(to, &number, sizeof number);
    if (p->of == &bytes && t_chance(r, 0.4)) to[0] = (char)255;
    for (int k = 0; k < 3 && p->of == &vectors; k++)
        memcpy(to + 8 * k, &(double){(double)t_below(r, 1000) / 8}, sizeof number);
    if (p->of == &lengths) memcpy(to, &(int32_t){(int32_t)t_below(r, 1000)}, 4);
    if (p->of == &paths) memcpy(to + 8, &(int64_t){(int64_t)t_below(r, 9)}, 8);
}

static gbl_Matrix random_matrix(t_Random *r, const Pair *p, gbl_Index m, gbl_Index n,
                                double density) {
    gbl_Matrix A;
    char x[MOST];
    OK(gbl_Matrix_new(&A, p->type, m, n));
    for (gbl_Index i = 0; i < m; i++)
        for (gbl_Index j = 0; j < n; j++) {
            if (!t_chance(r, i % 7 == 3 ? 4 * density : density)) continue;
            random_value(r, p, x);
            OK(gbl_Matrix_setElement_UDT(A, x, i, j));
        }
    OK(gbl_Matrix_wait(A, GBL_MATERIALIZE));
    return A;
}

static gbl_Vector random_vector(t_Random *r, const Pair *p, gbl_Index n, double density) {
    gbl_Vector v;
    char x[MOST];
    OK(gbl_Vector_new(&v, p->type, n));
    for (gbl_Index i = 0; i < n; i++) {
        if (!t_chance(r, density)) continue;
        random_value(r, p, x);
        OK(gbl_Vector_setElement_UDT(v, x, i));
    }
    OK(gbl_Vector_wait(v, GBL_MATERIALIZE));
    return v;
}

static void same_matrices(const Pair *p, gbl_Matrix C, gbl_Matrix D) {
    gbl_Index n, m;
    OK(gbl_Matrix_nvals(&n, C));
    OK(gbl_Matrix_nvals(&m, D));
    CHECK_EQ(n, m);
    gbl_Index *at = malloc(4 * (n + 1) * sizeof *at);
    char *x = malloc(2 * (n + 1) * p->of->size), *y = x + (n + 1) * p->of->size;
    OK(gbl_Matrix_extractTuples_UDT(at, at + n, x, &n, C));
    OK(gbl_Matrix_extractTuples_UDT(at + 2 * n, at + 3 * n, y, &m, D));
    CHECK(memcmp(at, at + 2 * n, 2 * n * sizeof *at) == 0);
    CHECK(memcmp(x, y, n * p->of->size) == 0);
    free(at);
    free(x);
}

static void same_vectors(const Pair *p, gbl_Vector v, gbl_Vector w) {
    gbl_Index n, m;
    OK(gbl_Vector_nvals(&n, v));
    OK(gbl_Vector_nvals(&m, w));
    CHECK_EQ(n, m);
    gbl_Index *at = malloc(2 * (n + 1) * sizeof *at);
    char *x = malloc(2 * (n + 1) * p->of->size), *y = x + (n + 1) * p->of->size;
    OK(gbl_Vector_extractTuples_UDT(at, x, &n, v));
    OK(gbl_Vector_extractTuples_UDT(at + n, y, &m, w));
    CHECK(memcmp(at, at + n, n * sizeof *at) == 0);
    CHECK(memcmp(x, y, n * p->of->size) == 0);
    free(at);
    free(x);
}

/* -- products ---------------------------------------------------------------------------------- */

typedef struct {
    gbl_Desc_Value method;
    int accumulators; /* 0: any */
    bool masked, outside, transposed;
} Way;

static bool is_refused(const Pair *p, const Way *way) {
    return way->method == GBL_METHOD_OUTER && p->of->size > 16;
}

/* The explanation says which semiring it was. */
static void check_named(const Pair *p, gbl_Matrix C) {
    gbl_Explanation how = GBL_EXPLANATION_INIT;
    char expected[sizeof how.semiring];
    OK(gbl_Matrix_explain(&how, C));
    snprintf(expected, sizeof expected, "compiled semiring: %s", p->of->name);
    CHECK(strcmp(how.semiring, expected) == 0);
}

static void multiply(const Pair *p, gbl_Matrix A, gbl_Matrix B, gbl_Matrix M, const Way *way) {
    gbl_Matrix C, D;
    gbl_Descriptor desc;
    gbl_Index m, n;
    t_case("%s, method %d, accumulators %d, mask %d, outside %d, transposed %d", p->of->name,
           (int)way->method, way->accumulators, way->masked, way->outside, way->transposed);
    OK(gbl_Matrix_nrows(&m, A));
    OK(gbl_Matrix_ncols(&n, B));
    OK(gbl_Descriptor_new(&desc));
    OK(gbl_Descriptor_set(desc, GBL_METHOD, way->method));
    if (way->accumulators != 0)
        OK(gbl_Descriptor_set_INT32(desc, way->accumulators, GBL_ACCUMULATORS));
    if (way->masked) OK(gbl_Descriptor_set(desc, GBL_MASK, GBL_STRUCTURE));
    if (way->outside) OK(gbl_Descriptor_set(desc, GBL_MASK, GBL_COMP));
    if (way->transposed) OK(gbl_Descriptor_set(desc, GBL_INP1, GBL_TRAN));
    OK(gbl_Matrix_new(&C, p->type, m, n));
    OK(gbl_Matrix_new(&D, p->type, m, n));
    if (is_refused(p, way)) {
        FAILS(GBL_INVALID_VALUE, gbl_mxm(C, way->masked ? M : NULL, NULL, p->compiled, A, B, desc));
        FREE(C, D, desc);
        return;
    }
    OK(gbl_mxm(C, way->masked ? M : NULL, NULL, p->compiled, A, B, desc));
    check_named(p, C);
    OK(gbl_mxm(D, way->masked ? M : NULL, NULL, p->pointers, A, B, desc));
    same_matrices(p, C, D);
    FREE(C, D, desc);
}

GB_TEST(compiled_semiring, products) {
    static const Way ways[] = {
        {GBL_DEFAULT, 0, false, false, false},
        {GBL_DEFAULT, 0, true, false, false},
        {GBL_DEFAULT, 0, true, true, true},
        {GBL_METHOD_ROWWISE, GBL_ACCUMULATE_SORT | GBL_ACCUMULATE_HASH, false, false, false},
        {GBL_METHOD_ROWWISE, GBL_ACCUMULATE_HASH, false, false, true},
        {GBL_METHOD_ROWWISE, GBL_ACCUMULATE_DENSE, false, false, false},
        {GBL_METHOD_ROWWISE, GBL_ACCUMULATE_HASH, true, false, false},
        {GBL_METHOD_ROWWISE, GBL_ACCUMULATE_DENSE, true, false, false},
        {GBL_METHOD_ROWWISE, GBL_ACCUMULATE_HASH, true, true, false},
        {GBL_METHOD_ROWWISE, GBL_ACCUMULATE_DENSE, true, true, false},
        {GBL_METHOD_OUTER, 0, false, false, false},
        {GBL_METHOD_OUTER, 0, true, true, false},
        {GBL_METHOD_DOT, 0, true, false, false},
        {GBL_METHOD_DOT, 0, true, false, true}};
    for (int which = 0; which < RINGS; which++) {
        Pair p = open_pair(which);
        t_Random r = t_random(7 + (uint64_t)which);
        for (int dense = 0; dense < 2; dense++) {
            const double density = dense ? 0.3 : 0.03;
            gbl_Matrix A = random_matrix(&r, &p, 90, 90, density);
            gbl_Matrix B = random_matrix(&r, &p, 90, 90, density);
            gbl_Matrix M = random_matrix(&r, &p, 90, 90, 0.2);
            for (size_t k = 0; k < T_COUNT(ways); k++) multiply(&p, A, B, M, &ways[k]);
            FREE(A, B, M);
        }
        close_pair(&p);
    }
}

/* Panels and full factors take semirings on lanes alone. */
GB_TEST(compiled_semiring, lanes) {
    for (int which = 0; which < RINGS; which++) {
        Pair p = open_pair(which);
        t_Random r = t_random(70 + (uint64_t)which);
        gbl_Matrix A = random_matrix(&r, &p, 70, 50, 0.2), B = random_matrix(&r, &p, 50, 60, 0.25);
        gbl_Matrix F = random_matrix(&r, &p, 50, 60, 1), C;
        const Way panel = {.method = GBL_METHOD_PANEL}, spmm = {.method = GBL_METHOD_SPMM};
        if (p.of == &numbers || p.of == &lengths) {
            multiply(&p, A, B, NULL, &panel);
            multiply(&p, A, F, NULL, &spmm);
        } else {
            gbl_Descriptor desc;
            OK(gbl_Descriptor_new(&desc));
            OK(gbl_Descriptor_set(desc, GBL_METHOD, GBL_METHOD_PANEL));
            OK(gbl_Matrix_new(&C, p.type, 70, 60));
            FAILS(GBL_INVALID_VALUE, gbl_mxm(C, NULL, NULL, p.compiled, A, B, desc));
            FREE(C, desc);
        }
        FREE(A, B, F);
        close_pair(&p);
    }
}

/* -- products with vectors --------------------------------------------------------------------- */

static void with_vector(const Pair *p, gbl_Matrix A, gbl_Vector u, gbl_Vector mask, bool left,
                        gbl_Desc_Value method) {
    gbl_Vector v, w;
    gbl_Descriptor desc;
    gbl_Index n;
    t_case("%s, vector %s, method %d, mask %d", p->of->name, left ? "left" : "right", (int)method,
           mask != NULL);
    OK(gbl_Matrix_nrows(&n, A));
    OK(gbl_Descriptor_new(&desc));
    OK(gbl_Descriptor_set(desc, GBL_METHOD, method));
    if (mask != NULL) OK(gbl_Descriptor_set(desc, GBL_MASK, GBL_STRUCTURE));
    OK(gbl_Vector_new(&v, p->type, n));
    OK(gbl_Vector_new(&w, p->type, n));
    if (left) {
        OK(gbl_vxm(v, mask, NULL, p->compiled, u, A, desc));
        OK(gbl_vxm(w, mask, NULL, p->pointers, u, A, desc));
    } else {
        OK(gbl_mxv(v, mask, NULL, p->compiled, A, u, desc));
        OK(gbl_mxv(w, mask, NULL, p->pointers, A, u, desc));
    }
    same_vectors(p, v, w);
    FREE(v, w, desc);
}

GB_TEST(compiled_semiring, vectors) {
    static const gbl_Desc_Value methods[] = {GBL_DEFAULT, GBL_METHOD_PUSH, GBL_METHOD_PULL};
    static const double densities[] = {0.02, 0.4, 1};
    for (int which = 0; which < RINGS; which++) {
        Pair p = open_pair(which);
        t_Random r = t_random(700 + (uint64_t)which);
        gbl_Matrix A = random_matrix(&r, &p, 150, 150, 0.08);
        gbl_Vector mask = random_vector(&r, &p, 150, 0.3);
        for (size_t d = 0; d < T_COUNT(densities); d++) {
            gbl_Vector u = random_vector(&r, &p, 150, densities[d]);
            for (size_t k = 0; k < 4 * T_COUNT(methods); k++)
                with_vector(&p, A, u, k & 1 ? mask : NULL, (k & 2) != 0, methods[k / 4]);
            FREE(u);
        }
        FREE(A, mask);
        close_pair(&p);
    }
}

/* -- the contract ------------------------------------------------------------------------------ */

GB_TEST(compiled_semiring, refusals) {
    gbl_Semiring ring;
    gbl_CompiledSemiring wrong = numbers;
    wrong.contract++;
    FAILS(GBL_NOT_IMPLEMENTED, gbl_Semiring_compiled(&ring, GBL_FP64, &wrong));
    CHECK(ring == NULL && strstr(gbl_last_error(), "compile them with the headers") != NULL);
    wrong = numbers;
    wrong.layout++;
    FAILS(GBL_NOT_IMPLEMENTED, gbl_Semiring_compiled(&ring, GBL_FP64, &wrong));
    wrong = numbers;
    wrong.set = "vax";
    FAILS(GBL_NOT_IMPLEMENTED, gbl_Semiring_compiled(&ring, GBL_FP64, &wrong));
    CHECK(strstr(gbl_last_error(), "compiled for vax") != NULL);
    FAILS(GBL_DOMAIN_MISMATCH, gbl_Semiring_compiled(&ring, GBL_FP32, &numbers));
    FAILS(GBL_NULL_POINTER, gbl_Semiring_compiled(&ring, GBL_FP64, NULL));
    FAILS(GBL_NULL_POINTER, gbl_Semiring_compiled(NULL, GBL_FP64, &numbers));
}

/* Whichever allocation fails, the call says so, or does without. */
static void fail_each(const Pair *p, gbl_Matrix A, gbl_Matrix right, gbl_Desc_Value method) {
    gbl_Matrix C;
    gbl_Descriptor desc;
    bool failed = true;
    OK(gbl_Descriptor_new(&desc));
    OK(gbl_Descriptor_set(desc, GBL_METHOD, method));
    for (int64_t n = 1; failed; n++) {
        t_case("%s, method %d: allocation %d fails", p->of->name, (int)method, (int)n);
        OK(gbl_Matrix_new(&C, p->type, 60, 60));
        const gbl_Info info = FAIL_AT(n, gbl_mxm(C, NULL, NULL, p->compiled, A, A, desc), &failed);
        if (info == GBL_SUCCESS) same_matrices(p, C, right);
        FREE(C);
    }
    FREE(desc);
}

Test(compiled_semiring, allocations, .init = t_brutal_setup, .fini = t_brutal_teardown) {
    for (int which = 0; which < RINGS; which += 3) {
        Pair p = open_pair(which);
        t_Random r = t_random(90 + (uint64_t)which);
        gbl_Matrix A = random_matrix(&r, &p, 60, 60, 0.1), right;
        OK(gbl_Matrix_new(&right, p.type, 60, 60));
        OK(gbl_mxm(right, NULL, NULL, p.pointers, A, A, NULL));
        fail_each(&p, A, right, GBL_METHOD_ROWWISE);
        if (p.of->size <= 16) fail_each(&p, A, right, GBL_METHOD_OUTER);
        FREE(A, right);
        close_pair(&p);
    }
}

/* A memory limit that nothing fits in is an error too. */
GB_TEST(compiled_semiring, no_memory) {
    Pair p = open_pair(3);
    t_Random r = t_random(9);
    gbl_Matrix A = random_matrix(&r, &p, 60, 60, 0.2), C, D;
    OK(gbl_Matrix_new(&C, p.type, 60, 60));
    OK(gbl_Matrix_new(&D, p.type, 60, 60));
    OK(gbl_mxm(D, NULL, NULL, p.pointers, A, A, NULL));
    OK(gbl_Global_set_INT64(GBL_GLOBAL, 1, GBL_MEMORY_LIMIT));
    FAILS(GBL_OUT_OF_MEMORY, gbl_mxm(C, NULL, NULL, p.compiled, A, A, NULL));
    OK(gbl_Global_set_INT64(GBL_GLOBAL, 0, GBL_MEMORY_LIMIT));
    OK(gbl_mxm(C, NULL, NULL, p.compiled, A, A, NULL));
    same_matrices(&p, C, D);
    FREE(A, C, D);
    close_pair(&p);
}
