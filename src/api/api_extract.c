/* SPDX-License-Identifier: Apache-2.0
 *
 * gbl_Matrix_extract, gbl_Col_extract and gbl_Vector_extract: what stands at listed places. For
 * vectors the list is an array or a vector, and gbl_Vector_scatter is the reverse.
 */
#include "api/map_call.h"
#include "api/passed.h"
#include "hyper/hyper.h"
#include "ops/gather.h"
#include "ops/indices.h"

/* -- from matrices */

gbl_Info gbl_Matrix_extract(gbl_Matrix C, gbl_Matrix M, gbl_BinaryOp accum, gbl_Matrix A,
                            const gbl_Index *I, gbl_Index ni, const gbl_Index *J, gbl_Index nj,
                            gbl_Descriptor desc) {
    /* handles */
    gb_MapCall call;
    gbl_Info info = gb_map_begin(&call, GB_HANDLES_Matrix(C, M, accum, A, desc));
    if (info != GBL_SUCCESS) return gb_end(C, info);
    /* domains and dimensions */
    const bool turned = call.transpose;
    const uint64_t m = turned ? A->m.ncols : A->m.nrows, n = turned ? A->m.nrows : A->m.ncols;
    const gb_Submatrix part = {.A = call.A,
                               .transpose = turned,
                               .I = gb_indices_of(I, ni, m),
                               .J = gb_indices_of(J, nj, n)};
    info = gb_check_output(call.C, &call.settings.mask, accum, A->m.type);
    if (info == GBL_SUCCESS) info = gb_check_shape(call.C, false, part.I.n, part.J.n, "C");
    if (info == GBL_SUCCESS) info = gb_indices_check(&part.I, m, "I");
    if (info == GBL_SUCCESS) info = gb_indices_check(&part.J, n, "J");
    if (info != GBL_SUCCESS) return gb_end(C, info);
    /* do */
    return gb_end(C, gb_lifted_submatrix(call.C, &call.settings.mask, accum, &part));
}

gbl_Info gbl_Col_extract(gbl_Vector w, gbl_Vector m, gbl_BinaryOp accum, gbl_Matrix A,
                         const gbl_Index *I, gbl_Index ni, gbl_Index j, gbl_Descriptor desc) {
    /* handles */
    gb_Settings settings;
    gbl_Info info = gb_begin_vector(&settings, w, m, accum, desc);
    if (info == GBL_SUCCESS) info = gb_check_matrix(A, "A");
    if (info != GBL_SUCCESS) return gb_end(w, info);
    /* domains and dimensions */
    const bool turned = settings.transpose0;
    const uint64_t nrows = turned ? A->m.ncols : A->m.nrows;
    const uint64_t ncols = turned ? A->m.nrows : A->m.ncols;
    const gb_Column column = {
        .A = &A->m, .transpose = turned, .I = gb_indices_of(I, ni, nrows), .j = j};
    info = gb_check_output(&w->m, &settings.mask, accum, A->m.type);
    if (info == GBL_SUCCESS) info = gb_check_shape(&w->m, false, column.I.n, 1, "w");
    if (info == GBL_SUCCESS) info = gb_check_index_below(j, ncols, "column index");
    if (info == GBL_SUCCESS) info = gb_indices_check(&column.I, nrows, "I");
    if (info != GBL_SUCCESS) return gb_end(w, info);
    /* do */
    return gb_end(w, gb_lifted_column(&w->m, &settings.mask, accum, &column));
}

/* -- from vectors */

static gbl_Info check_length(const char *name, uint64_t length, uint64_t wanted,
                             const char *reason) {
    if (length == wanted) return GBL_SUCCESS;
    return gb_fail(GBL_DIMENSION_MISMATCH, "%s has %llu elements, but must have %llu, %s", name,
                   (unsigned long long)length, (unsigned long long)wanted, reason);
}

