/* SPDX-License-Identifier: Apache-2.0
 *
 * Driver of the tiled product (TileSpGEMM, PPoPP '22, section 3.3) on rows of tiles:
 *   step 1  which tiles C has: a symbolic product of the tile patterns;
 *   step 2  masks and counts of C's tiles: OR of B's row masks;
 *   step 3  values: one accumulator of 256 cells per tile of the current row of tiles.
 * The paper intersects a row of A's tiles with a column of B's for each tile of C, since a GPU has
 * many tiles to work on at once. Here a thread takes a whole row of tiles of C and walks rows of B,
 * which need no columns of tiles and no search, and keeps its accumulators in the second cache.
 *
 * Nothing grows with the number of products: beside C there is one row of tiles per thread.
 */
#include "core/parallel.h"
#include "core/tiles.h"
#include "core/tune.h"
#include "cpu/isa/lanes.h"
#include "cpu/sort.h"
#include "cpu/cpu.h"
#include "semiring/ids.h"

/* One thread's view of the row of tiles that it computes: C's tile columns and their slots. */
typedef struct {
    gb_RingArgs args; /* the thread's copy, with its own scratch */
    uint64_t *stamp;  /* [columns] 1 + row of tiles that met this column of tiles last */
    gb_Idx *slot;     /* [columns] its number in list */
    uint32_t *list;   /* [columns] */
    uint32_t *tmp;    /* [columns] */
    uint64_t columns;
    void *acc; /* [cells * 256] */
    uint64_t cells;
    void *scratch;
    size_t wanted; /* bytes asked for in vain; 0: all is well */
} gb_TiledWork;

/* Tile t of A, and a tile of B: its masks, its rows over 16 lanes, and where these hold entries. */
typedef struct {
    gb_Off t;
    const uint16_t *bmask;
    const void *x, *select; /* select NULL: lanes without an entry do no harm */
} gb_SpreadTile;

#define SR_TEMPLATE "cpu/isa/tiled.tmpl.h"
#include "semiring/foreach.h"
#undef SR_TEMPLATE

typedef void (*gb_TiledRow)(const gb_TiledArgs *g, gb_TiledWork *w, gb_Tiles *T, uint64_t I);
#define ENTRY(name, add, multiply, type) [GB_RING_##name] = tiled_row_##name,
static const gb_TiledRow kernels[GB_RING_COUNT] = {GB_FOREACH_RING(ENTRY)[GB_RING_GENERIC] =
                                                       tiled_row_GENERIC};
#undef ENTRY

/* Step 1 for one row of tiles: C's columns of tiles to w->list, in the order met. */
static uint64_t find_tiles(const gb_TiledArgs *g, gb_TiledWork *w, uint64_t I) {
    uint64_t n = 0;
    for (gb_Off t = g->A.p[I]; t < g->A.p[I + 1]; t++) {
        const uint64_t K = g->A.i[t];
        for (gb_Off u = g->B.p[K]; u < g->B.p[K + 1]; u++) {
            const gb_Idx J = g->B.i[u];
            if (w->stamp[J] == I + 1) continue;
            w->stamp[J] = I + 1;
            w->list[n++] = J;
        }
    }
    return n;
}

typedef uint16_t gb_Rows __attribute__((vector_size(32))); /* lane r is row r of a tile */

/* The masks of A's tile by columns: lane r of select[k] is all ones where (r, k) is there. */
static inline void spread_masks(const uint16_t *mask, gb_Rows *select) {
    gb_Rows rows;
    memcpy(&rows, mask, sizeof rows);
    for (unsigned k = 0; k < GB_TILE; k++) select[k] = -(rows >> k & 1);
}

/* Rows of C's tile that A's tile makes of B's: OR of the rows of B that each row of A names. */
static inline void unite_masks(uint16_t *c, const gb_Rows *select, const uint16_t *b) {
    gb_Rows sum;
    memcpy(&sum, c, sizeof sum);
    for (unsigned k = 0; k < GB_TILE; k++) sum |= select[k] & b[k];
    memcpy(c, &sum, sizeof sum);
}

/* Step 2 for one row of tiles: columns in order, masks, row offsets, entries per tile. */
static void lay_out(const gb_TiledArgs *g, gb_TiledWork *w, gb_Tiles *T, uint64_t I) {
    const gb_Off first = T->p[I];
    const uint64_t n = find_tiles(g, w, I);
    gb_sort32(w->list, w->tmp, n, 0, gb_bits(w->columns));
    for (uint64_t s = 0; s < n; s++) {
        w->slot[w->list[s]] = (gb_Idx)s;
        T->i[first + s] = w->list[s];
    }
    if (n > 0) memset(T->mask + first * GB_TILE, 0, n * GB_TILE * sizeof *T->mask);
    for (gb_Off t = g->A.p[I]; t < g->A.p[I + 1]; t++) {
        gb_Rows select[GB_TILE];
        spread_masks(g->A.mask + t * GB_TILE, select);
        const uint64_t K = g->A.i[t];
        for (gb_Off u = g->B.p[K]; u < g->B.p[K + 1]; u++)
            unite_masks(T->mask + (first + w->slot[g->B.i[u]]) * GB_TILE, select,
                        g->B.mask + u * GB_TILE);
    }
    for (gb_Off t = first; t < first + n; t++) {
        unsigned entries = 0;
        for (unsigned r = 0; r < GB_TILE; r++) {
            T->row[t * GB_TILE + r] = (uint8_t)entries;
            entries += (unsigned)__builtin_popcount(T->mask[t * GB_TILE + r]);
        }
        T->nnz[t + 1] = entries;
    }
}

