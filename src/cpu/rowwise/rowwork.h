/* SPDX-License-Identifier: Apache-2.0
 *
 * Workspace of one thread of the row-wise product, and the rule that gives each row its
 * accumulator (Ocean, ICS '26, section 3.3).
 *
 * Between rows everything is clean: val[j] is the monoid's identity, mark[j] = 0, block[j / 64] =
 * 0, table.key[s] = GB_NO_KEY. A row cleans what it touched, so a row costs what it computes and
 * not n.
 */
#pragma once

#include "core/memory.h"
#include "cpu/common/sort.h"
#include "cpu/rowwise/probe.h"
#include "kernel_api/backend.h"

enum { GB_MARK_LISTED = 1, GB_MARK_FOUND = 2 }; /* masked rows: in the mask's row; has a value */
/* Entries of a row of B between two looks ahead into the next one: the columns of a line of the
 * cache. Rows of 270 entries at random places, dense, FP32, 2 threads: 4.7 s when only the first
 * line of the next row is asked for, 3.8 s so. */
enum { GB_LINE_ENTRIES = 16 };
enum {
    GB_SHORT_ROWS = 16,  /* lanes of a network of 32-bit keys */
    GB_EXPAND_AHEAD = 4, /* products written at a time; most short rows of B are no longer */
    GB_SHORT_PRODUCTS = 64 * GB_SHORT_ROWS + GB_EXPAND_AHEAD
};

/* Short rows that are computed together: rows [from, to) of which these have products. */
typedef struct {
    uint64_t from, to;
    unsigned n, longest; /* rows with products; products of the longest */
    uint64_t row[GB_SHORT_ROWS];
    unsigned products[GB_SHORT_ROWS];
} gb_ShortRows;

static inline void gb_short_add(gb_ShortRows *batch, uint64_t i, unsigned f) {
    if (batch->n == 0) batch->from = i;
    batch->row[batch->n] = i;
    batch->products[batch->n++] = f;
    batch->to = i + 1;
    if (f > batch->longest) batch->longest = f;
}

/* Whether all of GB_RUN columns have a value. */
static inline bool gb_all_marked(const uint8_t *mark) {
    uint64_t bytes;
    memcpy(&bytes, mark, sizeof bytes);
    return bytes == 0x0101010101010101u;
}

/* Where rows are written: entries to i and x, and to p[row] where each begins, from offset on. */
typedef struct {
    gb_Off *p;
    gb_Off offset;
    gb_Idx *i;
    void *x;
} gb_RowOut;

/* Where one row is written. */
typedef struct {
    gb_Idx *i;
    void *x;
} gb_RowPlace;

typedef struct {
    gb_RingArgs args; /* the thread's copy, with its own scratch */
    /* dense: any column at once, values in place */
    uint64_t n;     /* columns; 0 until a row asks */
    void *val;      /* [n]; NULL until then */
    uint8_t *mark;  /* [n + 64] the column has a value (masked rows: GB_MARK_ bits) */
    uint8_t *block; /* [n / 64 + 64] some column of the 64 has a value */
    /* bits: of columns, in blocks of 512 */
    uint64_t *bits;   /* NULL until a row asks */
    uint8_t *touched; /* of each word of bits, and 64 more: some may be set */
    /* hash: keys apart from values, so that the keys of long rows stay in a cache that their
     * values exceed */
    gb_Idx *table_key; /* [slots] on a line's border */
    void *slot_val;    /* [slots] */
    uint8_t *state;    /* [slots] masked rows: GB_MARK_ bits; meaningless where the slot is free */
    uint64_t *list;    /* [slots] of each entry: column and slot, see hashrow.tmpl.h */
    uint64_t *tmp;     /* [slots] */
    uint64_t slots;
    /* sort: the products of short rows */
    void *prod; /* [GB_SHORT_PRODUCTS] */
    /* filter (rowfilter.c): of the entries of one row */
    uint8_t *keep;  /* [filtered + 64] */
    uint64_t *rank; /* [filtered] */
    /* what these arrays are in, and two values for the semiring */
    gb_Grown of_dense, of_bits, of_table, of_products, of_filter, of_scratch;
    uint64_t copied, sorted, hashed, dense, by_bits, overflowed; /* rows by accumulator */
    uint64_t sort_ticks;
    bool may_sort; /* short rows may be expanded and sorted */
    bool unmarked; /* dense: values at rest are -0 and marks are not used */
    bool runs;     /* B's columns come in runs: add GB_RUN at a time */
    bool query;    /* most products meet a marked column: look before marking */
    size_t wanted; /* bytes that a row asked for in vain; 0: all is well */
} gb_RowWork;

