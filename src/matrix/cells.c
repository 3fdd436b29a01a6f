/* SPDX-License-Identifier: Apache-2.0
 *
 * See cells.h.
 */
#include "matrix/cells.h"

#include <string.h>

#include "core/arrays.h"
#include "matrix/lifetime.h"
#include "matrix/acquire.h"

static void begin(gb_Cells *cells, gb_Type *type, uint64_t count) {
    *cells = (gb_Cells){.v = {.magic = GB_MAGIC_VECTOR, .type = type, .nrows = count, .ncols = 1}};
    pthread_mutex_init(&cells->v.lock, NULL);
}

static void borrow_dense(gb_Cells *cells, const gb_Matrix *A) {
    gb_Matrix *v = &cells->v;
    v->dense = A->dense;
    v->nvals = A->nvals;
    v->iso = A->iso;
    v->has = gb_has(A) & (GBL_HAS_BITMAP | GBL_HAS_FULL);
    cells->lends_dense = true;
}

/* to[q] = the cell of entry q. */
static void number(gb_Idx *to, const gb_Off *p, const gb_Idx *i, uint64_t nrows, uint64_t ncols) {
    for (uint64_t r = 0; r < nrows; r++) {
        const gb_Idx first = (gb_Idx)(r * ncols);
        for (gb_Off q = p[r]; q < p[r + 1]; q++) to[q] = first + i[q];
    }
}

static gbl_Info make_list(gb_Cells *cells, const gb_CsView *rows) {
    gb_Matrix *v = &cells->v;
    gb_Cs cs;
    const gbl_Info info = gb_cs_alloc(&cs, 1, rows->nvals, 0);
    if (info != GBL_SUCCESS) return info;
    cs.p[0] = 0;
    cs.p[1] = rows->nvals;
    number(cs.i, rows->p, rows->i, rows->nmajor, rows->nminor);
    cs.iso = rows->iso;
    memcpy(&cs.x, &rows->x, sizeof cs.x); /* borrowed, and only read */
    cells->lends_x = true;
    v->cs[GB_CSC] = cs;
    v->nvals = rows->nvals;
    v->iso = rows->iso;
    v->has = GBL_HAS_CSC;
    return GBL_SUCCESS;
}

gbl_Info gb_cells_open(gb_Cells *cells, gb_Matrix *A) {
    gb_CsView rows;
    begin(cells, A->type, gb_flat_size(A));
    if (gb_is_dense(A)) {
        borrow_dense(cells, A);
        return GBL_SUCCESS;
    }
    const gbl_Info info = gb_acquire_sorted(A, GB_CSR, &rows);
    return info == GBL_SUCCESS ? make_list(cells, &rows) : info;
}

gbl_Info gb_cells_of_pattern(gb_Cells *cells, const gb_CsView *rows) {
    begin(cells, gb_type_of(GBL_BOOL_CODE), rows->nmajor * rows->nminor);
    return make_list(cells, rows);
}

void gb_cells_close(gb_Cells *cells) {
    gb_Matrix *v = &cells->v;
    if (v->magic == 0) return;
    if (cells->lends_x) v->cs[GB_CSC].x = NULL;
    if (cells->lends_dense) v->dense = (gb_Dense){0};
    gb_matrix_clear(v);
    pthread_mutex_destroy(&v->lock);
    v->magic = 0;
}

void gb_cells_take(gb_Cells *cells, const gb_Matrix *A) {
    begin(cells, A->type, gb_flat_size(A));
    if (gb_is_dense(A)) borrow_dense(cells, A);
}

void gb_cells_give(gb_Cells *cells, gb_Matrix *A, bool written) {
    gb_Matrix *v = &cells->v;
    if (written) {
        if (cells->lends_dense) A->dense = (gb_Dense){0}; /* v has used them up */
        gb_matrix_clear(A);
        gb_matrix_set_dense(A, &v->dense);
    }
    cells->lends_dense = !written;
    gb_cells_close(cells);
}

/* -- lists of entries ------------------------------------------------------------------------- */

static void replace_pointers(gb_Cs *cs, gb_Off *p, uint64_t nmajor) {
    gb_free(cs->p, (cs->nmajor + 1) * sizeof(gb_Off));
    cs->p = p;
    cs->nmajor = nmajor;
}

gbl_Info gb_cells_from_rows(gb_Cs *cs, uint64_t ncols) {
    gb_Off *p = gb_malloc(2 * sizeof *p);
    if (p == NULL) return gb_fail_memory(2 * sizeof *p);
    p[0] = 0;
    p[1] = cs->nvals;
    if (cs->nvals > 0) number(cs->i, cs->p, cs->i, cs->nmajor, ncols);
    replace_pointers(cs, p, 1);
    return GBL_SUCCESS;
}

gbl_Info gb_cells_to_rows(gb_Cs *cs, uint64_t nrows, uint64_t ncols) {
    const size_t bytes = (nrows + 1) * sizeof(gb_Off);
    gb_Off *p = gb_malloc(bytes), q = 0;
    if (p == NULL) return gb_fail_memory(bytes);
    for (uint64_t r = 0; r < nrows; r++) {
        const gb_Idx first = (gb_Idx)(r * ncols);
        p[r] = q;
        for (; q < cs->nvals && cs->i[q] - first < ncols; q++) cs->i[q] -= first;
    }
    p[nrows] = q;
    replace_pointers(cs, p, nrows);
    return GBL_SUCCESS;
}
