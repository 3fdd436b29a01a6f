/* SPDX-License-Identifier: Apache-2.0
 *
 * Step 3 of the tiled product for one semiring and one row of tiles. Included once per entry of
 * semiring/foreach.h. A tile of C is summed in 256 cells that start as the monoid's identity, or
 * packed, directly at its position in C (work.h). A tile of A times a tile of B adds, for each
 * entry (r, k) of A, row k of B to row r: 16 lanes at once when both are full enough that spreading
 * B's rows over 16 lanes pays, else entry by entry.
 *
 * Where the masks alone decide, no value is ever read: OR and AND of booleans unite the masks of
 * true entries as step 2 unites patterns, and PLUS_PAIR counts the bits of rows of A's masks ANDed
 * with columns of B's.
 *
 * Products of an entry of C are added in the order of k, as in every other method.
 * Cost: 16 lanes per entry of A and tile of B, or its products.
 */
#include "cpu/simd/template.h"
#include "cpu/tiled/work.h"

#if SR_PAIR && SR_ANY
static void NAME(tiled_one)(const gb_RingArgs *R, void *x) {
    SR_SET((SR_T *)x, SR_A(0), SR_B(0), 0, 0, 0);
    (void)R;
}
static const gb_TiledKernel NAME(tiled) = {.source = GB_FROM_PATTERN, .one = NAME(tiled_one)};

#elif SR_TRUTH
static void NAME(tiled_row)(const gb_TiledRun *run, gb_TiledWork *w, uint64_t I) {
    const gb_TileView *A = &run->g->A, *B = &run->g->B;
    const gb_Tiles *T = run->T;
    uint16_t *truth = w->cells;
    memset(truth, 0, (T->p[I + 1] - T->p[I]) * GB_TILE * sizeof *truth);
    for (gb_Off t = A->p[I]; t < A->p[I + 1]; t++) {
        gb_Rows select[GB_TILE];
        gb_select_rows(select, run->atrue + t * GB_TILE);
        for (gb_Off u = B->p[A->i[t]]; u < B->p[A->i[t] + 1]; u++)
            if (gb_tiles_intersect(run, w, t, u))
                gb_unite_masks(truth + (uint64_t)w->marks.slot[B->i[u]] * GB_TILE, select,
                               run->btrue + u * GB_TILE);
    }
    SR_T *x = T->x;
    for (gb_Off t = T->p[I]; t < T->p[I + 1]; t++, truth += GB_TILE)
        for (gb_Off q = T->nnz[t]; q < T->nnz[t + 1]; q++)
            x[q] = (SR_T)(truth[T->rc[q] >> 4] >> (T->rc[q] & 15u) & 1u);
}
static const gb_TiledKernel NAME(tiled) = {
    .source = GB_FROM_TRUTH, .cell_bytes = GB_TILE * sizeof(uint16_t), .row = NAME(tiled_row)};

#elif SR_COUNT
/* Packed: entry by entry of C's tile. */
static inline void NAME(count_packed)(const gb_Tiles *T, gb_Off c, const uint16_t *a,
                                      const uint16_t *bcols) {
    SR_T *x = T->x;
    for (gb_Off q = T->nnz[c]; q < T->nnz[c + 1]; q++)
        x[q] += (SR_T)__builtin_popcount((unsigned)a[T->rc[q] >> 4] & bcols[T->rc[q] & 15u]);
}

