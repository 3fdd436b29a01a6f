/* SPDX-License-Identifier: Apache-2.0
 *
 * What Python sees of C: gblite, its files and generators, and the algorithms of examples/ that
 * algorithms.c compiles. make_ffi.py turns these declarations into gblite/_ffi.py.
 */
#pragma once

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
gbl_Info gblite_python_strong_components(gbl_Vector *label, gbl_Matrix A);
gbl_Info gblite_python_closeness(gbl_Vector *centrality, gbl_Matrix A, bool harmonic);
gbl_Info gblite_python_core_numbers(gbl_Vector *core, gbl_Matrix A);
gbl_Info gblite_python_louvain(gbl_Vector *community, double *quality, gbl_Matrix A,
                               double resolution);
gbl_Info gblite_python_label_propagation(gbl_Vector *community, gbl_Matrix A, int64_t steps);

/* A graph as networkx has it: the edges out of vertex v are p[v] to p[v+1] - 1, in the order in
 * which they were added, to vertex i[e] with weight x[e]; x may be NULL where no weights are read.
 * p ascends and each i[e] is below n, below 2^32 - 1: the caller checks. */
typedef struct {
    uint64_t n;
    const uint64_t *p;
    const uint32_t *i;
    const double *x;
} gblite_python_Graph;

/* Where shortest paths begin and end: settled when `target` is, a vertex or n; paths longer than
 * cutoff are left out. */
typedef struct {
    const uint32_t *sources;
    uint64_t count;
    double cutoff;
    uint64_t target;
} gblite_python_Dijkstra;

/* searches.c. Arrays have room for all vertices, UINT32_MAX stands for nobody and nowhere. order:
 * the `found` vertices in the order in which networkx's functions meet them; parent: who met them;
 * level: the number of edges from a source. Errors: GBL_OUT_OF_MEMORY, and GBL_INVALID_VALUE for a
 * negative weight (dijkstra: where it shows) or cycle (bellman_ford). Thread safe. */
gbl_Info gblite_python_search(uint64_t *found, uint32_t *order, uint32_t *parent, uint32_t *level,
                              const gblite_python_Graph *g, const uint32_t *sources, uint64_t count,
                              uint64_t cutoff);
gbl_Info gblite_python_dijkstra(uint64_t *found, uint32_t *order, uint32_t *parent,
                                double *distance, const gblite_python_Graph *g,
                                const gblite_python_Dijkstra *from);
/* rows: the vertex that each edge leaves. */
gbl_Info gblite_python_bellman_ford(uint64_t *found, uint32_t *order, double *distance,
                                    const gblite_python_Graph *g, const uint32_t *rows,
                                    uint32_t source);
/* label: strong components, numbered as they are completed. */
gbl_Info gblite_python_strong(uint64_t *components, uint32_t *label, const gblite_python_Graph *g);
/* level: the generation of a topological order; vertices behind a cycle are not found. */
gbl_Info gblite_python_generations(uint64_t *found, uint32_t *order, uint32_t *level,
                                   const gblite_python_Graph *g);
/* kept[e]: whether edge {u[e], v[e]} joins two trees, edges taken in their order. */
gbl_Info gblite_python_forest(uint8_t *kept, uint64_t n, const uint32_t *u, const uint32_t *v,
                              uint64_t edges);
/* Edges go both ways. color: the least that no neighbour has which stands before it in `order`. */
gbl_Info gblite_python_colors(uint32_t *color, const gblite_python_Graph *g, const uint32_t *order);
/* label: of those that most neighbours have its own, else the largest; the vertices of `order` take
 * turns until all agree. */
gbl_Info gblite_python_propagate(uint32_t *label, const gblite_python_Graph *g,
                                 const uint32_t *order);
/* chosen: vertices without edges between them; none of `order` could be added. taken: those that
 * are out from the beginning, and at the end the neighbours of the chosen too. */
gbl_Info gblite_python_independent(uint64_t *found, uint32_t *chosen, uint8_t *taken,
                                   const gblite_python_Graph *g, const uint32_t *order);

/* For each source: how far the farthest vertex is, and how many it reaches. */
typedef struct {
    uint32_t *far;
    uint64_t *reached;
} gblite_python_Spread;

