/* SPDX-License-Identifier: Apache-2.0
 *
 * Explanations as a struct, and as one JSON object on one line, whose keys are the names of the
 * struct's fields in its order, but for its size; the formats are lists of names, and a candidate
 * says itself whether it is the one chosen. GBLITE_TRACE writes each product to stderr at once, so
 * that threads do not mix theirs.
 */
#include "mxm/explain/explain.h"

#include <inttypes.h>
#include <stdio.h>

const struct gb_FormatName gb_format_names[GB_FORMAT_NAMES] = {{GBL_HAS_CSR, "rows"},
                                                               {GBL_HAS_CSC, "columns"},
                                                               {GBL_HAS_TILE16, "tiles"},
                                                               {GBL_HAS_BITMAP, "bitmap"},
                                                               {GBL_HAS_FULL, "full"}};

/* Standard deviation relative to the mean, of n numbers. */
static double spread(double sum, double squares, uint64_t n) {
    const double mean = sum / (double)n, variance = squares / (double)n - mean * mean;
    return mean > 0.0 && variance > 0.0 ? sqrt(variance) / mean : 0.0;
}

/* The legal candidate with the least seconds but number `other`, of a device or, for GB_PLACE_NONE,
 * of any; or NULL. */
static const gbl_Candidate *best_of(const gbl_Explanation *why, int place, int other) {
    const gbl_Candidate *best = NULL;
    for (int k = 0; k < why->ncandidates; k++) {
        const gbl_Candidate *c = &why->candidates[k];
        if (k == other || !c->legal) continue;
        if (place != GB_PLACE_NONE && (int)gb_methods[k]->place != place) continue;
        if (best == NULL || c->seconds < best->seconds) best = c;
    }
    return best;
}

static void explain_place(gbl_Explanation *why, const gb_Features *f) {
    char *to = why->place_reason;
    const size_t capacity = sizeof why->place_reason;
    const gbl_Candidate *gpu = best_of(why, GBL_PLACE_GPU, -1);
    const gbl_Candidate *cpu = best_of(why, GBL_PLACE_CPU, -1);
    const char *no_gpu = "there is no method for the GPU";
    for (int k = why->ncandidates - 1; k >= 0; k--)
        if (gb_methods[k]->place == GBL_PLACE_GPU) no_gpu = why->candidates[k].why_not;
    if (f->place == GBL_PLACE_GPU)
        snprintf(to, capacity, "the GPU is asked for");
    else if (f->place == GBL_PLACE_CPU)
        snprintf(to, capacity,
                 f->place_is_asked ? "the CPU is asked for" : "the GPU was not asked for");
    else if (gpu != NULL && cpu != NULL)
        snprintf(to, capacity, "predicted %.3g s on the GPU, %.3g s on the CPU", gpu->seconds,
                 cpu->seconds);
    else
        snprintf(to, capacity, "%s", gpu == NULL ? no_gpu : "the CPU cannot do it");
}

static void explain_factors(gbl_Explanation *why, const gb_Features *f) {
    why->nnz_a = f->A.nvals;
    why->nnz_b = f->B.nvals;
    why->fill_a = f->A.fill;
    why->fill_b = f->B.fill;
    why->rows_used_a = f->A.rows_used;
    why->rows_used_b = f->B.rows_used;
    why->longest_a = f->A.longest;
    why->longest_b = f->B.longest;
    why->spread_a = spread((double)f->A.nvals, f->A.squares, f->m);
    why->spread_b = spread((double)f->B.nvals, f->B.squares, f->k);
    why->tile_pairs = f->A.fill > 0.0 && f->B.fill > 0.0 ? gb_tile_pairs(f) : 0.0;
    why->iso_a = f->A.iso;
    why->iso_b = f->B.iso;
}

void gb_explain_plan(gbl_Explanation *why, const gb_Plan *plan, const gb_Features *f) {
    why->ncandidates = gb_plan_candidates(why->candidates, plan, f, f->machine);
    const gbl_Candidate *c = &why->candidates[plan->chosen];
    if (why->place_reason[0] == '\0') explain_place(why, f);
    why->place = c->place;
    why->method = c->method;
    if (why->workflow == NULL) why->workflow = c->workflow;
    why->chosen = plan->chosen;
    why->forced = plan->forced;
    why->seconds_predicted = c->seconds;
    why->nrows = f->m;
    why->inner = f->k;
    why->ncols = f->n;
    why->nnz_mask = f->nnz_m;
    const double inside = (double)f->nnz_m / ((double)f->m * (double)f->n);
    why->mask_density = f->mask == GB_MASK_NONE     ? 1.0
                        : f->mask == GB_MASK_INSIDE ? inside
                                                    : 1.0 - inside;
    explain_factors(why, f);
    why->entries_expected = gb_expect_entries(f);
    why->bytes_limit = (uint64_t)f->budget;
    why->machine = f->machine->source;
    why->panel_share = f->panels.share;
    why->panel_share_grouped = f->panels.grouped;
}