static bool reserve_cells(gb_TiledWork *w, uint64_t tiles) {
    if (w->cells >= tiles) return true;
    gb_free(w->acc, w->cells * GB_TILE_CELLS * w->args.zsize);
    w->cells = tiles + tiles / 2;
    w->acc = gb_malloc(w->cells * GB_TILE_CELLS * w->args.zsize);
    if (w->acc != NULL) return true;
    w->wanted = w->cells * GB_TILE_CELLS * w->args.zsize;
    w->cells = 0;
    return false;
}

/* Step 3 for one row of tiles. */
static void compute(const gb_TiledArgs *g, gb_TiledWork *w, gb_Tiles *T, uint64_t I) {
    const gb_Off first = T->p[I];
    const uint64_t n = T->p[I + 1] - first;
    if (n == 0 || !reserve_cells(w, n)) return;
    for (uint64_t s = 0; s < n; s++) w->slot[T->i[first + s]] = (gb_Idx)s;
    kernels[g->ring](g, w, T, I);
}

static void work_free(gb_TiledWork *w, int nthreads, uint64_t n) {
    for (int t = 0; w != NULL && t < nthreads; t++) {
        gb_free(w[t].stamp, n * sizeof *w->stamp);
        gb_free(w[t].slot, n * sizeof *w->slot);
        gb_free(w[t].list, n * sizeof *w->list);
        gb_free(w[t].tmp, n * sizeof *w->tmp);
        gb_free(w[t].acc, w[t].cells * GB_TILE_CELLS * w[t].args.zsize);
        gb_free(w[t].scratch, 2 * w[t].args.zsize);
    }
    gb_free(w, (size_t)nthreads * sizeof *w);
}

static gb_TiledWork *work_new(const gb_TiledArgs *g, uint64_t n) {
    gb_TiledWork *w = gb_calloc((size_t)g->nthreads * sizeof *w);
    bool ok = w != NULL;
    for (int t = 0; w != NULL && t < g->nthreads; t++) w[t].args = g->args;
    for (int t = 0; ok && t < g->nthreads; t++) {
        w[t].columns = n;
        w[t].stamp = gb_calloc(n * sizeof *w->stamp);
        w[t].slot = gb_malloc(n * sizeof *w->slot);
        w[t].list = gb_malloc(n * sizeof *w->list);
        w[t].tmp = gb_malloc(n * sizeof *w->tmp);
        w[t].scratch = gb_malloc(2 * g->args.zsize);
        w[t].args.scratch = w[t].scratch;
        ok = w[t].stamp != NULL && w[t].slot != NULL && w[t].list != NULL && w[t].tmp != NULL &&
             w[t].scratch != NULL;
    }
    if (ok) return w;
    work_free(w, g->nthreads, n);
    return NULL;
}

static void forget_stamps(const gb_TiledArgs *g, gb_TiledWork *w) {
    for (int t = 0; t < g->nthreads; t++) memset(w[t].stamp, 0, w[t].columns * sizeof *w[t].stamp);
}

static gbl_Info steps(const gb_TiledArgs *g, gb_TiledWork *w, gb_Off *p, gb_Tiles *T) {
    const uint64_t rows = gb_tile_count(g->A.nmajor);
    p[0] = 0;
    GB_PARALLEL_FOR(g->nthreads)
    for (uint64_t I = 0; I < rows; I++) p[I + 1] = find_tiles(g, &w[gb_thread_id()], I);
    for (uint64_t I = 0; I < rows; I++) p[I + 1] += p[I];
    gbl_Info info = gb_tiles_alloc(T, g->A.nmajor, g->B.nminor, p[rows]);
    if (info != GBL_SUCCESS) return info;
    memcpy(T->p, p, (rows + 1) * sizeof *p);
    forget_stamps(g, w);
    GB_PARALLEL_FOR(g->nthreads)
    for (uint64_t I = 0; I < rows; I++) lay_out(g, &w[gb_thread_id()], T, I);
    T->nnz[0] = 0;
    for (uint64_t t = 0; t < T->ntiles; t++) T->nnz[t + 1] += T->nnz[t];
    size_t xbytes;
    const uint64_t nvals = T->nnz[T->ntiles];
    if (!gb_size_mul(&xbytes, nvals, g->args.zsize)) return gb_fail_memory(NULL, SIZE_MAX);
    info = gb_tiles_alloc_entries(T, nvals, xbytes);
    if (info != GBL_SUCCESS) return info;
    GB_PARALLEL_FOR(g->nthreads)
    for (uint64_t I = 0; I < rows; I++) {
        gb_TiledWork *mine = &w[gb_thread_id()];
        if (mine->wanted == 0 && gb_progress_add(g->meter, 1)) compute(g, mine, T, I);
    }
    for (int t = 0; t < g->nthreads; t++)
        if (w[t].wanted > 0) info = gb_fail_memory(NULL, w[t].wanted);
    return info == GBL_SUCCESS ? gb_progress_end(g->meter) : info;
}

gbl_Info GB_ISA_NAME(gb_mxm_tiled)(const gb_TiledArgs *g, gb_Tiles *T) {
    const uint64_t rows = gb_tile_count(g->A.nmajor), columns = gb_tile_count(g->B.nminor);
    *T = (gb_Tiles){0};
    gb_TiledWork *w = work_new(g, columns);
    gb_Off *p = gb_malloc((rows + 1) * sizeof *p);
    gbl_Info info = w != NULL && p != NULL ? steps(g, w, p, T) : gb_fail_memory(NULL, columns * 20);
    if (info != GBL_SUCCESS) gb_tiles_free(T);
    gb_free(p, (rows + 1) * sizeof *p);
    work_free(w, g->nthreads, columns);
    return info;
}
