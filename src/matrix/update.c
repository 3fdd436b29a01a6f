/* SPDX-License-Identifier: Apache-2.0
 *
 * Updates that can be written in place are, while none is pending: elements of dense vectors, and
 * values of entries that exist in sorted rows or columns, also those of a compact matrix.
 */
#include "matrix/update.h"

#include "core/arrays.h"
#include "core/context.h"
#include "core/memory.h"
#include "matrix/dense.h"
#include "matrix/element.h"
#include "matrix/hyper.h"
#include "matrix/insert.h"
#include "matrix/lifetime.h"
#include "matrix/acquire.h"
#include "matrix/pending.h"

/* An empty matrix that would have far more rows than it can soon have entries is held by these. */
static gbl_Info begin_hyper(gb_Matrix *A) {
    gb_RowLists axes;
    gb_Matrix *core;
    gbl_Info info = gb_row_lists_of(&axes, A);
    if (info != GBL_SUCCESS) return info;
    gb_Hyper *hyper = gb_malloc(sizeof *hyper);
    info = hyper == NULL ? gb_fail_memory(sizeof *hyper) : gb_compact_new(&core, A, A->type, &axes);
    if (info != GBL_SUCCESS) {
        gb_free(hyper, sizeof *hyper);
        gb_row_lists_release(&axes);
        return info;
    }
    *hyper = (gb_Hyper){axes.rows, axes.cols, core};
    gb_matrix_swap_hyper(A, hyper);
    return GBL_SUCCESS;
}

/* An entry that exists on the axes gets another value in the compact matrix. */
static gbl_Info update_hyper(gb_Matrix *A, uint64_t row, uint64_t col, const void *x, bool *done) {
    gb_Matrix *const core = A->hyper->core;
    const uint64_t r = gb_row_list_find(A->hyper->rows, row);
    const uint64_t c = A->hyper->cols != NULL ? gb_row_list_find(A->hyper->cols, col) : 0;
    *done = false;
    if (x == NULL || r == GB_NOT_FOUND || c == GB_NOT_FOUND) return GBL_SUCCESS;
    const gbl_Info info = gb_insert(core, r, c, x, false, done);
    if (info == GBL_SUCCESS && *done) gb_matrix_keep_only(A, 0);
    return info;
}

bool gb_overwrite_at_hand(gb_Matrix *A, uint64_t row, uint64_t col, const void *x) {
    const gb_Format usual = gb_is_vector(A) ? GB_CSC : GB_CSR;
    const void *here;
    if (gb_has(A) != gb_has_bit(usual) || A->iso || A->hyper != NULL) return false;
    if (A->cs[usual].lender != NULL || !gb_element_at_hand(A, usual, row, col, &here)) return false;
    if (here == NULL) return false;
    gb_overwrite(A, usual, (void *)(uintptr_t)here, x);
    return true;
}

gbl_Info gb_update(gb_Matrix *A, uint64_t row, uint64_t col, const void *x) {
    const bool at_once = gb_blocking();
    gbl_Info info = at_once ? gb_assemble(A) : GBL_SUCCESS; /* left from before gbl_init */
    if (info == GBL_SUCCESS && A->nvals == 0 && A->pending == NULL && !gb_is_hyper(A) &&
        gb_suits_hyper(A, 0))
        info = begin_hyper(A);
    if (info != GBL_SUCCESS) return info;
    if (A->pending == NULL && !gb_is_hyper(A)) {
        bool done = gb_is_dense(A) && gb_dense_write(A, gb_flat_index(A, row, col), x);
        if (!done) info = gb_insert(A, row, col, x, at_once, &done);
        if (info != GBL_SUCCESS || done) return info;
    }
    if (A->pending == NULL && A->hyper != NULL) {
        bool done;
        info = update_hyper(A, row, col, x, &done);
        if (info != GBL_SUCCESS || done) return info;
    }
    info = gb_pending_append(A, row, col, x);
    if (info != GBL_SUCCESS || !at_once) return info;
    info = gb_assemble(A);
    if (info != GBL_SUCCESS) gb_pending_clear(A); /* this update alone */
    return info;
}
