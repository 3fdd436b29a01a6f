/* SPDX-License-Identifier: Apache-2.0
 *
 * gblite-dist mxm: C<M> = A * B over a semiring.
 */
#include <string.h>

#include "dist_cli.h"

typedef struct {
    cli_Common common;
    const char *a, *b, *mask; /* b NULL: B is A */
    cli_Ring ring;
    gbl_Desc_Value method;
    bool complement, transpose_b;
    gbl_DistKernels kernels;
} Arguments;

enum { KERNELS = 256 };

static const struct argp_option options[] = {
    {"semiring", 's', "NAME", 0, "Semiring, e.g. min_plus or plus_times_fp32 (plus_times)", 0},
    {"mask", 'm', "M", 0, "Compute only where the matrix M has entries", 0},
    {"complement", 'c', NULL, 0, "Compute only where the mask has no entries", 0},
    {"transpose-b", 'T', NULL, 0, "Multiply by the transpose of B", 0},
    {"method", 'M', "NAME", 0, "How to multiply blocks, e.g. rowwise or outer (auto)", 0},
    {"kernels", KERNELS, "NAME", 0,
     "Who multiplies: gblite, combblas (its local products) or summa (all of CombBLAS's) (gblite)",
     0},
    {0},
};

static gbl_DistKernels parse_kernels(struct argp_state *state, const char *text) {
    static const char *const names[] = {"gblite", "combblas", "summa"};
    for (int k = 0; k < 3; k++)
        if (!strcmp(text, names[k])) return (gbl_DistKernels)k;
    argp_error(state, "unknown kernels '%s'. Known: gblite, combblas, summa", text);
    return GBL_DIST_GBLITE;
}

static error_t parse(int key, char *text, struct argp_state *state) {
    Arguments *a = state->input;
    switch (key) {
    case 's':
        a->ring = cli_parse_ring(state, text);
        return 0;
    case 'M':
        a->method = cli_parse_method(state, text);
        return 0;
    case 'm':
        a->mask = text;
        return 0;
    case 'c':
        a->complement = true;
        return 0;
    case 'T':
        a->transpose_b = true;
        return 0;
    case KERNELS:
        a->kernels = parse_kernels(state, text);
        return 0;
    case ARGP_KEY_ARG:
        if (state->arg_num > 1) argp_error(state, "two matrices at most; '%s' is one more", text);
        *(state->arg_num ? &a->b : &a->a) = text;
        return 0;
    case ARGP_KEY_NO_ARGS:
        argp_error(state, "no matrix given: %s", cli_operand_hint);
        return 0;
    case ARGP_KEY_SUCCESS:
        if (a->complement && !a->mask) argp_error(state, "--complement needs --mask");
        return 0;
    default:
        return ARGP_ERR_UNKNOWN;
    }
}

typedef struct {
    gbl_DistMatrix A, B, M, C; /* B is A when only one operand was given */
    gbl_Descriptor desc;
} Product;

static gbl_Info describe(Product *p, const Arguments *a) {
    gbl_Info info;
    if ((info = gbl_Descriptor_new(&p->desc)) ||
        (info = gbl_Descriptor_set(p->desc, GBL_METHOD, a->method)) ||
        (info = gbl_Descriptor_set(p->desc, GBL_MASK,
                                   a->complement ? GBL_COMP_STRUCTURE
                                   : a->mask     ? GBL_STRUCTURE
                                                 : GBL_DEFAULT)))
        return info;
    return a->transpose_b ? gbl_Descriptor_set(p->desc, GBL_INP1, GBL_TRAN) : GBL_SUCCESS;
}

static gbl_Info prepare(Product *p, const Arguments *a, gbl_Grid grid) {
    gbl_Index nrows, ncols, brows, bcols;
    gbl_Info info;
    if ((info = gbl_DistMatrix_load(&p->A, a->ring.type, a->a, grid))) return info;
    p->B = p->A;
    if (a->b) {
        p->B = NULL;
        if ((info = gbl_DistMatrix_load(&p->B, a->ring.type, a->b, grid))) return info;
    }
    if (a->mask && (info = gbl_DistMatrix_load(&p->M, GBL_BOOL, a->mask, grid))) return info;
    if ((info = gbl_Grid_agree(grid, describe(p, a))) ||
        (info = gbl_DistMatrix_shape(&nrows, &ncols, NULL, p->A)) ||
        (info = gbl_DistMatrix_shape(&brows, &bcols, NULL, p->B)))
        return info;
    return gbl_DistMatrix_new(&p->C, a->ring.type, nrows, a->transpose_b ? brows : bcols, grid);
}

static gbl_Info save(gbl_DistMatrix C, const char *path, dc_Work *work) {
    gbl_Matrix local = NULL;
    gbl_Info info = gbl_DistMatrix_gather(&local, C, 0);
    if (!info && work->rank == 0) info = gbl_save(local, path);
    gbl_Matrix_free(&local);
    return gbl_Grid_agree(work->grid, info);
}

int dc_mxm(int argc, char **argv) {
    const cli_Usage usage = {.args = "A [B]",
                             .about = "Multiply A by B, or A by A when B is not given. Each is a "
                                      "file or a generator. GBLITE_MEMORY_LIMIT in the environment "
                                      "bounds what a process takes beside operands and result.",
                             .output = "Write C to FILE, compressed when it ends in .gz",
                             .options = options,
                             .parse = parse};
    Arguments a = {.ring = cli_default_ring(), .method = GBL_DEFAULT};
    Product p = {0};
    dc_Work work = {0};
    gbl_Index nrows, ncols, nvals;
    gbl_Info info;

    cli_parse(argc, argv, &usage, &a.common, &a);
    if ((info = dc_begin(&work, &a.common)) || (info = prepare(&p, &a, work.grid)) ||
        (info = gbl_Grid_set_kernels(work.grid, a.kernels)) ||
        (info = gbl_Grid_clear_counters(work.grid)))
        goto done;
    const double start = cli_seconds();
    if ((info = gbl_dist_mxm(p.C, p.M, NULL, a.ring.ring, p.A, p.B, p.desc))) goto done;
    const double seconds = cli_seconds() - start;
    if ((info = gbl_DistMatrix_shape(&nrows, &ncols, NULL, p.C)) ||
        (info = gbl_DistMatrix_nvals(&nvals, p.C)))
        goto done;
    cli_report_count(work.report, "rows", nrows);
    cli_report_count(work.report, "columns", ncols);
    cli_report_count(work.report, "entries", nvals);
    cli_report_text(work.report, "method", "summa");
    cli_report_number(work.report, "seconds", seconds);
    if ((info = dc_report_counters(&work))) goto done;
    if (a.common.output) info = save(p.C, a.common.output, &work);
done:
    if (p.B != p.A) gbl_DistMatrix_free(&p.B);
    gbl_DistMatrix_free(&p.A);
    gbl_DistMatrix_free(&p.M);
    gbl_DistMatrix_free(&p.C);
    gbl_Descriptor_free(&p.desc);
    return dc_end(&work, info, false);
}
