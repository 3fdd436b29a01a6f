/* SPDX-License-Identifier: Apache-2.0
 *
 * Approximate products of decay:N:paper by itself on a GPU, kernels alone: against cuBLAS at the
 * ratios and sizes of cuSpAMM's table 2, and, at the same error, against cuSPARSE for what is left
 * after truncation (its table 3).
 */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "gpu/gpu.h"
#include "peers/cublas.h"
#include "peers/cusparse.h"

enum { HALVINGS = 12 };

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
    int n, rounds;
    double *x;       /* [n * n] */
    gbl_Matrix A[2]; /* FP64, FP32 */
    gbl_Matrix C;    /* of the last product */
    gbl_Explanation how;
} matrices;

/* -- products */

static gbl_Info multiply(matrices *m, int type, int field, double value) {
    const bool single = TYPES[type].single;
    gbl_Descriptor desc = NULL;
    m->how = (gbl_Explanation)GBL_EXPLANATION_INIT;
    gbl_Matrix_free(&m->C);
    gbl_Info info = gbl_Descriptor_new(&desc);
    if (info == GBL_SUCCESS) info = gbl_Descriptor_set_FP64(desc, value, field);
    if (info == GBL_SUCCESS)
        info = gbl_Descriptor_set(desc, GBL_ROUND_FACTORS, TYPES[type].rounding);
    if (info == GBL_SUCCESS)
        info =
            gbl_Matrix_new(&m->C, single ? GBL_FP32 : GBL_FP64, (gbl_Index)m->n, (gbl_Index)m->n);
    if (info == GBL_SUCCESS)
        info = gbl_mxm(m->C, NULL, NULL,
                       single ? GBL_PLUS_TIMES_SEMIRING_FP32 : GBL_PLUS_TIMES_SEMIRING_FP64,
                       m->A[single], m->A[single], desc);
    if (info == GBL_SUCCESS) info = gbl_Matrix_explain(&m->how, m->C);
    gbl_Descriptor_free(&desc);
    return info;
}

/* Seconds of the kernels for norms and products with the tau of this ratio, the median; the search
 * and all that is moved are told beside. */
static double race(matrices *m, int type, double ratio, cJSON *line) {
    double seconds[BENCH_MOST_NUMBER];
    const double start = bench_seconds();
    gbl_Info info = multiply(m, type, GBL_VALID_RATIO, ratio);
    const double whole = bench_seconds() - start, tau = m->how.tau;
    cJSON_AddNumberToObject(line, "seconds_search", m->how.seconds_search);
    for (int k = 0; k < 2 * m->rounds && info == GBL_SUCCESS; k++) {
        info = multiply(m, type, GBL_TAU, tau);
        seconds[k % m->rounds] = m->how.seconds_norms + m->how.seconds_values;
    }
    if (bench_failed(info, TYPES[type].name)) return -1.0;
    const double median = bench_median(seconds, m->rounds), n = m->n;
    cJSON_AddNumberToObject(line, "ratio", m->how.valid_ratio);
    cJSON_AddNumberToObject(line, "tau", tau);
    cJSON_AddNumberToObject(line, "error_bound", m->how.error_bound);
    cJSON_AddNumberToObject(line, "seconds", median);
    cJSON_AddNumberToObject(line, "seconds_norms", m->how.seconds_norms);
    cJSON_AddNumberToObject(line, "seconds_with_transfers", whole);
    cJSON_AddNumberToObject(line, "gflops", 2e-9 * n * n * n * m->how.valid_ratio / median);
    return median;
}

static int race_type(matrices *m, int type, cJSON *list) {
    static const double ratios[] = {0.3, 0.25, 0.2, 0.15, 0.1, 0.05};
    const double blas = cublas_seconds(TYPES[type].values, m->n, m->x, m->rounds);
    if (blas < 0.0) return -1;
    for (size_t k = 0; k < sizeof ratios / sizeof ratios[0]; k++) {
        cJSON *line = cJSON_CreateObject();
        cJSON_AddItemToArray(list, line);
        cJSON_AddNumberToObject(line, "n", m->n);
        cJSON_AddStringToObject(line, "type", TYPES[type].name);
        const double own = race(m, type, ratios[k], line);
        if (own < 0.0) return -1;
        cJSON_AddNumberToObject(line, "cublas", blas);
        cJSON_AddNumberToObject(line, "speedup", blas / own);
    }
    return 0;
}