static void NAME(tiled_row)(const gb_TiledRun *run, gb_TiledWork *w, uint64_t I) {
    const gb_TileView *A = &run->g->A, *B = &run->g->B;
    const gb_Tiles *T = run->T;
    const gb_Off first = T->p[I], last = T->p[I + 1];
    SR_T *x = T->x;
    memset(x + T->nnz[first], 0, (T->nnz[last] - T->nnz[first]) * sizeof *x);
    if (w->used > 0) memset(w->cells, 0, w->used * w->cell_bytes);
    for (gb_Off t = A->p[I]; t < A->p[I + 1]; t++) {
        const uint16_t *a = A->mask + t * GB_TILE;
        for (gb_Off u = B->p[A->i[t]]; u < B->p[A->i[t] + 1]; u++) {
            if (!gb_tiles_intersect(run, w, t, u)) continue;
            const gb_Idx slot = w->marks.slot[B->i[u]];
            const uint16_t *bcols = run->bcols + u * GB_TILE;
            if (w->cell[slot] == GB_PACKED) {
                NAME(count_packed)(T, first + slot, a, bcols);
                continue;
            }
            uint32_t *count = (uint32_t *)w->cells + (size_t)w->cell[slot] * GB_TILE_CELLS;
            for (unsigned r = 0; r < GB_TILE; r++)
                if (a[r] != 0) gb_count_row(count + GB_TILE * r, a[r], bcols);
        }
    }
    for (gb_Off t = first; t < last; t++) {
        if (w->cell[t - first] == GB_PACKED) continue;
        const uint32_t *count = (uint32_t *)w->cells + (size_t)w->cell[t - first] * GB_TILE_CELLS;
        for (gb_Off q = T->nnz[t]; q < T->nnz[t + 1]; q++) x[q] = (SR_T)count[T->rc[q]];
    }
}
static const gb_TiledKernel NAME(tiled) = {.source = GB_FROM_COUNTS,
                                           .packs = true,
                                           .cell_bytes = GB_TILE_CELLS * sizeof(uint32_t),
                                           .row = NAME(tiled_row)};

#else
static inline void NAME(add_product)(const gb_TiledRun *run, const gb_RingArgs *R,
                                     const gb_TilePair *pair, gb_Off p, gb_Off q, unsigned at) {
    const gb_TileView *A = &run->g->A, *B = &run->g->B;
    SR_ACCUMULATE(SR_AT(pair->to, at), SR_A(p), SR_B(q),
                  (run->g->first_row + pair->row) * GB_TILE + (A->rc[p] >> 4),
                  (uint64_t)A->i[pair->a] * GB_TILE + (A->rc[p] & 15u),
                  (uint64_t)B->i[pair->b] * GB_TILE + (B->rc[q] & 15u));
    (void)A, (void)B, (void)R, (void)p, (void)q;
}

static inline void NAME(pair_to_cells)(const gb_TiledRun *run, const gb_RingArgs *R,
                                       const gb_TilePair *pair) {
    const gb_TileView *A = &run->g->A, *B = &run->g->B;
    for (gb_Off p = A->nnz[pair->a]; p < A->nnz[pair->a + 1]; p++) {
        const unsigned row = A->rc[p] & 0xF0u;
        const gb_Off k = pair->b * GB_TILE + (A->rc[p] & 15u);
        const gb_Off q = B->nnz[pair->b] + B->row[k];
        const gb_Off end = q + (unsigned)__builtin_popcount(B->mask[k]);
        for (gb_Off s = q; s < end; s++)
            NAME(add_product)(run, R, pair, p, s, row | (B->rc[s] & 15u));
    }
}

/* Only the entries that C's masks name. */
static inline void NAME(pair_to_packed)(const gb_TiledRun *run, const gb_RingArgs *R,
                                        const gb_TilePair *pair) {
    const gb_TileView *A = &run->g->A, *B = &run->g->B;
    const uint16_t *mask = run->T->mask + pair->c * GB_TILE;
    const uint8_t *offset = run->T->row + pair->c * GB_TILE;
    for (gb_Off p = A->nnz[pair->a]; p < A->nnz[pair->a + 1]; p++) {
        const unsigned r = A->rc[p] >> 4;
        const gb_Off k = pair->b * GB_TILE + (A->rc[p] & 15u);
        const gb_Off q = B->nnz[pair->b] + B->row[k];
        for (unsigned bits = B->mask[k] & mask[r]; bits != 0; bits &= bits - 1) {
            const unsigned below = (bits & -bits) - 1u;
            NAME(add_product)
            (run, R, pair, p, q + (unsigned)__builtin_popcount(B->mask[k] & below),
             offset[r] + (unsigned)__builtin_popcount(mask[r] & below));
        }
    }
}

#ifndef SR_GENERIC
/* A tile of A times a tile of B by lanes, for values of 4 and 8 bytes: an entry (r, k) of A's tile
 * joins its products with row k of B, spread over 16 lanes, to row r of the cells, which are one
 * vector or two.
 *
 * Lanes without an entry of B must not change the sum. For + and * of finite values of A they hold
 * 0, and a times 0 adds nothing (the cells are never -0, since they start as 0); in all other cases
 * a selection keeps them as they were. */
