/* SPDX-License-Identifier: Apache-2.0
 *
 * gbl_Matrix_apply, gbl_Matrix_select and their kin, for matrices and vectors, and gbl_transpose.
 * Operators are unary, binary with one argument bound, or index operators. Bound values come as C
 * values of every type, as a pointer to a value of the operator's type (UDT), or as a Scalar. A
 * bound value is an input of its own: with the first argument bound, A is the second input, and
 * GBL_INP1 says whether it is transposed.
 */
#include "api/check.h"
#include "ops/operations.h"

/* The letters of a call's objects, and the call as the user gave it. */
#define GB_LETTERS_Matrix "CMA"
#define GB_LETTERS_Vector "wmu"
#define GB_CALL(c, m, acc, a)                                                                      \
    (&(gb_Apply){.C = GB_OF(c), .mask.M = GB_OF(m), .accum = acc, .A = GB_OF(a)})

/* The index-unary operator that gives what POSITIONI and its kin give. */
static gb_Map position_map(gbl_UnaryOp op) {
    static const int64_t from[2] = {0, 1};
    static const int32_t narrow[2] = {0, 1};
    const bool is_long = op->ztype->code == GBL_INT64_CODE;
    const bool of_rows = op->code == GB_POSITIONI || op->code == GB_POSITIONI1;
    const bool from_1 = op->code == GB_POSITIONI1 || op->code == GB_POSITIONJ1;
    return (gb_Map){
        .index = is_long ? of_rows ? GBL_ROWINDEX_INT64 : GBL_COLINDEX_INT64
                         : (of_rows ? GBL_ROWINDEX_INT32 : GBL_COLINDEX_INT32),
        .bound = is_long ? (const void *)&from[from_1] : &narrow[from_1],
    };
}

static gbl_Info apply_unary(gb_Apply *call, const char *letters, gbl_UnaryOp op,
                            gbl_Descriptor desc) {
    gbl_Info info = gb_begin_call(&gb_op_apply, call, letters, desc);
    if (info == GBL_SUCCESS) info = gb_check_unary(op, "op");
    call->map.unary = op;
    if (info == GBL_SUCCESS && op->code >= GB_POSITIONI) call->map = position_map(op);
    return info == GBL_SUCCESS ? gb_run(&gb_op_apply, call) : info;
}

static gbl_Info apply_bound(gb_Apply *call, const char *letters, gbl_BinaryOp op, bool bound_first,
                            gb_Value value, gbl_Descriptor desc) {
    gb_Builtin space;
    gbl_Info info = gb_begin_call(&gb_op_apply, call, letters, desc);
    if (info == GBL_SUCCESS) info = gb_check_binary(op, "op");
    if (info != GBL_SUCCESS) return info;
    if (bound_first) call->transpose = desc != NULL && desc->transpose1 && !gb_is_vector(call->A);
    call->map = (gb_Map){.binary = op, .bound_first = bound_first};
    info = gb_value_bind(&call->map.bound, &value, bound_first ? op->xtype : op->ytype, &space,
                         bound_first ? "x" : "y");
    if (info != GBL_SUCCESS) return info;
    return gb_binary_is_positional(op) ? gb_apply_by_position(call) : gb_run(&gb_op_apply, call);
}

/* apply by an index operator, or select */
static gbl_Info run_index(const gb_Op *run, gb_Apply *call, const char *letters,
                          gbl_IndexUnaryOp op, gb_Value value, gbl_Descriptor desc) {
    gb_Builtin space;
    gbl_Info info = gb_begin_call(run, call, letters, desc);
    if (info == GBL_SUCCESS) info = gb_check_index(op, "op");
    if (info != GBL_SUCCESS) return info;
    call->map.index = op;
    info = gb_value_bind(&call->map.bound, &value, op->ytype, &space, "y");
    return info == GBL_SUCCESS ? gb_run(run, call) : info;
}

