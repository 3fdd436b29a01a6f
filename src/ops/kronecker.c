/* SPDX-License-Identifier: Apache-2.0
 *
 * kronecker. Both factors are read by rows, or both by columns where that takes fewer conversions;
 * the result has the same form; a mask of few entries is looked up. Row lists of a hypersparse
 * product are all pairs of indices, in ascending order of pairs.
 */
#include "matrix/updates.h"
#include "ops/entry_list.h"
#include "ops/operations.h"

static uint64_t rows_of(const gb_Matrix *A, bool transposed) {
    return transposed ? A->ncols : A->nrows;
}

/* The product of two dimensions; any that is too large is larger than a dimension can be. */
static uint64_t times(uint64_t a, uint64_t b) {
    uint64_t product;
    return __builtin_mul_overflow(a, b, &product) ? UINT64_MAX : product;
}

static gbl_Info check(const void *asked) {
    const gb_Kronecker *call = asked;
    const gb_BinaryOp *op = call->op;
    const gb_Matrix *C = call->C, *A = call->A, *B = call->B;
    const bool at = call->atransposed, bt = call->btransposed;
    const uint64_t m = times(rows_of(A, at), rows_of(B, bt));
    const uint64_t n = times(rows_of(A, !at), rows_of(B, !bt));
    gbl_Info info = gb_check_cast(op->xtype, A->type, "A into op's first argument");
    if (info == GBL_SUCCESS)
        info = gb_check_cast(op->ytype, B->type, "B into op's second argument");
    if (info == GBL_SUCCESS) info = gb_check_output(C, &call->mask, call->accum, op->ztype);
    if (info != GBL_SUCCESS || (C->nrows == m && C->ncols == n)) return info;
    return gb_fail(GBL_DIMENSION_MISMATCH,
                   "C is %llu x %llu, but the product of a %llu x %llu and a %llu x %llu matrix "
                   "must have their rows and their columns multiplied",
                   (unsigned long long)C->nrows, (unsigned long long)C->ncols,
                   (unsigned long long)rows_of(A, at), (unsigned long long)rows_of(A, !at),
                   (unsigned long long)rows_of(B, bt), (unsigned long long)rows_of(B, !bt));
}

static uint64_t entries_to_convert(const gb_Kronecker *call, gb_Format format) {
    const unsigned a = gb_has_bit(gb_turned(format, call->atransposed));
    const unsigned b = gb_has_bit(gb_turned(format, call->btransposed));
    return (gb_has(call->A) & a ? 0 : call->A->nvals) + (gb_has(call->B) & b ? 0 : call->B->nvals);
}

static gbl_Info multiply(const gb_Kronecker *call, gb_Result *T) {
    gb_KroneckerArgs args = {
        .xtype = call->A->type, .ytype = call->B->type, .op = call->op, .nthreads = gb_nthreads()};
    const bool by_columns = entries_to_convert(call, GB_CSC) < entries_to_convert(call, GB_CSR);
    T->format = by_columns ? GB_CSC : GB_CSR;
    gbl_Info info = gb_acquire_sorted(call->A, gb_turned(T->format, call->atransposed), &args.A);
    if (info == GBL_SUCCESS)
        info = gb_acquire_sorted(call->B, gb_turned(T->format, call->btransposed), &args.B);
    if (info == GBL_SUCCESS) info = gb_backend()->kronecker(&args, &T->cs);
    return info;
}

/* -- inside a mask of few entries: two look-ups for each, beside updates that wait */

static bool is_narrow(const gb_Kronecker *call) {
    const gb_Mask *mask = &call->mask;
    const gb_BinaryOp *op = call->op;
    return mask->M != NULL && !mask->complement &&
           mask->M->nvals + gb_pending_count(mask->M) <
               times(call->A->nvals, call->B->nvals) / GB_FEW_EDITS &&
           !gb_binary_is_positional(op) && op->xtype->code != GBL_UDT_CODE &&
           op->ytype->code != GBL_UDT_CODE;
}

/* *z = op of the entries that meet at (i, j), if both are there. */
static gbl_Info multiply_at(const gb_Kronecker *call, uint64_t i, uint64_t j, void *z,
                            bool *exists) {
    gb_Matrix *const A = call->A, *const B = call->B;
    const bool at = call->atransposed, bt = call->btransposed;
    const uint64_t m = rows_of(B, bt), n = rows_of(B, !bt), ai = i / m, aj = j / n;
    const void *a = NULL, *b = NULL;
    gb_Builtin x, y;
    gbl_Info info = gb_element_find(A, at ? aj : ai, at ? ai : aj, &a);
    if (info == GBL_SUCCESS) info = gb_element_find(B, bt ? j % n : i % m, bt ? i % m : j % n, &b);
    *exists = a != NULL && b != NULL;
    if (!*exists) return info;
    gb_cast(call->op->xtype, &x, A->type, a, 1, 1);
    gb_cast(call->op->ytype, &y, B->type, b, 1, 1);
    call->op->scalar(z, &x, &y);
    return GBL_SUCCESS;
}

