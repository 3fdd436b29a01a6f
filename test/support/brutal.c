/* SPDX-License-Identifier: Apache-2.0
 *
 * An allocator that counts its blocks and fails at one chosen call. The counters are atomic, but
 * "the n-th call" means the same thing twice only while one thread allocates.
 */
#include "support/gb_test.h"

#include <stdatomic.h>
#include <stdlib.h>

static atomic_llong until; /* calls until the failing one; 0: none */
static atomic_llong live;
static atomic_bool failed;
static atomic_size_t largest; /* larger requests fail; 0: none does */

void t_fail_at(int64_t n) {
    atomic_store(&failed, false);
    atomic_store(&until, n);
}

void t_refuse_above(size_t bytes) {
    atomic_store(&largest, bytes);
}

bool t_failed(void) {
    return atomic_load(&failed);
}

gbl_Info t_ended(const t_Check *check, gbl_Info info, bool *was_failed) {
    *was_failed = t_failed();
    t_fail_at(0);
    t_check_holds(check, info == GBL_SUCCESS || (*was_failed && info == GBL_OUT_OF_MEMORY));
    return info;
}

int64_t t_live(void) {
    return atomic_load(&live);
}

static bool must_fail(size_t bytes) {
    const size_t most = atomic_load(&largest);
    if (most > 0 && bytes > most) return true;
    if (atomic_load(&until) == 0 || atomic_fetch_sub(&until, 1) != 1) return false;
    atomic_store(&failed, true);
    return true;
}

void *t_malloc(size_t bytes) {
    if (must_fail(bytes)) return NULL;
    void *block = malloc(bytes > 0 ? bytes : 1);
    if (block != NULL) atomic_fetch_add(&live, 1);
    return block;
}

void *t_realloc(void *block, size_t bytes) {
    if (block == NULL) return t_malloc(bytes);
    if (must_fail(bytes)) return NULL;
    return realloc(block, bytes > 0 ? bytes : 1);
}

void t_free(void *block) {
    if (block == NULL) return;
    atomic_fetch_sub(&live, 1);
    free(block);
}

void t_brutal_setup(void) {
    t_expect_end();
    OK(gbl_init_with_allocator(GBL_NONBLOCKING, t_malloc, t_realloc, t_free));
    OK(gbl_Global_set_INT64(GBL_GLOBAL, 0, GBL_POOL_LIMIT));
    OK(gbl_Global_set_INT32(GBL_GLOBAL, 1, GBL_NTHREADS));
}

void t_brutal_teardown(void) {
    CHECK_EQ(t_blocks(), 0);
    OK(gbl_finalize());
    CHECK_EQ(t_live(), 0);
    t_end_reached();
}
