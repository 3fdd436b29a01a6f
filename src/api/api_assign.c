/* SPDX-License-Identifier: Apache-2.0
 *
 * gbl_Matrix_assign, gbl_Vector_assign, and the same with one value of every type; gbl_Row_assign
 * and gbl_Col_assign.
 */
#include "api/check.h"
#include "ops/operations.h"

gbl_Info gbl_Matrix_assign(gbl_Matrix C, gbl_Matrix M, gbl_BinaryOp accum, gbl_Matrix A,
                           const gbl_Index *I, gbl_Index ni, const gbl_Index *J, gbl_Index nj,
                           gbl_Descriptor desc) {
    gb_Assign call = {.C = GB_OF(C), .mask.M = GB_OF(M), .accum = accum, .A = GB_OF(A)};
    const gbl_Info info = gb_begin_call(&gb_op_assign, &call, "CMA", desc);
    if (info != GBL_SUCCESS) return gb_end(C, info);
    call.I = gb_indices_of(I, ni, call.C->nrows);
    call.J = gb_indices_of(J, nj, call.C->ncols);
    return gb_end(C, gb_run(&gb_op_assign, &call));
}

gbl_Info gbl_Vector_assign(gbl_Vector w, gbl_Vector m, gbl_BinaryOp accum, gbl_Vector u,
                           const gbl_Index *I, gbl_Index ni, gbl_Descriptor desc) {
    gb_Assign call = {.C = GB_OF(w),
                      .mask.M = GB_OF(m),
                      .accum = accum,
                      .A = GB_OF(u),
                      .J = {.n = 1, .all = true}};
    const gbl_Info info = gb_begin_call(&gb_op_assign, &call, "wmu", desc);
    if (info != GBL_SUCCESS) return gb_end(w, info);
    call.I = gb_indices_of(I, ni, call.C->nrows);
    return gb_end(w, gb_run(&gb_op_assign, &call));
}

/* -- rows and columns */

/* Row or column number `line` of C; the handles are valid. */
static gbl_Info assign_line(gb_Matrix *C, gb_LineAssign *call, const gbl_Index *list, uint64_t n) {
    const uint64_t lines = call->is_row ? C->nrows : C->ncols;
    const uint64_t length = call->is_row ? C->ncols : C->nrows;
    const char *what = call->is_row ? "row index" : "column index";
    gb_Assign *assign = &call->assign;
    gbl_Info info = gb_check_index_below(call->line, lines, what);
    gb_Matrix *vector = NULL;
    if (info == GBL_SUCCESS) info = gb_matrix_new(&vector, GB_MAGIC_VECTOR, C->type, length, 1);
    if (info != GBL_SUCCESS) return info;
    assign->C = vector;
    assign->I = gb_indices_of(list, n, length);
    assign->J = (gb_Indices){.n = 1, .all = true};
    if (call->is_row) info = gb_indices_check(&assign->I, length, "J");
    if (info == GBL_SUCCESS) info = gb_op_assign.check(assign);
    if (info == GBL_SUCCESS) info = gb_assign_line(C, call);
    gb_matrix_free(vector);
    return info;
}

#define GB_DEFINE(NAME, IS_ROW, ...)                                                               \
    gbl_Info gbl_##NAME##_assign(gbl_Matrix C, gbl_Vector m, gbl_BinaryOp accum, gbl_Vector u,     \
                                 __VA_ARGS__, gbl_Descriptor desc) {                               \
        gb_LineAssign call = {                                                                     \
            .line = line,                                                                          \
            .is_row = IS_ROW,                                                                      \
            .assign = {.mask.M = GB_OF(m), .accum = accum, .A = GB_OF(u)},                         \
        };                                                                                         \
        gbl_Info info = gb_begin_call(&gb_op_assign, &call.assign, "-mu", desc);                   \
        if (info == GBL_SUCCESS) info = GB_CHECK(Matrix, C, "C", OUTPUT);                          \
        if (info == GBL_SUCCESS && m != NULL) info = gb_complete(GB_OF(m), GB_WANTS_INPUT);        \
        if (info == GBL_SUCCESS) info = gb_complete(GB_OF(u), GB_WANTS_INPUT);                     \
        return gb_end(C, info == GBL_SUCCESS ? assign_line(GB_OF(C), &call, list, n) : info);      \
    }
