/* SPDX-License-Identifier: Apache-2.0
 *
 * Flop counts; see plan.h. Partial sums are added in a fixed order, so results do not depend on
 * the number of threads.
 */
#include "mxm/plan/plan.h"

enum { PARTS = 16 }; /* whatever the number of threads, so that sums do not depend on it */

/* The class of a row of f flops among those of gb_RowCounts. */
static unsigned flops_class(uint64_t f) {
    const unsigned bits = 64u - (unsigned)__builtin_clzll(f | 1u) - (f == 0);
    return bits < GB_CLASSES ? bits : GB_CLASSES - 1u;
}

/* Classes of rows while counting. Rows of A with one entry form a class after the others, so no
 * branch depends on the row. Alternate between copies of the counters: incrementing one twice in a
 * row waits for the first store. */
enum { COPIED = GB_CLASSES, CLASSES_AND_COPIED, TURNS = 4 };
typedef struct {
    uint64_t rows, flops;
} FlopsClass;
typedef struct {
    FlopsClass classes[TURNS][CLASSES_AND_COPIED];
    uint64_t most, upper_bound;
    double squares[2];
} Tally;

/* Adds row i of f flops in a product of n columns; copied: A has one entry there. */
static void tally_row(Tally *t, uint64_t i, bool copied, uint64_t f, uint64_t n) {
    FlopsClass *class = &t->classes[i % TURNS][copied ? COPIED : flops_class(f)];
    class->rows++;
    class->flops += f;
    t->most = f > t->most ? f : t->most;
    t->upper_bound += f < n ? f : n;
    t->squares[i % 2] += (double)f * (double)f;
}

/* Adds to counts that are 0 at first, or those of rows before. */
static void add_tally(gb_RowCounts *c, const Tally *t) {
    for (unsigned turn = 0; turn < TURNS; turn++) {
        const FlopsClass *class = t->classes[turn];
        c->rows_copied += class[COPIED].rows;
        c->flops_copied += class[COPIED].flops;
        for (unsigned k = 0; k < GB_CLASSES; k++) {
            c->rows[k] += class[k].rows;
            c->flops[k] += class[k].flops;
        }
    }
    if (t->most > c->most) c->most = t->most;
    c->upper_bound += t->upper_bound;
    c->squares += t->squares[0] + t->squares[1];
}

uint64_t gb_count_small_rows(gb_RowCounts *counts, const gb_SmallRow *row, uint64_t m, uint64_t n) {
    Tally rows = {0};
    uint64_t sum = 0;
    for (uint64_t i = 0; i < m; i++) {
        const uint64_t flops = row[i] & (GB_ONE_ENTRY - 1u);
        sum += flops;
        tally_row(&rows, i, (row[i] & GB_ONE_ENTRY) != 0, flops, n);
    }
    add_tally(counts, &rows);
    return sum;
}

/* -- A by rows --------------------------------------------------------------------------------- */

typedef struct {
    const gb_CsView *A;
    const gb_Off *Bp;
    uint64_t n;
    uint64_t *flops;          /* [m + 1] */
    uint64_t parts;           /* of A's rows */
    uint64_t part[PARTS + 1]; /* flops before each */
    Tally tally[PARTS];
} gb_Counting;

/* upto[e] = before + lengths of the rows of B that the first e entries select; returns the total.
 * Four entries at a time, so one addition in four depends on the previous one. */
static uint64_t sum_lengths(uint64_t *upto, const gb_Off *Bp, const gb_Idx *k, uint64_t entries,
                            uint64_t before) {
    uint64_t e = 0;
    for (; e + 4 <= entries; e += 4) {
        const uint64_t a = Bp[k[e] + 1] - Bp[k[e]], b = Bp[k[e + 1] + 1] - Bp[k[e + 1]];
        const uint64_t c = Bp[k[e + 2] + 1] - Bp[k[e + 2]], d = Bp[k[e + 3] + 1] - Bp[k[e + 3]];
        const uint64_t two = a + b, four = two + (c + d);
        upto[e] = before;
        upto[e + 1] = before + a;
        upto[e + 2] = before + two;
        upto[e + 3] = before + (two + c);
        before += four;
    }
    for (; e < entries; e++) {
        upto[e] = before;
        before += Bp[k[e] + 1] - Bp[k[e]];
    }
    upto[entries] = before;
    return before;
}

/* flops[i + 1] = flops of the part's rows up to i; part[t + 1] their sum. Entries are processed in
 * blocks: first a prefix sum of flops, then the rows that end in the block. This avoids a branch
 * per row end, which mispredicts where lengths differ. */
