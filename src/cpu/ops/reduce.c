/* SPDX-License-Identifier: Apache-2.0
 *
 * All values folded to one.
 *
 * The order of additions is part of the result when values are floats. It is fixed here: values in
 * the order of the entries, cut into blocks of GB_REDUCE_BLOCK; each block is one call of the
 * monoid's batch function, which starts from the first value; the results are joined from the left.
 * Values that need a cast go through a buffer of one block, and one value for all through one of at
 * most a block where an order is seen, so that neither changes the result. Bitmaps are reduced in
 * place only by monoids for which the order cannot be seen; the caller looks to that.
 *
 * A block that reached the terminal value ends the work: the result is then that value.
 */
#include "cpu/ops/map.h"
#include "semiring/batch.h"
#include "semiring/fold.h"
#include "semiring/scalar_ops.h"

/* Memory of each thread: one value for operators without a monoid, and a block of values. */
typedef struct {
    char *memory;
    size_t bytes, stride; /* of all threads; of one thread, which starts with its spare value */
    size_t block;         /* offset of the block in it */
} FoldScratch;
static inline char *scratch_of(const FoldScratch *scratch) {
    return scratch->memory + scratch->stride * (size_t)gb_thread_id();
}

static gbl_Info scratch_new(FoldScratch *scratch, const gb_FoldArgs *args, uint64_t block,
                            int threads) {
    const size_t line = 64, size = args->op->ztype->size;
    size_t values, bytes = 0;
    *scratch = (FoldScratch){.block = (size / line + 1) * line};
    bool fits = gb_size_mul(&values, block, size) && values < SIZE_MAX / 2;
    scratch->stride = scratch->block + (fits ? (values / line + 1) * line : 0);
    fits = fits && gb_size_mul(&bytes, (uint64_t)threads, scratch->stride);
    scratch->memory = fits ? gb_malloc(bytes) : NULL;
    scratch->bytes = bytes;
    return scratch->memory != NULL ? GBL_SUCCESS : gb_fail_memory(fits ? bytes : SIZE_MAX);
}

/* *z = x[0] + ... + x[n-1], n >= 1, of the operator's type; `spare` holds one value. */
static void fold(const gb_FoldArgs *args, uint64_t n, const void *x, void *z, void *spare) {
    const size_t size = args->op->ztype->size;
    gb_copy_value(z, x, size);
    if (n == 1 || args->op->code == GB_ANY) return;
    if (args->monoid != NULL) {
        args->monoid->reduce(args->monoid, n - 1, z, (const char *)x + size);
        return;
    }
    for (uint64_t k = 1; k < n; k++) gb_fold_one(args->op, z, (const char *)x + k * size, spare);
}

static bool is_terminal(const gb_FoldArgs *args, const void *z) {
    return args->monoid != NULL && args->monoid->terminal != NULL &&
           memcmp(z, args->monoid->terminal, args->op->ztype->size) == 0;
}

/* *z = n times the number, of a type of floats, if each part of the sum is exact, in any order: n
 * times the odd factor of the number fits in the mantissa. */
static bool multiply_exactly(const gb_Type *type, uint64_t n, double number, void *z) {
    const gb_Type *const wide = gb_type_of(GBL_FP64_CODE);
    const uint64_t hidden = (uint64_t)1 << 52, most = type == wide ? 2 * hidden : 1 << 24;
    uint64_t bits, product;
    memcpy(&bits, &number, sizeof bits);
    bits = (bits & (hidden - 1)) | hidden;
    if (__builtin_mul_overflow(bits >> __builtin_ctzll(bits), n, &product) || product > most)
        return false;
    number *= (double)n;
    gb_cast(type, z, wide, &number, 1, 1);
    return true;
}

