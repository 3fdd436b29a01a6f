/* SPDX-License-Identifier: Apache-2.0
 *
 * Number of threads; see thread_count.h.
 */
#define _GNU_SOURCE
#include "core/thread_count.h"

#include <sched.h>
#include <stddef.h>
#include <stdlib.h>
#include <unistd.h>

#include "core/parallel.h"

enum { PROCESSORS_MOST = 1 << 16 };

int gb_first_number(const char *list, int most) {
    while (*list == ' ' || *list == '\t') list++;
    if (*list < '0' || *list > '9') return 0;
    char *end;
    const unsigned long number = strtoul(list, &end, 10); /* ULONG_MAX when too large */
    while (*end == ' ' || *end == '\t') end++;
    if (*end != '\0' && *end != ',') return 0;
    return number <= (unsigned long)most ? (int)number : 0;
}

/* The kernel refuses sets that are too small for its processors. */
static int processors(void) {
    for (int room = 1024; room <= PROCESSORS_MOST; room *= 8) {
        cpu_set_t *set = CPU_ALLOC(room);
        if (set == NULL) break;
        const size_t bytes = CPU_ALLOC_SIZE(room);
        const int n = sched_getaffinity(0, bytes, set) == 0 ? CPU_COUNT_S(bytes, set) : 0;
        CPU_FREE(set);
        if (n > 0) return n;
    }
    const long n = sysconf(_SC_NPROCESSORS_ONLN);
    return n > 0 && n < PROCESSORS_MOST ? (int)n : 1;
}

int gb_thread_count(void) {
    const char *text = getenv("OMP_NUM_THREADS");
    const int asked = text != NULL ? gb_first_number(text, GB_THREADS_MOST) : 0;
    if (asked > 0) return asked;
    const int n = processors();
    return n < GB_THREADS_MOST ? n : GB_THREADS_MOST;
}
