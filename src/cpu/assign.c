/* SPDX-License-Identifier: Apache-2.0
 *
 * C with A at the rows I and columns J, and nothing else there: row I(k) of the result has what
 * row I(k) of C has outside of J, and entry (k, l) of A in column J(l). Instead of A there may be
 * one value at every place. Where an index is listed repeatedly its last place counts.
 *
 * Both passes take rows of equal work. What comes in to a row is read off A where the list of
 * columns ascends; else its entries are sorted by column, as keys of column << 32 | number of the
 * entry in its row. Rows that are not listed are copied, many at a time. Cost: O(rows + entries of
 * C and A), and the sorts; workspace of a thread: keys for the longest row of A.
 */
#include "cpu/cpu.h"

#include <string.h>

#include "core/arrays.h"
#include "core/parallel.h"
#include "core/search.h"
#include "core/tune.h"
#include "cpu/map.h"
#include "cpu/row_parts.h"
#include "cpu/sort.h"

typedef struct {
    const gb_AssignArgs *args;
    gb_Cs *Z;
    gb_RowParts parts;
    uint64_t *keys; /* [threads][2 * longest]; where the columns do not ascend */
    uint64_t longest;
    uint64_t cmask, amask; /* of positions of values: 0 where one stands for all */
} Job;

/* Entries [from, to) of a view. */
typedef struct {
    gb_Off from, to;
} Stretch;

static Stretch row_of(const gb_CsView *view, uint64_t r) {
    return view->nvals == 0 ? (Stretch){0, 0} : (Stretch){view->p[r], view->p[r + 1]};
}

/* What comes in to one row, ascending: n entries. */
typedef struct {
    uint64_t n;
    gb_Off first;        /* entry of A */
    const uint64_t *key; /* [n]; NULL: entries from `first` on, or one value */
} Incoming;

static inline uint64_t column_in(const Job *job, const Incoming *in, uint64_t k) {
    const gb_IndexMap *columns = job->args->columns;
    if (in->key != NULL) return in->key[k] >> 32;
    return job->args->fills ? gb_ranked(columns, k)
                            : gb_listed(columns, job->args->A.i[in->first + k]);
}
static inline gb_Off value_in(const Incoming *in, uint64_t k) {
    return in->first + (in->key == NULL ? k : in->key[k] & UINT32_MAX);
}

