/* SPDX-License-Identifier: Apache-2.0
 *
 * Matrices of graphs: loading, degrees, symmetry; values of vertices.
 */
#include <inttypes.h>
#include <stdlib.h>

#include "cli.h"

gbl_Info cli_load_square(gbl_Matrix *A, gbl_Index *n, gbl_Type type, const char *operand) {
    gbl_Index ncols;
    gbl_Info info;
    if ((info = cli_load(A, type, operand)) || (info = gbl_Matrix_nrows(n, *A)) ||
        (info = gbl_Matrix_ncols(&ncols, *A)))
        return info;
    if (*n != ncols)
        return gbl_fail(GBL_DIMENSION_MISMATCH, NULL,
                        "%s is %llu x %llu: the matrix of a graph must be square", operand,
                        (unsigned long long)*n, (unsigned long long)ncols);
    return GBL_SUCCESS;
}

gbl_Info cli_degrees(gbl_Vector *degree, gbl_Matrix A, bool of_columns) {
    gbl_Vector d = NULL;
    gbl_Index n;
    gbl_Info info;
    if ((info = of_columns ? gbl_Matrix_ncols(&n, A) : gbl_Matrix_nrows(&n, A)) ||
        (info = gbl_Vector_new(&d, GBL_INT64, n)) ||
        (info = gbl_Matrix_degrees(d, NULL, NULL, A, of_columns ? GBL_DESC_T0 : NULL)) ||
        (info = gbl_Vector_select_INT64(d, NULL, NULL, GBL_VALUENE_INT64, d, 0, NULL)))
        goto done;
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

static gbl_Info symmetrize(gbl_Matrix A) {
    return gbl_Matrix_eWiseAdd_BinaryOp(A, NULL, NULL, GBL_LOR, A, A, GBL_DESC_T1);
}

gbl_Info cli_load_undirected(gbl_Matrix *A, gbl_Index *n, const cli_Common *common) {
    bool symmetric = false;
    gbl_Info info;
    if ((info = cli_load_square(A, n, GBL_BOOL, common->operand))) return info;
    if (common->undirected) return symmetrize(*A);
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

gbl_Info cli_values_write(const cli_Values *values, const char *path) {
    FILE *file;
    gbl_Info info = cli_open(&file, path);
    if (info) return info;
    for (gbl_Index k = 0; k < values->n; k++)
        fprintf(file, "%" PRIu64 "\t%.15g\n", values->vertex[k] + 1, values->x[k]);
    return cli_close(&file, path);
}

gbl_Index cli_values_largest(const cli_Values *values) {
    gbl_Index best = 0;
    for (gbl_Index k = 1; k < values->n; k++)
        if (values->x[k] > values->x[best]) best = k;
    return best;
}
