/* SPDX-License-Identifier: Apache-2.0
 *
 * What algorithms repeat on the vertices of a graph: gbl_Matrix_degrees, gbl_{Vector,Matrix}_sort,
 * gbl_Matrix_permute, gbl_Vector_update, gbl_vxm_update, gbl_vxm_closure, gbl_Vector_roots and
 * gbl_Vector_join.
 */
#include "api/check.h"
#include "graph/graph.h"
#include "lazy/operations.h"
#include "ops/operations.h"

/* -- order */

gbl_Info gbl_Matrix_degrees(gbl_Vector w, gbl_Vector m, gbl_BinaryOp accum, gbl_Matrix A,
                            gbl_Descriptor desc) {
    gb_Degrees call = {.w = GB_OF(w), .mask.M = GB_OF(m), .accum = accum, .A = GB_OF(A)};
    const gbl_Info info = gb_begin_call(&gb_op_degrees, &call, "wmA", desc);
    return gb_end(w, info == GBL_SUCCESS ? gb_run(&gb_op_degrees, &call) : info);
}

static gbl_Info sort(gb_Sort *call, const char *inputs, gbl_Descriptor desc) {
    gbl_Info info = gb_begin_call(&gb_op_sort, call, inputs, desc);
    if (info == GBL_SUCCESS && call->C == NULL && call->P == NULL)
        info = gb_fail(GBL_NULL_POINTER, "both outputs are NULL; pass at least one");
    if (info == GBL_SUCCESS) info = gb_check_binary(call->op, "op");
    if (info == GBL_SUCCESS && call->C == call->P)
        info =
            gb_fail(GBL_INVALID_VALUE, "both outputs are the same object; pass two, or one NULL");
    if (info != GBL_SUCCESS) return info;
    call->by_column = desc != NULL && desc->transpose0 && !gb_is_vector(call->A);
    return gb_run(&gb_op_sort, call);
}

/* Both outputs record the error, or success. */
#define GB_DEFINE(K, INPUTS, C_NAME, P_NAME)                                                       \
    gbl_Info gbl_##K##_sort(gbl_##K C, gbl_##K P, gbl_BinaryOp op, gbl_##K A,                      \
                            gbl_Descriptor desc) {                                                 \
        gb_Sort call = {.C = GB_OF(C), .P = GB_OF(P), .op = op, .A = GB_OF(A)};                    \
        gbl_Info info = gb_check_init();                                                           \
        if (info == GBL_SUCCESS && C != NULL) info = GB_CHECK(K, C, C_NAME, OUTPUT);               \
        if (info == GBL_SUCCESS && P != NULL) info = GB_CHECK(K, P, P_NAME, OUTPUT);               \
        if (info == GBL_SUCCESS) info = sort(&call, INPUTS, desc);                                 \
        if (P != NULL) gb_end(P, info);                                                            \
        return gb_end(C, info);                                                                    \
    }
GB_DEFINE(Vector, "-u", "w", "p")
GB_DEFINE(Matrix, "-A", "C", "P")
#undef GB_DEFINE

/* The entries that op keeps, NULL keeping all. */
static gbl_Info read_band(gb_Band *band, gbl_IndexUnaryOp op, int64_t y) {
    const int64_t beyond = INT64_C(1) << 61; /* any difference of two indices */
    *band = (gb_Band){-beyond, beyond};
    if (op == NULL) return GBL_SUCCESS;
    const gbl_Info info = gb_check_index(op, "op");
    if (info != GBL_SUCCESS) return info;
    if (op->code != GB_TRIL && op->code != GB_TRIU && op->code != GB_DIAG)
        return gb_fail(GBL_DOMAIN_MISMATCH,
                       "op must be GBL_TRIL, GBL_TRIU or GBL_DIAG, or NULL for all entries");
    y = y > beyond ? beyond : y < -beyond ? -beyond : y;
    if (op->code != GB_TRIL) band->low = y;
    if (op->code != GB_TRIU) band->high = y;
    return GBL_SUCCESS;
}

gbl_Info gbl_Matrix_permute(gbl_Matrix C, gbl_Matrix M, gbl_BinaryOp accum, gbl_IndexUnaryOp op,
                            gbl_Matrix A, gbl_Vector p, int64_t y, gbl_Descriptor desc) {
    gb_Permute call = {
        .C = GB_OF(C), .mask.M = GB_OF(M), .accum = accum, .A = GB_OF(A), .p = GB_OF(p)};
    gbl_Info info = gb_begin_call(&gb_op_permute, &call, "CMAp", desc);
    if (info == GBL_SUCCESS) info = read_band(&call.band, op, y);
    return gb_end(C, info == GBL_SUCCESS ? gb_run(&gb_op_permute, &call) : info);
}

