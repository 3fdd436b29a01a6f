/* SPDX-License-Identifier: Apache-2.0
 *
 * Matrix in tiles of 16 x 16 times vector for one semiring, in the two forms of mxv.tmpl.h.
 * Included once per entry of semiring/foreach.h.
 *
 * pull: 16 positions of w at a time, tile by tile in the order of the columns; a tile is skipped
 * when u has nothing at its columns, a row when w is not wanted there or cannot change any more.
 * push: the entries of u by groups, those that meet the same row of tiles; every thread has columns
 * of tiles of its own.
 *
 * Every w(j) is summed in the order of mxv.h.
 * Cost: a look at each tile met and, where u meets it, at its masks; the products.
 */
#define NAME(f) GB_CAT(f, SR_NAME)

#ifdef SR_GENERIC
#define LOAD(name, slot) SR_T *name = (slot)
#define STORE(slot, name)
/* A later product is not looked at: ANY of the generic entry would take it. */
#define SETTLED(c) SR_DONE(c)
#else
/* The sum of a row of a tile in a register: the slot could overlap the inputs for all the compiler
 * knows. */
#define LOAD(name, slot)                                                                           \
    SR_T name##_value = *(slot);                                                                   \
    SR_T *name = &name##_value
#define STORE(slot, name) SR_COPY(slot, name)
#define SETTLED(c) 0
#endif

#if SR_PLAIN
/* -0 for floats: added to any number, it leaves all of its bits. */
#define NOTHING ((SR_T) - (SR_ZERO))

/* 16 rows in the order of their columns, for a full vector. The entries of a tile come row by row,
 * and an addition waits for the one before it in its row: so those of a well filled tile are
 * multiplied into cells first, column by column, whose 16 rows are then added at once. */
static inline void NAME(add_cells)(const gb_MxvArgs *g, const gb_RingArgs *R, const bool left,
                                   gb_Off t, uint64_t I, SR_T *restrict cells, SR_T *restrict sum) {
    const uint64_t first = (uint64_t)g->tiles.i[t] * GB_TILE;
    for (gb_Off p = g->tiles.nnz[t]; p < g->tiles.nnz[t + 1]; p++) {
        const unsigned r = g->tiles.rc[p] / GB_TILE, c = g->tiles.rc[p] % GB_TILE;
        const uint64_t k = first + c, i = I * GB_TILE + r;
        GB_MXV_PRODUCT(SR_SET, cells + c * GB_TILE + r, p, k, k, i);
        (void)k, (void)i;
    }
    for (unsigned c = 0; c < GB_TILE; c++) {
        for (unsigned r = 0; r < GB_TILE; r++) {
            SR_JOIN(sum + r, cells + c * GB_TILE + r);
            cells[c * GB_TILE + r] = NOTHING;
        }
    }
    (void)R, (void)I, (void)first;
}

static inline void NAME(add_entries)(const gb_MxvArgs *g, const gb_RingArgs *R, const bool left,
                                     gb_Off t, uint64_t I, SR_T *restrict sum) {
    const uint64_t first = (uint64_t)g->tiles.i[t] * GB_TILE;
    for (gb_Off p = g->tiles.nnz[t]; p < g->tiles.nnz[t + 1]; p++) {
        const unsigned cell = g->tiles.rc[p];
        const uint64_t k = first + cell % GB_TILE, i = I * GB_TILE + cell / GB_TILE;
        GB_MXV_PRODUCT(SR_FMA, sum + cell / GB_TILE, p, k, k, i);
        (void)k, (void)i;
    }
    (void)R, (void)I, (void)first;
}

/* w at the rows of row of tiles I. */
static inline void NAME(pull_full)(const gb_MxvArgs *g, const gb_RingArgs *R, const bool left,
                                   uint64_t I, gb_TileWork *w) {
    const gb_TileView *A = &g->tiles;
    const unsigned open = w->allowed == NULL ? 0xFFFFu : w->allowed[I];
    _Alignas(64) SR_T cells[GB_TILE_CELLS], sum[GB_TILE];
    uint16_t any[GB_TILE] = {0};
    if (open == 0) return;
    for (unsigned c = 0; c < GB_TILE_CELLS; c++) cells[c] = NOTHING;
    for (unsigned r = 0; r < GB_TILE; r++) sum[r] = NOTHING;
    for (gb_Off t = A->p[I]; t < A->p[I + 1]; t++) {
        for (unsigned r = 0; r < GB_TILE; r++) any[r] |= A->mask[t * GB_TILE + r];
        if (A->nnz[t + 1] - A->nnz[t] >= GB_MXV_CELLS_LEAST)
            NAME(add_cells)(g, R, left, t, I, cells, sum);
        else
            NAME(add_entries)(g, R, left, t, I, sum);
    }
    for (unsigned r = 0; r < GB_TILE; r++) {
        if (any[r] == 0 || !(open >> r & 1u)) continue;
        SR_COPY(SR_AT(w->val, I * GB_TILE + r), sum + r);
        w->found[I] |= (uint16_t)(1u << r);
    }
}
#undef NOTHING
#endif

