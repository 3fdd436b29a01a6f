/* SPDX-License-Identifier: Apache-2.0
 *
 * An explanation as one JSON object on one line. Keys are the names of the struct's fields, in its
 * order, but for its size; the formats are lists of names, and a candidate says itself whether it
 * is the one chosen.
 */
#include "mxm/explain/explain.h"

#include <inttypes.h>

#include "core/text.h"

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
static const Field of_explanation[] = {
    OF(NAME, operation),
    OF(NAME, method),
    OF(NAME, workflow),
    OF(NAME, isa),
    OF(CHARACTERS, reason),
    OF(COUNT, flops),
    OF(COUNT, nvals),
    OF(COUNT, rows_copied),
    OF(COUNT, rows_sorted),
    OF(COUNT, rows_hashed),
    OF(COUNT, rows_dense),
    OF(COUNT, rows_overflowed),
    OF(REAL, flops_mean),
    OF(REAL, flops_spread),
    OF(REAL, expansion_ratio),
    OF(REAL, compression_ratio),
    OF(REAL, compression_error),
    OF(REAL, nvals_estimated),
    OF(SMALL, registers),
    OF(REAL, seconds_prepare),
    OF(REAL, seconds_kernel),
    OF(REAL, seconds_finish),
    OF(REAL, seconds_analysis),
    OF(REAL, seconds_sketch),
    OF(REAL, seconds_estimate),
    OF(REAL, seconds_symbolic),
    OF(REAL, seconds_compact),
    OF(REAL, seconds_sort),
    OF(REAL, seconds_expand),
    OF(REAL, seconds_convert),
    OF(REAL, seconds_layout),
    OF(REAL, seconds_masks),
    OF(REAL, seconds_values),
    OF(COUNT, slices),
    OF(COUNT, bins),
    OF(COUNT, bytes_expanded),
    OF(SMALL, chosen),
    OF(FLAG, forced),
    OF(REAL, seconds_predicted),
    OF(REAL, seconds_plan),
    OF(REAL, seconds_count),
    OF(COUNT, nrows),
    OF(COUNT, inner),
    OF(COUNT, ncols),
    OF(COUNT, nnz_a),
    OF(COUNT, nnz_b),
    OF(COUNT, nnz_mask),
    OF(REAL, mask_density),
    OF(COUNT, flops_most),
    OF(REAL, entries_expected),
    OF(COUNT, rows_sampled),
    OF(REAL, fill_a),
    OF(REAL, fill_b),
    OF(COUNT, rows_used_a),
    OF(COUNT, rows_used_b),
    OF(COUNT, longest_a),
    OF(COUNT, longest_b),
    OF(REAL, spread_a),
    OF(REAL, spread_b),
    OF(REAL, tile_pairs),
    OF(FORMATS, formats_a),
    OF(FORMATS, formats_b),
    OF(FLAG, iso_a),
    OF(FLAG, iso_b),
    OF(COUNT, bytes_limit),
    OF(NAME, machine),
    OF(NAME, place),
    OF(CHARACTERS, place_reason),
    OF(COUNT, bytes_to_device),
    OF(COUNT, bytes_from_device),
    OF(REAL, seconds_transfer),
    OF(COUNT, hubs_bits),
    OF(COUNT, rows_bits),
    OF(REAL, tau),
    OF(REAL, valid_ratio),
    OF(REAL, error_bound),
    OF(SMALL, submatrix),
    OF(REAL, seconds_norms),
    OF(REAL, seconds_search),
    OF(FLAG, folded),
    OF(NAME, rounding),
    OF(REAL, rounding_error),
    OF(SMALL, devices),
    OF(REAL, panel_share),
    OF(REAL, panel_share_grouped),
    OF(COUNT, rows_grouped),
    OF(FLAG, panels_kept),
    OF(SMALL, fused),
    OF(FLAG, filtered),
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
