/* SPDX-License-Identifier: Apache-2.0
 *
 * Part "times": where the time of a product goes when all choices are left to the planner. Warm:
 * the sketches of B are there from an earlier product; cold: B is a fresh copy every time.
 */
#include "rowwise/rowwise.h"

const char *const ROWWISE_TIME_KEYS[ROWWISE_TIMES] = {"analysis", "sketch",  "estimate", "symbolic",
                                                      "numeric",  "compact", "sort",     "rest"};

enum { MOST_RUNS = 50 };
static const double LEAST_SECONDS = 0.05; /* short products run more often than `rounds` */

typedef struct {
    double total[MOST_RUNS], part[ROWWISE_TIMES][MOST_RUNS];
    int runs;
} samples;

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
    gbl_Explanation how = GBL_EXPLANATION_INIT;
    const double start = bench_seconds();
    gbl_Info info = rowwise_multiply(&C, in, B, desc);
    const double total = bench_seconds() - start;
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

static cJSON *medians(const samples *warm, samples *cold) {
    cJSON *object = cJSON_CreateObject();
    const int median = bench_median_index(warm->total, warm->runs);
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
    const double start = bench_seconds();
    while (info == GBL_SUCCESS && warm.runs < MOST_RUNS &&
           (warm.runs < rounds || bench_seconds() - start < LEAST_SECONDS)) {
        info = run(&warm, in, in->A, desc);
        if (info == GBL_SUCCESS) info = run_cold(&cold, in, desc);
    }
    gbl_Descriptor_free(&desc);
    return bench_failed(info, "times") ? NULL : medians(&warm, &cold);
}
