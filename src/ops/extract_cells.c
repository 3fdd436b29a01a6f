/* SPDX-License-Identifier: Apache-2.0
 *
 * Parts of a matrix that is held as its cells and in no other form. They are taken segment by
 * segment, each within a row of the result: a segment of columns that follow each other is copied,
 * others are gathered in batches. A' is read with strides in each other's place.
 */
#include "ops/submatrix.h"

#include <string.h>

#include "core/context.h"
#include "core/parallel.h"
#include "core/tune.h"

typedef struct {
    const gb_Submatrix *call;
    gb_DenseView A;
    uint64_t by_row, by_column; /* from a cell to the next row, and the next column, of op(A) */
    bool adjacent;              /* the columns follow each other in A's arrays */
    gb_Dense *T;
    uint64_t nvals; /* atomic */
} Part;

static uint64_t index_of(const gb_Indices *list, uint64_t k) {
    return list->all ? k : list->i[k];
}

static bool ascends_by_one(const gb_Indices *list) {
    bool ascends = true;
    for (uint64_t k = 1; !list->all && ascends && k < list->n; k++)
        ascends = list->i[k] == list->i[k - 1] + 1;
    return ascends;
}

/* Cells to .. to + n - 1 of the result, which begin at column j; `row` is where theirs is in A. */
static void copy_segment(const Part *part, uint64_t to, uint64_t row, uint64_t j, uint64_t n) {
    const size_t size = part->A.iso ? 0 : part->A.xsize;
    const uint64_t from = row + index_of(&part->call->J, j);
    if (size > 0)
        memcpy((char *)part->T->x + to * size, (const char *)part->A.x + from * size, n * size);
    if (part->A.b != NULL) memcpy(part->T->b + to, part->A.b + from, n);
}

static void gather_segment(const Part *part, uint64_t to, uint64_t row, uint64_t j, uint64_t n) {
    const size_t size = part->A.xsize;
    for (uint64_t first = 0; first < n; first += GB_BATCH) {
        uint64_t at[GB_BATCH];
        const size_t count = n - first < GB_BATCH ? n - first : GB_BATCH;
        for (size_t k = 0; k < count; k++)
            at[k] = row + index_of(&part->call->J, j + first + k) * part->by_column;
        if (!part->A.iso)
            gb_gather((char *)part->T->x + (to + first) * size, part->A.x, at, size, count);
        for (size_t k = 0; part->A.b != NULL && k < count; k++)
            part->T->b[to + first + k] = part->A.b[at[k]];
    }
}

/* Cells first .. end - 1 of the result. */
static void take_range(void *context, uint64_t first, uint64_t end) {
    Part *part = context;
    const uint64_t columns = part->call->J.n;
    uint64_t there = 0;
    for (uint64_t to = first; to < end;) {
        const uint64_t i = to / columns, j = to % columns;
        const uint64_t n = columns - j < end - to ? columns - j : end - to;
        const uint64_t row = index_of(&part->call->I, i) * part->by_row;
        if (part->adjacent)
            copy_segment(part, to, row, j, n);
        else
            gather_segment(part, to, row, j, n);
        to += n;
    }
    for (uint64_t k = first; part->A.b != NULL && k < end; k++) there += (uint64_t)part->T->b[k];
    __atomic_fetch_add(&part->nvals, there, __ATOMIC_RELAXED);
}

bool gb_extracts_cells(const gb_Submatrix *call) {
    const gb_Matrix *A = call->A;
    const uint64_t m = call->I.n, n = call->J.n, cells = gb_flat_size(A);
    if (!gb_only_dense(A) || m == 0 || n == 0 || m > GB_COMPACT_MAX / n) return false;
    if (m <= cells / n) return true;
    const uint64_t entries = (uint64_t)((unsigned __int128)A->nvals * (m * n) / cells);
    return gb_finish_fills(entries, m * n, A->type->size);
}

gbl_Info gb_extract_cells(gb_Result *T, const gb_Submatrix *call) {
    Part part = {.call = call, .T = &T->dense};
    const uint64_t cells = call->I.n * call->J.n, width = call->A->ncols;
    size_t xbytes;
    gbl_Info info = gb_acquire_dense(call->A, &part.A);
    if (info != GBL_SUCCESS) return info;
    if (!gb_size_mul(&xbytes, part.A.iso ? 1 : cells, part.A.xsize))
        return gb_fail_memory(SIZE_MAX);
    part.by_row = call->transpose ? 1 : width;
    part.by_column = call->transpose ? width : 1;
    part.adjacent = part.by_column == 1 && ascends_by_one(&call->J);
    info = gb_dense_alloc(&T->dense, cells, xbytes, part.A.b != NULL);
    if (info != GBL_SUCCESS) return info;
    gb_parallel_ranges(gb_threads_for(cells, GB_GRAIN, gb_nthreads()), cells, take_range, &part);
    if (part.A.iso) memcpy(T->dense.x, part.A.x, part.A.xsize);
    T->is_dense = true;
    T->dense.iso = part.A.iso;
    T->dense.nvals = part.A.b != NULL ? part.nvals : cells;
    return GBL_SUCCESS;
}
