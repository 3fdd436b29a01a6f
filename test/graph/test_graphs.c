/* SPDX-License-Identifier: Apache-2.0
 *
 * The algorithms of examples/ on graphs of every kind, verified by facts (support/verify.h).
 */
#include "../../examples/betweenness.h"
#include "../../examples/bfs.h"
#include "../../examples/clustering_coefficient.h"
#include "../../examples/components.h"
#include "../../examples/markov_cluster.h"
#include "../../examples/pagerank.h"
#include "../../examples/shortest_paths.h"
#include "../../examples/triangle_count.h"
#include "../../examples/truss.h"

#include "gblite_io.h"
#include "support/verify.h"

/* Graphs by their generators: with and without loops, hubs, many components; a path, a complete
 * graph. */
static const char *const specs[] = {
    "er:0:1",  "er:5:1",    "er:6:4",     "rmat:6:2",     "rmat:7:8",    "rmats:7:6",
    "web:6:5", "web:7:2",   "grid:6:7",   "grid:1:1",     "grid:1:40",   "road:4:5",
    "fem:2:3", "band:60:1", "band:17:16", "rect:90:90:2", "tiles:3:2:40"};

/* Graphs that no generator makes: a name and edges "from to" counted from 0, n vertices. */
static const struct {
    const char *name;
    gbl_Index n, edges;
    gbl_Index edge[9][2];
} made[] = {
    {"nothing", 0, 0, {{0}}},
    {"a vertex", 1, 0, {{0}}},
    {"no edges", 70, 0, {{0}}},
    {"a loop", 1, 1, {{0, 0}}},
    {"loops alone", 5, 3, {{0, 0}, {3, 3}, {4, 4}}},
    {"a star", 9, 8, {{4, 0}, {4, 1}, {4, 2}, {4, 3}, {4, 5}, {4, 6}, {4, 7}, {4, 8}}},
    {"two triangles apart", 6, 6, {{0, 2}, {2, 4}, {4, 0}, {1, 3}, {3, 5}, {5, 1}}},
    {"an edge given thrice", 4, 4, {{1, 2}, {1, 2}, {2, 3}, {1, 2}}},
    {"few edges of many vertices", 300, 3, {{0, 299}, {299, 150}, {7, 8}}},
    {"a diamond", 4, 4, {{0, 1}, {0, 2}, {1, 3}, {2, 3}}},
};

static gbl_Matrix make(size_t k) {
    gbl_Matrix A = t_new_matrix(GBL_FP64, made[k].n, made[k].n);
    for (gbl_Index e = 0; e < made[k].edges; e++)
        OK(gbl_Matrix_setElement_FP64(A, 1 + (double)e / 4, made[k].edge[e][0],
                                      made[k].edge[e][1]));
    return A;
}

/* Each graph, with positive weights; undirected: its edges in both directions. */
static void for_each_graph(bool undirected, void (*run)(gbl_Matrix A, const v_Graph *g)) {
    for (size_t k = 0; k < T_COUNT(specs) + T_COUNT(made); k++) {
        const size_t m = k - T_COUNT(specs);
        gbl_Matrix A = NULL;
        if (k < T_COUNT(specs))
            OK(gbl_load(&A, GBL_FP64, specs[k]));
        else
            A = make(m);
        if (undirected)
            OK(gbl_Matrix_eWiseAdd_BinaryOp(A, NULL, NULL, GBL_MAX_FP64, A, A, GBL_DESC_T1));
        t_case("%s%s", k < T_COUNT(specs) ? specs[k] : made[m].name,
               undirected ? ", both ways" : "");
        v_Graph g = v_graph(A);
        run(A, &g);
        v_graph_free(&g);
        OK(gbl_Matrix_free(&A));
    }
}

