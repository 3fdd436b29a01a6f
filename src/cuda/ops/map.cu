/* SPDX-License-Identifier: Apache-2.0
 *
 * apply: the pattern of a matrix, with an operator's value of each entry; select: the entries for
 * which an operator is true; copies and casts. Cost: the arrays are read and written once; where
 * the operator goes by position each entry looks for its row.
 */
#include "cuda/vectors/vector.cuh"
#include "cuda/ops/entries.cuh"
#include "cuda/prim/operators.cuh"
#include "cuda/device/state.cuh"

enum { THREADS = 256 };

bool gb_cuda_has_operator(int op, gbl_Type_Code type) {
    return gb_has_operator(op, type);
}

/* Z is T, or uint8_t for a comparison. */
template <class T, class Z>
__global__ void gb_map_values(const T *x, uint64_t mask, uint64_t n, gb_Bound<T> f, Z *z) {
    const bool compares = gb_is_comparison(f.op);
    for (uint64_t k = (uint64_t)blockIdx.x * blockDim.x + threadIdx.x; k < n;
         k += (uint64_t)gridDim.x * blockDim.x) {
        const T value = x != NULL ? x[k & mask] : T();
        z[k] = compares ? (Z)f.compare(value) : (Z)f(value);
    }
}

template <class Z> __global__ void gb_map_places(gb_Pattern A, int op, int64_t y, Z *z) {
    uint64_t row = 0;
    for (uint64_t k = (uint64_t)blockIdx.x * blockDim.x + threadIdx.x; k < A.n;
         k += (uint64_t)gridDim.x * blockDim.x) {
        row = gb_row_of(A, row, k);
        const int64_t i = (int64_t)row, j = (int64_t)A.i[k];
        z[k] =
            gb_is_place_test(op) ? (Z)gb_place_test(op, i, j, y) : (Z)gb_place_number(op, i, j, y);
    }
}

/* Whether the bound value is the result: then values may be of any type, or missing. */
static bool gives_bound(const gb_DeviceMap *map) {
    return !map->is_unary && map->op == (map->bound_first ? GB_FIRST : GB_SECOND);
}

template <class T>
static void map_values(gb_Job *job, const gb_DeviceMap *map, const gb_DeviceCs *A, void *z) {
    const gb_Bound<T> f = gb_bound_of<T>(map);
    const unsigned grid = gb_grid(A->nvals, THREADS);
    const T *x = gives_bound(map) ? NULL : static_cast<const T *>(A->x);
    const uint64_t mask = A->iso ? 0 : UINT64_MAX;
    if (map->to == GBL_BOOL_CODE)
        GB_START(job, (gb_map_values<T, uint8_t>), grid, THREADS, 0, x, mask, A->nvals, f,
                 static_cast<uint8_t *>(z));
    else
        GB_START(job, (gb_map_values<T, T>), grid, THREADS, 0, x, mask, A->nvals, f,
                 static_cast<T *>(z));
}

static void map_places(gb_Job *job, const gb_DeviceMap *map, const gb_DeviceCs *A, void *z) {
    const gb_Pattern at = gb_pattern_of(A);
    const unsigned grid = gb_grid(A->nvals, THREADS);
    int64_t y;
    memcpy(&y, map->bound, sizeof y);
    if (map->to == GBL_BOOL_CODE)
        GB_START(job, gb_map_places<uint8_t>, grid, THREADS, 0, at, map->op, y,
                 static_cast<uint8_t *>(z));
    else if (map->to == GBL_INT32_CODE)
        GB_START(job, gb_map_places<int32_t>, grid, THREADS, 0, at, map->op, y,
                 static_cast<int32_t *>(z));
    else
        GB_START(job, gb_map_places<int64_t>, grid, THREADS, 0, at, map->op, y,
                 static_cast<int64_t *>(z));
}

