/* SPDX-License-Identifier: Apache-2.0
 *
 * Triangles, searches and PageRank on the GPU, and by the same calls on the CPU of that machine:
 * seconds of whole calls by the host's clock, from a graph that is there. Triangles are counted by
 * inner products inside the lower triangle L that are folded, sum of C<L> = L * L' over plus-pair:
 * on the GPU by DOT, on the CPU by the method that the planner takes. Edges of a search are those
 * of the vertices that it reaches, as in Graph500; of a PageRank all edges times its steps. Counts
 * and levels must be those of the CPU, ranks must agree.
 */
#include "gpu/gpu.h"

#include <math.h>
#include <stdlib.h>

#include "../examples/bfs.h"
#include "../examples/pagerank.h"
#include "harness/values.h"

enum { SOURCES = 8, RANK_STEPS = 20 };
#define AGREES 1e-9 /* sums of positive values in different orders */

typedef struct {
    gbl_Matrix A, L;
    gbl_Descriptor desc[GPU_PLACES]; /* of triangles */
    gbl_Vector degrees;
    gbl_Index n, edges, source[SOURCES];
    int64_t count[GPU_PLACES];     /* triangles */
    gbl_Vector result[GPU_PLACES]; /* of the last run */
} graph;

/* Vertices with edges, by a fixed sequence of random numbers. */
static gbl_Info choose_sources(graph *g) {
    uint64_t state = 27491095;
    gbl_Info info = GBL_SUCCESS;
    for (int k = 0; k < SOURCES && info == GBL_SUCCESS;) {
        int64_t degree = 0;
        g->source[k] = bench_congruent(&state) % g->n;
        info = gbl_Vector_extractElement_INT64(&degree, g->degrees, g->source[k]);
        if (info == GBL_NO_VALUE) info = GBL_SUCCESS;
        k += degree > 0;
    }
    return info;
}

static gbl_Info make_descriptor(gbl_Descriptor *desc, int place) {
    gbl_Info info = gbl_Descriptor_new(desc);
    if (info == GBL_SUCCESS) info = gbl_Descriptor_set(*desc, GBL_MASK, GBL_STRUCTURE);
    if (info == GBL_SUCCESS) info = gbl_Descriptor_set(*desc, GBL_INP1, GBL_TRAN);
    if (info == GBL_SUCCESS && place == 0)
        info = gbl_Descriptor_set(*desc, GBL_METHOD, GBL_METHOD_DOT);
    return info;
}

static gbl_Info load(graph *g, const char *spec) {
    *g = (graph){.A = NULL};
    gbl_Info info = gpu_go_to(1);
    if (info == GBL_SUCCESS) info = gbl_load(&g->A, GBL_BOOL, spec);
    if (info == GBL_SUCCESS) info = gbl_Matrix_nrows(&g->n, g->A);
    if (info == GBL_SUCCESS) info = gbl_Matrix_nvals(&g->edges, g->A);
    if (info == GBL_SUCCESS) info = gbl_Matrix_new(&g->L, GBL_BOOL, g->n, g->n);
    if (info == GBL_SUCCESS)
        info = gbl_Matrix_select_INT64(g->L, NULL, NULL, GBL_TRIL, g->A, -1, NULL);
    for (int k = 0; k < GPU_PLACES && info == GBL_SUCCESS; k++)
        info = make_descriptor(&g->desc[k], k);
    if (info == GBL_SUCCESS) info = gbl_Vector_new(&g->degrees, GBL_INT64, g->n);
    if (info == GBL_SUCCESS) info = gbl_Matrix_degrees(g->degrees, NULL, NULL, g->A, NULL);
    return info == GBL_SUCCESS ? choose_sources(g) : info;
}

static void unload(graph *g) {
    for (int k = 0; k < GPU_PLACES; k++) {
        gbl_Vector_free(&g->result[k]);
        gbl_Descriptor_free(&g->desc[k]);
    }
    gbl_Vector_free(&g->degrees);
    gbl_Matrix_free(&g->A);
    gbl_Matrix_free(&g->L);
}

