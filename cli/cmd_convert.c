/* SPDX-License-Identifier: Apache-2.0
 *
 * gblite convert: reads a matrix in one form of file and writes it in another.
 */
#include "cli.h"

typedef struct {
    cli_Common common;
    const char *format, *tab; /* tab: file for the names of vertices */
    int64_t memory;           /* 0: as much as there is */
} Arguments;

enum { WRITE_TAB = 256, MEMORY };

static const struct argp_option options[] = {
    {"format", 'f', "NAME", 0,
     "Of a binsparse file: CSR, CSC, DCSR, DCSC, COOR, COOC, DMATR, DMATC, CVEC or DVEC (by "
     "default DMATR where every place has an entry, DCSR where most rows are empty, else CSR)",
     0},
    {"write-tab", WRITE_TAB, "FILE", 0,
     "Write the names of vertices, which a matrix in the form of mcl lacks, to FILE", 0},
    {"memory", MEMORY, "SIZE", 0,
     "Write edges or Matrix Market to a .gbl file within SIZE bytes, e.g. 500M, by temporary files "
     "in TMPDIR",
     0},
    {0},
};

static error_t parse(int key, char *text, struct argp_state *state) {
    Arguments *a = state->input;
    switch (key) {
    case 'f':
        a->format = text;
        return 0;
    case MEMORY:
        a->memory = cli_parse_size(state, text);
        return 0;
    case WRITE_TAB:
        a->tab = text;
        return 0;
    default:
        return ARGP_ERR_UNKNOWN;
    }
}

static gbl_Info map_written(gbl_Matrix *A, const char *path, bool *written) {
    *written = true;
    return gbl_file_map(A, NULL, path, false);
}

int cmd_convert(int argc, char **argv) {
    const cli_Usage usage = {
        .reads = true,
        .args = "MATRIX",
        .operand = "matrix",
        .output =
            "Write to FILE: Matrix Market if it ends in .mtx, gblite's own form if in .gbl, "
            "binsparse in HDF5 if in .h5 or .hdf5, edges if in .tsv, .csv or .edges, scipy's form "
            "if in .npz, Rutherford-Boeing if in .rb, METIS if in .graph, the form of mcl if in "
            ".mci",
        .needs_output = true,
        .about = "Write MATRIX, a file or a generator, to another file.\v"
                 "A .gbl file is read where it lies: it opens in the time that checking it takes, "
                 "and several programs share its pages. Binsparse files are read and written where "
                 "the program was built with HDF5.",
        .options = options,
        .parse = parse};
    Arguments a = {0};
    gbl_Matrix A = NULL;
    const gbl_Labels *const labels = &a.common.reading.labels;
    gbl_Index nrows, ncols, nvals;
    cli_Report *report = NULL;
    bool written = false; /* already */
    gbl_Info info;

    cli_parse(argc, argv, &usage, &a.common, &a);
    const cli_Kind kind = cli_kind_of(a.common.output);
    const double start = cli_seconds();
    if (a.memory > 0 && cli_ends_in(a.common.output, ".gbl"))
        a.common.reading.output = a.common.output;
    if ((info = cli_begin(&a.common, &report)) || (info = cli_set_memory(a.memory)) ||
        (info = cli_load(&A, NULL, a.common.operand, &a.common.reading)) ||
        (!A && (info = map_written(&A, a.common.output, &written))) ||
        (info = gbl_Matrix_nrows(&nrows, A)) || (info = gbl_Matrix_ncols(&ncols, A)) ||
        (info = gbl_Matrix_nvals(&nvals, A)) ||
        (a.tab && (info = cli_tab_write(labels, nrows, a.tab))) ||
        (!written && (info = cli_save(A, a.common.output, a.format,
                                      a.tab && kind != CLI_EDGES ? NULL : labels))))
        goto done;
    cli_report_count(report, "rows", nrows);
    cli_report_count(report, "columns", ncols);
    cli_report_count(report, "entries", nvals);
    cli_report_text(report, "output", a.common.output);
    cli_report_text(report, "method", "convert");
    cli_report_number(report, "seconds", cli_seconds() - start);
done:
    gbl_Matrix_free(&A);
    return cli_end(info, &report, &a.common);
}
