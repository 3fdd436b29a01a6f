/* SPDX-License-Identifier: Apache-2.0
 *
 * Sizes of caches; see cache.h.
 */
#include "core/cache.h"

#include <unistd.h>

#include "core/tune.h"
#include "core/tune_host.h"

size_t gb_cache_bytes(void) {
    long bytes = 0;
#ifdef _SC_LEVEL2_CACHE_SIZE
    bytes = sysconf(_SC_LEVEL2_CACHE_SIZE);
#endif
    const size_t found = bytes > 0 ? (size_t)bytes : GB_CACHE_DEFAULT;
    return found < GB_CACHE_MOST ? found : GB_CACHE_MOST;
}

size_t gb_shared_cache_bytes(void) {
    long bytes = 0;
#ifdef _SC_LEVEL3_CACHE_SIZE
    bytes = sysconf(_SC_LEVEL3_CACHE_SIZE);
#endif
    return bytes > 0 ? (size_t)bytes : 0;
}

void gb_cache_sizes(double bytes[3]) {
    long first = 0;
#ifdef _SC_LEVEL1_DCACHE_SIZE
    first = sysconf(_SC_LEVEL1_DCACHE_SIZE);
#endif
    const double third = (double)gb_shared_cache_bytes();
    bytes[0] = first > 0 ? (double)first : (double)GB_CACHE_FIRST;
    bytes[1] = (double)gb_cache_bytes();
    const double most = (double)GB_CACHE_THIRD;
    bytes[2] = third > 0.0 && third < most ? third : most;
}
