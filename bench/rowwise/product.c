/* SPDX-License-Identifier: Apache-2.0
 *
 * One input and products of it.
 */
#include "rowwise/rowwise.h"
#include "harness/values.h"

#include <stdlib.h>

gbl_Info rowwise_descriptor(gbl_Descriptor *desc, const rowwise_input *in,
                            const rowwise_variant *variant) {
    gbl_Info info = gbl_Descriptor_new(desc);
    if (info == GBL_SUCCESS) info = gbl_Descriptor_set(*desc, GBL_METHOD, GBL_METHOD_ROWWISE);
    if (info == GBL_SUCCESS && !in->square) info = gbl_Descriptor_set(*desc, GBL_INP1, GBL_TRAN);
    if (info == GBL_SUCCESS) info = gbl_Descriptor_set(*desc, GBL_WORKFLOW, variant->workflow);
    if (info == GBL_SUCCESS)
        info = gbl_Descriptor_set_INT32(*desc, variant->accumulators, GBL_ACCUMULATORS);
    return info;
}

gbl_Info rowwise_multiply(gbl_Matrix *C, const rowwise_input *in, gbl_Matrix B,
                          gbl_Descriptor desc) {
    gbl_Info info = gbl_Matrix_new(C, GBL_FP64, in->nrows, in->nrows);
    if (info == GBL_SUCCESS)
        info = gbl_mxm(*C, NULL, NULL, GBL_PLUS_TIMES_SEMIRING_FP64, in->A, B, desc);
    if (info == GBL_SUCCESS) info = gbl_Matrix_wait(*C, GBL_MATERIALIZE);
    return info;
}

/* The product that the others are checked against, and its row pointers. */
static gbl_Info multiply_first(rowwise_input *in) {
    gbl_Descriptor desc = NULL;
    gbl_Matrix C = NULL;
    gbl_Arrays arrays = {0};
    gbl_Info info = rowwise_descriptor(&desc, in, &(rowwise_variant){"auto", 0, 0, 0});
    if (info == GBL_SUCCESS) info = rowwise_multiply(&C, in, in->A, desc);
    in->how = (gbl_Explanation)GBL_EXPLANATION_INIT;
    if (info == GBL_SUCCESS) info = gbl_Matrix_explain(&in->how, C);
    if (info == GBL_SUCCESS) info = gbl_Matrix_nvals(&in->nvals, C);
    if (info == GBL_SUCCESS) info = gbl_Matrix_moveOut(C, GBL_CSR_FORMAT, &arrays);
    in->Cp = arrays.p;
    free(arrays.i);
    free(arrays.x);
    gbl_Matrix_free(&C);
    gbl_Descriptor_free(&desc);
    return info;
}

int rowwise_load(rowwise_input *in, const char *operand) {
    in->operand = operand;
    bench_operand_name(in->name, sizeof in->name, operand);
    if (bench_failed(gbl_load(&in->A, GBL_FP64, operand), operand)) return -1;
    if (bench_failed(bench_set_values(in->A), operand)) return -1;
    if (bench_failed(gbl_Matrix_nrows(&in->nrows, in->A), "nrows")) return -1;
    if (bench_failed(gbl_Matrix_ncols(&in->ncols, in->A), "ncols")) return -1;
    in->square = in->nrows == in->ncols;
    return bench_failed(multiply_first(in), operand) ? -1 : 0;
}

void rowwise_unload(rowwise_input *in) {
    gbl_Matrix_free(&in->A);
    free(in->Cp);
    in->Cp = NULL;
}

cJSON *rowwise_features(const rowwise_input *in) {
    gbl_Index nvals = 0;
    if (bench_failed(gbl_Matrix_nvals(&nvals, in->A), "nvals")) return NULL;
    const double flops = (double)in->how.flops, entries = (double)in->nvals;
    cJSON *object = cJSON_CreateObject();
    cJSON_AddStringToObject(object, "name", in->name);
    cJSON_AddNumberToObject(object, "rows", (double)in->nrows);
    cJSON_AddNumberToObject(object, "columns", (double)in->ncols);
    cJSON_AddNumberToObject(object, "entries", (double)nvals);
    cJSON_AddNumberToObject(object, "flops", flops);
    cJSON_AddNumberToObject(object, "result_entries", entries);
    cJSON_AddNumberToObject(object, "flops_mean", flops / (double)in->nrows);
    cJSON_AddNumberToObject(object, "expansion_ratio", nvals > 0 ? flops / (double)nvals : 0);
    cJSON_AddNumberToObject(object, "compression_ratio", entries > 0 ? flops / entries : 0);
    cJSON_AddStringToObject(object, "workflow", in->how.workflow);
    return object;
}
