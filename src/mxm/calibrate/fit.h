/* SPDX-License-Identifier: Apache-2.0
 *
 * Rates of a machine table from measured products: non-negative least squares on relative errors.
 */
#ifndef GB_MXM_FIT_H
#define GB_MXM_FIT_H

#include "mxm/model/cost.h"

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

#endif
