/* SPDX-License-Identifier: Apache-2.0
 *
 * Step 3 of the tiled product for one semiring and one row of tiles: every tile of C has 256 cells,
 * at first the monoid's identity. A tile of A times a tile of B adds, for each entry (r, k) of A,
 * row k of B to row r of the cells: 16 lanes at once when the tiles are full enough that spreading
 * B's rows over 16 lanes pays, else entry by entry. Included once per entry of semiring/foreach.h.
 *
 * Products of an entry of C are added in the order of k, as in every other method.
 * Cost: 16 lanes per entry of A and tile of B, or its products.
 */
#define NAME(f) GB_CAT(f, SR_NAME)
#if !defined(SR_GENERIC) && SR_USES_A
#define HOLD_A(name, p)                                                                            \
    const SR_T name##_value = *SR_A(p);                                                            \
    const SR_T *name = &name##_value
#else
#define HOLD_A(name, p) const SR_T *name = SR_A(p)
#endif
#if SR_ANY
#define ACCUMULATE SR_SET
#else
#define ACCUMULATE SR_FMA
#endif

static inline void NAME(tile_sparse)(const gb_TiledArgs *g, const gb_RingArgs *R, gb_Off t,
                                     gb_Off u, uint64_t I, void *acc) {
    const uint64_t K = g->A.i[t], J = g->B.i[u];
    for (gb_Off p = g->A.nnz[t]; p < g->A.nnz[t + 1]; p++) {
        const unsigned r = g->A.rc[p] >> 4, k = g->A.rc[p] & 15u;
        const gb_Off at = u * GB_TILE + k;
        gb_Off q = g->B.nnz[u] + g->B.row[at];
        for (unsigned bits = g->B.mask[at]; bits != 0; bits &= bits - 1, q++) {
            const unsigned c = (unsigned)__builtin_ctz(bits);
            ACCUMULATE(SR_AT(acc, GB_TILE * r + c), SR_A(p), SR_B(q), I * GB_TILE + r,
                       K * GB_TILE + k, J * GB_TILE + c);
        }
    }
    (void)R, (void)I, (void)K, (void)J;
}

#ifndef SR_GENERIC
/* Row k of B's tile spread over 16 lanes: x where there is an entry, all bits of select. */
static inline void NAME(spread_row)(const gb_RingArgs *R, gb_Off q, unsigned mask, SR_T *x,
                                    void *select) {
    _Static_assert(sizeof(SR_T) == 8 || sizeof(SR_T) == 4 || sizeof(SR_T) == 1, "lanes.h");
    if (sizeof(SR_T) == 8) {
        gb_select8(select, mask);
#if SR_USES_B
        if (R->bmask != 0)
            gb_spread8((uint64_t *)(void *)x, (const uint64_t *)(const void *)SR_B(q), mask);
#endif
    } else if (sizeof(SR_T) == 4) {
        gb_select4(select, mask);
#if SR_USES_B
        if (R->bmask != 0)
            gb_spread4((uint32_t *)(void *)x, (const uint32_t *)(const void *)SR_B(q), mask);
#endif
    } else {
        gb_select1(select, mask);
#if SR_USES_B
        for (unsigned c = 0; c < GB_TILE && R->bmask != 0; c++)
            x[c] = mask >> c & 1u ? *SR_B(q++) : (SR_T)0;
#endif
    }
#if SR_USES_B
    if (R->bmask == 0)
        for (unsigned c = 0; c < GB_TILE; c++) x[c] = *SR_B(0);
#endif
    (void)R, (void)q, (void)x;
}

/* Rows without entries are never looked at. */
static inline void NAME(spread)(const gb_TiledArgs *g, const gb_RingArgs *R, gb_Off u, SR_T *x,
                                SR_T *select) {
    for (unsigned k = 0; k < GB_TILE; k++, x += GB_TILE, select += GB_TILE) {
        const gb_Off at = u * GB_TILE + k;
        if (g->B.mask[at] != 0)
            NAME(spread_row)(R, g->B.nnz[u] + g->B.row[at], g->B.mask[at], x, select);
    }
}

