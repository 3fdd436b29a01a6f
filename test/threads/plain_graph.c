/* SPDX-License-Identifier: Apache-2.0
 *
 * Trees joined by several threads, which write the same links at once; the result must be that of
 * one thread. And many threads count the triangles of one graph at once, each with a team: the
 * first of them find that the pattern is symmetric, or lies below the diagonal, and make the graph
 * in the order of degrees, which the others read. Meant for ThreadSanitizer; exits 1 on a wrong
 * result.
 */
#include "gblite.h"

#include <pthread.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>

enum { N = 30000, EDGES = 2 * N, ROUNDS = 6 };

static void must(gbl_Info info) {
    if (info == GBL_SUCCESS) return;
    fprintf(stderr, "plain_graph: %s\n", gbl_last_error());
    exit(1);
}

static uint64_t next(uint64_t *state) {
    *state = *state * 6364136223846793005u + 1442695040888963407u;
    return *state >> 33;
}

/* The sum of roots: of a full forest, beside a mask that is a list and one that is a bitmap, and of
 * one that begins without entries. */
static uint64_t join(gbl_Matrix A, gbl_Vector few, int32_t threads) {
    gbl_Vector w = NULL, others = NULL;
    uint64_t sum[2];
    must(gbl_Global_set_INT32(GBL_GLOBAL, threads, GBL_NTHREADS));
    must(gbl_Vector_new(&w, GBL_UINT32, N));
    must(gbl_Vector_new(&others, GBL_UINT32, N));
    must(gbl_Vector_assign_UINT32(w, NULL, NULL, 0, GBL_ALL, N, NULL));
    must(gbl_Vector_apply_IndexOp_INT64(w, NULL, NULL, GBL_ROWINDEX_INT64, w, 0, NULL));
    must(gbl_Vector_join(w, NULL, A, 0, 1, NULL));
    must(gbl_Vector_join(w, few, A, 0, N, GBL_DESC_S));
    must(gbl_Vector_select_UINT32(others, NULL, NULL, GBL_VALUENE_UINT32, w, 0, NULL));
    must(gbl_Vector_join(w, others, A, 1, N, GBL_DESC_S));
    must(gbl_Vector_clear(others));
    must(gbl_Vector_join(others, NULL, A, 0, 2, GBL_DESC_T0));
    must(gbl_Vector_reduce_UINT64(&sum[0], NULL, GBL_PLUS_MONOID_UINT64, w, NULL));
    must(gbl_Vector_reduce_UINT64(&sum[1], NULL, GBL_PLUS_MONOID_UINT64, others, NULL));
    gbl_Vector_free(&w);
    gbl_Vector_free(&others);
    return sum[0] * N + sum[1];
}

static int join_all(void) {
    static gbl_Index I[EDGES], J[EDGES];
    static bool X[EDGES];
    uint64_t state = 7;
    gbl_Matrix A = NULL;
    gbl_Vector few = NULL;
    must(gbl_init(GBL_NONBLOCKING));
    for (int e = 0; e < EDGES; e++) {
        I[e] = next(&state) % N;
        J[e] = next(&state) % N;
        X[e] = true;
    }
    must(gbl_Matrix_new(&A, GBL_BOOL, N, N));
    must(gbl_Matrix_build_BOOL(A, I, J, X, EDGES, GBL_LOR));
    must(gbl_Vector_new(&few, GBL_BOOL, N));
    for (gbl_Index k = 0; k < N; k += 50) must(gbl_Vector_setElement_BOOL(few, false, k));
    const uint64_t expected = join(A, few, 1);
    for (int round = 0; round < ROUNDS; round++) {
        if (join(A, few, 4) == expected) continue;
        fprintf(stderr, "plain_graph: round %d has other roots than one thread\n", round);
        return 1;
    }
    gbl_Matrix_free(&A);
    gbl_Vector_free(&few);
    must(gbl_finalize());
    return 0;
}

/* -------------------------------------------------------------------------------- triangles -- */

enum { VERTICES = 700, THREADS = 4, CALLS = 3, GRAPHS = 4 };

static gbl_Matrix graph;
static int64_t right;
static pthread_barrier_t barrier;
static atomic_int wrong;

static bool edge[VERTICES][VERTICES];

/* Vertices of small numbers have most edges. */
static int64_t make_edges(uint64_t *state) {
    int64_t triangles = 0;
    for (int i = 0; i < VERTICES; i++)
        for (int j = 0; j < i; j++) edge[i][j] = next(state) % (8 + 2 * (uint64_t)j) < 8;
    for (int i = 0; i < VERTICES; i++)
        for (int j = 0; j < i; j++)
            for (int k = 0; edge[i][j] && k < j; k++) triangles += edge[i][k] && edge[j][k];
    return triangles;
}

static bool make_matrix(bool both_ways) {
    bool good = gbl_Matrix_new(&graph, GBL_BOOL, VERTICES, VERTICES) == GBL_SUCCESS;
    for (gbl_Index i = 0; i < VERTICES; i++)
        for (gbl_Index j = 0; j < i; j++) {
            if (!edge[i][j]) continue;
            good = good && gbl_Matrix_setElement_BOOL(graph, true, i, j) == GBL_SUCCESS;
            if (both_ways)
                good = good && gbl_Matrix_setElement_BOOL(graph, true, j, i) == GBL_SUCCESS;
        }
    return good;
}

static void *count(void *unused) {
    (void)unused;
    pthread_barrier_wait(&barrier);
    for (int call = 0; call < CALLS; call++) {
        int64_t sum = -1;
        const gbl_Info info =
            gbl_mxm_reduce_INT64(&sum, graph, NULL, GBL_PLUS_MONOID_INT64,
                                 GBL_PLUS_PAIR_SEMIRING_INT64, graph, graph, GBL_DESC_ST1);
        if (info != GBL_SUCCESS || sum != right) atomic_fetch_add(&wrong, 1);
    }
    return NULL;
}

static int count_all(void) {
    uint64_t state = 3;
    bool good = gbl_init(GBL_NONBLOCKING) == GBL_SUCCESS &&
                gbl_Global_set_INT32(GBL_GLOBAL, 2, GBL_NTHREADS) == GBL_SUCCESS;
    const int64_t triangles = make_edges(&state);
    pthread_barrier_init(&barrier, NULL, THREADS);
    for (int round = 0; good && round < GRAPHS; round++) {
        pthread_t thread[THREADS];
        right = round % 2 ? triangles : 6 * triangles;
        good = make_matrix(round % 2 == 0);
        for (int t = 0; t < THREADS; t++) pthread_create(&thread[t], NULL, count, NULL);
        for (int t = 0; t < THREADS; t++) pthread_join(thread[t], NULL);
        gbl_Matrix_free(&graph);
    }
    pthread_barrier_destroy(&barrier);
    gbl_finalize();
    if (!good || wrong > 0 || triangles == 0)
        fprintf(stderr, "plain_graph: %d counts are wrong (%s)\n", (int)wrong, gbl_last_error());
    return good && wrong == 0 && triangles > 0 ? 0 : 1;
}

int main(void) {
    return join_all() != 0 || count_all() != 0 ? EXIT_FAILURE : EXIT_SUCCESS;
}
