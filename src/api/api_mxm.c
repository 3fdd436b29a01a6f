/* SPDX-License-Identifier: Apache-2.0
 *
 * gbl_mxm, gbl_mxm_select, gbl_mxv, gbl_vxm, gbl_mxm_chain, and the plans of products.
 */
#include <float.h>
#include <stdio.h>

#include "api/check.h"
#include "lazy/operations.h"
#include "mxm/explain/explain.h"

/* The product as the caller gave it. */
#define GB_PRODUCT(c, m, acc, semiring, a, b)                                                      \
    {                                                                                              \
        .C = GB_OF(c), .mask.M = GB_OF(m), .accum = (acc), .ring = (semiring), .A = GB_OF(a),      \
        .B = GB_OF(b)                                                                              \
    }

/* The objects of a product that have a letter, and the descriptor. */
static gbl_Info begin(gb_MxmCall *call, const char *letters, gbl_Descriptor desc) {
    gbl_Info info = gb_begin_call(&gb_op_mxm, call, letters, desc);
    if (info == GBL_SUCCESS) info = gb_check_semiring((gbl_Semiring)call->ring, "semiring");
    if (info == GBL_SUCCESS) call->choices = gb_choices_of(desc);
    return info;
}

gbl_Info gbl_mxm(gbl_Matrix C, gbl_Matrix M, gbl_BinaryOp accum, gbl_Semiring ring, gbl_Matrix A,
                 gbl_Matrix B, gbl_Descriptor desc) {
    gb_MxmCall call = GB_PRODUCT(C, M, accum, ring, A, B);
    const gbl_Info info = begin(&call, "CMAB", desc);
    return gb_end(C, info == GBL_SUCCESS ? gb_run(&gb_op_mxm, &call) : info);
}

/* The caller's filter, checked; y in space when it has to be cast. */
static gbl_Info fill_filter(gb_RowFilter *filter, const gbl_RowFilter *keep, const gb_Type *type,
                            gb_Builtin *space) {
    gbl_RowFilter asked;
    gbl_Info info = gb_check_sized(keep, "keep", "GBL_ROW_FILTER_INIT");
    if (info != GBL_SUCCESS) return info;
    gb_take_sized(&asked, sizeof asked, keep);
    const bool recovers = asked.share != 0.0 && asked.recover > 0;
    *filter = (gb_RowFilter){.op = asked.op,
                             .most = asked.most > 0 ? asked.most : UINT64_MAX,
                             .recover = recovers ? asked.recover : 0,
                             .share = asked.share,
                             .power = asked.power != 0.0 ? asked.power : 1.0,
                             .scale = asked.scale};
    if (!(asked.share >= 0.0 && asked.share <= 1.0))
        return gb_fail(GBL_INVALID_VALUE, "keep.share is %g; it must be from 0 to 1", asked.share);
    if (!(asked.power >= 0.0 && asked.power <= DBL_MAX))
        return gb_fail(GBL_INVALID_VALUE,
                       "keep.power is %g; it must be a positive number, or 0 to leave values as "
                       "they are",
                       asked.power);
    if ((filter->power != 1.0 || asked.scale) && type->code != GBL_FP32_CODE &&
        type->code != GBL_FP64_CODE)
        return gb_fail(GBL_DOMAIN_MISMATCH,
                       "keep.power and keep.scale are for products of type FP32 or FP64; leave "
                       "both 0, or take a semiring of one of these types");
    if (!gb_type_is_real(type) && (asked.most > 0 || recovers))
        return gb_fail(GBL_DOMAIN_MISMATCH,
                       "keep.most and keep.share compare values, but the product has a "
                       "complex or user-defined type; leave both 0");
    if (asked.op == NULL) return GBL_SUCCESS;
    const gb_Value y = gb_value_in(asked.y);
    info = gb_check_index(asked.op, "keep.op");
    if (info == GBL_SUCCESS)
        info = gb_check_cast(gb_type_of(GBL_BOOL_CODE), asked.op->ztype,
                             "keep.op's result to true or false");
    if (info == GBL_SUCCESS && asked.op->xtype != NULL)
        info = gb_check_cast(asked.op->xtype, type, "the product into keep.op's input");
    return info == GBL_SUCCESS ? gb_value_bind(&filter->y, &y, asked.op->ytype, space, "keep.y")
                               : info;
}

