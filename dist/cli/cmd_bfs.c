/* SPDX-License-Identifier: Apache-2.0
 *
 * gblite-dist bfs: levels and parents of the vertices that a source reaches. As in examples/bfs.h,
 * but a frontier has vertices as values, and the least parent is taken, so that the result does not
 * depend on the number of processes.
 */
#include <inttypes.h>
#include <stdlib.h>

#include "dist_cli.h"

typedef struct {
    cli_Common common;
    uint64_t source; /* from 1 */
} Arguments;

static const struct argp_option options[] = {
    {"source", 's', "V", 0, "Start at vertex V, counted from 1 (1)", 0},
    {0},
};

static error_t parse(int key, char *text, struct argp_state *state) {
    Arguments *a = state->input;
    if (key != 's') return ARGP_ERR_UNKNOWN;
    a->source = cli_parse_count(state, "--source", text, 1, GBL_INDEX_MAX);
    return 0;
}

typedef struct {
    gbl_DistVector q, level, parent;
    gbl_Scalar depth, zero;
    uint64_t *width; /* vertices of each level */
    size_t levels, room;
} Search;

static gbl_Info note_level(Search *s, gbl_Index found, gbl_Grid grid) {
    gbl_Info info = GBL_SUCCESS;
    if (s->levels == s->room) {
        const size_t room = 2 * s->room + 64;
        uint64_t *grown = realloc(s->width, room * sizeof *grown);
        if (grown) {
            s->width = grown;
            s->room = room;
        } else {
            info = gbl_fail(GBL_OUT_OF_MEMORY, NULL, "not enough memory for the levels");
        }
    }
    if ((info = gbl_Grid_agree(grid, info))) return info;
    s->width[s->levels++] = found;
    return GBL_SUCCESS;
}

static gbl_Info search(Search *s, gbl_DistMatrix A, gbl_Index n, gbl_Index source, gbl_Grid grid) {
    gbl_Index found = 1;
    gbl_Info info;
    if (source >= n)
        return gbl_fail(GBL_INVALID_INDEX, NULL, "there is no vertex %llu: the graph has %llu",
                        (unsigned long long)source + 1, (unsigned long long)n);
    if ((info = gbl_DistVector_new(&s->q, GBL_INT64, n, grid)) ||
        (info = gbl_DistVector_new(&s->level, GBL_INT64, n, grid)) ||
        (info = gbl_DistVector_new(&s->parent, GBL_INT64, n, grid)) ||
        (info = dc_new_scalar(&s->depth, GBL_INT64, 0, grid)) ||
        (info = dc_new_scalar(&s->zero, GBL_INT64, 0, grid)) ||
        (info = gbl_DistVector_setElement_INT64(s->q, (int64_t)source, source)))
        return info;
    while (found > 0) {
        if ((info = note_level(s, found, grid)) ||
            (info = gbl_Scalar_setElement_INT64(s->depth, (int64_t)s->levels - 1)) ||
            (info = gbl_DistVector_assign_Scalar(s->level, s->q, NULL, s->depth, GBL_DESC_S)) ||
            (info = gbl_DistVector_assign(s->parent, s->q, NULL, s->q, GBL_DESC_S)) ||
            (info = gbl_DistVector_apply_IndexOp(s->q, NULL, NULL, GBL_ROWINDEX_INT64, s->q,
                                                 s->zero, NULL)) ||
            (info = gbl_dist_vxm(s->q, s->parent, NULL, GBL_MIN_FIRST_SEMIRING_INT64, s->q, A,
                                 GBL_DESC_RSC)) ||
            (info = gbl_DistVector_nvals(&found, s->q)))
            return info;
    }
    return GBL_SUCCESS;
}

/* In process 0. */
static gbl_Info write_lines(gbl_Vector level, gbl_Vector parent, gbl_Index n, const char *path) {
    gbl_Index *vertex = malloc((n + 1) * sizeof *vertex);
    int64_t *l = malloc((n + 1) * sizeof *l), *p = malloc((n + 1) * sizeof *p);
    FILE *file = NULL;
    gbl_Info info = GBL_SUCCESS;
    if (!vertex || !l || !p)
        info = gbl_fail(GBL_OUT_OF_MEMORY, NULL, "not enough memory for the levels");
    if (info || (info = gbl_Vector_extractTuples_INT64(vertex, l, &n, level)) ||
        (info = gbl_Vector_extractTuples_INT64(vertex, p, &n, parent)) ||
        (info = cli_open(&file, path)))
        goto done;
    for (gbl_Index k = 0; k < n; k++)
        fprintf(file, "%" PRIu64 "\t%" PRId64 "\t%" PRId64 "\n", vertex[k] + 1, l[k], p[k] + 1);
    info = cli_close(&file, path);
done:
    free(vertex);
    free(l);
    free(p);
    return info;
}

static gbl_Info write_levels(const Search *s, const char *path, dc_Work *work) {
    gbl_Vector level = NULL, parent = NULL;
    gbl_Index n = 0;
    gbl_Info info;
    if (!(info = gbl_DistVector_gather(&level, s->level, 0)) &&
        !(info = gbl_DistVector_gather(&parent, s->parent, 0)) && work->rank == 0 &&
        !(info = gbl_Vector_nvals(&n, level)))
        info = write_lines(level, parent, n, path);
    gbl_Vector_free(&level);
    gbl_Vector_free(&parent);
    return gbl_Grid_agree(work->grid, info);
}

int dc_bfs(int argc, char **argv) {
    const cli_Usage usage = {
        .args = "GRAPH",
        .about = "Search GRAPH, a file or a generator, breadth first along its edges: an entry "
                 "(i,j) is an edge from i to j.",
        .operand = "graph",
        .output = "Write a line \"vertex level parent\" for each vertex reached",
        .options = options,
        .parse = parse};
    Arguments a = {.source = 1};
    dc_Work work = {0};
    Search s = {0};
    gbl_DistMatrix A = NULL;
    gbl_Index n;
    uint64_t reached = 0;
    gbl_Info info;

    cli_parse(argc, argv, &usage, &a.common, &a);
    if ((info = dc_begin(&work, &a.common)) ||
        (info = dc_load_square(&A, &n, GBL_BOOL, a.common.operand, work.grid)))
        goto done;
    const double start = cli_seconds();
    if ((info = search(&s, A, n, a.source - 1, work.grid))) goto done;
    const double seconds = cli_seconds() - start;
    if (a.common.output && (info = write_levels(&s, a.common.output, &work))) goto done;
    for (size_t k = 0; k < s.levels; k++) reached += s.width[k];
    cli_report_count(work.report, "source", a.source);
    cli_report_count(work.report, "reached", reached);
    cli_report_count(work.report, "depth", s.levels - 1);
    cli_report_counts(work.report, "levels", s.width, s.levels);
    cli_report_text(work.report, "method", "push");
    cli_report_number(work.report, "seconds", seconds);
    info = dc_report_counters(&work);
done:
    gbl_DistVector_free(&s.q);
    gbl_DistVector_free(&s.level);
    gbl_DistVector_free(&s.parent);
    gbl_Scalar_free(&s.depth);
    gbl_Scalar_free(&s.zero);
    free(s.width);
    gbl_DistMatrix_free(&A);
    return dc_end(&work, info, false);
}
