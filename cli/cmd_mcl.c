/* SPDX-License-Identifier: Apache-2.0
 *
 * gblite mcl: Markov clustering. Clusters are printed one per line, largest first, equally large
 * ones by their smallest vertex: vertices from 1, ascending, separated by tabs.
 */
#include <inttypes.h>
#include <stdlib.h>
#ifdef __GLIBC__
#include <malloc.h>
#endif

#include "../examples/markov_cluster.h"
#include "cli.h"

typedef struct {
    cli_Common common;
    markov_options markov;
    bool abc;   /* the operand is a label file */
    bool trace; /* a line per step */
} Arguments;

enum { DUST = 256, PERCENT, FLOAT32, ABC, TRACE };

static const struct argp_option options[] = {
    {"inflation", 'I', "R", 0, "Inflation, above 1; more gives smaller clusters (2)", 0},
    {"prune", 'p', "X", 0, "Drop flow below X (1e-4)", 0},
    {"precision", 'P', "N", 0, "The same as --prune 1/N (10000)", 0},
    {"select", 'S', "N", 0, "Keep the N largest flows of a vertex (1100); 0: all", 0},
    {"recover", 'R', "N", 0, "Keep N where else too little would be left (1400)", 0},
    {"pct", PERCENT, "X", 0, "Too little is less than X percent (90)", 0},
    {"dust", DUST, "X", 0, "After inflation drop flow below X (0: none)", 0},
    {"float32", FLOAT32, NULL, 0, "Flow in single precision: half the memory", 0},
    {"abc", ABC, NULL, 0, "GRAPH has lines of two labels and a weight", 0},
    {"trace", TRACE, NULL, 0, "Print a line per step to stderr", 0},
    {"steps", 'n', "N", 0, "Give up after N steps (1000)", 0},
    {0},
};

static error_t parse(int key, char *text, struct argp_state *state) {
    Arguments *a = state->input;
    markov_options *m = &a->markov;
    switch (key) {
    case 'I':
        m->inflation = cli_parse_real(state, "--inflation", text, 1.01, 100);
        return 0;
    case 'p':
        m->prune = cli_parse_real(state, "--prune", text, 0, 0.1);
        return 0;
    case 'P':
        m->prune = 1 / (double)cli_parse_count(state, "--precision", text, 10, UINT64_C(1) << 53);
        return 0;
    case 'S':
        m->select = cli_parse_count(state, "--select", text, 0, GBL_INDEX_MAX);
        return 0;
    case 'R':
        m->recover = cli_parse_count(state, "--recover", text, 1, GBL_INDEX_MAX);
        return 0;
    case PERCENT:
        m->share = cli_parse_real(state, "--pct", text, 1, 100) / 100;
        return 0;
    case DUST:
        m->dust = cli_parse_real(state, "--dust", text, 0, 0.01);
        return 0;
    case FLOAT32:
        m->single = true;
        return 0;
    case ABC:
        a->abc = true;
        return 0;
    case TRACE:
        a->trace = true;
        return 0;
    case 'n':
        m->steps = (int64_t)cli_parse_count(state, "--steps", text, 1, 1000000);
        return 0;
    default:
        return ARGP_ERR_UNKNOWN;
    }
}

/* What happened on the way, for the report and the progress bar. */
typedef struct {
    int64_t steps;
    double chaos, before; /* seconds when the step before ended */
    bool lines;           /* of each step, on stderr */
    gbl_Matrix *A;        /* the graph, which the first step has read */
    char method[32], note[96];
} Trace;

