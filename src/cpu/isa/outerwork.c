/* SPDX-License-Identifier: Apache-2.0
 *
 * Workspace of the outer product, and the part of its work that does not depend on the semiring;
 * see outerwork.h.
 */
#include "cpu/isa/outerwork.h"

#include "core/arrays.h"
#include "cpu/isa/isa.h"

static void *take(size_t *bytes, uint64_t count, size_t size) {
    return gb_size_mul(bytes, count, size) ? gb_malloc(*bytes) : NULL;
}

gbl_Info GB_ISA_NAME(gb_outerwork_new)(gb_OuterWork *w, const gb_Outer *o) {
    const gb_Bins *b = o->bins;
    const uint64_t products = b->most_products, zsize = o->g->args.zsize;
    size_t bytes[4] = {0};
    *w = (gb_OuterWork){.lines_bytes = b->most_bins * b->shape.stride + GB_LINE};
    gbl_Info info = GB_ISA_NAME(gb_rowwork_new)(&w->rows, o->g);
    if (info != GBL_SUCCESS) return info;
    w->local = take(&bytes[0], b->most_bins, sizeof *w->local);
    w->lines_block = gb_malloc(w->lines_bytes);
    w->end = take(&bytes[1], GB_BIN_ROWS, sizeof *w->end);
    w->key = take(&bytes[2], 2 * products, sizeof *w->key);
    w->product = take(&bytes[3], products, zsize);
    if (w->local == NULL || w->lines_block == NULL || w->end == NULL ||
        (products > 0 && (w->key == NULL || w->product == NULL)) ||
        !GB_ISA_NAME(gb_reserve_products)(&w->rows))
        return gb_fail_memory(NULL, w->lines_bytes + bytes[0] + bytes[1] + bytes[2] + bytes[3]);
    w->lines = (char *)(((uintptr_t)w->lines_block + GB_LINE - 1) & ~(uintptr_t)(GB_LINE - 1));
    return GBL_SUCCESS;
}

void GB_ISA_NAME(gb_outerwork_free)(gb_OuterWork *w, const gb_Outer *o) {
    const gb_Bins *b = o->bins;
    gb_free(w->local, b->most_bins * sizeof *w->local);
    gb_free(w->lines_block, w->lines_bytes);
    gb_free(w->end, GB_BIN_ROWS * sizeof *w->end);
    gb_free(w->key, 2 * b->most_products * sizeof *w->key);
    gb_free(w->product, b->most_products * o->g->args.zsize);
    GB_ISA_NAME(gb_rowwork_free)(&w->rows);
}

void GB_ISA_NAME(gb_local_begin)(gb_OuterWork *w, const gb_Outer *o, int part) {
    const gb_Bins *b = o->bins;
    const uint64_t *start = b->start + (uint64_t)part * b->chunks.n;
    for (uint64_t bin = o->begin; bin < o->end; bin++)
        w->local[bin - o->begin] = (gb_LocalBin){.to = o->packets + start[bin]};
}

/* The last line of a part is written whole: the next part begins behind it. */
void GB_ISA_NAME(gb_local_end)(gb_OuterWork *w, const gb_Outer *o) {
    for (uint64_t bin = 0; bin < o->end - o->begin; bin++) {
        const char *lines = w->lines + bin * o->bins->shape.stride;
        const gb_LocalBin *local = &w->local[bin];
        for (size_t at = 0; at < local->used; at += GB_LINE)
            gb_stream_line(local->to + at, lines + at);
    }
#if defined(__SSE2__)
    _mm_sfence(); /* other threads read this */
#endif
}

/* -- grouping ---------------------------------------------------------------------------------- */

/* The packets of one part; values of `size` bytes. */
__attribute__((always_inline)) static inline void
group_part(const char *at, const char *end, uint32_t *row_end, const gb_Buffer *out, size_t size) {
    while (at < end) {
        __builtin_prefetch(at + GB_PACKETS_AHEAD);
        uint32_t head;
        memcpy(&head, at, sizeof head);
        const unsigned n = head & ((1u << GB_PACKET_BITS) - 1);
        uint32_t *place = &row_end[head >> GB_PACKET_BITS];
        const uint64_t p = *place;
        *place += n;
        gb_copy_few(out->i + p, at + 4, n * sizeof(gb_Idx));
        gb_copy_few(out->x + p * size, at + gb_packet_values(n), n * size);
        at += gb_packet_bytes(size, n);
    }
}

void GB_ISA_NAME(gb_group_rows)(gb_OuterWork *w, const gb_Outer *o, uint64_t bin,
                                const gb_Buffer *buffer) {
    const gb_Bins *b = o->bins;
    const uint64_t *flops = o->g->flops + b->chunks.row[bin];
    const uint64_t rows = b->chunks.row[bin + 1] - b->chunks.row[bin];
    for (uint64_t r = 0; r < rows; r++) w->end[r] = (uint32_t)(flops[r] - flops[0]);
    for (uint64_t t = 0; t < (uint64_t)b->parts; t++) {
        const char *at = o->packets + b->start[t * b->chunks.n + bin];
        const char *end = at + b->bytes[t * b->chunks.n + bin];
        if (b->shape.value == 8)
            group_part(at, end, w->end, buffer, 8);
        else if (b->shape.value == 4)
            group_part(at, end, w->end, buffer, 4);
        else
            group_part(at, end, w->end, buffer, b->shape.value);
    }
}
