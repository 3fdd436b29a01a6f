/* SPDX-License-Identifier: Apache-2.0
 *
 * Step 2 of the approximate product (spamm.c): which sub-matrices C has, their patterns where
 * factors are tiles, and C's arrays with all but values and positions.
 */
#include "core/arrays.h"
#include "cpu/spamm/work.h"
#include "cpu/common/sort.h"

typedef struct {
    const gb_SpammRun *run;
    gb_TileMarks *marks; /* [nthreads] */
    gb_Off *count;
} Step;

/* -- which sub-matrices C has ------------------------------------------------------------------ */

/* Columns of C's row I to m->list, in the order found; returns how many. */
static uint64_t find_columns(const gb_SpammRun *run, gb_TileMarks *m, uint64_t I, uint64_t tag) {
    const gb_SpammArgs *g = run->g;
    uint64_t n = 0;
    for (gb_Off a = g->A.p[I]; a < g->A.p[I + 1]; a++) {
        const gb_Idx K = g->A.i[a];
        const gb_Off end = gb_spamm_end(g, g->A.norm[a], K);
        for (gb_Off q = g->B.p[K]; q < end && n < run->columns; q++) {
            const gb_Idx J = g->rank[q].column;
            if (m->stamp[J] == tag) continue;
            m->stamp[J] = tag;
            m->list[n++] = J;
        }
    }
    return n;
}

static void count_row(void *context, uint64_t I) {
    const Step *step = context;
    step->count[I + 1] = find_columns(step->run, &step->marks[gb_thread_id()], I, I + 1);
}

/* bits of c |= those of the product of a and b. */
static void unite(uint64_t *c, const uint64_t *a, const uint64_t *b, unsigned side, uint64_t all) {
    for (unsigned r = 0; r < side; r++)
        for (uint64_t inner = a[r]; inner != 0 && c[r] != all; inner &= inner - 1)
            c[r] |= b[__builtin_ctzll(inner)];
}

/* The patterns of C's sub-matrices in row I. */
static void unite_row(const gb_SpammRun *run, gb_TileMarks *m, uint64_t I) {
    const gb_SpammArgs *g = run->g;
    const unsigned side = g->side;
    const gb_Off first = run->p[I];
    memset(run->bits + first * side, 0, (run->p[I + 1] - first) * side * sizeof *run->bits);
    for (gb_Off c = first; c < run->p[I + 1]; c++) m->slot[run->i[c]] = (gb_Idx)(c - first);
    for (gb_Off a = g->A.p[I]; a < g->A.p[I + 1]; a++) {
        const gb_Off end = gb_spamm_end(g, g->A.norm[a], g->A.i[a]);
        for (gb_Off q = g->B.p[g->A.i[a]]; q < end; q++) {
            const uint64_t J = g->rank[q].column, left = g->B.nminor - J * side;
            const uint64_t all = left >= 64 ? UINT64_MAX : ((uint64_t)1 << left) - 1;
            unite(run->bits + (first + m->slot[J]) * side,
                  run->A.bits + (uint64_t)run->A.slot[a] * side,
                  run->B.bits + (uint64_t)run->B.slot[g->rank[q].at] * side, side,
                  side == 64 ? all : all & (((uint64_t)1 << side) - 1));
        }
    }
}

static void list_row(void *context, uint64_t I) {
    const Step *step = context;
    const gb_SpammRun *run = step->run;
    gb_TileMarks *m = &step->marks[gb_thread_id()];
    const uint64_t n = find_columns(run, m, I, run->rows + I + 1);
    if (n == 0) return;
    gb_sort32(m->list, m->tmp, n, 0, gb_key_bits(run->columns));
    memcpy(run->i + run->p[I], m->list, n * sizeof *run->i);
    if (run->bits != NULL) unite_row(run, m, I);
}

/* -- C's arrays -------------------------------------------------------------------------------- */

/* Rows of C: its sub-matrices are full, and all but the last column of them are side wide. */
static gbl_Info make_rows(const gb_SpammRun *run, size_t size) {
    const gb_SpammArgs *g = run->g;
    const uint64_t last = run->columns - 1, narrow = run->columns * g->side - g->B.nminor;
    uint64_t nvals = 0;
    for (uint64_t row = 0; row < g->A.nmajor; row++) {
        const gb_Off first = run->p[row / g->side], end = run->p[row / g->side + 1];
        nvals += (end - first) * g->side - (end > first && run->i[end - 1] == last ? narrow : 0);
    }
    const size_t bytes = gb_size_of(nvals, size);
    gbl_Info info =
        gb_spamm_allow(run, g->of_result * (double)nvals * (double)(size + sizeof(gb_Idx)));
    if (info == GBL_SUCCESS) info = gb_cs_alloc(run->cs, g->A.nmajor, nvals, bytes);
    if (info != GBL_SUCCESS) return info;
    gb_Off at = 0;
    for (uint64_t row = 0; row < g->A.nmajor; row++) {
        const gb_Off first = run->p[row / g->side], end = run->p[row / g->side + 1];
        run->cs->p[row] = at;
        at += (end - first) * g->side - (end > first && run->i[end - 1] == last ? narrow : 0);
    }
    run->cs->p[g->A.nmajor] = at;
    run->cs->nvals = nvals;
    run->cs->sorted = true;
    return GBL_SUCCESS;
}

