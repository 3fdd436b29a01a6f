/* SPDX-License-Identifier: Apache-2.0
 *
 * Two matrices of sorted rows: entries of one inside or outside the pattern of the other, their
 * union, their intersection. Every entry is a thread, which searches the other matrix's row for its
 * column; nothing is atomic, and rows come out sorted.
 *
 * Where an entry of the union goes follows from ranks alone. With all entries numbered row after
 * row, entry k of A, whose column would be at place q of B, has before it k entries of A and q of
 * B, of which those that are in both were counted twice: k + q - both(q), both(q) being the number
 * of entries of B before q that A has too. Entry q of B that A lacks goes to q + k - both(q).
 *
 * Cost: log2 of the row's length loads for each entry, twice for the intersection's entries and for
 * B's in a union; the arrays are read and written once.
 */
#include "cuda/vectors/vector.cuh"
#include "cuda/ops/entries.cuh"
#include "cuda/prim/operators.cuh"
#include "cuda/device/state.cuh"

enum { THREADS = 256 };

/* A pattern with values that may be asked whether they are true. */
struct gb_Truths {
    const void *x; /* NULL: all are */
    uint64_t mask;
    gbl_Type_Code type;
};

static __device__ __forceinline__ bool gb_is_true(const gb_Truths &M, uint64_t k) {
    if (M.x == NULL) return true;
    switch (M.type) {
    case GBL_FP64_CODE:
        return static_cast<const double *>(M.x)[k & M.mask] != 0.0;
    case GBL_FP32_CODE:
        return static_cast<const float *>(M.x)[k & M.mask] != 0.0f;
    case GBL_INT64_CODE:
    case GBL_UINT64_CODE:
        return static_cast<const uint64_t *>(M.x)[k & M.mask] != 0;
    case GBL_INT32_CODE:
    case GBL_UINT32_CODE:
        return static_cast<const uint32_t *>(M.x)[k & M.mask] != 0;
    case GBL_INT16_CODE:
    case GBL_UINT16_CODE:
        return static_cast<const uint16_t *>(M.x)[k & M.mask] != 0;
    default:
        return static_cast<const uint8_t *>(M.x)[k & M.mask] != 0;
    }
}

/* Entry k of a row, and where its column is in the row of another matrix. */
struct gb_Met {
    uint64_t row;
    gb_Off place;
    bool found;
};
static __device__ __forceinline__ gb_Met gb_meet(const gb_Pattern &A, uint64_t from, uint64_t k,
                                                 const gb_Pattern &B) {
    gb_Met met;
    met.row = gb_row_of(A, from, k);
    met.place = gb_place_of(B, met.row, A.i[k]);
    met.found = met.place < B.p[met.row + 1] && B.i[met.place] == A.i[k];
    return met;
}

/* Keeps the entries of A that are true entries of M, or those that are not. */
__global__ void gb_mark_met(gb_Pattern A, gb_Pattern M, gb_Truths truths, bool inside,
                            gb_Kept kept) {
    uint64_t row = 0;
    for (uint64_t k = (uint64_t)blockIdx.x * blockDim.x + threadIdx.x; k - gb_lane() < A.n;
         k += (uint64_t)gridDim.x * blockDim.x) {
        bool keep = false;
        if (k < A.n) {
            const gb_Met met = gb_meet(A, row, k, M);
            row = met.row;
            keep = (met.found && gb_is_true(truths, met.place)) == inside;
        }
        gb_keep(kept, A.n, k, keep);
    }
}

static gb_Kept mark(gb_Job *job, const gb_DeviceCs *A, const gb_DeviceCs *M,
                    const gb_Truths &truths, bool inside) {
    const gb_Kept kept = gb_kept_new(job, A->nvals);
    GB_START(job, gb_mark_met, gb_grid(A->nvals, THREADS), THREADS, 0, gb_pattern_of(A),
             gb_pattern_of(M), truths, inside, kept);
    gb_kept_count(job, &kept);
    return kept;
}

gbl_Info gb_cuda_filter(const gb_DeviceCs *A, const gb_DeviceRowMask *mask, gb_DeviceCs **T) {
    gb_Job job;
    gb_DeviceCs C;
    const gb_DeviceCs *M = mask->M;
    const gb_Truths truths = {mask->structural ? NULL : M->x, M->iso ? 0 : UINT64_MAX, mask->type};
    gb_job_begin(&job);
    const gb_Kept kept = mark(&job, A, M, truths, mask->inside);
    gb_kept_take(&job, A, &kept, &C);
    gb_copies_keep(&job, &C, T);
    return gb_job_end(&job);
}

/* -- values */

template <class T> struct gb_Side {
    gb_Pattern at;
    const T *x;
    uint64_t mask;
    __device__ __forceinline__ T value(uint64_t k) const {
        return x[k & mask];
    }
};
template <class T> static gb_Side<T> side_of(const gb_DeviceCs *A) {
    return gb_Side<T>{gb_pattern_of(A), static_cast<const T *>(A->x), A->iso ? 0 : UINT64_MAX};
}

/* Z is T, or uint8_t for a comparison. */
template <class T, class Z> static __device__ __forceinline__ Z gb_join_values(int op, T x, T y) {
    return gb_is_comparison(op) ? (Z)gb_compare(op, x, y) : (Z)gb_binary(op, x, y);
}
/* The kept entries of A are in B, too; `turned`: A is the operator's second argument. */
template <class T, class Z>
__global__ void gb_join_met(gb_Side<T> A, gb_Side<T> B, gb_Kept kept, int op, bool turned, Z *z) {
    uint64_t row = 0;
    for (uint64_t k = (uint64_t)blockIdx.x * blockDim.x + threadIdx.x; k < A.at.n;
         k += (uint64_t)gridDim.x * blockDim.x) {
        if (!gb_is_kept(kept, k)) continue;
        const gb_Met met = gb_meet(A.at, row, k, B.at);
        const T a = A.value(k), b = B.value(met.place);
        row = met.row;
        z[gb_kept_before(kept, k)] =
            turned ? gb_join_values<T, Z>(op, b, a) : gb_join_values<T, Z>(op, a, b);
    }
}

