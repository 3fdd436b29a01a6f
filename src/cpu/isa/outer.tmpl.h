/* SPDX-License-Identifier: Apache-2.0
 *
 * Outer product with propagation blocking (PB-SpGEMM, IPDPS '20, section III) for one semiring:
 * expanding products into packets (III-C), and compressing sorted ones (III-E). Included once per
 * entry of semiring/foreach.h.
 *
 * Preconditions: bins as planned (cpu/bins.h); columns of A sorted; w->rows.prod holds ones where
 * products carry no values.
 * Cost: expand writes 4 bytes and a value per product and 4 per packet; compress is O(products)
 * plus sorting. All products of an entry are joined in the order of k.
 */
#define NAME(f) GB_CAT(f, SR_NAME)
#if SR_PAIR
#define VALUE(x, e) ((void)(x), (void)(e), (const SR_T *)w->rows.prod)
#else
#define VALUE(x, e) SR_AT((const SR_T *)(const void *)(x), e)
#endif

#include "cpu/isa/compress.tmpl.h"
#include "cpu/isa/dense.tmpl.h"

/* -- expand ------------------------------------------------------------------------------------ */

/* The products of A(i,k), which is *a, with the piece, whose values are b: a packet at the end of
 * the local bin's lines. What vectors write too much the next packet replaces. */
static inline void NAME(emit)(const gb_Outer *o, gb_OuterWork *w, const gb_Piece *piece,
                              uint64_t bin, uint64_t row, const SR_T *a, const SR_T *b,
                              uint64_t i) {
    const gb_RingArgs *R = &w->rows.args;
    gb_LocalBin *local = &w->local[bin - o->begin];
    char *lines = w->lines + (bin - o->begin) * o->bins->shape.stride;
    char *at = lines + local->used, *value = at + piece->values;
    const unsigned n = piece->products;
    const uint64_t k = piece->k;
    const uint32_t head = (uint32_t)row << GB_PACKET_BITS | n;
    memcpy(at, &head, sizeof head);
    for (unsigned e = 0; e < n; e += GB_RUN)
        memcpy(at + 4 + 4 * e, piece->column + e, GB_RUN * sizeof(gb_Idx));
#ifdef SR_GENERIC
    for (unsigned e = 0; e < n; e++) {
        SR_SET(R->scratch, a, b + e * R->bstride, i, k, piece->column[e]);
        memcpy(value + e * R->zsize, R->scratch, R->zsize);
    }
#elif !SR_PAIR
    for (unsigned e = 0; e < n; e += GB_RUN) {
        SR_T x[GB_RUN]; /* on its own, so that the compiler makes it a vector */
        for (unsigned u = 0; u < GB_RUN; u++)
            SR_SET(x + u, a, b + e + u, i, k, piece->column[e + u]);
        memcpy(value + e * sizeof(SR_T), x, sizeof x);
    }
#endif
    gb_local_add(local, lines, piece->bytes, o->bins->shape.flush);
    (void)R, (void)value, (void)a, (void)b, (void)i, (void)k;
}

/* The same for a heavy row, by ranges of columns. */
static __attribute__((noinline)) void NAME(emit_ranges)(const gb_Outer *o, gb_OuterWork *w,
                                                        const gb_Piece *piece, uint64_t bin,
                                                        const SR_T *a, const SR_T *b, uint64_t i) {
    const gb_RingArgs *R = &w->rows.args;
    const unsigned shift = o->bins->column_shift;
    for (unsigned e = 0; e < piece->products;) {
        const unsigned end = (unsigned)gb_range_end(piece->column, e, piece->products, shift);
        const uint64_t to = bin + (piece->column[e] >> shift);
        if (to >= o->begin && to < o->end) {
            gb_Piece part = gb_piece(&o->bins->shape, piece->k, end - e);
            memcpy(part.column, piece->column + e, (end - e) * sizeof(gb_Idx));
#ifdef SR_GENERIC
            NAME(emit)(o, w, &part, to, 0, a, b + e * R->bstride, i);
#else
            NAME(emit)(o, w, &part, to, 0, a, b + e, i);
#endif
        }
        e = end;
    }
    (void)R;
}

