/* SPDX-License-Identifier: Apache-2.0
 *
 * How much neighbouring rows of A have in common, from a few panels of them.
 */
#ifndef GB_MXM_PLAN_PANELS_H
#define GB_MXM_PLAN_PANELS_H

#include "mxm/plan/features.h"

/* Rows of a panel of the product: 16 for values of 1 or 4 bytes, else 8. */
double gb_panel_lanes(const gb_Features *f);
/* f->panels, from sorted rows of A and B; flops are counted, flops[m] > 0. At most a few thousand
 * entries of A are looked at, some 8 ns each. */
void gb_sample_panels(gb_Features *f, const gb_Operands *in);

#endif
