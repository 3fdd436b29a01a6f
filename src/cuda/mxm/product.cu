/* SPDX-License-Identifier: Apache-2.0
 *
 * Products as calls: whole ones, and those that do not fit on the device, in slices of rows.
 * Factors and mask stay on the device; a slice is downloaded through a pinned buffer of its own, on
 * a stream of its own, while the next one is made, and the host empties the buffer while the last
 * kernels of that one run.
 *
 * Slices begin short and grow until their results have about GB_CUDA_SLICE bytes. Where memory is
 * short the pending download is awaited, then slices are halved, down to one row, or one row of
 * tiles. Device memory: two slices and the workspace of one.
 */
#include "core/clock.h"
#include "cuda/compiled/compiled.cuh"
#include "cuda/ops/entries.cuh"
#include "cuda/rowwise/rowwise.cuh"
#include "cuda/tiled/tiled.cuh"
#include "cuda/prim/operators.cuh"
#include "cuda/device/state.cuh"

/* A product as a part of a job, to which C's arrays belong; everything else that it took is freed.
 * `size`, unless it is NULL, may be what C->nvals is yet to be read from. */
static void multiply(gb_Job *job, gb_DeviceWay way, const gb_DeviceMxmArgs *args, gb_DeviceCs *C,
                     gb_DeviceMxmStats *stats, gb_Reading *size) {
    memset(stats, 0, sizeof *stats);
    if (args->own != NULL)
        gb_compiled_multiply(job, way, args, C, stats);
    else if (way == GB_DEVICE_DOT)
        gb_dot_multiply(job, args, NULL, C);
    else if (way == GB_DEVICE_TILED)
        gb_tiled_multiply(job, args, C, stats);
    else
        gb_rowwise_multiply(job, args, C, stats, size);
}

/* -- a whole product */

static void report_seconds(const double seconds[GB_STAGES], gb_DeviceWay way,
                           gb_DeviceMxmStats *stats) {
    if (way == GB_DEVICE_TILED) {
        stats->seconds_masks = seconds[GB_STAGE_MASKS];
        stats->seconds_values = seconds[GB_STAGE_VALUES];
        for (int s = 0; s < GB_STAGE_MASKS; s++) stats->seconds_layout += seconds[s];
        return;
    }
    stats->rows.seconds_symbolic = seconds[GB_STAGE_SYMBOLIC];
    stats->rows.seconds_compact = seconds[GB_STAGE_COMPACT];
    stats->seconds_analysis = seconds[GB_STAGE_ANALYSIS];
    stats->seconds_sketch = seconds[GB_STAGE_SKETCH];
    stats->seconds_estimate = seconds[GB_STAGE_ESTIMATE];
    stats->seconds_numeric = seconds[GB_STAGE_NUMERIC];
}

gbl_Info gb_cuda_mxm(gb_DeviceWay way, const gb_DeviceMxmArgs *args, gb_DeviceCs **T,
                     gb_DeviceMxmStats *stats) {
    double seconds[GB_STAGES];
    gb_Reading size = {};
    gb_Job job;
    gb_DeviceCs C;
    *T = NULL;
    gb_job_begin(&job);
    multiply(&job, way, args, &C, stats, &size);
    gb_job_seconds(&job, seconds, &size, size.bytes > 0);
    report_seconds(seconds, way, stats);
    if (args->fold == NULL) {
        gb_prune(&job, args->filter, &C);
        gb_copies_keep(&job, &C, T);
    }
    stats->nvals = args->fold != NULL ? args->fold->nvals : C.nvals;
    stats->no_room = job.no_room;
    return gb_job_end(&job);
}

/* -- slices */

struct gb_Slice {
    gb_DeviceCs C; /* exclusive owner of its arrays; p NULL: none */
    char *pinned;  /* [bytes] where it goes: offsets, values, columns */
    size_t bytes;
    cudaEvent_t arrived; /* it is in the buffer */
};