/* Rows and values of a union. */
template <class Z> struct gb_UnionOut {
    gb_Off *p;
    gb_Idx *i;
    Z *x;
};

__global__ void gb_place_union(gb_Pattern A, gb_Pattern B, gb_Kept both, gb_Off *p) {
    for (uint64_t r = (uint64_t)blockIdx.x * blockDim.x + threadIdx.x; r <= A.m;
         r += (uint64_t)gridDim.x * blockDim.x)
        p[r] = A.p[r] + B.p[r] - gb_kept_before(both, B.p[r]);
}

template <class T, class Z>
__global__ void gb_put_first(gb_Side<T> A, gb_Side<T> B, gb_Kept both, int op, gb_UnionOut<Z> C) {
    uint64_t row = 0;
    for (uint64_t k = (uint64_t)blockIdx.x * blockDim.x + threadIdx.x; k < A.at.n;
         k += (uint64_t)gridDim.x * blockDim.x) {
        const gb_Met met = gb_meet(A.at, row, k, B.at);
        const uint64_t to = k + met.place - gb_kept_before(both, met.place);
        const T a = A.value(k);
        row = met.row;
        C.i[to] = A.at.i[k];
        C.x[to] = met.found ? gb_join_values<T, Z>(op, a, B.value(met.place)) : gb_Cast<Z>::of(a);
    }
}

template <class T, class Z>
__global__ void gb_put_second(gb_Pattern A, gb_Side<T> B, gb_Kept both, gb_UnionOut<Z> C) {
    uint64_t row = 0;
    for (uint64_t k = (uint64_t)blockIdx.x * blockDim.x + threadIdx.x; k < B.at.n;
         k += (uint64_t)gridDim.x * blockDim.x) {
        if (gb_is_kept(both, k)) continue;
        row = gb_row_of(B.at, row, k);
        const uint64_t to = k + gb_place_of(A, row, B.at.i[k]) - gb_kept_before(both, k);
        C.i[to] = B.at.i[k];
        C.x[to] = gb_Cast<Z>::of(B.value(k));
    }
}

template <class T, class Z>
static void intersect(gb_Job *job, const gb_DeviceMerge *args, gb_DeviceCs *C) {
    const bool turned = args->B->nvals < args->A->nvals; /* the shorter one searches */
    const gb_DeviceCs *A = turned ? args->B : args->A, *B = turned ? args->A : args->B;
    const gb_Kept kept = mark(job, A, B, gb_Truths{NULL, 0, GBL_BOOL_CODE}, true);
    gb_kept_pattern(job, A, &kept, sizeof(Z), C);
    if (C->nvals > 0)
        GB_START(job, (gb_join_met<T, Z>), gb_grid(A->nvals, THREADS), THREADS, 0, side_of<T>(A),
                 side_of<T>(B), kept, args->op, turned, static_cast<Z *>(C->x));
}

template <class T, class Z>
static void unite(gb_Job *job, const gb_DeviceMerge *args, gb_DeviceCs *C) {
    const gb_DeviceCs *A = args->A, *B = args->B;
    const gb_Kept both = mark(job, B, A, gb_Truths{NULL, 0, GBL_BOOL_CODE}, true);
    uint64_t common = 0;
    gb_job_read(job, &common, both.before + both.words, sizeof common);
    gb_new_matrix(job, A, A->nvals + B->nvals - common, sizeof(Z), C);
    const gb_UnionOut<Z> out = {C->p, C->i, static_cast<Z *>(C->x)};
    GB_START(job, gb_place_union, gb_grid(A->nmajor + 1, THREADS), THREADS, 0, gb_pattern_of(A),
             gb_pattern_of(B), both, C->p);
    GB_START(job, (gb_put_first<T, Z>), gb_grid(A->nvals, THREADS), THREADS, 0, side_of<T>(A),
             side_of<T>(B), both, args->op, out);
    GB_START(job, (gb_put_second<T, Z>), gb_grid(B->nvals, THREADS), THREADS, 0, gb_pattern_of(A),
             side_of<T>(B), both, out);
}

template <class T, class Z>
static void merge(gb_Job *job, const gb_DeviceMerge *args, gb_DeviceCs *C) {
    if (args->unite)
        unite<T, Z>(job, args, C);
    else
        intersect<T, Z>(job, args, C);
}

gbl_Info gb_cuda_merge(const gb_DeviceMerge *args, gb_DeviceCs **T) {
    if (args->A->bits != NULL) return gb_cells_merge(args, T);
    gb_Job job;
    gb_DeviceCs C;
    const bool compares = gb_is_comparison(args->op);
    gb_job_begin(&job);
    switch (args->type) {
#define GB_CASE(N, TYPE)                                                                           \
    case GBL_##N##_CODE:                                                                           \
        if (compares)                                                                              \
            merge<TYPE, uint8_t>(&job, args, &C);                                                  \
        else                                                                                       \
            merge<TYPE, TYPE>(&job, args, &C);                                                     \
        break;
        GB_FOREACH_DEVICE_TYPE(GB_CASE)
#undef GB_CASE
    default:
        gb_job_fail(&job, GBL_PANIC); /* has_operator said no */
    }
    gb_copies_keep(&job, &C, T);
    return gb_job_end(&job);
}
