/* SPDX-License-Identifier: Apache-2.0
 *
 * Graphs of numbered edges, and random ones with 2^S vertices from F * 2^S edges.
 *
 * R-MAT (Chakrabarti, Zhan, Faloutsos 2004) picks a quarter of the matrix S times. Its first
 * vertices have most of the edges, so the vertices are renamed by a random-looking bijection.
 */
#include "coo.h"
#include "gen.h"

enum { BLOCK = 1 << 14 }; /* edges per piece of work */

/* Limits of a 32-bit random number for the quarters: a = .57, a + b = .76, a + b + c = .95. */
#define BELOW_A UINT32_C(2448131359)
#define BELOW_B UINT32_C(3264175145)
#define BELOW_C UINT32_C(4080218931)

static gb_Edge uniform_edge(const gb_EdgeGraph *graph, uint64_t number) {
    const uint64_t r = gb_gen_mix(graph->key + number * GB_GEN_STEP);
    return (gb_Edge){.i = (uint32_t)((r >> 32) >> (32 - graph->bits)),
                     .j = (uint32_t)((r & UINT32_MAX) >> (32 - graph->bits))};
}

static gb_Edge recursive_edge(const gb_EdgeGraph *graph, uint64_t number) {
    uint64_t state = gb_gen_mix(graph->key + number * GB_GEN_STEP), r = 0;
    gb_Edge edge = {0, 0};
    for (unsigned level = 0; level < graph->bits; level++) {
        r = level % 2 ? r >> 32 : gb_gen_mix(state += GB_GEN_STEP);
        const uint32_t u = (uint32_t)r;
        const uint32_t i = u >= BELOW_B, j = (u >= BELOW_A && u < BELOW_B) || u >= BELOW_C;
        edge.i = edge.i << 1 | i;
        edge.j = edge.j << 1 | j;
    }
    return (gb_Edge){.i = gb_gen_permute(edge.i, graph->bits, graph->key),
                     .j = gb_gen_permute(edge.j, graph->bits, graph->key)};
}

typedef struct {
    const gb_EdgeGraph *graph;
    gb_Coo *coo;
} Making;

static void make_block(void *context, gbl_Index b) {
    const gb_EdgeGraph *const graph = ((Making *)context)->graph;
    const gb_Coo *const coo = ((Making *)context)->coo;
    const uint64_t begin = b * BLOCK;
    const uint64_t end = graph->edges - begin < BLOCK ? graph->edges : begin + BLOCK;
    for (uint64_t e = begin; e < end; e++) {
        const gb_Edge edge = graph->edge(graph, e);
        if (!graph->both) {
            coo->i[e] = edge.i;
            coo->j[e] = edge.j;
            continue;
        }
        const bool loop = edge.i == edge.j;
        coo->i[2 * e] = loop ? GB_COO_NONE : edge.i;
        coo->j[2 * e] = edge.j;
        coo->i[2 * e + 1] = loop ? GB_COO_NONE : edge.j;
        coo->j[2 * e + 1] = edge.i;
    }
}

gbl_Info gb_gen_graph(const gb_EdgeGraph *graph, gb_Shape *shape, gbl_Arrays *arrays) {
    *shape = (gb_Shape){graph->n, graph->n};
    gb_Coo coo = {
        .nrows = graph->n, .ncols = graph->n, .n = graph->both ? 2 * graph->edges : graph->edges};
    const gbl_Info info = gb_coo_reserve(&coo, coo.n, coo.n, "the edges of the graph");
    if (info != GBL_SUCCESS) return info;
    gbl_parallel((graph->edges + BLOCK - 1) / BLOCK, make_block, &(Making){graph, &coo});
    return gb_coo_to_rows(&coo, GB_COO_DROP, arrays, NULL);
}

static gb_EdgeGraph graph_of(const gb_Spec *spec) {
    return (gb_EdgeGraph){.n = (gbl_Index)1 << spec->a,
                          .bits = (unsigned)spec->a,
                          .edges = spec->b << spec->a,
                          .key = gb_gen_mix(spec->seed * GB_GEN_STEP + 1)};
}

gbl_Info gb_gen_er(gb_EdgeGraph *graph, const gb_Spec *spec) {
    *graph = graph_of(spec);
    graph->edge = uniform_edge;
    return GBL_SUCCESS;
}

gbl_Info gb_gen_rmat(gb_EdgeGraph *graph, const gb_Spec *spec) {
    *graph = graph_of(spec);
    graph->edge = recursive_edge;
    return GBL_SUCCESS;
}

gbl_Info gb_gen_rmats(gb_EdgeGraph *graph, const gb_Spec *spec) {
    const gbl_Info info = gb_gen_rmat(graph, spec);
    graph->both = true;
    return info;
}
