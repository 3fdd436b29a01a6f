/* SPDX-License-Identifier: Apache-2.0
 *
 * Matrices of graphs: loading, degrees, symmetry; values of vertices.
 */
#include <math.h>
#include <stdlib.h>

#include "cli.h"

gbl_Info cli_load_square(gbl_Matrix *A, gbl_Index *n, gbl_Type type, cli_Common *common) {
    const char *const operand = common->operand;
    gbl_Index ncols;
    gbl_Info info;
    if ((info = cli_load(A, type, operand, &common->reading)) || (info = gbl_Matrix_nrows(n, *A)) ||
        (info = gbl_Matrix_ncols(&ncols, *A)))
        return info;
    if (*n != ncols)
        return gbl_fail(GBL_DIMENSION_MISMATCH, NULL,
                        "%s is %llu x %llu: the matrix of a graph must be square", operand,
                        (unsigned long long)*n, (unsigned long long)ncols);
    return cli_compact(A, n, common);
}

gbl_Info cli_check_weights(gbl_Matrix A, const cli_Common *common) {
    double least = 0, sum = 0;
    const gbl_Info info = gbl_Matrix_reduce_FP64(&least, NULL, GBL_MIN_MONOID_FP64, A, NULL);
    if (info || gbl_Matrix_reduce_FP64(&sum, NULL, GBL_PLUS_MONOID_FP64, A, NULL)) return info;
    if (least >= 0 && isfinite(sum)) return info;
    return gbl_fail(GBL_INVALID_VALUE, NULL,
                    "%s has weights that are negative (the least is %g), NaN or infinite in sum; "
                    "weights of edges must be finite and 0 or more",
                    common->operand, least);
}

gbl_Info cli_find_vertex(gbl_Index *vertex, const char *option, const char *text, gbl_Index n,
                         const cli_Common *common) {
    char first[24], last[24];
    if (gbl_label_find(vertex, &common->reading.labels, text) == GBL_SUCCESS && *vertex < n)
        return GBL_SUCCESS;
    if (n == 0) return gbl_fail(GBL_INVALID_INDEX, NULL, "%s %s: the graph is empty", option, text);
    return gbl_fail(GBL_INVALID_INDEX, NULL,
                    "%s %s: the graph has no such vertex; its %llu are %s "
                    "to %s",
                    option, text, (unsigned long long)n, cli_vertex(common, 0, first),
                    cli_vertex(common, n - 1, last));
}

const char *cli_vertex(const cli_Common *common, gbl_Index vertex, char *room) {
    return gbl_label(&common->reading.labels, vertex, room);
}

void cli_report_vertex(cli_Report *report, const char *name, const cli_Common *common,
                       gbl_Index vertex) {
    const gbl_Labels *labels = &common->reading.labels;
    if (labels->text)
        cli_report_text(report, name, labels->text + labels->start[vertex]);
    else
        cli_report_count(report, name, labels->id ? labels->id[vertex] : vertex + 1);
}

gbl_Info cli_degrees(gbl_Vector *degree, gbl_Matrix A, bool of_columns) {
    gbl_Vector d = NULL;
    gbl_Index n, nvals;
    gbl_Info info;
    if ((info = of_columns ? gbl_Matrix_ncols(&n, A) : gbl_Matrix_nrows(&n, A)) ||
        (info = gbl_Matrix_nvals(&nvals, A)) || (info = gbl_Vector_new(&d, GBL_INT64, n)))
        goto done;
    if (cli_is_huge(n, nvals))
        info = cli_huge_degrees(d, A, of_columns);
    else if (!(info = gbl_Matrix_degrees(d, NULL, NULL, A, of_columns ? GBL_DESC_T0 : NULL)))
        info = gbl_Vector_select_INT64(d, NULL, NULL, GBL_VALUENE_INT64, d, 0, NULL);
    if (info) goto done;
    *degree = d;
    d = NULL;
done:
    gbl_Vector_free(&d);
    return info;
}

gbl_Info cli_is_symmetric(bool *symmetric, gbl_Matrix A) {
    gbl_Matrix both = NULL;
    gbl_Index n, in_a, in_both;
    gbl_Info info;
    if ((info = gbl_Matrix_nrows(&n, A)) || (info = gbl_Matrix_new(&both, GBL_BOOL, n, n)) ||
        (info =
             gbl_Matrix_eWiseMult_BinaryOp(both, NULL, NULL, GBL_ONEB_BOOL, A, A, GBL_DESC_T1)) ||
        (info = gbl_Matrix_nvals(&in_a, A)) || (info = gbl_Matrix_nvals(&in_both, both)))
        goto done;
    *symmetric = in_a == in_both;
done:
    gbl_Matrix_free(&both);
    return info;
}

gbl_Info cli_symmetrize(gbl_Matrix A) {
    return gbl_Matrix_eWiseAdd_BinaryOp(A, NULL, NULL, GBL_LOR, A, A, GBL_DESC_T1);
}

gbl_Info cli_load_undirected(gbl_Matrix *A, gbl_Index *n, cli_Common *common) {
    bool symmetric = false;
    gbl_Info info;
    if ((info = cli_load_square(A, n, GBL_BOOL, common))) return info;
    if (common->undirected) return cli_symmetrize(*A);
    if ((info = cli_is_symmetric(&symmetric, *A)) || symmetric) return info;
    return gbl_fail(GBL_INVALID_VALUE, NULL,
                    "%s is a directed graph; add --undirected to take its edges in both directions",
                    common->operand);
}

gbl_Info cli_values_read(cli_Values *values, gbl_Vector v) {
    gbl_Info info;
    *values = (cli_Values){0};
    if ((info = gbl_Vector_nvals(&values->n, v))) return info;
    values->vertex = malloc((values->n + 1) * sizeof *values->vertex);
    values->x = malloc((values->n + 1) * sizeof *values->x);
    if (!values->vertex || !values->x)
        return gbl_fail(GBL_OUT_OF_MEMORY, NULL,
                        "not enough memory for the values of %llu vertices",
                        (unsigned long long)values->n);
    return gbl_Vector_extractTuples_FP64(values->vertex, values->x, &values->n, v);
}

void cli_values_free(cli_Values *values) {
    free(values->vertex);
    free(values->x);
    *values = (cli_Values){0};
}

gbl_Info cli_values_write(const cli_Values *values, bool vertices, const cli_Common *common) {
    const char *const path = common->output;
    char room[24];
    FILE *file;
    gbl_Info info = cli_open(&file, path);
    if (info) return info;
    for (gbl_Index k = 0; k < values->n; k++) {
        fputs(cli_vertex(common, values->vertex[k], room), file);
        if (vertices)
            fprintf(file, "\t%s\n", cli_vertex(common, (gbl_Index)values->x[k], room));
        else
            fprintf(file, "\t%.15g\n", values->x[k]);
    }
    return cli_close(&file, path);
}

gbl_Index cli_values_largest(const cli_Values *values) {
    gbl_Index best = 0;
    for (gbl_Index k = 1; k < values->n; k++)
        if (values->x[k] > values->x[best]) best = k;
    return best;
}
