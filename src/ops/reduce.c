/* SPDX-License-Identifier: Apache-2.0
 *
 * reduce. Results do not depend on which representation of A exists. If the order of the fold does
 * not affect the result (integers, MIN, MAX, logic), an existing representation is reduced. Floats
 * and user-defined operators are folded by rows in the order of the columns: sorted CSR (CSC for
 * columns), and for vectors the sparse form, or the full array, which has the same order; a missing
 * form is converted once and kept. So tiles are folded directly, tile by tile, only for the former.
 * A product that is on a GPU only is folded there, floats in the GPU's own order.
 */
#include "ops/operations.h"

#include "ops/device.h"

static gb_FoldArgs fold_args(const gb_Fold *fold, const gb_Type *xtype) {
    return (gb_FoldArgs){
        .monoid = fold->monoid, .op = fold->op, .xtype = xtype, .nthreads = gb_nthreads()};
}

/* The full array has the order of the sparse vector. A bitmap has gaps, which only monoids can
 * skip. */
static bool dense_will_do(const gb_Fold *fold, gb_Matrix *v) {
    const unsigned has = __atomic_load_n(&v->has, __ATOMIC_ACQUIRE);
    if (has & GBL_HAS_FULL) return true;
    return (has & GBL_HAS_BITMAP) && !(has & GB_HAS_LISTS) && gb_fold_order_is_unseen(fold) &&
           fold->op->code != GB_ANY;
}

/* A least or greatest float is one of several with other bits where it is a zero or NaN: which of
 * them depends on the order. */
static bool is_one_of_several(const gb_Type *type, const void *z) {
    double x = 1;
    float y = 1;
    if (type->code == GBL_FP64_CODE) memcpy(&x, z, sizeof x);
    if (type->code == GBL_FP32_CODE) memcpy(&y, z, sizeof y);
    return x == 0 || x != x || y == 0 || y != y;
}

/* The values of a matrix that exists as tiles only, in their order; enough for reduce_cs. */
static gbl_Info values_of_tiles(gb_Matrix *A, gb_CsView *values) {
    const gb_Format format = gb_has(A) & gb_tiles_bit(GB_CSR) ? GB_CSR : GB_CSC;
    gb_TileView tiles = {0};
    const gbl_Info info = gb_acquire_tiles(A, format, &tiles);
    *values =
        (gb_CsView){.nvals = tiles.nvals, .x = tiles.x, .xsize = tiles.xsize, .iso = tiles.iso};
    return info;
}

/* A product that was left on the device, of the operator's own type: only the sum is downloaded. */
static bool reduces_on_device(const gb_Fold *fold, const gb_Matrix *A) {
    return gb_has(A) == GBL_HAS_DEVICE && fold->monoid != NULL && fold->op->ztype == A->type &&
           gb_device()->reduces(A->type->code, (int)fold->op->code);
}

static gbl_Info reduce_on_device(void *z, const gb_Fold *fold, gb_Matrix *A) {
    gb_DeviceCs *device;
    gbl_Info info = gb_acquire_device_operand(A, GB_CSR, &device);
    if (info != GBL_SUCCESS) return info;
    info = gb_device()->reduce(device, A->type->code, (int)fold->op->code, z);
    gb_device()->unpin(device);
    return info;
}

gbl_Info gb_reduce_check(const gb_Fold *fold, const gb_Matrix *A) {
    return gb_check_cast(fold->op->ztype, A->type,
                         gb_is_vector(A) ? "u into op's input" : "A into op's input");
}

