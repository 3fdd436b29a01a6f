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
#include "core/tune.h"
#include "mxm/machine/cost_table.h"
#include "mxm/plan/sample.h"

enum { MET_BITS = 11 }; /* at most half full */
_Static_assert(4 * GB_PANEL_ENTRIES <= 1 << MET_BITS, "a panel's inner indices have places");

double gb_panel_lanes(const gb_Features *f) {
    return f->values != GB_VALUES_GENERIC && (f->zsize == 4 || f->zsize == 1) ? 16.0 : 8.0;
}

/* Inner indices of the panel that is looked at: an index and the panel's number, from 1 on, in one
 * word, so that a table of another panel is an empty one. Open addressing. */
typedef struct {
    uint64_t key[1 << MET_BITS];
} InnerIndices;

static bool is_new(InnerIndices *met, gb_Idx k, uint32_t panel) {
    const uint64_t key = (uint64_t)panel << 32 | k;
    unsigned at = (k * 0x9E3779B9u) >> (32 - MET_BITS);
    while (met->key[at] >> 32 == panel && met->key[at] != key) at = (at + 1) % (1u << MET_BITS);
    if (met->key[at] == key) return false;
    met->key[at] = key;
    return true;
}

/* What a panel was found to have. The rows of B that the first and the last entries of A's rows
 * meet tell how far its columns reach. */
typedef struct {
    uint64_t entries, steps, products; /* of the entries of A that were looked at */
    uint64_t low, high;                /* columns of B */
} Panel;

/* The columns of row k of B. */
static void widen(Panel *of, const gb_CsView *B, gb_Idx k) {
    const gb_Off from = B->p[k], to = B->p[k + 1];
    if (from == to) return;
    if (B->i[from] < of->low) of->low = B->i[from];
    if (B->i[to - 1] > of->high) of->high = B->i[to - 1];
}

/* Which columns of the rows [row, end) of A are looked at: those among which they have about
 * GB_PANEL_ENTRIES entries, if all are spread as those of one row. An entry of the panel chooses
 * row and columns, another one for every panel, so rows are chosen in proportion to their entries.
 */
static void choose_columns(uint64_t columns[2], const gb_CsView *A, uint64_t row, uint64_t end,
                           uint32_t panel) {
    const uint64_t entries = A->p[end] - A->p[row];
    columns[0] = 0;
    columns[1] = A->nminor;
    if (entries <= GB_PANEL_ENTRIES) return;
    const gb_Off p = A->p[row] + gb_spread(entries, panel);
    const uint64_t r = gb_holder(A->p, row, end, p);
    const gb_Off last = A->p[r + 1], some = gb_part(last - A->p[r], GB_PANEL_ENTRIES, entries) + 1;
    const gb_Off at = p + some <= last ? p : last - some;
    columns[0] = A->i[at];
    columns[1] = (uint64_t)A->i[at + some - 1] + 1;
}

static Panel look_at(const gb_CsView *A, const gb_CsView *B, uint64_t row, unsigned lanes,
                     InnerIndices *met, uint32_t panel) {
    Panel of = {.low = UINT64_MAX};
    const uint64_t end = row + lanes < A->nmajor ? row + lanes : A->nmajor;
    uint64_t columns[2];
    choose_columns(columns, A, row, end, panel);
    for (uint64_t r = row; r < end; r++) {
        const gb_Off from =
            columns[0] > 0 ? gb_first_at_least(A->i, A->p[r], A->p[r + 1], columns[0]) : A->p[r];
        gb_Off p = from;
        for (; p < A->p[r + 1] && A->i[p] < columns[1] && of.entries < 2 * GB_PANEL_ENTRIES; p++) {
            const gb_Idx k = A->i[p];
            const uint64_t length = B->p[k + 1] - B->p[k];
            of.entries++;
            of.products += length;
            of.steps += is_new(met, k, panel) ? length : 0;
        }
        if (A->p[r] == A->p[r + 1]) continue;
        widen(&of, B, A->i[A->p[r]]);
        widen(&of, B, A->i[A->p[r + 1] - 1]);
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

void gb_sample_panels(gb_Features *f, const gb_Operands *in) {
    const gb_CsView *A = &in->A.list[GB_BY_ROWS], *B = &in->B.list[GB_BY_ROWS];
    const bool by_rows = in->A.has[GB_BY_ROWS] && in->B.has[GB_BY_ROWS];
    const unsigned lanes = (unsigned)gb_panel_lanes(f);
    const uint64_t window = gb_panel_slots((uint64_t)lanes * f->zsize);
    double n = 0.0, sum = 0.0, squares = 0.0, steps = 0.0, hashed = 0.0, slots = 0.0;
    InnerIndices met;
    if (!by_rows || !A->sorted || !B->sorted) return;
    memset(&met, 0, sizeof met);
    uint64_t left = f->flops / GB_PANEL_SAMPLE_PART;
    if (left > GB_PANEL_SAMPLE_MOST) left = GB_PANEL_SAMPLE_MOST;
    for (uint32_t k = 0; k < GB_PANEL_SAMPLES && (left > 0 || k < GB_PANEL_SAMPLES_LEAST); k++) {
        const uint64_t row = gb_holder(in->flops, 0, f->m, gb_spread(f->flops, k)) / lanes * lanes;
        const Panel of = look_at(A, B, row, lanes, &met, k + 1);
        left -= left < of.entries ? left : of.entries;
        if (of.products == 0) continue;
        const double share = (double)of.steps / (double)of.products;
        n += 1.0;
        sum += share;
        squares += share * share;
        steps += (double)of.steps;
        const bool is_far = is_hashed(&of, B, window);
        if (is_far) hashed += (double)of.steps;
        const uint64_t places = is_far && of.steps < span_of(&of, B) ? of.steps : span_of(&of, B);
        slots = fmax(slots, (double)places);
    }
    if (!(n > 0.0)) return;
    const double variance = fmax(squares / n - sum / n * (sum / n), 0.0);
    f->panels = (gb_PanelFacts){.sampled = (uint64_t)n,
                                .share = sum / n,
                                .error = sqrt(variance / n) * n / sum,
                                .hashed = hashed / steps,
                                .slots = slots};
}
