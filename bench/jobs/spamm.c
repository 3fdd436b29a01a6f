/* SPDX-License-Identifier: Apache-2.0
 *
 * Job spamm: approximate products of matrices that decay: the taus that are found for the ratios of
 * cuSpAMM's table 1, and what its taus give; seconds at each ratio against dgemm or sgemm of
 * OpenBLAS; errors and bounds for exponential decay with random signs.
 */
#include "jobs/job.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "harness/values.h"
#include "peers/suitesparse.h"

enum { MOST_SIZES = 8 };

static struct {
    int size[MOST_SIZES], sizes;
    bool search, race, errors;
} own;

/* Of x and y, or of x and zero. */
static double distance(const double *x, const double *y, size_t n) {
    double squares = 0.0;
    for (size_t k = 0; k < n; k++) {
        const double difference = x[k] - (y != NULL ? y[k] : 0.0);
        squares += difference * difference;
    }
    return sqrt(squares);
}

/* -- OpenBLAS, loaded when the program runs: Debian's libopenblas0, or what the loader finds by
 * that name. Only functions of the standard interface of BLAS for C, and of OpenBLAS for its
 * threads. */

enum { BY_ROWS = 101, PLAIN = 111 }; /* CblasRowMajor, CblasNoTrans */

static struct {
    void (*dgemm)(int, int, int, int, int, int, double, const double *, int, const double *, int,
                  double, double *, int);
    void (*sgemm)(int, int, int, int, int, int, float, const float *, int, const float *, int,
                  float, float *, int);
    void (*set_threads)(int);
    const char *(*config)(void);
} blas;

static int load_blas(int threads) {
    static const bench_function FUNCTIONS[] = {{"cblas_dgemm", &blas.dgemm},
                                               {"cblas_sgemm", &blas.sgemm},
                                               {"openblas_set_num_threads", &blas.set_threads},
                                               {"openblas_get_config", &blas.config},
                                               {0}};
    const char *why = bench_load_library("libopenblas.so.0", FUNCTIONS);
    if (why == NULL) {
        blas.set_threads(threads);
        return 0;
    }
    fprintf(stderr, "bench: --race needs OpenBLAS (Debian: libopenblas0): %s\n", why);
    return -1;
}

/* -- seconds at each ratio */

typedef struct {
    gbl_Matrix A, C;
    bench_approximation how;
    gbl_Explanation why;
    bool single;
    int n;
    void *x, *y; /* [n * n] the values of A, and room for C, of OpenBLAS */
} contender;

static int run_spamm(void *context) {
    contender *c = context;
    return bench_failed(bench_square(&c->C, &c->why, c->A, &c->how), "mxm") ? -1 : 0;
}

static int run_blas(void *context) {
    const contender *c = context;
    if (c->single)
        blas.sgemm(BY_ROWS, PLAIN, PLAIN, c->n, c->n, c->n, 1.0F, c->x, c->n, c->x, c->n, 0.0F,
                   c->y, c->n);
    else
        blas.dgemm(BY_ROWS, PLAIN, PLAIN, c->n, c->n, c->n, 1.0, c->x, c->n, c->x, c->n, 0.0, c->y,
                   c->n);
    return 0;
}

static void reset(void *context) {
    contender *c = context;
    gbl_Matrix_free(&c->C);
}

static int race_ratio(cJSON *object, contender *mine, contender *other, int rounds) {
    bench_contender list[] = {{"spamm", run_spamm, reset, mine, 0, 0},
                              {"openblas", run_blas, reset, other, 0, 0}};
    const int status = bench_take_turns(list, 2, rounds);
    cJSON_AddNumberToObject(object, "ratio", mine->why.valid_ratio);
    cJSON_AddNumberToObject(object, "tau", mine->why.tau);
    cJSON_AddNumberToObject(object, "error_bound", mine->why.error_bound);
    cJSON_AddNumberToObject(object, "seconds_values", mine->why.seconds_values);
    for (int k = 0; k < 2 && status == 0; k++) {
        char name[64];
        snprintf(name, sizeof name, "%s_processor", list[k].name);
        cJSON_AddNumberToObject(object, list[k].name, list[k].median);
        cJSON_AddNumberToObject(object, name, list[k].processor);
    }
    reset(mine);
    return status;
}

