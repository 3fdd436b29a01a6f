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
    gbl_Descriptor desc; /* of triangles */
    gbl_Vector degrees;
    gbl_Index n, edges;
    uint32_t source[SOURCES];
    int64_t count[GPU_PLACES];     /* triangles */
    gbl_Vector result[GPU_PLACES]; /* of the last run */
} graph;

static gbl_Info load(graph *g, const char *spec) {
    gbl_Arrays arrays = {0};
    *g = (graph){.A = NULL};
    gbl_Info info = gpu_go_to(1);
    if (info == GBL_SUCCESS) info = gbl_load(&g->A, GBL_BOOL, spec);
    if (info == GBL_SUCCESS) info = gbl_Matrix_nrows(&g->n, g->A);
    if (info == GBL_SUCCESS) info = gbl_Matrix_nvals(&g->edges, g->A);
    if (info == GBL_SUCCESS) info = gbl_Matrix_new(&g->L, GBL_BOOL, g->n, g->n);
    if (info == GBL_SUCCESS)
        info = gbl_Matrix_select_INT64(g->L, NULL, NULL, GBL_TRIL, g->A, -1, NULL);
    if (info == GBL_SUCCESS) info = gbl_Descriptor_new(&g->desc);
    if (info == GBL_SUCCESS) info = gbl_Descriptor_set(g->desc, GBL_MASK, GBL_STRUCTURE);
    if (info == GBL_SUCCESS) info = gbl_Descriptor_set(g->desc, GBL_INP1, GBL_TRAN);
    if (info == GBL_SUCCESS) info = gbl_Vector_new(&g->degrees, GBL_INT64, g->n);
    if (info == GBL_SUCCESS) info = gbl_Matrix_degrees(g->degrees, NULL, NULL, g->A, NULL);
    if (info == GBL_SUCCESS) info = gbl_Matrix_view(&arrays, g->A, GBL_CSR_FORMAT);
    return info == GBL_SUCCESS ? bench_choose_sources(g->source, SOURCES, arrays.p, g->n) : info;
}

static void unload(graph *g) {
    for (int k = 0; k < GPU_PLACES; k++) gbl_Vector_free(&g->result[k]);
    gbl_Descriptor_free(&g->desc);
    gbl_Vector_free(&g->degrees);
    gbl_Matrix_free(&g->A);
    gbl_Matrix_free(&g->L);
}

/* -- triangles */

static gbl_Info count(void *context, int k) {
    graph *g = context;
    const gbl_Info info =
        gbl_Descriptor_set(g->desc, GBL_METHOD, k == 0 ? GBL_METHOD_DOT : GBL_DEFAULT);
    if (info != GBL_SUCCESS) return info;
    return gbl_mxm_reduce_INT64(&g->count[k], g->L, NULL, GBL_PLUS_MONOID_INT64,
                                GBL_PLUS_PAIR_SEMIRING_INT64, g->L, g->L, g->desc);
}

static gbl_Info compare_counts(void *context, bool *agree, double *done) {
    const graph *g = context;
    *agree = g->count[0] == g->count[1];
    *done = (double)g->count[1];
    return GBL_SUCCESS;
}

/* -- searches and ranks */

static gbl_Info search(void *context, int k) {
    graph *g = context;
    gbl_Info info = GBL_SUCCESS;
    for (int s = 0; s < SOURCES && info == GBL_SUCCESS; s++) {
        gbl_Vector parent = NULL;
        gbl_Vector_free(&g->result[k]);
        info = bfs(&g->result[k], &parent, g->A, g->source[s], NULL, NULL);
        gbl_Vector_free(&parent);
    }
    return info;
}

static gbl_Info rank(void *context, int k) {
    graph *g = context;
    pagerank_options options = {.damping = 0.85, .tolerance = 0.0, .steps = RANK_STEPS};
    gbl_Vector_free(&g->result[k]);
    return pagerank(&g->result[k], g->A, &options);
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
        {"triangles", count, 1, compare_counts, "triangles_per_second"},
        {"bfs", search, 1, compare_levels, "edges_per_second"},
        {"pagerank", rank, 1, compare_ranks, "edges_per_second"},
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
