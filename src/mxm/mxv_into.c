/* SPDX-License-Identifier: Apache-2.0
 *
 * See mxv_into.h.
 */
#include "mxm/mxv_into.h"

#include "semiring/ids.h"

/* Operators of the user have no kernel; those of ANY keep what w has or take the sum. */
static bool is_addition(const gb_BinaryOp *accum, const gb_Semiring *ring) {
    const gb_BinaryOp *add = ring->add->op;
    return accum != NULL && accum->code == add->code && add->code != GB_ANY &&
           accum->ztype->code == add->ztype->code && ring->kernel != GB_RING_GENERIC;
}

bool gb_mxv_adds_in_place(const gb_MxvCall *call) {
    const gb_Matrix *w = call->w;
    const gb_Mask *mask = &call->mask;
    if (!is_addition(call->accum, call->ring) || call->best != NULL || mask->replace) return false;
    if (w == mask->M || w == call->u || w->iso || !gb_is_assembled(w)) return false;
    return (gb_has(w) & (GBL_HAS_BITMAP | GBL_HAS_FULL)) != 0 &&
           w->type->code == call->ring->add->op->ztype->code;
}
