/* SPDX-License-Identifier: Apache-2.0
 *
 * Verifiers of graph algorithms: facts that must hold of a result, checked by plain loops over
 * arrays that share nothing with the library. Each ends the test where one does not hold.
 */
#pragma once

#include "support/gb_test.h"

/* Edges of vertex v: [p[v], p[v + 1]), ascending, with weights. */
typedef struct {
    gbl_Index n, *p, *i;
    double *x;
} v_Graph;
v_Graph v_graph(gbl_Matrix A);
void v_graph_free(v_Graph *g);

/* The values of a vector of vertices, NAN where it has none; to be freed. */
double *v_values(gbl_Vector v);

/* The source has level 0 and is its own parent; every other vertex reached has its parent one level
 * before it, and an edge from there; no edge leads more than one level on, or out of what is
 * reached. */
void v_levels(const v_Graph *g, gbl_Index source, gbl_Vector level, gbl_Vector parent);
/* The source has distance 0; no edge makes a distance shorter; every other one is attained by an
 * edge; no edge leads out of what is reached. Weights are positive. */
void v_distances(const v_Graph *g, gbl_Index source, gbl_Vector distance);
/* Of an undirected graph: edges join equal labels, a label is the lowest vertex that has it, and a
 * search from there reaches all that have it. */
void v_components(const v_Graph *g, gbl_Vector label);
/* Ranks sum to 1, none is below that of a jump, and one more step changes them by less than the
 * tolerance. */
void v_ranks(const v_Graph *g, gbl_Vector rank, double damping, double tolerance, double rounding);
/* The same as by Brandes' algorithm with a queue. */
void v_betweenness(const v_Graph *g, const gbl_Index *sources, gbl_Index count, gbl_Vector c);
/* Of undirected graphs, loops ignored: edges of the truss are edges of g in both directions, have
 * the triangles that they say, at least k - 2, and removing edges one by one leaves no others. */
void v_truss(const v_Graph *g, gbl_Matrix truss, int64_t k);
void v_coefficients(const v_Graph *g, gbl_Vector coefficient);
void v_triangles(const v_Graph *g, uint64_t triangles);
/* Of Markov clustering with an inflation of 2 and no pruning: the same clusters, attractors and
 * vertices in several clusters as by loops over all pairs of vertices. */
void v_clusters(const v_Graph *g, gbl_Vector cluster, gbl_Vector attractors, gbl_Vector overlap);
