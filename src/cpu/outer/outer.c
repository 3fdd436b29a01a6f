/* SPDX-License-Identifier: Apache-2.0
 *
 * Driver of the outer product with propagation blocking (PB-SpGEMM, IPDPS '20). Bins, parts and
 * slices are planned from the pointers and A's row indices (cpu/common/bins.h). Then, slice by
 * slice, threads expand parts of A's columns times B's rows into packets, grouped by bins through
 * local bins in the cache, and threads take bins, group them by rows, sort, join and stream the
 * rows to their positions (cpu/common/compact.h).
 *
 * Preconditions: A by columns, sorted; B by rows. Cost: each product is written to memory and read
 * once, 4 bytes and its value, and sorted with its row in the cache.
 *
 * The result does not depend on the number of threads: packets of a bin stand in the order of k.
 */
#include "core/clock.h"
#include "cpu/outer/work.h"

#define SR_TEMPLATE "cpu/outer/outer.tmpl.h"
#define SR_WIDE
#include "semiring/foreach.h"
#undef SR_WIDE
#undef SR_TEMPLATE

#define FUNCTIONS(name)                                                                            \
    prepare_##name, clean_##name, expand_##name, join_sorted_##name, join_long_##name,             \
        join_dense_##name, join_range_##name
#define ENTRY(name, add, multiply, type) [GB_RING_##name] = {carries_##name, FUNCTIONS(name)},
static const gb_OuterKernel kernels[GB_RING_COUNT] = {
    GB_FOREACH_ANY_RING(ENTRY)[GB_RING_GENERIC] = {carries_GENERIC, FUNCTIONS(GENERIC)}};
#undef ENTRY
#undef FUNCTIONS

static const gb_OuterKernel *kernel_of(const gb_MxmArgs *g) {
    return g->ring == GB_RING_COMPILED ? g->args.compiled->outer : &kernels[g->ring];
}

/* -- workspace --------------------------------------------------------------------------------- */

static gbl_Info work_new(void *work, const void *outer, const gb_MxmArgs *g) {
    gb_OuterWork *w = work;
    const gb_Bins *b = ((const gb_Outer *)outer)->bins;
    const uint64_t products = b->most_products, zsize = g->args.zsize;
    const uint64_t packets = gb_most_packets(b) + GB_PACKETS_NEXT;
    const size_t local = b->most_bins * sizeof *w->local, ends = GB_BIN_ROWS * sizeof *w->end;
    const size_t keys = 2 * products * sizeof *w->key, values = products * zsize;
    const size_t lines = (b->most_bins + 1) * b->shape.stride;
    const size_t found = packets * (sizeof *w->found + sizeof *w->packet);
    size_t wanted = 0;
    *w = (gb_OuterWork){0};
    gbl_Info info = GB_ISA_NAME(gb_rowwork_new)(&w->rows, g);
    if (info == GBL_SUCCESS) info = GB_ISA_NAME(gb_window_new)(&w->window, g->B.nminor, zsize);
    if (info != GBL_SUCCESS) return info;
    char *at = gb_grow(&w->arrays, local + ends + keys + values + lines + found, &wanted);
    if (at == NULL || !GB_ISA_NAME(gb_reserve_products)(&w->rows)) return gb_fail_memory(wanted);
    w->local = gb_carve(&at, local);
    w->end = gb_carve(&at, ends);
    w->key = gb_carve(&at, keys);
    w->product = gb_carve(&at, values);
    w->found = gb_carve(&at, packets * sizeof *w->found);
    w->packet = gb_carve(&at, packets * sizeof *w->packet);
    const uintptr_t stride = b->shape.stride;
    w->lines = (char *)(((uintptr_t)at + stride - 1) & ~(stride - 1));
    /* columns; the values are the kernel's, which knows their type */
    const uint64_t n = g->B.nvals;
    w->tail = (gb_Tail){.from = n > GB_TAIL ? n - GB_TAIL : 0};
    w->tail.count = (unsigned)(n - w->tail.from);
    if (w->tail.count > 0)
        memcpy(w->tail.column, g->B.i + w->tail.from, w->tail.count * sizeof(gb_Idx));
    kernel_of(g)->prepare(w);
    return GBL_SUCCESS;
}