#if SR_PLAIN
typedef SR_T NAME(gb_Half) __attribute__((vector_size(64)));

/* A vector of lanes of the cells plus a times lanes of B's row; where select has bits, if it is not
 * NULL. */
#define ADD_LANES(sum, at)                                                                         \
    do {                                                                                           \
        NAME(gb_Half) lanes;                                                                       \
        gb_Lanes64 bits = {0};                                                                     \
        memcpy(&lanes, (const char *)(x + GB_TILE * k) + (at), sizeof lanes);                      \
        if (select != NULL)                                                                        \
            memcpy(&bits, (const char *)(select + GB_TILE * k) + (at), sizeof bits);               \
        lanes = SR_ADD(sum, SR_MUL(*a, lanes, 0, 0, 0));                                           \
        sum = select == NULL                                                                       \
                  ? lanes                                                                          \
                  : (NAME(gb_Half))(((gb_Lanes64)lanes & bits) | ((gb_Lanes64)sum & ~bits));       \
    } while (0)

/* Whether a times 0 is 0 for all entries of A's tile: then lanes without an entry, whose x is 0,
 * add nothing, and need no selection. (The cells are never -0, since they start as 0.) */
static inline bool NAME(is_finite)(const gb_TiledArgs *g, const gb_RingArgs *R, gb_Off t) {
    bool finite = true;
    for (gb_Off p = g->A.nnz[t]; p < g->A.nnz[t + 1]; p++) finite &= *SR_A(p) - *SR_A(p) == 0;
    return finite;
}

/* The same as below with the cells held in registers, which the compiler does not do by itself. */
__attribute__((always_inline)) static inline void NAME(tile_row)(const gb_TiledArgs *g,
                                                                 const gb_RingArgs *R,
                                                                 const gb_SpreadTile *spread,
                                                                 unsigned r, SR_T *restrict acc) {
    const SR_T *restrict x = spread->x, *restrict select = spread->select;
    const gb_Off at = spread->t * GB_TILE + r;
    gb_Off p = g->A.nnz[spread->t] + g->A.row[at];
    NAME(gb_Half) low, high = {0};
    memcpy(&low, acc, sizeof low);
    if (sizeof(SR_T) == 8) memcpy(&high, acc + 8, sizeof high);
    for (unsigned bits_a = g->A.mask[at]; bits_a != 0; bits_a &= bits_a - 1, p++) {
        const unsigned k = (unsigned)__builtin_ctz(bits_a);
        HOLD_A(a, p);
        if (spread->bmask[k] == 0) continue;
        ADD_LANES(low, 0);
        if (sizeof(SR_T) == 8) ADD_LANES(high, 64);
    }
    memcpy(acc, &low, sizeof low);
    if (sizeof(SR_T) == 8) memcpy(acc + 8, &high, sizeof high);
    (void)R;
}
#undef ADD_LANES
#else
/* Row r of the cells plus the entries of row r of A's tile times rows of B's tile. */
static inline void NAME(tile_row)(const gb_TiledArgs *g, const gb_RingArgs *R,
                                  const gb_SpreadTile *spread, unsigned r, SR_T *restrict acc) {
    const SR_T *restrict x = spread->x, *restrict select = spread->select;
    const uint16_t *bmask = spread->bmask;
    const gb_Off at = spread->t * GB_TILE + r;
    gb_Off p = g->A.nnz[spread->t] + g->A.row[at];
    for (unsigned bits = g->A.mask[at]; bits != 0; bits &= bits - 1, p++) {
        const unsigned k = (unsigned)__builtin_ctz(bits);
        const uint64_t K = (uint64_t)g->A.i[spread->t] * GB_TILE + k; /* the only position wanted */
        const SR_T *b = x + GB_TILE * k;
        HOLD_A(a, p);
        if (bmask[k] == 0xFFFFu) {
            for (unsigned c = 0; c < GB_TILE; c++) ACCUMULATE(acc + c, a, b + c, 0, K, 0);
        } else if (bmask[k] != 0) {
            SR_T with[GB_TILE];
            for (unsigned c = 0; c < GB_TILE; c++) with[c] = acc[c];
            for (unsigned c = 0; c < GB_TILE; c++) ACCUMULATE(with + c, a, b + c, 0, K, 0);
            gb_blend(acc, with, select + GB_TILE * k, sizeof(SR_T));
        }
        (void)a, (void)b, (void)K;
    }
    (void)R, (void)p;
}
#endif

