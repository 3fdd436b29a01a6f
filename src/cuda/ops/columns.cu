/* SPDX-License-Identifier: Apache-2.0
 *
 * The columns of a matrix of sorted rows, or of tiles: lists of rows in ascending order; and with
 * them transposed matrices. Entries are counted and appended in no order; then every list is
 * sorted: by a warp's network up to COLUMN entries, longer ones by a block, which sets a bit for
 * each of their rows, window after window, and reads the bits off.
 */
#include "cuda/ops/entries.cuh"
#include "cuda/device/state.cuh"

enum { THREADS = 256, WARPS = THREADS / GB_WARP, ITEMS = 8, COLUMN = GB_WARP * ITEMS };
#define GB_NO_ENTRY 0xffffffffu /* behind the last number of an entry */

__global__ void gb_count_columns(const gb_Idx *i, uint64_t n, unsigned long long *count) {
    GB_EACH_THREAD(t, n) atomicAdd(&count[i[t]], 1ull);
}

/* begin[J] moves to the end of list J. */
__global__ void gb_place_columns(const gb_Idx *i, uint64_t n, unsigned long long *begin,
                                 gb_Idx *ids) {
    GB_EACH_THREAD(t, n) ids[atomicAdd(&begin[i[t]], 1ull)] = (gb_Idx)t;
}

__global__ void gb_number_rows(gb_Pattern A, gb_Idx *row_of) {
    uint64_t row = 0;
    GB_EACH_THREAD(k, A.n) {
        row = gb_row_of(A, row, k);
        row_of[k] = (gb_Idx)row;
    }
}

void gb_entry_rows(gb_Job *job, const gb_Pattern &A, gb_Idx *row_of) {
    GB_START_THREADS(job, A.n, gb_number_rows, A, row_of);
}

struct gb_ColumnLists {
    const gb_Off *cp;
    uint64_t columns, rows;
    const gb_Idx *ids;        /* unsorted */
    const gb_Idx *row_of;     /* of each entry */
    gb_Pattern at;            /* by rows */
    gb_Idx *crow, *cposition; /* sorted */
    gb_Idx *longs;            /* [columns] those that a warp does not sort */
    unsigned *nlongs;
};

template <int COUNT> GB_DEVICE void sort_list(const gb_ColumnLists &L, gb_Off begin, unsigned n) {
    uint32_t key[COUNT];
    for (int k = 0; k < COUNT; k++) {
        const unsigned e = (unsigned)k * GB_WARP + gb_lane();
        key[k] = e < n ? L.ids[begin + e] : GB_NO_ENTRY;
    }
    gb_warp_sort<uint32_t, GB_WARP, COUNT>(key);
    for (int k = 0; k < COUNT; k++) {
        const unsigned e = (unsigned)k * GB_WARP + gb_lane();
        if (e >= n) continue;
        L.cposition[begin + e] = key[k];
        L.crow[begin + e] = L.row_of[key[k]];
    }
}

__global__ void gb_sort_columns(gb_ColumnLists L) {
    GB_EACH_TEAM(J, L.columns, GB_WARP) {
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

/* Appends the rows of the window's bits to the list at `at`; returns its new end. */
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
            L.cposition[place] = (gb_Idx)gb_position_of(L.at, K, (gb_Idx)J);
        }
        at += total;
    }
    return at;
}

__global__ void gb_sort_long_columns(gb_ColumnLists L) {
    GB_SHARED_ARRAY(unsigned, bits, GB_CUDA_TILE_WINDOW);
    GB_SHARED_ARRAY(unsigned, scratch, GB_WARP + 1);
    const unsigned n = *L.nlongs;
    GB_EACH_BLOCK(l, n) {
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
    L.nlongs = gb_job_zeros<unsigned>(job, 1);
    GB_START_WARPS(job, L.columns, gb_sort_columns, L);
    GB_START(job, gb_sort_long_columns, gb_grid((uint64_t)job->multiprocessors * 4, 1), THREADS, 0,
             L);
    gb_job_drop(job, L.longs);
    gb_job_drop(job, L.nlongs);
}

void gb_list_columns(gb_Job *job, const gb_Pattern &A, uint64_t columns, const gb_Columns &out) {
    const unsigned grid = gb_grid(A.n, THREADS);
    if (A.n >= GB_NO_ENTRY)
        gb_job_fail(job, gb_fail(GBL_OUT_OF_MEMORY,
                                 "a matrix has too many entries to be transposed on the GPU"));
    unsigned long long *begin = gb_job_zeros<unsigned long long>(job, columns + 1);
    gb_Idx *ids = gb_job_new<gb_Idx>(job, A.n), *row_of = gb_job_new<gb_Idx>(job, A.n);
    GB_START(job, gb_count_columns, grid, THREADS, 0, A.i, A.n, begin);
    gb_device_scan(job, (const uint64_t *)begin, out.p, columns);
    gb_copy_array(job, begin, out.p, columns * sizeof *out.p);
    GB_START(job, gb_place_columns, grid, THREADS, 0, A.i, A.n, begin, ids);
    gb_entry_rows(job, A, row_of);
    sort_lists(job, gb_ColumnLists{out.p, columns, A.m, ids, row_of, A, out.row, out.position, NULL,
                                   NULL});
    gb_job_drop(job, begin);
    gb_job_drop(job, ids);
    gb_job_drop(job, row_of);
}

/* -- transposed matrices */

gbl_Info gb_cuda_transpose(const gb_DeviceCs *A, bool derived, gb_DeviceCs **T) {
    gb_Job job;
    gb_DeviceCs C, shape = {};
    shape.nmajor = A->nminor;
    shape.nminor = A->nmajor;
    gb_job_begin(&job);
    gb_new_matrix(&job, &shape, A->nvals, A->x != NULL ? A->xsize : 0, &C);
    gb_Idx *position = gb_job_new<gb_Idx>(&job, A->nvals);
    gb_list_columns(&job, gb_pattern_of(A), A->nminor, gb_Columns{C.p, C.i, position});
    if (C.x != NULL)
        gb_gather(&job, C.xsize, A->x, A->iso ? 0 : UINT64_MAX, position, A->nvals, C.x);
    gb_copies_keep(&job, &C, T);
    if (job.info == GBL_SUCCESS) (*T)->only = !derived;
    return gb_job_end(&job);
}