static gbl_Info few(const gb_Op *op, const void *asked, bool *done) {
    const gb_Kronecker *call = asked;
    const gb_Mask *mask = &call->mask;
    (void)op;
    *done = is_narrow(call);
    if (!*done) return GBL_SUCCESS;
    gb_Matrix *T = NULL;
    gb_EntryList m = {0}, t = {0};
    const gb_Type *of = mask->structural ? mask->M->type : gb_type_of(GBL_BOOL_CODE);
    gbl_Info info = gb_assemble(mask->M);
    if (info == GBL_SUCCESS) info = gb_entry_list_of(&m, mask->M, of);
    if (info == GBL_SUCCESS) info = gb_entry_list_new(&t, m.n, false, call->op->ztype);
    uint64_t n = 0;
    for (uint64_t k = 0; info == GBL_SUCCESS && k < m.n; k++) {
        bool exists = mask->structural || m.X[k];
        if (exists) info = multiply_at(call, m.I[k], m.J[k], t.X + n * t.type->size, &exists);
        t.I[n] = m.I[k];
        t.J[n] = m.J[k];
        n += exists;
    }
    t.n = n;
    if (info == GBL_SUCCESS) info = gb_entry_list_to(&T, call->C, call->op->ztype, &t, NULL);
    gb_entry_list_release(&m);
    gb_entry_list_release(&t);
    return gb_write_and_free(call->C, mask, call->accum, T, info);
}

static gbl_Info kronecker_host(const void *asked) {
    const gb_Kronecker *call = asked;
    const gb_Mask *mask = &call->mask;
    gb_Result T = {.type = call->op->ztype, .format = GB_CSR};
    gbl_Info info = gb_assemble(call->A);
    if (info == GBL_SUCCESS) info = gb_assemble(call->B);
    if (info == GBL_SUCCESS && mask->M != NULL) info = gb_assemble(mask->M);
    if (info != GBL_SUCCESS) return info;
    const bool empty = call->A->nvals == 0 || call->B->nvals == 0;
    if (!empty && !gb_mask_allows_none(mask)) info = multiply(call, &T);
    return gb_finish_if(info, call->C, mask, call->accum, &T);
}

/* -- hypersparse */

static gbl_Info pair_indices(gb_RowList **list, const gb_RowList *a, const gb_RowList *b,
                             uint64_t nb) {
    const gbl_Info info = gb_row_list_new(list, times(a->n, b->n));
    for (uint64_t k = 0; info == GBL_SUCCESS && k < a->n; k++)
        for (uint64_t l = 0; l < b->n; l++)
            (*list)->index[k * b->n + l] = a->index[k] * nb + b->index[l];
    return info;
}

static gbl_Info pair_lists(gb_RowLists *lists, const gb_Kronecker *call, const gb_RowLists *a,
                           const gb_RowLists *b) {
    const bool at = call->atransposed, bt = call->btransposed;
    gbl_Info info = pair_indices(&lists->rows, at ? a->cols : a->rows, bt ? b->cols : b->rows,
                                 bt ? call->B->ncols : call->B->nrows);
    if (info == GBL_SUCCESS)
        info = pair_indices(&lists->cols, at ? a->rows : a->cols, bt ? b->rows : b->cols,
                            bt ? call->B->nrows : call->B->ncols);
    return info;
}

/* T = the product of the factors on their own row lists; T is empty. */
static gbl_Info multiply_pairs(gb_Matrix *T, const gb_Kronecker *call) {
    gb_RowLists a = {0}, b = {0}, lists = {0};
    gb_Compact A = {0}, B = {0};
    gb_Matrix *core = NULL;
    gbl_Info info = gb_row_lists_of(&a, call->A);
    if (info == GBL_SUCCESS) info = gb_row_lists_of(&b, call->B);
    if (info == GBL_SUCCESS) info = gb_compact_get(&A, call->A, &a, false);
    if (info == GBL_SUCCESS) info = gb_compact_get(&B, call->B, &b, false);
    if (info == GBL_SUCCESS) info = pair_lists(&lists, call, &a, &b);
    if (info == GBL_SUCCESS) info = gb_compact_new(&core, T, T->type, &lists);
    if (info == GBL_SUCCESS)
        info = kronecker_host(&(gb_Kronecker){.C = core,
                                              .A = A.m,
                                              .B = B.m,
                                              .op = call->op,
                                              .atransposed = call->atransposed,
                                              .btransposed = call->btransposed});
    gb_compact_release(&A);
    gb_compact_release(&B);
    gb_row_lists_release(&a);
    gb_row_lists_release(&b);
    return gb_hyper_set_if(info, T, &lists, core);
}

static gbl_Info kronecker_hyper(const void *asked) {
    const gb_Kronecker *call = asked;
    gb_Matrix *T = NULL, *const C = call->C;
    gbl_Info info = gb_assemble(call->A);
    if (info == GBL_SUCCESS) info = gb_assemble(call->B);
    if (info != GBL_SUCCESS) return info;
    if (!gb_is_hyper(C) && !gb_any_hyper(NULL, call->mask.M, call->A, call->B) &&
        !gb_suits_hyper(C, call->A->nvals * call->B->nvals))
        return kronecker_host(call);
    info = gb_matrix_new(&T, GB_MAGIC_MATRIX, call->op->ztype, C->nrows, C->ncols);
    if (info == GBL_SUCCESS) info = multiply_pairs(T, call);
    return gb_write_and_free(C, &call->mask, call->accum, T, info);
}

const gb_Op gb_op_kronecker = {GB_OP("kronecker", gb_Kronecker),
                               .A = GB_INPUT_TRANSPOSED(gb_Kronecker, A, atransposed, ROWS, COLS),
                               .B = GB_INPUT_TRANSPOSED(gb_Kronecker, B, btransposed, ROWS, COLS),
                               .check = check,
                               .full_iso = gb_kronecker_full_iso,
                               .few = few,
                               .hyper = kronecker_hyper,
                               .host = kronecker_host};