/* *z = one value n times, where no order is seen. False: there is one, or the least of NaN. */
static bool repeat_value(const gb_FoldArgs *args, uint64_t n, const void *x, void *z) {
    const gb_Fold of = {args->monoid, args->op};
    const gb_Type *type = args->op->ztype;
    const bool is_float = type->code == GBL_FP32_CODE || type->code == GBL_FP64_CODE;
    const bool unseen = gb_fold_order_is_unseen(&of);
    gb_Builtin one, space[2];
    double number = 0;
    if (!unseen && (!is_float || args->op->code != GB_PLUS)) return false;
    gb_cast(type, &one, args->xtype, x, 1, 1);
    if (is_float) gb_cast(gb_type_of(GBL_FP64_CODE), &number, type, &one, 1, 1);
    if (number != number) return false;
    if (!unseen) return multiply_exactly(type, n, number, z);
    gb_copy_value(z, &one, type->size);
    if (!is_float) gb_fold_repeat(args->op, z, &one, n - 1, space);
    return true;
}

/* The batch function adds sums of GB_REDUCE_STEP values, which are equal where the values are. */
static bool adds_equal_steps(const gb_FoldArgs *args) {
    const gb_BinaryOp *op = args->op;
    const bool is_float = op->ztype->code == GBL_FP32_CODE || op->ztype->code == GBL_FP64_CODE;
    return args->monoid != NULL && is_float && (op->code == GB_PLUS || op->code == GB_TIMES);
}

/* `fold` of n equal values, of which adds_equal_steps needs the first GB_REDUCE_STEP alone. */
static void fold_equal(const gb_FoldArgs *args, uint64_t n, const void *x, void *z, void *spare) {
    const gb_Monoid *monoid = args->monoid;
    const uint64_t steps = (n - 1) / GB_REDUCE_STEP, rest = (n - 1) % GB_REDUCE_STEP;
    if (steps == 0 || !adds_equal_steps(args)) {
        fold(args, n, x, z, spare);
        return;
    }
    const double neutral = args->op->code == GB_PLUS ? -0.0 : 1; /* 0 + -0 is not -0 */
    gb_Builtin step, space[2];
    gb_cast(args->op->ztype, &step, gb_type_of(GBL_FP64_CODE), &neutral, 1, 1);
    monoid->reduce(monoid, GB_REDUCE_STEP, &step, x);
    gb_copy_value(z, x, args->op->ztype->size);
    gb_fold_repeat(args->op, z, &step, steps, space);
    monoid->reduce(monoid, rest, z, x);
}

/* All values are the same: two kinds of block, full ones, which are added O(log n) times, and the
 * last. */
static gbl_Info reduce_iso(const gb_FoldArgs *args, uint64_t n, const void *x, void *z) {
    const size_t size = args->op->ztype->size;
    const uint64_t most = gb_min_size(n, GB_REDUCE_BLOCK);
    const uint64_t held = adds_equal_steps(args) ? gb_min_size(most, GB_REDUCE_STEP) : most;
    FoldScratch scratch;
    if (repeat_value(args, n, x, z)) return GBL_SUCCESS;
    const gbl_Info info = scratch_new(&scratch, args, held + 3, 1);
    if (info != GBL_SUCCESS) return info;
    char *spare = scratch.memory, *part = spare + scratch.block;
    char *last = part + size, *values = last + 2 * size;
    gb_cast(args->op->ztype, part, args->xtype, x, 1, 1);
    gb_fill(values, part, size, held);
    fold_equal(args, most, values, part, spare);
    gb_copy_value(z, part, size);
    const uint64_t left = n % most;
    gb_fold_repeat(args->op, z, part, n / most - 1, last);
    if (left > 0) {
        fold_equal(args, left, values, last, spare);
        gb_fold_one(args->op, z, last, spare);
    }
    gb_free(scratch.memory, scratch.bytes);
    return GBL_SUCCESS;
}

/* One block to *z. own: a thread's part of a scratch, values that were cast from `cast` on. */
static void reduce_block(const gb_FoldArgs *args, uint64_t n, const void *x, void *z, char *own,
                         size_t cast) {
    if (args->xtype != args->op->ztype) {
        gb_cast(args->op->ztype, own + cast, args->xtype, x, 1, n);
        x = own + cast;
    }
    fold(args, n, x, z, own);
}

typedef struct {
    const gb_FoldArgs *args;
    uint64_t n;
    const char *x;
    char *part; /* [blocks] */
    FoldScratch scratch;
    int stop; /* atomic: a block is terminal */
} Folding;

