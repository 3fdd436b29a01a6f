/* SPDX-License-Identifier: Apache-2.0
 *
 * gblite mxm: C<M> = A * B over a semiring, and how it was computed; or what it would need.
 */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "cli.h"

typedef struct {
    cli_Common common;
    const char *a, *b, *mask; /* b NULL: B is A */
    cli_Ring ring;
    gbl_Desc_Value method, workflow, variant;
    bool complement, transpose_b, explain, estimate;
    int approximates; /* GBL_TAU, GBL_VALID_RATIO or GBL_ERROR_BOUND; 0: the product is exact */
    double approximate;
    int32_t side; /* of sub-matrices; 0: the library's choice */
    gbl_Desc_Value rounding;
    uint64_t topn;  /* entries of a row of C that are kept; 0: all */
    int64_t memory; /* that C is computed in, slice by slice; 0: C is held as a whole */
    bool resume;
    const char *reduce, *fold; /* what is folded, NULL: C is made; by which monoid */
    uint64_t key;              /* of what says which product it is */
} Arguments;

typedef struct {
    gbl_Matrix A, B, M, C; /* B is A when only one operand was given */
    gbl_Descriptor desc;
} Product;

/* options without a letter */
enum { TAU = 256, RATIO, BOUND, SIDE, ROUND, VARIANT, MEMORY, TOPN, RESUME, REDUCE, FOLD };

static const struct argp_option options[] = {
    {"semiring", 's', "NAME", 0, "Semiring, e.g. min_plus or plus_times_fp32 (plus_times)", 0},
    {"mask", 'm', "M", 0, "Compute only where the matrix M has entries", 0},
    {"complement", 'c', NULL, 0, "Compute only where the mask has no entries", 0},
    {"transpose-b", 'T', NULL, 0, "Multiply by the transpose of B", 0},
    {"method", 'M', "NAME", 0, "How to multiply, e.g. rowwise or outer (auto)", 0},
    {"workflow", 'w', "NAME", 0,
     "Of rowwise: bound, estimate or symbolic; of panel: as-they-are or grouped (auto)", 0},
    {"variant", VARIANT, "NAME", 0, "Of the method vector, e.g. spa or h-hash-256/256 (auto)", 0},
    {"tau", TAU, "T", 0, "Leave out products of sub-matrices whose norms have a lesser product", 0},
    {"valid-ratio", RATIO, "R", 0, "Compute this part of the products of sub-matrices", 0},
    {"error", BOUND, "E", 0, "Leave out what makes an error of at most E (Frobenius norm)", 0},
    {"side", SIDE, "N", 0, "Of these sub-matrices: 16, 32 or 64 (32)", 0},
    {"round", ROUND, "TYPE", 0, "Round factors to fp16, bf16 or tf32 (of plus_times_fp32)", 0},
    {"topn", TOPN, "N", 0, "Keep the N largest entries of each row of C; more are never stored", 0},
    {"memory", MEMORY, "SIZE", 0,
     "Write C to --output (.gbl, .mtx, .h5) slice by slice, within SIZE bytes, e.g. 4G", 0},
    {"resume", RESUME, NULL, 0, "With --memory: go on where the same command was interrupted", 0},
    {"reduce", REDUCE, "WHAT", 0,
     "Fold the rows or columns of C, which is not stored; --output gets one number each", 0},
    {"fold", FOLD, "NAME", 0, "With --reduce: plus, times, min or max (plus)", 0},
    {"estimate", 'n', NULL, 0, "Do not multiply: tell how large C would be", 0},
    {"explain", 'e', NULL, 0, "Tell how the product was computed", 0},
    {0},
};

static void approximate(struct argp_state *state, const char *text, int by) {
    static const char *const names[] = {"--tau", "--valid-ratio", "--error"};
    Arguments *a = state->input;
    if (a->approximates != 0)
        argp_error(state, "--tau, --valid-ratio and --error exclude each other");
    a->approximates = by;
    a->approximate = cli_parse_real(state, names[by - GBL_TAU], text, 0.0,
                                    by == GBL_VALID_RATIO ? 1.0 : HUGE_VAL);
}