GB_DEFINE(Row, true, gbl_Index line, const gbl_Index *list, gbl_Index n)
GB_DEFINE(Col, false, const gbl_Index *list, gbl_Index n, gbl_Index line)
#undef GB_DEFINE

/* -- values */

/* Sets the value of the call; an empty Scalar means no entry. */
static gbl_Info set_value(gb_Assign *call, gb_Value value) {
    const gb_Type *ctype = call->C->type;
    gbl_Info info = value.is_scalar ? gb_check_scalar(value.scalar, "the scalar")
                                    : gb_check_pointer(value.x, "x");
    if (info != GBL_SUCCESS) return info;
    if (value.is_scalar) {
        call->xtype = value.scalar->type;
        call->x = value.scalar->present ? value.scalar->value : NULL;
        return GBL_SUCCESS;
    }
    if (value.type == NULL && ctype->code != GBL_UDT_CODE)
        return gb_fail(GBL_DOMAIN_MISMATCH,
                       "the value is of a user type, but the output has a built-in type; use the "
                       "assign of that type");
    call->xtype = value.type != NULL ? value.type : ctype;
    call->x = value.x;
    return GBL_SUCCESS;
}

/* N, T: name and C type of the value x; VALUE: x as a gb_Value */
#define GB_DEFINE_FOR(N, T, VALUE)                                                                 \
    gbl_Info gbl_Vector_assign_##N(gbl_Vector w, gbl_Vector m, gbl_BinaryOp accum, T x,            \
                                   const gbl_Index *I, gbl_Index ni, gbl_Descriptor desc) {        \
        gb_Assign call = {                                                                         \
            .C = GB_OF(w), .mask.M = GB_OF(m), .accum = accum, .J = {.n = 1, .all = true}};        \
        gbl_Info info = gb_begin_call(&gb_op_assign, &call, "wm-", desc);                          \
        if (info == GBL_SUCCESS) info = set_value(&call, VALUE);                                   \
        if (info != GBL_SUCCESS) return gb_end(w, info);                                           \
        call.I = gb_indices_of(I, ni, call.C->nrows);                                              \
        return gb_end(w, gb_run(&gb_op_assign, &call));                                            \
    }                                                                                              \
    gbl_Info gbl_Matrix_assign_##N(gbl_Matrix C, gbl_Matrix M, gbl_BinaryOp accum, T x,            \
                                   const gbl_Index *I, gbl_Index ni, const gbl_Index *J,           \
                                   gbl_Index nj, gbl_Descriptor desc) {                            \
        gb_Assign call = {.C = GB_OF(C), .mask.M = GB_OF(M), .accum = accum};                      \
        gbl_Info info = gb_begin_call(&gb_op_assign, &call, "CM-", desc);                          \
        if (info == GBL_SUCCESS) info = set_value(&call, VALUE);                                   \
        if (info != GBL_SUCCESS) return gb_end(C, info);                                           \
        call.I = gb_indices_of(I, ni, call.C->nrows);                                              \
        call.J = gb_indices_of(J, nj, call.C->ncols);                                              \
        return gb_end(C, gb_run(&gb_op_assign, &call));                                            \
    }
#define GB_DEFINE(N, T) GB_DEFINE_FOR(N, T, gb_value_at(&x, GBL_##N##_CODE))
GBL_FOREACH_TYPE(GB_DEFINE)
GBL_FOREACH_COMPLEX(GB_DEFINE)
#undef GB_DEFINE
GB_DEFINE_FOR(UDT, const void *, gb_value_at(x, GBL_UDT_CODE))
GB_DEFINE_FOR(Scalar, gbl_Scalar, gb_value_in(x))
