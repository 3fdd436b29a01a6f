/* SPDX-License-Identifier: Apache-2.0
 *
 * See matrix.h.
 */

#include "matrix/matrix.h"
#include "matrix/updates.h"

bool gb_edits_make_dense(gb_Matrix *C, uint64_t edits) {
    gb_DenseView view;
    if (gb_is_vector(C) || C->iso || C->nvals < GB_FEW_LEAST) return false;
    if (!gb_merges_repay_dense(C, (C->nvals + edits) / GB_MERGES_WORTH, true)) return false;
    if (gb_acquire_dense(C, &view) == GBL_SUCCESS) {
        gb_matrix_keep_only(C, GBL_HAS_BITMAP | GBL_HAS_FULL);
        return true;
    }
    gb_error_begin(); /* the list takes the edits too */
    return false;
}

static void put_dense(gb_Dense *dense, uint64_t k, const void *x, size_t size) {
    if (dense->b != NULL) {
        dense->nvals += x != NULL;
        dense->nvals -= dense->b[k] != 0;
        dense->b[k] = x != NULL;
    }
    if (x != NULL && !dense->iso) memcpy((char *)dense->x + k * size, x, size);
}

bool gb_dense_write(gb_Matrix *v, uint64_t k, const void *x) {
    const bool dense_only = v->has == GBL_HAS_BITMAP || v->has == GBL_HAS_FULL;
    if (!dense_only || gb_is_lent(v->dense.lender)) return false;
    if (x == NULL && v->dense.b == NULL) return false;
    if (x != NULL && v->iso && memcmp(x, v->dense.x, v->type->size) != 0) return false;
    gb_matrix_keep_only(v, GBL_HAS_BITMAP | GBL_HAS_FULL);
    put_dense(&v->dense, k, x, v->type->size);
    gb_dense_changed(v);
    return true;
}

/* Entries [from, to) of the list; returns how many are new in v. Sizes that are constants make each
 * copy one instruction. */
static inline uint64_t write_part(const gb_Dense *v, const gb_Idx *i, const char *x, size_t step,
                                  size_t size, uint64_t from, uint64_t to) {
    uint64_t added = 0;
    for (uint64_t k = from; k < to; k++) {
        const uint64_t at = i[k];
        if (v->b != NULL) {
            added += v->b[at] == 0;
            v->b[at] = 1;
        }
        memcpy((char *)v->x + at * size, x + k * step, size);
    }
    return added;
}

static uint64_t write_sized(const gb_Dense *v, const gb_Idx *i, const char *x, size_t step,
                            size_t size, uint64_t from, uint64_t to) {
    if (size == 8) return write_part(v, i, x, step > 0 ? 8 : 0, 8, from, to);
    if (size == 4) return write_part(v, i, x, step > 0 ? 4 : 0, 4, from, to);
    return write_part(v, i, x, step, size, from, to);
}

typedef struct {
    gb_Dense v;
    const gb_Idx *i;
    const void *x;
    size_t step, size;
    uint64_t added; /* atomic */
} gb_ListWrite;

static void write_range(void *context, uint64_t from, uint64_t to) {
    gb_ListWrite *w = context;
    const uint64_t added = write_sized(&w->v, w->i, w->x, w->step, w->size, from, to);
    __atomic_add_fetch(&w->added, added, __ATOMIC_RELAXED);
}

void gb_dense_write_list(gb_Matrix *v, const gb_CsView *list, const void *x, bool one) {
    const size_t size = v->type->size;
    const int threads = gb_threads_for(list->nvals, 4 * GB_GRAIN, gb_nthreads());
    gb_matrix_keep_only(v, GBL_HAS_BITMAP | GBL_HAS_FULL);
    gb_ListWrite write = {
        .v = v->dense, .i = list->i, .x = x, .step = one ? 0 : size, .size = size};
    gb_parallel_ranges(threads, list->nvals, write_range, &write);
    v->dense.nvals += write.added;
    gb_dense_changed(v);
}

void gb_dense_gained(gb_Matrix *v, uint64_t added) {
    gb_matrix_keep_only(v, GBL_HAS_BITMAP | GBL_HAS_FULL);
    v->dense.nvals += added;
    gb_dense_changed(v);
}

/* Gives the dense arrays what the updates need: a bitmap when entries are removed, a value for each
 * element when they are no longer all equal. */
static gbl_Info widen_dense(gb_Matrix *v, const gb_Pending *list) {
    gb_Dense *dense = &v->dense;
    const size_t size = v->type->size;
    bool removes = false, differs = false;
    for (uint64_t k = 0; k < list->n; k++) {
        removes = removes || !list->keep[k];
        differs = differs ||
                  (dense->iso && list->keep[k] && memcmp(list->x + k * size, dense->x, size) != 0);
    }
    gb_Block blocks[] = {{NULL, removes && dense->b == NULL ? dense->n : 0},
                         {NULL, differs ? gb_size_of(dense->n, size) : 0}};
    if (!gb_malloc_all(blocks, 2))
        return gb_fail_memory(differs ? blocks[1].bytes : blocks[0].bytes);
    if (blocks[0].at != NULL) dense->b = memset(blocks[0].at, 1, dense->n);
    if (blocks[1].at != NULL) {
        gb_fill(blocks[1].at, dense->x, size, dense->n);
        gb_free(dense->x, dense->xcap);
        dense->x = blocks[1].at;
        dense->xcap = blocks[1].bytes;
        dense->iso = false;
    }
    return GBL_SUCCESS;
}

