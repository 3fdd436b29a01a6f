/* SPDX-License-Identifier: Apache-2.0
 *
 * The filter of rows (gb_RowFilter): which entries of each row stay, their power and their sum, in
 * the order of the host (cpu/rowwise/rowfilter.c): lane l of the row's warp sums entries l, l + 32
 * and so on, and lanes join as on the host. The same product gives the same bits, except for powers
 * other than 1 and 2.
 *
 * The largest are found by digits of 8 bits of their ranks, the highest first, counted in shared
 * memory, until all entries of a digit are taken. Cost: 9 bytes an entry for marks and bits; values
 * are read three times, and once a digit where there are too many; n / 32 steps of a warp each
 * time.
 */
#include "cuda/ops/entries.cuh"
#include "cuda/prim/operators.cuh"
#include "cuda/device/state.cuh"

enum { THREADS = 128, WARPS = THREADS / GB_WARP };
enum { DROPPED = 0, KEPT = 1, CHOSEN = 2 };
enum { DIGIT_BITS = 8, DIGITS = 1 << DIGIT_BITS };

/* A row while it is filtered; keep[e] is read and written by lane e % 32 alone. */
template <class T> struct gb_PruneRow {
    const T *x;
    uint8_t *keep;
    uint64_t n;
};

/* Of the 32 lanes' sums, in the order of the host. */
GB_DEVICE double gb_join_lanes(double sum) {
    sum += __shfl_xor_sync(GB_ALL_LANES, sum, 8);
    sum += __shfl_xor_sync(GB_ALL_LANES, sum, 16);
    sum += __shfl_xor_sync(GB_ALL_LANES, sum, 1);
    sum += __shfl_xor_sync(GB_ALL_LANES, sum, 2);
    return sum + __shfl_xor_sync(GB_ALL_LANES, sum, 4);
}

/* -- the largest */

#define GB_TOP_BIT ((uint64_t)1 << 63)

/* Ranks are ordered as values; NaN comes first. */
template <class T> GB_DEVICE uint64_t gb_rank_of(T x) {
    if constexpr (T(0.5) == T(0)) {
        return (uint64_t)(int64_t)x ^ GB_TOP_BIT;
    } else {
        const double positive_zero = (double)x + 0.0;
        uint64_t bits;
        memcpy(&bits, &positive_zero, sizeof bits);
        return x != x ? 0 : bits & GB_TOP_BIT ? ~bits : bits | GB_TOP_BIT;
    }
}

/* The largest of some ranks: those above `least`, and the first `ties` of those equal to it. */
struct gb_Cut {
    uint64_t least, ties;
};

/* The digit whose entries reach `wanted` when they are counted from the highest digit down; *wanted
 * becomes how many of its entries are. size[DIGITS] is the warp's. */
GB_DEVICE unsigned gb_find_digit(gb_shared<unsigned> size, uint64_t *wanted) {
    unsigned own = 0, total;
    for (int k = 0; k < DIGITS / GB_WARP; k++) /* lane 0 has the highest digits */
        own += size[DIGITS - 1 - (gb_lane() * (DIGITS / GB_WARP) + (unsigned)k)];
    uint64_t before = gb_warp_scan(own, &total);
    unsigned digit = DIGITS;
    uint64_t rest = 0;
    for (int k = 0; k < DIGITS / GB_WARP; k++) {
        const unsigned d = DIGITS - 1 - (gb_lane() * (DIGITS / GB_WARP) + (unsigned)k);
        const unsigned size_of_digit = size[d];
        if (before < *wanted && before + size_of_digit >= *wanted) {
            digit = d;
            rest = *wanted - before;
        }
        before += size_of_digit;
    }
    const unsigned has = __ballot_sync(GB_ALL_LANES, digit < DIGITS);
    const int lane = __ffs((int)has) - 1;
    *wanted = __shfl_sync(GB_ALL_LANES, rest, lane);
    return __shfl_sync(GB_ALL_LANES, digit, lane);
}

