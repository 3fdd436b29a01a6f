/* SPDX-License-Identifier: Apache-2.0
 *
 * An explanation for people: what was multiplied, every candidate with its factor to the best one
 * or why it was not possible, and measured next to predicted times. Unknown parts are left out.
 */
#include "mxm/explain/explain.h"

#include <inttypes.h>
#include <stdio.h>

/* -- numbers with units, right-aligned in WIDE characters -------------------------------------- */

enum { WIDE = 11 }; /* tables fit in 80 columns */
typedef struct {
    double size;
    const char *name;
} Unit;

/* The largest unit of which x has at least one, else the last one; NAN: a dash. */
static void add_scaled(gb_Text *text, double x, const Unit *units, int n) {
    char number[32] = "-";
    int u = 0;
    while (u < n - 1 && x < 0.9995 * units[u].size) u++;
    if (x == 0.0)
        snprintf(number, sizeof number, "0");
    else if (isfinite(x))
        snprintf(number, sizeof number, x < 999.5 * units[u].size ? "%.3g %s" : "%.0f %s",
                 x / units[u].size, units[u].name);
    gb_text_add(text, "%*s", WIDE, number);
}

static void add_seconds(gb_Text *text, double x) {
    static const Unit units[] = {{1.0, "s "}, {1e-3, "ms"}, {1e-6, "us"}, {1e-9, "ns"}};
    add_scaled(text, x, units, 4);
}

static void add_bytes(gb_Text *text, double x) {
    static const Unit units[] = {{1e12, "TB"}, {1e9, "GB"}, {1e6, "MB"}, {1e3, "kB"}, {1.0, "B "}};
    add_scaled(text, x, units, 5);
}

static void add_number(gb_Text *text, double x, bool known) {
    char number[32] = "-";
    if (known) snprintf(number, sizeof number, "%.3g", x);
    gb_text_add(text, "%*s", WIDE, number);
}

static void add_count(gb_Text *text, uint64_t x, bool known) {
    char number[32] = "-";
    if (known) snprintf(number, sizeof number, "%" PRIu64, x);
    gb_text_add(text, "%*s", WIDE, number);
}

static const char *name(const char *s) {
    return s != NULL ? s : "-";
}

/* -- what was multiplied ----------------------------------------------------------------------- */

/* What the method that was chosen does, in a line; NULL where none of the table was. */
static const char *about(const gbl_Explanation *how) {
    const bool from_table = how->ncandidates == gb_nmethods && how->chosen >= 0;
    return from_table ? gb_methods[how->chosen]->about : NULL;
}

static void add_title(gb_Text *text, const gbl_Explanation *how) {
    gb_text_add(text, "%s", name(how->operation));
    if (how->nrows > 0)
        gb_text_add(text, " of %" PRIu64 " x %" PRIu64 " by %" PRIu64 " x %" PRIu64, how->nrows,
                    how->inner, how->inner, how->ncols);
    gb_text_add(text, ": %s (%s) on the %s, %s kernels", name(how->method), name(how->workflow),
                name(how->place), name(how->isa));
}

void gb_explain_line(gb_Text *text, const gbl_Explanation *how) {
    const double seconds = how->seconds_prepare + how->seconds_kernel + how->seconds_finish;
    const bool predicted = how->chosen >= 0 && how->chosen < how->ncandidates;
    add_title(text, how);
    gb_text_add(text, "; %" PRIu64 " entries", how->nvals);
    if (seconds > 0.0) gb_text_add(text, " in %.3g s", seconds);
    if (predicted) gb_text_add(text, ", predicted %.3g s", how->candidates[how->chosen].seconds);
}

static void add_head(gb_Text *text, const gbl_Explanation *how) {
    add_title(text, how);
    gb_text_add(text, "\n");
    if (about(how) != NULL) gb_text_add(text, "  how    %s\n", about(how));
    gb_text_add(text, "  why    %.*s\n", (int)sizeof how->reason, how->reason);
    if (how->semiring[0] != '\0')
        gb_text_add(text, "  over   %.*s\n", (int)sizeof how->semiring, how->semiring);
    if (how->folded) gb_text_add(text, "  C      folded to a value as it was made, not stored\n");
    if (how->filtered) gb_text_add(text, "  C      rows filtered before they were stored\n");
    if (how->fused > 0)
        gb_text_add(text, "  calls  %d, deferred and made together\n", (int)how->fused);
    if (how->place_reason[0] != '\0')
        gb_text_add(text, "  place  %.*s\n", (int)sizeof how->place_reason, how->place_reason);
}

