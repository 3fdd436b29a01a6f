/* SPDX-License-Identifier: Apache-2.0
 *
 * Workspace of the outer product, and the part of its work that does not depend on the semiring;
 * see outerwork.h.
 */
#include "cpu/outer/outerwork.h"

#include "core/arrays.h"
#include "cpu/simd/isa.h"

static void *take(size_t *bytes, uint64_t count, size_t size) {
    return gb_size_mul(bytes, count, size) ? gb_malloc(*bytes) : NULL;
}

/* Its columns; the values are the kernel's, which knows their type. */
static void set_tail(gb_Tail *tail, const gb_CsView *B) {
    *tail = (gb_Tail){.from = B->nvals > GB_TAIL ? B->nvals - GB_TAIL : 0};
    tail->count = (unsigned)(B->nvals - tail->from);
    if (tail->count > 0) memcpy(tail->column, B->i + tail->from, tail->count * sizeof(gb_Idx));
}

gbl_Info GB_ISA_NAME(gb_outerwork_new)(gb_OuterWork *w, const gb_Outer *o) {
    const gb_Bins *b = o->bins;
    const uint64_t products = b->most_products, zsize = o->g->args.zsize;
    const uint64_t packets = gb_most_packets(b);
    size_t bytes[6] = {0};
    *w = (gb_OuterWork){.lines_bytes = (b->most_bins + 1) * b->shape.stride};
    gbl_Info info = GB_ISA_NAME(gb_rowwork_new)(&w->rows, o->g);
    if (info == GBL_SUCCESS) info = GB_ISA_NAME(gb_window_new)(&w->window, o->g->B.nminor, zsize);
    if (info != GBL_SUCCESS) return info;
    w->local = take(&bytes[0], b->most_bins, sizeof *w->local);
    w->lines_block = gb_malloc(w->lines_bytes);
    w->end = take(&bytes[1], GB_BIN_ROWS, sizeof *w->end);
    w->key = take(&bytes[2], 2 * products, sizeof *w->key);
    w->product = take(&bytes[3], products, zsize);
    w->found = take(&bytes[4], packets, sizeof *w->found);
    w->packet = take(&bytes[5], packets + GB_PACKETS_NEXT, sizeof *w->packet);
    if (w->local == NULL || w->lines_block == NULL || w->end == NULL ||
        (products > 0 && (w->key == NULL || w->product == NULL)) ||
        (packets > 0 && (w->found == NULL || w->packet == NULL)) ||
        !GB_ISA_NAME(gb_reserve_products)(&w->rows)) {
        size_t all = w->lines_bytes;
        for (int k = 0; k < 6; k++) all += bytes[k];
        return gb_fail_memory(all);
    }
    const uintptr_t stride = b->shape.stride;
    w->lines = (char *)(((uintptr_t)w->lines_block + stride - 1) & ~(stride - 1));
    set_tail(&w->tail, &o->g->B);
    return GBL_SUCCESS;
}

void GB_ISA_NAME(gb_outerwork_free)(gb_OuterWork *w, const gb_Outer *o) {
    const gb_Bins *b = o->bins;
    gb_free(w->local, b->most_bins * sizeof *w->local);
    gb_free(w->lines_block, w->lines_bytes);
    gb_free(w->end, GB_BIN_ROWS * sizeof *w->end);
    gb_free(w->key, 2 * b->most_products * sizeof *w->key);
    gb_free(w->product, b->most_products * o->g->args.zsize);
    gb_free(w->found, gb_most_packets(b) * sizeof *w->found);
    gb_free(w->packet, (gb_most_packets(b) + GB_PACKETS_NEXT) * sizeof *w->packet);
    GB_ISA_NAME(gb_window_free)(&w->window);
    GB_ISA_NAME(gb_rowwork_free)(&w->rows);
}

void GB_ISA_NAME(gb_local_begin)(gb_OuterWork *w, const gb_Outer *o, int part) {
    const gb_Bins *b = o->bins;
    const uint64_t *start = b->start + (uint64_t)part * b->chunks.n;
    for (uint64_t bin = o->begin; bin < o->end; bin++)
        w->local[bin - o->begin] =
            (gb_LocalBin){w->lines + (bin - o->begin) * b->shape.stride, o->packets + start[bin]};
}

/* The last line of a part is written whole: the next part begins behind it. */
void GB_ISA_NAME(gb_local_end)(gb_OuterWork *w, const gb_Outer *o) {
    for (uint64_t bin = 0; bin < o->end - o->begin; bin++) {
        const char *lines = w->lines + bin * o->bins->shape.stride;
        const gb_LocalBin *local = &w->local[bin];
        for (size_t at = 0; lines + at < local->at; at += GB_LINE)
            gb_stream_line(local->to + at, lines + at);
    }
    gb_stream_end(); /* other threads read this */
}

/* -- packets of rows --------------------------------------------------------------------------- */

/* Lists the packets of one part behind the n that are listed; w->end counts them by row. */
static uint32_t list_part(gb_OuterWork *w, const gb_Outer *o, const char *at, const char *end,
                          uint32_t n) {
    const size_t value = o->bins->shape.value;
    while (at < end) {
        __builtin_prefetch(at + GB_PACKETS_AHEAD);
        uint32_t head;
        memcpy(&head, at, sizeof head);
        const uint32_t row = head >> GB_PACKET_BITS;
        w->found[n++] = (gb_Found){at, row};
        w->end[row]++;
        at += gb_packet_bytes(value, head & ((1u << GB_PACKET_BITS) - 1));
    }
    return n;
}

void GB_ISA_NAME(gb_list_packets)(gb_OuterWork *w, const gb_Outer *o, uint64_t bin) {
    const gb_Bins *b = o->bins;
    const uint64_t rows = b->chunks.row[bin + 1] - b->chunks.row[bin];
    uint32_t n = 0, sum = 0;
    memset(w->end, 0, rows * sizeof *w->end);
    for (uint64_t t = 0; t < (uint64_t)b->parts; t++) {
        const char *at = o->packets + b->start[t * b->chunks.n + bin];
        n = list_part(w, o, at, at + b->bytes[t * b->chunks.n + bin], n);
    }
    for (uint64_t r = 0; r < rows; r++) {
        const uint32_t count = w->end[r];
        w->end[r] = sum;
        sum += count;
    }
    for (uint32_t k = 0; k < n; k++) w->packet[w->end[w->found[k].row]++] = w->found[k].packet;
    for (uint32_t k = n; n > 0 && k < n + GB_PACKETS_NEXT; k++) w->packet[k] = w->packet[n - 1];
}
