/* SPDX-License-Identifier: Apache-2.0
 *
 * Products, updates, element-wise operations, transposes, reductions and Kronecker products,
 * lifted.
 *
 * A product whose multiplication works by position is one with FIRST or SECOND instead, of a factor
 * whose values are its true indices: compact matrices do not know them.
 */
#include "core/memory.h"
#include "core/tune.h"
#include "hyper/hyper.h"
#include "hyper/lift.h"
#include "mxm/estimate/estimate.h"
#include "mxm/model/ring.h"
#include "ops/transpose.h"
#include "ops/update.h"
#include "semiring/objects.h"

static const gb_Mask no_mask = {0};

/* -- multiplication by position */

typedef struct {
    gb_Matrix *factor; /* stands for the left factor, or the right one */
    bool is_left;
    gb_Semiring *ring;
} gb_ByIndex;

static void release_by_index(gb_ByIndex *by) {
    gb_matrix_free(by->factor);
    if (by->ring != NULL) gb_semiring_release(by->ring);
}

/* X, of which rows (or columns) are wanted, is the left factor, or the right one. */
static gbl_Info index_factor(gb_ByIndex *by, const gb_Semiring *ring, gb_Matrix *X, bool of_rows) {
    gb_Type *const type = ring->multiply->ztype;
    const bool is_long = type->code == GBL_INT64_CODE;
    gb_BinaryOp *const first = is_long ? GB_BINARY(FIRST, INT64) : GB_BINARY(FIRST, INT32);
    gb_BinaryOp *const second = is_long ? GB_BINARY(SECOND, INT64) : GB_BINARY(SECOND, INT32);
    const gbl_Info info = gb_hyper_indices(&by->factor, X, type, of_rows);
    if (info != GBL_SUCCESS) return info;
    by->ring = gb_semiring_make(ring->add, by->is_left ? first : second);
    return by->ring != NULL ? GBL_SUCCESS : GBL_OUT_OF_MEMORY;
}

static gbl_Info mxm_by_index(gb_ByIndex *by, const gb_MxmCall *call) {
    const gb_Opcode code = call->ring->multiply->code;
    by->is_left = code == GB_FIRSTI || code == GB_FIRSTJ;
    const bool of_rows = code == GB_FIRSTI || code == GB_SECONDI;
    return index_factor(by, call->ring, by->is_left ? call->A : call->B,
                        of_rows != (by->is_left ? call->transpose_a : call->transpose_b));
}

/* The vector's place is the inner index, which the matrix has too. */
static gbl_Info mxv_by_index(gb_ByIndex *by, const gb_MxvCall *call) {
    const gb_Opcode code = call->ring->multiply->code;
    const bool inner = code == GB_FIRSTJ || code == GB_SECONDI;
    by->is_left = !call->u_is_left;
    const bool of_rows = inner == call->u_is_left;
    return index_factor(by, call->ring, call->A, of_rows != call->transpose);
}

/* -- products */

static void lift_factors(gb_Lift *lift, const gb_MxmCall *call) {
    const gb_Dimension rows = GB_DIM_ROWS, inner = GB_DIM_INNER, cols = GB_DIM_COLS;
    gb_lift_output(lift, call->C, &call->mask, call->accum);
    gb_lift_input(lift, GB_OF_A, call->A, call->transpose_a ? inner : rows,
                  call->transpose_a ? rows : inner);
    gb_lift_input(lift, GB_OF_B, call->B, call->transpose_b ? cols : inner,
                  call->transpose_b ? inner : cols);
}

static gb_ReportedShape shape_of(const gb_MxmCall *call) {
    return (gb_ReportedShape){gb_nmajor(call->A, gb_rows_of_a(call)),
                              gb_nminor(call->A, gb_rows_of_a(call)),
                              gb_nminor(call->B, gb_rows_of_b(call))};
}

