/* SPDX-License-Identifier: Apache-2.0
 *
 * A(I, J): row r of the result is row I(r) of A with the columns of J, under their new names.
 *
 * Rows take as much work as A's rows have entries, which is also the room that parts of equal work
 * get; where that would be too much each row is counted first (cpu/common/chunks.h). All
 * columns, or a range, are one stretch of a sorted row. Other lists: the entries that are listed
 * come out as keys, new column << 32 | number of the entry in its row, in the order of the list's
 * ranks, and are sorted where that is not the order of the list. Cost: a look-up for each entry of
 * the rows taken, or a search for each column listed where these are fewer; workspace of a thread:
 * keys for the longest row.
 */
#include "cpu/ops/map.h"
#include "cpu/common/chunks.h"
#include "cpu/common/sort.h"

typedef struct {
    const gb_ExtractArgs *args;
    const gb_CsView *A;
    gb_Cs *T;
    gb_RowParts parts;
    uint64_t *keys; /* [threads][capacity] */
    uint64_t capacity;
    int bits; /* of a new column */
} Job;

static gb_Stretch row_of(const Job *job, uint64_t r) {
    const uint64_t i = gb_listed(job->args->rows, r);
    return (gb_Stretch){job->A->p[i], job->A->p[i + 1]};
}

/* Rows are taken from anywhere: their entries are asked for some rows ahead. */
static inline void look_ahead(const Job *job, uint64_t r, bool values) {
    const uint64_t n = job->args->rows->n;
    if (r + 2 * GB_EXTRACT_AHEAD < n)
        __builtin_prefetch(&job->A->p[gb_listed(job->args->rows, r + 2 * GB_EXTRACT_AHEAD)]);
    if (r + GB_EXTRACT_AHEAD >= n) return;
    const gb_Off from = job->A->p[gb_listed(job->args->rows, r + GB_EXTRACT_AHEAD)];
    __builtin_prefetch(&job->A->i[from]);
    if (values && !job->A->iso) __builtin_prefetch((const char *)job->A->x + from * job->A->xsize);
}

/* The entries of a row in a range of columns. */
static gb_Stretch cut(const Job *job, gb_Stretch row) {
    const gb_IndexMap *columns = job->args->columns;
    const gb_Idx *i = job->A->i;
    const uint64_t first = columns->first, end = first + columns->n;
    if (gb_is_all(columns)) return row;
    if (row.to - row.from > GB_EXTRACT_SHORT) {
        const gb_Off from = gb_first_at_least(i, row.from, row.to, first);
        return (gb_Stretch){from, gb_first_at_least(i, from, row.to, end)};
    }
    gb_Stretch kept = {row.from, row.from};
    for (gb_Off e = row.from; e < row.to; e++) {
        kept.from += i[e] < first;
        kept.to += i[e] < end;
    }
    return kept;
}

/* Keys of the listed entries of a row, rank << 32 | entry, ascending; how many. Room for one more
 * than there are. */
static uint64_t find_listed(const Job *job, gb_Stretch row, uint64_t *key) {
    const gb_IndexMap *columns = job->args->columns;
    const gb_Idx *i = job->A->i + row.from;
    const uint64_t length = row.to - row.from;
    uint64_t n = 0;
    if (length / GB_GATHER_SEARCHED > columns->distinct) {
        gb_Off e = 0;
        for (gb_Idx r = 0; r < columns->distinct && e < length; r++) {
            const gb_Idx index = (gb_Idx)gb_ranked(columns, r);
            e = i[e] < index ? gb_gallop(i, e, length, index) : e;
            if (e < length && i[e] == index) key[n++] = (uint64_t)r << 32 | e++;
        }
        return n;
    }
    if (columns->rank != NULL) {
        const gb_Idx *rank = columns->rank;
        const uint64_t first = columns->first, end = first + columns->span;
        gb_Off from = 0, to = length;
        if (length > 0 && i[0] < first) from = gb_first_at_least(i, 0, length, first);
        if (length > 0 && i[length - 1] >= end) to = gb_first_at_least(i, from, length, end);
        for (gb_Off e = from; e < to; e++) {
            const gb_Idx r = rank[i[e] - first];
            key[n] = (uint64_t)r << 32 | e;
            n += r != GB_NOT_LISTED;
        }
        return n;
    }
    const gb_Idx *value = columns->value;
    const uint64_t m = columns->distinct;
    for (gb_Off e = 0, r = 0; e < length && r < m;) {
        if (i[e] == value[r])
            key[n++] = r++ << 32 | e++;
        else if (i[e] < value[r])
            e = gb_gallop(i, e, length, value[r]);
        else
            r = gb_gallop(value, r, m, i[e]);
    }
    return n;
}

