/* SPDX-License-Identifier: Apache-2.0
 *
 * Products that are timed: one way to multiply, and races of several ways, whose results are
 * checked against each other.
 */
#ifndef HARNESS_PRODUCT_H
#define HARNESS_PRODUCT_H

#include "harness/program.h"

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

enum { BENCH_MOST_PRODUCTS = 6 };
/* Runs products in turns, adds the median of each to the object under the name of its way, and
 * checks that their results are the same. */
int bench_race(cJSON *object, bench_product *products, int count, const bench_setup *setup);
/* Whether all entries of C and D are the same, bit by bit. Takes the content of both. */
gbl_Info bench_same(bool *same, gbl_Matrix C, gbl_Matrix D);

/* A matrix with random values. */
gbl_Info bench_load_weighted(gbl_Matrix *A, const char *operand);
gbl_Info bench_load_square(gbl_Matrix *A, const char *operand);

#endif
