/* SPDX-License-Identifier: Apache-2.0
 *
 * Rows of a matrix with updates that wait, for products that read few of them: entries of the
 * content and updates of each row are merged by column, so the rows are those of the folded matrix.
 */
#include <stdlib.h>
#include <string.h>

#include "core/arrays.h"
#include "core/tune.h"
#include "matrix/updates.h"

/* The last update of a column. */
typedef struct {
    uint64_t col, number;
} Edit;

typedef struct {
    const gb_Matrix *A;
    gb_CsView rows; /* of the content */
    Edit *edits;    /* space for those of any row */
    gb_Cs out;
} Gather;

static int by_column(const void *a, const void *b) {
    const Edit *x = a, *y = b;
    if (x->col != y->col) return x->col < y->col ? -1 : 1;
    return x->number > y->number ? -1 : 1; /* the last one first */
}

/* By ascending columns, one each; returns how many. */
static uint64_t edits_of(const Gather *g, uint64_t row) {
    uint64_t n = 0, kept = 0;
    for (uint64_t k = GB_NOT_FOUND;
         (k = gb_pending_next_of_row(g->A->pending, row, k)) != GB_NOT_FOUND;)
        g->edits[n++] = (Edit){gb_pending_col(g->A->pending, k), k};
    if (n > 1) qsort(g->edits, n, sizeof *g->edits, by_column);
    for (uint64_t e = 0; e < n; e++)
        if (e == 0 || g->edits[e].col != g->edits[kept - 1].col) g->edits[kept++] = g->edits[e];
    return kept;
}

static void put(Gather *g, gb_Idx col, const void *x) {
    const size_t size = g->A->type->size;
    gb_copy_value((char *)g->out.x + g->out.nvals * size, x, size);
    g->out.i[g->out.nvals++] = col;
}

static void put_entries(Gather *g, gb_Off from, gb_Off end) {
    const size_t step = g->rows.iso ? 0 : g->rows.xsize;
    for (gb_Off q = from; q < end; q++) put(g, g->rows.i[q], (const char *)g->rows.x + q * step);
}

static void merge_row(Gather *g, uint64_t row) {
    const gb_Pending *list = g->A->pending;
    const uint64_t n = edits_of(g, row);
    const gb_Off end = g->rows.p[row + 1];
    gb_Off q = g->rows.p[row];
    for (uint64_t e = 0; e < n; e++) {
        const gb_Idx col = (gb_Idx)g->edits[e].col;
        const uint64_t k = g->edits[e].number;
        const gb_Off at = gb_first_at_least(g->rows.i, q, end, col);
        put_entries(g, q, at);
        if (list->keep[k]) put(g, col, list->x + k * g->A->type->size);
        q = at < end && g->rows.i[at] == col ? at + 1 : at;
    }
    put_entries(g, q, end);
}

/* Entries that the rows have at most; *longest: updates of one row. */
static uint64_t count(const Gather *g, const gb_CsView *of, uint64_t *longest) {
    uint64_t most = 0;
    *longest = 0;
    for (gb_Off e = 0; e < of->nvals; e++) {
        uint64_t n = 0;
        for (uint64_t k = GB_NOT_FOUND;
             (k = gb_pending_next_of_row(g->A->pending, of->i[e], k)) != GB_NOT_FOUND;)
            n++;
        most += n + g->rows.p[of->i[e] + 1] - g->rows.p[of->i[e]];
        if (n > *longest) *longest = n;
    }
    return most;
}

static gbl_Info gather(Gather *g, const gb_CsView *of, uint64_t most, uint64_t longest) {
    const size_t bytes = longest * sizeof *g->edits; /* fewer than the list takes */
    const size_t xbytes = gb_size_of(most, g->A->type->size);
    gbl_Info info = gb_cs_alloc(&g->out, of->nvals, most, xbytes);
    if (info != GBL_SUCCESS) return info;
    g->edits = gb_malloc(bytes);
    if (g->edits == NULL && bytes > 0) {
        gb_cs_free(&g->out);
        return gb_fail_memory(bytes);
    }
    g->out.nvals = 0;
    for (gb_Off e = 0; e < of->nvals; e++) {
        g->out.p[e] = g->out.nvals;
        merge_row(g, of->i[e]);
    }
    g->out.p[of->nvals] = g->out.nvals;
    gb_free(g->edits, bytes);
    return GBL_SUCCESS;
}

gbl_Info gb_delta_rows(gb_Matrix **rows, gb_Matrix *A, const gb_CsView *of) {
    *rows = NULL;
    if (gb_is_hyper(A) || gb_is_vector(A)) return GBL_SUCCESS;
    gbl_Info info = gb_delta_open(A);
    if (info != GBL_SUCCESS) return info;
    Gather g = {.A = A};
    uint64_t longest;
    if (A->pending != NULL && A->has & GBL_HAS_CSR) {
        g.rows = gb_cs_view(&A->cs[GB_CSR], A->ncols, A->type->size);
        const uint64_t most = count(&g, of, &longest);
        if (most <= A->nvals / GB_DELTA_SHARE) {
            info = gb_matrix_new(rows, GB_MAGIC_MATRIX, A->type, of->nvals, A->ncols);
            if (info == GBL_SUCCESS) info = gather(&g, of, most, longest);
            if (info == GBL_SUCCESS) A->pending->found += of->nvals + most;
        }
    }
    gb_delta_close(A);
    if (info == GBL_SUCCESS && *rows != NULL) {
        gb_matrix_set_cs(*rows, GB_CSR, &g.out);
    } else {
        gb_matrix_free(*rows);
        *rows = NULL;
    }
    return info;
}
