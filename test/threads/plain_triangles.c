/* SPDX-License-Identifier: Apache-2.0
 *
 * Many threads count the triangles of one graph at once, each with a team: the first of them find
 * that the pattern is symmetric, or lies below the diagonal, and make the graph in the order of
 * degrees, which the others read. Meant for ThreadSanitizer; exits 1 on a wrong result.
 */
#include "gblite.h"

#include <pthread.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>

enum { N = 700, THREADS = 4, CALLS = 3, ROUNDS = 4 };

static gbl_Matrix A;
static int64_t expected;
static pthread_barrier_t barrier;
static atomic_int wrong;

static bool edge[N][N];

static uint64_t next(uint64_t *state) {
    *state = *state * 6364136223846793005u + 1442695040888963407u;
    return *state >> 33;
}

/* Vertices of small numbers have most edges. */
static int64_t make_edges(uint64_t *state) {
    int64_t triangles = 0;
    for (int i = 0; i < N; i++)
        for (int j = 0; j < i; j++) edge[i][j] = next(state) % (8 + 2 * (uint64_t)j) < 8;
    for (int i = 0; i < N; i++)
        for (int j = 0; j < i; j++)
            for (int k = 0; edge[i][j] && k < j; k++) triangles += edge[i][k] && edge[j][k];
    return triangles;
}

static bool make_matrix(bool both_ways) {
    bool good = gbl_Matrix_new(&A, GBL_BOOL, N, N) == GBL_SUCCESS;
    for (gbl_Index i = 0; i < N; i++)
        for (gbl_Index j = 0; j < i; j++) {
            if (!edge[i][j]) continue;
            good = good && gbl_Matrix_setElement_BOOL(A, true, i, j) == GBL_SUCCESS;
            if (both_ways) good = good && gbl_Matrix_setElement_BOOL(A, true, j, i) == GBL_SUCCESS;
        }
    return good;
}

static void *count(void *unused) {
    (void)unused;
    pthread_barrier_wait(&barrier);
    for (int call = 0; call < CALLS; call++) {
        int64_t sum = -1;
        const gbl_Info info = gbl_mxm_reduce_INT64(
            &sum, A, NULL, GBL_PLUS_MONOID_INT64, GBL_PLUS_PAIR_SEMIRING_INT64, A, A, GBL_DESC_ST1);
        if (info != GBL_SUCCESS || sum != expected) atomic_fetch_add(&wrong, 1);
    }
    return NULL;
}

int main(void) {
    uint64_t state = 3;
    bool good = gbl_init(GBL_NONBLOCKING) == GBL_SUCCESS &&
                gbl_Global_set_INT32(GBL_GLOBAL, 2, GBL_NTHREADS) == GBL_SUCCESS;
    const int64_t triangles = make_edges(&state);
    pthread_barrier_init(&barrier, NULL, THREADS);
    for (int round = 0; good && round < ROUNDS; round++) {
        pthread_t thread[THREADS];
        expected = round % 2 ? triangles : 6 * triangles;
        good = make_matrix(round % 2 == 0);
        for (int t = 0; t < THREADS; t++) pthread_create(&thread[t], NULL, count, NULL);
        for (int t = 0; t < THREADS; t++) pthread_join(thread[t], NULL);
        gbl_Matrix_free(&A);
    }
    pthread_barrier_destroy(&barrier);
    gbl_finalize();
    if (!good || wrong > 0 || triangles == 0)
        fprintf(stderr, "plain_triangles: %d counts are wrong (%s)\n", (int)wrong,
                gbl_last_error());
    return good && wrong == 0 && triangles > 0 ? EXIT_SUCCESS : EXIT_FAILURE;
}
