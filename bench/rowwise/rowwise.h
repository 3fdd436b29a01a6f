/* SPDX-License-Identifier: Apache-2.0
 *
 * bench/rowwise: how well the row-wise product predicts the size of its result, what that costs,
 * and what it gains. C = A*A, or A*A' where A is not square; plus-times on FP64. The parts:
 *   main.c              options, the suite, the document
 *   product.c           one input, products of it
 *   estimates_inside.c  estimates of all rows; the only file that looks inside the library
 *   errors.c            errors of the estimates
 *   times.c             where the time of a product goes
 *   race.c              workflows, accumulators and threads against each other
 *   summary.c           means over the suite
 *   table.c             the document as tables
 *
 * Every part adds one member to the JSON object of an input; tables and means are made from that
 * document alone. Times are seconds, medians over the rounds.
 */
#ifndef ROWWISE_H
#define ROWWISE_H

#include "harness/program.h"

/* Numbers of registers that are looked at; bins of the histograms of errors. */
enum { ROWWISE_REGISTER_COUNTS = 3, ROWWISE_BINS = 200 };
extern const int ROWWISE_REGISTERS[ROWWISE_REGISTER_COUNTS];

typedef struct {
    const char *operand; /* as gbl_load takes it */
    char name[64];       /* for people: the operand without folder and .mtx */
    gbl_Matrix A;
    bool square;
    gbl_Index nrows, ncols; /* of A */
    gbl_Index nvals;        /* of C */
    uint64_t *Cp;           /* [nrows + 1] where the rows of C start */
    gbl_Explanation how;    /* of C, all choices left to the planner */
    int rounds, threads;
} rowwise_input;

/* Makes A, multiplies once; 0, or -1 after saying why. rounds and threads are set by the caller. */
int rowwise_load(rowwise_input *in, const char *operand);
void rowwise_unload(rowwise_input *in);

/* One way to compute C; 0 leaves a choice to the planner. */
typedef struct {
    const char *name;
    gbl_Desc_Value workflow;
    int accumulators;
    int threads; /* 0: those of the input */
} rowwise_variant;
enum { ROWWISE_MOST_VARIANTS = 8 };

gbl_Info rowwise_descriptor(gbl_Descriptor *desc, const rowwise_input *in,
                            const rowwise_variant *variant);
/* C = A * B in its final form, where B has the content of A: rows sorted, nothing left lazy. */
gbl_Info rowwise_multiply(gbl_Matrix *C, const rowwise_input *in, gbl_Matrix B,
                          gbl_Descriptor desc);

/* size[nrows]: the estimates that the library makes of the rows of C. clamp: kept within the
 * certain bounds, as products use them. */
gbl_Info rowwise_estimates(float *size, const rowwise_input *in, unsigned registers, bool clamp);

/* Parts: what an input's object gets, or NULL after saying why. */
cJSON *rowwise_features(const rowwise_input *in);
cJSON *rowwise_errors(const rowwise_input *in);
cJSON *rowwise_times(const rowwise_input *in);
cJSON *rowwise_choice(const rowwise_input *in);
cJSON *rowwise_ablation(const rowwise_input *in);
cJSON *rowwise_scaling(const rowwise_input *in);

/* The parts of a product's time, in the order of the work. */
enum { ROWWISE_TIMES = 8 };
extern const char *const ROWWISE_TIME_KEYS[ROWWISE_TIMES];

/* Means over all inputs of the document. */
cJSON *rowwise_summary(const cJSON *inputs);
void rowwise_print(const cJSON *document);

/* A number of a JSON object, 0 where it has none. */
double rowwise_number(const cJSON *object, const char *key);
/* The text of a JSON object, "" where it has none. */
const char *rowwise_text(const cJSON *object, const char *key);

#endif
