/* SPDX-License-Identifier: Apache-2.0
 *
 * Panels that are looked at lie at equal distances in flops, so their mean is that of all products.
 * Their rows are merged as the kernel does it where columns are far apart (cpu/isa/panelwork.c),
 * up to a number of inner indices: lengths of rows of B are summed once for the panel, and once for
 * each of its rows. Serial, and the same for the same operands.
 */
#include "mxm/plan/panels.h"

#include <math.h>

#include "core/parallel.h"
#include "core/search.h"
#include "core/tune.h"
#include "mxm/machine/cost_table.h"

enum { LANES = 16 };
#define NO_HEAD UINT32_MAX

double gb_panel_lanes(const gb_Features *f) {
    return f->values != GB_VALUES_GENERIC && (f->zsize == 4 || f->zsize == 1) ? 16.0 : 8.0;
}

/* What a panel was found to have. */
typedef struct {
    uint64_t entries, steps, products; /* of the inner indices that were looked at */
    uint64_t low, high;                /* columns of B */
} Panel;

/* One inner index, which so many rows have. */
static void add_index(Panel *of, const gb_CsView *B, gb_Idx k, unsigned rows) {
    const gb_Off from = B->p[k], to = B->p[k + 1];
    of->entries += rows;
    if (from == to) return;
    of->steps += to - from;
    of->products += (to - from) * rows;
    if (B->i[from] < of->low) of->low = B->i[from];
    if (B->i[to - 1] > of->high) of->high = B->i[to - 1];
}

/* The panel of rows [row, row + lanes), up to `most` entries. */
static Panel look_at(const gb_CsView *A, const gb_CsView *B, uint64_t row, unsigned lanes,
                     uint64_t most) {
    Panel of = {.low = UINT64_MAX};
    gb_Idx head[LANES];
    gb_Off at[LANES];
    for (unsigned l = 0; l < lanes; l++) {
        const bool has = row + l < A->nmajor && A->p[row + l] < A->p[row + l + 1];
        at[l] = has ? A->p[row + l] : 0;
        head[l] = has ? A->i[at[l]] : NO_HEAD;
    }
    while (of.entries < most) {
        gb_Idx least = NO_HEAD;
        unsigned rows = 0;
        for (unsigned l = 0; l < lanes; l++) least = head[l] < least ? head[l] : least;
        if (least == NO_HEAD) break;
        for (unsigned l = 0; l < lanes; l++) {
            if (head[l] != least) continue;
            rows++;
            at[l]++;
            head[l] = at[l] < A->p[row + l + 1] ? A->i[at[l]] : NO_HEAD;
        }
        add_index(&of, B, least, rows);
    }
    return of;
}

static uint64_t span_of(const Panel *of) {
    return of->high - of->low + 1;
}

/* As the kernel decides. */
static bool is_hashed(const Panel *of, uint64_t window) {
    return span_of(of) > window || span_of(of) / GB_PANEL_SPARSE > of->steps;
}

void gb_sample_panels(gb_Features *f, const gb_Operands *in) {
    const gb_CsView *A = &in->A.list[GB_BY_ROWS], *B = &in->B.list[GB_BY_ROWS];
    const bool by_rows = in->A.has[GB_BY_ROWS] && in->B.has[GB_BY_ROWS];
    const unsigned lanes = (unsigned)gb_panel_lanes(f);
    const uint64_t window = GB_PANEL_SLOTS((uint64_t)lanes * f->zsize);
    double n = 0.0, sum = 0.0, squares = 0.0, steps = 0.0, hashed = 0.0, slots = 0.0;
    if (!by_rows || !A->sorted || !B->sorted) return;
    uint64_t left = f->flops / GB_PANEL_SAMPLE_PART;
    if (left > GB_PANEL_SAMPLE_MOST) left = GB_PANEL_SAMPLE_MOST;
    for (uint64_t k = 0; k < GB_PANEL_SAMPLES && left > 0; k++) {
        const uint64_t flop = gb_part(f->flops, 2 * k + 1, 2 * GB_PANEL_SAMPLES);
        const uint64_t row = gb_holder(in->flops, 0, f->m, flop) / lanes * lanes;
        const uint64_t most = GB_PANEL_SAMPLE_MOST / 4;
        const Panel of = look_at(A, B, row, lanes, left < most ? left : most);
        left -= left < of.entries ? left : of.entries;
        if (of.products == 0) continue;
        const double share = (double)of.steps / (double)of.products;
        n += 1.0;
        sum += share;
        squares += share * share;
        steps += (double)of.steps;
        const bool is_far = is_hashed(&of, window);
        if (is_far) hashed += (double)of.steps;
        const uint64_t places = is_far && of.steps < span_of(&of) ? of.steps : span_of(&of);
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
