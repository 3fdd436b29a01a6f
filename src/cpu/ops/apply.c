/* SPDX-License-Identifier: Apache-2.0
 *
 * Copies of arrays, and operators applied to every value. Where the values already have the type
 * that the operator takes, a block is one call of its batch function; else values are cast in
 * batches that stay in the first cache. Only built-in types are ever cast.
 */
#include "cpu/ops/map.h"

/* Bytes of a copy that pay for one more thread. */
#define COPY_GRAIN (64u * GB_GRAIN)

typedef struct {
    char *to;
    const char *from;
} Bytes;

static void copy_range(void *context, uint64_t start, uint64_t end) {
    const Bytes *bytes = context;
    memcpy(bytes->to + start, bytes->from + start, end - start);
}

static gbl_Info copy_bytes(void *to, const void *from, size_t bytes, int nthreads) {
    if (bytes == 0) return GBL_SUCCESS;
    const int threads = gb_threads_for(bytes, COPY_GRAIN, nthreads);
    return gb_parallel_try_ranges(threads, bytes, copy_range, &(Bytes){to, from});
}

gbl_Info gb_cpu_copy_cs(const gb_CsView *A, gb_Cs *Z, int nthreads) {
    const uint64_t values = A->x == NULL ? 0 : A->iso && A->nvals > 0 ? 1 : A->nvals;
    const size_t xbytes = gb_size_of(values, A->xsize);
    gbl_Info info = gb_cs_alloc(Z, A->nmajor, A->nvals, xbytes);
    if (info != GBL_SUCCESS) return info;
    info = copy_bytes(Z->p, A->p, (A->nmajor + 1) * sizeof(gb_Off), nthreads);
    if (info == GBL_SUCCESS) info = copy_bytes(Z->i, A->i, A->nvals * sizeof(gb_Idx), nthreads);
    if (info == GBL_SUCCESS) info = copy_bytes(Z->x, A->x, xbytes, nthreads);
    Z->iso = A->iso;
    Z->sorted = A->sorted;
    if (info != GBL_SUCCESS) gb_cs_free(Z);
    return info;
}

gbl_Info gb_cpu_copy_dense(const gb_DenseView *u, gb_Dense *z, int nthreads) {
    const uint64_t values = u->x == NULL ? 0 : u->iso && u->n > 0 ? 1 : u->n;
    const size_t xbytes = gb_size_of(values, u->xsize);
    gbl_Info info = gb_dense_alloc(z, u->n, xbytes, u->b != NULL);
    if (info != GBL_SUCCESS) return info;
    if (u->b != NULL) info = copy_bytes(z->b, u->b, u->n, nthreads);
    if (info == GBL_SUCCESS) info = copy_bytes(z->x, u->x, xbytes, nthreads);
    z->nvals = u->nvals;
    z->iso = u->iso;
    if (info != GBL_SUCCESS) gb_dense_free(z);
    return info;
}

/* Values and where they stand; sx is 0 for one value in all places. */
typedef struct {
    const void *x;
    int sx;
    gb_Positions at; /* index operators only */
} Source;

static const gb_Type *map_ztype(const gb_Map *map) {
    return map->unary ? map->unary->ztype : map->binary ? map->binary->ztype : map->index->ztype;
}

/* The type of the argument that the values go to; NULL: the operator does not look at them. */
static const gb_Type *map_xtype(const gb_Map *map) {
    if (map->unary) return map->unary->xtype;
    if (map->index) return map->index->xtype;
    return map->bound_first ? map->binary->ytype : map->binary->xtype;
}

static void run(const gb_Map *map, size_t n, void *z, const Source *from) {
    if (map->unary)
        map->unary->batch(map->unary, n, z, from->x, from->sx);
    else if (map->index)
        map->index->batch(map->index, n, z, from->x, from->sx, from->at, map->bound);
    else if (map->bound_first)
        map->binary->batch(map->binary, n, z, map->bound, 0, from->x, from->sx);
    else
        map->binary->batch(map->binary, n, z, from->x, from->sx, map->bound, 0);
}

