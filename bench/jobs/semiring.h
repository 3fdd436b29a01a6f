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
    gbl_index_unary_function edge; /* BENCH_STRUCT: the value of a number of the input */
} bench_functions;

/* The semirings of examples/semirings. */
typedef struct {
    bench_functions functions;
    const gbl_CompiledSemiring *kernels;
} bench_example;
enum { BENCH_EXAMPLES = 5 };
extern const bench_example bench_examples[BENCH_EXAMPLES];

/* What is measured: A A; A u with a full u; u' A with every BENCH_STRIDE-th entry; a search from
 * one vertex by u'<not visited> A; and distances from it, BENCH_ROUNDS times d += d' A. */
typedef enum {
    BENCH_MXM,
    BENCH_MXV,
    BENCH_PUSH,
    BENCH_SEARCH,
    BENCH_PATHS,
    BENCH_OPERATIONS
} bench_operation;
enum { BENCH_STRIDE = 64, BENCH_ROUNDS = 12 };

/* The entries of an n x n matrix. */
typedef struct {
    gbl_Index n, nvals, *row, *column;
    void *value;
} bench_entries;

/* The entries of u that an operation begins with, in at[n]; how many. */
gbl_Index bench_begin(gbl_Index *at, bench_operation operation, const bench_entries *e);

/* The same by SuiteSparse (semiring_suitesparse.c); open returns NULL after saying why. multiply
 * and clear are those of a bench_contender. */
typedef struct bench_theirs bench_theirs;
bench_theirs *bench_theirs_open(const bench_functions *f, const bench_entries *e,
                                bench_operation operation);
void bench_theirs_close(bench_theirs *t);
int bench_theirs_multiply(void *theirs);
void bench_theirs_clear(void *theirs);
uint64_t bench_theirs_entries(bench_theirs *t);

#endif