typedef SR_T NAME(gb_Part) __attribute__((vector_size(GB_REGISTER)));
#define PART NAME(gb_Part)
#define LANES (GB_REGISTER / sizeof(SR_T))
#define PARTS (GB_TILE / LANES)
#define LOAD(lanes, from) memcpy(&(lanes), from, sizeof(lanes))
#define STORE(to, lanes) memcpy(to, &(lanes), sizeof(lanes))
#define FOR_PARTS GB_UNROLL for (unsigned h = 0; h < PARTS; h++)

/* B's tile over 16 lanes a row; lanes without an entry get 0. */
static inline void NAME(spread_tile)(const gb_TileView *B, const gb_RingArgs *R, gb_Off u,
                                     SR_T *x) {
#if SR_USES_B
    if (GB_HAS_EXPAND && R->bmask != 0) {
        for (unsigned k = 0; k < GB_TILE; k++) {
            const gb_Off row = u * GB_TILE + k;
            const SR_T *from = SR_B(B->nnz[u] + B->row[row]);
            for (unsigned h = 0; h < PARTS; h++) {
                const unsigned mask = B->mask[row] >> LANES * h & ((1u << LANES) - 1u);
                gb_expand(x + GB_TILE * k + LANES * h, from, mask, sizeof(SR_T));
                from += __builtin_popcount(mask);
            }
        }
        return;
    }
    memset(x, 0, GB_TILE_CELLS * sizeof *x);
    for (gb_Off q = B->nnz[u]; q < B->nnz[u + 1]; q++) x[B->rc[q]] = *SR_B(q);
#endif
    (void)B, (void)R, (void)u, (void)x;
}

#define LANES64 gb_Register64
#define LANES32 gb_Register32
#include "cpu/simd/laneops.h"
/* *sum joined with a times the lanes of b; only where the mask has bits, if it `selects`. */
GB_INLINE void NAME(join_part)(PART *sum, SR_T a, const PART *b, unsigned mask, uint64_t k,
                               bool selects) {
    const PART left = a - (PART){0}, position = (SR_T)k - (PART){0}; /* that is, in all lanes */
    PART join = SR_MUL(left, *b, 0, position, 0);
#if !SR_ANY
    join = SR_ADD(*sum, join);
#endif
    if (selects && sizeof(SR_T) == 8)
        *sum = GB_PICK((gb_bit8 & mask) != 0, join, *sum);
    else if (selects)
        *sum = GB_PICK((gb_bit4 & mask) != 0, join, *sum);
    else
        *sum = join;
    (void)left, (void)position, (void)b;
}

#include "cpu/simd/laneops_end.h"

/* Row r of the cells joined with the products of A's row r. x: the rows of B's tile over lanes, or
 * NULL: spread as they come. The cells are variables, so that they stay in registers. */
GB_INLINE void NAME(join_row)(const gb_TiledRun *run, const gb_RingArgs *R, const gb_TilePair *pair,
                              unsigned r, const SR_T *x, bool selects) {
    const gb_TileView *A = &run->g->A, *B = &run->g->B;
    const gb_Off at = pair->a * GB_TILE + r;
    SR_T *cells = (SR_T *)pair->to + GB_TILE * r;
    PART sum[PARTS], lanes = {0};
    gb_Off p = A->nnz[pair->a] + A->row[at];
    FOR_PARTS LOAD(sum[h], cells + LANES * h);
    for (unsigned bits = A->mask[at]; bits != 0; bits &= bits - 1, p++) {
        const unsigned k = (unsigned)__builtin_ctz(bits);
        const gb_Off row = pair->b * GB_TILE + k;
        const unsigned mask = selects || x == NULL ? B->mask[row] : 0;
        const SR_T a = SR_USES_A ? *SR_A(p) : (SR_T)0;
#if SR_USES_B
        const SR_T *from = x == NULL ? SR_B(B->nnz[pair->b] + B->row[row]) : x + GB_TILE * k;
#endif
        FOR_PARTS {
            const unsigned here = mask >> LANES * h & ((1u << LANES) - 1u);
#if SR_USES_B
            if (x != NULL) {
                LOAD(lanes, from + LANES * h);
            } else {
                gb_expand(&lanes, from, here, sizeof(SR_T));
                from += __builtin_popcount(here);
            }
#endif
            NAME(join_part)
            (&sum[h], a, &lanes, here, (uint64_t)A->i[pair->a] * GB_TILE + k, selects);
        }
    }
    FOR_PARTS STORE(cells + LANES * h, sum[h]);
    (void)R;
}

