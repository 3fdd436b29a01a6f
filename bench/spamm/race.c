/* SPDX-License-Identifier: Apache-2.0
 *
 * Seconds of approximate products of decay:N:paper by itself, in turns with OpenBLAS and, where the
 * truncated product is wanted, with gblite's own choice and SuiteSparse for what is left of the
 * matrix when entries below a threshold go: the one whose error is that of the approximate product.
 */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

#include "spamm/spamm.h"

enum { HALVINGS = 12 };
/* Ratios above are not compared with truncation: its products take seconds. */
#define TRUNCATED_MOST 0.15

enum { CALLS_MOST = 64 };

typedef struct {
    gbl_Matrix A, C;
    GrB_Matrix S, T;
    double cpu[CALLS_MOST]; /* seconds of all processors that the last calls took */
    int calls;
    spamm_how how;
    gbl_Explanation why;
    bool single;
    int n;
    const void *x; /* [n * n] the values of A, of OpenBLAS */
    void *y;       /* [n * n] */
} contender;

/* Processor time, which other programs add little to on a busy machine. */
static double processor_seconds(void) {
    struct timespec t;
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &t);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

static int end(contender *c, double start, int status) {
    c->cpu[c->calls++ % CALLS_MOST] = processor_seconds() - start;
    return status;
}

static int run_spamm(void *context) {
    contender *c = context;
    const double start = processor_seconds();
    const gbl_Info info = spamm_square(&c->C, &c->why, c->A, &c->how);
    return end(c, start, bench_failed(info, "mxm") ? -1 : 0);
}

static int run_blas(void *context) {
    contender *c = context;
    const double start = processor_seconds();
    blas_multiply(c->single, c->n, c->x, c->x, c->y);
    return end(c, start, 0);
}

static int run_suitesparse(void *context) {
    contender *c = context;
    const double start = processor_seconds();
    const GrB_Index n = (GrB_Index)c->n;
    GrB_Info info = GrB_Matrix_new(&c->T, GrB_FP64, n, n);
    if (info == GrB_SUCCESS)
        info = GrB_mxm(c->T, NULL, NULL, GrB_PLUS_TIMES_SEMIRING_FP64, c->S, c->S, NULL);
    if (info == GrB_SUCCESS) info = GrB_Matrix_wait(c->T, GrB_MATERIALIZE);
    return end(c, start, peer_failed(info, "mxm") ? -1 : 0);
}

static void reset(void *context) {
    contender *c = context;
    gbl_Matrix_free(&c->C);
    GrB_Matrix_free(&c->T);
}

/* The same content for SuiteSparse. */
static int copy_to_peer(GrB_Matrix *S, gbl_Matrix A) {
    gbl_Index n, nvals;
    if (bench_failed(gbl_Matrix_nrows(&n, A), "copy") ||
        bench_failed(gbl_Matrix_nvals(&nvals, A), "copy"))
        return -1;
    GrB_Index *I = malloc(nvals * sizeof *I), *J = malloc(nvals * sizeof *J);
    double *x = malloc(nvals * sizeof *x);
    GrB_Info info = I != NULL && J != NULL && x != NULL ? GrB_SUCCESS : GrB_OUT_OF_MEMORY;
    if (info == GrB_SUCCESS &&
        bench_failed(gbl_Matrix_extractTuples_FP64(I, J, x, &nvals, A), "copy"))
        info = GrB_PANIC;
    if (info == GrB_SUCCESS) info = GrB_Matrix_new(S, GrB_FP64, n, n);
    if (info == GrB_SUCCESS) info = GrB_Matrix_build_FP64(*S, I, J, x, nvals, GrB_PLUS_FP64);
    if (info == GrB_SUCCESS) info = GrB_Matrix_wait(*S, GrB_MATERIALIZE);
    free(I);
    free(J);
    free(x);
    return peer_failed(info, "copy") ? -1 : 0;
}

/* -- truncation */

/* Entries of x below the threshold become 0. */
static void truncate_values(double *to, const double *x, size_t n, double threshold) {
    for (size_t k = 0; k < n; k++) to[k] = fabs(x[k]) < threshold ? 0.0 : x[k];
}

/* The largest threshold, to a part of 2^-HALVINGS, whose product is no further from `exact` than
 * `error`. work has room for two matrices. */
static double find_threshold(const double *x, const double *exact, double error, int n,
                             double *work) {
    const size_t cells = (size_t)n * (size_t)n;
    double low = 0.0, high = 0.0;
    for (size_t k = 0; k < cells; k++) high = fmax(high, fabs(x[k]));
    for (int k = 0; k < HALVINGS; k++) {
        const double middle = (low + high) / 2.0;
        truncate_values(work, x, cells, middle);
        blas_multiply(false, n, work, work, work + cells);
        if (spamm_distance(work + cells, exact, cells) <= error)
            low = middle;
        else
            high = middle;
    }
    return low;
}