static void work_free(void *work, const gb_MxmArgs *g, gb_MxmStats *stats) {
    gb_OuterWork *w = work;
    (void)g;
    stats->sorted += w->rows.sorted;
    stats->dense += w->rows.dense;
    gb_grown_free(&w->arrays);
    GB_ISA_NAME(gb_window_free)(&w->window);
    GB_ISA_NAME(gb_rowwork_free)(&w->rows);
}

/* Local bins are empty and know where part `part` of each of the slice's bins goes. */
static void begin_local(gb_OuterWork *w, const gb_Outer *o, int part) {
    const gb_Bins *b = o->bins;
    const uint64_t *start = b->start + (uint64_t)part * b->chunks.n;
    for (uint64_t bin = o->begin; bin < o->end; bin++)
        w->local[bin - o->begin] =
            (gb_LocalBin){w->lines + (bin - o->begin) * b->shape.stride, o->packets + start[bin]};
}

/* Writes what waits in local bins. The last line of a part is written whole: the next part begins
 * behind it. */
static void end_local(gb_OuterWork *w, const gb_Outer *o) {
    for (uint64_t bin = 0; bin < o->end - o->begin; bin++) {
        const char *lines = w->lines + bin * o->bins->shape.stride;
        const gb_LocalBin *local = &w->local[bin];
        for (size_t at = 0; lines + at < local->at; at += GB_LINE)
            gb_stream_line(local->to + at, lines + at);
    }
    gb_stream_end(); /* other threads read this */
}

/* -- packets of rows --------------------------------------------------------------------------- */

/* Lists the packets of one part behind the n that are listed; w->end counts them by row. */
static uint32_t list_part(gb_OuterWork *w, const gb_Outer *o, const char *at, const char *end,
                          uint32_t n) {
    const size_t value = o->bins->shape.value;
    while (at < end) {
        __builtin_prefetch(at + GB_PACKETS_AHEAD);
        uint32_t head;
        memcpy(&head, at, sizeof head);
        const uint32_t row = head >> GB_PACKET_BITS;
        w->found[n++] = (gb_Found){at, row};
        w->end[row]++;
        at += gb_packet_bytes(value, head & ((1u << GB_PACKET_BITS) - 1));
    }
    return n;
}

/* The packets of a bin that is not heavy, row by row: those of its row r end at w->end[r]. The last
 * is repeated, so that packets may be prefetched. */
static void list_packets(gb_OuterWork *w, const gb_Outer *o, uint64_t bin) {
    const gb_Bins *b = o->bins;
    const uint64_t rows = b->chunks.row[bin + 1] - b->chunks.row[bin];
    uint32_t n = 0, sum = 0;
    memset(w->end, 0, rows * sizeof *w->end);
    for (uint64_t t = 0; t < (uint64_t)b->parts; t++) {
        const char *at = o->packets + b->start[t * b->chunks.n + bin];
        n = list_part(w, o, at, at + b->bytes[t * b->chunks.n + bin], n);
    }
    for (uint64_t r = 0; r < rows; r++) {
        const uint32_t count = w->end[r];
        w->end[r] = sum;
        sum += count;
    }
    for (uint32_t k = 0; k < n; k++) w->packet[w->end[w->found[k].row]++] = w->found[k].packet;
    for (uint32_t k = n; n > 0 && k < n + GB_PACKETS_NEXT; k++) w->packet[k] = w->packet[n - 1];
}

/* -- expanding --------------------------------------------------------------------------------- */

/* Jobs of a thread that wait for their local bins. */
typedef struct {
    unsigned n;
    gb_PacketJob job[GB_JOBS];
} gb_PacketJobs;

static inline void run_jobs(const gb_Outer *o, gb_OuterWork *w, gb_PacketJobs *jobs) {
    kernel_of(o->g)->expand(o, w, jobs->job, jobs->n);
    jobs->n = 0;
}