static gb_MxmCall core_call(const gb_Lift *lift, const gb_MxmCall *call,
                            const gb_ReportedShape *told) {
    gb_MxmCall core = *call;
    core.told = told;
    core.C = gb_core(lift, GB_OF_C);
    core.A = gb_core(lift, GB_OF_A);
    core.B = gb_core(lift, GB_OF_B);
    core.mask = lift->core_mask;
    return core;
}

/* A filter that looks at positions. */
typedef struct {
    gb_NamedOp op;
    gb_RowFilter filter;
} gb_NamedFilter;

static void name_filter(gb_NamedFilter *named, gb_MxmCall *core, const gb_Lift *lift) {
    const gb_RowFilter *filter = core->filter;
    if (filter == NULL || filter->op == NULL || !gb_sees_positions(filter->op)) return;
    named->op = gb_name_op(filter->op, lift->axis[GB_DIM_ROWS], lift->axis[GB_DIM_COLS]);
    named->filter = *filter;
    named->filter.op = &named->op.op;
    core->filter = &named->filter;
}

/* C is there, or fold. */
static gbl_Info lift_mxm(const gb_MxmCall *asked, gb_Folding *fold) {
    gb_MxmCall call = *asked;
    gb_ByIndex by = {0};
    gb_Lift lift;
    gbl_Info info = GBL_SUCCESS;
    if (gb_binary_is_positional(call.ring->multiply)) {
        info = mxm_by_index(&by, asked);
        if (by.is_left)
            call.A = by.factor;
        else
            call.B = by.factor;
        call.ring = by.ring;
    }
    if (info == GBL_SUCCESS) {
        lift_factors(&lift, &call);
        info = gb_lift_begin(&lift);
        const gb_ReportedShape told = shape_of(&call);
        gb_MxmCall core = core_call(&lift, &call, &told);
        gb_NamedFilter named;
        if (info == GBL_SUCCESS) name_filter(&named, &core, &lift);
        if (info == GBL_SUCCESS) info = fold != NULL ? gb_mxm_reduce(&core, fold) : gb_mxm(&core);
        info = gb_lift_end(&lift, info);
    }
    release_by_index(&by);
    return info;
}

gbl_Info gb_lifted_mxm(const gb_MxmCall *call) {
    if (!gb_any_hyper(call->C, &call->mask, call->A, call->B)) return gb_mxm(call);
    const gbl_Info info = gb_mxm_check(call);
    return info == GBL_SUCCESS ? lift_mxm(call, NULL) : info;
}

gbl_Info gb_lifted_mxm_later(const gb_MxmCall *call) {
    gbl_Info info = GBL_SUCCESS;
    bool deferred = false;
    if (gb_may_defer(call) && !gb_any_hyper(call->C, &call->mask, call->A, call->B))
        info = gb_mxm_defer(call, &deferred);
    if (info != GBL_SUCCESS || deferred) return info;
    info = gb_complete(call->C);
    return info == GBL_SUCCESS ? gb_lifted_mxm(call) : info;
}

gbl_Info gb_lifted_mxm_reduce(const gb_MxmCall *call, gb_Folding *fold) {
    if (!gb_any_hyper(NULL, &call->mask, call->A, call->B)) return gb_mxm_reduce(call, fold);
    gb_MxmCall whole = *call; /* for the checks: the product as if it were stored */
    gbl_Info info = gb_matrix_new(&whole.C, GB_MAGIC_MATRIX, call->ring->add->op->ztype,
                                  gb_nmajor(call->A, gb_rows_of_a(call)),
                                  gb_nminor(call->B, gb_rows_of_b(call)));
    if (info == GBL_SUCCESS) info = gb_mxm_check(&whole);
    gb_matrix_free(whole.C);
    return info == GBL_SUCCESS ? lift_mxm(call, fold) : info;
}

