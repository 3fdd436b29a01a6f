/* SPDX-License-Identifier: Apache-2.0
 *
 * eWiseAdd and eWiseMult.
 *
 * Matrices are merged in the orientation that takes the fewest conversions. A mask that is smaller
 * than the operands cuts them before any value is computed. Vectors: a union with a dense side is
 * dense, written in place where C accumulates a sparse vector; an intersection with a sparse vector
 * is sparse and costs O(its entries), and so does one of dense sides inside a sparse mask.
 * Matrices of which one is dense are merged as vectors of their flat arrays.
 */
#include "ops/operations.h"

#include "ops/deferred.h"
#include "ops/device.h"

static gbl_Info check(const void *asked) {
    const gb_Ewise *call = asked;
    const gb_BinaryOp *op = call->op;
    const gb_Matrix *C = call->C, *A = call->A, *B = call->B;
    const bool is_vector = gb_is_vector(C);
    const char *a = is_vector ? "u" : "A", *b = is_vector ? "v" : "B";
    gbl_Info info = gb_check_shape(A, call->atransposed, C->nrows, C->ncols, a);
    if (info == GBL_SUCCESS) info = gb_check_shape(B, call->btransposed, C->nrows, C->ncols, b);
    if (info == GBL_SUCCESS)
        info = gb_check_cast(op->xtype, A->type, "the left operand into op's first argument");
    if (info == GBL_SUCCESS)
        info = gb_check_cast(op->ytype, B->type, "the right operand into op's second argument");
    if (info == GBL_SUCCESS && call->unite)
        info =
            gb_check_cast(op->ztype, A->type, "the left operand, where it is alone, to op's type");
    if (info == GBL_SUCCESS && call->unite)
        info =
            gb_check_cast(op->ztype, B->type, "the right operand, where it is alone, to op's type");
    if (info == GBL_SUCCESS) info = gb_check_output(C, &call->mask, call->accum, op->ztype);
    return info;
}

/* -- sparse */
static uint64_t cost_of(const gb_Matrix *A, gb_Format format) {
    return (__atomic_load_n(&A->has, __ATOMIC_ACQUIRE) & gb_has_bit(format)) ? 0 : A->nvals;
}

/* The orientation of T in which the fewest entries must be converted. */
static gb_Format choose_format(const gb_Ewise *call) {
    uint64_t cost[2];
    if (gb_is_vector(call->C)) return GB_CSC;
    for (gb_Format f = GB_CSR; f <= GB_CSC; f++) {
        cost[f] = cost_of(call->A, gb_turned(f, call->atransposed)) +
                  cost_of(call->B, gb_turned(f, call->btransposed));
        if (call->mask.M != NULL) cost[f] += cost_of(call->mask.M, f);
    }
    return cost[GB_CSC] < cost[GB_CSR] ? GB_CSC : GB_CSR;
}

/* A side of the merge; an empty one gets no arrays, since pointers may be longer than memory. */
static gbl_Info get_side(gb_CsView *view, gb_Matrix *A, gb_Format format, bool transposed) {
    const gb_Format own = gb_turned(format, transposed);
    *view = (gb_CsView){
        .nmajor = gb_nmajor(A, own), .nminor = gb_nminor(A, own), .xsize = A->type->size};
    return A->nvals > 0 ? gb_acquire_sorted(A, own, view) : GBL_SUCCESS;
}

/* Whether it pays to cut the operands: cutting reads them once, but writes at most what the mask
 * has, while merging them first reads and writes all. */
static bool mask_cuts_first(const gb_Ewise *call) {
    const gb_Mask *mask = &call->mask;
    const uint64_t nA = call->A->nvals, nB = call->B->nvals;
    if (mask->M == NULL || mask->complement) return false;
    return mask->M->nvals < (call->unite ? (nA + nB) / 4 : (nA < nB ? nA : nB) / 2);
}

