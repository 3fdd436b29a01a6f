/* SPDX-License-Identifier: Apache-2.0
 *
 * Operations that may be put off: those on values without mask, accumulator and transpose, and
 * C accum= A, are calls on the values of C. Where C is a product that was put off, select and apply
 * in place are its end. Products with vectors may be, and assigns through what they give join them.
 */
#include "hyper/hyper.h"
#include "hyper/lift.h"

static bool writes_all(const gb_Matrix *C, const gb_Mask *mask) {
    return mask->M == NULL && !mask->complement && gb_may_defer_values(C);
}

gbl_Info gb_lifted_ewise_later(const gb_Ewise *call) {
    const bool plain = writes_all(call->C, call->mask) && call->accum == NULL &&
                       !call->atransposed && !call->btransposed;
    const gb_ValueCall values = {.w = call->C, .x = call->A, .y = call->B, .binary = call->op};
    if (plain && gb_values_defer(&values)) return GBL_SUCCESS;
    const gbl_Info info = gb_complete_operands(call->C, call->mask->M, call->A, call->B);
    return info == GBL_SUCCESS ? gb_lifted_ewise(call) : info;
}

/* C = f(C) is the end of the product that C is to become. */
static bool ends_product(gb_Matrix *C, const gb_Mask *mask, const gb_BinaryOp *accum,
                         const gb_Map *map, const gb_Matrix *A, bool transpose) {
    return gb_is_deferred(C) && C == A && mask->M == NULL && !mask->complement && accum == NULL &&
           !transpose && gb_product_join(C, map);
}

gbl_Info gb_lifted_select_later(gb_Matrix *C, const gb_Mask *mask, const gb_BinaryOp *accum,
                                const gb_Map *map, gb_Matrix *A, bool transpose) {
    if (ends_product(C, mask, accum, map, A, transpose)) return GBL_SUCCESS;
    const gbl_Info info = gb_complete_operands(C, mask->M, A, NULL);
    return info == GBL_SUCCESS ? gb_lifted_select(C, mask, accum, map, A, transpose) : info;
}

gbl_Info gb_lifted_apply_later(gb_Matrix *C, const gb_Mask *mask, const gb_BinaryOp *accum,
                               const gb_Map *map, gb_Matrix *A, bool transpose) {
    const bool plain = writes_all(C, mask) && accum == NULL && !transpose && map->index == NULL;
    const gb_ValueCall values = {.w = C,
                                 .x = A,
                                 .unary = map->unary,
                                 .binary = map->binary,
                                 .bound = map->bound,
                                 .bound_first = map->bound_first};
    if (map->index == NULL && ends_product(C, mask, accum, map, A, transpose)) return GBL_SUCCESS;
    if (plain && gb_values_defer(&values)) return GBL_SUCCESS;
    const gbl_Info info = gb_complete_operands(C, mask->M, A, NULL);
    return info == GBL_SUCCESS ? gb_lifted_apply(C, mask, accum, map, A, transpose) : info;
}

gbl_Info gb_lifted_assign_later(const gb_Assign *call) {
    const gb_Matrix *M = call->mask->M;
    if (M != NULL && gb_is_deferred(M) && gb_fused_join(call)) return GBL_SUCCESS;
    const bool plain = call->A != NULL && writes_all(call->C, call->mask) && call->accum != NULL &&
                       !call->atransposed && call->I.all && call->J.all;
    const gb_ValueCall values = {.w = call->C, .x = call->C, .y = call->A, .binary = call->accum};
    if (plain && gb_values_defer(&values)) return GBL_SUCCESS;
    const gbl_Info info = gb_complete_operands(call->C, call->mask->M, call->A, NULL);
    return info == GBL_SUCCESS ? gb_lifted_assign(call) : info;
}

gbl_Info gb_lifted_mxv_later(const gb_MxvCall *call) {
    bool deferred = false;
    gbl_Info info = GBL_SUCCESS;
    if (gb_may_defer_fused(call) && !gb_any_hyper(call->w, &call->mask, call->A, call->u))
        info = gb_fused_defer(call, &deferred);
    return info != GBL_SUCCESS || deferred ? info : gb_lifted_mxv(call);
}
