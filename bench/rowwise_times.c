/* SPDX-License-Identifier: Apache-2.0
 *
 * Part "times": where the time of a product goes when all choices are left to the planner. Warm:
 * the sketches of B are there from an earlier product; cold: B is a fresh copy every time.
 */
#include "rowwise.h"

#include <time.h>

const char *const ROWWISE_TIME_KEYS[ROWWISE_TIMES] = {"analysis", "sketch",  "estimate", "symbolic",
                                                      "numeric",  "compact", "sort",     "rest"};

enum { MOST_RUNS = 50 };
static const double LEAST_SECONDS = 0.05; /* short products run more often than `rounds` */

typedef struct {
    double total[MOST_RUNS], part[ROWWISE_TIMES][MOST_RUNS];
    int runs;
} samples;

static double seconds_now(void) {
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

/* In the order of ROWWISE_TIME_KEYS; what the library does not tell apart is the rest. */
static void take(samples *s, double total, const gbl_Explanation *how) {
    const double inside = how->seconds_symbolic + how->seconds_compact + how->seconds_sort;
    const double parts[ROWWISE_TIMES - 1] = {
        how->seconds_analysis, how->seconds_sketch,          how->seconds_estimate,
        how->seconds_symbolic, how->seconds_kernel - inside, how->seconds_compact,
        how->seconds_sort};
    double rest = total;
    for (int k = 0; k < ROWWISE_TIMES - 1; k++) {
        s->part[k][s->runs] = parts[k];
        rest -= parts[k];
    }
    s->part[ROWWISE_TIMES - 1][s->runs] = rest;
    s->total[s->runs++] = total;
}

static gbl_Info run(samples *s, const rowwise_input *in, gbl_Matrix B, gbl_Descriptor desc) {
    gbl_Matrix C = NULL;
    gbl_Explanation how;
    const double start = seconds_now();
    gbl_Info info = rowwise_multiply(&C, in, B, desc);
    const double total = seconds_now() - start;
    if (info == GBL_SUCCESS) info = gbl_Matrix_explain(&how, C);
    if (info == GBL_SUCCESS) take(s, total, &how);
    gbl_Matrix_free(&C);
    return info;
}

static gbl_Info run_cold(samples *s, const rowwise_input *in, gbl_Descriptor desc) {
    gbl_Matrix B = NULL;
    gbl_Info info = gbl_Matrix_dup(&B, in->A);
    if (info == GBL_SUCCESS) info = run(s, in, B, desc);
    gbl_Matrix_free(&B);
    return info;
}

/* The run with the median time (the longer of the middle two), whose parts add up. */
static int median_run(const samples *s) {
    for (int r = 0; r < s->runs; r++) {
        int shorter = 0, equal = 0;
        for (int k = 0; k < s->runs; k++) {
            shorter += s->total[k] < s->total[r];
            equal += s->total[k] == s->total[r];
        }
        if (shorter <= s->runs / 2 && s->runs / 2 < shorter + equal) return r;
    }
    return 0;
}

static cJSON *medians(const samples *warm, samples *cold) {
    cJSON *object = cJSON_CreateObject();
    const int median = median_run(warm);
    cJSON_AddNumberToObject(object, "total", warm->total[median]);
    for (int k = 0; k < ROWWISE_TIMES; k++)
        cJSON_AddNumberToObject(object, ROWWISE_TIME_KEYS[k], warm->part[k][median]);
    cJSON_AddNumberToObject(object, "sketch_cold", bench_median(cold->part[1], cold->runs));
    return object;
}

cJSON *rowwise_times(const rowwise_input *in) {
    samples warm = {.runs = 0}, cold = {.runs = 0};
    gbl_Descriptor desc = NULL;
    gbl_Info info = rowwise_descriptor(&desc, in, &(rowwise_variant){"auto", 0, 0, 0});
    const int rounds = in->rounds < MOST_RUNS ? in->rounds : MOST_RUNS;
    const double start = seconds_now();
    while (info == GBL_SUCCESS && warm.runs < MOST_RUNS &&
           (warm.runs < rounds || seconds_now() - start < LEAST_SECONDS)) {
        info = run(&warm, in, in->A, desc);
        if (info == GBL_SUCCESS) info = run_cold(&cold, in, desc);
    }
    gbl_Descriptor_free(&desc);
    return rowwise_failed(info, "times") ? NULL : medians(&warm, &cold);
}
