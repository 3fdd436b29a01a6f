/* SPDX-License-Identifier: Apache-2.0
 *
 * The taus of cuSpAMM's table 1 beside those that are found, and the ratios that both give.
 */
#include <math.h>
#include <stdio.h>

#include "spamm/spamm.h"

enum { RATIOS = 6, SIZES = 4 };
static const double ratios[RATIOS] = {0.30, 0.25, 0.20, 0.15, 0.10, 0.05};
static const int sizes[SIZES] = {1024, 2048, 4096, 8192};
static const double paper[RATIOS][SIZES] = {
    {1.434815, 1.310666, 1.195803, 1.093354}, {1.456555, 1.330525, 1.222981, 1.113983},
    {1.489164, 1.360312, 1.250158, 1.138739}, {1.521774, 1.40003, 1.277335, 1.171746},
    {1.586993, 1.449676, 1.322631, 1.204753}, {1.695691, 1.548969, 1.413222, 1.28727}};

static int add(cJSON *list, gbl_Matrix A, int n, int k) {
    gbl_Explanation found = GBL_EXPLANATION_INIT, given = GBL_EXPLANATION_INIT;
    gbl_Matrix C = NULL;
    double tau = NAN;
    gbl_Info info = spamm_square(&C, &found, A, &(spamm_how){GBL_VALID_RATIO, ratios[k], 0});
    gbl_Matrix_free(&C);
    for (int s = 0; s < SIZES; s++)
        if (sizes[s] == n) tau = paper[k][s];
    if (info == GBL_SUCCESS && !isnan(tau)) {
        info = spamm_square(&C, &given, A, &(spamm_how){GBL_TAU, tau, 0});
        gbl_Matrix_free(&C);
    }
    if (bench_failed(info, "mxm")) return -1;
    cJSON *row = cJSON_CreateObject();
    cJSON_AddItemToArray(list, row);
    cJSON_AddNumberToObject(row, "n", n);
    cJSON_AddNumberToObject(row, "wanted", ratios[k]);
    cJSON_AddNumberToObject(row, "tau", found.tau);
    cJSON_AddNumberToObject(row, "ratio", found.valid_ratio);
    cJSON_AddNumberToObject(row, "seconds_norms", found.seconds_norms);
    cJSON_AddNumberToObject(row, "seconds_search", found.seconds_search);
    cJSON_AddNumberToObject(row, "seconds_values", found.seconds_values);
    if (!isnan(tau)) cJSON_AddNumberToObject(row, "paper_tau", tau);
    if (!isnan(tau)) cJSON_AddNumberToObject(row, "paper_tau_gives", given.valid_ratio);
    return 0;
}

int spamm_search(cJSON *list, int n) {
    char spec[64];
    gbl_Matrix A = NULL;
    snprintf(spec, sizeof spec, "decay:%d:paper", n);
    int failures = bench_failed(gbl_generate(&A, GBL_FP64, spec), spec) ? 1 : 0;
    for (int k = 0; k < RATIOS && failures == 0; k++) failures += add(list, A, n, k) != 0;
    gbl_Matrix_free(&A);
    return failures == 0 ? 0 : -1;
}
