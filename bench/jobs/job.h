/* SPDX-License-Identifier: Apache-2.0
 *
 * The program bench: `bench JOB [OPTION]...`. A job is a row of the table in main.c: its name, the
 * inputs that it loads by default, its contenders, and how results are checked, which is what its
 * measure() does for each line of its suite.
 *   main.c      the table of jobs, command line, start, document
 *   compare.c, calls.c, hyper.c, semiring.c   gblite and SuiteSparse by rows of sides.h: on inputs
 *               (compare, lists), calls (overhead, updates), huge indices, the user's own semirings
 *   product.c   C = A*A by every method and the peers: run, rowwise, tiled, outer, panel, vector
 *   chain.c, spmm.c, spamm.c   chains of products, sparse times full, approximate products
 * Another job is a file with its row, named in main.c.
 */
#pragma once

#include "harness/rows.h"

typedef struct bench_job bench_job;
struct bench_job {
    const char *name, *about;
    const char *lines;             /* what a line of the suite is; NULL: there is no suite */
    const char *suite;             /* a path below bench/ */
    int rounds;                    /* unless --repeats is given */
    unsigned takes;                /* BENCH_THREADS, ... */
    const char *const *names;      /* that --only may give; NULL: any */
    const bench_option *own;       /* options of this job alone */
    const char *const *contenders; /* of a job of one product; NULL: all */
    /* Starts the libraries; NULL: gblite, and SuiteSparse. 0, or -1 after saying why. */
    int (*start)(const bench_job *job, const bench_options *o);
    bench_visit
        visit; /* measures one input, of which there is a suite, into a bench_sink; or NULL */
    void (*measure)(bench_sink *to); /* ... all of it */
    bool writes;                     /* prints its own tables, and files instead of the document */
};

extern const bench_job JOB_RUN, JOB_ROWWISE, JOB_TILED, JOB_OUTER, JOB_PANEL, JOB_VECTOR,
    JOB_COMPARE, JOB_LISTS, JOB_OVERHEAD, JOB_HYPER, JOB_CHAIN, JOB_SPMM, JOB_SPAMM, JOB_SEMIRING,
    JOB_UPDATES;

/* mkl.c: MKL where it can be loaded from the folder; its version, "" without it. */
void bench_load_mkl(const char *folder, int threads);
bool bench_has_mkl(void);
void bench_mkl_version(char *text, size_t size);
