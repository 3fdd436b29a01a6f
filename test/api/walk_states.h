/* SPDX-License-Identifier: Apache-2.0
 *
 * The ways in which an operand of the walk (walk.h) may be held: each makes an object with the
 * entries of a dense matrix. A new way is a function and its line in the list.
 */
#pragma once

#include "walk.h"

#include <stdlib.h>
#include <string.h>

#include "gblite_memory.h"

typedef gbl_Matrix w_MakeMatrix(const o_Matrix *D, t_Random *r);
typedef gbl_Vector w_MakeVector(const o_Matrix *D, t_Random *r);

/* -- forms of the content */

static bool has_entries(gbl_Matrix A) {
    const gbl_Index n = t_nvals(A);
    return n > 0;
}

static gbl_Matrix by_rows(const o_Matrix *D, t_Random *r) {
    (void)r;
    return t_matrix(D);
}

static gbl_Matrix in_forms(const o_Matrix *D, unsigned forms) {
    gbl_Matrix A = t_matrix(D);
    gb_CsView lists;
    gb_TileView tiles;
    gb_DenseView cells;
    if (!has_entries(A)) return A;
    if (forms & GBL_HAS_CSR) OK(gb_acquire(&A->m, GB_CSR, &lists));
    if (forms & GBL_HAS_CSC) OK(gb_acquire(&A->m, GB_CSC, &lists));
    if (forms & GBL_HAS_TILE16) OK(gb_acquire_tiles(&A->m, GB_CSR, &tiles));
    if (forms & GB_HAS_TILES_OF_COLUMNS) OK(gb_acquire_tiles(&A->m, GB_CSC, &tiles));
    if (forms & (GBL_HAS_BITMAP | GBL_HAS_FULL)) OK(gb_acquire_dense(&A->m, &cells));
    gb_matrix_keep_only(&A->m, forms);
    return A;
}

#define FORMS(name, forms)                                                                         \
    static gbl_Matrix name(const o_Matrix *D, t_Random *r) {                                       \
        (void)r;                                                                                   \
        return in_forms(D, forms);                                                                 \
    }
enum { CELLS = GBL_HAS_BITMAP | GBL_HAS_FULL, LISTS_BOTH = GBL_HAS_CSR | GBL_HAS_CSC };
FORMS(by_columns, GBL_HAS_CSC)
FORMS(both_ways, LISTS_BOTH)
FORMS(in_tiles, GBL_HAS_TILE16)
FORMS(in_tiles_of_columns, GB_HAS_TILES_OF_COLUMNS)
FORMS(in_cells, CELLS)
FORMS(in_all_forms, LISTS_BOTH | GBL_HAS_TILE16 | GB_HAS_TILES_OF_COLUMNS | CELLS)

/* -- arrays of the caller's */

static gbl_Arrays arrays_of(const o_Matrix *D, gbl_Format format, t_Random *r) {
    gbl_Matrix A = t_matrix(D);
    gbl_Arrays a = {0};
    OK(gbl_Matrix_moveOut(A, format, &a));
    OK(gbl_Matrix_free(&A));
    const gbl_Index n = format == GBL_CSR_FORMAT ? D->nrows : D->ncols;
    for (gbl_Index i = 0; i < n && !a.iso; i++) { /* no row is sorted that can be otherwise */
        for (uint64_t p = a.p[i], q = a.p[i + 1]; p + 1 < q--; p++) {
            unsigned char x[sizeof(o_Value)], *at = a.x;
            const size_t size = D->type.size;
            const uint32_t column = a.i[p];
            if (t_chance(r, 0.2)) continue;
            a.i[p] = a.i[q];
            a.i[q] = column;
            memcpy(x, at + p * size, size);
            memcpy(at + p * size, at + q * size, size);
            memcpy(at + q * size, x, size);
        }
    }
    return a;
}

static gbl_Format some_format(t_Random *r) {
    return t_chance(r, 0.5) ? GBL_CSR_FORMAT : GBL_CSC_FORMAT;
}

