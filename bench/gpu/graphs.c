/* SPDX-License-Identifier: Apache-2.0
 *
 * Searches and PageRank on the GPU, and by the same calls on the CPU of that machine: seconds of
 * whole calls by the host's clock, from a graph that is there. Edges of a search are those of the
 * vertices that it reaches, as in Graph500; of a PageRank all edges times its steps. Levels must be
 * those of the CPU, ranks must agree.
 */
#include "gpu/gpu.h"

#include <math.h>
#include <stdlib.h>

#include "../examples/bfs.h"
#include "../examples/pagerank.h"

enum { SOURCES = 8, RANK_STEPS = 20, PLACES = 2 };
static const int places[PLACES] = {GBL_PLACE_GPU, GBL_PLACE_CPU};
static const char *const names[PLACES] = {"gpu", "cpu"};
#define AGREES 1e-9 /* sums of positive values in different orders */

typedef struct {
    gbl_Matrix A;
    gbl_Vector degrees;
    gbl_Index n, edges, source[SOURCES];
    gbl_Vector result[PLACES]; /* of the last run */
    double reached;            /* edges of the vertices that the last search reached */
} graph;

static gbl_Info at_place(int k) {
    return gbl_Global_set_INT32(GBL_GLOBAL, places[k], GBL_PLACE);
}

/* Vertices with edges, by a fixed sequence of random numbers. */
static gbl_Info choose_sources(graph *g) {
    uint64_t state = 27491095;
    gbl_Info info = GBL_SUCCESS;
    for (int k = 0; k < SOURCES && info == GBL_SUCCESS;) {
        int64_t degree = 0;
        state = state * 6364136223846793005u + 1442695040888963407u;
        g->source[k] = (gbl_Index)(state >> 33) % g->n;
        info = gbl_Vector_extractElement_INT64(&degree, g->degrees, g->source[k]);
        if (info == GBL_NO_VALUE) info = GBL_SUCCESS;
        k += degree > 0;
    }
    return info;
}

static gbl_Info load(graph *g, const char *spec) {
    *g = (graph){.A = NULL};
    gbl_Info info = at_place(1);
    if (info == GBL_SUCCESS) info = gbl_load(&g->A, GBL_BOOL, spec);
    if (info == GBL_SUCCESS) info = gbl_Matrix_nrows(&g->n, g->A);
    if (info == GBL_SUCCESS) info = gbl_Matrix_nvals(&g->edges, g->A);
    if (info == GBL_SUCCESS) info = gbl_Vector_new(&g->degrees, GBL_INT64, g->n);
    if (info == GBL_SUCCESS) info = gbl_Matrix_degrees(g->degrees, NULL, NULL, g->A, NULL);
    return info == GBL_SUCCESS ? choose_sources(g) : info;
}

static void unload(graph *g) {
    for (int k = 0; k < PLACES; k++) gbl_Vector_free(&g->result[k]);
    gbl_Vector_free(&g->degrees);
    gbl_Matrix_free(&g->A);
}

/* *seconds of a search from each source: their sum. */
static gbl_Info search(graph *g, int k, double *seconds) {
    gbl_Info info = at_place(k);
    *seconds = 0.0;
    for (int s = 0; s < SOURCES && info == GBL_SUCCESS; s++) {
        gbl_Vector parent = NULL;
        gbl_Vector_free(&g->result[k]);
        const double start = bench_seconds();
        info = bfs(&g->result[k], &parent, g->A, g->source[s], NULL, NULL);
        *seconds += bench_seconds() - start;
        gbl_Vector_free(&parent);
    }
    return info;
}

static gbl_Info rank(graph *g, int k, double *seconds) {
    pagerank_options options = {.damping = 0.85, .tolerance = 0.0, .steps = RANK_STEPS};
    gbl_Info info = at_place(k);
    gbl_Vector_free(&g->result[k]);
    const double start = bench_seconds();
    if (info == GBL_SUCCESS) info = pagerank(&g->result[k], g->A, &options);
    *seconds = bench_seconds() - start;
    return info;
}

