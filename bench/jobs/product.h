/* SPDX-License-Identifier: Apache-2.0
 *
 * Jobs of one product by many contenders on every input of a suite: gblite's methods forced and by
 * its own choice, SuiteSparse:GraphBLAS, Intel MKL.
 *   product.c        the jobs, which differ in suite and contenders; options, files written
 *   product_race.c   gblite's contenders; one input: every contender checked, then timed in turns.
 *                    both/products.c has the product by gblite and by SuiteSparse, mkl.c by MKL
 *   product_first.c  the first call in a fresh process
 *   product_report.c JSON, its summary, and lines on the terminal
 *
 * The product is A*A over plus-times on FP64 with random values, A*A' where A is not square, or
 * C<L> = L*L' over plus-pair on INT64, L the lower triangle of a graph. It begins with matrices in
 * sorted rows and ends with C in sorted rows; gblite gets a fresh copy of A for each product, so
 * that conversions and sketches are part of every time, except where a variant is warm.
 */
#pragma once

#include "jobs/job.h"
#include "jobs/sides.h"
#include "peers/input.h"
#include "peers/suitesparse.h"

typedef struct {
    peer_input in; /* A, or L when masked */
    bool masked;
    const char *keyword, *operand; /* of the suite */
    bool held_out;
    peer_kind order; /* of one that is not masked */
    /* facts */
    double flops; /* multiplications: partial products of C */
    double fill, result_entries;
} product_problem;

/* A contender of one race. */
typedef struct {
    side_entrant of; /* its name as the document calls it; the task of the input */
    side_work *work;
    cJSON *result;       /* its part of the document: "why_not", or "seconds" and so on */
    gbl_Explanation how; /* of gblite's */
} product_contender;

/* A contender by its name in the document, opened; 0, or -1 after saying why. */
int product_new(product_contender *c, const product_problem *problem, const char *name);
/* Whether gblite is it, or its variant that is not the automatic choice. */
bool product_is_mine(const product_contender *c);
bool product_is_forced(const product_contender *c);

/* What is measured of every input. */
enum { PRODUCT_MOST_CHOSEN = 32 };
typedef struct {
    int rounds, threads;
    const char
        *contenders[PRODUCT_MOST_CHOSEN]; /* that run, SuiteSparse to check them; none: all */
    int contender_count;
    bool regret;       /* gblite's variants alone are timed */
    int first_calls;   /* fresh processes of every contender but the forced variants */
    const char *peers; /* folder of MKL */
} product_rules;
int product_load(product_problem *problem);
/* Measures one input: its part of the document; NULL after saying why. A wrong result is a failure.
 */
cJSON *product_input(product_problem *problem, const product_rules *rules);

/* product_first.c: adds the first calls of contenders that have been checked, medians over several
 * processes; 0, or -1 after saying why. */
int product_first_calls(const product_contender *list, int count, const product_problem *problem,
                        const product_rules *rules);
/* The whole of a fresh process: one call, of which it prints the numbers. Exit status. */
int product_be_fresh(const char *contender, product_problem *problem, const product_rules *rules);

/* Adds how gblite made a product, and what planning took of it. */
void product_explain(cJSON *result, const gbl_Explanation *how);
/* A line of the input on the terminal: seconds of each contender. */
void product_print(const cJSON *input);
/* Prints the means over all inputs and adds them to the document as its summary. */
void product_sum_up(cJSON *document);