static int race(cJSON *list, int n, bool single, int rounds) {
    char spec[64];
    contender mine = {.single = single, .n = n}, other = mine;
    static const double RATIOS_OF_RACE[] = {0.05, 0.1, 0.15, 0.2, 0.3, 0.45, 0.6, 1.0};
    const size_t cells = (size_t)n * (size_t)n;
    double *x = NULL;
    other.y = malloc(cells * sizeof *x);
    snprintf(spec, sizeof spec, "decay:%d:paper", n);
    gbl_Info info = gbl_generate(&mine.A, single ? GBL_FP32 : GBL_FP64, spec);
    if (other.y == NULL) info = gbl_fail(GBL_OUT_OF_MEMORY, NULL, "no memory for the product");
    if (info == GBL_SUCCESS) info = bench_cells(&x, mine.A);
    other.x = x;
    for (size_t k = 0; info == GBL_SUCCESS && single && k < cells; k++)
        ((float *)other.x)[k] = (float)x[k];
    int failures = bench_failed(info, spec) ? 1 : 0;
    for (int k = 0; k < 8 && failures == 0; k++) {
        cJSON *object = cJSON_CreateObject();
        cJSON_AddItemToArray(list, object);
        cJSON_AddNumberToObject(object, "n", n);
        cJSON_AddStringToObject(object, "type", single ? "FP32" : "FP64");
        mine.how = (bench_approximation){GBL_VALID_RATIO, RATIOS_OF_RACE[k], GBL_DEFAULT};
        failures += race_ratio(object, &mine, &other, rounds) != 0;
    }
    free(other.x);
    free(other.y);
    gbl_Matrix_free(&mine.A);
    return failures == 0 ? 0 : -1;
}

/* -- taus */

/* Taus of table 1 of cuSpAMM. */
enum { RATIOS = 6, SIZES = 4 };
static const double PAPER_RATIOS[RATIOS] = {0.30, 0.25, 0.20, 0.15, 0.10, 0.05};
static const int sizes[SIZES] = {1024, 2048, 4096, 8192};
static const double paper[RATIOS][SIZES] = {
    {1.434815, 1.310666, 1.195803, 1.093354}, {1.456555, 1.330525, 1.222981, 1.113983},
    {1.489164, 1.360312, 1.250158, 1.138739}, {1.521774, 1.40003, 1.277335, 1.171746},
    {1.586993, 1.449676, 1.322631, 1.204753}, {1.695691, 1.548969, 1.413222, 1.28727}};

static int add_search(cJSON *list, gbl_Matrix A, int n, int k) {
    gbl_Explanation found = GBL_EXPLANATION_INIT, given = GBL_EXPLANATION_INIT;
    gbl_Matrix C = NULL;
    double tau = NAN;
    const bench_approximation by = {GBL_VALID_RATIO, PAPER_RATIOS[k], GBL_DEFAULT};
    gbl_Info info = bench_square(&C, &found, A, &by);
    for (int s = 0; s < SIZES; s++)
        if (sizes[s] == n) tau = paper[k][s];
    if (info == GBL_SUCCESS && !isnan(tau))
        info = bench_square(&C, &given, A, &(bench_approximation){GBL_TAU, tau, GBL_DEFAULT});
    gbl_Matrix_free(&C);
    if (bench_failed(info, "mxm")) return -1;
    cJSON *row = cJSON_CreateObject();
    cJSON_AddItemToArray(list, row);
    cJSON_AddNumberToObject(row, "n", n);
    cJSON_AddNumberToObject(row, "wanted", PAPER_RATIOS[k]);
    cJSON_AddNumberToObject(row, "tau", found.tau);
    cJSON_AddNumberToObject(row, "ratio", found.valid_ratio);
    cJSON_AddNumberToObject(row, "seconds_norms", found.seconds_norms);
    cJSON_AddNumberToObject(row, "seconds_search", found.seconds_search);
    cJSON_AddNumberToObject(row, "seconds_values", found.seconds_values);
    if (!isnan(tau)) cJSON_AddNumberToObject(row, "paper_tau", tau);
    if (!isnan(tau)) cJSON_AddNumberToObject(row, "paper_tau_gives", given.valid_ratio);
    return 0;
}

static int search(cJSON *list, int n) {
    char spec[64];
    gbl_Matrix A = NULL;
    snprintf(spec, sizeof spec, "decay:%d:paper", n);
    int failures = bench_failed(gbl_generate(&A, GBL_FP64, spec), spec) ? 1 : 0;
    for (int k = 0; k < RATIOS && failures == 0; k++) failures += add_search(list, A, n, k) != 0;
    gbl_Matrix_free(&A);
    return failures == 0 ? 0 : -1;
}

/* -- errors */

