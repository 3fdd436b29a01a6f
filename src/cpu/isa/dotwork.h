/* SPDX-License-Identifier: Apache-2.0
 *
 * Workspace of one thread of the masked inner product: a row of A, spread over the inner dimension
 * as soon as a column of B asks for it, as marks or as bits.
 */
#ifndef GB_CPU_ISA_DOTWORK_H
#define GB_CPU_ISA_DOTWORK_H

#include <string.h>

#include "backend/backend.h"
#include "core/search.h"
#include "core/tune.h"
#include "cpu/isa/hubrow.h"
#include "cpu/isa/isa.h"

typedef struct {
    gb_RingArgs args;
    uint64_t row;  /* of A, and whether it stands ... */
    bool marked;   /* ... in mark and at */
    bool spread;   /* ... in bits and word */
    uint8_t *mark; /* [k + 4] 1: row has column k; 0 between rows. Bytes, since testing a bit takes
                    * three times the instructions and hot columns stay in L1 anyway. NULL where k
                    * is so large that columns are searched instead */
    gb_Idx *at;    /* [k + 1] position of k within the row, where marked */
    gb_Off start;  /* of the row in A */
    void *scratch;
    gb_HubWork hub; /* where B is told apart by hubs: instead of all that follows and mark and at */
    /* For columns of B that are held as bits: the row's bits in blocks [first, first + blocks),
     * beyond which no such column has any; 0 between rows. */
    uint64_t *bits; /* [8 * blocks], on a line of the cache */
    void *memory;
    size_t bytes;
    uint32_t first, blocks;
    uint32_t from, to;   /* blocks that the row has entries in, less `first` */
    uint64_t words;      /* of its bits that are not 0: */
    uint32_t *word;      /* [words] their numbers, ascending */
    uint64_t *word_bits; /* [words] */
} gb_DotWork;

GB_PER_ROW void gb_dot_mark(const gb_MxmArgs *g, gb_DotWork *w, bool places) {
    const gb_Off from = g->A.p[w->row], to = g->A.p[w->row + 1];
    for (gb_Off p = from; p < to; p++) {
        w->mark[g->A.i[p]] = 1;
        if (places) w->at[g->A.i[p]] = (gb_Idx)(p - from);
    }
    w->marked = true;
}

GB_PER_ROW void gb_dot_spread(const gb_MxmArgs *g, gb_DotWork *w) {
    const uint64_t first = (uint64_t)w->first * GB_BITS_BLOCK;
    const uint64_t end = first + (uint64_t)w->blocks * GB_BITS_BLOCK;
    uint64_t n = 0;
    for (gb_Off p = g->A.p[w->row]; p < g->A.p[w->row + 1]; p++) {
        if (g->A.i[p] < first || g->A.i[p] >= end) continue;
        const uint64_t c = g->A.i[p] - first;
        if (n == 0 || w->word[n - 1] != c / 64) {
            w->word[n] = (uint32_t)(c / 64);
            w->word_bits[n++] = 0;
        }
        w->word_bits[n - 1] |= (uint64_t)1 << c % 64;
    }
    for (uint64_t k = 0; k < n; k++) w->bits[w->word[k]] = w->word_bits[k];
    w->words = n;
    w->from = n > 0 ? w->word[0] / GB_BITS_WORDS : 0;
    w->to = n > 0 ? w->word[n - 1] / GB_BITS_WORDS + 1 : 0;
    w->spread = true;
}

/* The few columns of a row of A, and how many of them a column of B has: no marks are set. */
enum { GB_DOT_FEW = 4 };
typedef uint32_t gb_DotFew __attribute__((vector_size(4 * GB_DOT_FEW)));

static inline gb_DotFew gb_dot_few(const gb_Idx *a, uint64_t n) {
    const gb_Idx none = UINT32_MAX; /* no index; lanes in memory would be waited for */
    return (gb_DotFew){a[0], n > 1 ? a[1] : none, n > 2 ? a[2] : none, n > 3 ? a[3] : none};
}

static inline uint64_t gb_dot_meet_few(gb_DotFew row, const gb_Idx *b, uint64_t n) {
    gb_DotFew found = {0};
    for (uint64_t q = 0; q < n; q++) found -= (gb_DotFew)(row == (gb_DotFew){0} + b[q]);
    return (uint64_t)found[0] + found[1] + found[2] + found[3];
}

/* Clears what the row has left. */
static inline void gb_dot_leave(const gb_MxmArgs *g, gb_DotWork *w) {
    if (w->marked)
        for (gb_Off p = g->A.p[w->row]; p < g->A.p[w->row + 1]; p++) w->mark[g->A.i[p]] = 0;
    if (w->spread)
        for (uint64_t k = 0; k < w->words; k++) w->bits[w->word[k]] = 0;
    w->marked = w->spread = false;
}

/* The bits of column j of B, of so many entries; NULL where it is a list. */
static inline const gb_BitRow *gb_dot_held(const gb_MxmArgs *g, uint64_t j, uint64_t entries) {
    if (g->bits.rows == 0 || entries < GB_BITS_LEAST || g->bits.slot[j] == 0) return NULL;
    return &g->bits.row[g->bits.slot[j] - 1];
}

/* Always inlined, since gcc takes a function that only prefetches for one without effect and drops
 * the call. */
GB_OP void gb_dot_prefetch(const gb_MxmArgs *g, uint64_t j) {
    const gb_BitRow *held = gb_dot_held(g, j, g->B.p[j + 1] - g->B.p[j]);
    if (held != NULL)
        __builtin_prefetch(&g->bits.bits[held->at * GB_BITS_WORDS]);
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

static inline gb_DotMeeting gb_dot_meeting(const gb_MxmArgs *g, const gb_DotWork *w,
                                           const gb_BitRow *held) {
    const uint32_t begin = held->block - w->first, end = begin + held->blocks;
    const uint32_t from = begin > w->from ? begin : w->from, to = end < w->to ? end : w->to;
    if (from >= to) return (gb_DotMeeting){.from = 0, .to = 0};
    return (gb_DotMeeting){.bits = g->bits.bits + (held->at + (from - begin)) * GB_BITS_WORDS,
                           .from = from,
                           .to = to,
                           .by_words = w->words < (uint64_t)(to - from) * GB_BITS_FEW};
}

/* Entries that the row and the column have in common. */
static inline uint64_t gb_dot_count(const gb_MxmArgs *g, const gb_DotWork *w,
                                    const gb_BitRow *held) {
    const gb_DotMeeting at = gb_dot_meeting(g, w, held);
    const uint32_t base = at.from * GB_BITS_WORDS, end = at.to * GB_BITS_WORDS;
    if (base == end) return 0;
    if (!at.by_words) return gb_and_count(w->bits + base, at.bits, at.to - at.from);
    return gb_and_words(at.bits, base, end, (gb_Words){w->word, w->word_bits}, w->words);
}

/* The first of them; UINT64_MAX where there is none. */
static inline uint64_t gb_dot_first(const gb_MxmArgs *g, const gb_DotWork *w,
                                    const gb_BitRow *held) {
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