static void sum_part(void *context, uint64_t t) {
    enum { BLOCK = 512 };
    gb_Counting *c = context;
    const uint64_t end = gb_part(c->A->nmajor, t + 1, c->parts);
    uint64_t upto[BLOCK + 1], sum = 0, i = gb_part(c->A->nmajor, t, c->parts);
    const gb_Off *Ap = c->A->p, last = Ap[end];
    for (gb_Off from = Ap[i]; from < last; from += BLOCK) {
        const uint64_t entries = last - from < BLOCK ? last - from : BLOCK;
        sum = sum_lengths(upto, c->Bp, c->A->i + from, entries, sum);
        for (; i < end && Ap[i + 1] <= from + entries; i++)
            c->flops[i + 1] = upto[Ap[i + 1] - from];
    }
    for (; i < end; i++) c->flops[i + 1] = sum;
    c->part[t + 1] = sum;
}

/* Adds the flops of the parts before, and counts rows. */
static void count_part(void *context, uint64_t t) {
    gb_Counting *c = context;
    const uint64_t m = c->A->nmajor, end = gb_part(m, t + 1, c->parts), before = c->part[t];
    Tally *tally = &c->tally[t];
    uint64_t start = before;
    *tally = (Tally){0};
    for (uint64_t i = gb_part(m, t, c->parts); i < end; i++) {
        const uint64_t upto = c->flops[i + 1] + before;
        c->flops[i + 1] = upto;
        tally_row(tally, i, c->A->p[i + 1] - c->A->p[i] == 1, upto - start, c->n);
        start = upto;
    }
}

static void count_by_rows(gb_RowCounts *sum, const gb_CsView *A, const gb_Off *Bp, uint64_t n,
                          uint64_t *flops) {
    const uint64_t work = A->nvals + A->nmajor;
    const int threads = gb_threads_for(work, GB_COUNT_GRAIN, gb_nthreads());
    gb_Counting c;
    c.A = A;
    c.Bp = Bp;
    c.n = n;
    c.flops = flops;
    c.parts = work < GB_COUNT_GRAIN ? 1 : PARTS;
    c.part[0] = 0;
    gb_parallel_for(threads, c.parts, sum_part, &c);
    for (uint64_t t = 0; t < c.parts; t++) c.part[t + 1] += c.part[t];
    gb_parallel_for(threads, c.parts, count_part, &c);
    for (uint64_t t = 0; t < c.parts; t++) add_tally(sum, &c.tally[t]);
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
    Tally tally = {0};
    uint8_t *entries = gb_calloc(m);
    if (entries == NULL) return gb_fail_memory(m);
    for (uint64_t i = 0; i < m; i++) flops[i + 1] = 0;
    scatter_columns(A, Bp, flops, entries);
    for (uint64_t i = 0; i < m; i++) {
        tally_row(&tally, i, entries[i] == 1, flops[i + 1], n);
        flops[i + 1] += flops[i];
    }
    gb_free(entries, m);
    add_tally(sum, &tally);
    return GBL_SUCCESS;
}

/* -- both -------------------------------------------------------------------------------------- */

/* Row pointers of a matrix that is held by columns. */
static gbl_Info count_rows(gb_Off **pointers, const gb_CsView *columns) {
    const uint64_t rows = columns->nminor;
    gb_Off *p = gb_calloc((rows + 1) * sizeof *p);
    if (p == NULL) return gb_fail_memory((rows + 1) * sizeof *p);
    for (uint64_t q = 0; q < columns->nvals; q++) p[columns->i[q] + 1]++;
    for (uint64_t r = 0; r < rows; r++) p[r + 1] += p[r];
    *pointers = p;
    return GBL_SUCCESS;
}

gbl_Info gb_count_flops(gb_Features *f, const gb_Operands *in, uint64_t *flops) {
    const gb_Factor *A = &in->A, *B = &in->B;
    gb_Off *made = NULL;
    gbl_Info info = GBL_SUCCESS;
    if (!B->has[GB_BY_ROWS]) info = count_rows(&made, &B->cs[GB_BY_COLUMNS]);
    if (info != GBL_SUCCESS) return info;
    const gb_Off *Bp = made != NULL ? made : B->cs[GB_BY_ROWS].p;
    flops[0] = 0;
    if (A->has[GB_BY_ROWS])
        count_by_rows(&f->rows, &A->cs[GB_BY_ROWS], Bp, f->n, flops);
    else
        info = count_by_columns(&f->rows, &A->cs[GB_BY_COLUMNS], Bp, f->n, flops);
    gb_free(made, (f->k + 1) * sizeof *made);
    if (info != GBL_SUCCESS) return info;
    f->flops = flops[f->m];
    f->counted = true;
    return GBL_SUCCESS;
}