gbl_Info gbl_mxm_select(gbl_Matrix C, gbl_Matrix M, gbl_BinaryOp accum, gbl_Semiring ring,
                        const gbl_RowFilter *keep, gbl_Matrix A, gbl_Matrix B,
                        gbl_Descriptor desc) {
    gb_RowFilter filter;
    gb_Builtin space;
    gb_MxmCall call = GB_PRODUCT(C, M, accum, ring, A, B);
    gbl_Info info = begin(&call, "CMAB", desc);
    call.filter = &filter;
    if (info == GBL_SUCCESS) info = fill_filter(&filter, keep, ring->add->op->ztype, &space);
    return gb_end(C, info == GBL_SUCCESS ? gb_run_now(&gb_op_mxm, &call) : info);
}

gbl_Info gbl_mxm_plan(gbl_Explanation *plan, gbl_Matrix C, gbl_Matrix M, gbl_BinaryOp accum,
                      gbl_Semiring ring, gbl_Matrix A, gbl_Matrix B, gbl_Descriptor desc) {
    gbl_Explanation why;
    gb_MxmPlanCall call = {.mxm = GB_PRODUCT(C, M, accum, ring, A, B), .why = &why};
    gbl_Info info = begin(&call.mxm, "CMAB", desc);
    if (info == GBL_SUCCESS) info = gb_check_sized(plan, "plan", "GBL_EXPLANATION_INIT");
    if (info == GBL_SUCCESS) info = gb_run(&gb_op_mxm_plan, &call);
    if (info != GBL_SUCCESS) return info;
    gb_explain_reason(&why);
    gb_give_sized(plan, &why, sizeof why);
    return GBL_SUCCESS;
}

gbl_Info gbl_mxm_estimate(gbl_MxmEstimate *estimate, gbl_Semiring ring, gbl_Matrix A, gbl_Matrix B,
                          gbl_Descriptor desc) {
    gbl_MxmEstimate found;
    gb_MxmEstimateCall call = {.mxm = {.ring = ring, .A = GB_OF(A), .B = GB_OF(B)},
                               .estimate = &found};
    gbl_Info info = gb_begin_value(NULL, desc);
    if (info == GBL_SUCCESS) info = gb_check_sized(estimate, "estimate", "GBL_MXM_ESTIMATE_INIT");
    if (info == GBL_SUCCESS) info = begin(&call.mxm, "--AB", desc);
    call.mxm.mask = (gb_Mask){0}; /* the descriptor's is for products */
    if (info == GBL_SUCCESS) info = gb_run(&gb_op_mxm_estimate, &call);
    if (info == GBL_SUCCESS) gb_give_sized(estimate, &found, sizeof found);
    return info;
}

gbl_Info gbl_mxm_batch(const gbl_Matrix *C, const gbl_Matrix *M, gbl_BinaryOp accum,
                       gbl_Semiring ring, const gbl_Matrix *A, const gbl_Matrix *B, gbl_Index n,
                       gbl_Descriptor desc) {
    gb_MxmBatch batch = {.like = {.accum = accum, .ring = ring}, .C = C, .M = M, .A = A, .B = B};
    gbl_Info info = begin(&batch.like, "----", desc);
    if (info == GBL_SUCCESS && n > 0) info = gb_check_pointer(C, "C");
    if (info == GBL_SUCCESS && n > 0) info = gb_check_pointer(A, "A");
    if (info == GBL_SUCCESS && n > 0) info = gb_check_pointer(B, "B");
    for (; info == GBL_SUCCESS && batch.n < n; batch.n++) {
        gb_MxmCall call = gb_mxm_batch_call(&batch, batch.n);
        info = gb_begin_call(&gb_op_mxm, &call, "CMAB", desc);
        if (info == GBL_SUCCESS) info = gb_mxm_check(&call);
        info = gb_mxm_batch_name(info, batch.n);
    }
    return info == GBL_SUCCESS ? gb_mxm_batch(&batch) : info;
}

/* -- with vectors */

static gbl_Info multiply_vector(const gb_Op *op, gb_MxvCall *call, const char *letters,
                                gbl_Descriptor desc) {
    gbl_Info info = gb_begin_call(op, call, letters, desc);
    if (info == GBL_SUCCESS) info = gb_check_semiring((gbl_Semiring)call->ring, "semiring");
    if (info != GBL_SUCCESS) return info;
    call->choices = gb_choices_of(desc);
    return gb_run(op, call);
}

