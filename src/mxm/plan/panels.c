/* SPDX-License-Identifier: Apache-2.0
 *
 * Panels that are looked at are spread over the flops, so their mean is that of all products. The
 * distinct inner indices of a panel are those that a small table has not met before. Of a panel
 * with more entries than are worth it, the columns of A up to some column stand for all. Serial,
 * and the same for the same operands.
 */
#include "mxm/plan/panels.h"

#include <math.h>
#include <string.h>

#include "core/parallel.h"
#include "core/search.h"
#include "matrix/derived.h"
#include "mxm/plan/sample.h"

double gb_panel_lanes(const gb_Features *f) {
    return f->values != GB_VALUES_GENERIC && (f->zsize == 4 || f->zsize == 1) ? 16.0 : 8.0;
}

bool gb_panels_have_values(const gb_Factor *A) {
    return A->type != NULL && !A->X->iso;
}

bool gb_may_keep_panels(const gb_Features *f, const gb_Factor *A) {
    const bool is_cast = gb_panels_have_values(A) && A->type->code != A->X->type->code;
    return f->values != GB_VALUES_GENERIC && !is_cast && !f->memory.limited;
}

bool gb_finds_panels(const gb_Features *f, const gb_Factor *A, bool grouped) {
    const gb_PanelKind kind = {(unsigned)gb_panel_lanes(f), grouped, gb_panels_have_values(A)};
    return gb_may_keep_panels(f, A) && gb_panels_at_hand(A->X, A->rows, kind);
}

/* What a panel was found to have. The rows of B that the first and the last entries of A's rows
 * meet tell how far its columns reach. */
typedef struct {
    uint64_t entries, inner;    /* of A that were looked at; their distinct inner indices */
    uint64_t steps, products;   /* of these entries */
    uint64_t low, high;         /* columns of B */
    uint64_t held, first, last; /* entries of all rows; inner indices of theirs */
} Panel;

/* The columns of row k of B. */
static void widen(Panel *of, const gb_CsView *B, gb_Idx k) {
    const gb_Off from = B->p[k], to = B->p[k + 1];
    if (from == to) return;
    if (B->i[from] < of->low) of->low = B->i[from];
    if (B->i[to - 1] > of->high) of->high = B->i[to - 1];
}

/* Which columns of the rows are looked at: those among which they have about GB_PANEL_ENTRIES
 * entries, if all are spread as those of one row. An entry of the panel chooses row and columns,
 * another one for every panel, so rows are chosen in proportion to their entries. */
static void choose_columns(uint64_t columns[2], const gb_CsView *A, const gb_PanelRows *rows,
                           uint32_t panel) {
    uint64_t entries = 0, of_row = 0;
    unsigned r = 0;
    columns[0] = 0;
    columns[1] = A->nminor;
    for (unsigned l = 0; l < rows->n; l++) entries += A->p[rows->row[l] + 1] - A->p[rows->row[l]];
    if (entries <= GB_PANEL_ENTRIES) return;
    uint64_t chosen = gb_spread(entries, panel);
    for (;; r++) {
        of_row = A->p[rows->row[r] + 1] - A->p[rows->row[r]];
        if (chosen < of_row) break;
        chosen -= of_row;
    }
    const uint64_t some = gb_part(of_row, GB_PANEL_ENTRIES, entries) + 1;
    const gb_Off at = A->p[rows->row[r]] + (chosen + some <= of_row ? chosen : of_row - some);
    columns[0] = A->i[at];
    columns[1] = (uint64_t)A->i[at + some - 1] + 1;
}

static Panel look_at(const gb_PanelMeans *means, const gb_PanelRows *rows, uint32_t panel) {
    const gb_CsView *A = means->A, *B = means->B;
    Panel of = {.low = UINT64_MAX, .first = UINT64_MAX};
    uint64_t columns[2];
    choose_columns(columns, A, rows, panel);
    for (unsigned l = 0; l < rows->n; l++) {
        const gb_Off first = A->p[rows->row[l]], end = A->p[rows->row[l] + 1];
        gb_Off p = columns[0] > 0 ? gb_first_at_least(A->i, first, end, columns[0]) : first;
        for (; p < end && A->i[p] < columns[1] && of.entries < 2 * GB_PANEL_ENTRIES; p++) {
            const gb_Idx k = A->i[p];
            const uint64_t length = B->p[k + 1] - B->p[k];
            of.entries++;
            of.products += length;
            if (!gb_inner_is_new(means->met, k, panel)) continue;
            of.inner++;
            of.steps += length;
        }
        if (first == end) continue;
        of.held += end - first;
        if (A->i[first] < of.first) of.first = A->i[first];
        if (A->i[end - 1] > of.last) of.last = A->i[end - 1];
        widen(&of, B, A->i[first]);
        widen(&of, B, A->i[end - 1]);
    }
    return of;
}

