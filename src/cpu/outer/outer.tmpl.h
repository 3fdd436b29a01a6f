/* SPDX-License-Identifier: Apache-2.0
 *
 * Outer product with propagation blocking (PB-SpGEMM, IPDPS '20, section III) for one semiring:
 * expanding products into packets (III-C), and compressing sorted ones (III-E). Included once per
 * entry of semiring/foreach.h.
 *
 * Preconditions: bins as planned (cpu/common/bins.h); columns of A sorted; w->rows.prod holds ones
 * where products carry no values. Cost: expand writes 4 bytes and a value per product and 4 per
 * packet; compress is O(products) plus sorting. All products of an entry are joined in the order of
 * k.
 */
#include "cpu/outer/work.h"
#include "cpu/simd/template.h"
#if SR_PAIR
#define VALUE(x, e) ((void)(x), (void)(e), (const SR_T *)w->rows.prod)
#else
#define VALUE(x, e) SR_AT((const SR_T *)(const void *)(x), e)
#endif
#ifdef SR_GENERIC
#define LOADS_B 0
#else
#define LOADS_B SR_USES_B
#endif

#include "cpu/rowwise/dense.tmpl.h"

/* -- expand ------------------------------------------------------------------------------------ */

/* Values of B from entry q on. */
static inline const SR_T *NAME(values_of)(const gb_OuterWork *w, gb_Off q) {
    const gb_RingArgs *R = &w->rows.args;
#if !LOADS_B
    (void)R;
    return SR_B(q);
#else
    const SR_T *tail = (const SR_T *)(const void *)w->tail.value;
    if (R->bmask == 0) return tail;
    return q < w->tail.from ? SR_B(q) : tail + (q - w->tail.from);
#endif
}

/* The products of an entry of A with a few neighbours of B: a packet at the end of the local bin.
 * What vectors write too much the next packet replaces. */
static inline void NAME(emit)(const gb_Outer *o, gb_OuterWork *w, const gb_PacketJob *job,
                              uint64_t bin, uint64_t row) {
    const gb_RingArgs *R = &w->rows.args;
    gb_LocalBin *local = &w->local[bin - o->begin];
    const unsigned n = job->products;
    const gb_Idx *column = gb_columns_of(o, w, job->q);
    const SR_T *b = NAME(values_of)(w, job->q);
    char *at = local->at, *value = at + gb_packet_values(n);
    const uint32_t head = (uint32_t)row << GB_PACKET_BITS | n;
    memcpy(at, &head, sizeof head);
    for (unsigned e = 0; e < n; e += GB_RUN)
        memcpy(at + 4 + 4 * e, column + e, GB_RUN * sizeof(gb_Idx));
#ifdef SR_GENERIC
    const SR_T *a = SR_A(job->p);
    for (unsigned e = 0; e < n; e++) {
        SR_SET(R->scratch, a, b + e * R->bstride, o->g->A.i[job->p], job->k, column[e]);
        memcpy(value + e * R->zsize, R->scratch, R->zsize);
    }
#elif !SR_PAIR
    const uint64_t i = o->g->A.i[job->p], k = job->k;
    SR_HOLD_A(a, job->p);
    for (unsigned e = 0; e < n; e += GB_RUN) {
        SR_T x[GB_RUN]; /* on its own, so that the compiler makes it a vector */
        for (unsigned u = 0; u < GB_RUN; u++) SR_SET(x + u, a, b + e + u, i, k, column[e + u]);
        memcpy(value + e * sizeof(SR_T), x, sizeof x);
    }
    (void)i, (void)k, (void)a;
#endif
    gb_local_add(local, &o->bins->shape, gb_packet_bytes(SR_PAIR ? 0 : SR_SIZE, n));
    (void)R, (void)value, (void)b;
}

/* The same for a heavy row, by ranges of columns. */
static __attribute__((noinline)) void NAME(emit_ranges)(const gb_Outer *o, gb_OuterWork *w,
                                                        const gb_PacketJob *job) {
    const unsigned shift = o->bins->column_shift;
    const gb_Idx *Bi = o->g->B.i;
    for (gb_Off q = job->q, end = q + job->products; q < end;) {
        const gb_Off to = gb_range_end(Bi, q, end, shift);
        const uint64_t bin = job->bin + (Bi[q] >> shift);
        const gb_PacketJob part = {job->p, q, job->k, (uint32_t)(to - q), (uint32_t)bin};
        if (bin >= o->begin && bin < o->end) NAME(emit)(o, w, &part, bin, 0);
        q = to;
    }
}

static void NAME(expand)(const gb_Outer *o, gb_OuterWork *w, const gb_PacketJob *jobs, unsigned n) {
    const gb_Bins *bins = o->bins;
    for (const gb_PacketJob *job = jobs; job < jobs + n; job++) {
        if (bins->range[job->bin] == 0)
            NAME(emit)(o, w, job, job->bin, o->g->A.i[job->p] - bins->chunks.row[job->bin]);
        else
            NAME(emit_ranges)(o, w, job);
    }
}

/* -- compress ---------------------------------------------------------------------------------- */

enum { NAME(carries) = !SR_PAIR };

/* Fills what holds values of this semiring's type: w->tail, and the ones that stand for products
 * without values. */
