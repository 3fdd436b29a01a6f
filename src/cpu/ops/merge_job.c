/* SPDX-License-Identifier: Apache-2.0
 *
 * Combining the values of matches; see merge_job.h.
 */
#include "cpu/ops/merge_job.h"

#include "core/parallel.h"

void gb_merge_flush(const gb_MergeJob *job, gb_Matches *matches) {
    const uint64_t n = matches->n;
    if (n == 0) return;
    char *work = job->work + (size_t)gb_thread_id() * job->work_bytes;
    const gb_PairsAt at = {.x = matches->x, .y = matches->y};
    gb_scatter(job->Zx, matches->z, gb_pairs_combine(&job->pairs, work, at, n, NULL), job->zsize,
               n);
    matches->n = 0;
}
