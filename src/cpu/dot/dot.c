/* SPDX-License-Identifier: Apache-2.0
 *
 * Driver of the masked inner product: chunks of rows of about equal mask entries, put together by
 * cpu/common/compact.h, or folded to one value as they are made. The result does not depend on
 * threads.
 *
 * Preconditions: A by rows, B by columns, the mask by rows, all sorted. Cost: dot.tmpl.h and, where
 * products are only counted, work.h.
 *
 * The order of a folded sum: chunks of GB_CHUNK_ENTRIES entries of the mask, which threads take in
 * any order; in each the rows one after the other, a row as monoids fold a block of values; the
 * chunks' sums joined from the first on. ANY keeps the first entry of the first chunk that has one.
 */
#include "cpu/common/compact.h"
#include "cpu/dot/work.h"
#include "semiring/fold.h"

#define SR_TEMPLATE "cpu/dot/dot.tmpl.h"
#define SR_WIDE
#include "semiring/foreach.h"
#undef SR_WIDE
#undef SR_TEMPLATE

#define ENTRY(name, add, multiply, type) [GB_RING_##name] = {dot_rows_##name},
static const gb_DotKernel kernels[GB_RING_COUNT] = {
    GB_FOREACH_ANY_RING(ENTRY)[GB_RING_GENERIC] = {dot_rows_GENERIC}};
#undef ENTRY

static inline const gb_DotKernel *kernel_of(const gb_MxmArgs *g) {
    return g->ring == GB_RING_COMPILED ? g->args.compiled->dot : &kernels[g->ring];
}

/* -- workspace --------------------------------------------------------------------------------- */

enum { MARK_PAD = 4, WORD_PAD = 8 }; /* what vectors may load behind the last */

static void work_free(void *work, const gb_MxmArgs *g, gb_MxmStats *stats) {
    gb_DotWork *w = work;
    (void)stats;
    gb_free(w->mark, g->A.nminor + MARK_PAD);
    gb_free(w->at, (g->A.nminor + 1) * sizeof(gb_Idx));
    gb_free(w->args.scratch, gb_scratch_bytes(&g->args));
    gb_free(w->memory, w->bytes);
    gb_heavy_work_free(&w->heavy);
    GB_ISA_NAME(gb_rowwork_free)(&w->filter);
}

/* Bits of a row in the blocks that columns held as bits have; then its words, and their numbers. */
static gbl_Info reserve_bits(gb_DotWork *w, uint32_t first, uint32_t blocks) {
    const uint64_t words = (uint64_t)blocks * GB_BITS_WORDS;
    w->bytes = 64 + words * (2 * sizeof(uint64_t) + sizeof(uint32_t)) + WORD_PAD * sizeof(uint32_t);
    w->memory = gb_malloc(w->bytes);
    if (w->memory == NULL) return gb_fail_memory(w->bytes);
    w->bits = (uint64_t *)(((uintptr_t)w->memory + 63) / 64 * 64);
    memset(w->bits, 0, words * sizeof *w->bits);
    w->word_bits = w->bits + words;
    w->word = (uint32_t *)(w->word_bits + words);
    w->first = first;
    w->blocks = blocks;
    return GBL_SUCCESS;
}

static gbl_Info work_new(void *work, const void *how, const gb_MxmArgs *g) {
    gb_DotWork *w = work;
    (void)how;
    const uint64_t k = g->A.nminor;
    *w = (gb_DotWork){.args = g->args};
    gbl_Info info = GBL_SUCCESS;
    if (g->hubs.blocks > 0) {
        info = gb_heavy_work_new(&w->heavy, g);
    } else if (k / GB_FEW <= g->A.nvals + g->B.nvals) { /* else rows and columns are searched */
        w->mark = gb_calloc(k + MARK_PAD);
        w->at = gb_malloc((k + 1) * sizeof(gb_Idx));
        if (w->mark == NULL || w->at == NULL) info = gb_fail_memory(k * 5);
    }
    const size_t bytes = gb_scratch_bytes(&g->args);
    w->args.scratch = gb_malloc(bytes);
    if (info == GBL_SUCCESS && w->args.scratch == NULL) info = gb_fail_memory(bytes);
    if (info == GBL_SUCCESS && g->bits.rows > 0)
        info = reserve_bits(w, g->bits.first, g->bits.end - g->bits.first);
    return info;
}

/* -- C ----------------------------------------------------------------------------------------- */

