/* SPDX-License-Identifier: Apache-2.0
 *
 * Products that are written to a file as they are computed. The slices always go into a .gbl file,
 * since those can be gone on with; for another form of file that one lies beside, under a name that
 * says which product it is, is mapped, written out, and removed.
 */
#define _GNU_SOURCE
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "cli.h"

uint64_t cli_mix_text(uint64_t key, const char *text) {
    for (; text && *text; text++) key = (key ^ (unsigned char)*text) * UINT64_C(0x100000001B3);
    return (key ^ key >> 29) * UINT64_C(0x9E3779B97F4A7C15);
}

bool cli_takes_slices(const char *path) {
    const cli_Kind kind = path ? cli_kind_of(path) : CLI_UNKNOWN;
    return kind == CLI_GBL || kind == CLI_MATRIX_MARKET || kind == CLI_BINSPARSE;
}

/* Operands that are files, as they are now. */
void cli_slices_begin(cli_Slices *s) {
    for (int k = 0; k < CLI_OPERANDS; k++) {
        struct stat *const facts = &s->facts[k];
        if (!s->names[k] || stat(s->names[k], facts) != 0) *facts = (struct stat){0};
        const uint64_t words[] = {(uint64_t)facts->st_size, (uint64_t)facts->st_mtim.tv_sec,
                                  (uint64_t)facts->st_mtim.tv_nsec};
        for (size_t w = 0; w < sizeof words / sizeof *words; w++)
            s->key = cli_mix_text(s->key + words[w], "");
    }
}

/* A file that is replaced stays as it was for those who map it; one that is written to does not. */
static bool has_changed(const cli_Slices *s, int k) {
    struct stat facts;
    return s->facts[k].st_ino != 0 && stat(s->names[k], &facts) == 0 &&
           facts.st_ino == s->facts[k].st_ino &&
           (facts.st_size != s->facts[k].st_size ||
            facts.st_mtim.tv_sec != s->facts[k].st_mtim.tv_sec ||
            facts.st_mtim.tv_nsec != s->facts[k].st_mtim.tv_nsec);
}

/* What is predicted is told before anything is written; then how far it is. */
static bool tell(void *context, const gbl_FileProduct *so_far) {
    cli_Slices *const s = context;
    if (so_far->rows_done == 0)
        fprintf(stderr,
                "gblite: %s: about %.3g entries in %.3g GB and %.2g s; the disk has %.3g GB free\n",
                s->output, so_far->nvals_predicted, so_far->bytes_predicted * 1e-9,
                so_far->seconds_predicted, so_far->bytes_free * 1e-9);
    snprintf(s->note, sizeof s->note, "%.2f GB in %llu slices", (double)so_far->bytes * 1e-9,
             (unsigned long long)so_far->slices);
    cli_progress_note(s->note);
    cli_progress_part("writing", (double)so_far->rows_done / fmax(1.0, (double)so_far->nrows));
    for (int k = 0; k < CLI_OPERANDS && !s->changed; k++)
        if (has_changed(s, k)) s->changed = s->names[k];
    return !s->changed;
}

static gbl_Info write_product(cli_Slices *s, const char *path) {
    s->how.progress = tell;
    s->how.context = s;
    const gbl_Info info = gbl_mxm_to_file(path, s->ring, s->A, s->B, &s->how);
    if (info == GBL_SUCCESS) return info;
    if (s->changed)
        return gbl_fail(GBL_IO_ERROR, NULL,
                        "%s: the file changed while it was read; run the command again",
                        s->changed);
    if (s->how.rows_done > 0)
        fprintf(stderr, "gblite: %s.partial holds %llu of %llu rows: --resume goes on\n", path,
                (unsigned long long)s->how.rows_done, (unsigned long long)s->how.nrows);
    return info;
}

/* The slices are in the file beside; of an interrupted command they may be there already. */
static gbl_Info write_beside(cli_Slices *s, const char *beside) {
    gbl_Matrix C = NULL;
    const bool there = s->how.resume && access(beside, F_OK) == 0;
    gbl_Info info = there ? GBL_SUCCESS : write_product(s, beside);
    if (!info) info = gbl_file_map(&C, NULL, beside, there);
    if (!info && there) info = gbl_Matrix_nvals(&s->how.nvals, C);
    if (!info && there) info = gbl_Matrix_nrows(&s->how.nrows, C);
    if (!info) info = cli_save(C, s->output, NULL, NULL);
    gbl_Matrix_free(&C);
    if (!info) unlink(beside);
    return info;
}

