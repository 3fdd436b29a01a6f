/* SPDX-License-Identifier: Apache-2.0
 *
 * Rows and columns of updates are united with the axes, and the updates become those of the compact
 * matrix. Axes keep the indices of entries that were removed until the object is written as a
 * whole.
 */
#include "matrix/hyper_assemble.h"

#include "core/memory.h"
#include "matrix/assemble.h"
#include "matrix/lifetime.h"
#include "matrix/pending.h"

/* The axes that A has with the rows and columns of its updates, and their places in these. */
typedef struct {
    gb_RowLists axes;
    uint64_t *row, *col; /* [n] places; col: NULL for vectors */
} Updates;

static gbl_Info axis_with(gb_RowList **axis, gb_RowList *old, gb_RowListMerge *lists) {
    gb_RowList *fresh;
    gbl_Info info = gb_row_list_of_lists(&fresh, lists);
    if (info != GBL_SUCCESS) return info;
    info = gb_row_list_unite(axis, (gb_RowList *[]){old, fresh}, 2);
    gb_row_list_release(fresh);
    return info;
}

/* u->row and u->col hold indices, and then places. */
static gbl_Info unite_updates(Updates *u, const gb_Matrix *A, uint64_t n) {
    const gb_Hyper *old = A->hyper;
    gb_RowList *rows = old != NULL ? old->rows : NULL, *cols = old != NULL ? old->cols : NULL;
    const bool vector = gb_is_vector(A), shared = !vector && A->nrows == A->ncols && rows == cols;
    gb_RowListMerge lists = {
        .list = {u->row, u->col}, .n = {n, shared ? n : 0}, .dimension = A->nrows};
    gbl_Info info = axis_with(&u->axes.rows, rows, &lists);
    if (info == GBL_SUCCESS && shared) {
        u->axes.cols = gb_row_list_retain(u->axes.rows);
    } else if (info == GBL_SUCCESS && !vector) {
        lists = (gb_RowListMerge){.list = {u->col}, .n = {n}, .dimension = A->ncols};
        info = axis_with(&u->axes.cols, cols, &lists);
    }
    for (uint64_t k = 0; info == GBL_SUCCESS && k < n; k++) {
        u->row[k] = gb_row_list_find(u->axes.rows, u->row[k]);
        if (!vector) u->col[k] = gb_row_list_find(u->axes.cols, u->col[k]);
    }
    return info;
}

/* The content of A with its updates, as a compact matrix of these axes. */
static gbl_Info apply_updates(gb_Compact *compact, gb_Matrix *A, const gb_List *entries,
                              const Updates *u) {
    const gb_Pending *list = A->pending;
    gbl_Info info = gb_compact_new(&compact->m, A, A->type, &u->axes);
    if (info == GBL_SUCCESS && A->nvals > 0)
        info = gb_compact_of_list(compact, entries, &u->axes, true);
    for (uint64_t k = 0; info == GBL_SUCCESS && k < list->n; k++) {
        const void *x = list->keep[k] ? list->x + k * A->type->size : NULL;
        info = gb_pending_append(compact->m, u->row[k], u->col != NULL ? u->col[k] : 0, x);
    }
    if (info == GBL_SUCCESS) info = gb_assemble_pending(compact->m);
    if (info != GBL_SUCCESS) gb_compact_release(compact);
    return info;
}

/* The content without its updates is replaced; what waits is cleared last, since readers that see
 * no updates do not wait. */
static gbl_Info replace_content(gb_Matrix *A, gb_RowLists *axes, gb_Matrix *core) {
    gb_Hyper *hyper = NULL;
    if (core->nvals > 0) {
        hyper = gb_malloc(sizeof *hyper);
        if (hyper == NULL) {
            gb_matrix_free(core);
            return gb_fail_memory(sizeof *hyper);
        }
        *hyper = (gb_Hyper){axes->rows, axes->cols, core};
        *axes = (gb_RowLists){0};
    } else {
        gb_matrix_free(core);
    }
    gb_matrix_keep_only(A, 0);
    gb_matrix_swap_hyper(A, hyper);
    gb_pending_clear(A);
    return GBL_SUCCESS;
}

gbl_Info gb_hyper_assemble(gb_Matrix *A, const gb_List *entries) {
    const gb_Pending *list = A->pending;
    if (list == NULL) return GBL_SUCCESS;
    const uint64_t n = list->n;
    const bool vector = gb_is_vector(A);
    size_t bytes;
    uint64_t *places = NULL;
    if (gb_size_mul(&bytes, n, 2 * sizeof *places)) places = gb_malloc(bytes);
    if (places == NULL) return gb_fail_memory(bytes);
    Updates u = {.row = places, .col = vector ? NULL : places + n};
    gb_Compact compact = {0};
    for (uint64_t k = 0; k < n; k++) {
        places[k] = gb_pending_row(list, k);
        places[n + k] = gb_pending_col(list, k);
    }
    gbl_Info info = unite_updates(&u, A, n);
    if (info == GBL_SUCCESS) info = apply_updates(&compact, A, entries, &u);
    if (info == GBL_SUCCESS) info = replace_content(A, &u.axes, compact.m);
    gb_row_lists_release(&u.axes);
    gb_free(places, bytes);
    return info;
}
