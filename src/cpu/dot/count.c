/* SPDX-License-Identifier: Apache-2.0
 *
 * See work.h.
 */
#include "cpu/dot/work.h"

/* -- lists ------------------------------------------------------------------------------------- */

/* A column of so many entries that is too long to be compared as it stands. */
GB_PER_ROW uint64_t count_list(const gb_MxmArgs *g, gb_DotWork *w, const gb_Idx *b, uint64_t m) {
    const gb_Off *Ap = g->A.p + w->row;
    const uint64_t a = Ap[1] - Ap[0];
    if (w->mark == NULL || m > GB_DOT_SEARCH * a) return gb_count_common(g->A.i + Ap[0], a, b, m);
    if (!w->marked) gb_dot_mark(g, w, false);
    if (g->A.nminor <= INT32_MAX) return gb_count_marked(w->mark, b, m);
    uint64_t found = 0;
    for (uint64_t q = 0; q < m; q++) found += w->mark[b[q]];
    return found;
}

/* Entries [from, to) of the mask, where no column is held as bits. */
static void count_lists(const gb_MxmArgs *g, gb_DotWork *w, gb_Off from, gb_Off to,
                        uint32_t *restrict count) {
    const gb_Off *restrict Bp = g->B.p;
    const gb_Idx *restrict Bi = g->B.i, *restrict Mi = g->M.i;
    const gb_Off row = g->A.p[w->row];
    const uint64_t a = g->A.p[w->row + 1] - row, ahead = g->M.nvals;
    const bool is_few = a <= GB_FEW_MOST;
    const gb_SmallProduct few = gb_few(g->A.i + row, is_few ? a : 0);
    for (gb_Off m = from; m < to; m++) {
        const uint64_t j = Mi[m], b = Bp[j + 1] - Bp[j];
        const gb_Idx *column = Bi + Bp[j];
        if (m + GB_DOT_PREFETCH < ahead) __builtin_prefetch(&Bi[Bp[Mi[m + GB_DOT_PREFETCH]]]);
        *count++ = (uint32_t)(is_few && b <= GB_DOT_SHORT ? gb_count_few(few, column, b)
                                                          : count_list(g, w, column, b));
    }
}

/* -- bits -------------------------------------------------------------------------------------- */

/* Column j, which is a list where others are bits. */
GB_PER_ROW uint64_t count_other(const gb_MxmArgs *g, gb_DotWork *w, uint64_t j) {
    const gb_Off *Ap = g->A.p + w->row, *Bp = g->B.p + j;
    const uint64_t a = Ap[1] - Ap[0], b = Bp[1] - Bp[0];
    const gb_Idx *column = g->B.i + Bp[0];
    if (a <= GB_FEW_MOST && b <= GB_DOT_SHORT)
        return gb_count_few(gb_few(g->A.i + Ap[0], a), column, b);
    return count_list(g, w, column, b);
}

/* Prefetches the bits of the column of a later entry of the mask. That it may be a list makes no
 * difference: what is not foreseen takes longer than what the list would have spared. */
GB_OP void prefetch_bits(const gb_MxmArgs *g, gb_Off m) {
    if (m + GB_DOT_PREFETCH >= g->M.nvals) return;
    const uint64_t at = g->bits.row[g->M.i[m + GB_DOT_PREFETCH]].at;
    __builtin_prefetch(&g->bits.bits[at * GB_BITS_WORDS]);
}

/* Entries [from, to) of the mask. */
static void count_columns(const gb_MxmArgs *g, gb_DotWork *w, gb_Off from, gb_Off to,
                          uint32_t *restrict count) {
    const gb_Idx *restrict Mi = g->M.i;
    for (gb_Off m = from; m < to; m++) {
        const gb_BitRow held = g->bits.row[Mi[m]];
        uint64_t found;
        prefetch_bits(g, m);
        if (held.blocks == 0) {
            found = count_other(g, w, Mi[m]);
        } else {
            const gb_DotOverlap at = gb_dot_overlap(g, w, held);
            found = at.by_words
                        ? gb_and_words(at.bits, at.from * GB_BITS_WORDS, at.to * GB_BITS_WORDS,
                                       (gb_Words){w->word, w->word_bits}, w->words)
                        : gb_and_count(w->bits + (uint64_t)at.from * GB_BITS_WORDS, at.bits,
                                       at.to - at.from);
        }
        *count++ = (uint32_t)found;
    }
}

/* -- heavy rows -------------------------------------------------------------------------------- */

/* Entries [from, to) of the mask, where B is split into heavy and other indices. */
static void count_by_heavy(const gb_MxmArgs *g, gb_HeavyWork *w, gb_Off from, gb_Off to,
                           uint32_t *restrict count) {
    const gb_Idx *restrict Mi = g->M.i;
    for (gb_Off m = from; m < to; m++) {
        const gb_HeavyRow row = g->hubs.row[Mi[m]];
        const uint32_t *list = g->hubs.content + row.at;
        const uint64_t blocks = row.blocks < w->blocks ? row.blocks : w->blocks; /* of both */
        if (m + GB_HEAVY_AHEAD < g->M.nvals)
            __builtin_prefetch(g->hubs.content + g->hubs.row[Mi[m + GB_HEAVY_AHEAD]].at);
        const uint64_t found =
            row.blocks > 0 ? gb_and_count(w->bits, (const uint64_t *)(const void *)list, blocks)
                           : gb_count_marked(w->mark, list, row.entries);
        *count++ = (uint32_t)(found + (w->has_tails ? gb_heavy_tail(w, Mi[m]) : 0));
    }
}

