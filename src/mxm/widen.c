/* SPDX-License-Identifier: Apache-2.0
 *
 * See widen.h.
 */
#include "mxm/widen.h"

#include "semiring/ids.h"

static uint64_t any_bits(const uint64_t *x, uint64_t n) {
    uint64_t bits = 0;
    for (uint64_t k = 0; k < n; k++) bits |= x[k];
    return bits;
}

/* *below: no value of u, which are UINT64, has the highest bit. Values of absent elements are
 * looked at too: at worst the generic kernel does what this one could have done. */
static gbl_Info is_below_sign(bool *below, gb_Matrix *u) {
    gb_DenseView dense;
    gb_CsView list;
    const bool is_dense = gb_is_dense(u);
    const gbl_Info info = is_dense ? gb_acquire_dense(u, &dense) : gb_acquire(u, GB_CSC, &list);
    if (info != GBL_SUCCESS) return info;
    const uint64_t n = u->iso ? u->nvals > 0 : is_dense ? dense.n : list.nvals;
    *below = any_bits(is_dense ? dense.x : list.x, n) <= INT64_MAX;
    return info;
}

/* The values of products are u's, as they are. */
static bool selects_u(const gb_MxvCall *call) {
    const gb_BinaryOp *multiply = call->ring->multiply;
    return multiply->code == (call->u_is_left ? GB_FIRST : GB_SECOND) &&
           multiply->ztype->code == call->u->type->code && multiply->ztype == multiply->xtype &&
           multiply->ztype == multiply->ytype;
}

gbl_Info gb_ring_widen(const gb_Semiring **ring, const gb_MxvCall *call) {
    const gb_Semiring *given = call->ring;
    bool fits = true;
    gbl_Info info = GBL_SUCCESS;
    *ring = given;
    if (given->kernel != GB_RING_GENERIC || given->add->op->code != GB_MIN || !selects_u(call))
        return info;
    switch (call->u->type->code) {
    case GBL_INT8_CODE:
    case GBL_INT16_CODE:
    case GBL_INT32_CODE:
    case GBL_UINT8_CODE:
    case GBL_UINT16_CODE:
    case GBL_UINT32_CODE:
        break;
    case GBL_UINT64_CODE:
        info = is_below_sign(&fits, call->u);
        break;
    default:
        return info;
    }
    if (info == GBL_SUCCESS && fits)
        *ring = call->u_is_left ? GBL_MIN_FIRST_SEMIRING_INT64 : GBL_MIN_SECOND_SEMIRING_INT64;
    return info;
}
