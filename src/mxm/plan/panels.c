/* SPDX-License-Identifier: Apache-2.0
 *
 * Sampled panels are spread evenly over the flops, so their mean is that of all products. A small
 * table finds the distinct inner indices of a panel. For panels with too many entries, the columns
 * of A up to a bound represent all. Serial and deterministic.
 *
 * Similar rows that are far apart: what panels would share if similar rows were grouped
 * (matrix/derived.h). From a few sampled entries (r, c) of A, the rows that have column c are the
 * candidates to group with r, and the most similar of them form its panel. Rows that have c come
 * from A's columns where they exist; from row c where that row and those of its columns contain
 * each other, as in symmetric patterns; else from one pass over A's entries, if that is small
 * compared with the product. A records that none of its rows are similar, for any B.
 */
#include "mxm/plan/plan.h"

enum { INNER_BITS = 11, LANES_MOST = 16 }; /* at most half full */
_Static_assert(4 * GB_PANEL_ENTRIES <= 1 << INNER_BITS, "a panel's inner indices have places");

/* Inner indices of the panel that is looked at: an index and the panel's number, from 1 on, in one
 * word, so that a table of another panel is an empty one. Open addressing. */
typedef struct {
    uint64_t key[1 << INNER_BITS];
} InnerIndices;

/* Where the index is, or would be put. */
static unsigned inner_position(const InnerIndices *met, gb_Idx k, uint32_t panel) {
    const uint64_t key = (uint64_t)panel << 32 | k;
    unsigned at = (k * 0x9E3779B9u) >> (32 - INNER_BITS);
    while (met->key[at] >> 32 == panel && met->key[at] != key) at = (at + 1) % (1u << INNER_BITS);
    return at;
}
static bool is_new_inner(InnerIndices *met, gb_Idx k, uint32_t panel) {
    const uint64_t key = (uint64_t)panel << 32 | k;
    const unsigned at = inner_position(met, k, panel);
    if (met->key[at] == key) return false;
    met->key[at] = key;
    return true;
}

/* Some rows of A, those of a panel. */
typedef struct {
    unsigned n;
    gb_Idx row[LANES_MOST];
} PanelRows;

/* Means over panels that were looked at. */
typedef struct {
    const gb_CsView *A, *B;
    InnerIndices *met;
    uint64_t window; /* slots of a window of columns */
    double n, sum, squares, steps, products, hashed, merged, slots;
    double entries,
        inner; /* of A that were looked at; of them, distinct inner indices of a panel */
} PanelMeans;

/* Whether A has the panels united that the product may read. */
static bool finds_panels(const gb_Features *f, const gb_Factor *A, bool grouped) {
    const gb_PanelKind kind = {(unsigned)gb_panel_lanes(f), grouped, gb_panels_have_values(A)};
    return gb_may_keep_panels(f, A) && gb_panels_at_hand(A->X, A->rows, kind).made;
}

