/* SPDX-License-Identifier: Apache-2.0
 *
 * The operations of the walk (walk.h): what each is in the library, in the oracle and in
 * SuiteSparse:GraphBLAS. A new operation is two functions and a row of the table.
 */
#pragma once

#include "walk.h"

#define RUN(name, expression)                                                                      \
    static gbl_Info run_##name(const Walk *w) {                                                    \
        return expression;                                                                         \
    }
#define ORACLE(name, expression)                                                                   \
    static void oracle_##name(const Walk *w, o_Matrix *C) {                                        \
        expression;                                                                                \
    }
#define MATRICES w_matrix(w, ROLE_C), w_matrix(w, ROLE_M), w_accum(w)
#define VECTORS w_vector(w, ROLE_C), w_vector(w, ROLE_M), w_accum(w)
#define MATRIX_A w_matrix(w, ROLE_A)
#define MATRIX_B w_matrix(w, ROLE_B)
#define VECTOR_A w_vector(w, ROLE_A)
#define VECTOR_B w_vector(w, ROLE_B)
#define DENSE_A w_dense(w, ROLE_A)
#define DENSE_B w_dense(w, ROLE_B)
#define ROWS_LIST w_rows(w), w->I.n
#define COLUMNS_LIST w_columns(w), w->J.n

/* -- products */

RUN(mxm, gbl_mxm(MATRICES, w->ring.handle, MATRIX_A, MATRIX_B, w->desc))
RUN(mxv, gbl_mxv(VECTORS, w->ring.handle, MATRIX_A, VECTOR_B, w->desc))
RUN(vxm, gbl_vxm(VECTORS, w->ring.handle, VECTOR_A, MATRIX_B, w->desc))
ORACLE(mxm, o_mxm(C, &w->rule, &(o_Product){&w->ring, DENSE_A, DENSE_B, w->found}))

static gbl_Info run_chain(const Walk *w) {
    const gbl_Matrix factors[] = {MATRIX_A, MATRIX_B};
    return gbl_mxm_chain(MATRICES, w->ring.handle, factors, 2, w->desc);
}

/* Vectors are rows here: the same cells. */
static void oracle_vxm(const Walk *w, o_Matrix *C) {
    o_Rule rule = w->rule;
    o_Matrix row = o_as_row(C), a = o_as_row(DENSE_A), mask, found;
    if (rule.mask != NULL) {
        mask = o_as_row(rule.mask);
        rule.mask = &mask;
    }
    if (w->found != NULL) found = o_as_row(w->found);
    o_mxm(&row, &rule, &(o_Product){&w->ring, &a, DENSE_B, w->found == NULL ? NULL : &found});
}

/* -- entry by entry */

RUN(add, gbl_Matrix_eWiseAdd_BinaryOp(MATRICES, w->binary.handle, MATRIX_A, MATRIX_B, w->desc))
RUN(mult, gbl_Matrix_eWiseMult_BinaryOp(MATRICES, w->binary.handle, MATRIX_A, MATRIX_B, w->desc))
RUN(add_v, gbl_Vector_eWiseAdd_BinaryOp(VECTORS, w->binary.handle, VECTOR_A, VECTOR_B, w->desc))
RUN(mult_v, gbl_Vector_eWiseMult_BinaryOp(VECTORS, w->binary.handle, VECTOR_A, VECTOR_B, w->desc))
ORACLE(add, o_ewise(C, &w->rule, &w->binary, &(o_Pair){DENSE_A, DENSE_B, false}))
ORACLE(mult, o_ewise(C, &w->rule, &w->binary, &(o_Pair){DENSE_A, DENSE_B, true}))

RUN(apply, gbl_Matrix_apply(MATRICES, w->unary.handle, MATRIX_A, w->desc))
RUN(apply_v, gbl_Vector_apply(VECTORS, w->unary.handle, VECTOR_A, w->desc))
ORACLE(apply, o_apply(C, &w->rule, &w->unary, DENSE_A))

