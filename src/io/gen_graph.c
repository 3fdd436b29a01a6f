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
    (void)gbl_call_part(((Making *)context)->coo->listed * (double)end / (double)graph->edges);
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
    gb_Coo coo = {.nrows = graph->n,
                  .ncols = graph->n,
                  .n = graph->both ? 2 * graph->edges : graph->edges,
                  .listed = 0.1,
                  .rest = 0.25};
    const gbl_Info info = gb_coo_reserve(&coo, coo.n, coo.n, "the edges of the graph");
    if (info != GBL_SUCCESS) return info;
    gbl_parallel((graph->edges + BLOCK - 1) / BLOCK, make_block, &(Making){graph, &coo});
    return gb_coo_to_rows(&coo, GBL_DUPLICATES_SUM, arrays, NULL);
}

static gbl_Info make_graph(gb_EdgeGraph *graph, const gb_Spec *spec,
                           gb_Edge (*edge)(const gb_EdgeGraph *, uint64_t), bool both) {
    *graph = (gb_EdgeGraph){.n = (gbl_Index)1 << spec->a,
                            .bits = (unsigned)spec->a,
                            .edges = spec->b << spec->a,
                            .both = both,
                            .edge = edge,
                            .key = gb_gen_mix(spec->seed * GB_GEN_STEP + 1)};
    return GBL_SUCCESS;
}

gbl_Info gb_gen_er(gb_EdgeGraph *graph, const gb_Spec *spec) {
    return make_graph(graph, spec, uniform_edge, false);
}

gbl_Info gb_gen_rmat(gb_EdgeGraph *graph, const gb_Spec *spec) {
    return make_graph(graph, spec, recursive_edge, false);
}

gbl_Info gb_gen_rmats(gb_EdgeGraph *graph, const gb_Spec *spec) {
    return make_graph(graph, spec, recursive_edge, true);
}

/* -- nets ----------------------------------------------------------------------------------- */

/* Graphs like those that algorithms meet: streets and links.
 *
 *   grid  M x N crossings, each with the next ones of its row and column
 *   road  such a grid of which a quarter of the streets is missing, and the others have none to
 *         three bends, vertices of degree 2: on average a vertex has 2.3 edges
 *   web   a page copies the links of an earlier page of its neighbourhood, so that pages of one
 *         site share most of their links and some pages gather very many (R. Kumar and others,
 *         Stochastic models for the web graph, 2000) */

/* -- streets: number 2 v leads from crossing v to the right, 2 v + 1 down */

enum { MISSING = 4, BENDS = 4 }; /* one in so many is missing; bends of a street are below */

typedef struct {
    uint64_t rows, columns, key;
    bool plain; /* a grid: no street is missing or has bends */
} gb_Streets;

static bool street_exists(const gb_Streets *s, uint64_t street) {
    const uint64_t v = street / 2, row = v / s->columns, column = v % s->columns;
    if (street % 2 == 0 ? column + 1 == s->columns : row + 1 == s->rows) return false;
    return s->plain || gb_gen_mix(s->key + street * GB_GEN_STEP) % MISSING != 0;
}

static uint64_t street_bends(const gb_Streets *s, uint64_t street) {
    if (s->plain) return 0;
    return (gb_gen_mix(s->key + street * GB_GEN_STEP) >> 32) % BENDS;
}

static void add_edge(gb_Coo *coo, uint64_t a, uint64_t b) {
    coo->i[coo->n] = coo->j[coo->n + 1] = (uint32_t)a;
    coo->j[coo->n] = coo->i[coo->n + 1] = (uint32_t)b;
    coo->n += 2;
}

