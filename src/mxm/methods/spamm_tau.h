/* SPDX-License-Identifier: Apache-2.0
 *
 * What a tau leaves out of a product, and the tau that leaves out what was asked for (cuSpAMM,
 * section 3.5.2). O(sub-matrices) for one tau, whatever the number of their products: both lists of
 * norms fall, so what a norm of A is multiplied with only grows shorter.
 *
 * The bound. Sub-matrices A(I,k) B(k,J) that are left out fall on different places of C for one k,
 * so ||E||_F is at most the sum over k of sqrt(sum of (norm A(I,k) * norm B(k,J))^2) over those
 * left out: never more than the sum of their products of norms, and less by up to BDIM.
 */
#ifndef GB_MXM_METHODS_SPAMM_TAU_H
#define GB_MXM_METHODS_SPAMM_TAU_H

#include "mxm/model/choices.h"
#include "mxm/methods/spamm_blocks.h"

/* What a tau does by the norms of a product. */
gb_SpammOutcome gb_spamm_outcome(const gb_SpammNorms *norms, double tau);

/* The tau that was asked for, 0 where nothing was. By bisection over all doubles, which ends when
 * it is known to a millionth: for a ratio the tau whose ratio of valid products to all is nearest,
 * or within GB_SPAMM_RATIO_ERROR of it, 0 where all products that there are do not reach it; for an
 * error the largest tau whose bound is at most that. */
double gb_spamm_find_tau(const gb_SpammAsk *ask, const gb_Choices *choices);

#endif