static inline void add_job(const gb_Outer *o, gb_OuterWork *w, gb_PacketJobs *jobs,
                           gb_PacketJob job) {
    const uint64_t i = o->g->A.i[job.p];
    job.bin = (uint32_t)gb_bin_of(o->bins, i);
    const uint64_t local = job.bin - o->begin;
    if (local < o->end - o->begin) __builtin_prefetch(w->local[local].at, 1);
    jobs->job[jobs->n++] = job;
    if (jobs->n == GB_JOBS) run_jobs(o, w, jobs);
}

/* Column k of A, rows of the slice; moves the column's cursor to where they begin. */
static inline void expand_column(const gb_Outer *o, gb_OuterWork *w, gb_PacketJobs *jobs,
                                 uint64_t k) {
    const gb_MxmArgs *g = o->g;
    const gb_Off end = g->B.p[k + 1], most = o->bins->shape.most;
    gb_Off from = g->A.p[k], to = g->A.p[k + 1];
    if (g->B.p[k] == end) return;
    if (o->cursor != NULL) {
        const gb_Off last = to;
        from = o->cursor[k];
        while (from < last && g->A.i[from] < o->row_begin) from++;
        for (to = from; to < last && g->A.i[to] < o->row_end;) to++;
        o->cursor[k] = from;
    }
    for (gb_Off q = g->B.p[k]; q < end; q += most) {
        const uint32_t n = (uint32_t)(end - q < most ? end - q : most);
        for (gb_Off p = from; p < to; p++) add_job(o, w, jobs, (gb_PacketJob){p, q, k, n, 0});
    }
}

static void expand_part(const gb_Outer *o, gb_OuterWork *w, int part) {
    const gb_Bins *b = o->bins;
    gb_PacketJobs jobs = {.n = 0};
    begin_local(w, o, part);
    for (uint64_t k = b->column[part]; k < b->column[part + 1]; k++) expand_column(o, w, &jobs, k);
    run_jobs(o, w, &jobs);
    end_local(w, o);
}

typedef struct {
    const gb_Outer *o;
    gb_Compaction *P;
    gb_OuterWork *work; /* [threads] */
    uint64_t flops;     /* of the slice */
} gb_OuterRun;

static void run_expand(void *context, uint64_t part) {
    const gb_OuterRun *run = context;
    const uint64_t parts = (uint64_t)run->o->bins->parts;
    if (gb_progress_add(run->o->g->meter, run->flops / parts / 2))
        expand_part(run->o, &run->work[gb_thread_id()], (int)part);
}

/* -- joining ----------------------------------------------------------------------------------- */

static bool reserve_dense(const gb_Outer *o, gb_OuterWork *w) {
    const uint64_t width = (uint64_t)1 << o->bins->column_shift;
    const uint64_t n = o->g->B.nminor < width ? o->g->B.nminor : width;
    if (w->rows.val != NULL) return true;
    if (!GB_ISA_NAME(gb_reserve_dense)(&w->rows, n)) return false;
    kernel_of(o->g)->clean(&w->rows.args, w->rows.val, n);
    return true;
}

/* A row is summed in a dense array where that stays in the cache and is not much wider than the row
 * has products. */
static bool may_be_dense(const gb_Outer *o, uint64_t f) {
    const uint64_t n = o->g->B.nminor;
    return n >> o->bins->column_shift == 0 && f > n / GB_DENSE_FILL;
}

/* Everything about the bin that a thread works on. */
typedef struct {
    uint64_t bin;
    gb_Buffer *buffer;
    gb_Off *p;    /* of T */
    uint64_t n;   /* entries so far */
    uint64_t row; /* the next row whose offset is to be written */
} gb_BinJob;

static gb_RowOut row_out(const gb_Outer *o, const gb_BinJob *job) {
    return (gb_RowOut){job->p, job->n, job->buffer->i + job->n,
                       job->buffer->x + job->n * o->g->args.zsize};
}

/* Row i, after rows without products, has n entries at the end of the buffer. */
static void end_row(const gb_Outer *o, gb_BinJob *job, uint64_t i, uint64_t n) {
    const gb_RowOut out = row_out(o, job);
    while (job->row <= i) job->p[job->row++] = job->n;
    job->n += o->g->mask_kind == GB_MASK_NONE ? n : gb_mask_row(o->g, i, out.i, out.x, n);
}

