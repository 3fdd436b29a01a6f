/* SPDX-License-Identifier: Apache-2.0
 *
 * Facts about a product: O(nnz(A) + nnz(M)) reads of row lengths, no conversion, and samples. When
 * op(B) exists by columns only, the lengths of its rows are counted, O(nnz(B)). Products are not
 * counted when a mask makes inner products so cheap that no count could change the choice. Where
 * the factors are held as tiles and nothing else, means stand for counts.
 */
#include "mxm/mxm.h"

#include <string.h>

#include "core/context.h"
#include "core/parallel.h"
#include "core/tune.h"
#include "matrix/facts.h"
#include "mxm/plan/budget.h"
#include "mxm/estimate/estimate.h"
#include "semiring/ids.h"

enum { PARTS = 16 }; /* whatever the number of threads, so that sums do not depend on it */

/* -- what needs no look at entries ------------------------------------------------------------- */

static gb_ValueKind value_kind(const gb_Semiring *ring) {
    switch (ring->kernel) {
    case GB_RING_ANY_PAIR_BOOL:
    case GB_RING_LOR_LAND_BOOL:
        return GB_VALUES_NONE;
    case GB_RING_PLUS_PAIR_FP64:
    case GB_RING_PLUS_PAIR_INT64:
    case GB_RING_PLUS_PAIR_INT32:
        return GB_VALUES_COUNTED;
    case GB_RING_GENERIC:
        return GB_VALUES_GENERIC;
    default:
        return GB_VALUES_TYPED;
    }
}

static gb_FactorFacts factor(const gb_Matrix *X, gb_Format rows, bool uses_values) {
    const unsigned has = gb_has(X);
    return (gb_FactorFacts){.nvals = X->nvals,
                            .by_rows = (has & gb_has_bit(rows)) != 0,
                            .by_columns = (has & gb_has_bit(1 - rows)) != 0,
                            .tiles = (has & gb_tiles_bit(rows)) != 0,
                            .iso = X->iso || !uses_values};
}

void gb_features_begin(gb_Features *f, const gb_MxmCall *call) {
    const gb_Format a = call->transpose_a ? GB_CSC : GB_CSR;
    const gb_Format b = call->transpose_b ? GB_CSC : GB_CSR;
    const gb_Choices *c = &call->choices;
    *f = (gb_Features){.m = gb_nmajor(call->A, a),
                       .k = gb_nminor(call->A, a),
                       .n = gb_nminor(call->B, b),
                       .A = factor(call->A, a, gb_ring_left_type(call->ring) != NULL),
                       .B = factor(call->B, b, gb_ring_right_type(call->ring) != NULL),
                       .mask = call->mask.M == NULL    ? GB_MASK_NONE
                               : call->mask.complement ? GB_MASK_OUTSIDE
                                                       : GB_MASK_INSIDE,
                       .dot_work = UINT64_MAX,
                       .values = value_kind(call->ring),
                       .zsize = call->ring->add->op->ztype->size,
                       .accumulators =
                           c->accumulators != 0 ? (unsigned)c->accumulators : GB_ACCUMULATE_ALL,
                       .registers = (unsigned)c->registers,
                       .stays_tiled = gb_only_tiles(call->A) && gb_only_tiles(call->B),
                       .budget = (double)gb_workspace_budget(),
                       .threads = gb_nthreads()};
    if (gb_memory_limit() > 0) f->memory = gb_memory_facts(call);
    f->flops = (uint64_t)((double)f->A.nvals * (double)f->B.nvals / ((double)f->k + 1.0));
}

gbl_Info gb_features_of_tiles(gb_Features *f, const gb_MxmCall *call) {
    const gb_Format a = call->transpose_a ? GB_CSC : GB_CSR;
    const gb_Format b = call->transpose_b ? GB_CSC : GB_CSR;
    gb_Facts facts;
    gb_features_begin(f, call);
    gbl_Info info = gb_facts_of_tiles(&f->A.fill, call->A, a);
    if (info == GBL_SUCCESS) info = gb_facts_of_tiles(&f->B.fill, call->B, b);
    if (info == GBL_SUCCESS && f->A.by_rows) {
        info = gb_facts_get(&facts, call->A, a);
        f->A.fill = facts.fill;
    }
    if (info == GBL_SUCCESS && f->B.by_rows) {
        info = gb_facts_get(&facts, call->B, b);
        f->B.fill = facts.fill;
    }
    return info;
}

/* -- products of rows -------------------------------------------------------------------------- */