/* -- truncation */

static double distance(const double *x, const double *y, size_t n) {
    double squares = 0.0;
    for (size_t k = 0; k < n; k++) squares += (x[k] - y[k]) * (x[k] - y[k]);
    return sqrt(squares);
}

/* The values of C, zero where there is none. */
static gbl_Info values_of(double *to, gbl_Matrix C, size_t n) {
    gbl_Index nvals;
    gbl_Info info = gbl_Matrix_nvals(&nvals, C);
    gbl_Index *I = malloc(nvals * sizeof *I), *J = malloc(nvals * sizeof *J);
    double *x = malloc(nvals * sizeof *x);
    if (nvals > 0 && (I == NULL || J == NULL || x == NULL)) info = GBL_OUT_OF_MEMORY;
    if (info == GBL_SUCCESS) info = gbl_Matrix_extractTuples_FP64(I, J, x, &nvals, C);
    memset(to, 0, n * n * sizeof *to);
    for (gbl_Index k = 0; info == GBL_SUCCESS && k < nvals; k++) to[I[k] * n + J[k]] = x[k];
    free(I);
    free(J);
    free(x);
    return info;
}

/* Leaves in `cut` what is left of x at the largest threshold whose square is no further from
 * `exact` than `error`; the error there, or -1. work[n * n]. */
static double truncate_values(const matrices *m, double *cut, const double *exact, double error,
                              double *work) {
    const size_t cells = (size_t)m->n * (size_t)m->n;
    double low = 0.0, high = 0.0, found = 0.0;
    for (size_t k = 0; k < cells; k++) high = fmax(high, fabs(m->x[k]));
    for (int h = 0; h <= HALVINGS; h++) { /* the last time with what was found */
        const double at = h < HALVINGS ? (low + high) / 2.0 : low;
        for (size_t k = 0; k < cells; k++) cut[k] = fabs(m->x[k]) < at ? 0.0 : m->x[k];
        if (cublas_square(work, m->n, cut) != 0) return -1.0;
        found = distance(work, exact, cells);
        if (found <= error)
            low = at;
        else
            high = at;
    }
    return found;
}

/* Rows of a matrix with zeros left out. */
typedef struct {
    uint64_t *p;
    uint32_t *i;
    double *x;
} rows;

static void free_rows(rows *R) {
    free(R->p);
    free(R->i);
    free(R->x);
}

static bool make_rows(rows *R, const double *cut, size_t n) {
    size_t nvals = 0;
    for (size_t k = 0; k < n * n; k++) nvals += cut[k] != 0.0;
    *R = (rows){malloc((n + 1) * sizeof *R->p), malloc(nvals * sizeof *R->i),
                malloc(nvals * sizeof *R->x)};
    if (R->p == NULL || R->i == NULL || R->x == NULL) return false;
    size_t at = 0;
    for (size_t r = 0; r < n; r++) {
        R->p[r] = at;
        for (size_t c = 0; c < n; c++) {
            if (cut[r * n + c] == 0.0) continue;
            R->i[at] = (uint32_t)c;
            R->x[at++] = cut[r * n + c];
        }
    }
    R->p[n] = at;
    return true;
}

/* The best algorithm of cuSPARSE; negative when none can. */
static double best_sparse(const rows *R, size_t n, int rounds) {
    const gpu_factors f = {n, n, n, R->p, R->p, R->i, R->i, R->x, R->x};
    double best = -1.0;
    for (int w = 0; w < 3; w++) {
        double seconds[BENCH_MOST_NUMBER];
        void *state = NULL;
        bool good = CUSPARSE[w].open(&state, &f) == 0;
        for (int k = 0; k < 2 * rounds && good; k++)
            good = (seconds[k % rounds] = gpu_time(&CUSPARSE[w], state)) >= 0.0;
        CUSPARSE[w].close(state);
        if (good && (best < 0.0 || bench_median(seconds, rounds) < best))
            best = bench_median(seconds, rounds);
    }
    return best;
}