gbl_Info gb_dense_assemble(gb_Matrix *v, const gb_Pending *list) {
    gbl_Info info = gb_matrix_own_dense(v);
    if (info == GBL_SUCCESS) info = widen_dense(v, list);
    if (info != GBL_SUCCESS) return info;
    gb_matrix_keep_only(v, GBL_HAS_BITMAP | GBL_HAS_FULL);
    for (uint64_t k = 0; k < list->n; k++) {
        const void *x = list->keep[k] ? list->x + k * v->type->size : NULL;
        put_dense(&v->dense, gb_flat_index(v, list->row[k], list->col[k]), x, v->type->size);
    }
    gb_dense_changed(v);
    return GBL_SUCCESS;
}

/* -- a matrix as a vector ---------------------------------------------------------------------- */

static void begin_vector(gb_FlatVector *cells, gb_Type *type, uint64_t count) {
    *cells =
        (gb_FlatVector){.v = {.magic = GB_MAGIC_VECTOR, .type = type, .nrows = count, .ncols = 1}};
}

static void borrow_dense(gb_FlatVector *cells, const gb_Matrix *A) {
    gb_Matrix *v = &cells->v;
    v->dense = A->dense;
    v->nvals = A->nvals;
    v->iso = A->iso;
    v->has = gb_has(A) & (GBL_HAS_BITMAP | GBL_HAS_FULL);
    cells->lends_dense = true;
}

/* to[q] = the flat index of entry q. */
static void number(gb_Idx *to, const gb_Off *p, const gb_Idx *i, uint64_t nrows, uint64_t ncols) {
    for (uint64_t r = 0; r < nrows; r++) {
        const gb_Idx first = (gb_Idx)(r * ncols);
        for (gb_Off q = p[r]; q < p[r + 1]; q++) to[q] = first + i[q];
    }
}

static gbl_Info make_list(gb_FlatVector *cells, const gb_CsView *rows) {
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

gbl_Info gb_flat_open(gb_FlatVector *cells, gb_Matrix *A) {
    gb_CsView rows;
    gb_DenseView view;
    const bool dense = gb_is_dense(A) || A->nvals > gb_flat_size(A) / GB_DENSE_ABOVE;
    const gbl_Info info = dense ? gb_acquire_dense(A, &view) : gb_acquire_sorted(A, GB_CSR, &rows);
    begin_vector(cells, A->type, gb_flat_size(A));
    if (info == GBL_SUCCESS && dense) borrow_dense(cells, A);
    return info == GBL_SUCCESS && !dense ? make_list(cells, &rows) : info;
}

gbl_Info gb_flat_of_pattern(gb_FlatVector *cells, const gb_CsView *rows) {
    begin_vector(cells, gb_type_of(GBL_BOOL_CODE), rows->nmajor * rows->nminor);
    return make_list(cells, rows);
}

void gb_flat_close(gb_FlatVector *cells) {
    gb_Matrix *v = &cells->v;
    if (v->magic == 0) return;
    if (cells->lends_x) v->cs[GB_CSC].x = NULL;
    if (cells->lends_dense) v->dense = (gb_Dense){0};
    gb_matrix_clear(v);
    v->magic = 0;
}

void gb_flat_take(gb_FlatVector *cells, const gb_Matrix *A) {
    begin_vector(cells, A->type, gb_flat_size(A));
    if (gb_is_dense(A)) borrow_dense(cells, A);
}

void gb_flat_give(gb_FlatVector *cells, gb_Matrix *A, bool written) {
    gb_Matrix *v = &cells->v;
    if (written) {
        if (cells->lends_dense) A->dense = (gb_Dense){0}; /* v has used them up */
        gb_matrix_clear(A);
        gb_matrix_set_dense(A, &v->dense);
    }
    cells->lends_dense = !written;
    gb_flat_close(cells);
}

static void replace_pointers(gb_Cs *cs, gb_Off *p, uint64_t nmajor) {
    gb_free(cs->p, (cs->nmajor + 1) * sizeof(gb_Off));
    cs->p = p;
    cs->nmajor = nmajor;
}

gbl_Info gb_flat_from_rows(gb_Cs *cs, uint64_t ncols) {
    gb_Off *p = gb_malloc(2 * sizeof *p);
    if (p == NULL) return gb_fail_memory(2 * sizeof *p);
    p[0] = 0;
    p[1] = cs->nvals;
    if (cs->nvals > 0) number(cs->i, cs->p, cs->i, cs->nmajor, ncols);
    replace_pointers(cs, p, 1);
    return GBL_SUCCESS;
}

gbl_Info gb_flat_to_rows(gb_Cs *cs, uint64_t nrows, uint64_t ncols) {
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
