/* SPDX-License-Identifier: Apache-2.0
 *
 * A row of A met with columns of B that are told apart by hubs (core/heavy_rows.h): what both have
 * of the hubs is counted column by column, as bits or as a list looked up in marks; of everything
 * else the columns that have it are walked, once for the row, and counted where the mask asks for
 * them.
 *
 * Between rows everything is clean. Cost of a row: its entries; for each entry of the mask the
 * blocks that row and column have, or the column's list; the tails of the row's other entries, as
 * far as the last column of the mask.
 */
#ifndef GB_CPU_DOT_HUBROW_H
#define GB_CPU_DOT_HUBROW_H

#include <string.h>

#include "kernel_api/backend.h"
#include "core/memory.h"
#include "core/search.h"
#include "core/tune.h"
#include "cpu/simd/isa.h"
#include "cpu/simd/simd.h"

/* Workspace of one thread; the row that stands in it. */
typedef struct {
    uint64_t *bits;  /* [8 * hubs.blocks] of its hubs, on a line of the cache */
    uint8_t *mark;   /* [512 * hubs.blocks + 4] 1: it has the hub */
    uint32_t *place; /* [inner indices] of its entries: hubs from the first, others from the last */
    uint32_t *walked; /* [columns] 0: the mask does not ask for it; else entries in common that are
                       * no hubs, and 1 */
    bool is_walked;   /* else all of it is 0 */
    uint64_t hubs, others; /* entries of each kind */
    uint64_t blocks;       /* of its hubs */
    void *memory;
    size_t bytes;
} gb_HeavyWork;

static inline gbl_Info gb_heavy_work_new(gb_HeavyWork *w, const gb_MxmArgs *g) {
    enum { LINE = 64, MARK_PAD = 4 };
    const uint64_t numbers = (uint64_t)g->hubs.blocks * GB_BITS_BLOCK;
    const uint64_t inner = g->A.nminor, columns = g->B.nmajor;
    *w = (gb_HeavyWork){0};
    w->bytes = LINE + numbers / 8 + (inner + columns) * sizeof(uint32_t) + numbers + MARK_PAD;
    w->memory = gb_calloc(w->bytes);
    if (w->memory == NULL) return gb_fail_memory(w->bytes);
    w->bits = (uint64_t *)(((uintptr_t)w->memory + LINE - 1) / LINE * LINE);
    w->place = (uint32_t *)(w->bits + numbers / 64);
    w->walked = w->place + inner;
    w->mark = (uint8_t *)(w->walked + columns);
    return GBL_SUCCESS;
}

static inline void gb_heavy_work_free(gb_HeavyWork *w) {
    gb_free(w->memory, w->bytes);
}

/* Marks the columns that the mask asks for. */
GB_PER_ROW void gb_heavy_ask(const gb_MxmArgs *g, gb_HeavyWork *w, uint64_t i) {
    for (gb_Off m = g->M.p[i]; m < g->M.p[i + 1]; m++) w->walked[g->M.i[m]] = 1;
    w->is_walked = true;
}

/* The columns that have what the row has beside hubs. */
GB_PER_ROW void gb_heavy_walk(const gb_MxmArgs *g, gb_HeavyWork *w, uint64_t i) {
    enum { AHEAD = 4 };
    const gb_HeavyRows *hubs = &g->hubs;
    const uint32_t *others = w->place + g->A.nminor - w->others;
    const gb_Idx last = g->M.i[g->M.p[i + 1] - 1];
    for (uint64_t s = 0; s < w->others; s++) {
        if (s + 2 * AHEAD < w->others) __builtin_prefetch(&hubs->tail_p[others[s + 2 * AHEAD]]);
        if (s + AHEAD < w->others) __builtin_prefetch(&hubs->tail[hubs->tail_p[others[s + AHEAD]]]);
        const uint32_t begin = hubs->tail_p[others[s]];
        uint64_t end = hubs->tail_p[others[s] + 1];
        if (begin == end || hubs->tail[begin] > last) continue;
        if (end - begin > GB_LANES) end = gb_first_at_least(hubs->tail, begin, end, last + 1ull);
        if (!w->is_walked) gb_heavy_ask(g, w, i);
        gb_raise_marked(w->walked, hubs->tail + begin, end - begin);
    }
}

/* Row i, whose row of the mask has entries. */
GB_PER_ROW void gb_heavy_enter(const gb_MxmArgs *g, gb_HeavyWork *w, uint64_t i) {
    const uint32_t end = g->hubs.blocks * GB_BITS_BLOCK;
    uint32_t *others = w->place + g->A.nminor, last = 0;
    w->hubs = w->others = 0;
    w->is_walked = false;
    for (gb_Off p = g->A.p[i]; p < g->A.p[i + 1]; p++) {
        const uint32_t c = g->hubs.place[g->A.i[p]];
        if (c >= end) {
            *--others = c - end;
            w->others++;
            continue;
        }
        w->place[w->hubs++] = c;
        w->mark[c] = 1;
        w->bits[c / 64] |= (uint64_t)1 << c % 64;
        last = c > last ? c : last;
    }
    w->blocks = w->hubs > 0 ? last / GB_BITS_BLOCK + 1 : 0;
    if (w->others > 0) gb_heavy_walk(g, w, i);
}

/* How much column j, which the mask asks for, has in common with the row beside hubs; once. */
static inline uint64_t gb_heavy_walked(gb_HeavyWork *w, uint64_t j) {
    const uint32_t found = w->walked[j] - 1;
    w->walked[j] = 0;
    return found;
}

static inline void gb_heavy_leave(gb_HeavyWork *w) {
    for (uint64_t s = 0; s < w->hubs; s++) w->mark[w->place[s]] = 0;
    memset(w->bits, 0, w->blocks * GB_BITS_WORDS * sizeof *w->bits);
}

#endif
