/* SPDX-License-Identifier: Apache-2.0
 *
 * Cutting rows into chunks; see chunks.h.
 */
#include "cpu/common/chunks.h"

#include "core/arrays.h"

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

/* -- rows in parts of like work ------------------------------------------------------------- */

/* Parts of rows; see chunks.h. */

uint64_t gb_sum_rows(gb_Cs *T) {
    uint64_t most = 0, sum = 0;
    T->p[0] = 0;
    for (uint64_t r = 1; r <= T->nmajor; r++) {
        const uint64_t count = T->p[r];
        most = count > most ? count : most;
        sum = count < PTRDIFF_MAX - sum ? sum + count : PTRDIFF_MAX; /* no array is so long */
        T->p[r] = sum;
    }
    return most;
}

void gb_row_parts_renew(gb_RowParts *parts, const gb_Cs *T) {
    const uint64_t rows = T->nmajor, work = rows + T->p[rows];
    uint64_t from = 0;
    for (uint64_t t = 0; t < parts->n; t++) {
        const bool last = t + 1 == parts->n;
        const uint64_t end = gb_part(work, t + 1, parts->n);
        const uint64_t to = last ? rows : gb_row_at_work(T->p, rows, 1, end);
        parts->part[t] = (gb_RowPart){.from = from, .to = to, .first = T->p[from]};
        from = to;
    }
}

gbl_Info gb_row_parts_make(gb_RowParts *parts, const gb_Cs *T, int nthreads) {
    parts->threads = gb_threads_for(T->nmajor + T->p[T->nmajor], GB_GRAIN, nthreads);
    parts->n = (uint64_t)gb_parts_for(parts->threads);
    const size_t bytes = parts->n * sizeof *parts->part;
    parts->part = gb_malloc(bytes);
    if (parts->part == NULL) return gb_fail_memory(bytes);
    gb_row_parts_renew(parts, T);
    return GBL_SUCCESS;
}

void gb_row_parts_free(gb_RowParts *parts) {
    gb_free(parts->part, parts->n * sizeof *parts->part);
    parts->part = NULL;
}

gbl_Info gb_row_parts_alloc(gb_Cs *T, size_t xsize) {
    const uint64_t nvals = T->p[T->nmajor];
    size_t ibytes, xbytes;
    if (!gb_size_mul(&ibytes, nvals, sizeof *T->i) ||
        !gb_size_mul(&xbytes, T->iso && nvals > 0 ? 1 : nvals, xsize))
        return gb_fail_memory(SIZE_MAX);
    T->i = gb_malloc(ibytes);
    T->icap = nvals;
    T->x = gb_malloc(xbytes);
    T->xcap = xbytes;
    T->nvals = nvals;
    if (nvals == 0 || (T->i != NULL && (T->x != NULL || xbytes == 0))) return GBL_SUCCESS;
    return gb_fail_memory(ibytes <= SIZE_MAX - xbytes ? ibytes + xbytes : SIZE_MAX);
}

void gb_row_parts_close(const gb_RowParts *parts, gb_Cs *T, size_t xsize) {
    const size_t size = T->iso ? 0 : xsize;
    uint64_t q = 0;
    for (uint64_t t = 0; t < parts->n; t++) {
        const gb_RowPart *part = &parts->part[t];
        const uint64_t n = part->end - part->first, gap = part->first - q;
        for (uint64_t r = part->from; gap > 0 && r < part->to; r++) T->p[r] -= gap;
        if (gap > 0 && n > 0) {
            memmove(T->i + q, T->i + part->first, n * sizeof *T->i);
            memmove((char *)T->x + q * size, (char *)T->x + part->first * size, n * size);
        }
        q += n;
    }
    T->p[T->nmajor] = T->nvals = q;
    gb_cs_trim(T, xsize);
}
