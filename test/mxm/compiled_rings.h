/* SPDX-License-Identifier: Apache-2.0
 *
 * Semirings whose kernels a user compiled (gblite_semiring.h, compiled_kinds.h), beside the same
 * semirings through function pointers.
 */
#pragma once

#include <math.h>

#include "support/gb_test.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "semiring/compiled.h"

#include "mxm/compiled_kinds.h"

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
