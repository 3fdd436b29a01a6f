/* SPDX-License-Identifier: Apache-2.0
 *
 * Errors of squares of matrices with exponential decay and random signs, beside their bounds.
 */
#include <stdio.h>
#include <stdlib.h>

#include "spamm/spamm.h"

static int add(cJSON *list, gbl_Matrix A, double lambda, double tau, const double *exact) {
    gbl_Explanation how = GBL_EXPLANATION_INIT;
    gbl_Matrix C = NULL;
    gbl_Index n;
    gbl_Info info = gbl_Matrix_nrows(&n, A);
    const size_t cells = (size_t)n * (size_t)n;
    double *c = malloc(cells * sizeof *c), *zero = calloc(cells, sizeof *zero);
    if (c == NULL || zero == NULL) info = GBL_OUT_OF_MEMORY;
    if (info == GBL_SUCCESS) info = spamm_square(&C, &how, A, &(spamm_how){GBL_TAU, tau, 0});
    if (info == GBL_SUCCESS) info = spamm_values(c, C);
    cJSON *row = cJSON_CreateObject();
    cJSON_AddItemToArray(list, row);
    cJSON_AddNumberToObject(row, "lambda", lambda);
    cJSON_AddNumberToObject(row, "tau", tau);
    if (info == GBL_SUCCESS) {
        cJSON_AddNumberToObject(row, "ratio", how.valid_ratio);
        cJSON_AddNumberToObject(row, "norm", spamm_distance(exact, zero, cells));
        cJSON_AddNumberToObject(row, "error", spamm_distance(c, exact, cells));
        cJSON_AddNumberToObject(row, "error_bound", how.error_bound);
    }
    free(c);
    free(zero);
    gbl_Matrix_free(&C);
    return bench_failed(info, "errors") ? -1 : 0;
}

int spamm_errors(cJSON *list, int n) {
    static const double lambdas[] = {0.5, 0.8, 0.9, 0.95, 0.99};
    static const double taus[] = {1e-10, 1e-8, 1e-6, 1e-4, 1e-2};
    const size_t cells = (size_t)n * (size_t)n;
    double *exact = malloc(cells * sizeof *exact);
    int failures = exact == NULL;
    for (size_t l = 0; l < sizeof lambdas / sizeof *lambdas && failures == 0; l++) {
        char spec[64];
        gbl_Explanation how = GBL_EXPLANATION_INIT;
        gbl_Matrix A = NULL, C = NULL;
        snprintf(spec, sizeof spec, "decay:%d:exp:%g:1", n, lambdas[l]);
        gbl_Info info = gbl_generate(&A, GBL_FP64, spec);
        if (info == GBL_SUCCESS) info = spamm_square(&C, &how, A, &(spamm_how){GBL_TAU, 0.0, 0});
        if (info == GBL_SUCCESS) info = spamm_values(exact, C);
        gbl_Matrix_free(&C);
        if (bench_failed(info, spec)) failures++;
        for (size_t t = 0; t < sizeof taus / sizeof *taus && failures == 0; t++)
            failures += add(list, A, lambdas[l], taus[t], exact) != 0;
        gbl_Matrix_free(&A);
    }
    free(exact);
    return failures == 0 ? 0 : -1;
}
