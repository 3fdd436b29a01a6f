/* SPDX-License-Identifier: Apache-2.0
 *
 * Entries kept by an index operator. Operators that only compare positions keep, in row k, the
 * entries whose column is inside (OFFDIAG: outside) one interval: found by binary search in sorted
 * rows, without looking at the entries. Every other operator is evaluated once per entry into a
 * byte (1: keep); blocks of entries count their ones, which tells each where its part goes.
 */
#include "cpu/ops/map.h"

/* Both passes over blocks of entries or rows: `count` writes how many entries block b keeps to
 * offset[b + 1], `fill` writes them to Z. */
typedef struct {
    uint64_t *offset; /* [blocks + 1] */
    uint64_t blocks;
    int threads;
    void (*count)(void *context, uint64_t b);
    void (*fill)(void *context, uint64_t b);
    void *context;
} Passes;

static gbl_Info run_passes(const Passes *p, const gb_CsView *A, gb_Cs *Z) {
    gbl_Info info = gb_parallel_try(p->threads, p->blocks, p->count, p->context);
    if (info != GBL_SUCCESS) return info;
    p->offset[0] = 0;
    for (uint64_t b = 0; b < p->blocks; b++) p->offset[b + 1] += p->offset[b];
    const uint64_t m = A->nmajor, total = p->offset[p->blocks];
    info = gb_cs_alloc(Z, m, total, (A->iso && total > 0 ? 1 : total) * A->xsize);
    if (info != GBL_SUCCESS) return info;
    info = gb_parallel_try(p->threads, p->blocks, p->fill, p->context);
    for (uint64_t r = gb_first_from(A->p, 0, m, A->nvals); r <= m; r++) Z->p[r] = total;
    if (A->iso && total > 0) memcpy(Z->x, A->x, A->xsize);
    Z->iso = A->iso;
    Z->sorted = A->sorted;
    if (info != GBL_SUCCESS) gb_cs_free(Z);
    return info;
}

/* -- results that were true */

/* keep[k] = (BOOL) result of the operator at entry from + k, for n <= GB_BATCH. */
static void to_bool(const gb_MapArgs *args, const void *z, int8_t *keep, size_t n) {
    gb_cast(gb_type_of(GBL_BOOL_CODE), keep, args->map.index->ztype, z, 1, n);
}

/* Bytes are 0 or 1: the product adds eight of them up in its top byte. */
static inline uint64_t count_ones(const int8_t *keep, uint64_t n) {
    uint64_t ones = 0, eight, k = 0;
    for (; k + 8 <= n; k += 8) {
        memcpy(&eight, keep + k, 8);
        ones += (eight * 0x0101010101010101u) >> 56;
    }
    for (; k < n; k++) ones += (uint64_t)keep[k];
    return ones;
}

static uint64_t evaluate(const gb_MapArgs *args, const gb_CsView *A, uint64_t from, uint64_t to,
                         int8_t *keep) {
    const bool direct = args->map.index->ztype->code == GBL_BOOL_CODE;
    gb_Builtin z[GB_BATCH];
    uint64_t row = gb_row_of(A->p, A->nmajor, from);
    for (uint64_t k = from; k < to; k += GB_BATCH) {
        const size_t n = gb_min_size(GB_BATCH, to - k);
        gb_map_index_cs(args, A, k, n, &row, direct ? (void *)(keep + k) : z);
        if (!direct) to_bool(args, z, keep + k, n);
    }
    return count_ones(keep + from, to - from);
}

/* The kept ones of n values of x go to z. Writes without asking, and moves on when the value was
 * wanted; stops in time, since the place after the last one belongs to another block. */
GB_INLINE void compress(size_t size, char *restrict z, const char *restrict x, const int8_t *keep,
                        uint64_t kept) {
    for (uint64_t e = 0, q = 0; q < kept; e++) {
        memcpy(z + q * size, x + e * size, size);
        q += (uint64_t)keep[e];
    }
}

