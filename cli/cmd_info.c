/* SPDX-License-Identifier: Apache-2.0
 *
 * gblite info: shape, type and how the entries are spread.
 */
#include "cli.h"

static const char *type_name(gbl_Type type) {
    static const char *const names[] = {"user-defined", "BOOL",  "INT8",   "UINT8", "INT16",
                                        "UINT16",       "INT32", "UINT32", "INT64", "UINT64",
                                        "FP32",         "FP64",  "FC32",   "FC64"};
    gbl_Type_Code code = GBL_UDT_CODE;
    return gbl_Type_code(&code, type) ? names[0] : names[code];
}

/* Facts about the entries of each row, or column: how many rows have none, the mean, the most. */
static gbl_Info report_degrees(cli_Report *report, gbl_Vector degree, bool of_columns) {
    gbl_Index n, used;
    int64_t sum = 0, most = 0;
    gbl_Info info;
    if ((info = gbl_Vector_size(&n, degree)) || (info = gbl_Vector_nvals(&used, degree)) ||
        (info = gbl_Vector_reduce_INT64(&sum, NULL, GBL_PLUS_MONOID_INT64, degree, NULL)))
        return info;
    if (used > 0 &&
        (info = gbl_Vector_reduce_INT64(&most, NULL, GBL_MAX_MONOID_INT64, degree, NULL)))
        return info;
    cli_report_count(report, of_columns ? "empty_columns" : "empty_rows", n - used);
    cli_report_number(report, of_columns ? "column_mean" : "row_mean",
                      n ? (double)sum / (double)n : 0);
    cli_report_count(report, of_columns ? "column_max" : "row_max", (uint64_t)most);
    return GBL_SUCCESS;
}

/* Flops of A * A: sum over k of (entries of column k) * (entries of row k). */
static gbl_Info report_square(cli_Report *report, gbl_Matrix A, gbl_Vector rows,
                              gbl_Vector columns) {
    gbl_Index n, loops;
    gbl_Matrix diagonal = NULL;
    gbl_Vector pairs = NULL;
    int64_t flops = 0;
    bool symmetric = false;
    gbl_Info info;
    if ((info = gbl_Matrix_nrows(&n, A)) || (info = gbl_Matrix_new(&diagonal, GBL_BOOL, n, n)) ||
        (info = gbl_Matrix_select_INT64(diagonal, NULL, NULL, GBL_DIAG, A, 0, NULL)) ||
        (info = gbl_Matrix_nvals(&loops, diagonal)) || (info = cli_is_symmetric(&symmetric, A)) ||
        (info = gbl_Vector_new(&pairs, GBL_INT64, n)) ||
        (info = gbl_Vector_eWiseMult_BinaryOp(pairs, NULL, NULL, GBL_TIMES_INT64, rows, columns,
                                              NULL)) ||
        (info = gbl_Vector_reduce_INT64(&flops, NULL, GBL_PLUS_MONOID_INT64, pairs, NULL)))
        goto done;
    cli_report_count(report, "diagonal", loops);
    cli_report_flag(report, "symmetric_pattern", symmetric);
    cli_report_count(report, "square_flops", (uint64_t)flops);
done:
    gbl_Matrix_free(&diagonal);
    gbl_Vector_free(&pairs);
    return info;
}

/* What the matrix is, or would be, in tiles of 16 x 16. */
static gbl_Info report_tiles(cli_Report *report, gbl_Matrix A, gbl_Index dimension,
                             gbl_Index nvals) {
    if (cli_is_huge(dimension, nvals)) return GBL_SUCCESS; /* it has none */
    gbl_TileFacts facts;
    const gbl_Info info = gbl_Matrix_tiles(&facts, A);
    if (info) return info;
    cli_report_count(report, "tiles", facts.tiles);
    cli_report_number(report, "tile_fill", facts.fill);
    cli_report_count(report, "bytes_tiles", facts.bytes);
    cli_report_count(report, "bytes_rows", facts.bytes_rows);
    return GBL_SUCCESS;
}

static gbl_Info report_matrix(cli_Report *report, gbl_Matrix A) {
    gbl_Index nrows, ncols, nvals;
    gbl_Vector rows = NULL, columns = NULL;
    gbl_Type type;
    gbl_Info info;
    if ((info = gbl_Matrix_nrows(&nrows, A)) || (info = gbl_Matrix_ncols(&ncols, A)) ||
        (info = gbl_Matrix_nvals(&nvals, A)) || (info = gbl_Matrix_type(&type, A)))
        goto done;
    cli_report_count(report, "rows", nrows);
    cli_report_count(report, "columns", ncols);
    cli_report_count(report, "entries", nvals);
    cli_report_text(report, "type", type_name(type));
    if ((info = cli_degrees(&rows, A, false)) || (info = cli_degrees(&columns, A, true)) ||
        (info = report_degrees(report, rows, false)) ||
        (info = report_degrees(report, columns, true)) ||
        (info = report_tiles(report, A, nrows > ncols ? nrows : ncols, nvals)))
        goto done;
    if (nrows == ncols) info = report_square(report, A, rows, columns);
done:
    gbl_Vector_free(&rows);
    gbl_Vector_free(&columns);
    return info;
}

int cmd_info(int argc, char **argv) {
    const cli_Usage usage = {.reads = true,
                             .args = "MATRIX",
                             .about = "Print facts about MATRIX, a file or a generator.",
                             .operand = "matrix"};
    cli_Common common = {0};
    gbl_Matrix A = NULL;
    cli_Report *report = NULL;
    gbl_Info info;

    cli_parse(argc, argv, &usage, &common, NULL);
    double start = cli_seconds();
    if ((info = cli_begin(&common, &report)) ||
        (info = cli_load(&A, NULL, common.operand, &common.reading)))
        goto done;
    double seconds = cli_seconds() - start;
    if ((info = report_matrix(report, A))) goto done;
    cli_report_text(report, "method", "read");
    cli_report_number(report, "seconds", seconds);
done:
    gbl_Matrix_free(&A);
    return cli_end(info, &report, &common);
}
