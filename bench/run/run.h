/* SPDX-License-Identifier: Apache-2.0
 *
 * bench/run: every way to compute one product, on every input of a suite: gblite's methods forced
 * and by its own choice, SuiteSparse:GraphBLAS, Intel MKL. This header is what its parts share:
 *   main.c         options, the suite, files written
 *   race.c         one input: every contender checked, then timed in turns
 *   first.c        the first call in a fresh process
 *   gblite.c, suitesparse.c, mkl.c   the contenders; Intel MKL where it can be loaded
 *   report.c       JSON and CSV; table.c the table and the progress bar on a terminal
 *
 * The product is A*A over plus-times on FP64 with random values, A*A' where A is not square, or
 * C<L> = L*L' over plus-pair on INT64, L the lower triangle of a graph. It begins with matrices in
 * sorted rows and ends with C in sorted rows; gblite gets a fresh copy of A for each product, so
 * that conversions and sketches are part of every time.
 */
#ifndef RUN_H
#define RUN_H

#include "peers/suitesparse.h"

typedef struct {
    peer_input in; /* A, or L when masked */
    bool masked;
    const char *keyword, *operand; /* of the suite */
    bool held_out;
    peer_order order;
    /* facts */
    double flops; /* multiplications: partial products of C */
    double fill, result_entries;
    uint64_t longest_row;
} run_problem;

/* The first call in a fresh process: medians over several processes. */
typedef struct {
    double seconds;
    double resident; /* bytes: the most memory of the process during the call, beyond that before */
    double counted;  /* bytes asked for, at the most; -1: not known */
    double held;     /* bytes asked for that are kept when the result is freed; -1: not known */
    int samples;     /* 0: not measured */
} run_first;

typedef struct {
    char why_not[160];   /* not legal, or no such library, or not asked for; "" when it ran */
    double seconds;      /* median */
    int samples;         /* of which it is the median; 1: too slow for more than the check */
    double bytes;        /* the most that it held, C included; -1: not known */
    double predicted;    /* seconds, by the automatic plan; -1: none */
    gbl_Explanation how; /* of gblite's */
    run_first first;
} run_result;

/* A contender of one race. The functions get `context`; attempt is run() that may find out that the
 * way is not legal: 1 done, 0 not legal (after writing why), -1 failed. equal takes the result. */
typedef struct {
    const char *name; /* as the document calls it */
    int (*attempt)(void *context, char *why_not, size_t size);
    int (*run)(void *context);
    void (*reset)(void *context);
    bool (*equal)(void *context, const peer_csr *reference);
    void (*explain)(void *context, gbl_Explanation *how); /* the last product; NULL: not gblite */
    double (*entries)(void *context); /* of the last result; -1 after saying why */
    double (*peak)(void *context);    /* bytes held by the last product; NULL: counted */
    void (*end)(void *context);
    void *context;
    run_result result;
} run_contender;

/* A way of gblite's; found among the candidates of an explanation by method and workflow. */
typedef struct {
    const char *name;
    gbl_Desc_Value method, workflow;
    const char *method_text, *workflow_text; /* "" where they do not matter */
    int with_mask;                           /* 1: only with, -1: only without, 0: either */
} run_way;
extern const run_way RUN_WAYS[];
extern const int RUN_WAY_COUNT; /* the first is the automatic choice */

enum { RUN_MOST = 16 };
typedef struct {
    run_contender list[RUN_MOST];
    int count;
} run_race;

/* Fill in a contender; 0, or -1 after saying why. */
int run_mine_new(run_contender *c, const run_problem *problem, const run_way *way);
int run_other_new(run_contender *c, const run_problem *problem);
int run_mkl_new(run_contender *c, const run_problem *problem);
/* SuiteSparse's last result, which the others are compared with; the caller drops it. */
peer_csr run_other_take(run_contender *c);

/* What is measured of every input. */
enum { RUN_MOST_CHOSEN = 32 };
typedef struct {
    bench_setup setup;
    const char *contenders[RUN_MOST_CHOSEN]; /* that run, SuiteSparse to check them; none: all */
    int contender_count;
    bool regret;       /* gblite's ways alone are timed */
    int first_calls;   /* fresh processes of every contender but the forced ways */
    const char *peers; /* folder of MKL */
} run_rules;
int run_load(run_problem *problem);
/* Measures one input. 0, or -1 after saying why; a wrong result is a failure. */
int run_input(run_race *race, run_problem *problem, const run_rules *rules);

/* first.c: sets the first calls of a race that has been checked; 0, or -1 after saying why. */
int run_first_calls(run_race *race, const run_problem *problem, const run_rules *rules);
/* The whole of a fresh process: one call, of which it prints the numbers. Exit status. */
int run_be_fresh(const char *contender, run_problem *problem, const run_rules *rules);

/* Starts gblite and SuiteSparse with counted allocators; 0, or -1 after saying why. */
int run_start(const run_rules *rules);
void run_end(run_race *race);
const run_result *run_find(const run_race *race, const char *name); /* NULL: did not run */
/* The quickest forced way of gblite, or NULL. */
const run_contender *run_best_forced(const run_race *race);
/* Time of the automatic choice over that of the best forced way; NAN when one did not run. */
double run_regret(const run_race *race);
/* What planning takes of a product, without what its kernel reads. */
double run_plan_share(const gbl_Explanation *how);

cJSON *run_report(const run_race *race, const run_problem *problem);
/* Writes name.json and name.csv into the folder, replacing what is there. */
int run_write(const cJSON *document, const char *folder, const char *name);

void run_table_head(void);
void run_table_row(const run_race *race, const run_problem *problem);
/* Prints the means over all inputs and adds them to the document as its summary. */
void run_table_foot(cJSON *document);
/* On a terminal: `done` of `all` inputs are done, the next one is `name`. NULL: wipes the bar. */
void run_progress(int done, int all, double started, const char *name);

#endif
