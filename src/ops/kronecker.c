/* SPDX-License-Identifier: Apache-2.0
 *
 * kronecker. Both factors are read by rows, or both by columns where that takes fewer conversions;
 * the result has the same form.
 */
#include "ops/kronecker.h"

#include "kernel_api/backend.h"
#include "ops/domain.h"

static uint64_t rows_of(const gb_Matrix *A, bool transposed) {
    return transposed ? A->ncols : A->nrows;
}

/* The product of two dimensions; any that is too large is larger than a dimension can be. */
static uint64_t times(uint64_t a, uint64_t b) {
    uint64_t product;
    return __builtin_mul_overflow(a, b, &product) ? UINT64_MAX : product;
}

gbl_Info gb_kronecker_check(const gb_Kronecker *call) {
    const gb_BinaryOp *op = call->op;
    const gb_Matrix *C = call->C, *A = call->A, *B = call->B;
    const bool at = call->atransposed, bt = call->btransposed;
    const uint64_t m = times(rows_of(A, at), rows_of(B, bt));
    const uint64_t n = times(rows_of(A, !at), rows_of(B, !bt));
    if (gb_binary_is_positional(op))
        return gb_fail(GBL_DOMAIN_MISMATCH,
                       "op is an operator by position; those are the multiplication of semirings "
                       "in mxm, mxv and vxm only");
    gbl_Info info = gb_check_cast(op->xtype, A->type, "A into op's first argument");
    if (info == GBL_SUCCESS)
        info = gb_check_cast(op->ytype, B->type, "B into op's second argument");
    if (info == GBL_SUCCESS) info = gb_check_output(C, call->mask, call->accum, op->ztype);
    if (info != GBL_SUCCESS || (C->nrows == m && C->ncols == n)) return info;
    return gb_fail(GBL_DIMENSION_MISMATCH,
                   "C is %llu x %llu, but the product of a %llu x %llu and a %llu x %llu matrix "
                   "must have their rows and their columns multiplied",
                   (unsigned long long)C->nrows, (unsigned long long)C->ncols,
                   (unsigned long long)rows_of(A, at), (unsigned long long)rows_of(A, !at),
                   (unsigned long long)rows_of(B, bt), (unsigned long long)rows_of(B, !bt));
}

static gb_Format turned(gb_Format format, bool transposed) {
    return transposed ? (format == GB_CSR ? GB_CSC : GB_CSR) : format;
}

static uint64_t entries_to_convert(const gb_Kronecker *call, gb_Format format) {
    const unsigned a = gb_has_bit(turned(format, call->atransposed));
    const unsigned b = gb_has_bit(turned(format, call->btransposed));
    return (gb_has(call->A) & a ? 0 : call->A->nvals) + (gb_has(call->B) & b ? 0 : call->B->nvals);
}

static gbl_Info multiply(const gb_Kronecker *call, gb_Result *T) {
    gb_KroneckerArgs args = {
        .xtype = call->A->type, .ytype = call->B->type, .op = call->op, .nthreads = gb_nthreads()};
    const bool by_columns = entries_to_convert(call, GB_CSC) < entries_to_convert(call, GB_CSR);
    T->format = by_columns ? GB_CSC : GB_CSR;
    gbl_Info info = gb_acquire_sorted(call->A, turned(T->format, call->atransposed), &args.A);
    if (info == GBL_SUCCESS)
        info = gb_acquire_sorted(call->B, turned(T->format, call->btransposed), &args.B);
    if (info == GBL_SUCCESS) info = gb_backend()->kronecker(&args, &T->cs);
    return info;
}

gbl_Info gb_kronecker(const gb_Kronecker *call) {
    gb_Result T = {.type = call->op->ztype, .format = GB_CSR};
    gbl_Info info = gb_assemble(call->A);
    if (info == GBL_SUCCESS) info = gb_assemble(call->B);
    if (info == GBL_SUCCESS && call->mask->M != NULL) info = gb_assemble(call->mask->M);
    if (info != GBL_SUCCESS) return info;
    const gb_Mask *mask = call->mask;
    const bool empty = call->A->nvals == 0 || call->B->nvals == 0;
    if (!empty && !gb_mask_allows_none(mask)) info = multiply(call, &T);
    if (info == GBL_SUCCESS) return gb_finish(call->C, mask, call->accum, &T);
    gb_result_free(&T);
    return info;
}