/* rowwork.c. Each reserve gives what rows of a kind need, at the first such row; false when memory
 * is short, with w->wanted set. A table has 2^bits slots. */
gbl_Info GB_ISA_NAME(gb_rowwork_new)(gb_RowWork *w, const gb_MxmArgs *g);
void GB_ISA_NAME(gb_rowwork_free)(gb_RowWork *w);
bool GB_ISA_NAME(gb_reserve_slots)(gb_RowWork *w, unsigned bits);
bool GB_ISA_NAME(gb_reserve_dense)(gb_RowWork *w, uint64_t n);
bool GB_ISA_NAME(gb_reserve_bits)(gb_RowWork *w, uint64_t n);
bool GB_ISA_NAME(gb_reserve_products)(gb_RowWork *w);
bool GB_ISA_NAME(gb_reserve_filter)(gb_RowWork *w, uint64_t n); /* rows of n entries */

typedef enum {
    GB_ROW_EMPTY,
    GB_ROW_COPY,
    GB_ROW_SORT,
    GB_ROW_HASH,
    GB_ROW_DENSE,
    GB_ROW_BITS
} gb_RowKind;

/* Entries that row i is expected to have, of at most f. */
static inline uint64_t gb_row_expected(const gb_MxmArgs *g, uint64_t i, uint64_t f) {
    const uint64_t most = f < g->B.nminor ? f : g->B.nminor;
    const bool assisted = (g->accumulators & GBL_ACCUMULATE_ASSIST) != 0;
    double expected = (double)most;
    if (g->size != NULL)
        expected = (double)g->size[i];
    else if (assisted && g->compression > 1.0)
        expected = (double)f / g->compression;
    return expected < (double)most ? gb_to_u64(expected) + 1 : most;
}

/* Entries that the table of a hashed row holds. Estimates are low by more than 1 - 1 / factor in
 * about 1 of 1000 rows (core/hll.h); counts are exact, upper bounds safe. */
static inline uint64_t gb_row_capacity(const gb_MxmArgs *g, uint64_t i, uint64_t f) {
    const uint64_t most = f < g->B.nminor ? f : g->B.nminor;
    const uint64_t expected = gb_row_expected(g, i, f);
    const uint64_t capacity = gb_to_u64((double)expected * g->size_factor);
    return most > GB_ROOM_LEAST && capacity < most - GB_ROOM_LEAST ? capacity + GB_ROOM_LEAST
                                                                   : most;
}

/* Entries of the mask's row, where it is a list. */
static inline uint64_t gb_mask_listed(const gb_MxmArgs *g, uint64_t i) {
    return g->mask_kind == GB_MASK_NONE || g->Mb != NULL ? 0 : g->M.p[i + 1] - g->M.p[i];
}

/* Columns that the table of a masked row may hold: those of the mask, and outside it the row's. */
static inline uint64_t gb_masked_capacity(const gb_MxmArgs *g, uint64_t i, uint64_t f) {
    const uint64_t n = g->B.nminor;
    if (g->Mb != NULL) return f < n ? f : n; /* the table has no columns but the row's */
    const uint64_t listed = g->M.p[i + 1] - g->M.p[i];
    if (g->mask_kind == GB_MASK_INSIDE) return listed;
    return f < n - listed ? listed + f : n;
}

