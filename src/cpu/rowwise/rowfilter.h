/* SPDX-License-Identifier: Apache-2.0
 *
 * The filter of a row that is already summed, masked and sorted (gb_RowFilter). It works where the
 * row stands, in the chunk's buffer in the cache, so that what is dropped is never stored.
 */
#ifndef GB_CPU_ROWWISE_ROWFILTER_H
#define GB_CPU_ROWWISE_ROWFILTER_H

#include "cpu/simd/isa.h"
#include "cpu/rowwise/rowwork.h"

/* Keeps what g->filter lets through of the n entries of row i, in their order; returns how many.
 * Where memory is short it returns 0, and w->wanted is set. Cost: O(n), a few passes. */
uint64_t GB_ISA_NAME(gb_filter_row)(const gb_MxmArgs *g, gb_RowWork *w, uint64_t i, gb_Idx *Ci,
                                    void *Cx, uint64_t n);

#endif
