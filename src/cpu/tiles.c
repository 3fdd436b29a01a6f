/* SPDX-License-Identifier: Apache-2.0
 *
 * Conversions between compressed rows and tiles; see tiles.h. All passes run over rows of tiles,
 * which do not share tiles, so threads never meet.
 */
#include "cpu/tiles.h"

#include <string.h>

#include "core/arrays.h"
#include "core/parallel.h"
#include "core/tiles.h"
#include "core/tune.h"
#include "cpu/sort.h"

void gb_tile_marks_free(gb_TileMarks *marks, int nthreads, uint64_t columns) {
    for (int t = 0; marks != NULL && t < nthreads; t++) {
        gb_free(marks[t].stamp, columns * sizeof *marks->stamp);
        gb_free(marks[t].slot, columns * sizeof *marks->slot);
        gb_free(marks[t].list, columns * sizeof *marks->list);
        gb_free(marks[t].tmp, columns * sizeof *marks->tmp);
    }
    gb_free(marks, (size_t)nthreads * sizeof *marks);
}

gb_TileMarks *gb_tile_marks_new(int nthreads, uint64_t columns) {
    gb_TileMarks *marks = gb_calloc((size_t)nthreads * sizeof *marks);
    bool ok = marks != NULL;
    for (int t = 0; ok && t < nthreads; t++) {
        gb_TileMarks *m = &marks[t];
        m->stamp = gb_calloc(columns * sizeof *m->stamp);
        m->slot = gb_malloc(columns * sizeof *m->slot);
        m->list = gb_malloc(columns * sizeof *m->list);
        m->tmp = gb_malloc(columns * sizeof *m->tmp);
        ok = columns == 0 ||
             (m->stamp != NULL && m->slot != NULL && m->list != NULL && m->tmp != NULL);
    }
    if (ok) return marks;
    gb_tile_marks_free(marks, nthreads, columns);
    return NULL;
}

static uint64_t last_row(uint64_t nmajor, uint64_t tile_row) {
    const uint64_t end = (tile_row + 1) * GB_TILE;
    return end < nmajor ? end : nmajor;
}

/* Columns of tiles of a row of tiles, in the order met; the stamp is used but once. */
static uint64_t find_tiles(const gb_CsView *A, gb_TileMarks *m, uint64_t tile_row, uint64_t stamp) {
    uint64_t n = 0;
    for (gb_Off q = A->p[tile_row * GB_TILE]; q < A->p[last_row(A->nmajor, tile_row)]; q++) {
        const gb_Idx J = A->i[q] / GB_TILE;
        m->list[n] = J; /* n stays below the number of columns of tiles, except for a repeat */
        n += m->stamp[J] != stamp;
        m->stamp[J] = stamp;
        if (n == gb_tile_count(A->nminor)) break;
    }
    return n;
}

/* Masks, row offsets and sizes of the tiles of one row of tiles; nnz[t + 1] = entries of tile t. */
static void lay_out(const gb_CsView *A, gb_Tiles *T, gb_TileMarks *m, uint64_t tile_row) {
    const gb_Off first = T->p[tile_row];
    const uint64_t n = find_tiles(A, m, tile_row, gb_tile_count(A->nmajor) + tile_row + 1);
    gb_sort32(m->list, m->tmp, n, 0, gb_bits(gb_tile_count(A->nminor)));
    for (uint64_t k = 0; k < n; k++) {
        T->i[first + k] = m->list[k];
        m->slot[m->list[k]] = (gb_Idx)k;
    }
    if (n > 0) memset(T->mask + first * GB_TILE, 0, n * GB_TILE * sizeof *T->mask);
    for (uint64_t r = tile_row * GB_TILE; r < last_row(A->nmajor, tile_row); r++)
        for (gb_Off q = A->p[r]; q < A->p[r + 1]; q++) {
            const gb_Off t = first + m->slot[A->i[q] / GB_TILE];
            T->mask[t * GB_TILE + r % GB_TILE] |= (uint16_t)(1u << A->i[q] % GB_TILE);
        }
    for (gb_Off t = first; t < first + n; t++)
        T->nnz[t + 1] = gb_tile_row_offsets(T->mask + t * GB_TILE, T->row + t * GB_TILE);
}

static void fill_in(const gb_CsView *A, gb_Tiles *T, gb_TileMarks *m, uint64_t tile_row) {
    const gb_Off first = T->p[tile_row];
    const size_t size = A->xsize;
    const bool values = A->x != NULL && !A->iso;
    for (gb_Off t = first; t < T->p[tile_row + 1]; t++) m->slot[T->i[t]] = (gb_Idx)(t - first);
    for (uint64_t r = tile_row * GB_TILE; r < last_row(A->nmajor, tile_row); r++)
        for (gb_Off q = A->p[r]; q < A->p[r + 1]; q++) {
            const gb_Idx j = A->i[q];
            const gb_Off t = first + m->slot[j / GB_TILE], at = t * GB_TILE + r % GB_TILE;
            const unsigned before = T->mask[at] & ((1u << j % GB_TILE) - 1u);
            const gb_Off to = T->nnz[t] + T->row[at] + (unsigned)__builtin_popcount(before);
            T->rc[to] = (uint8_t)(r % GB_TILE << 4 | j % GB_TILE);
            if (values && size == 8)
                ((uint64_t *)T->x)[to] = ((const uint64_t *)A->x)[q];
            else if (values)
                memcpy((char *)T->x + to * size, (const char *)A->x + q * size, size);
        }
}

