/* SPDX-License-Identifier: Apache-2.0
 *
 * gblite convert: reads a matrix in one form of file and writes it in another.
 */
#include "cli.h"

int cmd_convert(int argc, char **argv) {
    const cli_Usage usage = {
        .args = "MATRIX",
        .operand = "matrix",
        .output = "Write to FILE: gblite's own form if it ends in .gbl, else Matrix Market, "
                  "compressed if it ends in .gz",
        .needs_output = true,
        .about = "Write MATRIX, a file or a generator, to another file.\v"
                 "A .gbl file is read where it lies: it opens in the time that checking it takes, "
                 "and several programs share its pages."};
    cli_Common common = {0};
    gbl_Matrix A = NULL;
    gbl_Index nrows, ncols, nvals;
    cli_Report *report = NULL;
    gbl_Info info;

    cli_parse(argc, argv, &usage, &common, NULL);
    if ((info = cli_begin(&common, &report)) || (info = gbl_load(&A, NULL, common.operand)) ||
        (info = gbl_Matrix_nrows(&nrows, A)) || (info = gbl_Matrix_ncols(&ncols, A)) ||
        (info = gbl_Matrix_nvals(&nvals, A)) || (info = gbl_save(A, common.output)))
        goto done;
    cli_report_count(report, "rows", nrows);
    cli_report_count(report, "columns", ncols);
    cli_report_count(report, "entries", nvals);
    cli_report_text(report, "output", common.output);
done:
    gbl_Matrix_free(&A);
    return cli_end(info, &report);
}
