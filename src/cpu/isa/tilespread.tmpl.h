/* SPDX-License-Identifier: Apache-2.0
 *
 * A tile of A times a tile of B by lanes: each row of B's tile is spread over 16 lanes once, and an
 * entry (r, k) of A's tile adds a times row k to row r of the cells in one or two vectors. Part of
 * tiled.tmpl.h.
 *
 * Lanes without an entry of B must not change the sum. For + and * of finite values of A they hold
 * 0, and a times 0 adds nothing (the cells are never -0, since they start as 0); in all other cases
 * a selection keeps them as they were.
 */

/* Row k of B's tile over 16 lanes: x where there is an entry, else 0. */
static inline void NAME(spread_row)(const gb_RingArgs *R, gb_Off q, unsigned mask, SR_T *x) {
    _Static_assert(sizeof(SR_T) == 8 || sizeof(SR_T) == 4 || sizeof(SR_T) == 1, "lanes.h");
#if SR_USES_B
    const SR_T *from = SR_B(q);
    if (sizeof(SR_T) == 8 && R->bmask != 0) {
        gb_Lanes64 low, high;
        gb_expand8(&low, (const void *)from, mask & 0xFFu);
        gb_expand8(&high, (const void *)(from + __builtin_popcount(mask & 0xFFu)), mask >> 8);
        memcpy(x, &low, sizeof low);
        memcpy((char *)x + sizeof low, &high, sizeof high);
    } else if (sizeof(SR_T) == 4 && R->bmask != 0) {
        gb_Lanes32 lanes;
        gb_expand4(&lanes, (const void *)from, mask);
        memcpy(x, &lanes, sizeof lanes);
    } else {
        for (unsigned c = 0; c < GB_TILE; c++) x[c] = mask >> c & 1u ? *SR_B(q++) : (SR_T)0;
    }
#endif
    (void)R, (void)q, (void)mask, (void)x;
}

static inline void NAME(select_row)(void *select, unsigned mask) {
    if (sizeof(SR_T) == 8)
        gb_select8(select, mask);
    else if (sizeof(SR_T) == 4)
        gb_select4(select, mask);
    else
        gb_select1(select, mask);
}

#if SR_PLAIN
typedef SR_T NAME(gb_Half) __attribute__((vector_size(64)));

/* Whether a times 0 is 0 for all these entries of A. */
static inline bool NAME(is_finite)(const gb_RingArgs *R, gb_Off p, gb_Off end) {
    bool finite = true;
    for (; p < end; p++) finite &= *SR_A(p) - *SR_A(p) == 0;
    return finite;
}

#define LOAD(lanes, from) memcpy(&(lanes), from, sizeof(lanes))
#define STORE(to, lanes) memcpy(to, &(lanes), sizeof(lanes))
#define LANES (64 / sizeof(SR_T)) /* a row of cells is one vector of them, or two */
#define TWO (LANES < GB_TILE)

/* Row r of the cells plus the products of A's row r; `at` is the row among all rows of A's tiles.
 * The cells are variables and no array, so that they stay in registers. */
static inline void NAME(add_row)(const gb_TileView *A, const gb_RingArgs *R, gb_Off at,
                                 const SR_T *restrict x, SR_T *restrict cells) {
    NAME(gb_Half) low, high = {0}, lanes;
    gb_Off p = A->nnz[at / GB_TILE] + A->row[at];
    LOAD(low, cells);
    if (TWO) LOAD(high, cells + LANES);
    for (unsigned bits = A->mask[at]; bits != 0; bits &= bits - 1, p++) {
        const SR_T a = *SR_A(p), *row = x + GB_TILE * (unsigned)__builtin_ctz(bits);
        LOAD(lanes, row);
        low += a * lanes;
        if (TWO) LOAD(lanes, row + LANES);
        if (TWO) high += a * lanes;
    }
    STORE(cells, low);
    if (TWO) STORE(cells + LANES, high);
    (void)R;
}

/* Whether rows of B can be spread as they come. */
static inline bool NAME(unspread)(const gb_RingArgs *R) {
#if defined(GB_HAS_COMPRESS)
    return R->bmask != 0;
#else
    (void)R;
    return false;
#endif
}

#if defined(GB_HAS_COMPRESS)
/* The same for few entries of A, whose rows of B are spread as they come. */
static inline void NAME(add_row_unspread)(const gb_TiledRun *run, const gb_RingArgs *R, gb_Off at,
                                          gb_Off u, SR_T *restrict cells) {
    const gb_TileView *A = &run->g->A, *B = &run->g->B;
    NAME(gb_Half) low, high = {0}, lanes;
    gb_Off p = A->nnz[at / GB_TILE] + A->row[at];
    LOAD(low, cells);
    if (TWO) LOAD(high, cells + LANES);
    for (unsigned bits = A->mask[at]; bits != 0; bits &= bits - 1, p++) {
        const gb_Off k = u * GB_TILE + (unsigned)__builtin_ctz(bits);
        const unsigned mask = B->mask[k];
        const SR_T a = *SR_A(p), *from = SR_B(B->nnz[u] + B->row[k]);
        if (TWO) {
            gb_expand8((void *)&lanes, (const void *)from, mask & 0xFFu);
            low += a * lanes;
            from += __builtin_popcount(mask & 0xFFu);
            gb_expand8((void *)&lanes, (const void *)from, mask >> 8);
            high += a * lanes;
        } else {
            gb_expand4((void *)&lanes, (const void *)from, mask);
            low += a * lanes;
        }
    }
    STORE(cells, low);
    if (TWO) STORE(cells + LANES, high);
    (void)R;
}
#endif

