/* SPDX-License-Identifier: Apache-2.0
 *
 * Drivers of pull (pull.tmpl.h). Threads share out the rows, so neither result depends on their
 * number.
 */
#include "core/tune.h"
#include "cpu/mxv/mxv.h"

typedef struct {
    uint64_t from, to;
} gb_RowSpan;

/* How u says which entries it has. */
typedef enum {
    GB_PULL_BYTES, /* u.b, or NULL */
    GB_PULL_BITS,  /* g->bits, or NULL */
    GB_PULL_LIST   /* g->list: the shorter of it and the row jumps ahead in the other */
} gb_PullForm;

GB_OP bool has_entry(const gb_PullArgs *g, const gb_PullForm form, uint64_t k) {
    if (form == GB_PULL_BITS) return g->bits == NULL || gb_bit(g->bits, k);
    return g->u.b == NULL || g->u.b[k];
}

/* The first entry of A in [p, end) that the list has one for, *q from *q on; `end`: none has. */
static gb_Off next_listed(const gb_PullArgs *g, gb_Off p, gb_Off end, gb_Off *q) {
    const gb_Idx *restrict Ai = g->A.i, *restrict ui = g->list.i;
    const gb_Off n = g->list.nvals;
    while (p < end && *q < n && Ai[p] != ui[*q]) {
        if (Ai[p] < ui[*q])
            p = gb_first_at_least(Ai, p + 1, end, ui[*q]);
        else
            *q = gb_first_at_least(ui, *q + 1, n, Ai[p]);
    }
    return *q < n ? p : end;
}

static inline bool is_allowed(const gb_MxvSink *to, uint64_t j) {
    return to->allowed == NULL || to->allowed[j] != to->refused;
}

/* Bit r: row base + r, which is below `end`, may be computed. */
static inline uint64_t open_rows(const gb_MxvSink *to, uint64_t base, uint64_t end) {
    const uint64_t rows = end - base < 64 ? end - base : 64;
    const uint64_t all = UINT64_MAX >> (64 - rows);
    uint64_t open = 0;
    if (to->allowed == NULL) return all;
    if (rows == 64)
        open = gb_nonzero_bytes((const uint8_t *)to->allowed + base);
    else
        for (uint64_t r = 0; r < rows; r++) open |= (uint64_t)(to->allowed[base + r] != 0) << r;
    return to->refused ? ~open & all : open;
}

/* The first entries of open rows from base on. Always inlined, as gb_prefetch_rows. */
GB_OP void prefetch_rows(const gb_CsView *A, uint64_t base, uint64_t open) {
    for (; open != 0; open &= open - 1)
        __builtin_prefetch(A->i + A->p[base + (uint64_t)__builtin_ctzll(open)]);
}

/* -- rows of a window by their lengths. A loop over the entries of a short row ends with a branch
 * that nobody predicts where lengths vary, which takes as long as the row; one over rows of equal
 * length ends as the one before it did. */

enum { GB_ROW_CLASSES = GB_MXV_SHORT + 2, GB_ROW_STRANDS = 4 };

/* row[start[c]] to row[start[c + 1] - 1] have c entries each; those of the last class more than
 * GB_MXV_SHORT. */
typedef struct {
    uint16_t start[GB_ROW_CLASSES + 1];
    uint8_t row[GB_ROW_WINDOW];
} gb_RowClasses;

/* The n <= GB_ROW_WINDOW rows with pointers p[0] to p[n]; false, and nothing is sorted, where
 * lengths are mostly those of the row before. The window is counted in strands, every fourth row
 * each, since a count has to wait for the one before it. */
__attribute__((noinline, unused)) static bool class_rows(gb_RowClasses *to,
                                                         const gb_Off *restrict p, unsigned n) {
    uint8_t class[GB_ROW_WINDOW];
    unsigned changes = 0;
    uint16_t at[GB_ROW_STRANDS][GB_ROW_CLASSES] = {{0}};
    for (unsigned r = 0; r < n; r++) {
        const gb_Off entries = p[r + 1] - p[r];
        class[r] = (uint8_t)(entries <= GB_MXV_SHORT ? entries : GB_MXV_SHORT + 1);
    }
    for (unsigned r = 1; r < n; r++) changes += class[r] != class[r - 1];
    if (changes * GB_ROW_CHANGES < n) return false;
    for (unsigned r = 0; r < n; r++) at[r % GB_ROW_STRANDS][class[r]]++;
    uint16_t next = 0;
    for (unsigned c = 0; c < GB_ROW_CLASSES; c++) {
        to->start[c] = next;
        for (unsigned s = 0; s < GB_ROW_STRANDS; s++) {
            const uint16_t count = at[s][c];
            at[s][c] = next;
            next = (uint16_t)(next + count);
        }
    }
    to->start[GB_ROW_CLASSES] = next;
    for (unsigned r = 0; r < n; r++) to->row[at[r % GB_ROW_STRANDS][class[r]]++] = (uint8_t)r;
    return true;
}

#define SR_TEMPLATE "cpu/mxv/pull.tmpl.h"
#include "semiring/foreach.h"
#undef SR_TEMPLATE

typedef uint64_t (*gb_PullKernel)(const gb_PullArgs *g, const gb_RingArgs *R, gb_RowSpan rows,
                                  const gb_Dense *w, gb_Cs *out);
#define ENTRY(name, add, multiply, type) [GB_RING_##name] = pull_##name,
static const gb_PullKernel kernels[GB_RING_COUNT] = {GB_FOREACH_RING(ENTRY)[GB_RING_GENERIC] =
                                                         pull_GENERIC};
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
        kernels[run->g->ring.id](run->g, &R, rows_of(run, t), run->w, run->out.out);
    if (run->out.start != NULL) run->out.start[t + 1] = found;
    if (run->w != NULL || run->g->into.x != NULL)
        __atomic_add_fetch(&run->found, found, __ATOMIC_RELAXED);
}

/* How many threads, and run->parts. */
static int share_out(gb_PullRun *run, uint64_t work) {
    const int threads = gb_threads_for(work, GB_GRAIN, run->g->nthreads);
    run->parts = threads == 1 ? 1 : (uint64_t)threads * 8;
    if (run->parts > GB_MXV_PARTS) run->parts = GB_MXV_PARTS;
    return threads;
}

gbl_Info gb_cpu_mxv_pull(const gb_PullArgs *g, gb_Dense *w) {
    if (g->sell.nslices > 0) return gb_mxv_pull_sell(g, w);
    const uint64_t m = g->A.nmajor;
    gb_PullRun run = {.g = g, .w = w, .out = {.ring = &g->ring}};
    const int threads = share_out(&run, g->A.nvals + m);
    size_t xbytes;
    *w = (gb_Dense){0};
    if (!gb_size_mul(&xbytes, m, g->ring.args.zsize)) return gb_fail_memory(SIZE_MAX);
    gbl_Info info = GBL_SUCCESS;
    if (g->ring.id == GB_RING_GENERIC) info = gb_mxv_alloc_scratch(&run.out, threads);
    if (info == GBL_SUCCESS) info = gb_dense_alloc(w, m, xbytes, true);
    if (info == GBL_SUCCESS) gb_parallel_for(threads, run.parts, pull_part, &run);
    w->nvals = run.found;
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
    gb_parallel_for(threads, run->parts, pull_part, run);
    const gbl_Info info = gb_mxv_alloc_output(&run->out, run->parts);
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
    size_t bytes;
    if (!gb_size_mul(&bytes, g->rows.nvals, g->ring.args.zsize)) return gb_fail_memory(SIZE_MAX);
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