static gbl_Info cut_side(gb_CsView *side, gb_Cs *owned, const gb_MaskView *M) {
    if (side->nvals == 0) return GBL_SUCCESS;
    const gbl_Info info = gb_backend()->filter(side, &M->view, true, owned, gb_nthreads());
    if (info == GBL_SUCCESS) *side = gb_cs_view(owned, side->nminor, side->xsize);
    return info;
}

static gbl_Info merge_sparse(const gb_Ewise *call, gb_Result *T) {
    gb_MergeArgs args = {.xtype = call->A->type,
                         .ytype = call->B->type,
                         .ztype = call->op->ztype,
                         .op = call->op,
                         .nthreads = gb_nthreads()};
    gb_Cs cut[2] = {0};
    gb_MaskView M = {0};
    T->format = choose_format(call);
    T->masked = mask_cuts_first(call);
    if (!call->unite && (call->A->nvals == 0 || call->B->nvals == 0))
        return GBL_SUCCESS; /* what the other side is held as does not matter */
    gbl_Info info = get_side(&args.X, call->A, T->format, call->atransposed);
    if (info == GBL_SUCCESS) info = get_side(&args.Y, call->B, T->format, call->btransposed);
    if (info == GBL_SUCCESS && T->masked) {
        info = gb_mask_get(&M, &call->mask, T->format);
        /* an intersection is cut by its smaller side */
        const bool cut_x = call->unite || args.X.nvals <= args.Y.nvals;
        if (info == GBL_SUCCESS && cut_x) info = cut_side(&args.X, &cut[0], &M);
        if (info == GBL_SUCCESS && (call->unite || !cut_x)) info = cut_side(&args.Y, &cut[1], &M);
    }
    const bool one_empty = args.X.nvals == 0 || args.Y.nvals == 0;
    const bool both_empty = args.X.nvals == 0 && args.Y.nvals == 0;
    if (info == GBL_SUCCESS && call->unite && !both_empty)
        info = gb_backend()->unite(&args, &T->cs);
    if (info == GBL_SUCCESS && !call->unite && !one_empty)
        info = gb_backend()->intersect(&args, &T->cs);
    if (T->masked) {
        gb_mask_release(&M);
        gb_cs_free(&cut[0]);
        gb_cs_free(&cut[1]);
    }
    return info;
}

/* -- vectors with a dense side */

/* C = op(C, .) or op(., C), and all of it is written. */
static bool is_updated(const gb_Ewise *call) {
    return (call->C == call->A || call->C == call->B) && call->mask.M == NULL &&
           !call->mask.complement && call->accum == NULL;
}

static gbl_Info merge_dense(const gb_Ewise *call, gb_Result *T) {
    gb_DenseMerge merge = {.xtype = call->A->type,
                           .ytype = call->B->type,
                           .ztype = call->op->ztype,
                           .op = call->op,
                           .pick[1] = {[3] = GB_PICK_OP}};
    if (call->unite) {
        merge.pick[1][1] = GB_PICK_X;
        merge.pick[1][2] = GB_PICK_Y;
    }
    gb_Matrix *C = call->C;
    gbl_Info info = gb_acquire_dense(call->A, &merge.X);
    if (info == GBL_SUCCESS) info = gb_acquire_dense(call->B, &merge.Y);
    T->is_dense = true;
    if (info == GBL_SUCCESS && is_updated(call) && gb_dense_may_reuse(&merge, &C->dense, C->type))
        merge.onto = &C->dense;
    if (info == GBL_SUCCESS) info = gb_dense_merge(&merge, &T->dense);
    return info;
}

