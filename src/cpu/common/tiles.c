/* SPDX-License-Identifier: Apache-2.0
 *
 * Marks of tiles, and tiles without the empty ones; see tiles.h.
 */
#include "cpu/common/tiles.h"

#include <string.h>

#include "core/memory.h"
#include "core/parallel.h"
#include "core/arrays.h"
#include "core/tune.h"

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

typedef struct {
    const gb_TileView *A;
    gb_Tiles *T;
    gb_Off *p; /* [rows of tiles + 1] of T */
} Used;

static void count_used(void *context, uint64_t I) {
    const Used *used = context;
    const gb_TileView *A = used->A;
    uint64_t n = 0;
    for (gb_Off t = A->p[I]; t < A->p[I + 1]; t++) n += A->nnz[t] < A->nnz[t + 1];
    used->p[I + 1] = n;
}

static void copy_used(void *context, uint64_t I) {
    const gb_TileView *A = ((Used *)context)->A;
    gb_Tiles *T = ((Used *)context)->T;
    gb_Off to = T->p[I];
    for (gb_Off t = A->p[I]; t < A->p[I + 1]; t++) {
        if (A->nnz[t] == A->nnz[t + 1]) continue;
        T->i[to] = A->i[t];
        T->nnz[to] = A->nnz[t];
        memcpy(T->row + to * GB_TILE, A->row + t * GB_TILE, GB_TILE);
        memcpy(T->mask + to * GB_TILE, A->mask + t * GB_TILE, GB_TILE * sizeof *A->mask);
        to++;
    }
}

gbl_Info gb_cpu_drop_empty_tiles(const gb_TileView *A, gb_Tiles *T, int nthreads) {
    const uint64_t rows = gb_tile_count(A->nmajor);
    const int threads = gb_threads_for(A->ntiles, GB_GRAIN, nthreads);
    *T = (gb_Tiles){0};
    gb_Off *p = gb_malloc((rows + 1) * sizeof *p);
    if (p == NULL) return gb_fail_memory((rows + 1) * sizeof *p);
    Used used = {A, T, p};
    p[0] = 0;
    gb_parallel_for(threads, rows, count_used, &used);
    for (uint64_t I = 0; I < rows; I++) p[I + 1] += p[I];
    gbl_Info info = GBL_SUCCESS;
    if (p[rows] < A->ntiles) {
        info = gb_tiles_alloc(T, A->nmajor, A->nminor, p[rows]);
        if (info == GBL_SUCCESS) {
            memcpy(T->p, p, (rows + 1) * sizeof *p);
            gb_parallel_for(threads, rows, copy_used, &used);
            T->nnz[T->ntiles] = A->nvals;
        }
    }
    gb_free(p, (rows + 1) * sizeof *p);
    return info;
}
