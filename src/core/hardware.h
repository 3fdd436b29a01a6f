/* SPDX-License-Identifier: Apache-2.0
 *
 * How much memory this process may use at all: the least of what the machine has, of the limits of
 * its control groups and their parents (versions 1 and 2, also mixed), and of RLIMIT_AS and
 * RLIMIT_DATA. Memory that happens to be free now (MemAvailable) is left out on purpose: plans
 * follow from this number, and the same call must not be planned differently because another
 * process has grown. So it is asked for once, by gbl_init; later changes are not seen.
 */
#pragma once

#include <stddef.h>
#include <stdint.h>

/* Bytes that this process may use, at least GB_MEMORY_LEAST; 0 where nothing tells. */
uint64_t gb_system_memory(void);

/* The least limit of the control groups, UINT64_MAX when there is none. Reads proc/self/cgroup and
 * proc/self/mountinfo below the folder `root` ("" is the real one), then the files that these name,
 * below `root` too. What is missing or malformed limits nothing. */
uint64_t gb_cgroup_limit(const char *root);

/* -- caches ------------------------------------------------------------------------------------ */

/* Bytes of L2 cache that one thread may count on: what the system reports, or GB_CACHE_DEFAULT
 * where it reports nothing; at most GB_CACHE_MOST. */
size_t gb_cache_bytes(void);
/* Bytes of L1, L2 and L3 cache that one thread may count on. L3 is shared by cores: its size as
 * reported, as if no other thread used it, at most GB_CACHE_THIRD. */
void gb_cache_sizes(double bytes[3]);
/* Bytes of L3 cache as reported, whoever shares it; 0 where nothing is reported. */
size_t gb_shared_cache_bytes(void);

/* -- threads ----------------------------------------------------------------------------------- */

/* GBLITE_THREADS, or the first number of OMP_NUM_THREADS, which serves all libraries of a process;
 * else the processors that the calling thread may run on. At least 1. */
int gb_thread_count(void);

/* The first number of a list like "4,2"; 0 when there is none in [1, most]. */
int gb_first_number(const char *list, int most);
