/* SPDX-License-Identifier: Apache-2.0
 *
 * apply: the pattern of a matrix or vector, with an operator's value of each entry; select: the
 * entries for which an operator is true; copies and casts. Cost: the arrays are read and written
 * once; where the operator goes by position each entry of a matrix looks for its row.
 */
#include "cuda/device/state.cuh"
#include "cuda/ops/entries.cuh"
#include "cuda/prim/operators.cuh"

static size_t type_bytes(gbl_Type_Code type) {
    return type == GBL_BOOL_CODE ? 1 : type == GBL_INT32_CODE || type == GBL_FP32_CODE ? 4 : 8;
}

/* Whether a unary or binary operator, or one that compares with a bound value, takes values of the
 * type; those by position take any. */
bool gb_cuda_has_operator(int op, gbl_Type_Code type) {
    const bool is_integer = type == GBL_INT64_CODE || type == GBL_INT32_CODE;
    if (gb_is_by_position(op)) return true;
    if (!gb_is_device_type(type)) return false;
    if (gb_is_comparison(op)) return true;
    if (op >= GB_IDENTITY && op <= GB_ONE)
        return op == GB_LNOT ? type == GBL_BOOL_CODE : op != GB_BNOT || is_integer;
    if (op >= GB_LOR && op <= GB_LXNOR) return type == GBL_BOOL_CODE;
    if (op >= GB_BOR && op <= GB_BXNOR) return is_integer;
    return (op >= GB_FIRST && op <= GB_DIV) || op == GB_ABSDIFF;
}

/* -- apply */

/* Z is T, or uint8_t for a comparison; A.x NULL: the operator looks at no value. */
template <class T, class Z> __global__ void gb_map_values(gb_Values A, gb_Bound<T> f, Z *z) {
    const bool compares = gb_is_comparison(f.op);
    GB_EACH_THREAD(k, A.n) {
        if (!A.has(k)) continue;
        const T value = A.x != NULL ? A.at<T>(k) : T();
        z[k] = compares ? (Z)f.compare(value) : (Z)f(value);
    }
}

/* The indices of entry k; those of a vector, whose p is NULL, are (k, 0). */
struct gb_Indices {
    int64_t i, j;
};
GB_DEVICE gb_Indices gb_indices_of(const gb_Pattern &A, uint64_t *row, uint64_t k) {
    if (A.p == NULL) return gb_Indices{(int64_t)k, 0};
    *row = gb_row_of(A, *row, k);
    return gb_Indices{(int64_t)*row, (int64_t)A.i[k]};
}

template <class Z>
__global__ void gb_map_positions(gb_Pattern at, gb_Values A, int op, int64_t y, Z *z) {
    uint64_t row = 0;
    GB_EACH_THREAD(k, A.n) {
        if (!A.has(k)) continue;
        const gb_Indices q = gb_indices_of(at, &row, k);
        z[k] = gb_is_position_test(op) ? (Z)gb_position_test(op, q.i, q.j, y)
                                       : (Z)gb_position_number(op, q.i, q.j, y);
    }
}

/* Whether the bound value is the result: then values may be of any type, or missing. */
static bool gives_bound(const gb_DeviceMap *map) {
    return !map->is_unary && map->op == (map->bound_first ? GB_FIRST : GB_SECOND);
}

template <class T, class Z>
static void map_values(gb_Job *job, const gb_DeviceMap *map, gb_Values A, void *z) {
    if (gives_bound(map)) A.x = NULL;
    GB_START_THREADS(job, A.n, (gb_map_values<T, Z>), A, gb_bound_of<T>(map), static_cast<Z *>(z));
}

static int64_t bound_number(const gb_DeviceMap *map) {
    int64_t y;
    memcpy(&y, &map->bound, sizeof y);
    return y;
}

template <class Z>
static void map_positions(gb_Job *job, const gb_DeviceMap *map, const gb_DeviceCs *A, void *z) {
    const gb_Values values = gb_values_of(A);
    GB_START_THREADS(job, values.n, gb_map_positions<Z>, gb_pattern_of(A), values, map->op,
                     bound_number(map), static_cast<Z *>(z));
}

static void map_entries(gb_Job *job, const gb_DeviceMap *map, const gb_DeviceCs *A, void *z) {
    const bool to_bool = map->to == GBL_BOOL_CODE;
    if (gb_is_by_position(map->op) && to_bool) return map_positions<uint8_t>(job, map, A, z);
    if (gb_is_by_position(map->op) && map->to == GBL_INT32_CODE)
        return map_positions<int32_t>(job, map, A, z);
    if (gb_is_by_position(map->op)) return map_positions<int64_t>(job, map, A, z);
    gb_by_type(job, map->type, [&](auto value) {
        typedef decltype(value) T;
        if (to_bool)
            map_values<T, uint8_t>(job, map, gb_values_of(A), z);
        else
            map_values<T, T>(job, map, gb_values_of(A), z);
    });
}

