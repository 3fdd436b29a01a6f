/* SPDX-License-Identifier: Apache-2.0
 *
 * The search for tau; see spamm_tau.h.
 */
#include "mxm/methods/spamm_tau.h"

#include <float.h>
#include <math.h>
#include <string.h>

#include "core/tune.h"
#include "matrix/norms.h"

/* The root of the sum of squares of what tau leaves out of column k of A with row k of B, where
 * squares would overflow or vanish; products that vanish count as the least number. */
static double careful_bound(const gb_SpammNorms *norms, uint64_t k, double tau) {
    const gb_SpammRank *b = norms->rank + norms->bp[k];
    const double *beyond = norms->beyond + norms->bp[k] + k;
    uint64_t valid = norms->bp[k + 1] - norms->bp[k];
    double bound = 0.0;
    for (gb_Off p = norms->ap[k]; p < norms->ap[k + 1]; p++) {
        const double a = norms->a[p];
        while (valid > 0 && gb_spamm_skips(a, b[valid - 1].norm, tau)) valid--;
        if (a > 0.0 && beyond[valid] > 0.0)
            bound = gb_norms_join((const double[]){bound, a * beyond[valid] + DBL_TRUE_MIN}, 2);
    }
    return bound;
}

/* Column k of A with row k of B: adds to the outcome. */
static void add_inner(gb_SpammOutcome *to, const gb_SpammNorms *norms, uint64_t k, double tau) {
    const gb_SpammRank *b = norms->rank + norms->bp[k];
    const double *beyond = norms->beyond + norms->bp[k] + k;
    uint64_t valid = norms->bp[k + 1] - norms->bp[k];
    double squares = 0.0;
    for (gb_Off p = norms->ap[k]; p < norms->ap[k + 1]; p++) {
        const double a = norms->a[p];
        while (valid > 0 && gb_spamm_skips(a, b[valid - 1].norm, tau)) valid--;
        to->valid += (double)valid;
        const double out = beyond[valid] > 0.0 ? a * beyond[valid] : 0.0; /* no 0 * inf */
        squares += out * out;
    }
    to->bound += gb_squares_are_plain(squares) ? sqrt(squares) : careful_bound(norms, k, tau);
}

gb_SpammOutcome gb_spamm_outcome(const gb_SpammNorms *norms, double tau) {
    gb_SpammOutcome outcome = {0.0, 0.0};
    for (uint64_t k = 0; k < norms->inner; k++) add_inner(&outcome, norms, k, tau);
    outcome.bound *= 1.0 + GB_SPAMM_ROUNDING;
    return outcome;
}

/* Doubles that are not negative come in the order of their bits. */
static double of_bits(uint64_t bits) {
    double x;
    memcpy(&x, &bits, sizeof x);
    return x;
}
static uint64_t to_bits(double x) {
    uint64_t bits;
    memcpy(&bits, &x, sizeof bits);
    return bits;
}

/* Bits of a double below those that count for a millionth. */
#define FINE ((uint64_t)1 << 32)

static double ratio_at(const gb_SpammAsk *ask, double tau) {
    return ask->outcome(ask->context, tau).valid / ask->triples;
}

static double tau_for_ratio(const gb_SpammAsk *ask, double ratio) {
    uint64_t low = 0, high = to_bits(HUGE_VAL);
    double above = ratio_at(ask, 0.0), below = 0.0; /* ratios at low and high */
    if (above <= ratio) return 0.0;
    while (high - low > FINE) {
        const uint64_t middle = low + (high - low) / 2;
        const double found = ratio_at(ask, of_bits(middle));
        if (fabs(found - ratio) <= GB_SPAMM_RATIO_ERROR * ratio) return of_bits(middle);
        if (found >= ratio)
            low = middle, above = found;
        else
            high = middle, below = found;
    }
    return of_bits(above - ratio <= ratio - below ? low : high);
}

static double tau_for_bound(const gb_SpammAsk *ask, double error) {
    uint64_t low = 0, high = to_bits(HUGE_VAL);
    while (high - low > FINE) {
        const uint64_t middle = low + (high - low) / 2;
        if (ask->outcome(ask->context, of_bits(middle)).bound <= error)
            low = middle;
        else
            high = middle;
    }
    return of_bits(low);
}

double gb_spamm_find_tau(const gb_SpammAsk *ask, const gb_Choices *choices) {
    if (choices->approximates == GBL_TAU) return choices->approximate;
    if (choices->approximates == GBL_VALID_RATIO) return tau_for_ratio(ask, choices->approximate);
    if (choices->approximates == GBL_ERROR_BOUND) return tau_for_bound(ask, choices->approximate);
    return 0.0;
}