static void fold_block(void *context, uint64_t b) {
    Folding *f = context;
    const gb_FoldArgs *args = f->args;
    const uint64_t from = b * GB_REDUCE_BLOCK;
    const size_t n = gb_min_size(GB_REDUCE_BLOCK, f->n - from);
    if (args->steps != NULL) gb_run_steps_on(args->steps, from, from + n);
    if (__atomic_load_n(&f->stop, __ATOMIC_RELAXED)) return;
    char *part = f->part + b * args->op->ztype->size;
    reduce_block(args, n, f->x + from * args->xtype->size, part, scratch_of(&f->scratch),
                 f->scratch.block);
    if (is_terminal(args, part)) __atomic_store_n(&f->stop, 1, __ATOMIC_RELAXED);
}

/* *z = all of n >= 1 values. */
static gbl_Info reduce_values(const gb_FoldArgs *args, uint64_t n, const void *x, void *z) {
    const size_t size = args->op->ztype->size;
    const uint64_t blocks = gb_blocks(n, GB_REDUCE_BLOCK);
    const int threads = gb_threads_for(n, GB_REDUCE_BLOCK, args->nthreads);
    const bool casts = args->xtype != args->op->ztype;
    if (!casts && args->steps == NULL && is_terminal(args, x)) {
        gb_copy_value(z, x, size);
        return GBL_SUCCESS;
    }
    if (blocks == 1 && !casts && args->monoid != NULL) { /* needs no memory */
        if (args->steps != NULL) gb_run_steps_on(args->steps, 0, n);
        fold(args, n, x, z, NULL);
        return GBL_SUCCESS;
    }
    const size_t part_bytes = gb_size_of(blocks, size);
    Folding f = {.args = args, .n = n, .x = x, .part = gb_malloc(part_bytes)};
    gbl_Info info = f.part != NULL ? GBL_SUCCESS : gb_fail_memory(part_bytes);
    if (info == GBL_SUCCESS)
        info = scratch_new(&f.scratch, args, casts ? gb_min_size(n, GB_REDUCE_BLOCK) : 0, threads);
    if (info != GBL_SUCCESS) goto done;
    if (args->steps != NULL) /* which write in place */
        gb_parallel_for(threads, blocks, fold_block, &f);
    else
        info = gb_parallel_try(threads, blocks, fold_block, &f);
    if (info != GBL_SUCCESS) goto done;
    memcpy(z, f.stop ? args->monoid->terminal : f.part, size);
    for (uint64_t b = 1; b < blocks && !f.stop; b++)
        gb_fold_one(args->op, z, f.part + b * size, f.scratch.memory);
done:
    gb_free(f.part, part_bytes);
    gb_free(f.scratch.memory, f.scratch.bytes);
    return info;
}

/* The same by blocks and threads, for values of any type; iso: all are *x. */
static gbl_Info fold_all(const gb_FoldArgs *args, uint64_t n, const void *x, bool iso, void *z) {
    if (args->op->code == GB_ANY) n = 1;
    return iso && n > 1 ? reduce_iso(args, n, x, z) : reduce_values(args, n, x, z);
}

gbl_Info gb_cpu_reduce_cs(const gb_FoldArgs *args, const gb_CsView *A, void *z) {
    return fold_all(args, A->nvals, A->x, A->iso, z);
}

typedef struct {
    const gb_FoldArgs *args;
    const gb_DenseView *u;
    char *part;    /* [blocks] */
    uint8_t *none; /* [blocks] it has no values */
} DenseFolding;

/* What is there is brought together in batches, since gaps often come one by one. The fold begins
 * with the first value, not with the identity, which a fold of NaN is not. Values are of built-in
 * types: monoids of the user have an order. */
