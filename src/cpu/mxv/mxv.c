/* SPDX-License-Identifier: Apache-2.0
 *
 * Drivers of pull (pull.tmpl.h) and push (push.tmpl.h). Pull: threads share out the rows, so no
 * result depends on their number. Push: threads share out the columns of A, the positions of w, and
 * not u: every sum is made by one thread, needs no atomics, and does not depend on how many there
 * are.
 *   - Sums in a set (gb_MxvSink), which is never passed over as a whole: O(products).
 *   - Sorted products, where there are few: time and memory follow the products alone, and w is not
 *     masked, since to look up sums costs no more than to look up products (ops/finish.h does it).
 *   - A fused assign of few products (gb_PushArgs, room), on one thread: a position is marked where
 *     it is assigned when it is first found, so that the product of the smallest k is kept; the
 *     positions are sorted, and w and what it is assigned to get their values in one pass.
 */
#include "cpu/common/sort.h"
#include "cpu/mxv/mxv.h"

/* -- sparse results ---------------------------------------------------------------------------- */

enum { GB_MXV_PARTS = 512 }; /* most parts of w */

/* A product whose result is a sparse vector: each part counts its entries, then stores them. */
typedef struct {
    const gb_MxvRing *ring;
    const gb_MxvSink *to;
    gb_Cs *out;
    gb_Off *start; /* [parts + 1] counts behind [0] at first; then entries before each part */
    char *scratch; /* of the generic entry: two values of each thread */
} Output;

/* The arguments of the semiring for a thread. */
static gb_RingArgs thread_args(const Output *of, int thread) {
    gb_RingArgs args = of->ring->args;
    if (of->scratch != NULL) args.scratch = of->scratch + gb_scratch_bytes(&args) * (size_t)thread;
    return args;
}

static gbl_Info alloc_scratch(Output *of, int threads) {
    const size_t bytes = gb_scratch_bytes(&of->ring->args) * (size_t)threads;
    of->scratch = gb_malloc(bytes);
    return of->scratch != NULL ? GBL_SUCCESS : gb_fail_memory(bytes);
}

static void free_scratch(const Output *of, int threads) {
    gb_free(of->scratch, gb_scratch_bytes(&of->ring->args) * (size_t)threads);
}

/* Counts become starts, and w gets its arrays. */
static gbl_Info alloc_output(Output *of, uint64_t parts) {
    of->start[0] = 0;
    for (uint64_t t = 0; t < parts; t++) of->start[t + 1] += of->start[t];
    const gb_Off nvals = of->start[parts];
    const gbl_Info info = gb_cs_alloc(of->out, 1, nvals, gb_size_of(nvals, of->ring->args.zsize));
    if (info != GBL_SUCCESS) return info;
    of->out->p[0] = 0;
    of->out->p[1] = nvals;
    return GBL_SUCCESS;
}

/* The members of found.words[w], with their sums, go to w from `at` on, and to a fused assign; the
 * word is cleared. Returns where the next ones go. */
static gb_Off emit_word(const Output *of, uint64_t w, gb_Off at) {
    const gb_MxvSink *to = of->to;
    const size_t size = of->ring->args.zsize;
    uint64_t bits = to->found.words[w];
    to->found.words[w] = 0;
    for (; bits != 0; bits &= bits - 1, at++) {
        const uint64_t j = 64 * w + (uint64_t)__builtin_ctzll(bits);
        of->out->i[at] = (gb_Idx)j;
        gb_copy_value((char *)of->out->x + at * size, (const char *)to->val + j * size, size);
        if (to->mark == NULL) continue;
        to->mark[j] = 1;
        if (to->value != NULL) gb_copy_value((char *)to->x + j * size, to->value, size);
    }
    return at;
}

/* -- pull -------------------------------------------------------------------------------------- */

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
static const gb_PullKernel pull_kernels[GB_RING_COUNT] = {
    GB_FOREACH_ANY_RING(ENTRY)[GB_RING_GENERIC] = {pull_GENERIC}, [GB_RING_COMPILED] = {
                                                                      pull_compiled}};
#undef ENTRY