static void compress_any(void *z, const void *x, const int8_t *keep, size_t size, uint64_t kept) {
    GB_BY_SIZE(compress, size, z, x, keep, kept);
}

/* Pointers of the rows that start in entries [from, to), the first kept of which has place q. */
static void place_rows(const gb_CsView *A, const int8_t *keep, uint64_t from, uint64_t to,
                       uint64_t q, gb_Off *Zp) {
    uint64_t r = gb_first_from(A->p, 0, A->nmajor, from);
    uint64_t e = from;
    for (; r <= A->nmajor && A->p[r] < to; r++) {
        q += count_ones(keep + e, A->p[r] - e);
        e = A->p[r];
        Zp[r] = q;
    }
}

/* The blocks of GB_GRAIN entries. */
typedef struct {
    const gb_MapArgs *args;
    const gb_CsView *A;
    int8_t *keep;     /* [nvals] */
    uint64_t *offset; /* [blocks + 1] of the first kept of each block */
    gb_Cs *Z;
} Values;

static void evaluate_block(void *context, uint64_t b) {
    const Values *v = context;
    const uint64_t from = b * GB_GRAIN;
    const uint64_t to = from + gb_min_size(GB_GRAIN, v->A->nvals - from);
    v->offset[b + 1] = evaluate(v->args, v->A, from, to, v->keep);
}

static void compress_block(void *context, uint64_t b) {
    const Values *v = context;
    const gb_CsView *A = v->A;
    const gb_Cs *Z = v->Z;
    const uint64_t from = b * GB_GRAIN, q = v->offset[b], kept = v->offset[b + 1] - q;
    const uint64_t to = from + gb_min_size(GB_GRAIN, A->nvals - from);
    const int8_t *keep = v->keep + from;
    place_rows(A, v->keep, from, to, q, Z->p);
    compress(sizeof(gb_Idx), (char *)(Z->i + q), (const char *)(A->i + from), keep, kept);
    if (!A->iso)
        compress_any((char *)Z->x + q * A->xsize, (const char *)A->x + from * A->xsize, keep,
                     A->xsize, kept);
}

static gbl_Info select_values(const gb_MapArgs *args, const gb_CsView *A, gb_Cs *Z) {
    const uint64_t n = A->nvals, blocks = gb_blocks(n, GB_GRAIN);
    const int threads = gb_threads_for(n, GB_GRAIN, args->nthreads);
    const bool few = n <= GB_BATCH; /* needs no memory */
    const size_t offset_bytes = (blocks + 1) * sizeof(uint64_t);
    int8_t own_keep[GB_BATCH], *keep = few ? own_keep : gb_malloc(n);
    uint64_t own_offset[GB_BATCH + 1], *offset = few ? own_offset : gb_malloc(offset_bytes);
    Values v = {args, A, keep, offset, Z};
    gbl_Info info = GBL_SUCCESS;
    if (keep == NULL || offset == NULL)
        info = gb_fail_memory(n + offset_bytes);
    else
        info = run_passes(&(Passes){offset, blocks, threads, evaluate_block, compress_block, &v}, A,
                          Z);
    if (few) return info;
    gb_free(keep, n);
    gb_free(offset, offset_bytes);
    return info;
}

/* -- positions only */

typedef struct {
    gb_Opcode code;
    int64_t y; /* clamped: cannot overflow when a row or column is added */
    bool major_is_row;
} Interval;

static bool is_interval(const gb_IndexUnaryOp *op) {
    return op->code >= GB_TRIL && op->code <= GB_ROWGT;
}

static Interval interval_of(const gb_MapArgs *args) {
    const int64_t bound = (int64_t)1 << 33; /* beyond any sum or difference of two indices */
    int64_t y;
    gb_cast(gb_type_of(GBL_INT64_CODE), &y, args->map.index->ytype, args->map.bound, 1, 1);
    y = y > bound ? bound : y < -bound ? -bound : y;
    return (Interval){args->map.index->code, y, args->major_is_row};
}