RUN(first,
    gbl_Matrix_apply_BinaryOp1st_Scalar(MATRICES, w->binary.handle, w->scalar, MATRIX_A, w->desc))
RUN(first_v,
    gbl_Vector_apply_BinaryOp1st_Scalar(VECTORS, w->binary.handle, w->scalar, VECTOR_A, w->desc))
ORACLE(first,
       o_apply_bound(C, &w->rule, &(o_Bound){&w->binary, true, w->value_type, w->value}, DENSE_A))
RUN(second,
    gbl_Matrix_apply_BinaryOp2nd_Scalar(MATRICES, w->binary.handle, MATRIX_A, w->scalar, w->desc))
RUN(second_v,
    gbl_Vector_apply_BinaryOp2nd_Scalar(VECTORS, w->binary.handle, VECTOR_A, w->scalar, w->desc))
ORACLE(second,
       o_apply_bound(C, &w->rule, &(o_Bound){&w->binary, false, w->value_type, w->value}, DENSE_A))
RUN(index, gbl_Matrix_apply_IndexOp_Scalar(MATRICES, w->index.handle, MATRIX_A, w->scalar, w->desc))
RUN(index_v,
    gbl_Vector_apply_IndexOp_Scalar(VECTORS, w->index.handle, VECTOR_A, w->scalar, w->desc))
ORACLE(index, o_apply_index(C, &w->rule, &(o_Indexed){&w->index, w->value_type, w->value}, DENSE_A))
RUN(select, gbl_Matrix_select_Scalar(MATRICES, w->index.handle, MATRIX_A, w->scalar, w->desc))
RUN(select_v, gbl_Vector_select_Scalar(VECTORS, w->index.handle, VECTOR_A, w->scalar, w->desc))
ORACLE(select, o_select(C, &w->rule, &(o_Indexed){&w->index, w->value_type, w->value}, DENSE_A))

/* -- places */

RUN(transpose, gbl_transpose(MATRICES, MATRIX_A, w->desc))
ORACLE(transpose, o_transpose(C, &w->rule, DENSE_A))

RUN(extract, gbl_Matrix_extract(MATRICES, MATRIX_A, ROWS_LIST, COLUMNS_LIST, w->desc))
ORACLE(extract, o_extract(C, &w->rule, &(o_Region){w->I.i, w->J.i, w->I.n, w->J.n}, DENSE_A))
RUN(extract_v, gbl_Vector_extract(VECTORS, VECTOR_A, ROWS_LIST, w->desc))
RUN(column, gbl_Col_extract(VECTORS, MATRIX_A, ROWS_LIST, w->wide_line, w->desc))
ORACLE(column, o_extract(C, &w->rule, &(o_Region){w->I.i, &w->line, w->I.n, 1}, DENSE_A))

static const gbl_Index zero;
ORACLE(extract_v, o_extract(C, &w->rule, &(o_Region){w->I.i, &zero, w->I.n, 1}, DENSE_A))

RUN(assign, gbl_Matrix_assign(MATRICES, MATRIX_A, ROWS_LIST, COLUMNS_LIST, w->desc))
ORACLE(assign, o_assign_at(C, &w->rule, &(o_Region){w->I.i, w->J.i, w->I.n, w->J.n}, DENSE_A))
RUN(assign_v, gbl_Vector_assign(VECTORS, VECTOR_A, ROWS_LIST, w->desc))
ORACLE(assign_v, o_assign_at(C, &w->rule, &(o_Region){w->I.i, &zero, w->I.n, 1}, DENSE_A))

/* A value is a matrix that is full of it, an empty scalar one without entries. */
static void assign_value(const Walk *w, o_Matrix *C, const gbl_Index *J, gbl_Index nj) {
    o_Matrix T = o_new(w->value_type, w->I.n, nj);
    for (gbl_Index p = 0; p < T.nrows * T.ncols; p++) T.x[p] = (o_Cell){!w->no_value, w->value};
    o_assign_at(C, &w->rule, &(o_Region){w->I.i, J, w->I.n, nj}, &T);
    o_free(&T);
}
RUN(value, gbl_Matrix_assign_Scalar(MATRICES, w->scalar, ROWS_LIST, COLUMNS_LIST, w->desc))
ORACLE(value, assign_value(w, C, w->J.i, w->J.n))
RUN(value_v, gbl_Vector_assign_Scalar(VECTORS, w->scalar, ROWS_LIST, w->desc))
ORACLE(value_v, assign_value(w, C, &zero, 1))

