/* SPDX-License-Identifier: Apache-2.0
 *
 * Checks that apply and select share; see map_call.h.
 */
#include "api/map_call.h"

#include <stdio.h>

#include "ops/finish.h"

gbl_Info gb_map_begin(gb_MapCall *call, const gb_MapHandles *handles) {
    *call = (gb_MapCall){.accum = handles->accum};
    gbl_Info info;
    if (handles->is_vector) {
        info = gb_begin_vector_deferred(&call->settings, handles->w, handles->m, handles->accum,
                                        handles->desc);
        if (info == GBL_SUCCESS) info = gb_check_vector_handle(handles->u, "u");
        call->C = gb_of_vector(handles->w);
        call->A = gb_of_vector(handles->u);
    } else {
        info = gb_begin_matrix_deferred(&call->settings, handles->C, handles->M, handles->accum,
                                        handles->desc);
        if (info == GBL_SUCCESS) info = gb_check_handle(handles->A, "A");
        call->C = gb_of_matrix(handles->C);
        call->A = gb_of_matrix(handles->A);
        call->transpose = call->settings.transpose0;
    }
    return info;
}

gbl_Info gb_map_check(const gb_MapCall *call, const gb_Type *ztype, const gb_Type *xtype) {
    const bool vector = gb_is_vector(call->C);
    gbl_Info info = gb_check_output(call->C, &call->settings.mask, call->accum, ztype);
    if (info == GBL_SUCCESS && xtype != NULL)
        info =
            gb_check_cast(xtype, call->A->type, vector ? "u into op's input" : "A into op's input");
    if (info == GBL_SUCCESS)
        info = gb_check_shape(call->A, call->transpose, call->C->nrows, call->C->ncols,
                              vector ? "u" : "A");
    return info;
}

gbl_Info gb_value_bind(const void **bound, const gb_Value *value, const gb_Type *to,
                       uint64_t *space, const char *name) {
    gb_Value v = *value;
    gbl_Info info = v.is_scalar ? gb_check_scalar(v.scalar, name) : gb_check_pointer(v.x, name);
    if (info != GBL_SUCCESS) return info;
    if (v.is_scalar) {
        if (!v.scalar->present)
            return gb_fail(GBL_EMPTY_OBJECT, "the scalar %s is empty; it must hold a value", name);
        v.x = v.scalar->value;
        v.type = v.scalar->type;
    }
    *bound = v.x;
    if (v.type == NULL || v.type == to) return GBL_SUCCESS;
    char what[64];
    snprintf(what, sizeof what, "%s into op's argument", name);
    info = gb_check_cast(to, v.type, what);
    if (info != GBL_SUCCESS) return info;
    gb_cast(to, space, v.type, v.x, 1, 1); /* built-in types fit 8 bytes */
    *bound = space;
    return GBL_SUCCESS;
}
