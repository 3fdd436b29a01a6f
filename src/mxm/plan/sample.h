/* SPDX-License-Identifier: Apache-2.0
 *
 * Compression ratio of C, and its tiles, from a few of its rows.
 */
#ifndef GB_MXM_PLAN_SAMPLE_H
#define GB_MXM_PLAN_SAMPLE_H

#include "mxm/model/features.h"

/* The k-th of the places in [0, total) that are looked at, spread evenly however many are taken:
 * the bits of k mirrored. */
static inline uint64_t gb_spread(uint64_t total, uint32_t k) {
    uint32_t mirrored = 0;
    for (unsigned b = 0; b < 32; b++) mirrored |= (k >> b & 1u) << (31 - b);
    return (uint64_t)((double)total * ((double)mirrored + 0.5) / 4294967296.0);
}

/* Into f, whose flops are counted, flops[m] > 0; B exists by rows. Takes a few percent of the
 * product; where A exists by columns alone, two passes over its indices besides. */
gbl_Info gb_sample(gb_Features *f, const gb_Operands *in);

/* Flops of A, by rows, times B, by columns, without counting: inner indices of some entries of A
 * are looked up among some of B's; as large a share of all pairs of entries agree. 0 where so few
 * agree that it tells nothing. 20 us. */
double gb_sample_flops(const gb_CsView *A, const gb_CsView *columns);

#endif
