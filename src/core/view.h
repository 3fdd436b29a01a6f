/* SPDX-License-Identifier: Apache-2.0
 *
 * Plain views of arrays: all that a kernel ever sees of a matrix. A view owns nothing. And searches
 * in them, and lists of indices.
 *
 * Integrity of a compressed view (CSR when major = row, CSC when major = column):
 *   p[0] = 0, p is non-decreasing, p[nmajor] = nvals;
 *   i[p[k] .. p[k+1]) are distinct and < nminor, ascending when `sorted`;
 *   x holds nvals values of xsize bytes, or one value when `iso`, or is NULL where values are
 * unused. Integrity of a dense view (vectors only): b[k] is 0 or 1 and counts nvals ones; b is NULL
 * when all n entries are present; x holds n values (those where b is 0 are unspecified), or one
 * when `iso`.
 */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "core/tune.h"

typedef uint32_t gb_Idx; /* an index; the only place that fixes its width */
typedef uint64_t gb_Off; /* an offset into the entries */

typedef struct {
    uint64_t nmajor, nminor, nvals;
    const gb_Off *p; /* [nmajor + 1] */
    const gb_Idx *i; /* [nvals] */
    const void *x;   /* [nvals], or [1] when iso */
    size_t xsize;    /* bytes of one value */
    bool iso, sorted;
} gb_CsView;

typedef struct {
    uint64_t n, nvals;
    const int8_t *b; /* [n], or NULL: full */
    const void *x;   /* [n], or [1] when iso */
    size_t xsize;
    bool iso;
} gb_DenseView;

/* Arrays that belong to somebody; what kernels fill and matrices keep. Capacities are what was
 * asked of gb_malloc, so that gb_free gets the same number back. `foreign` arrays came from the
 * caller of moveIn and must not enter the pool. Arrays with a `lender` belong to others too
 * (gb_is_lent, arrays.h): they are not written while they do. */
typedef struct {
    gb_Off *p; /* [nmajor + 1] */
    gb_Idx *i; /* [icap] of which the first nvals are used */
    void *x;   /* [xcap bytes] */
    uint64_t nmajor, nvals;
    size_t icap, xcap; /* entries, bytes */
    size_t pspare;     /* pointers for rows that the matrix may grow by */
    bool iso, sorted, foreign;
    struct gb_Lender *lender; /* arrays.h; NULL: nobody else has them */
} gb_Cs;

typedef struct {
    int8_t *b; /* [n], or NULL: full */
    void *x;   /* [xcap bytes] */
    uint64_t n, nvals;
    size_t xcap;
    size_t spare; /* bytes of b behind n, for elements that the object may grow by */
    bool iso;
    struct gb_Lender *lender; /* as that of gb_Cs */
} gb_Dense;

/* TILE16 (TileSpGEMM, PPoPP '22, section 3.2): non-empty tiles of 16 x 16, by rows of tiles. Row
 * and column of a tile are those of its first entry divided by 16. Integrity: p[0] = 0, p is
 * non-decreasing, p[tile rows] = ntiles; i ascends within a row of tiles; nnz[0] = 0, nnz[ntiles] =
 * nvals; tile t holds entries [nnz[t], nnz[t + 1]), row by row, columns ascending, none outside the
 * matrix; a tile may be empty; bit c of mask[16 t + r] says whether (r, c) is there; row[16 t + r]
 * counts the entries of the tile before row r; rc is row << 4 | column of each entry. */
typedef struct {
    uint64_t nmajor, nminor, nvals, ntiles;
    const gb_Off *p;      /* [tile rows + 1] tilePtr */
    const gb_Idx *i;      /* [ntiles] tileColIdx */
    const gb_Off *nnz;    /* [ntiles + 1] tileNnz */
    const uint8_t *row;   /* [16 * ntiles] rowPtr */
    const uint16_t *mask; /* [16 * ntiles] */
    const uint8_t *rc;    /* [nvals] rowIdx and colIdx */
    const void *x;        /* [nvals], or [1] when iso, or NULL where values are unused */
    size_t xsize;
    bool iso;
} gb_TileView;

typedef struct {
    gb_Off *p, *nnz;
    gb_Idx *i;
    uint8_t *row, *rc;
    uint16_t *mask;
    void *x; /* [xcap bytes] */
    uint64_t nmajor, nminor, nvals, ntiles;
    size_t xcap;
    bool iso;
} gb_Tiles;

