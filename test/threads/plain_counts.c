/* SPDX-License-Identifier: Apache-2.0
 *
 * Many threads make and free small objects while another reads how many there are and what they
 * take, past the borders of the word that holds both numbers (core/memory.c). Meant for
 * ThreadSanitizer; exits 1, with a line that says why, when a number is impossible or wrong.
 */
#include "gblite.h"

#include <pthread.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>

enum { WORKERS = 4, OBJECTS = 20000, ROUNDS = 3 };

static atomic_int wrong, working;

static void check(bool good, const char *what) {
    if (good) return;
    atomic_fetch_add(&wrong, 1);
    fprintf(stderr, "%s (%s)\n", what, gbl_last_error());
}

static int64_t fact(gbl_Field field) {
    int64_t value = -1;
    check(gbl_Global_get_INT64(GBL_GLOBAL, &value, field) == GBL_SUCCESS, "a field was not read");
    return value;
}

static void *work(void *context) {
    gbl_Scalar *scalars = calloc(OBJECTS, sizeof *scalars);
    (void)context;
    for (int round = 0; round < ROUNDS; round++) {
        for (int k = 0; k < OBJECTS; k++)
            check(gbl_Scalar_new(&scalars[k], GBL_FP64) == GBL_SUCCESS, "no scalar was made");
        for (int k = 0; k < OBJECTS; k++) gbl_Scalar_free(&scalars[k]);
    }
    free(scalars);
    atomic_fetch_sub(&working, 1);
    return NULL;
}

/* most: blocks and bytes that all objects together have. */
static void watch(const int64_t most[2]) {
    while (atomic_load(&working) > 0) {
        const int64_t blocks = fact(GBL_BLOCKS_IN_USE), bytes = fact(GBL_BYTES_IN_USE);
        check(blocks >= 0 && blocks <= most[0], "there cannot be so many blocks");
        check(bytes >= 0 && bytes <= most[1], "there cannot be so many bytes");
        check(fact(GBL_BYTES_PEAK) <= most[1], "there cannot have been so many bytes");
    }
}

int main(void) {
    pthread_t threads[WORKERS];
    gbl_Scalar one = NULL;
    if (gbl_init(GBL_NONBLOCKING) != GBL_SUCCESS) return 1;
    if (gbl_Scalar_new(&one, GBL_FP64) != GBL_SUCCESS) return 1;
    const int64_t most[2] = {fact(GBL_BLOCKS_IN_USE) * WORKERS * OBJECTS,
                             fact(GBL_BYTES_IN_USE) * WORKERS * OBJECTS};
    gbl_Scalar_free(&one);
    atomic_store(&working, WORKERS);
    for (int k = 0; k < WORKERS; k++)
        if (pthread_create(&threads[k], NULL, work, NULL) != 0) return 1;
    watch(most);
    for (int k = 0; k < WORKERS; k++) pthread_join(threads[k], NULL);
    check(fact(GBL_BLOCKS_IN_USE) == 0, "blocks are left");
    check(fact(GBL_BYTES_IN_USE) == 0, "bytes are left");
    check(gbl_finalize() == GBL_SUCCESS, "gbl_finalize failed");
    return atomic_load(&wrong) > 0 ? 1 : 0;
}