#define GB_DEFINE_UNARY(K)                                                                         \
    gbl_Info gbl_##K##_apply(gbl_##K C, gbl_##K M, gbl_BinaryOp accum, gbl_UnaryOp op, gbl_##K A,  \
                             gbl_Descriptor desc) {                                                \
        return gb_end(C, apply_unary(GB_CALL(C, M, accum, A), GB_LETTERS_##K, op, desc));          \
    }
GB_DEFINE_UNARY(Matrix)
GB_DEFINE_UNARY(Vector)

/* K: Matrix or Vector; N, T: name and C type of the bound value v; VALUE: v as a gb_Value */
#define GB_DEFINE_FOR(K, N, T, VALUE)                                                              \
    gbl_Info gbl_##K##_apply_BinaryOp1st_##N(gbl_##K C, gbl_##K M, gbl_BinaryOp accum,             \
                                             gbl_BinaryOp op, T v, gbl_##K A,                      \
                                             gbl_Descriptor desc) {                                \
        return gb_end(                                                                             \
            C, apply_bound(GB_CALL(C, M, accum, A), GB_LETTERS_##K, op, true, VALUE, desc));       \
    }                                                                                              \
    gbl_Info gbl_##K##_apply_BinaryOp2nd_##N(gbl_##K C, gbl_##K M, gbl_BinaryOp accum,             \
                                             gbl_BinaryOp op, gbl_##K A, T v,                      \
                                             gbl_Descriptor desc) {                                \
        return gb_end(                                                                             \
            C, apply_bound(GB_CALL(C, M, accum, A), GB_LETTERS_##K, op, false, VALUE, desc));      \
    }                                                                                              \
    gbl_Info gbl_##K##_apply_IndexOp_##N(gbl_##K C, gbl_##K M, gbl_BinaryOp accum,                 \
                                         gbl_IndexUnaryOp op, gbl_##K A, T v,                      \
                                         gbl_Descriptor desc) {                                    \
        return gb_end(                                                                             \
            C, run_index(&gb_op_apply, GB_CALL(C, M, accum, A), GB_LETTERS_##K, op, VALUE, desc)); \
    }                                                                                              \
    gbl_Info gbl_##K##_select_##N(gbl_##K C, gbl_##K M, gbl_BinaryOp accum, gbl_IndexUnaryOp op,   \
                                  gbl_##K A, T v, gbl_Descriptor desc) {                           \
        return gb_end(C, run_index(&gb_op_select, GB_CALL(C, M, accum, A), GB_LETTERS_##K, op,     \
                                   VALUE, desc));                                                  \
    }
#define GB_DEFINE(N, T)                                                                            \
    GB_DEFINE_FOR(Matrix, N, T, gb_value_at(&v, GBL_##N##_CODE))                                   \
    GB_DEFINE_FOR(Vector, N, T, gb_value_at(&v, GBL_##N##_CODE))
GBL_FOREACH_TYPE(GB_DEFINE)
GBL_FOREACH_COMPLEX(GB_DEFINE)
#undef GB_DEFINE
GB_DEFINE_FOR(Matrix, UDT, const void *, gb_value_at(v, GBL_UDT_CODE))
GB_DEFINE_FOR(Vector, UDT, const void *, gb_value_at(v, GBL_UDT_CODE))
GB_DEFINE_FOR(Matrix, Scalar, gbl_Scalar, gb_value_in(v))
GB_DEFINE_FOR(Vector, Scalar, gbl_Scalar, gb_value_in(v))

/* With GBL_INP0 = GBL_TRAN in the descriptor the two transpositions cancel. */
gbl_Info gbl_transpose(gbl_Matrix C, gbl_Matrix M, gbl_BinaryOp accum, gbl_Matrix A,
                       gbl_Descriptor desc) {
    gb_Transpose call = {.C = GB_OF(C), .mask.M = GB_OF(M), .accum = accum, .A = GB_OF(A)};
    const gbl_Info info = gb_begin_call(&gb_op_transpose, &call, "CMA", desc);
    call.transpose = !call.transpose;
    return gb_end(C, info == GBL_SUCCESS ? gb_run(&gb_op_transpose, &call) : info);
}
