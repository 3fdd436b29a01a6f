/* SPDX-License-Identifier: Apache-2.0
 *
 * gblite sssp: shortest paths from a vertex.
 */
#define _GNU_SOURCE
#include <math.h>
#include <stdlib.h>

#include "../examples/shortest_paths.h"
#include "cli.h"

typedef struct {
    cli_Common common;
    const char *source, *target; /* vertices */
    double delta;                /* 0: the mean weight */
    bool paths;                  /* write the vertex before each */
} Arguments;

enum { PATHS = 256 };

static const struct argp_option options[] = {
    {"source", 's', "V", 0, "Start at vertex V, a label or a number from 1 (the first vertex)", 0},
    {"delta", 'd', "X", 0, "Width of a bucket of distances (the mean weight of an edge)", 0},
    {"paths", PATHS, NULL, 0, "Write a third column, the vertex before on a shortest path", 0},
    {"target", 'T', "V", 0, "Report a shortest path to vertex V, its vertices between blanks", 0},
    {0},
};

static error_t parse(int key, char *text, struct argp_state *state) {
    Arguments *a = state->input;
    switch (key) {
    case 's':
        a->source = text;
        return 0;
    case 'T':
        a->target = text;
        return 0;
    case PATHS:
        a->paths = true;
        return 0;
    case 'd':
        a->delta = cli_parse_real(state, "--delta", text, 1e-300, 1e300);
        return 0;
    default:
        return ARGP_ERR_UNKNOWN;
    }
}

/* Weights must not be negative; without a delta it becomes their mean. */
static gbl_Info check_weights(Arguments *a, gbl_Matrix A) {
    double least = 0, sum = 0;
    gbl_Index edges;
    gbl_Info info;
    if ((info = gbl_Matrix_reduce_FP64(&least, NULL, GBL_MIN_MONOID_FP64, A, NULL)) ||
        (info = gbl_Matrix_reduce_FP64(&sum, NULL, GBL_PLUS_MONOID_FP64, A, NULL)) ||
        (info = gbl_Matrix_nvals(&edges, A)))
        return info;
    if (least < 0 || sum != sum)
        return gbl_fail(GBL_INVALID_VALUE, NULL,
                        "%s has edges of negative weight (the least is %g) or of none; shortest "
                        "paths want weights of 0 or more",
                        a->common.operand, least);
    if (a->delta == 0) a->delta = sum > 0 && sum < INFINITY ? sum / (double)edges : 1;
    return GBL_SUCCESS;
}

/* A line for each vertex reached, and, if there are any, the one before it. */
static gbl_Info write_paths(const cli_Values *values, gbl_Vector before, const Arguments *a) {
    cli_Values from = {0};
    char room[24];
    FILE *file = NULL;
    gbl_Info info;
    if (!before) return cli_values_write(values, false, &a->common);
    if (!(info = cli_values_read(&from, before)) && !(info = cli_open(&file, a->common.output))) {
        for (gbl_Index k = 0; k < values->n; k++) {
            fputs(cli_vertex(&a->common, values->vertex[k], room), file);
            fprintf(file, "\t%.15g\t%s\n", values->x[k],
                    cli_vertex(&a->common, (gbl_Index)from.x[k], room));
        }
        info = cli_close(&file, a->common.output);
    }
    cli_values_free(&from);
    return info;
}