gbl_Info gb_lifted_mxm_plan(gbl_Explanation *why, const gb_MxmCall *call) {
    if (!gb_any_hyper(call->C, &call->mask, call->A, call->B)) return gb_mxm_plan(why, call);
    gb_Lift lift;
    gbl_Info info = gb_mxm_check(call);
    if (info != GBL_SUCCESS) return info;
    lift_factors(&lift, call);
    info = gb_lift_begin(&lift);
    const gb_ReportedShape told = shape_of(call);
    const gb_MxmCall core = core_call(&lift, call, &told);
    if (info == GBL_SUCCESS) info = gb_mxm_plan(why, &core);
    lift.operand[GB_OF_C].object = NULL; /* nothing was written */
    return gb_lift_end(&lift, info);
}

gbl_Info gb_lifted_mxm_estimate(gbl_MxmEstimate *estimate, const gb_MxmCall *call) {
    if (!gb_any_hyper(NULL, &no_mask, call->A, call->B)) return gb_mxm_estimate(estimate, call);
    gb_Lift lift;
    gbl_Info info = gb_check_inner(call);
    if (info != GBL_SUCCESS) return info;
    lift_factors(&lift, call);
    info = gb_lift_begin(&lift);
    const gb_ReportedShape told = shape_of(call);
    const gb_MxmCall core = core_call(&lift, call, &told);
    if (info == GBL_SUCCESS) info = gb_mxm_estimate(estimate, &core);
    estimate->nrows = told.nrows;
    estimate->ncols = told.ncols;
    return gb_lift_end(&lift, info);
}

/* -- updates that tell what they have changed: w stays dense on its axis, so that a step costs what
 * its u has while that has no index that w never had. `changed` is made beside what it was and
 * replaced last, after all that can fail */

/* *fresh: a vector like `changed`, whose compact form is empty and has the axis of the rows. */
static gbl_Info new_changes(gb_Matrix **fresh, const gb_Matrix *changed, const gb_Lift *lift) {
    const gb_RowLists axes = {lift->axis[GB_DIM_ROWS], NULL};
    gb_Matrix *core = NULL;
    gb_Hyper *hyper = NULL;
    gbl_Info info = gb_matrix_new(fresh, GB_MAGIC_VECTOR, changed->type, changed->nrows, 1);
    if (info == GBL_SUCCESS) info = gb_compact_new(&core, changed, changed->type, &axes);
    if (info != GBL_SUCCESS) return info;
    hyper = gb_malloc(sizeof *hyper);
    if (hyper == NULL) {
        gb_matrix_free(core);
        return gb_fail_memory(sizeof *hyper);
    }
    *hyper = (gb_Hyper){gb_row_list_retain(axes.rows), NULL, core};
    gb_matrix_swap_hyper(*fresh, hyper);
    return GBL_SUCCESS;
}

/* The lift has w as its output. info: what the operation on the compact forms gave. */
static gbl_Info end_update(gb_Lift *lift, gb_Matrix *changed, gb_Matrix *fresh, gbl_Info info) {
    info = gb_lift_end(lift, info);
    if (info == GBL_SUCCESS) {
        gb_hyper_written(fresh);
        gb_matrix_move(changed, fresh);
        gb_matrix_set_note(changed, fresh->note);
        fresh->note = (gb_Note){0};
    }
    gb_matrix_free(fresh);
    return info;
}

gbl_Info gb_lifted_update(gb_Matrix *w, gb_Matrix *changed, const gb_BinaryOp *accum,
                          gb_Matrix *u) {
    if (!gb_is_huge(w)) return gb_update_vector(w, changed, accum, u);
    gb_Matrix *fresh = NULL;
    gb_Lift lift;
    gb_lift_output(&lift, w, &no_mask, accum);
    lift.keeps = true;
    gb_lift_input(&lift, GB_OF_B, u, GB_DIM_ROWS, GB_DIM_ONE);
    gbl_Info info = gb_lift_begin(&lift);
    if (info == GBL_SUCCESS) info = new_changes(&fresh, changed, &lift);
    if (info == GBL_SUCCESS)
        info = gb_update_vector(gb_core(&lift, GB_OF_C), fresh->hyper->core, accum,
                                gb_core(&lift, GB_OF_B));
    return end_update(&lift, changed, fresh, info);
}

