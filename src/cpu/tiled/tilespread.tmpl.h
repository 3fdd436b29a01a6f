/* SPDX-License-Identifier: Apache-2.0
 *
 * A tile of A times a tile of B by lanes, for values of 4 and 8 bytes: an entry (r, k) of A's tile
 * joins its products with row k of B, spread over 16 lanes, to row r of the cells, which are one
 * vector or two. Part of tiled.tmpl.h.
 *
 * Lanes without an entry of B must not change the sum. For + and * of finite values of A they hold
 * 0, and a times 0 adds nothing (the cells are never -0, since they start as 0); in all other cases
 * a selection keeps them as they were.
 */
#include "cpu/simd/template.h"
#include "cpu/tiled/tiledwork.h"

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
