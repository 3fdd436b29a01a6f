/* SPDX-License-Identifier: Apache-2.0
 *
 * gbl_mxm_chain, gbl_mxm_chain_plan: check the handles, fill the call, multiply or plan.
 */
#include "api/check.h"
#include "hyper/hyper.h"

#include <stdio.h>

/* Takes the factors into the call. */
static gbl_Info take_factors(gb_ChainCall *call, const gbl_Matrix *A, int32_t count,
                             const gb_Settings *settings) {
    gbl_Info info = gb_check_pointer(A, "A");
    if (info != GBL_SUCCESS) return info;
    if (count < 2 || count > GBL_CHAIN_MOST)
        return gb_fail(GBL_INVALID_VALUE, "count is %d; a chain has 2 to %d factors", (int)count,
                       (int)GBL_CHAIN_MOST);
    for (int32_t f = 0; f < count; f++) {
        char name[16];
        snprintf(name, sizeof name, "A[%d]", (int)f);
        info = gb_check_matrix(A[f], name);
        if (info != GBL_SUCCESS) return info;
        call->A[f] = &A[f]->m;
    }
    if (gb_is_approximate(&settings->choices))
        return gb_fail(
            GBL_INVALID_VALUE,
            "an approximation (GBL_TAU, GBL_VALID_RATIO, GBL_ERROR_BOUND, "
            "GBL_ROUND_FACTORS) is for one product; multiply the factors one after the other");
    call->count = count;
    call->transpose_first = settings->transpose0;
    call->transpose_last = settings->transpose1;
    call->choices = settings->choices;
    return GBL_SUCCESS;
}

gbl_Info gbl_mxm_chain(gbl_Matrix C, gbl_Matrix M, gbl_BinaryOp accum, gbl_Semiring ring,
                       const gbl_Matrix *A, int32_t count, gbl_Descriptor desc) {
    gb_Settings settings;
    gbl_Info info = gb_begin_matrix(&settings, C, M, accum, desc);
    if (info == GBL_SUCCESS) info = gb_check_semiring(ring, "semiring");
    if (info != GBL_SUCCESS) return gb_end(C, info);
    gb_ChainCall call = {.C = &C->m, .mask = settings.mask, .accum = accum, .ring = ring};
    info = take_factors(&call, A, count, &settings);
    return gb_end(C, info == GBL_SUCCESS ? gb_lifted_chain(&call) : info);
}

gbl_Info gbl_mxm_chain_plan(gbl_ChainPlan *plan, gbl_Semiring ring, const gbl_Matrix *A,
                            int32_t count, gbl_Descriptor desc) {
    gb_Settings settings;
    gbl_Info info = gb_begin_value(&settings, NULL, desc);
    if (info == GBL_SUCCESS) info = gb_check_sized(plan, "plan", "GBL_CHAIN_PLAN_INIT");
    if (info == GBL_SUCCESS) info = gb_check_semiring(ring, "semiring");
    if (info != GBL_SUCCESS) return info;
    gb_ChainCall call = {.ring = ring};
    info = take_factors(&call, A, count, &settings);
    gbl_ChainPlan found = {.nfactors = 0};
    if (info == GBL_SUCCESS) info = gb_lifted_chain_plan(&found, &call);
    if (info == GBL_SUCCESS) gb_give_sized(plan, &found, sizeof found);
    return info;
}
