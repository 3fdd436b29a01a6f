/* SPDX-License-Identifier: Apache-2.0
 *
 * Driver of the method VECTOR (long-vector SpGEMM): SPA, SPARS, HASH, their hybrids and ESC, on
 * vectors of any length (veclayer.h). The paper vectorises over columns of C, and this over rows,
 * which is the same by symmetry.
 *
 * Rows are cut into chunks as for the row-wise product. Within a chunk they are taken in decreasing
 * order of products: rows of at least `below` products alone, the others in blocks of equal
 * products, of block_least to block_most rows (section 3.1). Each is written behind the
 * capacities of the rows before it, and the chunk is compacted, in the order of rows, when it is
 * done. cpu/common/compact.c puts chunks together. The workspace of a thread is made when the first
 * row requires it, by the thread that uses it.
 *
 * Preconditions: g->flops sums products by rows; A and B by rows, A sorted. Cost: row.c, block.c
 * and esc.c say what a row takes; the order of rows is a radix sort of a chunk's rows.
 *
 * The result does not depend on threads or the set: an entry is summed by one lane in the order of
 * k, beginning with its first product.
 */
#include "cpu/rowwise/probe.h"
#include "core/arrays.h"
#include "cpu/vector/work.h"
#include "cpu/common/compact.h"
#include "cpu/common/sort.h"
#include "semiring/ids.h"

#define SR_TEMPLATE "cpu/vector/vector.tmpl.h"
#include "semiring/foreach.h"
#undef SR_TEMPLATE

