/* SPDX-License-Identifier: Apache-2.0
 *
 * C with A at the rows I and columns J: row I(k) of the result has what row I(k) of C has outside
 * of J, and entry (k, l) of A in column J(l); with an accumulator also what C has in J. A mask
 * leaves C alone where it does not allow A. Instead of A there may be one value at every place.
 * Where an index is listed repeatedly its last place counts.
 *
 * Parts of equal work have room for all that C and A have (cpu/common/chunks.h). What comes in
 * to a row is read off A where the list of columns ascends; else its entries are sorted by column,
 * as keys of column << 32 | number of the entry in its row. Rows that are not listed are copied,
 * many at a time. Cost: O(rows + entries of C and A), and the sorts; workspace of a thread: keys
 * for the longest row of A.
 */
#include "cpu/ops/map.h"
#include "cpu/common/chunks.h"
#include "cpu/common/sort.h"
#include "semiring/cast.h"

typedef struct {
    const gb_AssignArgs *args;
    gb_Cs *Z;
    gb_RowParts parts;
    uint64_t *keys; /* [threads][2 * longest]; where the columns do not ascend */
    uint64_t longest;
    uint64_t cmask, amask; /* of positions of values: 0 where one stands for all */
    gb_Pairs pairs;        /* with accum */
    char *work;            /* [threads][work_bytes] */
    size_t work_bytes;
} Job;

static gb_Stretch row_of(const gb_CsView *view, uint64_t r) {
    return view->nvals == 0 ? (gb_Stretch){0, 0} : (gb_Stretch){view->p[r], view->p[r + 1]};
}

/* What comes in to one row, ascending: n entries. */
typedef struct {
    uint64_t n;
    gb_Off first;        /* entry of A, or of M */
    const uint64_t *key; /* [n]; NULL: entries from `first` on, or one value */
} Incoming;

/* A value comes in where the mask has an entry, of which those that are not listed do not count: a
 * region may have far more places than the mask. */
static inline bool fills_mask(const gb_AssignArgs *args) {
    return args->fills && args->masked && !args->outside;
}

static inline uint64_t column_in(const Job *job, const Incoming *in, uint64_t k) {
    const gb_IndexMap *columns = job->args->columns;
    if (in->key != NULL) return in->key[k] >> 32;
    if (fills_mask(job->args)) return job->args->M.i[in->first + k];
    return job->args->fills ? gb_ranked(columns, k)
                            : gb_listed(columns, job->args->A.i[in->first + k]);
}
static inline gb_Off value_in(const Incoming *in, uint64_t k) {
    return in->first + (in->key == NULL ? k : in->key[k] & UINT32_MAX);
}

/* Entries of a row of A that the last place of their column has, as keys; how many. */
static uint64_t make_keys(const Job *job, gb_Stretch row, uint64_t *key) {
    const gb_IndexMap *columns = job->args->columns;
    const gb_Idx *i = job->args->A.i + row.from;
    uint64_t n = 0;
    for (uint64_t e = 0; e < row.to - row.from; e++) {
        const uint64_t column = gb_listed(columns, i[e]);
        const bool counts =
            columns->start == NULL || gb_last_place(columns, gb_rank_of(columns, column)) == i[e];
        if (counts) key[n++] = column << 32 | e;
    }
    return n;
}

/* What comes in to the row at place k of the list, whose entries of the mask are given. */
static Incoming incoming(const Job *job, uint64_t k, gb_Stretch mask) {
    const gb_IndexMap *columns = job->args->columns;
    if (fills_mask(job->args)) return (Incoming){.n = mask.to - mask.from, .first = mask.from};
    if (job->args->fills) return (Incoming){.n = columns->distinct};
    const gb_Stretch row = row_of(&job->args->A, k);
    Incoming in = {.n = row.to - row.from, .first = row.from};
    if (gb_is_ascending(columns)) return in;
    uint64_t *key = job->keys + (uint64_t)gb_thread_id() * 2 * job->longest;
    in.n = make_keys(job, row, key);
    if (in.n > 1)
        gb_sort64(key, key + job->longest, in.n, 32, 32 + gb_key_bits(columns->dimension));
    in.key = key;
    return in;
}

/* -- a row of the list: what C has, what comes in, and what the mask allows */

typedef struct {
    gb_Stretch C, M;
    Incoming in;
} Meeting;

/* Pairs of values that wait to be combined, and where the results go. */
typedef struct {
    uint64_t n, z[GB_BATCH], c[GB_BATCH], a[GB_BATCH];
} Pairs;

static void combine(const Job *job, Pairs *pairs) {
    char *work = job->work + (size_t)gb_thread_id() * job->work_bytes;
    const gb_PairsAt at = {.x = pairs->c, .y = pairs->a};
    if (pairs->n == 0) return;
    gb_scatter(job->Z->x, pairs->z, gb_pairs_combine(&job->pairs, work, at, pairs->n, NULL),
               job->args->type->size, pairs->n);
    pairs->n = 0;
}