gbl_Info gbl_Vector_extract(gbl_Vector w, gbl_Vector m, gbl_BinaryOp accum, gbl_Vector u,
                            const gbl_Index *I, gbl_Index ni, gbl_Descriptor desc) {
    /* handles */
    gb_MapCall call;
    gbl_Info info = gb_map_begin(&call, GB_HANDLES_Vector(w, m, accum, u, desc));
    if (info != GBL_SUCCESS) return gb_end(w, info);
    /* domains and dimensions */
    const gb_Mask *mask = &call.settings.mask;
    const gb_Indices indices = gb_indices_of(I, ni, u->m.nrows);
    info = gb_indices_check(&indices, u->m.nrows, "I");
    if (info == GBL_SUCCESS) info = gb_check_output(call.C, mask, accum, u->m.type);
    if (info == GBL_SUCCESS) info = check_length("w", w->m.nrows, indices.n, "one per index");
    if (info != GBL_SUCCESS) return gb_end(w, info);
    /* do */
    if (!indices.all) return gb_end(w, gb_lifted_extract(call.C, mask, accum, call.A, &indices));
    const gb_Assign copy = {.C = call.C,
                            .mask = mask,
                            .accum = accum,
                            .A = call.A,
                            .I = indices,
                            .J = {.n = 1, .all = true}};
    return gb_end(w, gb_lifted_assign(&copy));
}

gbl_Info gbl_Vector_extract_Vector(gbl_Vector w, gbl_Vector m, gbl_BinaryOp accum, gbl_Vector u,
                                   gbl_Vector I, gbl_Descriptor desc) {
    /* handles */
    gb_MapCall call;
    gbl_Info info = gb_map_begin(&call, GB_HANDLES_Vector(w, m, accum, u, desc));
    if (info == GBL_SUCCESS) info = gb_check_vector(I, "I");
    if (info != GBL_SUCCESS) return gb_end(w, info);
    /* domains and dimensions */
    const gb_Mask *mask = &call.settings.mask;
    info = gb_check_indices(&I->m, "I");
    if (info == GBL_SUCCESS) info = gb_check_output(call.C, mask, accum, u->m.type);
    if (info == GBL_SUCCESS) info = check_length("w", w->m.nrows, I->m.nrows, "as I");
    if (info != GBL_SUCCESS) return gb_end(w, info);
    /* do */
    return gb_end(w, gb_lifted_extract_at(call.C, mask, accum, call.A, &I->m));
}

gbl_Info gbl_Vector_scatter(gbl_Vector w, gbl_Vector m, gbl_BinaryOp accum, gbl_BinaryOp dup,
                            gbl_Vector u, gbl_Vector I, gbl_Descriptor desc) {
    /* handles */
    gb_MapCall call;
    gbl_Info info = gb_map_begin(&call, GB_HANDLES_Vector(w, m, accum, u, desc));
    if (info == GBL_SUCCESS) info = gb_check_binary(dup, "dup");
    if (info == GBL_SUCCESS) info = gb_check_vector(I, "I");
    if (info != GBL_SUCCESS) return gb_end(w, info);
    /* domains and dimensions */
    const gb_Mask *mask = &call.settings.mask;
    if (gb_binary_is_positional(dup) || dup->xtype != dup->ztype || dup->ytype != dup->ztype)
        info = gb_fail(GBL_DOMAIN_MISMATCH,
                       "dup must be an operator on values with one type for both arguments and the "
                       "result");
    if (info == GBL_SUCCESS) info = gb_check_indices(&I->m, "I");
    if (info == GBL_SUCCESS) info = gb_check_cast(dup->ztype, u->m.type, "u into dup's input");
    if (info == GBL_SUCCESS) info = gb_check_output(call.C, mask, accum, dup->ztype);
    if (info == GBL_SUCCESS) info = check_length("I", I->m.nrows, u->m.nrows, "as u");
    if (info != GBL_SUCCESS) return gb_end(w, info);
    /* do */
    const gb_ScatterAt scatter = {.dup = dup, .u = call.A, .I = &I->m};
    return gb_end(w, gb_lifted_scatter_at(call.C, mask, accum, &scatter));
}