/* log2 of the slots of a table for so many entries: at most 3 of 4 are used. */
static inline unsigned gb_table_bits(uint64_t capacity) {
    const int bits = gb_key_bits(capacity + capacity / 3 + 1);
    return bits < 5 ? 5u : (unsigned)bits;
}

/* Whether only the pattern of such a row is wanted, and a look at all columns, 4096 at a time, is
 * little beside its products; and bits are few enough, and will be cleared often enough. */
static inline bool gb_row_suits_bits(const gb_MxmArgs *g, uint64_t f) {
    const uint64_t n = g->B.nminor;
    return g->ring == GB_RING_ANY_PAIR_BOOL && g->mask_kind != GB_MASK_INSIDE &&
           (g->accumulators & GBL_ACCUMULATE_DENSE) != 0 && f > n / GB_BITS_SWEEP &&
           n / 8 <= GB_DENSE_BYTES && g->flops[g->A.nmajor] >= n / 64;
}

/* A row of `a` entries in A and f products. */
static inline gb_RowKind gb_row_kind(const gb_MxmArgs *g, uint64_t i, uint64_t a, uint64_t f) {
    if (f == 0) return GB_ROW_EMPTY;
    if (g->mask_kind != GB_MASK_NONE) {
        const uint64_t dead = g->mask_kind == GB_MASK_INSIDE ? 0 : g->B.nminor;
        if (g->Mb == NULL && gb_mask_listed(g, i) == dead) return GB_ROW_EMPTY;
    } else if (a == 1 && (g->B.sorted || g->any_order)) {
        return GB_ROW_COPY;
    }
    if (f <= GB_SORT_MAX && (g->accumulators & GBL_ACCUMULATE_SORT)) return GB_ROW_SORT;
    if (gb_row_suits_bits(g, f)) return GB_ROW_BITS;
    if (!(g->accumulators & GBL_ACCUMULATE_DENSE)) return GB_ROW_HASH;
    if (!(g->accumulators & GBL_ACCUMULATE_HASH)) return GB_ROW_DENSE;
    const uint64_t n = g->B.nminor;
    const bool repays = g->flops[g->A.nmajor] + gb_mask_listed(g, i) >= n; /* clearing it */
    if (repays && n * (g->args.zsize + 1) <= GB_DENSE_BYTES) return GB_ROW_DENSE;
    return gb_row_expected(g, i, f) > n / GB_DENSE_FILL ? GB_ROW_DENSE : GB_ROW_HASH;
}

/* B's rows are at random positions: their pointers are prefetched 2 * GB_PREFETCH entries ahead,
 * their first entries GB_PREFETCH ahead. Always inlined, since gcc takes a function that only
 * prefetches for one without effect and drops the call. */
__attribute__((always_inline)) static inline void gb_prefetch_rows(const gb_MxmArgs *g, gb_Off p,
                                                                   bool values) {
    if (p + 2 * GB_PREFETCH >= g->A.nvals) return;
    __builtin_prefetch(&g->B.p[g->A.i[p + 2 * GB_PREFETCH]]);
    const gb_Off q = g->B.p[g->A.i[p + GB_PREFETCH]];
    __builtin_prefetch(&g->B.i[q]);
    if (values) __builtin_prefetch((const char *)g->args.Bx + q * g->args.bstride);
}

struct gb_ShortKeys; /* below */

/* The functions of one semiring (rowwise.tmpl.h). */
typedef struct gb_RowKernel {
    uint64_t (*row)(const gb_MxmArgs *g, gb_RowWork *w, uint64_t i, gb_RowKind kind, gb_Idx *Ci,
                    void *Cx);
    uint64_t (*short_rows)(const gb_MxmArgs *g, gb_RowWork *w, const gb_ShortRows *batch,
                           gb_RowOut out);
    void (*begin_dense)(gb_RowWork *w, uint64_t n);
} gb_RowKernel;

