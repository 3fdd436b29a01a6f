/* SPDX-License-Identifier: Apache-2.0
 *
 * Triangles of rmats:20:16 and rmats:22:16 by inner products inside the lower triangle L that are
 * folded, sum of C<L> = L * L' over plus-pair: on the GPU, where L is from the first run on, and on
 * the CPU by the method that the planner takes. Counts have to agree.
 */
#include <string.h>

#include "gpu/gpu.h"

typedef struct {
    gbl_Matrix L;
    gbl_Descriptor desc[2]; /* CPU, GPU */
    int64_t count[2];
    int rounds;
} graph;

static const struct {
    const char *name;
    gbl_Place place;
} PLACES[] = {{"cpu", GBL_PLACE_CPU}, {"gpu", GBL_PLACE_GPU}};

/* The lower triangle of the graph without values. */
static gbl_Info make_lower(gbl_Matrix *L, const char *spec) {
    gbl_Matrix A = NULL;
    gbl_Index n = 0;
    gbl_Info info = gbl_generate(&A, GBL_BOOL, spec);
    if (info == GBL_SUCCESS) info = gbl_Matrix_nrows(&n, A);
    if (info == GBL_SUCCESS) info = gbl_Matrix_new(L, GBL_BOOL, n, n);
    if (info == GBL_SUCCESS) info = gbl_Matrix_select_INT64(*L, NULL, NULL, GBL_TRIL, A, -1, NULL);
    gbl_Matrix_free(&A);
    return info;
}

static gbl_Info make_descriptor(gbl_Descriptor *desc, gbl_Place place) {
    gbl_Info info = gbl_Descriptor_new(desc);
    if (info == GBL_SUCCESS) info = gbl_Descriptor_set(*desc, GBL_MASK, GBL_STRUCTURE);
    if (info == GBL_SUCCESS) info = gbl_Descriptor_set(*desc, GBL_INP1, GBL_TRAN);
    if (info == GBL_SUCCESS && place == GBL_PLACE_GPU)
        info = gbl_Descriptor_set(*desc, GBL_METHOD, GBL_METHOD_DOT);
    return info;
}

/* Seconds of a count there, the median after one that warms up; negative when it failed. */
static double time_place(graph *g, int p) {
    double seconds[BENCH_MOST_NUMBER];
    gbl_Info info = gbl_Global_set_INT32(GBL_GLOBAL, PLACES[p].place, GBL_PLACE);
    for (int k = -1; k < g->rounds && info == GBL_SUCCESS; k++) {
        const double start = bench_seconds();
        info = gbl_mxm_reduce_INT64(&g->count[p], g->L, NULL, GBL_PLUS_MONOID_INT64,
                                    GBL_PLUS_PAIR_SEMIRING_INT64, g->L, g->L, g->desc[p]);
        if (k >= 0) seconds[k] = bench_seconds() - start;
    }
    return bench_failed(info, PLACES[p].name) ? -1.0 : bench_median(seconds, g->rounds);
}

static int run_graph(const char *spec, int rounds, cJSON *list) {
    graph g = {.rounds = rounds};
    double seconds[2] = {-1.0, -1.0};
    cJSON *line = cJSON_CreateObject();
    cJSON_AddItemToArray(list, line);
    cJSON_AddStringToObject(line, "input", spec);
    gbl_Info info = make_lower(&g.L, spec);
    for (int p = 0; p < 2 && info == GBL_SUCCESS; p++)
        info = make_descriptor(&g.desc[p], PLACES[p].place);
    for (int p = 0; p < 2 && !bench_failed(info, spec); p++) {
        seconds[p] = time_place(&g, p);
        cJSON_AddNumberToObject(line, PLACES[p].name, seconds[p]);
    }
    const bool good = seconds[0] > 0.0 && seconds[1] > 0.0 && g.count[0] == g.count[1];
    cJSON_AddNumberToObject(line, "triangles", (double)g.count[0]);
    if (good)
        cJSON_AddNumberToObject(line, "speedup", seconds[0] / seconds[1]);
    else
        cJSON_AddStringToObject(line, "failed", "see the messages, or the counts differ");
    gbl_Descriptor_free(&g.desc[0]);
    gbl_Descriptor_free(&g.desc[1]);
    gbl_Matrix_free(&g.L);
    return good ? 0 : -1;
}

int gpu_triangles(cJSON *document, int rounds, double end) {
    static const char *const graphs[] = {"rmats:20:16", "rmats:22:16"};
    cJSON *list = cJSON_AddArrayToObject(document, "triangles");
    int failures = 0, left_out = 0;
    for (size_t k = 0; k < sizeof graphs / sizeof graphs[0]; k++) {
        const bool late = end > 0.0 && bench_seconds() > end;
        left_out += late;
        if (!late) failures += run_graph(graphs[k], rounds, list) != 0;
    }
    cJSON_AddNumberToObject(document, "triangles_left_out", left_out);
    return failures;
}