static int race_truncated(matrices *m, double ratio, const double *exact, double *work,
                          cJSON *list) {
    const size_t n = (size_t)m->n, cells = n * n;
    cJSON *line = cJSON_CreateObject();
    rows R = {NULL, NULL, NULL};
    cJSON_AddItemToArray(list, line);
    cJSON_AddNumberToObject(line, "n", m->n);
    const double own = race(m, 0, ratio, line);
    if (own < 0.0 || bench_failed(values_of(work, m->C, n), "values")) return -1;
    const double error = distance(work, exact, cells);
    const double truncated = truncate_values(m, work, exact, error, work + cells);
    const bool made = truncated >= 0.0 && make_rows(&R, work, n);
    const double sparse = made ? best_sparse(&R, n, m->rounds) : -1.0;
    cJSON_AddNumberToObject(line, "error", error);
    cJSON_AddNumberToObject(line, "truncated_error", truncated);
    if (made)
        cJSON_AddNumberToObject(line, "nonzero_ratio", (double)R.p[n] / ((double)n * (double)n));
    free_rows(&R);
    if (sparse < 0.0) return -1;
    cJSON_AddNumberToObject(line, "cusparse", sparse);
    cJSON_AddNumberToObject(line, "speedup", sparse / own);
    return 0;
}

static int race_all_truncated(matrices *m, cJSON *list) {
    static const double ratios[] = {0.25, 0.07, 0.02};
    const size_t cells = (size_t)m->n * (size_t)m->n;
    double *exact = malloc(3 * cells * sizeof *exact);
    int failures = exact == NULL || cublas_square(exact, m->n, m->x) != 0;
    for (size_t k = 0; k < sizeof ratios / sizeof ratios[0] && failures == 0; k++)
        failures += race_truncated(m, ratios[k], exact, exact + cells, list) != 0;
    free(exact);
    return failures == 0 ? 0 : -1;
}

/* -- all of it */

static int run_size(int n, int rounds, cJSON *dense, cJSON *truncated) {
    matrices m = {.n = n, .rounds = rounds};
    char spec[64];
    int failures = 0;
    snprintf(spec, sizeof spec, "decay:%d:paper", n);
    m.x = malloc((size_t)n * (size_t)n * sizeof *m.x);
    gbl_Info info = m.x != NULL ? GBL_SUCCESS : GBL_OUT_OF_MEMORY;
    if (info == GBL_SUCCESS) info = gbl_generate(&m.A[0], GBL_FP64, spec);
    if (info == GBL_SUCCESS) info = gbl_generate(&m.A[1], GBL_FP32, spec);
    if (info == GBL_SUCCESS) info = values_of(m.x, m.A[0], (size_t)n);
    if (bench_failed(info, spec)) failures = 1;
    for (int t = 0; t < NTYPES && failures == 0; t++) failures += race_type(&m, t, dense) != 0;
    if (failures == 0 && n <= 2048) failures += race_all_truncated(&m, truncated) != 0;
    gbl_Matrix_free(&m.A[0]);
    gbl_Matrix_free(&m.A[1]);
    gbl_Matrix_free(&m.C);
    free(m.x);
    return failures;
}

int gpu_spamm(cJSON *document, int rounds, double end) {
    static const int sizes[] = {1024, 2048, 4096, 8192};
    cJSON *dense = cJSON_AddArrayToObject(document, "spamm");
    cJSON *truncated = cJSON_AddArrayToObject(document, "spamm_truncated");
    char why[256];
    int failures = 0;
    if (!cublas_load(why, sizeof why)) {
        fprintf(stderr, "gpu: cuBLAS: %s\n", why);
        return 1;
    }
    if (bench_failed(gbl_Global_set_INT32(GBL_GLOBAL, GBL_PLACE_GPU, GBL_PLACE), "place"))
        failures = 1;
    for (size_t k = 0; k < sizeof sizes / sizeof sizes[0] && failures == 0; k++)
        if (end <= 0.0 || bench_seconds() < end)
            failures += run_size(sizes[k], rounds, dense, truncated);
    cublas_unload();
    return failures;
}