/* Rows of the slice in column k of A. */
static inline void NAME(expand_piece)(const gb_Outer *o, gb_OuterWork *w, const gb_Piece *piece,
                                      const SR_T *b, gb_Off from, gb_Off to) {
    const gb_RingArgs *R = &w->rows.args;
    const gb_Bins *bins = o->bins;
    const gb_Idx *Ai = o->g->A.i;
    uint32_t bin[GB_LOOKUP];
    for (gb_Off p = from; p < to; p += GB_LOOKUP) {
        const unsigned n = to - p < GB_LOOKUP ? (unsigned)(to - p) : GB_LOOKUP;
        gb_find_bins(o, w, Ai + p, n, bin);
        for (unsigned e = 0; e < n; e++) {
            const uint64_t i = Ai[p + e];
#if defined(SR_GENERIC) || !SR_USES_A
            const SR_T *a = SR_A(p + e);
#else
            const SR_T value = *SR_A(p + e), *a = &value;
#endif
            if (bin[e] == GB_NO_BIN) continue;
            if (bins->range[bin[e]] == 0)
                NAME(emit)(o, w, piece, bin[e], i - bins->chunks.row[bin[e]], a, b, i);
            else
                NAME(emit_ranges)(o, w, piece, bin[e], a, b, i);
        }
    }
    (void)R;
}

static void NAME(expand)(const gb_Outer *o, gb_OuterWork *w, uint64_t k, gb_Off from, gb_Off to) {
    const gb_RingArgs *R = &w->rows.args;
    const gb_CsView *B = &o->g->B;
    const unsigned most = o->bins->shape.most;
    for (gb_Off q = B->p[k], end = B->p[k + 1]; q < end; q += most) {
        const unsigned n = end - q < most ? (unsigned)(end - q) : most;
        gb_Piece piece = gb_piece(&o->bins->shape, k, n);
        gb_copy_few(piece.column, B->i + q, n * sizeof(gb_Idx));
#if defined(SR_GENERIC)
        NAME(expand_piece)(o, w, &piece, SR_B(q), from, to);
#else
        SR_T b[GB_PACKET + GB_RUN] = {0};
        if (SR_USES_B && R->bmask != 0)
            gb_copy_few(b, SR_B(q), n * sizeof(SR_T));
        else
            for (unsigned e = 0; SR_USES_B && e < n; e++) b[e] = *SR_B(0);
        NAME(expand_piece)(o, w, &piece, b, from, to);
#endif
    }
    (void)R;
}

/* -- compress ---------------------------------------------------------------------------------- */

enum { NAME(carries) = !SR_PAIR };

/* Products that carry no values are ones. */
static void NAME(prepare)(gb_OuterWork *w) {
#if SR_PAIR
    for (unsigned e = 0; e < 64 * GB_SHORT_ROWS; e++) *SR_AT(w->rows.prod, e) = 1;
#else
    (void)w;
#endif
}

/* Up to 16 rows whose products are grouped in the buffer; they are joined in place, to out. */
static uint64_t NAME(join_short)(const gb_Outer *o, gb_OuterWork *w, const gb_ShortRows *batch,
                                 const uint64_t *start, const gb_Buffer *buffer, gb_RowOut out) {
    const gb_RingArgs *R = &w->rows.args;
    gb_ShortKeys keys;
    const gb_Idx *col[GB_SHORT_ROWS] = {NULL};
    for (unsigned l = 0; l < batch->n; l++) col[l] = buffer->i + start[l];
    gb_short_sort(&keys, o->g->B.nminor, batch, col);
    uint64_t n = 0, row = batch->from;
    for (unsigned l = 0; l < batch->n; l++) {
        while (row <= batch->row[l]) out.p[row++] = out.offset + n;
        gb_Idx *Ci = out.i + n;
        void *Cx = SR_AT(out.x, n);
#if !SR_PAIR
        gb_copy_few(SR_AT(w->rows.prod, 64 * l), SR_AT(buffer->x, start[l]),
                    batch->products[l] * SR_SIZE);
#endif
        const uint64_t found = NAME(compress)(&w->rows, &keys, l, batch->products[l], Ci, Cx);
        n += o->g->mask_kind == GB_MASK_NONE ? found
                                             : gb_mask_row(o->g, batch->row[l], Ci, Cx, found);
    }
    while (row < batch->to) out.p[row++] = out.offset + n;
    w->rows.sorted += batch->n;
    (void)R;
    return n;
}

