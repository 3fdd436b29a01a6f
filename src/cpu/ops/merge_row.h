/* SPDX-License-Identifier: Apache-2.0
 *
 * The inner loops of a merge: one row, or a part of one. Private to src/cpu/merge*.c.
 */
#ifndef GB_CPU_OPS_MERGE_ROW_H
#define GB_CPU_OPS_MERGE_ROW_H

#include "cpu/ops/merge_job.h"

/* Entries common to both parts of a row. */
uint64_t gb_merge_count(const gb_MergeJob *job, gb_RowPart part);
/* Writes the entries of a part of a row from position k of Z on, never at or after kend; returns
 * the position after the last. */
typedef uint64_t (*gb_merge_row)(const gb_MergeJob *job, gb_RowPart part, uint64_t k, uint64_t kend,
                                 gb_Matches *matches);
gb_merge_row gb_merge_row_for(gb_MergeMode mode, size_t zsize);

#endif
