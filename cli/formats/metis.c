/* SPDX-License-Identifier: Apache-2.0
 *
 * Writing graphs in the form of METIS, of which src/io/metis.c tells.
 */
#include "formats.h"

/* Whether the entries, by rows, are those of a graph; *weights: with weights that are not all 1. */
static gbl_Info check(gbl_Matrix A, const cli_Tuples *t, bool *weights) {
    bool symmetric = false;
    if (t->nrows != t->ncols)
        return gbl_fail(GBL_DIMENSION_MISMATCH, NULL, "a graph of METIS must be square");
    const gbl_Info info = cli_is_symmetric(&symmetric, A);
    if (info) return info;
    for (gbl_Index k = 0; k < t->n; k++) {
        const double x = !t->values ? 1 : t->whole ? (double)t->whole_x[k] : t->x[k];
        symmetric &= t->I[k] != t->J[k];
        *weights |= x != 1;
        if (!(x >= 1 && x <= 0x1p53) || x != (double)(uint64_t)x)
            return gbl_fail(GBL_INVALID_VALUE, NULL,
                            "a graph of METIS has whole weights of 1 and more; (%llu, %llu) is %g",
                            (unsigned long long)t->I[k] + 1, (unsigned long long)t->J[k] + 1, x);
    }
    if (symmetric) return GBL_SUCCESS;
    return gbl_fail(GBL_INVALID_VALUE, NULL,
                    "a graph of METIS has its edges in both directions and no loops");
}

gbl_Info format_write_metis(gbl_Matrix A, const char *path) {
    cli_Tuples t = {0};
    FILE *file = NULL;
    bool weights = false;
    gbl_Info info;
    if ((info = cli_tuples_read(&t, A)) || (info = check(A, &t, &weights)) ||
        (info = cli_open(&file, path)))
        goto done;
    fprintf(file, "%llu %llu%s\n", (unsigned long long)t.nrows, (unsigned long long)t.n / 2,
            weights ? " 001" : "");
    for (gbl_Index v = 0, k = 0; v < t.nrows; v++) {
        cli_progress_written(path, v, t.nrows);
        for (const char *gap = ""; k < t.n && t.I[k] == v; k++, gap = " ") {
            fprintf(file, "%s%llu", gap, (unsigned long long)t.J[k] + 1);
            if (weights)
                fprintf(file, " %llu",
                        t.whole   ? (unsigned long long)t.whole_x[k]
                        : t.large ? (unsigned long long)t.large[k]
                                  : (unsigned long long)t.x[k]);
        }
        fputc('\n', file);
    }
    info = cli_close(&file, path);
done:
    cli_tuples_free(&t);
    return info;
}
