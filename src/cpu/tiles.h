/* SPDX-License-Identifier: Apache-2.0
 *
 * Conversions between compressed rows and tiles of 16 x 16.
 */
#ifndef GB_CPU_TILES_H
#define GB_CPU_TILES_H

#include "core/status.h"
#include "core/view.h"

/* Cost: three passes over A, none of which sorts; O(columns / 16) workspace a thread. */
gbl_Info gb_cpu_tiles_from_cs(const gb_CsView *A, gb_Tiles *T, int nthreads);
/* Cost: one pass over the masks and one over the values; rows come out sorted. */
gbl_Info gb_cpu_cs_from_tiles(const gb_TileView *A, gb_Cs *C, int nthreads);

#endif