gbl_Info gb_cuda_apply(const gb_DeviceMap *map, const gb_DeviceCs *A, gb_DeviceCs **T) {
    gb_Job job;
    gb_DeviceCs C;
    gb_job_begin(&job);
    gb_copy_pattern(&job, A, type_bytes(map->to), &C);
    map_entries(&job, map, A, C.x);
    gb_copies_keep(&job, &C, T);
    return gb_job_end(&job);
}

/* -- select */

template <class T> __global__ void gb_mark_values(gb_Values A, gb_Bound<T> f, gb_Kept kept) {
    GB_EACH_LANE(k, A.n) gb_keep(kept, A.n, k, k < A.n && A.has(k) && f.compare(A.at<T>(k)));
}

__global__ void gb_mark_positions(gb_Pattern at, gb_Values A, int op, int64_t y, gb_Kept kept) {
    uint64_t row = 0;
    GB_EACH_LANE(k, A.n) {
        bool keep = k < A.n && A.has(k);
        if (keep) {
            const gb_Indices q = gb_indices_of(at, &row, k);
            keep = gb_position_test(op, q.i, q.j, y);
        }
        gb_keep(kept, A.n, k, keep);
    }
}

void gb_mark_selected(gb_Job *job, const gb_DeviceMap *map, const gb_DeviceCs *A,
                      const gb_Kept *kept) {
    const gb_Values values = gb_values_of(A);
    if (gb_is_by_position(map->op)) {
        GB_START_THREADS(job, values.n, gb_mark_positions, gb_pattern_of(A), values, map->op,
                         bound_number(map), *kept);
        return;
    }
    gb_by_type(job, map->type, [&](auto value) {
        typedef decltype(value) T;
        GB_START_THREADS(job, values.n, gb_mark_values<T>, values, gb_bound_of<T>(map), *kept);
    });
}

static void select_vector(gb_Job *job, const gb_DeviceMap *map, const gb_DeviceCs *A,
                          gb_DeviceCs *w) {
    const gb_Kept kept = gb_vector_fill(job, w, A->nminor, A->xsize);
    gb_mark_selected(job, map, A, &kept);
    gb_copy_array(job, w->x, A->x, gb_device_value_bytes(A));
    gb_vector_count(job, w);
}

gbl_Info gb_cuda_select(const gb_DeviceMap *map, const gb_DeviceCs *A, gb_DeviceCs **T) {
    gb_Job job;
    gb_DeviceCs C;
    gb_job_begin(&job);
    if (A->bits != NULL) {
        select_vector(&job, map, A, &C);
    } else {
        const gb_Kept kept = gb_kept_new(&job, A->nvals);
        gb_mark_selected(&job, map, A, &kept);
        gb_kept_take(&job, A, &kept, 0, &C);
    }
    gb_copies_keep(&job, &C, T);
    return gb_job_end(&job);
}

/* -- copies and casts */

gbl_Info gb_cuda_copy(const gb_DeviceCs *A, gb_DeviceCs **T) {
    gb_Job job;
    gb_DeviceCs C;
    gb_job_begin(&job);
    gb_copy_pattern(&job, A, A->xsize, &C);
    if (A->iso)
        gb_gather(&job, A->xsize, A->x, 0, NULL, A->nvals, C.x);
    else
        gb_copy_array(&job, C.x, A->x, gb_device_value_bytes(A));
    gb_copies_keep(&job, &C, T);
    return gb_job_end(&job);
}

template <class From, class To> __global__ void gb_cast_values(const From *x, uint64_t n, To *z) {
    GB_EACH_THREAD(k, n) z[k] = gb_cast_to<To>(x[k]);
}

template <class From, class To> static void *cast_values(gb_Job *job, const void *x, uint64_t n) {
    To *z = gb_job_new<To>(job, n);
    GB_START_THREADS(job, n, (gb_cast_values<From, To>), static_cast<const From *>(x), n, z);
    return z;
}

bool gb_cuda_casts(gbl_Type_Code from, gbl_Type_Code to) {
    return gb_is_device_type(from) && gb_is_device_type(to);
}

/* The values of A as those of another type: a new array. */
static void *cast_array(gb_Job *job, const gb_DeviceCs *A, gbl_Type_Code from, gbl_Type_Code to) {
    const uint64_t n = A->bits != NULL ? A->nminor : A->iso ? 1 : A->nvals;
    void *z = NULL;
    gb_by_type(job, from, [&](auto x) {
        typedef decltype(x) From;
        gb_by_type(job, to, [&](auto y) { z = cast_values<From, decltype(y)>(job, A->x, n); });
    });
    return z;
}

gbl_Info gb_cuda_cast_copy(const gb_DeviceCs *A, gbl_Type_Code from, gbl_Type_Code to,
                           gb_DeviceCs **T) {
    gb_Job job;
    gb_DeviceCs C;
    gb_job_begin(&job);
    gb_copy_pattern(&job, A, 0, &C);
    C.iso = A->iso;
    C.xsize = type_bytes(to);
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
        A->xsize = type_bytes(to);
    }
    return gb_job_end(&job);
}
