/* SPDX-License-Identifier: Apache-2.0
 *
 * gblite cc, gblite scc: connected components, weak or strong.
 */
#include <stdlib.h>

#include "../examples/components.h"
#include "../examples/strong_components.h"
#include "cli.h"

/* How many components there are, and vertices in the largest. */
static gbl_Info count(const cli_Values *label, gbl_Index *components, uint64_t *largest) {
    uint64_t *size = calloc(label->n + 1, sizeof *size);
    if (!size) return gbl_fail(GBL_OUT_OF_MEMORY, NULL, "not enough memory for the components");
    *components = *largest = 0;
    for (gbl_Index k = 0; k < label->n; k++) {
        const uint64_t now = ++size[(gbl_Index)label->x[k]];
        *components += now == 1;
        if (now > *largest) *largest = now;
    }
    free(size);
    return GBL_SUCCESS;
}

typedef struct {
    cli_Common common;
    bool strong, directed;
} Arguments;

enum { STRONG = 's' };

static const struct argp_option options[] = {
    {"strong", STRONG, NULL, 0,
     "Strong components: their vertices reach each other along the directions of edges", 0},
    {0},
};

static error_t parse(int key, char *text, struct argp_state *state) {
    Arguments *a = state->input;
    (void)text;
    switch (key) {
    case STRONG:
        a->strong = true;
        return 0;
    case ARGP_KEY_SUCCESS:
        if (a->strong && a->common.undirected)
            argp_error(state, "--strong is about directions of edges, which --undirected ignores");
        return 0;
    default:
        return ARGP_ERR_UNKNOWN;
    }
}

/* Directions do not count for weak components. */
static gbl_Info find(gbl_Vector *label, gbl_Matrix A, Arguments *a) {
    gbl_Info info;
    bool symmetric = false;
    cli_progress_call("directions of edges");
    if (!a->common.undirected && (info = cli_is_symmetric(&symmetric, A))) return info;
    a->directed = !symmetric && !a->common.undirected;
    cli_progress_call(a->strong && a->directed ? "scc" : "directions of edges");
    if (a->strong && a->directed) return strong_components(label, A);
    if (!symmetric && (info = cli_symmetrize(A))) return info;
    cli_progress_call("cc");
    return components(label, A);
}

#define OUTPUT                                                                                     \
    "Write a line \"vertex component\" for each vertex, a component being called by its first "    \
    "vertex"

static int run(int argc, char **argv, const cli_Usage *usage, bool strong) {
    Arguments a = {.strong = strong};
    gbl_Matrix A = NULL;
    gbl_Vector label = NULL;
    cli_Values values = {0};
    gbl_Index found = 0, largest = 0;
    gbl_Index n;
    cli_Report *report = NULL;
    gbl_Info info;

    cli_parse(argc, argv, usage, &a.common, &a);
    if ((info = cli_begin(&a.common, &report)) ||
        (info = cli_load_square(&A, &n, GBL_BOOL, &a.common)))
        goto done;
    double start = cli_seconds();
    if ((info = find(&label, A, &a))) goto done;
    double seconds = cli_seconds() - start;
    if ((info = cli_values_read(&values, label)) || (info = count(&values, &found, &largest)))
        goto done;
    if (a.common.output && (info = cli_values_write(&values, true, &a.common))) goto done;
    cli_report_count(report, "vertices", n);
    cli_report_count(report, "components", found);
    cli_report_count(report, "largest", largest);
    cli_report_flag(report, "directed", a.directed);
    cli_report_flag(report, "strong", a.strong);
    cli_report_text(report, "method", a.strong && a.directed ? "tarjan" : "afforest");
    cli_report_number(report, "seconds", seconds);
done:
    cli_values_free(&values);
    gbl_Vector_free(&label);
    gbl_Matrix_free(&A);
    return cli_end(info, &report, &a.common);
}

int cmd_cc(int argc, char **argv) {
    const cli_Usage usage = {
        .reads = true,
        .args = "GRAPH",
        .about = "Find the connected components of GRAPH, a file or a generator; of a directed "
                 "graph the weak ones, or with --strong the strong ones.\v"
                 "  gblite cc links.csv -o components.tsv\n"
                 "  gblite cc links.csv -o - | cut -f 2 | sort | uniq -c | sort -n",
        .operand = "graph",
        .output = OUTPUT,
        .options = options,
        .parse = parse,
        .undirected = true};
    return run(argc, argv, &usage, false);
}

int cmd_scc(int argc, char **argv) {
    const cli_Usage usage = {
        .reads = true,
        .args = "GRAPH",
        .about = "Find the strongly connected components of GRAPH, a file or a generator: the "
                 "vertices of one reach each other along the directions of edges. The same as "
                 "gblite cc --strong.\v"
                 "  gblite scc web:16:8 -o components.tsv\n"
                 "  gblite scc web:16:8 --json",
        .operand = "graph",
        .output = OUTPUT};
    return run(argc, argv, &usage, true);
}
