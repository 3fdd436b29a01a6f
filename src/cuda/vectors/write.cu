/* SPDX-License-Identifier: Apache-2.0
 *
 * w<mask, replace> accum= T for vectors, in place: what finish is on the host. Cost: w's places;
 * or, where the mask is a short list of what is written, that list, so that `visited<frontier> =
 * level` costs what the frontier has.
 */
#include "cuda/vectors/vector.cuh"
#include "cuda/prim/operators.cuh"
#include "cuda/device/state.cuh"

struct gb_WriteCall {
    uint64_t n; /* places, or entries of `list` */
    uint32_t *bits;
    void *x;
    gb_CellMask mask;
    bool replace, from_value;
    gb_Cells T;
    uint64_t value; /* the first bytes */
    const gb_Idx *list;
    unsigned long long *count; /* entries of w; by list: that are new */
};

template <class T>
static __device__ __forceinline__ T gb_written_value(const gb_WriteCall &c, uint64_t k) {
    T value;
    if (!c.from_value) return static_cast<const T *>(c.T.x)[k];
    memcpy(&value, &c.value, sizeof value);
    return value;
}

/* Op: a gb_Binary, or gb_NoAccum. */
struct gb_NoAccum {
    template <class T> __device__ __forceinline__ T operator()(T, T y) const {
        return y;
    }
};
template <class Op> struct gb_IsAccum {
    enum { YES = 1 };
};
template <> struct gb_IsAccum<gb_NoAccum> {
    enum { YES = 0 };
};

/* A warp a word. A lane reads of w and the mask only its own place, and all of the word before it
 * is written, so that w may be the mask or T. */
template <class T, class Op>
__global__ void __launch_bounds__(GB_CELL_THREADS) gb_write_cells(gb_WriteCall c, Op accum) {
    const uint64_t words = (c.n + GB_WARP - 1) / GB_WARP;
    T *x = static_cast<T *>(c.x);
    uint64_t counted = 0;
    for (uint64_t w = (uint64_t)blockIdx.x * GB_CELL_WARPS + threadIdx.x / GB_WARP; w < words;
         w += (uint64_t)gridDim.x * GB_CELL_WARPS) {
        const uint64_t k = w * GB_WARP + gb_lane();
        const uint32_t old = c.bits[w];
        const bool had = (old >> gb_lane() & 1u) != 0;
        const bool may = k < c.n && c.mask.lets(k);
        const bool comes = may && (c.from_value || c.T.has(k));
        if (comes) {
            const T y = gb_written_value<T>(c, k);
            x[k] = gb_IsAccum<Op>::YES && had ? accum(x[k], y) : y;
        }
        const bool stays = had && (may ? gb_IsAccum<Op>::YES != 0 : !c.replace);
        const uint32_t word = __ballot_sync(GB_ALL_LANES, comes || stays);
        if (gb_lane() == 0 && word != old) c.bits[w] = word;
        counted += (uint64_t)__popc(word);
    }
    gb_count_cells(c.count, counted);
}

/* The places of a list, at each of which something is written where the mask is true. */
template <class T, class Op>
__global__ void __launch_bounds__(GB_CELL_THREADS) gb_write_listed(gb_WriteCall c, Op accum) {
    T *x = static_cast<T *>(c.x);
    uint64_t counted = 0;
    for (uint64_t q = (uint64_t)blockIdx.x * blockDim.x + threadIdx.x; q < c.n;
         q += (uint64_t)gridDim.x * blockDim.x) {
        const gb_Idx k = c.list[q];
        if (c.mask.M.x != NULL && !c.mask.is_true(k)) continue;
        const uint32_t bit = 1u << (k % GB_WARP);
        const bool had = (atomicOr(&c.bits[k / GB_WARP], bit) & bit) != 0;
        const T y = gb_written_value<T>(c, k);
        x[k] = gb_IsAccum<Op>::YES && had ? accum(x[k], y) : y;
        counted += had ? 0 : 1;
    }
    gb_count_cells(c.count, gb_warp_sum(counted));
}

template <class T, class Op> static void start(gb_Job *job, const gb_WriteCall &c, Op accum) {
    if (c.list != NULL)
        GB_START(job, (gb_write_listed<T, Op>), gb_grid(c.n, GB_CELL_THREADS), GB_CELL_THREADS, 0,
                 c, accum);
    else
        GB_START(job, (gb_write_cells<T, Op>), gb_grid(gb_cell_words(c.n), GB_CELL_WARPS),
                 GB_CELL_THREADS, 0, c, accum);
}

/* Values are copied by their size alone, and computed with by their type. */
static void start_of_type(gb_Job *job, const gb_DeviceWrite *args, const gb_WriteCall &c) {
    const gb_Binary accum = {args->accum};
    if (args->accum == GB_USER) {
        if (args->w->xsize == 1) return start<uint8_t>(job, c, gb_NoAccum());
        if (args->w->xsize == 2) return start<uint16_t>(job, c, gb_NoAccum());
        if (args->w->xsize == 4) return start<uint32_t>(job, c, gb_NoAccum());
        return start<uint64_t>(job, c, gb_NoAccum());
    }
    switch (args->type) {
#define GB_CASE(N, T)                                                                              \
    case GBL_##N##_CODE:                                                                           \
        return start<T>(job, c, accum);
        GB_FOREACH_DEVICE_TYPE(GB_CASE)
#undef GB_CASE
    default:
        gb_job_fail(job, gb_fail(GBL_INVALID_VALUE, "there is no GPU kernel for this type"));
    }
}

/* Whether all that is written is where the mask, a short list, has entries. */
static bool is_listed(const gb_DeviceWrite *args) {
    const gb_DeviceCs *M = args->mask.M;
    if (M == NULL || args->mask.complement || args->replace || M == args->w) return false;
    if (M->i == NULL || M->nvals > M->nminor / GB_CUDA_LISTED_BELOW) return false;
    return args->T == NULL || args->T == M;
}

gbl_Info gb_cuda_write(const gb_DeviceWrite *args) {
    gb_DeviceCs *w = args->w;
    unsigned long long found = 0;
    gb_WriteCall c;
    gb_Job job;
    gb_job_begin(&job);
    memset(&c, 0, sizeof c);
    const bool listed = is_listed(args);
    c.n = listed ? args->mask.M->nvals : w->nminor;
    c.bits = w->bits;
    c.x = w->x;
    c.mask = gb_cell_mask(&args->mask);
    c.replace = args->replace;
    c.from_value = args->T == NULL;
    if (args->T != NULL) c.T = gb_cells_of(args->T);
    memcpy(&c.value, args->value, sizeof c.value);
    c.list = listed ? args->mask.M->i : NULL;
    c.count = gb_job_new<unsigned long long>(&job, 1);
    gb_job_zero(&job, c.count, sizeof *c.count);
    start_of_type(&job, args, c);
    gb_job_read(&job, &found, c.count, sizeof found);
    if (job.info == GBL_SUCCESS) {
        w->nvals = (listed ? w->nvals : 0) + found;
        w->only = true;
        gb_cells_forget_list(w);
    }
    return gb_job_end(&job);
}
