/* SPDX-License-Identifier: Apache-2.0
 *
 * Threads. GB_PARALLEL_FOR runs the iterations of the loop that follows on n threads, handed out
 * one by one; without OpenMP the loop is serial. Results must not depend on who runs what.
 */
#ifndef GB_CORE_PARALLEL_H
#define GB_CORE_PARALLEL_H

#include <stdint.h>

#ifdef _OPENMP
#include <omp.h>
#define GB_PRAGMA(x) _Pragma(#x)
#define GB_PARALLEL_FOR(n) GB_PRAGMA(omp parallel for schedule(dynamic, 1) num_threads(n))
static inline int gb_thread_id(void) {
    return omp_get_thread_num();
}
#else
#define GB_PARALLEL_FOR(n) (void)(n);
static inline int gb_thread_id(void) {
    return 0;
}
#endif

/* part(context, t) for t in [0, n) on n threads. One thread needs no team: starting and ending it
 * would take 0.3 us, a tenth of a small product. */
static inline void gb_parallel(int n, void (*part)(void *context, int t), void *context) {
    if (n == 1) {
        part(context, 0);
        return;
    }
    GB_PARALLEL_FOR(n)
    for (int t = 0; t < n; t++) part(context, t);
}

/* Borders of part t of n: items [gb_part(t), gb_part(t + 1)). */
static inline uint64_t gb_part(uint64_t items, uint64_t t, uint64_t n) {
    return (uint64_t)(((unsigned __int128)items * t) / n);
}

/* Threads worth starting for work of so many units, at least `grain` units each. */
static inline int gb_threads_for(uint64_t units, uint64_t grain, int available) {
    const uint64_t useful = units / grain + 1;
    return useful < (uint64_t)available ? (int)useful : available;
}

#endif