/* At the entries of the side that is sparse, or, of two dense sides, at those of a sparse mask. */
static gbl_Info merge_listed(const gb_Ewise *call, gb_Result *T, bool a, bool b) {
    const bool flip = a && !b;
    gb_Matrix *list = flip ? call->B : call->A, *dense = flip ? call->A : call->B;
    gb_DenseView first;
    gb_ListDense args = {.list_type = list->type,
                         .dense_type = dense->type,
                         .ztype = call->op->ztype,
                         .op = call->op,
                         .first = a && b ? &first : NULL,
                         .flip = flip};
    gb_MaskView M = {0};
    gbl_Info info = gb_acquire_dense(dense, &args.dense);
    T->format = GB_CSC;
    T->masked = a && b;
    if (info == GBL_SUCCESS && T->masked) info = gb_acquire_dense(list, &first);
    if (info == GBL_SUCCESS)
        info = T->masked ? gb_mask_get(&M, &call->mask, GB_CSC)
                         : gb_acquire_sorted(list, GB_CSC, &M.view);
    args.list = M.view;
    if (info == GBL_SUCCESS) info = gb_list_dense_intersect(&args, &T->cs);
    gb_mask_release(&M);
    return info;
}

/* A vector that is dense, or that would be dense had it been computed; not a short sparse vector
 * that some call has read as a bitmap too. */
static bool suits_dense(const gb_Matrix *v) {
    const unsigned has = __atomic_load_n(&v->has, __ATOMIC_ACQUIRE);
    if ((has & GBL_HAS_CSC) && v->nvals < gb_flat_size(v) / GB_LIST_BELOW) return false;
    return (has & (GBL_HAS_BITMAP | GBL_HAS_FULL)) || v->nvals > v->nrows / GB_DENSE_ABOVE;
}

/* The mask is sparse, and lookups at its indices cost less than a pass over all positions. */
static bool is_listed(const gb_Mask *mask) {
    const gb_Matrix *M = mask->M;
    if (M == NULL || mask->complement || !(gb_has(M) & GBL_HAS_CSC)) return false;
    return M->nvals < gb_flat_size(M) / GB_LISTED_BELOW;
}

static gbl_Info merge_vectors(const gb_Ewise *call, gb_Result *T) {
    const bool a = suits_dense(call->A), b = suits_dense(call->B);
    const bool one_empty = call->A->nvals == 0 || call->B->nvals == 0;
    if (one_empty || !(a || b)) return merge_sparse(call, T);
    const bool dense = call->unite || (a && b && !is_listed(&call->mask));
    return dense ? merge_dense(call, T) : merge_listed(call, T, a, b);
}

/* -- matrices with a dense side */

/* Has an entry at every place, whatever the form, and so many that one conversion pays. */
static bool is_filled(const gb_Matrix *A) {
    return A->nvals >= GB_FEW_LEAST && A->nvals == gb_flat_size(A);
}

static bool suits_flat(const gb_Ewise *call) {
    const gb_Matrix *A = call->A, *B = call->B;
    if (gb_is_vector(A) || call->atransposed || call->btransposed) return false;
    return A->nvals > 0 && B->nvals > 0 && gb_may_be_dense(A) &&
           (gb_is_dense(A) || gb_is_dense(B) || (is_filled(A) && is_filled(B)) ||
            (!call->unite && (is_filled(A) || is_filled(B))));
}

/* A mask is handed on only where it is sparse. */
static gbl_Info merge_flat(const gb_Ewise *call, gb_Result *T) {
    gb_FlatVector a = {0}, b = {0}, m = {0};
    gb_MaskView M;
    gb_Ewise flat = *call;
    flat.A = &a.v;
    flat.B = &b.v;
    flat.mask = (gb_Mask){0};
    const gb_Mask *mask = &call->mask;
    const bool listed = mask->M != NULL && !mask->complement && (gb_has(mask->M) & GBL_HAS_CSR);
    gbl_Info info = gb_flat_open(&a, call->A);
    if (info == GBL_SUCCESS) info = gb_flat_open(&b, call->B);
    if (info == GBL_SUCCESS && listed && !call->unite) {
        info = gb_mask_get(&M, mask, GB_CSR);
        if (info == GBL_SUCCESS) info = gb_flat_of_pattern(&m, &M.view);
        gb_mask_release(&M);
        flat.mask = (gb_Mask){.M = &m.v, .structural = true};
    }
    if (info == GBL_SUCCESS) info = merge_vectors(&flat, T);
    T->is_flat = !T->is_dense;
    gb_flat_close(&a);
    gb_flat_close(&b);
    gb_flat_close(&m);
    return info;
}

