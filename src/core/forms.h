/* SPDX-License-Identifier: Apache-2.0
 *
 * Views of the derived forms that kernels read (matrix/derived.h makes and keeps them).
 */
#pragma once

#include "core/view.h"

/* -- panels */

/* Rows of a sorted list united by panels, some rows each, as products by panels read them
 * (docs/panel.md): the inner indices that the rows of a panel have together, who has them, and the
 * values, all in the order in which they are read.
 *
 * Encoding: panel q is rows q * lanes to q * lanes + lanes - 1 of the list, or of an order of its
 * rows. Its inner indices k[at[q]] < k[at[q] + 1] < ... are count[q]; bit l of holders[...] says
 * that row l has this one. Of each, the values of the rows that have it follow each other, those of
 * a panel from x + at[q] * size on. A panel has as many places as entries, of which k and holders
 * leave some unused. */
typedef struct {
    unsigned lanes;          /* rows of a panel, 8 or 16; 0: there are no panels */
    size_t size;             /* bytes of a value; 0: without values */
    const gb_Off *at;        /* [panels + 1] */
    const gb_Idx *k;         /* [entries] */
    const uint32_t *count;   /* [panels] */
    const uint16_t *holders; /* [entries] */
    const char *x;           /* [entries * size] */
} gb_PanelView;

/* -- rows as bits */

/* Some rows of a compressed view held as bits besides: those with many entries for their span, the
 * columns from the first entry to the last. Spans are counted in blocks of 512 columns.
 *
 * Integrity: row[j].blocks is 0 where row j is a list only; else column c of it is bit c % 64 of
 * bits[8 * (at + c / 512 - block) + c / 64 % 8], for c / 512 in [block, block + blocks), which lies
 * in [first, end). `bits` begins at a line of the cache. Without such rows all is 0. */
enum { GB_BITS_BLOCK = 512, GB_BITS_WORDS = GB_BITS_BLOCK / 64 };

typedef struct {
    uint32_t at; /* blocks before it */
    uint32_t block, blocks;
} gb_BitRow;

typedef struct {
    uint64_t rows;       /* held as bits */
    uint32_t first, end; /* blocks that they have, all of them */
    const gb_BitRow *row;
    const uint64_t *bits;
} gb_BitRows;

/* Blocks that one more row may span beside factors of so many entries: it takes no more room. */
static inline uint64_t gb_bits_blocks_most(uint64_t entries) {
    return 64 + entries / GB_BITS_WORDS;
}

/* -- heavy rows */

/* The rows of a compressed view split by heavy inner indices, those that most rows have. They are
 * numbered by falling frequency, so that the heavy part of a row lies in few blocks of 512 numbers
 * however the matrix is numbered; it is held as bits, or as a list where bits would be sparse. Each
 * light inner index, which few rows have, lists its rows.
 *
 * Invariants: place[k] is the number of inner index k if it is below 512 * blocks, of which heavy
 * ones take the first; else it is 512 * blocks + t, and rows tail[tail_p[t]] .. tail[tail_p[t + 1]
 * - 1] have k, ascending. The heavy part of row j begins at content[row[j].at]: as bits, on a line
 * of the cache, in so many `blocks`, number c being bit c % 64 of 64-bit word c / 64; or, where
 * blocks is 0, as a list of so many `entries`, in no order. Without heavy inner indices all is 0.
 */
typedef struct {
    uint32_t at;
    uint16_t blocks, entries;
} gb_HeavyRow;

typedef struct {
    uint32_t blocks;         /* of the heavy numbers; 0: there are none */
    uint64_t bit_rows;       /* rows that are held as bits */
    const uint32_t *place;   /* [inner indices] */
    const gb_HeavyRow *row;  /* [rows] */
    const uint32_t *content; /* on a line of the cache */
    const uint32_t *tail_p;  /* [light inner indices + 1] */
    const uint32_t *tail;
} gb_HeavyRows;