static gbl_Matrix moved_in(const o_Matrix *D, t_Random *r) {
    const gbl_Format format = some_format(r);
    gbl_Arrays a = arrays_of(D, format, r);
    gbl_Matrix A = NULL;
    OK(gbl_Matrix_moveIn(&A, D->type.handle, D->nrows, D->ncols, format, &a));
    return A;
}

/* Freed by the library when it has let go; a test that leaves it behind fails. */
typedef struct {
    gbl_Arrays arrays;
    void *block;
} w_Lent;

static void take_back(void *context) {
    w_Lent *lent = context;
    gbl_Memory_free(lent->arrays.p);
    gbl_Memory_free(lent->arrays.i);
    gbl_Memory_free(lent->arrays.x);
    free(lent->block);
    free(lent);
}

static gbl_Matrix lent(const o_Matrix *D, t_Random *r) {
    const gbl_Format format = some_format(r);
    w_Lent *l = calloc(1, sizeof *l);
    gbl_Matrix A = NULL;
    l->arrays = arrays_of(D, format, r);
    OK(gbl_Matrix_lend(&A, D->type.handle, D->nrows, D->ncols, format, &l->arrays,
                       &(gbl_Lender){take_back, l}));
    return A;
}

/* -- bytes */

static void *bytes_of(const o_Matrix *D, gbl_Index *size, t_Random *r) {
    static w_MakeMatrix *const made[] = {by_rows, by_columns, both_ways, in_cells};
    gbl_Matrix A = made[t_below(r, T_COUNT(made))](D, r);
    OK(gbl_Matrix_serializeSize(size, A));
    void *data = malloc(*size);
    OK(gbl_Matrix_serialize(data, size, A));
    OK(gbl_Matrix_free(&A));
    return data;
}

static gbl_Matrix read_back(const o_Matrix *D, t_Random *r) {
    gbl_Index size;
    gbl_Matrix A = NULL;
    void *data = bytes_of(D, &size, r);
    OK(gbl_Matrix_deserialize(&A, D->type.handle, data, size));
    free(data);
    return A;
}

static gbl_Matrix mapped(const o_Matrix *D, t_Random *r) {
    gbl_Index size;
    gbl_Matrix A = NULL;
    w_Lent *l = calloc(1, sizeof *l);
    l->block = bytes_of(D, &size, r);
    OK(gbl_Matrix_map(&A, D->type.handle, l->block, size, t_chance(r, 0.5),
                      &(gbl_Lender){take_back, l}));
    return A;
}

/* -- one value, and updates that wait */

static gbl_Matrix iso(const o_Matrix *D, t_Random *r) {
    (void)r;
    return t_iso_matrix(D);
}

static o_Matrix other_content(const o_Matrix *D, t_Random *r) {
    return t_generate(r, &(t_Content){D->type, D->nrows, D->ncols, T_RANDOM, 0.3, false, false});
}

/* Another content first, then every cell that differs is set or removed. */
static gbl_Matrix pending(const o_Matrix *D, t_Random *r) {
    static w_MakeMatrix *const made[] = {by_rows, by_columns, both_ways, in_tiles, in_cells, lent};
    o_Matrix before = other_content(D, r);
    gbl_Matrix A = made[t_below(r, T_COUNT(made))](&before, r);
    for (gbl_Index p = D->nrows * D->ncols; p-- > 0;) {
        const gbl_Index i = p / D->ncols, j = p % D->ncols;
        if (D->x[p].has)
            OK(t_set_matrix(A, D->type, &D->x[p].v, i, j));
        else if (before.x[p].has)
            OK(gbl_Matrix_removeElement(A, i, j));
    }
    o_free(&before);
    return A;
}

static const struct {
    const char *name;
    w_MakeMatrix *make;
} matrix_states[] = {
    {"rows", by_rows},
    {"columns", by_columns},
    {"both", both_ways},
    {"tiles", in_tiles},
    {"tiles of columns", in_tiles_of_columns},
    {"cells", in_cells},
    {"all forms", in_all_forms},
    {"moved in, unsorted", moved_in},
    {"lent, unsorted", lent},
    {"read back", read_back},
    {"mapped", mapped},
    {"pending", pending},
    {"iso", iso}, /* the last of both lists: the content is made for it */
};
enum { MATRIX_STATES = T_COUNT(matrix_states), MATRIX_ISO = MATRIX_STATES - 1 };