/* *sum = all differences of the two results. */
static gbl_Info compare(const graph *g, double *sum) {
    gbl_Vector d = NULL;
    gbl_Info info = at_place(1);
    if (info == GBL_SUCCESS) info = gbl_Vector_new(&d, GBL_FP64, g->n);
    if (info == GBL_SUCCESS)
        info = gbl_Vector_eWiseAdd_BinaryOp(d, NULL, NULL, GBL_ABSDIFF_FP64, g->result[0],
                                            g->result[1], NULL);
    if (info == GBL_SUCCESS)
        info = gbl_Vector_reduce_FP64(sum, NULL, GBL_PLUS_MONOID_FP64, d, NULL);
    gbl_Vector_free(&d);
    return info;
}

/* Edges of what the last search has reached. */
static gbl_Info count_reached(graph *g) {
    gbl_Vector met = NULL;
    gbl_Info info = gbl_Vector_new(&met, GBL_INT64, g->n);
    if (info == GBL_SUCCESS)
        info = gbl_Vector_assign(met, g->result[1], NULL, g->degrees, GBL_ALL, g->n, GBL_DESC_S);
    if (info == GBL_SUCCESS)
        info = gbl_Vector_reduce_FP64(&g->reached, NULL, GBL_PLUS_MONOID_FP64, met, NULL);
    gbl_Vector_free(&met);
    return info;
}

/* Both places in turns after one run each, and their results; how many failed. */
static int race(graph *g, int rounds, gbl_Info (*run)(graph *, int, double *), double per_edge,
                cJSON *line) {
    double seconds[PLACES][BENCH_MOST_NUMBER], difference = 0.0, medians[PLACES];
    gbl_Info info = GBL_SUCCESS;
    for (int round = -1; round < rounds && info == GBL_SUCCESS; round++)
        for (int k = 0; k < PLACES && info == GBL_SUCCESS; k++)
            info = run(g, k, &seconds[k][round < 0 ? 0 : round]);
    if (info == GBL_SUCCESS) info = compare(g, &difference);
    if (info == GBL_SUCCESS && run == search) info = count_reached(g);
    if (bench_failed(info, "graphs")) return 1;
    const double edges = run == search ? SOURCES * g->reached : (double)g->edges * per_edge;
    for (int k = 0; k < PLACES; k++) {
        medians[k] = bench_median(seconds[k], rounds);
        cJSON *own = cJSON_AddObjectToObject(line, names[k]);
        cJSON_AddNumberToObject(own, "seconds", medians[k]);
        cJSON_AddNumberToObject(own, "edges_per_second", edges / medians[k]);
    }
    cJSON_AddNumberToObject(line, "speedup", medians[1] / medians[0]);
    if (difference <= (run == search ? 0.0 : AGREES)) return 0;
    fprintf(stderr, "gpu: results on the GPU and the CPU differ by %g\n", difference);
    return 1;
}

int gpu_graphs(cJSON *document, int rounds, double end) {
    static const char *const specs[] = {"rmats:18:16", "rmats:20:16", "er:20:16", "rmats:22:16"};
    cJSON *list = cJSON_AddArrayToObject(document, "graphs");
    int failures = 0;
    for (size_t k = 0; k < sizeof specs / sizeof specs[0]; k++) {
        graph g;
        if (end > 0.0 && bench_seconds() > end) continue;
        const gbl_Info info = load(&g, specs[k]);
        if (!bench_failed(info, specs[k])) {
            cJSON *line = cJSON_CreateObject();
            cJSON_AddItemToArray(list, line);
            cJSON_AddStringToObject(line, "input", specs[k]);
            cJSON_AddNumberToObject(line, "vertices", (double)g.n);
            cJSON_AddNumberToObject(line, "edges", (double)g.edges);
            failures += race(&g, rounds, search, 0.0, cJSON_AddObjectToObject(line, "bfs"));
            failures +=
                race(&g, rounds, rank, RANK_STEPS, cJSON_AddObjectToObject(line, "pagerank"));
        }
        failures += info != GBL_SUCCESS;
        unload(&g);
    }
    return failures;
}