static inline void put_value(const Job *job, uint64_t q, const gb_CsView *from, gb_Off e) {
    const size_t size = from->xsize;
    gb_copy_value((char *)job->Z->x + q * size, (const char *)from->x + e * size, size);
}

static void put_pair(const Job *job, Pairs *pairs, const uint64_t at[3]) {
    const uint64_t n = pairs->n++;
    pairs->z[n] = at[0];
    pairs->c[n] = at[1];
    pairs->a[n] = at[2];
    if (pairs->n == job->pairs.batch) combine(job, pairs);
}

/* Writes the row from place q on; how many entries. Columns of both sides come ascending. */
__attribute__((always_inline)) static inline uint64_t meet(const Job *job, const Meeting *row,
                                                           uint64_t q, Pairs *pairs, bool masked) {
    const gb_AssignArgs *args = job->args;
    const uint64_t first = q, none = UINT64_MAX;
    const bool values = !job->Z->iso;
    const bool all = gb_is_all(args->columns), adds = args->accum != NULL;
    const bool by_mask = masked && fills_mask(args);
    gb_Off e = row->C.from, m = row->M.from;
    for (uint64_t k = 0;;) {
        const uint64_t c = e < row->C.to ? args->C.i[e] : none;
        const uint64_t a = k < row->in.n ? column_in(job, &row->in, k) : none;
        const uint64_t column = c < a ? c : a;
        if (column == none) return q - first;
        bool comes = a <= c && !by_mask;
        if (!comes && (a <= c || !(adds || by_mask)))
            comes = all || gb_rank_of(args->columns, column) != GB_NOT_LISTED;
        if (masked && comes && !by_mask) {
            while (m < row->M.to && args->M.i[m] < column) m++;
            comes = (m < row->M.to && args->M.i[m] == column) != args->outside;
        }
        if (comes ? a <= c : c <= a) {
            job->Z->i[q] = (gb_Idx)column;
            if (values && comes && adds && a == c)
                put_pair(job, pairs, (uint64_t[]){q, e, value_in(&row->in, k) & job->amask});
            else if (values && comes)
                put_value(job, q, &args->A, value_in(&row->in, k) & job->amask);
            else if (values)
                put_value(job, q, &args->C, e & job->cmask);
            q++;
        }
        e += c <= a;
        k += a <= c;
    }
}

/* Entries of C or A to place q, as they are; how many. */
static uint64_t copy_stretch(const Job *job, const gb_CsView *view, gb_Stretch from, uint64_t q) {
    const uint64_t n = from.to - from.from;
    const size_t size = view->xsize;
    if (n == 0) return 0;
    memcpy(job->Z->i + q, view->i + from.from, n * sizeof *view->i);
    if (job->Z->iso) return n;
    if (view->iso)
        gb_fill((char *)job->Z->x + q * size, view->x, size, n);
    else
        memcpy((char *)job->Z->x + q * size, (const char *)view->x + from.from * size, n * size);
    return n;
}

/* Row r, at place k of the list, to place q; how many entries. */
static uint64_t fill_row(const Job *job, const uint64_t row[2], uint64_t q, Pairs *pairs) {
    const gb_AssignArgs *args = job->args;
    const uint64_t r = row[0], k = row[1];
    const bool replaced = gb_is_all(args->columns) && !args->masked && args->accum == NULL;
    if (replaced && !args->fills) return copy_stretch(job, &args->A, row_of(&args->A, k), q);
    const gb_Stretch mask = row_of(&args->M, r);
    const Meeting met = {row_of(&args->C, r), mask, incoming(job, k, mask)};
    return args->masked ? meet(job, &met, q, pairs, true) : meet(job, &met, q, pairs, false);
}

static void fill_part(void *context, uint64_t t) {
    const Job *job = context;
    const gb_IndexMap *rows = job->args->rows;
    const gb_CsView *C = &job->args->C;
    gb_RowPart *part = &job->parts.part[t];
    uint64_t q = part->first;
    Pairs pairs;
    pairs.n = 0;
    for (uint64_t r = part->from; r < part->to;) {
        const uint64_t from = r;
        gb_Idx rank = GB_NOT_LISTED;
        for (; r < part->to && (rank = gb_rank_of(rows, r)) == GB_NOT_LISTED; r++)
            job->Z->p[r] = q + (C->nvals > 0 ? C->p[r] - C->p[from] : 0);
        if (r > from && C->nvals > 0)
            q += copy_stretch(job, C, (gb_Stretch){C->p[from], C->p[r]}, q);
        if (r == part->to) break;
        job->Z->p[r] = q;
        q += fill_row(job, (uint64_t[]){r, gb_last_place(rows, rank)}, q, &pairs);
        r++;
    }
    part->end = q;
    combine(job, &pairs);
}