static void add_formats(gb_Text *text, unsigned formats) {
    const char *before = "  ";
    for (int k = 0; k < GB_FORMAT_NAMES; k++) {
        if (!(formats & gb_format_names[k].bit)) continue;
        gb_text_add(text, "%s%s", before, gb_format_names[k].name);
        before = ", ";
    }
}

typedef struct {
    const char *name;
    uint64_t nvals, rows_used, longest; /* rows_used is 0 where nobody looked */
    double spread, fill;
    bool iso;
    unsigned formats;
} Factor;

static void add_factor(gb_Text *text, const Factor *f) {
    const bool looked = f->rows_used > 0;
    gb_text_add(text, "  %s     ", f->name);
    add_count(text, f->nvals, true);
    add_count(text, f->rows_used, looked);
    add_count(text, f->longest, looked);
    add_number(text, f->spread, looked);
    add_number(text, f->fill, f->fill > 0.0);
    if (f->iso) gb_text_add(text, "  one value;");
    add_formats(text, f->formats);
    gb_text_add(text, "\n");
}

static void add_factors(gb_Text *text, const gbl_Explanation *how) {
    const Factor A = {"A",           how->nnz_a,  how->rows_used_a, how->longest_a,
                      how->spread_a, how->fill_a, how->iso_a,       how->formats_a};
    const Factor B = {"B",           how->nnz_b,  how->rows_used_b, how->longest_b,
                      how->spread_b, how->fill_b, how->iso_b,       how->formats_b};
    gb_text_add(text, "\n  factor    entries  rows used    longest     spread   per tile"
                      "  held by\n");
    add_factor(text, &A);
    add_factor(text, &B);
    if (how->mask_density < 1.0)
        gb_text_add(text, "  mask  %*" PRIu64 "   allows %.3g %% of C\n", WIDE, how->nnz_mask,
                    100.0 * how->mask_density);
}

static void add_product(gb_Text *text, const gbl_Explanation *how) {
    gb_text_add(text, "\n  flops       %*" PRIu64, WIDE, how->flops);
    if (how->flops_mean > 0.0)
        gb_text_add(text, "   %.3g per row, spread %.3g, at most %" PRIu64 "; expansion %.3g",
                    how->flops_mean, how->flops_spread, how->flops_most, how->expansion_ratio);
    else
        gb_text_add(text, "   expected, not counted");
    gb_text_add(text, "\n  entries of C");
    add_number(text, how->entries_expected, true);
    if (how->rows_sampled > 0)
        gb_text_add(text, "   expected: compression %.3g, within %.3g %%, by %" PRIu64 " rows",
                    how->compression_ratio, 100.0 * how->compression_error, how->rows_sampled);
    else
        gb_text_add(text, "   expected by chance, no row was sampled");
    if (how->tile_pairs > 0.0) {
        gb_text_add(text, "\n  tile pairs  ");
        add_number(text, how->tile_pairs, true);
        gb_text_add(text, "   expected, of 16 x 16");
    }
    if (how->panel_share > 0.0) {
        gb_text_add(text, "\n  similarity  ");
        add_number(text, how->panel_share, true);
        gb_text_add(text, "   of B's entries read per product by panels of rows");
        if (how->panel_share_grouped > 0.0)
            gb_text_add(text, ", %.3g %s", how->panel_share_grouped,
                        how->rows_grouped > 0 ? "grouped" : "if rows were grouped");
    }
    if (how->submatrix > 0)
        gb_text_add(text,
                    "\n  approximate  tau %.6g: %.4g %% of the products of %d x %d sub-matrices, "
                    "error at most %.3g",
                    how->tau, 100.0 * how->valid_ratio, (int)how->submatrix, (int)how->submatrix,
                    how->error_bound);
    if (how->rounding != NULL)
        gb_text_add(text, ", %.3g of it since factors are %s", how->rounding_error, how->rounding);
    gb_text_add(text, "\n  memory      ");
    add_bytes(text, (double)how->bytes_limit);
    gb_text_add(text, "   free for workspace and C\n");
    gb_text_add(text,
                "  (longest: row; spread: standard deviation over mean; per tile: entries of a\n"
                "   used 16 x 16 tile; expansion, compression: flops per entry of A, of C)\n");
}

