/* SPDX-License-Identifier: Apache-2.0
 *
 * gblite pagerank: how often a random walker is at each vertex.
 */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "../examples/pagerank.h"
#include "cli.h"

typedef struct {
    cli_Common common;
    pagerank_options options;
    const char *personalize; /* vertices, separated by commas; NULL: all */
    bool unweighted;
} Arguments;

enum { UNWEIGHTED = 256 };

static const struct argp_option options[] = {
    {"damping", 'd', "X", 0, "Follow an edge with probability X (0.85)", 0},
    {"tolerance", 'e', "X", 0, "Stop when ranks change by less than X in sum (1e-4)", 0},
    {"personalize", 'p', "V[,V...]", 0, "Jump to these vertices alone, labels or numbers (all)", 0},
    {"unweighted", UNWEIGHTED, NULL, 0,
     "Follow all edges of a vertex alike, not in proportion to their weights", 0},
    {"undirected", 'u', NULL, 0, "Edges go both ways, which takes fewer steps; not checked", 0},
    {"steps", 'n', "N", 0, "Make at most N steps (100); exit with 3 where ranks change still", 0},
    {0},
};

static error_t parse(int key, char *text, struct argp_state *state) {
    Arguments *a = state->input;
    switch (key) {
    case 'd':
        a->options.damping = cli_parse_real(state, "--damping", text, 0, 1);
        return 0;
    case 'e':
        a->options.tolerance = cli_parse_real(state, "--tolerance", text, 0, 1);
        return 0;
    case 'n':
        a->options.steps = (int64_t)cli_parse_count(state, "--steps", text, 1, 1000000);
        return 0;
    case 'p':
        a->personalize = text;
        return 0;
    case UNWEIGHTED:
        a->unweighted = true;
        return 0;
    case 'u':
        a->options.undirected = true;
        return 0;
    default:
        return ARGP_ERR_UNKNOWN;
    }
}

/* jump(v) += share for the vertices in the list, which is cut; a name may itself have commas. */
static gbl_Info add_vertices(gbl_Vector jump, char *list, gbl_Index n, const cli_Common *common) {
    gbl_Index vertex, count = 1;
    gbl_Info info = GBL_SUCCESS;
    const bool one = gbl_label_find(&vertex, &common->reading.labels, list) == GBL_SUCCESS;
    for (const char *c = list; !one && *c; c++) count += *c == ',';
    const double share = 1 / (double)count;
    for (char *name; !info && (name = one ? list : strsep(&list, ","));) {
        double before = 0;
        if ((info = cli_find_vertex(&vertex, "--personalize", name, n, common)) ||
            (info = gbl_Vector_extractElement_FP64(&before, jump, vertex)))
            break;
        info = gbl_Vector_setElement_FP64(jump, before + share, vertex);
        if (one) break;
    }
    return info;
}

static gbl_Info personalize(Arguments *a, gbl_Index n) {
    char *list = strdup(a->personalize);
    gbl_Info info;
    if (!list) return gbl_fail(GBL_OUT_OF_MEMORY, NULL, "not enough memory for the vertices");
    if (!(info = gbl_Vector_new(&a->options.jump, GBL_FP64, n)) &&
        !(info = gbl_Vector_assign_FP64(a->options.jump, NULL, NULL, 0, GBL_ALL, n, NULL)))
        info = add_vertices(a->options.jump, list, n, &a->common);
    free(list);
    return info;
}

/* Weights count where they differ. */
static gbl_Info load(gbl_Matrix *A, gbl_Index *n, Arguments *a) {
    double least = 0, most = 0, sum = 0;
    gbl_Info info;
    if (a->unweighted) return cli_load_square(A, n, GBL_BOOL, &a->common);
    a->common.reading.weights = true;
    if ((info = cli_load_square(A, n, GBL_FP64, &a->common)) ||
        (info = gbl_Matrix_reduce_FP64(&least, NULL, GBL_MIN_MONOID_FP64, *A, NULL)) ||
        (info = gbl_Matrix_reduce_FP64(&most, NULL, GBL_MAX_MONOID_FP64, *A, NULL)) ||
        (info = gbl_Matrix_reduce_FP64(&sum, NULL, GBL_PLUS_MONOID_FP64, *A, NULL)))
        return info;
    if (least < 0 || !isfinite(sum))
        return gbl_fail(GBL_INVALID_VALUE, NULL,
                        "%s has weights that are negative (the least is %g), NaN or infinite in "
                        "sum; --unweighted leaves them aside",
                        a->common.operand, least);
    a->options.weighted = least < most || least == 0;
    return GBL_SUCCESS;
}

static gbl_Info report_ranks(cli_Report *report, gbl_Vector rank, const Arguments *a) {
    const pagerank_options *o = &a->options;
    cli_Values values;
    gbl_Info info;
    if ((info = cli_values_read(&values, rank)) ||
        (a->common.output && (info = cli_values_write(&values, false, &a->common))))
        goto done;
    cli_report_count(report, "vertices", values.n);
    cli_report_count(report, "steps", (uint64_t)o->steps);
    cli_report_flag(report, "converged", o->change <= o->tolerance);
    cli_report_number(report, "change", o->change);
    if (values.n > 0) {
        const gbl_Index top = cli_values_largest(&values);
        cli_report_vertex(report, "top", &a->common, values.vertex[top]);
        cli_report_number(report, "top_rank", values.x[top]);
    }
    cli_report_flag(report, "weighted", o->weighted);
    cli_report_text(report, "method", "power");
done:
    cli_values_free(&values);
    return info;
}

int cmd_pagerank(int argc, char **argv) {
    const cli_Usage usage = {
        .reads = true,
        .args = "GRAPH",
        .about = "Rank the vertices of GRAPH, a file or a generator, by where a random walker is "
                 "along its edges: an entry (i,j) is an edge from i to j. The walker takes an edge "
                 "of a vertex with a probability in proportion to its weight, which must not be "
                 "negative.",
        .operand = "graph",
        .output = "Write a line \"vertex rank\" for each vertex",
        .options = options,
        .parse = parse};
    Arguments a = {.options = {.damping = .85, .tolerance = 1e-4, .steps = 100}};
    gbl_Matrix A = NULL;
    gbl_Vector rank = NULL;
    gbl_Index n;
    cli_Report *report = NULL;
    gbl_Info info;

    cli_parse(argc, argv, &usage, &a.common, &a);
    if ((info = cli_begin(&a.common, &report)) || (info = load(&A, &n, &a)) ||
        (a.personalize && (info = personalize(&a, n))))
        goto done;
    double start = cli_seconds();
    cli_progress_call("pagerank");
    cli_progress_only("call");
    if ((info = pagerank(&rank, A, &a.options))) goto done;
    double seconds = cli_seconds() - start;
    if ((info = report_ranks(report, rank, &a))) goto done;
    cli_report_number(report, "seconds", seconds);
done:
    gbl_Vector_free(&a.options.jump);
    gbl_Vector_free(&rank);
    gbl_Matrix_free(&A);
    const int code = cli_end(info, &report, &a.common);
    if (code != CLI_OK || a.options.change <= a.options.tolerance) return code;
    fprintf(stderr,
            "gblite: the ranks have not converged: they change by %g after %lld steps; give more "
            "--steps or a larger --tolerance\n",
            a.options.change, (long long)a.options.steps);
    return CLI_NOT_CONVERGED;
}
