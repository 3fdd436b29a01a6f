/* SPDX-License-Identifier: Apache-2.0
 *
 * Rows of a matrix with updates that wait, for products that read few of them: a copy of rows of
 * the content, which gets the last update of each of their positions.
 */
#include "core/arrays.h"
#include "core/tune.h"
#include "matrix/updates.h"

static uint64_t row_length(const gb_CsView *rows, uint64_t r) {
    return rows->p[r + 1] - rows->p[r];
}

/* Entries and updates of the rows. */
static uint64_t count(const gb_Pending *list, const gb_CsView *rows, const gb_RowList *of) {
    uint64_t n = 0;
    for (uint64_t e = 0; e < of->n; e++) {
        n += row_length(rows, of->index[e]);
        for (uint64_t k = GB_NOT_FOUND;
             (k = gb_pending_next_of_row(list, of->index[e], k)) != GB_NOT_FOUND;)
            n++;
    }
    return n;
}

static gbl_Info copy_rows(gb_Matrix *copy, const gb_CsView *rows, const gb_RowList *of) {
    const size_t size = rows->xsize;
    uint64_t n = 0;
    gb_Cs cs;
    for (uint64_t e = 0; e < of->n; e++) n += row_length(rows, of->index[e]);
    const gbl_Info info = gb_cs_alloc(&cs, of->n, n, gb_size_of(rows->iso ? 1 : n, size));
    if (info != GBL_SUCCESS) return info;
    cs.iso = rows->iso;
    if (rows->iso) gb_copy_value(cs.x, rows->x, size);
    n = 0;
    for (uint64_t e = 0; e < of->n; e++) {
        const gb_Off from = rows->p[of->index[e]], length = row_length(rows, of->index[e]);
        cs.p[e] = n;
        if (length == 0) continue;
        memcpy(cs.i + n, rows->i + from, length * sizeof *cs.i);
        if (!rows->iso)
            memcpy((char *)cs.x + n * size, (const char *)rows->x + from * size, length * size);
        n += length;
    }
    cs.p[of->n] = n;
    gb_matrix_set_cs(copy, GB_CSR, &cs);
    return info;
}

static gbl_Info copy_updates(gb_Matrix *copy, const gb_Matrix *A, const gb_RowList *of) {
    const gb_Pending *list = A->pending;
    gbl_Info info = GBL_SUCCESS;
    for (uint64_t e = 0; e < of->n; e++) {
        for (uint64_t k = GB_NOT_FOUND;
             info == GBL_SUCCESS &&
             (k = gb_pending_next_of_row(list, of->index[e], k)) != GB_NOT_FOUND;) {
            const uint64_t col = gb_pending_col(list, k);
            if (gb_pending_find(list, of->index[e], col) == k)
                info = gb_pending_append(copy, e, col,
                                         list->keep[k] ? list->x + k * A->type->size : NULL);
        }
    }
    return info;
}

gbl_Info gb_delta_rows(gb_Matrix **rows, gb_Matrix *A, const gb_RowList *of) {
    *rows = NULL;
    if (gb_is_hyper(A) || gb_is_vector(A)) return GBL_SUCCESS;
    gbl_Info info = gb_delta_open(A);
    if (info != GBL_SUCCESS) return info;
    if (A->pending != NULL && A->has & GBL_HAS_CSR) {
        const gb_CsView view = gb_cs_view(&A->cs[GB_CSR], A->ncols, A->type->size);
        const uint64_t n = count(A->pending, &view, of);
        if (n <= A->nvals / GB_DELTA_SHARE) {
            info = gb_matrix_new(rows, GB_MAGIC_MATRIX, A->type, of->n, A->ncols);
            if (info == GBL_SUCCESS) info = copy_rows(*rows, &view, of);
            if (info == GBL_SUCCESS) info = copy_updates(*rows, A, of);
            A->pending->found += of->n + n;
        }
    }
    gb_delta_close(A);
    if (info == GBL_SUCCESS && *rows != NULL) info = gb_assemble(*rows);
    if (info == GBL_SUCCESS) return info;
    gb_matrix_free(*rows);
    *rows = NULL;
    return info;
}
