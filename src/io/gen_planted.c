/* SPDX-License-Identifier: Apache-2.0
 *
 * Planted partitions: K clusters of S vertices. Vertex v belongs to cluster v mod K, so that
 * neighbours in a cluster are far apart in the matrix. S * I / 2 edges in each cluster and
 * K * S * O / 2 in the whole graph have both ends uniform, so a vertex is the end of about I + O of
 * them; loops are left out, and duplicate edges kept once.
 */
#include "coo.h"
#include "gen.h"

enum { BLOCK = 1 << 14 }; /* edges per piece of work */

typedef struct {
    uint64_t clusters, size, inner; /* inner: edges of one cluster */
    uint64_t edges, key;
} gb_Planted;

static uint32_t below(uint64_t random, uint64_t n) {
    return (uint32_t)((random & UINT32_MAX) * n >> 32);
}

static void make_edges(const gb_Planted *g, gb_Coo *coo, uint64_t from) {
    const uint64_t to = g->edges - from < BLOCK ? g->edges : from + BLOCK;
    const uint64_t inside = g->clusters * g->inner;
    for (uint64_t e = from; e < to; e++) {
        const uint64_t r = gb_gen_mix(g->key + e * GB_GEN_STEP);
        const uint64_t choices = e < inside ? g->size : g->clusters * g->size;
        uint64_t i = below(r >> 32, choices), j = below(r, choices);
        if (e < inside) {
            i = i * g->clusters + e / g->inner;
            j = j * g->clusters + e / g->inner;
        }
        coo->i[2 * e] = i == j ? GB_COO_NONE : (uint32_t)i;
        coo->j[2 * e] = (uint32_t)j;
        coo->i[2 * e + 1] = i == j ? GB_COO_NONE : (uint32_t)j;
        coo->j[2 * e + 1] = (uint32_t)i;
    }
}

typedef struct {
    const gb_Planted *graph;
    gb_Coo *coo;
} Making;

static void make_block(void *context, gbl_Index b) {
    const Making *m = context;
    make_edges(m->graph, m->coo, b * BLOCK);
}

gbl_Info gb_gen_planted(const gb_Spec *spec, gb_Shape *shape, gbl_Arrays *arrays) {
    const uint64_t n = spec->a * spec->b; /* at most 2^62 */
    const uint64_t inner = spec->b * spec->c / 2;
    if (n > UINT32_C(1) << 31)
        return gbl_fail(GBL_INVALID_VALUE, NULL,
                        "planted:%llu:%llu has %llu vertices; K * S is at "
                        "most 2^31",
                        (unsigned long long)spec->a, (unsigned long long)spec->b,
                        (unsigned long long)n);
    const gb_Planted g = {.clusters = spec->a,
                          .size = spec->b,
                          .inner = inner,
                          .edges = spec->a * inner + n * spec->d / 2,
                          .key = gb_gen_mix(spec->seed * GB_GEN_STEP + 1)};
    *shape = (gb_Shape){n, n};
    gb_Coo coo = {.nrows = n, .ncols = n, .n = 2 * g.edges};
    const gbl_Info info = gb_coo_reserve(&coo, coo.n, coo.n, "the edges of the graph");
    if (info != GBL_SUCCESS) return info;
    gbl_parallel((g.edges + BLOCK - 1) / BLOCK, make_block, &(Making){&g, &coo});
    return gb_coo_to_rows(&coo, GB_COO_DROP, arrays, NULL);
}