/* A longer row of f products, by radix sort. */
static uint64_t NAME(join_long)(const gb_Outer *o, gb_OuterWork *w, uint64_t f, const gb_Idx *col,
                                const char *x, gb_RowOut out) {
    const gb_RingArgs *R = &w->rows.args;
    const int bits = gb_bits(f), all = bits + gb_bits(o->g->B.nminor);
    uint64_t *key = w->key;
    for (uint64_t e = 0; e < f; e++) key[e] = (uint64_t)col[e] << bits | e;
    gb_sort64(key, key + f, f, bits, all);
#if !SR_PAIR
    memcpy(w->product, x, f * SR_SIZE);
#endif
    uint64_t n = 0;
    gb_Idx last = GB_NO_KEY;
    for (uint64_t e = 0; e < f; e++) {
        const gb_Idx j = (gb_Idx)(key[e] >> bits);
        const SR_T *v = VALUE(w->product, key[e] & (((uint64_t)1 << bits) - 1));
        if (j != last) {
            last = out.i[n] = j;
            SR_COPY(SR_AT(out.x, n), v);
            n++;
        } else {
            SR_JOIN(SR_AT(out.x, n - 1), v);
        }
    }
    w->rows.sorted++;
    (void)R, (void)x;
    return n;
}

/* Adds n products to the dense accumulator, whose first column is `base`. */
static inline void NAME(add_dense)(gb_OuterWork *w, uint64_t n, const char *col, const char *x,
                                   gb_Idx base) {
    const gb_RingArgs *R = &w->rows.args;
    uint8_t *mark = w->rows.mark, *block = w->rows.block;
    for (uint64_t e = 0; e < n; e++) {
        gb_Idx j;
        memcpy(&j, col + 4 * e, sizeof j);
        j -= base;
#ifdef SR_GENERIC
        memcpy(w->rows.prod, x + e * R->zsize, R->zsize); /* on a border that its type may need */
        SR_JOIN(SR_AT(w->rows.val, j), w->rows.prod);
#elif SR_ANY
        SR_COPY(SR_AT(w->rows.val, j), VALUE(x, e));
#else
        SR_JOIN(SR_AT(w->rows.val, j), VALUE(x, e));
#endif
        mark[j] = 1;
        block[j >> 6] = 1;
    }
    (void)R, (void)x;
}

static uint64_t NAME(join_dense)(const gb_Outer *o, gb_OuterWork *w, uint64_t f, const gb_Idx *col,
                                 const char *x, gb_RowOut out) {
    NAME(add_dense)(w, f, (const char *)col, x, 0);
    w->rows.dense++;
    return NAME(gather)(&w->rows.args, &w->rows, o->g->B.nminor, out.i, out.x);
}

/* A bin of a heavy row: its packets are read once and summed in place. */
static uint64_t NAME(join_range)(const gb_Outer *o, gb_OuterWork *w, uint64_t bin, gb_Idx base,
                                 uint64_t width, gb_RowOut out) {
    const gb_Bins *b = o->bins;
    for (uint64_t t = 0; t < (uint64_t)b->parts; t++) {
        const char *at = o->packets + b->start[t * b->chunks.n + bin];
        const char *end = at + b->bytes[t * b->chunks.n + bin];
        while (at < end) {
            uint32_t head;
            memcpy(&head, at, sizeof head);
            const unsigned n = head & ((1u << GB_PACKET_BITS) - 1);
            NAME(add_dense)(w, n, at + 4, at + gb_packet_values(n), base);
            at += gb_packet_bytes(b->shape.value, n);
        }
    }
    const uint64_t n = NAME(gather)(&w->rows.args, &w->rows, width, out.i, out.x);
    for (uint64_t e = 0; e < n; e++) out.i[e] += base;
    w->rows.dense += base == 0;
    return n;
}

#undef NAME
#undef VALUE