/* The columns [*low, *high) that row k keeps (OFFDIAG: drops); in the terms of CSR. */
static inline void interval_at(const Interval *in, uint64_t k, int64_t *low, int64_t *high) {
    const int64_t all = INT64_MAX, me = (int64_t)k;
    const bool row = in->major_is_row;
    const int64_t diagonal = row ? me + in->y : me - in->y;
    *low = 0;
    *high = all;
    switch (in->code) {
    case GB_TRIL: /* j <= i + y */
        if (row)
            *high = diagonal + 1;
        else
            *low = diagonal;
        break;
    case GB_TRIU: /* j >= i + y */
        if (row)
            *low = diagonal;
        else
            *high = diagonal + 1;
        break;
    case GB_COLLE:
    case GB_ROWLE:
        if ((in->code == GB_ROWLE) != row)
            *high = in->y + 1;
        else if (me > in->y)
            *high = 0;
        break;
    case GB_COLGT:
    case GB_ROWGT:
        if ((in->code == GB_ROWGT) != row)
            *low = in->y + 1;
        else if (me <= in->y)
            *high = 0;
        break;
    default: /* DIAG, OFFDIAG */
        *low = diagonal;
        *high = diagonal + 1;
        break;
    }
}

enum { FEW = 4 }; /* entries that are handled at once, in rows that have no more */

/* The first entry of [from, to) whose column is at least x. Short rows are counted through: a
 * search would mispredict a branch or two in each. */
static inline gb_Off first_in_row(const gb_Idx *columns, gb_Off from, gb_Off to, uint64_t x) {
    if (to - from > GB_SELECT_SHORT) return gb_first_at_least(columns, from, to, x);
    const gb_Off n = to - from;
    gb_Off below = 0;
    if (n <= FEW) { /* a loop of its own: the compiler's vectors take longer to set up */
        for (gb_Off e = 0; e < n; e++) below += columns[from + e] < x;
    } else {
        for (gb_Off e = from; e < to; e++) below += columns[e] < x;
    }
    return from + below;
}

/* The entries [*first, *end) of row k inside its interval. */
static inline void find_entries(const Interval *in, const gb_CsView *A, uint64_t k, uint64_t *first,
                                uint64_t *end) {
    int64_t low, high;
    interval_at(in, k, &low, &high);
    *first = low <= 0 ? A->p[k] : first_in_row(A->i, A->p[k], A->p[k + 1], (uint64_t)low);
    *end = A->p[k + 1];
    if (high != INT64_MAX) *end = first_in_row(A->i, *first, *end, high > 0 ? (uint64_t)high : 0);
}

/* FEW entries, of which the first are wanted: what is too much is written over by those behind. */
static inline void copy_few(const gb_CsView *A, uint64_t from, gb_Cs *Z, uint64_t q) {
    const size_t size = A->iso ? 0 : A->xsize;
    const char *x = (const char *)A->x + from * size;
    char *z = (char *)Z->x + q * size;
    memcpy(Z->i + q, A->i + from, FEW * sizeof(gb_Idx));
    if (size == 4)
        memcpy(z, x, FEW * 4);
    else if (size == 8)
        memcpy(z, x, FEW * 8);
    else if (size > 0)
        memcpy(z, x, FEW * size);
}

/* To places from q on, of which those below `limit` are free. Returns where the next ones go. */
static inline uint64_t copy_entries(const gb_CsView *A, uint64_t from, uint64_t to, gb_Cs *Z,
                                    uint64_t q, uint64_t limit) {
    const uint64_t n = to - from;
    if (n == 0) return q;
    if (n <= FEW && q + FEW <= limit && from + FEW <= A->nvals) {
        copy_few(A, from, Z, q);
        return q + n;
    }
    if (n <= GB_SELECT_SHORT) {
        for (uint64_t e = 0; e < n; e++) Z->i[q + e] = A->i[from + e];
    } else {
        memcpy(Z->i + q, A->i + from, n * sizeof(gb_Idx));
    }
    if (!A->iso)
        memcpy((char *)Z->x + q * A->xsize, (const char *)A->x + from * A->xsize, n * A->xsize);
    return q + n;
}

