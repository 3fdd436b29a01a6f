/* SPDX-License-Identifier: Apache-2.0
 *
 * Multiplying in one way, races, matrices and results; see product.h.
 */
#define _GNU_SOURCE /* program_invocation_short_name */
#include "harness/product.h"
#include "harness/values.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static gbl_Info describe_way(bench_product *p) {
    if (p->desc != NULL) return GBL_SUCCESS;
    gbl_Info info = gbl_Descriptor_new(&p->desc);
    if (info == GBL_SUCCESS) info = gbl_Descriptor_set(p->desc, GBL_METHOD, p->way.method);
    if (info == GBL_SUCCESS) info = gbl_Descriptor_set(p->desc, GBL_WORKFLOW, p->way.workflow);
    if (info == GBL_SUCCESS) info = gbl_Descriptor_set_INT32(p->desc, p->bin_bytes, GBL_BIN_BYTES);
    if (info == GBL_SUCCESS) info = gbl_Descriptor_set_INT32(p->desc, p->bin_lines, GBL_BIN_LINES);
    if (info == GBL_SUCCESS && p->M != NULL)
        info = gbl_Descriptor_set(p->desc, GBL_MASK, GBL_STRUCTURE);
    if (info == GBL_SUCCESS && p->transpose_b)
        info = gbl_Descriptor_set(p->desc, GBL_INP1, GBL_TRAN);
    return info;
}

gbl_Info bench_look(gbl_Matrix C) {
    double first;
    const gbl_Info info = gbl_Matrix_extractElement_FP64(&first, C, 0, 0);
    return info == GBL_NO_VALUE ? GBL_SUCCESS : info;
}

/* A product that was sliced, so as not to exceed memory, comes by rows. */
static gbl_Info check_form(const bench_product *p) {
    gbl_Formats formats;
    const gbl_Info info = gbl_Matrix_formats(&formats, p->C);
    if (info != GBL_SUCCESS || (formats.present & p->way.form) || p->how.slices > 1) return info;
    return gbl_fail(GBL_INVALID_OBJECT, p->C, "C is wanted in form %u, but it is in %u",
                    p->way.form, formats.present);
}

gbl_Info bench_multiply(bench_product *p) {
    gbl_Matrix A = p->way.cold ? p->fresh : p->A, B = p->way.cold ? p->fresh : p->B;
    gbl_Index nrows = 0, ncols = 0;
    gbl_Info info = gbl_Matrix_nrows(&nrows, A);
    if (info == GBL_SUCCESS)
        info = p->transpose_b ? gbl_Matrix_nrows(&ncols, B) : gbl_Matrix_ncols(&ncols, B);
    if (info == GBL_SUCCESS) info = describe_way(p);
    if (info == GBL_SUCCESS) info = gbl_Matrix_new(&p->C, p->type, nrows, ncols);
    if (info == GBL_SUCCESS) info = gbl_mxm(p->C, p->M, NULL, p->ring, A, B, p->desc);
    if (info == GBL_SUCCESS) info = gbl_Matrix_wait(p->C, GBL_MATERIALIZE);
    if (info == GBL_SUCCESS && p->way.form == GBL_HAS_CSR) info = bench_look(p->C);
    p->how = (gbl_Explanation)GBL_EXPLANATION_INIT;
    if (info == GBL_SUCCESS) info = gbl_Matrix_explain(&p->how, p->C);
    return info == GBL_SUCCESS ? check_form(p) : info;
}

int bench_run(void *product) {
    bench_product *p = product;
    return bench_failed(bench_multiply(p), p->way.name) ? -1 : 0;
}

/* Without a fresh copy the next run fails, and says so. */
void bench_reset(void *product) {
    bench_product *p = product;
    gbl_Matrix_free(&p->C);
    if (!p->way.cold) return;
    gbl_Matrix_free(&p->fresh);
    bench_failed(gbl_Matrix_dup(&p->fresh, p->A), "copy");
}

void bench_drop(bench_product *p) {
    gbl_Matrix_free(&p->C);
    gbl_Matrix_free(&p->fresh);
    gbl_Descriptor_free(&p->desc);
}

int bench_race(cJSON *object, bench_product *products, int count, const bench_setup *setup) {
    bench_contender list[BENCH_MOST_PRODUCTS];
    for (int k = 0; k < count; k++)
        list[k] = (bench_contender){products[k].way.name, bench_run, bench_reset, &products[k], 0};
    if (bench_take_turns(list, count, setup->rounds) != 0) return -1;
    for (int k = 0; k < count; k++) cJSON_AddNumberToObject(object, list[k].name, list[k].median);
    for (int k = 1; k < count; k++) {
        bool same;
        gbl_Matrix first = NULL;
        gbl_Info info = gbl_Matrix_dup(&first, products[0].C);
        if (info == GBL_SUCCESS) info = bench_same(&same, first, products[k].C);
        gbl_Matrix_free(&first);
        if (bench_failed(info, "compare")) return -1;
        if (same) continue;
        fprintf(stderr, "%s: products %s and %s differ\n", program_invocation_short_name,
                list[0].name, list[k].name);
        return -1;
    }
    return 0;
}

static bool arrays_same(const gbl_Arrays *x, const gbl_Arrays *y, gbl_Index nrows, size_t size) {
    if (memcmp(x->p, y->p, (nrows + 1) * sizeof *x->p) != 0) return false;
    if (x->p[nrows] == 0) return true;
    if (memcmp(x->i, y->i, x->p[nrows] * sizeof *x->i) != 0) return false;
    for (uint64_t q = 0; q < x->p[nrows]; q++)
        if (memcmp((char *)x->x + (x->iso ? 0 : q * size), (char *)y->x + (y->iso ? 0 : q * size),
                   size) != 0)
            return false;
    return true;
}

gbl_Info bench_same(bool *same, gbl_Matrix C, gbl_Matrix D) {
    gbl_Arrays x = {0}, y = {0};
    gbl_Index nrows = 0;
    gbl_Type type;
    size_t size = 0;
    gbl_Info info = gbl_Matrix_nrows(&nrows, C);
    if (info == GBL_SUCCESS) info = gbl_Matrix_type(&type, C);
    if (info == GBL_SUCCESS) info = gbl_Type_size(&size, type);
    if (info == GBL_SUCCESS) info = gbl_Matrix_moveOut(C, GBL_CSR_FORMAT, &x);
    if (info == GBL_SUCCESS) info = gbl_Matrix_moveOut(D, GBL_CSR_FORMAT, &y);
    if (info == GBL_SUCCESS) *same = arrays_same(&x, &y, nrows, size);
    free(x.p), free(x.i), free(x.x);
    free(y.p), free(y.i), free(y.x);
    return info;
}

gbl_Info bench_load_weighted(gbl_Matrix *A, const char *operand) {
    gbl_Info info = gbl_load(A, GBL_FP64, operand);
    if (info == GBL_SUCCESS) info = bench_set_values(*A);
    return info;
}

gbl_Info bench_load_square(gbl_Matrix *A, const char *operand) {
    gbl_Index nrows = 0, ncols = 0;
    gbl_Info info = bench_load_weighted(A, operand);
    if (info == GBL_SUCCESS) info = gbl_Matrix_nrows(&nrows, *A);
    if (info == GBL_SUCCESS) info = gbl_Matrix_ncols(&ncols, *A);
    if (info != GBL_SUCCESS || nrows == ncols) return info;
    return gbl_fail(GBL_DIMENSION_MISMATCH, *A, "%s is not square", operand);
}