gbl_Info cli_write_slices(cli_Report *report, cli_Slices *s) {
    const double start = cli_seconds();
    const gbl_FileProduct *how = &s->how;
    char *beside;
    gbl_Info info;
    if (cli_kind_of(s->output) == CLI_GBL) {
        info = write_product(s, s->output);
    } else if (asprintf(&beside, "%s.%016llx.gbl", s->output, (unsigned long long)s->key) < 0) {
        info = gbl_fail(GBL_OUT_OF_MEMORY, NULL, "not enough memory for a file name");
    } else {
        info = write_beside(s, beside);
        free(beside);
    }
    cli_report_count(report, "rows", how->nrows);
    cli_report_count(report, "rows_resumed", how->rows_resumed);
    cli_report_count(report, "entries", how->nvals);
    cli_report_number(report, "entries_estimated", how->nvals_predicted);
    cli_report_count(report, "bytes", how->bytes);
    cli_report_number(report, "bytes_predicted", how->bytes_predicted);
    cli_report_count(report, "slices", how->slices);
    cli_report_text(report, "method", "slices");
    cli_report_number(report, "seconds", cli_seconds() - start);
    cli_report_number(report, "seconds_predicted", how->seconds_predicted);
    return info;
}

/* -- products of which only sums are wanted */

static gbl_Monoid monoid_of(gbl_Type type, const char *name) {
    const int k = !strcmp(name, "plus")    ? 0
                  : !strcmp(name, "times") ? 1
                  : !strcmp(name, "min")   ? 2
                                           : 3;
#define GB_REAL(N, T)                                                                              \
    if (type == GBL_##N)                                                                           \
        return k == 0   ? GBL_PLUS_MONOID_##N                                                      \
               : k == 1 ? GBL_TIMES_MONOID_##N                                                     \
               : k == 2 ? GBL_MIN_MONOID_##N                                                       \
                        : GBL_MAX_MONOID_##N;
#define GB_COMPLEX(N, T)                                                                           \
    if (type == GBL_##N && k < 2) return k == 0 ? GBL_PLUS_MONOID_##N : GBL_TIMES_MONOID_##N;
    GBL_FOREACH_NUMERIC(GB_REAL)
    GBL_FOREACH_COMPLEX(GB_COMPLEX)
#undef GB_REAL
#undef GB_COMPLEX
    if (type == GBL_BOOL) return k == 0 || k == 3 ? GBL_LOR_MONOID_BOOL : GBL_LAND_MONOID_BOOL;
    return NULL; /* of complex numbers none is the largest */
}

/* A vector as a matrix of one column, which files hold. */
static gbl_Info save_vector(gbl_Vector w, gbl_Type type, gbl_Index n, const char *path) {
    gbl_Matrix W = NULL;
    gbl_Info info = gbl_Matrix_new(&W, type, n, 1);
    if (!info) info = gbl_Col_assign(W, NULL, NULL, w, GBL_ALL, n, 0, NULL);
    if (!info) info = cli_save(W, path, NULL, NULL);
    gbl_Matrix_free(&W);
    return info;
}

static bool tell_folded(void *context, const gbl_FileProduct *so_far) {
    (void)context;
    cli_progress_part("multiplying", (double)so_far->rows_done / fmax(1.0, (double)so_far->nrows));
    return true;
}

gbl_Info cli_fold_slices(cli_Report *report, cli_Slices *s, bool columns, const char *monoid) {
    const double start = cli_seconds();
    const gbl_Type type = s->how.type;
    const gbl_Monoid op = monoid_of(type, monoid);
    gbl_Vector w = NULL;
    gbl_Index n, filled;
    gbl_Info info;
    int32_t turned = GBL_DEFAULT;
    if (!op)
        return gbl_fail(GBL_DOMAIN_MISMATCH, NULL,
                        "of complex numbers none is the largest or smallest: --fold plus or times");
    s->how.progress = tell_folded;
    if ((info = gbl_Descriptor_get_INT32(s->how.desc, &turned, GBL_INP1)) ||
        (info = !columns             ? gbl_Matrix_nrows(&n, s->A)
                : turned == GBL_TRAN ? gbl_Matrix_nrows(&n, s->B)
                                     : gbl_Matrix_ncols(&n, s->B)) ||
        (info = gbl_Vector_new(&w, type, n)) ||
        (info = gbl_mxm_reduce_rows(w, NULL, NULL, op, s->ring, s->A, s->B, &s->how,
                                    columns ? GBL_DESC_T0 : NULL)) ||
        (info = gbl_Vector_nvals(&filled, w)) ||
        (s->output && (info = save_vector(w, type, n, s->output))))
        goto done;
    cli_report_count(report, columns ? "columns" : "rows", n);
    cli_report_count(report, "not_empty", filled);
    cli_report_count(report, "entries_folded", s->how.nvals);
    cli_report_count(report, "slices", s->how.slices);
    cli_report_text(report, "method", "slices");
    cli_report_number(report, "seconds", cli_seconds() - start);
done:
    gbl_Vector_free(&w);
    return info;
}
