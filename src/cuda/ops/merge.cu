/* SPDX-License-Identifier: Apache-2.0
 *
 * Two matrices of sorted rows: entries of one inside or outside the pattern of the other, union,
 * intersection; one thread an entry, which searches the other matrix's row for its column. Nothing
 * is atomic, rows come out sorted.
 *
 * Positions in the union follow from ranks. Entry k of A, whose column would be at position q of B,
 * has before it k entries of A and q of B, of which both(q) are in A too: its position is k + q -
 * both(q). Entry q of B that A lacks goes to q + k - both(q).
 *
 * Cost: log2 of the row's length loads an entry, twice for entries of the intersection and, in a
 * union, of B; arrays are read and written once.
 */
#include "cuda/ops/entries.cuh"
#include "cuda/prim/operators.cuh"
#include "cuda/device/state.cuh"

/* Entry k of a row, and where its column is in the row of another matrix. */
struct gb_Found {
    uint64_t row;
    gb_Off position;
    bool found;
};
GB_DEVICE gb_Found gb_look_up(const gb_Pattern &A, uint64_t from, uint64_t k, const gb_Pattern &B) {
    gb_Found at;
    at.row = gb_row_of(A, from, k);
    at.position = gb_position_of(B, at.row, A.i[k]);
    at.found = at.position < B.p[at.row + 1] && B.i[at.position] == A.i[k];
    return at;
}

/* Keeps the entries of A that are true entries of M, or those that are not. */
__global__ void gb_mark_common(gb_Pattern A, gb_Pattern M, gb_Values truths, bool inside,
                               gb_Kept kept) {
    uint64_t row = 0;
    GB_EACH_LANE(k, A.n) {
        bool keep = false;
        if (k < A.n) {
            const gb_Found at = gb_look_up(A, row, k, M);
            row = at.row;
            keep = (at.found && truths.is_true(at.position)) == inside;
        }
        gb_keep(kept, A.n, k, keep);
    }
}

static gb_Kept mark(gb_Job *job, const gb_DeviceCs *A, const gb_DeviceCs *M,
                    const gb_Values &truths, bool inside) {
    const gb_Kept kept = gb_kept_new(job, A->nvals);
    GB_START_THREADS(job, A->nvals, gb_mark_common, gb_pattern_of(A), gb_pattern_of(M), truths,
                     inside, kept);
    return kept;
}

gbl_Info gb_cuda_filter(const gb_DeviceCs *A, const gb_DeviceRowMask *mask, gb_DeviceCs **T) {
    gb_Job job;
    gb_DeviceCs C;
    const gb_DeviceCs *M = mask->M;
    gb_Values truths = gb_typed_values_of(M, mask->type);
    if (mask->structural) truths.x = NULL;
    gb_job_begin(&job);
    const gb_Kept kept = mark(&job, A, M, truths, mask->inside);
    gb_kept_take(&job, A, &kept, 0, &C);
    gb_copies_keep(&job, &C, T);
    return gb_job_end(&job);
}

/* -- values */

struct gb_Side {
    gb_Pattern at;
    gb_Values values;
};
static gb_Side side_of(const gb_DeviceCs *A) {
    return gb_Side{gb_pattern_of(A), gb_values_of(A)};
}

/* The kept entries of A are in B, too; `turned`: A is the operator's second argument. */
template <class T, class Z>
__global__ void gb_join_common(gb_Side A, gb_Side B, gb_Kept kept, int op, bool turned, Z *z) {
    uint64_t row = 0;
    GB_EACH_THREAD(k, A.at.n) {
        if (!gb_is_kept(kept, k)) continue;
        const gb_Found at = gb_look_up(A.at, row, k, B.at);
        const T a = A.values.at<T>(k), b = B.values.at<T>(at.position);
        row = at.row;
        z[gb_kept_before(kept, k)] =
            turned ? gb_binary_or_compare<Z>(op, b, a) : gb_binary_or_compare<Z>(op, a, b);
    }
}

/* Rows and values of a union. */
template <class Z> struct gb_UnionOut {
    gb_Off *p;
    gb_Idx *i;
    Z *x;
};

__global__ void gb_place_union(gb_Pattern A, gb_Pattern B, gb_Kept both, gb_Off *p) {
    GB_EACH_THREAD(r, A.m + 1) p[r] = A.p[r] + B.p[r] - gb_kept_before(both, B.p[r]);
}

template <class T, class Z>
__global__ void gb_put_first(gb_Side A, gb_Side B, gb_Kept both, int op, gb_UnionOut<Z> C) {
    uint64_t row = 0;
    GB_EACH_THREAD(k, A.at.n) {
        const gb_Found at = gb_look_up(A.at, row, k, B.at);
        const uint64_t to = k + at.position - gb_kept_before(both, at.position);
        const T a = A.values.at<T>(k);
        row = at.row;
        C.i[to] = A.at.i[k];
        C.x[to] = at.found ? gb_binary_or_compare<Z>(op, a, B.values.at<T>(at.position))
                           : gb_cast_to<Z>(a);
    }
}