/* z[k] = the map of the k-th value, k < n; z may be the values themselves. */
static void map_values(const gb_MapArgs *args, size_t n, void *z, const Source *from) {
    const gb_Type *xtype = map_xtype(&args->map);
    const bool cast = xtype != NULL && xtype != args->xtype, in_place = z == from->x;
    if (!cast && !in_place) {
        run(&args->map, n, z, from);
        return;
    }
    const size_t zsize = map_ztype(&args->map)->size;
    gb_Builtin values[GB_BATCH], results[GB_BATCH];
    for (size_t k = 0; k < n; k += GB_BATCH) {
        const size_t m = gb_min_size(GB_BATCH, n - k);
        Source batch = *from;
        batch.x = (const char *)from->x + (from->sx ? k * args->xtype->size : 0);
        if (from->at.si) batch.at.i += k;
        if (from->at.sj) batch.at.j += k;
        if (cast) {
            gb_cast(xtype, values, args->xtype, batch.x, batch.sx, m);
            batch.x = values;
            batch.sx = 1;
        }
        char *to = (char *)z + k * zsize;
        run(&args->map, m, in_place ? (void *)results : to, &batch);
        if (in_place) memcpy(to, results, m * zsize);
    }
}

void gb_map_index_cs(const gb_MapArgs *args, const gb_CsView *A, uint64_t from, size_t n,
                     uint64_t *row, void *z) {
    const size_t skip = A->iso ? 0 : from * A->xsize;
    Source source = {.x = (const char *)A->x + skip, .sx = !A->iso};
    if (args->map.index->code >= GB_VALUEEQ) { /* does not look at positions */
        map_values(args, n, z, &source);
        return;
    }
    gb_Idx major[GB_BATCH];
    uint64_t r = *row; /* an empty row writes what the next one overwrites, without a branch */
    for (; A->p[r] < from + n; r++) {
        size_t k = A->p[r] > from ? (size_t)(A->p[r] - from) : 0;
        const size_t end = gb_min_size(n, A->p[r + 1] - from);
        for (major[k] = (gb_Idx)r; ++k < end;) major[k] = (gb_Idx)r;
    }
    *row = r - 1;
    const gb_Idx *minor = A->i + from;
    source.at = (gb_Positions){.i = args->major_is_row ? major : minor,
                               .j = args->major_is_row ? minor : major,
                               .si = 1,
                               .sj = 1};
    map_values(args, n, z, &source);
}

void gb_map_index_dense(const gb_MapArgs *args, const gb_DenseView *u, uint64_t from, size_t n,
                        void *z) {
    static const gb_Idx zero = 0;
    const size_t skip = u->iso ? 0 : from * u->xsize;
    Source source = {.x = (const char *)u->x + skip, .sx = !u->iso};
    if (args->map.index->code >= GB_VALUEEQ) { /* does not look at positions */
        map_values(args, n, z, &source);
        return;
    }
    const bool cells = args->width > 1;
    gb_Idx row[GB_BATCH], column[GB_BATCH];
    uint64_t r = cells ? from / args->width : from, c = cells ? from % args->width : 0;
    for (size_t k = 0; k < n && cells; k++) {
        row[k] = (gb_Idx)r;
        column[k] = (gb_Idx)c;
        if (++c == args->width) {
            c = 0;
            r++;
        }
    }
    for (size_t k = 0; k < n && !cells; k++) row[k] = (gb_Idx)(r + k);
    source.at = (gb_Positions){.i = row, .j = cells ? column : &zero, .si = 1, .sj = cells};
    map_values(args, n, z, &source);
}

typedef struct {
    const gb_MapArgs *args;
    const gb_CsView *A; /* one of both */
    const gb_DenseView *u;
    char *z;
} Job;

static void apply_block_cs(void *context, uint64_t b) {
    const gb_MapArgs *args = ((Job *)context)->args;
    const gb_CsView *A = ((Job *)context)->A;
    char *z = ((Job *)context)->z;
    const uint64_t from = b * GB_GRAIN, to = from + gb_min_size(GB_GRAIN, A->nvals - from);
    const size_t zsize = map_ztype(&args->map)->size;
    if (args->map.index == NULL) {
        const char *x = (const char *)A->x + (A->iso ? 0 : from * A->xsize);
        map_values(args, to - from, z + from * zsize, &(Source){.x = x, .sx = !A->iso});
        return;
    }
    uint64_t row = gb_row_of(A->p, A->nmajor, from);
    for (uint64_t k = from; k < to; k += GB_BATCH)
        gb_map_index_cs(args, A, k, gb_min_size(GB_BATCH, to - k), &row, z + k * zsize);
}