struct gb_Sliced {
    gb_Job job;
    const gb_DeviceMxmArgs *args;
    gb_DeviceWay way;
    const gb_DeviceSink *sink;
    gb_DeviceMxmStats *stats;
    uint64_t at, rows; /* where the next slice begins, and how long it is to be */
    uint64_t least;    /* rows that are not divided */
    gb_Slice slice[2]; /* in round robin */
    cudaStream_t downloads;
    cudaEvent_t made; /* the slice to be downloaded */
};

/* -- making a slice */

/* Rows [from, to) of X; its other arrays stay whole, and so does the count of its tiles. */
static gb_DeviceCs rows_of(gb_Job *job, const gb_DeviceCs *X, uint64_t from, uint64_t to) {
    gb_DeviceCs part = *X;
    gb_Off begin = 0, end = 0;
    gb_job_read(job, &begin, X->p + from, sizeof begin);
    gb_job_read(job, &end, X->p + to, sizeof end);
    part.p += from;
    part.nmajor = to - from;
    part.nvals = end - begin;
    if (part.tiles.block != NULL) {
        part.tiles.p += from / GB_TILE;
        part.tiles.rows = gb_tile_count(part.nmajor);
    }
    return part;
}

static void count_rows(gb_DeviceMxmStats *all, const gb_DeviceMxmStats *part) {
    all->products += part->products;
    all->nvals += part->nvals;
    all->rows.sorted += part->rows.sorted;
    all->rows.hashed += part->rows.hashed;
    all->rows.dense += part->rows.dense;
    all->rows.overflowed += part->rows.overflowed;
    all->rows.workflow = part->rows.workflow;
    all->tensor_cores = all->tensor_cores || part->tensor_cores;
    all->slices++;
}

/* The filter for rows from `first` on, which the kernels number from 0. */
static gb_DeviceFilter filter_from(const gb_DeviceFilter *filter, uint64_t first) {
    gb_DeviceFilter f = *filter;
    int64_t y;
    if (!f.has_test || !gb_is_position_test(f.test.op)) return f;
    memcpy(&y, &f.test.bound, sizeof y);
    if (f.test.op == GB_ROWLE || f.test.op == GB_ROWGT)
        y = y < INT64_MIN + (int64_t)first ? INT64_MIN : y - (int64_t)first;
    else if (f.test.op != GB_COLLE && f.test.op != GB_COLGT) /* indexed by j - i */
        y = y > INT64_MAX - (int64_t)first ? INT64_MAX : y + (int64_t)first;
    memcpy(&f.test.bound, &y, sizeof y);
    return f;
}

/* Rows up to `to` into arrays that belong to the job. */
static void multiply_rows(gb_Sliced *S, uint64_t to, gb_DeviceCs *C) {
    gb_DeviceMxmArgs part = *S->args;
    gb_DeviceMxmStats stats;
    gb_DeviceCs M;
    const gb_DeviceCs A = rows_of(&S->job, part.A, S->at, to);
    if (part.M != NULL) M = rows_of(&S->job, part.M, S->at, to);
    part.A = &A;
    if (part.M != NULL) part.M = &M;
    if (S->job.info != GBL_SUCCESS) return;
    multiply(&S->job, S->way, &part, C, &stats, NULL);
    if (part.filter != NULL) {
        const gb_DeviceFilter filter = filter_from(part.filter, S->at);
        gb_prune(&S->job, &filter, C);
    }
    stats.nvals = C->nvals;
    if (S->job.info == GBL_SUCCESS) count_rows(S->stats, &stats);
}

static void free_slice(gb_Slice *s) {
    gb_cuda_free(s->C.p, s->C.pbytes);
    gb_cuda_free(s->C.i, s->C.ibytes);
    gb_cuda_free(s->C.x, s->C.xbytes);
    memset(&s->C, 0, sizeof s->C);
}

static size_t value_bytes(const gb_DeviceCs *C) {
    return (C->nvals * C->xsize + 7) / 8 * 8;
}

