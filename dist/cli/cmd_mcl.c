/* SPDX-License-Identifier: Apache-2.0
 *
 * gblite-dist mcl: Markov clustering.
 */
#include <inttypes.h>

#include "dist_cli.h"

typedef struct {
    cli_Common common;
    markov_options markov;
    bool trace;
    cli_MarkovFacts facts;
    char note[96];
} Arguments;

enum { TRACE = CLI_MARKOV_END };

static const struct argp_option options[] = {
    CLI_MARKOV_OPTIONS,
    {"trace", TRACE, NULL, 0, "Print a line per step to stderr", 0},
    {0},
};

static error_t parse(int key, char *text, struct argp_state *state) {
    Arguments *a = state->input;
    if (key != TRACE) return cli_parse_markov(key, text, state, &a->markov);
    a->trace = true;
    return 0;
}

static void note_step(void *context, int64_t step, double chaos, const gbl_Explanation *how) {
    Arguments *a = context;
    a->facts.steps = step;
    a->facts.chaos = chaos;
    snprintf(a->facts.method, sizeof a->facts.method, "%s", how->method);
    snprintf(a->note, sizeof a->note, "step %" PRId64 ", chaos %.4f, %" PRIu64 " flows", step,
             chaos, how->nvals);
    cli_progress_note(a->note);
    if (a->trace) fprintf(stderr, "%s\n", a->note);
}

/* In process 0, of the vector of all labels. */
static gbl_Info print_clusters(cli_Clusters *clusters, gbl_Vector label, gbl_Index n,
                               const cli_Common *common) {
    const gbl_Info info = cli_clusters_of(clusters, label, n);
    if (info || (!common->output && common->json)) return info;
    return cli_clusters_write(clusters, NULL, common->output);
}

static gbl_Info collect(dc_Work *work, const dc_Clusters *found, gbl_Index n, Arguments *a) {
    gbl_Vector label = NULL;
    cli_Clusters clusters = {0};
    gbl_Info info;
    if ((info = gbl_DistVector_nvals(&a->facts.attractors, found->attractors)) ||
        (info = gbl_DistVector_nvals(&a->facts.overlap, found->overlap)) ||
        (info = gbl_DistVector_gather(&label, found->cluster, 0)))
        return info;
    if (work->rank == 0 && !(info = print_clusters(&clusters, label, n, &a->common)))
        info = cli_clusters_report(work->report, &clusters, &a->facts);
    gbl_Vector_free(&label);
    cli_clusters_free(&clusters);
    return gbl_Grid_agree(work->grid, info);
}

int dc_mcl(int argc, char **argv) {
    const cli_Usage usage = {
        .args = "GRAPH",
        .about = "Cluster GRAPH, a file or a generator, by the Markov cluster process: edge "
                 "weights are positive, directions and loops are ignored. Prints one cluster per "
                 "line, largest first; with --json or -o a report instead. GBLITE_MEMORY_LIMIT in "
                 "the environment bounds what a process takes beside the flow.",
        .operand = "graph",
        .output = "Write the clusters to FILE and a report to stdout",
        .options = options,
        .parse = parse};
    Arguments a = {.markov = MARKOV_USUAL, .facts.method = "none"};
    dc_Work work = {0};
    dc_Clusters found = {0};
    gbl_DistMatrix A = NULL;
    gbl_Index n;
    gbl_Info info;

    a.markov.report = note_step;
    a.markov.context = &a;
    a.markov.single = true; /* as mcl */
    cli_parse(argc, argv, &usage, &a.common, &a);
    const bool quiet = !a.common.output && !a.common.json;
    if ((info = dc_begin(&work, &a.common)) ||
        (info = dc_load_square(&A, &n, GBL_FP64, a.common.operand, work.grid)))
        goto done;
    const double start = cli_seconds();
    if ((info = gbl_Global_set_INT64(GBL_GLOBAL, 0, GBL_POOL_LIMIT)) ||
        (info = dc_markov(&found, &A, work.grid, &a.markov)))
        goto done;
    const double seconds = cli_seconds() - start;
    if (work.rank == 0) cli_progress_stop();
    if ((info = collect(&work, &found, n, &a))) goto done;
    cli_report_number(work.report, "seconds", seconds);
    info = dc_report_counters(&work);
done:
    dc_clusters_free(&found);
    gbl_DistMatrix_free(&A);
    return dc_end(&work, info, quiet);
}
