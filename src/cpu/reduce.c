/* SPDX-License-Identifier: Apache-2.0
 *
 * Values folded to one value, or each row to one.
 *
 * The order of additions is part of the result when values are floats. It is fixed here: values in
 * the order of the entries, cut into blocks of GB_REDUCE_BLOCK; each block is one call of the
 * monoid's batch function, which starts from the identity; the results are joined from the left.
 * Values that need a cast, or that are one value for all, go through a buffer of one block, so that
 * neither changes the result. A row longer than a block is treated like a whole matrix. Bitmaps are
 * reduced in place only by monoids for which the order cannot be seen; the caller looks to that.
 *
 * A block that reached the terminal value ends the work: the result is then that value.
 */
#include "cpu/map.h"

/* The thread's own memory: one value for operators without a monoid, and a block of cast values. */
typedef struct {
    char *memory;
    size_t bytes, stride; /* of all threads; of one thread, which starts with its spare value */
    size_t block;         /* offset of the block in it */
} Scratch;

static gbl_Info scratch_new(Scratch *scratch, const gb_FoldArgs *args, uint64_t block,
                            int threads) {
    const size_t line = 64, size = args->op->ztype->size;
    size_t values, bytes = 0;
    *scratch = (Scratch){.block = (size / line + 1) * line};
    bool fits = gb_size_mul(&values, block, size) && values < SIZE_MAX / 2;
    scratch->stride = scratch->block + (fits ? (values / line + 1) * line : 0);
    fits = fits && gb_size_mul(&bytes, (uint64_t)threads, scratch->stride);
    scratch->memory = fits ? gb_malloc(bytes) : NULL;
    scratch->bytes = bytes;
    return scratch->memory != NULL ? GBL_SUCCESS : gb_fail_memory(NULL, fits ? bytes : SIZE_MAX);
}

static char *scratch_of(const Scratch *scratch, int thread) {
    return scratch->memory + scratch->stride * (size_t)thread;
}

/* *z = x[0] + ... + x[n-1], n >= 1; `spare` holds one value. */
static void fold(const gb_FoldArgs *args, uint64_t n, const void *x, void *z, void *spare) {
    const size_t size = args->op->ztype->size;
    if (args->op->code == GB_ANY || n == 1) {
        gb_copy_value(z, x, size);
    } else if (args->monoid != NULL) {
        gb_copy_value(z, args->monoid->identity, size);
        args->monoid->reduce(args->monoid, n, z, x);
    } else {
        gb_copy_value(z, x, size);
        for (uint64_t k = 1; k < n; k++) {
            args->op->scalar(spare, z, (const char *)x + k * size);
            gb_copy_value(z, spare, size);
        }
    }
}

static bool is_terminal(const gb_FoldArgs *args, const void *z) {
    return args->monoid != NULL && args->monoid->terminal != NULL &&
           memcmp(z, args->monoid->terminal, args->op->ztype->size) == 0;
}

/* All values are the same: two kinds of block, full ones and the last. */
static gbl_Info reduce_iso(const gb_FoldArgs *args, uint64_t n, const void *x, void *z) {
    const size_t size = args->op->ztype->size;
    const uint64_t most = gb_min_size(n, GB_REDUCE_BLOCK);
    Scratch scratch;
    const gbl_Info info = scratch_new(&scratch, args, most + 2, 1);
    if (info != GBL_SUCCESS) return info;
    char *spare = scratch.memory, *part = spare + scratch.block;
    char *last = part + size, *values = last + size;
    gb_cast(args->op->ztype, part, args->xtype, x, 1, 1);
    gb_fill(values, part, size, most);
    fold(args, most, values, part, spare);
    gb_copy_value(z, part, size);
    uint64_t left = n - most;
    for (; left >= most; left -= most) {
        args->op->scalar(spare, z, part);
        gb_copy_value(z, spare, size);
    }
    if (left > 0) {
        fold(args, left, values, last, spare);
        args->op->scalar(spare, z, last);
        gb_copy_value(z, spare, size);
    }
    gb_free(scratch.memory, scratch.bytes);
    return GBL_SUCCESS;
}

/* One block to *z. */
static void reduce_block(const gb_FoldArgs *args, uint64_t n, const void *x, void *z,
                         const Scratch *scratch) {
    char *own = scratch_of(scratch, gb_thread_id());
    if (args->xtype != args->op->ztype) {
        gb_cast(args->op->ztype, own + scratch->block, args->xtype, x, 1, n);
        x = own + scratch->block;
    }
    fold(args, n, x, z, own);
}

