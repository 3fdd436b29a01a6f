/* SPDX-License-Identifier: Apache-2.0
 *
 * Workspace of one thread of the outer product: local bins, in which packets wait until they fill
 * lines of the cache, and what sorting a bin needs.
 *
 * Local bin b holds the last `used` bytes of the thread's packets for bin b; `to` is where they
 * will be streamed, on a line's border. Streaming past the caches neither reads the lines first nor
 * pushes the local bins out.
 */
#ifndef GB_CPU_ISA_OUTERWORK_H
#define GB_CPU_ISA_OUTERWORK_H

#include "cpu/bins.h"
#include "cpu/isa/rowwork.h"
#include "cpu/place.h"

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
    char *to;
    uint64_t used; /* bytes; less than shape.flush between packets */
} gb_LocalBin;

typedef struct {
    gb_RowWork rows;    /* accumulators */
    gb_LocalBin *local; /* [most_bins] */
    char *lines;        /* [most_bins * stride] on a line's border; lines_block is not */
    void *lines_block;
    uint32_t *end; /* [GB_BIN_ROWS] where the products of each row of a bin end */
    uint64_t *key; /* [2 * most_products] of a long row */
    char *product; /* [most_products * zsize] values of a long row */
    size_t lines_bytes;
} gb_OuterWork;

/* The products of A(:,k) with a few neighbours of row k of B. Arrays are padded to whole vectors.
 */
typedef struct {
    uint64_t k;
    unsigned products;
    size_t values, bytes; /* where values begin in the packet; its size */
    gb_Idx column[GB_PACKET + GB_RUN];
} gb_Piece;

/* Entries of a column of A whose bins are looked up together. */
enum { GB_LOOKUP = 16 };
#define GB_NO_BIN UINT32_MAX

/* outerwork.c */
gbl_Info GB_ISA_NAME(gb_outerwork_new)(gb_OuterWork *w, const gb_Outer *o);
void GB_ISA_NAME(gb_outerwork_free)(gb_OuterWork *w, const gb_Outer *o);
/* Local bins are empty and know where part `part` of each of the slice's bins goes. */
void GB_ISA_NAME(gb_local_begin)(gb_OuterWork *w, const gb_Outer *o, int part);
/* Everything that waits in local bins is written. */
void GB_ISA_NAME(gb_local_end)(gb_OuterWork *w, const gb_Outer *o);
/* The products of a bin that is not heavy, to the places that the rows' products have in the
 * buffer: those of row r of the bin end at w->end[r]. */
void GB_ISA_NAME(gb_group_rows)(gb_OuterWork *w, const gb_Outer *o, uint64_t bin,
                                const gb_Buffer *buffer);

static inline gb_Piece gb_piece(const gb_PacketShape *shape, uint64_t k, unsigned products) {
    return (gb_Piece){.k = k,
                      .products = products,
                      .values = gb_packet_values(products),
                      .bytes = gb_packet_bytes(shape->value, products)};
}

/* The bins of n rows, GB_NO_BIN where the mask forbids the row; their local bins, which are in the
 * second cache, are asked for. */
static inline void gb_find_bins(const gb_Outer *o, const gb_OuterWork *w, const gb_Idx *row,
                                unsigned n, uint32_t *bin) {
    const gb_Bins *b = o->bins;
    for (unsigned e = 0; e < n; e++) {
        bin[e] = GB_NO_BIN;
        if (!gb_row_alive(b->alive, row[e])) continue;
        bin[e] = (uint32_t)gb_bin_of(b, row[e]);
        const uint64_t local = bin[e] - o->begin;
        if (local < o->end - o->begin)
            __builtin_prefetch(w->lines + local * b->shape.stride + w->local[local].used, 1);
    }
}

static inline void gb_stream_line(char *to, const char *from) {
#if defined(__AVX512F__)
    _mm512_stream_si512((void *)to, _mm512_load_si512((const void *)from));
#elif defined(__AVX2__)
    for (int h = 0; h < 2; h++)
        _mm256_stream_si256((__m256i *)to + h, _mm256_load_si256((const __m256i *)from + h));
#elif defined(__SSE2__)
    for (int h = 0; h < 4; h++)
        _mm_stream_si128((__m128i *)to + h, _mm_load_si128((const __m128i *)from + h));
#else
    memcpy(to, from, GB_LINE);
#endif
}

/* A packet of so many bytes was put at the end of the local bin's lines: writes whole lines and
 * moves the rest to the front. */
static inline void gb_local_add(gb_LocalBin *bin, char *lines, size_t bytes, size_t flush) {
    const size_t used = bin->used + bytes;
    bin->used = used;
    if (used < flush) return;
    const size_t whole = used & ~(size_t)(GB_LINE - 1);
    for (size_t at = 0; at < whole; at += GB_LINE) gb_stream_line(bin->to + at, lines + at);
    memcpy(lines, lines + whole, GB_LINE);
    bin->to += whole;
    bin->used = used - whole;
}

/* Copies a few bytes, mostly less than a line; nothing behind them is written. */
static inline void gb_copy_few(void *to, const void *from, size_t bytes) {
    char *t = to;
    const char *f = from;
#if defined(__AVX512BW__)
    for (; bytes > 64; bytes -= 64, t += 64, f += 64) _mm512_storeu_si512(t, _mm512_loadu_si512(f));
    const __mmask64 m = _bzhi_u64(UINT64_MAX, (unsigned)bytes);
    _mm512_mask_storeu_epi8(t, m, _mm512_maskz_loadu_epi8(m, f));
#else
    for (; bytes >= 8; bytes -= 8, t += 8, f += 8) memcpy(t, f, 8);
    if (bytes & 4) memcpy(t, f, 4);
    t += bytes & 4, f += bytes & 4;
    for (bytes &= 3; bytes > 0; bytes--) *t++ = *f++;
#endif
}

#endif