gbl_Info gbl_mxv(gbl_Vector w, gbl_Vector m, gbl_BinaryOp accum, gbl_Semiring ring, gbl_Matrix A,
                 gbl_Vector u, gbl_Descriptor desc) {
    gb_MxvCall call = {.w = GB_OF(w),
                       .mask.M = GB_OF(m),
                       .accum = accum,
                       .ring = ring,
                       .A = GB_OF(A),
                       .u = GB_OF(u)};
    return gb_end(w, multiply_vector(&gb_op_mxv, &call, "wmAu", desc));
}

gbl_Info gbl_vxm(gbl_Vector w, gbl_Vector m, gbl_BinaryOp accum, gbl_Semiring ring, gbl_Vector u,
                 gbl_Matrix A, gbl_Descriptor desc) {
    gb_MxvCall call = {.w = GB_OF(w),
                       .mask.M = GB_OF(m),
                       .accum = accum,
                       .ring = ring,
                       .A = GB_OF(A),
                       .u = GB_OF(u),
                       .u_is_left = true};
    return gb_end(w, multiply_vector(&gb_op_vxm, &call, "wmuA", desc));
}

/* -- of many factors */

/* Takes the factors into the call. */
static gbl_Info take_factors(gb_ChainCall *call, const gbl_Matrix *A, int32_t count,
                             gbl_Descriptor desc) {
    gbl_Info info = gb_check_pointer(A, "A");
    if (info != GBL_SUCCESS) return info;
    if (count < 2 || count > GBL_CHAIN_MOST)
        return gb_fail(GBL_INVALID_VALUE, "count is %d; a chain has 2 to %d factors", (int)count,
                       (int)GBL_CHAIN_MOST);
    for (int32_t f = 0; f < count; f++) {
        char name[16];
        snprintf(name, sizeof name, "A[%d]", (int)f);
        info = GB_CHECK(Matrix, A[f], name, INPUT);
        if (info != GBL_SUCCESS) return info;
        call->A[f] = GB_OF(A[f]);
    }
    call->choices = gb_choices_of(desc);
    if (gb_is_approximate(&call->choices))
        return gb_fail(
            GBL_INVALID_VALUE,
            "an approximation (GBL_TAU, GBL_VALID_RATIO, GBL_ERROR_BOUND, "
            "GBL_ROUND_FACTORS) is for one product; multiply the factors one after the other");
    call->count = count;
    call->transpose_first = desc != NULL && desc->transpose0;
    call->transpose_last = desc != NULL && desc->transpose1;
    return GBL_SUCCESS;
}

gbl_Info gbl_mxm_chain(gbl_Matrix C, gbl_Matrix M, gbl_BinaryOp accum, gbl_Semiring ring,
                       const gbl_Matrix *A, int32_t count, gbl_Descriptor desc) {
    gb_ChainCall call = {.C = GB_OF(C), .mask.M = GB_OF(M), .accum = accum, .ring = ring};
    gbl_Info info = gb_begin_call(&gb_op_chain, &call, "CM", desc);
    if (info == GBL_SUCCESS) info = gb_check_semiring(ring, "semiring");
    if (info == GBL_SUCCESS) info = take_factors(&call, A, count, desc);
    return gb_end(C, info == GBL_SUCCESS ? gb_run(&gb_op_chain, &call) : info);
}

gbl_Info gbl_mxm_chain_plan(gbl_ChainPlan *plan, gbl_Semiring ring, const gbl_Matrix *A,
                            int32_t count, gbl_Descriptor desc) {
    gb_ChainCall call = {.ring = ring};
    gbl_Info info = gb_begin_value(NULL, desc);
    if (info == GBL_SUCCESS) info = gb_check_sized(plan, "plan", "GBL_CHAIN_PLAN_INIT");
    if (info == GBL_SUCCESS) info = gb_check_semiring(ring, "semiring");
    if (info == GBL_SUCCESS) info = take_factors(&call, A, count, desc);
    gbl_ChainPlan found = {.nfactors = 0};
    if (info == GBL_SUCCESS) info = gb_chain_plan(&found, &call);
    if (info == GBL_SUCCESS) gb_give_sized(plan, &found, sizeof found);
    return info;
}