static uint64_t span_of(const Panel *of, const gb_CsView *B) {
    return of->low <= of->high ? of->high - of->low + 1 : B->nminor;
}

/* As the kernel decides. */
static bool is_hashed(const Panel *of, const gb_CsView *B, uint64_t window) {
    return span_of(of, B) > window || span_of(of, B) / GB_PANEL_SPARSE > of->steps;
}

/* Whether its inner indices are too far apart for a window, as the kernel decides. */
static bool is_merged(const Panel *of) {
    const uint64_t span = of->last - of->first + 1;
    return span > GB_PANEL_WINDOW || span / GB_PANEL_SPARSE > of->held;
}

uint64_t gb_look_at_panel(gb_PanelMeans *means, const gb_PanelRows *rows, uint32_t panel) {
    const Panel of = look_at(means, rows, panel);
    means->entries += (double)of.entries;
    means->inner += (double)of.inner;
    if (of.products == 0) return of.entries;
    const double share = (double)of.steps / (double)of.products;
    const bool is_far = is_hashed(&of, means->B, means->window);
    const uint64_t span = span_of(&of, means->B);
    means->n += 1.0;
    means->sum += share;
    means->squares += share * share;
    means->steps += (double)of.steps;
    means->products += (double)of.products;
    if (is_far) means->hashed += (double)of.steps;
    if (is_merged(&of)) means->merged += 1.0;
    means->slots = fmax(means->slots, (double)(is_far && of.steps < span ? of.steps : span));
    return of.entries;
}

/* The neighbours of the k-th row that is looked at. */
static gb_PanelRows neighbours(const gb_Features *f, const gb_Operands *in, uint32_t k) {
    const unsigned lanes = (unsigned)gb_panel_lanes(f);
    const uint64_t row = gb_holder(in->flops, 0, f->m, gb_spread(f->flops, k)) / lanes * lanes;
    gb_PanelRows rows = {.n = f->m - row < lanes ? (unsigned)(f->m - row) : lanes};
    for (unsigned l = 0; l < rows.n; l++) rows.row[l] = (gb_Idx)(row + l);
    return rows;
}

void gb_sample_panels(gb_Features *f, const gb_Operands *in) {
    const gb_CsView *A = &in->A.list[GB_BY_ROWS], *B = &in->B.list[GB_BY_ROWS];
    const bool by_rows = in->A.has[GB_BY_ROWS] && in->B.has[GB_BY_ROWS];
    gb_InnerIndices met;
    if (!by_rows || !A->sorted || !B->sorted) return;
    memset(&met, 0, sizeof met);
    gb_PanelMeans means = {.A = A,
                           .B = B,
                           .met = &met,
                           .window = gb_panel_slots((uint64_t)gb_panel_lanes(f) * f->zsize)};
    uint64_t left = f->flops / GB_PANEL_SAMPLE_PART;
    if (left > GB_PANEL_SAMPLE_MOST) left = GB_PANEL_SAMPLE_MOST;
    for (uint32_t k = 0; k < GB_PANEL_SAMPLES && (left > 0 || k < GB_PANEL_SAMPLES_LEAST); k++) {
        const gb_PanelRows rows = neighbours(f, in, k);
        const uint64_t looked = gb_look_at_panel(&means, &rows, k + 1);
        left -= left < looked ? left : looked;
    }
    if (!(means.n > 0.0)) return;
    const double n = means.n, mean = means.sum / n;
    const double variance = fmax(means.squares / n - mean * mean, 0.0);
    f->panels = (gb_PanelFacts){.sampled = (uint64_t)n,
                                .share = mean,
                                .error = sqrt(variance / n) / mean,
                                .hashed = means.hashed / means.steps,
                                .merged = means.merged / n,
                                .slots = means.slots};
    f->panels.kept = gb_finds_panels(f, &in->A, false);
    gb_sample_similarity(f, in, &met);
}