/* Backwards, from a place that the case tells. */
static gbl_Index permuted(const Walk *w, gbl_Index i) {
    const gbl_Index n = w->axis[0].small;
    return (n - 1 - i + w->seed / 7) % n;
}
static gbl_Info run_permute(const Walk *w) {
    gbl_Vector p = t_new_vector(GBL_UINT32, w->axis[0].small);
    for (gbl_Index k = 0; k < w->axis[0].small; k++)
        OK(gbl_Vector_setElement_UINT64(p, permuted(w, k), k));
    const gbl_Info info = gbl_Matrix_permute(MATRICES, NULL, MATRIX_A, p, 0, w->desc);
    OK(gbl_Vector_free(&p));
    return info;
}
static void oracle_permute(const Walk *w, o_Matrix *C) {
    gbl_Index list[T_HUGE_MOST];
    for (gbl_Index k = 0; k < C->nrows; k++) list[k] = permuted(w, k);
    o_extract(C, &w->rule, &(o_Region){list, list, C->nrows, C->nrows}, DENSE_A);
}

#define LINE w_matrix(w, ROLE_C), w_vector(w, ROLE_M), w_accum(w), VECTOR_B
RUN(row, gbl_Row_assign(LINE, w->wide_line, COLUMNS_LIST, w->desc))
ORACLE(row, o_assign_line(C, &w->rule, &(o_Line){true, w->line, w->J.i, w->J.n}, DENSE_B))
RUN(line, gbl_Col_assign(LINE, ROWS_LIST, w->wide_line, w->desc))
ORACLE(line, o_assign_line(C, &w->rule, &(o_Line){false, w->line, w->I.i, w->I.n}, DENSE_B))

RUN(kronecker,
    gbl_Matrix_kronecker_BinaryOp(MATRICES, w->binary.handle, MATRIX_A, MATRIX_B, w->desc))
ORACLE(kronecker, o_kronecker(C, &w->rule, &w->binary, &(o_Pair){DENSE_A, DENSE_B, true}))

/* -- reductions */

RUN(rows, gbl_Matrix_reduce_Monoid(VECTORS, w->monoid.handle, MATRIX_A, w->desc))
ORACLE(rows, o_reduce_rows(C, &w->rule, &w->monoid.op, DENSE_A))

/* A vector of one element stands for the scalar. */
static gbl_Info reduce(const Walk *w, bool matrix) {
    gbl_Vector c = w_vector(w, ROLE_C);
    gbl_Scalar s = t_scalar(w->role[ROLE_C]->D.type, NULL);
    OK(gbl_Vector_extractElement_Scalar(s, c, 0));
    const gbl_Info info =
        matrix
            ? gbl_Matrix_reduce_Monoid_Scalar(s, w_accum(w), w->monoid.handle, MATRIX_A, w->desc)
            : gbl_Vector_reduce_Monoid_Scalar(s, w_accum(w), w->monoid.handle, VECTOR_A, w->desc);
    OK(gbl_Vector_setElement_Scalar(c, s, 0));
    OK(gbl_Scalar_free(&s));
    return info;
}
RUN(reduce, reduce(w, true))
RUN(reduce_v, reduce(w, false))
static void oracle_reduce(const Walk *w, o_Matrix *C) {
    o_Matrix T = o_new(w->monoid.op.z, 1, 1);
    o_Rule rule = w->rule; /* a transposed A has the same entries, but T has one cell */
    rule.tran0 = false;
    T.x[0] = o_reduce(&w->monoid.op, DENSE_A);
    o_assign(C, &rule, &T);
    o_free(&T);
}

