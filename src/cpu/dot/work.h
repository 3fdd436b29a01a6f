/* SPDX-License-Identifier: Apache-2.0
 *
 * Workspace of one thread of the masked inner product: a row of A, spread over the inner dimension
 * as soon as a column of B requires it, as marks or as bits.
 *
 * Where B is split by heavy inner indices (core/forms.h), what row and column have of these is
 * counted column by column, as bits or as a list looked up in marks; of everything else the columns
 * that have it are traversed once for the row, and counted where the mask has them. Cost of a row:
 * its entries; for each entry of the mask the blocks that row and column have, or the column's
 * list; the tails of the row's other entries, as far as the last column of the mask.
 *
 * Where products are only counted, one body serves all semirings, and values are never read
 * (count.c): how many inner indices row i of A and each column of B that the mask has share. They
 * are intersected in the cheapest of these ways: as bits, where the column is held so
 * (core/forms.h); compared as they are, where both are short; looked up in marks; searched, where
 * the column is much longer than the row or the inner dimension too large to be marked.
 *
 * Preconditions: B by columns; rows and columns sorted. Between rows everything is clean. Cost: for
 * each (i,j) of the mask the blocks that both have or the words of the row, or the length of column
 * j, or the lesser of both times the logarithm of the greater.
 */
#pragma once

#include "cpu/rowwise/rowwork.h"

/* -- heavy rows -------------------------------------------------------------------------------- */

/* Workspace of one thread; the row that stands in it. */
typedef struct {
    uint64_t *bits; /* [8 * hubs.blocks] of its heavy indices, on a line of the cache */
    uint8_t *mark;  /* [512 * hubs.blocks + 4] 1: it has the heavy index */
    uint32_t *
        index; /* [inner indices] of its entries: heavy ones from the first, others from the last */
    uint32_t *tails; /* [columns] 0: the mask does not have it; else entries in common that are
                      * not heavy, and 1 */
    bool has_tails;  /* else all of it is 0 */
    uint64_t heavy, others; /* entries of each kind */
    uint64_t blocks;        /* of its heavy indices */
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
    w->index = (uint32_t *)(w->bits + numbers / 64);
    w->tails = w->index + inner;
    w->mark = (uint8_t *)(w->tails + columns);
    return GBL_SUCCESS;
}

static inline void gb_heavy_work_free(gb_HeavyWork *w) {
    gb_free(w->memory, w->bytes);
}

/* Marks the columns that the mask has. */
GB_PER_ROW void gb_heavy_mark_mask(const gb_MxmArgs *g, gb_HeavyWork *w, uint64_t i) {
    for (gb_Off m = g->M.p[i]; m < g->M.p[i + 1]; m++) w->tails[g->M.i[m]] = 1;
    w->has_tails = true;
}

/* The columns that have what the row has beside heavy indices. */
GB_PER_ROW void gb_heavy_count_tails(const gb_MxmArgs *g, gb_HeavyWork *w, uint64_t i) {
    enum { AHEAD = 4 };
    const gb_HeavyRows *heavy = &g->hubs;
    const uint32_t *others = w->index + g->A.nminor - w->others;
    const gb_Idx last = g->M.i[g->M.p[i + 1] - 1];
    for (uint64_t s = 0; s < w->others; s++) {
        if (s + 2 * AHEAD < w->others) __builtin_prefetch(&heavy->tail_p[others[s + 2 * AHEAD]]);
        if (s + AHEAD < w->others)
            __builtin_prefetch(&heavy->tail[heavy->tail_p[others[s + AHEAD]]]);
        const uint32_t begin = heavy->tail_p[others[s]];
        uint64_t end = heavy->tail_p[others[s] + 1];
        if (begin == end || heavy->tail[begin] > last) continue;
        if (end - begin > GB_LANES) end = gb_first_at_least(heavy->tail, begin, end, last + 1ull);
        if (!w->has_tails) gb_heavy_mark_mask(g, w, i);
        gb_raise_marked(w->tails, heavy->tail + begin, end - begin);
    }
}

