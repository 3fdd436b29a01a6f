/* SPDX-License-Identifier: Apache-2.0
 *
 * Stands in for the parts of CUB that the library's ladder (src/cuda/prim) is built on: the
 * same results, with the same meetings of threads.
 */
#ifndef CUDA_ON_CPU_PRIM_ON_CPU_H
#define CUDA_ON_CPU_PRIM_ON_CPU_H

#include <algorithm>
#include <cstdint>
#include <vector>

#include "cuda_runtime.h"

template <class Key, int THREADS, int ITEMS>
static void cuda_on_cpu_block_sort(Key (&key)[ITEMS], int from, int to) {
    const size_t n = static_cast<size_t>(THREADS) * ITEMS;
    const gb_shared<Key> all = gb_shared_carve<Key>(0, n);
    if (blockDim.x != THREADS) cuda_on_cpu::fail("a sort by %d threads", THREADS);
    for (int r = 0; r < ITEMS; r++) all[static_cast<int>(threadIdx.x) * ITEMS + r] = key[r];
    __syncthreads();
    if (threadIdx.x == 0) {
        std::vector<Key> sorted(n);
        const int bits = static_cast<int>(sizeof(Key)) * 8;
        const Key mask = to - from >= bits ? ~Key(0) : ((Key(1) << (to - from)) - 1);
        for (size_t k = 0; k < n; k++) sorted[k] = all[static_cast<long long>(k)];
        std::stable_sort(sorted.begin(), sorted.end(),
                         [=](Key a, Key b) { return (a >> from & mask) < (b >> from & mask); });
        for (size_t k = 0; k < n; k++) all[static_cast<long long>(k)] = sorted[k];
    }
    __syncthreads();
    for (int r = 0; r < ITEMS; r++) key[r] = all[static_cast<int>(threadIdx.x) + r * THREADS];
    __syncthreads();
}

#endif