/* -- the first pass: T->p[r + 1] counts what row r keeps */

static void count_part(void *context, uint64_t t) {
    const Job *job = context;
    const gb_IndexMap *columns = job->args->columns;
    uint64_t *key = job->keys + (uint64_t)gb_thread_id() * job->capacity;
    const gb_RowPart *part = &job->parts.part[t];
    for (uint64_t r = part->from; r < part->to; r++) {
        const gb_Stretch row = row_of(job, r);
        look_ahead(job, r, false);
        if (gb_is_range(columns)) {
            const gb_Stretch kept = cut(job, row);
            job->T->p[r + 1] = kept.to - kept.from;
            continue;
        }
        const uint64_t n = find_listed(job, row, key);
        uint64_t kept = n;
        for (uint64_t k = 0; columns->start != NULL && k < n; k++) {
            const uint64_t rank = key[k] >> 32;
            kept += columns->start[rank + 1] - columns->start[rank] - 1;
        }
        job->T->p[r + 1] = kept;
    }
}

/* -- the second pass */

/* Row r of the result from place q on; how many entries. */
static uint64_t fill_range(const Job *job, uint64_t r, uint64_t q) {
    const gb_CsView *A = job->A;
    const uint64_t first = job->args->columns->first;
    const gb_Stretch kept = cut(job, row_of(job, r));
    const uint64_t n = kept.to - kept.from;
    const gb_Idx *from = A->i + kept.from;
    gb_Idx *to = job->T->i + q;
    for (uint64_t k = 0; k < n; k++) to[k] = from[k] - (gb_Idx)first;
    if (!A->iso && n > 0)
        memcpy((char *)job->T->x + q * A->xsize, (const char *)A->x + kept.from * A->xsize,
               n * A->xsize);
    return n;
}

/* Ranks of n keys become places of the list, behind these keys; returns the ones to use, *n. */
static uint64_t *name_columns(const Job *job, uint64_t *key, uint64_t *n) {
    const gb_IndexMap *columns = job->args->columns;
    if (gb_is_ascending(columns)) return key;
    uint64_t *named = key + *n;
    uint64_t m = 0;
    for (uint64_t k = 0; k < *n; k++) {
        const uint64_t rank = key[k] >> 32, e = key[k] & UINT32_MAX;
        const uint64_t from = columns->start == NULL ? rank : columns->start[rank];
        const uint64_t to = columns->start == NULL ? rank + 1 : columns->start[rank + 1];
        for (uint64_t a = from; a < to; a++) named[m++] = (uint64_t)columns->at[a] << 32 | e;
    }
    if (*n > 1) gb_sort64(named, named + m, m, 32, 32 + job->bits); /* places of one ascend */
    *n = m;
    return named;
}

