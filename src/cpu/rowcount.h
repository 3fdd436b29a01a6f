/* SPDX-License-Identifier: Apache-2.0
 *
 * Exact sizes of the rows of a product, by pattern alone: the symbolic pass.
 */
#ifndef GB_CPU_ROWCOUNT_H
#define GB_CPU_ROWCOUNT_H

#include "cpu/compact.h"

/* Replaces the bounds of the chunks by exact counts. Cost: one pass over all products. */
gbl_Info gb_chunks_count_rows(gb_Chunks *chunks, const gb_MxmArgs *g);

#endif
