/* SPDX-License-Identifier: Apache-2.0
 *
 * The ladder, top rung: what the whole device does with an array.
 */
#ifndef GB_CUDA_PRIM_DEVICE_CUH
#define GB_CUDA_PRIM_DEVICE_CUH

#include "cuda/device/job.cuh"

/* sums[k] = value[0] + ... + value[k - 1], for k = 0 .. n; value and sums may be the same array of
 * n + 1, whose last value does not matter. */
void gb_device_scan(gb_Job *job, const uint64_t *value, uint64_t *sums, uint64_t n);

#endif
