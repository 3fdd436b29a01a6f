/* SPDX-License-Identifier: Apache-2.0
 *
 * See diag.h.
 */
#include "matrix/diag.h"

#include <string.h>

#include "core/arrays.h"
#include "matrix/hyper.h"
#include "matrix/lifetime.h"
#include "matrix/acquire.h"

static void place(gb_Cs *cs, const gb_CsView *v, uint64_t down, uint64_t right) {
    uint64_t row = 0;
    for (uint64_t e = 0; e < v->nvals; e++) {
        for (; row <= v->i[e] + down; row++) cs->p[row] = e;
        cs->i[e] = (gb_Idx)(v->i[e] + right);
    }
    for (; row <= cs->nmajor; row++) cs->p[row] = v->nvals;
}

/* The indices moved by so many. */
static gbl_Info shift(gb_RowList **axis, gb_RowList *of, uint64_t by) {
    if (by == 0) {
        *axis = gb_row_list_retain(of);
        return GBL_SUCCESS;
    }
    const gbl_Info info = gb_row_list_new(axis, of->n);
    for (uint64_t k = 0; info == GBL_SUCCESS && k < of->n; k++)
        (*axis)->index[k] = of->index[k] + by;
    return info;
}

/* The main diagonal of the compact form, on axes of which one is shifted. */
static gbl_Info diag_hyper(gb_Matrix *C, gb_Matrix *v, int64_t k) {
    const uint64_t off = k < 0 ? 0 - (uint64_t)k : (uint64_t)k;
    gb_RowLists of, axes = {0};
    gb_Compact compact = {0};
    gb_Matrix *core = NULL;
    gbl_Info info = gb_row_lists_of(&of, v);
    if (info != GBL_SUCCESS) return info;
    info = gb_compact_get(&compact, v, &of, false);
    if (info == GBL_SUCCESS) info = gb_matrix_diag(&core, compact.m, 0);
    if (info == GBL_SUCCESS) info = shift(&axes.rows, of.rows, k < 0 ? off : 0);
    if (info == GBL_SUCCESS) info = shift(&axes.cols, of.rows, k < 0 ? 0 : off);
    gb_compact_release(&compact);
    gb_row_lists_release(&of);
    if (info == GBL_SUCCESS) return gb_hyper_set(C, &axes, core);
    gb_matrix_free(core);
    gb_row_lists_release(&axes);
    return info;
}

gbl_Info gb_matrix_diag(gb_Matrix **C, gb_Matrix *v, int64_t k) {
    const uint64_t off = k < 0 ? 0 - (uint64_t)k : (uint64_t)k;
    if (off > GBL_INDEX_MAX - v->nrows) {
        return gb_fail(GBL_INVALID_VALUE,
                       "diagonal %lld of a vector of %llu elements needs a dimension above the "
                       "largest, %llu",
                       (long long)k, (unsigned long long)v->nrows,
                       (unsigned long long)GBL_INDEX_MAX);
    }
    const uint64_t n = v->nrows + off;
    gb_CsView list;
    gb_Matrix *made;
    gbl_Info info = gb_assemble(v);
    if (info == GBL_SUCCESS) info = gb_matrix_new(&made, GB_MAGIC_MATRIX, v->type, n, n);
    if (info != GBL_SUCCESS) return info;
    if (gb_is_hyper(v) || gb_suits_hyper(made, v->nvals)) {
        info = diag_hyper(made, v, k);
        if (info == GBL_SUCCESS)
            *C = made;
        else
            gb_matrix_free(made);
        return info;
    }
    info = gb_acquire_sorted(v, GB_CSC, &list);
    if (info != GBL_SUCCESS) {
        gb_matrix_free(made);
        return info;
    }
    if (list.nvals > 0) {
        gb_Cs cs;
        const size_t xbytes = (list.iso ? 1 : list.nvals) * list.xsize;
        info = gb_cs_alloc(&cs, n, list.nvals, xbytes);
        if (info != GBL_SUCCESS) {
            gb_matrix_free(made);
            return info;
        }
        place(&cs, &list, k < 0 ? off : 0, k < 0 ? 0 : off);
        memcpy(cs.x, list.x, xbytes);
        cs.iso = list.iso;
        gb_matrix_set_cs(made, GB_CSR, &cs);
    }
    *C = made;
    return GBL_SUCCESS;
}
