/* SPDX-License-Identifier: Apache-2.0
 *
 * A product over ANY and the assign that follows it (gb_FusedAssigns) in one pass: values are
 * summed where the mask keeps its own, or a value goes there, and a place that is found is marked
 * in the mask as it is listed. Nothing that others see is written before all memory is there.
 */
#ifndef GB_MXM_MXV_FUSED_H
#define GB_MXM_MXV_FUSED_H

#include "mxm/mxv_plan.h"
#include "ops/finish.h"

/* Whether the kernel of the plan can: one that finds sums in a set. */
bool gb_mxv_can_fused(const gb_MxvCall *call, const gb_MxvPlan *plan);
/* Bytes that it wants behind the set, where values of sums for all places take so many. */
size_t gb_mxv_fused_bytes(const gb_MxvCall *call, const gb_MxvPlan *plan, size_t values);
/* Before the kernel: args are those of the product. */
void gb_mxv_begin_fused(gb_MxvArgs *args, const gb_MxvCall *call, const gb_MxvPlan *plan);
/* After it: T becomes w, and the mask has what it got. Returns how many calls are made so. */
int32_t gb_mxv_end_fused(const gb_MxvCall *call, gb_Result *T);

#endif