/* -- products with vectors */

static void lift_factors_of_vector(gb_Lift *lift, const gb_MxvCall *call) {
    const bool turned = call->transpose != call->u_is_left;
    gb_lift_input(lift, GB_OF_A, call->A, turned ? GB_DIM_INNER : GB_DIM_ROWS,
                  turned ? GB_DIM_ROWS : GB_DIM_INNER);
    gb_lift_input(lift, GB_OF_B, call->u, GB_DIM_INNER, GB_DIM_ONE);
}

static gb_ReportedShape told_shape_of_vector(const gb_MxvCall *call) {
    const uint64_t n = call->w->nrows;
    return (gb_ReportedShape){call->u_is_left ? 1 : n, call->u->nrows, call->u_is_left ? n : 1};
}

static gbl_Info lift_mxv_update(const gb_MxvCall *call) {
    gb_Matrix *fresh = NULL;
    gb_Lift lift;
    gb_lift_output(&lift, call->best, &no_mask, NULL);
    lift.keeps = true;
    lift_factors_of_vector(&lift, call);
    gbl_Info info = gb_lift_begin(&lift);
    if (info == GBL_SUCCESS) info = new_changes(&fresh, call->w, &lift);
    if (info == GBL_SUCCESS) {
        const gb_ReportedShape told = told_shape_of_vector(call);
        gb_MxvCall core = *call;
        core.told = &told;
        core.w = fresh->hyper->core;
        core.best = gb_core(&lift, GB_OF_C);
        core.A = gb_core(&lift, GB_OF_A);
        core.u = gb_core(&lift, GB_OF_B);
        info = gb_mxv(&core);
    }
    return end_update(&lift, call->w, fresh, info);
}

static gbl_Info lift_mxv(const gb_MxvCall *call) {
    if (call->best != NULL) return lift_mxv_update(call);
    gb_Lift lift;
    gb_lift_output(&lift, call->w, &call->mask, call->accum);
    lift_factors_of_vector(&lift, call);
    gbl_Info info = gb_lift_begin(&lift);
    const gb_ReportedShape told = told_shape_of_vector(call);
    gb_MxvCall core = *call;
    core.told = &told;
    core.w = gb_core(&lift, GB_OF_C);
    core.A = gb_core(&lift, GB_OF_A);
    core.u = gb_core(&lift, GB_OF_B);
    core.mask = lift.core_mask;
    if (info == GBL_SUCCESS) info = gb_mxv(&core);
    return gb_lift_end(&lift, info);
}

/* The multiplication looks at indices; that of the vector's one row or column is 0, as in its
 * compact form. */
static bool sees_indices(const gb_MxvCall *call) {
    const gb_BinaryOp *multiply = call->ring->multiply;
    return gb_binary_is_positional(multiply) &&
           multiply->code != (call->u_is_left ? GB_FIRSTI : GB_SECONDJ);
}

gbl_Info gb_lifted_mxv(const gb_MxvCall *call) {
    if (!gb_any_hyper(call->w, &call->mask, call->A, call->u)) return gb_mxv(call);
    if (!gb_any_huge(call->w, &call->mask, call->A, call->u)) {
        const gbl_Info assembled = gb_assemble(call->u);
        if (assembled != GBL_SUCCESS) return assembled;
        if (gb_is_filled(call->u) || gb_is_filled(call->w) || call->best != NULL)
            return gb_mxv(call);
    }
    gbl_Info info = gb_mxv_check(call);
    if (info != GBL_SUCCESS || !sees_indices(call))
        return info == GBL_SUCCESS ? lift_mxv(call) : info;
    gb_ByIndex by = {0};
    gb_MxvCall by_value = *call;
    info = mxv_by_index(&by, call);
    by_value.A = by.factor;
    by_value.ring = by.ring;
    if (info == GBL_SUCCESS) info = lift_mxv(&by_value);
    release_by_index(&by);
    return info;
}

/* -- entry by entry */