/* What kernels compiled outside of the library call of it (semiring/compiled.h). */
typedef struct gb_RowHelpers {
    bool (*reserve_slots)(gb_RowWork *w, unsigned bits);
    uint64_t (*filter_row)(const gb_MxmArgs *g, gb_RowWork *w, uint64_t i, gb_Idx *Ci, void *Cx,
                           uint64_t n);
    void (*short_sort)(struct gb_ShortKeys *keys, uint64_t ncols, const gb_ShortRows *batch,
                       const gb_Idx *const *col);
} gb_RowHelpers;

/* -- filters of rows (rowfilter.c) ---------------------------------------------------------- */

/* The filter of a row that is already summed, masked and sorted (gb_RowFilter). It works where the
 * row stands, in the chunk's buffer in the cache, so that what is dropped is never stored. */

/* Keeps what g->filter lets through of the n entries of row i, in their order; returns how many.
 * Where memory is short it returns 0, and w->wanted is set. Cost: O(n), a few passes. */
uint64_t GB_ISA_NAME(gb_filter_row)(const gb_MxmArgs *g, gb_RowWork *w, uint64_t i, gb_Idx *Ci,
                                    void *Cx, uint64_t n);

/* -- rows of the mask ----------------------------------------------------------------------- */

/* Where the cells of a mask's row begin, if it is held as these. */
static inline const int8_t *gb_mask_cells(const gb_MxmArgs *g, uint64_t i) {
    return g->Mb == NULL ? NULL : g->Mb + i * g->B.nminor;
}

/* gb_mask_row where the mask's row is cells: each column is looked up. */
static inline uint64_t gb_mask_row_by_bytes(const gb_MxmArgs *g, uint64_t i, gb_Idx *Ci, void *Cx,
                                            uint64_t n) {
    const int8_t *cells = gb_mask_cells(g, i);
    const size_t size = g->args.zsize;
    const bool inside = g->mask_kind == GB_MASK_INSIDE;
    uint64_t kept = 0;
    for (uint64_t e = 0; e < n; e++) {
        if ((cells[Ci[e]] != 0) != inside) continue;
        if (kept != e) {
            Ci[kept] = Ci[e];
            memcpy((char *)Cx + kept * size, (char *)Cx + e * size, size);
        }
        kept++;
    }
    return kept;
}

/* Keeps the entries of a finished row that the mask lets through; both are sorted. The search in
 * the mask's row gallops, so a short row costs little in a long mask. */
GB_PER_ROW uint64_t gb_mask_row(const gb_MxmArgs *g, uint64_t i, gb_Idx *Ci, void *Cx, uint64_t n) {
    if (g->Mb != NULL) return gb_mask_row_by_bytes(g, i, Ci, Cx, n);
    const gb_Idx *Mi = g->M.i;
    const size_t size = g->args.zsize;
    const bool inside = g->mask_kind == GB_MASK_INSIDE;
    gb_Off q = g->M.p[i];
    const gb_Off end = g->M.p[i + 1];
    uint64_t kept = 0;
    for (uint64_t e = 0; e < n; e++) {
        q = gb_gallop(Mi, q, end, Ci[e]);
        const bool listed = q < end && Mi[q] == Ci[e];
        if (listed != inside) continue;
        if (kept != e) {
            Ci[kept] = Ci[e];
            memcpy((char *)Cx + kept * size, (char *)Cx + e * size, size);
        }
        kept++;
    }
    return kept;
}

/* -- keys of short rows ------------------------------------------------------------------------ */

/* In the lanes of vectors: lane l of vector s is key s of row l. Keys are column << 6 | number of
 * the product in 32 bits where columns leave room, else column << 32 | number in 64 bits, as two
 * groups of 8 lanes. Unused keys are all ones and sort last. */
typedef struct gb_ShortKeys {
    unsigned size; /* keys per lane: 8, 16, 32 or 64 */
    bool wide;
    union {
        gb_Lanes32 narrow[64];
        gb_Lanes64 wide_keys[2][64];
    };
    uint32_t row[GB_SHORT_ROWS][64]; /* GB_HAS_ROWS: narrow keys once sorted */
} gb_ShortKeys;

