/* SPDX-License-Identifier: Apache-2.0
 *
 * Scans and sorts of the ladder, at sizes around those of a thread's part, a tile and a block of
 * tiles.
 */
#include "cuda/cuda_test.h"
#include "cuda_on_cpu/ladder.h"

#include "core/tune_cuda.h"

CUDA_TEST(cuda_ladder, scans) {
    static const uint64_t sizes[] = {0, 1, 7, 8, 9, 2047, 2048, 2049, 5000, 524288, 530000};
    for (size_t k = 0; k < T_COUNT(sizes); k++) {
        t_case("%d values", (int)sizes[k]);
        cuda_seed(k);
        CHECK_EQ(ladder_scan(sizes[k], k), -1);
        CHECK_EQ(ladder_scan_in_place(sizes[k], k), -1);
    }
}

CUDA_TEST(cuda_ladder, sorts_by_a_warp) {
    for (int which = 0; which < LADDER_WARP_SORTS; which++)
        for (uint64_t seed = 0; seed < 10; seed++) {
            t_case("sort %d, seed %d", which, (int)seed);
            CHECK_EQ(ladder_warp_sort(which, seed), -1);
        }
}

CUDA_TEST(cuda_ladder, sorts_by_a_block) {
    static const unsigned sizes[] = {1, 2, 3, 63, 64, 65, 300, 1024, 1025};
    for (size_t k = 0; k < T_COUNT(sizes); k++) {
        t_case("%u keys", sizes[k]);
        cuda_seed(k);
        CHECK_EQ(ladder_block_sort(sizes[k], k), -1);
    }
}

/* A row has a thread for so many of its products, or as many threads as there are for any. */
CUDA_TEST(cuda_ladder, classes_have_threads_for_their_products) {
    static const unsigned values[] = {0, 1, 4, 8};
    t_Random r = t_random(23);
    for (int k = 0; k < 2000; k++) {
        const uint32_t width = 1 + (uint32_t)t_below(&r, UINT64_C(1) << (1 + t_below(&r, 24)));
        const uint64_t products = 1 + t_below(&r, UINT64_C(1) << (1 + t_below(&r, 26)));
        const uint64_t most = products < width ? products : width, size = 1 + t_below(&r, most);
        const unsigned value = values[t_below(&r, T_COUNT(values))];
        const int found = ladder_class(products, width, size, value);
        const unsigned threads = ladder_class_threads(found);
        t_case("%d products, %u columns: class %d", (int)products, width, found);
        CHECK(found >= 0);
        CHECK(threads == GB_CUDA_THREADS || products <= (uint64_t)GB_CUDA_SHARE * threads);
    }
}
