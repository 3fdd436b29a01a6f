/* SPDX-License-Identifier: Apache-2.0
 *
 * gblite bfs: levels and parents of the vertices that a source reaches.
 */
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "../examples/bfs.h"
#include "cli.h"

typedef struct {
    cli_Common common;
    const char *source; /* a vertex */
} Arguments;

static const struct argp_option options[] = {
    {"source", 's', "V", 0, "Start at vertex V, a label or a number from 1 (the first vertex)", 0},
    {0},
};

static error_t parse(int key, char *text, struct argp_state *state) {
    Arguments *a = state->input;
    if (key != 's') return ARGP_ERR_UNKNOWN;
    a->source = text;
    return 0;
}

/* What was found, as arrays. found is 0 where nothing was searched. */
typedef struct {
    gbl_Index n, found, reached;
    gbl_Index *vertex;       /* [found] */
    int64_t *level, *parent; /* [found] */
    uint64_t *width;         /* [depth + 1] vertices per level */
    int64_t depth;
    bool pushed, pulled;
} Search;

static void note_step(void *context, int64_t depth, gbl_Index found, const gbl_Explanation *how) {
    Search *s = context;
    (void)depth;
    s->reached += found;
    cli_progress_part("bfs", (double)s->reached / (double)s->n);
    if (!strcmp(how->method, "push")) s->pushed = true;
    if (!strcmp(how->method, "pull")) s->pulled = true;
}

static gbl_Info search(Search *s, gbl_Matrix A, gbl_Index source, double *seconds) {
    gbl_Vector level = NULL, parent = NULL;
    gbl_Info info;
    double start = cli_seconds();
    if ((info = bfs(&level, &parent, A, source, note_step, s))) goto done;
    *seconds = cli_seconds() - start;
    s->found = s->n;
    s->vertex = malloc((s->n + 1) * sizeof *s->vertex);
    s->level = malloc((s->n + 1) * sizeof *s->level);
    s->parent = malloc((s->n + 1) * sizeof *s->parent);
    s->width = calloc(s->n + 1, sizeof *s->width);
    if (!s->vertex || !s->level || !s->parent || !s->width) {
        info = gbl_fail(GBL_OUT_OF_MEMORY, NULL, "not enough memory for the levels");
        goto done;
    }
    if ((info = gbl_Vector_extractTuples_INT64(s->vertex, s->level, &s->found, level)) ||
        (info = gbl_Vector_extractTuples_INT64(NULL, s->parent, &s->found, parent)))
        goto done;
    for (gbl_Index k = 0; k < s->found; k++) {
        s->width[s->level[k]]++;
        if (s->level[k] > s->depth) s->depth = s->level[k];
    }
done:
    gbl_Vector_free(&level);
    gbl_Vector_free(&parent);
    return info;
}

static gbl_Info write_levels(const Search *s, const cli_Common *common) {
    const char *const path = common->output;
    char room[24];
    FILE *file;
    gbl_Info info = cli_open(&file, path);
    if (info) return info;
    for (gbl_Index k = 0; k < s->found; k++) {
        fprintf(file, "%s\t%" PRId64, cli_vertex(common, s->vertex[k], room), s->level[k]);
        fprintf(file, "\t%s\n", cli_vertex(common, (gbl_Index)s->parent[k], room));
    }
    return cli_close(&file, path);
}

int cmd_bfs(int argc, char **argv) {
    const cli_Usage usage = {
        .reads = true,
        .args = "GRAPH",
        .about = "Search GRAPH, a file or a generator, breadth first along its edges: an entry "
                 "(i,j) is an edge from i to j.",
        .operand = "graph",
        .output = "Write a line \"vertex level parent\" for each vertex reached",
        .options = options,
        .parse = parse};
    Arguments a = {0};
    gbl_Index source = 0;
    Search s = {0};
    gbl_Matrix A = NULL;
    cli_Report *report = NULL;
    double seconds = 0;
    gbl_Info info;

    cli_parse(argc, argv, &usage, &a.common, &a);
    if ((info = cli_begin(&a.common, &report)) ||
        (info = cli_load_square(&A, &s.n, GBL_BOOL, &a.common)) ||
        (a.source && (info = cli_find_vertex(&source, "--source", a.source, s.n, &a.common))) ||
        (info = search(&s, A, source, &seconds)))
        goto done;
    if (a.common.output && (info = write_levels(&s, &a.common))) goto done;
    if (s.n > 0) cli_report_vertex(report, "source", &a.common, source);
    cli_report_count(report, "reached", s.found);
    cli_report_count(report, "depth", (uint64_t)s.depth);
    cli_report_counts(report, "levels", s.width, (size_t)s.depth + 1);
    cli_report_text(report, "method", s.pulled ? s.pushed ? "push+pull" : "pull" : "push");
    cli_report_number(report, "seconds", seconds);
done:
    free(s.vertex);
    free(s.level);
    free(s.parent);
    free(s.width);
    gbl_Matrix_free(&A);
    return cli_end(info, &report, &a.common);
}