static void note_step(void *context, int64_t step, double chaos, const gbl_Explanation *how) {
    Trace *t = context;
    gbl_Matrix_free(t->A);
#ifdef __GLIBC__
    malloc_trim(0); /* buffers of the step */
#endif
    t->steps = step;
    t->chaos = chaos;
    snprintf(t->method, sizeof t->method, "%s", how->method);
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

typedef struct {
    uint64_t first, size; /* vertices[first .. first + size) */
    uint64_t smallest;    /* its smallest vertex */
} Cluster;

typedef struct {
    gbl_Index n, count;
    uint64_t *vertices;            /* [n] by cluster, ascending inside */
    Cluster *clusters;             /* [count] largest first; capacity n */
    gbl_Index attractors, overlap; /* vertices that are one, or in several clusters */
} Clusters;

static int compare_clusters(const void *x, const void *y) {
    const Cluster *a = x, *b = y;
    if (a->size != b->size) return a->size > b->size ? -1 : 1;
    return a->smallest < b->smallest ? -1 : 1;
}

static gbl_Info count_entries(gbl_Index *of_attractors, gbl_Index *of_overlap,
                              const markov_clusters *found) {
    const gbl_Info info = gbl_Vector_nvals(of_attractors, found->attractors);
    return info ? info : gbl_Vector_nvals(of_overlap, found->overlap);
}

/* Sorts the vertices by the label of their cluster, labels being vertices. */
static gbl_Info collect(Clusters *c, gbl_Vector cluster) {
    int64_t *label = malloc((c->n + 1) * sizeof *label);
    uint64_t *next = calloc(c->n + 1, sizeof *next);
    gbl_Index labels = c->n;
    gbl_Info info;
    c->vertices = malloc((c->n + 1) * sizeof *c->vertices);
    c->clusters = malloc((c->n + 1) * sizeof *c->clusters);
    if (!label || !next || !c->vertices || !c->clusters) {
        info = gbl_fail(GBL_OUT_OF_MEMORY, NULL, "not enough memory for the clusters");
        goto done;
    }
    if ((info = gbl_Vector_extractTuples_INT64(NULL, label, &labels, cluster))) goto done;
    for (gbl_Index v = 0; v < c->n; v++) next[label[v]]++;
    for (gbl_Index name = 0, first = 0; name < c->n; name++) {
        uint64_t size = next[name];
        next[name] = first;
        if (size) c->clusters[c->count++] = (Cluster){.first = first, .size = size};
        first += size;
    }
    for (gbl_Index v = 0; v < c->n; v++) c->vertices[next[label[v]]++] = v;
    for (gbl_Index k = 0; k < c->count; k++)
        c->clusters[k].smallest = c->vertices[c->clusters[k].first];
    qsort(c->clusters, c->count, sizeof *c->clusters, compare_clusters);
done:
    free(label);
    free(next);
    return info;
}

/* By labels where there are any, else by numbers. */
static gbl_Info write_clusters(const Clusters *c, const cli_Labels *labels, const char *path) {
    FILE *file;
    gbl_Info info = cli_open(&file, path);
    if (info) return info;
    for (gbl_Index k = 0; k < c->count; k++)
        for (uint64_t v = 0; v < c->clusters[k].size; v++) {
            const uint64_t vertex = c->vertices[c->clusters[k].first + v];
            const char *end = v + 1 < c->clusters[k].size ? "\t" : "\n";
            if (labels->n > 0)
                fprintf(file, "%s%s", cli_label(labels, vertex), end);
            else
                fprintf(file, "%" PRIu64 "%s", vertex + 1, end);
        }
    return cli_close(&file, path);
}

static gbl_Info fill_report(cli_Report *report, const Clusters *c, const Trace *trace) {
    uint64_t *sizes = malloc((c->count + 1) * sizeof *sizes);
    if (!sizes) return gbl_fail(GBL_OUT_OF_MEMORY, NULL, "not enough memory for the report");
    for (gbl_Index k = 0; k < c->count; k++) sizes[k] = c->clusters[k].size;
    cli_report_count(report, "clusters", c->count);
    cli_report_counts(report, "sizes", sizes, c->count);
    cli_report_count(report, "attractors", c->attractors);
    cli_report_count(report, "overlap", c->overlap);
    cli_report_count(report, "steps", (uint64_t)trace->steps);
    cli_report_number(report, "chaos", trace->chaos);
    cli_report_text(report, "method", trace->method);
    free(sizes);
    return GBL_SUCCESS;
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
        .args = "GRAPH",
        .about = "Cluster GRAPH, a file or a generator, by the Markov cluster process: edge "
                 "weights are positive, directions and loops are ignored. Prints one cluster per "
                 "line, largest first; with --json or -o a report instead.",
        .operand = "graph",
        .output = "Write the clusters to FILE and a report to stdout",
        .options = options,
        .parse = parse};
    Trace trace = {.method = "none"};
    Arguments a = {.markov = MARKOV_USUAL};
    Clusters clusters = {0};
    cli_Labels labels = {0};
    markov_clusters found = {0};
    gbl_Matrix A = NULL;
    cli_Report *report = NULL;
    gbl_Info info;

    keep_no_blocks();
    a.markov.report = note_step;
    a.markov.context = &trace;
    cli_parse(argc, argv, &usage, &a.common, &a);
    if ((info = cli_begin(&a.common, &report)) ||
        (info = a.abc ? cli_read_labels(&A, &labels, a.common.operand)
                      : cli_load_square(&A, &clusters.n, GBL_FP64, a.common.operand)))
        goto done;
    if (a.abc) clusters.n = labels.n;
    double start = cli_seconds();
    trace.lines = a.trace;
    trace.A = &A;
    trace.before = start;
    if ((info = gbl_Global_set_INT64(GBL_GLOBAL, 0, GBL_POOL_LIMIT)) ||
        (info = markov_cluster(&found, A, &a.markov)))
        goto done;
    double seconds = cli_seconds() - start;
    cli_progress_stop();
    if ((info = count_entries(&clusters.attractors, &clusters.overlap, &found)) ||
        (info = collect(&clusters, found.cluster)))
        goto done;
    const char *output = a.common.output;
    if ((output || !a.common.json) && (info = write_clusters(&clusters, &labels, output)))
        goto done;
    if (!output && !a.common.json) goto done;
    if ((info = fill_report(report, &clusters, &trace))) goto done;
    cli_report_number(report, "seconds", seconds);
done:
    free(clusters.vertices);
    free(clusters.clusters);
    cli_labels_free(&labels);
    markov_clusters_free(&found);
    gbl_Matrix_free(&A);
    return cli_end(info, &report);
}