/* Sorts the columns of a batch of rows, all below ncols: col[l] are the columns of the products of
 * its row l. */
void GB_ISA_NAME(gb_short_sort)(gb_ShortKeys *keys, uint64_t ncols, const gb_ShortRows *batch,
                                const gb_Idx *const *col);

/* Column and number of the product of key s of lane l. */
static inline gb_Idx gb_short_key(const gb_ShortKeys *keys, unsigned s, unsigned l,
                                  unsigned *number) {
    if (keys->wide) {
        const uint64_t key = ((const uint64_t *)keys->wide_keys[l / 8])[8 * s + l % 8];
        *number = (unsigned)key;
        return (gb_Idx)(key >> 32);
    }
    const uint32_t key =
        GB_HAS_ROWS ? keys->row[l][s] : ((const uint32_t *)keys->narrow)[GB_LANES * s + l];
    *number = key & 63u;
    return key >> 6;
}

/* Emits keys s to s + 15 of lane l, or as many as there are of f, with their values of 4 or 8
 * bytes: how many. 0 without GB_HAS_ROWS, where keys are wide, or where two columns are equal, the
 * one before, `last`, among them. */
static inline unsigned gb_short_emit16(const gb_ShortKeys *keys, unsigned s, unsigned l, unsigned f,
                                       gb_Idx last, const void *prod, size_t size, gb_Idx *Ci,
                                       void *Cx) {
    if (!GB_HAS_ROWS || keys->wide || (size != 8 && size != 4)) return 0;
    const unsigned n = f - s < GB_LANES ? f - s : (unsigned)GB_LANES;
    const gb_Lanes32 key = gb_load32(&keys->row[l][s]), j = key >> 6;
    if ((gb_equal32(j, gb_previous32(j, last)) & ((1u << n) - 1u)) != 0) return 0;
    gb_store_first32(Ci, j, n);
    gb_gather_first(Cx, prod, key & 63u, n, size);
    return n;
}

/* The columns of entries [from, to) of B; up to 15 without meaning behind. Returns how many. */
static inline unsigned gb_short_columns(const gb_CsView *B, gb_Off from, gb_Off to, gb_Idx *col) {
    const unsigned n = (unsigned)(to - from);
    for (unsigned e = 0; e < n; e += GB_LANES)
        if (from + e + GB_LANES <= B->nvals)
            gb_store32(col + e, gb_load32(B->i + from + e));
        else
            memcpy(col + e, B->i + from + e, (n - e) * sizeof *col);
    return n;
}

/* The columns of the f keys of lane l, each once; up to 15 without meaning behind them. Returns how
 * many. */
static inline unsigned gb_short_emit_distinct(const gb_ShortKeys *keys, unsigned l, unsigned f,
                                              gb_Idx *Ci) {
    gb_Idx last = GB_NO_KEY;
    unsigned n = 0;
    if (!GB_HAS_ROWS || keys->wide) {
        for (unsigned s = 0, number; s < f; s++) {
            const gb_Idx j = gb_short_key(keys, s, l, &number);
            Ci[n] = j;
            n += j != last;
            last = j;
        }
        return n;
    }
    for (unsigned s = 0; s < f; s += GB_LANES) {
        const unsigned held = f - s < GB_LANES ? (1u << (f - s)) - 1u : 0xFFFFu;
        const gb_Lanes32 j = gb_load32(&keys->row[l][s]) >> 6;
        const unsigned fresh = held & ~gb_equal32(j, gb_previous32(j, last));
        gb_store32(Ci + n, gb_compress32(j, fresh));
        n += (unsigned)__builtin_popcount(fresh);
        last = keys->row[l][s + GB_LANES - 1] >> 6;
    }
    return n;
}

/* -- emptying the dense accumulator ------------------------------------------------------------ */

/* More columns of 64 than this are packed rather than copied one by one. */
enum { GB_PACK_LEAST = 12 };

