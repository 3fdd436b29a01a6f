/* SPDX-License-Identifier: Apache-2.0
 *
 * gblite spy: a picture of the entries of a matrix; the fuller a pixel, the darker.
 */
#include <stdlib.h>
#include <string.h>

#include "cli.h"
#include "picture.h"

typedef struct {
    cli_Common common;
    uint32_t size;
    bool norms;
    Terminal terminal; /* without --output */
} Arguments;

enum { SIZE_MAX_PIXELS = 16384 };

static const struct argp_option options[] = {
    {"size", 's', "N", 0, "Pixels of the longer side (512; in characters as many as fit)", 0},
    {"norms", 'n', NULL, 0, "Draw the largest magnitude of each pixel, not how many entries", 0},
    {0},
};

static error_t parse(int key, char *text, struct argp_state *state) {
    Arguments *a = state->input;
    if (key == 'n') return a->norms = true, 0;
    if (key != 's') return ARGP_ERR_UNKNOWN;
    a->size = (uint32_t)cli_parse_count(state, "--size", text, 1, SIZE_MAX_PIXELS);
    return 0;
}

/* The number of bits by which indices are cut, so that there are not many. */
static unsigned cut_of(gbl_Index dimension) {
    unsigned cut = 0;
    while ((dimension - 1) >> cut >= (gbl_Index)64 * SIZE_MAX_PIXELS) cut++;
    return cut;
}

/* Rows of a huge matrix, as of a smaller one that is drawn the same, whose entries repeat. */
static gbl_Info move_out_huge(gbl_Arrays *csr, gbl_Index *nrows, gbl_Index *ncols, gbl_Matrix A) {
    const unsigned down = cut_of(*nrows), right = cut_of(*ncols);
    gbl_Index n, *I = NULL, *J = NULL;
    double *x = NULL;
    gbl_Info info = gbl_Matrix_nvals(&n, A);
    if (info) return info;
    *nrows = ((*nrows - 1) >> down) + 1;
    *ncols = ((*ncols - 1) >> right) + 1;
    I = malloc((n + 1) * sizeof *I);
    J = malloc((n + 1) * sizeof *J);
    x = malloc((n + 1) * sizeof *x);
    csr->p = gbl_Memory_malloc((*nrows + 2) * sizeof *csr->p);
    csr->i = gbl_Memory_malloc((n + 1) * sizeof *csr->i);
    csr->x = gbl_Memory_malloc((n + 1) * sizeof *x);
    info = I && J && x && csr->p && csr->i && csr->x
               ? gbl_Matrix_extractTuples_FP64(I, J, x, &n, A)
               : gbl_fail(GBL_OUT_OF_MEMORY, NULL, "not enough memory for the entries");
    if (!info) memset(csr->p, 0, (*nrows + 2) * sizeof *csr->p);
    for (gbl_Index k = 0; !info && k < n; k++) csr->p[(I[k] >> down) + 2]++;
    for (gbl_Index r = 0; !info && r < *nrows; r++) csr->p[r + 2] += csr->p[r + 1];
    for (gbl_Index k = 0; !info && k < n; k++) {
        const uint64_t to = csr->p[(I[k] >> down) + 1]++;
        csr->i[to] = (uint32_t)(J[k] >> right);
        ((double *)csr->x)[to] = x[k];
    }
    free(I);
    free(J);
    free(x);
    return info;
}

static gbl_Info draw(Picture *picture, Arguments *a) {
    gbl_Matrix A = NULL;
    gbl_Arrays csr = {0};
    gbl_Index nrows, ncols, nvals;
    gbl_Info info;
    if ((info =
             cli_load(&A, a->norms ? GBL_FP64 : GBL_BOOL, a->common.operand, &a->common.reading)) ||
        (info = gbl_Matrix_nrows(&nrows, A)) || (info = gbl_Matrix_ncols(&ncols, A)) ||
        (info = picture_new(picture, nrows, ncols,
                            a->common.output ? a->size
                                             : picture_fits(a->terminal, nrows, ncols, a->size))) ||
        (info = gbl_Matrix_nvals(&nvals, A)) ||
        (info = cli_is_huge(nrows > ncols ? nrows : ncols, nvals)
                    ? move_out_huge(&csr, &nrows, &ncols, A)
                    : gbl_Matrix_moveOut(A, GBL_CSR_FORMAT, &csr)))
        goto done;
    if (a->norms)
        picture_add_norms(picture, nrows, ncols, &csr);
    else
        picture_add(picture, nrows, ncols, &csr);
    cli_progress_stop();
    info = a->common.output ? picture_write(picture, a->common.output)
                            : picture_show(picture, a->terminal);
done:
    gbl_Memory_free(csr.p);
    gbl_Memory_free(csr.i);
    gbl_Memory_free(csr.x);
    gbl_Matrix_free(&A);
    return info;
}

int cmd_spy(int argc, char **argv) {
    const cli_Usage usage = {.reads = true,
                             .args = "MATRIX",
                             .about = "Draw where the entries of MATRIX, a file or a generator, "
                                      "lie: the more entries on a pixel, the darker it is. "
                                      "Without --output it is drawn on the terminal.",
                             .operand = "matrix",
                             .output = "Write the picture to FILE, which ends in .png or .svg",
                             .options = options,
                             .parse = parse};
    Arguments a = {.size = 512};
    Picture picture = {0};
    cli_Report *report = NULL;
    gbl_Info info;

    cli_parse(argc, argv, &usage, &a.common, &a);
    double start = cli_seconds();
    if ((info = cli_begin(&a.common, &report))) goto done;
    if (a.common.output && (info = picture_check(a.common.output))) goto done;
    if (a.common.json && !a.common.output) {
        info = gbl_fail(GBL_INVALID_VALUE, NULL,
                        "--json and a picture both want standard output; give --output FILE");
        goto done;
    }
    if (!a.common.output) a.terminal = picture_terminal();
    if ((info = draw(&picture, &a))) goto done;
    cli_report_count(report, "width", picture.width);
    cli_report_count(report, "height", picture.height);
    cli_report_count(report, "most_per_pixel", picture.most);
    if (a.common.output) cli_report_text(report, "output", a.common.output);
    cli_report_text(report, "method", "draw");
    cli_report_number(report, "seconds", cli_seconds() - start);
done:
    picture_free(&picture);
    return cli_end(info, &report, &a.common);
}
