/* SPDX-License-Identifier: Apache-2.0
 *
 * Entries to rows, in three parallel passes:
 *   1. every chunk of the list counts its entries per bucket (a range of 2^shift rows),
 *   2. every chunk moves its entries to its places in the buckets, which keeps their order,
 *   3. every bucket, by then in the cache, sorts its entries by row, then each row by column.
 * Where duplicates are merged, this pass does so, and one more closes the gaps. What a pass has
 * read goes back to the system, so that the list is resident but once.
 *
 * Invariant: the order within a bucket is the order of the list, however many chunks there are.
 */
#include "coo.h"

#include <string.h>

/* What lies ahead of a place in a bucket is one page, so few entries have few buckets. */
#ifdef GB_TINY
enum { BUCKET_GRAIN = 256 };
#else
enum { BUCKET_GRAIN = 1 << 15 };
#endif
enum { MOST_BUCKETS = 1024, DISCARD_AT = 1 << 16 };

typedef struct {
    gb_Coo *coo;
    unsigned shift; /* row >> shift is the bucket */
    int64_t buckets, chunks;
    uint64_t *next;    /* [chunks][buckets]: counts, then places */
    uint64_t *start;   /* [buckets + 1]: borders of the buckets */
    uint64_t *kept;    /* [buckets]: entries left when duplicates are dropped */
    uint32_t *bi, *bj; /* [n]: the entries by bucket; later workspace */
    void *bx;
    uint64_t *p; /* [nrows + 1] */
} gb_Rows;

static gbl_Info rows_alloc(gb_Rows *rows) {
    const gb_Coo *coo = rows->coo;
    uint64_t most = (coo->n + coo->nrows) / BUCKET_GRAIN + 1;
    if (most > MOST_BUCKETS) most = MOST_BUCKETS;
    while ((coo->nrows - 1) >> rows->shift >= most) rows->shift++;
    rows->buckets = (int64_t)((coo->nrows - 1) >> rows->shift) + 1;
    rows->chunks = gb_io_threads();
    const uint64_t counts = (uint64_t)(rows->chunks * rows->buckets);
    rows->next = gb_io_alloc(counts, sizeof *rows->next);
    if (rows->next) memset(rows->next, 0, counts * sizeof *rows->next);
    rows->start = gb_io_alloc((uint64_t)rows->buckets + 1, sizeof *rows->start);
    rows->kept = gb_io_alloc((uint64_t)rows->buckets, sizeof *rows->kept);
    rows->p = coo->p;
    rows->coo->p = NULL;
    if (!coo->to && !rows->p) rows->p = gb_io_alloc(coo->nrows + 1, sizeof *rows->p);
    if (!rows->next || !rows->start || !rows->kept || !(coo->to || rows->p))
        return gb_io_no_memory("the rows");
    /* small pages: entries go to all buckets at once, and huge ones would all be there from the
     * start */
    const size_t index = coo->by_rows ? 0 : sizeof *rows->bi;
    gbl_Info info = gb_coo_block(GBL_SUCCESS, &rows->bi, coo, coo->n, index);
    info = gb_coo_block(info, &rows->bj, coo, coo->n, sizeof *rows->bj);
    info = gb_coo_block(info, &rows->bx, coo, coo->n, coo->size);
    return rows->p ? info : gb_coo_block(info, &rows->p, coo, coo->nrows + 1, sizeof *rows->p);
}

static void rows_free(gb_Rows *rows) {
    gbl_Memory_free(rows->next);
    gbl_Memory_free(rows->start);
    gbl_Memory_free(rows->kept);
    gb_coo_release(rows->coo, rows->bi);
    gb_coo_release(rows->coo, rows->bj);
    gb_coo_release(rows->coo, rows->bx);
    gb_coo_release(rows->coo, rows->p);
}

#define SCATTERED 0.65 /* of the time from a list to rows, when its entries are in buckets */

/* The call has done the part `done` of what is between two parts of the way from list to rows. */
static void tell_part(const gb_Coo *coo, double from, double to, double done) {
    (void)gbl_call_part(coo->listed + (1 - coo->listed - coo->rest) * (from + (to - from) * done));
}

static uint64_t chunk_border(const gb_Rows *rows, int64_t chunk) {
    return (uint64_t)((unsigned __int128)rows->coo->n * (uint64_t)chunk / (uint64_t)rows->chunks);
}