/* Sample of a panel. The rows of B that the first and last entries of A's rows select give the
 * range of its columns. */
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
static void choose_columns(uint64_t columns[2], const gb_CsView *A, const PanelRows *rows,
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

static Panel look_at(const PanelMeans *means, const PanelRows *rows, uint32_t panel) {
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
            if (!is_new_inner(means->met, k, panel)) continue;
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

/* Looks at the panel with that number, from 1 on and another one each time; returns entries of A
 * that were looked at. */
static uint64_t look_at_panel(PanelMeans *means, const PanelRows *rows, uint32_t panel) {
    const Panel of = look_at(means, rows, panel);
    means->entries += (double)of.entries;
    means->inner += (double)of.inner;
    if (of.products == 0) return of.entries;
    const double share = (double)of.steps / (double)of.products;
    /* as the kernel decides: whether columns are too far apart for a window, and inner indices */
    const uint64_t span = of.low <= of.high ? of.high - of.low + 1 : means->B->nminor;
    const uint64_t inner_span = of.last - of.first + 1;
    const bool is_far = span > means->window || span / GB_PANEL_SPARSE > of.steps;
    const bool is_merged = inner_span > GB_PANEL_WINDOW || inner_span / GB_PANEL_SPARSE > of.held;
    means->n += 1.0;
    means->sum += share;
    means->squares += share * share;
    means->steps += (double)of.steps;
    means->products += (double)of.products;
    if (is_far) means->hashed += (double)of.steps;
    if (is_merged) means->merged += 1.0;
    means->slots = fmax(means->slots, (double)(is_far && of.steps < span ? of.steps : span));
    return of.entries;
}

/* The neighbours of the k-th row that is looked at. */
static PanelRows neighbours(const gb_Features *f, const gb_Operands *in, uint32_t k) {
    const unsigned lanes = (unsigned)gb_panel_lanes(f);
    const uint64_t row = gb_holder(in->flops, 0, f->m, gb_spread(f->flops, k)) / lanes * lanes;
    PanelRows rows = {.n = f->m - row < lanes ? (unsigned)(f->m - row) : lanes};
    for (unsigned l = 0; l < rows.n; l++) rows.row[l] = (gb_Idx)(row + l);
    return rows;
}

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

/* By the columns of A, or by row c of A; false where most of the rows it names do not have column
 * c. */
static bool find_in_row(Bucket *of, const gb_CsView *A, bool is_column) {
    const gb_Off from = A->p[of->column], n = A->p[of->column + 1] - from;
    const uint64_t step = n / GB_GROUP_MATES + 1;
    uint64_t named = 0, found = 0;
    for (gb_Off q = 0; q < n; q += step) {
        const gb_Idx row = A->i[from + q];
        named++;
        if (!is_column) {
            const gb_Off at = gb_first_at_least(A->i, A->p[row], A->p[row + 1], of->column);
            if (at == A->p[row + 1] || A->i[at] != of->column) continue;
        }
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
    const gb_CsView *A = &in->A.cs[GB_BY_ROWS];
    unsigned unlike = 0;
    for (unsigned s = 0; s < samples; s++) {
        const gb_Off p = gb_spread(A->nvals, s);
        buckets[s] = (Bucket){.row = (gb_Idx)gb_holder(A->p, 0, A->nmajor, p), .column = A->i[p]};
        if (in->A.has[GB_BY_COLUMNS])
            find_in_row(&buckets[s], &in->A.cs[GB_BY_COLUMNS], true);
        else
            unlike += A->nmajor != A->nminor || !find_in_row(&buckets[s], A, false);
    }
    if (unlike <= samples / 4) return true;
    return f->flops / GB_GROUP_PASS >= A->nvals && find_in_all(buckets, samples, A);
}

/* Entries of the row that are among those in the table, of the first few. */
static unsigned count_common(const InnerIndices *met, const gb_CsView *A, gb_Idx row,
                             uint32_t panel) {
    const gb_Off end =
        A->p[row + 1] - A->p[row] < GB_GROUP_ENTRIES ? A->p[row + 1] : A->p[row] + GB_GROUP_ENTRIES;
    unsigned common = 0;
    for (gb_Off p = A->p[row]; p < end; p++)
        common += met->key[inner_position(met, A->i[p], panel)] >> 32 == panel;
    return common;
}

/* The chosen row and the most similar of its mates. */
static PanelRows best_panel(const Bucket *of, const PanelMeans *means, uint32_t panel,
                            unsigned lanes) {
    const gb_CsView *A = means->A;
    const gb_Off from = A->p[of->row], end = A->p[of->row + 1];
    PanelRows rows = {.n = 1, .row = {of->row}};
    unsigned common[GB_GROUP_MATES];
    for (gb_Off p = from; p < end && p < from + 2 * GB_PANEL_ENTRIES; p++)
        is_new_inner(means->met, A->i[p], panel);
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
static void look_at_order(PanelMeans *means, const gb_Idx *order, unsigned lanes) {
    const uint64_t m = means->A->nmajor;
    for (uint32_t s = 0; s < GB_GROUP_SAMPLES; s++) {
        const uint64_t at = gb_spread(m, s) / lanes * lanes;
        PanelRows rows = {.n = m - at < lanes ? (unsigned)(m - at) : lanes};
        memcpy(rows.row, order + at, rows.n * sizeof *order);
        look_at_panel(means, &rows, FIRST + s);
    }
}

/* What f->panels says of grouped rows: of the order that A has, else of such as would be grouped
 * with a few rows. */
static void sample_similarity(gb_Features *f, const gb_Operands *in, InnerIndices *met) {
    const unsigned lanes = (unsigned)gb_panel_lanes(f);
    const gb_Derived known = gb_groups_at_hand(in->A.X, in->A.rows);
    const uint64_t wanted = f->flops >> GB_GROUP_FLOPS_BITS;
    const unsigned samples = wanted < GB_GROUP_SAMPLES_LEAST ? GB_GROUP_SAMPLES_LEAST
                             : wanted < GB_GROUP_SAMPLES     ? (unsigned)wanted
                                                             : GB_GROUP_SAMPLES;
    Bucket buckets[GB_GROUP_SAMPLES];
    const bool worthwhile = f->panels.share > GB_GROUP_SHARE_LEAST &&
                            f->flops / GB_GROUP_WORTH >= f->A.nvals && f->flops >= GB_GROUP_FLOPS &&
                            !f->memory.limited;
    if (!worthwhile || known.rejected) return;
    PanelMeans means = {.A = &in->A.cs[GB_BY_ROWS],
                        .B = &in->B.cs[GB_BY_ROWS],
                        .met = met,
                        .window = gb_panel_slots((uint64_t)lanes * f->zsize)};
    if (known.view.order != NULL)
        look_at_order(&means, known.view.order, lanes);
    else if (find_mates(buckets, samples, f, in))
        for (uint32_t s = 0; s < samples; s++) { /* panels such as grouping would make */
            const PanelRows rows = best_panel(&buckets[s], &means, FIRST + 2 * s, lanes);
            look_at_panel(&means, &rows, FIRST + 2 * s + 1);
        }
    if (!(means.products > 0.0)) return;
    f->panels.grouped = means.steps / means.products;
    f->panels.grouped_hashed = means.hashed / means.steps;
    f->panels.grouped_merged = means.merged / means.n;
    f->panels.grouped_slots = means.slots;
    f->panels.is_grouped = known.view.order != NULL;
    f->panels.grouped_kept = finds_panels(f, &in->A, true);
    f->panels.saved = known.credit;
    if (means.inner > GB_PANEL_SHARE_MOST * means.entries) gb_groups_give_up(in->A.X, in->A.rows);
}

void gb_sample_panels(gb_Features *f, const gb_Operands *in) {
    const gb_CsView *A = &in->A.cs[GB_BY_ROWS], *B = &in->B.cs[GB_BY_ROWS];
    const bool by_rows = in->A.has[GB_BY_ROWS] && in->B.has[GB_BY_ROWS];
    InnerIndices met;
    if (!by_rows || !A->sorted || !B->sorted) return;
    memset(&met, 0, sizeof met);
    PanelMeans means = {.A = A,
                        .B = B,
                        .met = &met,
                        .window = gb_panel_slots((uint64_t)gb_panel_lanes(f) * f->zsize)};
    uint64_t left = f->flops / GB_PANEL_SAMPLE_PART;
    if (left > GB_PANEL_SAMPLE_MOST) left = GB_PANEL_SAMPLE_MOST;
    for (uint32_t k = 0; k < GB_PANEL_SAMPLES && (left > 0 || k < GB_PANEL_SAMPLES_LEAST); k++) {
        const PanelRows rows = neighbours(f, in, k);
        const uint64_t looked = look_at_panel(&means, &rows, k + 1);
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
    f->panels.kept = finds_panels(f, &in->A, false);
    sample_similarity(f, in, &met);
}