/* -- methods ----------------------------------------------------------------------------------- */

/* Candidates in the order of their lines: legal ones by predicted seconds, then the others. */
static void sort_methods(int order[GBL_CANDIDATES_MOST], const gbl_Explanation *how) {
    for (int n = 0; n < how->ncandidates; n++) {
        int at = n;
        const gbl_Candidate *c = &how->candidates[n];
        for (; at > 0; at--) {
            const gbl_Candidate *before = &how->candidates[order[at - 1]];
            const bool in_order =
                before->legal != c->legal ? before->legal : before->seconds <= c->seconds;
            if (in_order || !c->legal) break;
            order[at] = order[at - 1];
        }
        order[at] = n;
    }
}

/* Candidates of the table; others are left out for a reason that needs no price. */
static bool has_price(const gbl_Explanation *how, int w) {
    return how->candidates[w].seconds > 0.0 || how->candidates[w].legal || w == how->chosen;
}

static void add_method(gb_Text *text, const gbl_Explanation *how, int w, double best) {
    const gbl_Candidate *c = &how->candidates[w];
    const bool known = c->seconds > 0.0;
    gb_text_add(text, "%s %-8s %-12s",
                w == how->chosen ? ">"
                : c->legal       ? " "
                                 : "-",
                name(c->method), name(c->workflow));
    add_seconds(text, known ? c->seconds : NAN);
    add_number(text, c->seconds / best, known && best > 0.0);
    add_seconds(text, known ? c->seconds_convert : NAN);
    add_bytes(text, c->bytes > 0 ? (double)c->bytes : NAN);
    add_count(text, c->slices, known);
    gb_text_add(text, "\n");
}

/* One of the GPU is told of where that was asked for; `place` says why it was not. */
static bool is_left_out(const gbl_Explanation *how, int w, const char *why) {
    const gbl_Candidate *c = &how->candidates[w];
    const bool may = strcmp(name(c->place), "gpu") != 0 || strcmp(name(how->place), "gpu") == 0;
    return may && !c->legal && w != how->chosen && strcmp(why, name(c->why_not)) == 0;
}

/* Those left out, a line for each reason, with their names where they are few. */
static void add_left_out(gb_Text *text, const gbl_Explanation *how) {
    enum { FEW = 4 };
    for (int w = 0; w < how->ncandidates; w++) {
        const char *why = name(how->candidates[w].why_not), *before = "  ";
        int alike = 0, first = how->ncandidates;
        for (int k = how->ncandidates - 1; k >= 0; k--)
            if (is_left_out(how, k, why)) alike++, first = k;
        for (int k = w; k < how->ncandidates && first == w && alike <= FEW; k++) {
            if (!is_left_out(how, k, why)) continue;
            gb_text_add(text, "%s%s %s", before, how->candidates[k].method,
                        name(how->candidates[k].workflow));
            before = ", ";
        }
        if (first == w) gb_text_add(text, "%s: %s\n", alike <= FEW ? "" : "  others", why);
    }
}

static void add_methods(gb_Text *text, const gbl_Explanation *how) {
    int order[GBL_CANDIDATES_MOST];
    sort_methods(order, how);
    const gbl_Candidate *first = &how->candidates[order[0]];
    gb_text_add(
        text, "\n  method                 predicted times best converting     memory     slices\n");
    for (int k = 0; k < how->ncandidates; k++)
        if (has_price(how, order[k]))
            add_method(text, how, order[k], first->legal ? first->seconds : 0.0);
    gb_text_add(text, "  (> chosen%s; - excluded, see below; rates: %s)\n",
                how->forced ? ", as asked for" : "", name(how->machine));
    add_left_out(text, how);
}

/* -- times ------------------------------------------------------------------------------------- */