#define ENTRY(name, add, multiply, type)                                                           \
    [GB_RING_##name] = {accumulate_##name, multiply_##name, fold_##name},
static const gb_VectorKernel kernels[GB_RING_COUNT] = {
    GB_FOREACH_RING(ENTRY)[GB_RING_GENERIC] = {accumulate_GENERIC, multiply_GENERIC, fold_GENERIC}};
#undef ENTRY

/* -- workspace --------------------------------------------------------------------------------- */

static void rows_free(gb_VectorWork *w) {
    gb_free(w->order, w->rows * sizeof *w->order);
    gb_free(w->order_tmp, w->rows * sizeof *w->order_tmp);
    gb_free(w->count, w->rows * sizeof *w->count);
    w->order = w->order_tmp = w->count = NULL;
    w->rows = 0;
}

static void table_free(gb_VectorWork *w) {
    const uint64_t entries = w->slots > 0 ? w->slots + 64 : 0;
    gb_free(w->table, w->slots * sizeof *w->table);
    gb_free(w->table_val, w->slots * w->args.zsize);
    gb_free(w->list, entries * sizeof *w->list);
    gb_free(w->column, entries * sizeof *w->column);
    w->table = w->list = w->column = NULL;
    w->table_val = NULL;
    w->slots = 0;
}

static void keys_free(gb_VectorWork *w) {
    const uint64_t numbers = w->keys > 0 ? w->keys + 16 : 0;
    gb_free(w->key, w->keys * sizeof *w->key);
    gb_free(w->key_tmp, w->keys * sizeof *w->key_tmp);
    gb_free(w->number, numbers * sizeof *w->number);
    gb_free(w->number_tmp, numbers * sizeof *w->number_tmp);
    w->key = w->key_tmp = NULL;
    w->number = w->number_tmp = NULL;
    w->keys = 0;
}

/* False when memory is short, with w->wanted set. */
static bool reserve_rows(gb_VectorWork *w, uint64_t rows) {
    if (w->rows >= rows) return true;
    rows_free(w);
    w->rows = rows + rows / 4;
    w->order = gb_malloc(w->rows * sizeof *w->order);
    w->order_tmp = gb_malloc(w->rows * sizeof *w->order_tmp);
    w->count = gb_malloc(w->rows * sizeof *w->count);
    if (w->order != NULL && w->order_tmp != NULL && w->count != NULL) return true;
    w->wanted = 3 * w->rows * sizeof *w->order;
    rows_free(w);
    return false;
}

bool GB_ISA_NAME(gb_vector_reserve_dense)(gb_VectorWork *w) {
    const uint64_t n = w->g->B.nminor;
    size_t bytes;
    if (w->val != NULL) return true;
    if (!gb_size_mul(&bytes, n, w->args.zsize) || n >= GB_VECTOR_SLOTS_MOST) {
        w->wanted = SIZE_MAX;
        return false;
    }
    w->columns = n;
    w->flag = gb_calloc(n * sizeof *w->flag);
    w->val = gb_malloc(bytes);
    if (w->flag != NULL && w->val != NULL) return true;
    gb_free(w->val, bytes);
    w->val = NULL;
    gb_free(w->flag, n * sizeof *w->flag);
    w->flag = NULL;
    w->wanted = n * (sizeof *w->flag + w->args.zsize);
    return false;
}

bool GB_ISA_NAME(gb_vector_reserve_table)(gb_VectorWork *w, uint64_t slots) {
    size_t bytes;
    if (w->slots >= slots) return true;
    table_free(w);
    if (slots >= GB_VECTOR_SLOTS_MOST || !gb_size_mul(&bytes, slots, w->args.zsize)) {
        w->wanted = SIZE_MAX;
        return false;
    }
    w->slots = slots;
    w->table = gb_calloc(slots * sizeof *w->table);
    w->table_val = gb_malloc(bytes);
    w->list = gb_calloc((slots + 64) * sizeof *w->list); /* gaps are read */
    w->column = gb_malloc((slots + 64) * sizeof *w->column);
    if (w->table != NULL && w->table_val != NULL && w->list != NULL && w->column != NULL)
        return true;
    w->wanted = slots * (3 * sizeof *w->table + w->args.zsize);
    table_free(w);
    return false;
}

bool GB_ISA_NAME(gb_vector_reserve_keys)(gb_VectorWork *w, uint64_t keys) {
    if (w->keys >= keys) return true;
    keys_free(w);
    if (keys >= GB_VECTOR_SLOTS_MOST) {
        w->wanted = SIZE_MAX;
        return false;
    }
    w->keys = keys;
    w->key = gb_malloc(keys * sizeof *w->key);
    w->key_tmp = gb_malloc(keys * sizeof *w->key_tmp);
    w->number = gb_malloc((keys + 16) * sizeof *w->number);
    w->number_tmp = gb_malloc((keys + 16) * sizeof *w->number_tmp);
    if (w->key != NULL && w->key_tmp != NULL && w->number != NULL && w->number_tmp != NULL)
        return true;
    w->wanted = keys * 2 * (sizeof *w->key + sizeof *w->number);
    keys_free(w);
    return false;
}

bool GB_ISA_NAME(gb_vector_reserve_products)(gb_VectorWork *w, uint64_t products) {
    const size_t buckets = ((size_t)GB_VL_MOST << GB_VECTOR_DIGIT) * sizeof *w->bucket;
    size_t bytes;
    if (!GB_ISA_NAME(gb_vector_reserve_keys)(w, products)) return false;
    if (w->bucket == NULL) w->bucket = gb_malloc(buckets);
    if (w->products < products) {
        gb_free(w->prod, w->products * w->args.zsize);
        w->products = 0;
        w->prod = gb_size_mul(&bytes, products, w->args.zsize) ? gb_malloc(bytes) : NULL;
        if (w->prod != NULL) w->products = products;
    }
    if (w->bucket != NULL && w->prod != NULL) return true;
    w->wanted = products * w->args.zsize + buckets;
    return false;
}

static gbl_Info work_new(void *work, const void *kernel, const gb_MxmArgs *g) {
    gb_VectorWork *w = work;
    *w = (gb_VectorWork){.g = g, .args = g->args, .kernel = kernel};
    w->args.scratch = gb_malloc(2 * g->args.zsize);
    w->lanes = gb_calloc(sizeof *w->lanes);
    if (w->args.scratch == NULL || w->lanes == NULL)
        return gb_fail_memory(2 * g->args.zsize + sizeof *w->lanes);
    gb_v_set(w->lanes->one, 1, GB_VL_MOST);
    return GBL_SUCCESS;
}

static void work_free(void *work, const gb_MxmArgs *g, gb_MxmStats *stats) {
    gb_VectorWork *w = work;
    (void)g;
    stats->dense += w->rows_dense;
    stats->hashed += w->rows_hashed;
    stats->sorted += w->rows_sorted;
    rows_free(w);
    table_free(w);
    keys_free(w);
    gb_free(w->flag, w->columns * sizeof *w->flag);
    gb_free(w->val, w->columns * w->args.zsize);
    gb_free(w->prod, w->products * w->args.zsize);
    gb_free(w->bucket, ((size_t)GB_VL_MOST << GB_VECTOR_DIGIT) * sizeof *w->bucket);
    gb_free(w->args.scratch, 2 * w->args.zsize);
    gb_free(w->lanes, sizeof *w->lanes);
}

/* -- rows of a chunk --------------------------------------------------------------------------- */

/* Reserves each row its capacity; returns the most products of a row. */
static uint64_t set_capacities(const gb_MxmArgs *g, const gb_VectorOut *out) {
    uint64_t most = 0, at = 0;
    for (uint64_t i = out->from; i < out->to; i++) {
        const uint64_t f = gb_vector_flops(g, i);
        out->p[i] = at;
        at += gb_vector_capacity(g, f);
        if (f > most) most = f;
    }
    memset(out->count, 0, (out->to - out->from) * sizeof *out->count);
    return most;
}

/* Numbers of the rows that have products, the most products first. Rows of more products than 32
 * bits hold count as equal. */
static uint64_t order_rows(gb_VectorWork *w, const gb_VectorOut *out, uint64_t most) {
    uint64_t n = 0;
    const uint64_t top = most < GB_VECTOR_FLOPS_MOST ? most : GB_VECTOR_FLOPS_MOST;
    for (uint64_t i = out->from; i < out->to; i++) {
        const uint64_t f = gb_vector_flops(w->g, i);
        if (f > 0) w->order[n++] = (f < top ? top - f : 0) << 32 | (i - out->from);
    }
    if (n > 0) gb_sort64(w->order, w->order_tmp, n, 32, 32 + gb_key_bits(top + 1));
    return n;
}

static uint64_t flops_of(const gb_VectorWork *w, const gb_VectorOut *out, uint64_t order) {
    const uint64_t i = out->from + (uint32_t)order;
    return w->g->flops[i + 1] - w->g->flops[i];
}

/* Rows of the block that begins at `at` (section 3.1): at least block_least, and as many more as
 * have the products of the first. */
static unsigned block_rows(const gb_VectorWork *w, const gb_VectorOut *out, uint64_t at,
                           uint64_t n) {
    const gb_VectorWay *way = &w->g->way;
    const uint64_t left = n - at, first = flops_of(w, out, w->order[at]);
    unsigned b = left < way->block_least ? (unsigned)left : way->block_least;
    while (b < left && b < way->block_most && flops_of(w, out, w->order[at + b]) == first) b++;
    return b;
}

/* Rows that the order tells from others are in blocks, those with more products never. */
static void run_rows(gb_VectorWork *w, const gb_VectorOut *out, uint64_t most) {
    const uint64_t n = order_rows(w, out, most), limit = w->g->way.below;
    const uint64_t below = limit < GB_VECTOR_FLOPS_MOST ? limit : GB_VECTOR_FLOPS_MOST;
    uint64_t at = 0;
    for (; at < n && w->wanted == 0 && flops_of(w, out, w->order[at]) >= below; at++)
        GB_ISA_NAME(gb_vector_row)(w, out->from + (uint32_t)w->order[at], out);
    while (at < n && w->wanted == 0) {
        const unsigned b = block_rows(w, out, at, n);
        GB_ISA_NAME(gb_vector_block)(w, w->order + at, b, out);
        at += b;
    }
}

/* n values of `size` bytes, to a position before or at where they are. */
GB_INLINE void move_values(char *to, const char *from, uint64_t n, const size_t size) {
    for (uint64_t e = 0; e < n; e++) memcpy(to + e * size, from + e * size, size);
}

/* Rows one after the other; returns the entries. */
static uint64_t compact_rows(const gb_VectorWork *w, const gb_VectorOut *out) {
    const size_t size = w->args.zsize;
    uint64_t n = 0;
    for (uint64_t i = out->from; i < out->to; i++) {
        const uint64_t at = out->p[i];
        const uint64_t count = out->count[i - out->from];
        const gb_Idx *Ci = out->i + at;
        const char *Cx = out->x + at * size;
        out->p[i] = n;
        if (at != n) {
            for (uint64_t e = 0; e < count; e++) out->i[n + e] = Ci[e];
            if (size == 8)
                move_values(out->x + n * size, Cx, count, 8);
            else
                memmove(out->x + n * size, Cx, count * size);
        }
        n += count;
    }
    return n;
}

/* Lanes take the rows of a chunk in an order that no hardware prefetches: what they read of A and B
 * is prefetched in the order of A. */
static void prefetch(const gb_VectorWork *w, uint64_t from, uint64_t to) {
    const gb_MxmArgs *g = w->g;
    const gb_Off first = g->A.p[from], end = g->A.p[to];
    for (gb_Off p = first; p < end; p++) {
        const gb_Off ahead = p + GB_PREFETCH < end ? p + GB_PREFETCH : end - 1;
        __builtin_prefetch(&g->B.p[g->A.i[ahead]]);
        const gb_Off q = g->B.p[g->A.i[p]];
        __builtin_prefetch(&g->B.i[q]);
        __builtin_prefetch((const char *)g->args.Bx + q * g->args.bstride);
        __builtin_prefetch((const char *)g->args.Ax + p * g->args.astride);
    }
}

/* -- chunks ------------------------------------------------------------------------------------ */

static void run_chunk(void *work, const gb_MxmArgs *g, gb_ChunkOut *chunk) {
    gb_VectorWork *w = work;
    gb_VectorOut out = {
        .from = chunk->from, .to = chunk->to, .p = chunk->p, .i = chunk->i, .x = chunk->x};
    if (out.from == out.to) return;
    if (reserve_rows(w, out.to - out.from)) {
        out.count = w->count;
        const uint64_t most = set_capacities(g, &out);
        prefetch(w, out.from, out.to);
        if (g->way.kind == GB_EXPAND_SORT)
            GB_ISA_NAME(gb_vector_esc)(w, &out);
        else
            run_rows(w, &out, most);
    }
    chunk->wanted = w->wanted;
    if (w->wanted == 0) chunk->n = compact_rows(w, &out);
}

gbl_Info GB_ISA_NAME(gb_mxm_vector)(const gb_MxmArgs *g, gb_Cs *T, gb_MxmStats *stats) {
    const gb_ChunkMethod method = {
        sizeof(gb_VectorWork), &kernels[g->ring], work_new, run_chunk, work_free, false};
    gb_Chunks chunks = {0};
    *T = (gb_Cs){0};
    *stats = (gb_MxmStats){0};
    gbl_Info info = gb_chunks_by_flops(&chunks, g, 1);
    if (info != GBL_SUCCESS) return info;
    const uint64_t capacity = gb_compaction_capacity(g, &chunks);
    info = gb_multiply_chunks(&method, g, &chunks, capacity, T, stats);
    if (info == GBL_SUCCESS) T->sorted = !g->any_order;
    gb_chunks_free(&chunks);
    return info;
}