static void check_usage(struct argp_state *state, const Arguments *a) {
    if (a->complement && !a->mask) argp_error(state, "--complement needs --mask");
    if (a->fold && !a->reduce) argp_error(state, "--fold needs --reduce");
    const bool vector = a->method == GBL_METHOD_VECTOR, spamm = a->method == GBL_METHOD_SPAMM;
    const bool forced = a->method == GBL_DEFAULT && getenv("GBLITE_METHOD");
    if (a->variant != GBL_DEFAULT && !vector && !forced)
        argp_error(state, "--variant needs --method vector");
    if (a->side > 0 && a->approximates == 0 && a->rounding == GBL_DEFAULT && !spamm && !forced)
        argp_error(state, "--side needs --tau, --valid-ratio, --error, --round or --method spamm");
    if (a->reduce && (a->explain || a->estimate || a->resume))
        argp_error(state, "--reduce excludes --explain, --estimate and --resume");
    if (a->memory > 0 && !a->reduce &&
        (a->explain || a->estimate || !cli_takes_slices(a->common.output)))
        argp_error(state, "--memory writes to a file: give -o FILE.gbl, .mtx, .mtx.gz, .mtx.zst or "
                          ".h5, and neither --explain nor --estimate");
    if (a->resume && a->memory == 0) argp_error(state, "--resume needs --memory");
    if (a->estimate && (a->mask || a->common.output))
        argp_error(state, "--estimate does not multiply: leave out --mask and --output");
    if (a->estimate && (a->approximates != 0 || a->rounding != GBL_DEFAULT || a->topn))
        argp_error(state, "--estimate is of exact products: leave out --tau, --valid-ratio, "
                          "--error, --round and --topn");
}

static error_t parse(int key, char *text, struct argp_state *state) {
    Arguments *a = state->input;
    if (key != MEMORY && key != RESUME) a->key = cli_mix_text(a->key + (uint64_t)key, text);
    switch (key) {
    case TAU:
    case RATIO:
    case BOUND:
        approximate(state, text, GBL_TAU + key - TAU);
        return 0;
    case ROUND:
        a->rounding = cli_parse_rounding(state, text);
        return 0;
    case SIDE:
        a->side = (int32_t)cli_parse_count(state, "--side", text, 16, 64);
        return 0;
    case 's':
        a->ring = cli_parse_ring(state, text);
        return 0;
    case 'M':
        a->method = cli_parse_method(state, text);
        return 0;
    case 'w':
        a->workflow = cli_parse_workflow(state, text);
        return 0;
    case MEMORY:
        a->memory = cli_parse_size(state, text);
        return 0;
    case RESUME:
        a->resume = true;
        return 0;
    case REDUCE:
        if (strcmp(text, "rows") != 0 && strcmp(text, "columns") != 0)
            argp_error(state, "--reduce is rows or columns, not '%s'", text);
        a->reduce = text;
        return 0;
    case FOLD:
        if (strcmp(text, "plus") != 0 && strcmp(text, "times") != 0 && strcmp(text, "min") != 0 &&
            strcmp(text, "max") != 0)
            argp_error(state, "--fold is plus, times, min or max, not '%s'", text);
        a->fold = text;
        return 0;
    case TOPN:
        a->topn = cli_parse_count(state, "--topn", text, 1, GBL_INDEX_MAX);
        return 0;
    case VARIANT:
        a->variant = cli_parse_variant(state, text);
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
    case 'n':
        a->estimate = true;
        return 0;
    case 'e':
        a->explain = true;
        return 0;
    case ARGP_KEY_ARG:
        if (state->arg_num > 1) argp_error(state, "two matrices at most; '%s' is one more", text);
        *(state->arg_num ? &a->b : &a->a) = text;
        return 0;
    case ARGP_KEY_NO_ARGS:
        argp_error(state, "no matrix given: %s", cli_operand_hint);
        return 0;
    case ARGP_KEY_SUCCESS:
        check_usage(state, a);
        return 0;
    default:
        return ARGP_ERR_UNKNOWN;
    }
}

