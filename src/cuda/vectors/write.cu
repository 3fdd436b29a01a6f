/* SPDX-License-Identifier: Apache-2.0
 *
 * w<mask, replace> accum= T for vectors, in place: the device's counterpart of ops/finish.c. Cost:
 * O(size of w); or, where the mask is a short sparse vector and nothing is written outside it,
 * O(nvals(mask)), as in `visited<frontier> = level`.
 */
#include "cuda/ops/entries.cuh"
#include "cuda/prim/operators.cuh"
#include "cuda/prim/sum.cuh"
#include "cuda/device/state.cuh"

struct gb_WriteCall {
    uint64_t n; /* indices, or entries of `list` */
    uint32_t *bits;
    void *x;
    gb_VectorMask mask;
    bool replace, from_value;
    gb_Values T;
    uint64_t value; /* the first bytes */
    const gb_Idx *list;
    unsigned long long *count; /* entries of w; by list: that are new */
};

template <class T> GB_DEVICE T gb_written_value(const gb_WriteCall &c, uint64_t k) {
    T value;
    if (!c.from_value) return static_cast<const T *>(c.T.x)[k];
    memcpy(&value, &c.value, sizeof value);
    return value;
}

/* Replaces a gb_Binary. */
struct gb_NoAccum {
    enum { ACCUMULATES = 0 };
    template <class T> GB_MEMBER T operator()(T, T y) const {
        return y;
    }
};

/* A warp a word. A lane reads only its own index of w and the mask, and the whole word before it is
 * written: w may be the mask or T. */
template <class T, class Op>
__global__ void __launch_bounds__(GB_THREADS) gb_write_dense(gb_WriteCall c, Op accum) {
    const uint64_t words = (c.n + GB_WARP - 1) / GB_WARP;
    T *x = static_cast<T *>(c.x);
    uint64_t counted = 0;
    GB_EACH_TEAM(w, words, GB_WARP) {
        const uint64_t k = w * GB_WARP + gb_lane();
        const uint32_t old = c.bits[w];
        const bool had = (old >> gb_lane() & 1u) != 0;
        const bool may = k < c.n && c.mask.allows(k);
        const bool comes = may && (c.from_value || c.T.has(k));
        if (comes) {
            const T y = gb_written_value<T>(c, k);
            x[k] = Op::ACCUMULATES && had ? accum(x[k], y) : y;
        }
        const bool stays = had && (may ? Op::ACCUMULATES != 0 : !c.replace);
        const uint32_t word = __ballot_sync(GB_ALL_LANES, comes || stays);
        if (gb_lane() == 0 && word != old) c.bits[w] = word;
        if (gb_lane() == 0) counted += (uint64_t)__popc(word);
    }
    gb_block_add(c.count, counted);
}

/* Writes the indices of a sparse vector at which the mask is true. */
template <class T, class Op>
__global__ void __launch_bounds__(GB_THREADS) gb_write_listed(gb_WriteCall c, Op accum) {
    T *x = static_cast<T *>(c.x);
    uint64_t counted = 0;
    GB_EACH_THREAD(q, c.n) {
        const gb_Idx k = c.list[q];
        if (!c.mask.M.is_true(k)) continue;
        const uint32_t bit = 1u << (k % GB_WARP);
        const bool had = (atomicOr(&c.bits[k / GB_WARP], bit) & bit) != 0;
        const T y = gb_written_value<T>(c, k);
        x[k] = Op::ACCUMULATES && had ? accum(x[k], y) : y;
        counted += had ? 0 : 1;
    }
    gb_block_add(c.count, counted);
}

template <class T, class Op> static void start(gb_Job *job, const gb_WriteCall &c, Op accum) {
    if (c.list != NULL)
        GB_START_THREADS(job, c.n, (gb_write_listed<T, Op>), c, accum);
    else
        GB_START(job, (gb_write_dense<T, Op>), gb_sum_grid(job, gb_bit_words(c.n), GB_WARPS),
                 GB_THREADS, 0, c, accum);
}

/* Values are copied by their size alone, and computed with by their type. */
static void start_of_type(gb_Job *job, const gb_DeviceWrite *args, const gb_WriteCall &c) {
    if (args->accum == GB_USER)
        gb_by_size(args->w->xsize,
                   [&](auto value) { start<decltype(value)>(job, c, gb_NoAccum()); });
    else
        gb_by_type(job, args->type,
                   [&](auto value) { start<decltype(value)>(job, c, gb_Binary{args->accum}); });
}

/* Whether the mask is a short sparse vector that covers all that is written. */
static bool is_listed(const gb_DeviceWrite *args) {
    const gb_DeviceCs *M = args->mask.M;
    if (M == NULL || args->mask.complement || args->replace || M == args->w) return false;
    if (M->i == NULL || M->nvals > M->nminor / GB_CUDA_LISTED_BELOW) return false;
    return args->T == NULL || args->T == M;
}

gbl_Info gb_cuda_write(const gb_DeviceWrite *args) {
    gb_DeviceCs *w = args->w;
    unsigned long long found = 0;
    gb_WriteCall c = {};
    gb_Job job;
    gb_job_begin(&job);
    const bool listed = is_listed(args);
    c.n = listed ? args->mask.M->nvals : w->nminor;
    c.bits = w->bits;
    c.x = w->x;
    c.mask = gb_vector_mask(&args->mask);
    c.replace = args->replace;
    c.from_value = args->T == NULL;
    if (args->T != NULL) c.T = gb_values_of(args->T);
    memcpy(&c.value, args->value, sizeof c.value);
    c.list = listed ? args->mask.M->i : NULL;
    c.count = gb_job_zeros<unsigned long long>(&job, 1);
    start_of_type(&job, args, c);
    gb_job_read(&job, &found, c.count, sizeof found);
    if (job.info == GBL_SUCCESS) {
        w->nvals = (listed ? w->nvals : 0) + found;
        w->only = true;
        gb_vector_forget_list(w);
    }
    return gb_job_end(&job);
}
