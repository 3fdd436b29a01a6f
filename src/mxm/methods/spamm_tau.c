/* SPDX-License-Identifier: Apache-2.0
 *
 * The search for tau; see spamm_tau.h.
 */
#include "mxm/methods/spamm_tau.h"

#include <math.h>
#include <string.h>

#include "core/tune.h"

/* Norms err by less than 2^-42 of themselves, and sums of squares of up to 2^31 of them, relative
 * to the sum, by less than 2^-21 in the worst case. */
#define ROUNDING 0x1p-20

/* Column k of A with row k of B: adds to the outcome. */
static void add_inner(gb_SpammOutcome *to, const gb_SpammNorms *norms, uint64_t k, double tau) {
    const gb_SpammRank *b = norms->rank + norms->bp[k];
    const double *beyond = norms->beyond + norms->bp[k] + k;
    const uint64_t n = norms->bp[k + 1] - norms->bp[k];
    double squares = 0.0, ascale = 0.0, bscale = 0.0;
    for (uint64_t q = 0; q < n && bscale == 0.0; q++)
        if (isfinite(b[q].norm)) bscale = b[q].norm;
    uint64_t valid = n;
    for (gb_Off p = norms->ap[k]; p < norms->ap[k + 1]; p++) {
        const double a = norms->a[p];
        while (valid > 0 && gb_spamm_skips(a, b[valid - 1].norm, tau)) valid--;
        to->valid += (double)valid;
        if (valid == n || a == 0.0) continue;
        if (ascale == 0.0) ascale = a; /* the largest: what is skipped is finite */
        squares += (a / ascale) * (a / ascale) * beyond[valid];
    }
    to->bound += ascale * bscale * sqrt(squares);
}

gb_SpammOutcome gb_spamm_outcome(const gb_SpammNorms *norms, double tau) {
    gb_SpammOutcome outcome = {0.0, 0.0};
    for (uint64_t k = 0; k < norms->inner; k++) add_inner(&outcome, norms, k, tau);
    outcome.bound *= 1.0 + ROUNDING;
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

static double ratio_at(const gb_SpammNorms *norms, double tau) {
    return gb_spamm_outcome(norms, tau).valid / norms->triples;
}

double gb_spamm_tau_for_ratio(const gb_SpammNorms *norms, double ratio) {
    uint64_t low = 0, high = to_bits(HUGE_VAL);
    double above = ratio_at(norms, 0.0), below = 0.0; /* ratios at low and high */
    if (above <= ratio) return 0.0;
    while (high - low > FINE) {
        const uint64_t middle = low + (high - low) / 2;
        const double found = ratio_at(norms, of_bits(middle));
        if (fabs(found - ratio) <= GB_SPAMM_RATIO_ERROR * ratio) return of_bits(middle);
        if (found >= ratio)
            low = middle, above = found;
        else
            high = middle, below = found;
    }
    return of_bits(above - ratio <= ratio - below ? low : high);
}

double gb_spamm_tau_for_bound(const gb_SpammNorms *norms, double error) {
    uint64_t low = 0, high = to_bits(HUGE_VAL);
    while (high - low > FINE) {
        const uint64_t middle = low + (high - low) / 2;
        if (gb_spamm_outcome(norms, of_bits(middle)).bound <= error)
            low = middle;
        else
            high = middle;
    }
    return of_bits(low);
}
