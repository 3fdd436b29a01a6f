/* SPDX-License-Identifier: Apache-2.0
 *
 * gblite mxm: C<M> = A * B over a semiring, and how it was computed; or what it would need.
 */
#include <math.h>

#include "cli.h"

typedef struct {
    cli_Common common;
    const char *a, *b, *mask, *output; /* b NULL: B is A */
    cli_Ring ring;
    gbl_Desc_Value method, workflow;
    bool complement, transpose_b, explain, estimate;
} Arguments;

typedef struct {
    gbl_Matrix A, B, M, C; /* B is A when only one operand was given */
    gbl_Descriptor desc;
} Product;

static const struct argp_option options[] = {
    {"semiring", 's', "NAME", 0, "Semiring, e.g. min_plus or plus_times_fp32 (plus_times)", 0},
    {"mask", 'm', "M", 0, "Compute only where the matrix M has entries", 0},
    {"complement", 'c', NULL, 0, "Compute only where the mask has no entries", 0},
    {"transpose-b", 'T', NULL, 0, "Multiply by the transpose of B", 0},
    {"method", 'M', "NAME", 0, "auto, rowwise, dot, tiled or outer (auto)", 0},
    {"workflow", 'w', "NAME", 0, "Of the rowwise method: auto, bound, estimate or symbolic (auto)",
     0},
    {"estimate", 'n', NULL, 0, "Do not multiply: tell how large C would be", 0},
    {"output", 'o', "FILE", 0, "Write C to FILE, compressed when it ends in .gz", 0},
    {"explain", 'e', NULL, 0, "Tell how the product was computed", 0},
    {0},
};

static void parse_name(struct argp_state *state, Arguments *a, int key, const char *text) {
    char known[1024];
    if (key == 's' && !cli_find_ring(&a->ring, text)) {
        cli_list_rings(known, sizeof known);
        argp_error(state,
                   "unknown semiring '%s'. Known, each also with a type such as _fp64, _fp32, "
                   "_int64: %s",
                   text, known);
    }
    if (key == 'M' && !cli_find_method(&a->method, text)) {
        cli_list_methods(known, sizeof known);
        argp_error(state, "unknown method '%s'. Known: %s", text, known);
    }
    if (key == 'w' && !cli_find_workflow(&a->workflow, text))
        argp_error(state, "unknown workflow '%s'. Known: auto, bound, estimate, symbolic", text);
}

static error_t parse(int key, char *text, struct argp_state *state) {
    Arguments *a = state->input;
    switch (key) {
    case ARGP_KEY_INIT:
        state->child_inputs[0] = &a->common;
        return 0;
    case 's':
    case 'M':
    case 'w':
        parse_name(state, a, key, text);
        return 0;
    case 'm':
        a->mask = text;
        return 0;
    case 'c':
        a->complement = true;
        return 0;
    case 'T':
        a->transpose_b = true;
        return 0;
    case 'o':
        a->output = text;
        return 0;
    case 'n':
        a->estimate = true;
        return 0;
    case 'e':
        a->explain = true;
        return 0;
    case ARGP_KEY_ARG:
        if (state->arg_num > 1) argp_error(state, "at most two matrices; '%s' is one more", text);
        *(state->arg_num ? &a->b : &a->a) = text;
        return 0;
    case ARGP_KEY_NO_ARGS:
        argp_error(state, "no matrix given");
        return 0;
    case ARGP_KEY_SUCCESS:
        if (a->complement && !a->mask) argp_error(state, "--complement needs --mask");
        if (a->estimate && (a->mask || a->output))
            argp_error(state, "--estimate does not multiply: leave out --mask and --output");
        return 0;
    default:
        return ARGP_ERR_UNKNOWN;
    }
}

