/* SPDX-License-Identifier: Apache-2.0
 *
 * Lists of tiles by columns of tiles. Tiles are counted and put behind each other in no order; then
 * every list is sorted: by a warp's network up to COLUMN entries, longer ones by a block, which
 * sets a bit for each of their rows, window after window, and reads the bits off.
 */
#include "cuda/prim_block.cuh"
#include "cuda/prim_device.cuh"
#include "cuda/tiles.cuh"

enum { THREADS = 256, WARPS = THREADS / GB_WARP, ITEMS = 8, COLUMN = GB_WARP * ITEMS };

__global__ void gb_count_tile_columns(const gb_Idx *i, uint64_t n, unsigned long long *count) {
    for (uint64_t t = (uint64_t)blockIdx.x * blockDim.x + threadIdx.x; t < n;
         t += (uint64_t)gridDim.x * blockDim.x)
        atomicAdd(&count[i[t]], 1ull);
}

/* begin[J] moves to the end of list J. */
__global__ void gb_place_tile_columns(const gb_Idx *i, uint64_t n, unsigned long long *begin,
                                      gb_Idx *ids) {
    for (uint64_t t = (uint64_t)blockIdx.x * blockDim.x + threadIdx.x; t < n;
         t += (uint64_t)gridDim.x * blockDim.x)
        ids[atomicAdd(&begin[i[t]], 1ull)] = (gb_Idx)t;
}

struct gb_ColumnLists {
    const gb_Off *cp;
    uint64_t columns, rows;
    const gb_Idx *ids;    /* lists in no order */
    const gb_Idx *row_of; /* of each tile */
    const gb_Off *p;      /* the tiles by rows */
    const gb_Idx *i;
    gb_Idx *crow, *ctile; /* lists in order */
    gb_Idx *longs;        /* [columns] those that a warp does not sort */
    unsigned *nlongs;
};

template <int COUNT>
static __device__ __forceinline__ void sort_list(const gb_ColumnLists &L, gb_Off begin,
                                                 unsigned n) {
    uint32_t key[COUNT];
    for (int k = 0; k < COUNT; k++) {
        const unsigned e = (unsigned)k * GB_WARP + gb_lane();
        key[k] = e < n ? L.ids[begin + e] : GB_NO_TILE;
    }
    gb_warp_sort<uint32_t, GB_WARP, COUNT>(key);
    for (int k = 0; k < COUNT; k++) {
        const unsigned e = (unsigned)k * GB_WARP + gb_lane();
        if (e >= n) continue;
        L.ctile[begin + e] = key[k];
        L.crow[begin + e] = L.row_of[key[k]];
    }
}

__global__ void gb_sort_tile_columns(gb_ColumnLists L) {
    for (uint64_t J = (uint64_t)blockIdx.x * WARPS + threadIdx.x / GB_WARP; J < L.columns;
         J += (uint64_t)gridDim.x * WARPS) {
        const gb_Off begin = L.cp[J], n = L.cp[J + 1] - begin;
        if (n > COLUMN) {
            if (gb_lane() == 0) L.longs[atomicAdd(L.nlongs, 1u)] = (gb_Idx)J;
        } else if (n > GB_WARP) {
            sort_list<ITEMS>(L, begin, (unsigned)n);
        } else if (n > 0) {
            sort_list<1>(L, begin, (unsigned)n);
        }
    }
}

/* The rows of the window's bits to the list from `at` on; returns the place behind them. */
static __device__ gb_Off read_bits(const gb_ColumnLists &L, gb_shared<unsigned> bits,
                                   gb_shared<unsigned> scratch, uint64_t J, uint64_t base,
                                   gb_Off at) {
    for (unsigned first = 0; first < GB_CUDA_TILE_WINDOW; first += THREADS) {
        const unsigned w = first + threadIdx.x;
        unsigned word = w < GB_CUDA_TILE_WINDOW ? (unsigned)bits[w] : 0u, total;
        gb_Off place = at + gb_block_scan<unsigned>(scratch, (unsigned)__popc(word), &total);
        for (; word != 0; word &= word - 1, place++) {
            const uint64_t K = base + 32 * w + (unsigned)__ffs((int)word) - 1;
            L.crow[place] = (gb_Idx)K;
            L.ctile[place] = (gb_Idx)gb_tile_search(L.i, L.p[K], L.p[K + 1], (gb_Idx)J);
        }
        at += total;
    }
    return at;
}

