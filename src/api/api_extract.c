/* SPDX-License-Identifier: Apache-2.0
 *
 * gbl_Matrix_extract, gbl_Col_extract and gbl_Vector_extract: entries at listed indices. For
 * vectors the list is an array or a vector, and gbl_Vector_scatter is the reverse.
 */
#include "api/check.h"
#include "graph/graph.h"
#include "ops/operations.h"

static uint64_t rows_of(const gb_Matrix *A, bool transposed) {
    return transposed ? A->ncols : A->nrows;
}

gbl_Info gbl_Matrix_extract(gbl_Matrix C, gbl_Matrix M, gbl_BinaryOp accum, gbl_Matrix A,
                            const gbl_Index *I, gbl_Index ni, const gbl_Index *J, gbl_Index nj,
                            gbl_Descriptor desc) {
    gb_Extract call = {.C = GB_OF(C), .mask.M = GB_OF(M), .accum = accum, .A = GB_OF(A)};
    const gbl_Info info = gb_begin_call(&gb_op_extract, &call, "CMA", desc);
    if (info != GBL_SUCCESS) return gb_end(C, info);
    call.I = gb_indices_of(I, ni, rows_of(call.A, call.transpose));
    call.J = gb_indices_of(J, nj, rows_of(call.A, !call.transpose));
    return gb_end(C, gb_run(&gb_op_extract, &call));
}

gbl_Info gbl_Col_extract(gbl_Vector w, gbl_Vector m, gbl_BinaryOp accum, gbl_Matrix A,
                         const gbl_Index *I, gbl_Index ni, gbl_Index j, gbl_Descriptor desc) {
    gb_Extract call = {.C = GB_OF(w), .mask.M = GB_OF(m), .accum = accum, .A = GB_OF(A)};
    gbl_Info info = gb_begin_call(&gb_op_extract, &call, "wmA", desc);
    if (info == GBL_SUCCESS)
        info = gb_check_index_below(j, rows_of(call.A, !call.transpose), "column index");
    if (info != GBL_SUCCESS) return gb_end(w, info);
    call.I = gb_indices_of(I, ni, rows_of(call.A, call.transpose));
    call.J = (gb_Indices){.i = &j, .n = 1};
    return gb_end(w, gb_run(&gb_op_extract, &call));
}

gbl_Info gbl_Vector_extract(gbl_Vector w, gbl_Vector m, gbl_BinaryOp accum, gbl_Vector u,
                            const gbl_Index *I, gbl_Index ni, gbl_Descriptor desc) {
    gb_Extract call = {.C = GB_OF(w),
                       .mask.M = GB_OF(m),
                       .accum = accum,
                       .A = GB_OF(u),
                       .J = {.n = 1, .all = true}};
    const gbl_Info info = gb_begin_call(&gb_op_extract, &call, "wmu", desc);
    if (info != GBL_SUCCESS) return gb_end(w, info);
    call.I = gb_indices_of(I, ni, call.A->nrows);
    return gb_end(w, gb_run(&gb_op_extract, &call));
}

gbl_Info gbl_Vector_extract_Vector(gbl_Vector w, gbl_Vector m, gbl_BinaryOp accum, gbl_Vector u,
                                   gbl_Vector I, gbl_Descriptor desc) {
    gb_ExtractAt call = {
        .w = GB_OF(w), .mask.M = GB_OF(m), .accum = accum, .u = GB_OF(u), .I = GB_OF(I)};
    gbl_Info info = gb_begin_call(&gb_op_extract_at, &call, "wmu", desc);
    if (info == GBL_SUCCESS) info = GB_CHECK(Vector, I, "I", HANDLE);
    return gb_end(w, info == GBL_SUCCESS ? gb_run(&gb_op_extract_at, &call) : info);
}

gbl_Info gbl_Vector_scatter(gbl_Vector w, gbl_Vector m, gbl_BinaryOp accum, gbl_BinaryOp dup,
                            gbl_Vector u, gbl_Vector I, gbl_Descriptor desc) {
    gb_Scatter call = {.w = GB_OF(w),
                       .mask.M = GB_OF(m),
                       .accum = accum,
                       .dup = dup,
                       .u = GB_OF(u),
                       .I = GB_OF(I)};
    gbl_Info info = gb_begin_call(&gb_op_scatter, &call, "wmu", desc);
    if (info == GBL_SUCCESS) info = gb_check_binary(dup, "dup");
    if (info == GBL_SUCCESS) info = GB_CHECK(Vector, I, "I", HANDLE);
    return gb_end(w, info == GBL_SUCCESS ? gb_run(&gb_op_scatter, &call) : info);
}