gbl_Info gb_ewise_host(const void *asked) {
    const gb_Ewise *call = asked;
    gb_Result T = {.type = call->op->ztype};
    if (gb_mask_allows_none(&call->mask)) return gb_finish(call->C, &call->mask, call->accum, &T);
    const gbl_Info info = gb_is_vector(call->C) ? merge_vectors(call, &T)
                          : suits_flat(call)    ? merge_flat(call, &T)
                                                : merge_sparse(call, &T);
    return gb_finish_if(info, call->C, &call->mask, call->accum, &T);
}

/* -- on the device */

/* Vectors are united on the device also where one has no entries. */
static const char *refuse_side(const gb_Ewise *call, const gb_Matrix *A) {
    return A->nvals == 0 && gb_is_vector(A) && call->unite ? NULL : gb_refuse_operand(A);
}

static const char *refuse(const void *asked) {
    const gb_Ewise *call = asked;
    const gbl_Type_Code type = call->op->xtype->code;
    const bool same = call->A->type->code == type && call->B->type->code == type;
    const char *refusal = refuse_side(call, call->A);
    if (refusal == NULL) refusal = refuse_side(call, call->B);
    if (refusal == NULL) refusal = gb_refuse_operator((int)call->op->code, call->op->xtype);
    if (refusal == NULL) refusal = gb_refuse_cast(call->A, call->op->xtype);
    if (refusal == NULL) refusal = gb_refuse_cast(call->B, call->op->xtype);
    if (refusal != NULL || same || !call->unite || call->op->ztype->code == type) return refusal;
    return "a value that is alone would be cast another way than to the operator's type";
}

static gbl_Info ewise_device(const void *asked) {
    const gb_Ewise *call = asked;
    const gb_Device *device = gb_device();
    const gb_Type *type = call->op->xtype;
    gb_Result T = {.type = call->op->ztype};
    gb_DeviceOperand A = {0}, B = {0};
    gb_DeviceCs *made = NULL;
    gbl_Info info = gb_device_operand(&A, call->A, gb_turned(GB_CSR, call->atransposed), type);
    if (info == GBL_SUCCESS)
        info = gb_device_operand(&B, call->B, gb_turned(GB_CSR, call->btransposed), type);
    const gb_DeviceMerge args = {(int)call->op->code, type->code, call->unite, A.copy, B.copy};
    if (info == GBL_SUCCESS) info = device->merge(&args, &made);
    gb_device_operand_release(&A);
    gb_device_operand_release(&B);
    if (info != GBL_SUCCESS) return info;
    gb_result_adopt(&T, call->C, made);
    return gb_finish(call->C, &call->mask, call->accum, &T);
}

/* -- the descriptors */

static gbl_Info defer(const void *asked, bool *deferred) {
    const gb_Ewise *call = asked;
    const gb_ValueCall values = {.w = call->C, .x = call->A, .y = call->B, .binary = call->op};
    *deferred = gb_may_defer_values(call->C, &call->mask) && call->accum == NULL &&
                !call->atransposed && !call->btransposed && gb_values_defer(&values);
    return GBL_SUCCESS;
}

/* z = x op y = y op x, to the bit. */
static bool commutes(const gb_BinaryOp *op) {
    const bool is_float = op->ztype->code >= GBL_FP32_CODE;
    return op->code == GB_PLUS || op->code == GB_TIMES || op->code == GB_LOR ||
           op->code == GB_LAND || (!is_float && (op->code == GB_MIN || op->code == GB_MAX));
}

enum { COPIED_FEW = 8 }; /* an edit that waits beside a duplicate costs so many in place */

/* A sparse B into a dense C, which finish writes in place. */
static bool accumulates(const gb_Matrix *C, const gb_Matrix *B) {
    return gb_is_dense(C) && (gb_has(B) & GB_HAS_LISTS) &&
           B->nvals < gb_flat_size(C) / GB_LISTED_BELOW;
}