static gbl_Info make_streets(const gb_Spec *spec, bool plain, gb_Shape *shape, gbl_Arrays *arrays) {
    const gb_Streets s = {spec->a, spec->b, gb_gen_mix(spec->seed * GB_GEN_STEP + 3), plain};
    const uint64_t crossings = s.rows * s.columns;
    uint64_t n = crossings, edges = 0;
    for (uint64_t k = 0; k < 2 * crossings && crossings <= GB_IO_DIMENSION_MAX; k++) {
        if (!street_exists(&s, k)) continue;
        n += street_bends(&s, k);
        edges += street_bends(&s, k) + 1;
    }
    if (n > GB_IO_DIMENSION_MAX)
        return gbl_fail(GBL_INVALID_VALUE, NULL,
                        "%llu x %llu crossings are too many: the graph would have more than %llu "
                        "vertices",
                        (unsigned long long)s.rows, (unsigned long long)s.columns,
                        (unsigned long long)GB_IO_DIMENSION_MAX);
    *shape = (gb_Shape){n, n};
    gb_Coo coo = {.nrows = n, .ncols = n, .n = 0};
    const gbl_Info info = gb_coo_reserve(&coo, 2 * edges, 2 * edges, "the streets of the graph");
    if (info != GBL_SUCCESS) return info;
    uint64_t bend = crossings;
    for (uint64_t k = 0; k < 2 * crossings; k++) {
        if (!street_exists(&s, k)) continue;
        uint64_t at = k / 2;
        for (uint64_t b = street_bends(&s, k); b > 0; b--, at = bend++) add_edge(&coo, at, bend);
        add_edge(&coo, at, k / 2 + (k % 2 == 0 ? 1 : s.columns));
    }
    return gb_coo_to_rows(&coo, GBL_DUPLICATES_SUM, arrays, NULL);
}

gbl_Info gb_gen_grid(const gb_Spec *spec, gb_Shape *shape, gbl_Arrays *arrays) {
    return make_streets(spec, true, shape, arrays);
}

gbl_Info gb_gen_road(const gb_Spec *spec, gb_Shape *shape, gbl_Arrays *arrays) {
    return make_streets(spec, false, shape, arrays);
}

/* -- links */

/* COPIED of 8 links are copied from a page at most NEAR before; half of the others lead to one of
 * at most NEAR before, the rest to any earlier page. */
enum { COPIED = 6, NEAR = 256, LINK_BLOCK = 1024 };

static uint64_t link_target(uint64_t key, uint64_t page, uint64_t link) {
    while (page > 0) {
        const uint64_t near = page < NEAR ? page : NEAR;
        const uint64_t model = gb_gen_mix(key + page * GB_GEN_STEP);
        const uint64_t r = gb_gen_mix((key ^ page << 32) + (link + 1) * GB_GEN_STEP);
        const uint64_t kind = r & 15;
        if (kind >= 2 * COPIED) return kind & 1 ? page - 1 - (r >> 4) % near : (r >> 4) % page;
        page -= 1 + model % near;
    }
    return 0;
}

typedef struct {
    const gb_Coo *coo;
    uint64_t key, pages, links;
} Linking;

static void link_block(void *context, gbl_Index b) {
    const Linking *w = context;
    const uint64_t end = (b + 1) * LINK_BLOCK < w->pages ? (b + 1) * LINK_BLOCK : w->pages;
    for (uint64_t page = b * LINK_BLOCK; page < end; page++) {
        for (uint64_t k = 0; k < w->links; k++) {
            const uint64_t target = link_target(w->key, page, k), e = page * w->links;
            w->coo->i[e + k] = target == page ? GB_COO_NONE : (uint32_t)page;
            w->coo->j[e + k] = (uint32_t)target;
        }
    }
}

gbl_Info gb_gen_web(const gb_Spec *spec, gb_Shape *shape, gbl_Arrays *arrays) {
    const gbl_Index n = (gbl_Index)1 << spec->a;
    const uint64_t key = gb_gen_mix(spec->seed * GB_GEN_STEP + 4), links = spec->b;
    *shape = (gb_Shape){n, n};
    gb_Coo coo = {.nrows = n, .ncols = n, .n = n * links};
    const gbl_Info info = gb_coo_reserve(&coo, coo.n, coo.n, "the links of the graph");
    if (info != GBL_SUCCESS) return info;
    gbl_parallel((n + LINK_BLOCK - 1) / LINK_BLOCK, link_block, &(Linking){&coo, key, n, links});
    return gb_coo_to_rows(&coo, GBL_DUPLICATES_SUM, arrays, NULL);
}

/* -- planted clusters ----------------------------------------------------------------------- */

/* Planted partitions: K clusters of S vertices. Vertex v belongs to cluster v mod K, so that
 * neighbours in a cluster are far apart in the matrix. S * I / 2 edges in each cluster and
 * K * S * O / 2 in the whole graph have both ends uniform, so a vertex is the end of about I + O of
 * them; loops are left out, and duplicate edges kept once. */

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
