/* SPDX-License-Identifier: Apache-2.0
 *
 * apply, select, eWise and copies of vectors: place by place, a warp 32 of them. Cost: the bits,
 * and the values where there are entries.
 */
#include "cuda/vectors/vector.cuh"
#include "cuda/ops/entries.cuh"
#include "cuda/prim/operators.cuh"
#include "cuda/device/state.cuh"

/* A vector that is made, place by place. */
struct gb_CellsOut {
    uint64_t n;
    uint32_t *bits;
    unsigned long long *count;

    /* The lanes' places from word `w` on; returns the entries among them. */
    __device__ __forceinline__ uint64_t put(uint64_t w, bool has) const {
        const uint32_t word = __ballot_sync(GB_ALL_LANES, has);
        if (gb_lane() == 0) bits[w] = word;
        return (uint64_t)__popc(word);
    }
};

/* For every word of the vector: W its number, K the lane's place in it. */
#define GB_FOR_WORDS(W, K, N)                                                                      \
    for (uint64_t W = (uint64_t)blockIdx.x * GB_CELL_WARPS + threadIdx.x / GB_WARP,                \
                  K = W * GB_WARP + gb_lane();                                                     \
         W * GB_WARP < (N); W += (uint64_t)gridDim.x * GB_CELL_WARPS, K = W * GB_WARP + gb_lane())

static unsigned words_grid(uint64_t n) {
    return gb_grid(gb_cell_words(n), GB_CELL_WARPS);
}

/* A vector of n places for the job to fill. */
static gb_CellsOut begin(gb_Job *job, gb_DeviceCs *v, uint64_t n, size_t xsize) {
    gb_cells_new(job, v, n, xsize, false);
    gb_CellsOut out = {n, v->bits, gb_job_new<unsigned long long>(job, 1)};
    gb_job_zero(job, out.count, sizeof *out.count);
    return out;
}

static gbl_Info end(gb_Job *job, gb_DeviceCs *v, const gb_CellsOut &out, gb_DeviceCs **T) {
    unsigned long long found = 0;
    gb_job_read(job, &found, out.count, sizeof found);
    v->nvals = found;
    gb_copies_keep(job, v, T);
    return gb_job_end(job);
}

/* -- apply */

/* Z is T, or uint8_t for a comparison. */
template <class T, class Z>
__global__ void __launch_bounds__(GB_CELL_THREADS)
    gb_map_cells(gb_Cells A, gb_Bound<T> f, gb_CellsOut out, Z *z) {
    const T *x = static_cast<const T *>(A.x);
    const bool compares = gb_is_comparison(f.op);
    uint64_t counted = 0;
    GB_FOR_WORDS(w, k, out.n) {
        const bool has = k < out.n && A.has(k);
        if (has) z[k] = compares ? (Z)f.compare(x[k]) : (Z)f(x[k]);
        counted += out.put(w, has);
    }
    gb_count_cells(out.count, counted);
}

/* An operator by position: an entry of a vector is in column 0. */
template <class Z>
__global__ void __launch_bounds__(GB_CELL_THREADS)
    gb_map_cell_places(gb_Cells A, int op, int64_t y, gb_CellsOut out, Z *z) {
    uint64_t counted = 0;
    GB_FOR_WORDS(w, k, out.n) {
        const bool has = k < out.n && A.has(k);
        const int64_t i = (int64_t)k;
        if (has)
            z[k] = gb_is_place_test(op) ? (Z)gb_place_test(op, i, 0, y)
                                        : (Z)gb_place_number(op, i, 0, y);
        counted += out.put(w, has);
    }
    gb_count_cells(out.count, counted);
}

template <class T>
static void map_cells(gb_Job *job, const gb_DeviceMap *map, const gb_DeviceCs *A,
                      const gb_CellsOut &out, void *z) {
    if (map->to == GBL_BOOL_CODE)
        GB_START(job, (gb_map_cells<T, uint8_t>), words_grid(out.n), GB_CELL_THREADS, 0,
                 gb_cells_of(A), gb_bound_of<T>(map), out, static_cast<uint8_t *>(z));
    else
        GB_START(job, (gb_map_cells<T, T>), words_grid(out.n), GB_CELL_THREADS, 0, gb_cells_of(A),
                 gb_bound_of<T>(map), out, static_cast<T *>(z));
}