/* Filters the rows [from, to), which are all that C has. */
static void filter_rows(const gb_MxmArgs *g, gb_RowWork *w, uint64_t from, uint64_t to,
                        gb_DotOut *C) {
    const size_t size = g->args.zsize;
    uint64_t at = 0;
    for (uint64_t i = from; i < to; i++) {
        const uint64_t begin = C->p[i - from], end = i + 1 < to ? C->p[i + 1 - from] : C->n;
        char *x = C->x + begin * size;
        const uint64_t kept = GB_ISA_NAME(gb_filter_row)(g, w, i, C->i + begin, x, end - begin);
        memmove(C->i + at, C->i + begin, kept * sizeof *C->i);
        memmove(C->x + at * size, x, kept * size);
        C->p[i - from] = at;
        at += kept;
    }
    C->n = at;
}

static void run_chunk(void *work, const gb_MxmArgs *g, gb_ChunkOut *out) {
    gb_DotWork *w = work;
    gb_DotOut C = {out->p + out->from, out->i, out->x, 0};
    kernel_of(g)->rows(g, w, out->from, out->to, &C);
    if (g->filter != NULL) filter_rows(g, &w->filter, out->from, out->to, &C);
    out->n = C.n;
    out->wanted = w->filter.wanted;
}

static const gb_ChunkMethod method = {sizeof(gb_DotWork), NULL,      work_new,
                                      run_chunk,          work_free, true};

/* -- one value --------------------------------------------------------------------------------- */

typedef struct {
    const gb_MxmArgs *g;
    const gb_Chunks *chunks;
    gb_DotWork *work; /* [threads] */
    char *part;       /* [chunks] sums */
    uint64_t *count;  /* [chunks] entries behind them */
    char *rows;       /* [threads * row_bytes] a row of C: values, then columns */
    size_t row_bytes, columns_at;
    bool sums_counts; /* the fold is a sum of integers that count products, in any order */
    uint64_t next;    /* atomic; chunk */
    uint64_t last;    /* atomic; no chunk behind it matters any more */
} gb_FoldRun;

static bool sums_counts(const gb_MxmArgs *g) {
    const bool counts = g->ring == GB_RING_PLUS_PAIR_INT64 || g->ring == GB_RING_PLUS_PAIR_INT32;
    return counts && g->fold->monoid->op->code == GB_PLUS;
}

/* Whether the sum z of a chunk is that of all, as far as chunks behind it go. */
static bool is_final(const gb_Monoid *monoid, const void *z, size_t size) {
    if (monoid->op->code == GB_ANY) return true;
    return monoid->terminal != NULL && memcmp(z, monoid->terminal, size) == 0;
}

static void note_last(gb_FoldRun *run, uint64_t c) {
    uint64_t last = __atomic_load_n(&run->last, __ATOMIC_RELAXED);
    while (c < last && !__atomic_compare_exchange_n(&run->last, &last, c, false, __ATOMIC_RELAXED,
                                                    __ATOMIC_RELAXED))
        continue;
}

static void fold_chunk(gb_FoldRun *run, uint64_t c, gb_DotWork *w, char *row) {
    const gb_MxmArgs *g = run->g;
    const gb_Monoid *monoid = g->fold->monoid;
    const size_t size = g->args.zsize;
    char *z = run->part + c * size;
    gb_Idx *columns = (gb_Idx *)(row + run->columns_at);
    uint64_t entries = 0;
    if (run->sums_counts) {
        const gb_DotTotal total =
            GB_ISA_NAME(gb_dot_total)(g, w, run->chunks->row[c], run->chunks->row[c + 1]);
        memcpy(z, &total.sum, size);
        run->count[c] = total.entries;
        return;
    }
    for (uint64_t i = run->chunks->row[c]; i < run->chunks->row[c + 1]; i++) {
        gb_Off begin;
        gb_DotOut out = {&begin, columns, row, 0};
        kernel_of(g)->rows(g, w, i, i + 1, &out);
        const uint64_t n = out.n;
        if (n == 0) continue;
        const bool begins = entries == 0;
        if (begins) memcpy(z, row, size);
        if (n > begins && monoid->op->code != GB_ANY)
            monoid->reduce(monoid, n - begins, z, row + begins * size);
        entries += n;
        if (is_final(monoid, z, size)) {
            note_last(run, c);
            break;
        }
    }
    run->count[c] = entries;
}

