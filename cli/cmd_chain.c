/* SPDX-License-Identifier: Apache-2.0
 *
 * gblite chain: the product of many matrices in the order that is expected to be cheapest.
 */
#include <stdlib.h>
#include <string.h>

#include "cli.h"

typedef struct {
    cli_Common common;
    cli_Ring ring;
    const char *operands[GBL_CHAIN_MOST];
    int count;
    bool transpose_first, transpose_last, plan;
} Arguments;

typedef struct {
    gbl_Matrix A[GBL_CHAIN_MOST], C;
    gbl_Descriptor desc;
} Chain;

static const struct argp_option options[] = {
    {"semiring", 's', "RING", 0, "Semiring, e.g. min_plus or plus_times_fp32 (plus_times)", 0},
    {"transpose-first", 'F', NULL, 0, "Take the first matrix transposed", 0},
    {"transpose-last", 'L', NULL, 0, "Take the last matrix transposed", 0},
    {"plan", 'p', NULL, 0, "Do not multiply: print the orders compared", 0},
    {0},
};

static error_t parse(int key, char *text, struct argp_state *state) {
    Arguments *a = state->input;
    switch (key) {
    case 's':
        a->ring = cli_parse_ring(state, text);
        return 0;
    case 'F':
        a->transpose_first = true;
        return 0;
    case 'L':
        a->transpose_last = true;
        return 0;
    case 'p':
        a->plan = true;
        return 0;
    case ARGP_KEY_ARG:
        if (a->count == GBL_CHAIN_MOST)
            argp_error(state, "a chain has at most %d matrices", GBL_CHAIN_MOST);
        a->operands[a->count++] = text;
        return 0;
    case ARGP_KEY_END:
        if (a->count < 2)
            argp_error(state, "a chain has at least two matrices; %s", cli_operand_hint);
        if (a->plan && a->common.output)
            argp_error(state, "--plan does not multiply: leave out --output");
        return 0;
    default:
        return ARGP_ERR_UNKNOWN;
    }
}

/* Operands of the same text are one matrix. */
static gbl_Info load(Chain *c, Arguments *a) {
    gbl_Index nrows, ncols;
    gbl_Info info;
    for (int k = 0; k < a->count; k++) {
        for (int j = 0; j < k && !c->A[k]; j++)
            if (!strcmp(a->operands[j], a->operands[k])) c->A[k] = c->A[j];
        if (!c->A[k] && (info = cli_load(&c->A[k], cli_ring_operand(&a->ring), a->operands[k],
                                         &a->common.reading)))
            return info;
    }
    gbl_Matrix first = c->A[0], last = c->A[a->count - 1];
    if ((info = cli_ring_choose(&a->ring, c->A, a->count)) || (info = gbl_Descriptor_new(&c->desc)))
        return info;
    if (a->transpose_first && (info = gbl_Descriptor_set(c->desc, GBL_INP0, GBL_TRAN))) return info;
    if (a->transpose_last && (info = gbl_Descriptor_set(c->desc, GBL_INP1, GBL_TRAN))) return info;
    if ((info = a->transpose_first ? gbl_Matrix_ncols(&nrows, first)
                                   : gbl_Matrix_nrows(&nrows, first)) ||
        (info =
             a->transpose_last ? gbl_Matrix_nrows(&ncols, last) : gbl_Matrix_ncols(&ncols, last)))
        return info;
    return gbl_Matrix_new(&c->C, a->ring.type, nrows, ncols);
}

static void unload(Chain *c, int count) {
    for (int k = 0; k < count; k++) {
        gbl_Matrix A = c->A[k];
        for (int j = k; j < count; j++)
            if (c->A[j] == A) c->A[j] = NULL;
        gbl_Matrix_free(&A);
    }
    gbl_Matrix_free(&c->C);
    gbl_Descriptor_free(&c->desc);
}

static void report_plan(cli_Report *report, const gbl_ChainPlan *plan, bool all) {
    const gbl_ChainOrder *chosen = &plan->orders[plan->chosen];
    cli_report_text(report, "order", chosen->text);
    cli_report_number(report, "flops_expected", chosen->flops);
    cli_report_number(report, "entries_between", chosen->entries);
    cli_report_number(report, "seconds_plan", plan->seconds_plan);
    for (int k = 0; all && k < plan->norders; k++) {
        const gbl_ChainOrder *o = &plan->orders[k];
        char name[20], text[GBL_CHAIN_TEXT + 96];
        snprintf(name, sizeof name, "order_%d", k + 1);
        snprintf(text, sizeof text, "%s: %.3g flops, %.3g entries between, %.3g s", o->text,
                 o->flops, o->entries, o->seconds);
        cli_report_text(report, name, text);
    }
}

static gbl_Info multiply(cli_Report *report, const Chain *c, const Arguments *a) {
    gbl_Index nvals;
    gbl_Info info;
    const double start = cli_seconds();
    bool fits;
    if ((info = cli_ring_bound(&fits, &a->ring, c->A, a->count, a->transpose_first)) ||
        (!fits && (info = cli_ring_told(&a->ring))) ||
        (info = gbl_mxm_chain(c->C, NULL, NULL, a->ring.ring, c->A, a->count, c->desc)) ||
        (info = gbl_Matrix_wait(c->C, GBL_MATERIALIZE)))
        return info;
    const double seconds = cli_seconds() - start;
    if ((info = gbl_Matrix_nvals(&nvals, c->C))) return info;
    cli_report_count(report, "entries", nvals);
    cli_report_text(report, "method", "chain");
    cli_report_number(report, "seconds", seconds);
    return a->common.output ? cli_save(c->C, a->common.output, NULL, NULL) : GBL_SUCCESS;
}

/* The plan is asked for once more by the product, which finds the sketches made here. */
static gbl_Info plan(cli_Report *report, const Chain *c, const Arguments *a) {
    gbl_ChainPlan found = GBL_CHAIN_PLAN_INIT;
    const gbl_Info info = gbl_mxm_chain_plan(&found, a->ring.ring, c->A, a->count, c->desc);
    if (info) return info;
    report_plan(report, &found, a->plan);
    if (!a->plan) return GBL_SUCCESS;
    cli_report_text(report, "method", "plan");
    cli_report_number(report, "seconds", found.seconds_plan);
    return GBL_SUCCESS;
}

int cmd_chain(int argc, char **argv) {
    const cli_Usage usage = {
        .reads = true,
        .args = "A B [C...]",
        .about = "Multiply up to 64 matrices in the order that is expected to "
                 "be cheapest. Each is a file or a generator.",
        .output = "Write the product to FILE, in the form that its name says; .gz compresses",
        .options = options,
        .parse = parse};
    Arguments a = {.ring = cli_default_ring()};
    Chain c = {.C = NULL};
    cli_Report *report = NULL;
    gbl_Info info;

    cli_parse(argc, argv, &usage, &a.common, &a);
    if ((info = cli_begin(&a.common, &report)) || (info = load(&c, &a)) ||
        (info = plan(report, &c, &a)) || (!a.plan && (info = multiply(report, &c, &a))))
        goto done;
done:
    unload(&c, a.count);
    return cli_end(info, &report, &a.common);
}
