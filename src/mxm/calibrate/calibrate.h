/* SPDX-License-Identifier: Apache-2.0
 *
 * Measuring the machine: small products with every method forced, and the rates that explain their
 * times.
 */
#pragma once

#include "core/tune.h"
#include "mxm/model/cost.h"

/* A table for this machine and the kernels in use, less than two minutes later. GBL_CANCELLED when
 * the progress callback says so. */
gbl_Info gb_calibrate(gb_MachineTable *machine);

/* Rates of the GPU, by products that grow until one takes `most` seconds (GB_MEASURE_DEVICE). */
#define GB_MEASURE_DEVICE GB_TUNED(0.03, 1e-3)
gbl_Info gb_calibrate_device(gb_DeviceRates *rates, double most);

/* -- rates from measured products (fit.c) ------------------------------------------------------ */

/* Non-negative least squares on relative errors. */
enum { GB_FIT_MOST = 512 }; /* samples */

typedef struct {
    const gb_MachineTable *prior;      /* rates that are drawn to; all positive */
    double row[GB_FIT_MOST][GB_RATES]; /* ns of each prior rate; solving: parts of the time */
    double seconds[GB_FIT_MOST];
    double gram[GB_RATES][GB_RATES], right[GB_RATES];
    int n, at;
} gb_Fit;

void gb_fit_begin(gb_Fit *fit, const gb_MachineTable *prior);
/* What took so many seconds did that; samples after the first GB_FIT_MOST are left out. */
void gb_fit_add(gb_Fit *fit, const gb_Counts *counts, double seconds);
/* From now on the same samples come again, in the same order: the shorter time counts. */
void gb_fit_again(gb_Fit *fit);
/* Scales the prior rates, `prior`, and what was counted with them, so that half of the samples take
 * longer than they say: for machines that are not of their kind. Before solving. */
void gb_fit_scale_prior(gb_Fit *fit, gb_MachineTable *prior);
/* The positive rates of least sum of squared relative errors, where errors count the same whether a
 * prediction is too large or too small, and outliers count less. They are drawn a little to the
 * prior ones, which decide where the samples say nothing. */
void gb_fit_solve(gb_Fit *fit, double ns[GB_RATES]);
/* Half of the samples are predicted better than by this factor, as |log2|; after gb_fit_solve. */
double gb_fit_error(const gb_Fit *fit, const double ns[GB_RATES]);

/* -- small matrices to measure with (synthetic.c) ---------------------------------------------- */

/* The same on every machine. */
typedef enum {
    GB_UNIFORM, /* a entries a row on average, anywhere */
    GB_SKEWED,  /* the same number of entries, rows and columns of small number more often */
    GB_BANDED,  /* |i - j| <= a */
    GB_FILLED,  /* an entry at every position */
    GB_BLOCKS,  /* grid of sqrt(nrows) / a points a side, nine neighbours each, full a x a blocks */
} gb_Shape;

typedef struct {
    gb_Shape shape;
    uint64_t nrows, ncols;
    unsigned a;
} gb_Synthetic;

/* A new FP64 matrix, by rows. */
gbl_Info gb_synthetic_new(gb_Matrix **A, const gb_Synthetic *what);
