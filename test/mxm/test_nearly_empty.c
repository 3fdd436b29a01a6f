/* SPDX-License-Identifier: Apache-2.0
 *
 * Graphs of 2^31 vertices with few edges. No block of memory is larger than 64 MB here: some
 * algorithms of examples/ take memory for the edges alone, others have an entry for each vertex and
 * must say so; these run on the graph of the vertices with edges. Verified by facts.
 */
#include "../../examples/betweenness.h"
#include "../../examples/bfs.h"
#include "../../examples/clustering_coefficient.h"
#include "../../examples/compact.h"
#include "../../examples/components.h"
#include "../../examples/markov_cluster.h"
#include "../../examples/pagerank.h"
#include "../../examples/shortest_paths.h"
#include "../../examples/triangle_count.h"
#include "../../examples/truss.h"

#include "support/verify.h"

#define SIDE ((gbl_Index)1 << 31)
enum { EDGES = 8, VERTICES = 7, BLOCK_MOST = 64 << 20 };

/* Two triangles with an edge in common, a path from them, and a loop. */
static const gbl_Index edge[EDGES][2] = {
    {5, SIDE - 1},  {SIDE - 1, 1000000007}, {1000000007, 5},          {5, 77},
    {77, SIDE - 1}, {77, SIDE / 2},         {SIDE / 2, SIDE / 2 + 1}, {9, 9}};
static const gbl_Index vertices[VERTICES] = {5,       9, 77, 1000000007, SIDE / 2, SIDE / 2 + 1,
                                             SIDE - 1};

/* A graph, the one of its vertices with edges, and that as the verifiers read it. */
typedef struct {
    gbl_Matrix A, B;
    gbl_Vector vertex;
    v_Graph g;
} Graph;

static Graph graph(void) {
    Graph w = {.A = NULL};
    t_refuse_above(BLOCK_MOST);
    OK(gbl_Matrix_new(&w.A, GBL_FP64, SIDE, SIDE));
    for (int e = 0; e < EDGES; e++) {
        OK(gbl_Matrix_setElement_FP64(w.A, 1 + e, edge[e][0], edge[e][1]));
        OK(gbl_Matrix_setElement_FP64(w.A, 1 + e, edge[e][1], edge[e][0]));
    }
    OK(compact(&w.B, &w.vertex, w.A));
    w.g = v_graph(w.B);
    return w;
}

static void leave(Graph *w) {
    v_graph_free(&w->g);
    FREE(w->A, w->B, w->vertex);
    t_refuse_above(0);
}

/* The elements of v at the vertices with edges, and nothing else has any. */
static gbl_Vector at_vertices(gbl_Vector v) {
    gbl_Type type;
    gbl_Index all, here;
    OK(gbl_Vector_type(&type, v));
    gbl_Vector small = t_new_vector(type, VERTICES);
    OK(gbl_Vector_extract(small, NULL, NULL, v, vertices, VERTICES, NULL));
    OK(gbl_Vector_nvals(&all, v));
    OK(gbl_Vector_nvals(&here, small));
    CHECK_EQ(all, here);
    return small;
}

BRUTAL(the_compact_graph) {
    Graph w = graph();
    gbl_Index edges;
    OK(gbl_Matrix_nvals(&edges, w.A));
    CHECK_EQ(w.g.n, VERTICES);
    CHECK_EQ(w.g.p[VERTICES], edges);
    for (gbl_Index k = 0; k < VERTICES; k++) {
        int64_t v;
        OK(gbl_Vector_extractElement_INT64(&v, w.vertex, k));
        CHECK_EQ(v, vertices[k]);
        for (gbl_Index e = w.g.p[k]; e < w.g.p[k + 1]; e++) {
            double x = -1;
            OK(gbl_Matrix_extractElement_FP64(&x, w.A, vertices[k], vertices[w.g.i[e]]));
            CHECK(x == w.g.x[e]);
        }
    }
    leave(&w);
}

/* The same of a vector whose values are vertices, which become those of the compact graph. */
static gbl_Vector names_at_vertices(gbl_Vector v) {
    gbl_Vector small = at_vertices(v);
    for (gbl_Index k = 0; k < VERTICES; k++) {
        int64_t x, name = 0;
        if (gbl_Vector_extractElement_INT64(&x, small, k) != GBL_SUCCESS) continue;
        while (name < VERTICES && vertices[name] != (gbl_Index)x) name++;
        CHECK(name < VERTICES);
        OK(gbl_Vector_setElement_INT64(small, name, k));
    }
    return small;
}

