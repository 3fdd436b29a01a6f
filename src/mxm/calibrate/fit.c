/* SPDX-License-Identifier: Apache-2.0
 *
 * Non-negative least squares by coordinate descent, reweighted; see calibrate.h. Unknowns are rates
 * relative to the prior ones, which makes them all of order 1.
 */
#include "mxm/calibrate/calibrate.h"

#include <stdlib.h>

enum { ROUNDS = 6, SWEEPS = 600 };
/* A prior rate counts as much as this part of a product that does nothing else. */
#define GB_FIT_TRUST 0.02
/* No rate falls below this part of the prior one: everything takes some time. */
#define GB_FIT_LEAST 0.02
/* A sample that is wrong by this much, as log2, counts half. */
#define GB_FIT_OUTLIER 0.5
/* Weights of predictions below this part of the measured time are not raised further. */
#define GB_FIT_LOWEST 0.3

void gb_fit_begin(gb_Fit *fit, const gb_MachineTable *prior) {
    fit->prior = prior;
    fit->n = fit->at = 0;
}

void gb_fit_again(gb_Fit *fit) {
    fit->at = 0;
}

void gb_fit_add(gb_Fit *fit, const gb_Counts *counts, double seconds) {
    const int k = fit->at;
    if (k == GB_FIT_MOST || !(seconds > 0.0)) return;
    fit->at++;
    if (k < fit->n) {
        fit->seconds[k] = fmin(fit->seconds[k], seconds);
        return;
    }
    fit->n = fit->at;
    fit->seconds[k] = seconds;
    for (int r = 0; r < GB_RATES; r++) fit->row[k][r] = counts->n[r] * fit->prior->ns[r];
}

static double predict(const double row[GB_RATES], const double x[GB_RATES]) {
    double sum = 0.0;
    for (int r = 0; r < GB_RATES; r++) sum += row[r] * x[r];
    return sum;
}

/* Least squares of relative errors weigh too large predictions more than too small ones; divided by
 * the prediction they weigh about as the errors of logarithms. */
static double weight(double predicted) {
    const double error = log2(fmax(predicted, 1e-9)) / GB_FIT_OUTLIER;
    return 1.0 / fmax(predicted, GB_FIT_LOWEST) / (1.0 + error * error);
}

static void add_up(gb_Fit *fit, const double x[GB_RATES]) {
    memset(fit->gram, 0, sizeof fit->gram);
    for (int r = 0; r < GB_RATES; r++) {
        fit->gram[r][r] = GB_FIT_TRUST;
        fit->right[r] = GB_FIT_TRUST;
    }
    for (int k = 0; k < fit->n; k++) {
        const double *row = fit->row[k], w = weight(predict(row, x));
        for (int r = 0; r < GB_RATES; r++) {
            if (row[r] == 0.0) continue;
            for (int s = 0; s < GB_RATES; s++) fit->gram[r][s] += w * row[r] * row[s];
            fit->right[r] += w * row[r];
        }
    }
}

static int ascending(const void *x, const void *y) {
    const double a = *(const double *)x, b = *(const double *)y;
    return (a > b) - (a < b);
}

void gb_fit_scale_prior(gb_Fit *fit, gb_MachineTable *prior) {
    double x[GB_RATES], ratio[GB_FIT_MOST];
    if (fit->n == 0) return;
    for (int r = 0; r < GB_RATES; r++) x[r] = 1.0;
    for (int k = 0; k < fit->n; k++) ratio[k] = 1e9 * fit->seconds[k] / predict(fit->row[k], x);
    qsort(ratio, (size_t)fit->n, sizeof *ratio, ascending);
    const double by = ratio[fit->n / 2];
    for (int r = 0; r < GB_RATES; r++) prior->ns[r] *= by;
    for (int k = 0; k < fit->n; k++)
        for (int r = 0; r < GB_RATES; r++) fit->row[k][r] *= by;
}

void gb_fit_solve(gb_Fit *fit, double ns[GB_RATES]) {
    double x[GB_RATES];
    for (int r = 0; r < GB_RATES; r++) x[r] = 1.0;
    for (int k = 0; k < fit->n; k++)
        for (int r = 0; r < GB_RATES; r++) fit->row[k][r] *= 1e-9 / fit->seconds[k];
    for (int round = 0; round < ROUNDS; round++) {
        add_up(fit, x);
        for (int sweep = 0; sweep < SWEEPS; sweep++)
            for (int r = 0; r < GB_RATES; r++) {
                const double others = predict(fit->gram[r], x) - fit->gram[r][r] * x[r];
                x[r] = fmax((fit->right[r] - others) / fit->gram[r][r], GB_FIT_LEAST);
            }
    }
    for (int r = 0; r < GB_RATES; r++) ns[r] = x[r] * fit->prior->ns[r];
}

double gb_fit_error(const gb_Fit *fit, const double ns[GB_RATES]) {
    double x[GB_RATES], error[GB_FIT_MOST];
    for (int r = 0; r < GB_RATES; r++) x[r] = ns[r] / fit->prior->ns[r];
    for (int k = 0; k < fit->n; k++) error[k] = fabs(log2(predict(fit->row[k], x)));
    qsort(error, (size_t)fit->n, sizeof *error, ascending);
    return fit->n > 0 ? error[fit->n / 2] : 0.0;
}