/* The tiles of a row of tiles: how many, or, once T has its layout, the tiles. */
static uint64_t tile_row(const gb_SpammRun *run, uint64_t row, bool writes) {
    const unsigned side = run->g->side, across = side / GB_TILE;
    const uint64_t I = row / across, h = row % across;
    gb_Tiles *T = run->tiles;
    gb_Off t = writes ? T->p[row] : 0;
    for (gb_Off c = run->p[I]; c < run->p[I + 1]; c++) {
        const uint64_t *bits = run->bits + c * side + h * GB_TILE;
        if (writes) run->first[c * across + h] = t;
        for (unsigned v = 0; v < across; v++) {
            if (!gb_spamm_has_tile(bits, v)) continue;
            if (writes) {
                uint16_t *mask = T->mask + t * GB_TILE;
                for (unsigned r = 0; r < GB_TILE; r++)
                    mask[r] = (uint16_t)gb_spamm_mask(bits, r, v);
                T->i[t] = (gb_Idx)(run->i[c] * (uint64_t)across + v);
                T->nnz[t + 1] = gb_tile_row_offsets(mask, T->row + t * GB_TILE);
            }
            t++;
        }
    }
    return t;
}

static void count_tiles(void *context, uint64_t row) {
    const gb_SpammRun *run = context;
    run->tiles->p[row + 1] = tile_row(run, row, false);
}

static void put_tiles(void *context, uint64_t row) {
    tile_row(context, row, true);
}

static gbl_Info make_tiles(gb_SpammRun *run, size_t size) {
    const gb_SpammArgs *g = run->g;
    gbl_Info info =
        gb_tiles_lay_out(run->tiles, g->A.nmajor, g->B.nminor, g->nthreads, count_tiles, run);
    if (info != GBL_SUCCESS) return info;
    gb_Tiles *T = run->tiles;
    const size_t bytes = run->p[run->rows] * (g->side / GB_TILE) * sizeof *run->first;
    run->first = gb_malloc(bytes);
    if (run->first == NULL && bytes > 0) return gb_fail_memory(bytes);
    gb_parallel_for(g->nthreads, gb_tile_count(g->A.nmajor), put_tiles, run);
    T->nnz[0] = 0;
    for (uint64_t t = 0; t < T->ntiles; t++) T->nnz[t + 1] += T->nnz[t];
    const uint64_t nvals = T->nnz[T->ntiles];
    const size_t xbytes = gb_size_of(nvals, size);
    info = gb_spamm_allow(run, (double)run->p[run->rows] * (g->side * 8.0 + 64.0) +
                                   g->of_result * ((double)xbytes + (double)nvals * 5.0 +
                                                   (double)T->ntiles * GB_TILE_BYTES));
    return info == GBL_SUCCESS ? gb_tiles_alloc_entries(T, nvals, xbytes) : info;
}

gbl_Info GB_ISA_NAME(gb_spamm_lay_out)(gb_SpammRun *run, gb_TileMarks *marks, size_t size) {
    const gb_SpammArgs *g = run->g;
    run->p = gb_malloc((run->rows + 1) * sizeof *run->p);
    if (run->p == NULL) return gb_fail_memory((run->rows + 1) * sizeof *run->p);
    run->p[0] = 0;
    gb_parallel_for(g->nthreads, run->rows, count_row,
                    &(Step){.run = run, .marks = marks, .count = run->p});
    for (uint64_t I = 0; I < run->rows; I++) run->p[I + 1] += run->p[I];
    const uint64_t n = run->p[run->rows];
    run->i = gb_malloc(n * sizeof *run->i);
    if (!g->A.full) run->bits = gb_malloc(n * g->side * sizeof *run->bits);
    if (n > 0 && (run->i == NULL || (!g->A.full && run->bits == NULL)))
        return gb_fail_memory(n * (g->side + 1) * sizeof *run->bits);
    gb_parallel_for(g->nthreads, run->rows, list_row, &(Step){.run = run, .marks = marks});
    return g->A.full ? make_rows(run, size) : make_tiles(run, size);
}
