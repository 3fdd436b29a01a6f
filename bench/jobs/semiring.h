/* SPDX-License-Identifier: Apache-2.0
 *
 * The semirings of the job semiring, whose kernels semiring_kernels.c has.
 */
#ifndef JOBS_SEMIRING_H
#define JOBS_SEMIRING_H

#include "gblite.h"

typedef struct {
    double length;
    int64_t hops;
} bench_path;

static inline bench_path bench_better(bench_path x, bench_path y) {
    return x.length < y.length || (x.length == y.length && x.hops <= y.hops) ? x : y;
}

static inline bench_path bench_follow(bench_path a, bench_path b) {
    return (bench_path){a.length + b.length, a.hops + b.hops};
}

extern const gbl_CompiledSemiring bench_plus_times, bench_min_plus, bench_paths;

/* A semiring as functions. */
typedef enum { BENCH_FP64, BENCH_INT32, BENCH_STRUCT } bench_kind;
typedef struct {
    const char *name;
    bench_kind kind;
    size_t size;
    gbl_binary_function add, multiply;
    const void *identity;
    gbl_index_unary_function edge; /* of a number of the input; NULL: of BENCH_INT32 */
} bench_functions;

/* In all ways. */
enum { BENCH_COMPILED, BENCH_POINTERS, BENCH_PREDEFINED, BENCH_WAYS };
typedef struct bench_semiring {
    bench_functions functions;
    const gbl_CompiledSemiring *kernels;
    int operations;          /* how many of the rows of both/own.c */
    gbl_Semiring predefined; /* NULL: there is none */
} bench_semiring;

/* The semirings of examples/semirings. */
enum { BENCH_EXAMPLES = 5 };
extern const bench_semiring bench_examples[BENCH_EXAMPLES];

/* The entries of an n x n matrix. */
typedef struct bench_entries {
    gbl_Index n, nvals, *row, *column;
    void *value;
} bench_entries;

#endif
