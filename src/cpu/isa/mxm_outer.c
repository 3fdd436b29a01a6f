/* SPDX-License-Identifier: Apache-2.0
 *
 * Driver of the outer product with propagation blocking (PB-SpGEMM, IPDPS '20). Bins, parts and
 * slices are planned from the pointers and A's row indices (cpu/bins.h). Then, slice by slice,
 * threads expand parts of A's columns times B's rows into packets, grouped by bins through local
 * bins in the cache, and threads take bins, group them by rows, sort, join and stream the rows to
 * their places (cpu/place.h).
 *
 * The result does not depend on the number of threads: packets of a bin stand in the order of k.
 */
#include "core/arrays.h"
#include "core/clock.h"
#include "core/parallel.h"
#include "cpu/isa/isa.h"
#include "cpu/isa/maskrow.h"
#include "cpu/isa/outerwork.h"
#include "cpu/isa/shortkeys.h"
#include "cpu/premask.h"
#include "semiring/ids.h"

#define SR_TEMPLATE "cpu/isa/outer.tmpl.h"
#include "semiring/foreach.h"
#undef SR_TEMPLATE

typedef struct {
    bool carries; /* products have values */
    void (*prepare)(gb_OuterWork *w);
    void (*clean)(const gb_RingArgs *R, void *val, uint64_t n);
    void (*expand)(const gb_Outer *o, gb_OuterWork *w, uint64_t k, gb_Off from, gb_Off to);
    uint64_t (*join_short)(const gb_Outer *o, gb_OuterWork *w, const gb_ShortRows *batch,
                           const uint64_t *start, const gb_Buffer *buffer, gb_RowOut out);
    uint64_t (*join_long)(const gb_Outer *o, gb_OuterWork *w, uint64_t f, const gb_Idx *col,
                          const char *x, gb_RowOut out);
    uint64_t (*join_dense)(const gb_Outer *o, gb_OuterWork *w, uint64_t f, const gb_Idx *col,
                           const char *x, gb_RowOut out);
    uint64_t (*join_range)(const gb_Outer *o, gb_OuterWork *w, uint64_t bin, gb_Idx base,
                           uint64_t width, gb_RowOut out);
} gb_OuterKernel;

#define FUNCTIONS(name)                                                                            \
    prepare_##name, clean_##name, expand_##name, join_short_##name, join_long_##name,              \
        join_dense_##name, join_range_##name
#define ENTRY(name, add, multiply, type) [GB_RING_##name] = {carries_##name, FUNCTIONS(name)},
static const gb_OuterKernel kernels[GB_RING_COUNT] = {
    GB_FOREACH_RING(ENTRY)[GB_RING_GENERIC] = {carries_GENERIC, FUNCTIONS(GENERIC)}};
#undef ENTRY
#undef FUNCTIONS

/* -- expanding --------------------------------------------------------------------------------- */

/* Expands column k of A, rows of the slice, and moves the column's cursor to where they begin. */
static inline void expand_column(const gb_Outer *o, gb_OuterWork *w, uint64_t k) {
    const gb_MxmArgs *g = o->g;
    if (g->B.p[k] == g->B.p[k + 1]) return;
    gb_Off from = g->A.p[k], to = g->A.p[k + 1];
    if (o->cursor != NULL) {
        const gb_Off end = to;
        from = o->cursor[k];
        while (from < end && g->A.i[from] < o->row_begin) from++;
        for (to = from; to < end && g->A.i[to] < o->row_end;) to++;
        o->cursor[k] = from;
    }
    if (from < to) kernels[g->ring].expand(o, w, k, from, to);
}

static void expand_slice(const gb_Outer *o, gb_OuterWork *work, int threads) {
    const gb_Bins *b = o->bins;
    const uint64_t flops = o->g->flops[o->row_end] - o->g->flops[o->row_begin];
    int next = 0;
    GB_PARALLEL_FOR(threads)
    for (int t = 0; t < threads; t++) {
        int part;
        while ((part = __atomic_fetch_add(&next, 1, __ATOMIC_RELAXED)) < b->parts) {
            if (!gb_progress_add(o->g->meter, flops / (uint64_t)b->parts / 2)) break;
            GB_ISA_NAME(gb_local_begin)(&work[t], o, part);
            for (uint64_t k = b->column[part]; k < b->column[part + 1]; k++)
                expand_column(o, &work[t], k);
            GB_ISA_NAME(gb_local_end)(&work[t], o);
        }
    }
}

/* -- joining ----------------------------------------------------------------------------------- */

