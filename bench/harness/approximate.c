/* SPDX-License-Identifier: Apache-2.0
 *
 * See approximate.h.
 */
#include "harness/approximate.h"

#include <stdlib.h>

gbl_Info bench_square(gbl_Matrix *C, gbl_Explanation *how, gbl_Matrix A,
                      const bench_approximation *by) {
    gbl_Descriptor desc = NULL;
    gbl_Index n = 0;
    gbl_Type type = NULL;
    gbl_Matrix_free(C);
    *how = (gbl_Explanation)GBL_EXPLANATION_INIT;
    gbl_Info info = gbl_Descriptor_new(&desc);
    if (info == GBL_SUCCESS) info = gbl_Descriptor_set_FP64(desc, by->value, by->field);
    if (info == GBL_SUCCESS) info = gbl_Descriptor_set(desc, GBL_ROUND_FACTORS, by->rounding);
    if (info == GBL_SUCCESS) info = gbl_Matrix_nrows(&n, A);
    if (info == GBL_SUCCESS) info = gbl_Matrix_type(&type, A);
    if (info == GBL_SUCCESS) info = gbl_Matrix_new(C, type, n, n);
    const gbl_Semiring ring =
        type == GBL_FP32 ? GBL_PLUS_TIMES_SEMIRING_FP32 : GBL_PLUS_TIMES_SEMIRING_FP64;
    if (info == GBL_SUCCESS) info = gbl_mxm(*C, NULL, NULL, ring, A, A, desc);
    if (info == GBL_SUCCESS) info = gbl_Matrix_explain(how, *C);
    gbl_Descriptor_free(&desc);
    return info;
}

gbl_Info bench_cells(double **x, gbl_Matrix A) {
    gbl_Index n = 0, nvals = 0;
    *x = NULL;
    gbl_Info info = gbl_Matrix_nrows(&n, A);
    if (info == GBL_SUCCESS) info = gbl_Matrix_nvals(&nvals, A);
    if (info != GBL_SUCCESS) return info;
    gbl_Index *I = malloc((nvals + 1) * sizeof *I), *J = malloc((nvals + 1) * sizeof *J);
    double *values = malloc((nvals + 1) * sizeof *values);
    *x = calloc(n * n + 1, sizeof **x);
    if (I == NULL || J == NULL || values == NULL || *x == NULL)
        info = gbl_fail(GBL_OUT_OF_MEMORY, NULL, "no memory for the values");
    if (info == GBL_SUCCESS) info = gbl_Matrix_extractTuples_FP64(I, J, values, &nvals, A);
    for (gbl_Index k = 0; info == GBL_SUCCESS && k < nvals; k++) (*x)[I[k] * n + J[k]] = values[k];
    free(I);
    free(J);
    free(values);
    return info;
}