/* The truncated matrix; its error and share of entries go to the object. */
static gbl_Info make_truncated(gbl_Matrix *T, cJSON *object, gbl_Matrix A, double error,
                               const double *exact) {
    gbl_Index n, entries = 0;
    gbl_Info info = gbl_Matrix_nrows(&n, A);
    const size_t cells = (size_t)n * (size_t)n;
    double *x = malloc(3 * cells * sizeof *x);
    if (x == NULL) return GBL_OUT_OF_MEMORY;
    if (info == GBL_SUCCESS) info = spamm_values(x, A);
    const double threshold = find_threshold(x, exact, error, (int)n, x + cells);
    truncate_values(x + cells, x, cells, threshold);
    blas_multiply(false, (int)n, x + cells, x + cells, x);
    cJSON_AddNumberToObject(object, "threshold", threshold);
    cJSON_AddNumberToObject(object, "truncated_error", spamm_distance(x, exact, cells));
    free(x);
    if (info == GBL_SUCCESS) info = gbl_Matrix_new(T, GBL_FP64, n, n);
    if (info == GBL_SUCCESS)
        info = gbl_Matrix_select_FP64(*T, NULL, NULL, GBL_VALUEGE_FP64, A, threshold, NULL);
    if (info == GBL_SUCCESS) info = gbl_Matrix_nvals(&entries, *T);
    cJSON_AddNumberToObject(object, "nonzero_ratio", (double)entries / (double)cells);
    return info;
}

/* -- one ratio */

static int race_ratio(cJSON *object, contender *mine, contender *other, const bench_setup *setup,
                      const double *exact) {
    const size_t cells = (size_t)mine->n * (size_t)mine->n;
    contender cut = {.n = mine->n}, peer = cut;
    bench_contender list[] = {{"spamm", run_spamm, reset, mine, 0.0},
                              {"openblas", run_blas, reset, other, 0.0},
                              {"truncated", run_spamm, reset, &cut, 0.0},
                              {"truncated_suitesparse", run_suitesparse, reset, &peer, 0.0}};
    int count = 2, failed = 0;
    double *c = exact != NULL ? malloc(cells * sizeof *c) : NULL;
    if (exact != NULL) {
        gbl_Info info = run_spamm(mine) == 0 ? GBL_SUCCESS : GBL_PANIC;
        if (info == GBL_SUCCESS) info = spamm_values(c, mine->C);
        reset(mine);
        const double error = spamm_distance(c, exact, cells);
        cJSON_AddNumberToObject(object, "error", error);
        if (info == GBL_SUCCESS) info = make_truncated(&cut.A, object, mine->A, error, exact);
        failed = bench_failed(info, "truncate") || copy_to_peer(&peer.S, cut.A) != 0;
        count = 4;
    }
    mine->calls = other->calls = 0;
    if (failed == 0 && bench_take_turns(list, count, setup->rounds) != 0) failed = 1;
    cJSON_AddNumberToObject(object, "ratio", mine->why.valid_ratio);
    cJSON_AddNumberToObject(object, "tau", mine->why.tau);
    cJSON_AddNumberToObject(object, "error_bound", mine->why.error_bound);
    for (int k = 0; k < count && failed == 0; k++) {
        contender *one = list[k].context;
        char name[64];
        snprintf(name, sizeof name, "%s_processor", list[k].name);
        cJSON_AddNumberToObject(object, list[k].name, list[k].median);
        cJSON_AddNumberToObject(
            object, name,
            bench_median(one->cpu, one->calls < CALLS_MOST ? one->calls : CALLS_MOST));
    }
    cJSON_AddNumberToObject(object, "seconds_values", mine->why.seconds_values);
    for (int k = 0; k < count; k++) reset(list[k].context);
    gbl_Matrix_free(&cut.A);
    GrB_Matrix_free(&peer.S);
    free(c);
    return failed == 0 ? 0 : -1;
}

/* The values of A in their own type, and A * A where it is wanted. */
static gbl_Info prepare(contender *mine, contender *other, double **exact) {
    const size_t cells = (size_t)mine->n * (size_t)mine->n;
    const size_t size = mine->single ? sizeof(float) : sizeof(double);
    double *x = malloc(cells * sizeof *x);
    other->y = malloc(cells * size);
    if (x == NULL || other->y == NULL) return GBL_OUT_OF_MEMORY;
    other->x = x;
    const gbl_Info info = spamm_values(x, mine->A);
    for (size_t k = 0; mine->single && k < cells; k++) ((float *)x)[k] = (float)x[k];
    if (info != GBL_SUCCESS || exact == NULL) return info;
    *exact = malloc(cells * sizeof **exact);
    if (*exact == NULL) return GBL_OUT_OF_MEMORY;
    blas_multiply(false, mine->n, x, x, *exact);
    return GBL_SUCCESS;
}

int spamm_race(cJSON *list, int n, bool single, const bench_setup *setup,
               const spamm_rules *rules) {
    char spec[64];
    contender mine = {.single = single, .n = n}, other = mine;
    double *exact = NULL;
    snprintf(spec, sizeof spec, "decay:%d:paper", n);
    gbl_Info info = gbl_generate(&mine.A, single ? GBL_FP32 : GBL_FP64, spec);
    if (info == GBL_SUCCESS)
        info = prepare(&mine, &other, rules->truncates && !single ? &exact : NULL);
    int failures = bench_failed(info, spec) ? 1 : 0;
    for (int k = 0; k < rules->ratios && failures == 0; k++) {
        cJSON *object = cJSON_CreateObject();
        cJSON_AddItemToArray(list, object);
        cJSON_AddNumberToObject(object, "n", n);
        cJSON_AddStringToObject(object, "type", single ? "FP32" : "FP64");
        mine.how = (spamm_how){GBL_VALID_RATIO, rules->ratio[k], 0};
        failures += race_ratio(object, &mine, &other, setup,
                               rules->ratio[k] <= TRUNCATED_MOST ? exact : NULL) != 0;
    }
    free(exact);
    free((void *)other.x);
    free(other.y);
    gbl_Matrix_free(&mine.A);
    return failures == 0 ? 0 : -1;
}