static bool reserve_dense(const gb_Outer *o, gb_OuterWork *w) {
    const uint64_t width = (uint64_t)1 << o->bins->column_shift;
    const uint64_t n = o->g->B.nminor < width ? o->g->B.nminor : width;
    if (w->rows.val != NULL) return true;
    if (!GB_ISA_NAME(gb_reserve_dense)(&w->rows, n)) return false;
    kernels[o->g->ring].clean(&w->rows.args, w->rows.val, n);
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
    gb_Off *p;  /* of T */
    uint64_t n; /* entries so far */
    gb_ShortRows batch;
    uint64_t start[GB_SHORT_ROWS]; /* where the products of the batch's rows begin */
} gb_BinJob;

static gb_RowOut row_out(const gb_Outer *o, const gb_BinJob *job) {
    return (gb_RowOut){job->p, job->n, job->buffer->i + job->n,
                       job->buffer->x + job->n * o->g->args.zsize};
}

static void flush(const gb_Outer *o, gb_OuterWork *w, gb_BinJob *job) {
    if (job->batch.n == 0) return;
    job->n +=
        kernels[o->g->ring].join_short(o, w, &job->batch, job->start, job->buffer, row_out(o, job));
    job->batch = (gb_ShortRows){0};
}

/* A row of f > GB_SORT_MAX products. */
static void join_row(const gb_Outer *o, gb_OuterWork *w, gb_BinJob *job, uint64_t i, uint64_t start,
                     uint64_t f) {
    const gb_OuterKernel *kernel = &kernels[o->g->ring];
    const gb_RowOut out = row_out(o, job);
    const gb_Idx *col = job->buffer->i + start;
    const char *x = job->buffer->x + start * o->g->args.zsize;
    job->p[i] = job->n;
    uint64_t n;
    if (!may_be_dense(o, f))
        n = kernel->join_long(o, w, f, col, x, out);
    else if (reserve_dense(o, w))
        n = kernel->join_dense(o, w, f, col, x, out);
    else
        return;
    job->n += o->g->mask_kind == GB_MASK_NONE ? n : gb_mask_row(o->g, i, out.i, out.x, n);
}

/* Rows of a bin that is not heavy, joined in place: the entries of a row never reach beyond its
 * products. */
static void join_rows(const gb_Outer *o, gb_OuterWork *w, gb_BinJob *job) {
    const uint64_t *row = &o->bins->chunks.row[job->bin], *flops = o->g->flops;
    gb_ShortRows *batch = &job->batch;
    GB_ISA_NAME(gb_group_rows)(w, o, job->bin, job->buffer);
    for (uint64_t i = row[0]; i < row[1] && w->rows.wanted == 0; i++) {
        const uint64_t start = flops[i] - flops[row[0]], f = w->end[i - row[0]] - start;
        if (f > GB_SORT_MAX) {
            flush(o, w, job);
            join_row(o, w, job, i, start, f);
        } else if (f > 0) {
            job->start[batch->n] = start;
            gb_short_add(batch, i, (unsigned)f);
            if (batch->n == GB_SHORT_ROWS) flush(o, w, job);
        } else if (batch->n > 0) {
            batch->to = i + 1;
        } else {
            job->p[i] = job->n;
        }
    }
    flush(o, w, job);
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
    job->n = kernels[g->ring].join_range(o, w, job->bin, (gb_Idx)base, width, out);
    if (g->mask_kind != GB_MASK_NONE) job->n = gb_mask_row(g, row, out.i, out.x, job->n);
}

/* One thread's part: bins of the slice until there are none left. */
static void join_bins(const gb_Outer *o, gb_Placer *P, int t, gb_OuterWork *w) {
    gb_BinJob job = {.p = P->T->p};
    const uint64_t *row = o->bins->chunks.row, *flops = o->g->flops;
    while (gb_place_next(P, t, &job.bin, &job.buffer)) {
        const uint64_t work = flops[row[job.bin + 1]] - flops[row[job.bin]];
        const bool go_on = gb_progress_add(o->g->meter, work / 2);
        job.n = 0;
        if (go_on && o->bins->range[job.bin] > 0)
            join_heavy(o, w, &job);
        else if (go_on)
            join_rows(o, w, &job);
        if (w->rows.wanted > 0) gb_place_stop(P, GBL_OUT_OF_MEMORY, w->rows.wanted);
        gb_place_done(P, t, job.buffer, w->rows.wanted == 0 ? job.n : 0);
    }
}

/* -- all of it --------------------------------------------------------------------------------- */

