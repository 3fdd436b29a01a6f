/* SPDX-License-Identifier: Apache-2.0
 *
 * Driver of push for few products (mxv_sorted.tmpl.h): time and memory follow the products, not the
 * length of w. Threads share out the positions of w, as in mxv.c, so the result does not depend on
 * their number. There is no mask: looking up what was summed costs no more than looking up products
 * (ops/finish.h does it).
 */
#include <string.h>

#include "kernel_api/backend.h"
#include "core/arrays.h"
#include "core/parallel.h"
#include "core/tune.h"
#include "cpu/cpu.h"
#include "cpu/mxv/mxv.h"
#include "cpu/common/sort.h"
#include "semiring/ids.h"

/* Of one thread, with room for all its products. */
typedef struct {
    uint64_t *key, *spare; /* position in w << 32 | number of the product */
    char *x, *sum;         /* products by number; sums by position */
} gb_Products;

#define SR_TEMPLATE "cpu/mxv/mxv_sorted.tmpl.h"
#include "semiring/foreach.h"
#undef SR_TEMPLATE

typedef struct {
    uint64_t (*expand)(const gb_MxvArgs *g, const gb_RingArgs *R, gb_ColumnRange columns,
                       gb_Products *out);
    uint64_t (*compress)(const gb_RingArgs *R, uint64_t n, gb_Products *of);
} gb_SortedKernel;
#define ENTRY(name, add, multiply, type) [GB_RING_##name] = {expand_##name, compress_##name},
static const gb_SortedKernel kernels[GB_RING_COUNT] = {
    GB_FOREACH_RING(ENTRY)[GB_RING_GENERIC] = {expand_GENERIC, compress_GENERIC}};
#undef ENTRY

typedef struct {
    const gb_MxvArgs *g;
    int threads;
    uint64_t products;
    char *memory; /* keys, spare keys, products, sums, and two values of each thread */
    size_t bytes;
    gb_Off *start; /* [threads + 1] products before each thread's */
    gb_Off *place; /* [threads + 1] entries of w before each thread's */
    gb_Cs *out;
} gb_SortedRun;

static void count_part(void *context, int t) {
    const gb_SortedRun *run = context;
    const gb_MxvArgs *g = run->g;
    const gb_ColumnRange columns = gb_columns_of(g->A.nminor, t, run->threads);
    uint64_t n = 0;
    for (gb_Off q = 0; q < g->u_list.nvals; q++) {
        const gb_RowSpan row = gb_row_within(&g->A, g->u_list.i[q], columns);
        n += row.to - row.from;
    }
    run->start[t + 1] = n;
}

static gb_Products products_of(const gb_SortedRun *run, int t) {
    const size_t size = run->g->args.zsize, first = run->start[t], all = run->products;
    uint64_t *key = (uint64_t *)(void *)run->memory;
    char *x = (char *)(key + 2 * all);
    return (gb_Products){.key = key + first,
                         .spare = key + all + first,
                         .x = x + first * size,
                         .sum = x + (all + first) * size};
}

static void sum_part(void *context, int t) {
    const gb_SortedRun *run = context;
    const gb_MxvArgs *g = run->g;
    const gb_SortedKernel *kernel = &kernels[g->ring];
    const size_t value = 2 * g->args.zsize;
    gb_Products of = products_of(run, t);
    gb_RingArgs args = g->args;
    args.scratch = run->memory + run->bytes - value * (size_t)(t + 1);
    const uint64_t n = kernel->expand(g, &args, gb_columns_of(g->A.nminor, t, run->threads), &of);
    gb_sort64(of.key, of.spare, n, 32, 32 + gb_key_bits(g->A.nminor));
    run->place[t + 1] = kernel->compress(&args, n, &of);
}

static void emit_part(void *context, int t) {
    const gb_SortedRun *run = context;
    const size_t size = run->g->args.zsize;
    const gb_Products of = products_of(run, t);
    const gb_Off at = run->place[t], n = run->place[t + 1] - at;
    for (uint64_t k = 0; k < n; k++) run->out->i[at + k] = (gb_Idx)of.key[k];
    if (n > 0) memcpy((char *)run->out->x + at * size, of.sum, n * size);
}

static void add_up(gb_Off *counts, int threads) {
    counts[0] = 0;
    for (int t = 0; t < threads; t++) counts[t + 1] += counts[t];
}

/* Room for the products that were counted. */
static gbl_Info alloc_products(gb_SortedRun *run) {
    const size_t size = run->g->args.zsize;
    size_t keys, values, scratch;
    run->products = run->start[run->threads];
    if (!gb_size_mul(&keys, run->products, 2 * sizeof(uint64_t)) ||
        !gb_size_mul(&values, run->products, 2 * size) ||
        !gb_size_mul(&scratch, (uint64_t)run->threads, 2 * size) ||
        __builtin_add_overflow(keys, values, &run->bytes) ||
        __builtin_add_overflow(run->bytes, scratch, &run->bytes))
        return gb_fail_memory(SIZE_MAX);
    run->memory = gb_malloc(run->bytes);
    return run->memory != NULL ? GBL_SUCCESS : gb_fail_memory(run->bytes);
}

gbl_Info gb_cpu_mxv_push_sorted(const gb_MxvArgs *g, gb_Cs *out) {
    const int most = g->A.sorted ? gb_threads_for(gb_push_products(g), GB_GRAIN, g->nthreads) : 1;
    const size_t counts = 2 * ((size_t)most + 1) * sizeof(gb_Off);
    gb_SortedRun run = {.g = g, .threads = most, .out = out, .start = gb_malloc(counts)};
    *out = (gb_Cs){0};
    if (run.start == NULL) return gb_fail_memory(counts);
    run.place = run.start + most + 1;
    gb_parallel(run.threads, count_part, &run);
    add_up(run.start, run.threads);
    gbl_Info info = alloc_products(&run);
    if (info != GBL_SUCCESS) goto done;
    gb_parallel(run.threads, sum_part, &run);
    add_up(run.place, run.threads);
    const gb_Off nvals = run.place[run.threads];
    info = gb_cs_alloc(out, 1, nvals, nvals * g->args.zsize);
    if (info != GBL_SUCCESS) goto done;
    out->p[0] = 0;
    out->p[1] = nvals;
    gb_parallel(run.threads, emit_part, &run);
done:
    gb_free(run.memory, run.bytes);
    gb_free(run.start, counts);
    return info;
}
