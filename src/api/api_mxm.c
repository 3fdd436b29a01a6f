/* SPDX-License-Identifier: Apache-2.0
 *
 * gbl_mxm, gbl_mxm_select, gbl_mxv, gbl_vxm: check the handles, fill the call, multiply.
 */
#include <float.h>

#include "api/map_call.h"
#include "mxm/explain/explain.h"
#include "hyper/hyper.h"

/* The arguments of gbl_mxm, checked, as a call; C need not be complete. */
static gbl_Info fill_call(gb_MxmCall *call, gbl_Matrix C, gbl_Matrix M, gbl_BinaryOp accum,
                          gbl_Semiring ring, gbl_Matrix A, gbl_Matrix B, gbl_Descriptor desc) {
    gb_Settings settings;
    gbl_Info info = gb_begin_value(&settings, accum, desc);
    if (info == GBL_SUCCESS) info = gb_check_handle(C, "C");
    if (info == GBL_SUCCESS && M) info = gb_check_input(M, "the mask M");
    if (info == GBL_SUCCESS) info = gb_check_semiring(ring, "semiring");
    if (info == GBL_SUCCESS) info = gb_check_input(A, "A");
    if (info == GBL_SUCCESS) info = gb_check_input(B, "B");
    if (info != GBL_SUCCESS) return info;
    settings.mask.M = gb_of_matrix(M);
    *call = (gb_MxmCall){.C = &C->m,
                         .mask = settings.mask,
                         .accum = accum,
                         .ring = ring,
                         .A = &A->m,
                         .B = &B->m,
                         .transpose_a = settings.transpose0,
                         .transpose_b = settings.transpose1,
                         .choices = settings.choices};
    return GBL_SUCCESS;
}

gbl_Info gbl_mxm(gbl_Matrix C, gbl_Matrix M, gbl_BinaryOp accum, gbl_Semiring ring, gbl_Matrix A,
                 gbl_Matrix B, gbl_Descriptor desc) {
    gb_MxmCall call;
    const gbl_Info info = fill_call(&call, C, M, accum, ring, A, B, desc);
    return gb_end(C, info == GBL_SUCCESS ? gb_lifted_mxm_later(&call) : info);
}

/* The caller's filter, checked; y in space when it has to be cast. */
static gbl_Info fill_filter(gb_RowFilter *filter, const gbl_RowFilter *keep, const gb_Type *type,
                            uint64_t *space) {
    gbl_RowFilter told;
    gbl_Info info = gb_check_sized(keep, "keep", "GBL_ROW_FILTER_INIT");
    if (info != GBL_SUCCESS) return info;
    gb_take_sized(&told, sizeof told, keep);
    const bool recovers = told.share != 0.0 && told.recover > 0;
    *filter = (gb_RowFilter){.op = told.op,
                             .most = told.most > 0 ? told.most : UINT64_MAX,
                             .recover = recovers ? told.recover : 0,
                             .share = told.share,
                             .power = told.power != 0.0 ? told.power : 1.0,
                             .scale = told.scale};
    if (!(told.share >= 0.0 && told.share <= 1.0))
        return gb_fail(GBL_INVALID_VALUE, "keep.share is %g; it must be from 0 to 1", told.share);
    if (!(told.power >= 0.0 && told.power <= DBL_MAX))
        return gb_fail(GBL_INVALID_VALUE,
                       "keep.power is %g; it must be a positive number, or 0 to leave values as "
                       "they are",
                       told.power);
    if ((filter->power != 1.0 || told.scale) && type->code != GBL_FP32_CODE &&
        type->code != GBL_FP64_CODE)
        return gb_fail(GBL_DOMAIN_MISMATCH,
                       "keep.power and keep.scale are for products of type FP32 or FP64; leave "
                       "both 0, or take a semiring of one of these types");
    if (type->code == GBL_UDT_CODE && (told.most > 0 || recovers))
        return gb_fail(GBL_DOMAIN_MISMATCH,
                       "keep.most and keep.share compare values, but the product has a "
                       "user-defined type; leave both 0");
    if (told.op == NULL) return GBL_SUCCESS;
    const gb_Value y = gb_value_in(told.y);
    info = gb_check_index(told.op, "keep.op");
    if (info == GBL_SUCCESS)
        info = gb_check_cast(gb_type_of(GBL_BOOL_CODE), told.op->ztype,
                             "keep.op's result to true or false");
    if (info == GBL_SUCCESS && told.op->xtype != NULL)
        info = gb_check_cast(told.op->xtype, type, "the product into keep.op's input");
    return info == GBL_SUCCESS ? gb_value_bind(&filter->y, &y, told.op->ytype, space, "keep.y")
                               : info;
}