static void count_chunk(void *context, gbl_Index number) {
    const gb_Rows *const rows = context;
    const int64_t chunk = (int64_t)number;
    const uint32_t *const i = rows->coo->i;
    const uint64_t end = chunk_border(rows, chunk + 1);
    uint64_t *const count = rows->next + chunk * rows->buckets;
    for (uint64_t k = chunk_border(rows, chunk); k < end; k++) {
        if (k % DISCARD_AT == 0)
            gb_coo_leave_some(rows->coo, rows->coo->i, k < DISCARD_AT ? 0 : k - DISCARD_AT, k,
                              sizeof *i);
        if (i[k] != GB_COO_NONE) count[i[k] >> rows->shift]++;
    }
}

static void place_buckets(gb_Rows *rows) {
    uint64_t sum = 0;
    for (int64_t b = 0; b < rows->buckets; b++) {
        rows->start[b] = sum;
        for (int64_t c = 0; c < rows->chunks; c++) {
            uint64_t *const next = &rows->next[c * rows->buckets + b];
            const uint64_t count = *next;
            *next = sum;
            sum += count;
        }
    }
    rows->start[rows->buckets] = sum;
}

typedef struct {
    uint64_t first, end; /* [first, end): rows of a bucket, or entries */
} gb_Range;

/* These entries have been read. */
static void discard(gb_Range at, uint32_t *i, uint32_t *j, void *x, size_t size) {
    gb_io_discard(i, at.first, at.end, sizeof *i);
    gb_io_discard(j, at.first, at.end, sizeof *j);
    gb_io_discard(x, at.first, at.end, size);
}

static void scatter_chunk(void *context, gbl_Index number) {
    const gb_Rows *const rows = context;
    const int64_t chunk = (int64_t)number;
    const gb_Coo *const coo = rows->coo;
    const uint64_t begin = chunk_border(rows, chunk), end = chunk_border(rows, chunk + 1);
    uint64_t *const next = rows->next + chunk * rows->buckets;
    for (uint64_t k = begin; k < end; k++) {
        if ((k - begin) % DISCARD_AT == 0 || k + 1 == end) {
            const uint64_t from = k - begin < 2 * DISCARD_AT ? begin : k - 2 * DISCARD_AT;
            discard((gb_Range){from, k}, coo->i, coo->j, coo->x, coo->size);
            if (coo->to) discard((gb_Range){0, coo->n}, rows->bi, rows->bj, rows->bx, coo->size);
            tell_part(coo, 0, SCATTERED, (double)(k - begin) / (double)(end - begin));
        }
        if (coo->i[k] == GB_COO_NONE) continue;
        const uint64_t to = next[coo->i[k] >> rows->shift]++;
        rows->bi[to] = coo->i[k];
        rows->bj[to] = coo->j[k];
        gb_io_copy_value(rows->bx, to, coo->x, k, coo->size);
    }
}

static gb_Range bucket_rows(const gb_Rows *rows, int64_t b) {
    const uint64_t end = (uint64_t)(b + 1) << rows->shift;
    return (gb_Range){.first = (uint64_t)b << rows->shift,
                      .end = end < rows->coo->nrows ? end : rows->coo->nrows};
}

/* Moves the entries of a bucket to their rows in coo->i (now columns) and coo->x, which the
 * second pass has emptied. Leaves the starts of the rows in p. */
static void fill_rows(gb_Rows *rows, int64_t b) {
    uint64_t *const p = rows->p;
    const gb_Range range = bucket_rows(rows, b);
    const uint64_t begin = rows->start[b], end = rows->start[b + 1];
    memset(p + range.first, 0, (range.end - range.first) * sizeof *p);
    for (uint64_t k = begin; k < end; k++) p[rows->bi[k]]++;
    uint64_t sum = begin;
    for (uint64_t r = range.first; r < range.end; r++) {
        const uint64_t count = p[r];
        p[r] = sum;
        sum += count;
    }
    for (uint64_t k = begin; k < end; k++) {
        const uint64_t to = p[rows->bi[k]]++;
        rows->coo->i[to] = rows->bj[k];
        gb_io_copy_value(rows->coo->x, to, rows->bx, k, rows->coo->size);
    }
    for (uint64_t r = range.end - 1; r > range.first; r--) p[r] = p[r - 1];
    p[range.first] = begin;
}

/* -- sorting rows --------------------------------------------------------------------------- */

/* Arrays of which the rows are ranges. */
typedef struct {
    uint32_t *c, *c2; /* columns below 2^bits; workspace of the same length */
    void *x, *x2;     /* values of `size` bytes; workspace */
    size_t size;      /* 0: there are no values */
    unsigned bits;
} gb_RowSort;

enum { SHORT_ROW = 48, DIGIT_BITS = 8, DIGITS = 1 << DIGIT_BITS };