static int add_error(cJSON *list, gbl_Matrix A, double lambda, double tau, const double *exact) {
    gbl_Explanation how = GBL_EXPLANATION_INIT;
    gbl_Matrix C = NULL;
    gbl_Index n = 0;
    double *c = NULL;
    gbl_Info info = gbl_Matrix_nrows(&n, A);
    if (info == GBL_SUCCESS)
        info = bench_square(&C, &how, A, &(bench_approximation){GBL_TAU, tau, GBL_DEFAULT});
    if (info == GBL_SUCCESS) info = bench_cells(&c, C);
    cJSON *row = cJSON_CreateObject();
    cJSON_AddItemToArray(list, row);
    cJSON_AddNumberToObject(row, "lambda", lambda);
    cJSON_AddNumberToObject(row, "tau", tau);
    if (info == GBL_SUCCESS) {
        cJSON_AddNumberToObject(row, "ratio", how.valid_ratio);
        cJSON_AddNumberToObject(row, "norm", distance(exact, NULL, n * n));
        cJSON_AddNumberToObject(row, "error", distance(exact, c, n * n));
        cJSON_AddNumberToObject(row, "error_bound", how.error_bound);
    }
    free(c);
    gbl_Matrix_free(&C);
    return bench_failed(info, "errors") ? -1 : 0;
}

static int errors(cJSON *list, int n) {
    static const double lambdas[] = {0.5, 0.8, 0.9, 0.95, 0.99};
    static const double taus[] = {1e-10, 1e-8, 1e-6, 1e-4, 1e-2};
    int failures = 0;
    for (size_t l = 0; l < sizeof lambdas / sizeof *lambdas && failures == 0; l++) {
        char spec[64];
        gbl_Explanation how = GBL_EXPLANATION_INIT;
        gbl_Matrix A = NULL, C = NULL;
        double *exact = NULL;
        snprintf(spec, sizeof spec, "decay:%d:exp:%g:1", n, lambdas[l]);
        gbl_Info info = gbl_generate(&A, GBL_FP64, spec);
        if (info == GBL_SUCCESS)
            info = bench_square(&C, &how, A, &(bench_approximation){GBL_TAU, 0.0, GBL_DEFAULT});
        if (info == GBL_SUCCESS) info = bench_cells(&exact, C);
        gbl_Matrix_free(&C);
        if (bench_failed(info, spec)) failures++;
        for (size_t t = 0; t < sizeof taus / sizeof *taus && failures == 0; t++)
            failures += add_error(list, A, lambdas[l], taus[t], exact) != 0;
        gbl_Matrix_free(&A);
        free(exact);
    }
    return failures == 0 ? 0 : -1;
}

/* -- the job */

static int start(const bench_job *job, const bench_options *o) {
    (void)job;
    if (own.sizes == 0) own.size[own.sizes++] = 1024, own.size[own.sizes++] = 2048;
    if (!own.search && !own.race && !own.errors) own.search = own.race = own.errors = true;
    if (own.race && load_blas(o->threads) != 0) return -1;
    return bench_start(o->threads) == 0 && peer_start(o->threads) == 0 ? 0 : -1;
}

static void measure(bench_sink *to) {
    cJSON *document = to->document;
    cJSON_AddStringToObject(document, "openblas", own.race ? blas.config() : "");
    cJSON *found = cJSON_AddArrayToObject(document, "search");
    cJSON *raced = cJSON_AddArrayToObject(document, "race");
    cJSON *wrong = cJSON_AddArrayToObject(document, "errors");
    for (int k = 0; k < own.sizes; k++) {
        fprintf(stderr, "bench: spamm, N = %d\n", own.size[k]);
        if (own.search) to->failures += search(found, own.size[k]) != 0;
        for (int single = 0; own.race && single < 2; single++)
            to->failures += race(raced, own.size[k], single, to->o->rounds) != 0;
        if (own.errors) to->failures += errors(wrong, own.size[k]) != 0;
    }
}

static const bench_option OPTIONS[] = {
    {"size", 'n', "N", "of the matrices; may be given several times (1024 and 2048)",
     bench_take_numbers, own.size, MOST_SIZES, &own.sizes},
    {"search", 'S', NULL, "tau for the ratios of cuSpAMM's table 1", bench_take_flag, &own.search,
     0, NULL},
    {"race", 'R', NULL, "seconds beside OpenBLAS, at several ratios", bench_take_flag, &own.race, 0,
     NULL},
    {"errors", 'e', NULL, "errors and bounds for exponential decay", bench_take_flag, &own.errors,
     0, NULL},
    {0}};
const bench_job JOB_SPAMM = {
    .name = "spamm",
    .about = "approximate products of matrices that decay, OpenBLAS; prints JSON",
    .rounds = 5,
    .takes = BENCH_THREADS,
    .own = OPTIONS,
    .start = start,
    .measure = measure};