gbl_Info gbl_mxm_select(gbl_Matrix C, gbl_Matrix M, gbl_BinaryOp accum, gbl_Semiring ring,
                        const gbl_RowFilter *keep, gbl_Matrix A, gbl_Matrix B,
                        gbl_Descriptor desc) {
    gb_MxmCall call;
    gb_RowFilter filter;
    uint64_t space;
    gbl_Info info = fill_call(&call, C, M, accum, ring, A, B, desc);
    if (info == GBL_SUCCESS) info = gb_complete(&C->m);
    if (info == GBL_SUCCESS) info = fill_filter(&filter, keep, ring->add->op->ztype, &space);
    if (info != GBL_SUCCESS) return gb_end(C, info);
    call.filter = &filter;
    return gb_end(C, gb_lifted_mxm(&call));
}

gbl_Info gbl_mxm_plan(gbl_Explanation *plan, gbl_Matrix C, gbl_Matrix M, gbl_BinaryOp accum,
                      gbl_Semiring ring, gbl_Matrix A, gbl_Matrix B, gbl_Descriptor desc) {
    gb_MxmCall call;
    gbl_Explanation why;
    gbl_Info info = fill_call(&call, C, M, accum, ring, A, B, desc);
    if (info == GBL_SUCCESS) info = gb_complete(&C->m);
    if (info == GBL_SUCCESS) info = gb_check_sized(plan, "plan", "GBL_EXPLANATION_INIT");
    if (info == GBL_SUCCESS) info = gb_lifted_mxm_plan(&why, &call);
    if (info != GBL_SUCCESS) return info;
    gb_explain_reason(&why);
    gb_give_sized(plan, &why, sizeof why);
    return GBL_SUCCESS;
}

gbl_Info gbl_mxm_estimate(gbl_MxmEstimate *estimate, gbl_Semiring ring, gbl_Matrix A, gbl_Matrix B,
                          gbl_Descriptor desc) {
    gb_Settings settings;
    gbl_MxmEstimate found;
    gbl_Info info = gb_begin_value(&settings, NULL, desc);
    if (info == GBL_SUCCESS) info = gb_check_sized(estimate, "estimate", "GBL_MXM_ESTIMATE_INIT");
    if (info == GBL_SUCCESS) info = gb_check_semiring(ring, "semiring");
    if (info == GBL_SUCCESS) info = gb_check_matrix(A, "A");
    if (info == GBL_SUCCESS) info = gb_check_matrix(B, "B");
    if (info == GBL_SUCCESS)
        info = gb_lifted_mxm_estimate(&found, &(gb_MxmCall){.ring = ring,
                                                            .A = &A->m,
                                                            .B = &B->m,
                                                            .transpose_a = settings.transpose0,
                                                            .transpose_b = settings.transpose1,
                                                            .choices = settings.choices});
    if (info == GBL_SUCCESS) gb_give_sized(estimate, &found, sizeof found);
    return info;
}

/* w<m> accum= A * u, or u * A where u is left: accum, ring and that are in the call already. */
static gbl_Info multiply_vector(gb_MxvCall *call, gbl_Vector w, gbl_Vector m, gbl_Matrix A,
                                gbl_Vector u, gbl_Descriptor desc) {
    gb_Settings settings;
    gbl_Info info = gb_begin_vector(&settings, w, m, call->accum, desc);
    if (info == GBL_SUCCESS) info = gb_check_semiring(call->ring, "semiring");
    if (info == GBL_SUCCESS) info = gb_check_input(A, "A");
    if (info == GBL_SUCCESS) info = gb_check_vector(u, "u");
    if (info != GBL_SUCCESS) return gb_end(w, info);
    call->w = &w->m;
    call->mask = settings.mask;
    call->A = &A->m;
    call->u = &u->m;
    call->transpose = call->u_is_left ? settings.transpose1 : settings.transpose0;
    call->choices = settings.choices;
    return gb_end(w, gb_lifted_mxv_later(call));
}

gbl_Info gbl_mxv(gbl_Vector w, gbl_Vector m, gbl_BinaryOp accum, gbl_Semiring ring, gbl_Matrix A,
                 gbl_Vector u, gbl_Descriptor desc) {
    return multiply_vector(&(gb_MxvCall){.accum = accum, .ring = ring}, w, m, A, u, desc);
}

gbl_Info gbl_vxm(gbl_Vector w, gbl_Vector m, gbl_BinaryOp accum, gbl_Semiring ring, gbl_Vector u,
                 gbl_Matrix A, gbl_Descriptor desc) {
    return multiply_vector(&(gb_MxvCall){.accum = accum, .ring = ring, .u_is_left = true}, w, m, A,
                           u, desc);
}
