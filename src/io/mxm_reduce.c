/* SPDX-License-Identifier: Apache-2.0
 *
 * gbl_mxm_reduce_rows: products whose rows or columns are folded slice by slice, and not stored.
 */
#include "slices.h"

typedef struct {
    gb_Product of;
    gbl_Monoid op;
    bool columns;
    gbl_Vector sums; /* of the monoid's type */
    gbl_Type type;   /* of the monoid */
} Folding;

static gbl_Info fold_slice(gb_Product *c, gbl_Matrix *rows, const gbl_Index *I, gbl_Index count) {
    Folding *const f = c->to;
    const gbl_Vector sums = f->sums;
    gbl_Vector part = NULL;
    gbl_Index n;
    gbl_Info info = gbl_Matrix_nvals(&n, *rows);
    if (info == GBL_SUCCESS) info = gbl_Vector_new(&part, f->type, f->columns ? c->ncols : count);
    if (info == GBL_SUCCESS)
        info = gbl_Matrix_reduce_Monoid(part, NULL, NULL, f->op, *rows,
                                        f->columns ? GBL_DESC_T0 : NULL);
    if (info == GBL_SUCCESS)
        info = f->columns ? gbl_Vector_eWiseAdd_Monoid(sums, NULL, NULL, f->op, sums, part, NULL)
                          : gbl_Vector_assign(sums, NULL, NULL, part, I, count, NULL);
    if (info == GBL_SUCCESS) info = gbl_Vector_wait(sums, GBL_MATERIALIZE);
    gbl_Vector_free(&part);
    gbl_Matrix_free(rows);
    if (info != GBL_SUCCESS) return info;
    c->how->nvals += n;
    c->how->rows_done += count;
    c->how->slices++;
    return gb_product_report(c);
}

/* What the monoid is of, and where sums go. */
static gbl_Info describe(Folding *f, gbl_Descriptor desc) {
    int32_t turned = GBL_DEFAULT, code = GBL_UDT_CODE;
    gbl_Info info = gbl_Monoid_get_INT32(f->op, &code, GBL_OUTP_TYPE_CODE);
    if (info == GBL_SUCCESS) info = gb_type_of_code(&f->type, code);
    if (info == GBL_SUCCESS && desc) info = gbl_Descriptor_get_INT32(desc, &turned, GBL_INP0);
    f->columns = turned == GBL_TRAN;
    if (info == GBL_SUCCESS) info = gb_product_plan(&f->of);
    if (f->columns) f->of.slice /= 2; /* which is turned */
    if (info == GBL_SUCCESS)
        info = gbl_Vector_new(&f->sums, f->type, f->columns ? f->of.ncols : f->of.how->nrows);
    return info;
}

gbl_Info gbl_mxm_reduce_rows(gbl_Vector w, gbl_Vector m, gbl_BinaryOp accum, gbl_Monoid op,
                             gbl_Semiring ring, gbl_Matrix A, gbl_Matrix B, gbl_FileProduct *how,
                             gbl_Descriptor desc) {
    gbl_FileProduct usual = {0};
    gbl_Vector probe = NULL;
    Folding f = {.of = {.path = "gbl_mxm_reduce_rows",
                        .ring = ring,
                        .A = A,
                        .B = B,
                        .how = how ? how : &usual,
                        .take = fold_slice},
                 .op = op};
    f.of.to = &f;
    gbl_call_begin();
    gbl_Info info = gbl_Vector_wait(w, GBL_COMPLETE);
    if (info == GBL_SUCCESS) info = describe(&f, desc);
    /* what is wrong with w, m and accum shows before the work */
    if (info == GBL_SUCCESS) info = gbl_Vector_dup(&probe, w);
    if (info == GBL_SUCCESS) info = gbl_Vector_assign(probe, m, accum, f.sums, GBL_ALL, 0, desc);
    gbl_Vector_free(&probe);
    if (info == GBL_SUCCESS) info = gb_product_report(&f.of);
    if (info == GBL_SUCCESS) info = gb_product_run(&f.of);
    if (info == GBL_SUCCESS) info = gbl_Vector_assign(w, m, accum, f.sums, GBL_ALL, 0, desc);
    gbl_Vector_free(&f.sums);
    gbl_call_end();
    return info;
}