/* -- triangles */

static gbl_Info count(void *context, int k, double *seconds) {
    graph *g = context;
    const double start = bench_seconds();
    const gbl_Info info =
        gbl_mxm_reduce_INT64(&g->count[k], g->L, NULL, GBL_PLUS_MONOID_INT64,
                             GBL_PLUS_PAIR_SEMIRING_INT64, g->L, g->L, g->desc[k]);
    *seconds = bench_seconds() - start;
    return info;
}

static gbl_Info compare_counts(void *context, bool *agree, double *done) {
    const graph *g = context;
    *agree = g->count[0] == g->count[1];
    *done = (double)g->count[1];
    return GBL_SUCCESS;
}

/* -- searches and ranks */

/* *seconds of a search from each source: their sum. */
static gbl_Info search(void *context, int k, double *seconds) {
    graph *g = context;
    gbl_Info info = GBL_SUCCESS;
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

static gbl_Info rank(void *context, int k, double *seconds) {
    graph *g = context;
    pagerank_options options = {.damping = 0.85, .tolerance = 0.0, .steps = RANK_STEPS};
    gbl_Vector_free(&g->result[k]);
    const double start = bench_seconds();
    const gbl_Info info = pagerank(&g->result[k], g->A, &options);
    *seconds = bench_seconds() - start;
    return info;
}

/* Whether no difference of the two results adds up to more than `most`. */
static gbl_Info compare(const graph *g, double most, bool *agree) {
    gbl_Vector d = NULL;
    double sum = 0.0;
    gbl_Info info = gbl_Vector_new(&d, GBL_FP64, g->n);
    if (info == GBL_SUCCESS)
        info = gbl_Vector_eWiseAdd_BinaryOp(d, NULL, NULL, GBL_ABSDIFF_FP64, g->result[0],
                                            g->result[1], NULL);
    if (info == GBL_SUCCESS)
        info = gbl_Vector_reduce_FP64(&sum, NULL, GBL_PLUS_MONOID_FP64, d, NULL);
    *agree = sum <= most;
    gbl_Vector_free(&d);
    return info;
}

/* Edges of what the last search has reached. */
static gbl_Info compare_levels(void *context, bool *agree, double *done) {
    graph *g = context;
    gbl_Vector met = NULL;
    double reached = 0.0;
    gbl_Info info = compare(g, 0.0, agree);
    if (info == GBL_SUCCESS) info = gbl_Vector_new(&met, GBL_INT64, g->n);
    if (info == GBL_SUCCESS)
        info = gbl_Vector_assign(met, g->result[1], NULL, g->degrees, GBL_ALL, g->n, GBL_DESC_S);
    if (info == GBL_SUCCESS)
        info = gbl_Vector_reduce_FP64(&reached, NULL, GBL_PLUS_MONOID_FP64, met, NULL);
    *done = SOURCES * reached;
    gbl_Vector_free(&met);
    return info;
}

static gbl_Info compare_ranks(void *context, bool *agree, double *done) {
    const graph *g = context;
    *done = (double)g->edges * RANK_STEPS;
    return compare(g, AGREES, agree);
}

/* -- all of it */

void gpu_graph(gpu_run *run, const char *input) {
    static const gpu_duel duels[] = {
        {"triangles", count, compare_counts, "triangles_per_second"},
        {"bfs", search, compare_levels, "edges_per_second"},
        {"pagerank", rank, compare_ranks, "edges_per_second"},
    };
    graph g;
    cJSON *line = gpu_add_line(run, input);
    const bool failed = bench_failed(load(&g, input), input);
    cJSON_AddNumberToObject(line, "vertices", (double)g.n);
    cJSON_AddNumberToObject(line, "edges", (double)g.edges);
    for (size_t d = 0; d < sizeof duels / sizeof duels[0] && !failed; d++)
        gpu_fight(run, &duels[d], &g, line);
    run->failures += failed;
    unload(&g);
}
