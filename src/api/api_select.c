/* SPDX-License-Identifier: Apache-2.0
 *
 * gbl_Matrix_select and gbl_Vector_select: the operator's y comes as a C value of every type, as a
 * pointer to a value of the operator's type (UDT), or as a Scalar.
 */
#include "api/map_call.h"
#include "hyper/hyper.h"

static gbl_Info select_entries(const gb_MapHandles *handles, gbl_IndexUnaryOp op, gb_Value value) {
    /* handles */
    gb_MapCall call;
    gbl_Info info = gb_map_begin(&call, handles);
    if (info == GBL_SUCCESS) info = gb_check_index(op, "op");
    if (info != GBL_SUCCESS) return info;
    /* domains and dimensions */
    gb_Map map = {.index = op};
    uint64_t space;
    info = gb_check_cast(gb_type_of(GBL_BOOL_CODE), op->ztype, "op's result to true or false");
    if (info == GBL_SUCCESS) info = gb_value_bind(&map.bound, &value, op->ytype, &space, "y");
    if (info == GBL_SUCCESS) info = gb_map_check(&call, call.A->type, op->xtype);
    if (info != GBL_SUCCESS) return info;
    /* do */
    return gb_lifted_select_later(call.C, &call.settings.mask, call.accum, &map, call.A,
                                  call.transpose);
}

/* K: Matrix or Vector; N, T: name and C type of the bound value v; VALUE: v as a gb_Value */
#define GB_DEFINE_FOR(K, N, T, VALUE)                                                              \
    gbl_Info gbl_##K##_select_##N(gbl_##K C, gbl_##K M, gbl_BinaryOp accum, gbl_IndexUnaryOp op,   \
                                  gbl_##K A, T v, gbl_Descriptor desc) {                           \
        return gb_end(C, select_entries(GB_HANDLES_##K(C, M, accum, A, desc), op, VALUE));         \
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
