/* SPDX-License-Identifier: Apache-2.0
 *
 * The entries of a matrix as lists, and files that are lists of them.
 */
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "cli.h"

/* Whether all values are true. */
static gbl_Info is_pattern(bool *pattern, gbl_Matrix A, gbl_Type_Code code) {
    *pattern = false;
    if (code != GBL_BOOL_CODE) return GBL_SUCCESS;
    *pattern = true;
    return gbl_Matrix_reduce_BOOL(pattern, NULL, GBL_LAND_MONOID_BOOL, A, NULL);
}

gbl_Info cli_tuples_read(cli_Tuples *t, gbl_Matrix A) {
    gbl_Type type;
    gbl_Type_Code code;
    bool pattern;
    gbl_Info info;
    *t = (cli_Tuples){0};
    if ((info = gbl_Matrix_nrows(&t->nrows, A)) || (info = gbl_Matrix_ncols(&t->ncols, A)) ||
        (info = gbl_Matrix_nvals(&t->n, A)) || (info = gbl_Matrix_type(&type, A)) ||
        (info = gbl_Type_code(&code, type)) || (info = is_pattern(&pattern, A, code)))
        return info;
    if (code >= GBL_FC32_CODE)
        return gbl_fail(GBL_DOMAIN_MISMATCH, NULL,
                        "edges have no complex weights; write a Matrix Market file (.mtx)");
    t->values = !pattern;
    t->whole = code != GBL_FP64_CODE && code != GBL_FP32_CODE && code != GBL_UINT64_CODE;
    t->I = malloc((t->n + 1) * sizeof *t->I);
    t->J = malloc((t->n + 1) * sizeof *t->J);
    t->x = t->whole ? NULL : malloc((t->n + 1) * sizeof *t->x);
    t->whole_x = t->whole ? malloc((t->n + 1) * sizeof *t->whole_x) : NULL;
    const bool large = code == GBL_UINT64_CODE;
    t->large = large ? malloc((t->n + 1) * sizeof *t->large) : NULL;
    if (!t->I || !t->J || !(t->whole ? (void *)t->whole_x : (void *)t->x) || (large && !t->large))
        return gbl_fail(GBL_OUT_OF_MEMORY, NULL, "not enough memory for the entries");
    if (large && (info = gbl_Matrix_extractTuples_UINT64(NULL, NULL, t->large, &t->n, A)))
        return info;
    return t->whole ? gbl_Matrix_extractTuples_INT64(t->I, t->J, t->whole_x, &t->n, A)
                    : gbl_Matrix_extractTuples_FP64(t->I, t->J, t->x, &t->n, A);
}

void cli_tuples_free(cli_Tuples *t) {
    free(t->I);
    free(t->J);
    free(t->x);
    free(t->whole_x);
    free(t->large);
    *t = (cli_Tuples){0};
}

void cli_tuples_print(FILE *file, const cli_Tuples *t, gbl_Index k) {
    char text[32];
    if (t->whole) {
        fprintf(file, "%" PRId64, t->whole_x[k]);
        return;
    }
    if (t->large) {
        fprintf(file, "%" PRIu64, t->large[k]);
        return;
    }
    snprintf(text, sizeof text, "%.15g", t->x[k]);
    if (strtod(text, NULL) != t->x[k]) snprintf(text, sizeof text, "%.17g", t->x[k]);
    fputs(text, file);
}

/* A label, between quotes where readers would take it for something else. */
static void print_label(FILE *file, const char *label, char gap) {
    const size_t n = strlen(label);
    const bool edge = n == 0 || strchr(" \"#%", label[0]) || label[n - 1] == ' ';
    const char *const quote = edge || strchr(label, gap) ? "\"" : "";
    fprintf(file, "%s%s%s", quote, label, quote);
}

gbl_Info cli_write_edges(gbl_Matrix A, const char *path, char gap, const gbl_Labels *labels) {
    const gbl_Labels none = {0};
    cli_Tuples t = {0};
    FILE *file = NULL;
    char room[24];
    gbl_Info info = cli_tuples_read(&t, A);
    if (!info) info = cli_open(&file, path);
    for (gbl_Index k = 0; !info && k < t.n; k++) {
        cli_progress_written(path, k, t.n);
        print_label(file, gbl_label(labels ? labels : &none, t.I[k], room), gap);
        fputc(gap, file);
        print_label(file, gbl_label(labels ? labels : &none, t.J[k], room), gap);
        if (t.values) fputc(gap, file);
        if (t.values) cli_tuples_print(file, &t, k);
        fputc('\n', file);
    }
    if (file) info = cli_close(&file, path);
    cli_tuples_free(&t);
    return info;
}
