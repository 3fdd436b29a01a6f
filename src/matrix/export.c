/* SPDX-License-Identifier: Apache-2.0
 *
 * See tuples.h.
 */

#include "matrix/matrix.h"
#include "semiring/cast.h"

typedef struct {
    const gb_CsView *view;
    const gb_RowList *major_names, *minor_names; /* NULL: rows and columns stand for themselves */
    gbl_Index *majors, *minors;                  /* or NULL */
    void *X;                                     /* or NULL */
    const gb_Type *type, *xtype;
} Extract;

static void extract_majors(const Extract *e, uint64_t first, uint64_t end) {
    const gb_CsView *view = e->view;
    if (first == end) return;
    uint64_t row = gb_holder(view->p, 0, view->nmajor, first);
    for (; view->p[row] < end; row++) { /* the next row overwrites what an empty one writes */
        const gbl_Index name = gb_row_list_at(e->major_names, row);
        const uint64_t to = view->p[row + 1] < end ? view->p[row + 1] : end;
        uint64_t k = view->p[row] > first ? view->p[row] : first;
        for (e->majors[k] = name; ++k < to;) e->majors[k] = name;
    }
}

static void extract_minors(const Extract *e, uint64_t first, uint64_t end) {
    const gb_Idx *i = e->view->i;
    if (e->minor_names == NULL)
        for (uint64_t k = first; k < end; k++) e->minors[k] = i[k];
    else
        for (uint64_t k = first; k < end; k++) e->minors[k] = e->minor_names->index[i[k]];
}

static void extract_range(void *context, uint64_t first, uint64_t end) {
    const Extract *e = context;
    const gb_CsView *view = e->view;
    if (e->majors != NULL) extract_majors(e, first, end);
    if (e->minors != NULL) extract_minors(e, first, end);
    if (e->X == NULL) return;
    const char *x = (const char *)view->x + (view->iso ? 0 : first * view->xsize);
    gb_cast(e->xtype, (char *)e->X + first * e->xtype->size, e->type, x, view->iso ? 0 : 1,
            end - first);
}

gbl_Info gb_list_majors(const gb_CsView *view, gbl_Index *majors) {
    return gb_parallel_try_items(gb_nthreads(), view->nvals, extract_range,
                                 &(Extract){.view = view, .majors = majors});
}

gbl_Info gb_matrix_extract(gb_Matrix *A, gbl_Index *I, gbl_Index *J, void *X,
                           const gb_Type *xtype) {
    const bool vector = gb_is_vector(A);
    gb_CsView view;
    uint64_t nvals;
    gbl_Info info = gb_matrix_nvals(A, &nvals);
    if (info != GBL_SUCCESS || nvals == 0) return info; /* no pointers for an empty matrix */
    const gb_Hyper *hyper = gb_is_hyper(A) ? A->hyper : NULL;
    info = gb_acquire_sorted(hyper != NULL ? hyper->core : A, vector ? GB_CSC : GB_CSR, &view);
    if (info != GBL_SUCCESS) return info;
    Extract e = {.view = &view,
                 .majors = vector ? NULL : I,
                 .minors = vector ? I : J,
                 .X = X,
                 .type = A->type,
                 .xtype = xtype};
    if (hyper != NULL && !vector) e.major_names = hyper->rows;
    if (hyper != NULL) e.minor_names = vector ? hyper->rows : hyper->cols;
    return gb_parallel_try_items(gb_nthreads(), view.nvals, extract_range, &e);
}

/* -- compressed rows or columns */

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
    const gb_RowList *rows; /* (or columns) of a hypersparse matrix */
    const gb_Off *from;
    gbl_Index *to;
} Pointers;

/* Pointers to rows first .. end - 1: to the first entry of those that are not before the row. */
static void point_range(void *context, uint64_t first, uint64_t end) {
    const Pointers *pointers = context;
    const gb_RowList *rows = pointers->rows;
    uint64_t k = gb_row_list_from(rows, first);
    for (uint64_t row = first; row < end; row++) {
        pointers->to[row] = pointers->from[k];
        if (k < rows->n && rows->index[k] == row) k++;
    }
}

