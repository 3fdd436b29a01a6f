/* SPDX-License-Identifier: Apache-2.0
 *
 * Chunks of rows whose results are written side by side before their sizes are known.
 *
 * Chunk c covers rows [row[c], row[c+1]) and may write entries [start[c], start[c+1]); it wrote
 * count[c] of them, from start[c] on, and left in T->p[i] the offset of row i within the chunk.
 * gb_chunks_close turns that into a proper compressed matrix.
 */
#ifndef GB_CPU_COMPACT_H
#define GB_CPU_COMPACT_H

#include "backend/backend.h"

typedef struct {
    uint64_t n;      /* number of chunks, at least 1 */
    uint64_t *row;   /* [n + 1] */
    gb_Off *start;   /* [n + 1] */
    uint64_t *count; /* [n] */
} gb_Chunks;

gbl_Info gb_chunks_new(gb_Chunks *chunks, uint64_t n);
void gb_chunks_free(gb_Chunks *chunks);
/* Chunks of about equal products, with the upper bound of entries that products and mask allow. */
gbl_Info gb_chunks_by_flops(gb_Chunks *chunks, const gb_MxmArgs *g);
/* Chunks of about equal entries of the mask; the bound is the entries of the mask. */
gbl_Info gb_chunks_by_mask(gb_Chunks *chunks, const gb_MxmArgs *g);
/* Closes the gaps between chunks and finishes T->p. In place when little is wasted, else by copying
 * to arrays of the right size. T is not changed on failure. */
gbl_Info gb_chunks_close(const gb_Chunks *chunks, gb_Cs *T, size_t zsize, int nthreads);

#endif