static uint64_t fill_listed(const Job *job, uint64_t r, uint64_t q, uint64_t *key) {
    const gb_CsView *A = job->A;
    const gb_Stretch row = row_of(job, r);
    uint64_t n = find_listed(job, row, key);
    const bool one = n == 1;
    const uint64_t *named = name_columns(job, key, &n);
    gb_Idx *i = job->T->i + q;
    for (uint64_t k = 0; k < n; k++) i[k] = (gb_Idx)(named[k] >> 32);
    if (A->iso) return n;
    const size_t size = A->xsize;
    const char *x = (const char *)A->x + row.from * size;
    char *z = (char *)job->T->x + q * size;
    if (one) gb_fill(z, x + (named[0] & UINT32_MAX) * size, size, n);
    for (uint64_t k = 0; k < n && !one; k++)
        gb_copy_value(z + k * size, x + (named[k] & UINT32_MAX) * size, size);
    return n;
}

static void fill_part(void *context, uint64_t t) {
    const Job *job = context;
    gb_RowPart *part = &job->parts.part[t];
    uint64_t *key = job->keys + (uint64_t)gb_thread_id() * job->capacity;
    uint64_t q = part->first;
    for (uint64_t r = part->from; r < part->to; r++) {
        look_ahead(job, r, true);
        job->T->p[r] = q;
        q += gb_is_range(job->args->columns) ? fill_range(job, r, q) : fill_listed(job, r, q, key);
    }
    part->end = q;
}

/* -- the whole */

static void measure_rows(void *context, uint64_t from, uint64_t to) {
    const Job *job = context;
    for (uint64_t r = from; r < to; r++) {
        const gb_Stretch row = row_of(job, r);
        job->T->p[r + 1] = row.to - row.from;
    }
}

/* Room for so many keys in every thread; what was there goes. */
static gbl_Info alloc_keys(Job *job, uint64_t capacity) {
    const size_t each = (size_t)job->parts.threads * sizeof *job->keys;
    if (gb_is_range(job->args->columns) || capacity <= job->capacity) return GBL_SUCCESS;
    gb_free(job->keys, job->capacity * each);
    job->keys = NULL;
    const size_t bytes = gb_size_of(capacity, each);
    job->keys = gb_malloc(bytes);
    job->capacity = job->keys != NULL ? capacity : 0;
    return job->keys != NULL ? GBL_SUCCESS : gb_fail_memory(bytes);
}

/* T->p is a running sum of the entries that rows have in A, at most `longest`. */
static gbl_Info extract(Job *job, uint64_t longest) {
    gb_Cs *T = job->T;
    const gb_IndexMap *columns = job->args->columns;
    const gb_RowParts *parts = &job->parts;
    uint64_t most = longest;
    gbl_Info info = GBL_SUCCESS;
    /* rows are counted where a row may have more entries than in A, or where so few columns are
     * listed that room for all of them would be far more than is needed */
    if (columns->start != NULL || columns->distinct < columns->dimension / GB_EXTRACT_ROOM) {
        info = alloc_keys(job, longest + 1);
        if (info != GBL_SUCCESS) return info;
        info = gb_parallel_try(parts->threads, parts->n, count_part, job);
        if (info != GBL_SUCCESS) return info;
        most = gb_sum_rows(T);
        gb_row_parts_renew(&job->parts, T);
    }
    info = alloc_keys(job, longest + 1 + (gb_is_ascending(columns) ? 0 : 2 * most));
    if (info == GBL_SUCCESS) info = gb_row_parts_alloc(T, job->A->xsize);
    if (info != GBL_SUCCESS) return info;
    if (T->iso && T->nvals > 0) memcpy(T->x, job->A->x, job->A->xsize);
    info = gb_parallel_try(parts->threads, parts->n, fill_part, job);
    if (info == GBL_SUCCESS) gb_row_parts_close(parts, T, job->A->xsize);
    return info;
}