static bool is_sorted(const uint32_t *c, uint64_t begin, uint64_t end) {
    for (uint64_t k = begin + 1; k < end; k++)
        if (c[k - 1] > c[k]) return false;
    return true;
}

static void sort_short(const gb_RowSort *sort, uint64_t begin, uint64_t end) {
    uint32_t *const c = sort->c;
    for (uint64_t k = begin + 1; k < end; k++) {
        const uint32_t column = c[k];
        gbl_FC64 value = 0; /* the largest */
        uint64_t at = k;
        gb_io_copy_value(&value, 0, sort->x, k, sort->size);
        for (; at > begin && c[at - 1] > column; at--) {
            c[at] = c[at - 1];
            gb_io_copy_value(sort->x, at, sort->x, at - 1, sort->size);
        }
        c[at] = column;
        gb_io_copy_value(sort->x, at, &value, 0, sort->size);
    }
}

/* One pass by the digit at `shift`, from c and x to c2 and x2. */
static void sort_digit(const gb_RowSort *sort, uint64_t begin, uint64_t end, unsigned shift) {
    uint64_t next[DIGITS] = {0};
    for (uint64_t k = begin; k < end; k++) next[sort->c[k] >> shift & (DIGITS - 1)]++;
    uint64_t sum = begin;
    for (int d = 0; d < DIGITS; d++) {
        const uint64_t count = next[d];
        next[d] = sum;
        sum += count;
    }
    for (uint64_t k = begin; k < end; k++) {
        const uint64_t to = next[sort->c[k] >> shift & (DIGITS - 1)]++;
        sort->c2[to] = sort->c[k];
        gb_io_copy_value(sort->x2, to, sort->x, k, sort->size);
    }
}

/* Sorts [begin, end) by column, with their values; stable: insertion for short rows, else by
 * bytes from the lowest, between the row and the same range of the workspace. */
static void row_sort(const gb_RowSort *sort, uint64_t begin, uint64_t end) {
    if (is_sorted(sort->c, begin, end)) return;
    if (end - begin <= SHORT_ROW) {
        sort_short(sort, begin, end);
        return;
    }
    gb_RowSort pass = *sort;
    for (unsigned shift = 0; shift < sort->bits; shift += DIGIT_BITS) {
        sort_digit(&pass, begin, end, shift);
        pass.c = pass.c == sort->c ? sort->c2 : sort->c;
        pass.x = pass.x == sort->x ? sort->x2 : sort->x;
        pass.c2 = pass.c == sort->c ? sort->c2 : sort->c;
        pass.x2 = pass.x == sort->x ? sort->x2 : sort->x;
    }
    if (pass.c == sort->c) return;
    memcpy(sort->c + begin, sort->c2 + begin, (end - begin) * sizeof *sort->c);
    if (sort->size > 0)
        memcpy((char *)sort->x + begin * sort->size, (const char *)sort->x2 + begin * sort->size,
               (end - begin) * sort->size);
}

/* -- the conversion ------------------------------------------------------------------------- */

/* Sorts the rows of a bucket. Returns the first place that has two entries, as row * 2^32 +
 * column, or UINT64_MAX. */
static uint64_t sort_rows(gb_Rows *rows, int64_t b) {
    const gb_Coo *const coo = rows->coo;
    const gb_Range range = bucket_rows(rows, b);
    const gb_RowSort sort = {.c = coo->i,
                             .c2 = rows->bj,
                             .x = coo->x,
                             .x2 = rows->bx,
                             .size = coo->size,
                             .bits = 64 - (unsigned)__builtin_clzll((coo->ncols - 1) | 1)};
    uint64_t repeated = UINT64_MAX;
    for (uint64_t r = range.first; r < range.end; r++) {
        const uint64_t begin = rows->p[r];
        const uint64_t end = r + 1 < range.end ? rows->p[r + 1] : rows->start[b + 1];
        row_sort(&sort, begin, end);
        for (uint64_t k = begin + 1; k < end && repeated == UINT64_MAX; k++)
            if (coo->i[k - 1] == coo->i[k]) repeated = r << 32 | coo->i[k];
    }
    return repeated;
}

/* x[to] = the sum of x[from..end), the largest, the smallest or the first; false: an integer type
 * does not hold the sum. */