gbl_Info gb_lifted_ewise(const gb_Ewise *call) {
    if (!gb_any_hyper(call->C, call->mask, call->A, call->B)) return gb_ewise(call);
    const gb_Dimension rows = GB_DIM_ROWS, cols = GB_DIM_COLS;
    const bool at = call->atransposed, bt = call->btransposed;
    gb_Lift lift;
    gb_lift_output(&lift, call->C, call->mask, call->accum);
    gb_lift_input(&lift, GB_OF_A, call->A, at ? cols : rows, at ? rows : cols);
    gb_lift_input(&lift, GB_OF_B, call->B, bt ? cols : rows, bt ? rows : cols);
    gbl_Info info = gb_lift_begin(&lift);
    gb_Ewise core = *call;
    core.C = gb_core(&lift, GB_OF_C);
    core.A = gb_core(&lift, GB_OF_A);
    core.B = gb_core(&lift, GB_OF_B);
    core.mask = &lift.core_mask;
    if (info == GBL_SUCCESS) info = gb_ewise(&core);
    return gb_lift_end(&lift, info);
}

gbl_Info gb_lifted_transpose(gb_Matrix *C, const gb_Mask *mask, const gb_BinaryOp *accum,
                             gb_Matrix *A, bool transpose) {
    if (!gb_any_hyper(C, mask, A, NULL))
        return gb_transpose("transpose", C, mask, accum, A, transpose);
    gb_Lift lift;
    gb_lift_output(&lift, C, mask, accum);
    gb_lift_input(&lift, GB_OF_A, A, transpose ? GB_DIM_COLS : GB_DIM_ROWS,
                  transpose ? GB_DIM_ROWS : GB_DIM_COLS);
    gbl_Info info = gb_lift_begin(&lift);
    if (info == GBL_SUCCESS)
        info = gb_transpose("transpose", gb_core(&lift, GB_OF_C), &lift.core_mask, accum,
                            gb_core(&lift, GB_OF_A), transpose);
    return gb_lift_end(&lift, info);
}

gbl_Info gb_lifted_write(gb_Matrix *C, const gb_Mask *mask, const gb_BinaryOp *accum,
                         gb_Matrix *T) {
    if (!gb_is_vector(C)) return gb_lifted_transpose(C, mask, accum, T, false);
    const gb_Assign copy = {.C = C,
                            .mask = mask,
                            .accum = accum,
                            .A = T,
                            .I = {.n = C->nrows, .all = true},
                            .J = {.n = 1, .all = true}};
    return gb_lifted_assign(&copy);
}

/* -- reductions */

gbl_Info gb_lifted_reduce_all(void *z, const gb_Fold *fold, gb_Matrix *A) {
    if (!gb_is_hyper(A)) return gb_reduce_all(z, fold, A);
    const gbl_Info info = gb_assemble(A);
    if (info != GBL_SUCCESS || A->nvals == 0) return info != GBL_SUCCESS ? info : GBL_NO_VALUE;
    return gb_reduce_all(z, fold, A->hyper->core);
}

gbl_Info gb_lifted_reduce_rows(gb_Matrix *w, const gb_Mask *mask, const gb_BinaryOp *accum,
                               const gb_Fold *fold, gb_Matrix *A, bool transpose) {
    if (!gb_any_hyper(w, mask, A, NULL)) return gb_reduce_rows(w, mask, accum, fold, A, transpose);
    if (!gb_any_huge(w, mask, A, NULL) && gb_is_filled(w))
        return gb_reduce_rows(w, mask, accum, fold, A, transpose);
    gb_Lift lift;
    gb_lift_output(&lift, w, mask, accum);
    gb_lift_input(&lift, GB_OF_A, A, transpose ? GB_DIM_INNER : GB_DIM_ROWS,
                  transpose ? GB_DIM_ROWS : GB_DIM_INNER);
    gbl_Info info = gb_lift_begin(&lift);
    if (info == GBL_SUCCESS)
        info = gb_reduce_rows(gb_core(&lift, GB_OF_C), &lift.core_mask, accum, fold,
                              gb_core(&lift, GB_OF_A), transpose);
    return gb_lift_end(&lift, info);
}