template <class Z>
static void map_places(gb_Job *job, const gb_DeviceMap *map, const gb_DeviceCs *A,
                       const gb_CellsOut &out, void *z) {
    int64_t y;
    memcpy(&y, map->bound, sizeof y);
    GB_START(job, gb_map_cell_places<Z>, words_grid(out.n), GB_CELL_THREADS, 0, gb_cells_of(A),
             map->op, y, out, static_cast<Z *>(z));
}

gbl_Info gb_cells_apply(const gb_DeviceMap *map, const gb_DeviceCs *A, gb_DeviceCs **T) {
    gb_DeviceCs v;
    gb_Job job;
    gb_job_begin(&job);
    const gb_CellsOut out = begin(&job, &v, A->nminor, gb_type_bytes(map->to));
    if (gb_is_by_position(map->op)) {
        if (map->to == GBL_BOOL_CODE)
            map_places<uint8_t>(&job, map, A, out, v.x);
        else if (map->to == GBL_INT32_CODE)
            map_places<int32_t>(&job, map, A, out, v.x);
        else
            map_places<int64_t>(&job, map, A, out, v.x);
        return end(&job, &v, out, T);
    }
    switch (map->type) {
#define GB_CASE(N, TYPE)                                                                           \
    case GBL_##N##_CODE:                                                                           \
        map_cells<TYPE>(&job, map, A, out, v.x);                                                   \
        break;
        GB_FOREACH_DEVICE_TYPE(GB_CASE)
#undef GB_CASE
    default:
        gb_job_fail(&job, GBL_PANIC); /* has_operator said no */
    }
    return end(&job, &v, out, T);
}

/* -- select */

template <class T>
__global__ void __launch_bounds__(GB_CELL_THREADS)
    gb_select_cells(gb_Cells A, gb_Bound<T> f, gb_CellsOut out) {
    const T *x = static_cast<const T *>(A.x);
    uint64_t counted = 0;
    GB_FOR_WORDS(w, k, out.n) {
        counted += out.put(w, k < out.n && A.has(k) && f.compare(x[k]));
    }
    gb_count_cells(out.count, counted);
}

__global__ void __launch_bounds__(GB_CELL_THREADS)
    gb_select_cell_places(gb_Cells A, int op, int64_t y, gb_CellsOut out) {
    uint64_t counted = 0;
    GB_FOR_WORDS(w, k, out.n) {
        counted += out.put(w, k < out.n && A.has(k) && gb_place_test(op, (int64_t)k, 0, y));
    }
    gb_count_cells(out.count, counted);
}

static void select_cells(gb_Job *job, const gb_DeviceMap *map, const gb_DeviceCs *A,
                         const gb_CellsOut &out) {
    const unsigned grid = words_grid(out.n);
    int64_t y;
    if (gb_is_by_position(map->op)) {
        memcpy(&y, map->bound, sizeof y);
        GB_START(job, gb_select_cell_places, grid, GB_CELL_THREADS, 0, gb_cells_of(A), map->op, y,
                 out);
        return;
    }
    switch (map->type) {
#define GB_CASE(N, TYPE)                                                                           \
    case GBL_##N##_CODE:                                                                           \
        GB_START(job, gb_select_cells<TYPE>, grid, GB_CELL_THREADS, 0, gb_cells_of(A),             \
                 gb_bound_of<TYPE>(map), out);                                                     \
        break;
        GB_FOREACH_DEVICE_TYPE(GB_CASE)
#undef GB_CASE
    default:
        gb_job_fail(job, GBL_PANIC); /* has_operator said no */
    }
}