static bool merge_values(const gb_Coo *coo, uint64_t to, uint64_t from, uint64_t end) {
    const bool sum = coo->duplicates == GBL_DUPLICATES_SUM;
    const bool most = coo->duplicates == GBL_DUPLICATES_MAX;
    gb_io_copy_value(coo->x, to, coo->x, from, coo->size);
    if (coo->size == 0 || coo->duplicates == GBL_DUPLICATES_FIRST) return true;
    switch (coo->code) {
#define GB_MERGE(N, T, WIDE)                                                                       \
    case GBL_##N##_CODE: {                                                                         \
        T *const x = (T *)coo->x;                                                                  \
        WIDE all = (WIDE)x[from];                                                                  \
        const bool halves = (T)0.5 != 0; /* also BOOL, of which it is true */                      \
        for (uint64_t k = from + 1; k < end; k++)                                                  \
            if (sum)                                                                               \
                all += (WIDE)x[k];                                                                 \
            else if (most ? (WIDE)x[k] > all : (WIDE)x[k] < all)                                   \
                all = (WIDE)x[k];                                                                  \
        x[to] = (T)all;                                                                            \
        return halves || (WIDE)x[to] == all;                                                       \
    }
#define GB_CASE(N, T) GB_MERGE(N, T, __int128)
        GBL_FOREACH_INTEGER(GB_CASE)
        GB_CASE(BOOL, bool)
#undef GB_CASE
#define GB_CASE(N, T) GB_MERGE(N, T, T)
        GBL_FOREACH_FLOAT(GB_CASE)
#undef GB_CASE
#undef GB_MERGE
#define GB_CASE(N, T)                                                                              \
    case GBL_##N##_CODE:                                                                           \
        for (uint64_t k = from + 1; k < end; k++) ((T *)coo->x)[to] += ((const T *)coo->x)[k];     \
        break;
        GBL_FOREACH_COMPLEX(GB_CASE)
#undef GB_CASE
    default: /* lists have built-in types */
        break;
    }
    return true;
}

/* Merges duplicates within a bucket, whose rows then follow each other from start[b]. Returns the
 * first place of which a sum does not fit, as sort_rows does. */
static uint64_t merge_duplicates(gb_Rows *rows, int64_t b) {
    const gb_Coo *const coo = rows->coo;
    const gb_Range range = bucket_rows(rows, b);
    uint32_t *const i = coo->i;
    uint64_t to = rows->start[b], begin = to, overflow = UINT64_MAX;
    for (uint64_t r = range.first; r < range.end; r++) {
        const uint64_t end = r + 1 < range.end ? rows->p[r + 1] : rows->start[b + 1];
        rows->p[r] = to;
        for (uint64_t next; begin < end; begin = next) {
            for (next = begin + 1; next < end && i[next] == i[begin];) next++;
            i[to] = i[begin];
            if (!merge_values(coo, to, begin, next) && overflow == UINT64_MAX)
                overflow = r << 32 | i[to];
            to++;
        }
    }
    rows->kept[b] = to - rows->start[b];
    return overflow;
}

/* The rows of a bucket begin next[b] earlier. */
static void shift_rows(void *context, gbl_Index b) {
    gb_Rows *const rows = context;
    const gb_Range range = bucket_rows(rows, (int64_t)b);
    for (uint64_t r = range.first; r < range.end; r++) rows->p[r] -= rows->next[b];
    gb_coo_leave_some(rows->coo, rows->p, range.first, range.end, sizeof *rows->p);
}

/* Moves what merge_duplicates left of the buckets together. */
static void close_gaps(gb_Rows *rows) {
    const gb_Coo *const coo = rows->coo;
    char *const x = coo->x;
    uint64_t sum = 0;
    for (int64_t b = 0; b < rows->buckets; b++) {
        const uint64_t from = rows->start[b], kept = rows->kept[b];
        rows->next[b] = from - sum;
        if (from > sum) memmove(coo->i + sum, coo->i + from, kept * sizeof *coo->i);
        if (from > sum && x) memmove(x + sum * coo->size, x + from * coo->size, kept * coo->size);
        sum += kept;
        gb_coo_leave(coo, 0, from + kept);
    }
    gbl_parallel((gbl_Index)rows->buckets, shift_rows, rows);
    rows->p[coo->nrows] = sum;
}

typedef struct {
    gb_Rows *rows;
    uint64_t repeated; /* atomic: the first place with two entries, or UINT64_MAX */
    uint64_t overflow; /* atomic: the first of which the sum does not fit */
} Sorting;

/* Lowers *first to the place. */
static void lower(uint64_t *first, uint64_t place) {
    uint64_t old = __atomic_load_n(first, __ATOMIC_RELAXED);
    while (place < old && !__atomic_compare_exchange_n(first, &old, place, true, __ATOMIC_RELAXED,
                                                       __ATOMIC_RELAXED)) {
    }
}

