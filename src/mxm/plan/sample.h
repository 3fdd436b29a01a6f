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

#endif