/* Row i, whose row of the mask has entries. */
GB_PER_ROW void gb_heavy_enter(const gb_MxmArgs *g, gb_HeavyWork *w, uint64_t i) {
    const uint32_t end = g->hubs.blocks * GB_BITS_BLOCK;
    uint32_t *others = w->index + g->A.nminor, last = 0;
    w->heavy = w->others = 0;
    w->has_tails = false;
    for (gb_Off p = g->A.p[i]; p < g->A.p[i + 1]; p++) {
        const uint32_t c = g->hubs.place[g->A.i[p]];
        if (c >= end) {
            *--others = c - end;
            w->others++;
            continue;
        }
        w->index[w->heavy++] = c;
        w->mark[c] = 1;
        w->bits[c / 64] |= (uint64_t)1 << c % 64;
        last = c > last ? c : last;
    }
    w->blocks = w->heavy > 0 ? last / GB_BITS_BLOCK + 1 : 0;
    if (w->others > 0) gb_heavy_count_tails(g, w, i);
}

/* How much column j, which the mask has, has in common with the row beside heavy indices; once. */
static inline uint64_t gb_heavy_tail(gb_HeavyWork *w, uint64_t j) {
    const uint32_t found = w->tails[j] - 1;
    w->tails[j] = 0;
    return found;
}

static inline void gb_heavy_leave(gb_HeavyWork *w) {
    for (uint64_t s = 0; s < w->heavy; s++) w->mark[w->index[s]] = 0;
    memset(w->bits, 0, w->blocks * GB_BITS_WORDS * sizeof *w->bits);
}

/* -- the workspace ----------------------------------------------------------------------------- */

typedef struct {
    gb_RingArgs args;
    uint64_t row;  /* of A, and whether it stands ... */
    bool marked;   /* ... in mark and at */
    bool spread;   /* ... in bits */
    uint8_t *mark; /* [k + 4] 1: row has column k; 0 between rows. Bytes, since testing a bit takes
                    * three times the instructions and hot columns stay in L1 anyway. NULL where k
                    * is so large that columns are searched instead */
    gb_Idx *at;    /* [k + 1] position of k within the row, where marked */
    gb_Off start;  /* of the row in A */
    gb_HeavyWork heavy; /* where B is split into heavy and other indices: instead of all that
                           follows and mark and at */
    /* For columns of B that are held as bits: the row's bits in blocks [first, first + blocks),
     * beyond which no such column has any; 0 between rows. */
    uint64_t *bits; /* [8 * blocks], on a line of the cache */
    void *memory;
    size_t bytes;
    uint32_t first, blocks;
    gb_Off begin, end;   /* entries of the row in those blocks */
    uint32_t from, to;   /* blocks that they are in, less `first` */
    uint64_t words;      /* of its bits that are not 0; 0: not made yet */
    uint32_t *word;      /* [words] their numbers, ascending */
    uint64_t *word_bits; /* [words] */
    gb_RowWork filter;   /* of rows that lose entries before they are stored */
} gb_DotWork;

/* Where rows of C go, behind the n entries that are there. */
typedef struct {
    gb_Off *p; /* [rows] where each begins */
    gb_Idx *i;
    char *x;
    uint64_t n;
} gb_DotOut;

GB_PER_ROW void gb_dot_mark(const gb_MxmArgs *g, gb_DotWork *w, bool positions) {
    const gb_Off from = g->A.p[w->row], to = g->A.p[w->row + 1];
    const gb_Idx *restrict Ai = g->A.i;
    uint8_t *restrict mark = w->mark;
    for (gb_Off p = from; p < to; p++) {
        mark[Ai[p]] = 1;
        if (positions) w->at[Ai[p]] = (gb_Idx)(p - from);
    }
    w->marked = true;
}

