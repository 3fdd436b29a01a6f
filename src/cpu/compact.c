/* SPDX-License-Identifier: Apache-2.0
 *
 * Cutting rows into chunks, and closing the gaps between their results; see compact.h.
 */
#include "cpu/compact.h"

#include <string.h>

#include "core/arrays.h"
#include "core/parallel.h"
#include "core/tune.h"

void gb_chunks_free(gb_Chunks *chunks) {
    gb_free(chunks->row, (chunks->n + 1) * sizeof *chunks->row);
    gb_free(chunks->start, (chunks->n + 1) * sizeof *chunks->start);
    gb_free(chunks->count, chunks->n * sizeof *chunks->count);
    *chunks = (gb_Chunks){0};
}

gbl_Info gb_chunks_new(gb_Chunks *chunks, uint64_t n) {
    *chunks = (gb_Chunks){.n = n};
    chunks->row = gb_malloc((n + 1) * sizeof *chunks->row);
    chunks->start = gb_malloc((n + 1) * sizeof *chunks->start);
    chunks->count = gb_calloc(n * sizeof *chunks->count);
    if (chunks->row != NULL && chunks->start != NULL && chunks->count != NULL) return GBL_SUCCESS;
    gb_chunks_free(chunks);
    return gb_fail_memory(NULL, 3 * n * sizeof(uint64_t));
}

/* Running cost of the rows before i: products plus something per row. */
static uint64_t cost_before(const gb_MxmArgs *g, uint64_t i) {
    return g->flops[i] + GB_ROW_COST * i;
}

static uint64_t row_at_cost(const gb_MxmArgs *g, uint64_t cost) {
    uint64_t lo = 0, hi = g->A.nmajor;
    while (lo < hi) {
        const uint64_t mid = lo + (hi - lo) / 2;
        if (cost_before(g, mid) < cost)
            lo = mid + 1;
        else
            hi = mid;
    }
    return lo;
}

static uint64_t row_bound(const gb_MxmArgs *g, uint64_t i) {
    uint64_t most = g->flops[i + 1] - g->flops[i];
    const uint64_t n = g->B.nminor;
    if (most > n) most = n;
    if (g->mask_kind == GB_MASK_NONE) return most;
    /* short rows are masked after they are written: they need room for all their products */
    const uint64_t listed = g->M.p[i + 1] - g->M.p[i];
    const uint64_t allowed = g->mask_kind == GB_MASK_INSIDE ? listed : n - listed;
    return most <= GB_SORT_MAX || n * (g->args.zsize + 1) > GB_DENSE_BYTES ? most
           : most < allowed                                                ? most
                                                                           : allowed;
}

gbl_Info gb_chunks_by_flops(gb_Chunks *chunks, const gb_MxmArgs *g) {
    const uint64_t m = g->A.nmajor, total = cost_before(g, m);
    uint64_t n = total / GB_CHUNK_FLOPS + 1;
    const uint64_t most = (uint64_t)g->nthreads * GB_CHUNKS_PER_THREAD;
    if (n > most) n = most;
    if (n > m) n = m > 0 ? m : 1;
    const gbl_Info info = gb_chunks_new(chunks, n);
    if (info != GBL_SUCCESS) return info;
    for (uint64_t c = 0; c < n; c++) chunks->row[c] = row_at_cost(g, gb_part(total, c, n));
    chunks->row[n] = m;
    chunks->start[0] = 0;
    for (uint64_t c = 0; c < n; c++) {
        uint64_t room = 0;
        for (uint64_t i = chunks->row[c]; i < chunks->row[c + 1]; i++) room += row_bound(g, i);
        chunks->start[c + 1] = chunks->start[c] + room;
    }
    return GBL_SUCCESS;
}

