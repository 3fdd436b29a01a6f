/* SPDX-License-Identifier: Apache-2.0
 *
 * Approximate products of decay:N:paper by itself on a GPU, kernels alone, against cuBLAS at the
 * ratios and sizes of cuSpAMM's table 2.
 */
#include <stdlib.h>

#include "gpu/gpu.h"
#include "harness/values.h"

static const struct {
    const char *name;
    cublas_values values;
    bool single;
    gbl_Desc_Value rounding;
} TYPES[] = {{"FP64", CUBLAS_FP64, false, GBL_DEFAULT},
             {"FP32", CUBLAS_FP32, true, GBL_DEFAULT},
             {"TF32", CUBLAS_TF32, true, GBL_ROUND_TF32},
             {"FP16", CUBLAS_FP16, true, GBL_ROUND_FP16},
             {"BF16", CUBLAS_BF16, true, GBL_ROUND_BF16}};
enum { NTYPES = sizeof TYPES / sizeof TYPES[0] };

typedef struct {
    gpu_run *run;
    int n;
    double *x;       /* [n * n] */
    gbl_Matrix A[2]; /* FP64, FP32 */
    gbl_Matrix C;    /* of the last product */
    gbl_Explanation how;
} matrices;

/* -- products */

static gbl_Info multiply(matrices *m, int type, int field, double value) {
    const bench_approximation by = {field, value, TYPES[type].rounding};
    return bench_square(&m->C, &m->how, m->A[TYPES[type].single], &by);
}

/* Seconds of the kernels for norms and products with the tau of this ratio, the median; the search
 * and all that is moved are reported beside. */
static double race(matrices *m, int type, double ratio, cJSON *line) {
    double seconds[BENCH_MOST_NUMBER];
    const double start = bench_seconds();
    gbl_Info info = multiply(m, type, GBL_VALID_RATIO, ratio); /* warms up, too */
    const double whole = bench_seconds() - start, tau = m->how.tau;
    int rounds = 0;
    cJSON_AddNumberToObject(line, "seconds_search", m->how.seconds_search);
    while (rounds < m->run->shared.rounds && info == GBL_SUCCESS &&
           (rounds == 0 || !gpu_is_late(m->run))) {
        info = multiply(m, type, GBL_TAU, tau);
        seconds[rounds++] = m->how.seconds_norms + m->how.seconds_values;
    }
    if (bench_failed(info, TYPES[type].name)) return -1.0;
    const double median = bench_median(seconds, rounds), n = m->n;
    cJSON_AddNumberToObject(line, "rounds", rounds);
    cJSON_AddNumberToObject(line, "ratio", m->how.valid_ratio);
    cJSON_AddNumberToObject(line, "tau", tau);
    cJSON_AddNumberToObject(line, "error_bound", m->how.error_bound);
    cJSON_AddNumberToObject(line, "seconds", median);
    cJSON_AddNumberToObject(line, "seconds_norms", m->how.seconds_norms);
    cJSON_AddNumberToObject(line, "seconds_with_transfers", whole);
    cJSON_AddNumberToObject(line, "gflops", 2e-9 * n * n * n * m->how.valid_ratio / median);
    return median;
}

/* One ratio after the other, those of the paper's table. */
static int race_type(matrices *m, int type, cJSON *list) {
    static const double ratios[] = {0.3, 0.1, 0.05, 0.2, 0.25, 0.15};
    gpu_run *run = m->run;
    if (!bench_is_chosen(&run->shared, TYPES[type].name)) return 0;
    const double blas = cublas_seconds(TYPES[type].values, m->n, m->x,
                                       run->shared.rounds < 5 ? run->shared.rounds : 5);
    if (blas < 0.0) return -1;
    for (size_t k = 0; k < sizeof ratios / sizeof ratios[0]; k++) {
        if (gpu_is_late(run)) {
            run->left_out++;
            continue;
        }
        cJSON *line = cJSON_CreateObject();
        cJSON_AddItemToArray(list, line);
        cJSON_AddNumberToObject(line, "n", m->n);
        cJSON_AddStringToObject(line, "type", TYPES[type].name);
        const double own = race(m, type, ratios[k], line);
        if (own < 0.0) return -1;
        cJSON_AddNumberToObject(line, "cublas", blas);
        cJSON_AddNumberToObject(line, "speedup", blas / own);
        gpu_save(run);
    }
    return 0;
}

void gpu_spamm(gpu_run *run, const char *spec) {
    matrices m = {.run = run};
    gbl_Index n = 0;
    int failures = 0;
    cJSON *list = cJSON_AddArrayToObject(gpu_add_line(run, spec), "products");
    gbl_Info info = gbl_load(&m.A[0], GBL_FP64, spec);
    if (info == GBL_SUCCESS) info = gbl_Matrix_nrows(&n, m.A[0]);
    if (info == GBL_SUCCESS) info = gbl_Matrix_new(&m.A[1], GBL_FP32, n, n);
    if (info == GBL_SUCCESS)
        info = gbl_Matrix_apply(m.A[1], NULL, NULL, GBL_IDENTITY_FP32, m.A[0], NULL);
    m.n = (int)n;
    if (info == GBL_SUCCESS) info = bench_cells(&m.x, m.A[0]);
    if (info == GBL_SUCCESS) info = gpu_go_to(0);
    if (bench_failed(info, spec)) failures = 1;
    for (int t = 0; t < NTYPES && failures == 0; t++) failures += race_type(&m, t, list) != 0;
    run->failures += failures;
    gbl_Matrix_free(&m.A[0]);
    gbl_Matrix_free(&m.A[1]);
    gbl_Matrix_free(&m.C);
    free(m.x);
    gpu_save(run);
    if (gpu_go_to(1) != GBL_SUCCESS) run->failures++;
}