static void fold_dense_block(void *context, uint64_t b) {
    const DenseFolding *f = context;
    const gb_FoldArgs *args = f->args;
    const gb_DenseView *u = f->u;
    const size_t size = args->op->ztype->size;
    const uint64_t from = b * GB_REDUCE_BLOCK;
    const uint64_t to = from + gb_min_size(GB_REDUCE_BLOCK, u->n - from);
    uint64_t at[GB_BATCH];
    gb_Builtin raw[GB_BATCH], cast[GB_BATCH];
    char *part = f->part + b * size, *values = (char *)cast;
    f->none[b] = 1;
    for (uint64_t k = from; k < to;) {
        size_t n = 0;
        for (; k < to && n < GB_BATCH; k++) {
            at[n] = k;
            n += u->b[k] != 0;
        }
        if (n == 0) continue;
        gb_gather(raw, u->x, at, u->xsize, n);
        gb_cast(args->op->ztype, values, args->xtype, raw, 1, n);
        const size_t first = f->none[b];
        if (first == 1) gb_copy_value(part, values, size);
        f->none[b] = 0;
        if (n > first) args->monoid->reduce(args->monoid, n - first, part, values + first * size);
    }
}

gbl_Info gb_cpu_reduce_dense(const gb_FoldArgs *args, const gb_DenseView *u, void *z) {
    if (u->b == NULL || u->iso) return fold_all(args, u->nvals, u->x, u->iso, z);
    const size_t size = args->op->ztype->size;
    const uint64_t blocks = gb_blocks(u->n, GB_REDUCE_BLOCK);
    const int threads = gb_threads_for(u->n, GB_REDUCE_BLOCK, args->nthreads);
    const size_t bytes = gb_size_of(blocks + 1, size + 1);
    char *part = gb_malloc(bytes); /* [blocks], and one to spare; `none` */
    if (part == NULL) return gb_fail_memory(bytes);
    char *spare = part + blocks * size;
    DenseFolding f = {args, u, part, (uint8_t *)spare + size};
    const gbl_Info info = gb_parallel_try(threads, blocks, fold_dense_block, &f);
    if (info != GBL_SUCCESS) goto done;
    uint64_t b = 0;
    while (f.none[b]) b++; /* there are entries */
    gb_copy_value(z, part + b * size, size);
    for (b++; b < blocks; b++)
        if (!f.none[b]) gb_fold_one(args->op, z, part + b * size, spare);
done:
    gb_free(part, bytes);
    return info;
}

/* -- rows ----------------------------------------------------------------------------------- */

/* Each row folded to one value, in the order of its entries. Parts of about equal rows + entries go
 * to threads. By its length a row takes one of three paths, so a result depends on the row only:
 *   - up to SHORT_ROW values, and the operator is in the table below: from left to right in a typed
 *     loop, since a call per row would cost more than its additions;
 *   - up to GB_REDUCE_BLOCK values: one call of the monoid's batch function;
 *   - longer: like a whole matrix, by all threads, after the others. */

/* From about 32 values on, a call of the batch function, which adds in 8 lanes, is as fast as the
 * loop. Less than a block also in builds with tiny blocks. */
#define SHORT_ROW (GB_REDUCE_BLOCK < 64 ? GB_REDUCE_BLOCK / 2 : 32u)

typedef struct {
    const gb_FoldArgs *args;
    const gb_CsView *A;
    const char *values; /* iso: GB_REDUCE_BLOCK copies, else the values of A */
    const FoldScratch *scratch;
    gb_Idx *i;       /* of the result: the rows, or NULL when all rows have entries */
    char *z;         /* of the result: the values */
    uint64_t *longs; /* rows longer than a block, and their places in z; they come later */
    uint64_t nlongs; /* atomic */
} Rows;