/* Where A is hypersparse, of its compact matrix. */
gbl_Info gb_reduce_all(void *z, const gb_Fold *fold, gb_Matrix *A) {
    uint64_t nvals;
    gbl_Info info = gb_matrix_nvals(A, &nvals);
    if (info != GBL_SUCCESS || nvals == 0) return info != GBL_SUCCESS ? info : GBL_NO_VALUE;
    if (nvals == GB_NVALS_MOST)
        return gb_fail(GBL_NOT_IMPLEMENTED,
                       "an object of %llu x %llu with one value at all positions has more entries "
                       "than 64 bits count, and is not folded",
                       (unsigned long long)A->nrows, (unsigned long long)A->ncols);
    if (A->hyper != NULL) A = A->hyper->core;
    if (reduces_on_device(fold, A)) {
        info = reduce_on_device(z, fold, A);
        if (info != GBL_OUT_OF_MEMORY) return info;
        gb_error_begin(); /* the host may have the memory */
    }
    const gb_FoldArgs args = fold_args(fold, A->type);
    if (dense_will_do(fold, A)) {
        gb_DenseView dense;
        info = gb_acquire_dense(A, &dense);
        if (info == GBL_SUCCESS) info = gb_backend()->reduce_dense(&args, &dense, z);
        if (info != GBL_SUCCESS || dense.b == NULL || !is_one_of_several(fold->op->ztype, z))
            return info;
    }
    gb_CsView view;
    gb_Format format = gb_is_vector(A) ? GB_CSC : GB_CSR;
    if (gb_fold_order_is_unseen(fold) && gb_only_tiles(A)) {
        info = values_of_tiles(A, &view);
    } else if (gb_fold_order_is_unseen(fold)) {
        info = gb_any_format(A, format, &format);
        if (info == GBL_SUCCESS) info = gb_acquire(A, format, &view);
    } else {
        info = gb_acquire_sorted(A, format, &view);
    }
    return info == GBL_SUCCESS ? gb_backend()->reduce_cs(&args, &view, z) : info;
}

/* -- rows to a vector */

/* The most rows whose columns are folded one value after the other, whatever the operator; longer
 * columns are folded in strands (SHORT_ROW of cpu/ops/reduce.c is larger). */
enum { IN_SEQUENCE = 8 };

/* Whether a fold row upon row gives what the columns themselves do: nobody sees an order of whole
 * numbers; of floats even MIN and MAX keep the sign of the zero that came first. */
static bool order_is_that_of_columns(const gb_Fold *fold, uint64_t rows) {
    const gbl_Type_Code type = fold->op->ztype->code;
    const bool is_float = type >= GBL_FP32_CODE;
    return rows <= IN_SEQUENCE || (!is_float && gb_fold_order_is_unseen(fold));
}

/* Whether the columns of A are folded row upon row: A is dense, and that order is what
 * the columns themselves would give. */
static bool folds_dense(const gb_Fold *fold, const gb_Matrix *A, gb_Format format) {
    if (format != GB_CSC || A->nvals == 0 || A->iso || !gb_only_dense(A)) return false;
    if (fold->op->code == GB_USER || fold->op->code == GB_ANY) return false;
    return order_is_that_of_columns(fold, A->nrows);
}

/* *w = the columns, each row united with those before it; w has the operator's type. */
static gbl_Info fold_dense(gb_Dense *w, const gb_Fold *fold, gb_Matrix *A) {
    const gb_Type *type = fold->op->ztype;
    const uint64_t n = A->ncols;
    gb_DenseView cells;
    gbl_Info info = gb_acquire_dense(A, &cells);
    for (uint64_t r = 0; info == GBL_SUCCESS && r < A->nrows; r++) {
        const gb_DenseView row = {.n = n,
                                  .b = cells.b == NULL ? NULL : cells.b + r * n,
                                  .x = (const char *)cells.x + r * n * cells.xsize,
                                  .xsize = cells.xsize};
        const gb_DenseView sum = {.n = n, .b = w->b, .x = w->x, .xsize = type->size};
        gb_DenseMerge merge = {.X = r == 0 ? row : sum,
                               .Y = row,
                               .xtype = r == 0 ? A->type : type,
                               .ytype = A->type,
                               .ztype = type,
                               .op = fold->op,
                               .pick[1] = {[1] = GB_PICK_X, [2] = GB_PICK_Y, [3] = GB_PICK_OP}};
        gb_Dense next;
        if (r == 0) merge.pick[1][3] = GB_PICK_X;
        info = gb_dense_merge(&merge, &next);
        if (info != GBL_SUCCESS) break;
        gb_dense_free(w);
        *w = next;
    }
    if (info != GBL_SUCCESS) gb_dense_free(w);
    return info;
}

