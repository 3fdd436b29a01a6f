/* SPDX-License-Identifier: Apache-2.0
 *
 * Sorting networks (Batcher 1968, odd-even merge) for many short rows at once: lane l of v[0..n)
 * holds the keys of row l, and a comparator is one minimum and one maximum of whole vectors. So a
 * row of n keys costs about n log^2(n) / 32 instructions, and no branch depends on data.
 */
#ifndef GB_CPU_SIMD_NETWORK_H
#define GB_CPU_SIMD_NETWORK_H

#include "cpu/simd/isa.h"

/* Sorts each lane of v[0..n) ascending; n is 8, 16, 32 or 64. */
void GB_ISA_NAME(gb_sort_lanes32)(gb_Lanes32 *v, unsigned n);
/* Sorts each lane of v[0..64) ascending. */
void GB_ISA_NAME(gb_sort_lanes64)(gb_Lanes64 *v);

#endif