static gbl_Info prepare(Product *p, Arguments *a) {
    gbl_Index nrows, ncols;
    gbl_Info info;
    a->ring.usual &= a->approximates == 0; /* SPAMM is of floats */
    const gbl_Type type = cli_ring_operand(&a->ring);
    if ((info = cli_load(&p->A, type, a->a, &a->common.reading))) return info;
    p->B = p->A;
    if (a->b) {
        p->B = NULL;
        if ((info = cli_load(&p->B, type, a->b, &a->common.reading))) return info;
    }
    if ((info = cli_ring_choose(&a->ring, (gbl_Matrix[]){p->A, p->B}, 2))) return info;
    if (a->mask && (info = cli_load(&p->M, GBL_BOOL, a->mask, &a->common.reading))) return info;
    if ((info = gbl_Descriptor_new(&p->desc)) ||
        (info = gbl_Descriptor_set(p->desc, GBL_METHOD, a->method)) ||
        (info = gbl_Descriptor_set(p->desc, GBL_WORKFLOW, a->workflow)) ||
        (info = gbl_Descriptor_set(p->desc, GBL_VECTOR_VARIANT, a->variant)) ||
        (info = gbl_Descriptor_set(p->desc, GBL_ROUND_FACTORS, a->rounding)) ||
        (info = gbl_Descriptor_set(p->desc, GBL_MASK,
                                   a->complement ? GBL_COMP_STRUCTURE : GBL_STRUCTURE)))
        return info;
    if (a->side > 0 && (info = gbl_Descriptor_set_INT32(p->desc, a->side, GBL_SUBMATRIX)))
        return info;
    if (a->approximates != 0 &&
        (info = gbl_Descriptor_set_FP64(p->desc, a->approximate, a->approximates)))
        return info;
    if (a->transpose_b && (info = gbl_Descriptor_set(p->desc, GBL_INP1, GBL_TRAN))) return info;
    if ((info = gbl_Matrix_nrows(&nrows, p->A)) ||
        (info = a->transpose_b ? gbl_Matrix_nrows(&ncols, p->B) : gbl_Matrix_ncols(&ncols, p->B)))
        return info;
    return gbl_Matrix_new(&p->C, a->ring.type, nrows, ncols);
}

static gbl_Info report_product(cli_Report *report, gbl_Matrix C, double seconds,
                               const Arguments *a) {
    const char *output = a->common.output;
    gbl_Explanation how = GBL_EXPLANATION_INIT;
    gbl_Index nrows, ncols, nvals;
    gbl_Info info;
    if ((info = gbl_Matrix_explain(&how, C)) || (info = gbl_Matrix_nrows(&nrows, C)) ||
        (info = gbl_Matrix_ncols(&ncols, C)) || (info = gbl_Matrix_nvals(&nvals, C)))
        return info;
    cli_warn_full(nrows, ncols, nvals, output);
    cli_report_count(report, "rows", nrows);
    cli_report_count(report, "columns", ncols);
    cli_report_count(report, "entries", nvals);
    cli_report_count(report, "flops", how.flops);
    cli_report_text(report, "method", how.method);
    cli_report_text(report, "workflow", how.workflow);
    cli_report_text(report, "reason", how.reason);
    cli_report_number(report, "seconds", seconds);
    if (how.submatrix > 0) {
        cli_report_number(report, "tau", how.tau);
        cli_report_number(report, "valid_ratio", how.valid_ratio);
        cli_report_number(report, "error_bound", how.error_bound);
    }
    return a->explain ? cli_report_explanation(report, &how) : GBL_SUCCESS;
}

/* A ratio to nothing is 0 in an estimate; as a result it would mislead. */
static double known_ratio(double ratio) {
    return ratio > 0 ? ratio : NAN;
}

static gbl_Info estimate(cli_Report *report, const Product *p, const Arguments *a) {
    gbl_MxmEstimate e = GBL_MXM_ESTIMATE_INIT;
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
    cli_report_number(report, "expansion_ratio", known_ratio(e.expansion_ratio));
    cli_report_number(report, "compression_ratio", known_ratio(e.compression_ratio));
    cli_report_number(report, "bytes", e.bytes);
    cli_report_number(report, "bytes_workspace", e.bytes_workspace);
    cli_report_count(report, "rows_sampled", e.rows_sampled);
    cli_report_text(report, "method", "estimate");
    cli_report_number(report, "seconds", seconds);
    return GBL_SUCCESS;
}

/* Tells of integers that may not fit into C; of a product that is held as a whole without a doubt,
 * by a product of floats. */
