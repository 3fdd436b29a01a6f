/* SPDX-License-Identifier: Apache-2.0
 *
 * Counting flops; see counts.h. Sums are joined in a fixed order, so they do not depend on the
 * number of threads.
 */
#include "mxm/plan/counts.h"

#include "core/arrays.h"
#include "core/context.h"
#include "core/memory.h"
#include "core/parallel.h"
#include "core/tune.h"

enum { PARTS = 16 }; /* whatever the number of threads, so that sums do not depend on it */

static void count_row(gb_RowCounts *c, uint64_t entries, uint64_t f, uint64_t n) {
    if (entries == 1) {
        c->rows_copied++;
        c->flops_copied += f;
    } else {
        const unsigned bits = f > 0 ? 64u - (unsigned)__builtin_clzll(f) : 0u;
        const unsigned class = bits < GB_CLASSES ? bits : GB_CLASSES - 1u;
        c->rows[class]++;
        c->flops[class] += f;
    }
    if (f > c->most) c->most = f;
    c->upper_bound += f < n ? f : n;
    c->squares += (double)f * (double)f;
}

static void add_counts(gb_RowCounts *to, const gb_RowCounts *from) {
    for (unsigned c = 0; c < GB_CLASSES; c++) {
        to->rows[c] += from->rows[c];
        to->flops[c] += from->flops[c];
    }
    to->rows_copied += from->rows_copied;
    to->flops_copied += from->flops_copied;
    if (from->most > to->most) to->most = from->most;
    to->upper_bound += from->upper_bound;
    to->squares += from->squares;
}

/* -- A by rows --------------------------------------------------------------------------------- */

/* flops[i + 1] = flops of row i, from the row pointers of B. */
static void count_part(gb_RowCounts *counts, const gb_CsView *A, const gb_Off *Bp, uint64_t n,
                       uint64_t *flops, const uint64_t rows[2]) {
    gb_RowCounts c = {0};
    for (uint64_t i = rows[0]; i < rows[1]; i++) {
        uint64_t f = 0;
        for (gb_Off p = A->p[i]; p < A->p[i + 1]; p++) f += Bp[A->i[p] + 1] - Bp[A->i[p]];
        flops[i + 1] = f;
        count_row(&c, A->p[i + 1] - A->p[i], f, n);
    }
    *counts = c;
}

typedef struct {
    gb_RowCounts counts[PARTS];
    const gb_CsView *A;
    const gb_Off *Bp;
    uint64_t n, *flops;
} Counting;

static void run_count_part(void *context, uint64_t t) {
    Counting *c = context;
    const uint64_t m = c->A->nmajor;
    const uint64_t rows[] = {gb_part(m, t, PARTS), gb_part(m, t + 1, PARTS)};
    count_part(&c->counts[t], c->A, c->Bp, c->n, c->flops, rows);
}

static void count_by_rows(gb_RowCounts *sum, const gb_CsView *A, const gb_Off *Bp, uint64_t n,
                          uint64_t *flops) {
    const uint64_t m = A->nmajor;
    if (A->nvals + m < GB_GRAIN) {
        count_part(sum, A, Bp, n, flops, (const uint64_t[]){0, m});
        return;
    }
    Counting c = {.A = A, .Bp = Bp, .n = n, .flops = flops};
    gb_parallel_for(gb_threads_for(A->nvals + m, GB_GRAIN, gb_nthreads()), PARTS, run_count_part,
                    &c);
    *sum = c.counts[0];
    for (uint64_t t = 1; t < PARTS; t++) add_counts(sum, &c.counts[t]);
}

/* -- A by columns ------------------------------------------------------------------------------ */

/* Column k of A adds the length of row k of B to each row that it has an entry in. entries[i]
 * counts those of row i of A, up to 2. */
static void scatter_columns(const gb_CsView *A, const gb_Off *Bp, uint64_t *flops,
                            uint8_t *entries) {
    for (uint64_t k = 0; k < A->nmajor; k++) {
        const uint64_t length = Bp[k + 1] - Bp[k];
        for (gb_Off p = A->p[k]; p < A->p[k + 1]; p++) {
            const gb_Idx i = A->i[p];
            flops[i + 1] += length;
            entries[i] = entries[i] < 2 ? entries[i] + 1 : 2;
        }
    }
}

static gbl_Info count_by_columns(gb_RowCounts *sum, const gb_CsView *A, const gb_Off *Bp,
                                 uint64_t n, uint64_t *flops) {
    const uint64_t m = A->nminor;
    gb_RowCounts counts = {0};
    uint8_t *entries = gb_calloc(m);
    if (entries == NULL) return gb_fail_memory(NULL, m);
    for (uint64_t i = 0; i < m; i++) flops[i + 1] = 0;
    scatter_columns(A, Bp, flops, entries);
    for (uint64_t i = 0; i < m; i++) count_row(&counts, entries[i], flops[i + 1], n);
    gb_free(entries, m);
    *sum = counts;
    return GBL_SUCCESS;
}

/* -- both -------------------------------------------------------------------------------------- */

/* Row pointers of a matrix that is held by columns. */
static gbl_Info count_rows(gb_Off **pointers, const gb_CsView *columns) {
    const uint64_t rows = columns->nminor;
    gb_Off *p = gb_calloc((rows + 1) * sizeof *p);
    if (p == NULL) return gb_fail_memory(NULL, (rows + 1) * sizeof *p);
    for (uint64_t q = 0; q < columns->nvals; q++) p[columns->i[q] + 1]++;
    for (uint64_t r = 0; r < rows; r++) p[r + 1] += p[r];
    *pointers = p;
    return GBL_SUCCESS;
}

gbl_Info gb_count_flops(gb_Features *f, const gb_Operands *in, uint64_t *flops) {
    const gb_Factor *A = &in->A, *B = &in->B;
    gb_Off *made = NULL;
    gbl_Info info = GBL_SUCCESS;
    if (!B->has[GB_BY_ROWS]) info = count_rows(&made, &B->list[GB_BY_COLUMNS]);
    if (info != GBL_SUCCESS) return info;
    const gb_Off *Bp = made != NULL ? made : B->list[GB_BY_ROWS].p;
    if (A->has[GB_BY_ROWS])
        count_by_rows(&f->rows, &A->list[GB_BY_ROWS], Bp, f->n, flops);
    else
        info = count_by_columns(&f->rows, &A->list[GB_BY_COLUMNS], Bp, f->n, flops);
    gb_free(made, (f->k + 1) * sizeof *made);
    if (info != GBL_SUCCESS) return info;
    flops[0] = 0;
    for (uint64_t i = 0; i < f->m; i++) flops[i + 1] += flops[i];
    f->flops = flops[f->m];
    f->counted = true;
    return GBL_SUCCESS;
}
