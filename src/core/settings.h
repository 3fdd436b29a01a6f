/* SPDX-License-Identifier: Apache-2.0
 *
 * Changes the settings that core/context.h reads; only src/api does.
 */
#ifndef GB_CORE_SETTINGS_H
#define GB_CORE_SETTINGS_H

#include <stdbool.h>
#include <stdint.h>

#include "gblite.h"

void gb_context_start(bool blocking); /* all settings to their defaults */
void gb_context_stop(void);
void gb_set_nthreads(int n); /* 0: all processors */
void gb_set_memory_limit(uint64_t bytes);
/* The value of GBLITE_MEMORY_LIMIT: bytes, or a number followed by K, M or G; 0 when it is not set;
 * false when it is malformed. */
bool gb_read_memory_limit(uint64_t *bytes);
void gb_set_place(int place); /* gbl_Place */
void gb_set_orientation(gbl_Orientation hint);

#endif
