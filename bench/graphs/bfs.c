/* SPDX-License-Identifier: Apache-2.0
 *
 * Job: breadth-first search from every source, for parents alone. One tree is held at a time, as in
 * the GAP benchmark: sixteen would pass through the caches. So the searches are made once more to
 * be checked. A tree is believed when every parent is a neighbour and every walk to the source
 * ends; in both trees every vertex must lie as deep.
 */
#include "graphs/graphs.h"

#include <stdio.h>
#include <string.h>

#include "../examples/bfs.h"

typedef struct {
    const graphs_input *in;
    gbl_Vector parent;
    graphs_plain_bfs work;
    int32_t *plain; /* parents [n] */
} state;

static void close(void *of) {
    state *s = of;
    gbl_Vector_free(&s->parent);
}

static int open(void *of) {
    state *s = of;
    s->plain = graphs_array(s->in, s->in->n, sizeof *s->plain);
    return s->plain != NULL && graphs_plain_bfs_open(&s->work, s->in) ? 0 : -1;
}

static int search(state *s, int k) {
    gbl_Vector_free(&s->parent);
    const gbl_Info info = bfs(NULL, &s->parent, s->in->A, s->in->source[k], NULL, NULL);
    return bench_failed(info, "breadth-first search") ? -1 : 0;
}

static int mine(void *of) {
    for (int k = 0; k < GRAPHS_SOURCES; k++)
        if (search(of, k) != 0) return -1;
    return 0;
}

static int plain(void *of) {
    state *s = of;
    for (int k = 0; k < GRAPHS_SOURCES; k++)
        graphs_plain_bfs_run(&s->work, s->in->source[k], s->plain);
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
    int64_t *x, *depth, *of_plain;
    int32_t *parent;
    uint32_t *path;
} room;

static int check_one(state *s, int k, const room *r) {
    const graphs_input *in = s->in;
    const uint32_t source = in->source[k];
    gbl_Index found = in->n;
    if (search(s, k) != 0) return -1;
    graphs_plain_bfs_run(&s->work, source, s->plain);
    const gbl_Info info = gbl_Vector_extractTuples_INT64(r->vertex, r->x, &found, s->parent);
    if (bench_failed(info, "parents")) return -1;
    for (uint32_t v = 0; v < in->n; v++) r->parent[v] = -1;
    for (gbl_Index e = 0; e < found; e++) {
        if (r->x[e] < 0 || r->x[e] >= (int64_t)in->n) return -1;
        r->parent[r->vertex[e]] = (int32_t)r->x[e];
    }
    if (!levels_of(in, source, r->parent, r->depth, r->path) ||
        !levels_of(in, source, s->plain, r->of_plain, r->path))
        return -1;
    return memcmp(r->depth, r->of_plain, in->n * sizeof *r->depth) == 0 ? 0 : -1;
}

static int check(void *of) {
    state *s = of;
    const graphs_input *in = s->in;
    const uint64_t n = in->n;
    const room r = {graphs_array(in, n, sizeof *r.vertex), graphs_array(in, n, sizeof *r.x),
                    graphs_array(in, n, sizeof *r.depth),  graphs_array(in, n, sizeof *r.of_plain),
                    graphs_array(in, n, sizeof *r.parent), graphs_array(in, n, sizeof *r.path)};
    int status = r.vertex && r.x && r.depth && r.of_plain && r.parent && r.path ? 0 : -1;
    for (int k = 0; k < GRAPHS_SOURCES && status == 0; k++) {
        status = check_one(s, k, &r);
        if (status != 0)
            fprintf(stderr, "graphs: the searches of %s from vertex %u differ\n", s->in->name,
                    (unsigned)s->in->source[k]);
    }
    return status;
}

const graphs_job graphs_bfs = {"bfs", sizeof(state), GRAPHS_SOURCES, open, mine,
                               plain, NULL,          check,          close};