/* -- the whole */

/* Z->p[r + 1] = the most entries that row r can have. */
static void measure_rows(void *context, uint64_t from, uint64_t to) {
    const Job *job = context;
    const gb_AssignArgs *args = job->args;
    for (uint64_t r = from; r < to; r++) {
        const gb_Stretch row = row_of(&args->C, r);
        const gb_Idx rank = gb_rank_of(args->rows, r);
        uint64_t most = row.to - row.from;
        if (rank != GB_NOT_LISTED) {
            const gb_Stretch in = row_of(fills_mask(args) ? &args->M : &args->A,
                                         fills_mask(args) ? r : gb_last_place(args->rows, rank));
            most += args->fills && !fills_mask(args) ? args->columns->distinct : in.to - in.from;
        }
        job->Z->p[r + 1] = most;
    }
}

/* One value stands for all of the result. */
static bool gives_one_value(const gb_AssignArgs *args) {
    const gb_CsView *A = &args->A, *C = &args->C;
    const bool incoming = args->fills || A->nvals > 0;
    if (incoming && !A->iso) return false;
    if (C->nvals == 0) return true;
    if (incoming && args->accum != NULL) return false;
    return C->iso && (!incoming || memcmp(A->x, C->x, C->xsize) == 0);
}

static gbl_Info assign(Job *job) {
    const gb_RowParts *parts = &job->parts;
    const size_t xsize = job->args->type->size;
    gbl_Info info = gb_row_parts_alloc(job->Z, xsize);
    if (info != GBL_SUCCESS) return info;
    if (job->Z->iso && job->Z->nvals > 0)
        memcpy(job->Z->x, job->args->C.nvals > 0 ? job->args->C.x : job->args->A.x, xsize);
    info = gb_parallel_try(parts->threads, parts->n, fill_part, job);
    if (info == GBL_SUCCESS) gb_row_parts_close(parts, job->Z, xsize);
    return info;
}

/* Keys, where columns do not ascend, and buffers for pairs. */
static gbl_Info alloc_work(Job *job, size_t *key_bytes, size_t *work_bytes) {
    const gb_AssignArgs *args = job->args;
    const uint64_t threads = (uint64_t)job->parts.threads;
    *key_bytes = *work_bytes = 0;
    if (!args->fills && !gb_is_ascending(args->columns)) {
        job->longest = gb_longest_row(&args->A);
        if (!gb_size_mul(key_bytes, 2 * job->longest, threads * sizeof *job->keys))
            return gb_fail_memory(SIZE_MAX);
        job->keys = gb_malloc(*key_bytes);
        if (job->keys == NULL && *key_bytes > 0) return gb_fail_memory(*key_bytes);
    }
    if (args->accum == NULL) return GBL_SUCCESS;
    job->pairs = (gb_Pairs){.op = args->accum,
                            .xtype = args->type,
                            .ytype = args->type,
                            .ztype = args->type,
                            .x = args->C.x,
                            .y = args->A.x,
                            .xiso = args->C.iso,
                            .yiso = args->A.iso};
    job->work_bytes = gb_pairs_prepare(&job->pairs, GB_BATCH);
    if (!gb_size_mul(work_bytes, threads, job->work_bytes)) return gb_fail_memory(SIZE_MAX);
    job->work = gb_malloc(*work_bytes);
    return job->work != NULL ? GBL_SUCCESS : gb_fail_memory(*work_bytes);
}

gbl_Info gb_cpu_assign(const gb_AssignArgs *args, gb_Cs *Z) {
    const gb_CsView *C = &args->C;
    const uint64_t nrows = C->nmajor;
    Job job = {.args = args,
               .Z = Z,
               .cmask = C->iso ? 0 : UINT64_MAX,
               .amask = args->A.iso ? 0 : UINT64_MAX};
    size_t key_bytes = 0, work_bytes = 0;
    gbl_Info info = gb_cs_alloc(Z, nrows, 0, 0);
    if (info != GBL_SUCCESS) return info;
    Z->iso = gives_one_value(args);
    info = gb_parallel_try_items(args->nthreads, nrows, measure_rows, &job);
    if (info == GBL_SUCCESS) gb_sum_rows(Z);
    if (info == GBL_SUCCESS) info = gb_row_parts_make(&job.parts, Z, args->nthreads);
    if (info == GBL_SUCCESS) info = alloc_work(&job, &key_bytes, &work_bytes);
    if (info == GBL_SUCCESS) info = assign(&job);
    gb_free(job.keys, key_bytes);
    gb_free(job.work, work_bytes);
    gb_row_parts_free(&job.parts);
    if (info != GBL_SUCCESS || Z->nvals == 0) gb_cs_free(Z);
    return info;
}