RUN(degrees, gbl_Matrix_degrees(VECTORS, MATRIX_A, w->desc))
static void oracle_degrees(const Walk *w, o_Matrix *C) {
    const o_Matrix *A = DENSE_A;
    o_Matrix T = o_new(o_type(GBL_INT64_CODE), C->nrows, 1);
    o_Rule rule = w->rule;
    rule.tran0 = false;
    for (gbl_Index i = 0; i < T.nrows; i++) T.x[i].has = true;
    for (gbl_Index p = 0; p < A->nrows * A->ncols; p++)
        T.x[w->rule.tran0 ? p % A->ncols : p / A->ncols].v.i64 += A->x[p].has;
    o_assign(C, &rule, &T);
    o_free(&T);
}

/* -- order */

/* Ascending or descending, as the case tells. */
static o_Binary order_of(const Walk *w) {
    const bool is_complex = w->type.code >= GBL_FC32_CODE; /* sorted by real parts */
    return t_find_binary(w->seed / 7 % 2 ? O_LT : O_GT, is_complex ? GBL_FP64_CODE : w->type.code);
}
RUN(sort, gbl_Vector_sort(w_vector(w, ROLE_C), NULL, order_of(w).handle, VECTOR_A, w->desc))
RUN(sort_places, gbl_Vector_sort(NULL, w_vector(w, ROLE_C), order_of(w).handle, VECTOR_A, w->desc))

/* C = the values of A, or their places, by insertion behind those that do not follow. */
static void sort_by_insertion(const Walk *w, o_Matrix *C, bool of_places) {
    const o_Binary before = order_of(w);
    const o_Matrix *A = DENSE_A;
    gbl_Index at[T_HUGE_MOST], n = 0;
    for (gbl_Index k = 0; k < A->nrows; k++) {
        gbl_Index to = n;
        if (!A->x[k].has) continue;
        const o_Value x = o_cast(before.x, A->type, A->x[k].v);
        for (; to > 0; to--) {
            const o_Value y = o_cast(before.x, A->type, A->x[at[to - 1]].v);
            if (!o_binary(&before, x, y, (o_Place){0, 0, 0}).b) break;
            at[to] = at[to - 1];
        }
        at[to] = k;
        n++;
    }
    o_Matrix T = o_new(of_places ? o_type(GBL_UINT32_CODE) : A->type, C->nrows, 1);
    for (gbl_Index k = 0; k < n; k++) {
        T.x[k].has = true;
        if (of_places)
            T.x[k].v.u32 = (uint32_t)at[k];
        else
            T.x[k].v = A->x[at[k]].v;
    }
    o_assign(C, &(o_Rule){0}, &T);
    o_free(&T);
}
ORACLE(sort, sort_by_insertion(w, C, false))
ORACLE(sort_places, sort_by_insertion(w, C, true))

/* -- products with a filter of rows */

/* What is kept: nothing goes where the sum is over ANY, whose products the oracle looks up. */
typedef struct {
    o_Index op;
    gbl_Index most;
    bool filters;
} Filter;

static Filter filter_of(const Walk *w) {
    Filter f = {.filters = w->ring.add.op != O_ANY};
    size_t k = w->seed / 5 % t_index_count;
    while (t_indexes[k].type != w->ring.add.z.code || (w->huge && t_indexes[k].op < O_VALUEEQ))
        k = (k + 1) % t_index_count;
    f.op = t_index(&t_indexes[k]);
    const bool ordered = f.filters && w->ring.add.z.code < GBL_FC32_CODE;
    f.most = ordered ? w->seed / 3 % 5 : 0; /* 0: any number */
    return f;
}

static gbl_Info run_filtered(const Walk *w) {
    const Filter f = filter_of(w);
    gbl_RowFilter keep = GBL_ROW_FILTER_INIT;
    if (f.filters) keep.op = f.op.handle;
    keep.y = w->scalar;
    keep.most = f.most;
    return gbl_mxm_select(MATRICES, w->ring.handle, &keep, MATRIX_A, MATRIX_B, w->desc);
}

