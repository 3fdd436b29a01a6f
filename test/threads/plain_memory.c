/* SPDX-License-Identifier: Apache-2.0
 *
 * Many threads make and free small objects while another reads what they take, and none is counted
 * afterwards, past the borders of the word that holds both numbers (core/memory.c). Then many
 * threads multiply, each its own matrices, while others empty the pool of freed blocks, change its
 * limit and read what it holds. Meant for ThreadSanitizer; exits 1, with a line that says why, when
 * a number or a result is wrong or a block was lost. Products: A is a circulant of bands of ones,
 * so every row of A * A has the same entries, and the sum over C is BANDS^2 per row. The sizes
 * differ between threads and change from round to round: some blocks are found in the pool, some
 * are not.
 */
#include "plain.h"

#include <pthread.h>
#include <stdlib.h>

enum { WORKERS = 4, OBJECTS = 20000, TURNS = 3 };

static atomic_int working;

static int64_t fact(gbl_Field field) {
    int64_t value = -1;
    check(gbl_Global_get_INT64(GBL_GLOBAL, &value, field) == GBL_SUCCESS, "a field was not read");
    return value;
}

static void *make_and_free(void *context) {
    gbl_Scalar *scalars = calloc(OBJECTS, sizeof *scalars);
    (void)context;
    for (int round = 0; round < TURNS; round++) {
        for (int k = 0; k < OBJECTS; k++)
            check(gbl_Scalar_new(&scalars[k], GBL_FP64) == GBL_SUCCESS, "no scalar was made");
        for (int k = 0; k < OBJECTS; k++) gbl_Scalar_free(&scalars[k]);
    }
    free(scalars);
    atomic_fetch_sub(&working, 1);
    return NULL;
}

/* most: bytes that all objects together have. */
static void watch(int64_t most) {
    while (atomic_load(&working) > 0) {
        const int64_t bytes = fact(GBL_BYTES_IN_USE);
        check(bytes >= 0 && bytes <= most, "there cannot be so many bytes");
        check(fact(GBL_BYTES_PEAK) <= most, "there cannot have been so many bytes");
    }
}

static int count(void) {
    pthread_t threads[WORKERS];
    gbl_Scalar one = NULL;
    if (gbl_init(GBL_NONBLOCKING) != GBL_SUCCESS) return 1;
    if (gbl_Scalar_new(&one, GBL_FP64) != GBL_SUCCESS) return 1;
    const int64_t most = fact(GBL_BYTES_IN_USE) * WORKERS * OBJECTS;
    gbl_Scalar_free(&one);
    atomic_store(&working, WORKERS);
    for (int k = 0; k < WORKERS; k++)
        if (pthread_create(&threads[k], NULL, make_and_free, NULL) != 0) return 1;
    watch(most);
    for (int k = 0; k < WORKERS; k++) pthread_join(threads[k], NULL);
    check(fact(GBL_BLOCKS_IN_USE) == 0, "blocks are left");
    check(fact(GBL_BYTES_IN_USE) == 0, "bytes are left");
    check(gbl_finalize() == GBL_SUCCESS, "gbl_finalize failed");
    return 0;
}

/* ------------------------------------------------------------------------------------- pool -- */

enum { TRIMMERS = 2, ROUNDS = 12, BANDS = 3, LEAST_SIDE = 12000 };

static gbl_Matrix circulant(gbl_Index side) {
    gbl_Index *I = malloc(side * BANDS * sizeof *I), *J = malloc(side * BANDS * sizeof *J);
    int64_t *X = malloc(side * BANDS * sizeof *X);
    gbl_Matrix A = NULL;
    for (gbl_Index k = 0; k < side * BANDS; k++) {
        I[k] = k / BANDS;
        J[k] = (k / BANDS + k % BANDS) % side;
        X[k] = 1;
    }
    gbl_Info info = gbl_Matrix_new(&A, GBL_INT64, side, side);
    if (info == GBL_SUCCESS) info = gbl_Matrix_build_INT64(A, I, J, X, side * BANDS, NULL);
    check(info == GBL_SUCCESS, "a matrix could not be built");
    free(I);
    free(J);
    free(X);
    return A;
}

