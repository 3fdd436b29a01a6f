/* SPDX-License-Identifier: Apache-2.0
 *
 * Marks of tiles, and tiles without the empty ones; see tiles.h.
 */
#include "cpu/common/tiles.h"

#include "core/parallel.h"
#include "core/arrays.h"

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

gbl_Info gb_tiles_lay_out(gb_Tiles *T, uint64_t nmajor, uint64_t nminor, int nthreads,
                          void (*count)(void *context, uint64_t I), void *context) {
    const uint64_t rows = gb_tile_count(nmajor);
    const size_t bytes = (rows + 1) * sizeof *T->p;
    gb_Off *p = gb_malloc(bytes);
    if (p == NULL) return gb_fail_memory(bytes);
    T->p = p;
    p[0] = 0;
    gb_parallel_for(nthreads, rows, count, context);
    for (uint64_t I = 0; I < rows; I++) p[I + 1] += p[I];
    const gbl_Info info = gb_tiles_alloc(T, nmajor, nminor, p[rows]);
    if (info == GBL_SUCCESS) memcpy(T->p, p, bytes);
    gb_free(p, bytes);
    return info;
}

typedef struct {
    const gb_TileView *A;
    gb_Tiles *T;
} Used;

static bool is_used(const gb_TileView *A, gb_Off t) {
    return A->nnz[t] < A->nnz[t + 1];
}

static void count_used(void *context, uint64_t I) {
    const Used *used = context;
    const gb_TileView *A = used->A;
    uint64_t n = 0;
    for (gb_Off t = A->p[I]; t < A->p[I + 1]; t++) n += is_used(A, t);
    used->T->p[I + 1] = n;
}

static void copy_used(void *context, uint64_t I) {
    const gb_TileView *A = ((Used *)context)->A;
    gb_Tiles *T = ((Used *)context)->T;
    gb_Off to = T->p[I];
    for (gb_Off t = A->p[I]; t < A->p[I + 1]; t++) {
        if (!is_used(A, t)) continue;
        T->i[to] = A->i[t];
        T->nnz[to] = A->nnz[t];
        memcpy(T->row + to * GB_TILE, A->row + t * GB_TILE, GB_TILE);
        memcpy(T->mask + to * GB_TILE, A->mask + t * GB_TILE, GB_TILE * sizeof *A->mask);
        to++;
    }
}

gbl_Info gb_cpu_drop_empty_tiles(const gb_TileView *A, gb_Tiles *T, int nthreads) {
    const int threads = gb_threads_for(A->ntiles, GB_GRAIN, nthreads);
    Used used = {A, T};
    bool all = true;
    *T = (gb_Tiles){0};
    for (gb_Off t = 0; t < A->ntiles && all; t++) all = is_used(A, t);
    if (all) return GBL_SUCCESS;
    const gbl_Info info = gb_tiles_lay_out(T, A->nmajor, A->nminor, threads, count_used, &used);
    if (info != GBL_SUCCESS) return info;
    gb_parallel_for(threads, gb_tile_count(A->nmajor), copy_used, &used);
    T->nnz[T->ntiles] = A->nvals;
    return GBL_SUCCESS;
}
