/* SPDX-License-Identifier: Apache-2.0
 *
 * Drivers of pull (pull.tmpl.h). Threads share out the rows, so neither result depends on their
 * number.
 */
#include "cpu/mxv/mxv.h"

#define SR_TEMPLATE "cpu/mxv/pull.tmpl.h"
#define SR_WIDE
#include "semiring/foreach.h"
#undef SR_WIDE
#undef SR_TEMPLATE

static uint64_t pull_compiled(const gb_PullArgs *g, const gb_RingArgs *R, gb_RowSpan rows,
                              const gb_Dense *w, gb_Cs *out) {
    return R->compiled->pull->pull(g, R, rows, w, out);
}

#define ENTRY(name, add, multiply, type) [GB_RING_##name] = {pull_##name},
static const gb_PullKernel kernels[GB_RING_COUNT] = {
    GB_FOREACH_ANY_RING(ENTRY)[GB_RING_GENERIC] = {pull_GENERIC}, [GB_RING_COMPILED] = {
                                                                      pull_compiled}};
#undef ENTRY

typedef struct {
    const gb_PullArgs *g;
    gb_Dense *w; /* NULL: sparse */
    gb_MxvOutput out;
    uint64_t parts;
    uint64_t found; /* atomic; dense, few rows */
} gb_PullRun;

/* Rows of part t: with about the same number of entries, whole words of a set where there is one;
 * or its share of the few rows. */
static gb_RowSpan rows_of(const gb_PullRun *run, uint64_t t) {
    const gb_PullArgs *g = run->g;
    if (g->rows.i != NULL)
        return (gb_RowSpan){gb_part(g->rows.nvals, t, run->parts),
                            gb_part(g->rows.nvals, t + 1, run->parts)};
    const uint64_t whole = run->w == NULL ? ~(uint64_t)63 : UINT64_MAX, m = g->A.nmajor;
    return (gb_RowSpan){gb_first_row(&g->A, t, run->parts) & whole,
                        t + 1 == run->parts ? m : gb_first_row(&g->A, t + 1, run->parts) & whole};
}

static void pull_part(void *context, uint64_t t) {
    gb_PullRun *run = context;
    const gb_RingArgs R = gb_mxv_thread_args(&run->out, gb_thread_id());
    const uint64_t found =
        kernels[run->g->ring.id].pull(run->g, &R, rows_of(run, t), run->w, run->out.out);
    if (run->out.start != NULL) run->out.start[t + 1] = found;
    if (run->w != NULL || run->g->into.x != NULL)
        __atomic_add_fetch(&run->found, found, __ATOMIC_RELAXED);
}

/* How many threads, and run->parts. */
static int share_out(gb_PullRun *run, uint64_t work) {
    const int threads = gb_threads_for(work, GB_GRAIN, run->g->nthreads);
    run->parts = threads == 1 ? (uint64_t)gb_parts_for(1) : (uint64_t)threads * 8;
    if (run->parts > GB_MXV_PARTS) run->parts = GB_MXV_PARTS;
    return threads;
}

gbl_Info gb_cpu_mxv_pull(const gb_PullArgs *g, gb_Dense *w) {
    if (g->sell.nslices > 0) return gb_mxv_pull_sell(g, w);
    const uint64_t m = g->A.nmajor;
    gb_PullRun run = {.g = g, .w = w, .out = {.ring = &g->ring}};
    const int threads = share_out(&run, g->A.nvals + m);
    *w = (gb_Dense){0};
    gbl_Info info = GBL_SUCCESS;
    if (g->ring.id == GB_RING_GENERIC) info = gb_mxv_alloc_scratch(&run.out, threads);
    if (info == GBL_SUCCESS) info = gb_dense_alloc(w, m, gb_size_of(m, g->ring.args.zsize), true);
    if (info == GBL_SUCCESS) info = gb_parallel_try(threads, run.parts, pull_part, &run);
    w->nvals = run.found;
    if (info != GBL_SUCCESS) gb_dense_free(w);
    if (run.out.scratch != NULL) gb_mxv_free_scratch(&run.out, threads);
    return info;
}

/* -- sparse results */

static void emit_part(void *context, uint64_t t) {
    const gb_PullRun *run = context;
    const gb_RowSpan rows = rows_of(run, t);
    gb_Off at = run->out.start[t];
    for (uint64_t w = rows.from / 64; w < (rows.to + 63) / 64; w++)
        if (run->g->to.found.words[w] != 0) at = gb_mxv_emit_word(&run->out, w, at);
}

static gbl_Info pull_masked(gb_PullRun *run, int threads) {
    const gb_BitSet *set = &run->g->to.found;
    gbl_Info info = gb_parallel_try(threads, run->parts, pull_part, run);
    if (info == GBL_SUCCESS) info = gb_mxv_alloc_output(&run->out, run->parts);
    if (info == GBL_SUCCESS)
        gb_parallel_for(threads, run->parts, emit_part, run);
    else
        memset(set->words, 0, gb_words_for(run->g->A.nmajor) * sizeof *set->words);
    return info;
}

/* Each part's sums stand where its rows begin in the list; they move together. */
static void close_gaps(const gb_PullRun *run, gb_Cs *out) {
    const size_t size = run->g->ring.args.zsize;
    char *x = out->x;
    out->nvals = 0;
    for (uint64_t t = 0; t < run->parts; t++) {
        const gb_Off from = rows_of(run, t).from, found = run->out.start[t + 1];
        if (from != out->nvals) {
            memmove(out->i + out->nvals, out->i + from, found * sizeof *out->i);
            memmove(x + out->nvals * size, x + from * size, found * size);
        }
        out->nvals += found;
    }
    out->p[0] = 0;
    out->p[1] = out->nvals;
}

static gbl_Info pull_few(gb_PullRun *run, int threads) {
    const gb_PullArgs *g = run->g;
    gb_Cs *out = run->out.out;
    const size_t bytes = gb_size_of(g->rows.nvals, g->ring.args.zsize);
    if (g->into.x == NULL) {
        const gbl_Info info = gb_cs_alloc(out, 1, g->rows.nvals, bytes);
        if (info != GBL_SUCCESS) return info;
    }
    gb_parallel_for(threads, run->parts, pull_part, run);
    if (g->into.x == NULL)
        close_gaps(run, out);
    else
        out->nvals = run->found;
    return GBL_SUCCESS;
}

gbl_Info gb_cpu_mxv_pull_masked(const gb_PullArgs *g, gb_Cs *out) {
    gb_Off start[GB_MXV_PARTS + 1];
    gb_PullRun run = {.g = g, .out = {&g->ring, &g->to, out, start, NULL}};
    const int threads = share_out(&run, g->work);
    gbl_Info info = GBL_SUCCESS;
    *out = (gb_Cs){0};
    if (g->ring.id == GB_RING_GENERIC) info = gb_mxv_alloc_scratch(&run.out, threads);
    if (info == GBL_SUCCESS)
        info = g->rows.i != NULL ? pull_few(&run, threads) : pull_masked(&run, threads);
    if (run.out.scratch != NULL) gb_mxv_free_scratch(&run.out, threads);
    return info;
}