/* The cut above the `wanted` largest of those marked `among`, which are more. */
template <class T>
static __device__ gb_Cut gb_find_cut(const gb_PruneRow<T> &r, uint8_t among, uint64_t wanted,
                                     gb_shared<unsigned> size) {
    uint64_t prefix = 0, above = 0; /* digits found so far, and the mask of their bits */
    for (int shift = 64 - DIGIT_BITS; shift >= 0; shift -= DIGIT_BITS) {
        for (unsigned d = gb_lane(); d < DIGITS; d += GB_WARP) size[d] = 0u;
        __syncwarp();
        for (uint64_t e = gb_lane(); e < r.n; e += GB_WARP) {
            const uint64_t rank = gb_rank_of(r.x[e]);
            if (r.keep[e] == among && (rank & above) == prefix)
                atomicAdd(&size[(unsigned)(rank >> shift) & (DIGITS - 1)], 1u);
        }
        __syncwarp();
        const unsigned digit = gb_find_digit(size, &wanted), size_of_digit = size[digit];
        prefix |= (uint64_t)digit << shift;
        above |= (uint64_t)(DIGITS - 1) << shift;
        __syncwarp(); /* the sizes may be cleared */
        /* all of the digit: they are above the rank below its least */
        if (size_of_digit == wanted && prefix > 0) return gb_Cut{prefix - 1, 0};
    }
    return gb_Cut{prefix, wanted};
}

/* The `wanted` largest of those marked `among` become CHOSEN, of equal ones the first; `found` is
 * how many are marked. */
template <class T>
static __device__ void gb_choose(const gb_PruneRow<T> &r, uint8_t among, uint64_t found,
                                 uint64_t wanted, gb_shared<unsigned> size) {
    const bool all = wanted >= found;
    gb_Cut cut = {0, 0};
    if (!all) cut = gb_find_cut(r, among, wanted, size);
    for (uint64_t e = gb_lane(); e - gb_lane() < r.n; e += GB_WARP) {
        const bool is_of = e < r.n && r.keep[e] == among;
        const uint64_t rank = is_of && !all ? gb_rank_of(r.x[e]) : 0;
        const bool is_tie = is_of && !all && rank == cut.least;
        const unsigned ties = __ballot_sync(GB_ALL_LANES, is_tie);
        const unsigned before = (unsigned)__popc(ties & ((1u << gb_lane()) - 1u));
        if (is_of && (all || rank > cut.least || (is_tie && before < cut.ties))) r.keep[e] = CHOSEN;
        const uint64_t taken = (uint64_t)__popc(ties);
        cut.ties -= taken < cut.ties ? taken : cut.ties;
    }
}

/* -- which entries stay */

struct gb_PruneSums {
    uint64_t kept;
    double kept_sum;
};

template <class T> GB_DEVICE gb_PruneSums gb_sum_kept(const gb_PruneRow<T> &r) {
    gb_PruneSums sums = {0, 0.0};
    for (uint64_t e = gb_lane(); e < r.n; e += GB_WARP) {
        if (r.keep[e] == DROPPED) continue;
        sums.kept++;
        sums.kept_sum += (double)r.x[e];
    }
    sums.kept = gb_warp_sum(sums.kept);
    sums.kept_sum = gb_join_lanes(sums.kept_sum);
    return sums;
}

template <class T>
static __device__ void gb_prune_row(const gb_PruneRow<T> &r, const gb_DeviceFilter &f,
                                    gb_shared<unsigned> size) {
    double all = 0.0;
    for (uint64_t e = gb_lane(); e < r.n; e += GB_WARP) all += (double)r.x[e];
    const double least = f.share * gb_join_lanes(all);
    gb_PruneSums sums = gb_sum_kept(r);
    bool poor = sums.kept < r.n && sums.kept < f.recover && sums.kept_sum < least;
    if (!poor && sums.kept > f.most) {
        gb_choose(r, KEPT, sums.kept, f.most, size);
        for (uint64_t e = gb_lane(); e < r.n; e += GB_WARP)
            r.keep[e] = r.keep[e] == CHOSEN ? KEPT : DROPPED;
        sums = gb_sum_kept(r);
        poor = sums.kept < f.recover && sums.kept_sum < least;
    }
    if (poor) gb_choose(r, DROPPED, r.n - sums.kept, f.recover - sums.kept, size);
}

template <class T>
__global__ void __launch_bounds__(THREADS)
    gb_prune_rows(gb_Pattern A, const T *x, gb_DeviceFilter f, uint8_t *keep) {
    GB_SHARED_ARRAY(unsigned, size, WARPS *DIGITS);
    GB_EACH_TEAM(row, A.m, GB_WARP) {
        const gb_Off from = A.p[row];
        const gb_PruneRow<T> r = {x + from, keep + from, A.p[row + 1] - from};
        if (r.n > 0) gb_prune_row(r, f, size + threadIdx.x / GB_WARP * DIGITS);
    }
}