/* Four rows of the cells, from `at` on, plus a full tile's four rows: a row of B is loaded once for
 * all of them. */
static inline void NAME(add_block)(const SR_T *restrict a, const SR_T *restrict x,
                                   SR_T *restrict cells) {
    for (unsigned at = 0; at < GB_TILE; at += LANES) {
        NAME(gb_Half) sum0, sum1, sum2, sum3, lanes;
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
#undef LOAD
#undef STORE
#undef LANES
#undef TWO

static inline void NAME(pair_finite)(const gb_TiledRun *run, const gb_RingArgs *R,
                                     const gb_TilePair *pair) {
    const gb_TileView *A = &run->g->A, *B = &run->g->B;
    const gb_Off p = A->nnz[pair->a], q = B->nnz[pair->b];
    const uint16_t *amask = A->mask + pair->a * GB_TILE, *cmask = run->T->mask + pair->c * GB_TILE;
    SR_T *cells = pair->to;
#if defined(GB_HAS_COMPRESS)
    if (A->nnz[pair->a + 1] - p < GB_SPREAD_LEAST && NAME(unspread)(R)) {
        for (unsigned r = 0; r < GB_TILE; r++)
            if (amask[r] != 0 && cmask[r] != 0)
                NAME(add_row_unspread)(run, R, pair->a * GB_TILE + r, pair->b, cells + GB_TILE * r);
        return;
    }
#endif
    _Alignas(64) SR_T spread[GB_TILE_CELLS];
    const SR_T *x = spread;
    if (B->nnz[pair->b + 1] - q == GB_TILE_CELLS && R->bmask != 0) {
        x = SR_B(q);
    } else {
        for (unsigned k = 0; k < GB_TILE; k++) {
            const gb_Off at = pair->b * GB_TILE + k;
            NAME(spread_row)(R, q + B->row[at], B->mask[at], spread + GB_TILE * k);
        }
    }
    if (A->nnz[pair->a + 1] - p == GB_TILE_CELLS && R->amask != 0) {
        for (unsigned r = 0; r < GB_TILE; r += 4)
            NAME(add_block)(SR_A(p + GB_TILE * r), x, cells + GB_TILE * r);
        return;
    }
    for (unsigned r = 0; r < GB_TILE; r++)
        if (amask[r] != 0 && cmask[r] != 0)
            NAME(add_row)(A, R, pair->a * GB_TILE + r, x, cells + GB_TILE * r);
}
#else
static inline bool NAME(is_finite)(const gb_RingArgs *R, gb_Off p, gb_Off end) {
    (void)R, (void)p, (void)end;
    return false;
}
static inline bool NAME(unspread)(const gb_RingArgs *R) {
    (void)R;
    return false;
}
#endif

/* Row r of the cells joined with the products of A's row r, in the lanes that B's rows hold. */
static inline void NAME(join_row)(const gb_TiledRun *run, const gb_RingArgs *R,
                                  const gb_TilePair *pair, unsigned r, const SR_T *restrict x,
                                  const SR_T *restrict select) {
    const gb_TileView *A = &run->g->A;
    const uint16_t *bmask = run->g->B.mask + pair->b * GB_TILE;
    SR_T *restrict cells = (SR_T *)pair->to + GB_TILE * r;
    const gb_Off at = pair->a * GB_TILE + r;
    gb_Off p = A->nnz[pair->a] + A->row[at];
    for (unsigned bits = A->mask[at]; bits != 0; bits &= bits - 1, p++) {
        const unsigned k = (unsigned)__builtin_ctz(bits);
        const uint64_t K = (uint64_t)A->i[pair->a] * GB_TILE + k; /* the only position wanted */
        const SR_T *b = x + GB_TILE * k;
        SR_HOLD_A(a, p);
        if (bmask[k] == 0xFFFFu) {
            for (unsigned c = 0; c < GB_TILE; c++) SR_ACCUMULATE(cells + c, a, b + c, 0, K, 0);
        } else if (bmask[k] != 0) {
            SR_T with[GB_TILE];
            memcpy(with, cells, sizeof with);
            for (unsigned c = 0; c < GB_TILE; c++) SR_ACCUMULATE(with + c, a, b + c, 0, K, 0);
            gb_blend(cells, with, select + GB_TILE * k, sizeof(SR_T));
        }
        (void)a, (void)b, (void)K;
    }
    (void)R, (void)p;
}

static void NAME(pair_by_lanes)(const gb_TiledRun *run, const gb_RingArgs *R,
                                const gb_TilePair *pair, bool finite) {
#if SR_PLAIN
    if (finite) {
        NAME(pair_finite)(run, R, pair);
        return;
    }
#endif
    const gb_TileView *B = &run->g->B;
    const uint16_t *cmask = run->T->mask + pair->c * GB_TILE;
    _Alignas(64) SR_T x[GB_TILE_CELLS], select[GB_TILE_CELLS];
    for (unsigned k = 0; k < GB_TILE; k++) {
        const gb_Off at = pair->b * GB_TILE + k;
        NAME(spread_row)(R, B->nnz[pair->b] + B->row[at], B->mask[at], x + GB_TILE * k);
        NAME(select_row)(select + GB_TILE * k, B->mask[at]);
    }
    for (unsigned r = 0; r < GB_TILE; r++)
        if (run->g->A.mask[pair->a * GB_TILE + r] != 0 && cmask[r] != 0)
            NAME(join_row)(run, R, pair, r, x, select);
    (void)finite;
}
