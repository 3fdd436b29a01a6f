/* SPDX-License-Identifier: Apache-2.0
 *
 * Trees joined by several threads, which write the same links at once; the result must be that of
 * one thread. Meant for ThreadSanitizer; exits 1 on a wrong result.
 */
#include "gblite.h"

#include <stdio.h>
#include <stdlib.h>

enum { N = 30000, EDGES = 2 * N, ROUNDS = 6 };

static void must(gbl_Info info) {
    if (info == GBL_SUCCESS) return;
    fprintf(stderr, "plain_join: %s\n", gbl_last_error());
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

int main(void) {
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
        fprintf(stderr, "plain_join: round %d has other roots than one thread\n", round);
        return 1;
    }
    gbl_Matrix_free(&A);
    gbl_Vector_free(&few);
    must(gbl_finalize());
    return 0;
}
