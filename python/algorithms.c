/* SPDX-License-Identifier: Apache-2.0
 *
 * The algorithms of examples/, as functions of libgblite_python.so; see interface.h.
 */
#include "interface.h"

#include "betweenness.h"
#include "bfs.h"
#include "closeness.h"
#include "clustering_coefficient.h"
#include "communities.h"
#include "components.h"
#include "core_numbers.h"
#include "distance_sums.h"
#include "label_propagation.h"
#include "markov_cluster.h"
#include "pagerank.h"
#include "path_shares.h"
#include "shortest_paths.h"
#include "strong_components.h"
#include "triangle_count.h"
#include "truss.h"

gbl_Info gblite_python_triangles(uint64_t *count, gbl_Matrix A) {
    return triangle_count(count, A);
}

gbl_Info gblite_python_bfs(gbl_Vector *level, gbl_Vector *parent, gbl_Matrix A, gbl_Index source) {
    return bfs(level, parent, A, source, NULL, NULL);
}

gbl_Info gblite_python_pagerank(gbl_Vector *rank, int64_t *steps, gbl_Matrix A, double damping,
                                double tolerance, int64_t most_steps, bool undirected) {
    pagerank_options options = {
        .damping = damping, .tolerance = tolerance, .steps = most_steps, .undirected = undirected};
    const gbl_Info info = pagerank(rank, A, &options);
    *steps = options.steps;
    return info;
}

gbl_Info gblite_python_components(gbl_Vector *label, gbl_Matrix A) {
    return components(label, A);
}

gbl_Info gblite_python_shortest_paths(gbl_Vector *distance, gbl_Matrix A, gbl_Index source,
                                      double delta) {
    return shortest_paths(distance, GBL_FP64, A, source, delta);
}

gbl_Info gblite_python_clustering_coefficient(gbl_Vector *coefficient, gbl_Matrix A) {
    return clustering_coefficient(coefficient, A);
}

gbl_Info gblite_python_k_truss(gbl_Matrix *truss, gbl_Matrix A, int64_t k) {
    int64_t steps;
    return k_truss(truss, &steps, A, k);
}

gbl_Info gblite_python_betweenness(gbl_Vector *centrality, gbl_Matrix A, const gbl_Index *sources,
                                   gbl_Index count) {
    return betweenness(centrality, A, sources, count);
}

gbl_Info gblite_python_markov_cluster(gbl_Vector *cluster, gbl_Matrix A, double inflation,
                                      double prune, gbl_Index select, int64_t steps) {
    markov_options options = MARKOV_USUAL;
    options.keep.power = inflation;
    options.keep.most = select;
    options.prune = prune;
    options.steps = steps;
    gbl_Vector found[MARKOV_FOUND];
    const gbl_Info info = markov_cluster(found, A, &options);
    if (info != GBL_SUCCESS) return info;
    *cluster = found[MARKOV_CLUSTER];
    gbl_Vector_free(&found[MARKOV_ATTRACTORS]);
    gbl_Vector_free(&found[MARKOV_OVERLAP]);
    return GBL_SUCCESS;
}

gbl_Info gblite_python_strong_components(gbl_Vector *label, gbl_Matrix A) {
    return strong_components(label, A);
}

gbl_Info gblite_python_closeness(gbl_Vector *centrality, gbl_Matrix A, bool harmonic) {
    return harmonic ? closeness(NULL, centrality, A, NULL) : closeness(centrality, NULL, A, NULL);
}

gbl_Info gblite_python_core_numbers(gbl_Vector *core, gbl_Matrix A) {
    return core_numbers(core, A);
}

gbl_Info gblite_python_louvain(gbl_Vector *community, double *quality, gbl_Matrix A,
                               double resolution) {
    return communities(community, quality, A, resolution);
}

gbl_Info gblite_python_label_propagation(gbl_Vector *community, gbl_Matrix A, int64_t steps) {
    return label_propagation(community, A, &steps);
}

/* -- of graphs as networkx has them */

static gbl_Arrays arrays_of(const gblite_python_Graph *g) {
    return (gbl_Arrays){.p = (uint64_t *)g->p, .i = (uint32_t *)g->i}; /* which are only read */
}

gbl_Info gblite_python_cores(uint32_t *core, const gblite_python_Graph *g) {
    const gbl_Arrays edges = arrays_of(g);
    return core_numbers_of(core, &edges, g->n);
}

gbl_Info gblite_python_spread(double *sum, gblite_python_Spread *to, const gblite_python_Graph *g,
                              const uint32_t *sources, uint64_t count) {
    const gbl_Arrays edges = arrays_of(g);
    distance_search s = {.edges = &edges,
                         .n = g->n,
                         .count = count,
                         .source = sources,
                         .far = to->far,
                         .reached = to->reached};
    memset(sum, 0, 3 * g->n * sizeof *sum);
    return distance_sums(sum, &s);
}

/* Up to 64 sources are one part, whose sums are in networkx's order. */
gbl_Info gblite_python_shares(double *sum, const gblite_python_Graph *g, const uint32_t *sources,
                              uint64_t count, bool of_edges) {
    const gbl_Arrays edges = arrays_of(g);
    shares_search s = {.edges = &edges,
                       .n = g->n,
                       .count = count,
                       .source = sources,
                       .together = 64,
                       .of_edges = of_edges};
    memset(sum, 0, shares_width(&s) * sizeof *sum);
    return path_shares(sum, &s);
}