static void add_phase(gb_Text *text, const char *phase, double predicted, double measured) {
    gb_text_add(text, "  %-20s", phase);
    add_seconds(text, predicted);
    add_seconds(text, measured);
    add_number(text, measured / predicted, predicted > 0.0);
    gb_text_add(text, "\n");
}

static void add_steps(gb_Text *text, const gbl_Explanation *how) {
    const struct {
        const char *step;
        double seconds;
    } steps[] = {
        {"  sketches", how->seconds_sketch},        {"  estimates", how->seconds_estimate},
        {"  symbolic pass", how->seconds_symbolic}, {"  tiles of C", how->seconds_layout},
        {"  masks of tiles", how->seconds_masks},   {"  values of tiles", how->seconds_values},
        {"  expanding", how->seconds_expand},       {"  moving rows", how->seconds_compact},
        {"  sorting", how->seconds_sort},           {"  transfers", how->seconds_transfer}};
    for (size_t k = 0; k < sizeof steps / sizeof *steps; k++)
        if (steps[k].seconds > 0.0) add_phase(text, steps[k].step, NAN, steps[k].seconds);
}

/* Sizing and conversions are parts of what the struct calls prepare and kernel. */
static void add_times(gb_Text *text, const gbl_Explanation *how) {
    const gbl_Candidate none = {.seconds = NAN,
                                .seconds_plan = NAN,
                                .seconds_size = NAN,
                                .seconds_convert = NAN,
                                .seconds_kernel = NAN};
    const gbl_Candidate *c =
        how->chosen >= 0 && how->ncandidates > 0 ? &how->candidates[how->chosen] : &none;
    const double all = how->seconds_prepare + how->seconds_kernel + how->seconds_finish;
    const double before = how->seconds_sketch + how->seconds_estimate;
    const double plan = how->seconds_prepare - before;
    const double kernel = how->seconds_kernel - how->seconds_symbolic - how->seconds_convert;
    gb_text_add(text, "\n  time                  predicted   measured  measured / predicted\n");
    add_phase(text, "planning", c->seconds_plan, plan);
    add_phase(text, "sizes of C's rows", c->seconds_size, before + how->seconds_symbolic);
    add_phase(text, "conversions", c->seconds_convert, how->seconds_convert);
    add_phase(text, "kernel, fresh pages", c->seconds_kernel + c->seconds_pages, kernel);
    add_phase(text, "mask, accum, commit", NAN, how->seconds_finish);
    add_phase(text, "all", c->seconds, all);
    add_steps(text, how);
}

static void add_result(gb_Text *text, const gbl_Explanation *how) {
    const struct {
        const char *what;
        uint64_t count;
    } counts[] = {{"rows copied", how->rows_copied},
                  {"rows sorted", how->rows_sorted},
                  {"rows hashed", how->rows_hashed},
                  {"rows by dense array", how->rows_dense},
                  {"rows done twice", how->rows_overflowed},
                  {"rows by bits", how->rows_bits},
                  {"heavy rows as bits", how->hubs_bits},
                  {"slices", how->slices},
                  {"bins", how->bins},
                  {"bytes expanded", how->bytes_expanded},
                  {"bytes to the GPU", how->bytes_to_device},
                  {"bytes from the GPU", how->bytes_from_device}};
    gb_text_add(text, "\n  %-20s%*" PRIu64 "\n", "entries", WIDE, how->nvals);
    if (how->registers > 0)
        gb_text_add(text, "  %-20s%*.0f   by sketches of %d registers\n", "entries estimated", WIDE,
                    how->nvals_estimated, (int)how->registers);
    for (size_t k = 0; k < sizeof counts / sizeof *counts; k++)
        if (counts[k].count > 0)
            gb_text_add(text, "  %-20s%*" PRIu64 "\n", counts[k].what, WIDE, counts[k].count);
}

void gb_explain_text(gb_Text *text, const gbl_Explanation *how) {
    /* else planned, too short to be timed, or nothing to multiply */
    const bool measured = how->seconds_kernel > 0.0;
    add_head(text, how);
    if (how->nnz_a > 0) add_factors(text, how);
    if (how->flops > 0) add_product(text, how);
    if (how->ncandidates > 0) add_methods(text, how);
    if (measured) add_times(text, how);
    if (measured || how->nvals > 0) add_result(text, how);
}
