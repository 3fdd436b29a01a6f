/* SPDX-License-Identifier: Apache-2.0
 *
 * Driver of sparse times full. B being full, C has an entry wherever its row of A has one and the
 * mask allows it: lengths of rows are known before anything is multiplied, C's arrays are made once
 * and every row is written to its position. Threads take chunks of about equal partial products. A
 * C with an entry at every position may be its values alone.
 *
 * Rows go straight to C; by a buffer where a mask picks some of their columns, and where C is so
 * large that it is written past the caches. The result does not depend on threads.
 */
#include "core/hardware.h"
#include "cpu/spmm/work.h"
#include "cpu/common/compact.h"

#define SR_TEMPLATE "cpu/spmm/spmm.tmpl.h"
#define SR_WIDE
#include "semiring/foreach.h"
#undef SR_WIDE
#undef SR_TEMPLATE

#define ENTRY(name, add, multiply, type) [GB_RING_##name] = {spmm_##name},
static const gb_SpmmKernel kernels[GB_RING_COUNT] = {
    GB_FOREACH_ANY_RING(ENTRY)[GB_RING_GENERIC] = {spmm_GENERIC}};
#undef ENTRY

static const gb_SpmmKernel *kernel_of(const gb_MxmArgs *g) {
    return g->ring == GB_RING_COMPILED ? g->args.compiled->spmm : &kernels[g->ring];
}

enum { PARTS = 64 }; /* of the rows, whose entries are counted together */

typedef struct {
    gb_Spmm s;
    gb_Cs *T;
    bool full;       /* C is *s.g->full, and T is not used */
    char *x;         /* C's values */
    uint64_t n;      /* columns */
    uint64_t block;  /* columns that a mask computes or leaves out together */
    uint64_t chunks; /* of the rows */
    uint64_t next;   /* atomic; the next chunk */
    uint64_t rows;   /* that a buffer holds */
    bool streams;    /* rows go through one, past the caches */
    gb_Idx *columns; /* [rows * n] of so many rows */
    char *scratch;   /* [threads * (2 values and the buffer)] */
    size_t scratch_bytes;
    uint64_t start[PARTS + 1]; /* entries of C before each part of its rows */
} Run;

/* -- lengths ----------------------------------------------------------------------------------- */

/* Entries of row i of C. */
static uint64_t row_entries(const gb_MxmArgs *g, uint64_t i) {
    const uint64_t n = g->B.nminor;
    if (g->A.p[i] == g->A.p[i + 1]) return 0;
    if (g->mask_kind == GB_MASK_NONE) return n;
    const uint64_t masked = g->M.p[i + 1] - g->M.p[i];
    return g->mask_kind == GB_MASK_INSIDE ? masked : n - masked;
}

/* The arguments are copied: for all the compiler knows, pointers of C could be theirs. */
static void count_part(void *context, uint64_t t) {
    Run *run = context;
    const gb_MxmArgs g = *run->s.g;
    const uint64_t m = g.A.nmajor, to = gb_part(m, t + 1, PARTS);
    uint64_t sum = 0;
    for (uint64_t i = gb_part(m, t, PARTS); i < to; i++) sum += row_entries(&g, i);
    run->start[t + 1] = sum;
}

static void point_part(void *context, uint64_t t) {
    const Run *run = context;
    const gb_MxmArgs g = *run->s.g;
    const uint64_t m = g.A.nmajor, to = gb_part(m, t + 1, PARTS);
    gb_Off *restrict p = run->T->p;
    uint64_t at = run->start[t];
    for (uint64_t i = gb_part(m, t, PARTS); i < to; i++) {
        p[i] = at;
        at += row_entries(&g, i);
    }
}

static void for_parts(Run *run, void (*part)(void *, uint64_t)) {
    const int threads = gb_threads_for(run->s.g->A.nmajor, GB_GRAIN, run->s.g->nthreads);
    gb_parallel_for(threads, PARTS, part, run);
}

