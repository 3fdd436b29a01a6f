/* SPDX-License-Identifier: Apache-2.0
 *
 * extract from matrices. Nothing is converted: a matrix that is held by columns is read by columns,
 * with I and J in each other's place, and the result has that form too. Where both forms exist the
 * one is read of which the lists take the smaller share. Of cells alone, cells are taken.
 */
#include "ops/submatrix.h"

#include "kernel_api/backend.h"
#include "core/bits.h"
#include "ops/transpose.h"

static gb_Format other(gb_Format format) {
    return format == GB_CSR ? GB_CSC : GB_CSR;
}

/* The part of n that a list takes. */
static double share(const gb_Indices *list, uint64_t n) {
    return list->all || n == 0 ? 1.0 : (double)list->n / (double)n;
}

/* *format: of the result, rows of it from rows of the view; A has entries. */
static gbl_Info open_matrix(gb_CsView *view, gb_Format *format, const gb_Submatrix *call) {
    gb_Matrix *A = call->A;
    const uint64_t m = call->transpose ? A->ncols : A->nrows;
    const uint64_t n = call->transpose ? A->nrows : A->ncols;
    const bool by_columns = share(&call->J, n) < share(&call->I, m);
    const gb_Format wanted = by_columns ? GB_CSC : GB_CSR;
    gb_Format held;
    gbl_Info info = gb_any_format(A, call->transpose ? other(wanted) : wanted, &held);
    if (info == GBL_SUCCESS) info = gb_acquire_sorted(A, held, view);
    *format = call->transpose ? other(held) : held;
    return info;
}

/* T = the rows and columns that are listed. */
static gbl_Info take_submatrix(gb_Result *T, const gb_Submatrix *call) {
    gb_CsView view;
    gb_IndexMap columns;
    gbl_Info info = gb_assemble(call->A);
    if (info != GBL_SUCCESS || call->A->nvals == 0 || call->I.n == 0 || call->J.n == 0) return info;
    if (gb_extracts_cells(call)) return gb_extract_cells(T, call);
    info = open_matrix(&view, &T->format, call);
    if (info != GBL_SUCCESS) return info;
    const bool by_rows = T->format == GB_CSR;
    const gb_Indices *major = by_rows ? &call->I : &call->J, *minor = by_rows ? &call->J : &call->I;
    const double lookups = share(major, view.nmajor) * (double)view.nvals;
    const gb_IndexMap rows = gb_index_list(major, view.nmajor);
    info = gb_index_map_make(&columns, minor, view.nminor, gb_to_u64(lookups));
    const gb_ExtractArgs args = {.rows = &rows, .columns = &columns, .nthreads = gb_nthreads()};
    if (info == GBL_SUCCESS) info = gb_backend()->extract(&args, &view, &T->cs);
    gb_index_map_free(&columns);
    return info;
}

/* A matrix of one column, by rows, becomes one list. */
static gbl_Info list_rows(gb_Result *T) {
    gb_Cs list;
    const gb_CsView view = gb_cs_view(&T->cs, 1, T->type->size);
    const gbl_Info info = gb_backend()->transpose(&view, &list, gb_nthreads());
    if (info != GBL_SUCCESS) return info;
    gb_cs_free(&T->cs);
    T->cs = list;
    return GBL_SUCCESS;
}

gbl_Info gb_extract_submatrix(gb_Matrix *C, const gb_Mask *mask, const gb_BinaryOp *accum,
                              const gb_Submatrix *call) {
    if (call->I.all && call->J.all)
        return gb_transpose("extract", C, mask, accum, call->A, call->transpose);
    gb_Result T = {.type = call->A->type, .format = GB_CSR};
    const gbl_Info info = take_submatrix(&T, call);
    if (info == GBL_SUCCESS) return gb_finish(C, mask, accum, &T);
    gb_result_free(&T);
    return info;
}

/* -- one column */

gbl_Info gb_extract_column(gb_Matrix *w, const gb_Mask *mask, const gb_BinaryOp *accum,
                           const gb_Column *call) {
    gb_Result T = {.type = call->A->type, .format = GB_CSC};
    const gbl_Index j = call->j;
    const gb_Submatrix part = {
        .A = call->A, .transpose = call->transpose, .I = call->I, .J = {.i = &j, .n = 1}};
    gbl_Info info = take_submatrix(&T, &part);
    if (info == GBL_SUCCESS && !T.is_dense && T.cs.nvals > 0 && T.format == GB_CSR)
        info = list_rows(&T);
    T.format = GB_CSC;
    if (info == GBL_SUCCESS) return gb_finish(w, mask, accum, &T);
    gb_result_free(&T);
    return info;
}
