/* SPDX-License-Identifier: Apache-2.0
 *
 * Job: breadth-first search from every source. gblite gives levels and parents (examples/bfs.h),
 * the search by hand parents alone. Its tree is believed when every parent is a neighbour and every
 * walk to the source ends; gblite's levels must be those of that tree, and its parents lie one
 * level up and be neighbours.
 */
#include "graphs/graphs.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "../examples/bfs.h"

typedef struct {
    const graphs_input *in;
    gbl_Vector level[GRAPHS_SOURCES], parent[GRAPHS_SOURCES];
    graphs_plain_bfs *work;
    int32_t *plain[GRAPHS_SOURCES]; /* parents [n] */
} state;

static void drop(state *s) {
    for (int k = 0; k < GRAPHS_SOURCES; k++) {
        gbl_Vector_free(&s->level[k]);
        gbl_Vector_free(&s->parent[k]);
    }
}

static void close(void *of) {
    state *s = of;
    if (s == NULL) return;
    drop(s);
    graphs_plain_bfs_free(s->work);
    for (int k = 0; k < GRAPHS_SOURCES; k++) free(s->plain[k]);
    free(s);
}

static int open(void **of, const graphs_input *in) {
    state *s = calloc(1, sizeof *s);
    *of = s;
    if (s == NULL) goto failed;
    s->in = in;
    s->work = graphs_plain_bfs_new(in);
    if (s->work == NULL) goto failed;
    for (int k = 0; k < GRAPHS_SOURCES; k++) {
        s->plain[k] = malloc((size_t)in->n * sizeof *s->plain[k]);
        if (s->plain[k] == NULL) goto failed;
    }
    return 0;
failed:
    fprintf(stderr, "graphs: no memory to search %s\n", in->name);
    return -1;
}

/* The vectors of one source are gone before those of the next one are made, as by hand. */
static int mine(void *of) {
    state *s = of;
    for (int k = 0; k < GRAPHS_SOURCES; k++) {
        gbl_Vector_free(&s->level[k]);
        gbl_Vector_free(&s->parent[k]);
        if (bench_failed(bfs(&s->level[k], &s->parent[k], s->in->A, s->in->source[k], NULL, NULL),
                         "breadth-first search"))
            return -1;
    }
    return 0;
}

static int plain(void *of) {
    state *s = of;
    for (int k = 0; k < GRAPHS_SOURCES; k++)
        graphs_plain_bfs_run(s->work, s->in->source[k], s->plain[k]);
    return 0;
}

static bool is_edge(const graphs_input *in, uint32_t u, uint32_t v) {
    uint64_t lo = in->p[u], hi = in->p[u + 1];
    while (lo < hi) {
        const uint64_t mid = (lo + hi) / 2;
        if (in->i[mid] < v)
            lo = mid + 1;
        else
            hi = mid;
    }
    return lo < in->p[u + 1] && in->i[lo] == v;
}

/* depth[v] from v's walk to the source, -1 where it was not reached; false where a walk does not
 * end there or leaves the edges. path has room for n vertices. */
static bool levels_of(const graphs_input *in, uint32_t source, const int32_t *parent,
                      int64_t *depth, uint32_t *path) {
    for (uint32_t v = 0; v < in->n; v++) depth[v] = -1;
    if (parent[source] != (int32_t)source) return false;
    depth[source] = 0;
    for (uint32_t v = 0; v < in->n; v++) {
        uint64_t length = 0;
        uint32_t at = v;
        if (parent[v] < 0) continue;
        while (depth[at] < 0) {
            const int32_t up = parent[at];
            if (up < 0 || length == in->n || !is_edge(in, (uint32_t)up, at)) return false;
            path[length++] = at;
            at = (uint32_t)up;
        }
        for (int64_t level = depth[at]; length > 0;) depth[path[--length]] = ++level;
    }
    return true;
}

typedef struct {
    gbl_Index *vertex;
    int64_t *x, *depth;
    uint32_t *path;
} room;

static int check_one(const state *s, int k, const room *r) {
    const graphs_input *in = s->in;
    gbl_Index found = in->n;
    if (!levels_of(in, in->source[k], s->plain[k], r->depth, r->path)) return -1;
    uint64_t reached = 0;
    for (uint32_t v = 0; v < in->n; v++) reached += r->depth[v] >= 0;
    gbl_Info info = gbl_Vector_extractTuples_INT64(r->vertex, r->x, &found, s->level[k]);
    if (bench_failed(info, "levels") || found != reached) return -1;
    for (gbl_Index e = 0; e < found; e++)
        if (r->x[e] != r->depth[r->vertex[e]]) return -1;
    found = in->n;
    info = gbl_Vector_extractTuples_INT64(r->vertex, r->x, &found, s->parent[k]);
    if (bench_failed(info, "parents") || found != reached) return -1;
    for (gbl_Index e = 0; e < found; e++) {
        const uint32_t v = (uint32_t)r->vertex[e], up = (uint32_t)r->x[e];
        if (v == in->source[k]
                ? up != v
                : up >= in->n || r->depth[up] + 1 != r->depth[v] || !is_edge(in, up, v))
            return -1;
    }
    return 0;
}

static int check(void *of) {
    const state *s = of;
    const size_t n = s->in->n;
    room r = {malloc(n * sizeof *r.vertex), malloc(n * sizeof *r.x), malloc(n * sizeof *r.depth),
              malloc(n * sizeof *r.path)};
    int status = r.vertex != NULL && r.x != NULL && r.depth != NULL && r.path != NULL ? 0 : -1;
    for (int k = 0; k < GRAPHS_SOURCES && status == 0; k++) {
        status = check_one(s, k, &r);
        if (status != 0)
            fprintf(stderr, "graphs: the searches of %s from vertex %u differ\n", s->in->name,
                    (unsigned)s->in->source[k]);
    }
    free(r.vertex);
    free(r.x);
    free(r.depth);
    free(r.path);
    return status;
}

const graphs_job graphs_bfs = {.name = "bfs",
                               .open = open,
                               .mine = mine,
                               .plain = plain,
                               .check = check,
                               .close = close,
                               .sources = GRAPHS_SOURCES};