/* In place it goes on to the end. */
static gbl_Info run_blocks(uint64_t n, void (*block)(void *, uint64_t), Job *job, bool in_place) {
    const uint64_t blocks = gb_blocks(n, GB_GRAIN);
    const int threads = gb_threads_for(n, GB_GRAIN, job->args->nthreads);
    if (!in_place) return gb_parallel_try(threads, blocks, block, job);
    gb_parallel_for(threads, blocks, block, job);
    return GBL_SUCCESS;
}

gbl_Info gb_cpu_apply_cs(const gb_MapArgs *args, const gb_CsView *A, void *z) {
    return run_blocks(A->nvals, apply_block_cs, &(Job){args, A, NULL, z}, z == A->x);
}

static void apply_block_dense(void *context, uint64_t b) {
    const gb_MapArgs *args = ((Job *)context)->args;
    const gb_DenseView *u = ((Job *)context)->u;
    char *z = ((Job *)context)->z;
    const size_t zsize = map_ztype(&args->map)->size;
    uint64_t from = b * GB_GRAIN, end;
    const uint64_t to = from + gb_min_size(GB_GRAIN, u->n - from);
    for (; gb_next_run(u->b, to, &from, &end); from = end) {
        const char *x = (const char *)u->x + (u->iso ? 0 : from * u->xsize);
        if (args->map.index == NULL)
            map_values(args, end - from, z + from * zsize, &(Source){.x = x, .sx = !u->iso});
        for (uint64_t k = from; args->map.index != NULL && k < end; k += GB_BATCH)
            gb_map_index_dense(args, u, k, gb_min_size(GB_BATCH, end - k), z + k * zsize);
    }
}

gbl_Info gb_cpu_apply_dense(const gb_MapArgs *args, const gb_DenseView *u, void *z) {
    return run_blocks(u->n, apply_block_dense, &(Job){args, NULL, u, z}, z == u->x);
}

/* -- sequences of operators ----------------------------------------------------------------- */

/* Operators one after the other on the same values, in one pass: a batch goes through all of them
 * while it is in the first cache, so that what lies between two is never stored. Each value is what
 * the operators give one by one, whatever the batch it is in. */

enum { MOST_BYTES = 8 }; /* of a value of a built-in type */

static const void *operand(const void *array, int stride, uint64_t k, size_t size,
                           const void *before) {
    if (array == NULL) return before;
    return (const char *)array + (stride != 0 ? k * size : 0);
}

static void run_step(const gb_Step *step, size_t n, void *z, const void *x, const void *y) {
    if (step->unary != NULL)
        step->unary->batch(step->unary, n, z, x, step->sx);
    else
        step->binary->batch(step->binary, n, z, x, step->sx, y, step->sy);
}

/* n <= GB_BATCH values from k on. Operators may not write what they read: what becomes of the
 * values themselves waits in a buffer. */
static void run_batch(const gb_StepArgs *args, uint64_t k, size_t n) {
    uint64_t buffer[2][GB_BATCH * MOST_BYTES / sizeof(uint64_t)];
    char *values = (char *)args->values + k * args->size;
    const void *before = values;
    for (int s = 0; s < args->steps; s++) {
        const gb_Step *step = &args->step[s];
        const bool reads = step->x == NULL || (step->binary != NULL && step->y == NULL);
        const bool direct = s + 1 == args->steps && (s > 0 || !reads);
        void *z = direct ? (void *)values : buffer[s % 2];
        run_step(step, n, z, operand(step->x, step->sx, k, args->size, before),
                 operand(step->y, step->sy, k, args->size, before));
        before = z;
    }
    if (before != values) memcpy(values, before, n * args->size);
}

void gb_run_steps_on(const gb_StepArgs *args, uint64_t from, uint64_t to) {
    for (uint64_t k = from; k < to; k += GB_BATCH)
        run_batch(args, k, gb_min_size(GB_BATCH, to - k));
}

static void run_range(void *context, uint64_t from, uint64_t to) {
    gb_run_steps_on(context, from, to);
}

void gb_cpu_run_steps(const gb_StepArgs *args) {
    gb_StepArgs own = *args;
    gb_parallel_items(args->nthreads, args->n, run_range, &own);
}
