/* SPDX-License-Identifier: Apache-2.0
 *
 * Lookup of one entry; see element.h.
 */
#include "matrix/element.h"

#include "core/search.h"
#include "matrix/acquire.h"

/* Position of the entry in row k (column k, of columns), or UINT64_MAX. */
static uint64_t find_in(const gb_CsView *view, uint64_t k, uint64_t minor) {
    uint64_t at = view->p[k];
    const uint64_t end = view->p[k + 1];
    if (view->sorted)
        at = gb_first_at_least(view->i, at, end, minor);
    else
        while (at < end && view->i[at] != minor) at++;
    return at < end && view->i[at] == minor ? at : UINT64_MAX;
}

static gbl_Info find_hyper(gb_Matrix *A, uint64_t row, uint64_t col, const void **x) {
    const gb_Hyper *hyper = A->hyper;
    *x = NULL;
    if (hyper == NULL) return GBL_SUCCESS;
    const uint64_t r = gb_row_list_find(hyper->rows, row);
    const uint64_t c = hyper->cols == NULL ? 0 : gb_row_list_find(hyper->cols, col);
    return r == GB_NOT_FOUND || c == GB_NOT_FOUND ? GBL_SUCCESS
                                                  : gb_element_find(hyper->core, r, c, x);
}

gbl_Info gb_element_find(gb_Matrix *A, uint64_t row, uint64_t col, const void **x) {
    const gb_Format usual = gb_is_vector(A) ? GB_CSC : GB_CSR;
    if (gb_element_at_hand(A, usual, row, col, x)) return GBL_SUCCESS;
    *x = NULL;
    gbl_Info info = gb_assemble(A);
    if (info != GBL_SUCCESS || A->nvals == 0) return info;
    if (gb_is_hyper(A)) return find_hyper(A, row, col, x);
    if (gb_is_dense(A) || (gb_is_vector(A) && gb_has(A) == GBL_HAS_DEVICE)) {
        gb_DenseView dense;
        info = gb_acquire_dense(A, &dense);
        const uint64_t k = gb_flat_index(A, row, col);
        if (info == GBL_SUCCESS && (dense.b == NULL || dense.b[k]))
            *x = (const char *)dense.x + (dense.iso ? 0 : k * dense.xsize);
        return info;
    }
    gb_Format format;
    gb_CsView view;
    info = gb_any_format(A, usual, &format);
    if (info == GBL_SUCCESS) info = gb_acquire(A, format, &view);
    if (info != GBL_SUCCESS) return info;
    const uint64_t at = format == GB_CSR ? find_in(&view, row, col) : find_in(&view, col, row);
    if (at != UINT64_MAX) *x = (const char *)view.x + (view.iso ? 0 : at * view.xsize);
    return GBL_SUCCESS;
}