/* Entries of a row of A that the last place of their column has, as keys; how many. */
static uint64_t make_keys(const Job *job, Stretch row, uint64_t *key) {
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

/* What comes in to the row at place k of the list. */
static Incoming incoming(const Job *job, uint64_t k, bool in_order) {
    const gb_IndexMap *columns = job->args->columns;
    if (job->args->fills) return (Incoming){.n = columns->distinct};
    const Stretch row = row_of(&job->args->A, k);
    Incoming in = {.n = row.to - row.from, .first = row.from};
    if (gb_is_ascending(columns)) return in;
    uint64_t *key = job->keys + (uint64_t)gb_thread_id() * 2 * job->longest;
    in.n = make_keys(job, row, key);
    if (in_order && in.n > 1)
        gb_sort64(key, key + job->longest, in.n, 32, 32 + gb_key_bits(columns->dimension));
    in.key = key;
    return in;
}

/* -- the first pass */

static uint64_t count_outside(const Job *job, Stretch row) {
    const gb_IndexMap *columns = job->args->columns;
    const gb_Idx *i = job->args->C.i;
    if (gb_is_all(columns)) return 0;
    uint64_t n = 0;
    for (gb_Off e = row.from; e < row.to; e++) n += gb_rank_of(columns, i[e]) == GB_NOT_LISTED;
    return n;
}

static void count_part(void *context, uint64_t t) {
    const Job *job = context;
    const gb_IndexMap *rows = job->args->rows;
    for (uint64_t r = job->parts.border[t]; r < job->parts.border[t + 1]; r++) {
        const Stretch row = row_of(&job->args->C, r);
        const gb_Idx rank = gb_rank_of(rows, r);
        job->Z->p[r + 1] = row.to - row.from;
        if (rank == GB_NOT_LISTED) continue;
        const Incoming in = incoming(job, gb_last_place(rows, rank), false);
        job->Z->p[r + 1] = count_outside(job, row) + in.n;
    }
}

/* -- the second pass */

static inline void put_value(const Job *job, uint64_t q, const gb_CsView *from, gb_Off e) {
    const size_t size = from->xsize;
    gb_copy_value((char *)job->Z->x + q * size, (const char *)from->x + e * size, size);
}

/* Rows that are not listed, entries `from` of C to place q. */
static void copy_rows(const Job *job, Stretch from, uint64_t q) {
    const gb_CsView *C = &job->args->C;
    const uint64_t n = from.to - from.from;
    if (n == 0) return;
    memcpy(job->Z->i + q, C->i + from.from, n * sizeof *C->i);
    if (job->Z->iso) return;
    if (job->cmask != 0)
        memcpy((char *)job->Z->x + q * C->xsize, (const char *)C->x + from.from * C->xsize,
               n * C->xsize);
    else
        gb_fill((char *)job->Z->x + q * C->xsize, C->x, C->xsize, n);
}

static void merge_row(const Job *job, uint64_t q, Stretch row, const Incoming *in) {
    const gb_AssignArgs *args = job->args;
    const bool values = !job->Z->iso, all = gb_is_all(args->columns);
    gb_Idx *i = job->Z->i;
    uint64_t k = 0;
    for (gb_Off e = all ? row.to : row.from;; e++) {
        while (e < row.to && gb_rank_of(args->columns, args->C.i[e]) != GB_NOT_LISTED) e++;
        const uint64_t next = e < row.to ? args->C.i[e] : UINT64_MAX;
        for (; k < in->n && column_in(job, in, k) < next; k++, q++) {
            i[q] = (gb_Idx)column_in(job, in, k);
            if (values) put_value(job, q, &args->A, value_in(in, k) & job->amask);
        }
        if (e == row.to) return;
        i[q] = (gb_Idx)next;
        if (values) put_value(job, q, &args->C, e & job->cmask);
        q++;
    }
}

static void fill_part(void *context, uint64_t t) {
    const Job *job = context;
    const gb_IndexMap *rows = job->args->rows;
    const gb_CsView *C = &job->args->C;
    const uint64_t end = job->parts.border[t + 1];
    for (uint64_t r = job->parts.border[t]; r < end;) {
        const uint64_t from = r;
        gb_Idx rank = GB_NOT_LISTED;
        while (r < end && (rank = gb_rank_of(rows, r)) == GB_NOT_LISTED) r++;
        if (r > from && C->nvals > 0)
            copy_rows(job, (Stretch){C->p[from], C->p[r]}, job->Z->p[from]);
        if (r == end) return;
        const Incoming in = incoming(job, gb_last_place(rows, rank), true);
        merge_row(job, job->Z->p[r], row_of(C, r), &in);
        r++;
    }
}

/* -- the whole */

/* Z->p[r + 1] = the most entries that row r can have. */
static void measure_rows(void *context, uint64_t from, uint64_t to) {
    const Job *job = context;
    const gb_AssignArgs *args = job->args;
    for (uint64_t r = from; r < to; r++) {
        const Stretch row = row_of(&args->C, r);
        const gb_Idx rank = gb_rank_of(args->rows, r);
        uint64_t most = row.to - row.from;
        if (rank != GB_NOT_LISTED) {
            const Stretch in = row_of(&args->A, gb_last_place(args->rows, rank));
            most += args->fills ? args->columns->distinct : in.to - in.from;
        }
        job->Z->p[r + 1] = most;
    }
}

static uint64_t longest_row(const gb_CsView *A) {
    uint64_t longest = 0;
    for (uint64_t r = 0; A->nvals > 0 && r < A->nmajor; r++)
        if (A->p[r + 1] - A->p[r] > longest) longest = A->p[r + 1] - A->p[r];
    return longest;
}

/* One value stands for all of the result. */
static bool gives_one_value(const gb_AssignArgs *args) {
    const gb_CsView *A = &args->A, *C = &args->C;
    const bool incoming = args->fills || A->nvals > 0;
    if (incoming && !A->iso) return false;
    if (C->nvals == 0) return true;
    return C->iso && (!incoming || memcmp(A->x, C->x, C->xsize) == 0);
}

static gbl_Info assign(Job *job, size_t xsize) {
    const gb_RowParts *parts = &job->parts;
    gb_parallel_for(parts->threads, parts->n, count_part, job);
    gb_sum_rows(job->Z);
    gb_row_parts_renew(&job->parts, job->Z);
    const gbl_Info info = gb_rows_alloc(job->Z, xsize);
    if (info != GBL_SUCCESS) return info;
    if (job->Z->iso && job->Z->nvals > 0)
        memcpy(job->Z->x, job->args->C.nvals > 0 ? job->args->C.x : job->args->A.x, xsize);
    gb_parallel_for(parts->threads, parts->n, fill_part, job);
    return GBL_SUCCESS;
}

gbl_Info gb_cpu_assign(const gb_AssignArgs *args, gb_Cs *Z) {
    const gb_CsView *C = &args->C;
    const uint64_t nrows = C->nmajor;
    const int threads = gb_threads_for(nrows, GB_GRAIN, args->nthreads);
    Job job = {.args = args,
               .Z = Z,
               .cmask = C->iso ? 0 : UINT64_MAX,
               .amask = args->A.iso ? 0 : UINT64_MAX};
    size_t key_bytes = 0;
    gbl_Info info = gb_cs_alloc(Z, nrows, 0, 0);
    if (info != GBL_SUCCESS) return info;
    Z->iso = gives_one_value(args);
    gb_parallel_ranges(threads, nrows, measure_rows, &job);
    gb_sum_rows(Z);
    info = gb_row_parts_make(&job.parts, Z, args->nthreads);
    if (info == GBL_SUCCESS && !args->fills && !gb_is_ascending(args->columns)) {
        job.longest = longest_row(&args->A);
        if (gb_size_mul(&key_bytes, 2 * job.longest, (size_t)job.parts.threads * sizeof *job.keys))
            job.keys = gb_malloc(key_bytes);
        if (job.keys == NULL && job.longest > 0) info = gb_fail_memory(NULL, key_bytes);
    }
    if (info == GBL_SUCCESS) info = assign(&job, args->A.xsize);
    gb_free(job.keys, key_bytes);
    gb_row_parts_free(&job.parts);
    if (info != GBL_SUCCESS) gb_cs_free(Z);
    return info;
}
