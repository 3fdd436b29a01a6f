/* SPDX-License-Identifier: Apache-2.0
 *
 * Workspace of one thread of the outer product: local bins, in which packets wait until they fill
 * lines of the cache, and what sorting a bin needs.
 *
 * Local bin b holds the last bytes of the thread's packets for bin b, from a multiple of its size
 * on; `to` is where they will be streamed, on a line's border. Streaming past the caches neither
 * reads the lines first nor pushes the local bins out.
 */
#pragma once

#include "cpu/rowwise/rowwork.h"
#include "cpu/rowwise/window.h"
#include "cpu/common/compact.h"

/* One for all threads and slices. */
typedef struct {
    const gb_MxmArgs *g;
    const gb_Bins *bins;
    char *packets;  /* [bins->most] those of a slice */
    gb_Off *cursor; /* [k] where the slice's entries begin in each column of A; NULL: one slice */
    uint64_t slice;
    uint64_t begin, end;         /* bins of the slice */
    uint64_t row_begin, row_end; /* rows of the slice */
} gb_Outer;

typedef struct {
    char *at; /* the next packet goes here; less than shape.flush behind the bin's begin */
    char *to;
} gb_LocalBin;

/* The last entries of B, padded: vectors read beyond what they want. Values are there for
 * semirings on C types that look at them, whose vectors load them; where B has one value for all
 * entries, as copies of it. */
enum { GB_TAIL = GB_PACKET + GB_RUN };
typedef struct {
    gb_Off from;
    unsigned count; /* entries */
    gb_Idx column[2 * GB_TAIL];
    gbl_FC64 value[2 * GB_TAIL]; /* of 16 bytes or less each */
} gb_Tail;

/* A packet of a bin and its row there. */
typedef struct {
    const char *packet;
    uint32_t row;
} gb_Found;

typedef struct {
    gb_RowWork rows;    /* accumulators */
    gb_Window window;   /* rows that are sorted together */
    gb_LocalBin *local; /* [most_bins] */
    gb_Tail tail;
    char *lines;         /* [most_bins * stride] at a multiple of stride */
    uint32_t *end;       /* [GB_BIN_ROWS] where each row's packets end in `packet` */
    const char **packet; /* [gb_most_packets] of a bin, row by row, in the order of k */
    gb_Found *found;     /* [gb_most_packets] as they come */
    uint64_t *key;       /* [2 * most_products] of a long row */
    char *product;       /* [most_products * zsize] values of a long row */
    gb_Grown arrays;     /* what all of these are in */
} gb_OuterWork;

/* Products that make a packet: of entry p of A, in column k, with entries q on of B's row k. */
typedef struct {
    gb_Off p, q;
    uint64_t k;
    uint32_t products, bin;
} gb_PacketJob;

/* Jobs that are looked up, and their local bins prefetched, before the first makes its packet. */
enum { GB_JOBS = 32 };

static inline uint64_t gb_most_packets(const gb_Bins *b) {
    return b->most_bytes / gb_packet_bytes(b->shape.value, 1);
}

/* Columns of B from entry q on: GB_TAIL of them may be read, whatever there is. */
static inline const gb_Idx *gb_columns_of(const gb_Outer *o, const gb_OuterWork *w, gb_Off q) {
    return q < w->tail.from ? o->g->B.i + q : w->tail.column + (q - w->tail.from);
}

/* A packet of so many bytes was put at the end of the local bin: writes whole lines when there are
 * enough, and moves the rest to the front. */
static inline void gb_local_add(gb_LocalBin *bin, const gb_PacketShape *shape, size_t bytes) {
    bin->at += bytes;
    const size_t used = (uintptr_t)bin->at & (shape->stride - 1);
    if (used < shape->flush) return;
    char *lines = bin->at - used;
    const size_t whole = used & ~(size_t)(GB_LINE - 1);
    for (size_t at = 0; at < whole; at += GB_LINE) gb_stream_line(bin->to + at, lines + at);
    memcpy(lines, lines + whole, GB_LINE);
    bin->to += whole;
    bin->at = lines + (used - whole);
}

/* The functions of one semiring. */
typedef struct gb_OuterKernel {
    bool carries; /* products have values */
    void (*prepare)(gb_OuterWork *w);
    void (*clean)(const gb_RingArgs *R, void *val, uint64_t n);
    void (*expand)(const gb_Outer *o, gb_OuterWork *w, const gb_PacketJob *jobs, unsigned n);
    uint64_t (*join_sorted)(const gb_OuterWork *w, const gb_WindowRow *row, gb_RowOut out);
    uint64_t (*join_long)(const gb_Outer *o, gb_OuterWork *w, uint64_t f,
                          const char *const *packets, uint64_t count, gb_RowOut out);
    uint64_t (*join_dense)(const gb_Outer *o, gb_OuterWork *w, const char *const *packets,
                           uint64_t count, gb_RowOut out);
    uint64_t (*join_range)(const gb_Outer *o, gb_OuterWork *w, uint64_t bin, gb_Idx base,
                           uint64_t width, gb_RowOut out);
} gb_OuterKernel;