/* B has so few entries beside A's that sharing A and adding them later costs less than a copy. */
static bool adds_few(gb_Matrix *A, gb_Matrix *B) {
    uint64_t nA, nB;
    gb_DenseView full;
    if (gb_blocking() || gb_matrix_count(A, &nA) != GBL_SUCCESS || nA < GB_FEW_LEAST) return false;
    if (gb_matrix_count(B, &nB) != GBL_SUCCESS || gb_wants_gpu()) return false;
    if (nB < nA && gb_is_vector(A) && nA == A->nrows && gb_acquire_dense(A, &full) != GBL_SUCCESS)
        gb_error_begin(); /* it stays a list */
    return nB < nA / (GB_FEW_EDITS * COPIED_FEW) || (nB < nA && accumulates(A, B));
}

/* C = A + B, where C is neither: a duplicate of A takes B, and becomes C. */
static gbl_Info add_to_duplicate(const gb_Op *op, const gb_Ewise *call, bool *done) {
    gb_Matrix *T;
    gbl_Info info = gb_matrix_dup(&T, call->A);
    if (info != GBL_SUCCESS) return info;
    gb_Ewise sum = *call;
    sum.C = sum.A = T;
    info = op->few(op, &sum, done);
    if (info == GBL_SUCCESS && *done) gb_matrix_move(call->C, T);
    gb_matrix_free(T);
    return info;
}

/* C = C + B is C += B where no value is cast; and so is C = B + C of one type. Few entries of one
 * operand are added to a duplicate of the other. */
static gbl_Info few(const gb_Op *op, const void *asked, bool *done) {
    const gb_Ewise *call = asked;
    const gb_Mask *mask = &call->mask;
    gb_Matrix *const C = call->C;
    const bool whole = mask->M == NULL && !mask->complement && call->accum == NULL;
    if (!whole) return gb_run_few(op, call, done);
    if (!call->unite || call->op->ztype != C->type || call->A == call->B) return GBL_SUCCESS;
    if (call->A->type == C->type && call->B->type == C->type && !call->btransposed &&
        call->op->xtype == call->op->ytype && commutes(call->op) &&
        (adds_few(call->B, call->A) || (call->B == C && !adds_few(call->A, C)))) {
        gb_Ewise turned = *call;
        turned.A = call->B;
        turned.B = call->A;
        turned.atransposed = call->btransposed;
        turned.btransposed = call->atransposed;
        *done = true;
        return gb_run_complete(op, &turned);
    }
    if (call->atransposed || call->A->type != C->type) return GBL_SUCCESS;
    if (call->A != C)
        return adds_few(call->A, call->B) ? add_to_duplicate(op, call, done) : GBL_SUCCESS;
    gbl_Info info = gb_assemble(call->B);
    if (info == GBL_SUCCESS && !call->btransposed && accumulates(C, call->B)) {
        *done = true;
        return gb_write(C, mask, call->op, call->B);
    }
    const gb_Transpose write = {
        .C = C, .accum = call->op, .A = call->B, .transpose = call->btransposed};
    return info == GBL_SUCCESS ? gb_write_few(&write, done) : info;
}

#define GB_OP_OF_EWISE(NAME)                                                                       \
    GB_OP(NAME, gb_Ewise), .A = GB_INPUT_TRANSPOSED(gb_Ewise, A, atransposed, ROWS, COLS),         \
                           .B = GB_INPUT_TRANSPOSED(gb_Ewise, B, btransposed, ROWS, COLS),         \
                           .check = check, .full_iso = gb_ewise_full_iso, .defer = defer,          \
                           .few = few, .host = gb_ewise_host, .device = ewise_device,              \
                           .refuse = refuse, .follows = true

const gb_Op gb_op_ewise_add = {GB_OP_OF_EWISE("eWiseAdd")};
const gb_Op gb_op_ewise_mult = {GB_OP_OF_EWISE("eWiseMult"),
                                .meets = GB_MEETS(ROWS) | GB_MEETS(COLS)};