static gbl_Info check_integers(const Product *p, const Arguments *a) {
    const gbl_Matrix operands[] = {p->A, p->B};
    cli_Ring ring = a->ring;
    gbl_Matrix D = NULL;
    gbl_Index nrows, ncols;
    bool fits;
    gbl_Info info = cli_ring_bound(&fits, &ring, operands, 2, 0);
    if (info || fits) return info;
    if (!ring.usual || a->topn || a->memory > 0 || a->reduce) return cli_ring_told(&ring);
    cli_ring_typed(&ring, "fp64");
    if ((info = gbl_Matrix_nrows(&nrows, p->C)) || (info = gbl_Matrix_ncols(&ncols, p->C)) ||
        (info = gbl_Matrix_new(&D, GBL_FP64, nrows, ncols)) ||
        (info = gbl_mxm(D, p->M, NULL, ring.ring, p->A, p->B, p->desc)))
        goto done;
    info = cli_ring_compare(p->C, D, &ring);
done:
    gbl_Matrix_free(&D);
    return info;
}

/* Multiplies, reports and writes. */
static gbl_Info multiply(cli_Report *report, const Product *p, const Arguments *a) {
    gbl_Info info;
    double start = cli_seconds();
    const gbl_RowFilter keep = {.size = sizeof keep, .most = a->topn};
    const gbl_Semiring ring = a->ring.ring;
    if (a->topn && (info = check_integers(p, a))) return info;
    if ((info = a->topn ? gbl_mxm_select(p->C, p->M, NULL, ring, &keep, p->A, p->B, p->desc)
                        : gbl_mxm(p->C, p->M, NULL, ring, p->A, p->B, p->desc)) ||
        (info = gbl_Matrix_wait(p->C, GBL_MATERIALIZE)))
        return info;
    double seconds = cli_seconds() - start;
    if ((!a->topn && (info = check_integers(p, a))) ||
        (info = report_product(report, p->C, seconds, a)))
        return info;
    const gbl_Labels *labels = a->b || a->mask ? NULL : &a->common.reading.labels; /* of A */
    return a->common.output ? cli_save(p->C, a->common.output, NULL, labels) : GBL_SUCCESS;
}

/* To a file, or folded. */
static gbl_Info multiply_by_slices(cli_Report *report, cli_Slices *slices, const Product *p,
                                   const Arguments *a) {
    const gbl_RowFilter keep = {.size = sizeof keep, .most = a->topn};
    const gbl_Info info = check_integers(p, a);
    if (info) return info;
    slices->ring = a->ring.ring;
    slices->A = p->A;
    slices->B = p->B;
    slices->how = (gbl_FileProduct){.type = a->ring.type,
                                    .keep = a->topn ? &keep : NULL,
                                    .M = p->M,
                                    .desc = p->desc,
                                    .resume = a->resume};
    return a->reduce ? cli_fold_slices(report, slices, strcmp(a->reduce, "columns") == 0,
                                       a->fold ? a->fold : "plus")
                     : cli_write_slices(report, slices);
}

int cmd_mxm(int argc, char **argv) {
    const cli_Usage usage = {.reads = true,
                             .args = "A [B]",
                             .about = "Multiply A by B, or A by A when B is not given. Each is a "
                                      "file or a generator.",
                             .output =
                                 "Write C to FILE, in the form that its name says; .gz compresses",
                             .options = options,
                             .parse = parse};
    Arguments a = {.ring = cli_default_ring(), .method = GBL_DEFAULT};
    Product p = {0};
    cli_Report *report = NULL;
    gbl_Info info;

    cli_parse(argc, argv, &usage, &a.common, &a);
    cli_Slices slices = {.names = {a.a, a.b, a.mask}, .output = a.common.output, .key = a.key};
    cli_slices_begin(&slices);
    if ((info = cli_begin(&a.common, &report)) || (info = cli_set_memory(a.memory)) ||
        (info = prepare(&p, &a)))
        goto done;
    if (a.memory > 0 || a.reduce)
        info = multiply_by_slices(report, &slices, &p, &a);
    else
        info = a.estimate ? estimate(report, &p, &a) : multiply(report, &p, &a);
done:
    if (p.B != p.A) gbl_Matrix_free(&p.B);
    gbl_Matrix_free(&p.A);
    gbl_Matrix_free(&p.M);
    gbl_Matrix_free(&p.C);
    gbl_Descriptor_free(&p.desc);
    return cli_end(info, &report, &a.common);
}
