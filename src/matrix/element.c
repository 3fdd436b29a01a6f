/* SPDX-License-Identifier: Apache-2.0
 *
 * Lookup of one entry; see element.h.
 */
#include "matrix/element.h"

uint64_t gb_element_at(const gb_CsView *view, uint64_t k, uint64_t minor) {
    uint64_t first = view->p[k], end = view->p[k + 1];
    if (!view->sorted) {
        while (first < end && view->i[first] != minor) first++;
        return first < end ? first : UINT64_MAX;
    }
    while (first < end) {
        const uint64_t middle = first + (end - first) / 2;
        if (view->i[middle] < minor) {
            first = middle + 1;
        } else {
            end = middle;
        }
    }
    return first < view->p[k + 1] && view->i[first] == minor ? first : UINT64_MAX;
}

gbl_Info gb_element_find(gb_Matrix *A, uint64_t row, uint64_t col, const void **x) {
    *x = NULL;
    gbl_Info info = gb_assemble(A);
    if (info != GBL_SUCCESS || A->nvals == 0) return info;
    if (__atomic_load_n(&A->has, __ATOMIC_ACQUIRE) & (GBL_HAS_BITMAP | GBL_HAS_FULL)) {
        gb_DenseView dense;
        info = gb_need_dense(A, &dense);
        if (info == GBL_SUCCESS && (dense.b == NULL || dense.b[row]))
            *x = (const char *)dense.x + (dense.iso ? 0 : row * dense.xsize);
        return info;
    }
    gb_Format format;
    gb_CsView view;
    info = gb_any_format(A, gb_is_vector(A) ? GB_CSC : GB_CSR, &format);
    if (info == GBL_SUCCESS) info = gb_need(A, format, &view);
    if (info != GBL_SUCCESS) return info;
    const uint64_t at =
        format == GB_CSR ? gb_element_at(&view, row, col) : gb_element_at(&view, col, row);
    if (at != UINT64_MAX) *x = (const char *)view.x + (view.iso ? 0 : at * view.xsize);
    return GBL_SUCCESS;
}