/* *z = all of n >= 1 values. */
static gbl_Info reduce_values(const gb_FoldArgs *args, uint64_t n, const void *x, void *z) {
    const size_t size = args->op->ztype->size, xsize = args->xtype->size;
    const uint64_t blocks = gb_blocks(n, GB_REDUCE_BLOCK);
    const int threads = gb_threads_for(n, GB_REDUCE_BLOCK, args->nthreads);
    const bool casts = args->xtype != args->op->ztype;
    size_t part_bytes;
    Scratch scratch = {0};
    if (!gb_size_mul(&part_bytes, blocks, size)) return gb_fail_memory(NULL, SIZE_MAX);
    char *part = gb_malloc(part_bytes); /* [blocks] */
    gbl_Info info = part != NULL ? GBL_SUCCESS : gb_fail_memory(NULL, part_bytes);
    if (info == GBL_SUCCESS)
        info = scratch_new(&scratch, args, casts ? gb_min_size(n, GB_REDUCE_BLOCK) : 0, threads);
    if (info != GBL_SUCCESS) goto done;
    int stop = 0;
    GB_PARALLEL_FOR(threads)
    for (uint64_t b = 0; b < blocks; b++) {
        if (__atomic_load_n(&stop, __ATOMIC_RELAXED)) continue;
        const uint64_t from = b * GB_REDUCE_BLOCK;
        reduce_block(args, gb_min_size(GB_REDUCE_BLOCK, n - from), (const char *)x + from * xsize,
                     part + b * size, &scratch);
        if (is_terminal(args, part + b * size)) __atomic_store_n(&stop, 1, __ATOMIC_RELAXED);
    }
    memcpy(z, stop ? args->monoid->terminal : part, size);
    for (uint64_t b = 1; b < blocks && !stop; b++) {
        args->op->scalar(scratch.memory, z, part + b * size);
        gb_copy_value(z, scratch.memory, size);
    }
done:
    gb_free(part, part_bytes);
    gb_free(scratch.memory, scratch.bytes);
    return info;
}

static gbl_Info reduce_all(const gb_FoldArgs *args, uint64_t n, const void *x, bool iso, void *z) {
    if (args->op->code == GB_ANY) n = 1;
    return iso && n > 1 ? reduce_iso(args, n, x, z) : reduce_values(args, n, x, z);
}

gbl_Info gb_cpu_reduce_cs(const gb_FoldArgs *args, const gb_CsView *A, void *z) {
    return reduce_all(args, A->nvals, A->x, A->iso, z);
}

/* *z = *z + n values, all present, for a monoid. */
static void add_run(const gb_FoldArgs *args, uint64_t n, const void *x, void *z) {
    uint64_t cast[GB_BATCH];
    if (args->xtype == args->op->ztype) {
        args->monoid->reduce(args->monoid, n, z, x);
        return;
    }
    for (uint64_t k = 0; k < n; k += GB_BATCH) {
        const size_t m = gb_min_size(GB_BATCH, n - k);
        gb_cast(args->op->ztype, cast, args->xtype, (const char *)x + k * args->xtype->size, 1, m);
        args->monoid->reduce(args->monoid, m, z, cast);
    }
}

gbl_Info gb_cpu_reduce_dense(const gb_FoldArgs *args, const gb_DenseView *u, void *z) {
    if (u->b == NULL || u->iso) return reduce_all(args, u->nvals, u->x, u->iso, z);
    const size_t size = args->op->ztype->size;
    const uint64_t blocks = gb_blocks(u->n, GB_REDUCE_BLOCK);
    const int threads = gb_threads_for(u->n, GB_REDUCE_BLOCK, args->nthreads);
    size_t bytes;
    if (!gb_size_mul(&bytes, blocks + 1, size)) return gb_fail_memory(NULL, SIZE_MAX);
    char *part = gb_malloc(bytes), *spare = part + blocks * size; /* [blocks], [1] */
    if (part == NULL) return gb_fail_memory(NULL, bytes);
    GB_PARALLEL_FOR(threads)
    for (uint64_t b = 0; b < blocks; b++) {
        uint64_t from = b * GB_REDUCE_BLOCK, end;
        const uint64_t to = from + gb_min_size(GB_REDUCE_BLOCK, u->n - from);
        memcpy(part + b * size, args->monoid->identity, size);
        for (; gb_next_run(u->b, to, &from, &end); from = end)
            add_run(args, end - from, (const char *)u->x + from * u->xsize, part + b * size);
    }
    gb_copy_value(z, part, size);
    for (uint64_t b = 1; b < blocks; b++) {
        args->op->scalar(spare, z, part + b * size);
        gb_copy_value(z, spare, size);
    }
    gb_free(part, bytes);
    return GBL_SUCCESS;
}

/* -- rows */

typedef struct {
    const gb_FoldArgs *args;
    const gb_CsView *A;
    const char *values; /* iso: GB_REDUCE_BLOCK copies, else the values of A */
    const Scratch *scratch;
    gb_Cs *w;
    uint64_t *longs; /* places in w of rows longer than a block, which come later */
    uint64_t nlongs; /* atomic */
} Rows;

