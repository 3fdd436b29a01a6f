/* SPDX-License-Identifier: Apache-2.0
 *
 * gbl_Vector_extract: elements at listed places, the list an array or a vector; gbl_Vector_scatter,
 * the reverse.
 */
#include "api/map_call.h"
#include "ops/gather.h"
#include "ops/places.h"

static gbl_Info check_length(const char *name, uint64_t length, uint64_t wanted,
                             const char *reason) {
    if (length == wanted) return GBL_SUCCESS;
    return gb_fail(GBL_DIMENSION_MISMATCH, NULL, "%s has %llu elements, but must have %llu, %s",
                   name, (unsigned long long)length, (unsigned long long)wanted, reason);
}

gbl_Info gbl_Vector_extract(gbl_Vector w, gbl_Vector m, gbl_BinaryOp accum, gbl_Vector u,
                            const gbl_Index *I, gbl_Index ni, gbl_Descriptor desc) {
    /* handles */
    gb_MapCall call;
    gbl_Info info = gb_map_begin(&call, GB_HANDLES_Vector(w, m, accum, u, desc));
    if (info != GBL_SUCCESS) return gb_end(w, info);
    /* domains and dimensions */
    const gb_Mask *mask = &call.settings.mask;
    const bool all = I == GBL_ALL;
    const gb_Indices indices = {.i = I, .n = all ? u->m.nrows : ni, .all = all};
    info = gb_indices_check(&indices, u->m.nrows, "I");
    if (info == GBL_SUCCESS) info = gb_check_output(call.C, mask, accum, u->m.type);
    if (info == GBL_SUCCESS) info = check_length("w", w->m.nrows, indices.n, "one per index");
    if (info != GBL_SUCCESS) return gb_end(w, info);
    /* do */
    if (!all) return gb_end(w, gb_extract(call.C, mask, accum, call.A, &indices));
    const gb_Assign copy = {.C = call.C,
                            .mask = mask,
                            .accum = accum,
                            .A = call.A,
                            .I = indices,
                            .J = {.n = 1, .all = true}};
    return gb_end(w, gb_assign(&copy));
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
    info = gb_check_places(&I->m, "I");
    if (info == GBL_SUCCESS) info = gb_check_output(call.C, mask, accum, u->m.type);
    if (info == GBL_SUCCESS) info = check_length("w", w->m.nrows, I->m.nrows, "as I");
    if (info != GBL_SUCCESS) return gb_end(w, info);
    /* do */
    return gb_end(w, gb_extract_at(call.C, mask, accum, call.A, &I->m));
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
        info = gb_fail(GBL_DOMAIN_MISMATCH, dup,
                       "dup must be an operator on values with one type for both arguments and the "
                       "result");
    if (info == GBL_SUCCESS) info = gb_check_places(&I->m, "I");
    if (info == GBL_SUCCESS) info = gb_check_cast(dup->ztype, u->m.type, "u into dup's input");
    if (info == GBL_SUCCESS) info = gb_check_output(call.C, mask, accum, dup->ztype);
    if (info == GBL_SUCCESS) info = check_length("I", I->m.nrows, u->m.nrows, "as u");
    if (info != GBL_SUCCESS) return gb_end(w, info);
    /* do */
    const gb_ScatterAt scatter = {.dup = dup, .u = call.A, .I = &I->m};
    return gb_end(w, gb_scatter_at(call.C, mask, accum, &scatter));
}