static gbl_Info export_compressed(gb_Matrix *A, const gb_Export *out, gb_Format format) {
    const gb_Hyper *hyper = gb_is_hyper(A) ? A->hyper : NULL;
    const uint64_t pointers = gb_nmajor(A, format) + 1;
    const bool by_rows = format == GB_CSR;
    gb_CsView view;
    if (gb_is_hyper(A) && A->nvals == 0) {
        memset(out->Ap, 0, pointers * sizeof *out->Ap);
        return GBL_SUCCESS;
    }
    const gbl_Info info = gb_acquire_sorted(hyper != NULL ? hyper->core : A, format, &view);
    if (info != GBL_SUCCESS) return info;
    Extract e = {.view = &view, .minors = out->Ai, .X = out->Ax, .type = A->type, .xtype = A->type};
    if (hyper != NULL) {
        e.minor_names = by_rows ? hyper->cols : hyper->rows;
        gb_parallel_items(gb_nthreads(), pointers, point_range,
                          &(Pointers){by_rows ? hyper->rows : hyper->cols, view.p, out->Ap});
    } else {
        memcpy(out->Ap, view.p, pointers * sizeof(gb_Off));
    }
    return gb_parallel_try_items(gb_nthreads(), view.nvals, extract_range, &e);
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

gbl_Info gb_matrix_view(gb_Matrix *A, gb_Format format, gbl_Arrays *arrays) {
    if (gb_is_huge(A)) return gb_fail_pointers(A);
    gb_CsView v; /* makes the representation, with pointers even when A is empty */
    const gbl_Info info = gb_acquire_sorted(A, format, &v);
    if (info == GBL_SUCCESS)
        *arrays = (gbl_Arrays){(uint64_t *)v.p, (uint32_t *)v.i, (void *)v.x, v.iso};
    return info;
}

gbl_Info gb_matrix_move_out(gb_Matrix *A, gb_Format format, gbl_Arrays *arrays) {
    gbl_Arrays view;
    gbl_Info info = gb_matrix_view(A, format, &view);
    if (info == GBL_SUCCESS) info = gb_matrix_own(A, format);
    if (info != GBL_SUCCESS) return info;
    gb_Cs *cs = &A->cs[format];
    *arrays = (gbl_Arrays){.p = cs->p, .i = cs->i, .x = cs->x, .iso = cs->iso};
    gb_untrack((cs->nmajor + 1 + cs->pspare) * sizeof(gb_Off));
    if (cs->i != NULL) gb_untrack(cs->icap * sizeof(gb_Idx));
    if (cs->x != NULL) gb_untrack(cs->xcap);
    gb_free(cs->lender, sizeof *cs->lender); /* of arrays that were shared */
    *cs = (gb_Cs){0};
    gb_matrix_clear(A);
    return GBL_SUCCESS;
}

gbl_Info gb_matrix_move_out_dense(gb_Matrix *A, gbl_Dense *dense) {
    gb_DenseView view;
    if (!gb_may_be_dense(A) && !gb_is_full_iso(A)) return gb_fail_pointers(A);
    gbl_Info info = gb_acquire_dense(A, &view);
    if (info == GBL_SUCCESS) info = gb_matrix_own_dense(A);
    if (info != GBL_SUCCESS) return info;
    gb_Dense *own = &A->dense;
    *dense = (gbl_Dense){.b = own->b, .x = own->x, .iso = own->iso};
    if (own->b != NULL) gb_untrack(own->n + own->spare);
    if (own->x != NULL) gb_untrack(own->xcap);
    gb_free(own->lender, sizeof *own->lender); /* of arrays that were shared */
    *own = (gb_Dense){0};
    gb_matrix_clear(A);
    return GBL_SUCCESS;
}