/* Whether so many bytes of C are written past the caches: many, unless rows of B come from the
 * second cache and the third takes C without losing much else. */
static bool goes_past_caches(const Run *run, size_t bytes) {
    const bool fits = !run->s.ahead && bytes <= gb_shared_cache_bytes() / GB_STREAM_SHARE;
    return bytes >= GB_STREAM_MIN && !fits;
}

/* C's arrays, as long as it will be, with its pointers. */
static gbl_Info make_result(Run *run) {
    const gb_MxmArgs *g = run->s.g;
    for_parts(run, count_part);
    for (int t = 0; t < PARTS; t++) run->start[t + 1] += run->start[t];
    const uint64_t total = run->start[PARTS];
    run->full = g->full != NULL && total == g->A.nmajor * run->n && g->mask_kind == GB_MASK_NONE;
    const double listed = run->full ? 0.0 : (double)total * sizeof(gb_Idx);
    const size_t bytes = gb_size_of(total, g->args.zsize);
    gbl_Info info = gb_allow_result(&g->allow, (double)bytes + listed, 1.0);
    if (info == GBL_SUCCESS)
        info = run->full ? gb_dense_alloc(g->full, total, bytes, false)
                         : gb_cs_alloc(run->T, g->A.nmajor, total, bytes);
    if (info != GBL_SUCCESS) return info;
    run->x = run->full ? g->full->x : run->T->x;
    run->streams = g->mask_kind == GB_MASK_NONE && goes_past_caches(run, bytes);
    if (run->full) {
        g->full->nvals = total;
        return GBL_SUCCESS;
    }
    for_parts(run, point_part);
    run->T->p[g->A.nmajor] = total;
    return GBL_SUCCESS;
}

/* The entry of C that row i begins with. */
static gb_Off row_start(const Run *run, uint64_t i) {
    return run->full ? i * run->n : run->T->p[i];
}

/* -- rows -------------------------------------------------------------------------------------- */

/* Columns [from, to) of a row to the entries of C from `at` on; returns the entry behind them. */
static gb_Off put_columns(const Run *run, gb_Off at, const char *row, uint64_t from, uint64_t to) {
    const size_t size = run->s.g->args.zsize;
    for (uint64_t j = from; j < to; j++) run->T->i[at + j - from] = (gb_Idx)j;
    memcpy((char *)run->T->x + at * size, row + from * size, (to - from) * size);
    return at + (to - from);
}

/* The columns of row i that the mask names, of which only blocks with such columns are computed. */
static void put_inside(const Run *run, const gb_RingArgs *R, uint64_t i, char *row) {
    const gb_MxmArgs *g = run->s.g;
    const size_t size = g->args.zsize;
    gb_Off at = run->T->p[i];
    gb_SpmmPart part = {.from = i, .to = i + 1};
    uint64_t computed = 0; /* columns before which all that was wanted is */
    for (gb_Off q = g->M.p[i]; q < g->M.p[i + 1]; q++, at++) {
        const uint64_t j = g->M.i[q];
        if (j >= computed) {
            part.first = j / run->block * run->block;
            part.width = run->n - part.first < run->block ? run->n - part.first : run->block;
            computed = part.first + part.width;
            kernel_of(g)->rows(&run->s, R, part, row + part.first * size);
        }
        run->T->i[at] = (gb_Idx)j;
        gb_copy_value((char *)run->T->x + at * size, row + j * size, size);
    }
}

/* The columns of row i that the mask does not name. */
static void put_outside(const Run *run, const gb_RingArgs *R, uint64_t i, char *row) {
    const gb_MxmArgs *g = run->s.g;
    gb_Off at = run->T->p[i];
    uint64_t next = 0;
    if (at == run->T->p[i + 1]) return;
    kernel_of(g)->rows(&run->s, R, (gb_SpmmPart){i, i + 1, 0, run->n, false}, row);
    for (gb_Off q = g->M.p[i]; q < g->M.p[i + 1]; q++) {
        at = put_columns(run, at, row, next, g->M.i[q]);
        next = (uint64_t)g->M.i[q] + 1;
    }
    put_columns(run, at, row, next, run->n);
}