static void multiply(gbl_Index side) {
    gbl_Matrix A = circulant(side), C = NULL;
    gbl_Index nvals = 0;
    int64_t sum = 0;
    bool good = gbl_Matrix_new(&C, GBL_INT64, side, side) == GBL_SUCCESS &&
                gbl_mxm(C, NULL, NULL, GBL_PLUS_TIMES_SEMIRING_INT64, A, A, NULL) == GBL_SUCCESS &&
                gbl_Matrix_nvals(&nvals, C) == GBL_SUCCESS &&
                gbl_Matrix_reduce_INT64(&sum, NULL, GBL_PLUS_MONOID_INT64, C, NULL) == GBL_SUCCESS;
    check(good, "a product failed");
    check(nvals == side * (2 * BANDS - 1) && sum == (int64_t)side * BANDS * BANDS,
          "a product is wrong");
    gbl_Matrix_free(&A);
    gbl_Matrix_free(&C);
}

static void *work(void *argument) {
    const gbl_Index number = (gbl_Index)(size_t)argument;
    for (gbl_Index round = 0; round < ROUNDS; round++)
        multiply(LEAST_SIDE + 5000 * ((number + round) % 3));
    atomic_fetch_sub(&working, 1);
    return NULL;
}

static void *trim(void *argument) {
    int64_t value = 0;
    for (uint64_t k = (uint64_t)(size_t)argument; atomic_load(&working) > 0; k++) {
        check(gbl_trim((k % 5) << 20) == GBL_SUCCESS, "the pool was not emptied");
        check(gbl_Global_set_INT64(GBL_GLOBAL, (int64_t)(k % 3) << 22, GBL_POOL_LIMIT) ==
                  GBL_SUCCESS,
              "the limit was not set");
        check(gbl_Global_get_INT64(GBL_GLOBAL, &value, GBL_POOL_BYTES) == GBL_SUCCESS &&
                  value >= 0 && value <= 2 << 22,
              "the pool holds more than it may");
        check(gbl_Global_get_INT64(GBL_GLOBAL, &value, GBL_BYTES_PEAK) == GBL_SUCCESS && value >= 0,
              "the peak was not read");
    }
    return NULL;
}

static atomic_llong live; /* blocks that the library has and the allocator gave */

static void *counted_malloc(size_t bytes) {
    void *block = malloc(bytes > 0 ? bytes : 1);
    if (block != NULL) atomic_fetch_add(&live, 1);
    return block;
}

static void counted_free(void *block) {
    if (block != NULL) atomic_fetch_sub(&live, 1);
    free(block);
}

static int pool(void) {
    pthread_t threads[WORKERS + TRIMMERS];
    if (gbl_init_with_allocator(GBL_NONBLOCKING, counted_malloc, NULL, counted_free) != GBL_SUCCESS)
        return 1;
    gbl_Global_set_INT32(GBL_GLOBAL, 3, GBL_NTHREADS);
    atomic_store(&working, WORKERS);
    for (size_t k = 0; k < WORKERS + TRIMMERS; k++) {
        if (pthread_create(&threads[k], NULL, k < WORKERS ? work : trim, (void *)k) != 0) return 1;
    }
    for (size_t k = 0; k < WORKERS + TRIMMERS; k++) pthread_join(threads[k], NULL);
    check(gbl_finalize() == GBL_SUCCESS, "gbl_finalize failed");
    check(atomic_load(&live) == 0, "blocks did not come back to the allocator");
    return 0;
}

int main(void) {
    return count() != 0 || pool() != 0 || atomic_load(&wrong) > 0 ? 1 : 0;
}