/* Waits until the slice is in its buffer, frees its arrays, and hands it on. */
static void finish_slice(gb_Sliced *S, gb_Slice *s) {
    if (s->C.p == NULL) return;
    const double start = gb_seconds();
    gb_CsView view = {};
    view.nmajor = s->C.nmajor;
    view.nminor = s->C.nminor;
    view.nvals = s->C.nvals;
    view.xsize = s->C.xsize;
    view.sorted = true;
    view.p = (const gb_Off *)s->pinned;
    view.x = view.p + view.nmajor + 1;
    view.i = (const gb_Idx *)((const char *)view.x + value_bytes(&s->C));
    gb_job_check(&S->job, cudaEventSynchronize(s->arrived), "moving data from it");
    gb_cuda.seconds_moving += gb_seconds() - start;
    free_slice(s);
    if (S->job.info == GBL_SUCCESS) gb_job_fail(&S->job, S->sink->take(S->sink->to, &view));
}

/* After too little memory for rows up to `to`: what is to be tried next, if anything. */
static bool try_less(gb_Sliced *S, gb_Slice *pending, unsigned blocks, uint64_t to) {
    if (S->job.info != GBL_OUT_OF_MEMORY || !S->job.no_room) return false;
    const uint64_t tried = to - S->at;
    if (pending->C.p == NULL && tried <= S->least) return false;
    gb_job_rewind(&S->job, blocks);
    if (pending->C.p != NULL)
        finish_slice(S, pending);
    else
        S->rows = (tried / 2 + S->least - 1) / S->least * S->least;
    return S->job.info == GBL_SUCCESS;
}

/* The next slice; its last kernels may still run. Returns its end. */
static uint64_t make_slice(gb_Sliced *S, gb_Slice *s, gb_Slice *pending) {
    const uint64_t m = S->args->A->nmajor;
    const unsigned blocks = S->job.nblocks;
    uint64_t to;
    do {
        to = m - S->at < S->rows ? m : S->at + S->rows;
        memset(&s->C, 0, sizeof s->C);
        multiply_rows(S, to, &s->C);
    } while (try_less(S, pending, blocks, to));
    if (S->job.info != GBL_SUCCESS) {
        memset(&s->C, 0, sizeof s->C);
        return to;
    }
    s->C.pbytes = gb_job_keep(&S->job, s->C.p);
    s->C.ibytes = gb_job_keep(&S->job, s->C.i);
    s->C.xbytes = gb_job_keep(&S->job, s->C.x);
    return to;
}

/* -- downloads */

static void grow_buffer(gb_Sliced *S, gb_Slice *s, size_t bytes) {
    if (S->job.info != GBL_SUCCESS || bytes <= s->bytes) return;
    if (s->pinned != NULL) cudaFreeHost(s->pinned);
    s->pinned = NULL;
    s->bytes = 0;
    void *made = NULL;
    gb_job_check(&S->job, cudaMallocHost(&made, bytes + bytes / 4), "buffers for moving data");
    if (S->job.info != GBL_SUCCESS) return;
    s->pinned = (char *)made;
    s->bytes = bytes + bytes / 4;
}

static size_t download_part(gb_Sliced *S, char *to, const void *from, size_t bytes) {
    if (S->job.info == GBL_SUCCESS && bytes > 0)
        gb_job_check(&S->job,
                     cudaMemcpyAsync(to, from, bytes, cudaMemcpyDeviceToHost, S->downloads),
                     "moving data from it");
    return bytes;
}

/* To its buffer, once it is made. */
static void start_download(gb_Sliced *S, gb_Slice *s) {
    gb_Job *job = &S->job;
    const size_t p = (s->C.nmajor + 1) * sizeof *s->C.p, i = s->C.nvals * sizeof *s->C.i;
    grow_buffer(S, s, p + value_bytes(&s->C) + i);
    if (job->info != GBL_SUCCESS) return;
    gb_job_check(job, cudaEventRecord(S->made, job->stream), "a slice");
    gb_job_check(job, cudaStreamWaitEvent(S->downloads, S->made, 0), "a slice");
    gb_cuda.bytes_down += download_part(S, s->pinned, s->C.p, p);
    gb_cuda.bytes_down += download_part(S, s->pinned + p, s->C.x, s->C.nvals * s->C.xsize);
    gb_cuda.bytes_down += download_part(S, s->pinned + p + value_bytes(&s->C), s->C.i, i);
    gb_job_check(job, cudaEventRecord(s->arrived, S->downloads), "a slice");
}

