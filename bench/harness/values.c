/* SPDX-License-Identifier: Apache-2.0
 *
 * See values.h.
 */
#include "harness/values.h"

#include <math.h>
#include <stdlib.h>

/* The finisher of splitmix64 on (i, j), as a fraction with all the bits of a double. */
static void random_value(void *z, const void *x, gbl_Index i, gbl_Index j, const void *y) {
    uint64_t h = (uint64_t)i << 32 ^ (uint64_t)j;
    (void)x, (void)y;
    h = (h + 0x9E3779B97F4A7C15u) * 0xBF58476D1CE4E5B9u;
    h = (h ^ h >> 27) * 0x94D049BB133111EBu;
    *(double *)z = (double)((h >> 11) + 1) * 0x1p-53;
}

gbl_Info bench_set_values(gbl_Matrix A) {
    gbl_IndexUnaryOp op = NULL;
    gbl_Info info = gbl_IndexUnaryOp_new(&op, random_value, GBL_FP64, GBL_FP64, GBL_FP64);
    if (info == GBL_SUCCESS) info = gbl_Matrix_apply_IndexOp_FP64(A, NULL, NULL, op, A, 0.0, NULL);
    gbl_IndexUnaryOp_free(&op);
    return info;
}

static void relative_difference(void *z, const void *x, const void *y) {
    const double a = *(const double *)x, b = *(const double *)y;
    *(double *)z = a == b ? 0 : fabs(a - b) / fmax(fabs(a), fabs(b));
}

gbl_Info bench_difference(double *most, gbl_Matrix C, gbl_Matrix D) {
    gbl_BinaryOp op = NULL;
    gbl_Matrix E = NULL;
    gbl_Index nrows = 0, ncols = 0, of_C = 0, of_D = 0, of_both = 0;
    gbl_Info info = gbl_BinaryOp_new(&op, relative_difference, GBL_FP64, GBL_FP64, GBL_FP64);
    if (info == GBL_SUCCESS) info = gbl_Matrix_nrows(&nrows, C);
    if (info == GBL_SUCCESS) info = gbl_Matrix_ncols(&ncols, C);
    if (info == GBL_SUCCESS) info = gbl_Matrix_new(&E, GBL_FP64, nrows, ncols);
    if (info == GBL_SUCCESS) info = gbl_Matrix_eWiseMult_BinaryOp(E, NULL, NULL, op, C, D, NULL);
    if (info == GBL_SUCCESS) info = gbl_Matrix_nvals(&of_C, C);
    if (info == GBL_SUCCESS) info = gbl_Matrix_nvals(&of_D, D);
    if (info == GBL_SUCCESS) info = gbl_Matrix_nvals(&of_both, E);
    *most = 0;
    if (info == GBL_SUCCESS)
        info = gbl_Matrix_reduce_FP64(most, NULL, GBL_MAX_MONOID_FP64, E, NULL);
    if (of_both == 0) *most = 0;
    if (of_C != of_both || of_D != of_both) *most = INFINITY;
    gbl_BinaryOp_free(&op);
    gbl_Matrix_free(&E);
    return info;
}

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
    gbl_Index n = 0;
    gbl_Matrix full = NULL;
    gbl_Arrays arrays = {0};
    *x = NULL;
    gbl_Info info = gbl_Matrix_nrows(&n, A);
    if (info == GBL_SUCCESS) info = gbl_Matrix_new(&full, GBL_FP64, n, n);
    if (info == GBL_SUCCESS)
        info = gbl_Matrix_assign_FP64(full, NULL, NULL, 0.0, GBL_ALL, n, GBL_ALL, n, NULL);
    if (info == GBL_SUCCESS)
        info = gbl_Matrix_assign(full, A, NULL, A, GBL_ALL, n, GBL_ALL, n, GBL_DESC_S);
    if (info == GBL_SUCCESS) info = gbl_Matrix_view(&arrays, full, GBL_CSR_FORMAT);
    if (info == GBL_SUCCESS && (*x = malloc((n * n + 1) * sizeof **x)) == NULL)
        info = gbl_fail(GBL_OUT_OF_MEMORY, NULL, "no memory for the values");
    for (gbl_Index k = 0; info == GBL_SUCCESS && k < n * n; k++)
        (*x)[k] = ((double *)arrays.x)[arrays.iso ? 0 : k];
    gbl_Matrix_free(&full);
    return info;
}

uint64_t bench_random(uint64_t *state) {
    uint64_t h = *state += 0x9E3779B97F4A7C15u;
    h = (h ^ h >> 30) * 0xBF58476D1CE4E5B9u;
    h = (h ^ h >> 27) * 0x94D049BB133111EBu;
    return h ^ h >> 31;
}

double bench_unit(uint64_t *state) {
    return (double)(1 + (bench_random(state) >> 11)) * 0x1p-53;
}

gbl_Info bench_choose_sources(uint32_t *source, int count, const uint64_t *p, uint64_t n) {
    uint64_t state = 27491095;
    if (p[n] == 0) return gbl_fail(GBL_INVALID_VALUE, NULL, "the graph has no edges");
    for (int k = 0; k < count;) {
        source[k] = (uint32_t)(bench_random(&state) % n);
        k += p[source[k] + 1] > p[source[k]];
    }
    return GBL_SUCCESS;
}

int bench_by_number(const void *a, const void *b) {
    const uint32_t x = *(const uint32_t *)a, y = *(const uint32_t *)b;
    return (x > y) - (x < y);
}
