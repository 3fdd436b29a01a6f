/* SPDX-License-Identifier: Apache-2.0
 *
 * Compression ratio of C, and its tiles, from a few of its rows.
 */
#ifndef GB_MXM_PLAN_SAMPLE_H
#define GB_MXM_PLAN_SAMPLE_H

#include "mxm/plan/features.h"

/* Into f, whose flops are counted, flops[m] > 0; B exists by rows. Takes a few percent of the
 * product; where A exists by columns alone, two passes over its indices besides. */
gbl_Info gb_sample(gb_Features *f, const gb_Operands *in);

/* Flops of A, by rows, times B, by columns, without counting: inner indices of some entries of A
 * are looked up among some of B's; as large a share of all pairs of entries agree. 0 where so few
 * agree that it tells nothing. 20 us. */
double gb_sample_flops(const gb_CsView *A, const gb_CsView *columns);

#endif