__global__ void gb_sort_long_tile_columns(gb_ColumnLists L) {
    GB_SHARED_ARRAY(unsigned, bits, GB_CUDA_TILE_WINDOW);
    GB_SHARED_ARRAY(unsigned, scratch, GB_WARP + 1);
    const unsigned n = *L.nlongs;
    for (unsigned l = blockIdx.x; l < n; l += gridDim.x) {
        const uint64_t J = L.longs[l];
        gb_Off at = L.cp[J];
        for (uint64_t base = 0; base < L.rows; base += 32 * GB_CUDA_TILE_WINDOW) {
            for (unsigned w = threadIdx.x; w < GB_CUDA_TILE_WINDOW; w += THREADS) bits[w] = 0u;
            __syncthreads();
            for (gb_Off e = L.cp[J] + threadIdx.x; e < L.cp[J + 1]; e += THREADS) {
                const uint64_t K = L.row_of[L.ids[e]];
                if (K >= base && K - base < 32 * GB_CUDA_TILE_WINDOW)
                    atomicOr(&bits[(K - base) / 32], 1u << (K - base) % 32);
            }
            __syncthreads();
            at = read_bits(L, bits + 0, scratch + 0, J, base, at);
            __syncthreads(); /* the bits may be cleared */
        }
    }
}

static void sort_lists(gb_Job *job, gb_ColumnLists L) {
    L.longs = gb_job_new<gb_Idx>(job, L.columns);
    L.nlongs = gb_job_new<unsigned>(job, 1);
    gb_job_zero(job, L.nlongs, sizeof *L.nlongs);
    GB_START(job, gb_sort_tile_columns, gb_grid(L.columns, WARPS), THREADS, 0, L);
    GB_START(job, gb_sort_long_tile_columns, gb_grid((uint64_t)job->multiprocessors * 4, 1),
             THREADS, 0, L);
    gb_job_drop(job, L.longs);
    gb_job_drop(job, L.nlongs);
}

void gb_tiles_list_columns(gb_Job *job, gb_DeviceTiles *T) {
    const uint64_t columns = T->columns;
    const unsigned grid = gb_grid(T->n, THREADS);
    gb_Off *cp =
        (gb_Off *)gb_job_bytes(job, (columns + 1) * sizeof *cp + 2 * T->n * sizeof(gb_Idx), 1);
    gb_Idx *crow = (gb_Idx *)(cp + columns + 1), *ctile = crow + T->n;
    unsigned long long *begin = gb_job_new<unsigned long long>(job, columns + 1);
    gb_Idx *ids = gb_job_new<gb_Idx>(job, T->n), *row_of = gb_job_new<gb_Idx>(job, T->n);
    gb_job_zero(job, begin, (columns + 1) * sizeof *begin);
    GB_START(job, gb_count_tile_columns, grid, THREADS, 0, T->i, T->n, begin);
    gb_device_scan(job, (const uint64_t *)begin, cp, columns);
    if (job->info == GBL_SUCCESS)
        gb_job_check(
            job,
            cudaMemcpyAsync(begin, cp, columns * sizeof *cp, cudaMemcpyDeviceToDevice, job->stream),
            "a copy");
    GB_START(job, gb_place_tile_columns, grid, THREADS, 0, T->i, T->n, begin, ids);
    gb_tile_rows(job, T->p, T->rows, row_of);
    sort_lists(job, gb_ColumnLists{cp, columns, T->rows, ids, row_of, T->p, T->i, crow, ctile, NULL,
                                   NULL});
    gb_job_drop(job, begin);
    gb_job_drop(job, ids);
    gb_job_drop(job, row_of);
    if (job->info != GBL_SUCCESS) return;
    T->cp = cp;
    T->crow = crow;
    T->ctile = ctile;
    T->columns_block = cp;
    T->columns_bytes = gb_job_keep(job, cp);
}