/* The smallest of more than `most` goes, of equal ones the last. */
static void drop_smallest(o_Matrix *T, gbl_Index i, gbl_Index most) {
    const o_Binary less = t_find_binary(O_LT, T->type.code);
    gbl_Index n = 0;
    for (gbl_Index j = 0; j < T->ncols; j++) n += T->x[i * T->ncols + j].has;
    for (; most > 0 && n > most; n--) {
        o_Cell *least = NULL;
        for (gbl_Index j = 0; j < T->ncols; j++) {
            o_Cell *cell = &T->x[i * T->ncols + j];
            if (!cell->has) continue;
            if (least == NULL || !o_binary(&less, least->v, cell->v, (o_Place){0, 0, 0}).b)
                least = cell;
        }
        least->has = false;
    }
}

static void oracle_filtered(const Walk *w, o_Matrix *C) {
    const Filter f = filter_of(w);
    if (!f.filters) {
        oracle_mxm(w, C);
        return;
    }
    o_Matrix T = o_new(w->ring.add.z, C->nrows, C->ncols);
    o_Rule product = w->rule, write = w->rule;
    product.accum = NULL;
    write.tran0 = write.tran1 = false;
    o_mxm(&T, &product, &(o_Product){&w->ring, DENSE_A, DENSE_B, w->found});
    if (f.filters) o_select(&T, &(o_Rule){0}, &(o_Indexed){&f.op, w->value_type, w->value}, &T);
    for (gbl_Index i = 0; f.most > 0 && i < T.nrows; i++) drop_smallest(&T, i, f.most);
    o_assign(C, &write, &T);
    o_free(&T);
}

/* -- the table */

#define PEER_CALL(name)                                                                            \
    static void peer_##name(const s_Lists *l) {                                                    \
        s_##name(&l->call);                                                                        \
    }
#ifdef HAVE_SUITESPARSE
PEER_CALL(mxm)
PEER_CALL(mxv)
PEER_CALL(vxm)
PEER_CALL(add)
PEER_CALL(mult)
PEER_CALL(apply)
PEER_CALL(apply_first)
PEER_CALL(apply_second)
PEER_CALL(apply_index)
PEER_CALL(select)
PEER_CALL(transpose)
PEER_CALL(kronecker)
PEER_CALL(reduce_rows)
#define PEER(name) name
#else
#define PEER(name) NULL
#endif