/* What is kept of every row; the rows in blocks of about GB_GRAIN entries. */
typedef struct {
    Interval in;
    gb_Off *first; /* [nmajor] the first entry inside the interval */
    gb_Off *count; /* [nmajor] entries kept */
    const gb_CsView *A;
    gb_Cs *Z;
    uint64_t *offset; /* [blocks + 1] of the first kept of each block */
    uint64_t blocks;
} Rows;

static uint64_t count_rows(const Rows *rows, const gb_CsView *A, uint64_t from, uint64_t to) {
    uint64_t sum = 0;
    for (uint64_t k = from; k < to; k++) {
        uint64_t end;
        find_entries(&rows->in, A, k, &rows->first[k], &end);
        const uint64_t inside = end - rows->first[k];
        rows->count[k] = rows->in.code == GB_OFFDIAG ? A->p[k + 1] - A->p[k] - inside : inside;
        sum += rows->count[k];
    }
    return sum;
}

/* Pointers and entries of rows [from, to), which have places [q, limit). */
static void fill_rows(const Rows *rows, uint64_t from, uint64_t to, uint64_t q, uint64_t limit) {
    const gb_CsView *A = rows->A;
    gb_Cs *Z = rows->Z;
    for (uint64_t k = from; k < to; k++) {
        const uint64_t first = rows->first[k], count = rows->count[k];
        Z->p[k] = q;
        if (rows->in.code != GB_OFFDIAG) {
            q = copy_entries(A, first, first + count, Z, q, limit);
            continue;
        }
        const uint64_t dropped = A->p[k + 1] - A->p[k] - count;
        q = copy_entries(A, A->p[k], first, Z, q, limit);
        q = copy_entries(A, first + dropped, A->p[k + 1], Z, q, limit);
    }
}

static void count_block(void *context, uint64_t b) {
    const Rows *rows = context;
    const gb_CsView *A = rows->A;
    rows->offset[b + 1] =
        count_rows(rows, A, gb_first_row(A, b, rows->blocks), gb_first_row(A, b + 1, rows->blocks));
}

static void fill_block(void *context, uint64_t b) {
    const Rows *rows = context;
    const gb_CsView *A = rows->A;
    fill_rows(rows, gb_first_row(A, b, rows->blocks), gb_first_row(A, b + 1, rows->blocks),
              rows->offset[b], rows->offset[b + 1]);
}

static gbl_Info select_intervals(const gb_MapArgs *args, const gb_CsView *A, gb_Cs *Z) {
    const uint64_t m = A->nmajor, blocks = gb_blocks(m + A->nvals, GB_GRAIN);
    const int threads = gb_threads_for(m + A->nvals, GB_GRAIN, args->nthreads);
    const size_t row_bytes = m * sizeof(gb_Off), offset_bytes = (blocks + 1) * sizeof(uint64_t);
    uint64_t *offset = gb_malloc(offset_bytes);
    Rows rows = {.in = interval_of(args),
                 .first = gb_malloc(row_bytes),
                 .count = gb_malloc(row_bytes),
                 .A = A,
                 .Z = Z,
                 .offset = offset,
                 .blocks = blocks};
    gbl_Info info = GBL_SUCCESS;
    if (((rows.first == NULL || rows.count == NULL) && m > 0) || offset == NULL)
        info = gb_fail_memory(2 * row_bytes + offset_bytes);
    else
        info = run_passes(&(Passes){offset, blocks, threads, count_block, fill_block, &rows}, A, Z);
    gb_free(rows.first, row_bytes);
    gb_free(rows.count, row_bytes);
    gb_free(offset, offset_bytes);
    return info;
}

gbl_Info gb_cpu_select_cs(const gb_MapArgs *args, const gb_CsView *A, gb_Cs *Z) {
    if (A->nvals == 0) return gb_cpu_copy_cs(A, Z, args->nthreads);
    if (A->sorted && is_interval(args->map.index)) return select_intervals(args, A, Z);
    return select_values(args, A, Z);
}