template <class T, class Z>
__global__ void gb_put_second(gb_Pattern A, gb_Side B, gb_Kept both, gb_UnionOut<Z> C) {
    uint64_t row = 0;
    GB_EACH_THREAD(k, B.at.n) {
        if (gb_is_kept(both, k)) continue;
        row = gb_row_of(B.at, row, k);
        const uint64_t to = k + gb_position_of(A, row, B.at.i[k]) - gb_kept_before(both, k);
        C.i[to] = B.at.i[k];
        C.x[to] = gb_cast_to<Z>(B.values.at<T>(k));
    }
}

template <class T, class Z>
static void intersect(gb_Job *job, const gb_DeviceMerge *args, gb_DeviceCs *C) {
    const bool turned = args->B->nvals < args->A->nvals; /* the shorter one searches */
    const gb_DeviceCs *A = turned ? args->B : args->A, *B = turned ? args->A : args->B;
    const gb_Kept kept = mark(job, A, B, gb_Values{}, true);
    gb_kept_take(job, A, &kept, sizeof(Z), C);
    if (C->nvals > 0)
        GB_START_THREADS(job, A->nvals, (gb_join_common<T, Z>), side_of(A), side_of(B), kept,
                         args->op, turned, static_cast<Z *>(C->x));
}

template <class T, class Z>
static void unite(gb_Job *job, const gb_DeviceMerge *args, gb_DeviceCs *C) {
    const gb_DeviceCs *A = args->A, *B = args->B;
    const gb_Kept both = mark(job, B, A, gb_Values{}, true);
    uint64_t common = 0;
    gb_device_scan(job, both.before, both.before, both.words);
    gb_job_read(job, &common, both.before + both.words, sizeof common);
    gb_new_matrix(job, A, A->nvals + B->nvals - common, sizeof(Z), C);
    const gb_UnionOut<Z> out = {C->p, C->i, static_cast<Z *>(C->x)};
    GB_START_THREADS(job, A->nmajor + 1, gb_place_union, gb_pattern_of(A), gb_pattern_of(B), both,
                     C->p);
    GB_START_THREADS(job, A->nvals, (gb_put_first<T, Z>), side_of(A), side_of(B), both, args->op,
                     out);
    GB_START_THREADS(job, B->nvals, (gb_put_second<T, Z>), gb_pattern_of(A), side_of(B), both, out);
}

/* -- vectors: position by position */

template <class T, class Z>
__global__ void gb_merge_vectors(gb_Values A, gb_Values B, int op, bool unite, gb_Kept out, Z *z) {
    GB_EACH_LANE(k, A.n) {
        const bool a = k < A.n && A.has(k), b = k < A.n && B.has(k);
        const bool has = unite ? a || b : a && b;
        if (a && b)
            z[k] = gb_binary_or_compare<Z>(op, A.at<T>(k), B.at<T>(k));
        else if (has)
            z[k] = gb_cast_to<Z>(a ? A.at<T>(k) : B.at<T>(k));
        gb_keep(out, A.n, k, has);
    }
}

template <class T, class Z>
static void merge_vectors(gb_Job *job, const gb_DeviceMerge *args, gb_DeviceCs *w) {
    const gb_Values A = gb_values_of(args->A), B = gb_values_of(args->B);
    const gb_Kept out = gb_vector_fill(job, w, A.n, sizeof(Z));
    GB_START_THREADS(job, A.n, (gb_merge_vectors<T, Z>), A, B, args->op, args->unite, out,
                     static_cast<Z *>(w->x));
    gb_vector_count(job, w);
}

template <class T, class Z>
static void merge(gb_Job *job, const gb_DeviceMerge *args, gb_DeviceCs *C) {
    if (args->A->bits != NULL)
        merge_vectors<T, Z>(job, args, C);
    else if (args->unite)
        unite<T, Z>(job, args, C);
    else
        intersect<T, Z>(job, args, C);
}

gbl_Info gb_cuda_merge(const gb_DeviceMerge *args, gb_DeviceCs **T) {
    gb_Job job;
    gb_DeviceCs C;
    gb_job_begin(&job);
    gb_by_type(&job, args->type, [&](auto value) {
        typedef decltype(value) Value;
        if (gb_is_comparison(args->op))
            merge<Value, uint8_t>(&job, args, &C);
        else
            merge<Value, Value>(&job, args, &C);
    });
    gb_copies_keep(&job, &C, T);
    return gb_job_end(&job);
}