static void run_bfs(gbl_Matrix A, const v_Graph *g) {
    for (gbl_Index source = 0; source < g->n; source += 1 + g->n / 4) {
        gbl_Vector level = NULL, parent = NULL;
        OK(bfs(&level, &parent, A, source, NULL, NULL));
        v_levels(g, source, level, parent);
        FREE(level, parent);
        OK(bfs(&level, NULL, A, source, NULL, NULL)); /* one without the other */
        OK(bfs(NULL, &parent, A, source, NULL, NULL));
        v_levels(g, source, level, parent);
        FREE(level, parent);
    }
}
GB_TEST(graphs, bfs) {
    for_each_graph(false, run_bfs);
    for_each_graph(true, run_bfs);
}

static void run_paths_of(gbl_Type type, gbl_Matrix A, const v_Graph *g) {
    static const double deltas[] = {1e-3, 0.3, 1e9};
    for (gbl_Index source = 0; source < g->n; source += 1 + g->n / 3) {
        for (size_t k = 0; k < T_COUNT(deltas); k++) {
            gbl_Vector distance = NULL;
            gbl_Type got;
            OK(shortest_paths(&distance, type, A, source, deltas[k]));
            OK(gbl_Vector_type(&got, distance));
            CHECK(got == type);
            v_distances(g, source, distance);
            OK(gbl_Vector_free(&distance));
        }
    }
}
static void run_paths(gbl_Matrix A, const v_Graph *g) {
    run_paths_of(GBL_FP64, A, g);
}
/* Weights that are whole numbers, 1 or more. */
static void run_whole_paths(gbl_Matrix A, const v_Graph *g) {
    gbl_Matrix W = t_new_matrix(GBL_INT32, g->n, g->n);
    OK(gbl_Matrix_apply_BinaryOp2nd_FP64(W, NULL, NULL, GBL_TIMES_FP64, A, 100, NULL));
    OK(gbl_Matrix_apply_BinaryOp2nd_FP64(W, NULL, NULL, GBL_MAX_FP64, W, 1, NULL));
    v_Graph whole = v_graph(W);
    run_paths_of(GBL_INT32, W, &whole);
    v_graph_free(&whole);
    OK(gbl_Matrix_free(&W));
}
GB_TEST(graphs, shortest_paths) {
    for_each_graph(false, run_paths);
    for_each_graph(true, run_paths);
    for_each_graph(false, run_whole_paths);
}

/* Sums up to the largest INT32, and one beyond. */
GB_TEST(graphs, shortest_paths_overflow) {
    gbl_Vector distance = NULL;
    double x;
    gbl_Matrix A = t_new_matrix(GBL_INT32, 3, 3);
    OK(gbl_Matrix_setElement_INT32(A, INT32_MAX - 1, 0, 1));
    OK(gbl_Matrix_setElement_INT32(A, 1, 1, 2));
    OK(shortest_paths(&distance, GBL_INT32, A, 0, 64));
    OK(gbl_Vector_extractElement_FP64(&x, distance, 2));
    CHECK(x == INT32_MAX);
    OK(gbl_Vector_free(&distance));
    OK(gbl_Matrix_setElement_INT32(A, 2, 1, 2));
    FAILS(GBL_INVALID_VALUE, shortest_paths(&distance, GBL_INT32, A, 0, 64));
    CHECK(distance == NULL);
    OK(shortest_paths(&distance, GBL_FP64, A, 0, 64));
    OK(gbl_Vector_extractElement_FP64(&x, distance, 2));
    CHECK(x == INT32_MAX + 1.0);
    OK(gbl_Vector_free(&distance));
    FAILS(GBL_DOMAIN_MISMATCH, shortest_paths(&distance, GBL_FP32, A, 0, 64));
    OK(gbl_Matrix_free(&A));
}

/* A width that vanishes beside the distances must not keep the search where it is. */
GB_TEST(graphs, shortest_paths_far_away) {
    gbl_Vector distance = NULL;
    double x;
    gbl_Matrix A = t_new_matrix(GBL_FP64, 3, 3);
    OK(gbl_Matrix_setElement_FP64(A, 1e300, 0, 1));
    OK(gbl_Matrix_setElement_FP64(A, 1e299, 1, 2));
    OK(shortest_paths(&distance, GBL_FP64, A, 0, 1e-6));
    OK(gbl_Vector_extractElement_FP64(&x, distance, 2));
    CHECK(x == 1e300 + 1e299);
    FREE(A, distance);
}

