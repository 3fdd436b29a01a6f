/* SPDX-License-Identifier: Apache-2.0
 *
 * All values folded to one.
 *
 * The order of additions is part of the result when values are floats. It is fixed here: values in
 * the order of the entries, cut into blocks of GB_REDUCE_BLOCK; each block is one call of the
 * monoid's batch function, which starts from the first value; the results are joined from the left.
 * Values that need a cast, or that are one value for all, go through a buffer of one block, so that
 * neither changes the result. Bitmaps are reduced in place only by monoids for which the order
 * cannot be seen; the caller looks to that.
 *
 * A block that reached the terminal value ends the work: the result is then that value.
 */
#include "cpu/ops/map.h"
#include "cpu/ops/reduce.h"

gbl_Info gb_fold_scratch_new(gb_FoldScratch *scratch, const gb_FoldArgs *args, uint64_t block,
                             int threads) {
    const size_t line = 64, size = args->op->ztype->size;
    size_t values, bytes = 0;
    *scratch = (gb_FoldScratch){.block = (size / line + 1) * line};
    bool fits = gb_size_mul(&values, block, size) && values < SIZE_MAX / 2;
    scratch->stride = scratch->block + (fits ? (values / line + 1) * line : 0);
    fits = fits && gb_size_mul(&bytes, (uint64_t)threads, scratch->stride);
    scratch->memory = fits ? gb_malloc(bytes) : NULL;
    scratch->bytes = bytes;
    return scratch->memory != NULL ? GBL_SUCCESS : gb_fail_memory(fits ? bytes : SIZE_MAX);
}

void gb_fold(const gb_FoldArgs *args, uint64_t n, const void *x, void *z, void *spare) {
    const size_t size = args->op->ztype->size;
    gb_copy_value(z, x, size);
    if (n == 1 || args->op->code == GB_ANY) return;
    if (args->monoid != NULL) {
        args->monoid->reduce(args->monoid, n - 1, z, (const char *)x + size);
        return;
    }
    for (uint64_t k = 1; k < n; k++) {
        args->op->scalar(spare, z, (const char *)x + k * size);
        gb_copy_value(z, spare, size);
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
    gb_FoldScratch scratch;
    const gbl_Info info = gb_fold_scratch_new(&scratch, args, most + 2, 1);
    if (info != GBL_SUCCESS) return info;
    char *spare = scratch.memory, *part = spare + scratch.block;
    char *last = part + size, *values = last + size;
    gb_cast(args->op->ztype, part, args->xtype, x, 1, 1);
    gb_fill(values, part, size, most);
    gb_fold(args, most, values, part, spare);
    gb_copy_value(z, part, size);
    uint64_t left = n - most;
    for (; left >= most; left -= most) {
        args->op->scalar(spare, z, part);
        gb_copy_value(z, spare, size);
    }
    if (left > 0) {
        gb_fold(args, left, values, last, spare);
        args->op->scalar(spare, z, last);
        gb_copy_value(z, spare, size);
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
    gb_fold(args, n, x, z, own);
}

typedef struct {
    const gb_FoldArgs *args;
    uint64_t n;
    const char *x;
    char *part; /* [blocks] */
    gb_FoldScratch scratch;
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
    reduce_block(args, n, f->x + from * args->xtype->size, part, gb_fold_scratch_of(&f->scratch),
                 f->scratch.block);
    if (is_terminal(args, part)) __atomic_store_n(&f->stop, 1, __ATOMIC_RELAXED);
}

/* *z = all of n >= 1 values. */
static gbl_Info reduce_values(const gb_FoldArgs *args, uint64_t n, const void *x, void *z) {
    const size_t size = args->op->ztype->size;
    const uint64_t blocks = gb_blocks(n, GB_REDUCE_BLOCK);
    const int threads = gb_threads_for(n, GB_REDUCE_BLOCK, args->nthreads);
    const bool casts = args->xtype != args->op->ztype;
    size_t part_bytes;
    if (blocks == 1 && !casts && args->monoid != NULL) { /* needs no memory */
        if (args->steps != NULL) gb_run_steps_on(args->steps, 0, n);
        gb_fold(args, n, x, z, NULL);
        return GBL_SUCCESS;
    }
    if (!gb_size_mul(&part_bytes, blocks, size)) return gb_fail_memory(SIZE_MAX);
    Folding f = {.args = args, .n = n, .x = x, .part = gb_malloc(part_bytes)};
    gbl_Info info = f.part != NULL ? GBL_SUCCESS : gb_fail_memory(part_bytes);
    if (info == GBL_SUCCESS)
        info = gb_fold_scratch_new(&f.scratch, args, casts ? gb_min_size(n, GB_REDUCE_BLOCK) : 0,
                                   threads);
    if (info != GBL_SUCCESS) goto done;
    gb_parallel_for(threads, blocks, fold_block, &f);
    memcpy(z, f.stop ? args->monoid->terminal : f.part, size);
    for (uint64_t b = 1; b < blocks && !f.stop; b++) {
        args->op->scalar(f.scratch.memory, z, f.part + b * size);
        gb_copy_value(z, f.scratch.memory, size);
    }
done:
    gb_free(f.part, part_bytes);
    gb_free(f.scratch.memory, f.scratch.bytes);
    return info;
}

gbl_Info gb_fold_all(const gb_FoldArgs *args, uint64_t n, const void *x, bool iso, void *z) {
    if (args->op->code == GB_ANY) n = 1;
    return iso && n > 1 ? reduce_iso(args, n, x, z) : reduce_values(args, n, x, z);
}

gbl_Info gb_cpu_reduce_cs(const gb_FoldArgs *args, const gb_CsView *A, void *z) {
    return gb_fold_all(args, A->nvals, A->x, A->iso, z);
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
    uint64_t at[GB_BATCH], raw[GB_BATCH], cast[GB_BATCH];
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
    if (u->b == NULL || u->iso) return gb_fold_all(args, u->nvals, u->x, u->iso, z);
    const size_t size = args->op->ztype->size;
    const uint64_t blocks = gb_blocks(u->n, GB_REDUCE_BLOCK);
    const int threads = gb_threads_for(u->n, GB_REDUCE_BLOCK, args->nthreads);
    size_t bytes;
    if (!gb_size_mul(&bytes, blocks + 1, size + 1)) return gb_fail_memory(SIZE_MAX);
    char *part = gb_malloc(bytes); /* [blocks], and one to spare; `none` */
    if (part == NULL) return gb_fail_memory(bytes);
    char *spare = part + blocks * size;
    DenseFolding f = {args, u, part, (uint8_t *)spare + size};
    gb_parallel_for(threads, blocks, fold_dense_block, &f);
    uint64_t b = 0;
    while (f.none[b]) b++; /* there are entries */
    gb_copy_value(z, part + b * size, size);
    for (b++; b < blocks; b++) {
        if (f.none[b]) continue;
        args->op->scalar(spare, z, part + b * size);
        gb_copy_value(z, spare, size);
    }
    gb_free(part, bytes);
    return GBL_SUCCESS;
}