gbl_Info gb_cuda_apply(const gb_DeviceMap *map, const gb_DeviceCs *A, gb_DeviceCs **T) {
    if (A->bits != NULL) return gb_cells_apply(map, A, T);
    gb_Job job;
    gb_DeviceCs C;
    gb_job_begin(&job);
    gb_copy_pattern(&job, A, gb_type_bytes(map->to), &C);
    if (gb_is_by_position(map->op)) {
        map_places(&job, map, A, C.x);
    } else {
        switch (map->type) {
#define GB_CASE(N, TYPE)                                                                           \
    case GBL_##N##_CODE:                                                                           \
        map_values<TYPE>(&job, map, A, C.x);                                                       \
        break;
            GB_FOREACH_DEVICE_TYPE(GB_CASE)
#undef GB_CASE
        default:
            break; /* has_operator said no */
        }
    }
    gb_copies_keep(&job, &C, T);
    return gb_job_end(&job);
}

/* -- select */

template <class T>
__global__ void gb_mark_values(const T *x, uint64_t mask, uint64_t n, gb_Bound<T> f, gb_Kept kept) {
    for (uint64_t k = (uint64_t)blockIdx.x * blockDim.x + threadIdx.x; k - gb_lane() < n;
         k += (uint64_t)gridDim.x * blockDim.x)
        gb_keep(kept, n, k, k < n && f.compare(x[k & mask]));
}

__global__ void gb_mark_places(gb_Pattern A, int op, int64_t y, gb_Kept kept) {
    uint64_t row = 0;
    for (uint64_t k = (uint64_t)blockIdx.x * blockDim.x + threadIdx.x; k - gb_lane() < A.n;
         k += (uint64_t)gridDim.x * blockDim.x) {
        if (k < A.n) row = gb_row_of(A, row, k);
        gb_keep(kept, A.n, k, k < A.n && gb_place_test(op, (int64_t)row, (int64_t)A.i[k], y));
    }
}

template <class T>
static void mark_values(gb_Job *job, const gb_DeviceMap *map, const gb_DeviceCs *A,
                        const gb_Kept *kept) {
    GB_START(job, gb_mark_values<T>, gb_grid(A->nvals, THREADS), THREADS, 0,
             static_cast<const T *>(A->x), A->iso ? 0 : UINT64_MAX, A->nvals, gb_bound_of<T>(map),
             *kept);
}

void gb_mark_selected(gb_Job *job, const gb_DeviceMap *map, const gb_DeviceCs *A,
                      const gb_Kept *kept) {
    int64_t y;
    if (gb_is_by_position(map->op)) {
        memcpy(&y, map->bound, sizeof y);
        GB_START(job, gb_mark_places, gb_grid(A->nvals, THREADS), THREADS, 0, gb_pattern_of(A),
                 map->op, y, *kept);
        return;
    }
    switch (map->type) {
#define GB_CASE(N, TYPE)                                                                           \
    case GBL_##N##_CODE:                                                                           \
        mark_values<TYPE>(job, map, A, kept);                                                      \
        break;
        GB_FOREACH_DEVICE_TYPE(GB_CASE)
#undef GB_CASE
    default:
        break; /* has_operator said no */
    }
}

gbl_Info gb_cuda_select(const gb_DeviceMap *map, const gb_DeviceCs *A, gb_DeviceCs **T) {
    if (A->bits != NULL) return gb_cells_select(map, A, T);
    gb_Job job;
    gb_DeviceCs C;
    gb_job_begin(&job);
    const gb_Kept kept = gb_kept_new(&job, A->nvals);
    gb_mark_selected(&job, map, A, &kept);
    gb_kept_count(&job, &kept);
    gb_kept_take(&job, A, &kept, &C);
    gb_copies_keep(&job, &C, T);
    return gb_job_end(&job);
}

/* -- copies */

template <class T> __global__ void gb_repeat_value(const T *x, uint64_t n, T *z) {
    for (uint64_t k = (uint64_t)blockIdx.x * blockDim.x + threadIdx.x; k < n;
         k += (uint64_t)gridDim.x * blockDim.x)
        z[k] = *x;
}

template <class T> static void repeat_value(gb_Job *job, const gb_DeviceCs *A, void *z) {
    GB_START(job, gb_repeat_value<T>, gb_grid(A->nvals, THREADS), THREADS, 0,
             static_cast<const T *>(A->x), A->nvals, static_cast<T *>(z));
}

