/* SPDX-License-Identifier: Apache-2.0
 *
 * The ladder, middle rung: sorting by a block. Apart from the rest, since reading CUB takes nvcc as
 * long as most files of this folder take otherwise.
 */
#ifndef GB_CUDA_PRIM_SORT_CUH
#define GB_CUDA_PRIM_SORT_CUH

#include "cuda/device/portable.cuh"

#ifdef GB_CUDA_ON_CPU
#include <prim_on_cpu.h>
#else
#include <cub/block/block_radix_sort.cuh>
#endif

/* Sorts THREADS * ITEMS keys by bits [from, to) in dynamic shared memory of the block; before,
 * thread t holds keys t * ITEMS and on, after it t, t + THREADS and so on. */
template <class Key, int THREADS, int ITEMS> struct gb_BlockSort {
#ifdef GB_CUDA_ON_CPU
    static size_t bytes() {
        return sizeof(Key) * THREADS * ITEMS;
    }
    static void sort(Key (&key)[ITEMS], int from, int to) {
        cuda_on_cpu_block_sort<Key, THREADS, ITEMS>(key, from, to);
    }
#else
    typedef cub::BlockRadixSort<Key, THREADS, ITEMS> Sort;
    static __host__ __device__ constexpr size_t bytes() {
        return sizeof(typename Sort::TempStorage);
    }
    GB_DEVICE void sort(Key (&key)[ITEMS], int from, int to) {
        auto *storage = reinterpret_cast<typename Sort::TempStorage *>(
            gb_shared_carve<unsigned char>(0, bytes()));
        Sort(*storage).SortBlockedToStriped(key, from, to);
    }
#endif
};

#endif