/* -- forests */

gbl_Info gbl_Vector_roots(gbl_Vector w, gbl_Vector m, gbl_BinaryOp accum, gbl_Vector u,
                          gbl_Descriptor desc) {
    gb_Roots call = {.w = GB_OF(w), .mask.M = GB_OF(m), .accum = accum, .u = GB_OF(u)};
    const gbl_Info info = gb_begin_call(&gb_op_roots, &call, "wmu", desc);
    return gb_end(w, info == GBL_SUCCESS ? gb_run(&gb_op_roots, &call) : info);
}

gbl_Info gbl_Vector_join(gbl_Vector w, gbl_Vector m, gbl_Matrix A, gbl_Index first, gbl_Index count,
                         gbl_Descriptor desc) {
    gb_Join call = {
        .w = GB_OF(w), .mask.M = GB_OF(m), .A = GB_OF(A), .first = first, .count = count};
    const gbl_Info info = gb_begin_call(&gb_op_join, &call, "wmA", desc);
    return gb_end(w, info == GBL_SUCCESS ? gb_run(&gb_op_join, &call) : info);
}

/* -- updates */

/* Both outputs record the error, or success. */
static gbl_Info end(gbl_Vector w, gbl_Vector changed, gbl_Info info) {
    if (changed != NULL && changed != w) gb_end(changed, info);
    return gb_end(w, info);
}

gbl_Info gbl_Vector_update(gbl_Vector w, gbl_Vector changed, gbl_BinaryOp accum, gbl_Vector u,
                           gbl_Descriptor desc) {
    gb_Update call = {.w = GB_OF(w), .changed = GB_OF(changed), .accum = accum, .u = GB_OF(u)};
    gbl_Info info = gb_begin_call(&gb_op_update, &call, "wu", desc);
    if (info == GBL_SUCCESS) info = GB_CHECK(Vector, changed, "changed", OUTPUT);
    if (info == GBL_SUCCESS) info = gb_check_binary(accum, "accum");
    return end(w, changed, info == GBL_SUCCESS ? gb_run(&gb_op_update, &call) : info);
}

gbl_Info gbl_vxm_update(gbl_Vector w, gbl_Vector changed, gbl_Semiring ring, gbl_Vector u,
                        gbl_Matrix A, gbl_Descriptor desc) {
    gb_MxvCall call = {.w = GB_OF(changed),
                       .best = GB_OF(w),
                       .ring = ring,
                       .A = GB_OF(A),
                       .u = GB_OF(u),
                       .u_is_left = true};
    gbl_Info info = gb_begin_value(NULL, desc);
    if (info == GBL_SUCCESS) info = GB_CHECK(Vector, w, "w", OUTPUT);
    if (info == GBL_SUCCESS) info = GB_CHECK(Vector, changed, "changed", OUTPUT);
    if (info == GBL_SUCCESS) info = gb_check_semiring(ring, "semiring");
    if (info == GBL_SUCCESS) info = GB_CHECK(Vector, u, "u", HANDLE);
    if (info == GBL_SUCCESS) info = GB_CHECK(Matrix, A, "A", HANDLE);
    if (info == GBL_SUCCESS) info = gb_update_check(call.best, call.w, call.u);
    if (info != GBL_SUCCESS) return end(w, changed, info);
    call.transpose = desc != NULL && desc->transpose1;
    call.choices = gb_choices_of(desc);
    return end(w, changed, gb_run(&gb_op_vxm_update, &call));
}

gbl_Info gbl_vxm_closure(gbl_Vector w, gbl_Semiring ring, gbl_Matrix A, double width,
                         gbl_Descriptor desc) {
    gb_Closure call = {.w = GB_OF(w), .ring = ring, .A = GB_OF(A), .width = width};
    gbl_Info info = gb_begin_call(&gb_op_closure, &call, "wA", desc);
    if (info == GBL_SUCCESS) info = gb_check_semiring(ring, "semiring");
    if (info != GBL_SUCCESS) return gb_end(w, info);
    call.choices = gb_choices_of(desc);
    return gb_end(w, gb_run(&gb_op_closure, &call));
}
