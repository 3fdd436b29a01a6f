/* SPDX-License-Identifier: Apache-2.0
 *
 * Drivers of the matrix-vector products; the two forms are described in mxv.tmpl.h. Neither result
 * depends on the number of threads.
 *
 * Compiled once and not per instruction set: they wait for single values from anywhere. For
 * AVX-512, with gathers, products of nine semirings (er:16:16, rmat:14:16, band:20000:20, one
 * thread of a Zen 5) took 1.09 (full vectors), 1.00 (gaps) and 0.98 (push) of the time in the
 * geometric mean.
 */
#include <string.h>

#include "kernel_api/backend.h"
#include "core/arrays.h"
#include "core/parallel.h"
#include "core/tune.h"
#include "cpu/cpu.h"
#include "cpu/simd/simd.h"
#include "cpu/ops/map.h"
#include "cpu/mxv/mxv.h"
#include "cpu/mxv/rowclasses.h"
#include "semiring/ids.h"

/* Bit r: row base + r, which is below `to`, may be computed. */
static inline uint64_t open_rows(const gb_MxvArgs *g, uint64_t base, uint64_t to) {
    const uint64_t rows = to - base < 64 ? to - base : 64;
    const uint64_t all = UINT64_MAX >> (64 - rows);
    uint64_t open = 0;
    if (g->allowed == NULL) return all;
    if (rows == 64)
        open = gb_nonzero_bytes((const uint8_t *)g->allowed + base);
    else
        for (uint64_t r = 0; r < rows; r++) open |= (uint64_t)(g->allowed[base + r] != 0) << r;
    return g->refused ? ~open & all : open;
}

/* The first entries of open rows from base on. Always inlined, as gb_prefetch_rows. */
GB_OP void fetch_rows(const gb_CsView *A, uint64_t base, uint64_t open) {
    for (; open != 0; open &= open - 1)
        __builtin_prefetch(A->i + A->p[base + (uint64_t)__builtin_ctzll(open)]);
}

/* Of a sum of any type: integers are numbers, which compilers know. */
static inline bool is_number(double x) {
    return x == x;
}

/* Rows [from, to) of the list of those that may be written. */
typedef struct {
    gb_Off from, to;
} gb_ListedRows;

/* -- products of short rows under a mask, for push of ANY */

/* Entry p of A and entry q of u, which has no more of them than positions. */
typedef struct {
    gb_Off p;
    gb_Idx q;
} gb_PushProduct;

/* Where push is: at entry q of u, of whose row `row` is left, once it is known. */
typedef struct {
    gb_Off q;
    gb_RowSpan row;
    bool in_row;
} gb_PushPlace;

/* Where push sums what; A and u by their indices. */
typedef struct {
    const gb_Idx *Ai, *ui;
    gb_BitSet set;
    void *val;
    const int8_t *allowed;
    int8_t refused;
    bool shared; /* other threads add to the set too */
} gb_PushSums;

static bool has_short_rows(const gb_MxvArgs *g) {
    return g->allowed != NULL && g->work <= GB_PUSH_SHORT * g->u_list.nvals;
}

/* Of up to GB_PUSH_STEP entries from p on, of `left`, of the row of entry q of u: those at
 * positions that may be computed go to `out`; how many. Whether one may be is a branch that nobody
 * predicts, and so is where a short row ends: the last entry stands for those behind it, and what
 * does not count is written over. */
GB_OP unsigned open_products(const gb_MxvArgs *g, gb_Off p, gb_Off left, gb_Off q,
                             gb_PushProduct *out) {
    const gb_Idx *i = g->A.i + p;
    const int8_t *allowed = g->allowed;
    const int8_t refused = g->refused;
    unsigned n = 0;
    for (unsigned s = 0; s < GB_PUSH_STEP; s++) {
        const gb_Off at = s < left ? s : left - 1;
        out[n].p = p + at;
        out[n].q = (gb_Idx)q;
        n += (s < left) & (allowed[i[at]] != refused);
    }
    return n;
}

/* The next products at positions that may be computed; 0: there are no more. */
static unsigned next_products(const gb_MxvArgs *g, gb_ColumnRange columns, gb_PushPlace *place,
                              gb_PushProduct *out) {
    const gb_CsView A = g->A, u = g->u_list;
    gb_PushPlace at = *place;
    unsigned n = 0;
    for (; at.q < u.nvals; at.q++, at.in_row = false) {
        if (!at.in_row) {
            if (at.q + 16 < u.nvals) __builtin_prefetch(&A.p[u.i[at.q + 16]]);
            if (at.q + 4 < u.nvals) __builtin_prefetch(&A.i[A.p[u.i[at.q + 4]]]);
            at.row = gb_row_within(&A, u.i[at.q], columns);
            at.in_row = true;
        }
        for (; at.row.from < at.row.to; at.row.from += GB_PUSH_STEP) {
            const gb_Off left = at.row.to - at.row.from;
            if (n > GB_PUSH_BATCH - GB_PUSH_STEP) {
                *place = at;
                return n;
            }
            n += left < GB_PUSH_STEP ? open_products(g, at.row.from, left, at.q, out + n)
                                     : open_products(g, at.row.from, GB_PUSH_STEP, at.q, out + n);
        }
    }
    *place = at;
    return n;
}

