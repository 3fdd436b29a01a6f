/* SPDX-License-Identifier: Apache-2.0
 *
 * Running the tiled product: operands and mask as tiles, slices of C under the memory limit.
 */
#ifndef GB_MXM_TILED_H
#define GB_MXM_TILED_H

#include "mxm/plan/budget.h"
#include "ops/finish.h"

typedef struct {
    gb_TiledStats steps;
    double seconds_convert; /* of operands and mask */
    uint64_t slices;
} gb_TiledRunStats;

/* T = A * B inside the mask: as tiles, or, where C's tiles may exceed the workspace that a call may
 * take, as rows that were made of slices of tiles. */
gbl_Info gb_tiled_run(const gb_MxmCall *call, const gb_Features *features, const gb_Budget *budget,
                      gb_Result *T, gb_TiledRunStats *stats);
void gb_tiled_explain(gbl_Explanation *why, const gb_TiledRunStats *stats);

#endif