/* Writes the entries of the 64 columns from `base` on that `bits` selects, and sets the values near
 * them to `clear`. Returns how many. */
static inline uint64_t gb_pack_columns(uint64_t bits, gb_Idx base, gb_Idx *Ci, uint64_t *Cx,
                                       uint64_t *val, uint64_t clear) {
    const gb_Lanes64 fill = clear - (gb_Lanes64){0};
    uint64_t n = 0;
    for (unsigned from = 0; from < 64; from += GB_LANES, val += GB_LANES) {
        const unsigned mask = (unsigned)(bits >> from) & 0xFFFFu;
        if (mask == 0) continue;
        gb_pack_numbers(Ci + n, base + from, mask);
        n += gb_pack64(Cx + n, val, mask);
        __builtin_memcpy(val, &fill, sizeof fill);
        __builtin_memcpy(val + GB_LANES / 2, &fill, sizeof fill);
    }
    return n;
}

/* The same for values of 4 bytes. */
static inline uint64_t gb_pack_columns32(uint64_t bits, gb_Idx base, gb_Idx *Ci, uint32_t *Cx,
                                         uint32_t *val, uint32_t clear) {
    const gb_Lanes32 fill = gb_all32(clear);
    uint64_t n = 0;
    for (unsigned from = 0; from < 64; from += GB_LANES, val += GB_LANES) {
        const unsigned mask = (unsigned)(bits >> from) & 0xFFFFu;
        if (mask == 0) continue;
        gb_pack_numbers(Ci + n, base + from, mask);
        n += gb_pack32(Cx + n, val, mask);
        gb_store32(val, fill);
    }
    return n;
}

/* Bits 0, 2, 4, ... of 16 as bits 0, 1, 2, ... */
static inline unsigned gb_even_bits(unsigned x) {
    x &= 0x5555u;
    x = (x | x >> 1) & 0x3333u;
    x = (x | x >> 2) & 0x0F0Fu;
    return (x | x >> 4) & 0x00FFu;
}

GB_INLINE uint64_t gb_gather_sized(const size_t size, gb_RowWork *w, uint64_t ncols,
                                   const void *clear, gb_RowPlace to) {
    char *restrict Cx = (char *)to.x, *restrict val = (char *)w->val;
    uint64_t n = 0;
    const uint64_t nblocks = (ncols + 63) / 64;
    for (uint64_t b64 = 0; b64 < nblocks; b64 += 64) {
        uint64_t blocks = gb_nonzero_bytes(w->block + b64);
        if (blocks == 0) continue;
        memset(w->block + b64, 0, 64);
        for (; blocks != 0; blocks &= blocks - 1) {
            const uint64_t base = (b64 + (uint64_t)__builtin_ctzll(blocks)) * 64;
            uint64_t bits = gb_nonzero_bytes(w->mark + base);
            memset(w->mark + base, 0, 64);
            if (GB_HAS_COMPRESS && size == 8 && __builtin_popcountll(bits) > GB_PACK_LEAST &&
                base + 64 <= ncols) {
                uint64_t identity;
                memcpy(&identity, clear, sizeof identity);
                n += gb_pack_columns(bits, (gb_Idx)base, to.i + n, (uint64_t *)to.x + n,
                                     (uint64_t *)w->val + base, identity);
                continue;
            }
            for (; bits != 0; bits &= bits - 1, n++) {
                const uint64_t j = base + (uint64_t)__builtin_ctzll(bits);
                to.i[n] = (gb_Idx)j;
                memcpy(Cx + n * size, val + j * size, size);
                memcpy(val + j * size, clear, size);
            }
        }
    }
    return n;
}

/* Emits the marked columns of the blocks touched, and cleans: values become *clear. Once per size
 * of a value, not per semiring. */
GB_PER_ROW uint64_t gb_gather_marked(gb_RowWork *w, uint64_t ncols, const void *clear,
                                     gb_RowPlace to) {
    return GB_BY_SIZE(gb_gather_sized, w->args.zsize, w, ncols, clear, to);
}
