/* SPDX-License-Identifier: Apache-2.0
 *
 * Conversions between compressed rows and tiles of 16 x 16 (TileSpGEMM, PPoPP '22, section 3.2).
 * All passes run over rows of tiles, which share neither tiles nor entries: those of row of tiles I
 * are the entries [p[16 I], p[16 I + 16]) of the rows, in either form. So threads never share a
 * row, no running sum is needed, and a move may write 16 values where fewer are wanted, as long as
 * these stay within the row of tiles: whoever owns the others writes them later.
 *
 * to tiles  two passes over A, whose rows must be sorted: how many tiles there are; then masks,
 *           positions and values of one row of tiles after the other. Beside T a thread has 20
 * bytes per column of tiles and the masks of one row of tiles. to rows   one pass.
 */
#include "core/arrays.h"
#include "cpu/cpu.h"
#include "cpu/simd/lanes.h"
#include "cpu/common/sort.h"
#include "cpu/common/tiles.h"

static uint64_t end_row(uint64_t nmajor, uint64_t tile_row) {
    const uint64_t end = (tile_row + 1) * GB_TILE;
    return end < nmajor ? end : nmajor;
}

/* n <= 16 values; up to 16 where there is capacity to write and to read them. */
GB_INLINE void move(void *to, const void *from, unsigned n, size_t size, bool slack) {
    if (slack && (size == 8 || size == 4))
        gb_copy_lanes(to, from, size);
    else
        memcpy(to, from, n * size);
}

/* ----------------------------------------------------------------------------- rows to tiles -- */

/* Columns of tiles of a row of tiles, in the order found; the stamp is used but once. */
static uint64_t find_tiles(const gb_CsView *A, gb_TileMarks *m, uint64_t I, uint64_t stamp) {
    uint64_t n = 0;
    for (gb_Off q = A->p[I * GB_TILE]; q < A->p[end_row(A->nmajor, I)]; q++) {
        const gb_Idx J = A->i[q] / GB_TILE;
        m->list[n] = J; /* n stays below the number of columns of tiles, except for a repeat */
        n += m->stamp[J] != stamp;
        m->stamp[J] = stamp;
        if (n == gb_tile_count(A->nminor)) break;
    }
    return n;
}

/* The same with the masks of the tiles: slot s of the thread's marks has mask[16 s ...]. */
static uint64_t find_masks(const gb_CsView *A, gb_TileMarks *m, uint64_t I, uint16_t *mask) {
    const uint64_t stamp = gb_tile_count(A->nmajor) + I + 1;
    uint64_t n = 0;
    for (uint64_t r = I * GB_TILE; r < end_row(A->nmajor, I); r++)
        for (gb_Off q = A->p[r]; q < A->p[r + 1]; q++) {
            const gb_Idx J = A->i[q] / GB_TILE;
            if (m->stamp[J] != stamp) {
                m->stamp[J] = stamp;
                m->slot[J] = (gb_Idx)n;
                memset(mask + n * GB_TILE, 0, GB_TILE * sizeof *mask);
                m->list[n++] = J;
            }
            mask[(uint64_t)m->slot[J] * GB_TILE + r % GB_TILE] |=
                (uint16_t)(1u << A->i[q] % GB_TILE);
        }
    return n;
}

/* Tile t, whose masks are known: row offsets, positions, and values, which come from from[r] of
 * each row r and move it on. Returns its end. */
GB_INLINE gb_Off fill_tile(size_t size, const gb_CsView *A, gb_Tiles *T, gb_Off t, gb_Off *from,
                           gb_Off end) {
    const uint16_t *mask = T->mask + t * GB_TILE;
    gb_Off to = T->nnz[t];
    gb_tile_row_offsets(mask, T->row + t * GB_TILE);
    for (unsigned r = 0; r < GB_TILE; r++) {
        if (mask[r] == 0) continue;
        const unsigned n = (unsigned)__builtin_popcount(mask[r]);
        const bool slack = to + GB_TILE <= end;
        gb_tile_positions(T->rc + to, r, mask[r], slack);
        if (size > 0)
            move((char *)T->x + to * size, (const char *)A->x + from[r] * size, n, size,
                 slack && from[r] + GB_TILE <= A->nvals);
        from[r] += n;
        to += n;
    }
    return to;
}