static gbl_Info prepare(Product *p, const Arguments *a) {
    gbl_Index nrows, ncols;
    gbl_Info info;
    if ((info = gbl_load(&p->A, a->ring.type, a->a))) return info;
    p->B = p->A;
    if (a->b) {
        p->B = NULL;
        if ((info = gbl_load(&p->B, a->ring.type, a->b))) return info;
    }
    if (a->mask && (info = gbl_load(&p->M, GBL_BOOL, a->mask))) return info;
    if ((info = gbl_Descriptor_new(&p->desc)) ||
        (info = gbl_Descriptor_set(p->desc, GBL_METHOD, a->method)) ||
        (info = gbl_Descriptor_set(p->desc, GBL_WORKFLOW, a->workflow)) ||
        (info = gbl_Descriptor_set(p->desc, GBL_MASK,
                                   a->complement ? GBL_COMP_STRUCTURE : GBL_STRUCTURE)))
        return info;
    if (a->transpose_b && (info = gbl_Descriptor_set(p->desc, GBL_INP1, GBL_TRAN))) return info;
    if ((info = gbl_Matrix_nrows(&nrows, p->A)) ||
        (info = a->transpose_b ? gbl_Matrix_nrows(&ncols, p->B) : gbl_Matrix_ncols(&ncols, p->B)))
        return info;
    return gbl_Matrix_new(&p->C, a->ring.type, nrows, ncols);
}

/* What the planner compared; predicted and, for the one it took, measured. */
static void report_candidates(cli_Report *report, const gbl_Explanation *how) {
    const double measured = how->seconds_prepare + how->seconds_kernel + how->seconds_finish;
    for (int k = 0; k < how->ncandidates; k++) {
        const gbl_Candidate *c = &how->candidates[k];
        cli_report_begin_row(report, "candidates");
        cli_report_text(report, "method", c->method);
        cli_report_text(report, "workflow", c->workflow);
        cli_report_number(report, "predicted", c->legal ? c->seconds : NAN);
        cli_report_number(report, "measured", k == how->chosen ? measured : NAN);
        cli_report_number(report, "conversions", c->legal ? c->seconds_convert : NAN);
        cli_report_number(report, "megabytes", c->legal ? 1e-6 * (double)c->bytes : NAN);
        cli_report_number(report, "slices", c->legal ? (double)c->slices : NAN);
        const char *why_not = c->why_not != NULL ? c->why_not : "";
        cli_report_text(report, "choice", k == how->chosen ? "taken" : why_not);
        cli_report_end_row(report);
    }
}

static void report_explanation(cli_Report *report, const gbl_Explanation *how) {
    cli_report_text(report, "isa", how->isa);
    cli_report_text(report, "place", how->place);
    cli_report_text(report, "place_reason", how->place_reason);
    cli_report_count(report, "bytes_to_device", how->bytes_to_device);
    cli_report_count(report, "bytes_from_device", how->bytes_from_device);
    cli_report_number(report, "seconds_transfer", how->seconds_transfer);
    cli_report_count(report, "rows_copied", how->rows_copied);
    cli_report_count(report, "rows_sorted", how->rows_sorted);
    cli_report_count(report, "rows_hashed", how->rows_hashed);
    cli_report_count(report, "rows_dense", how->rows_dense);
    cli_report_count(report, "rows_overflowed", how->rows_overflowed);
    cli_report_number(report, "products_per_row", how->products_mean);
    cli_report_number(report, "products_spread", how->products_spread);
    cli_report_number(report, "expansion_ratio", how->expansion_ratio);
    cli_report_number(report, "compression_ratio", how->compression_ratio);
    cli_report_number(report, "compression_error", how->compression_error);
    cli_report_number(report, "entries_estimated", how->nvals_estimated);
    cli_report_number(report, "seconds_prepare", how->seconds_prepare);
    cli_report_number(report, "seconds_kernel", how->seconds_kernel);
    cli_report_number(report, "seconds_finish", how->seconds_finish);
    cli_report_number(report, "seconds_analysis", how->seconds_analysis);
    cli_report_number(report, "seconds_sketch", how->seconds_sketch);
    cli_report_number(report, "seconds_estimate", how->seconds_estimate);
    cli_report_number(report, "seconds_symbolic", how->seconds_symbolic);
    cli_report_count(report, "slices", how->slices);
    cli_report_count(report, "bins", how->bins);
    cli_report_count(report, "bytes_expanded", how->bytes_expanded);
    cli_report_number(report, "seconds_expand", how->seconds_expand);
    cli_report_number(report, "seconds_compact", how->seconds_compact);
    cli_report_number(report, "seconds_sort", how->seconds_sort);
    report_candidates(report, how);
}