#if SR_PLAIN
/* Four rows of the cells plus four rows of a full tile of A: a row of B is loaded once for all. */
static inline void NAME(add_block)(const SR_T *a, const SR_T *x, SR_T *cells) {
    for (unsigned at = 0; at < GB_TILE; at += LANES) {
        PART sum0, sum1, sum2, sum3, lanes;
        LOAD(sum0, cells + at);
        LOAD(sum1, cells + at + GB_TILE);
        LOAD(sum2, cells + at + 2 * GB_TILE);
        LOAD(sum3, cells + at + 3 * GB_TILE);
        for (unsigned k = 0; k < GB_TILE; k++) {
            LOAD(lanes, x + GB_TILE * k + at);
            sum0 += a[k] * lanes;
            sum1 += a[k + GB_TILE] * lanes;
            sum2 += a[k + 2 * GB_TILE] * lanes;
            sum3 += a[k + 3 * GB_TILE] * lanes;
        }
        STORE(cells + at, sum0);
        STORE(cells + at + GB_TILE, sum1);
        STORE(cells + at + 2 * GB_TILE, sum2);
        STORE(cells + at + 3 * GB_TILE, sum3);
    }
}

/* Whether a times 0 is 0 for all these entries of A. */
static inline bool NAME(is_finite)(const gb_RingArgs *R, gb_Off p, gb_Off end) {
    bool finite = true;
    for (; p < end; p++) finite &= *SR_A(p) - *SR_A(p) == 0;
    return finite;
}
#else
static inline bool NAME(is_finite)(const gb_RingArgs *R, gb_Off p, gb_Off end) {
    (void)R, (void)p, (void)end;
    return false;
}
#endif

/* All rows of A's tile that have entries, where C wants the row. */
GB_INLINE void NAME(join_rows)(const gb_TiledRun *run, const gb_RingArgs *R,
                               const gb_TilePair *pair, const SR_T *x, bool selects) {
    const uint16_t *amask = run->g->A.mask + pair->a * GB_TILE;
    const uint16_t *cmask = run->T->mask + pair->c * GB_TILE;
    for (unsigned r = 0; r < GB_TILE; r++)
        if (amask[r] != 0 && cmask[r] != 0) NAME(join_row)(run, R, pair, r, x, selects);
}

static void NAME(pair_by_lanes)(const gb_TiledRun *run, const gb_RingArgs *R,
                                const gb_TilePair *pair, bool finite) {
    const gb_TileView *A = &run->g->A, *B = &run->g->B;
    const gb_Off p = A->nnz[pair->a], q = B->nnz[pair->b];
    if (A->nnz[pair->a + 1] - p < GB_SPREAD_LEAST && GB_HAS_EXPAND && R->bmask != 0) {
        if (finite)
            NAME(join_rows)(run, R, pair, NULL, false);
        else
            NAME(join_rows)(run, R, pair, NULL, true);
        return;
    }
    _Alignas(64) SR_T spread[GB_TILE_CELLS];
    const bool full = SR_USES_B && B->nnz[pair->b + 1] - q == GB_TILE_CELLS && R->bmask != 0;
    const SR_T *x = full ? SR_B(q) : spread;
    if (!full) NAME(spread_tile)(B, R, pair->b, spread);
#if SR_PLAIN
    if (finite && A->nnz[pair->a + 1] - p == GB_TILE_CELLS && R->amask != 0) {
        for (unsigned r = 0; r < GB_TILE; r += 4)
            NAME(add_block)(SR_A(p + GB_TILE * r), x, (SR_T *)pair->to + GB_TILE * r);
        return;
    }
#endif
    if (finite)
        NAME(join_rows)(run, R, pair, x, false);
    else
        NAME(join_rows)(run, R, pair, x, true);
}
#undef PART
#undef LANES
#undef PARTS
#undef LOAD
#undef STORE
#undef FOR_PARTS
#endif

