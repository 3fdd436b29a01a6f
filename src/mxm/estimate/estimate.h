/* SPDX-License-Identifier: Apache-2.0
 *
 * Analysis of a row-wise product (Ocean, ICS '26, sections 3.2 and 4.3): what gbl_mxm_estimate
 * knows about C before a single multiplication.
 */
#ifndef GB_MXM_ESTIMATE_H
#define GB_MXM_ESTIMATE_H

#include "mxm/model/features.h"

typedef struct {
    double expansion;   /* flops per entry of A (ER) */
    double upper_bound; /* entries of C: sum of min(flops, columns) over the rows */
    unsigned registers; /* of the sketches to use */
    /* from sampled rows; sampled is 0 when no row was looked at */
    uint64_t sampled;
    double compression;       /* flops per entry of C (CR) */
    double compression_error; /* relative; exceeded in at most 1 of 20 cases (Chebyshev) */
} gb_Analysis;

/* O(m): what the counts of flops say. */
void gb_analyse_flops(gb_Analysis *a, const gb_MxmCall *call, const gb_Features *features);
/* Samples rows of A; makes the sketches of B if there are none. O(nnz(B)) once, then O(samples). */
gbl_Info gb_analyse_sample(gb_Analysis *a, const gb_MxmCall *call, const gb_CsView *A,
                           const uint64_t *flops);

gbl_Info gb_mxm_estimate(gbl_MxmEstimate *estimate, const gb_MxmCall *call);

#endif