gbl_Info gb_cells_select(const gb_DeviceMap *map, const gb_DeviceCs *A, gb_DeviceCs **T) {
    gb_DeviceCs v;
    gb_Job job;
    gb_job_begin(&job);
    const gb_CellsOut out = begin(&job, &v, A->nminor, A->xsize);
    select_cells(&job, map, A, out);
    gb_copy_array(&job, v.x, A->x, gb_device_value_bytes(A));
    return end(&job, &v, out, T);
}

/* -- eWise */

template <class T, class Z>
__global__ void __launch_bounds__(GB_CELL_THREADS)
    gb_merge_cells(gb_Cells A, gb_Cells B, int op, bool unite, gb_CellsOut out, Z *z) {
    const T *x = static_cast<const T *>(A.x), *y = static_cast<const T *>(B.x);
    const bool compares = gb_is_comparison(op);
    uint64_t counted = 0;
    GB_FOR_WORDS(w, k, out.n) {
        const bool a = k < out.n && A.has(k), b = k < out.n && B.has(k);
        const bool has = unite ? a || b : a && b;
        if (a && b)
            z[k] = compares ? (Z)gb_compare(op, x[k], y[k]) : (Z)gb_binary(op, x[k], y[k]);
        else if (has)
            z[k] = compares ? (Z)((a ? x[k] : y[k]) != T(0)) : (Z)(a ? x[k] : y[k]);
        counted += out.put(w, has);
    }
    gb_count_cells(out.count, counted);
}

template <class T>
static void merge_cells(gb_Job *job, const gb_DeviceMerge *args, const gb_CellsOut &out, void *z) {
    const gb_Cells A = gb_cells_of(args->A), B = gb_cells_of(args->B);
    if (gb_is_comparison(args->op))
        GB_START(job, (gb_merge_cells<T, uint8_t>), words_grid(out.n), GB_CELL_THREADS, 0, A, B,
                 args->op, args->unite, out, static_cast<uint8_t *>(z));
    else
        GB_START(job, (gb_merge_cells<T, T>), words_grid(out.n), GB_CELL_THREADS, 0, A, B, args->op,
                 args->unite, out, static_cast<T *>(z));
}

gbl_Info gb_cells_merge(const gb_DeviceMerge *args, gb_DeviceCs **T) {
    const size_t xsize = gb_is_comparison(args->op) ? 1 : args->A->xsize;
    gb_DeviceCs v;
    gb_Job job;
    gb_job_begin(&job);
    const gb_CellsOut out = begin(&job, &v, args->A->nminor, xsize);
    switch (args->type) {
#define GB_CASE(N, TYPE)                                                                           \
    case GBL_##N##_CODE:                                                                           \
        merge_cells<TYPE>(&job, args, out, v.x);                                                   \
        break;
        GB_FOREACH_DEVICE_TYPE(GB_CASE)
#undef GB_CASE
    default:
        gb_job_fail(&job, GBL_PANIC); /* has_operator said no */
    }
    return end(&job, &v, out, T);
}

/* -- copies */

void gb_cells_copy_pattern(gb_Job *job, const gb_DeviceCs *A, gb_DeviceCs *C) {
    const uint64_t words = gb_cell_words(A->nminor);
    memset(C, 0, sizeof *C);
    C->nmajor = 1;
    C->nminor = A->nminor;
    C->nvals = A->nvals;
    C->bits = gb_job_new<uint32_t>(job, words);
    gb_copy_array(job, C->bits, A->bits, words * sizeof *C->bits);
}

gbl_Info gb_cells_copy(const gb_DeviceCs *A, gb_DeviceCs **T) {
    gb_DeviceCs v;
    gb_Job job;
    gb_job_begin(&job);
    gb_cells_copy_pattern(&job, A, &v);
    v.xsize = A->xsize;
    v.x = gb_job_bytes(&job, v.nminor, v.xsize);
    gb_copy_array(&job, v.x, A->x, gb_device_value_bytes(A));
    gb_copies_keep(&job, &v, T);
    return gb_job_end(&job);
}