/* z = the values of A, one for each entry. */
static void copy_values(gb_Job *job, const gb_DeviceCs *A, void *z) {
    if (!A->iso) return gb_copy_array(job, z, A->x, gb_device_value_bytes(A));
    if (A->xsize == 1) return repeat_value<uint8_t>(job, A, z);
    if (A->xsize == 2) return repeat_value<uint16_t>(job, A, z);
    if (A->xsize == 4) return repeat_value<uint32_t>(job, A, z);
    return repeat_value<uint64_t>(job, A, z);
}

gbl_Info gb_cuda_copy(const gb_DeviceCs *A, gb_DeviceCs **T) {
    if (A->bits != NULL) return gb_cells_copy(A, T);
    gb_Job job;
    gb_DeviceCs C;
    gb_job_begin(&job);
    gb_copy_pattern(&job, A, A->xsize, &C);
    copy_values(&job, A, C.x);
    gb_copies_keep(&job, &C, T);
    return gb_job_end(&job);
}

/* -- casts */

template <class From, class To> __global__ void gb_cast_values(const From *x, uint64_t n, To *z) {
    for (uint64_t k = (uint64_t)blockIdx.x * blockDim.x + threadIdx.x; k < n;
         k += (uint64_t)gridDim.x * blockDim.x)
        z[k] = gb_Cast<To>::of(x[k]);
}

template <class From, class To> static void *cast_values(gb_Job *job, const void *x, uint64_t n) {
    To *z = gb_job_new<To>(job, n);
    GB_START(job, (gb_cast_values<From, To>), gb_grid(n, THREADS), THREADS, 0,
             static_cast<const From *>(x), n, z);
    return z;
}

template <class From>
static void *cast_to(gb_Job *job, gbl_Type_Code to, const void *x, uint64_t n) {
    switch (to) {
#define GB_CASE(N, To)                                                                             \
    case GBL_##N##_CODE:                                                                           \
        return cast_values<From, To>(job, x, n);
        GB_FOREACH_DEVICE_TYPE(GB_CASE)
#undef GB_CASE
    default:
        return NULL; /* it was not asked for */
    }
}

bool gb_cuda_casts(gbl_Type_Code from, gbl_Type_Code to) {
    return gb_is_device_type(from) && gb_is_device_type(to);
}

/* The values of A as those of another type: a new array. */
static void *cast_array(gb_Job *job, const gb_DeviceCs *A, gbl_Type_Code from, gbl_Type_Code to) {
    const uint64_t n = A->bits != NULL ? A->nminor : A->iso ? 1 : A->nvals;
    switch (from) {
#define GB_CASE(N, From)                                                                           \
    case GBL_##N##_CODE:                                                                           \
        return cast_to<From>(job, to, A->x, n);
        GB_FOREACH_DEVICE_TYPE(GB_CASE)
#undef GB_CASE
    default:
        return NULL;
    }
}

gbl_Info gb_cuda_cast_copy(const gb_DeviceCs *A, gbl_Type_Code from, gbl_Type_Code to,
                           gb_DeviceCs **T) {
    gb_Job job;
    gb_DeviceCs C;
    gb_job_begin(&job);
    if (A->bits != NULL)
        gb_cells_copy_pattern(&job, A, &C);
    else
        gb_copy_pattern(&job, A, 0, &C);
    C.iso = A->iso;
    C.xsize = gb_type_bytes(to);
    C.x = cast_array(&job, A, from, to);
    gb_copies_keep(&job, &C, T);
    return gb_job_end(&job);
}

gbl_Info gb_cuda_cast(gb_DeviceCs *A, gbl_Type_Code from, gbl_Type_Code to) {
    gb_Job job;
    gb_job_begin(&job);
    void *z = cast_array(&job, A, from, to);
    if (job.info == GBL_SUCCESS) {
        gb_copies_drop_tiles(A); /* they have values of their own */
        gb_cuda_free(A->x, A->xbytes);
        A->x = z;
        A->xbytes = gb_job_keep(&job, z);
        A->xsize = gb_type_bytes(to);
    }
    return gb_job_end(&job);
}
