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
#pragma once

#include "cpu/common/chunks.h"

/* -- packets ----------------------------------------------------------------------------------- */

/* Products of an outer product on their way from expanding to sorting. The entry A(i,k) and a few
 * neighbours of row k of B make a packet:
 *
 *   uint32_t row << GB_PACKET_BITS | products    row of C within the bin
 *   uint32_t column[products]
 *   values[products]                             from the next multiple of 8 bytes on, or none
 *
 * rounded up to 8 bytes. So a product takes 4 bytes beside its value, whatever the shapes are, and
 * a packet is written and moved by a few vector instructions. (The paper keeps row, column and
 * value of every product, 16 bytes.) */

/* Vectors read up to GB_PACKETS_PAD bytes behind the last packet. */
enum { GB_PACKET_BITS = 5, GB_LINE = 64, GB_PACKETS_PAD = 5 * GB_LINE };

typedef struct {
    size_t value;  /* bytes of a value; 0: every product is one, so none is carried */
    unsigned most; /* products of a packet, at most GB_PACKET */
    size_t flush;  /* bytes of a local bin that are written out together */
    size_t stride; /* bytes of a local bin, a power of two: what stays, the largest packet, vectors
                      that overrun */
} gb_PacketShape;

static inline size_t gb_packet_values(unsigned products) {
    return (4 + 4 * (size_t)products + 7) & ~(size_t)7;
}

static inline size_t gb_packet_bytes(size_t value, unsigned products) {
    return gb_packet_values(products) + ((products * value + 7) & ~(size_t)7);
}

typedef struct {
    unsigned products;
    const char *columns, *values;
} gb_PacketView;

static inline gb_PacketView gb_packet_view(const char *packet) {
    uint32_t head;
    memcpy(&head, packet, sizeof head);
    const unsigned n = head & ((1u << GB_PACKET_BITS) - 1);
    return (gb_PacketView){n, packet + 4, packet + gb_packet_values(n)};
}

static inline gb_Idx gb_packet_column(const gb_PacketView *p, unsigned e) {
    gb_Idx j;
    memcpy(&j, p->columns + e * sizeof j, sizeof j);
    return j;
}

/* Values of user-defined types may be large; then fewer make a packet. */
static inline gb_PacketShape gb_packet_shape(size_t value, unsigned flush_lines) {
    const size_t lines = 2 * GB_LINE;
    const size_t fit = value * GB_PACKET <= lines ? GB_PACKET : value <= lines ? lines / value : 1;
    const unsigned most = (unsigned)fit;
    const size_t flush = flush_lines * (size_t)GB_LINE;
    const size_t least = flush + gb_packet_bytes(value, most) + GB_LINE;
    size_t stride = GB_LINE;
    while (stride < least) stride *= 2;
    return (gb_PacketShape){value, most, flush, stride};
}

/* Bytes of the packets of so many products of one entry of A. */
static inline uint64_t gb_packets_bytes(const gb_PacketShape *s, uint64_t products) {
    if (products <= s->most)
        return products > 0 ? gb_packet_bytes(s->value, (unsigned)products) : 0;
    const unsigned rest = (unsigned)(products % s->most);
    return products / s->most * gb_packet_bytes(s->value, s->most) +
           (rest > 0 ? gb_packet_bytes(s->value, rest) : 0);
}

/* -- bins -------------------------------------------------------------------------------------- */

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
