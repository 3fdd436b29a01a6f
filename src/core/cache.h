/* SPDX-License-Identifier: Apache-2.0
 *
 * Sizes of the processor's caches.
 */
#ifndef GB_CORE_CACHE_H
#define GB_CORE_CACHE_H

#include <stddef.h>

/* Bytes of L2 cache that one thread may count on: what the system reports, or GB_CACHE_DEFAULT
 * where it reports nothing; at most GB_CACHE_MOST. */
size_t gb_cache_bytes(void);
/* Bytes of L1, L2 and L3 cache that one thread may count on. L3 is shared by cores: its size as
 * reported, as if no other thread used it, at most GB_CACHE_THIRD. */
void gb_cache_sizes(double bytes[3]);
/* Bytes of L3 cache as reported, whoever shares it; 0 where nothing is reported. */
size_t gb_shared_cache_bytes(void);

#endif