enum { LISTS = TAKES_ROWS | TAKES_COLUMNS };
static const w_Operation operations[] = {
    {"mxm", "02 02 01 12", RINGS, "01", 0, run_mxm, oracle_mxm, PEER(peer_mxm)},
    {"chain", "02 02 01 12", RINGS, "", 0, run_chain, oracle_mxm, PEER(peer_mxm)},
    {"mxv", "0. 0. 01 1.", RINGS, "0", 0, run_mxv, oracle_mxm, PEER(peer_mxv)},
    {"vxm", "2. 2. 1. 12", RINGS, ".1", 0, run_vxm, oracle_vxm, PEER(peer_vxm)},
    {"add", "02 02 02 02", BINARIES, "01", 0, run_add, oracle_add, PEER(peer_add)},
    {"mult", "02 02 02 02", BINARIES, "01", 0, run_mult, oracle_mult, PEER(peer_mult)},
    {"add vectors", "0. 0. 0. 0.", BINARIES, "", 0, run_add_v, oracle_add, PEER(peer_add)},
    {"mult vectors", "0. 0. 0. 0.", BINARIES, "", 0, run_mult_v, oracle_mult, PEER(peer_mult)},
    {"apply", "02 02 02 --", UNARIES, "0", 0, run_apply, oracle_apply, PEER(peer_apply)},
    {"apply vector", "0. 0. 0. --", UNARIES, "", 0, run_apply_v, oracle_apply, PEER(peer_apply)},
    {"first", "02 02 02 --", BINARIES, "1", TAKES_VALUE, run_first, oracle_first,
     PEER(peer_apply_first)},
    {"first vector", "0. 0. 0. --", BINARIES, "", TAKES_VALUE, run_first_v, oracle_first,
     PEER(peer_apply_first)},
    {"second", "02 02 02 --", BINARIES, "0", TAKES_VALUE, run_second, oracle_second,
     PEER(peer_apply_second)},
    {"second vector", "0. 0. 0. --", BINARIES, "", TAKES_VALUE, run_second_v, oracle_second,
     PEER(peer_apply_second)},
    {"index", "02 02 02 --", INDEXES, "0", TAKES_VALUE, run_index, oracle_index,
     PEER(peer_apply_index)},
    {"index vector", "0. 0. 0. --", INDEXES, "", TAKES_VALUE, run_index_v, oracle_index,
     PEER(peer_apply_index)},
    {"select", "02 02 02 --", INDEXES, "0", TAKES_VALUE, run_select, oracle_select,
     PEER(peer_select)},
    {"select vector", "0. 0. 0. --", INDEXES, "", TAKES_VALUE, run_select_v, oracle_select,
     PEER(peer_select)},
    {"transpose", "20 20 02 --", NO_OP, "0", 0, run_transpose, oracle_transpose,
     PEER(peer_transpose)},
    {"extract", "13 13 02 --", NO_OP, "0", LISTS | REPEATS, run_extract, oracle_extract,
     PEER(s_extract)},
    {"extract vector", "1. 1. 0. --", NO_OP, "", TAKES_ROWS | REPEATS, run_extract_v,
     oracle_extract_v, NULL},
    {"extract column", "1. 1. 02 --", NO_OP, "0", TAKES_ROWS | REPEATS | TAKES_LINE, run_column,
     oracle_column, PEER(s_extract_column)},
    {"assign", "02 02 13 --", NO_OP, "0", LISTS, run_assign, oracle_assign, PEER(s_assign_at)},
    {"assign vector", "0. 0. 1. --", NO_OP, "", TAKES_ROWS, run_assign_v, oracle_assign_v, NULL},
    {"assign value", "02 02 -- --", NO_OP, "", LISTS | TAKES_VALUE, run_value, oracle_value,
     PEER(s_assign_value_at)},
    {"assign value to vector", "0. 0. -- --", NO_OP, "", TAKES_ROWS | TAKES_VALUE, run_value_v,
     oracle_value_v, NULL},
    {"assign row", "02 2. -- 3.", NO_OP, "", TAKES_COLUMNS | TAKES_LINE, run_row, oracle_row,
     PEER(s_assign_row)},
    {"assign column", "02 0. -- 1.", NO_OP, "", TAKES_ROWS | TAKES_LINE, run_line, oracle_line,
     PEER(s_assign_column)},
    {"kronecker", "45 45 01 23", BINARIES, "01", STAYS_SMALL, run_kronecker, oracle_kronecker,
     PEER(peer_kronecker)},
    {"permute", "00 00 00 --", NO_OP, "0", STAYS_SMALL, run_permute, oracle_permute, NULL},
    {"reduce rows", "0. 0. 02 --", MONOIDS, "0", 0, run_rows, oracle_rows, PEER(peer_reduce_rows)},
    {"reduce", "6. -- 02 --", MONOIDS, "0", UNMASKED, run_reduce, oracle_reduce, NULL},
    {"reduce vector", "6. -- 0. --", MONOIDS, "", UNMASKED, run_reduce_v, oracle_reduce, NULL},
    {"sort", "0. -- 0. --", NO_OP, "", STAYS_SMALL | UNMASKED | BUILT_IN, run_sort, oracle_sort,
     NULL},
    {"sort places", "0. -- 0. --", NO_OP, "", STAYS_SMALL | UNMASKED | BUILT_IN, run_sort_places,
     oracle_sort_places, NULL},
    {"mxm and row filter", "02 02 01 12", RINGS, "01", TAKES_VALUE | BUILT_IN, run_filtered,
     oracle_filtered, NULL},
    {"degrees", "0. 0. 02 --", NO_OP, "0", STAYS_SMALL, run_degrees, oracle_degrees, NULL},
};