/* GB_TILE_BYTES: of a tile's i, nnz, row and mask. */
enum { GB_TILE = 16, GB_TILE_CELLS = 256, GB_TILE_BYTES = 60 };
static inline uint64_t gb_tile_count(uint64_t n) {
    return n / GB_TILE + (n % GB_TILE != 0);
}

/* -- runs of columns --------------------------------------------------------------------------- */

/* Kernels add GB_RUN columns of a run at a time; columns beside each other share lines of a cache.
 * The entries that are looked at: all of few, else windows at equal distances. */
typedef struct {
    uint64_t windows, length, stride;
} gb_Windows;

static inline gb_Windows gb_windows_of(uint64_t nvals) {
    if (nvals <= GB_RUN_ENTRIES) return (gb_Windows){1, nvals, 0};
    const uint64_t length = GB_RUN_ENTRIES / GB_RUN_WINDOWS;
    return (gb_Windows){GB_RUN_WINDOWS, length, (nvals - length) / (GB_RUN_WINDOWS - 1)};
}

/* Whether enough of them are in runs that begin where the run before them ended, as kernels take
 * them. */
static inline bool gb_comes_in_runs(const gb_CsView *A) {
    const gb_Windows of = gb_windows_of(A->nvals);
    uint64_t within = 0;
    if (!A->sorted) return false;
    for (uint64_t w = 0; w < of.windows; w++) {
        const gb_Idx *i = A->i + w * of.stride;
        for (uint64_t q = 0; q + GB_RUN <= of.length;) {
            const bool is_run = i[q + GB_RUN - 1] - i[q] == GB_RUN - 1;
            within += is_run ? GB_RUN : 0;
            q += is_run ? GB_RUN : 1;
        }
    }
    return within * GB_RUN_SHARE > of.windows * of.length;
}

/* Whether every second column follows the one before it. */
static inline bool gb_is_adjacent(const gb_CsView *A) {
    const gb_Windows of = gb_windows_of(A->nvals);
    uint64_t next = 0;
    for (uint64_t w = 0; A->sorted && w < of.windows; w++) {
        const gb_Idx *i = A->i + w * of.stride;
        for (uint64_t q = 1; q < of.length; q++) next += i[q] == i[q - 1] + 1;
    }
    return 2 * next > of.windows * of.length;
}

/* -- searches ---------------------------------------------------------------------------------- */

/* In what ascends: offsets, p[0] <= p[1] <= ..., where rows of a view, chunks or bins begin; and
 * indices of a sorted row. */

/* The first k in [from, to) for which the condition, an expression of k, holds; `to` if there is
 * none. It must hold for all behind one for which it holds. */
#define GB_FIRST(k, from, to, condition)                                                           \
    __extension__({                                                                                \
        uint64_t gb_low = (from), gb_high = (to);                                                  \
        while (gb_low < gb_high) {                                                                 \
            const uint64_t k = gb_low + (gb_high - gb_low) / 2;                                    \
            if (condition)                                                                         \
                gb_high = k;                                                                       \
            else                                                                                   \
                gb_low = k + 1;                                                                    \
        }                                                                                          \
        gb_low;                                                                                    \
    })

/* The first k in [lo, hi) with p[k] >= x; hi if there is none. */
static inline uint64_t gb_first_from(const uint64_t *p, uint64_t lo, uint64_t hi, uint64_t x) {
    return GB_FIRST(k, lo, hi, p[k] >= x);
}

/* The k in [lo, hi) with p[k] <= x < p[k + 1]; x lies within p[lo] .. p[hi] - 1. */
static inline uint64_t gb_holder(const uint64_t *p, uint64_t lo, uint64_t hi, uint64_t x) {
    return gb_first_from(p + 1, lo, hi, x + 1);
}

/* The same below n where it is at `from` or, as a rule not far, behind. */
static inline uint64_t gb_holder_from(const uint64_t *p, uint64_t from, uint64_t n, uint64_t x) {
    uint64_t step = 1;
    for (; from + step < n && p[from + step] <= x; step *= 2) from += step;
    return gb_holder(p, from, from + step < n ? from + step : n, x);
}

/* The first k in [0, n) before which there are at least `work` entries and rows together, where a
 * row counts as `row` entries; n if there is none. Cuts n rows into parts of equal work. */