static void run_components(gbl_Matrix A, const v_Graph *g) {
    gbl_Vector label = NULL;
    OK(components(&label, A));
    v_components(g, label);
    OK(gbl_Vector_free(&label));
}
GB_TEST(graphs, components) {
    for_each_graph(true, run_components);
}

/* A path whose vertices are numbered so that labels have far to go. */
GB_TEST(graphs, components_of_a_shuffled_path) {
    const gbl_Index n = 1000;
    gbl_Matrix A = t_new_matrix(GBL_BOOL, n, n);
    for (gbl_Index k = 0; k + 1 < n; k++) {
        const gbl_Index a = 377 * k % n, b = 377 * (k + 1) % n;
        OK(gbl_Matrix_setElement_BOOL(A, true, a, b));
        OK(gbl_Matrix_setElement_BOOL(A, true, b, a));
    }
    v_Graph g = v_graph(A);
    run_components(A, &g);
    v_graph_free(&g);
    OK(gbl_Matrix_free(&A));
}

static void run_pagerank(gbl_Matrix A, const v_Graph *g) {
    pagerank_options options = {.damping = .85, .tolerance = 1e-4, .steps = 1000};
    pagerank_options close = {.damping = .5, .tolerance = 1e-12, .steps = 1000};
    gbl_Vector rank = NULL;
    OK(pagerank(&rank, A, &options));
    CHECK(options.steps < 100);
    v_ranks(g, rank, .85, 1e-4, 1e-12);
    OK(gbl_Vector_free(&rank));
    OK(pagerank(&rank, A, &close));
    v_ranks(g, rank, .5, 1e-12, 1e-12);
    OK(gbl_Vector_free(&rank));
    options = (pagerank_options){.damping = .85, .tolerance = 1e-3, .steps = 1000, .narrow = true};
    OK(pagerank(&rank, A, &options));
    v_ranks(g, rank, .85, 1e-3, 1e-6);
    OK(gbl_Vector_free(&rank));
}
static void run_pagerank_both_ways(gbl_Matrix A, const v_Graph *g) {
    for (int narrow = 0; narrow < 2; narrow++) {
        const double tolerance = narrow ? 1e-4 : 1e-10;
        pagerank_options options = {.damping = .85,
                                    .tolerance = tolerance,
                                    .steps = 1000,
                                    .narrow = narrow,
                                    .undirected = true};
        gbl_Vector rank = NULL;
        OK(pagerank(&rank, A, &options));
        CHECK(options.steps < 70); /* plain steps down to 1e-10 are 142 */
        v_ranks(g, rank, .85, tolerance, narrow ? 1e-5 : 1e-12);
        OK(gbl_Vector_free(&rank));
    }
}
GB_TEST(graphs, pagerank) {
    for_each_graph(false, run_pagerank);
    for_each_graph(true, run_pagerank);
    for_each_graph(true, run_pagerank_both_ways);
}
/* On a cycle of one direction steps that lean on former ones would not settle: they are left. */
GB_TEST(graphs, pagerank_that_is_told_wrongly) {
    const gbl_Index n = 50;
    gbl_Vector rank = NULL;
    pagerank_options options = {
        .damping = .85, .tolerance = 1e-6, .steps = 1000, .undirected = true};
    gbl_Matrix A = t_new_matrix(GBL_BOOL, n, n);
    for (gbl_Index k = 0; k < n; k++) {
        OK(gbl_Matrix_setElement_BOOL(A, true, k, (k + 1) % n));
        if (k % 7 == 0) OK(gbl_Matrix_setElement_BOOL(A, true, k, 0));
    }
    OK(pagerank(&rank, A, &options));
    CHECK(options.steps < 1000);
    v_Graph g = v_graph(A);
    v_ranks(&g, rank, .85, 1e-6, 1e-12);
    v_graph_free(&g);
    FREE(rank, A);
}

