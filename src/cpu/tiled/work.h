/* SPDX-License-Identifier: Apache-2.0
 *
 * What the steps of the tiled product share: tiled.c fills it, tiled.tmpl.h computes with it. The
 * masks of a tile are 16 rows of 16 bits, one vector of 16 lanes; what they decide needs no values:
 * where a product has entries (OR), and how many products make one (AND and count).
 */
#pragma once

#include "kernel_api/backend.h"
#include "cpu/simd/lanes.h"
#include "core/memory.h"
#include "cpu/common/tiles.h"

/* -- masks of a tile --------------------------------------------------------------------------- */

typedef uint16_t gb_Rows __attribute__((vector_size(32)));   /* lane r is row r of a tile */
typedef uint32_t gb_Counts __attribute__((vector_size(64))); /* lane c belongs to column c */

/* Bit c: column c of the tile has an entry. */
static inline unsigned gb_columns_held(const uint16_t *mask) {
    uint64_t w[4];
    __builtin_memcpy(w, mask, sizeof w);
    uint64_t any = w[0] | w[1] | w[2] | w[3];
    any |= any >> 32;
    return (unsigned)((any | any >> 16) & 0xFFFFu);
}

/* Bit r: row r of the tile has an entry. */
static inline unsigned gb_rows_held(const uint16_t *mask) {
    return gb_nonzero_words(mask);
}

/* The masks of a left factor by columns: lane r of select[k] is all ones where (r, k) is there. */
static inline void gb_select_rows(gb_Rows *select, const uint16_t *mask) {
    gb_Rows rows;
    __builtin_memcpy(&rows, mask, sizeof rows);
    for (unsigned k = 0; k < GB_TILE; k++) select[k] = -(rows >> k & 1);
}

/* c |= a times b: the OR of the rows of b that each row of a names. */
static inline void gb_unite_masks(uint16_t *c, const gb_Rows *select, const uint16_t *b) {
    gb_Rows sum;
    __builtin_memcpy(&sum, c, sizeof sum);
    for (unsigned k = 0; k < GB_TILE; k++) sum |= select[k] & b[k];
    __builtin_memcpy(c, &sum, sizeof sum);
}

/* count[c] += products of row `a` and column c of b, whose columns are given: bits of a AND b. */
static inline void gb_count_row(uint32_t *count, unsigned a, const uint16_t *bcols) {
    gb_Rows x;
    gb_Counts sum;
    __builtin_memcpy(&x, bcols, sizeof x);
    __builtin_memcpy(&sum, count, sizeof sum);
    x &= (uint16_t)a;
    x -= x >> 1 & 0x5555;
    x = (x & 0x3333) + (x >> 2 & 0x3333);
    x = (x + (x >> 4)) & 0x0F0F;
    x = (x + (x >> 8)) & 0x00FF;
    sum += __builtin_convertvector(x, gb_Counts);
    __builtin_memcpy(count, &sum, sizeof sum);
}

/* -- the product ------------------------------------------------------------------------------- */

/* Of the whole product, read by all threads. */
typedef struct {
    const gb_TiledArgs *g;
    gb_Tiles *T;
    uint16_t *acols; /* [A.ntiles] columns of the tile that hold entries */
    uint16_t *brows; /* [B.ntiles] rows of the tile that hold entries */
    uint16_t *bcols; /* [16 * B.ntiles] masks of the transposed tiles, when products are counted */
    uint16_t *atrue; /* [16 * A.ntiles] masks of the entries that are true ... */
    uint16_t *btrue; /* [16 * B.ntiles] ... when the semiring is OR and AND */
} gb_TiledRun;

/* Of one thread: the row of tiles that it computes. A tile of C is summed in cells, one for each of
 * its 256 positions, or, when it has few entries, packed: at its position in C. */
enum { GB_PACKED = -1 };
typedef struct {
    gb_RingArgs args; /* the thread's copy, with its own scratch */
    gb_TileMarks marks;
    uint64_t tag;  /* marks.stamp of the tiles that the row has; their slots are valid */
    int32_t *cell; /* [columns of tiles] of each slot: its cells, or GB_PACKED */
    void *cells;   /* [ncells], in of_cells */
    gb_Grown of_cells;
    uint64_t ncells;   /* tiles that cells are reserved for ... */
    uint64_t used;     /* ... and that the row has in cells */
    size_t cell_bytes; /* of one tile's */
    size_t wanted;     /* bytes requested in vain; 0: all is well */
} gb_TiledWork;

/* What the values of a semiring's products are made of. */
typedef enum {
    GB_FROM_VALUES,
    GB_FROM_COUNTS,  /* how many products there are */
    GB_FROM_TRUTH,   /* whether there is a product of two true entries */
    GB_FROM_PATTERN, /* nothing: one value for all */
} gb_TiledSource;

/* Step 3 of a semiring. */
typedef struct {
    gb_TiledSource source;
    bool packs;        /* whether tiles may be summed packed */
    size_t cell_bytes; /* of one tile of C; 0: 256 values */
    void (*row)(const gb_TiledRun *run, gb_TiledWork *w, uint64_t I); /* one row of tiles */
    void (*one)(const gb_RingArgs *args, void *x); /* FROM_PATTERN instead: the value */
} gb_TiledKernel;

/* A tile of A and a tile of B whose product goes to tile c of C: to 256 cells, or packed. */
typedef struct {
    gb_Off a, b, c;
    uint64_t row; /* of tiles, in C */
    void *to;
    bool packed;
} gb_TilePair;

/* Whether tiles t of A and u of B have products that C wants; c is then their tile of C. */
static inline bool gb_tiles_intersect(const gb_TiledRun *run, const gb_TiledWork *w, gb_Off t,
                                      gb_Off u) {
    return (run->acols[t] & run->brows[u]) != 0 && w->marks.stamp[run->g->B.i[u]] == w->tag;
}