/* -- vectors */

static gbl_Vector as_list(const o_Matrix *D, t_Random *r) {
    (void)r;
    return t_vector(D);
}

static gbl_Vector as_cells(const o_Matrix *D, t_Random *r) {
    gbl_Vector v = t_vector(D);
    gb_DenseView cells;
    const gbl_Index n = t_nvals_vector(v);
    if (n > 0) OK(gb_acquire_dense(&v->m, &cells));
    if (n > 0 && t_chance(r, 0.7)) gb_matrix_keep_only(&v->m, CELLS);
    return v;
}

static gbl_Vector iso_vector(const o_Matrix *D, t_Random *r) {
    (void)r;
    return t_iso_vector(D);
}

static gbl_Vector pending_vector(const o_Matrix *D, t_Random *r) {
    o_Matrix before = other_content(D, r);
    gbl_Vector v = t_chance(r, 0.5) ? as_list(&before, r) : as_cells(&before, r);
    for (gbl_Index i = D->nrows; i-- > 0;) {
        if (D->x[i].has)
            OK(t_set_vector(v, D->type, &D->x[i].v, i));
        else if (before.x[i].has)
            OK(gbl_Vector_removeElement(v, i));
    }
    o_free(&before);
    return v;
}

static const struct {
    const char *name;
    w_MakeVector *make;
} vector_states[] = {
    {"list", as_list}, {"cells", as_cells}, {"pending", pending_vector}, {"iso", iso_vector}};
enum { VECTOR_STATES = T_COUNT(vector_states), VECTOR_ISO = VECTOR_STATES - 1 };

/* -- huge objects: entries at the places of their axes, waiting or not */

static void make_huge(w_Object *o, const t_Scatter *rows, const t_Scatter *cols) {
    const o_Matrix *D = &o->D;
    const bool wait = o->state % 2 == 0;
    if (o->is_matrix)
        OK(gbl_Matrix_new(&o->A, D->type.handle, rows->n, cols->n));
    else
        OK(gbl_Vector_new(&o->v, D->type.handle, rows->n));
    for (gbl_Index p = 0; p < D->nrows * D->ncols; p++) {
        const gbl_Index i = p / D->ncols, j = p % D->ncols;
        if (!D->x[p].has) continue;
        if (o->is_matrix)
            OK(t_set_matrix(o->A, D->type, &D->x[p].v, rows->at[i], cols->at[j]));
        else
            OK(t_set_vector(o->v, D->type, &D->x[p].v, rows->at[i]));
    }
    if (wait && o->is_matrix) OK(gbl_Matrix_wait(o->A, GBL_MATERIALIZE));
    if (wait && !o->is_matrix) OK(gbl_Vector_wait(o->v, GBL_MATERIALIZE));
}

/* The entries that the dense matrix has, and no others. */
static void expect_huge(const o_Matrix *D, const w_Object *o, const t_Scatter *rows,
                        const t_Scatter *cols, double tolerance) {
    gbl_Index n = 0;
    if (o->is_matrix)
        OK(gbl_Matrix_nvals(&n, o->A));
    else
        OK(gbl_Vector_nvals(&n, o->v));
    CHECK_EQ(n, o_count(D));
    for (gbl_Index p = 0; p < D->nrows * D->ncols; p++) {
        const gbl_Index i = p / D->ncols, j = p % D->ncols;
        o_Value x;
        memset(&x, 0, sizeof x);
        if (!D->x[p].has) continue;
        OK(o->is_matrix ? t_get_matrix(&x, D->type, o->A, rows->at[i], cols->at[j])
                        : t_get_vector(&x, D->type, o->v, rows->at[i]));
        CHECK(o_close(D->type, &x, &D->x[p].v, tolerance));
    }
}