typedef struct {
    const gb_PullArgs *g;
    gb_Dense *w; /* NULL: sparse */
    Output out;
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
    const gb_RingArgs R = thread_args(&run->out, gb_thread_id());
    const uint64_t found =
        pull_kernels[run->g->ring.id].pull(run->g, &R, rows_of(run, t), run->w, run->out.out);
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
    if (g->ring.id == GB_RING_GENERIC) info = alloc_scratch(&run.out, threads);
    if (info == GBL_SUCCESS) info = gb_dense_alloc(w, m, gb_size_of(m, g->ring.args.zsize), true);
    if (info == GBL_SUCCESS) info = gb_parallel_try(threads, run.parts, pull_part, &run);
    w->nvals = run.found;
    if (info != GBL_SUCCESS) gb_dense_free(w);
    if (run.out.scratch != NULL) free_scratch(&run.out, threads);
    return info;
}

static void emit_rows(void *context, uint64_t t) {
    const gb_PullRun *run = context;
    const gb_RowSpan rows = rows_of(run, t);
    gb_Off at = run->out.start[t];
    for (uint64_t w = rows.from / 64; w < (rows.to + 63) / 64; w++)
        if (run->g->to.found.words[w] != 0) at = emit_word(&run->out, w, at);
}

static gbl_Info pull_masked(gb_PullRun *run, int threads) {
    const gb_BitSet *set = &run->g->to.found;
    gbl_Info info = gb_parallel_try(threads, run->parts, pull_part, run);
    if (info == GBL_SUCCESS) info = alloc_output(&run->out, run->parts);
    if (info == GBL_SUCCESS)
        gb_parallel_for(threads, run->parts, emit_rows, run);
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
    if (g->ring.id == GB_RING_GENERIC) info = alloc_scratch(&run.out, threads);
    if (info == GBL_SUCCESS)
        info = g->rows.i != NULL ? pull_few(&run, threads) : pull_masked(&run, threads);
    if (run.out.scratch != NULL) free_scratch(&run.out, threads);
    return info;
}

/* -- push -------------------------------------------------------------------------------------- */

#define SR_TEMPLATE "cpu/mxv/push.tmpl.h"
#define SR_WIDE
#include "semiring/foreach.h"
#undef SR_WIDE
#undef SR_TEMPLATE

static uint64_t push_compiled(const gb_PushArgs *g, const gb_RingArgs *R, gb_ColumnRange columns,
                              const gb_ProductList *list) {
    return R->compiled->push->push(g, R, columns, list);
}
static uint64_t compress_compiled(const gb_RingArgs *R, uint64_t n, uint64_t *key, const void *val,
                                  void *sum) {
    return R->compiled->push->compress(R, n, key, val, sum);
}

#define ENTRY(name, add, multiply, type) [GB_RING_##name] = {push_##name, push_compress_##name},
static const gb_PushKernel push_kernels[GB_RING_COUNT] = {
    GB_FOREACH_ANY_RING(ENTRY)[GB_RING_GENERIC] = {push_GENERIC, push_compress_GENERIC},
    [GB_RING_COMPILED] = {push_compiled, compress_compiled}};
#undef ENTRY

typedef struct {
    const gb_PushArgs *g;
    Output out;
    int threads;
    char *memory;  /* sorted: keys, spare keys, products, sums */
    gb_Off *first; /* sorted: [threads + 1] products before each thread's */
} gb_PushRun;

/* The columns of thread t of so many: no two threads share a block of a gb_BitSet. */
static gb_ColumnRange columns_of(uint64_t n, int t, int threads) {
    const uint64_t whole = ~(uint64_t)(GB_BLOCK_SPAN - 1), parts = (uint64_t)threads;
    const uint64_t from = gb_part(n, (uint64_t)t, parts) & whole;
    const uint64_t to = t + 1 == threads ? n : gb_part(n, (uint64_t)t + 1, parts) & whole;
    return (gb_ColumnRange){.from = from, .to = to, .n = n, .all = to - from == n};
}

static void push_part(void *context, int t) {
    gb_PushRun *run = context;
    const gb_PushArgs *g = run->g;
    const gb_ColumnRange columns = columns_of(g->A.nminor, t, run->threads);
    const gb_RingArgs R = thread_args(&run->out, t);
    run->out.start[t + 1] = push_kernels[g->ring.id].push(g, &R, columns, NULL);
}

