/* SPDX-License-Identifier: Apache-2.0
 *
 * gblite mcl: Markov clustering.
 */
#include <inttypes.h>
#include <stdlib.h>
#ifdef __GLIBC__
#include <malloc.h>
#endif

#include "markov.h"

typedef struct {
    cli_Common common;
    markov_options markov;
    bool trace;            /* a line per step */
    bool native, quiet;    /* clusters as a matrix of mcl; no report */
    const char *transform; /* of weights; NULL: none */
} Arguments;

enum { ABC = CLI_MARKOV_END, TRACE, NATIVE, TRANSFORM };

static const struct argp_option options[] = {
    CLI_MARKOV_OPTIONS,
    {"abc", ABC, NULL, 0, "GRAPH has lines of two labels and a weight", 0},
    {"transform", TRANSFORM, "LIST", 0,
     "Of weights, as -tf of mcl: gq(5),neglog(10),ceil(200) and gt, lq, lt, mul, scale, add, "
     "floor, "
     "pow, exp, log",
     0},
    {"native", NATIVE, NULL, 0, "Write clusters as a matrix in the form of mcl", 0},
    {"quiet", 'q', NULL, 0, "Print no report", 0},
    {"trace", TRACE, NULL, 0, "Print a line per step to stderr", 0},
    {0},
};

static error_t parse(int key, char *text, struct argp_state *state) {
    Arguments *a = state->input;
    switch (key) {
    case ABC:
        a->common.reading.abc = a->common.reading.edges = true;
        return 0;
    case TRANSFORM:
        a->transform = text;
        a->common.reading.weights = false; /* those that it makes are checked */
        return 0;
    case NATIVE:
        a->native = true;
        return 0;
    case 'q':
        a->quiet = true;
        return 0;
    case TRACE:
        a->trace = true;
        return 0;
    default:
        return cli_parse_markov(key, text, state, &a->markov);
    }
}

/* Edges of weight 0 are none. */
static gbl_Info load(gbl_Matrix *A, gbl_Index *n, Arguments *a) {
    gbl_Duplicates *const rule = &a->common.reading.duplicates;
    const bool falls = a->transform && cli_transform_falls(a->transform);
    if (falls && *rule == GBL_DUPLICATES_USUAL && a->common.reading.abc) *rule = GBL_DUPLICATES_MIN;
    gbl_Info info = cli_load_square(A, n, GBL_FP64, &a->common);
    if (!info && a->transform) info = cli_transform(*A, a->transform);
    return info ? info : gbl_Matrix_select_FP64(*A, NULL, NULL, GBL_VALUENE_FP64, *A, 0, NULL);
}

/* What happened on the way, for the report and the progress bar. */
typedef struct {
    cli_MarkovFacts facts;
    double before; /* seconds when the step before ended */
    bool lines;    /* of each step, on stderr */
    gbl_Matrix *A; /* the graph, which the first step has read */
    char note[96];
} Trace;

static void note_step(void *context, int64_t step, double chaos, const gbl_Explanation *how) {
    Trace *t = context;
    gbl_Matrix_free(t->A);
#ifdef __GLIBC__
    malloc_trim(0); /* buffers of the step */
#endif
    t->facts.steps = step;
    t->facts.chaos = chaos;
    snprintf(t->facts.method, sizeof t->facts.method, "%s", how->method);
    snprintf(t->note, sizeof t->note, "step %" PRId64 ", chaos %.4f, %" PRIu64 " flows", step,
             chaos, how->nvals);
    cli_progress_note(t->note);
    if (!t->lines) return;
    const double now = cli_seconds();
    if (step == 1) fprintf(stderr, "step     chaos      products         flows  seconds\n");
    fprintf(stderr, "%4" PRId64 "%10.5f%14" PRIu64 "%14" PRIu64 "%9.3f\n", step, chaos, how->flops,
            how->nvals, now - t->before);
    t->before = now;
}

/* Flow grows for some steps and shrinks from then on, so blocks of one step are too small or too
 * large for the next: they go back to the system at once, those of the library by its pool's limit.
 * By itself glibc would keep blocks below 32 MB, and some for each thread. */
static void keep_no_blocks(void) {
#ifdef __GLIBC__
    mallopt(M_MMAP_THRESHOLD, 1 << 20);
    mallopt(M_ARENA_MAX, 1);
#endif
}

int cmd_mcl(int argc, char **argv) {
    const cli_Usage usage = {
        .reads = true,
        .args = "GRAPH",
        .about = "Cluster GRAPH, a file or a generator, by the Markov cluster process: edge "
                 "weights are positive, directions and loops are ignored. Prints one cluster per "
                 "line, largest first; with --json or -o a report instead.",
        .operand = "graph",
        .output = "Write the clusters to FILE and a report to stdout",
        .options = options,
        .parse = parse};
    Trace trace = {.facts.method = "none"};
    Arguments a = {.common.reading.weights = true, .markov = MARKOV_USUAL};
    cli_Clusters clusters = {0};
    gbl_Index n = 0;
    gbl_Vector found[MARKOV_FOUND] = {NULL};
    gbl_Matrix A = NULL;
    cli_Report *report = NULL;
    gbl_Info info;

    keep_no_blocks();
    a.markov.report = note_step;
    a.markov.context = &trace;
    a.markov.single = true; /* as mcl */
    cli_parse(argc, argv, &usage, &a.common, &a);
    if ((info = cli_begin(&a.common, &report)) || (info = load(&A, &n, &a))) goto done;
    double start = cli_seconds();
    trace.lines = a.trace;
    trace.A = &A;
    trace.before = start;
    if ((info = gbl_Global_set_INT64(GBL_GLOBAL, 0, GBL_POOL_LIMIT)) ||
        (info = markov_cluster(found, A, &a.markov)))
        goto done;
    double seconds = cli_seconds() - start;
    cli_progress_stop();
    if ((info = gbl_Vector_nvals(&trace.facts.attractors, found[MARKOV_ATTRACTORS])) ||
        (info = gbl_Vector_nvals(&trace.facts.overlap, found[MARKOV_OVERLAP])) ||
        (info = cli_clusters_of(&clusters, found[MARKOV_CLUSTER], n)))
        goto done;
    const char *output = a.common.output;
    if ((output || !a.common.json) &&
        (info = a.native ? cli_clusters_write_native(&clusters, &a.common.reading.labels, output)
                         : cli_clusters_write(&clusters, &a.common.reading.labels, output)))
        goto done;
    if (a.quiet || (!output && !a.common.json)) goto done;
    if ((info = cli_clusters_report(report, &clusters, &trace.facts))) goto done;
    cli_report_number(report, "seconds", seconds);
done:
    cli_clusters_free(&clusters);
    for (int k = 0; k < MARKOV_FOUND; k++) gbl_Vector_free(&found[k]);
    gbl_Matrix_free(&A);
    return cli_end(info, &report, &a.common);
}
