/* SPDX-License-Identifier: Apache-2.0
 *
 * Driver of the method VECTOR (long-vector SpGEMM): SPA, HASH and their hybrids, on vectors of any
 * length (veclayer.h). The paper vectorises over columns of C, and this over rows, which is the
 * same by symmetry.
 *
 * Rows are cut into chunks as for the row-wise product. Within a chunk they are taken in decreasing
 * order of products: rows of at least `below` products alone, the others in blocks of equal
 * products, of block_least to block_most rows (section 3.1). Each is written behind the
 * capacities of the rows before it, and the chunk is compacted, in the order of rows, when it is
 * done. cpu/common/compact.c puts chunks together. The workspace of a thread is made when the first
 * row requires it, by the thread that uses it.
 *
 * Preconditions: g->flops sums products by rows; A and B by rows, A sorted. Cost: row.c and block.c
 * say what a row takes; the order of rows is a radix sort of a chunk's rows.
 *
 * The result does not depend on threads or the set: an entry is summed by one lane in the order of
 * k, beginning with its first product.
 */
#include "cpu/rowwise/probe.h"
#include "cpu/vector/work.h"
#include "cpu/common/compact.h"
#include "cpu/common/sort.h"

#define SR_TEMPLATE "cpu/vector/vector.tmpl.h"
#include "semiring/foreach.h"
#undef SR_TEMPLATE

#define ENTRY(name, add, multiply, type) [GB_RING_##name] = accumulate_##name,
static const gb_VectorAccumulate kernels[GB_RING_COUNT] = {GB_FOREACH_RING(ENTRY)[GB_RING_GENERIC] =
                                                               accumulate_GENERIC};
#undef ENTRY

/* -- workspace --------------------------------------------------------------------------------- */

/* False when memory is short, with w->wanted set, here and below. */
static bool reserve_rows(gb_VectorWork *w, uint64_t rows) {
    const size_t bytes = (rows + rows / 4) * sizeof *w->order;
    if (w->rows >= rows) return true;
    w->rows = 0;
    char *at = gb_grow(&w->of_rows, 3 * bytes, &w->wanted);
    if (at == NULL) return false;
    w->rows = rows + rows / 4;
    w->order = gb_carve(&at, bytes);
    w->order_tmp = gb_carve(&at, bytes);
    w->count = gb_carve(&at, bytes);
    return true;
}

/* Whether arrays of n slots, a number of 31 bits, may be made; *bytes are those of their values. */
static bool may_have(gb_VectorWork *w, uint64_t n, size_t *bytes) {
    if (n < GB_VECTOR_SLOTS_MOST && gb_size_mul(bytes, n, w->args.zsize) && *bytes < SIZE_MAX / 2)
        return true;
    w->wanted = SIZE_MAX;
    return false;
}

bool GB_ISA_NAME(gb_vector_reserve_dense)(gb_VectorWork *w) {
    const uint64_t n = w->g->B.nminor;
    const size_t flags = n * sizeof *w->flag;
    size_t values;
    if (w->val != NULL) return true;
    char *at = may_have(w, n, &values) ? gb_grow(&w->of_dense, values + flags, &w->wanted) : NULL;
    if (at == NULL) return false;
    w->flag = memset(gb_carve(&at, flags), 0, flags);
    w->val = gb_carve(&at, values);
    return true;
}

bool GB_ISA_NAME(gb_vector_reserve_table)(gb_VectorWork *w, uint64_t slots) {
    const size_t table = slots * sizeof *w->table;
    size_t values;
    if (w->slots >= slots) return true;
    w->slots = 0;
    char *at =
        may_have(w, slots, &values) ? gb_grow(&w->of_table, values + 3 * table, &w->wanted) : NULL;
    if (at == NULL) return false;
    w->slots = slots;
    w->table = gb_carve(&at, table);
    w->table_val = gb_carve(&at, values);
    w->list = gb_carve(&at, table);
    w->column = gb_carve(&at, table);
    return true;
}

bool GB_ISA_NAME(gb_vector_reserve_keys)(gb_VectorWork *w, uint64_t keys) {
    const size_t bytes = keys * sizeof *w->key, numbers = (keys + 16) * sizeof *w->number;
    size_t values;
    if (w->keys >= keys) return true;
    w->keys = 0;
    char *at =
        may_have(w, keys, &values) ? gb_grow(&w->of_keys, 2 * bytes + numbers, &w->wanted) : NULL;
    if (at == NULL) return false;
    w->keys = keys;
    w->key = gb_carve(&at, bytes);
    w->key_tmp = gb_carve(&at, bytes);
    w->number = gb_carve(&at, numbers);
    return true;
}

static gbl_Info work_new(void *work, const void *kernel, const gb_MxmArgs *g) {
    gb_VectorWork *w = work;
    *w = (gb_VectorWork){
        .g = g, .args = g->args, .accumulate = *(const gb_VectorAccumulate *)kernel};
    const size_t lanes = sizeof *w->lanes;
    char *at = gb_grow(&w->of_lanes, lanes + gb_scratch_bytes(&g->args), &w->wanted);
    if (at == NULL) return gb_fail_memory(w->wanted);
    w->lanes = memset(gb_carve(&at, lanes), 0, lanes);
    w->args.scratch = at;
    return GBL_SUCCESS;
}

static void work_free(void *work, const gb_MxmArgs *g, gb_MxmStats *stats) {
    gb_VectorWork *w = work;
    (void)g;
    stats->dense += w->rows_dense;
    stats->hashed += w->rows_hashed;
    gb_grown_free(&w->of_rows);
    gb_grown_free(&w->of_dense);
    gb_grown_free(&w->of_table);
    gb_grown_free(&w->of_keys);
    gb_grown_free(&w->of_lanes);
}

/* -- rows of a chunk --------------------------------------------------------------------------- */

/* Products of row i that are computed: none where the mask leaves nothing. */
static uint64_t flops_made(const gb_MxmArgs *g, uint64_t i) {
    if (g->mask_kind == GB_MASK_INSIDE && g->M.p[i + 1] == g->M.p[i]) return 0;
    return g->flops[i + 1] - g->flops[i];
}

/* Reserves each row its capacity; returns the most products of a row. */
static uint64_t set_capacities(const gb_MxmArgs *g, const gb_VectorOut *out) {
    uint64_t most = 0, at = 0;
    for (uint64_t i = out->from; i < out->to; i++) {
        const uint64_t f = flops_made(g, i);
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
        const uint64_t f = flops_made(w->g, i);
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

/* Rows one after the other; returns the entries. */
static uint64_t compact_rows(const gb_VectorWork *w, const gb_VectorOut *out) {
    const size_t size = w->args.zsize;
    uint64_t n = 0;
    for (uint64_t i = out->from; i < out->to; i++) {
        const uint64_t at = out->p[i], count = out->count[i - out->from];
        out->p[i] = n;
        if (at != n) {
            memmove(out->i + n, out->i + at, count * sizeof *out->i);
            memmove(out->x + n * size, out->x + at * size, count * size);
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