/* The members of a thread's columns go to w, or nowhere; their words and blocks are cleared. */
static void emit_columns(void *context, int t) {
    const gb_PushRun *run = context;
    const gb_BitSet *set = &run->g->to.found;
    const gb_ColumnRange columns = columns_of(run->g->A.nminor, t, run->threads);
    const uint64_t end = (columns.to + GB_BLOCK_SPAN - 1) / GB_BLOCK_SPAN;
    gb_Off at = run->out.start[t];
    for (uint64_t b = gb_bitset_block(set, columns.from / GB_BLOCK_SPAN, end); b < end;
         b = gb_bitset_block(set, b + 1, end)) {
        uint64_t block = set->blocks[b];
        set->blocks[b] = 0;
        for (; block != 0; block &= block - 1) {
            const uint64_t w = 64 * b + (uint64_t)__builtin_ctzll(block);
            if (run->out.out->p != NULL)
                at = emit_word(&run->out, w, at);
            else
                set->words[w] = 0;
        }
    }
}

static gbl_Info push_set(gb_PushRun *run) {
    const gb_BitSet *set = &run->g->to.found;
    const uint64_t blocks = gb_words_for(gb_words_for(set->n));
    if ((uint64_t)run->threads > blocks / 2 + 1) run->threads = (int)(blocks / 2 + 1);
    gb_parallel(run->threads, push_part, run);
    const gbl_Info info = alloc_output(&run->out, (uint64_t)run->threads);
    gb_parallel(run->threads, emit_columns, run);
    memset(set->groups, 0, gb_words_for(blocks) * sizeof *set->groups);
    return info;
}

/* Sorted products. */

static void count_part(void *context, int t) {
    gb_PushRun *run = context;
    const gb_PushArgs *g = run->g;
    const gb_ColumnRange columns = columns_of(g->A.nminor, t, run->threads);
    uint64_t n = 0;
    for (gb_Off q = 0; q < g->u.nvals; q++) {
        const gb_RowSpan row = gb_row_within(&g->A, g->u.i[q], columns);
        n += row.to - row.from;
    }
    run->first[t + 1] = n;
}

/* The keys of thread t, and the values behind all keys: products, or sums. */
static uint64_t *keys_of(const gb_PushRun *run, int t) {
    return (uint64_t *)(void *)run->memory + run->first[t];
}
static char *values_of(const gb_PushRun *run, int t, bool sums) {
    const uint64_t all = run->first[run->threads];
    char *values = run->memory + 2 * all * sizeof(uint64_t);
    return values + ((sums ? all : 0) + run->first[t]) * run->g->ring.args.zsize;
}

static void sort_part(void *context, int t) {
    gb_PushRun *run = context;
    const gb_PushArgs *g = run->g;
    const gb_PushKernel *kernel = &push_kernels[g->ring.id];
    const gb_RingArgs R = thread_args(&run->out, t);
    uint64_t *key = keys_of(run, t);
    char *val = values_of(run, t, false);
    const gb_ProductList list = {key, val};
    const uint64_t n = kernel->push(g, &R, columns_of(g->A.nminor, t, run->threads), &list);
    gb_sort64(key, key + run->first[run->threads], n, 32, 32 + gb_key_bits(g->A.nminor));
    run->out.start[t + 1] = kernel->compress(&R, n, key, val, values_of(run, t, true));
}

static void store_part(void *context, int t) {
    const gb_PushRun *run = context;
    const size_t size = run->g->ring.args.zsize;
    const uint64_t *key = keys_of(run, t);
    const gb_Off at = run->out.start[t], n = run->out.start[t + 1] - at;
    for (uint64_t k = 0; k < n; k++) run->out.out->i[at + k] = (gb_Idx)key[k];
    if (n > 0) memcpy((char *)run->out.out->x + at * size, values_of(run, t, true), n * size);
}

