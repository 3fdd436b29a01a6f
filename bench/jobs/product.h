/* SPDX-License-Identifier: Apache-2.0
 *
 * Jobs of one product by many contenders on every input of a suite: gblite's methods forced and by
 * its own choice, SuiteSparse:GraphBLAS, Intel MKL.
 *   product.c        the jobs, which differ in suite and contenders; options, files written
 *   product_race.c   one input: every contender checked, then timed in turns
 *   product_first.c  the first call in a fresh process
 *   product_gblite.c, product_peers.c   the contenders; Intel MKL where it can be loaded
 *   product_report.c JSON; product_table.c the table and the progress bar on a terminal
 *
 * The product is A*A over plus-times on FP64 with random values, A*A' where A is not square, or
 * C<L> = L*L' over plus-pair on INT64, L the lower triangle of a graph. It begins with matrices in
 * sorted rows and ends with C in sorted rows; gblite gets a fresh copy of A for each product, so
 * that conversions and sketches are part of every time, except where a variant is warm.
 */
#ifndef JOBS_PRODUCT_H
#define JOBS_PRODUCT_H

#include "jobs/job.h"
#include "jobs/sides.h"
#include "peers/input.h"
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
} product_problem;

/* The first call in a fresh process: medians over several processes. */
typedef struct {
    double seconds;
    double resident; /* bytes: the most memory of the process during the call, beyond that before */
    double counted;  /* bytes asked for, at the most; -1: not known */
    double held;     /* bytes asked for that are kept when the result is freed; -1: not known */
    int samples;     /* 0: not measured */
} product_first;

typedef struct {
    char why_not[160];   /* not legal, or no such library, or not asked for; "" when it ran */
    double seconds;      /* median */
    int samples;         /* of which it is the median; 1: too slow for more than the check */
    double bytes;        /* the most that it held, C included; -1: not known */
    double predicted;    /* seconds, by the automatic plan; -1: none */
    gbl_Explanation how; /* of gblite's */
    product_first first;
} product_result;

/* A contender of one race. The functions get `context`; attempt is run() that may find out that the
 * variant is not legal: 1 done, 0 not legal (after writing why), -1 failed. */
typedef struct {
    const char *name; /* as the document calls it */
    int (*attempt)(void *context, char *why_not, size_t size);
    int (*run)(void *context);
    void (*reset)(void *context);
    int (*take)(void *context, side_tuples *t); /* the last result; 0, or -1 after saying why */
    void (*explain)(void *context, gbl_Explanation *how); /* the last product; NULL: not gblite */
    double (*entries)(void *context); /* of the last result; -1 after saying why */
    double (*peak)(void *context);    /* bytes held by the last product; NULL: counted */
    void (*end)(void *context);
    void *context;
    bool extra; /* not what to compare the automatic choice with */
    product_result result;
} product_contender;

/* A variant of gblite's; found among the candidates of an explanation by method and workflow. */
typedef struct {
    const char *name;
    gbl_Desc_Value method, workflow;
    const char *method_text, *workflow_text; /* "" where they do not matter */
    int with_mask;                           /* 1: only with, -1: only without, 0: either */
    bool extra;                              /* runs only where a job or --contender names it */
    bool warm;                               /* A keeps the forms that earlier products made */
    bool in_tiles;                           /* C may stay in tiles */
    gbl_Desc_Value vector;                   /* of VECTOR */
} product_variant;
extern const product_variant PRODUCT_VARIANTS[];
extern const int PRODUCT_VARIANT_COUNT; /* the first is the automatic choice */

enum { PRODUCT_MOST = 24 };
typedef struct {
    product_contender list[PRODUCT_MOST];
    int count;
} product_race;

/* Fill in a contender; 0, or -1 after saying why. */
int product_mine_new(product_contender *c, const product_problem *problem,
                     const product_variant *variant);
int product_other_new(product_contender *c, const product_problem *problem);
int product_mkl_new(product_contender *c, const product_problem *problem);

/* What is measured of every input. */
enum { PRODUCT_MOST_CHOSEN = 32 };
typedef struct {
    bench_setup setup;
    const char
        *contenders[PRODUCT_MOST_CHOSEN]; /* that run, SuiteSparse to check them; none: all */
    int contender_count;
    bool regret;       /* gblite's variants alone are timed */
    int first_calls;   /* fresh processes of every contender but the forced variants */
    const char *peers; /* folder of MKL */
} product_rules;
int product_load(product_problem *problem);
/* Measures one input. 0, or -1 after saying why; a wrong result is a failure. */
int product_input(product_race *race, product_problem *problem, const product_rules *rules);

/* product_first.c: sets the first calls of a race that has been checked; 0, or -1 after saying why.
 */
int product_first_calls(product_race *race, const product_problem *problem,
                        const product_rules *rules);
/* The whole of a fresh process: one call, of which it prints the numbers. Exit status. */
int product_be_fresh(const char *contender, product_problem *problem, const product_rules *rules);

void product_end(product_race *race);
const product_result *product_find(const product_race *race,
                                   const char *name); /* NULL: did not run */
/* The quickest forced variant of gblite, or NULL. */
const product_contender *product_best_forced(const product_race *race);
/* Time of the automatic choice over that of the best forced variant; NAN when one did not run. */
double product_regret(const product_race *race);
/* What planning takes of a product, without what its kernel reads. */
double product_plan_share(const gbl_Explanation *how);

cJSON *product_report(const product_race *race, const product_problem *problem);
/* Writes name.json into the folder, replacing what is there. */
int product_write(const cJSON *document, const char *folder, const char *name);

void product_table_head(void);
void product_table_row(const product_race *race, const product_problem *problem);
/* Prints the means over all inputs and adds them to the document as its summary. */
void product_table_foot(cJSON *document);
/* On a terminal: `done` of `all` inputs are done, the next one is `name`. NULL: wipes the bar. */
void product_progress(int done, int all, double started, const char *name);

#endif