/* The same for a vector with gaps, in the order of k: what cannot change any more is left alone. */
static inline void NAME(pull_tiles)(const gb_MxvArgs *g, const gb_RingArgs *R, const bool left,
                                    uint64_t I, gb_TileWork *w) {
    const gb_TileView *A = &g->tiles;
    unsigned found = 0, open = w->allowed == NULL ? 0xFFFFu : w->allowed[I];
    for (gb_Off t = A->p[I]; t < A->p[I + 1] && open != 0; t++) {
        const uint64_t first = (uint64_t)A->i[t] * GB_TILE;
        const unsigned here = w->present == NULL ? 0xFFFFu : w->present[A->i[t]];
        if (here == 0) continue;
        for (unsigned rows = open; rows != 0; rows &= rows - 1) {
            const unsigned r = (unsigned)__builtin_ctz(rows);
            const gb_Off at = t * GB_TILE + r, i = I * GB_TILE + r;
            if ((A->mask[at] & here) == 0) continue;
            bool has = found >> r & 1u;
            gb_Off p = A->nnz[t] + A->row[at];
            LOAD(c, SR_AT(w->val, i));
            for (unsigned bits = A->mask[at]; bits != 0; bits &= bits - 1, p++) {
                const unsigned column = (unsigned)__builtin_ctz(bits);
                const uint64_t k = first + column;
                (void)k;
                if (!(here >> column & 1u)) continue;
                if (has)
                    GB_MXV_PRODUCT(SR_FMA, c, p, k, k, i);
                else
                    GB_MXV_PRODUCT(SR_SET, c, p, k, k, i);
                has = true;
                if (SR_DONE(c)) {
                    open &= ~(1u << r);
                    break;
                }
            }
            STORE(SR_AT(w->val, i), c);
            found |= 1u << r;
        }
    }
    w->found[I] = (uint16_t)found;
    (void)R;
}

static void NAME(pull)(const gb_MxvArgs *g, const gb_RingArgs *R, uint64_t I, gb_TileWork *w) {
#if SR_PLAIN
    if (w->present == NULL) {
        if (GB_MXV_LEFT(g))
            NAME(pull_full)(g, R, true, I, w);
        else
            NAME(pull_full)(g, R, false, I, w);
        return;
    }
#endif
    if (GB_MXV_LEFT(g))
        NAME(pull_tiles)(g, R, true, I, w);
    else
        NAME(pull_tiles)(g, R, false, I, w);
}

/* w at the columns of tile t plus the entries `group` of u, which meet its rows. */
static inline void NAME(push_tile)(const gb_MxvArgs *g, const gb_RingArgs *R, const bool left,
                                   gb_Off t, gb_Range group, gb_TileWork *w) {
    const gb_TileView *A = &g->tiles;
    const gb_Idx J = A->i[t];
    const unsigned open = w->allowed == NULL ? 0xFFFFu : w->allowed[J];
    for (gb_Off q = group.from; q < group.to && open != 0; q++) {
        const uint64_t k = g->u_list.i[q];
        const gb_Off at = t * GB_TILE + k % GB_TILE;
        gb_Off p = A->nnz[t] + A->row[at];
        for (unsigned bits = A->mask[at]; bits != 0; bits &= bits - 1, p++) {
            const unsigned column = (unsigned)__builtin_ctz(bits);
            const uint64_t j = (uint64_t)J * GB_TILE + column;
            if (!(open >> column & 1u)) continue;
            SR_T *c = SR_AT(w->val, j);
            if (!(w->found[J] >> column & 1u))
                GB_MXV_PRODUCT(SR_SET, c, p, q, k, j);
            else if (!SETTLED(c))
                GB_MXV_PRODUCT(SR_FMA, c, p, q, k, j);
        }
        w->found[J] |= (uint16_t)(A->mask[at] & open);
    }
    (void)R;
}

/* w at the columns of tiles [columns.from, columns.to). */
static inline void NAME(push_tiles)(const gb_MxvArgs *g, const gb_RingArgs *R, const bool left,
                                    gb_Range columns, gb_TileWork *w) {
    const gb_TileView *A = &g->tiles;
    const gb_Idx *u = g->u_list.i;
    for (gb_Range group = {0, 0}; group.from < g->u_list.nvals; group.from = group.to) {
        const gb_Idx K = u[group.from] / GB_TILE;
        for (group.to = group.from; group.to < g->u_list.nvals; group.to++)
            if (u[group.to] / GB_TILE != K) break;
        gb_Off t = gb_first_at_least(A->i, A->p[K], A->p[K + 1], columns.from);
        for (; t < A->p[K + 1] && A->i[t] < columns.to; t++)
            NAME(push_tile)(g, R, left, t, group, w);
    }
}

static void NAME(push)(const gb_MxvArgs *g, const gb_RingArgs *R, gb_Range columns,
                       gb_TileWork *w) {
    if (GB_MXV_LEFT(g))
        NAME(push_tiles)(g, R, true, columns, w);
    else
        NAME(push_tiles)(g, R, false, columns, w);
}

#undef NAME
#undef LOAD
#undef SETTLED
#undef STORE
