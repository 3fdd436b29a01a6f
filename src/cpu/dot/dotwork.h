/* SPDX-License-Identifier: Apache-2.0
 *
 * Workspace of one thread of the masked inner product: a row of A, spread over the inner dimension
 * as soon as a column of B asks for it, as marks or as bits.
 */
#ifndef GB_CPU_DOT_DOTWORK_H
#define GB_CPU_DOT_DOTWORK_H

#include <string.h>

#include "kernel_api/backend.h"
#include "core/search.h"
#include "core/tune.h"
#include "cpu/dot/hubrow.h"
#include "cpu/simd/isa.h"
#include "cpu/rowwise/rowwork.h"

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
    void *scratch;
    gb_HeavyWork
        hub; /* where B is told apart by hubs: instead of all that follows and mark and at */
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

GB_PER_ROW void gb_dot_mark(const gb_MxmArgs *g, gb_DotWork *w, bool places) {
    const gb_Off from = g->A.p[w->row], to = g->A.p[w->row + 1];
    const gb_Idx *restrict Ai = g->A.i;
    uint8_t *restrict mark = w->mark;
    for (gb_Off p = from; p < to; p++) {
        mark[Ai[p]] = 1;
        if (places) w->at[Ai[p]] = (gb_Idx)(p - from);
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

/* Asks for column j, as bits or as a list. Always inlined, since gcc takes a function that only
 * prefetches for one without effect and drops the call. */
GB_OP void gb_dot_prefetch(const gb_MxmArgs *g, uint64_t j) {
    if (g->bits.rows > 0 && g->bits.row[j].blocks > 0)
        __builtin_prefetch(&g->bits.bits[(uint64_t)g->bits.row[j].at * GB_BITS_WORDS]);
    else
        __builtin_prefetch(&g->B.i[g->B.p[j]]);
}

/* Where the row, spread, and a column may meet: blocks [from, to), and the column's bits of the
 * block numbered 0. The few words of a short row are looked up one by one. */
typedef struct {
    const uint64_t *bits; /* of block `from` */
    uint32_t from, to;
    bool by_words;
} gb_DotMeeting;

static inline gb_DotMeeting gb_dot_meeting(const gb_MxmArgs *g, gb_DotWork *w, gb_BitRow held) {
    if (!w->spread) gb_dot_spread(g, w);
    const uint32_t begin = held.block - w->first, end = begin + held.blocks;
    const uint32_t from = begin > w->from ? begin : w->from, to = end < w->to ? end : w->to;
    if (from >= to) return (gb_DotMeeting){.from = 0, .to = 0};
    const uint64_t at = (uint64_t)held.at + (from - begin);
    const bool by_words = w->end - w->begin < (uint64_t)(to - from) * GB_BITS_FEW;
    if (by_words && w->words == 0) gb_dot_find_words(g, w);
    return (gb_DotMeeting){g->bits.bits + at * GB_BITS_WORDS, from, to, by_words};
}

/* The first entry that the row and the column have in common; UINT64_MAX where there is none. */
static inline uint64_t gb_dot_first(const gb_MxmArgs *g, gb_DotWork *w, gb_BitRow held) {
    const gb_DotMeeting at = gb_dot_meeting(g, w, held);
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

#endif
