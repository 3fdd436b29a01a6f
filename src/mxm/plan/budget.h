/* SPDX-License-Identifier: Apache-2.0
 *
 * What GBL_MEMORY_LIMIT makes of a product: how many threads, how fine chunks and bins, how large
 * slices. Everything here is a bound, not an expectation: a call never takes more than the limit
 * beside what it leaves behind (C, and forms that it added to its operands).
 *
 * A way holds `fixed` bytes all along, which grow with threads and depend on how finely the work is
 * cut, and needs `unit` bytes at least for a slice of C's rows. What the limit leaves beside the
 * fixed bytes is for slices. Without a limit nothing is cut: the budget is then a share of the
 * machine's memory, and only the choice among ways respects it.
 */
#ifndef GB_MXM_BUDGET_H
#define GB_MXM_BUDGET_H

#include "mxm/plan/cost.h"
#include "mxm/mxm.h"

typedef struct gb_Budget {
    gb_Allowance allow;
    int threads;
    unsigned accumulators; /* GBL_ACCUMULATE_ bits */
    size_t bin_bytes;      /* outer; 0: by the second cache */
    double wanted;         /* bytes without which the way cannot work at all; 0: no limit */
} gb_Budget;

gb_Budget gb_budget(const gb_Features *f, gb_Way way);
/* Slices that the budget makes of C, but for tiled. */
double gb_budget_slices(const gb_Features *f, const gb_Budget *budget);
/* Bytes of a tile of C while a slice of tiles is turned into rows. */
double gb_slice_tile_bytes(size_t zsize);
/* The limit that tiled needs when a slice takes so many bytes. */
double gb_budget_wanted(const gb_Features *f, double slice);

/* What the call holds besides. */
gb_MemoryFacts gb_memory_facts(const gb_MxmCall *call);
/* GBL_OUT_OF_MEMORY where the limit does not even allow to count the products. */
gbl_Info gb_memory_for_plan(const gb_MxmCall *call);

#endif
