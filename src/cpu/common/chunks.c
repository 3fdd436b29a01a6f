/* SPDX-License-Identifier: Apache-2.0
 *
 * Cutting rows into chunks; see chunks.h.
 */
#include "cpu/common/chunks.h"

#include "core/arrays.h"
#include "core/parallel.h"
#include "core/search.h"
#include "core/tune.h"

void gb_chunks_free(gb_Chunks *chunks) {
    gb_free(chunks->row, (chunks->n + 1) * sizeof *chunks->row);
    gb_free(chunks->capacity, chunks->n * sizeof *chunks->capacity);
    *chunks = (gb_Chunks){0};
}

gbl_Info gb_chunks_new(gb_Chunks *chunks, uint64_t n) {
    *chunks = (gb_Chunks){.n = n};
    chunks->row = gb_malloc((n + 1) * sizeof *chunks->row);
    chunks->capacity = gb_malloc(n * sizeof *chunks->capacity);
    if (chunks->row != NULL && chunks->capacity != NULL) return GBL_SUCCESS;
    gb_chunks_free(chunks);
    return gb_fail_memory(2 * n * sizeof(uint64_t));
}

/* At least one chunk, at most one for each piece that stays whole. */
static uint64_t chunk_count(uint64_t cost, uint64_t per_chunk, uint64_t pieces) {
    uint64_t n = cost / per_chunk + 1;
    if (n > GB_CHUNKS_MOST) n = GB_CHUNKS_MOST;
    return n <= pieces ? n : pieces > 0 ? pieces : 1;
}

typedef struct {
    gb_Chunks *chunks;
    const gb_MxmArgs *g;
} gb_Capacities;

/* Room of the chunks [from, to). Short and hashed rows are masked after they are written, so the
 * mask does not lower the capacity. */
static void find_capacities(void *context, uint64_t from, uint64_t to) {
    const gb_Capacities *r = context;
    const gb_Chunks *chunks = r->chunks;
    const gb_MxmArgs *g = r->g;
    for (uint64_t c = from; c < to; c++) {
        chunks->capacity[c] = 0;
        for (uint64_t i = chunks->row[c]; i < chunks->row[c + 1]; i++) {
            const uint64_t f = g->flops[i + 1] - g->flops[i];
            chunks->capacity[c] += f < g->B.nminor ? f : g->B.nminor;
        }
    }
}

gbl_Info gb_chunks_by_flops(gb_Chunks *chunks, const gb_MxmArgs *g, unsigned rows) {
    const uint64_t m = g->A.nmajor;
    const uint64_t total = g->flops[m] + GB_ROW_COST * m; /* products, and something per row */
    const uint64_t n = chunk_count(total, g->allow.chunk, m / rows + (m % rows != 0));
    const gbl_Info info = gb_chunks_new(chunks, n);
    if (info != GBL_SUCCESS) return info;
    for (uint64_t c = 0; c < n; c++) {
        const uint64_t row = gb_row_at_work(g->flops, m, GB_ROW_COST, gb_part(total, c, n));
        chunks->row[c] = row - row % rows;
    }
    chunks->row[n] = m;
    gb_parallel_ranges(gb_threads_for(m, GB_GRAIN, g->nthreads), n, find_capacities,
                       &(gb_Capacities){chunks, g});
    return GBL_SUCCESS;
}

gbl_Info gb_chunks_by_mask(gb_Chunks *chunks, const gb_MxmArgs *g) {
    const uint64_t m = g->A.nmajor, total = g->M.nvals + m;
    const uint64_t n = chunk_count(total, g->allow.chunk, m);
    const gbl_Info info = gb_chunks_new(chunks, n);
    if (info != GBL_SUCCESS) return info;
    for (uint64_t c = 0; c < n; c++)
        chunks->row[c] = gb_row_at_work(g->M.p, m, 1, gb_part(total, c, n));
    chunks->row[n] = m;
    for (uint64_t c = 0; c < n; c++)
        chunks->capacity[c] = g->M.p[chunks->row[c + 1]] - g->M.p[chunks->row[c]];
    return GBL_SUCCESS;
}
