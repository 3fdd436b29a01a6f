/* SPDX-License-Identifier: Apache-2.0
 *
 * Work on the entries of a matrix that is there, a thread an entry, so that long rows are nobody's
 * tail: which row an entry is in, where a column is in a row, and the entries that are kept.
 *
 * Kept are those whose bit is set. Bit k % 32 of word k / 32 is that of entry k, and words carry
 * the number of bits before them, so that where any entry goes, and how many a row keeps, takes two
 * loads.
 */
#ifndef GB_CUDA_ENTRIES_CUH
#define GB_CUDA_ENTRIES_CUH

#include "cuda/device/job.cuh"
#include "cuda/prim/scan.cuh"
#include "cuda/prim/warp.cuh"

/* Sorted rows without values. */
struct gb_Pattern {
    const gb_Off *p; /* [m + 1] */
    const gb_Idx *i; /* [n] */
    uint64_t m, n;
};
static inline gb_Pattern gb_pattern_of(const gb_DeviceCs *A) {
    return gb_Pattern{A->p, A->i, A->nmajor, A->nvals};
}

static inline size_t gb_type_bytes(gbl_Type_Code type) {
    return type == GBL_BOOL_CODE ? 1 : type == GBL_INT32_CODE || type == GBL_FP32_CODE ? 4 : 8;
}

/* The row of entry k, at or behind row `from`: steps that double, then halves. */
static __device__ __forceinline__ uint64_t gb_row_of(const gb_Pattern &A, uint64_t from,
                                                     uint64_t k) {
    uint64_t step = 1, low = from; /* p[low] <= k */
    while (low + step < A.m && A.p[low + step] <= k) {
        low += step;
        step *= 2;
    }
    uint64_t high = low + step < A.m ? low + step : A.m; /* p[high] > k */
    while (high - low > 1) {
        const uint64_t mid = low + (high - low) / 2;
        if (A.p[mid] <= k)
            low = mid;
        else
            high = mid;
    }
    return low;
}

/* The first place in a row whose column is j or behind it; the end where there is none. */
static __device__ __forceinline__ gb_Off gb_place_of(const gb_Pattern &A, uint64_t row, gb_Idx j) {
    gb_Off low = A.p[row], high = A.p[row + 1];
    while (low < high) {
        const gb_Off mid = low + (high - low) / 2;
        if (A.i[mid] < j)
            low = mid + 1;
        else
            high = mid;
    }
    return low;
}

/* C of A's shape, with room for so many entries of values of `size` bytes; the arrays are the
 * job's.
 */
void gb_new_matrix(gb_Job *job, const gb_DeviceCs *like, uint64_t nvals, size_t size,
                   gb_DeviceCs *C);
void gb_copy_array(gb_Job *job, void *to, const void *from, size_t bytes);
/* C = the pattern of A, and room for values of `size` bytes, whose arrays are the job's. */
void gb_copy_pattern(gb_Job *job, const gb_DeviceCs *A, size_t size, gb_DeviceCs *C);

/* Bits of entries, and how many are set before each word. Word [words] is not there, so the number
 * before the entry behind the last is read off the sums. */
struct gb_Kept {
    unsigned *word;   /* [words] */
    uint64_t *before; /* [words + 1] */
    uint64_t words;
};
/* How many are kept of the entries before k. */
static __device__ __forceinline__ uint64_t gb_kept_before(const gb_Kept &kept, uint64_t k) {
    const unsigned bits = (unsigned)(k % 32);
    if (bits == 0) return kept.before[k / 32];
    return kept.before[k / 32] + (unsigned)__popc(kept.word[k / 32] & ((1u << bits) - 1u));
}
static __device__ __forceinline__ bool gb_is_kept(const gb_Kept &kept, uint64_t k) {
    return (kept.word[k / 32] >> k % 32 & 1u) != 0;
}

/* Room for n bits. All lanes of a warp then tell theirs, entries behind the last included. */
gb_Kept gb_kept_new(gb_Job *job, uint64_t n);
static __device__ __forceinline__ void gb_keep(const gb_Kept &kept, uint64_t n, uint64_t k,
                                               bool keep) {
    const unsigned word = __ballot_sync(GB_ALL_LANES, keep && k < n);
    if (gb_lane() == 0 && k < n) kept.word[k / 32] = word;
}
/* Once all bits are told: the sums. */
void gb_kept_count(gb_Job *job, const gb_Kept *kept);
/* C = the entries of A that are kept, with their values, which have 1, 2, 4 or 8 bytes; or with
 * room for values of another size. Waits for their number. */
void gb_kept_take(gb_Job *job, const gb_DeviceCs *A, const gb_Kept *kept, gb_DeviceCs *C);
void gb_kept_pattern(gb_Job *job, const gb_DeviceCs *A, const gb_Kept *kept, size_t size,
                     gb_DeviceCs *C);
void gb_kept_drop(gb_Job *job, const gb_Kept *kept);

/* ops/map.cu: tells the bits of the entries for which an operator is true. */
void gb_mark_selected(gb_Job *job, const gb_DeviceMap *map, const gb_DeviceCs *A,
                      const gb_Kept *kept);
/* ops/filter.cu: what a filter leaves of C's rows, whose arrays are the job's; NULL: all. */
void gb_prune(gb_Job *job, const gb_DeviceFilter *filter, gb_DeviceCs *C);

#endif
