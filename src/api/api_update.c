/* SPDX-License-Identifier: Apache-2.0
 *
 * What algorithms repeat on vectors as long as a graph has vertices: gbl_Vector_update,
 * gbl_vxm_update, gbl_vxm_closure, gbl_Vector_roots and gbl_Vector_join.
 */
#include "api/map_call.h"
#include "hyper/hyper.h"
#include "ops/indices.h"

gbl_Info gbl_Vector_roots(gbl_Vector w, gbl_Vector m, gbl_BinaryOp accum, gbl_Vector u,
                          gbl_Descriptor desc) {
    /* handles */
    gb_MapCall call;
    gbl_Info info = gb_map_begin(&call, GB_HANDLES_Vector(w, m, accum, u, desc));
    if (info != GBL_SUCCESS) return gb_end(w, info);
    /* domains and dimensions */
    info = gb_check_indices(call.A, "u");
    if (info == GBL_SUCCESS) info = gb_map_check(&call, gb_roots_type(call.A), NULL);
    if (info != GBL_SUCCESS) return gb_end(w, info);
    /* do */
    return gb_end(w, gb_lifted_roots(call.C, &call.settings.mask, accum, call.A));
}

static gbl_Info join(gbl_Vector w, gbl_Vector m, const gb_Join *call, gbl_Matrix A,
                     gbl_Descriptor desc) {
    /* handles */
    gb_Settings settings;
    gb_Join with = *call;
    gbl_Info info = gb_begin_vector(&settings, w, m, NULL, desc);
    if (info == GBL_SUCCESS) info = gb_check_input(A, "A");
    if (info != GBL_SUCCESS) return info;
    with.A = &A->m;
    with.transpose = settings.transpose0;
    /* domains and dimensions */
    info = gb_check_indices(&w->m, "w");
    if (info == GBL_SUCCESS)
        info = gb_check_output(&w->m, &settings.mask, NULL, gb_roots_type(&w->m));
    if (info == GBL_SUCCESS) info = gb_check_shape(&A->m, false, w->m.nrows, w->m.nrows, "A");
    if (info == GBL_SUCCESS) info = gb_check_holds(&w->m, "w", gb_roots_type(&w->m));
    if (info != GBL_SUCCESS) return info;
    /* do */
    return gb_lifted_join(&w->m, &settings.mask, &with);
}

gbl_Info gbl_Vector_join(gbl_Vector w, gbl_Vector m, gbl_Matrix A, gbl_Index first, gbl_Index count,
                         gbl_Descriptor desc) {
    return gb_end(w, join(w, m, &(gb_Join){.first = first, .count = count}, A, desc));
}

/* The outputs, w and changed, and u are valid: domains and dimensions. */
static gbl_Info check_outputs(gbl_Vector w, gbl_Vector changed, gbl_Vector u) {
    if (w == changed || w == u)
        return gb_fail(GBL_INVALID_VALUE, "w and %s are the same vector; pass two",
                       w == u ? "u" : "changed");
    if (changed->m.type != w->m.type)
        return gb_fail(GBL_DOMAIN_MISMATCH,
                       "changed must have the type of w, whose values it gets");
    return gb_check_shape(&changed->m, false, w->m.nrows, 1, "changed");
}

static gbl_Info update(gbl_Vector w, gbl_Vector changed, gbl_BinaryOp accum, gbl_Vector u,
                       gbl_Descriptor desc) {
    /* handles */
    gb_Settings settings;
    const gb_Mask no_mask = {0};
    gbl_Info info = gb_begin_vector(&settings, w, NULL, accum, desc);
    if (info == GBL_SUCCESS) info = gb_check_vector(changed, "changed");
    if (info == GBL_SUCCESS) info = gb_check_binary(accum, "accum");
    if (info == GBL_SUCCESS) info = gb_check_vector(u, "u");
    if (info != GBL_SUCCESS) return info;
    /* domains and dimensions */
    info = check_outputs(w, changed, u);
    if (info == GBL_SUCCESS) info = gb_check_output(&w->m, &no_mask, accum, u->m.type);
    if (info == GBL_SUCCESS) info = gb_check_shape(&u->m, false, w->m.nrows, 1, "u");
    if (info != GBL_SUCCESS) return info;
    /* do */
    return gb_lifted_update(&w->m, &changed->m, accum, &u->m);
}

/* The error, or that there was none, is filed with both outputs. */
static gbl_Info end(gbl_Vector w, gbl_Vector changed, gbl_Info info) {
    if (changed != NULL && changed != w) gb_end(changed, info);
    return gb_end(w, info);
}

gbl_Info gbl_Vector_update(gbl_Vector w, gbl_Vector changed, gbl_BinaryOp accum, gbl_Vector u,
                           gbl_Descriptor desc) {
    return end(w, changed, update(w, changed, accum, u, desc));
}

gbl_Info gbl_vxm_update(gbl_Vector w, gbl_Vector changed, gbl_Semiring ring, gbl_Vector u,
                        gbl_Matrix A, gbl_Descriptor desc) {
    /* handles */
    gb_Settings settings;
    gbl_Info info = gb_begin_vector(&settings, w, NULL, NULL, desc);
    if (info == GBL_SUCCESS) info = gb_check_vector(changed, "changed");
    if (info == GBL_SUCCESS) info = gb_check_semiring(ring, "semiring");
    if (info == GBL_SUCCESS) info = gb_check_vector(u, "u");
    if (info == GBL_SUCCESS) info = gb_check_matrix(A, "A");
    if (info != GBL_SUCCESS) return end(w, changed, info);
    /* domains and dimensions, as far as gb_lifted_mxv does not look */
    info = check_outputs(w, changed, u);
    if (info != GBL_SUCCESS) return end(w, changed, info);
    /* do */
    info = gb_lifted_mxv(&(gb_MxvCall){.w = &changed->m,
                                       .best = &w->m,
                                       .ring = ring,
                                       .A = &A->m,
                                       .u = &u->m,
                                       .transpose = settings.transpose1,
                                       .u_is_left = true,
                                       .choices = settings.choices});
    return end(w, changed, info);
}

static gbl_Info closure(gbl_Vector w, gbl_Semiring ring, gbl_Matrix A, double width,
                        gbl_Descriptor desc) {
    /* handles */
    gb_Settings settings;
    gbl_Info info = gb_begin_vector(&settings, w, NULL, NULL, desc);
    if (info == GBL_SUCCESS) info = gb_check_semiring(ring, "semiring");
    if (info == GBL_SUCCESS) info = gb_check_input(A, "A");
    if (info != GBL_SUCCESS) return info;
    /* domains and dimensions, as far as gb_lifted_closure does not look */
    if (ring->add->op->code != GB_MIN && ring->add->op->code != GB_MAX)
        return gb_fail(GBL_DOMAIN_MISMATCH, "the addition of the semiring must be MIN or MAX");
    info = gb_check_shape(&A->m, false, w->m.nrows, w->m.nrows, "A");
    if (info != GBL_SUCCESS) return info;
    /* do */
    return gb_lifted_closure(
        &(gb_Closure){
            .w = &w->m, .ring = ring, .A = &A->m, .transpose = settings.transpose1, .width = width},
        &settings.choices);
}

gbl_Info gbl_vxm_closure(gbl_Vector w, gbl_Semiring ring, gbl_Matrix A, double width,
                         gbl_Descriptor desc) {
    return gb_end(w, closure(w, ring, A, width, desc));
}
