/* SPDX-License-Identifier: Apache-2.0
 *
 * Products that are timed: one way to multiply, and races of several ways, with or without
 * SuiteSparse, whose results are checked against each other.
 *   product.c  multiplying; equality of results; races
 *   parts.c    programs that measure in parts: options, the suite, the document
 */
#ifndef PRODUCT_H
#define PRODUCT_H

#include "compare.h"
#include "program.h"

/* One way to compute a product, and the form that its result is wanted in. */
typedef struct {
    const char *name; /* as the document calls it */
    gbl_Desc_Value method, workflow;
    unsigned form; /* GBL_HAS_CSR or GBL_HAS_TILE16 */
    bool cold;     /* A has but its rows yet; the product is A*A, or A*A' */
} bench_way;

/* C<M> = A * B or A * B'; of the mask the pattern counts. */
typedef struct {
    bench_way way;
    gbl_Matrix A, B, M; /* M NULL: no mask */
    bool transpose_b;
    gbl_Semiring ring;
    gbl_Type type;                /* of C */
    int32_t bin_bytes, bin_lines; /* of OUTER; 0 leaves them to the planner */
    gbl_Descriptor desc;
    gbl_Matrix fresh, C;
    gbl_Explanation how; /* of the last run */
} bench_product;

/* Contender of bench_take_turns around a product. C is in its final form when the time stops: what
 * of it has to be converted has been. */
int bench_run(void *product);
void bench_reset(void *product);
gbl_Info bench_multiply(bench_product *p);
gbl_Info bench_look(gbl_Matrix C); /* makes the rows of C */
void bench_drop(bench_product *p); /* not A, B, M */

typedef struct {
    int rounds, threads;
} bench_setup;

enum { BENCH_MOST_PRODUCTS = 6 };
/* Runs products in turns, adds the median of each to the object under the name of its way, and
 * checks that their results are the same. */
int bench_race(cJSON *object, bench_product *products, int count, const bench_setup *setup);
/* The same with A*A (A*A' where A is not square), all of whose results are wanted by rows, and
 * SuiteSparse's among the contenders, under its name. Takes the content of the results. */
int bench_race_other(cJSON *object, const compare_input *in, bench_product *products, int count,
                     const bench_setup *setup);
/* Whether all entries of C and D are the same, bit by bit. Takes the content of both. */
gbl_Info bench_same(bool *same, gbl_Matrix C, gbl_Matrix D);

/* A matrix with random values. */
gbl_Info bench_load_weighted(gbl_Matrix *A, const char *operand);
gbl_Info bench_load_square(gbl_Matrix *A, const char *operand);

/* A part makes one JSON object of an input: 0, or -1 after saying why. */
typedef struct {
    const char *name;
    const char *keyword; /* of the lines of the suite that it runs on */
    int (*measure)(cJSON *object, const char *operand, const bench_setup *setup);
    gbl_Info (*start)(void); /* of the library; NULL: with freed memory kept */
} bench_part;

typedef struct {
    const char *about, *suite;
    const bench_part *parts;
    int count;
} bench_program;

/* main() of a program that measures the chosen parts and prints one document with a member for
 * each. Exit status 0 when every part of every input was measured and every result was right, 1
 * when one was not, 64 for a wrong command line. */
int bench_measure_parts(int argc, char **argv, const bench_program *program);

#endif