static void put_masked(const Run *run, const gb_RingArgs *R, uint64_t from, uint64_t to,
                       char *row) {
    const gb_MxmArgs *g = run->s.g;
    for (uint64_t i = from; i < to; i++) {
        if (g->A.p[i] == g->A.p[i + 1]) continue;
        if (g->mask_kind == GB_MASK_INSIDE)
            put_inside(run, R, i, row);
        else
            put_outside(run, R, i, row);
    }
}

/* Whole rows, straight to C. */
static void put_rows(const Run *run, const gb_RingArgs *R, uint64_t from, uint64_t to) {
    gb_Idx *indices = run->T->i;
    const gb_Off start = row_start(run, from), end = row_start(run, to);
    const gb_Off piece = run->rows * run->n;
    for (gb_Off at = start; at < end && !run->full; at += piece)
        memcpy(indices + at, run->columns, (end - at < piece ? end - at : piece) * sizeof *indices);
    kernel_of(run->s.g)->rows(&run->s, R, (gb_SpmmPart){from, to, 0, run->n, false},
                              run->x + start * R->zsize);
}

/* The same past the caches. */
static void stream_rows(const Run *run, const gb_RingArgs *R, uint64_t from, uint64_t to,
                        char *buffer) {
    gb_Idx *indices = run->T->i;
    for (uint64_t i = from, end; i < to; i = end) {
        end = to - i < run->rows ? to : i + run->rows;
        const gb_Off at = row_start(run, i), count = row_start(run, end) - at;
        kernel_of(run->s.g)->rows(&run->s, R, (gb_SpmmPart){i, end, 0, run->n, false}, buffer);
        if (!run->full)
            gb_stream_copy((char *)(indices + at), (const char *)run->columns,
                           count * sizeof *indices);
        gb_stream_copy(run->x + at * R->zsize, buffer, count * R->zsize);
    }
}

/* -- threads ----------------------------------------------------------------------------------- */

static void run_thread(void *context, int t) {
    Run *run = context;
    const gb_MxmArgs *g = run->s.g;
    const uint64_t m = g->A.nmajor, work = g->A.nvals + GB_ROW_COST * m;
    gb_RingArgs args = g->args;
    args.scratch = run->scratch + (size_t)t * run->scratch_bytes;
    char *buffer = (char *)args.scratch + gb_scratch_bytes(&args);
    for (;;) {
        const uint64_t c = gb_parallel_take(&run->next);
        if (c >= run->chunks) break;
        const uint64_t from = gb_row_at_work(g->A.p, m, GB_ROW_COST, gb_part(work, c, run->chunks));
        const uint64_t to =
            c + 1 == run->chunks
                ? m
                : gb_row_at_work(g->A.p, m, GB_ROW_COST, gb_part(work, c + 1, run->chunks));
        if (!gb_progress_add(g->meter, (g->A.p[to] - g->A.p[from]) * run->n)) break;
        if (g->mask_kind != GB_MASK_NONE)
            put_masked(run, &args, from, to, buffer);
        else if (run->streams)
            stream_rows(run, &args, from, to, buffer);
        else
            put_rows(run, &args, from, to);
    }
    if (run->streams) gb_stream_end();
}

/* Columns of as many rows as the buffer holds. */
static gbl_Info fill_columns(Run *run, size_t bytes) {
    run->columns = gb_malloc(bytes);
    if (run->columns == NULL && bytes > 0) return gb_fail_memory(bytes);
    for (uint64_t r = 0; r < run->rows; r++)
        for (uint64_t j = 0; j < run->n; j++) run->columns[r * run->n + j] = (gb_Idx)j;
    return GBL_SUCCESS;
}