/* algorithms.c. core: the largest k whose k-core has the vertex; edges go both ways, without loops.
 */
gbl_Info gblite_python_cores(uint32_t *core, const gblite_python_Graph *g);
/* spread: sum[3v], [3v+1], [3v+2] = how many sources reach v, the sum of their
 * distances, and of 1/distance. shares: sum[v] = the shares of shortest paths from all sources that
 * lead through v, and of_edges: sum[n + e] along edge e. Errors: GBL_OUT_OF_MEMORY. */
gbl_Info gblite_python_spread(double *sum, gblite_python_Spread *to, const gblite_python_Graph *g,
                              const uint32_t *sources, uint64_t count);
gbl_Info gblite_python_shares(double *sum, const gblite_python_Graph *g, const uint32_t *sources,
                              uint64_t count, bool of_edges);

/* scipy's CSR array, or the transposed one of a CSC array: entries of row r are p[r] to
 * p[r + 1] - 1, in any order unless said. The caller checks p against the lengths of the arrays;
 * indices are below the other dimension, as scipy trusts, too. */
typedef struct {
    int64_t rows;
    const int32_t *p, *i;
    const void *x;
} gblite_python_Csr;

/* Arrays of a result, with room for its rows and entries. */
typedef struct {
    int32_t *p, *i;
    void *x;
} gblite_python_Made;

/* dense.c. matmat: Y = A X, dense and by rows; add_turned: y += A' x, one column, by one thread.
 * Types: all but BOOL and complex ones. */
void gblite_python_matmat(void *Y, const gblite_python_Csr *A, const void *X, int64_t columns,
                          gbl_Type_Code type);
void gblite_python_add_turned(void *y, const gblite_python_Csr *A, const void *x,
                              gbl_Type_Code type);
/* y[e] = (L R')(i, j) for entry e of A at (i, j); L and R are dense, by rows, of so many columns.
 */
void gblite_python_sampled(void *y, const gblite_python_Csr *A, const void *left, const void *right,
                           int64_t columns, gbl_Type_Code type);
/* Y, dense and by rows, gets the values of A, of `bytes` bytes, at their positions. */
void gblite_python_spread_rows(void *Y, const gblite_python_Csr *A, int64_t columns, size_t bytes);
/* rows[e]: the row of entry e. */
void gblite_python_name_rows(int32_t *rows, const gblite_python_Csr *A);
/* arrays.c. C = A op B on the union of the patterns, rows sorted, 0 standing for what is not
 * stored. op: + or -; P (+), M (-), *, x (the larger) or n (the smaller) leave out zeros; <, > or !
 * (is not) make truth values and leave out what is false. C has room for the entries of both;
 * bytes: of its values. Types: all but BOOL. */
void gblite_python_union(const gblite_python_Made *C, const gblite_python_Csr *A,
                         const gblite_python_Csr *B, char op, gbl_Type_Code type, size_t bytes);
/* The share of entries whose order in A op B no processor predicts, or that stand in long rows of the
 * same indices, by samples of rows. Arrays may say anything. */
double gblite_python_mixed(const gblite_python_Csr *A, const gblite_python_Csr *B);
/* Whether the indices of each row ascend. */
bool gblite_python_ascends(const gblite_python_Csr *A);
/* C = A', values of `bytes` bytes. Errors: GBL_OUT_OF_MEMORY. */
gbl_Info gblite_python_transpose(const gblite_python_Made *C, const gblite_python_Csr *A,
                                 int64_t columns, size_t bytes);
/* What entries of A meet, of 64 samples: how many entries their rows of B have, and how far these
 * reach, in the mean. at: the n indices of A; NULL: any rows of B, which has n. Arrays may say
 * anything. */
typedef struct {
    double length, span;
} gblite_python_Sample;
gblite_python_Sample gblite_python_sample(const int32_t *at, int64_t n, const int32_t *p,
                                          int64_t rows, const int32_t *i, int64_t entries);
/* Of each column the largest (or least) stored value, and how many there are, into zeros; false if
 * a row is not strictly ascending. Types: all but BOOL. */
