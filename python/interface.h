/* SPDX-License-Identifier: Apache-2.0
 *
 * What Python sees of C: gblite, its files and generators, and the algorithms of examples/ that
 * algorithms.c compiles. make_ffi.py turns these declarations into gblite/_ffi.py.
 */
#ifndef GBLITE_PYTHON_INTERFACE_H
#define GBLITE_PYTHON_INTERFACE_H

#include "gblite.h"
#include "gblite_io.h"
#include "gblite_memory.h"

/* Each makes what it returns by pointer; A is square. Errors: those of the header of examples/ that
 * has the algorithm. Thread safe, as the operations of gblite are. */
gbl_Info gblite_python_triangles(uint64_t *count, gbl_Matrix A);
gbl_Info gblite_python_bfs(gbl_Vector *level, gbl_Vector *parent, gbl_Matrix A, gbl_Index source);
gbl_Info gblite_python_pagerank(gbl_Vector *rank, int64_t *steps, gbl_Matrix A, double damping,
                                double tolerance, int64_t most_steps, bool undirected);
gbl_Info gblite_python_components(gbl_Vector *label, gbl_Matrix A);
gbl_Info gblite_python_shortest_paths(gbl_Vector *distance, gbl_Matrix A, gbl_Index source,
                                      double delta);
gbl_Info gblite_python_clustering_coefficient(gbl_Vector *coefficient, gbl_Matrix A);
gbl_Info gblite_python_k_truss(gbl_Matrix *truss, gbl_Matrix A, int64_t k);
gbl_Info gblite_python_betweenness(gbl_Vector *centrality, gbl_Matrix A, const gbl_Index *sources,
                                   gbl_Index count);
gbl_Info gblite_python_markov_cluster(gbl_Vector *cluster, gbl_Matrix A, double inflation,
                                      double prune, gbl_Index select, int64_t steps);

#endif