static void flush(const gb_Outer *o, gb_OuterWork *w, gb_BinJob *job) {
    gb_Window *window = &w->window;
    GB_ISA_NAME(gb_window_sort)(window);
    for (unsigned r = 0; r < window->rows; r++) {
        const gb_WindowRow *row = &window->row[r];
        end_row(o, job, row->row, kernel_of(o->g)->join_sorted(w, row, row_out(o, job)));
    }
    w->rows.sorted += window->rows;
    gb_window_clear(window);
}

/* A row of f products that no window takes. */
static void join_row(const gb_Outer *o, gb_OuterWork *w, gb_BinJob *job, uint64_t i, uint64_t f,
                     const char *const *packets, uint64_t count) {
    const gb_OuterKernel *kernel = kernel_of(o->g);
    const gb_RowOut out = row_out(o, job);
    if (!may_be_dense(o, f)) {
        end_row(o, job, i, kernel->join_long(o, w, f, packets, count, out));
        w->rows.sorted++;
    } else if (reserve_dense(o, w)) {
        end_row(o, job, i, kernel->join_dense(o, w, packets, count, out));
    }
}

/* Rows of a bin that is not heavy. */
static void join_rows(const gb_Outer *o, gb_OuterWork *w, gb_BinJob *job) {
    const uint64_t from = o->bins->chunks.row[job->bin], to = o->bins->chunks.row[job->bin + 1];
    list_packets(w, o, job->bin);
    job->row = from;
    for (uint64_t i = from, packet = 0; i < to && w->rows.wanted == 0; i++) {
        const char *const *packets = w->packet + packet;
        const uint64_t count = w->end[i - from] - packet;
        if (count == 0) continue;
        packet += count;
        const uint64_t f = o->g->flops[i + 1] - o->g->flops[i];
        for (uint64_t k = 0; k < count; k++) {
            __builtin_prefetch(packets[k + GB_PACKETS_NEXT]);
            __builtin_prefetch(packets[k + GB_PACKETS_NEXT] + GB_LINE);
        }
        const bool sort = f <= w->window.most && (f <= GB_SORT_MAX || !may_be_dense(o, f));
        if (!sort || gb_window_full(&w->window, (unsigned)f)) flush(o, w, job);
        if (sort) GB_ISA_NAME(gb_window_add)
        (&w->window, i, (unsigned)f, packets, (unsigned)count, o->bins->shape.value);
        else join_row(o, w, job, i, f, packets, count);
    }
    flush(o, w, job);
    while (job->row < to) job->p[job->row++] = job->n;
}

/* One range of the columns of a heavy row. */
static void join_heavy(const gb_Outer *o, gb_OuterWork *w, gb_BinJob *job) {
    const gb_MxmArgs *g = o->g;
    const uint32_t range = o->bins->range[job->bin] - 1;
    const uint64_t row = o->bins->chunks.row[job->bin] - (range > 0);
    const gb_RowOut out = row_out(o, job);
    if (range == 0) job->p[row] = 0;
    if (!reserve_dense(o, w)) return;
    const uint64_t base = (uint64_t)range << o->bins->column_shift;
    const uint64_t width = g->B.nminor - base < w->rows.n ? g->B.nminor - base : w->rows.n;
    job->n = kernel_of(g)->join_range(o, w, job->bin, (gb_Idx)base, width, out);
    if (g->mask_kind != GB_MASK_NONE) job->n = gb_mask_row(g, row, out.i, out.x, job->n);
}

