/* SPDX-License-Identifier: Apache-2.0
 *
 * See mxv_strips.h.
 */
#include "mxm/mxv_sell.h"

#include "kernel_api/backend.h"
#include "core/tune.h"
#include "matrix/derived.h"

/* A full vector from the right, and no mask. */
static bool suits(const gb_MxvArgs *args) {
    return args->u_dense.b == NULL && args->allowed == NULL && args->rows.i == NULL &&
           !args->u_is_left && !args->u_is_list && !args->u_dense.iso &&
           gb_backend()->has_sell(args->ring) && args->A.nmajor >= GB_SELL_WINDOW / 4 &&
           args->A.nmajor / GB_FEW <= args->A.nvals;
}

/* w += the product, all of one type, and nothing of w waits to be assembled. Kernels of strips add,
 * so the accumulator is their own addition. */
static bool adds_to_full(const gb_MxvCall *call) {
    const gb_BinaryOp *accum = call->accum;
    const gb_Matrix *w = call->w;
    const gbl_Type_Code type = w->type->code;
    return accum != NULL && accum->code == GB_PLUS && accum->ztype->code == type &&
           call->ring->add->op->ztype->code == type && call->best == NULL && gb_is_assembled(w) &&
           (gb_has(w) & GBL_HAS_FULL) != 0;
}

bool gb_mxv_acquire_sell(gb_MxvArgs *args, const gb_MxvCall *call, gb_Format rows) {
    gb_RingArgs *R = &args->args;
    const gb_BinaryOp *multiply = call->ring->multiply;
    const bool uses = call->u_is_left ? gb_binary_uses_y(multiply) : gb_binary_uses_x(multiply);
    if (!suits(args)) return false;
    /* one value for all, or cast for this call */
    if (uses && (R->amask == 0 || args->A.x != call->A->cs[rows].x)) return false;
    args->strips = gb_sell_get(call->A, rows, &args->A, uses);
    if (args->strips.nstrips == 0) return false;
    if (uses) R->Ax = args->strips.x;
    if (adds_to_full(call)) {
        args->base = call->w->dense.x;
        args->base_mask = call->w->dense.iso ? 0 : UINT64_MAX;
    }
    return true;
}