static inline uint64_t gb_row_at_work(const gb_Off *p, uint64_t n, uint64_t row, uint64_t work) {
    return GB_FIRST(k, 0, n, p[k] + row * k >= work);
}

/* The first k in [lo, hi) with v[k] >= x; hi if there is none. */
static inline gb_Off gb_first_at_least(const gb_Idx *v, gb_Off lo, gb_Off hi, uint64_t x) {
    return GB_FIRST(k, lo, hi, v[k] >= x);
}

/* The same by doubling steps: fast when it is close to lo. */
static inline gb_Off gb_gallop(const gb_Idx *v, gb_Off lo, gb_Off hi, gb_Idx x) {
    gb_Off step = 1;
    while (lo + step < hi && v[lo + step] < x) {
        lo += step;
        step *= 2;
    }
    return gb_first_at_least(v, lo, lo + step < hi ? lo + step : hi, x);
}

/* What a[0 .. n) and b[0 .. m), ascending, have in common: the next of either is searched in the
 * other, from where it stands. */
static inline uint64_t gb_count_common(const gb_Idx *a, uint64_t n, const gb_Idx *b, uint64_t m) {
    uint64_t p = 0, q = 0, found = 0;
    while (p < n && q < m) {
        q = gb_gallop(b, q, m, a[p]);
        if (q == m) break;
        if (b[q] == a[p]) {
            found++;
            p++;
            q++;
        } else {
            p = gb_gallop(a, p + 1, n, b[q]);
        }
    }
    return found;
}

/* -- lists of indices -------------------------------------------------------------------------- */

/* A list of indices I(0), I(1), ... below a dimension, and its inverse: the positions of an index
 * in the list. Made by matrix/index_map.c; kernels only read it.
 *
 * Invariants: every index is in [first, first + span), or n = 0. A range is I(k) = first + k and
 * has no arrays. Else distinct indices have ranks 0 .. distinct - 1 in ascending order, found in
 * `rank` or, where the span is far more than the indices, by search in `value`; exactly one of the
 * two is there. The positions of the index of rank r are at[start[r] .. start[r + 1]), ascending;
 * start is NULL where all indices are distinct (its position is at[r]), and at too where they
 * ascend (its position is r). */
typedef struct {
    const uint64_t *list; /* [n] as given; NULL: a range */
    uint64_t n, first, span, dimension;
    uint64_t distinct;
    gb_Idx *rank;  /* [span] of index first + k, or GB_NOT_LISTED; or NULL */
    gb_Idx *value; /* [distinct] ascending; or NULL */
    gb_Idx *at;    /* [n] */
    gb_Idx *start; /* [distinct + 1] */
} gb_IndexMap;

#define GB_NOT_LISTED UINT32_MAX /* no dimension is so large that a rank could be this */

static inline bool gb_is_range(const gb_IndexMap *map) {
    return map->list == NULL;
}
static inline bool gb_is_all(const gb_IndexMap *map) {
    return map->list == NULL && map->n == map->dimension;
}
/* Positions ascend with the indices, and no index is listed twice. */
static inline bool gb_is_ascending(const gb_IndexMap *map) {
    return map->at == NULL;
}
/* I(k) */
static inline uint64_t gb_listed(const gb_IndexMap *map, uint64_t k) {
    return map->list == NULL ? map->first + k : map->list[k];
}
/* The index of rank r */
static inline uint64_t gb_ranked(const gb_IndexMap *map, uint64_t r) {
    if (map->list == NULL) return map->first + r;
    if (map->at == NULL) return map->list[r];
    return map->list[map->at[map->start == NULL ? r : map->start[r]]];
}

/* The rank of an index, or GB_NOT_LISTED. */
static inline gb_Idx gb_rank_of(const gb_IndexMap *map, uint64_t index) {
    const uint64_t k = index - map->first; /* huge where index < first */
    if (k >= map->span) return GB_NOT_LISTED;
    if (map->list == NULL) return (gb_Idx)k;
    if (map->rank != NULL) return map->rank[k];
    const gb_Off r = gb_first_at_least(map->value, 0, map->distinct, index);
    return map->value[r] == index ? (gb_Idx)r : GB_NOT_LISTED;
}
/* The last position of the index of rank r. */
static inline uint64_t gb_last_place(const gb_IndexMap *map, gb_Idx r) {
    if (map->at == NULL) return r;
    return map->at[map->start == NULL ? r : map->start[r + 1] - 1];
}
