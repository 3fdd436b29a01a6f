/* SPDX-License-Identifier: Apache-2.0
 *
 * See export.h.
 */
#include "matrix/export.h"

#include <string.h>

#include "core/context.h"
#include "core/memory.h"
#include "core/parallel.h"
#include "core/tune.h"
#include "matrix/copy.h"
#include "matrix/lifetime.h"
#include "matrix/acquire.h"
#include "matrix/tuples.h"

gbl_Info gb_matrix_export_size(gb_Matrix *A, gbl_Format format, gbl_Index *plen, gbl_Index *ilen) {
    uint64_t nvals;
    const gbl_Info info = gb_matrix_nvals(A, &nvals);
    if (info != GBL_SUCCESS) return info;
    *plen = format == GBL_COO_FORMAT ? nvals
                                     : gb_nmajor(A, format == GBL_CSR_FORMAT ? GB_CSR : GB_CSC) + 1;
    *ilen = nvals;
    return GBL_SUCCESS;
}

static gbl_Info check_capacity(const char *name, uint64_t capacity, uint64_t wanted) {
    if (capacity >= wanted) return GBL_SUCCESS;
    return gb_fail(GBL_INSUFFICIENT_SPACE, "%s has space for %llu elements, but needs %llu", name,
                   (unsigned long long)capacity, (unsigned long long)wanted);
}

typedef struct {
    const gb_Export *out;
    const gb_CsView *view;
    const gb_RowList *major, *minor; /* of a hypersparse matrix, else NULL */
} Copy;

static void copy_range(void *context, uint64_t first, uint64_t end) {
    const gb_Export *out = ((Copy *)context)->out;
    const gb_CsView *view = ((Copy *)context)->view;
    const gb_RowList *minor = ((Copy *)context)->minor;
    if (first == end) return;
    for (uint64_t k = first; k < end; k++)
        out->Ai[k] = minor != NULL ? minor->index[view->i[k]] : view->i[k];
    char *x = (char *)out->Ax + first * view->xsize;
    if (view->iso) {
        gb_fill(x, view->x, view->xsize, end - first);
    } else {
        memcpy(x, (const char *)view->x + first * view->xsize, (end - first) * view->xsize);
    }
}

static void copy_entries(const Copy *copy) {
    const uint64_t nvals = copy->view->nvals;
    gb_parallel_ranges(gb_threads_for(nvals, GB_GRAIN, gb_nthreads()), nvals, copy_range,
                       (void *)(uintptr_t)copy);
}

/* Pointers to rows first .. end - 1: to the first entry of those that are not before the row. */
static void point_range(void *context, uint64_t first, uint64_t end) {
    const Copy *copy = context;
    const gb_RowList *major = copy->major;
    uint64_t k = gb_row_list_from(major, first);
    for (uint64_t row = first; row < end; row++) {
        copy->out->Ap[row] = copy->view->p[k];
        if (k < major->n && major->index[k] == row) k++;
    }
}

/* From the compact matrix: nothing is made but what the caller gets. */
static gbl_Info export_hyper(gb_Matrix *A, const gb_Export *out, gb_Format format) {
    const gb_Hyper *hyper = A->hyper;
    const uint64_t pointers = gb_nmajor(A, format) + 1;
    if (A->nvals == 0) {
        memset(out->Ap, 0, pointers * sizeof *out->Ap);
        return GBL_SUCCESS;
    }
    gb_CsView view;
    const gbl_Info info = gb_acquire_sorted(hyper->core, format, &view);
    if (info != GBL_SUCCESS) return info;
    const bool by_rows = format == GB_CSR;
    Copy copy = {out, &view, by_rows ? hyper->rows : hyper->cols,
                 by_rows ? hyper->cols : hyper->rows};
    gb_parallel_ranges(gb_threads_for(pointers, GB_GRAIN, gb_nthreads()), pointers, point_range,
                       &copy);
    copy_entries(&copy);
    return GBL_SUCCESS;
}

static gbl_Info export_compressed(gb_Matrix *A, const gb_Export *out, gb_Format format) {
    gb_CsView view;
    if (gb_is_hyper(A)) return export_hyper(A, out, format);
    const gbl_Info info = gb_acquire_sorted(A, format, &view);
    if (info != GBL_SUCCESS) return info;
    memcpy(out->Ap, view.p, (view.nmajor + 1) * sizeof(gb_Off));
    copy_entries(&(Copy){.out = out, .view = &view});
    return GBL_SUCCESS;
}

gbl_Info gb_matrix_export(gb_Matrix *A, const gb_Export *out) {
    gbl_Index plen = 0, ilen = 0;
    gbl_Info info = gb_matrix_export_size(A, out->format, &plen, &ilen);
    if (info == GBL_SUCCESS) info = check_capacity("Ap", *out->plen, plen);
    if (info == GBL_SUCCESS) info = check_capacity("Ai", *out->ilen, ilen);
    if (info == GBL_SUCCESS) info = check_capacity("Ax", *out->xlen, ilen);
    if (info != GBL_SUCCESS) return info;
    info = out->format == GBL_COO_FORMAT
               ? gb_matrix_extract(A, out->Ap, out->Ai, out->Ax, A->type)
               : export_compressed(A, out, out->format == GBL_CSR_FORMAT ? GB_CSR : GB_CSC);
    if (info != GBL_SUCCESS) return info;
    *out->plen = plen;
    *out->ilen = ilen;
    *out->xlen = ilen;
    return GBL_SUCCESS;
}

gbl_Info gb_matrix_move_out(gb_Matrix *A, gb_Format format, gbl_Arrays *arrays) {
    if (gb_is_huge(A)) return gb_fail_pointers(A);
    gb_CsView view; /* makes the representation, with pointers even when A is empty */
    gbl_Info info = gb_acquire_sorted(A, format, &view);
    if (info == GBL_SUCCESS) info = gb_matrix_own(A, format);
    if (info != GBL_SUCCESS) return info;
    gb_Cs *cs = &A->cs[format];
    *arrays = (gbl_Arrays){.p = cs->p, .i = cs->i, .x = cs->x, .iso = cs->iso};
    gb_untrack((cs->nmajor + 1) * sizeof(gb_Off));
    if (cs->i != NULL) gb_untrack(cs->icap * sizeof(gb_Idx));
    if (cs->x != NULL) gb_untrack(cs->xcap);
    *cs = (gb_Cs){0};
    gb_matrix_clear(A);
    return GBL_SUCCESS;
}