/* -- Kronecker products: axes are all pairs of indices, which ascend as pairs do */

static gbl_Info pairs(gb_RowList **axis, const gb_RowList *a, const gb_RowList *b, uint64_t nb) {
    uint64_t n;
    if (__builtin_mul_overflow(a->n, b->n, &n)) n = UINT64_MAX;
    const gbl_Info info = gb_row_list_new(axis, n);
    for (uint64_t k = 0; info == GBL_SUCCESS && k < a->n; k++)
        for (uint64_t l = 0; l < b->n; l++)
            (*axis)->index[k * b->n + l] = a->index[k] * nb + b->index[l];
    return info;
}

static gbl_Info pair_axes(gb_RowLists *axes, const gb_Kronecker *call, const gb_RowLists *a,
                          const gb_RowLists *b) {
    const bool at = call->atransposed, bt = call->btransposed;
    gbl_Info info = pairs(&axes->rows, at ? a->cols : a->rows, bt ? b->cols : b->rows,
                          bt ? call->B->ncols : call->B->nrows);
    if (info == GBL_SUCCESS)
        info = pairs(&axes->cols, at ? a->rows : a->cols, bt ? b->rows : b->cols,
                     bt ? call->B->nrows : call->B->ncols);
    return info;
}

/* T = the product of the factors on their own axes; T is empty. */
static gbl_Info multiply_pairs(gb_Matrix *T, const gb_Kronecker *call) {
    gb_RowLists a = {0}, b = {0}, axes = {0};
    gb_Compact A = {0}, B = {0};
    gb_Matrix *core = NULL;
    gbl_Info info = gb_row_lists_of(&a, call->A);
    if (info == GBL_SUCCESS) info = gb_row_lists_of(&b, call->B);
    if (info == GBL_SUCCESS) info = gb_compact_get(&A, call->A, &a, false);
    if (info == GBL_SUCCESS) info = gb_compact_get(&B, call->B, &b, false);
    if (info == GBL_SUCCESS) info = pair_axes(&axes, call, &a, &b);
    if (info == GBL_SUCCESS) info = gb_compact_new(&core, T, T->type, &axes);
    if (info == GBL_SUCCESS)
        info = gb_kronecker(&(gb_Kronecker){.C = core,
                                            .A = A.m,
                                            .B = B.m,
                                            .mask = &no_mask,
                                            .op = call->op,
                                            .atransposed = call->atransposed,
                                            .btransposed = call->btransposed});
    gb_compact_release(&A);
    gb_compact_release(&B);
    gb_row_lists_release(&a);
    gb_row_lists_release(&b);
    if (info == GBL_SUCCESS) return gb_hyper_set(T, &axes, core);
    gb_matrix_free(core);
    gb_row_lists_release(&axes);
    return info;
}

gbl_Info gb_lifted_kronecker(const gb_Kronecker *call) {
    gb_Matrix *T, *const C = call->C;
    if (!gb_any_hyper(C, call->mask, call->A, call->B)) return gb_kronecker(call);
    if (!gb_is_hyper(C) && !gb_any_hyper(NULL, call->mask, call->A, call->B) &&
        !gb_suits_hyper(C, call->A->nvals * call->B->nvals))
        return gb_kronecker(call);
    gbl_Info info = gb_assemble(call->A);
    if (info == GBL_SUCCESS) info = gb_assemble(call->B);
    if (info == GBL_SUCCESS)
        info = gb_matrix_new(&T, GB_MAGIC_MATRIX, call->op->ztype, call->C->nrows, call->C->ncols);
    if (info != GBL_SUCCESS) return info;
    info = multiply_pairs(T, call);
    if (info == GBL_SUCCESS) info = gb_lifted_write(call->C, call->mask, call->accum, T);
    gb_matrix_free(T);
    return info;
}