static gbl_Info run_threads(Run *run) {
    const gb_MxmArgs *g = run->s.g;
    const bool masked = g->mask_kind != GB_MASK_NONE;
    const size_t row = run->n * g->args.zsize;
    size_t bytes, columns;
    if (!masked) run->rows = row > 0 && row < GB_SPMM_BUFFER ? GB_SPMM_BUFFER / row : 1;
    run->scratch_bytes = gb_scratch_bytes(&g->args);
    run->scratch_bytes += masked ? row : run->streams ? run->rows * row : 0;
    if (!gb_size_mul(&bytes, (uint64_t)g->nthreads, run->scratch_bytes) ||
        !gb_size_mul(&columns, run->full ? 0 : run->rows * run->n, sizeof *run->columns))
        return gb_fail_memory(SIZE_MAX);
    run->scratch = gb_malloc(bytes);
    gbl_Info info = run->scratch != NULL ? GBL_SUCCESS : gb_fail_memory(bytes);
    if (info == GBL_SUCCESS && !run->full) info = fill_columns(run, columns);
    if (info == GBL_SUCCESS) {
        gb_parallel(g->nthreads, run_thread, run);
        info = gb_progress_end(g->meter);
    }
    gb_free(run->scratch, bytes);
    gb_free(run->columns, columns);
    return info;
}

/* Whether rows of B come from beyond the second cache: B is larger, and so is what a row of A spans
 * of it, since in a band or a mesh neighbouring rows of A read the same rows of B. A is sorted. */
static bool is_far(const gb_MxmArgs *g) {
    const double cache = (double)gb_cache_bytes(), size = (double)g->args.zsize;
    const gb_CsView *A = &g->A;
    double span = 0.0;
    uint64_t rows = 0;
    if ((double)g->B.nvals * size <= cache) return false;
    for (uint64_t s = 0; s < GB_SPMM_LOOKS; s++) {
        const uint64_t i = gb_part(A->nmajor, s, GB_SPMM_LOOKS);
        if (A->p[i] == A->p[i + 1]) continue;
        span += (double)(A->i[A->p[i + 1] - 1] - A->i[A->p[i]]) + 1.0;
        rows++;
    }
    return rows == 0 || span / (double)rows * (double)g->B.nminor * size > cache / 2.0;
}

/* A register full of the one value of B, and some more on both sides. */
static const void *fill_ones(char *ones, size_t bytes, const gb_MxmArgs *g) {
    if (g->ring != GB_RING_GENERIC && g->args.bmask == 0)
        gb_fill(ones, g->args.Bx, g->args.zsize, bytes / g->args.zsize);
    return ones + GB_REGISTER;
}

gbl_Info GB_ISA_NAME(gb_mxm_spmm)(const gb_MxmArgs *g, gb_Cs *T, gb_MxmStats *stats) {
    _Alignas(64) char ones[(GB_SPMM_REGISTERS + 1) * GB_REGISTER];
    const uint64_t n = g->B.nminor, m = g->A.nmajor;
    const uint64_t work = (g->A.nvals + m) * n;
    Run run = {.s = {.g = g, .n = n, .one = fill_ones(ones, sizeof ones, g)},
               .T = T,
               .n = n,
               .block = GB_SPMM_REGISTERS * GB_REGISTER / (g->args.zsize < 8 ? g->args.zsize : 8)};
    *T = (gb_Cs){0};
    *stats = (gb_MxmStats){.slices = 1};
    run.s.ahead = is_far(g);
    run.chunks = work / GB_SPMM_CHUNK + 1 < m ? work / GB_SPMM_CHUNK + 1 : m;
    gbl_Info info = make_result(&run);
    if (info == GBL_SUCCESS) info = run_threads(&run);
    if (info != GBL_SUCCESS) gb_cs_free(T);
    if (info != GBL_SUCCESS && run.full) gb_dense_free(g->full);
    return info;
}
