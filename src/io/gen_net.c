/* SPDX-License-Identifier: Apache-2.0
 *
 * Graphs like those that algorithms meet: streets and links.
 *
 *   grid  M x N crossings, each with the next ones of its row and column
 *   road  such a grid of which a quarter of the streets is missing, and the others have none to
 *         three bends, vertices of degree 2: on average a vertex has 2.3 edges
 *   web   a page copies the links of an earlier page of its neighbourhood, so that pages of one
 *         site share most of their links and some pages gather very many (R. Kumar and others,
 *         Stochastic models for the web graph, 2000)
 */
#include "coo.h"
#include "gen.h"

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

static gbl_Info make_streets(const gb_Streets *s, gb_Shape *shape, gbl_Arrays *arrays) {
    const uint64_t crossings = s->rows * s->columns;
    uint64_t bends = 0, edges = 0;
    for (uint64_t k = 0; k < 2 * crossings; k++) {
        if (!street_exists(s, k)) continue;
        bends += street_bends(s, k);
        edges += street_bends(s, k) + 1;
    }
    const uint64_t n = crossings + bends;
    if (n > GB_IO_DIMENSION_MAX)
        return gbl_fail(GBL_INVALID_VALUE, NULL,
                        "%llu x %llu crossings are too many: the graph would have more than %llu "
                        "vertices",
                        (unsigned long long)s->rows, (unsigned long long)s->columns,
                        (unsigned long long)GB_IO_DIMENSION_MAX);
    *shape = (gb_Shape){n, n};
    gb_Coo coo = {.nrows = n, .ncols = n, .n = 0};
    const gbl_Info info = gb_coo_reserve(&coo, 2 * edges, 2 * edges, "the streets of the graph");
    if (info != GBL_SUCCESS) return info;
    uint64_t bend = crossings;
    for (uint64_t k = 0; k < 2 * crossings; k++) {
        if (!street_exists(s, k)) continue;
        uint64_t at = k / 2;
        for (uint64_t b = street_bends(s, k); b > 0; b--, at = bend++) add_edge(&coo, at, bend);
        add_edge(&coo, at, k / 2 + (k % 2 == 0 ? 1 : s->columns));
    }
    return gb_coo_to_rows(&coo, GB_COO_DROP, arrays, NULL);
}

static gbl_Info streets_of(const gb_Spec *spec, bool plain, gb_Shape *shape, gbl_Arrays *arrays) {
    const gb_Streets streets = {spec->a, spec->b, gb_gen_mix(spec->seed * GB_GEN_STEP + 3), plain};
    if (spec->a > GB_IO_DIMENSION_MAX / spec->b)
        return gbl_fail(GBL_INVALID_VALUE, NULL, "%llu x %llu crossings are more than %llu",
                        (unsigned long long)spec->a, (unsigned long long)spec->b,
                        (unsigned long long)GB_IO_DIMENSION_MAX);
    return make_streets(&streets, shape, arrays);
}

gbl_Info gb_gen_grid(const gb_Spec *spec, gb_Shape *shape, gbl_Arrays *arrays) {
    return streets_of(spec, true, shape, arrays);
}

gbl_Info gb_gen_road(const gb_Spec *spec, gb_Shape *shape, gbl_Arrays *arrays) {
    return streets_of(spec, false, shape, arrays);
}

/* -- links */

/* COPIED of 8 links are copied from a page at most NEAR before; half of the others lead to one of
 * at most NEAR before, the rest to any earlier page. */
enum { COPIED = 6, NEAR = 256 };

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

enum { LINK_BLOCK = 1024 };

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
    return gb_coo_to_rows(&coo, GB_COO_DROP, arrays, NULL);
}
