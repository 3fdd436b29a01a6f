/* SPDX-License-Identifier: Apache-2.0
 *
 * Counts the items of loops that threads may share: the program has functions of its own in the
 * place of the library's, which has one thread.
 */
#define _GNU_SOURCE
#include "support/gb_test.h"

#include <dlfcn.h>

static int64_t passed; /* items of all loops */

typedef void Range(void *context, uint64_t from, uint64_t to);
typedef void Ranges(int threads, uint64_t items, Range *range, void *context);
typedef gbl_Info TryRanges(int threads, uint64_t items, Range *range, void *context);
Ranges gb_parallel_ranges, gb_parallel_items;
TryRanges gb_parallel_try_ranges, gb_parallel_try_items;

void gb_parallel_ranges(int threads, uint64_t items, Range *range, void *context) {
    static Ranges *real;
    if (real == NULL) *(void **)&real = dlsym(RTLD_NEXT, "gb_parallel_ranges");
    passed += (int64_t)items;
    real(threads, items, range, context);
}

gbl_Info gb_parallel_try_ranges(int threads, uint64_t items, Range *range, void *context) {
    static TryRanges *real;
    if (real == NULL) *(void **)&real = dlsym(RTLD_NEXT, "gb_parallel_try_ranges");
    passed += (int64_t)items;
    return real(threads, items, range, context);
}

void gb_parallel_items(int available, uint64_t items, Range *range, void *context) {
    static Ranges *real;
    if (real == NULL) *(void **)&real = dlsym(RTLD_NEXT, "gb_parallel_items");
    passed += (int64_t)items;
    real(available, items, range, context);
}

gbl_Info gb_parallel_try_items(int available, uint64_t items, Range *range, void *context) {
    static TryRanges *real;
    if (real == NULL) *(void **)&real = dlsym(RTLD_NEXT, "gb_parallel_try_items");
    passed += (int64_t)items;
    return real(available, items, range, context);
}

/* Bytes that calls ask for and items that they pass over. */
typedef struct {
    int64_t bytes, items;
} Cost;
