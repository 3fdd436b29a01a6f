/* SPDX-License-Identifier: Apache-2.0
 *
 * Driver of the row-wise product (Gustavson 1978; workflows of Ocean, ICS '26, section 3.2). Rows
 * are cut into chunks of about equal products; a thread computes a chunk into a buffer in its cache
 * and cpu/common/compact.c streams it to its place. The workflow says how many entries the arrays
 * of C are made for: all that the products allow, an estimate with a margin, or an exact count made
 * first. Where A has no two entries in a row, rows are written to their places at once.
 *
 * The result does not depend on the number of threads: a row is summed by one thread in the order
 * of k, and a row's accumulator is chosen by the row alone.
 */
#include "core/clock.h"
#include "cpu/common/compact.h"
#include "cpu/rowwise/bitrow.h"
#include "cpu/rowwise/hashrow.h"

#define SR_TEMPLATE "cpu/rowwise/rowwise.tmpl.h"
#define SR_WIDE
#include "semiring/foreach.h"
#undef SR_WIDE
#undef SR_TEMPLATE

#define ENTRY(name, add, multiply, type)                                                           \
    [GB_RING_##name] = {row_##name, short_rows_##name, begin_dense_##name},
static const gb_RowKernel kernels[GB_RING_COUNT] = {
    GB_FOREACH_ANY_RING(ENTRY)[GB_RING_GENERIC] = {row_GENERIC, short_rows_GENERIC,
                                                   begin_dense_GENERIC}};
#undef ENTRY

static inline const gb_RowKernel *kernel_of(const gb_MxmArgs *g) {
    return g->ring == GB_RING_COMPILED ? g->args.compiled->rowwise : &kernels[g->ring];
}

/* -- the symbolic pass ---------------------------------------------------------------------- */

/* The symbolic pass: how many entries each row of C will have, by pattern alone. A row marks its
 * columns with its own stamp, so that nothing needs to be unmarked; where the marks of all columns
 * would leave the cache and the sampled compression ratio says that the row is short enough, a hash
 * set takes their place ("assisted", Ocean, ICS '26, section 4.1). */

/* mark[j] is `stamp` where column j is in the mask's row, stamp + 1 where an entry was found. */
typedef struct {
    uint16_t *mark; /* [n], from the first row that wants it on */
    uint16_t stamp; /* even; 0 is no stamp */
    gb_RowWork
        row; /* its table of slots serves as the set; row.wanted says what was not to be had */
} gb_Counter;

static uint64_t count_by_stamps(const gb_MxmArgs *g, gb_Counter *c, uint64_t i) {
    const gb_CsView *A = &g->A, *B = &g->B, *M = &g->M;
    const size_t bytes = B->nminor * sizeof *c->mark;
    if (c->mark == NULL) c->mark = gb_calloc(bytes);
    if (c->mark == NULL) {
        c->row.wanted = bytes;
        return 0;
    }
    if (c->stamp >= UINT16_MAX - 2) {
        memset(c->mark, 0, bytes);
        c->stamp = 0;
    }
    const uint16_t listed = c->stamp = (uint16_t)(c->stamp + 2), found = (uint16_t)(listed + 1);
    uint16_t *restrict mark = c->mark;
    const bool masked = g->mask_kind != GB_MASK_NONE, inside = g->mask_kind == GB_MASK_INSIDE;
    for (gb_Off q = masked ? M->p[i] : 0; masked && q < M->p[i + 1]; q++) mark[M->i[q]] = listed;
    uint64_t n = 0;
    for (gb_Off p = A->p[i]; p < A->p[i + 1]; p++)
        for (gb_Off q = B->p[A->i[p]]; q < B->p[A->i[p] + 1]; q++) {
            const uint16_t m = mark[B->i[q]];
            const bool wanted = m != found && (!masked || (m == listed) == inside);
            mark[B->i[q]] = wanted ? found : m;
            n += wanted;
        }
    return n;
}

/* UINT64_MAX when the row has more entries than capacity. */
static uint64_t count_by_hash(const gb_MxmArgs *g, gb_Counter *c, uint64_t i, uint64_t capacity) {
    const unsigned bits = gb_table_bits(capacity);
    if (!GB_ISA_NAME(gb_reserve_slots)(&c->row, bits)) return 0;
    const gb_Table table = gb_table(c->row.table_key, bits);
    uint64_t n = 0;
    for (gb_Off p = g->A.p[i]; p < g->A.p[i + 1] && n <= capacity; p++)
        for (gb_Off q = g->B.p[g->A.i[p]]; q < g->B.p[g->A.i[p] + 1] && n <= capacity; q++) {
            bool is_new;
            const uint64_t s = gb_table_find(&table, g->B.i[q], &is_new);
            if (!is_new) continue;
            if (n < capacity) {
                table.key[s] = g->B.i[q];
                c->row.list[n] = s;
            }
            n++;
        }
    for (uint64_t e = 0; e < n && e < capacity; e++) table.key[c->row.list[e]] = GB_NO_KEY;
    return n <= capacity ? n : UINT64_MAX;
}

/* Marks of so many columns would cost more than the rows: bounds stand for masked rows, sets for
 * the others. */
static uint64_t count_wide_row(const gb_MxmArgs *g, gb_Counter *c, uint64_t i, uint64_t f) {
    const uint64_t most = f < g->B.nminor ? f : g->B.nminor;
    if (g->mask_kind == GB_MASK_INSIDE) {
        const uint64_t listed = g->M.p[i + 1] - g->M.p[i];
        return listed < most ? listed : most;
    }
    const uint64_t n = count_by_hash(g, c, i, gb_row_capacity(g, i, f));
    return n != UINT64_MAX ? n : count_by_hash(g, c, i, most);
}

static uint64_t count_row(const gb_MxmArgs *g, gb_Counter *c, uint64_t i) {
    const uint64_t f = g->flops[i + 1] - g->flops[i], a = g->A.p[i + 1] - g->A.p[i];
    const bool masked = g->mask_kind != GB_MASK_NONE;
    if (f == 0 || (!masked && a == 1)) return f;
    const uint64_t bytes = g->B.nminor * sizeof *c->mark;
    if (bytes > GB_MARKS_MOST) return count_wide_row(g, c, i, f);
    const uint64_t capacity = gb_row_capacity(g, i, f);
    if (!masked && bytes > GB_COUNT_BYTES && capacity * sizeof(gb_Idx) < GB_COUNT_BYTES / 4) {
        const uint64_t n = count_by_hash(g, c, i, capacity);
        if (n != UINT64_MAX) return n;
    }
    return count_by_stamps(g, c, i);
}

typedef struct {
    const gb_MxmArgs *g;
    const gb_Chunks *chunks;
    gb_Counter *counters; /* [nthreads] */
    float *size;
    uint64_t total; /* atomic */
    int failed;     /* atomic: memory was short */
} gb_Counting;

static void count_chunk(void *context, uint64_t chunk) {
    gb_Counting *counting = context;
    const gb_MxmArgs *g = counting->g;
    gb_Counter *c = &counting->counters[gb_thread_id()];
    const uint64_t *row = counting->chunks->row + chunk;
    uint64_t sum = 0;
    if (__atomic_load_n(&counting->failed, __ATOMIC_RELAXED)) return;
    for (uint64_t i = row[0]; i < row[1] && c->row.wanted == 0; i++) {
        const uint64_t n = count_row(g, c, i);
        counting->size[i] = (float)n;
        sum += n;
    }
    __atomic_fetch_add(&counting->total, sum, __ATOMIC_RELAXED);
    if (c->row.wanted > 0) __atomic_store_n(&counting->failed, 1, __ATOMIC_RELAXED);
}

/* size[m] becomes the entries of each row, *total their sum. Cost: one pass over all products. */
static gbl_Info count_rows(const gb_MxmArgs *g, const gb_Chunks *chunks, float *size,
                           uint64_t *total) {
    const size_t bytes = (size_t)g->nthreads * sizeof(gb_Counter);
    gb_Counter *counters = gb_calloc(bytes);
    if (counters == NULL) return gb_fail_memory(bytes);
    for (int t = 0; t < g->nthreads; t++) counters[t].row.args = g->args;
    gb_Counting counting = {.g = g, .chunks = chunks, .counters = counters, .size = size};
    gb_parallel_for(g->nthreads, chunks->n, count_chunk, &counting);
    *total = counting.total;
    gbl_Info info = GBL_SUCCESS;
    for (int t = 0; t < g->nthreads; t++) {
        if (counters[t].row.wanted > 0) info = gb_fail_memory(counters[t].row.wanted);
        gb_free(counters[t].mark, g->B.nminor * sizeof *counters[t].mark);
        GB_ISA_NAME(gb_rowwork_free)(&counters[t].row);
    }
    gb_free(counters, bytes);
    return info;
}

/* -- the driver ------------------------------------------------------------------------------ */

/* Whether B's rows are added in runs. No more entries are looked at than there are products. */
static bool has_runs(const gb_MxmArgs *g) {
    const uint64_t flops = g->flops[g->A.nmajor];
    gb_CsView B = g->B;
    if (flops < B.nvals) B.nvals = flops;
    if (g->ring == GB_RING_GENERIC) return true;  /* see add_runs */
    if (g->B.x != NULL && g->B.iso) return false; /* one value: nothing to load a register of */
    return gb_comes_in_runs(&B);
}

static bool ready_for(const gb_MxmArgs *g, gb_RowWork *w, gb_RowKind kind) {
    if (kind == GB_ROW_SORT) return GB_ISA_NAME(gb_reserve_products)(w);
    if (kind == GB_ROW_BITS) return GB_ISA_NAME(gb_reserve_bits)(w, g->B.nminor);
    if (kind != GB_ROW_DENSE || w->val != NULL) return true;
    if (!GB_ISA_NAME(gb_reserve_dense)(w, g->B.nminor)) return false;
    kernel_of(g)->begin_dense(w, g->B.nminor);
    return true;
}

static void flush(const gb_MxmArgs *g, gb_RowWork *w, gb_ShortRows *batch, gb_ChunkOut *out) {
    if (batch->n == 0) return;
    const gb_RowOut at = {out->p, out->n, out->i + out->n, out->x + out->n * g->args.zsize};
    if (ready_for(g, w, GB_ROW_SORT)) out->n += kernel_of(g)->short_rows(g, w, batch, at);
    *batch = (gb_ShortRows){0};
}

/* One row that is not short; returns its entries. */
static uint64_t run_row(const gb_MxmArgs *g, gb_RowWork *w, uint64_t i, gb_RowKind kind,
                        const gb_ChunkOut *out) {
    gb_Idx *Ci = out->i + out->n;
    void *Cx = out->x + out->n * g->args.zsize;
    const uint64_t n = kind == GB_ROW_BITS ? gb_row_bits(g, w, i, Ci, Cx)
                                           : kernel_of(g)->row(g, w, i, kind, Ci, Cx);
    return g->filter == NULL ? n : GB_ISA_NAME(gb_filter_row)(g, w, i, Ci, Cx, n);
}

/* Multiplies the rows of a chunk. */
static void run_chunk(void *work, const gb_MxmArgs *g, gb_ChunkOut *out) {
    gb_RowWork *w = work;
    gb_ShortRows batch = {0};
    for (uint64_t i = out->from; i < out->to && w->wanted == 0; i++) {
        const uint64_t f = g->flops[i + 1] - g->flops[i];
        const gb_RowKind kind = gb_row_kind(g, i, g->A.p[i + 1] - g->A.p[i], f);
        /* a copy is only worth its own code when no batch is open */
        const bool joins = kind == GB_ROW_SORT ||
                           (kind == GB_ROW_COPY && batch.n > 0 && f <= GB_SORT_MAX && w->may_sort);
        if (joins) {
            gb_short_add(&batch, i, (unsigned)f);
            if (batch.n == GB_SHORT_ROWS) flush(g, w, &batch, out);
        } else if (kind == GB_ROW_EMPTY && batch.n > 0) {
            batch.to = i + 1;
        } else {
            flush(g, w, &batch, out);
            out->p[i] = out->n;
            if (kind == GB_ROW_EMPTY || w->wanted > 0 || !ready_for(g, w, kind)) continue;
            out->n += run_row(g, w, i, kind, out);
        }
    }
    flush(g, w, &batch, out);
    out->wanted = w->wanted;
}

/* What all rows have in common. */
typedef struct {
    bool runs, unmarked;
} gb_RowTraits;

static gb_RowTraits traits_of(const gb_MxmArgs *g) {
    const bool floats = g->ring == GB_RING_PLUS_TIMES_FP64 || g->ring == GB_RING_PLUS_TIMES_FP32;
    const bool masked = g->mask_kind != GB_MASK_NONE, runs = !masked && has_runs(g);
    /* the mean row has enough products for the dense accumulator to go without marks */
    const bool many =
        g->flops[g->A.nmajor] / GB_UNMARKED_FLOPS >= g->A.nmajor * (g->B.nminor / 64 + 1);
    return (gb_RowTraits){runs, floats && !masked && !g->B.iso && !runs && many};
}

static gbl_Info begin_work(void *work, const void *traits, const gb_MxmArgs *g) {
    gb_RowWork *w = work;
    const gbl_Info info = GB_ISA_NAME(gb_rowwork_new)(w, g);
    const bool assisted = (g->accumulators & GBL_ACCUMULATE_ASSIST) != 0;
    w->query = assisted && g->compression >= GB_QUERY_COMPRESSION;
    w->may_sort = (g->accumulators & GBL_ACCUMULATE_SORT) != 0;
    w->runs = ((const gb_RowTraits *)traits)->runs;
    w->unmarked = ((const gb_RowTraits *)traits)->unmarked;
    return info;
}

/* Sorting is counted in ticks. */
static void end_work(void *work, const gb_MxmArgs *g, gb_MxmStats *stats) {
    gb_RowWork *w = work;
    (void)g;
    stats->copied += w->copied;
    stats->sorted += w->sorted;
    stats->hashed += w->hashed;
    stats->dense += w->dense;
    stats->by_bits += w->by_bits;
    stats->overflowed += w->overflowed;
    stats->seconds_sort += (double)w->sort_ticks;
    GB_ISA_NAME(gb_rowwork_free)(w);
}

/* Entries to make C's arrays for: estimates with a margin, but no more than products allow. */
static uint64_t expected_entries(const gb_MxmArgs *g, const gb_Chunks *chunks) {
    const uint64_t capacity = gb_compaction_capacity(g, chunks);
    if (g->size == NULL) return capacity;
    const double wanted = g->size_sum * GB_ESTIMATE_MARGIN;
    return wanted < (double)capacity ? gb_to_u64(wanted) + 1 : capacity;
}

static gbl_Info multiply(const gb_MxmArgs *g, const gb_Chunks *chunks, uint64_t capacity, gb_Cs *T,
                         gb_MxmStats *stats) {
    const uint64_t allowed = gb_capacity_allowed(g);
    const gb_RowTraits traits = traits_of(g);
    const gb_ChunkMethod method = {sizeof(gb_RowWork), &traits,  begin_work,
                                   run_chunk,          end_work, false};
    if (g->filter != NULL) capacity = gb_filtered_capacity(g, capacity);
    if ((g->workflow != GB_SYMBOLIC || g->filter != NULL) && capacity > allowed) capacity = allowed;
    const double begin = gb_seconds();
    const uint64_t tick = gb_ticks();
    const gbl_Info info = gb_multiply_chunks(&method, g, chunks, capacity, T, stats);
    const double ticks = (double)(gb_ticks() - tick) * gb_chunk_threads(g, chunks);
    stats->seconds_sort *= ticks > 0.0 ? (gb_seconds() - begin) / ticks : 0.0;
    if (info == GBL_SUCCESS) T->sorted = !g->any_order;
    return info;
}

/* -- few products ------------------------------------------------------------------------------ */

/* Whether C's arrays, with room for all products, are the buffer of a chunk that is all of C. */
static bool is_one_chunk(const gb_MxmArgs *g) {
    const uint64_t m = g->A.nmajor;
    return g->workflow == GB_UPPER_BOUND && g->filter == NULL && g->allow.work == UINT64_MAX &&
           g->flops[m] <= GB_ONE_CHUNK_FLOPS && m <= GB_ONE_CHUNK_FLOPS;
}

static gbl_Info multiply_chunk(const gb_MxmArgs *g, gb_Cs *T, gb_MxmStats *stats) {
    const uint64_t m = g->A.nmajor, capacity = g->flops[m] + GB_BUFFER_PAD;
    const gb_RowTraits traits = traits_of(g);
    gb_RowWork w;
    gbl_Info info = gb_cs_alloc(T, m, capacity, capacity * g->args.zsize);
    if (info != GBL_SUCCESS) return info;
    info = begin_work(&w, &traits, g);
    if (info == GBL_SUCCESS) {
        gb_ChunkOut out = {0, m, T->p, T->i, T->x, 0, 0};
        if (gb_progress_add(g->meter, g->flops[m])) run_chunk(&w, g, &out);
        T->nvals = T->p[m] = out.n;
        T->sorted = !g->any_order;
        info = gb_progress_end(g->meter);
        if (out.wanted > 0) info = gb_fail_memory(out.wanted);
        end_work(&w, g, stats);
        stats->seconds_sort = 0.0; /* too short to be measured */
        stats->slices = 1;
    }
    if (info != GBL_SUCCESS) gb_cs_free(T);
    return info;
}

/* -- products that only copy rows of B: permutations, selections, scalings --------------------- */

static bool only_copies(const gb_MxmArgs *g) {
    if (g->mask_kind != GB_MASK_NONE || g->filter != NULL) return false;
    if (!g->B.sorted && !g->any_order) return false;
    if (g->A.nvals > g->A.nmajor) return false;
    for (uint64_t i = 0; i < g->A.nmajor; i++)
        if (g->A.p[i + 1] - g->A.p[i] > 1) return false;
    return true;
}

typedef struct {
    const gb_MxmArgs *g;
    const gb_Chunks *chunks;
    gb_Cs *T;
    gb_RowWork *work; /* [threads] */
    uint64_t next;    /* atomic; chunk */
} gb_CopyRun;

static void copy_chunks(void *context, int t) {
    gb_CopyRun *run = context;
    const gb_MxmArgs *g = run->g;
    gb_Cs *T = run->T;
    uint64_t c;
    while ((c = gb_parallel_take(&run->next)) < run->chunks->n) {
        const uint64_t from = run->chunks->row[c], to = run->chunks->row[c + 1];
        if (!gb_progress_add(g->meter, g->flops[to] - g->flops[from])) return;
        for (uint64_t i = from; i < to; i++) {
            T->p[i] = g->flops[i];
            if (g->flops[i + 1] == g->flops[i]) continue;
            kernel_of(g)->row(g, &run->work[t], i, GB_ROW_COPY, T->i + g->flops[i],
                              (char *)T->x + g->flops[i] * g->args.zsize);
        }
    }
}

/* Rows are written where they belong, since it is known where that is. */
static gbl_Info copy_all(const gb_MxmArgs *g, const gb_Chunks *chunks, gb_Cs *T,
                         gb_MxmStats *stats) {
    const uint64_t m = g->A.nmajor, total = g->flops[m];
    const size_t entry = g->args.zsize + sizeof(gb_Idx);
    const int threads = gb_chunk_threads(g, chunks);
    const gb_ChunkMethod method = {
        sizeof(gb_RowWork), &(gb_RowTraits){false, false}, begin_work, NULL, end_work, false};
    void *work = NULL;
    gbl_Info info = gb_allow_result(&g->allow, (double)total * (double)entry, 1.0);
    if (info == GBL_SUCCESS) info = gb_cs_alloc(T, m, total, gb_size_of(total, g->args.zsize));
    if (info != GBL_SUCCESS) return info;
    info = gb_works_new(&work, &method, g, threads);
    if (info == GBL_SUCCESS) {
        gb_CopyRun run = {g, chunks, T, work, 0};
        gb_parallel(threads, copy_chunks, &run);
        info = gb_progress_end(g->meter);
    }
    gb_works_free(work, &method, g, threads, stats);
    T->nvals = T->p[m] = total;
    T->sorted = !g->any_order;
    stats->slices = 1;
    if (info != GBL_SUCCESS) gb_cs_free(T);
    return info;
}

gbl_Info GB_ISA_NAME(gb_mxm_rowwise)(const gb_MxmArgs *args, gb_Cs *T, gb_MxmStats *stats) {
    gb_MxmArgs counted = *args;
    const gb_MxmArgs *g = args;
    gb_Chunks chunks = {0};
    uint64_t capacity = 0;
    float *size = NULL;
    const size_t bytes = args->A.nmajor * sizeof *size;
    *T = (gb_Cs){0};
    *stats = (gb_MxmStats){.hubs_bits = args->bits.rows};
    if (is_one_chunk(args)) return multiply_chunk(args, T, stats);
    gbl_Info info = gb_chunks_by_flops(&chunks, args, 1);
    if (info != GBL_SUCCESS) return info;
    if (only_copies(args)) {
        info = copy_all(args, &chunks, T, stats);
        gb_chunks_free(&chunks);
        return info;
    }
    if (args->workflow == GB_SYMBOLIC) {
        const double begin = gb_seconds();
        size = gb_malloc(bytes);
        info = size != NULL ? count_rows(args, &chunks, size, &capacity) : gb_fail_memory(bytes);
        counted.size = size;
        counted.size_factor = 1.0;
        g = &counted;
        stats->seconds_symbolic = gb_seconds() - begin;
    } else {
        capacity = expected_entries(args, &chunks);
    }
    if (info == GBL_SUCCESS) info = multiply(g, &chunks, capacity, T, stats);
    gb_free(size, bytes);
    gb_chunks_free(&chunks);
    return info;
}
