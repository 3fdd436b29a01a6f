/* SPDX-License-Identifier: Apache-2.0
 *
 * The jobs of bench/scaling and bench/scaling_model.
 */
#ifndef SCALING_SCALING_H
#define SCALING_SCALING_H

#include "gblite_io.h"

typedef struct {
    gbl_Matrix A;     /* square, FP64 */
    gbl_Matrix fresh; /* the same, made anew before every run */
    gbl_Matrix C;     /* empty before every run */
    gbl_Vector x, y;  /* full; empty */
    gbl_Index n, nvals;
    gbl_Index *rows, *cols; /* entries of A in an order of chance */
    double *values;
} scaling_input;

typedef struct {
    const char *name;
    gbl_Info (*run)(scaling_input *in); /* nothing is deferred when it returns */
} scaling_job;

extern const scaling_job scaling_jobs[];
extern const int scaling_job_count;

/* These return 0, or -1 after saying why. */
int scaling_load(scaling_input *in, const char *operand);
int scaling_reset(scaling_input *in); /* before every run */
void scaling_unload(scaling_input *in);

#endif