static gbl_Info push_sorted(gb_PushRun *run) {
    gb_Off first[GB_MXV_PARTS + 1];
    size_t keys, bytes;
    run->first = first;
    first[0] = 0;
    gb_parallel(run->threads, count_part, run);
    for (int t = 0; t < run->threads; t++) first[t + 1] += first[t];
    const uint64_t products = first[run->threads] + 1; /* never no memory */
    if (!gb_size_mul(&keys, products, 2 * sizeof(uint64_t)) ||
        !gb_size_mul(&bytes, products, 2 * run->g->ring.args.zsize) ||
        __builtin_add_overflow(keys, bytes, &bytes))
        return gb_fail_memory(SIZE_MAX);
    run->memory = gb_malloc(bytes);
    if (run->memory == NULL) return gb_fail_memory(bytes);
    gb_parallel(run->threads, sort_part, run);
    const gbl_Info info = alloc_output(&run->out, (uint64_t)run->threads);
    if (info == GBL_SUCCESS) gb_parallel(run->threads, store_part, run);
    gb_free(run->memory, bytes);
    return info;
}

/* Fused assigns of few products. */

typedef void (*gb_FoundKernel)(const gb_PushArgs *g, const uint64_t *keys, gb_Cs *out);
#define ENTRY(name) [GB_RING_##name] = found_##name
static const gb_FoundKernel fused[GB_RING_COUNT] = {ENTRY(ANY_PAIR_BOOL), ENTRY(ANY_SECOND_INT64),
                                                    ENTRY(ANY_SECONDI_INT64),
                                                    ENTRY(ANY_SECONDI_INT32)};
#undef ENTRY

bool gb_cpu_mxv_has_fused(int ring) {
    return fused[ring] != NULL;
}

/* Marks positions that are not yet marked, with the entries of u that they are found from; how
 * many. Whether one is marked is a branch that nobody predicts in rows as different as a road's,
 * and that costs less than stores where rows are similar. */
GB_OP uint64_t mark_new(const gb_PushArgs *g, const bool branches, uint64_t *restrict keys) {
    const gb_CsView A = g->A, u = g->u;
    int8_t *restrict b = g->to.mark;
    uint64_t n = 0;
    for (gb_Off q = 0; q < u.nvals; q++) {
        if (q + GB_FUSED_AHEAD < u.nvals) __builtin_prefetch(&A.i[A.p[u.i[q + GB_FUSED_AHEAD]]]);
        const gb_Off end = A.p[u.i[q] + 1];
        for (gb_Off p = A.p[u.i[q]]; p < end; p++) {
            const uint64_t j = A.i[p];
            const bool known = b[j] != 0;
            if (branches && known) continue;
            b[j] = 1;
            keys[n] = j << 32 | q;
            n += !known;
        }
    }
    return n;
}

static gbl_Info push_fused(const gb_PushArgs *g, gb_Cs *out) {
    uint64_t *keys = g->room;
    const bool branches = g->work > GB_PUSH_SHORT * g->u.nvals;
    const uint64_t n = branches ? mark_new(g, true, keys) : mark_new(g, false, keys);
    gb_sort64(keys, keys + g->work, n, 32, 32 + gb_key_bits(g->A.nminor));
    const gbl_Info info = gb_cs_alloc(out, 1, n, n * g->ring.args.zsize);
    if (info != GBL_SUCCESS) {
        for (uint64_t e = 0; e < n; e++) g->to.mark[keys[e] >> 32] = 0;
        return info;
    }
    out->p[0] = 0;
    out->p[1] = n;
    fused[g->ring.id](g, keys, out);
    return GBL_SUCCESS;
}

gbl_Info gb_cpu_mxv_push(const gb_PushArgs *g, gb_Cs *out) {
    gb_Off start[GB_MXV_PARTS + 1];
    gb_PushRun run = {.g = g, .out = {&g->ring, &g->to, out, start, NULL}, .threads = 1};
    gbl_Info info = GBL_SUCCESS;
    *out = (gb_Cs){0};
    if (g->room != NULL) return push_fused(g, out);
    if (g->A.sorted) run.threads = gb_threads_for(g->work, GB_GRAIN, g->nthreads);
    if (run.threads > GB_MXV_PARTS) run.threads = GB_MXV_PARTS;
    if (g->ring.id == GB_RING_GENERIC) info = alloc_scratch(&run.out, run.threads);
    const int most = run.threads;
    if (info == GBL_SUCCESS) info = g->sorted ? push_sorted(&run) : push_set(&run);
    if (run.out.scratch != NULL) free_scratch(&run.out, most);
    return info;
}