static void make_tiles(const gb_CsView *A, gb_Tiles *T, gb_TileMarks *m, uint64_t I,
                       uint16_t *mask) {
    const gb_Off end = A->p[end_row(A->nmajor, I)];
    const size_t size = A->x != NULL && !A->iso ? A->xsize : 0;
    const uint64_t n = find_masks(A, m, I, mask);
    gb_Off at = A->p[I * GB_TILE], from[GB_TILE];
    for (uint64_t r = I * GB_TILE; r < end_row(A->nmajor, I); r++) from[r % GB_TILE] = A->p[r];
    gb_sort32(m->list, m->tmp, n, 0, gb_key_bits(gb_tile_count(A->nminor)));
    for (uint64_t k = 0; k < n; k++) {
        const gb_Off t = T->p[I] + k;
        T->i[t] = m->list[k];
        T->nnz[t] = at;
        memcpy(T->mask + t * GB_TILE, mask + (uint64_t)m->slot[m->list[k]] * GB_TILE,
               GB_TILE * sizeof *mask);
        at = GB_BY_SIZE(fill_tile, size, A, T, t, from, end);
    }
}

typedef struct {
    const gb_CsView *A;
    gb_Tiles *T;
    gb_TileMarks *m; /* [threads] */
    uint16_t *mask;  /* [threads * most * GB_TILE] */
    uint64_t most;   /* tiles in a row of tiles */
} Filling;

static void fill_row(void *context, uint64_t I) {
    const Filling *f = context;
    const uint64_t t = (uint64_t)gb_thread_id();
    make_tiles(f->A, f->T, &f->m[t], I, f->mask + t * f->most * GB_TILE);
}

static void count_tiles(void *context, uint64_t I) {
    const Filling *f = context;
    f->T->p[I + 1] = find_tiles(f->A, &f->m[gb_thread_id()], I, I + 1);
}

static gbl_Info fill(Filling *f, int threads) {
    const gb_CsView *A = f->A;
    gb_Tiles *T = f->T;
    const uint64_t rows = gb_tile_count(A->nmajor);
    for (uint64_t I = 0; I < rows; I++)
        if (T->p[I + 1] - T->p[I] > f->most) f->most = T->p[I + 1] - T->p[I];
    const size_t bytes = (size_t)threads * f->most * GB_TILE * sizeof(uint16_t);
    f->mask = gb_malloc(bytes);
    if (f->mask == NULL && bytes > 0) return gb_fail_memory(bytes);
    gb_parallel_for(threads, rows, fill_row, f);
    gb_free(f->mask, bytes);
    T->nnz[T->ntiles] = A->nvals;
    T->iso = A->iso;
    if (A->iso && A->x != NULL) memcpy(T->x, A->x, A->xsize);
    return GBL_SUCCESS;
}

typedef struct {
    const gb_CsView *A;
    gb_TileMarks *m; /* [threads] */
    uint64_t tiles;  /* atomic */
} Counting;

static void count_row(void *context, uint64_t I) {
    Counting *c = context;
    const uint64_t n = find_tiles(c->A, &c->m[gb_thread_id()], I, I + 1);
    __atomic_fetch_add(&c->tiles, n, __ATOMIC_RELAXED);
}

gbl_Info GB_ISA_NAME(gb_count_tiles)(const gb_CsView *A, uint64_t *tiles, int nthreads) {
    const uint64_t columns = gb_tile_count(A->nminor);
    const int threads = gb_threads_for(A->nvals, GB_GRAIN, nthreads);
    Counting c = {A, gb_tile_marks_new(threads, columns), 0};
    if (c.m == NULL) return gb_fail_memory(columns * 20);
    gb_parallel_for(threads, gb_tile_count(A->nmajor), count_row, &c);
    gb_tile_marks_free(c.m, threads, columns);
    *tiles = c.tiles;
    return GBL_SUCCESS;
}

