// SPDX-License-Identifier: Apache-2.0
//
// The ladder on random arrays; see ladder.h.
#include "ladder.h"

#include "cuda/rowwise/rowwise.cuh"
#include "cuda/prim/team.cuh"
#include "cuda/prim/arrays.cuh"

#include <algorithm>
#include <random>
#include <vector>

namespace {

// Of so many bits each.
template <class T> std::vector<T> random_values(uint64_t n, uint64_t seed, unsigned bits) {
    std::mt19937_64 random(seed);
    std::vector<T> values(n);
    for (T &value : values) value = static_cast<T>(random() >> (64 - bits));
    return values;
}

int64_t scan(uint64_t n, uint64_t seed, bool in_place) {
    const std::vector<uint64_t> values = random_values<uint64_t>(n + 1, seed, 10);
    std::vector<uint64_t> sums(n + 1, 0);
    gb_Job job;
    gb_job_begin(&job);
    uint64_t *from = gb_job_new<uint64_t>(&job, n + 1);
    uint64_t *to = in_place ? from : gb_job_new<uint64_t>(&job, n + 1);
    gb_job_upload(&job, from, values.data(), (n + 1) * sizeof *from);
    gb_device_scan(&job, from, to, n);
    gb_job_download(&job, sums.data(), to, (n + 1) * sizeof *to);
    if (gb_job_end(&job) != GBL_SUCCESS) return 0;
    uint64_t sum = 0;
    for (uint64_t k = 0; k <= n; k++) {
        if (sums[k] != sum) return static_cast<int64_t>(k);
        sum += values[k];
    }
    return -1;
}

template <class Key, int LANES, int ITEMS> __global__ void sort_by_warp(Key *keys) {
    Key key[ITEMS];
    Key *mine = keys + threadIdx.x / LANES * (LANES * ITEMS);
    for (int r = 0; r < ITEMS; r++) key[r] = mine[r * LANES + threadIdx.x % LANES];
    gb_warp_sort<Key, LANES, ITEMS>(key);
    for (int r = 0; r < ITEMS; r++) mine[r * LANES + threadIdx.x % LANES] = key[r];
}

__global__ void sort_by_block(uint32_t *keys, unsigned n) {
    GB_SHARED_ARRAY(unsigned, scratch, GB_WARP + 1);
    const auto key = gb_shared_carve<unsigned>(0, n);
    const gb_BlockTeam team = {scratch + 0};
    for (unsigned k = threadIdx.x; k < n; k += blockDim.x) key[k] = keys[k];
    __syncthreads();
    gb_team_sort(team, key, n);
    for (unsigned k = threadIdx.x; k < n; k += blockDim.x) keys[k] = key[k];
}

template <class Key> int64_t difference(const std::vector<Key> &a, const std::vector<Key> &b) {
    for (size_t k = 0; k < a.size(); k++)
        if (a[k] != b[k]) return static_cast<int64_t>(k);
    return -1;
}

// Both halves of a warp of 16 lanes each sort keys of their own.
template <class Key, int LANES, int ITEMS> int64_t warp_sort(uint64_t seed) {
    const size_t n = LANES * ITEMS, groups = GB_WARP / LANES;
    std::vector<Key> keys = random_values<Key>(n * groups, seed, 8 * sizeof(Key));
    std::vector<Key> sorted = keys;
    for (size_t g = 0; g < groups; g++)
        std::sort(sorted.begin() + static_cast<long>(g * n),
                  sorted.begin() + static_cast<long>((g + 1) * n));
    gb_Job job;
    gb_job_begin(&job);
    Key *device = gb_job_new<Key>(&job, keys.size());
    gb_job_upload(&job, device, keys.data(), keys.size() * sizeof(Key));
    GB_START(&job, (sort_by_warp<Key, LANES, ITEMS>), 1, GB_WARP, 0, device);
    gb_job_download(&job, keys.data(), device, keys.size() * sizeof(Key));
    return gb_job_end(&job) == GBL_SUCCESS ? difference(keys, sorted) : 0;
}

} // namespace

int64_t ladder_scan(uint64_t n, uint64_t seed) {
    return scan(n, seed, false);
}

int64_t ladder_scan_in_place(uint64_t n, uint64_t seed) {
    return scan(n, seed, true);
}

int64_t ladder_warp_sort(int which, uint64_t seed) {
    switch (which) {
    case 0:
        return warp_sort<uint32_t, 16, 2>(seed);
    case 1:
        return warp_sort<uint32_t, 32, 2>(seed);
    case 2:
        return warp_sort<uint32_t, 32, 8>(seed);
    case 3:
        return warp_sort<uint64_t, 16, 2>(seed);
    case 4:
        return warp_sort<uint64_t, 32, 2>(seed);
    case 5:
        return warp_sort<uint32_t, 32, 4>(seed);
    case 6:
        return warp_sort<uint64_t, 32, 4>(seed);
    default:
        return warp_sort<uint64_t, 32, 8>(seed);
    }
}

int64_t ladder_block_sort(unsigned n, uint64_t seed) {
    std::vector<uint32_t> keys = random_values<uint32_t>(n, seed, 32);
    std::vector<uint32_t> sorted = keys;
    std::sort(sorted.begin(), sorted.end());
    gb_Job job;
    gb_job_begin(&job);
    uint32_t *device = gb_job_new<uint32_t>(&job, n);
    gb_job_upload(&job, device, keys.data(), n * sizeof *device);
    GB_START(&job, sort_by_block, 1, 64, n * sizeof *device, device, n);
    gb_job_download(&job, keys.data(), device, n * sizeof *device);
    return gb_job_end(&job) == GBL_SUCCESS ? difference(keys, sorted) : 0;
}

int ladder_class(uint64_t products, uint32_t width, uint64_t size, unsigned value_bytes) {
    gb_Classes classes = {};
    gb_Factors F = {};
    F.m = 1;
    F.n = width;
    gb_Job job;
    gb_job_begin(&job);
    uint64_t *facts = gb_job_new<uint64_t>(&job, 2);
    gb_Idx *columns = gb_job_new<gb_Idx>(&job, 2); // the first, and how many
    const uint64_t numbers[] = {products, size};
    const gb_Idx range[] = {0, width};
    gb_job_upload(&job, facts, numbers, sizeof numbers);
    gb_job_upload(&job, columns, range, sizeof range);
    const gb_ClassRules rules = {value_bytes, 0.0, 1.0, false, true, true, false, 0.0};
    gb_classes_make(&job, &classes, F, gb_RowFacts{facts, columns, columns + 1}, facts + 1, rules);
    gb_classes_read(&job, &classes, NULL);
    if (gb_job_end(&job) != GBL_SUCCESS) return -1;
    int found = -1;
    for (int c = 0; c < GB_CLASSES; c++)
        if (classes.begin[c + 1] > classes.begin[c]) found = c;
    return found;
}

unsigned ladder_class_threads(int row_class) {
    if (row_class >= GB_CLASS_HASH && row_class < GB_CLASS_DENSE)
        return gb_level_threads(row_class - GB_CLASS_HASH);
    if (row_class >= GB_CLASS_DENSE && row_class < GB_CLASS_BITMAP)
        return gb_level_threads(row_class - GB_CLASS_DENSE);
    const bool is_short = row_class == GB_CLASS_HASH_SHORT || row_class == GB_CLASS_DENSE_SHORT;
    return is_short ? GB_WARP : GB_CUDA_THREADS;
}