static gbl_Info rows_host(const void *call) {
    const gb_ReduceRows *c = call;
    const gb_Fold *fold = &c->fold;
    gb_Matrix *A = c->A;
    const gb_Format format = c->transpose ? GB_CSC : GB_CSR;
    const gb_Type *type = fold->op->ztype;
    gb_Result T = {.type = type, .format = GB_CSC};
    gb_Operand operand = {0};
    gb_CsView view;
    gbl_Info info = gb_assemble(A);
    if (info == GBL_SUCCESS && folds_dense(fold, A, format)) {
        T.is_dense = true;
        info = fold_dense(&T.dense, fold, A);
        return info == GBL_SUCCESS ? gb_finish(c->w, &c->mask, c->accum, &T) : info;
    }
    if (info == GBL_SUCCESS)
        info = gb_fold_order_is_unseen(fold) ? gb_acquire(A, format, &view)
                                             : gb_acquire_sorted(A, format, &view);
    if (info == GBL_SUCCESS) info = gb_operand_get(&operand, A, format, type);
    if (info == GBL_SUCCESS) {
        const gb_FoldArgs args = fold_args(fold, type);
        info = gb_backend()->reduce_rows(&args, &operand.view, &T.cs, &T.dense);
    }
    gb_operand_release(&operand);
    if (info != GBL_SUCCESS) return info;
    T.is_dense = T.dense.nvals > 0;
    return gb_finish(c->w, &c->mask, c->accum, &T);
}

static const char *refuse_rows(const void *call) {
    const gb_ReduceRows *c = call;
    const gb_Fold *fold = &c->fold;
    const char *refusal = gb_refuse_operand(c->A);
    if (refusal != NULL) return refusal;
    if (fold->monoid == NULL || fold->op->code == GB_USER)
        return "operators of the user have no kernel";
    return gb_device()->reduces(fold->op->ztype->code, (int)fold->op->code)
               ? NULL
               : "the monoid has no kernel for this type";
}

static gbl_Info rows_device(const void *call) {
    const gb_ReduceRows *c = call;
    const gb_Type *type = c->fold.op->ztype;
    gb_Result T = {.type = type};
    gb_DeviceOperand A;
    gb_DeviceCs *made = NULL;
    gbl_Info info = gb_device_operand(&A, c->A, c->transpose ? GB_CSC : GB_CSR, type);
    if (info != GBL_SUCCESS) return info;
    info = gb_device()->reduce_rows(A.copy, type->code, (int)c->fold.op->code, &made);
    gb_device_operand_release(&A);
    if (info != GBL_SUCCESS) return info;
    gb_result_adopt(&T, c->w, made);
    return gb_finish(c->w, &c->mask, c->accum, &T);
}

static gbl_Info check_rows(const void *call) {
    const gb_ReduceRows *c = call;
    gbl_Info info = gb_check_output(c->w, &c->mask, c->accum, c->fold.op->ztype);
    if (info == GBL_SUCCESS) info = gb_reduce_check(&c->fold, c->A);
    return info == GBL_SUCCESS ? gb_check_per_row(c->w, c->A, c->transpose) : info;
}

static gbl_Info rows_hyper(const void *call) {
    const gb_ReduceRows *c = call;
    const bool filled = gb_is_filled(c->w) && !c->mask.replace;
    const bool stays = filled && !gb_any_huge(c->w, c->mask.M, c->A, NULL);
    return stays ? gb_execute(&gb_op_reduce, call, NULL) : gb_run_compact(&gb_op_reduce, call);
}

const gb_Op gb_op_reduce = {GB_OP("reduce", gb_ReduceRows),
                            .A = GB_INPUT_TRANSPOSED(gb_ReduceRows, A, transpose, ROWS, INNER),
                            .output_counts = true,
                            .check = check_rows,
                            .full_iso = gb_reduce_full_iso,
                            .few = gb_run_few,
                            .hyper = rows_hyper,
                            .follows = true,
                            .host = rows_host,
                            .device = rows_device,
                            .refuse = refuse_rows};

/* The value as one of type `to`. */
static const void *as_type(const gb_Type *to, gb_Builtin *space, const gb_Type *from,
                           const void *x) {
    if (to == from) return x;
    gb_cast(to, space, from, x, 1, 1);
    return space;
}

gbl_Info gb_accum_value(const gb_Variable *x, const gb_BinaryOp *accum, const gb_Type *ztype,
                        const void *z) {
    gb_Builtin space[3];
    const size_t bytes = accum->ztype->size;
    const bool fits = bytes <= sizeof *space;
    void *sum = fits ? &space[2] : gb_malloc(bytes);
    if (sum == NULL) return gb_fail_memory(bytes);
    accum->batch(accum, 1, sum, as_type(accum->xtype, &space[0], x->type, x->x), 0,
                 as_type(accum->ytype, &space[1], ztype, z), 0);
    gb_cast(x->type, x->x, accum->ztype, sum, 1, 1);
    if (!fits) gb_free(sum, bytes);
    return GBL_SUCCESS;
}