static void search(const Graph *w, gbl_Index source) {
    gbl_Vector level = NULL, parent = NULL;
    OK(bfs(&level, &parent, w->A, vertices[source], NULL, NULL));
    gbl_Vector l = at_vertices(level), p = names_at_vertices(parent);
    v_levels(&w->g, source, l, p);
    FREE(level, parent, l, p);
}

static void find_paths(const Graph *w, gbl_Index source, gbl_Type type) {
    gbl_Vector distance = NULL;
    OK(shortest_paths(&distance, type, w->A, vertices[source], 2));
    gbl_Vector d = at_vertices(distance);
    v_distances(&w->g, source, d);
    FREE(distance, d);
}

BRUTAL(searches_and_paths) {
    Graph w = graph();
    for (gbl_Index k = 0; k < VERTICES; k++) {
        search(&w, k);
        find_paths(&w, k, GBL_FP64);
        find_paths(&w, k, GBL_INT32);
    }
    leave(&w);
}

BRUTAL(triangles_trusses_and_trees) {
    Graph w = graph();
    gbl_Matrix truss = NULL;
    gbl_Vector label = NULL, small;
    int64_t steps;
    uint64_t triangles;
    OK(triangle_count(&triangles, w.A));
    v_triangles(&w.g, triangles);
    OK(k_truss(&truss, &steps, w.A, 3));
    gbl_Matrix T = t_new_matrix(GBL_INT64, VERTICES, VERTICES);
    OK(gbl_Matrix_extract(T, NULL, NULL, truss, vertices, VERTICES, vertices, VERTICES, NULL));
    v_truss(&w.g, T, 3);
    OK(gbl_Vector_new(&label, GBL_UINT32, SIDE)); /* components of the vertices with edges */
    OK(gbl_Vector_join(label, NULL, w.A, 0, SIDE, NULL));
    small = names_at_vertices(label);
    v_components(&w.g, small);
    FREE(truss, T, label, small);
    leave(&w);
}

/* What has an entry for each vertex: an error of the whole graph, and right on the compact one. */
typedef gbl_Info (*Algorithm)(gbl_Vector *result, gbl_Matrix A);

static gbl_Info ranks_of(gbl_Vector *result, gbl_Matrix A) {
    pagerank_options options = {.damping = .85, .tolerance = 1e-6, .steps = 100};
    return pagerank(result, A, &options);
}
static gbl_Info centrality_of(gbl_Vector *result, gbl_Matrix A) {
    const gbl_Index source = 5;
    return betweenness(result, A, &source, 1);
}
static gbl_Info clusters_of(gbl_Vector *result, gbl_Matrix A) {
    const markov_options options = MARKOV_USUAL;
    gbl_Vector found[MARKOV_FOUND] = {NULL};
    const gbl_Info info = markov_cluster(found, A, &options);
    for (int k = 1; k < MARKOV_FOUND; k++) OK(gbl_Vector_free(&found[k]));
    *result = found[0];
    return info;
}

BRUTAL(entries_for_all_vertices) {
    const Algorithm all[] = {components, clustering_coefficient, ranks_of, centrality_of,
                             clusters_of};
    Graph w = graph();
    gbl_Vector result = NULL, whole = NULL;
    for (size_t k = 0; k < T_COUNT(all); k++) {
        t_case("algorithm %zu", k);
        FAILS(GBL_OUT_OF_MEMORY, all[k](&result, w.A));
        CHECK(result == NULL);
        OK(all[k](&result, w.B));
        if (k == 0) v_components(&w.g, result);
        if (k == 1) v_coefficients(&w.g, result);
        if (k == 2) v_ranks(&w.g, result, .85, 1e-6, 1e-12);
        if (k == 3) v_betweenness(&w.g, (gbl_Index[]){5}, 1, result);
        OK(gbl_Vector_new(&whole, GBL_FP64, SIDE));
        OK(gbl_Vector_scatter(whole, NULL, NULL, GBL_FIRST_FP64, result, w.vertex, NULL));
        gbl_Vector back = at_vertices(whole);
        CHECK_EQ(t_nvals_vector(back), VERTICES);
        FREE(back, whole, result);
    }
    leave(&w);
}