/* The value of row k goes to place q; long rows wait. */
static void fold_row(Rows *rows, uint64_t k, uint64_t q) {
    const gb_CsView *A = rows->A;
    const uint64_t n = A->p[k + 1] - A->p[k];
    const size_t size = rows->args->op->ztype->size;
    const char *x = rows->values + (A->iso ? 0 : A->p[k] * size);
    if (n <= GB_REDUCE_BLOCK) {
        fold(rows->args, n, x, rows->z + q * size, scratch_of(rows->scratch));
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

/* Empty rows in between write what the next row overwrites: no branch tells them from others. */
#define GB_DEFINE_FOLD(op, N, T)                                                                   \
    static void fold_rows_##op##_##N(Rows *rows, uint64_t from, uint64_t to, uint64_t q) {         \
        const gb_Off *p = rows->A->p, every = rows->A->iso ? 0 : UINT64_MAX;                       \
        const T *x = (const T *)(const void *)rows->values;                                        \
        gb_Idx *i = rows->i;                                                                       \
        T *z = (T *)(void *)rows->z;                                                               \
        while (to > from && p[to - 1] == p[to]) to--;                                              \
        for (uint64_t k = from; k < to; k++) {                                                     \
            const uint64_t n = p[k + 1] - p[k], first = p[k] & every;                              \
            if (i != NULL) i[q] = (gb_Idx)k;                                                       \
            if (n <= SHORT_ROW) {                                                                  \
                T sum = x[first];                                                                  \
                for (uint64_t t = 1; t < n; t++) sum = gb_##op##_##N(sum, x[first + t]);           \
                z[q] = sum;                                                                        \
                q += n != 0;                                                                       \
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
    static const FoldRows table[GB_TIMES + 1][GBL_FC64_CODE + 1] = {GBL_FOREACH_NUMERIC(GB_DEFINE)};
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
        info = fold_all(rows->args, A->p[k + 1] - A->p[k], x, A->iso, rows->z + q * size);
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
    const uint64_t to = gb_first_row(A, b + 1, of->blocks);
    uint64_t count = 0;
    /* the difference of two offsets is negative, seen by its top bit, where the row has entries */
    for (uint64_t k = gb_first_row(A, b, of->blocks); k < to; k++)
        count += (A->p[k] - A->p[k + 1]) >> 63;
    of->offset[b + 1] = count;
}

static void fold_rows_block(void *context, uint64_t b) {
    const Blocks *of = context;
    const gb_CsView *A = of->rows->A;
    of->fold(of->rows, gb_first_row(A, b, of->blocks), gb_first_row(A, b + 1, of->blocks),
             of->offset[b]);
}

/* offset[b] = the number of non-empty rows before part b of the rows, b <= blocks. */
static gbl_Info count_blocks(Rows *rows, uint64_t *offset, uint64_t blocks, int threads) {
    const gbl_Info info = gb_parallel_try(
        threads, blocks, count_block, &(Blocks){.rows = rows, .offset = offset, .blocks = blocks});
    offset[0] = 0;
    for (uint64_t b = 0; b < blocks && info == GBL_SUCCESS; b++) offset[b + 1] += offset[b];
    return info;
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

gbl_Info gb_cpu_reduce_rows(const gb_FoldArgs *args, const gb_CsView *A, gb_Cs *w, gb_Dense *full) {
    const uint64_t work = A->nmajor + A->nvals, blocks = gb_blocks(work, GB_GRAIN);
    const int threads = gb_threads_for(work, GB_GRAIN, args->nthreads);
    const size_t offset_bytes = (blocks + 1) * sizeof(uint64_t);
    const size_t long_bytes = (A->nvals / GB_REDUCE_BLOCK + 1) * 2 * sizeof(uint64_t);
    const uint64_t copies = A->iso ? gb_min_size(A->nvals, GB_REDUCE_BLOCK) : 0;
    FoldScratch scratch = {0};
    uint64_t *offset = gb_malloc(offset_bytes); /* [blocks + 1] */
    Rows rows = {
        .args = args, .A = A, .values = A->x, .scratch = &scratch, .longs = gb_malloc(long_bytes)};
    gbl_Info info = offset != NULL && rows.longs != NULL
                        ? GBL_SUCCESS
                        : gb_fail_memory(offset_bytes + long_bytes);
    *w = (gb_Cs){0};
    *full = (gb_Dense){0};
    if (info == GBL_SUCCESS) info = scratch_new(&scratch, args, copies, threads);
    if (info != GBL_SUCCESS) goto done;
    if (A->iso) {
        gb_fill(scratch.memory + scratch.block, A->x, args->op->ztype->size, copies);
        rows.values = scratch.memory + scratch.block;
    }
    info = count_blocks(&rows, offset, blocks, threads);
    if (info == GBL_SUCCESS) info = new_result(&rows, offset[blocks], w, full);
    if (info == GBL_SUCCESS)
        info = gb_parallel_try(threads, blocks, fold_rows_block,
                               &(Blocks){&rows, fold_rows_of(args->op), offset, blocks});
    if (info == GBL_SUCCESS) info = fold_long_rows(&rows);
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