static void run_from(gbl_Matrix A, const v_Graph *g, const gbl_Index *sources, gbl_Index count) {
    gbl_Vector c = NULL;
    OK(betweenness(&c, A, sources, count));
    v_betweenness(g, sources, count, c);
    OK(gbl_Vector_free(&c));
}

static void run_betweenness(gbl_Matrix A, const v_Graph *g) {
    gbl_Index sources[8], count = 0;
    if (g->n == 0) return;
    for (gbl_Index v = 0; v < g->n && count < 8; v += 1 + g->n / 7) sources[count++] = v;
    run_from(A, g, sources, count);
    sources[0] = g->n - 1; /* one alone */
    run_from(A, g, sources, 1);
}

/* Each of the diamonds in a chain doubles the paths. */
GB_TEST(graphs, betweenness_of_too_many_paths) {
    enum { DIAMONDS = 1100, N = 3 * DIAMONDS + 1 };
    const gbl_Index source = 0;
    gbl_Vector c = NULL;
    gbl_Matrix A = t_new_matrix(GBL_BOOL, N, N);
    for (gbl_Index v = 0; v + 3 < N; v += 3) {
        for (gbl_Index side = 1; side <= 2; side++) {
            OK(gbl_Matrix_setElement_BOOL(A, true, v, v + side));
            OK(gbl_Matrix_setElement_BOOL(A, true, v + side, v + 3));
        }
    }
    FAILS(GBL_INVALID_VALUE, betweenness(&c, A, &source, 1));
    CHECK(c == NULL);
    OK(gbl_Matrix_free(&A));
}

GB_TEST(graphs, betweenness) {
    for_each_graph(false, run_betweenness);
    for_each_graph(true, run_betweenness);
}

static void run_truss(gbl_Matrix A, const v_Graph *g) {
    for (int64_t k = 3; k < 7; k++) {
        gbl_Matrix truss = NULL;
        int64_t steps;
        OK(k_truss(&truss, &steps, A, k));
        v_truss(g, truss, k);
        OK(gbl_Matrix_free(&truss));
    }
}
GB_TEST(graphs, truss) {
    for_each_graph(true, run_truss);
}

static void run_triangles(gbl_Matrix A, const v_Graph *g) {
    gbl_Vector coefficient = NULL;
    uint64_t triangles;
    OK(triangle_count(&triangles, A));
    v_triangles(g, triangles);
    OK(clustering_coefficient(&coefficient, A));
    v_coefficients(g, coefficient);
    OK(gbl_Vector_free(&coefficient));
}
GB_TEST(graphs, triangles_and_coefficients) {
    for_each_graph(true, run_triangles);
}

static void run_clusters(gbl_Matrix A, const v_Graph *g) {
    markov_options options = MARKOV_USUAL;
    gbl_Vector found[MARKOV_FOUND];
    options.prune = 1e-300;
    options.keep.most = 0;
    OK(markov_cluster(found, A, &options));
    v_clusters(g, found[MARKOV_CLUSTER], found[MARKOV_ATTRACTORS], found[MARKOV_OVERLAP]);
    for (int k = 0; k < MARKOV_FOUND; k++) OK(gbl_Vector_free(&found[k]));
}
GB_TEST(graphs, clusters) {
    for_each_graph(false, run_clusters);
}

GB_TEST(graphs, sources_that_are_no_vertices) {
    const gbl_Index sources[] = {3, 9};
    for (gbl_Index n = 0; n < 10; n += 9) {
        gbl_Vector v = NULL;
        gbl_Matrix A = t_new_matrix(GBL_FP64, n, n);
        FAILS(GBL_INVALID_INDEX, bfs(&v, NULL, A, n, NULL, NULL));
        FAILS(GBL_INVALID_INDEX, shortest_paths(&v, GBL_FP64, A, n, 1));
        FAILS(GBL_INVALID_INDEX, betweenness(&v, A, sources, 2));
        CHECK(v == NULL);
        OK(gbl_Matrix_free(&A));
    }
}