gbl_Info GB_ISA_NAME(gb_tiles_from_cs)(const gb_CsView *A, gb_Tiles *T, int nthreads) {
    const uint64_t columns = gb_tile_count(A->nminor);
    const int threads = gb_threads_for(A->nvals, GB_GRAIN, nthreads);
    const size_t xbytes = A->x == NULL ? 0 : (A->iso ? 1 : A->nvals) * A->xsize;
    *T = (gb_Tiles){0};
    gb_TileMarks *m = gb_tile_marks_new(threads, columns);
    if (m == NULL) return gb_fail_memory(columns * 20);
    Filling f = {.A = A, .T = T, .m = m};
    gbl_Info info = gb_tiles_lay_out(T, A->nmajor, A->nminor, threads, count_tiles, &f);
    if (info == GBL_SUCCESS) info = gb_tiles_alloc_entries(T, A->nvals, xbytes);
    if (info == GBL_SUCCESS) info = fill(&f, threads);
    if (info != GBL_SUCCESS) gb_tiles_free(T);
    gb_tile_marks_free(m, threads, columns);
    return info;
}

/* ----------------------------------------------------------------------------- tiles to rows -- */

/* start[r] = first position of row r of a row of tiles, from the offsets in its tiles. */
static void find_starts(const gb_TileView *A, uint64_t I, gb_Off start[GB_TILE]) {
    uint32_t before[GB_TILE] = {0}; /* entries of the row of tiles before row r, below 2^32 */
    for (gb_Off t = A->p[I]; t < A->p[I + 1]; t++)
        for (unsigned r = 0; r < GB_TILE; r++) before[r] += A->row[t * GB_TILE + r];
    for (unsigned r = 0; r < GB_TILE; r++) start[r] = A->nnz[A->p[I]] + before[r];
}

GB_INLINE void make_rows(size_t size, const gb_TileView *A, gb_Cs *C, uint64_t I) {
    const gb_Off end = A->nnz[A->p[I + 1]];
    gb_Off start[GB_TILE];
    find_starts(A, I, start);
    gb_Off to = start[0];
    for (uint64_t r = I * GB_TILE; r < end_row(A->nmajor, I); r++) {
        C->p[r] = start[r % GB_TILE];
        const gb_Off row_end = r % GB_TILE == GB_TILE - 1 ? end : start[r % GB_TILE + 1];
        for (gb_Off t = A->p[I]; to < row_end; t++) {
            const gb_Off at = t * GB_TILE + r % GB_TILE, from = A->nnz[t] + A->row[at];
            const bool slack = to + GB_TILE <= end;
            const unsigned n = gb_columns(C->i + to, A->i[t] * GB_TILE, A->mask[at], slack);
            if (size > 0)
                move((char *)C->x + to * size, (const char *)A->x + from * size, n, size,
                     slack && from + GB_TILE <= A->nvals);
            to += n;
        }
    }
}

typedef struct {
    const gb_TileView *A;
    gb_Cs *C;
    size_t size;
} Unpacking;

static void unpack_row(void *context, uint64_t I) {
    const Unpacking *u = context;
    GB_BY_SIZE(make_rows, u->size, u->A, u->C, I);
}

gbl_Info GB_ISA_NAME(gb_cs_from_tiles)(const gb_TileView *A, gb_Cs *C, int nthreads) {
    const uint64_t rows = gb_tile_count(A->nmajor);
    const int threads = gb_threads_for(A->nvals, GB_GRAIN, nthreads);
    const size_t size = A->x != NULL && !A->iso ? A->xsize : 0;
    const size_t xbytes = A->x == NULL ? 0 : (A->iso ? 1 : A->nvals) * A->xsize;
    const gbl_Info info = gb_cs_alloc(C, A->nmajor, A->nvals, xbytes);
    if (info != GBL_SUCCESS) return info;
    C->iso = A->iso;
    if (A->iso && A->x != NULL) memcpy(C->x, A->x, A->xsize);
    gb_parallel_for(threads, rows, unpack_row, &(Unpacking){A, C, size});
    C->p[A->nmajor] = A->nvals;
    return GBL_SUCCESS;
}
