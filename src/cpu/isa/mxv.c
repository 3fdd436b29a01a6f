/* SPDX-License-Identifier: Apache-2.0
 *
 * Drivers of the matrix-vector products; the two forms are described in mxv.tmpl.h. Neither result
 * depends on the number of threads.
 */
#include <string.h>

#include "backend/backend.h"
#include "core/arrays.h"
#include "core/parallel.h"
#include "core/tune.h"
#include "cpu/isa/isa.h"
#include "cpu/isa/mxv.h"
#include "semiring/ids.h"

typedef struct {
    void *val;      /* [n] */
    uint8_t *mark;  /* [n + 64] w(j) has a value */
    uint8_t *block; /* [n / 64 + 64] some of 64 neighbours has one */
} gb_PushWork;

#define SR_TEMPLATE "cpu/isa/mxv.tmpl.h"
#include "semiring/foreach.h"
#undef SR_TEMPLATE

typedef struct {
    uint64_t (*pull)(const gb_MxvArgs *g, const gb_RingArgs *R, uint64_t from, uint64_t to,
                     gb_Dense *w);
    uint64_t (*pull_list)(const gb_MxvArgs *g, const gb_RingArgs *R, uint64_t from, uint64_t to,
                          gb_Dense *w);
    void (*push)(const gb_MxvArgs *g, const gb_RingArgs *R, gb_ColumnRange columns, gb_PushWork *w);
} gb_MxvKernel;
#define ENTRY(name, add, multiply, type)                                                           \
    [GB_RING_##name] = {pull_##name, pull_list_##name, push_##name},
static const gb_MxvKernel kernels[GB_RING_COUNT] = {
    GB_FOREACH_RING(ENTRY)[GB_RING_GENERIC] = {pull_GENERIC, pull_list_GENERIC, push_GENERIC}};
#undef ENTRY

/* First row at or after the given share of rows and entries together. */
static uint64_t row_at_share(const gb_CsView *A, uint64_t t, uint64_t parts) {
    const uint64_t want = gb_part(A->nvals + A->nmajor, t, parts);
    uint64_t lo = 0, hi = A->nmajor;
    while (lo < hi) {
        const uint64_t mid = lo + (hi - lo) / 2;
        if (A->p[mid] + mid < want)
            lo = mid + 1;
        else
            hi = mid;
    }
    return lo;
}

/* Part t of the rows; its entries. */
static uint64_t pull_part(const gb_MxvArgs *g, gb_Dense *w, uint64_t t, uint64_t parts,
                          char *scratch) {
    const gb_MxvKernel *kernel = &kernels[g->ring];
    const uint64_t from = row_at_share(&g->A, t, parts), to = row_at_share(&g->A, t + 1, parts);
    gb_RingArgs args = g->args;
    args.scratch = scratch;
    return g->u_is_list ? kernel->pull_list(g, &args, from, to, w)
                        : kernel->pull(g, &args, from, to, w);
}

typedef struct {
    const gb_MxvArgs *g;
    gb_Dense *w;
    char *scratch; /* [threads] two values */
    uint64_t parts;
    uint64_t found; /* atomic */
} gb_PullRun;

static void run_pull(void *context, uint64_t t) {
    gb_PullRun *run = context;
    char *own = run->scratch + 2 * run->g->args.zsize * (size_t)gb_thread_id();
    __atomic_add_fetch(&run->found, pull_part(run->g, run->w, t, run->parts, own),
                       __ATOMIC_RELAXED);
}

gbl_Info GB_ISA_NAME(gb_mxv_pull)(const gb_MxvArgs *g, gb_Dense *w) {
    const size_t size = g->args.zsize;
    const uint64_t m = g->A.nmajor;
    const int threads = gb_threads_for(g->A.nvals + m, GB_GRAIN, g->nthreads);
    const uint64_t parts = threads == 1 ? 1 : (uint64_t)threads * 8;
    size_t xbytes;
    *w = (gb_Dense){0};
    if (!gb_size_mul(&xbytes, m, size)) return gb_fail_memory(NULL, SIZE_MAX);
    char *scratch = gb_malloc(2 * size * (size_t)threads);
    if (scratch == NULL) return gb_fail_memory(NULL, 2 * size * (size_t)threads);
    gbl_Info info = gb_dense_alloc(w, m, xbytes, true);
    if (info != GBL_SUCCESS) goto done;
    gb_PullRun run = {.g = g, .w = w, .scratch = scratch, .parts = parts};
    gb_parallel_for(threads, parts, run_pull, &run);
    w->nvals = run.found;
done:
    gb_free(scratch, 2 * size * (size_t)threads);
    return info;
}

static uint64_t count_marks(const gb_PushWork *w, gb_ColumnRange columns) {
    uint64_t n = 0;
    for (uint64_t b = columns.from / 64; b < (columns.to + 63) / 64; b++)
        if (w->block[b]) n += (uint64_t)__builtin_popcountll(gb_nonzero_bytes(w->mark + 64 * b));
    return n;
}

/* Entries of the columns to the list, from `at` on. */
static void emit(const gb_PushWork *w, gb_ColumnRange columns, size_t size, gb_Cs *out, gb_Off at) {
    for (uint64_t b = columns.from / 64; b < (columns.to + 63) / 64; b++) {
        if (!w->block[b]) continue;
        uint64_t bits = gb_nonzero_bytes(w->mark + 64 * b);
        for (; bits != 0; bits &= bits - 1, at++) {
            const uint64_t j = 64 * b + (uint64_t)__builtin_ctzll(bits);
            out->i[at] = (gb_Idx)j;
            memcpy((char *)out->x + at * size, (const char *)w->val + j * size, size);
        }
    }
}

typedef struct {
    const gb_MxvArgs *g;
    gb_PushWork *w;
    char *values;  /* scratch of the threads */
    gb_Off *start; /* [threads + 1] entries before each thread's columns */
    gb_Cs *out;
    int threads;
} gb_PushRun;

/* Products of a thread's columns, and how many entries they give. */
static void push_part(void *context, int t) {
    const gb_PushRun *run = context;
    const gb_ColumnRange columns = gb_columns_of(run->g->A.nminor, t, run->threads);
    gb_RingArgs args = run->g->args;
    args.scratch = run->values + 2 * args.zsize * (size_t)t;
    kernels[run->g->ring].push(run->g, &args, columns, run->w);
    run->start[t + 1] = count_marks(run->w, columns);
}

static void emit_part(void *context, int t) {
    const gb_PushRun *run = context;
    emit(run->w, gb_columns_of(run->g->A.nminor, t, run->threads), run->g->args.zsize, run->out,
         run->start[t]);
}

gbl_Info GB_ISA_NAME(gb_mxv_push)(const gb_MxvArgs *g, gb_Cs *out) {
    const size_t size = g->args.zsize;
    const uint64_t n = g->A.nminor;
    const int threads =
        g->A.sorted ? gb_threads_for(gb_push_products(g), GB_GRAIN, g->nthreads) : 1;
    gb_PushWork w = {0};
    size_t xbytes;
    gbl_Info info = GBL_SUCCESS;
    *out = (gb_Cs){0};
    if (!gb_size_mul(&xbytes, n, size)) return gb_fail_memory(NULL, SIZE_MAX);
    const size_t starts = (((size_t)threads + 1) * sizeof(gb_Off) + 15) & ~(size_t)15;
    const size_t scratch_bytes = starts + (size_t)threads * 2 * size;
    char *scratch = gb_malloc(scratch_bytes);
    w.val = gb_malloc(xbytes);
    w.mark = gb_calloc(n + 64);
    w.block = gb_calloc(n / 64 + 65);
    if (scratch == NULL || (w.val == NULL && n > 0) || w.mark == NULL || w.block == NULL) {
        info = gb_fail_memory(NULL, xbytes + n);
        goto done;
    }
    gb_Off *start = (gb_Off *)scratch;
    gb_PushRun run = {g, &w, scratch + starts, start, out, threads};
    start[0] = 0;
    gb_parallel(threads, push_part, &run);
    for (int t = 0; t < threads; t++) start[t + 1] += start[t];
    info = gb_cs_alloc(out, 1, start[threads], start[threads] * size);
    if (info != GBL_SUCCESS) goto done;
    out->p[0] = 0;
    out->p[1] = start[threads];
    gb_parallel(threads, emit_part, &run);
done:
    gb_free(scratch, scratch_bytes);
    gb_free(w.val, xbytes);
    gb_free(w.mark, n + 64);
    gb_free(w.block, n / 64 + 65);
    return info;
}