/* Tile t of A times all tiles of B that it intersects. */
static inline void NAME(tile_times_row)(const gb_TiledRun *run, gb_TiledWork *w, gb_Off t,
                                        uint64_t I) {
    const gb_RingArgs *R = &w->args;
    const gb_TileView *A = &run->g->A, *B = &run->g->B;
    const gb_Tiles *T = run->T;
#ifndef SR_GENERIC
    const bool finite = NAME(is_finite)(R, A->nnz[t], A->nnz[t + 1]);
    const bool lanes = A->nnz[t + 1] - A->nnz[t] >= GB_SPREAD_A || GB_HAS_EXPAND;
#endif
    for (gb_Off u = B->p[A->i[t]]; u < B->p[A->i[t] + 1]; u++) {
        if (!gb_tiles_intersect(run, w, t, u)) continue;
        const gb_Idx slot = w->marks.slot[B->i[u]];
        gb_TilePair pair = {.a = t, .b = u, .c = T->p[I] + slot, .row = I};
        if (w->cell[slot] == GB_PACKED) {
            pair.to = SR_AT(T->x, T->nnz[pair.c]);
            NAME(pair_to_packed)(run, R, &pair);
            continue;
        }
        pair.to = SR_AT(w->cells, (size_t)w->cell[slot] * GB_TILE_CELLS);
#ifndef SR_GENERIC
        if (lanes && B->nnz[u + 1] - B->nnz[u] >= GB_SPREAD_B) {
            NAME(pair_by_lanes)(run, R, &pair, finite);
            continue;
        }
#endif
        NAME(pair_to_cells)(run, R, &pair);
    }
}

/* Cells of a tile to its entries. */
static inline void NAME(collect)(const gb_RingArgs *R, const gb_Tiles *T, gb_Off t,
                                 const void *cells) {
#ifndef SR_GENERIC
    const uint16_t *mask = T->mask + t * GB_TILE;
    SR_T *x = SR_AT(T->x, T->nnz[t]);
    if (sizeof(SR_T) > 1) {
        for (unsigned r = 0; r < GB_TILE; r++)
            x += sizeof(SR_T) == 8
                     ? gb_pack64((void *)x, (const void *)SR_AT(cells, GB_TILE * r), mask[r])
                     : gb_pack32((void *)x, (const void *)SR_AT(cells, GB_TILE * r), mask[r]);
        (void)R;
        return;
    }
#endif
    for (gb_Off q = T->nnz[t]; q < T->nnz[t + 1]; q++)
        SR_COPY(SR_AT(T->x, q), SR_AT(cells, T->rc[q]));
    (void)R;
}

static void NAME(tiled_row)(const gb_TiledRun *run, gb_TiledWork *w, uint64_t I) {
    const gb_RingArgs *R = &w->args;
    const gb_TileView *A = &run->g->A;
    const gb_Tiles *T = run->T;
    const gb_Off first = T->p[I], last = T->p[I + 1];
    for (uint64_t c = 0; c < w->used * GB_TILE_CELLS; c++) SR_CLEAR(SR_AT(w->cells, c));
    for (gb_Off t = first; t < last; t++)
        for (gb_Off q = T->nnz[t]; w->cell[t - first] == GB_PACKED && q < T->nnz[t + 1]; q++)
            SR_CLEAR(SR_AT(T->x, q));
    for (gb_Off t = A->p[I]; t < A->p[I + 1]; t++) NAME(tile_times_row)(run, w, t, I);
    for (gb_Off t = first; t < last; t++)
        if (w->cell[t - first] != GB_PACKED)
            NAME(collect)(R, T, t, SR_AT(w->cells, (size_t)w->cell[t - first] * GB_TILE_CELLS));
    (void)R;
}
static const gb_TiledKernel NAME(tiled) = {
    .source = GB_FROM_VALUES, .packs = true, .row = NAME(tiled_row)};
#endif
#undef NAME