/* What a result must not depend on: the number of threads. Ranks and centralities to the bit. */
GB_TEST(graphs, any_number_of_threads) {
    double *first[2] = {NULL, NULL};
    gbl_Matrix A = NULL;
    OK(gbl_load(&A, GBL_FP64, "rmats:9:12"));
    const gbl_Index sources[] = {1, 5, 77};
    for (int32_t threads = 1; threads < 4; threads++) {
        pagerank_options options = {.damping = .85, .tolerance = 1e-9, .steps = 1000};
        gbl_Vector result[2] = {NULL, NULL};
        OK(gbl_Global_set_INT32(GBL_GLOBAL, threads, GBL_NTHREADS));
        OK(pagerank(&result[0], A, &options));
        OK(betweenness(&result[1], A, sources, 3));
        for (int k = 0; k < 2; k++) {
            double *x = v_values(result[k]);
            if (threads == 1) first[k] = v_values(result[k]);
            for (gbl_Index v = 0; v < 512; v++) CHECK(x[v] == first[k][v]);
            free(x);
            OK(gbl_Vector_free(&result[k]));
        }
    }
    free(first[0]);
    free(first[1]);
    OK(gbl_Matrix_free(&A));
}

/* Searches from many vertices at once, one for each of up to three threads: they count alike each
 * time, and no more scratch stays with the graph than there are threads. */
enum { TOGETHER = 12 };
typedef struct {
    gbl_Matrix A;
    gbl_Index reached[TOGETHER], levels[TOGETHER];
} searches;

static void search(void *of, gbl_Index k) {
    searches *s = of;
    gbl_Index n, found = 1;
    OK(gbl_Matrix_nrows(&n, s->A));
    gbl_Vector q = t_new_vector(GBL_INT64, n), p = t_new_vector(GBL_INT64, n);
    OK(gbl_Vector_setElement_INT64(q, 1, 31 * k));
    for (s->levels[k] = 0; found > 0; s->levels[k]++) {
        OK(gbl_Vector_assign(p, q, NULL, q, GBL_ALL, n, GBL_DESC_S));
        OK(gbl_vxm(q, p, NULL, GBL_PLUS_FIRST_SEMIRING_INT64, q, s->A, GBL_DESC_RSC));
        OK(gbl_Vector_nvals(&found, q));
    }
    OK(gbl_Vector_nvals(&s->reached[k], p));
    FREE(q, p);
}

GB_TEST(graphs, searches_side_by_side) {
    enum { THREADS = 3 };
    searches alone = {.A = NULL}, together;
    gbl_Index n;
    int64_t before, after;
    OK(gbl_load(&alone.A, GBL_FP64, "road:18:18"));
    OK(gbl_Matrix_nrows(&n, alone.A));
    CHECK(n > 31 * TOGETHER);
    together.A = alone.A;
    OK(gbl_Global_set_INT32(GBL_GLOBAL, THREADS, GBL_NTHREADS));
    OK(gbl_Global_get_INT64(GBL_GLOBAL, &before, GBL_BYTES_IN_USE));
    for (gbl_Index k = 0; k < TOGETHER; k++) search(&alone, k);
    for (int round = 0; round < 4; round++) {
        gbl_parallel(TOGETHER, search, &together);
        for (int k = 0; k < TOGETHER; k++) {
            CHECK_EQ(together.reached[k], alone.reached[k]);
            CHECK_EQ(together.levels[k], alone.levels[k]);
        }
    }
    OK(gbl_Global_get_INT64(GBL_GLOBAL, &after, GBL_BYTES_IN_USE));
    CHECK(after - before <= (int64_t)(THREADS * (9 * n + 4096)));
    OK(gbl_Global_set_INT32(GBL_GLOBAL, 0, GBL_NTHREADS));
    OK(gbl_Matrix_free(&alone.A));
}
