/* SPDX-License-Identifier: Apache-2.0
 *
 * Rows of A that are alike though far apart: what panels would have in common if they were brought
 * together (matrix/derived.h). A few entries (r, c) of A are chosen; rows that have column c are
 * those that r may be grouped with, and the most alike of them are its panel. Who has c is told by
 * A's columns where they are held, by row c where that row and those of its columns have each
 * other, as in symmetric patterns; else A's entries are gone through once, if that is little beside
 * the product. Where no rows of A are alike, whatever B is multiplied by them, A remembers it.
 */
#include <math.h>
#include <string.h>

#include "core/memory.h"
#include "core/search.h"
#include "matrix/derived.h"
#include "mxm/plan/panels.h"
#include "mxm/plan/sample.h"

enum { FIRST = 1000 }; /* numbers of panels that no sample of neighbours has */

/* A chosen entry, and rows with its column. */
typedef struct {
    gb_Idx row, column;
    unsigned n;
    gb_Idx mate[GB_GROUP_MATES];
} Bucket;

static void add_mate(Bucket *of, gb_Idx row) {
    if (row != of->row && of->n < GB_GROUP_MATES) of->mate[of->n++] = row;
}

static bool has_entry(const gb_CsView *A, uint64_t row, gb_Idx column) {
    const gb_Off at = gb_first_at_least(A->i, A->p[row], A->p[row + 1], column);
    return at < A->p[row + 1] && A->i[at] == column;
}

/* By the list of columns. */
static void find_in_columns(Bucket *of, const gb_CsView *columns) {
    const gb_Off from = columns->p[of->column], n = columns->p[of->column + 1] - from;
    const uint64_t step = n / GB_GROUP_MATES + 1;
    for (gb_Off q = 0; q < n; q += step) add_mate(of, columns->i[from + q]);
}

/* By row c; false where most of the rows it names do not have column c. */
static bool find_in_row(Bucket *of, const gb_CsView *A) {
    const gb_Off from = A->p[of->column], n = A->p[of->column + 1] - from;
    const uint64_t step = n / GB_GROUP_MATES + 1;
    uint64_t named = 0, found = 0;
    for (gb_Off q = 0; q < n; q += step) {
        const gb_Idx row = A->i[from + q];
        named++;
        if (!has_entry(A, row, of->column)) continue;
        found++;
        add_mate(of, row);
    }
    return 2 * found > named;
}

/* All buckets in a pass over A; false without memory. */
static bool find_in_all(Bucket *buckets, unsigned samples, const gb_CsView *A) {
    uint8_t *number = gb_calloc(A->nminor); /* 1 + the bucket of a column */
    if (number == NULL) return false;
    for (unsigned s = 0; s < samples; s++) {
        number[buckets[s].column] = (uint8_t)(s + 1);
        buckets[s].n = 0;
    }
    for (uint64_t r = 0; r < A->nmajor; r++)
        for (gb_Off p = A->p[r]; p < A->p[r + 1]; p++)
            if (number[A->i[p]] != 0) add_mate(&buckets[number[A->i[p]] - 1], (gb_Idx)r);
    for (unsigned s = 0; s < samples; s++) { /* several that chose one column */
        const Bucket *same = &buckets[number[buckets[s].column] - 1];
        for (unsigned k = 0; same != &buckets[s] && k < same->n; k++)
            add_mate(&buckets[s], same->mate[k]);
    }
    gb_free(number, A->nminor);
    return true;
}

/* False: who has the columns is not worth finding out. */
static bool find_mates(Bucket *buckets, unsigned samples, const gb_Features *f,
                       const gb_Operands *in) {
    const gb_CsView *A = &in->A.list[GB_BY_ROWS];
    unsigned unlike = 0;
    for (unsigned s = 0; s < samples; s++) {
        const gb_Off p = gb_spread(A->nvals, s);
        buckets[s] = (Bucket){.row = (gb_Idx)gb_holder(A->p, 0, A->nmajor, p), .column = A->i[p]};
        if (in->A.has[GB_BY_COLUMNS])
            find_in_columns(&buckets[s], &in->A.list[GB_BY_COLUMNS]);
        else
            unlike += A->nmajor != A->nminor || !find_in_row(&buckets[s], A);
    }
    if (unlike <= samples / 4) return true;
    return f->flops / GB_GROUP_PASS >= A->nvals && find_in_all(buckets, samples, A);
}

