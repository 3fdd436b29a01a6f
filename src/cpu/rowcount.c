/* SPDX-License-Identifier: Apache-2.0
 *
 * The symbolic pass: marks the columns of a row, counts the new ones, and unmarks them by walking
 * the same products again. mark[] has one byte a column; pages of columns never met are never
 * touched.
 */
#include "cpu/rowcount.h"

#include "core/arrays.h"
#include "core/parallel.h"
#include "core/tune.h"

enum { FREE = 0, LISTED = 1, FOUND = 2 };

static uint64_t count_row(const gb_MxmArgs *g, uint8_t *mark, uint64_t i) {
    const gb_CsView *A = &g->A, *B = &g->B, *M = &g->M;
    const bool masked = g->mask_kind != GB_MASK_NONE;
    const uint8_t wanted = g->mask_kind == GB_MASK_INSIDE ? LISTED : FREE;
    uint64_t n = 0;
    for (gb_Off q = masked ? M->p[i] : 0; masked && q < M->p[i + 1]; q++) mark[M->i[q]] = LISTED;
    for (gb_Off p = A->p[i]; p < A->p[i + 1]; p++)
        for (gb_Off q = B->p[A->i[p]]; q < B->p[A->i[p] + 1]; q++) {
            if (mark[B->i[q]] != wanted) continue;
            mark[B->i[q]] = FOUND;
            n++;
        }
    for (gb_Off p = A->p[i]; p < A->p[i + 1]; p++)
        for (gb_Off q = B->p[A->i[p]]; q < B->p[A->i[p] + 1]; q++) mark[B->i[q]] = FREE;
    for (gb_Off q = masked ? M->p[i] : 0; masked && q < M->p[i + 1]; q++) mark[M->i[q]] = FREE;
    return n;
}

/* Short rows and hashed rows are masked after they are written, so they need room for everything
 * they may write before. */
static uint64_t room_for(const gb_MxmArgs *g, uint8_t *mark, uint64_t i) {
    const uint64_t f = g->flops[i + 1] - g->flops[i];
    if (f == 0) return 0;
    if (g->mask_kind == GB_MASK_NONE) return count_row(g, mark, i);
    gb_MxmArgs unmasked = *g;
    unmasked.mask_kind = GB_MASK_NONE;
    const bool late = f <= GB_SORT_MAX || g->B.nminor * (g->args.zsize + 1) > GB_DENSE_BYTES;
    return count_row(late ? &unmasked : g, mark, i);
}

gbl_Info gb_chunks_count_rows(gb_Chunks *chunks, const gb_MxmArgs *g) {
    const uint64_t n = g->B.nminor;
    const size_t bytes = (size_t)g->nthreads * n;
    uint8_t *marks = gb_calloc(bytes);
    if (marks == NULL && bytes > 0) return gb_fail_memory(NULL, bytes);
    GB_PARALLEL_FOR(g->nthreads)
    for (uint64_t c = 0; c < chunks->n; c++) {
        uint8_t *mark = marks + (uint64_t)gb_thread_id() * n;
        chunks->count[c] = 0;
        for (uint64_t i = chunks->row[c]; i < chunks->row[c + 1]; i++)
            chunks->count[c] += room_for(g, mark, i);
    }
    for (uint64_t c = 0; c < chunks->n; c++)
        chunks->start[c + 1] = chunks->start[c] + chunks->count[c];
    gb_free(marks, bytes);
    return GBL_SUCCESS;
}
