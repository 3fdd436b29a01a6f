/* SPDX-License-Identifier: Apache-2.0
 *
 * The plan of an outer product: bins, parts and slices, and where everything goes, before anything
 * is multiplied (propagation blocking, after PB-SpGEMM, IPDPS '20, section III).
 *
 *   bin    rows of C whose products can be sorted within the second cache. A row that is heavier
 *          than that is heavy: it gets a bin for each range of 2^column_shift columns, whose values
 *          are summed in place. Bin b is chunk b of the result; of a heavy row's bins the first
 *          holds the row, the others hold no row.
 *   part   columns of A (rows of B) that one thread expands; parts ascend.
 *   slice  bins that are expanded together: no more packets and buffers than are allowed and no
 * more bins than local bins fit into the cache, but at least one bin.
 *
 * Within a bin the packets of part t lie behind those of part t - 1, each from a line's border on,
 * at a place that is known beforehand. So threads share nothing, and a stable sort leaves the
 * products of an entry in the order of k, whatever the number of threads.
 */
#ifndef GB_CPU_COMMON_BINS_H
#define GB_CPU_COMMON_BINS_H

#include "core/search.h"
#include "cpu/common/chunks.h"
#include "cpu/common/packet.h"

typedef struct {
    gb_Chunks chunks;
    uint32_t *range;  /* [bins] 0: whole rows; r + 1: range r of the columns of a heavy row */
    uint32_t *first;  /* [blocks + 1] the bin of the first row of each block of 2^row_shift */
    uint64_t *column; /* [parts + 1] */
    uint64_t *bytes;  /* [parts * bins] of packets */
    uint64_t *start;  /* [parts * bins] within the slice */
    uint64_t *slice;  /* [slices + 1] bins */
    uint64_t slices;
    uint64_t total;         /* bytes of all packets */
    uint64_t most;          /* ... of the largest slice */
    uint64_t most_bins;     /* of the slice with most bins */
    uint64_t most_products; /* of a bin that is not heavy */
    uint64_t most_bytes;    /* ... and of its packets */
    gb_PacketShape shape;
    unsigned row_shift, column_shift;
    int parts;
} gb_Bins;

/* g->A by columns, g->B by rows. Cost: O(k + nnz(A) + rows), and the products of heavy rows. */
gbl_Info gb_bins_new(gb_Bins *bins, const gb_MxmArgs *g, size_t value);
void gb_bins_free(gb_Bins *bins);

/* The bin of row i; its first one when it is heavy. */
static inline uint64_t gb_bin_of(const gb_Bins *bins, uint64_t i) {
    const uint64_t *row = bins->chunks.row;
    uint64_t lo = bins->first[i >> bins->row_shift];
    lo += i >= row[lo + 1]; /* most blocks have one border inside at most: no branch for it */
    if (i < row[lo + 1]) return lo;
    return gb_holder(row, lo, bins->first[(i >> bins->row_shift) + 1], i);
}

/* The end of the columns from q on that are in the same range. */
static inline gb_Off gb_range_end(const gb_Idx *Bi, gb_Off q, gb_Off end, unsigned column_shift) {
    const gb_Idx range = Bi[q] >> column_shift;
    while (++q < end && Bi[q] >> column_shift == range) continue;
    return q;
}

/* Rows of slice s; a heavy row may be in several slices. */
static inline uint64_t gb_slice_begin(const gb_Bins *bins, uint64_t s) {
    const uint64_t b = bins->slice[s];
    return bins->chunks.row[b] - (bins->range[b] > 1);
}
static inline uint64_t gb_slice_end(const gb_Bins *bins, uint64_t s) {
    return bins->chunks.row[bins->slice[s + 1]];
}

#endif
