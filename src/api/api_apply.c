/* SPDX-License-Identifier: Apache-2.0
 *
 * gbl_Matrix_apply and its kin: unary operators, binary operators with one argument bound, index
 * operators, for matrices and vectors. Bound values come as C values of every type, as a pointer to
 * a value of the operator's type (UDT), or as a Scalar. A bound value is an input of its own: with
 * the first argument bound, A is the second input, and GBL_INP1 says whether it is transposed.
 */
#include "api/map_call.h"
#include "hyper/hyper.h"

static gbl_Info apply_unary(const gb_MapHandles *handles, gbl_UnaryOp op) {
    /* handles */
    gb_MapCall call;
    gbl_Info info = gb_map_begin(&call, handles);
    if (info == GBL_SUCCESS) info = gb_check_unary(op, "op");
    if (info != GBL_SUCCESS) return info;
    /* domains and dimensions */
    info = gb_map_check(&call, op->ztype, op->xtype);
    if (info != GBL_SUCCESS) return info;
    /* do */
    const gb_Map map = {.unary = op};
    return gb_lifted_apply_later(call.C, &call.settings.mask, call.accum, &map, call.A,
                                 call.transpose);
}

static gbl_Info apply_bound(const gb_MapHandles *handles, gbl_BinaryOp op, bool bound_first,
                            gb_Value value) {
    /* handles */
    gb_MapCall call;
    gbl_Info info = gb_map_begin(&call, handles);
    if (info == GBL_SUCCESS) info = gb_check_binary(op, "op");
    if (info == GBL_SUCCESS && gb_binary_is_positional(op))
        info = gb_fail(GBL_DOMAIN_MISMATCH,
                       "op works by position, which apply does not offer for binary operators; "
                       "use an index operator such as GBL_ROWINDEX_INT64");
    if (info != GBL_SUCCESS) return info;
    if (bound_first) call.transpose = call.settings.transpose1 && !handles->is_vector;
    /* domains and dimensions */
    const gb_Type *bound_type = bound_first ? op->xtype : op->ytype;
    const gb_Type *free_type = bound_first ? op->ytype : op->xtype;
    gb_Map map = {.binary = op, .bound_first = bound_first};
    uint64_t space;
    info = gb_value_bind(&map.bound, &value, bound_type, &space, bound_first ? "x" : "y");
    if (info == GBL_SUCCESS) info = gb_map_check(&call, op->ztype, free_type);
    if (info != GBL_SUCCESS) return info;
    /* do */
    return gb_lifted_apply_later(call.C, &call.settings.mask, call.accum, &map, call.A,
                                 call.transpose);
}

static gbl_Info apply_index(const gb_MapHandles *handles, gbl_IndexUnaryOp op, gb_Value value) {
    /* handles */
    gb_MapCall call;
    gbl_Info info = gb_map_begin(&call, handles);
    if (info == GBL_SUCCESS) info = gb_check_index(op, "op");
    if (info != GBL_SUCCESS) return info;
    /* domains and dimensions */
    gb_Map map = {.index = op};
    uint64_t space;
    info = gb_value_bind(&map.bound, &value, op->ytype, &space, "y");
    if (info == GBL_SUCCESS) info = gb_map_check(&call, op->ztype, op->xtype);
    if (info != GBL_SUCCESS) return info;
    /* do */
    return gb_lifted_apply_later(call.C, &call.settings.mask, call.accum, &map, call.A,
                                 call.transpose);
}

gbl_Info gbl_Matrix_apply(gbl_Matrix C, gbl_Matrix M, gbl_BinaryOp accum, gbl_UnaryOp op,
                          gbl_Matrix A, gbl_Descriptor desc) {
    return gb_end(C, apply_unary(GB_HANDLES_Matrix(C, M, accum, A, desc), op));
}

gbl_Info gbl_Vector_apply(gbl_Vector w, gbl_Vector m, gbl_BinaryOp accum, gbl_UnaryOp op,
                          gbl_Vector u, gbl_Descriptor desc) {
    return gb_end(w, apply_unary(GB_HANDLES_Vector(w, m, accum, u, desc), op));
}

/* K: Matrix or Vector; N, T: name and C type of the bound value v; VALUE: v as a gb_Value */
#define GB_DEFINE_FOR(K, N, T, VALUE)                                                              \
    gbl_Info gbl_##K##_apply_BinaryOp1st_##N(gbl_##K C, gbl_##K M, gbl_BinaryOp accum,             \
                                             gbl_BinaryOp op, T v, gbl_##K A,                      \
                                             gbl_Descriptor desc) {                                \
        return gb_end(C, apply_bound(GB_HANDLES_##K(C, M, accum, A, desc), op, true, VALUE));      \
    }                                                                                              \
    gbl_Info gbl_##K##_apply_BinaryOp2nd_##N(gbl_##K C, gbl_##K M, gbl_BinaryOp accum,             \
                                             gbl_BinaryOp op, gbl_##K A, T v,                      \
                                             gbl_Descriptor desc) {                                \
        return gb_end(C, apply_bound(GB_HANDLES_##K(C, M, accum, A, desc), op, false, VALUE));     \
    }                                                                                              \
    gbl_Info gbl_##K##_apply_IndexOp_##N(gbl_##K C, gbl_##K M, gbl_BinaryOp accum,                 \
                                         gbl_IndexUnaryOp op, gbl_##K A, T v,                      \
                                         gbl_Descriptor desc) {                                    \
        return gb_end(C, apply_index(GB_HANDLES_##K(C, M, accum, A, desc), op, VALUE));            \
    }
#define GB_DEFINE(N, T)                                                                            \
    GB_DEFINE_FOR(Matrix, N, T, gb_value_at(&v, GBL_##N##_CODE))                                   \
    GB_DEFINE_FOR(Vector, N, T, gb_value_at(&v, GBL_##N##_CODE))
GBL_FOREACH_TYPE(GB_DEFINE)
#undef GB_DEFINE
GB_DEFINE_FOR(Matrix, UDT, const void *, gb_value_at(v, GBL_UDT_CODE))
GB_DEFINE_FOR(Vector, UDT, const void *, gb_value_at(v, GBL_UDT_CODE))
GB_DEFINE_FOR(Matrix, Scalar, gbl_Scalar, gb_value_in(v))
GB_DEFINE_FOR(Vector, Scalar, gbl_Scalar, gb_value_in(v))
