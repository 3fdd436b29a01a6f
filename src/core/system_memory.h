/* SPDX-License-Identifier: Apache-2.0
 *
 * How much memory this process may use at all: the least of what the machine has, of the limits of
 * its control groups and their parents (versions 1 and 2, also mixed), and of RLIMIT_AS and
 * RLIMIT_DATA. Memory that happens to be free now (MemAvailable) is left out on purpose: plans
 * follow from this number, and the same call must not be planned differently because another
 * process has grown. So it is asked for once, by gbl_init; later changes are not seen.
 */
#ifndef GB_CORE_SYSTEM_MEMORY_H
#define GB_CORE_SYSTEM_MEMORY_H

#include <stdint.h>

/* Bytes that this process may use, at least GB_MEMORY_LEAST; 0 where nothing tells. */
uint64_t gb_system_memory(void);

/* The least limit of the control groups, UINT64_MAX when there is none. Reads proc/self/cgroup and
 * proc/self/mountinfo below the folder `root` ("" is the real one), then the files that these name,
 * below `root` too. What is missing or malformed limits nothing. */
uint64_t gb_cgroup_limit(const char *root);

#endif
