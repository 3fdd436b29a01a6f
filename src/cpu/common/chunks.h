/* SPDX-License-Identifier: Apache-2.0
 *
 * Cutting the rows of a product into chunks: what a thread takes at a time. Chunk c covers rows
 * [row[c], row[c + 1]) and has at most capacity[c] entries.
 */
#ifndef GB_CPU_COMMON_CHUNKS_H
#define GB_CPU_COMMON_CHUNKS_H

#include "kernel_api/backend.h"
#include "core/buffer.h"

typedef struct {
    uint64_t n;         /* number of chunks, at least 1 */
    uint64_t *row;      /* [n + 1] */
    uint64_t *capacity; /* [n] */
} gb_Chunks;

/* Arrays for n chunks. */
gbl_Info gb_chunks_new(gb_Chunks *chunks, uint64_t n);
/* Chunks of about equal products that begin at multiples of `rows`; the capacity is what products
 * allow. */
gbl_Info gb_chunks_by_flops(gb_Chunks *chunks, const gb_MxmArgs *g, unsigned rows);
/* Chunks of about equal entries of the mask, which are the capacity. */
gbl_Info gb_chunks_by_mask(gb_Chunks *chunks, const gb_MxmArgs *g);
void gb_chunks_free(gb_Chunks *chunks);

#endif
