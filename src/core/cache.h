/* SPDX-License-Identifier: Apache-2.0
 *
 * What is known of the machine's caches.
 */
#ifndef GB_CORE_CACHE_H
#define GB_CORE_CACHE_H

#include <stddef.h>

/* Bytes of the second cache that one thread may count on: what the system says, or
 * GB_CACHE_DEFAULT where it says nothing; at most GB_CACHE_MOST. */
size_t gb_cache_bytes(void);
/* Bytes of the first, second and third cache that one thread may count on. The third is shared by
 * cores: what the system says, as if nobody else used it. */
void gb_cache_sizes(double bytes[3]);

#endif
