/* SPDX-License-Identifier: Apache-2.0
 *
 * Sizes of caches; see cache.h.
 */
#include "core/cache.h"

#include <unistd.h>

#include "core/tune.h"

size_t gb_cache_bytes(void) {
    long bytes = 0;
#ifdef _SC_LEVEL2_CACHE_SIZE
    bytes = sysconf(_SC_LEVEL2_CACHE_SIZE);
#endif
    const size_t found = bytes > 0 ? (size_t)bytes : GB_CACHE_DEFAULT;
    return found < GB_CACHE_MOST ? found : GB_CACHE_MOST;
}
