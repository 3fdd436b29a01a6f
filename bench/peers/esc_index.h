/* SPDX-License-Identifier: Apache-2.0
 *
 * Index arithmetic of the ESC peer (peers/cub_esc.cu), for host and device: products are numbered
 * by entries of A, within one by entries of a row of B; a key is a row and a column of C, whose
 * order is that of C by rows.
 */
#pragma once

#include <stdint.h>

#ifdef __CUDACC__
#define ESC_INLINE static __host__ __device__ __forceinline__
#else
#define ESC_INLINE static inline
#endif

/* The last k < n with first[k] <= t, of ascending first[n], first[0] <= t: of equal ones, which
 * begin nothing, the last; so the entry that product t is of, and the row that entry t is in. */
ESC_INLINE uint64_t esc_owner(const uint64_t *first, uint64_t n, uint64_t t) {
    uint64_t low = 0, high = n; /* first[low] <= t, and first[high] > t or high == n */
    while (high - low > 1) {
        const uint64_t middle = low + (high - low) / 2;
        if (first[middle] <= t)
            low = middle;
        else
            high = middle;
    }
    return low;
}

/* Bits that hold 0 to n - 1. */
ESC_INLINE int esc_bits(uint64_t n) {
    int bits = 0;
    while (bits < 64 && n > (uint64_t)1 << bits) bits++;
    return bits;
}

ESC_INLINE uint64_t esc_key(uint64_t row, uint32_t column, int column_bits) {
    return row << column_bits | column;
}

ESC_INLINE uint32_t esc_column(uint64_t key, int column_bits) {
    return (uint32_t)(key & (((uint64_t)1 << column_bits) - 1));
}

/* Keys of rows before `row`, of n ascending ones: where that row of C begins. */
ESC_INLINE uint64_t esc_row_start(const uint64_t *key, uint64_t n, uint64_t row, int column_bits) {
    uint64_t low = 0, high = n;
    while (low < high) {
        const uint64_t middle = low + (high - low) / 2;
        if (key[middle] >> column_bits < row)
            low = middle + 1;
        else
            high = middle;
    }
    return low;
}
