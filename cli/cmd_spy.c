/* SPDX-License-Identifier: Apache-2.0
 *
 * gblite spy: a picture of the entries of a matrix; the fuller a pixel, the darker.
 */
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

static gbl_Info draw(Picture *picture, Arguments *a) {
    gbl_Matrix A = NULL;
    gbl_Arrays csr = {0};
    gbl_Index nrows, ncols;
    gbl_Info info;
    if ((info =
             cli_load(&A, a->norms ? GBL_FP64 : GBL_BOOL, a->common.operand, &a->common.reading)) ||
        (info = gbl_Matrix_nrows(&nrows, A)) || (info = gbl_Matrix_ncols(&ncols, A)) ||
        (info = picture_new(picture, nrows, ncols,
                            a->common.output ? a->size
                                             : picture_fits(a->terminal, nrows, ncols, a->size))) ||
        (info = gbl_Matrix_moveOut(A, GBL_CSR_FORMAT, &csr)))
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