GB_PER_ROW void gb_dot_spread(const gb_MxmArgs *g, gb_DotWork *w) {
    const gb_Idx *restrict Ai = g->A.i;
    uint64_t *restrict bits = w->bits;
    const uint64_t first = (uint64_t)w->first * GB_BITS_BLOCK;
    const uint64_t end = first + (uint64_t)w->blocks * GB_BITS_BLOCK;
    gb_Off p = g->A.p[w->row], q = g->A.p[w->row + 1];
    while (p < q && Ai[p] < first) p++;
    while (p < q && Ai[q - 1] >= end) q--;
    w->begin = p;
    w->end = q;
    w->from = p < q ? Ai[p] / GB_BITS_BLOCK - w->first : 0;
    w->to = p < q ? Ai[q - 1] / GB_BITS_BLOCK - w->first + 1 : 0;
    w->words = 0;
    for (; p < q; p++) bits[(Ai[p] - first) / 64] |= (uint64_t)1 << Ai[p] % 64;
    w->spread = true;
}

/* The words of the row, which is spread. */
GB_PER_ROW void gb_dot_find_words(const gb_MxmArgs *g, gb_DotWork *w) {
    const uint64_t first = (uint64_t)w->first * GB_BITS_BLOCK;
    uint64_t n = 0;
    for (gb_Off p = w->begin; p < w->end; p++) {
        const uint32_t word = (uint32_t)((g->A.i[p] - first) / 64);
        if (n > 0 && w->word[n - 1] == word) continue;
        w->word[n] = word;
        w->word_bits[n++] = w->bits[word];
    }
    w->words = n;
}

/* Clears what the row has left. */
static inline void gb_dot_clean(const gb_MxmArgs *g, gb_DotWork *w) {
    const uint64_t first = (uint64_t)w->first * GB_BITS_BLOCK;
    const gb_Idx *restrict Ai = g->A.i;
    uint8_t *restrict mark = w->mark;
    uint64_t *restrict bits = w->bits;
    const gb_Off end = w->marked ? g->A.p[w->row + 1] : 0, bits_end = w->spread ? w->end : 0;
    for (gb_Off p = g->A.p[w->row]; p < end; p++) mark[Ai[p]] = 0;
    for (gb_Off p = w->begin; p < bits_end; p++) bits[(Ai[p] - first) / 64] = 0;
    w->marked = w->spread = false;
}

/* Prefetches column j, as bits or as a list. Always inlined, since gcc takes a function that only
 * prefetches for one without effect and drops the call. */
GB_OP void gb_dot_prefetch(const gb_MxmArgs *g, uint64_t j) {
    if (g->bits.rows > 0 && g->bits.row[j].blocks > 0)
        __builtin_prefetch(&g->bits.bits[(uint64_t)g->bits.row[j].at * GB_BITS_WORDS]);
    else
        __builtin_prefetch(&g->B.i[g->B.p[j]]);
}

/* Where the row, spread, and a column may overlap: blocks [from, to), and the column's bits of the
 * block numbered 0. The few words of a short row are looked up one by one. */
typedef struct {
    const uint64_t *bits; /* of block `from` */
    uint32_t from, to;
    bool by_words;
} gb_DotOverlap;

static inline gb_DotOverlap gb_dot_overlap(const gb_MxmArgs *g, gb_DotWork *w, gb_BitRow held) {
    if (!w->spread) gb_dot_spread(g, w);
    const uint32_t begin = held.block - w->first, end = begin + held.blocks;
    const uint32_t from = begin > w->from ? begin : w->from, to = end < w->to ? end : w->to;
    if (from >= to) return (gb_DotOverlap){.from = 0, .to = 0};
    const uint64_t at = (uint64_t)held.at + (from - begin);
    const bool by_words = w->end - w->begin < (uint64_t)(to - from) * GB_BITS_FEW;
    if (by_words && w->words == 0) gb_dot_find_words(g, w);
    return (gb_DotOverlap){g->bits.bits + at * GB_BITS_WORDS, from, to, by_words};
}