/* -- all slices */

static void begin(gb_Sliced *S) {
    gb_Job *job = &S->job;
    if (job->info != GBL_SUCCESS) return;
    gb_job_check(job, cudaStreamCreateWithFlags(&S->downloads, cudaStreamNonBlocking), "a stream");
    gb_job_check(job, cudaEventCreateWithFlags(&S->made, cudaEventDisableTiming), "an event");
    for (gb_Slice &s : S->slice)
        gb_job_check(job, cudaEventCreateWithFlags(&s.arrived, cudaEventDisableTiming), "an event");
    if (S->way == GB_DEVICE_TILED) gb_tiled_prepare(job, S->args);
    S->least = S->way == GB_DEVICE_TILED ? GB_TILE : 1;
    S->rows = (S->args->A->nmajor / GB_CUDA_SLICES + S->least) / S->least * S->least;
}

static void end(gb_Sliced *S) {
    if (S->downloads != NULL) cudaStreamSynchronize(S->downloads);
    for (gb_Slice &s : S->slice) {
        free_slice(&s);
        if (s.pinned != NULL) cudaFreeHost(s.pinned);
        if (s.arrived != NULL) cudaEventDestroy(s.arrived);
    }
    if (S->made != NULL) cudaEventDestroy(S->made);
    if (S->downloads != NULL) cudaStreamDestroy(S->downloads);
}

/* As many rows as bring the bytes that are wanted, by the slice before, but at most 4 times as many
 * as it had. */
static void choose_rows(gb_Sliced *S, const gb_DeviceCs *C) {
    const double bytes = (double)C->nvals * (double)(C->xsize + sizeof(gb_Idx)) + 1.0;
    double grow = (double)GB_CUDA_SLICE / bytes;
    if (grow > 4.0) grow = 4.0;
    const uint64_t rows = (uint64_t)((double)C->nmajor * grow);
    S->rows = (rows / S->least + 1) * S->least;
}

gbl_Info gb_cuda_mxm_sliced(gb_DeviceWay way, const gb_DeviceMxmArgs *args,
                            const gb_DeviceSink *sink, gb_DeviceMxmStats *stats) {
    gb_Sliced S = {};
    memset(stats, 0, sizeof *stats);
    S.args = args;
    S.way = way;
    S.sink = sink;
    S.stats = stats;
    gb_job_begin(&S.job);
    begin(&S);
    for (int k = 0; S.at < args->A->nmajor && S.job.info == GBL_SUCCESS; k ^= 1) {
        const uint64_t to = make_slice(&S, &S.slice[k], &S.slice[k ^ 1]);
        if (S.job.info == GBL_SUCCESS) choose_rows(&S, &S.slice[k].C);
        start_download(&S, &S.slice[k]);
        finish_slice(&S, &S.slice[k ^ 1]);
        S.at = to;
        if (to == args->A->nmajor) finish_slice(&S, &S.slice[k]);
    }
    end(&S);
    return gb_job_end(&S.job);
}

/* -- with a vector */

gbl_Info gb_cuda_mxv(const gb_DeviceMxvArgs *args, gb_DeviceCs **T) {
    if (args->own == NULL)
        return gb_mxv_multiply(args, *gb_mxv_run(args->ring), gb_traits_of(args->ring).bytes, T);
    const gbl_Info info = gb_compiled_check(args->own);
    if (info != GBL_SUCCESS) return info;
    const gb_MxvRun own = {args->own->pull, NULL};
    return gb_mxv_multiply(args, own, args->own->bytes, T);
}