gbl_Info gb_cpu_tiles_from_cs(const gb_CsView *A, gb_Tiles *T, int nthreads) {
    const uint64_t rows = gb_tile_count(A->nmajor), columns = gb_tile_count(A->nminor);
    const int threads = gb_threads_for(A->nvals, GB_GRAIN, nthreads);
    *T = (gb_Tiles){0};
    gb_TileMarks *m = gb_tile_marks_new(threads, columns);
    gb_Off *p = gb_malloc((rows + 1) * sizeof *p);
    gbl_Info info = m != NULL && p != NULL ? GBL_SUCCESS : gb_fail_memory(NULL, columns * 20);
    if (info == GBL_SUCCESS) {
        p[0] = 0;
        GB_PARALLEL_FOR(threads)
        for (uint64_t I = 0; I < rows; I++) p[I + 1] = find_tiles(A, &m[gb_thread_id()], I, I + 1);
        for (uint64_t I = 0; I < rows; I++) p[I + 1] += p[I];
        info = gb_tiles_alloc(T, A->nmajor, A->nminor, p[rows]);
    }
    if (info == GBL_SUCCESS) {
        memcpy(T->p, p, (rows + 1) * sizeof *p);
        GB_PARALLEL_FOR(threads)
        for (uint64_t I = 0; I < rows; I++) lay_out(A, T, &m[gb_thread_id()], I);
        T->nnz[0] = 0;
        for (uint64_t t = 0; t < T->ntiles; t++) T->nnz[t + 1] += T->nnz[t];
        const size_t xbytes = A->x == NULL ? 0 : (A->iso ? 1 : A->nvals) * A->xsize;
        info = gb_tiles_alloc_entries(T, A->nvals, xbytes);
    }
    if (info == GBL_SUCCESS) {
        T->iso = A->iso;
        if (A->iso && A->x != NULL) memcpy(T->x, A->x, A->xsize);
        GB_PARALLEL_FOR(threads)
        for (uint64_t I = 0; I < rows; I++) fill_in(A, T, &m[gb_thread_id()], I);
    }
    if (info != GBL_SUCCESS) gb_tiles_free(T);
    gb_free(p, (rows + 1) * sizeof *p);
    gb_tile_marks_free(m, threads, columns);
    return info;
}

/* Entries of each row: C->p[r + 1]. */
static void count_rows(const gb_TileView *A, gb_Cs *C, uint64_t tile_row) {
    for (uint64_t r = tile_row * GB_TILE; r < last_row(A->nmajor, tile_row); r++) {
        gb_Off n = 0;
        for (gb_Off t = A->p[tile_row]; t < A->p[tile_row + 1]; t++)
            n += (unsigned)__builtin_popcount(A->mask[t * GB_TILE + r % GB_TILE]);
        C->p[r + 1] = n;
    }
}

static void write_rows(const gb_TileView *A, gb_Cs *C, uint64_t tile_row) {
    const size_t size = A->xsize;
    const bool values = A->x != NULL && !A->iso;
    for (uint64_t r = tile_row * GB_TILE; r < last_row(A->nmajor, tile_row); r++) {
        gb_Off to = C->p[r];
        for (gb_Off t = A->p[tile_row]; t < A->p[tile_row + 1]; t++) {
            const gb_Off at = t * GB_TILE + r % GB_TILE;
            const gb_Off from = A->nnz[t] + A->row[at];
            const unsigned n = (unsigned)__builtin_popcount(A->mask[at]);
            unsigned bits = A->mask[at];
            for (unsigned k = 0; k < n; k++, bits &= bits - 1)
                C->i[to + k] = A->i[t] * GB_TILE + (gb_Idx)__builtin_ctz(bits);
            if (values)
                memcpy((char *)C->x + to * size, (const char *)A->x + from * size, n * size);
            to += n;
        }
    }
}

gbl_Info gb_cpu_cs_from_tiles(const gb_TileView *A, gb_Cs *C, int nthreads) {
    const uint64_t rows = gb_tile_count(A->nmajor);
    const int threads = gb_threads_for(A->nvals, GB_GRAIN, nthreads);
    const size_t xbytes = A->x == NULL ? 0 : (A->iso ? 1 : A->nvals) * A->xsize;
    const gbl_Info info = gb_cs_alloc(C, A->nmajor, A->nvals, xbytes);
    if (info != GBL_SUCCESS) return info;
    C->iso = A->iso;
    C->p[0] = 0;
    GB_PARALLEL_FOR(threads)
    for (uint64_t I = 0; I < rows; I++) count_rows(A, C, I);
    for (uint64_t r = 0; r < A->nmajor; r++) C->p[r + 1] += C->p[r];
    if (A->iso && A->x != NULL) memcpy(C->x, A->x, A->xsize);
    GB_PARALLEL_FOR(threads)
    for (uint64_t I = 0; I < rows; I++) write_rows(A, C, I);
    return GBL_SUCCESS;
}
