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
    if (R->bmask == 0)
        for (unsigned c = 0; c < GB_TILE; c++) x[c] = mask >> c & 1u ? *SR_B(0) : (SR_T)0;
    else if (sizeof(SR_T) == 8)
        gb_spread8((uint64_t *)(void *)x, (const uint64_t *)(const void *)SR_B(q), mask);
    else if (sizeof(SR_T) == 4)
        gb_spread4((uint32_t *)(void *)x, (const uint32_t *)(const void *)SR_B(q), mask);
    else
        for (unsigned c = 0; c < GB_TILE; c++) x[c] = mask >> c & 1u ? *SR_B(q++) : (SR_T)0;
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

/* Row r of the cells plus the products of A's row r; the cells are held in registers, which the
 * compiler does not do by itself. */
static inline void NAME(add_row)(const gb_TileView *A, const gb_RingArgs *R, gb_Off at,
                                 const SR_T *restrict x, SR_T *restrict cells) {
    enum { HALVES = GB_TILE * sizeof(SR_T) / 64, LANES = 64 / sizeof(SR_T) };
    NAME(gb_Half) sum[HALVES];
    gb_Off p = A->nnz[at / GB_TILE] + A->row[at];
    memcpy(sum, cells, sizeof sum);
    for (unsigned bits = A->mask[at]; bits != 0; bits &= bits - 1, p++) {
        const SR_T a = *SR_A(p), *row = x + GB_TILE * (unsigned)__builtin_ctz(bits);
        for (unsigned h = 0; h < HALVES; h++) {
            NAME(gb_Half) lanes;
            memcpy(&lanes, row + LANES * h, sizeof lanes);
            sum[h] += a * lanes;
        }
    }
    memcpy(cells, sum, sizeof sum);
    (void)R;
}

/* A full tile of A: GB_BLOCK rows at a time, so that a row of B is loaded once for all of them. */
enum { NAME(BLOCK) = 4 };
static inline void NAME(add_block)(const SR_T *restrict a, const SR_T *restrict x,
                                   SR_T *restrict cells) {
    enum { HALVES = GB_TILE * sizeof(SR_T) / 64, LANES = 64 / sizeof(SR_T) };
    NAME(gb_Half) sum[NAME(BLOCK)][HALVES];
    memcpy(sum, cells, sizeof sum);
    for (unsigned k = 0; k < GB_TILE; k++)
        for (unsigned h = 0; h < HALVES; h++) {
            NAME(gb_Half) lanes;
            memcpy(&lanes, x + GB_TILE * k + LANES * h, sizeof lanes);
            for (unsigned r = 0; r < NAME(BLOCK); r++) sum[r][h] += a[GB_TILE * r + k] * lanes;
        }
    memcpy(cells, sum, sizeof sum);
}

static inline void NAME(pair_finite)(const gb_TiledRun *run, const gb_RingArgs *R,
                                     const gb_TilePair *pair) {
    const gb_TileView *A = &run->g->A, *B = &run->g->B;
    const gb_Off p = A->nnz[pair->a], q = B->nnz[pair->b];
    const uint16_t *cmask = run->T->mask + pair->c * GB_TILE;
    SR_T *cells = pair->to;
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
        for (unsigned r = 0; r < GB_TILE; r += NAME(BLOCK))
            NAME(add_block)(SR_A(p + GB_TILE * r), x, cells + GB_TILE * r);
        return;
    }
    for (unsigned r = 0; r < GB_TILE; r++)
        if (A->mask[pair->a * GB_TILE + r] != 0 && cmask[r] != 0)
            NAME(add_row)(A, R, pair->a * GB_TILE + r, x, cells + GB_TILE * r);
}
#else
static inline bool NAME(is_finite)(const gb_RingArgs *R, gb_Off p, gb_Off end) {
    (void)R, (void)p, (void)end;
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
