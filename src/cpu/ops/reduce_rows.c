/* SPDX-License-Identifier: Apache-2.0
 *
 * Each row folded to one value, in the order of its entries. Parts of about equal rows + entries go
 * to threads. By its length a row takes one of three ways, so a result depends on the row only:
 *   - up to SHORT_ROW values, and the operator is in the table below: from left to right in a typed
 *     loop, since a call per row would cost more than its additions;
 *   - up to GB_REDUCE_BLOCK values: one call of the monoid's batch function;
 *   - longer: like a whole matrix (reduce.c), by all threads, after the others.
 */
#include "cpu/ops/reduce.h"

#include "semiring/scalar_ops.h"

/* From about 32 values on, a call of the batch function, which adds in 8 lanes, is as fast as the
 * loop. Less than a block also in builds with tiny blocks. */
#define SHORT_ROW (GB_REDUCE_BLOCK < 64 ? GB_REDUCE_BLOCK / 2 : 32u)

typedef struct {
    const gb_FoldArgs *args;
    const gb_CsView *A;
    const char *values; /* iso: GB_REDUCE_BLOCK copies, else the values of A */
    const gb_FoldScratch *scratch;
    gb_Idx *i;       /* of the result: the rows, or NULL when all rows have entries */
    char *z;         /* of the result: the values */
    uint64_t *longs; /* rows longer than a block, and their places in z; they come later */
    uint64_t nlongs; /* atomic */
} Rows;

/* The difference of two offsets is negative, seen by its top bit, where the row has entries. */
static uint64_t count_nonempty(const gb_CsView *A, uint64_t from, uint64_t to) {
    uint64_t count = 0;
    for (uint64_t k = from; k < to; k++) count += (A->p[k] - A->p[k + 1]) >> 63;
    return count;
}

/* The value of row k goes to place q; long rows wait. */
static void fold_row(Rows *rows, uint64_t k, uint64_t q) {
    const gb_CsView *A = rows->A;
    const uint64_t n = A->p[k + 1] - A->p[k];
    const size_t size = rows->args->op->ztype->size;
    const char *x = rows->values + (A->iso ? 0 : A->p[k] * size);
    if (n <= GB_REDUCE_BLOCK) {
        gb_fold(rows->args, n, x, rows->z + q * size, gb_fold_scratch_of(rows->scratch));
        return;
    }
    uint64_t *pair = rows->longs + 2 * __atomic_fetch_add(&rows->nlongs, 1, __ATOMIC_RELAXED);
    pair[0] = k;
    pair[1] = q;
}

/* Rows [from, to) to places q and on: one function per operator and type in which rows are short,
 * and one for the rest. */
typedef void (*FoldRows)(Rows *rows, uint64_t from, uint64_t to, uint64_t q);

static void fold_rows(Rows *rows, uint64_t from, uint64_t to, uint64_t q) {
    for (uint64_t k = from; k < to; k++) {
        if (rows->A->p[k + 1] == rows->A->p[k]) continue;
        if (rows->i != NULL) rows->i[q] = (gb_Idx)k;
        fold_row(rows, k, q++);
    }
}

#define GB_DEFINE_FOLD(op, N, T)                                                                   \
    static void fold_rows_##op##_##N(Rows *rows, uint64_t from, uint64_t to, uint64_t q) {         \
        const gb_Off *p = rows->A->p, every = rows->A->iso ? 0 : UINT64_MAX;                       \
        const T *x = (const T *)(const void *)rows->values;                                        \
        gb_Idx *i = rows->i;                                                                       \
        T *z = (T *)(void *)rows->z;                                                               \
        for (uint64_t k = from; k < to; k++) {                                                     \
            const uint64_t n = p[k + 1] - p[k], first = p[k] & every;                              \
            if (n == 0) continue;                                                                  \
            if (i != NULL) i[q] = (gb_Idx)k;                                                       \
            if (n <= SHORT_ROW) {                                                                  \
                T sum = x[first];                                                                  \
                for (uint64_t t = 1; t < n; t++) sum = gb_##op##_##N(sum, x[first + t]);           \
                z[q++] = sum;                                                                      \
            } else {                                                                               \
                fold_row(rows, k, q++);                                                            \
            }                                                                                      \
        }                                                                                          \
    }
#define GB_DEFINE(N, T)                                                                            \
    GB_DEFINE_FOLD(PLUS, N, T)                                                                     \
    GB_DEFINE_FOLD(TIMES, N, T)                                                                    \
    GB_DEFINE_FOLD(MIN, N, T)                                                                      \
    GB_DEFINE_FOLD(MAX, N, T)
GBL_FOREACH_NUMERIC(GB_DEFINE)
#undef GB_DEFINE

