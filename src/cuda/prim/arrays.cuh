/* SPDX-License-Identifier: Apache-2.0
 *
 * Arrays in device memory: searches in sorted ones, and values that are moved by their size alone.
 */
#ifndef GB_CUDA_PRIM_ARRAYS_CUH
#define GB_CUDA_PRIM_ARRAYS_CUH

#include "cuda/device/job.cuh"

/* prim/scan.cu: sums[k] = value[0] + ... + value[k - 1], for k = 0 .. n; value and sums may be the
 * same array of n + 1, whose last value does not matter. */
void gb_device_scan(gb_Job *job, const uint64_t *value, uint64_t *sums, uint64_t n);

/* The first of [low, high) whose value is not below `wanted`; high if none. */
template <class T>
GB_DEVICE uint64_t gb_lower_bound(const T *sorted, uint64_t low, uint64_t high, T wanted) {
    while (low < high) {
        const uint64_t mid = low + (high - low) / 2;
        if (sorted[mid] < wanted)
            low = mid + 1;
        else
            high = mid;
    }
    return low;
}

/* The last of [low, high) that begins at k or before, begins[low] <= k. */
GB_DEVICE uint64_t gb_interval_of(const uint64_t *begins, uint64_t low, uint64_t high, uint64_t k) {
    while (high - low > 1) {
        const uint64_t mid = low + (high - low) / 2;
        if (begins[mid] <= k)
            low = mid;
        else
            high = mid;
    }
    return low;
}

/* to[at] = from[k], values of any size. */
GB_DEVICE void gb_move_value(void *to, uint64_t at, const void *from, uint64_t k, size_t size) {
    if (size % 8 == 0)
        for (size_t w = 0; w < size / 8; w++)
            static_cast<uint64_t *>(to)[at * (size / 8) + w] =
                static_cast<const uint64_t *>(from)[k * (size / 8) + w];
    else if (size == 4)
        static_cast<uint32_t *>(to)[at] = static_cast<const uint32_t *>(from)[k];
    else
        for (size_t b = 0; b < size; b++)
            static_cast<uint8_t *>(to)[at * size + b] =
                static_cast<const uint8_t *>(from)[k * size + b];
}

/* Calls visit(T()) with the unsigned T of 1, 2, 4 or 8 bytes; on the host. */
template <class Visit> static inline void gb_by_size(size_t size, Visit visit) {
    if (size == 1)
        visit(uint8_t());
    else if (size == 2)
        visit(uint16_t());
    else if (size == 4)
        visit(uint32_t());
    else
        visit(uint64_t());
}

#endif