void gb_explain_flops(gbl_Explanation *why, const gb_Features *f) {
    why->flops = f->flops;
    if (f->counted) {
        why->flops_mean = (double)f->flops / (double)f->m;
        why->flops_spread = spread((double)f->flops, f->rows.squares, f->m);
        why->expansion_ratio = (double)f->flops / (double)f->A.nvals;
        why->flops_most = f->rows.most;
    }
    why->compression_ratio = f->compression;
    why->compression_error = f->compression_error;
    why->rows_sampled = f->sampled;
}

void gb_explain_reason(gbl_Explanation *why) {
    if (why->chosen < 0 || why->ncandidates == 0) return;
    const gbl_Candidate *c = &why->candidates[why->chosen];
    const gbl_Candidate *next = best_of(why, GB_PLACE_NONE, why->chosen);
    const bool tie =
        next != NULL && (next->seconds < c->seconds || (next->seconds == c->seconds && next < c));
    const char *how = why->forced ? "asked for"
                      : tie       ? "a tie with the fastest, and ready"
                                  : "the fastest";
    char other[64] = "", compression[32] = "was not sampled";
    if (next != NULL)
        snprintf(other, sizeof other, ", %s (%s) %.3g s", next->method, next->workflow,
                 next->seconds);
    const int n = snprintf(why->reason, sizeof why->reason, "%s: %s, predicted %.3g s%s", c->method,
                           how, c->seconds, other);
    if (why->compression_ratio > 0.0)
        snprintf(compression, sizeof compression, "%.3g", why->compression_ratio);
    if (why->flops_mean > 0.0 && n > 0 && (size_t)n < sizeof why->reason)
        snprintf(why->reason + n, sizeof why->reason - (size_t)n,
                 "; %.3g flops per row, expansion %.3g, compression %s", why->flops_mean,
                 why->expansion_ratio, compression);
}

gbl_Info gb_explain_get(gbl_Explanation *why, gb_Matrix *A) {
    gbl_Info info = gb_assemble(A); /* which ends what the product's explanation was about */
    if (info != GBL_SUCCESS) return info;
    if (A->hyper != NULL) return gb_explain_get(why, A->hyper->core);
    gb_lock_to_read(&A->lock);
    if (A->note.block != NULL) {
        if (A->note.tell != NULL)
            A->note.tell(why, A->note.block);
        else
            *why = *(const gbl_Explanation *)A->note.block;
        why->bytes_from_device += A->fetched.bytes;
        why->seconds_transfer += A->fetched.seconds;
    } else {
        info = GBL_NO_VALUE;
    }
    gb_unlock(&A->lock);
    if (info == GBL_SUCCESS) gb_explain_reason(why);
    return info;
}

/* -- JSON -------------------------------------------------------------------------------------- */

