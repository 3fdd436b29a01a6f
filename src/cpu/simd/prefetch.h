/* SPDX-License-Identifier: Apache-2.0
 *
 * Prefetching rows of B before they are multiplied.
 */
#ifndef GB_CPU_SIMD_PREFETCH_H
#define GB_CPU_SIMD_PREFETCH_H

#include "kernel_api/backend.h"
#include "core/tune.h"

/* B's rows are at random positions: their pointers are prefetched 2 * GB_PREFETCH entries ahead,
 * their first entries GB_PREFETCH ahead. Always inlined, since gcc takes a function that only
 * prefetches for one without effect and drops the call. */
__attribute__((always_inline)) static inline void gb_prefetch_rows(const gb_MxmArgs *g, gb_Off p,
                                                                   bool values) {
    if (p + 2 * GB_PREFETCH >= g->A.nvals) return;
    __builtin_prefetch(&g->B.p[g->A.i[p + 2 * GB_PREFETCH]]);
    const gb_Off q = g->B.p[g->A.i[p + GB_PREFETCH]];
    __builtin_prefetch(&g->B.i[q]);
    if (values) __builtin_prefetch((const char *)g->args.Bx + q * g->args.bstride);
}

#endif