/* One thread's part: bins of the slice until there are none left. */
static void join_bins(void *context, int t) {
    const gb_OuterRun *run = context;
    const gb_Outer *o = run->o;
    gb_Compaction *const P = run->P;
    gb_OuterWork *const w = &run->work[t];
    gb_BinJob job = {.p = P->T->p};
    const uint64_t *row = o->bins->chunks.row, *flops = o->g->flops;
    while (gb_compaction_next(P, t, &job.bin, &job.buffer)) {
        const uint64_t work = flops[row[job.bin + 1]] - flops[row[job.bin]];
        const bool go_on = gb_progress_add(o->g->meter, work / 2);
        job.n = 0;
        if (go_on && o->bins->range[job.bin] > 0)
            join_heavy(o, w, &job);
        else if (go_on)
            join_rows(o, w, &job);
        if (w->rows.wanted > 0) gb_compaction_stop(P, GBL_OUT_OF_MEMORY, w->rows.wanted);
        gb_compaction_done(P, t, job.buffer, w->rows.wanted == 0 ? job.n : 0);
    }
}

/* -- all of it --------------------------------------------------------------------------------- */

static void run_slice(gb_Outer *o, gb_Compaction *P, gb_OuterWork *work, gb_MxmStats *stats) {
    const gb_Bins *b = o->bins;
    const double start = gb_seconds();
    o->begin = b->slice[o->slice];
    o->end = b->slice[o->slice + 1];
    o->row_begin = gb_slice_begin(b, o->slice);
    o->row_end = gb_slice_end(b, o->slice);
    gb_OuterRun run = {o, P, work, o->g->flops[o->row_end] - o->g->flops[o->row_begin]};
    gb_parallel_for(P->nthreads, (uint64_t)b->parts, run_expand, &run);
    const double expanded = gb_seconds();
    gb_compaction_open(P, o->begin, o->end);
    gb_parallel(P->nthreads, join_bins, &run);
    gb_compaction_settle(P);
    stats->seconds_expand += expanded - start;
    stats->seconds_sort += gb_seconds() - expanded;
}

static gbl_Info run_slices(gb_Outer *o, gb_Compaction *P, gb_MxmStats *stats) {
    const gb_ChunkMethod method = {sizeof(gb_OuterWork), o, work_new, NULL, work_free, false};
    const gb_Bins *b = o->bins;
    const int threads = P->nthreads;
    const size_t columns = o->g->A.nmajor * sizeof *o->cursor;
    char *block = gb_malloc(b->most + GB_PACKETS_PAD);
    void *work;
    if (b->slices > 1) o->cursor = gb_malloc(columns);
    gbl_Info info = gb_works_new(&work, &method, o->g, threads);
    if (block == NULL || (b->slices > 1 && o->cursor == NULL))
        info = gb_fail_memory(b->most + columns);
    if (info == GBL_SUCCESS) {
        o->packets = (char *)(((uintptr_t)block + GB_LINE - 1) & ~(uintptr_t)(GB_LINE - 1));
        if (o->cursor != NULL) memcpy(o->cursor, o->g->A.p, columns);
        for (; o->slice < b->slices && P->failed == GBL_SUCCESS; o->slice++)
            run_slice(o, P, work, stats);
        info = gb_progress_end(o->g->meter);
    }
    for (int t = 0; t < threads; t++) stats->seconds_compact += P->thread[t].seconds / threads;
    gb_works_free(work, &method, o->g, threads, stats);
    gb_free(o->cursor, columns);
    gb_free(block, b->most + GB_PACKETS_PAD);
    return info;
}

gbl_Info GB_ISA_NAME(gb_mxm_outer)(const gb_MxmArgs *g, gb_Cs *T, gb_MxmStats *stats) {
    gb_Bins bins = {0};
    gb_Compaction P;
    *T = (gb_Cs){0};
    *stats = (gb_MxmStats){0};
    gbl_Info info = gb_bins_new(&bins, g, kernel_of(g)->carries ? g->args.zsize : 0);
    stats->slices = bins.slices;
    stats->bins = bins.chunks.n;
    stats->bytes_expanded = bins.total;
    if (info == GBL_SUCCESS)
        info = gb_compaction_begin(&P, g, &bins.chunks, T, gb_compaction_capacity(g, &bins.chunks));
    if (info == GBL_SUCCESS) {
        gb_Outer o = {.g = g, .bins = &bins};
        info = run_slices(&o, &P, stats);
        if (info != GBL_SUCCESS) gb_compaction_stop(&P, info, 0);
        info = gb_compaction_end(&P);
    }
    gb_bins_free(&bins);
    return info;
}
