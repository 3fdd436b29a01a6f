/* SPDX-License-Identifier: Apache-2.0
 *
 * Rows that were computed in another order, back in their own.
 */
#ifndef GB_CPU_COMMON_UNGROUP_H
#define GB_CPU_COMMON_UNGROUP_H

#include "core/arrays.h"

/* Row order[k] of T is row k of `from`, whose values have `size` bytes each; order is a permutation
 * of the rows. T is sorted if `from` is. Cost: every entry is read and written once. */
gbl_Info gb_ungroup(const gb_Cs *from, const gb_Idx *order, gb_Cs *T, size_t size, int nthreads);

#endif