static void count_row(gb_RowCounts *c, uint64_t entries, uint64_t f, uint64_t n) {
    if (entries == 1) {
        c->rows_copied++;
        c->products_copied += f;
    } else {
        const unsigned bits = f > 0 ? 64u - (unsigned)__builtin_clzll(f) : 0u;
        const unsigned class = bits < GB_CLASSES ? bits : GB_CLASSES - 1u;
        c->rows[class]++;
        c->products[class] += f;
    }
    if (f > c->most) c->most = f;
    c->room += f < n ? f : n;
    c->squares += (double)f * (double)f;
}

static void add_counts(gb_RowCounts *to, const gb_RowCounts *from) {
    for (unsigned c = 0; c < GB_CLASSES; c++) {
        to->rows[c] += from->rows[c];
        to->products[c] += from->products[c];
    }
    to->rows_copied += from->rows_copied;
    to->products_copied += from->products_copied;
    if (from->most > to->most) to->most = from->most;
    to->room += from->room;
    to->squares += from->squares;
}

/* flops[i + 1] = products of row i, from the pointers of B's rows. */
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

/* The same in parts, whose sums are joined in order. */
static void count_parts(gb_RowCounts *sum, const gb_CsView *A, const gb_Off *Bp, uint64_t n,
                        uint64_t *flops) {
    gb_RowCounts counts[PARTS];
    GB_PARALLEL_FOR(gb_threads_for(A->nvals + A->nmajor, GB_GRAIN, gb_nthreads()))
    for (uint64_t t = 0; t < PARTS; t++) {
        const uint64_t rows[] = {gb_part(A->nmajor, t, PARTS), gb_part(A->nmajor, t + 1, PARTS)};
        count_part(&counts[t], A, Bp, n, flops, rows);
    }
    *sum = counts[0];
    for (uint64_t t = 1; t < PARTS; t++) add_counts(sum, &counts[t]);
}

/* Products of all rows, and their running sum to flops[m + 1]. */
static void count_products(gb_Features *f, const gb_CsView *A, const gb_Off *Bp, uint64_t *flops) {
    const uint64_t m = A->nmajor;
    if (A->nvals + m < GB_GRAIN)
        count_part(&f->rows, A, Bp, f->n, flops, (const uint64_t[]){0, m});
    else
        count_parts(&f->rows, A, Bp, f->n, flops);
    flops[0] = 0;
    for (uint64_t i = 0; i < m; i++) flops[i + 1] += flops[i];
    f->flops = flops[m];
    f->counted = true;
}

/* Pointers of the rows of a matrix that is held by columns. */
static gbl_Info count_rows(gb_Off **pointers, const gb_CsView *columns) {
    const uint64_t rows = columns->nminor;
    gb_Off *p = gb_calloc((rows + 1) * sizeof *p);
    if (p == NULL) return gb_fail_memory(NULL, (rows + 1) * sizeof *p);
    for (uint64_t q = 0; q < columns->nvals; q++) p[columns->i[q] + 1]++;
    for (uint64_t r = 0; r < rows; r++) p[r + 1] += p[r];
    *pointers = p;
    return GBL_SUCCESS;
}

/* Row pointers of op(B), from its rows or counted from its columns, then the products. */
static gbl_Info count_flops(gb_Features *f, const gb_MxmCall *call, const gb_CsView *A,
                            uint64_t *flops) {
    const gb_Format rows = call->transpose_b ? GB_CSC : GB_CSR;
    gb_CsView B;
    gb_Off *counted = NULL;
    const bool by_rows = f->B.by_rows || !f->B.by_columns;
    gbl_Info info = gb_need(call->B, by_rows ? rows : 1 - rows, &B);
    if (info == GBL_SUCCESS && !by_rows) info = count_rows(&counted, &B);
    if (info != GBL_SUCCESS) return info;
    count_products(f, A, counted != NULL ? counted : B.p, flops);
    gb_free(counted, (f->k + 1) * sizeof *counted);
    return GBL_SUCCESS;
}

/* -- masks ------------------------------------------------------------------------------------- */

static uint64_t longest_row(const gb_CsView *M) {
    uint64_t most = 0;
    for (uint64_t i = 0; i < M->nmajor; i++)
        if (M->p[i + 1] - M->p[i] > most) most = M->p[i + 1] - M->p[i];
    return most;
}

static uint64_t scan_work(const gb_CsView *M, const gb_CsView *columns) {
    uint64_t work = 0;
    for (uint64_t q = 0; q < M->nvals; q++) {
        const gb_Idx j = M->i[q];
        work += columns->p[j + 1] - columns->p[j];
    }
    return work;
}