gbl_Info gb_chunks_by_mask(gb_Chunks *chunks, const gb_MxmArgs *g) {
    const uint64_t m = g->A.nmajor, total = g->M.nvals + m;
    uint64_t n = (uint64_t)g->nthreads * GB_CHUNKS_PER_THREAD;
    if (n > total / GB_CHUNK_FLOPS * 16 + 1) n = total / GB_CHUNK_FLOPS * 16 + 1;
    if (n > m) n = m > 0 ? m : 1;
    const gbl_Info info = gb_chunks_new(chunks, n);
    if (info != GBL_SUCCESS) return info;
    uint64_t i = 0;
    for (uint64_t c = 0; c < n; c++) {
        while (i < m && g->M.p[i] + i < gb_part(total, c, n)) i++;
        chunks->row[c] = i;
        chunks->start[c] = g->M.p[i];
    }
    chunks->row[n] = m;
    chunks->start[n] = g->M.nvals;
    return GBL_SUCCESS;
}

/* Moves every chunk's bytes down to where they belong; chunks in order, so none is overwritten. */
static void move_down(char *x, const gb_Chunks *chunks, size_t size) {
    gb_Off to = 0;
    for (uint64_t c = 0; c < chunks->n; c++) {
        if (to != chunks->start[c])
            memmove(x + to * size, x + chunks->start[c] * size, chunks->count[c] * size);
        to += chunks->count[c];
    }
}

static void finish_pointers(const gb_Chunks *chunks, gb_Cs *T, const gb_Off *final, int nthreads) {
    GB_PARALLEL_FOR(nthreads)
    for (uint64_t c = 0; c < chunks->n; c++)
        for (uint64_t i = chunks->row[c]; i < chunks->row[c + 1]; i++) T->p[i] += final[c];
    T->p[T->nmajor] = final[chunks->n];
    T->nvals = final[chunks->n];
}

static gbl_Info copy_out(const gb_Chunks *chunks, gb_Cs *T, const gb_Off *final, size_t zsize,
                         int nthreads) {
    const uint64_t nvals = final[chunks->n];
    const size_t ibytes = nvals * sizeof(gb_Idx), xbytes = nvals * zsize;
    gb_Idx *i = gb_malloc(ibytes);
    char *x = gb_malloc(xbytes);
    if ((i == NULL && ibytes > 0) || (x == NULL && xbytes > 0)) {
        gb_free(i, ibytes);
        gb_free(x, xbytes);
        return gb_fail_memory(NULL, ibytes + xbytes);
    }
    GB_PARALLEL_FOR(nthreads)
    for (uint64_t c = 0; c < chunks->n; c++) {
        if (chunks->count[c] == 0) continue;
        memcpy(i + final[c], T->i + chunks->start[c], chunks->count[c] * sizeof(gb_Idx));
        memcpy(x + final[c] * zsize, (char *)T->x + chunks->start[c] * zsize,
               chunks->count[c] * zsize);
    }
    gb_free(T->i, T->icap * sizeof(gb_Idx));
    gb_free(T->x, T->xcap);
    T->i = i;
    T->x = x;
    T->icap = nvals;
    T->xcap = xbytes;
    return GBL_SUCCESS;
}

gbl_Info gb_chunks_close(const gb_Chunks *chunks, gb_Cs *T, size_t zsize, int nthreads) {
    gbl_Info info = GBL_SUCCESS;
    gb_Off *final = gb_malloc((chunks->n + 1) * sizeof *final);
    if (final == NULL) return gb_fail_memory(NULL, (chunks->n + 1) * sizeof *final);
    final[0] = 0;
    for (uint64_t c = 0; c < chunks->n; c++) final[c + 1] = final[c] + chunks->count[c];
    if ((double)T->icap > GB_SLACK_MAX * (double) final[chunks->n]) {
        info = copy_out(chunks, T, final, zsize, nthreads);
    } else if (T->icap != final[chunks->n]) {
        GB_PARALLEL_FOR(nthreads > 1 ? 2 : 1)
        for (int half = 0; half < 2; half++) {
            if (half == 0)
                move_down((char *)T->i, chunks, sizeof(gb_Idx));
            else
                move_down(T->x, chunks, zsize);
        }
    }
    if (info == GBL_SUCCESS) finish_pointers(chunks, T, final, nthreads);
    gb_free(final, (chunks->n + 1) * sizeof *final);
    return info;
}