/* Entries of the row that are among those in the table, of the first few. */
static unsigned count_common(const gb_InnerIndices *met, const gb_CsView *A, gb_Idx row,
                             uint32_t panel) {
    const gb_Off end =
        A->p[row + 1] - A->p[row] < GB_GROUP_ENTRIES ? A->p[row + 1] : A->p[row] + GB_GROUP_ENTRIES;
    unsigned common = 0;
    for (gb_Off p = A->p[row]; p < end; p++)
        common += met->key[gb_inner_place(met, A->i[p], panel)] >> 32 == panel;
    return common;
}

/* The chosen row and the most alike of its mates. */
static gb_PanelRows best_panel(const Bucket *of, const gb_PanelMeans *means, uint32_t panel,
                               unsigned lanes) {
    const gb_CsView *A = means->A;
    const gb_Off from = A->p[of->row], end = A->p[of->row + 1];
    gb_PanelRows rows = {.n = 1, .row = {of->row}};
    unsigned common[GB_GROUP_MATES];
    for (gb_Off p = from; p < end && p < from + 2 * GB_PANEL_ENTRIES; p++)
        gb_inner_is_new(means->met, A->i[p], panel);
    for (unsigned k = 0; k < of->n; k++)
        common[k] = 1 + count_common(means->met, A, of->mate[k], panel);
    for (; rows.n < lanes && rows.n <= of->n; rows.n++) {
        unsigned best = 0;
        for (unsigned k = 1; k < of->n; k++)
            if (common[k] > common[best]) best = k;
        rows.row[rows.n] = of->mate[best];
        common[best] = 0;
    }
    return rows;
}

/* Panels of the order that A has. */
static void look_at_order(gb_PanelMeans *means, const gb_Idx *order, unsigned lanes) {
    const uint64_t m = means->A->nmajor;
    for (uint32_t s = 0; s < GB_GROUP_SAMPLES; s++) {
        const uint64_t at = gb_spread(m, s) / lanes * lanes;
        gb_PanelRows rows = {.n = m - at < lanes ? (unsigned)(m - at) : lanes};
        memcpy(rows.row, order + at, rows.n * sizeof *order);
        gb_look_at_panel(means, &rows, FIRST + s);
    }
}

/* Panels such as grouping would make. */
static void look_at_mates(gb_PanelMeans *means, const Bucket *buckets, unsigned samples,
                          unsigned lanes) {
    for (uint32_t s = 0; s < samples; s++) {
        const gb_PanelRows rows = best_panel(&buckets[s], means, FIRST + 2 * s, lanes);
        gb_look_at_panel(means, &rows, FIRST + 2 * s + 1);
    }
}

/* Whether a product has so many flops, for its rows and entries, that grouping may be worth it. */
static bool is_worthwhile(const gb_Features *f) {
    return f->panels.share > GB_GROUP_SHARE_LEAST && f->flops / GB_GROUP_WORTH >= f->A.nvals &&
           f->flops >= GB_GROUP_FLOPS && !f->memory.limited;
}

void gb_sample_similarity(gb_Features *f, const gb_Operands *in, gb_InnerIndices *met) {
    const unsigned lanes = (unsigned)gb_panel_lanes(f);
    const gb_Derived known = gb_groups_at_hand(in->A.X, in->A.rows);
    const uint64_t wanted = f->flops >> GB_GROUP_FLOPS_BITS;
    const unsigned samples = wanted < GB_GROUP_SAMPLES_LEAST ? GB_GROUP_SAMPLES_LEAST
                             : wanted < GB_GROUP_SAMPLES     ? (unsigned)wanted
                                                             : GB_GROUP_SAMPLES;
    Bucket buckets[GB_GROUP_SAMPLES];
    if (!is_worthwhile(f) || known.rejected) return;
    gb_PanelMeans means = {.A = &in->A.list[GB_BY_ROWS],
                           .B = &in->B.list[GB_BY_ROWS],
                           .met = met,
                           .window = gb_panel_slots((uint64_t)lanes * f->zsize)};
    if (known.view.order != NULL)
        look_at_order(&means, known.view.order, lanes);
    else if (find_mates(buckets, samples, f, in))
        look_at_mates(&means, buckets, samples, lanes);
    if (!(means.products > 0.0)) return;
    f->panels.grouped = means.steps / means.products;
    f->panels.grouped_hashed = means.hashed / means.steps;
    f->panels.grouped_merged = means.merged / means.n;
    f->panels.grouped_slots = means.slots;
    f->panels.is_grouped = known.view.order != NULL;
    f->panels.grouped_kept = gb_finds_panels(f, &in->A, true);
    f->panels.saved = known.credit;
    if (means.inner > GB_PANEL_SHARE_MOST * means.entries) gb_groups_give_up(in->A.X, in->A.rows);
}