/* The lengths of the columns that the mask asks for; without columns the mean stands for each. */
static gbl_Info count_scans(gb_Features *f, const gb_MxmCall *call, const gb_CsView *mask) {
    gb_CsView B;
    f->dot_work = f->nnz_m * (f->B.nvals / (f->n + 1) + 1);
    if (!f->B.by_columns) return GBL_SUCCESS;
    const gbl_Info info = gb_need(call->B, call->transpose_b ? GB_CSR : GB_CSC, &B);
    if (info == GBL_SUCCESS) f->dot_work = scan_work(mask, &B);
    return info;
}

/* Whether dot is clear whatever the products are: skewed inputs have more of them than the means
 * say, never fewer by much. */
static bool is_clear(const gb_Features *f) {
    if (f->dot_work == UINT64_MAX || !f->B.by_columns) return false;
    gb_CostCase costs;
    gb_cost_case(&costs, f, gb_machine());
    return gb_cost_of(&costs, GB_WAY_DOT).seconds < gb_cost_of(&costs, GB_WAY_BOUND).seconds;
}

/* -- all of it --------------------------------------------------------------------------------- */

static void add_facts(gb_FactorFacts *to, const gb_Facts *from) {
    to->fill = from->fill;
    to->rows_used = from->rows_used;
    to->longest = from->longest;
    to->squares = from->squares;
    to->runs = from->runs;
}

/* What costs a pass over rows or a look at entries, for products that are worth it. */
static gbl_Info look_closer(gb_Features *f, const gb_MxmCall *call, const gb_CsView *A,
                            const uint64_t *flops) {
    const gb_Format rows_a = call->transpose_a ? GB_CSC : GB_CSR;
    const gb_Format rows_b = call->transpose_b ? GB_CSC : GB_CSR;
    gb_Facts facts;
    gb_CsView B;
    gbl_Info info = gb_facts_get(&facts, call->A, rows_a);
    if (info != GBL_SUCCESS) return info;
    add_facts(&f->A, &facts);
    if (!f->B.by_rows) return GBL_SUCCESS;
    info = gb_facts_get(&facts, call->B, rows_b);
    if (info != GBL_SUCCESS) return info;
    add_facts(&f->B, &facts);
    f->by_runs = f->B.runs && !f->B.iso && f->values != GB_VALUES_GENERIC;
    info = gb_need(call->B, rows_b, &B);
    if (info != GBL_SUCCESS) return info;
    f->B.unsorted = !B.sorted;
    return gb_sample(f, A, &B, flops);
}

static void choose_registers(gb_Features *f, const gb_MxmCall *call) {
    const gb_Format rows = call->transpose_b ? GB_CSC : GB_CSR;
    if (f->registers == 0) f->registers = gb_registers((double)f->flops / (double)f->A.nvals);
    f->sketched = gb_sketch_at_hand(call->B, rows, f->registers) != NULL;
}

gbl_Info gb_features_count(gb_Features *f, const gb_MxmCall *call, const gb_CsView *A,
                           uint64_t *flops) {
    gb_features_begin(f, call);
    return count_flops(f, call, A, flops);
}

gbl_Info gb_features_get(gb_Features *f, const gb_MxmCall *call, const gb_CsView *A,
                         const gb_CsView *mask, uint64_t *flops) {
    const gbl_Desc_Value method = call->choices.method;
    gb_features_begin(f, call);
    f->A.unsorted = !A->sorted;
    f->nnz_m = mask != NULL ? mask->nvals : 0;
    if (f->memory.limited && mask != NULL) f->memory.mask_most = longest_row(mask);
    gbl_Info info = GBL_SUCCESS;
    if (f->mask == GB_MASK_INSIDE) info = count_scans(f, call, mask);
    if (info != GBL_SUCCESS) return info;
    const bool may_be_clear = method == GBL_DEFAULT || method == GBL_METHOD_DOT;
    if (may_be_clear && !f->memory.limited && is_clear(f)) return GBL_SUCCESS;
    info = count_flops(f, call, A, flops);
    if (info != GBL_SUCCESS) return info;
    choose_registers(f, call);
    const bool worthwhile =
        f->flops >= GB_SAMPLE_FLOPS && f->flops >= (f->m + f->k) / GB_FACTS_ROWS;
    return worthwhile && f->mask == GB_MASK_NONE ? look_closer(f, call, A, flops) : GBL_SUCCESS;
}
