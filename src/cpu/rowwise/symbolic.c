/* SPDX-License-Identifier: Apache-2.0
 *
 * The symbolic pass: how many entries each row of C will have, by pattern alone. A row marks its
 * columns with its own stamp, so that nothing needs to be unmarked; where the marks of all columns
 * would leave the cache and the sampled compression ratio says that the row is short enough, a hash
 * set takes their place ("assisted", Ocean, ICS '26, section 4.1).
 */
#include "cpu/rowwise/symbolic.h"

#include "core/arrays.h"
#include "core/parallel.h"
#include "cpu/simd/isa.h"

/* mark[j] is `stamp` where column j is in the mask's row, stamp + 1 where an entry was found. */
typedef struct {
    uint16_t *mark; /* [n], from the first row that wants it on */
    uint16_t stamp; /* even; 0 is no stamp */
    gb_RowWork
        row; /* its table of slots serves as the set; row.wanted says what was not to be had */
} gb_Counter;

static uint64_t count_by_stamps(const gb_MxmArgs *g, gb_Counter *c, uint64_t i) {
    const gb_CsView *A = &g->A, *B = &g->B, *M = &g->M;
    const size_t bytes = B->nminor * sizeof *c->mark;
    if (c->mark == NULL) c->mark = gb_calloc(bytes);
    if (c->mark == NULL) {
        c->row.wanted = bytes;
        return 0;
    }
    if (c->stamp >= UINT16_MAX - 2) {
        memset(c->mark, 0, bytes);
        c->stamp = 0;
    }
    const uint16_t listed = c->stamp = (uint16_t)(c->stamp + 2), found = (uint16_t)(listed + 1);
    uint16_t *restrict mark = c->mark;
    const bool masked = g->mask_kind != GB_MASK_NONE, inside = g->mask_kind == GB_MASK_INSIDE;
    for (gb_Off q = masked ? M->p[i] : 0; masked && q < M->p[i + 1]; q++) mark[M->i[q]] = listed;
    uint64_t n = 0;
    for (gb_Off p = A->p[i]; p < A->p[i + 1]; p++)
        for (gb_Off q = B->p[A->i[p]]; q < B->p[A->i[p] + 1]; q++) {
            const uint16_t m = mark[B->i[q]];
            const bool wanted = m != found && (!masked || (m == listed) == inside);
            mark[B->i[q]] = wanted ? found : m;
            n += wanted;
        }
    return n;
}

/* UINT64_MAX when the row has more entries than capacity. */
static uint64_t count_by_hash(const gb_MxmArgs *g, gb_Counter *c, uint64_t i, uint64_t capacity) {
    const unsigned bits = gb_table_bits(capacity);
    if (!GB_ISA_NAME(gb_reserve_slots)(&c->row, bits)) return 0;
    const gb_Table table = gb_table(c->row.table_key, bits);
    uint64_t n = 0;
    for (gb_Off p = g->A.p[i]; p < g->A.p[i + 1] && n <= capacity; p++)
        for (gb_Off q = g->B.p[g->A.i[p]]; q < g->B.p[g->A.i[p] + 1] && n <= capacity; q++) {
            bool is_new;
            const uint64_t s = gb_table_find(&table, g->B.i[q], &is_new);
            if (!is_new) continue;
            if (n < capacity) {
                table.key[s] = g->B.i[q];
                c->row.list[n] = s;
            }
            n++;
        }
    for (uint64_t e = 0; e < n && e < capacity; e++) table.key[c->row.list[e]] = GB_NO_KEY;
    return n <= capacity ? n : UINT64_MAX;
}

/* Marks of so many columns would cost more than the rows: bounds stand for masked rows, sets for
 * the others. */
static uint64_t count_wide_row(const gb_MxmArgs *g, gb_Counter *c, uint64_t i, uint64_t f) {
    const uint64_t most = f < g->B.nminor ? f : g->B.nminor;
    if (g->mask_kind == GB_MASK_INSIDE) {
        const uint64_t listed = g->M.p[i + 1] - g->M.p[i];
        return listed < most ? listed : most;
    }
    const uint64_t n = count_by_hash(g, c, i, gb_row_capacity(g, i, f));
    return n != UINT64_MAX ? n : count_by_hash(g, c, i, most);
}

static uint64_t count_row(const gb_MxmArgs *g, gb_Counter *c, uint64_t i) {
    const uint64_t f = g->flops[i + 1] - g->flops[i], a = g->A.p[i + 1] - g->A.p[i];
    const bool masked = g->mask_kind != GB_MASK_NONE;
    if (f == 0 || (!masked && a == 1)) return f;
    const uint64_t bytes = g->B.nminor * sizeof *c->mark;
    if (bytes > GB_MARKS_MOST) return count_wide_row(g, c, i, f);
    const uint64_t capacity = gb_row_capacity(g, i, f);
    if (!masked && bytes > GB_COUNT_BYTES && capacity * sizeof(gb_Idx) < GB_COUNT_BYTES / 4) {
        const uint64_t n = count_by_hash(g, c, i, capacity);
        if (n != UINT64_MAX) return n;
    }
    return count_by_stamps(g, c, i);
}

typedef struct {
    const gb_MxmArgs *g;
    const gb_Chunks *chunks;
    gb_Counter *counters; /* [nthreads] */
    float *size;
    uint64_t total; /* atomic */
    int failed;     /* atomic: memory was short */
} gb_Counting;

static void count_chunk(void *context, uint64_t chunk) {
    gb_Counting *counting = context;
    const gb_MxmArgs *g = counting->g;
    gb_Counter *c = &counting->counters[gb_thread_id()];
    const uint64_t *row = counting->chunks->row + chunk;
    uint64_t sum = 0;
    if (__atomic_load_n(&counting->failed, __ATOMIC_RELAXED)) return;
    for (uint64_t i = row[0]; i < row[1] && c->row.wanted == 0; i++) {
        const uint64_t n = count_row(g, c, i);
        counting->size[i] = (float)n;
        sum += n;
    }
    __atomic_fetch_add(&counting->total, sum, __ATOMIC_RELAXED);
    if (c->row.wanted > 0) __atomic_store_n(&counting->failed, 1, __ATOMIC_RELAXED);
}

gbl_Info GB_ISA_NAME(gb_count_rows)(const gb_MxmArgs *g, const gb_Chunks *chunks, float *size,
                                    uint64_t *total) {
    const size_t bytes = (size_t)g->nthreads * sizeof(gb_Counter);
    gb_Counter *counters = gb_calloc(bytes);
    if (counters == NULL) return gb_fail_memory(bytes);
    for (int t = 0; t < g->nthreads; t++) counters[t].row.args = g->args;
    gb_Counting counting = {.g = g, .chunks = chunks, .counters = counters, .size = size};
    gb_parallel_for(g->nthreads, chunks->n, count_chunk, &counting);
    *total = counting.total;
    gbl_Info info = GBL_SUCCESS;
    for (int t = 0; t < g->nthreads; t++) {
        if (counters[t].row.wanted > 0) info = gb_fail_memory(counters[t].row.wanted);
        gb_free(counters[t].mark, g->B.nminor * sizeof *counters[t].mark);
        GB_ISA_NAME(gb_rowwork_free)(&counters[t].row);
    }
    gb_free(counters, bytes);
    return info;
}