static FoldRows fold_rows_of(const gb_BinaryOp *op) {
#define GB_DEFINE(N, T)                                                                            \
    [GB_PLUS][GBL_##N##_CODE] = fold_rows_PLUS_##N,                                                \
    [GB_TIMES][GBL_##N##_CODE] = fold_rows_TIMES_##N,                                              \
    [GB_MIN][GBL_##N##_CODE] = fold_rows_MIN_##N, [GB_MAX][GBL_##N##_CODE] = fold_rows_MAX_##N,
    static const FoldRows table[GB_TIMES + 1][GBL_FP64_CODE + 1] = {GBL_FOREACH_NUMERIC(GB_DEFINE)};
#undef GB_DEFINE
    const FoldRows typed = op->code <= GB_TIMES ? table[op->code][op->ztype->code] : NULL;
    return typed != NULL ? typed : fold_rows;
}

static gbl_Info fold_long_rows(const Rows *rows) {
    const gb_CsView *A = rows->A;
    const size_t size = rows->args->op->ztype->size;
    gbl_Info info = GBL_SUCCESS;
    for (uint64_t t = 0; t < rows->nlongs && info == GBL_SUCCESS; t++) {
        const uint64_t k = rows->longs[2 * t], q = rows->longs[2 * t + 1];
        const char *x = (const char *)A->x + (A->iso ? 0 : A->p[k] * size);
        info = gb_fold_all(rows->args, A->p[k + 1] - A->p[k], x, A->iso, rows->z + q * size);
    }
    return info;
}

typedef struct {
    Rows *rows;
    FoldRows fold;
    uint64_t *offset; /* [blocks + 1] */
    uint64_t blocks;
} Blocks;

static void count_block(void *context, uint64_t b) {
    const Blocks *of = context;
    const gb_CsView *A = of->rows->A;
    of->offset[b + 1] =
        count_nonempty(A, gb_first_row(A, b, of->blocks), gb_first_row(A, b + 1, of->blocks));
}

static void fold_block(void *context, uint64_t b) {
    const Blocks *of = context;
    const gb_CsView *A = of->rows->A;
    of->fold(of->rows, gb_first_row(A, b, of->blocks), gb_first_row(A, b + 1, of->blocks),
             of->offset[b]);
}

/* offset[b] = the number of non-empty rows before part b of the rows, b <= blocks. */
static void count_blocks(Rows *rows, uint64_t *offset, uint64_t blocks, int threads) {
    gb_parallel_for(threads, blocks, count_block,
                    &(Blocks){.rows = rows, .offset = offset, .blocks = blocks});
    offset[0] = 0;
    for (uint64_t b = 0; b < blocks; b++) offset[b + 1] += offset[b];
}

/* Arrays for n values: a full vector when that is every row. */
static gbl_Info new_result(Rows *rows, uint64_t n, gb_Cs *w, gb_Dense *full) {
    const size_t bytes = n * rows->args->op->ztype->size;
    const bool all = n == rows->A->nmajor;
    const gbl_Info info = all ? gb_dense_alloc(full, n, bytes, false) : gb_cs_alloc(w, 1, n, bytes);
    if (info != GBL_SUCCESS) return info;
    if (all) {
        full->nvals = n;
    } else {
        w->p[0] = 0;
        w->p[1] = n;
    }
    rows->i = w->i;
    rows->z = all ? full->x : w->x;
    return GBL_SUCCESS;
}

/* All rows; offset[b] is the place of the first value of part b. */
static gbl_Info fold_parts(Rows *rows, uint64_t *offset, uint64_t blocks, int threads) {
    gb_parallel_for(threads, blocks, fold_block,
                    &(Blocks){rows, fold_rows_of(rows->args->op), offset, blocks});
    return fold_long_rows(rows);
}

gbl_Info gb_cpu_reduce_rows(const gb_FoldArgs *args, const gb_CsView *A, gb_Cs *w, gb_Dense *full) {
    const uint64_t work = A->nmajor + A->nvals, blocks = gb_blocks(work, GB_GRAIN);
    const int threads = gb_threads_for(work, GB_GRAIN, args->nthreads);
    const size_t offset_bytes = (blocks + 1) * sizeof(uint64_t);
    const size_t long_bytes = (A->nvals / GB_REDUCE_BLOCK + 1) * 2 * sizeof(uint64_t);
    const uint64_t copies = A->iso ? gb_min_size(A->nvals, GB_REDUCE_BLOCK) : 0;
    gb_FoldScratch scratch = {0};
    uint64_t *offset = gb_malloc(offset_bytes); /* [blocks + 1] */
    Rows rows = {
        .args = args, .A = A, .values = A->x, .scratch = &scratch, .longs = gb_malloc(long_bytes)};
    gbl_Info info = offset != NULL && rows.longs != NULL
                        ? GBL_SUCCESS
                        : gb_fail_memory(offset_bytes + long_bytes);
    *w = (gb_Cs){0};
    *full = (gb_Dense){0};
    if (info == GBL_SUCCESS) info = gb_fold_scratch_new(&scratch, args, copies, threads);
    if (info != GBL_SUCCESS) goto done;
    if (A->iso) {
        gb_fill(scratch.memory + scratch.block, A->x, args->op->ztype->size, copies);
        rows.values = scratch.memory + scratch.block;
    }
    count_blocks(&rows, offset, blocks, threads);
    info = new_result(&rows, offset[blocks], w, full);
    if (info == GBL_SUCCESS) info = fold_parts(&rows, offset, blocks, threads);
    if (info != GBL_SUCCESS) {
        gb_cs_free(w);
        gb_dense_free(full);
    }
done:
    gb_free(offset, offset_bytes);
    gb_free(rows.longs, long_bytes);
    gb_free(scratch.memory, scratch.bytes);
    return info;
}
