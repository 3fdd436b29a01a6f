/* SPDX-License-Identifier: Apache-2.0
 *
 * Ordering of vertices: gbl_Matrix_degrees, gbl_Vector_sort, gbl_Matrix_permute.
 */
#include "api/map_call.h"
#include "hyper/hyper.h"
#include "ops/indices.h"

gbl_Info gbl_Matrix_degrees(gbl_Vector w, gbl_Vector m, gbl_BinaryOp accum, gbl_Matrix A,
                            gbl_Descriptor desc) {
    /* handles */
    gb_Settings settings;
    gbl_Info info = gb_begin_vector(&settings, w, m, accum, desc);
    if (info == GBL_SUCCESS) info = gb_check_matrix(A, "A");
    if (info != GBL_SUCCESS) return gb_end(w, info);
    /* domains and dimensions */
    const bool columns = settings.transpose0;
    info = gb_check_output(&w->m, &settings.mask, accum, gb_type_of(GBL_INT64_CODE));
    const uint64_t n = columns ? A->m.ncols : A->m.nrows;
    if (info == GBL_SUCCESS && w->m.nrows != n)
        info = gb_fail(
            GBL_DIMENSION_MISMATCH, "w has %llu elements, but must have %llu, one per %s of A",
            (unsigned long long)w->m.nrows, (unsigned long long)n, columns ? "column" : "row");
    if (info != GBL_SUCCESS) return gb_end(w, info);
    /* do */
    return gb_end(w, gb_lifted_degrees(&w->m, &settings.mask, accum, &A->m, columns));
}

/* -- sort */

/* What the comparison `op` says of the order. */
static gbl_Info read_comparison(gb_Sort *call, gbl_BinaryOp op) {
    const gbl_Info info = gb_check_binary(op, "op");
    if (info != GBL_SUCCESS) return info;
    if (op->code != GB_LT && op->code != GB_GT)
        return gb_fail(GBL_DOMAIN_MISMATCH,
                       "op must be GBL_LT_T, which sorts ascending, or GBL_GT_T, descending, of a "
                       "built-in type T");
    call->type = op->xtype;
    call->descending = op->code == GB_GT;
    return GBL_SUCCESS;
}

static gbl_Info check_sorted(gb_Matrix *out, const gb_Matrix *u, const gb_Type *type,
                             const char *name) {
    if (out == NULL) return GBL_SUCCESS;
    const gb_Mask no_mask = {0};
    gbl_Info info = gb_check_output(out, &no_mask, NULL, type);
    if (info == GBL_SUCCESS) info = gb_check_shape(out, false, u->nrows, 1, name);
    return info;
}

static gbl_Info sort_vector(gbl_Vector w, gbl_Vector p, gbl_BinaryOp op, gbl_Vector u,
                            gbl_Descriptor desc) {
    /* handles */
    gb_Sort call = {.w = gb_of_vector(w), .p = gb_of_vector(p)};
    gb_Settings settings;
    gbl_Info info = gb_begin_value(&settings, NULL, desc);
    if (info == GBL_SUCCESS && w == NULL && p == NULL)
        info = gb_fail(GBL_NULL_POINTER, "w and p are both NULL; pass at least one output");
    if (info == GBL_SUCCESS && w != NULL) info = gb_check_vector(w, "w");
    if (info == GBL_SUCCESS && p != NULL) info = gb_check_vector(p, "p");
    if (info == GBL_SUCCESS) info = gb_check_vector(u, "u");
    if (info == GBL_SUCCESS) info = read_comparison(&call, op);
    if (info == GBL_SUCCESS && w == p)
        info = gb_fail(GBL_INVALID_VALUE, "w and p are the same vector; pass two, or one NULL");
    if (info != GBL_SUCCESS) return info;
    /* domains and dimensions */
    info = gb_check_cast(call.type, u->m.type, "u into op's input");
    if (info == GBL_SUCCESS) info = check_sorted(call.w, &u->m, u->m.type, "w");
    if (info == GBL_SUCCESS) info = check_sorted(call.p, &u->m, gb_type_of(GBL_UINT32_CODE), "p");
    if (info != GBL_SUCCESS) return info;
    /* do */
    return gb_lifted_sort(&call, &u->m);
}

gbl_Info gbl_Vector_sort(gbl_Vector w, gbl_Vector p, gbl_BinaryOp op, gbl_Vector u,
                         gbl_Descriptor desc) {
    const gbl_Info info = sort_vector(w, p, op, u, desc);
    if (p != NULL) gb_end(p, info);
    return gb_end(w, info);
}

/* -- permute */

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
    /* handles */
    gb_MapCall call;
    gb_Permute permute;
    gbl_Info info = gb_map_begin(&call, GB_HANDLES_Matrix(C, M, accum, A, desc));
    if (info == GBL_SUCCESS) info = gb_check_vector(p, "p");
    if (info == GBL_SUCCESS) info = read_band(&permute.band, op, y);
    if (info != GBL_SUCCESS) return gb_end(C, info);
    /* domains and dimensions */
    permute.A = call.A;
    permute.p = &p->m;
    permute.transpose = call.transpose;
    info = gb_check_indices(&p->m, "p");
    if (info == GBL_SUCCESS) info = gb_map_check(&call, call.A->type, NULL);
    if (info == GBL_SUCCESS) info = gb_check_shape(call.A, false, p->m.nrows, p->m.nrows, "A");
    if (info != GBL_SUCCESS) return gb_end(C, info);
    /* do */
    return gb_end(C, gb_lifted_permute(call.C, &call.settings.mask, accum, &permute));
}