static uint64_t count_nonempty(const gb_CsView *A, uint64_t from, uint64_t to) {
    uint64_t count = 0;
    for (uint64_t k = from; k < to; k++) count += A->p[k + 1] > A->p[k];
    return count;
}

static void fold_rows(Rows *rows, uint64_t from, uint64_t to, uint64_t q) {
    const gb_CsView *A = rows->A;
    const size_t size = rows->args->op->ztype->size;
    char *z = (char *)rows->w->x, *spare = scratch_of(rows->scratch, gb_thread_id());
    for (uint64_t k = from; k < to; k++) {
        const uint64_t n = A->p[k + 1] - A->p[k];
        if (n == 0) continue;
        rows->w->i[q] = (gb_Idx)k;
        if (n > GB_REDUCE_BLOCK)
            rows->longs[__atomic_fetch_add(&rows->nlongs, 1, __ATOMIC_RELAXED)] = q;
        else
            fold(rows->args, n, rows->values + (A->iso ? 0 : A->p[k] * size), z + q * size, spare);
        q++;
    }
}

static gbl_Info fold_long_rows(const Rows *rows) {
    const gb_CsView *A = rows->A;
    const size_t size = rows->args->op->ztype->size;
    gbl_Info info = GBL_SUCCESS;
    for (uint64_t t = 0; t < rows->nlongs && info == GBL_SUCCESS; t++) {
        const uint64_t q = rows->longs[t], k = rows->w->i[q];
        const char *x = (const char *)A->x + (A->iso ? 0 : A->p[k] * size);
        info =
            reduce_all(rows->args, A->p[k + 1] - A->p[k], x, A->iso, (char *)rows->w->x + q * size);
    }
    return info;
}

/* offset[b] = the number of non-empty rows before part b of the rows, b <= blocks. */
static void count_blocks(const gb_CsView *A, uint64_t *offset, uint64_t blocks, int threads) {
    GB_PARALLEL_FOR(threads)
    for (uint64_t b = 0; b < blocks; b++) {
        offset[b + 1] = count_nonempty(A, gb_row_part(A, b, blocks), gb_row_part(A, b + 1, blocks));
    }
    offset[0] = 0;
    for (uint64_t b = 0; b < blocks; b++) offset[b + 1] += offset[b];
}

gbl_Info gb_cpu_reduce_rows(const gb_FoldArgs *args, const gb_CsView *A, gb_Cs *w) {
    const uint64_t work = A->nmajor + A->nvals, blocks = gb_blocks(work, GB_GRAIN);
    const int threads = gb_threads_for(work, GB_GRAIN, args->nthreads);
    const size_t size = args->op->ztype->size;
    const size_t offset_bytes = (blocks + 1) * sizeof(uint64_t);
    const size_t long_bytes = (A->nvals / GB_REDUCE_BLOCK + 1) * sizeof(uint64_t);
    const uint64_t copies = A->iso ? gb_min_size(A->nvals, GB_REDUCE_BLOCK) : 0;
    Scratch scratch = {0};
    uint64_t *offset = gb_malloc(offset_bytes); /* [blocks + 1] */
    Rows rows = {.args = args,
                 .A = A,
                 .values = A->x,
                 .scratch = &scratch,
                 .w = w,
                 .longs = gb_malloc(long_bytes)};
    gbl_Info info = offset != NULL && rows.longs != NULL
                        ? GBL_SUCCESS
                        : gb_fail_memory(NULL, offset_bytes + long_bytes);
    *w = (gb_Cs){0};
    if (info == GBL_SUCCESS) info = scratch_new(&scratch, args, copies, threads);
    if (info != GBL_SUCCESS) goto done;
    if (A->iso) {
        gb_fill(scratch.memory + scratch.block, A->x, size, copies);
        rows.values = scratch.memory + scratch.block;
    }
    count_blocks(A, offset, blocks, threads);
    info = gb_cs_alloc(w, 1, offset[blocks], offset[blocks] * size);
    if (info != GBL_SUCCESS) goto done;
    w->p[0] = 0;
    w->p[1] = offset[blocks];
    GB_PARALLEL_FOR(threads)
    for (uint64_t b = 0; b < blocks; b++) {
        const uint64_t from = gb_row_part(A, b, blocks), to = gb_row_part(A, b + 1, blocks);
        fold_rows(&rows, from, to, offset[b]);
    }
    info = fold_long_rows(&rows);
    if (info != GBL_SUCCESS) gb_cs_free(w);
done:
    gb_free(offset, offset_bytes);
    gb_free(rows.longs, long_bytes);
    gb_free(scratch.memory, scratch.bytes);
    return info;
}