static void run_slice(gb_Outer *o, gb_Placer *P, gb_OuterWork *work, gb_MxmStats *stats) {
    const gb_Bins *b = o->bins;
    const double start = gb_seconds();
    o->begin = b->slice[o->slice];
    o->end = b->slice[o->slice + 1];
    o->row_begin = gb_slice_begin(b, o->slice);
    o->row_end = gb_slice_end(b, o->slice);
    expand_slice(o, work, P->nthreads);
    const double expanded = gb_seconds();
    gb_place_open(P, o->begin, o->end);
    GB_PARALLEL_FOR(P->nthreads)
    for (int t = 0; t < P->nthreads; t++) join_bins(o, P, t, &work[t]);
    stats->seconds_expand += expanded - start;
    stats->seconds_sort += gb_seconds() - expanded;
}

static gbl_Info run_slices(gb_Outer *o, gb_Placer *P, gb_MxmStats *stats) {
    const gb_Bins *b = o->bins;
    const int threads = P->nthreads;
    const size_t bytes = (size_t)threads * sizeof(gb_OuterWork);
    const size_t columns = o->g->A.nmajor * sizeof *o->cursor;
    char *block = gb_malloc(b->most + GB_LINE);
    gb_OuterWork *work = gb_calloc(bytes);
    if (b->slices > 1) o->cursor = gb_malloc(columns);
    gbl_Info info = GBL_SUCCESS;
    if (block == NULL || work == NULL || (b->slices > 1 && o->cursor == NULL))
        info = gb_fail_memory(NULL, b->most + bytes + columns);
    for (int t = 0; t < threads && info == GBL_SUCCESS; t++) {
        info = GB_ISA_NAME(gb_outerwork_new)(&work[t], o);
        if (info == GBL_SUCCESS) kernels[o->g->ring].prepare(&work[t]);
    }
    if (info == GBL_SUCCESS) {
        o->packets = (char *)(((uintptr_t)block + GB_LINE - 1) & ~(uintptr_t)(GB_LINE - 1));
        if (o->cursor != NULL) memcpy(o->cursor, o->g->A.p, columns);
        for (; o->slice < b->slices && P->failed == GBL_SUCCESS; o->slice++)
            run_slice(o, P, work, stats);
        info = gb_progress_end(o->g->meter);
    }
    for (int t = 0; work != NULL && t < threads; t++) {
        stats->sorted += work[t].rows.sorted;
        stats->dense += work[t].rows.dense;
        stats->seconds_compact += P->thread[t].seconds / threads;
        GB_ISA_NAME(gb_outerwork_free)(&work[t], o);
    }
    gb_free(o->cursor, columns);
    gb_free(work, bytes);
    gb_free(block, b->most + GB_LINE);
    return info;
}

/* Entries to make C's arrays for. */
static uint64_t room(const gb_MxmArgs *g, const gb_Bins *b) {
    uint64_t sum = 0;
    for (uint64_t c = 0; c < b->chunks.n; c++) sum += b->chunks.room[c];
    if (g->mask_kind == GB_MASK_INSIDE && g->M.nvals < sum) sum = g->M.nvals;
    return sum < g->room_most ? sum : g->room_most;
}

gbl_Info GB_ISA_NAME(gb_mxm_outer)(const gb_MxmArgs *args, gb_Cs *T, gb_MxmStats *stats) {
    gb_MxmArgs g = *args;
    gb_Premask pre;
    gb_Bins bins = {0};
    gb_Placer P;
    const double start = gb_seconds();
    *T = (gb_Cs){0};
    *stats = (gb_MxmStats){.workflow = "slices"};
    gbl_Info info = gb_premask_new(&pre, &g);
    if (info != GBL_SUCCESS) return info;
    const size_t value = kernels[g.ring].carries ? g.args.zsize : 0;
    info = gb_bins_new(&bins, &g, value, pre.alive);
    stats->seconds_symbolic = gb_seconds() - start;
    stats->slices = bins.slices;
    stats->bins = bins.chunks.n;
    stats->bytes_expanded = bins.total;
    if (info == GBL_SUCCESS) info = gb_place_begin(&P, &g, &bins.chunks, T, room(&g, &bins));
    if (info == GBL_SUCCESS) {
        gb_Outer o = {.g = &g, .bins = &bins};
        info = run_slices(&o, &P, stats);
        if (info != GBL_SUCCESS) gb_place_stop(&P, info, 0);
        info = gb_place_end(&P);
    }
    gb_bins_free(&bins);
    gb_premask_free(&pre);
    return info;
}
