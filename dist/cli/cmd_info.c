/* SPDX-License-Identifier: Apache-2.0
 *
 * gblite-dist info: facts about a matrix, and how its entries are spread over processes.
 */
#include "dist_cli.h"

static const char *type_name(gbl_Type type) {
    static const char *const names[] = {"user-defined", "BOOL",  "INT8",   "UINT8", "INT16",
                                        "UINT16",       "INT32", "UINT32", "INT64", "UINT64",
                                        "FP32",         "FP64",  "FC32",   "FC64"};
    gbl_Type_Code code = GBL_UDT_CODE;
    return gbl_Type_code(&code, type) ? names[0] : names[code];
}

/* Degrees of rows, or columns, as a new vector with an entry for each. */
static gbl_Info degrees(gbl_DistVector *degree, gbl_DistMatrix pattern, gbl_Index n, bool columns,
                        gbl_Grid grid) {
    gbl_Scalar zero = NULL;
    gbl_Info info;
    if ((info = gbl_DistVector_new(degree, GBL_INT64, n, grid)) ||
        (info = dc_new_scalar(&zero, GBL_INT64, 0, grid)) ||
        (info = gbl_DistVector_assign_Scalar(*degree, NULL, NULL, zero, NULL)))
        goto done;
    info = gbl_DistMatrix_reduce_rows(*degree, NULL, GBL_PLUS_INT64, GBL_PLUS_MONOID_INT64, pattern,
                                      columns ? GBL_DESC_T0 : NULL);
done:
    gbl_Scalar_free(&zero);
    return info;
}

static gbl_Info report_degrees(cli_Report *report, gbl_DistVector degree, gbl_Index n, bool columns,
                               gbl_Grid grid) {
    gbl_DistVector used = NULL;
    gbl_Scalar zero = NULL;
    gbl_Index with = 0;
    int64_t sum, most;
    gbl_Info info;
    if ((info = dc_new_scalar(&zero, GBL_INT64, 0, grid)) ||
        (info = gbl_DistVector_new(&used, GBL_INT64, n, grid)) ||
        (info = gbl_DistVector_select(used, NULL, NULL, GBL_VALUENE_INT64, degree, zero, NULL)) ||
        (info = gbl_DistVector_nvals(&with, used)) ||
        (info = dc_sum(&sum, GBL_PLUS_MONOID_INT64, degree, grid)) ||
        (info = dc_sum(&most, GBL_MAX_MONOID_INT64, degree, grid)))
        goto done;
    cli_report_count(report, columns ? "empty_columns" : "empty_rows", n - with);
    cli_report_number(report, columns ? "column_mean" : "row_mean",
                      n ? (double)sum / (double)n : 0);
    cli_report_count(report, columns ? "column_max" : "row_max", (uint64_t)most);
done:
    gbl_Scalar_free(&zero);
    gbl_DistVector_free(&used);
    return info;
}

/* Flops of A * A: sum over k of (entries of column k) * (entries of row k). */
static gbl_Info report_square(cli_Report *report, gbl_DistMatrix A, gbl_DistVector rows,
                              gbl_DistVector columns, gbl_Grid grid) {
    gbl_DistMatrix diagonal = NULL;
    gbl_Scalar zero = NULL;
    gbl_Index loops;
    int64_t flops;
    bool symmetric = false;
    gbl_Info info;
    if ((info = gbl_DistMatrix_dup(&diagonal, A)) ||
        (info = dc_new_scalar(&zero, GBL_INT64, 0, grid)) ||
        (info = gbl_DistMatrix_select(diagonal, NULL, NULL, GBL_DIAG, A, zero, NULL)) ||
        (info = gbl_DistMatrix_nvals(&loops, diagonal)) ||
        (info = dc_is_symmetric(&symmetric, A)) ||
        (info = gbl_DistVector_eWiseMult(rows, NULL, NULL, GBL_TIMES_INT64, rows, columns, NULL)) ||
        (info = dc_sum(&flops, GBL_PLUS_MONOID_INT64, rows, grid)))
        goto done;
    cli_report_count(report, "diagonal", loops);
    cli_report_flag(report, "symmetric_pattern", symmetric);
    cli_report_count(report, "square_flops", (uint64_t)flops);
done:
    gbl_Scalar_free(&zero);
    gbl_DistMatrix_free(&diagonal);
    return info;
}

static gbl_Info report_blocks(cli_Report *report, gbl_DistMatrix A, gbl_Grid grid) {
    gbl_Matrix block;
    gbl_Index here = 0, least, most;
    gbl_Info info = gbl_DistMatrix_block(&block, NULL, NULL, A);
    if (!info) info = gbl_Matrix_nvals(&here, block);
    if ((info = gbl_Grid_agree(grid, info))) return info;
    MPI_Allreduce(&here, &least, 1, MPI_UINT64_T, MPI_MIN, MPI_COMM_WORLD);
    MPI_Allreduce(&here, &most, 1, MPI_UINT64_T, MPI_MAX, MPI_COMM_WORLD);
    cli_report_count(report, "block_entries_min", least);
    cli_report_count(report, "block_entries_max", most);
    return GBL_SUCCESS;
}

static gbl_Info report_matrix(cli_Report *report, gbl_DistMatrix A, gbl_Grid grid) {
    gbl_Index nrows, ncols, nvals;
    gbl_DistVector rows = NULL, columns = NULL;
    gbl_DistMatrix pattern = NULL;
    gbl_Type type;
    gbl_Info info;
    if ((info = gbl_DistMatrix_shape(&nrows, &ncols, &type, A)) ||
        (info = gbl_DistMatrix_nvals(&nvals, A)))
        goto done;
    cli_report_count(report, "rows", nrows);
    cli_report_count(report, "columns", ncols);
    cli_report_count(report, "entries", nvals);
    cli_report_text(report, "type", type_name(type));
    if ((info = gbl_DistMatrix_new(&pattern, GBL_BOOL, nrows, ncols, grid)) ||
        (info = gbl_DistMatrix_apply(pattern, NULL, NULL, GBL_ONE_BOOL, A, NULL)) ||
        (info = degrees(&rows, pattern, nrows, false, grid)) ||
        (info = degrees(&columns, pattern, ncols, true, grid)) ||
        (info = report_degrees(report, rows, nrows, false, grid)) ||
        (info = report_degrees(report, columns, ncols, true, grid)) ||
        (info = report_blocks(report, A, grid)))
        goto done;
    if (nrows == ncols) info = report_square(report, pattern, rows, columns, grid);
done:
    gbl_DistVector_free(&rows);
    gbl_DistVector_free(&columns);
    gbl_DistMatrix_free(&pattern);
    return info;
}

int dc_info(int argc, char **argv) {
    const cli_Usage usage = {.args = "MATRIX",
                             .about = "Print facts about MATRIX, a file or a generator.",
                             .operand = "matrix"};
    cli_Common common = {0};
    dc_Work work = {0};
    gbl_DistMatrix A = NULL;
    gbl_Info info;

    cli_parse(argc, argv, &usage, &common, NULL);
    const double start = cli_seconds();
    if ((info = dc_begin(&work, &common)) ||
        (info = gbl_DistMatrix_load(&A, NULL, common.operand, work.grid)))
        goto done;
    const double seconds = cli_seconds() - start;
    if ((info = report_matrix(work.report, A, work.grid))) goto done;
    cli_report_text(work.report, "method", "read");
    cli_report_number(work.report, "seconds", seconds);
    cli_report_count(work.report, "processes", (uint64_t)work.processes);
done:
    gbl_DistMatrix_free(&A);
    return dc_end(&work, info, false);
}