/* The vertices from the source to the target, between blanks. */
static gbl_Info report_path(cli_Report *report, gbl_Vector before, gbl_Index target,
                            const Arguments *a) {
    char room[24], *text = NULL;
    size_t size = 0;
    uint64_t last, v = target, edges = 0;
    gbl_Index *path = NULL, n = 0;
    gbl_Info info = gbl_Vector_extractElement_UINT64(&last, before, target);
    if (info == GBL_NO_VALUE) {
        cli_report_text(report, "path", "");
        return GBL_SUCCESS;
    }
    if (!info) info = gbl_Vector_nvals(&n, before);
    if (info) return info;
    path = malloc((n + 1) * sizeof *path);
    FILE *memory = path ? open_memstream(&text, &size) : NULL;
    for (; memory && !info; v = last) {
        path[edges++] = v;
        if ((info = gbl_Vector_extractElement_UINT64(&last, before, v)) || last == v) break;
    }
    while (memory && edges > 0) {
        fputs(cli_vertex(&a->common, path[--edges], room), memory);
        if (edges > 0) fputc(' ', memory);
    }
    if (!memory || fclose(memory) != 0)
        info = gbl_fail(GBL_OUT_OF_MEMORY, NULL, "not enough memory for the path");
    if (!info) cli_report_text(report, "path", text);
    free(text);
    free(path);
    return info;
}

static gbl_Info report_paths(cli_Report *report, gbl_Vector distance, gbl_Vector before,
                             const gbl_Index *target, const Arguments *a) {
    cli_Values values = {0};
    gbl_Info info = cli_values_read(&values, distance);
    if (!info && a->common.output) info = write_paths(&values, a->paths ? before : NULL, a);
    if (!info) {
        const gbl_Index last = cli_values_largest(&values);
        cli_report_count(report, "reached", values.n);
        cli_report_vertex(report, "farthest", &a->common, values.vertex[last]);
        cli_report_number(report, "distance", values.x[last]);
        cli_report_number(report, "delta", a->delta);
    }
    cli_values_free(&values);
    double x;
    if (info || !a->target) return info;
    cli_report_vertex(report, "target", &a->common, *target);
    info = gbl_Vector_extractElement_FP64(&x, distance, *target);
    if (info < 0) return info;
    cli_report_number(report, "target_distance", info ? INFINITY : x);
    return report_path(report, before, *target, a);
}

int cmd_sssp(int argc, char **argv) {
    const cli_Usage usage = {
        .reads = true,
        .args = "GRAPH",
        .about = "Find the shortest paths from a vertex of GRAPH, a file or a generator: an entry "
                 "(i,j) is an edge from i to j with its value as weight.\v"
                 "  gblite sssp roads.csv --source Paris --target Rome\n"
                 "  gblite sssp roads.csv --source Paris --paths -o paths.tsv",
        .operand = "graph",
        .output = "Write a line \"vertex distance\" for each vertex reached",
        .options = options,
        .parse = parse};
    Arguments a = {.common.reading.weights = true};
    gbl_Matrix A = NULL;
    gbl_Vector distance = NULL, before = NULL;
    gbl_Index n, source = 0, target = 0;
    cli_Report *report = NULL;
    gbl_Info info;

    cli_parse(argc, argv, &usage, &a.common, &a);
    if ((info = cli_begin(&a.common, &report)) ||
        (info = cli_load_square(&A, &n, GBL_FP64, &a.common)) ||
        (a.source && (info = cli_find_vertex(&source, "--source", a.source, n, &a.common))) ||
        (a.target && (info = cli_find_vertex(&target, "--target", a.target, n, &a.common))) ||
        (info = check_weights(&a, A)))
        goto done;
    const double start = cli_seconds();
    cli_progress_call("sssp");
    if ((info = shortest_paths(&distance, GBL_FP64, A, source, a.delta)) ||
        ((a.paths || a.target) && (info = shortest_path_tree(&before, A, distance, source))))
        goto done;
    const double seconds = cli_seconds() - start;
    cli_report_vertex(report, "source", &a.common, source);
    if ((info = report_paths(report, distance, before, &target, &a))) goto done;
    cli_report_text(report, "method", "delta-stepping");
    cli_report_number(report, "seconds", seconds);
done:
    gbl_Vector_free(&distance);
    gbl_Vector_free(&before);
    gbl_Matrix_free(&A);
    return cli_end(info, &report, &a.common);
}
