/* SPDX-License-Identifier: Apache-2.0
 *
 * Semirings whose kernels a user compiled (gblite_semiring.h), of values of 1 to 64 bytes, with
 * multiplications that do not commute and with terminal values, beside the same semirings through
 * function pointers.
 */
#ifndef MXM_COMPILED_RINGS_H
#define MXM_COMPILED_RINGS_H

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

#if TEST_CPP_KERNELS /* of compiled_kernels.cpp */
extern const gbl_CompiledSemiring doubles, affines;
#define CPP_KERNELS , &doubles, &affines
#else
#define CPP_KERNELS
#endif
static const gbl_CompiledSemiring *const kernels[] = {
    &bytes, &lengths, &numbers, &paths, &blocks, &sets, &colours, &shorts, &vectors CPP_KERNELS};
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
    if (p->of == &numbers || p->of == &paths || strcmp(p->of->name, "doubles") == 0)
        memcpy(to, &number, sizeof number);
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

#endif