/* How a field is stored. */
typedef enum { NAME, CHARACTERS, FLAG, COUNT, REAL, SMALL, FORMATS } Kind;
typedef struct {
    const char *name;
    Kind kind;
    size_t at, size;
} Field;
#define FIELD(struct_, kind, field)                                                                \
    { #field, kind, offsetof(struct_, field), sizeof(((struct_ *)0)->field) }

#define OF_CANDIDATE(kind, field) FIELD(gbl_Candidate, kind, field)
static const Field of_candidate[] = {
    OF_CANDIDATE(NAME, method),          OF_CANDIDATE(NAME, workflow),
    OF_CANDIDATE(NAME, place),           OF_CANDIDATE(FLAG, legal),
    OF_CANDIDATE(NAME, why_not),         OF_CANDIDATE(REAL, seconds),
    OF_CANDIDATE(REAL, seconds_plan),    OF_CANDIDATE(REAL, seconds_size),
    OF_CANDIDATE(REAL, seconds_convert), OF_CANDIDATE(REAL, seconds_pages),
    OF_CANDIDATE(REAL, seconds_kernel),  OF_CANDIDATE(COUNT, bytes),
    OF_CANDIDATE(COUNT, slices),
};

#define OF(kind, field) FIELD(gbl_Explanation, kind, field)
#define OF2(kind, a, b) OF(kind, a), OF(kind, b)
#define OF4(kind, a, b, c, d) OF2(kind, a, b), OF2(kind, c, d)
static const Field of_explanation[] = {
    OF4(NAME, operation, method, workflow, isa),
    OF(CHARACTERS, reason),
    OF4(COUNT, flops, nvals, rows_copied, rows_sorted),
    OF2(COUNT, rows_hashed, rows_dense),
    OF(COUNT, rows_overflowed),
    OF4(REAL, flops_mean, flops_spread, expansion_ratio, compression_ratio),
    OF2(REAL, compression_error, nvals_estimated),
    OF(SMALL, registers),
    OF4(REAL, seconds_prepare, seconds_kernel, seconds_finish, seconds_analysis),
    OF4(REAL, seconds_sketch, seconds_estimate, seconds_symbolic, seconds_compact),
    OF4(REAL, seconds_sort, seconds_expand, seconds_convert, seconds_layout),
    OF2(REAL, seconds_masks, seconds_values),
    OF2(COUNT, slices, bins),
    OF(COUNT, bytes_expanded),
    OF(SMALL, chosen),
    OF(FLAG, forced),
    OF2(REAL, seconds_predicted, seconds_plan),
    OF(REAL, seconds_count),
    OF4(COUNT, nrows, inner, ncols, nnz_a),
    OF2(COUNT, nnz_b, nnz_mask),
    OF(REAL, mask_density),
    OF(COUNT, flops_most),
    OF(REAL, entries_expected),
    OF(COUNT, rows_sampled),
    OF2(REAL, fill_a, fill_b),
    OF4(COUNT, rows_used_a, rows_used_b, longest_a, longest_b),
    OF2(REAL, spread_a, spread_b),
    OF(REAL, tile_pairs),
    OF2(FORMATS, formats_a, formats_b),
    OF2(FLAG, iso_a, iso_b),
    OF(COUNT, bytes_limit),
    OF2(NAME, machine, place),
    OF(CHARACTERS, place_reason),
    OF2(COUNT, bytes_to_device, bytes_from_device),
    OF(REAL, seconds_transfer),
    OF2(COUNT, hubs_bits, rows_bits),
    OF2(REAL, tau, valid_ratio),
    OF(REAL, error_bound),
    OF(SMALL, submatrix),
    OF2(REAL, seconds_norms, seconds_search),
    OF(FLAG, folded),
    OF(NAME, rounding),
    OF(REAL, rounding_error),
    OF(SMALL, devices),
    OF2(REAL, panel_share, panel_share_grouped),
    OF(COUNT, rows_grouped),
    OF(FLAG, panels_kept),
    OF(SMALL, fused),
    OF(FLAG, filtered),
    OF(CHARACTERS, semiring),
};

static void add_formats(gb_Text *text, unsigned formats) {
    gb_text_add(text, "[");
    for (int k = 0, n = 0; k < GB_FORMAT_NAMES; k++)
        if (formats & gb_format_names[k].bit)
            gb_text_add(text, "%s\"%s\"", n++ > 0 ? "," : "", gb_format_names[k].name);
    gb_text_add(text, "]");
}

static void add_value(gb_Text *text, const Field *field, const void *at) {
    switch (field->kind) {
    case NAME:
        gb_text_json_string(text, *(const char *const *)at, SIZE_MAX);
        break;
    case CHARACTERS:
        gb_text_json_string(text, at, field->size);
        break;
    case FLAG:
        gb_text_add(text, "%s", *(const bool *)at ? "true" : "false");
        break;
    case COUNT:
        gb_text_add(text, "%" PRIu64, *(const uint64_t *)at);
        break;
    case REAL:
        gb_text_json_number(text, *(const double *)at);
        break;
    case SMALL:
        gb_text_add(text, "%" PRId32, *(const int32_t *)at);
        break;
    case FORMATS:
        add_formats(text, *(const unsigned *)at);
        break;
    }
}

static void add_fields(gb_Text *text, const Field *fields, size_t n, const void *from) {
    for (size_t k = 0; k < n; k++) {
        gb_text_add(text, "\"%s\":", fields[k].name);
        add_value(text, &fields[k], (const char *)from + fields[k].at);
        gb_text_add(text, ",");
    }
}

void gb_explain_json(gb_Text *text, const gbl_Explanation *how) {
    gb_text_add(text, "{");
    add_fields(text, of_explanation, sizeof of_explanation / sizeof *of_explanation, how);
    gb_text_add(text, "\"candidates\":[");
    for (int w = 0; w < how->ncandidates; w++) {
        gb_text_add(text, w > 0 ? ",{" : "{");
        add_fields(text, of_candidate, sizeof of_candidate / sizeof *of_candidate,
                   &how->candidates[w]);
        gb_text_add(text, "\"chosen\":%s}", w == how->chosen ? "true" : "false");
    }
    gb_text_add(text, "]}");
}

/* -- trace ------------------------------------------------------------------------------------- */

void gb_trace(const gbl_Explanation *why) {
    const gb_Trace wanted = gb_tracing();
    const gb_ExplainForm form = wanted == GB_TRACE_JSON    ? gb_explain_json
                                : wanted == GB_TRACE_TABLE ? gb_explain_text
                                                           : gb_explain_line;
    gbl_Explanation how = *why;
    gb_Text text = {0};
    gb_explain_reason(&how);
    form(&text, &how);
    text.capacity = text.length + 2;
    text.to = gb_malloc(text.capacity);
    if (text.to == NULL) {
        fprintf(stderr, "gblite: no memory to tell of a product\n");
        return;
    }
    text.length = 0;
    form(&text, &how);
    gb_text_add(&text, "\n");
    fwrite(text.to, 1, text.length, stderr);
    gb_free(text.to, text.capacity);
}