bool gblite_python_extremes(void *best, int32_t *count, const gblite_python_Csr *A, bool largest,
                            gbl_Type_Code type);

/* matrices.c, on matrices; GBL_NO_VALUE: it is left to the caller. Other errors: those of
 * gbl_Matrix_view and gbl_Matrix_moveIn, GBL_OUT_OF_MEMORY.
 * times: Y = A X or A' X, dense and by rows; X and A have this type. */
gbl_Info gblite_python_times(void *Y, gbl_Matrix A, bool transposed, const void *X, int64_t columns,
                             gbl_Type_Code type);
/* The arrays of A by rows or columns, into arrays of the right lengths; row_of, of each entry, may
 * be NULL. fill: the values, to their positions in a dense array. */
gbl_Info gblite_python_fetch(const gblite_python_Made *to, int32_t *row_of, gbl_Matrix A,
                             gbl_Format format);
gbl_Info gblite_python_fill(void *Y, gbl_Matrix A);
/* The values that A has an array of, one where it holds one; partial: whether it has fewer entries
 * than positions. GBL_NO_VALUE: there is no such array, or no entry. */
typedef struct {
    const void *x;
    gbl_Index count;
    bool partial;
} gblite_python_Held;
gbl_Info gblite_python_held(gblite_python_Held *h, gbl_Matrix A);
/* New matrices: copies of arrays, which may lie as those of gbl_Matrix_moveIn (`columns`: of A, of
 * the matrix or, in GBL_CSC_FORMAT, of its transpose); A op B as gblite_python_union makes it. */
gbl_Info gblite_python_import(gbl_Matrix *made, gbl_Type type, const gblite_python_Csr *A,
                              gbl_Index columns, gbl_Format format, size_t bytes);
/* The same with indices of 64 bits. GBL_NO_VALUE: one is not 0 to 2^31 - 1; so narrow, which copies
 * them, returns false. */
typedef struct {
    int64_t rows;
    const int64_t *p, *i;
    const void *x;
} gblite_python_Wide;
gbl_Info gblite_python_import_wide(gbl_Matrix *made, gbl_Type type, const gblite_python_Wide *A,
                                   gbl_Index columns, gbl_Format format, size_t bytes);
bool gblite_python_narrow(int32_t *to, const int64_t *from, gbl_Index n);
gbl_Info gblite_python_merge(gbl_Matrix *made, gbl_Matrix A, gbl_Matrix B, char op);
/* Entries (i[k], j[k], x[k]), in any order; what comes twice is added in this order. wide: indices
 * are int64_t, else int32_t. GBL_NO_VALUE: an index is outside, or rows are many. */
typedef struct {
    int64_t rows, columns, n;
    const void *i, *j, *x;
    bool wide;
} gblite_python_Tuples;
gbl_Info gblite_python_tuples(gbl_Matrix *made, gbl_Type type, gbl_Type_Code code,
                              const gblite_python_Tuples *t);
/* The entries of A with other values, in the order of CSR, or of CSC where A has that alone. x, of
 * gbl_Memory_malloc, becomes the matrix's, or is freed. */
gbl_Info gblite_python_like(gbl_Matrix *made, gbl_Type type, gbl_Matrix A, void *x);
/* The listed rows of A, each below its number of rows, in this order. */
gbl_Info gblite_python_pick(gbl_Matrix *made, gbl_Type type, gbl_Matrix A, const gbl_Index *rows,
                            gbl_Index count);
/* The elements of a dense array by rows that are not 0. */
gbl_Info gblite_python_nonzeros(gbl_Matrix *made, gbl_Type type, gbl_Type_Code code, const void *x,
                                int64_t rows, int64_t columns);
/* Into d, a vector of A's type and of the diagonal's length: its entries, `k` above the main one.
 */
gbl_Info gblite_python_diagonal(gbl_Vector d, gbl_Matrix A, int64_t k);
/* Copies the indices and the values, of `bytes` bytes, of all entries. */
void gblite_python_copy(int32_t *i, void *x, const gblite_python_Csr *A, size_t bytes);
/* In what Semiring.compile makes, not in the package: the table of its kernels. */
const gbl_CompiledSemiring *gblite_python_semiring(void);
