/* SPDX-License-Identifier: Apache-2.0
 *
 * The semirings of the job semiring, whose kernels semiring_kernels.c has.
 */
#pragma once

#include "gblite.h"

/* A semiring as functions, and in all other ways; BENCH_JIT is one of SuiteSparse. */
typedef enum { BENCH_FP64, BENCH_INT32, BENCH_STRUCT } bench_kind;
enum { BENCH_COMPILED, BENCH_POINTERS, BENCH_PREDEFINED, BENCH_JIT, BENCH_WAYS };
typedef struct bench_semiring {
    const char *name;
    bench_kind kind;
    size_t size;
    gbl_binary_function add, multiply;
    const void *identity;
    void (*of_weight)(void *edge, double weight); /* BENCH_STRUCT: a value of an entry's */
    const gbl_CompiledSemiring *kernels;
    int operations;                             /* how many of the rows of both/own.c */
    const gbl_Semiring *predefined;             /* NULL: there is none */
    const char *of_type, *of_add, *of_multiply; /* texts for a JIT: path, bench_add, ... */
} bench_semiring;

enum { BENCH_SEMIRINGS = 3 };
/* both/own.c: that SuiteSparse has a JIT, which is on. */
bool suitesparse_has_jit(void);
extern const bench_semiring bench_semirings[BENCH_SEMIRINGS];

/* The entries of an n x n matrix. */
typedef struct bench_entries {
    gbl_Index n, nvals, *row, *column;
    void *value;
} bench_entries;