#define SR_TEMPLATE "cpu/mxv/mxv.tmpl.h"
#include "semiring/foreach.h"
#undef SR_TEMPLATE

typedef struct {
    uint64_t (*pull)(const gb_MxvArgs *g, const gb_RingArgs *R, uint64_t from, uint64_t to,
                     gb_Dense *w);
    uint64_t (*pull_list)(const gb_MxvArgs *g, const gb_RingArgs *R, uint64_t from, uint64_t to,
                          gb_Dense *w);
    uint64_t (*pull_blocks)(const gb_MxvArgs *g, const gb_RingArgs *R, uint64_t from, uint64_t to);
    gb_Off (*pull_listed)(const gb_MxvArgs *g, const gb_RingArgs *R, gb_ListedRows which,
                          gb_Cs *out);
    uint64_t (*push)(const gb_MxvArgs *g, const gb_RingArgs *R, gb_ColumnRange columns);
} gb_MxvKernel;
#define ENTRY(name, add, multiply, type)                                                           \
    [GB_RING_##name] = {pull_##name, pull_list_##name, pull_blocks_##name, pull_listed_##name,     \
                        push_##name},
static const gb_MxvKernel kernels[GB_RING_COUNT] = {
    GB_FOREACH_RING(ENTRY)[GB_RING_GENERIC] = {pull_GENERIC, pull_list_GENERIC, pull_blocks_GENERIC,
                                               pull_listed_GENERIC, push_GENERIC}};
#undef ENTRY

/* Part t of the rows; its entries. */
static uint64_t pull_part(const gb_MxvArgs *g, gb_Dense *w, uint64_t t, uint64_t parts,
                          char *scratch) {
    const gb_MxvKernel *kernel = &kernels[g->ring];
    const uint64_t from = gb_first_row(&g->A, t, parts), to = gb_first_row(&g->A, t + 1, parts);
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

gbl_Info gb_cpu_mxv_pull(const gb_MxvArgs *g, gb_Dense *w) {
    const size_t size = g->args.zsize;
    const uint64_t m = g->A.nmajor;
    const int threads = gb_threads_for(g->A.nvals + m, GB_GRAIN, g->nthreads);
    const uint64_t parts = threads == 1 ? 1 : (uint64_t)threads * 8;
    size_t xbytes;
    *w = (gb_Dense){0};
    if (!gb_size_mul(&xbytes, m, size)) return gb_fail_memory(SIZE_MAX);
    char *scratch = gb_malloc(2 * size * (size_t)threads);
    if (scratch == NULL) return gb_fail_memory(2 * size * (size_t)threads);
    gbl_Info info = gb_dense_alloc(w, m, xbytes, true);
    if (info != GBL_SUCCESS) goto done;
    gb_PullRun run = {.g = g, .w = w, .scratch = scratch, .parts = parts};
    gb_parallel_for(threads, parts, run_pull, &run);
    w->nvals = run.found;
done:
    gb_free(scratch, 2 * size * (size_t)threads);
    return info;
}

/* -- results that are found in a set, as lists ------------------------------------------------- */

enum { MOST_PARTS = 512 };

typedef struct {
    const gb_MxvArgs *g;
    gb_Cs *out;
    uint64_t rows, parts; /* of pull */
    int threads;          /* of push */
    gb_Off *start;        /* [MOST_PARTS + 1] entries before each part */
    char *scratch;        /* two values of each thread, for the generic entry */
} gb_ListRun;

/* Sizes that are constants make it one instruction. */
static inline void copy_sized(void *to, uint64_t at, const void *from, uint64_t k, size_t size) {
    if (size == 8)
        memcpy((char *)to + at * 8, (const char *)from + k * 8, 8);
    else if (size == 4)
        memcpy((char *)to + at * 4, (const char *)from + k * 4, 4);
    else
        memcpy((char *)to + at * size, (const char *)from + k * size, size);
}

/* The members of words[w], with their values, to the list from `at` on; the word is cleared. */
static inline gb_Off emit_word(const gb_MxvArgs *g, uint64_t w, gb_Cs *out, gb_Off at) {
    const size_t size = g->args.zsize;
    uint64_t bits = g->found.words[w];
    g->found.words[w] = 0;
    for (; bits != 0; bits &= bits - 1, at++) {
        const uint64_t j = 64 * w + (uint64_t)__builtin_ctzll(bits);
        out->i[at] = (gb_Idx)j;
        copy_sized(out->x, at, g->val, j, size);
        if (g->seen.b == NULL) continue;
        g->seen.b[j] = 1;
        if (g->seen.value != NULL) copy_sized(g->seen.x, j, g->seen.value, 0, size);
    }
    return at;
}

static gb_RingArgs args_of(const gb_ListRun *run, uint64_t thread) {
    gb_RingArgs args = run->g->args;
    if (run->scratch != NULL) args.scratch = run->scratch + 2 * args.zsize * (size_t)thread;
    return args;
}

static gbl_Info alloc_scratch(gb_ListRun *run, int threads) {
    const size_t bytes = 2 * run->g->args.zsize * (size_t)threads;
    if (run->g->ring != GB_RING_GENERIC) return GBL_SUCCESS;
    run->scratch = gb_malloc(bytes);
    return run->scratch != NULL ? GBL_SUCCESS : gb_fail_memory(bytes);
}

/* Counts become starts, and the list gets its arrays. */
static gbl_Info alloc_list(gb_ListRun *run, uint64_t parts) {
    run->start[0] = 0;
    for (uint64_t t = 0; t < parts; t++) run->start[t + 1] += run->start[t];
    const gb_Off nvals = run->start[parts];
    size_t bytes;
    if (!gb_size_mul(&bytes, nvals, run->g->args.zsize)) return gb_fail_memory(SIZE_MAX);
    const gbl_Info info = gb_cs_alloc(run->out, 1, nvals, bytes);
    if (info != GBL_SUCCESS) return info;
    run->out->p[0] = 0;
    run->out->p[1] = nvals;
    return GBL_SUCCESS;
}

/* -- pull under a mask */

static uint64_t border_of(const gb_ListRun *run, uint64_t t) {
    return t == run->parts ? run->rows : gb_first_row(&run->g->A, t, run->parts) & ~(uint64_t)63;
}

static void emit_rows(const gb_ListRun *run, uint64_t t) {
    const uint64_t end = (border_of(run, t + 1) + 63) / 64;
    gb_Off at = run->start[t];
    for (uint64_t w = border_of(run, t) / 64; w < end; w++) at = emit_word(run->g, w, run->out, at);
}

static void pull_masked_part(void *context, uint64_t t) {
    gb_ListRun *run = context;
    const gb_RingArgs args = args_of(run, (uint64_t)gb_thread_id());
    run->start[t + 1] =
        kernels[run->g->ring].pull_blocks(run->g, &args, border_of(run, t), border_of(run, t + 1));
}

static void emit_part(void *context, uint64_t t) {
    emit_rows(context, t);
}

static uint64_t parts_for(int threads) {
    const uint64_t wanted = threads == 1 ? 1 : (uint64_t)threads * 8;
    return wanted < MOST_PARTS ? wanted : MOST_PARTS;
}

/* -- pull of a list of rows */

static gb_ListedRows listed_rows(const gb_ListRun *run, uint64_t t) {
    const uint64_t n = run->g->rows.nvals;
    return (gb_ListedRows){gb_part(n, t, run->parts), gb_part(n, t + 1, run->parts)};
}

static void pull_listed_part(void *context, uint64_t t) {
    gb_ListRun *run = context;
    const gb_RingArgs args = args_of(run, (uint64_t)gb_thread_id());
    run->start[t + 1] =
        kernels[run->g->ring].pull_listed(run->g, &args, listed_rows(run, t), run->out);
}

/* Each part's sums stand where its rows begin in the list; they move together. */
static void close_gaps(const gb_ListRun *run) {
    const size_t size = run->g->args.zsize;
    gb_Cs *out = run->out;
    char *x = out->x;
    out->nvals = 0;
    for (uint64_t t = 0; t < run->parts; t++) {
        const gb_Off from = listed_rows(run, t).from, found = run->start[t + 1];
        if (from != out->nvals) {
            memmove(out->i + out->nvals, out->i + from, found * sizeof *out->i);
            memmove(x + out->nvals * size, x + from * size, found * size);
        }
        out->nvals += found;
    }
    out->p[0] = 0;
    out->p[1] = out->nvals;
}

static gbl_Info pull_listed(const gb_MxvArgs *g, gb_Cs *out) {
    const int threads = gb_threads_for(g->work, GB_GRAIN, g->nthreads);
    gb_Off start[MOST_PARTS + 1];
    gb_ListRun run = {.g = g, .out = out, .parts = parts_for(threads), .start = start};
    size_t bytes;
    *out = (gb_Cs){0};
    if (!gb_size_mul(&bytes, g->rows.nvals, g->args.zsize)) return gb_fail_memory(SIZE_MAX);
    const bool listed = g->into.x == NULL;
    gbl_Info info = alloc_scratch(&run, threads);
    if (info == GBL_SUCCESS && listed) info = gb_cs_alloc(out, 1, g->rows.nvals, bytes);
    if (info == GBL_SUCCESS) gb_parallel_for(threads, run.parts, pull_listed_part, &run);
    if (info == GBL_SUCCESS && listed) close_gaps(&run);
    for (uint64_t t = 0; info == GBL_SUCCESS && !listed && t < run.parts; t++)
        out->nvals += start[t + 1];
    gb_free(run.scratch, 2 * g->args.zsize * (size_t)threads);
    return info;
}

gbl_Info gb_cpu_mxv_pull_masked(const gb_MxvArgs *g, gb_Cs *out) {
    if (g->rows.i != NULL) return pull_listed(g, out);
    const int threads = gb_threads_for(g->work, GB_GRAIN, g->nthreads);
    gb_Off start[MOST_PARTS + 1];
    gb_ListRun run = {.g = g, .out = out, .rows = g->A.nmajor, .start = start};
    run.parts = parts_for(threads);
    *out = (gb_Cs){0};
    gbl_Info info = alloc_scratch(&run, threads);
    if (info != GBL_SUCCESS) return info;
    const uint64_t parts = run.parts;
    gb_parallel_for(threads, parts, pull_masked_part, &run);
    info = alloc_list(&run, parts);
    if (info == GBL_SUCCESS)
        gb_parallel_for(threads, parts, emit_part, &run);
    else
        memset(g->found.words, 0, gb_words_for(run.rows) * sizeof *g->found.words);
    gb_free(run.scratch, 2 * g->args.zsize * (size_t)threads);
    return info;
}

/* -- push */

static void push_part(void *context, int t) {
    gb_ListRun *run = context;
    const gb_RingArgs args = args_of(run, (uint64_t)t);
    run->start[t + 1] =
        kernels[run->g->ring].push(run->g, &args, gb_columns_of(run->g->A.nminor, t, run->threads));
}

/* The members of a thread's columns to the list, or nowhere; their words and blocks are cleared. */
static void empty_part(void *context, int t) {
    const gb_ListRun *run = context;
    const gb_BitSet *set = &run->g->found;
    const gb_ColumnRange columns = gb_columns_of(run->g->A.nminor, t, run->threads);
    const uint64_t end = (columns.to + GB_BLOCK_SPAN - 1) / GB_BLOCK_SPAN;
    gb_Off at = run->start[t];
    for (uint64_t b = gb_bitset_block(set, columns.from / GB_BLOCK_SPAN, end); b < end;
         b = gb_bitset_block(set, b + 1, end)) {
        uint64_t block = set->blocks[b];
        set->blocks[b] = 0;
        for (; block != 0; block &= block - 1) {
            const uint64_t w = 64 * b + (uint64_t)__builtin_ctzll(block);
            if (run->out->p != NULL)
                at = emit_word(run->g, w, run->out, at);
            else
                set->words[w] = 0;
        }
    }
}

gbl_Info gb_cpu_mxv_push(const gb_MxvArgs *g, gb_Cs *out) {
    const uint64_t blocks = gb_words_for(gb_words_for(g->found.n));
    const uint64_t most = blocks / 2 + 1 < MOST_PARTS ? blocks / 2 + 1 : MOST_PARTS;
    const int wanted = g->A.sorted ? gb_threads_for(g->work, GB_GRAIN, g->nthreads) : 1;
    gb_Off start[MOST_PARTS + 1];
    gb_ListRun run = {.g = g, .out = out, .start = start};
    run.threads = (uint64_t)wanted < most ? wanted : (int)most;
    *out = (gb_Cs){0};
    gbl_Info info = alloc_scratch(&run, run.threads);
    if (info != GBL_SUCCESS) return info;
    gb_parallel(run.threads, push_part, &run);
    info = alloc_list(&run, (uint64_t)run.threads);
    gb_parallel(run.threads, empty_part, &run);
    memset(g->found.groups, 0, gb_words_for(blocks) * sizeof *g->found.groups);
    gb_free(run.scratch, 2 * g->args.zsize * (size_t)run.threads);
    return info;
}
