/* SPDX-License-Identifier: Apache-2.0
 *
 * Merging two sorted compressed views of the same shape: union, intersection, and filtering by a
 * pattern. What the entries mean is in kernel_api/backend.h.
 */
#ifndef GB_CPU_OPS_MERGE_H
#define GB_CPU_OPS_MERGE_H

#include "kernel_api/backend.h"

gbl_Info gb_cpu_unite(const gb_MergeArgs *args, gb_Cs *Z);
gbl_Info gb_cpu_intersect(const gb_MergeArgs *args, gb_Cs *Z);
gbl_Info gb_cpu_filter(const gb_CsView *A, const gb_CsView *M, bool inside, gb_Cs *Z, int nthreads);

#endif