static gbl_Info report_product(cli_Report *report, gbl_Matrix C, bool explain) {
    gbl_Explanation how;
    gbl_Index nrows, ncols, nvals;
    gbl_Info info;
    if ((info = gbl_Matrix_explain(&how, C)) || (info = gbl_Matrix_nrows(&nrows, C)) ||
        (info = gbl_Matrix_ncols(&ncols, C)) || (info = gbl_Matrix_nvals(&nvals, C)))
        return info;
    cli_report_count(report, "rows", nrows);
    cli_report_count(report, "columns", ncols);
    cli_report_count(report, "entries", nvals);
    cli_report_count(report, "flops", how.flops);
    cli_report_text(report, "method", how.method);
    cli_report_text(report, "workflow", how.workflow);
    cli_report_text(report, "reason", how.reason);
    if (explain) report_explanation(report, &how);
    return GBL_SUCCESS;
}

static gbl_Info estimate(cli_Report *report, const Product *p, const Arguments *a) {
    gbl_MxmEstimate e;
    double start = cli_seconds();
    gbl_Info info = gbl_mxm_estimate(&e, a->ring.ring, p->A, p->B, p->desc);
    if (info) return info;
    double seconds = cli_seconds() - start;
    cli_report_count(report, "rows", e.nrows);
    cli_report_count(report, "columns", e.ncols);
    cli_report_count(report, "flops", e.flops);
    cli_report_number(report, "entries_estimated", e.nvals);
    cli_report_number(report, "relative_error", e.nvals_error);
    cli_report_number(report, "entries_least", e.nvals_least);
    cli_report_number(report, "entries_most", e.nvals_most);
    cli_report_number(report, "expansion_ratio", e.expansion_ratio);
    cli_report_number(report, "compression_ratio", e.compression_ratio);
    cli_report_number(report, "bytes", e.bytes);
    cli_report_number(report, "bytes_workspace", e.bytes_workspace);
    cli_report_count(report, "rows_sampled", e.rows_sampled);
    cli_report_text(report, "method", "estimate");
    cli_report_number(report, "seconds", seconds);
    return GBL_SUCCESS;
}

/* Multiplies, reports and writes. */
static gbl_Info multiply(cli_Report *report, const Product *p, const Arguments *a) {
    gbl_Info info;
    double start = cli_seconds();
    if ((info = gbl_mxm(p->C, p->M, NULL, a->ring.ring, p->A, p->B, p->desc)) ||
        (info = gbl_Matrix_wait(p->C, GBL_MATERIALIZE)))
        return info;
    double seconds = cli_seconds() - start;
    if ((info = report_product(report, p->C, a->explain))) return info;
    cli_report_number(report, "seconds", seconds);
    return a->output ? gbl_mm_write(p->C, a->output) : GBL_SUCCESS;
}

int cmd_mxm(int argc, char **argv) {
    const struct argp argp = {.options = options,
                              .parser = parse,
                              .args_doc = "A [B]",
                              .doc = "Multiply A by B, or A by A when B is not given. Each is a "
                                     "file or a generator.",
                              .children = cli_common_child};
    Arguments a = {.method = GBL_DEFAULT};
    Product p = {0};
    cli_Report *report = NULL;
    gbl_Info info;

    cli_find_ring(&a.ring, "plus_times");
    argp_parse(&argp, argc, argv, 0, NULL, &a);
    if ((info = cli_begin(&a.common)) || (info = cli_report_new(&report, a.common.json)) ||
        (info = prepare(&p, &a)))
        goto done;
    if ((info = a.estimate ? estimate(report, &p, &a) : multiply(report, &p, &a))) goto done;
    cli_progress_stop();
    info = cli_report_print(&report);
done:
    cli_report_free(&report);
    if (p.B != p.A) gbl_Matrix_free(&p.B);
    gbl_Matrix_free(&p.A);
    gbl_Matrix_free(&p.M);
    gbl_Matrix_free(&p.C);
    gbl_Descriptor_free(&p.desc);
    return cli_end(info);
}