/* Bytes from bits. */
__global__ void gb_spread_marks(gb_Kept kept, bool all, uint64_t n, uint8_t *keep) {
    GB_EACH_THREAD(k, n) keep[k] = all || gb_is_kept(kept, k) ? KEPT : DROPPED;
}

/* -- powers and sums */

GB_DEVICE double gb_power_of(double x, double power) {
    if (power == 1.0) return x;
    return power == 2.0 ? x * x : pow(x, power);
}

/* What values are divided by before they are raised; see the host's unit_of. */
template <class T> GB_DEVICE double gb_unit_of(const T *x, uint64_t n, double power) {
    uint64_t most = 0;
    for (uint64_t e = gb_lane(); e < n; e += GB_WARP) {
        const double value = (double)x[e];
        uint64_t bits;
        memcpy(&bits, &value, sizeof bits);
        bits &= UINT64_MAX >> 1;
        most = bits > most ? bits : most;
    }
    most = gb_warp_max(most);
    double greatest;
    memcpy(&greatest, &most, sizeof greatest);
    if (power < 1.0 || greatest == 0.0 || !isfinite(greatest)) return 1.0;
    return power == 1.0 || power == 2.0 ? ldexp(1.0, ilogb(greatest)) : greatest;
}

template <class T>
__global__ void gb_reshape_rows(const gb_Off *p, uint64_t m, double power, bool scale, T *x) {
    GB_EACH_TEAM(row, m, GB_WARP) {
        const gb_Off from = p[row];
        const uint64_t n = p[row + 1] - from;
        const double unit = scale && n > 0 ? gb_unit_of(x + from, n, power) : 1.0;
        double sum = 0.0;
        for (uint64_t e = gb_lane(); e < n; e += GB_WARP)
            sum += gb_power_of((double)x[from + e] / unit, power);
        sum = scale ? gb_join_lanes(sum) : 1.0;
        for (uint64_t e = gb_lane(); e < n; e += GB_WARP)
            x[from + e] = (T)(gb_power_of((double)x[from + e] / unit, power) / sum);
    }
}

/* -- all of it */

template <class T> static void filter_rows(gb_Job *job, const gb_DeviceFilter *f, gb_DeviceCs *C) {
    const gb_DeviceCs whole = *C, *A = &whole;
    const gb_Kept kept = gb_kept_new(job, A->nvals);
    if (f->has_test) gb_mark_selected(job, &f->test, A, &kept);
    uint8_t *keep = gb_job_new<uint8_t>(job, A->nvals);
    GB_START_THREADS(job, A->nvals, gb_spread_marks, kept, !f->has_test, A->nvals, keep);
    GB_START(job, gb_prune_rows<T>, gb_grid(A->nmajor, WARPS), THREADS, 0, gb_pattern_of(A),
             static_cast<const T *>(A->x), *f, keep);
    gb_kept_marked(job, keep, A->nvals, &kept);
    gb_job_drop(job, keep);
    gb_kept_take(job, A, &kept, 0, C);
    gb_job_drop(job, kept.word);
    gb_job_drop(job, kept.before);
    gb_job_drop(job, whole.p);
    gb_job_drop(job, whole.i);
    gb_job_drop(job, whole.x);
}

template <class T> static void reshape(gb_Job *job, const gb_DeviceFilter *f, gb_DeviceCs *C) {
    if (C->nvals > 0 && (f->power != 1.0 || f->scale))
        GB_START(job, gb_reshape_rows<T>, gb_grid(C->nmajor, WARPS), THREADS, 0, C->p, C->nmajor,
                 f->power, f->scale, static_cast<T *>(C->x));
}

void gb_prune(gb_Job *job, const gb_DeviceFilter *f, gb_DeviceCs *C) {
    if (f == NULL || job->info != GBL_SUCCESS || C->nvals == 0) return;
    gb_by_type(job, f->type, [&](auto value) {
        typedef decltype(value) T;
        filter_rows<T>(job, f, C);
        if constexpr (T(0.5) != T(0)) reshape<T>(job, f, C); /* floats */
    });
}