/* -- dense vectors, and cells of matrices */

/* Cells of rows that keep one interval of columns, or all but one. */
static void keep_intervals(const gb_MapArgs *args, const gb_DenseView *u, uint64_t from,
                           uint64_t to, int8_t *keep) {
    const Interval in = interval_of(args);
    const bool outside = in.code == GB_OFFDIAG;
    memset(keep + from, outside, to - from);
    for (uint64_t k = from, end; k < to; k = end) {
        const uint64_t row = k / args->width, start = row * args->width;
        int64_t low, high;
        end = gb_min_size(start + args->width, to);
        interval_at(&in, row, &low, &high);
        const uint64_t first = low > (int64_t)(k - start) ? start + (uint64_t)low : k;
        const uint64_t last =
            high < (int64_t)(end - start) ? start + (uint64_t)(high > 0 ? high : 0) : end;
        if (first < last) memset(keep + first, !outside, last - first);
    }
    for (uint64_t k = from; u->b != NULL && k < to; k++) keep[k] &= u->b[k];
}

static uint64_t evaluate_dense(const gb_MapArgs *args, const gb_DenseView *u, uint64_t from,
                               uint64_t to, int8_t *keep) {
    gb_Builtin z[GB_BATCH];
    uint64_t k = from, end;
    if (args->width > 1 && is_interval(args->map.index)) {
        keep_intervals(args, u, from, to, keep);
        return count_ones(keep + from, to - from);
    }
    memset(keep + from, 0, to - from);
    for (; gb_next_run(u->b, to, &k, &end); k = end) {
        for (uint64_t at = k; at < end; at += GB_BATCH) {
            const size_t n = gb_min_size(GB_BATCH, end - at);
            gb_map_index_dense(args, u, at, n, z);
            to_bool(args, z, keep + at, n);
        }
    }
    return count_ones(keep + from, to - from);
}

typedef struct {
    const gb_MapArgs *args;
    const gb_DenseView *u;
    gb_Dense *z;
    uint64_t kept; /* atomic */
} DenseValues;

/* A block is copied as a whole where more than 1 / COPY_ALL_ABOVE of it is kept: a run costs a
 * search and a call, some 16 values copied in order (estimated; not varied). */
enum { COPY_ALL_ABOVE = 16 };

static void select_block(void *context, uint64_t b) {
    DenseValues *v = context;
    const gb_DenseView *u = v->u;
    const uint64_t from = b * GB_GRAIN, to = from + gb_min_size(GB_GRAIN, u->n - from);
    const uint64_t ones = evaluate_dense(v->args, u, from, to, v->z->b);
    __atomic_fetch_add(&v->kept, ones, __ATOMIC_RELAXED);
    if (u->iso || ones == 0) return;
    char *z = v->z->x;
    const char *x = u->x;
    if (ones > (to - from) / COPY_ALL_ABOVE) {
        memcpy(z + from * u->xsize, x + from * u->xsize, (to - from) * u->xsize);
        return;
    }
    for (uint64_t k = from, end; gb_next_run(v->z->b, to, &k, &end); k = end)
        memcpy(z + k * u->xsize, x + k * u->xsize, (end - k) * u->xsize);
}

gbl_Info gb_cpu_select_dense(const gb_MapArgs *args, const gb_DenseView *u, gb_Dense *z) {
    const uint64_t n = u->n, blocks = gb_blocks(n, GB_GRAIN);
    const int threads = gb_threads_for(n, GB_GRAIN, args->nthreads);
    gbl_Info info = gb_dense_alloc(z, n, gb_size_of(u->iso && n > 0 ? 1 : n, u->xsize), true);
    if (info != GBL_SUCCESS) return info;
    DenseValues v = {args, u, z, 0};
    info = gb_parallel_try(threads, blocks, select_block, &v);
    if (u->iso && n > 0) memcpy(z->x, u->x, u->xsize);
    z->nvals = v.kept;
    z->iso = u->iso;
    if (info != GBL_SUCCESS) gb_dense_free(z);
    return info;
}