/* The first entry that the row and the column have in common; UINT64_MAX where there is none. */
static inline uint64_t gb_dot_first(const gb_MxmArgs *g, gb_DotWork *w, gb_BitRow held) {
    const gb_DotOverlap at = gb_dot_overlap(g, w, held);
    const uint32_t base = at.from * GB_BITS_WORDS, end = at.to * GB_BITS_WORDS;
    const uint64_t column = (uint64_t)w->first * GB_BITS_BLOCK;
    uint64_t k = 0;
    if (base == end) return UINT64_MAX;
    if (!at.by_words) {
        const uint64_t c = gb_and_first(w->bits + base, at.bits, at.to - at.from);
        return c == UINT64_MAX ? c : column + (uint64_t)base * 64 + c;
    }
    if (at.from > w->from) k = gb_first_at_least(w->word, 0, w->words, base);
    for (; k < w->words && w->word[k] < end; k++) {
        const uint64_t both = at.bits[w->word[k] - base] & w->word_bits[k];
        if (both != 0) return column + (uint64_t)w->word[k] * 64 + (uint64_t)__builtin_ctzll(both);
    }
    return UINT64_MAX;
}

/* The function of one semiring (dot.tmpl.h): rows [from, to). */
typedef struct gb_DotKernel {
    void (*rows)(const gb_MxmArgs *g, gb_DotWork *w, uint64_t from, uint64_t to, gb_DotOut *C);
} gb_DotKernel;

/* -- counts ------------------------------------------------------------------------------------ */

/* Entries [from, to) of the mask, GB_DOT_BATCH at most. */
typedef struct {
    gb_Off from, to;
    uint32_t count[GB_DOT_BATCH];      /* of each */
    uint32_t before[GB_DOT_BATCH + 1]; /* entries of C in this batch before each, and all */
} gb_DotBatch;

/* Entries of a product, or some of them, but not none where there are any; and the sum of all. */
typedef struct {
    uint64_t entries, sum;
} gb_DotTotal;

/* Row i, whose row of the mask has entries, stands in w until it leaves. */
static inline void gb_dot_enter(const gb_MxmArgs *g, gb_DotWork *w, uint64_t i) {
    w->row = i;
    if (g->hubs.blocks > 0) gb_heavy_enter(g, &w->heavy, i);
}

static inline void gb_dot_leave(const gb_MxmArgs *g, gb_DotWork *w) {
    if (g->hubs.blocks > 0)
        gb_heavy_leave(&w->heavy);
    else
        gb_dot_clean(g, w);
}

/* Where the batch of row i's mask ends that begins at entry `from`. */
static inline gb_Off gb_dot_batch_end(const gb_MxmArgs *g, uint64_t i, gb_Off from) {
    return g->M.p[i + 1] - from < GB_DOT_BATCH ? g->M.p[i + 1] : from + GB_DOT_BATCH;
}

/* Where the rows from `from` on end that are a batch together; a row that is longer than one stays
 * alone. */
static inline uint64_t gb_dot_rows_end(const gb_MxmArgs *g, uint64_t from, uint64_t to) {
    const gb_Off most = g->M.p[from] + GB_DOT_BATCH;
    uint64_t end = from + 1;
    while (end < to && g->M.p[end + 1] <= most) end++;
    return end;
}

static inline bool gb_dot_is_long(const gb_MxmArgs *g, uint64_t i) {
    return g->M.p[i + 1] - g->M.p[i] > GB_DOT_BATCH;
}

/* Counts of a batch that is part of the row that stands in w. */
void GB_ISA_NAME(gb_dot_counts)(const gb_MxmArgs *g, gb_DotWork *w, gb_DotBatch *batch);
/* Counts of the batch that rows [from, to) are. Returns whether one is not 0. */
bool GB_ISA_NAME(gb_dot_count_rows)(const gb_MxmArgs *g, gb_DotWork *w, uint64_t from, uint64_t to,
                                    gb_DotBatch *batch);
/* All of rows [from, to). */
gb_DotTotal GB_ISA_NAME(gb_dot_total)(const gb_MxmArgs *g, gb_DotWork *w, uint64_t from,
                                      uint64_t to);