static void NAME(prepare)(gb_OuterWork *w) {
#if LOADS_B
    const gb_RingArgs *R = &w->rows.args;
    SR_T *tail = (SR_T *)(void *)w->tail.value;
    const unsigned n = R->bmask == 0 ? 2 * GB_TAIL : w->tail.count;
    for (unsigned e = 0; e < n; e++) SR_COPY(tail + e, SR_B(w->tail.from + e));
#endif
#if SR_PAIR
    for (unsigned e = 0; e < 64 * GB_SHORT_ROWS; e++) *SR_AT(w->rows.prod, e) = 1;
#endif
    (void)w;
}

/* The next n <= 16 keys of a row, with values x: joins equal columns, to entries n of Ci, Cx. */
static inline uint64_t NAME(emit_keys)(const gb_OuterWork *w, const uint32_t *key, unsigned keys,
                                       const void *x, uint64_t n, gb_Idx *Ci, void *Cx) {
    const gb_RingArgs *R = &w->rows.args;
    const unsigned bits = w->window.bits;
    for (unsigned e = 0; e < keys; e++) {
        const gb_Idx j = key[e] >> bits;
        const SR_T *v = VALUE(x, key[e] - (j << bits));
        if (n == 0 || j != Ci[n - 1]) {
            Ci[n] = j;
            SR_COPY(SR_AT(Cx, n), v);
            n++;
        } else {
            SR_JOIN(SR_AT(Cx, n - 1), v);
        }
    }
    (void)R, (void)x;
    return n;
}

/* A sorted row of the window. */
static uint64_t NAME(join_sorted)(const gb_OuterWork *w, const gb_WindowRow *row, gb_RowOut out) {
    const gb_RingArgs *R = &w->rows.args;
    const gb_Window *window = &w->window;
#if SR_PAIR
    const void *x = w->rows.prod;
    const unsigned products = 1; /* of which each is the same */
#else
    const void *x = SR_AT(window->x, row->values);
    const unsigned products = row->products;
#endif
    uint64_t n = 0;
    for (const gb_KeyRun *run = window->run + row->run, *end = run + row->runs; run < end; run++)
        for (unsigned s = 0; s < run->keys; s += 16) {
            const uint32_t *key = window->key + run->at + s;
            const unsigned keys = run->keys - s < 16 ? run->keys - s : 16;
            const gb_Idx last = n > 0 ? out.i[n - 1] : GB_NO_KEY;
            if (gb_emit_distinct(window, key, keys, last, x, products, SR_SIZE, out.i + n,
                                 SR_AT(out.x, n)))
                n += keys;
            else
                n = NAME(emit_keys)(w, key, keys, x, n, out.i, out.x);
        }
    (void)R;
    return n;
}

/* A row of more products than a window takes, by radix sort. */
static uint64_t NAME(join_long)(const gb_Outer *o, gb_OuterWork *w, uint64_t f,
                                const char *const *packets, uint64_t count, gb_RowOut out) {
    const gb_RingArgs *R = &w->rows.args;
    const int bits = gb_key_bits(f), all = bits + gb_key_bits(o->g->B.nminor);
    uint64_t *key = w->key, e = 0;
    for (uint64_t k = 0; k < count; k++) {
        const gb_PacketView p = gb_packet_view(packets[k]);
        for (unsigned u = 0; u < p.products; u++)
            key[e + u] = (uint64_t)gb_packet_column(&p, u) << bits | (e + u);
#if !SR_PAIR
        memcpy(SR_AT(w->product, e), p.values, p.products * SR_SIZE);
#endif
        e += p.products;
    }
    gb_sort64(key, key + f, f, bits, all);
    uint64_t n = 0;
    for (e = 0; e < f; e++) {
        const gb_Idx j = (gb_Idx)(key[e] >> bits);
        const SR_T *v = VALUE(w->product, key[e] & (((uint64_t)1 << bits) - 1));
        if (n == 0 || j != out.i[n - 1]) {
            out.i[n] = j;
            SR_COPY(SR_AT(out.x, n), v);
            n++;
        } else {
            SR_JOIN(SR_AT(out.x, n - 1), v);
        }
    }
    (void)R;
    return n;
}

/* Adds a packet's products to the dense accumulator, whose first column is `base`. */
static inline void NAME(add_dense)(gb_OuterWork *w, const gb_PacketView *p, gb_Idx base) {
    const gb_RingArgs *R = &w->rows.args;
    const char *x = p->values;
    uint8_t *mark = w->rows.mark, *block = w->rows.block;
    for (unsigned e = 0; e < p->products; e++) {
        const gb_Idx j = gb_packet_column(p, e) - base;
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

static uint64_t NAME(join_dense)(const gb_Outer *o, gb_OuterWork *w, const char *const *packets,
                                 uint64_t count, gb_RowOut out) {
    for (uint64_t k = 0; k < count; k++) {
        const gb_PacketView p = gb_packet_view(packets[k]);
        NAME(add_dense)(w, &p, 0);
    }
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
            const gb_PacketView p = gb_packet_view(at);
            NAME(add_dense)(w, &p, base);
            at += gb_packet_bytes(b->shape.value, p.products);
        }
    }
    const uint64_t n = NAME(gather)(&w->rows.args, &w->rows, width, out.i, out.x);
    for (uint64_t e = 0; e < n; e++) out.i[e] += base;
    w->rows.dense += base == 0;
    return n;
}

#undef NAME
#undef VALUE
#undef LOADS_B
