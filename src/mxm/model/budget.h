/* SPDX-License-Identifier: Apache-2.0
 *
 * What GBL_MEMORY_LIMIT makes of a product: how many threads, how fine chunks and bins, how large
 * slices. Everything here is a bound, not an expectation: a call never takes more than the limit
 * beside what it leaves behind (C, and forms that it added to its operands).
 *
 * A method says what it holds all along and what its least slice needs (gb_Workspace). What the
 * limit leaves beside the fixed bytes is for slices. Without a limit nothing is cut: the budget is
 * then a share of the machine's memory, and only the choice among methods respects it.
 */
#ifndef GB_MXM_PLAN_BUDGET_H
#define GB_MXM_PLAN_BUDGET_H

#include "mxm/model/method.h"

gb_Budget gb_budget(const gb_Method *m, const gb_CostCase *s);
/* Whatever the kernel wants, in chunks of so much work. */
gb_Allowance gb_allow_all(uint64_t chunk);
/* Slices that the budget makes of C. */
double gb_budget_slices(const gb_Budget *budget);
/* The limit that the method needs when a slice takes so many bytes. */
double gb_budget_wanted(const gb_Method *m, const gb_CostCase *s, double slice);

#endif