static void sort_bucket(void *context, gbl_Index number) {
    Sorting *const sorting = context;
    const int64_t b = (int64_t)number;
    gb_Rows *const rows = sorting->rows;
    if (gbl_call_state() != GBL_SUCCESS) return;
    tell_part(rows->coo, SCATTERED, 1, (double)b / (double)rows->buckets);
    if (!rows->coo->by_rows) fill_rows(rows, b);
    const uint64_t place = sort_rows(rows, b);
    lower(&sorting->repeated, place);
    const gb_Range at = {rows->start[b], rows->start[b + 1]};
    rows->kept[b] = at.end - at.first;
    if (place != UINT64_MAX && rows->coo->duplicates != GBL_DUPLICATES_ERROR)
        lower(&sorting->overflow, merge_duplicates(rows, b));
    discard(at, rows->bi, rows->bj, rows->bx, rows->coo->size);
    gb_coo_leave(rows->coo, at.first, at.end);
    const gb_Range range = bucket_rows(rows, b);
    gb_coo_leave_some(rows->coo, rows->p, range.first, range.end, sizeof *rows->p);
}

static Sorting sort_all(gb_Rows *rows) {
    Sorting sorting = {.rows = rows, .repeated = UINT64_MAX, .overflow = UINT64_MAX};
    if (rows->coo->by_rows) {
        rows->start[rows->buckets] = rows->coo->n;
        for (int64_t b = 0; b < rows->buckets; b++) rows->start[b] = rows->p[b << rows->shift];
    } else {
        gbl_parallel((gbl_Index)rows->chunks, count_chunk, rows);
        place_buckets(rows);
        gbl_parallel((gbl_Index)rows->chunks, scatter_chunk, rows);
    }
    gbl_parallel((gbl_Index)rows->buckets, sort_bucket, &sorting);
    return sorting;
}

/* Claims and allocates what the conversion needs beside the list. */
static gbl_Info prepare(gb_Rows *rows) {
    const gb_Coo *const coo = rows->coo;
    const uint64_t pointers = (coo->nrows + 1) * sizeof *rows->p;
    const uint64_t slots = coo->capacity + coo->n; /* of the list and of its copy by buckets */
    const uint64_t indices = coo->by_rows ? 1 : 2; /* of a slot */
    const uint64_t bytes = pointers + slots * (indices * sizeof *rows->bi + coo->size);
    gbl_Info info = coo->to ? GBL_SUCCESS : gb_io_claim(bytes, "sorting the entries");
    if (info == GBL_SUCCESS) info = rows_alloc(rows);
    if (info != GBL_OUT_OF_MEMORY) return info;
    return gbl_fail(GBL_OUT_OF_MEMORY, NULL,
                    "not enough memory: sorting the entries takes %llu bytes, %llu of them for the "
                    "pointers to %llu rows or columns",
                    (unsigned long long)bytes, (unsigned long long)pointers,
                    (unsigned long long)coo->nrows);
}

/* Gives back what was allocated beyond n; keeps the block as it is where that fails. */
static void *shrink(const gb_Coo *coo, void *block, uint64_t n, size_t size) {
    if (n == coo->capacity || size == 0 || coo->to) return block;
    void *const smaller = gb_io_resize(block, coo->capacity, n, size);
    return smaller ? smaller : block;
}

gbl_Info gb_coo_to_rows(gb_Coo *coo, gbl_Duplicates duplicates, gbl_Arrays *out,
                        gb_Place *repeated) {
    gb_Rows rows = {.coo = coo};
    coo->duplicates = duplicates;
    gbl_Info info = prepare(&rows);
    if (info != GBL_SUCCESS) goto done;
    const Sorting sorted = sort_all(&rows);
    const uint64_t wrong = duplicates == GBL_DUPLICATES_ERROR ? sorted.repeated : sorted.overflow;
    info = gbl_call_state();
    if (info != GBL_SUCCESS) goto done;
    if (wrong != UINT64_MAX) {
        *repeated = (gb_Place){.i = wrong >> 32, .j = (uint32_t)wrong};
        info = GBL_NO_VALUE;
        goto done;
    }
    if (sorted.repeated != UINT64_MAX)
        close_gaps(&rows);
    else
        rows.p[coo->nrows] = rows.start[rows.buckets];
    const uint64_t n = rows.p[coo->nrows];
    coo->merged = rows.start[rows.buckets] - n;
    *out = (gbl_Arrays){.p = rows.p,
                        .i = shrink(coo, coo->i, n, sizeof *coo->i),
                        .x = shrink(coo, coo->x, n, coo->size)};
    rows.p = NULL;
    coo->i = NULL;
    coo->x = NULL;
done:
    rows_free(&rows);
    gb_coo_free(coo);
    return info;
}