static inline void NAME(tile_spread)(const gb_TiledArgs *g, const gb_RingArgs *R, gb_Off t,
                                     gb_Off u, bool finite, SR_T *acc) {
    _Alignas(64) SR_T x[GB_TILE_CELLS], select[GB_TILE_CELLS];
    NAME(spread)(g, R, u, x, select);
    const uint16_t *mask = g->A.mask + t * GB_TILE, *bmask = g->B.mask + u * GB_TILE;
    const gb_SpreadTile chosen = {t, bmask, x, select};
#if SR_PLAIN
    const gb_SpreadTile all = {t, bmask, x, NULL};
    for (unsigned r = 0; finite && r < GB_TILE; r++)
        if (mask[r] != 0) NAME(tile_row)(g, R, &all, r, acc + GB_TILE * r);
#endif
    for (unsigned r = 0; !finite && r < GB_TILE; r++)
        if (mask[r] != 0) NAME(tile_row)(g, R, &chosen, r, acc + GB_TILE * r);
}
#endif

/* Cells to entries: those that the masks of step 2 name. */
static inline void NAME(collect)(const gb_RingArgs *R, gb_Tiles *T, gb_Off t, const void *acc) {
    gb_Off to = T->nnz[t];
    for (unsigned r = 0; r < GB_TILE; r++) {
        const unsigned mask = T->mask[t * GB_TILE + r];
        const void *row = SR_AT(acc, GB_TILE * r);
        uint8_t *rc = T->rc + to;
        for (unsigned bits = mask; bits != 0; bits &= bits - 1)
            *rc++ = (uint8_t)(r << 4 | (unsigned)__builtin_ctz(bits));
#ifndef SR_GENERIC
        if (sizeof(SR_T) == 8) {
            to += gb_pack8((uint64_t *)T->x + to, row, mask);
            continue;
        }
        if (sizeof(SR_T) == 4) {
            to += gb_pack4((uint32_t *)T->x + to, row, mask);
            continue;
        }
#endif
        for (unsigned bits = mask; bits != 0; bits &= bits - 1, to++)
            SR_COPY(SR_AT(T->x, to), SR_AT(row, __builtin_ctz(bits)));
    }
    (void)R;
}

static void NAME(tiled_row)(const gb_TiledArgs *g, gb_TiledWork *w, gb_Tiles *T, uint64_t I) {
    const gb_RingArgs *R = &w->args;
    const gb_Off first = T->p[I], last = T->p[I + 1];
    for (uint64_t c = 0; c < (last - first) * GB_TILE_CELLS; c++) SR_CLEAR(SR_AT(w->acc, c));
    for (gb_Off t = g->A.p[I]; t < g->A.p[I + 1]; t++) {
        const uint64_t K = g->A.i[t];
#ifndef SR_GENERIC
        const bool full = g->A.nnz[t + 1] - g->A.nnz[t] >= GB_SPREAD_A;
#if SR_PLAIN
        const bool finite = full && NAME(is_finite)(g, R, t);
#else
        const bool finite = false;
#endif
#endif
        for (gb_Off u = g->B.p[K]; u < g->B.p[K + 1]; u++) {
            void *acc = SR_AT(w->acc, (gb_Off)w->slot[g->B.i[u]] * GB_TILE_CELLS);
#ifndef SR_GENERIC
            if (full && g->B.nnz[u + 1] - g->B.nnz[u] >= GB_SPREAD_B) {
                NAME(tile_spread)(g, R, t, u, finite, acc);
                continue;
            }
#endif
            NAME(tile_sparse)(g, R, t, u, I, acc);
        }
    }
    for (gb_Off t = first; t < last; t++)
        NAME(collect)(R, T, t, SR_AT(w->acc, (t - first) * GB_TILE_CELLS));
}
#undef NAME
#undef HOLD_A
#undef ACCUMULATE