/* -- what others call -------------------------------------------------------------------------- */

/* In the way that B is held. */
static void count_each(const gb_MxmArgs *g, gb_DotWork *w, gb_Off from, gb_Off to,
                       uint32_t *count) {
    if (g->hubs.blocks > 0)
        count_by_heavy(g, &w->heavy, from, to, count);
    else if (g->bits.rows > 0)
        count_columns(g, w, from, to, count);
    else
        count_lists(g, w, from, to, count);
}

void GB_ISA_NAME(gb_dot_counts)(const gb_MxmArgs *g, gb_DotWork *w, gb_DotBatch *batch) {
    count_each(g, w, batch->from, batch->to, batch->count);
}

/* A row that has entries in A and in the mask, or a part of it. */
GB_PER_ROW void count_row(const gb_MxmArgs *g, gb_DotWork *w, uint64_t i, uint32_t *count) {
    gb_dot_enter(g, w, i);
    count_each(g, w, g->M.p[i], g->M.p[i + 1], count);
    gb_dot_leave(g, w);
}

/* Rows [from, to) of lists, most of them short: nothing but the comparison is left of these. */
static void count_short_rows(const gb_MxmArgs *g, gb_DotWork *w, uint64_t from, uint64_t to,
                             uint32_t *restrict count) {
    const gb_Off *restrict Ap = g->A.p, *restrict Bp = g->B.p, *restrict Mp = g->M.p;
    const gb_Idx *restrict Ai = g->A.i, *restrict Bi = g->B.i, *restrict Mi = g->M.i;
    const gb_Off first = Mp[from];
    for (uint64_t i = from; i < to; i++) {
        const gb_Off a = Ap[i + 1] - Ap[i], end = Mp[i + 1];
        const bool is_few = a <= GB_FEW_MOST;
        const gb_SmallProduct few = gb_few(Ai + Ap[i], is_few ? a : 0);
        gb_Off m = Mp[i];
        for (; is_few && m < end; m++) {
            const gb_Off q = Bp[Mi[m]], b = Bp[Mi[m] + 1ull] - q;
            if (b > GB_DOT_SHORT) break;
            count[m - first] = (uint32_t)gb_count_few(few, Bi + q, b);
        }
        if (m < end) count_row(g, w, i, count + (Mp[i] - first));
    }
}

/* Rows [from, to), where B is held as bits or by heavy rows. */
static void count_each_row(const gb_MxmArgs *g, gb_DotWork *w, uint64_t from, uint64_t to,
                           uint32_t *count) {
    for (uint64_t i = from; i < to; i++) {
        const uint64_t n = g->M.p[i + 1] - g->M.p[i];
        if (n > 0 && g->A.p[i] == g->A.p[i + 1])
            memset(count, 0, n * sizeof *count);
        else if (n > 0)
            count_row(g, w, i, count);
        count += n;
    }
}

bool GB_ISA_NAME(gb_dot_count_rows)(const gb_MxmArgs *g, gb_DotWork *w, uint64_t from, uint64_t to,
                                    gb_DotBatch *batch) {
    uint32_t any = 0;
    batch->from = g->M.p[from];
    batch->to = g->M.p[to];
    if (g->hubs.blocks > 0 || g->bits.rows > 0)
        count_each_row(g, w, from, to, batch->count);
    else
        count_short_rows(g, w, from, to, batch->count);
    for (uint64_t k = 0; k < batch->to - batch->from; k++) any |= batch->count[k];
    return any != 0;
}

GB_OP void add_batch(const gb_DotBatch *batch, gb_DotTotal *total) {
    for (uint64_t k = 0; k < batch->to - batch->from; k++) {
        total->sum += batch->count[k];
        total->entries += batch->count[k] > 0;
    }
}

gb_DotTotal GB_ISA_NAME(gb_dot_total)(const gb_MxmArgs *g, gb_DotWork *w, uint64_t from,
                                      uint64_t to) {
    gb_DotTotal total = {0};
    gb_DotBatch batch;
    for (uint64_t i = from, end; i < to; i = end) {
        end = gb_dot_rows_end(g, i, to);
        if (!gb_dot_is_long(g, i)) {
            if (GB_ISA_NAME(gb_dot_count_rows)(g, w, i, end, &batch)) add_batch(&batch, &total);
            continue;
        }
        if (g->A.p[i] == g->A.p[i + 1]) continue;
        gb_dot_enter(g, w, i);
        for (batch.from = g->M.p[i]; batch.from < g->M.p[end]; batch.from = batch.to) {
            batch.to = gb_dot_batch_end(g, i, batch.from);
            GB_ISA_NAME(gb_dot_counts)(g, w, &batch);
            add_batch(&batch, &total);
        }
        gb_dot_leave(g, w);
    }
    return total;
}
