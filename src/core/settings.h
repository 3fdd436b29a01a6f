/* SPDX-License-Identifier: Apache-2.0
 *
 * The writing side of core/context.h; only src/api uses it.
 */
#ifndef GB_CORE_SETTINGS_H
#define GB_CORE_SETTINGS_H

#include <stdbool.h>
#include <stdint.h>

void gb_context_start(bool blocking); /* all settings to their defaults */
void gb_context_stop(void);
void gb_set_nthreads(int n); /* 0: all processors */
void gb_set_memory_limit(uint64_t bytes);
/* What GBLITE_MEMORY_LIMIT says: bytes, or with K, M or G behind; 0 without it; false: nonsense. */
bool gb_read_memory_limit(uint64_t *bytes);
void gb_set_place(int place); /* gbl_Place */

#endif