gbl_Info gb_cpu_extract(const gb_ExtractArgs *args, const gb_CsView *A, gb_Cs *T) {
    const uint64_t nrows = args->rows->n;
    Job job = {.args = args, .A = A, .T = T, .bits = gb_key_bits(args->columns->n)};
    gbl_Info info = gb_cs_alloc(T, nrows, 0, 0);
    if (info != GBL_SUCCESS) return info;
    T->iso = A->iso;
    info = gb_parallel_try_items(args->nthreads, nrows, measure_rows, &job);
    const uint64_t longest = info == GBL_SUCCESS ? gb_sum_rows(T) : 0;
    if (info == GBL_SUCCESS) info = gb_row_parts_make(&job.parts, T, args->nthreads);
    if (info == GBL_SUCCESS) info = extract(&job, longest);
    gb_free(job.keys, job.capacity * (size_t)job.parts.threads * sizeof *job.keys);
    gb_row_parts_free(&job.parts);
    if (info != GBL_SUCCESS || T->nvals == 0) gb_cs_free(T);
    return info;
}

/* -- one column of all rows: looks at every entry, and finds the rows of those in the column */

typedef struct {
    const gb_CsView *A;
    gb_Idx column;
    size_t size;      /* of a value; 0: one for all */
    uint64_t *offset; /* [blocks + 1] of the first place in T of each block of GB_GRAIN entries */
    gb_Cs *T;
} Column;

enum { AT_ONCE = 64 }; /* entries in a loop without branches */

/* The first entry of [e, end) in the column, or end. */
static uint64_t next_in_column(const Column *c, uint64_t e, uint64_t end) {
    const gb_Idx *i = c->A->i;
    for (gb_Idx found = 0; e + AT_ONCE <= end; e += AT_ONCE) {
        for (uint64_t k = 0; k < AT_ONCE; k++) found |= i[e + k] == c->column;
        if (found) break;
    }
    while (e < end && i[e] != c->column) e++;
    return e;
}

/* The block's entries go to T, or are counted where that has no arrays yet. */
static void take_block(void *context, uint64_t b) {
    const Column *c = context;
    const gb_CsView *A = c->A;
    const uint64_t end = gb_min_size(A->nvals, (b + 1) * GB_GRAIN);
    const bool fills = c->T->i != NULL;
    uint64_t q = fills ? c->offset[b] : 0, row = 0;
    if (fills && q == c->offset[b + 1]) return;
    for (uint64_t e = next_in_column(c, b * GB_GRAIN, end); e < end; q++) {
        if (fills) {
            row = gb_holder_from(A->p, row, A->nmajor, e);
            c->T->i[q] = (gb_Idx)row;
            gb_copy_value((char *)c->T->x + q * c->size, (const char *)A->x + e * c->size, c->size);
        }
        e = next_in_column(c, e + 1, end);
    }
    if (!fills) c->offset[b + 1] = q;
}

gbl_Info gb_cpu_extract_column(const gb_CsView *A, gb_Idx column, gb_Cs *T, int nthreads) {
    const uint64_t blocks = gb_blocks(A->nvals, GB_GRAIN);
    const int threads = gb_threads_for(A->nvals, GB_GRAIN, nthreads);
    const size_t bytes = (blocks + 1) * sizeof(uint64_t);
    Column c = {A, column, A->iso ? 0 : A->xsize, gb_calloc(bytes), T};
    *T = (gb_Cs){0};
    if (c.offset == NULL) return gb_fail_memory(bytes);
    gbl_Info info = gb_parallel_try(threads, blocks, take_block, &c);
    for (uint64_t b = 0; b < blocks; b++) c.offset[b + 1] += c.offset[b];
    const uint64_t n = c.offset[blocks];
    if (info == GBL_SUCCESS && n > 0) {
        info = gb_cs_alloc(T, 1, n, gb_size_of(A->iso ? 1 : n, A->xsize));
        if (info == GBL_SUCCESS) info = gb_parallel_try(threads, blocks, take_block, &c);
    }
    if (info != GBL_SUCCESS) {
        gb_cs_free(T);
    } else if (n > 0) {
        T->p[0] = 0;
        T->p[1] = n;
        T->iso = A->iso;
        if (A->iso) memcpy(T->x, A->x, A->xsize);
    }
    gb_free(c.offset, bytes);
    return info;
}
