/* SPDX-License-Identifier: Apache-2.0
 *
 * Sums over an array: of every tile, of the sums of the tiles by one block, and within every tile
 * once more. CUB's scan reads the array once instead of twice, but brings the C++ runtime with it,
 * on which users of the library would depend.
 */
#include "cuda/prim/arrays.cuh"

#include "cuda/prim/team.cuh"

enum { THREADS = 256, ITEMS = 8, TILE = THREADS * ITEMS };

/* The values of a thread's part of a tile, and their sum; 0 from n on. */
GB_DEVICE uint64_t load_part(const uint64_t *value, uint64_t n, uint64_t begin,
                             uint64_t part[ITEMS]) {
    uint64_t sum = 0;
    GB_UNROLL
    for (int k = 0; k < ITEMS; k++) {
        part[k] = begin + k < n ? value[begin + k] : 0;
        sum += part[k];
    }
    return sum;
}

/* The sums before each of them, `sum` before the first; sums[n] is all. */
GB_DEVICE void store_part(uint64_t *sums, uint64_t n, uint64_t begin, uint64_t sum,
                          const uint64_t part[ITEMS]) {
    GB_UNROLL
    for (int k = 0; k < ITEMS; k++) {
        if (begin + k < n) sums[begin + k] = sum;
        sum += part[k];
        if (begin + k + 1 == n) sums[n] = sum;
    }
}

__global__ void gb_sum_tiles(const uint64_t *value, uint64_t n, uint64_t *tile_sum) {
    GB_SHARED_ARRAY(uint64_t, scratch, GB_WARP + 1);
    const uint64_t tiles = (n + TILE - 1) / TILE;
    GB_EACH_BLOCK(t, tiles) {
        uint64_t part[ITEMS], total;
        const uint64_t sum = load_part(value, n, t * TILE + threadIdx.x * ITEMS, part);
        gb_block_scan<uint64_t>(scratch + 0, sum, &total);
        if (threadIdx.x == 0) tile_sum[t] = total;
    }
}

/* sums[n] is all; value and sums may be one array. */
__global__ void gb_scan_within(const uint64_t *value, uint64_t *sums, uint64_t n,
                               const uint64_t *tile_sum) {
    GB_SHARED_ARRAY(uint64_t, scratch, GB_WARP + 1);
    const uint64_t tiles = (n + TILE - 1) / TILE;
    GB_EACH_BLOCK(t, tiles) {
        uint64_t part[ITEMS], total;
        const uint64_t begin = t * TILE + threadIdx.x * ITEMS;
        const uint64_t mine = load_part(value, n, begin, part);
        const uint64_t sum = tile_sum[t] + gb_block_scan<uint64_t>(scratch + 0, mine, &total);
        store_part(sums, n, begin, sum, part);
    }
}

/* By one block: sums of tiles, and arrays for which it is faster than three launches. */
__global__ void gb_scan_few(const uint64_t *value, uint64_t *sums, uint64_t n) {
    GB_SHARED_ARRAY(uint64_t, scratch, GB_WARP + 1);
    uint64_t before = 0;
    for (uint64_t base = 0; base < n; base += TILE) {
        uint64_t part[ITEMS], total;
        const uint64_t begin = base + threadIdx.x * ITEMS;
        const uint64_t mine = load_part(value, n, begin, part);
        const uint64_t sum = before + gb_block_scan<uint64_t>(scratch + 0, mine, &total);
        store_part(sums, n, begin, sum, part);
        before += total;
    }
}

void gb_device_scan(gb_Job *job, const uint64_t *value, uint64_t *sums, uint64_t n) {
    const uint64_t tiles = n / TILE + (n % TILE != 0);
    if (n == 0) return gb_job_zero(job, sums, sizeof *sums);
    if (n <= GB_CUDA_ONE_SCAN) {
        GB_START(job, gb_scan_few, 1, THREADS, 0, value, sums, n);
        return;
    }
    uint64_t *tile_sum = gb_job_new<uint64_t>(job, tiles + 1);
    GB_START(job, gb_sum_tiles, gb_grid(n, TILE), THREADS, 0, value, n, tile_sum);
    GB_START(job, gb_scan_few, 1, THREADS, 0, tile_sum, tile_sum, tiles);
    GB_START(job, gb_scan_within, gb_grid(n, TILE), THREADS, 0, value, sums, n, tile_sum);
    gb_job_drop(job, tile_sum);
}
