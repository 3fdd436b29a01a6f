/* SPDX-License-Identifier: Apache-2.0
 *
 * How files are read: the options that all commands share which read matrices, and notes on what
 * was mended or guessed.
 */
#include <stdlib.h>
#include <string.h>

#include "cli.h"

enum { EDGES = 0x1000, SEPARATOR, COLUMNS, DUPLICATES, STRICT, TAB, GROUP = 5 };

static const struct argp_option options[] = {
    {"edges", EDGES, NULL, 0,
     "A file has lines of edges: two vertices and perhaps a weight; vertices keep their names",
     GROUP},
    {"separator", SEPARATOR, "WORD", 0, "Between columns of edges: tab, comma, semicolon or blank",
     GROUP},
    {"columns", COLUMNS, "LIST", 0,
     "Columns of edges: FROM,TO or FROM,TO,WEIGHT, from 1; FROM,TO,0 for no weights", GROUP},
    {"duplicates", DUPLICATES, "RULE", 0, "Of entries given twice: sum, max, min, first or error",
     GROUP},
    {"tab", TAB, "FILE", 0, "Names of the vertices of a matrix in the form of mcl (.mci)", GROUP},
    {"strict", STRICT, NULL, 0,
     "Take no Matrix Market file that breaks the standard, and no file under a wrong name", GROUP},
    {0},
};

static char parse_separator(struct argp_state *state, const char *text) {
    if (!strcmp(text, "tab")) return '\t';
    if (!strcmp(text, "comma")) return ',';
    if (!strcmp(text, "semicolon")) return ';';
    if (!strcmp(text, "blank")) return ' ';
    argp_error(state, "--separator is tab, comma, semicolon or blank, not '%s'", text);
    return 0;
}

static gbl_Duplicates parse_duplicates(struct argp_state *state, const char *text) {
    if (!strcmp(text, "sum")) return GBL_DUPLICATES_SUM;
    if (!strcmp(text, "max")) return GBL_DUPLICATES_MAX;
    if (!strcmp(text, "min")) return GBL_DUPLICATES_MIN;
    if (!strcmp(text, "first")) return GBL_DUPLICATES_FIRST;
    if (!strcmp(text, "error")) return GBL_DUPLICATES_ERROR;
    argp_error(state, "--duplicates is sum, max, min, first or error, not '%s'", text);
    return GBL_DUPLICATES_USUAL;
}

static void parse_columns(struct argp_state *state, const char *text, cli_Reading *reading) {
    char rest;
    const int n = sscanf(text, "%d,%d,%d%c", &reading->from, &reading->to, &reading->weight, &rest);
    if ((n != 2 && n != 3) || reading->from < 1 || reading->to < 1 || reading->weight < 0 ||
        reading->from == reading->to)
        argp_error(state, "--columns is two or three numbers of columns, as 1,2,3; not '%s'", text);
    if (n == 3 && reading->weight == 0) reading->weight = -1;
}

static error_t parse(int key, char *text, struct argp_state *state) {
    cli_Reading *reading = state->input;
    switch (key) {
    case EDGES:
        reading->edges = true;
        return 0;
    case SEPARATOR:
        reading->separator = parse_separator(state, text);
        return 0;
    case COLUMNS:
        parse_columns(state, text, reading);
        return 0;
    case DUPLICATES:
        reading->duplicates = parse_duplicates(state, text);
        return 0;
    case TAB:
        reading->tab = text;
        return 0;
    case STRICT:
        reading->strict = true;
        return 0;
    default:
        return ARGP_ERR_UNKNOWN;
    }
}

const struct argp cli_reading_argp = {.options = options, .parser = parse};

gbl_Info cli_load(gbl_Matrix *A, gbl_Type type, const char *operand, cli_Reading *reading) {
    gbl_Index vertices, edges;
    gbl_labels_free(&reading->labels);
    const bool piped = !strcmp(operand, "-");
    const bool file = piped || gbl_generate_shape(&vertices, &edges, operand) == GBL_NO_VALUE;
    if (!file && (reading->edges || reading->separator || reading->from > 0))
        fprintf(stderr,
                "gblite: note: %s: is made, not read: --edges, --separator and --columns are for "
                "files\n",
                operand);
    cli_progress_call(file ? "reading" : "generating");
    const gbl_Info info = file ? cli_read_file(A, type, piped ? "/dev/stdin" : operand, reading)
                               : gbl_load(A, type, operand);
    cli_progress_call(NULL);
    if (info != GBL_IO_ERROR || !file || strchr(operand, ':') == NULL) return info;
    char text[256];
    snprintf(text, sizeof text, "%s", gbl_last_error());
    return gbl_fail(info, NULL, "%s; no generator is so called (`gblite help gen' lists them)",
                    text);
}