static void fold_thread(void *context, int t) {
    gb_FoldRun *run = context;
    const gb_MxmArgs *g = run->g;
    uint64_t c;
    while ((c = gb_parallel_take(&run->next)) < run->chunks->n) {
        const uint64_t from = run->chunks->row[c], to = run->chunks->row[c + 1];
        if (!gb_progress_add(g->meter, g->M.p[to] - g->M.p[from])) return;
        if (c > __atomic_load_n(&run->last, __ATOMIC_RELAXED)) return;
        fold_chunk(run, c, &run->work[t], run->rows + (size_t)t * run->row_bytes);
    }
}

/* The chunks' sums, up to the first that is final. */
static void join_parts(const gb_FoldRun *run, void *spare) {
    gb_Folding *fold = run->g->fold;
    const size_t size = run->g->args.zsize;
    for (uint64_t c = 0; c < run->chunks->n; c++) {
        if (run->count[c] == 0) continue;
        if (fold->nvals == 0) {
            memcpy(fold->z, run->part + c * size, size);
        } else {
            gb_fold_one(fold->monoid->op, fold->z, run->part + c * size, spare);
        }
        fold->nvals += run->count[c];
        if (is_final(fold->monoid, fold->z, size)) return;
    }
}

static gbl_Info fold_all(const gb_MxmArgs *g, const gb_Chunks *chunks, gb_MxmStats *stats) {
    const size_t size = g->args.zsize;
    const int threads = gb_chunk_threads(g, chunks);
    void *work;
    gb_FoldRun run = {.g = g, .chunks = chunks, .sums_counts = sums_counts(g), .last = UINT64_MAX};
    uint64_t longest = 0; /* a row has no more entries than its chunk */
    for (uint64_t c = 0; c < chunks->n; c++)
        if (chunks->capacity[c] > longest) longest = chunks->capacity[c];
    size_t part_bytes, bytes;
    g->fold->nvals = 0;
    if (!gb_size_mul(&run.row_bytes, longest + 1, size + sizeof(gb_Idx)) ||
        !gb_size_mul(&part_bytes, chunks->n, size))
        return gb_fail_memory(SIZE_MAX);
    run.columns_at = (longest + 1) * size / 64 * 64 + 64;
    run.row_bytes = (run.row_bytes + 191) / 64 * 64;
    if (!gb_size_mul(&bytes, (uint64_t)threads, run.row_bytes)) return gb_fail_memory(SIZE_MAX);
    run.rows = gb_malloc(bytes);
    run.part = gb_malloc(part_bytes);
    run.count = gb_calloc(chunks->n * sizeof *run.count);
    gbl_Info info = gb_works_new(&work, &method, g, threads);
    if (run.rows == NULL || run.part == NULL || run.count == NULL)
        info = gb_fail_memory(bytes + part_bytes);
    if (info == GBL_SUCCESS) {
        run.work = work;
        gb_parallel(threads, fold_thread, &run);
        info = gb_progress_end(g->meter);
    }
    if (info == GBL_SUCCESS) join_parts(&run, run.work->args.scratch);
    gb_works_free(work, &method, g, threads, stats);
    stats->slices = 1;
    gb_free(run.rows, bytes);
    gb_free(run.part, part_bytes);
    gb_free(run.count, chunks->n * sizeof *run.count);
    return info;
}

/* -- both -------------------------------------------------------------------------------------- */

gbl_Info GB_ISA_NAME(gb_mxm_dot)(const gb_MxmArgs *args, gb_Cs *T, gb_MxmStats *stats) {
    gb_Chunks chunks = {0};
    gb_MxmArgs g = *args;
    *T = (gb_Cs){0};
    *stats = (gb_MxmStats){.workflow = "mask"};
    /* without bits where those of a row of A would take more memory than the factors */
    if (g.bits.end - g.bits.first > gb_bits_blocks_most(g.A.nvals + g.B.nvals))
        g.bits = (gb_BitRows){0};
    if (g.fold != NULL) g.allow.chunk = GB_CHUNK_ENTRIES;
    gbl_Info info = gb_chunks_by_mask(&chunks, &g);
    if (info != GBL_SUCCESS) return info;
    stats->hubs_bits = g.hubs.blocks > 0 ? g.hubs.bit_rows : g.bits.rows;
    const uint64_t allowed = gb_capacity_allowed(&g);
    const uint64_t capacity = g.M.nvals < allowed ? g.M.nvals : allowed;
    info = g.fold != NULL ? fold_all(&g, &chunks, stats)
                          : gb_multiply_chunks(&method, &g, &chunks, capacity, T, stats);
    gb_chunks_free(&chunks);
    return info;
}
