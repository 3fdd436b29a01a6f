/* SPDX-License-Identifier: Apache-2.0
 *
 * Planted partitions: K clusters of S vertices. Vertex v belongs to cluster v mod K, so that
 * neighbours in a cluster are far apart in the matrix. S * I / 2 edges in each cluster and
 * K * S * O / 2 in the whole graph have both ends uniform, so a vertex is the end of about I + O of
 * them; loops are left out, and duplicate edges kept once.
 */
#include "gen.h"

static uint32_t below(uint64_t random, uint64_t n) {
    return (uint32_t)((random & UINT32_MAX) * n >> 32);
}

/* The edges of the first cluster come first, then those of the second, then those of all. */
static gb_Edge planted_edge(const gb_EdgeGraph *g, uint64_t e) {
    const bool inside = e < g->clusters * g->inner;
    const uint64_t r = gb_gen_mix(g->key + e * GB_GEN_STEP);
    const uint64_t choices = inside ? g->size : g->n;
    uint64_t i = below(r >> 32, choices), j = below(r, choices);
    if (inside) {
        i = i * g->clusters + e / g->inner;
        j = j * g->clusters + e / g->inner;
    }
    return (gb_Edge){(uint32_t)i, (uint32_t)j};
}

gbl_Info gb_gen_planted(gb_EdgeGraph *graph, const gb_Spec *spec) {
    const uint64_t n = spec->a * spec->b; /* at most 2^62 */
    const uint64_t inner = spec->b * spec->c / 2;
    if (n > UINT32_C(1) << 31)
        return gbl_fail(GBL_INVALID_VALUE, NULL,
                        "planted:%llu:%llu has %llu vertices; K * S is at "
                        "most 2^31",
                        (unsigned long long)spec->a, (unsigned long long)spec->b,
                        (unsigned long long)n);
    *graph = (gb_EdgeGraph){.n = n,
                            .clusters = spec->a,
                            .size = spec->b,
                            .inner = inner,
                            .edges = spec->a * inner + n * spec->d / 2,
                            .both = true,
                            .edge = planted_edge,
                            .key = gb_gen_mix(spec->seed * GB_GEN_STEP + 1)};
    return GBL_SUCCESS;
}