/* -- the degree-ordered lower triangle */

/* An undirected graph, each edge held once: its vertices are numbered by falling degree, and each
 * lists its neighbours of lower numbers. No list is long then, those of hubs least of all (N.
 * Chiba, T. Nishizeki, Arboricity and subgraph listing algorithms, 1985). Most edges lead to the
 * first vertices, whose lists are held as bits too.
 *
 * Integrity: lists.i[lists.p[v] .. lists.p[v + 1]) are distinct and < v, in no order; vertices
 * without edges have no number. Vertices below 512 * blocks have bits, in panels: panel b is for
 * the neighbours [512 b, 512 b + 512), a line of eight words for each vertex from 512 b on, panel
 * after panel. `bits` begins at a line of the cache. */
enum { GB_DEGREE_LOWER_BLOCKS = 32 }; /* at most */

typedef struct {
    gb_CsView lists;  /* a pattern; without arrays there is no such graph */
    uint64_t longest; /* of the lists */
    uint32_t blocks;
    const uint64_t *bits;
} gb_DegreeLower;

/* What a thread that counts triangles takes: a mark for each vertex, and a list. */
static inline uint64_t gb_triangle_bytes(const gb_DegreeLower *graph) {
    return graph->lists.nmajor + graph->longest * sizeof(gb_Idx) + 256;
}

/* Lines before panel b of so many blocks. */
static inline uint64_t gb_panel_lines(uint64_t blocks, uint64_t b) {
    return (blocks * b - b * (b - 1) / 2) * GB_BITS_BLOCK;
}

/* Panel b as if it had a line for vertex 0 too; blocks > b. */
static inline uint64_t gb_panel_start(uint64_t blocks, uint64_t b) {
    return gb_panel_lines(blocks, b) - b * GB_BITS_BLOCK;
}

/* -- SELL slices */

/* Rows of a sorted list in slices of GB_SELL_ROWS rows, for products with full vectors: rows of
 * about the same length lie side by side, so that their sums, which do not wait for each other, are
 * made together and their ends are no surprise. Sliced ELLPACK with rows sorted within windows (M.
 * Kreutzer, G. Hager, G. Wellein, H. Fehske, A. R. Bishop, 2014), without padding: a slice becomes
 * narrower where its rows end.
 *
 * Encoding: of each window of GB_SELL_WINDOW rows the longest come first, equal ones in their
 * order. Lane l of a slice is row base + row[l], where base is the first row of its window, and has
 * length[l] entries; lengths do not grow with l. Lanes beyond the last row are empty. Entries are
 * stored step after step, step s has those numbered s of the rows that are longer than s; a slice's
 * begin at `at`, and those of a window lie where they lie in the list. Columns take 2 bytes where
 * those of every window are within 65536 of each other, as in bands and meshes, or of any matrix
 * that has no more: they are counted from the window's first one then. In memory come the slices,
 * the first columns of windows where they are wanted, and the columns; values are elsewhere. */
enum { GB_SELL_ROWS = 8, GB_SELL_WINDOW_SLICES = GB_SELL_WINDOW / GB_SELL_ROWS };

typedef struct {
    gb_Off at;
    gb_Idx length[GB_SELL_ROWS];
    uint16_t row[GB_SELL_ROWS];
} gb_SellSlice;

typedef struct {
    uint64_t nslices; /* 0: none */
    uint64_t used;    /* rows with entries */
    const gb_SellSlice *slice;
    bool near;          /* columns are uint16_t, from base[window] on; else gb_Idx */
    const gb_Idx *base; /* [windows] where near */
    const void *column; /* [entries] */
    const void *x;      /* [entries], or NULL: without values */
} gb_SellView;

static inline uint64_t gb_sell_slices(uint64_t rows) {
    return (rows + GB_SELL_ROWS - 1) / GB_SELL_ROWS;
}
