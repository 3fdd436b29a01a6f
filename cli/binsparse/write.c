/* SPDX-License-Identifier: Apache-2.0
 *
 * Writing of binsparse files, from the entries of the matrix in order of rows, or of columns. A
 * file appears under its name when it is whole: it is written beside it first.
 */
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "binsparse.h"

typedef struct {
    const char *path;
    hid_t file;
    bsp_Descriptor d;
    gbl_Arrays rows;          /* as CSR wants them, perhaps mapped; p NULL: entries are copied */
    gbl_Index *major, *minor; /* [d.nvals], sorted by both */
    void *x;                  /* [d.nvals] */
} Writing;

static gbl_Info no_memory(const Writing *w) {
    return gbl_fail(GBL_OUT_OF_MEMORY, NULL, "%s: not enough memory to write %llu entries", w->path,
                    (unsigned long long)w->d.nvals);
}

/* -- entries ----------------------------------------------------------------------------------- */

static gbl_Info export_entries(Writing *w, gbl_Matrix A) {
    gbl_Index n[3] = {w->d.nvals, w->d.nvals, w->d.nvals};
#define EXPORT(N, T)                                                                               \
    if (w->d.type.type == GBL_##N)                                                                 \
        return gbl_Matrix_export_##N(w->major, w->minor, w->x, &n[0], &n[1], &n[2],                \
                                     GBL_COO_FORMAT, A);
    GBL_FOREACH_TYPE(EXPORT)
#undef EXPORT
    return GBL_DOMAIN_MISMATCH;
}

/* Rows that the matrix has are written where they are. */
static gbl_Info take_rows(Writing *w, gbl_Matrix A) {
    gbl_Format hint;
    const bool wanted = strcmp(w->d.format->name, "CSR") == 0;
    const gbl_Info info = wanted ? gbl_Matrix_exportHint(&hint, A) : GBL_SUCCESS;
    if (info || !wanted || hint != GBL_CSR_FORMAT) return info;
    return gbl_Matrix_view(&w->rows, A, GBL_CSR_FORMAT);
}

/* Entries by columns are those of the transpose by rows. */
static gbl_Info take_entries(Writing *w, gbl_Matrix A) {
    const size_t room = (size_t)w->d.nvals + 1;
    gbl_Matrix T = NULL;
    w->major = malloc(room * sizeof *w->major);
    w->minor = malloc(room * sizeof *w->minor);
    w->x = malloc(room * w->d.type.size);
    if (!w->major || !w->minor || !w->x) return no_memory(w);
    if (!w->d.format->columns) return export_entries(w, A);
    gbl_Info info = gbl_Matrix_new(&T, w->d.type.type, w->d.ncols, w->d.nrows);
    if (!info) info = gbl_transpose(T, NULL, NULL, A, NULL);
    if (!info) info = export_entries(w, T);
    gbl_Matrix_free(&T);
    return info;
}

static bool is_iso(const Writing *w) {
    const size_t size = w->d.type.size;
    const char *const x = w->rows.p ? w->rows.x : w->x;
    for (uint64_t k = 1; k < w->d.nvals && !w->rows.iso; k++)
        if (memcmp(x + k * size, x, size) != 0) return false;
    return w->d.nvals > 1;
}

/* -- arrays ------------------------------------------------------------------------------------ */

static gbl_Info write_array(const Writing *w, const char *name, hid_t type, hid_t memory,
                            const void *values, uint64_t n) {
    const hsize_t length = n;
    const hid_t space = H5Screate_simple(1, &length, NULL);
    const hid_t set =
        space < 0 ? -1
                  : H5Dcreate2(w->file, name, type, space, H5P_DEFAULT, H5P_DEFAULT, H5P_DEFAULT);
    bool done = set >= 0;
    if (done && n > 0) done = H5Dwrite(set, memory, H5S_ALL, H5S_ALL, H5P_DEFAULT, values) >= 0;
    if (set >= 0) done = H5Dclose(set) >= 0 && done;
    if (space >= 0) H5Sclose(space);
    return done ? GBL_SUCCESS
                : gbl_fail(GBL_IO_ERROR, NULL, "%s: HDF5 cannot write %s", w->path, name);
}

/* uint32 where all indices fit. */
static bool is_wide(const bsp_Descriptor *d) {
    return d->nrows > UINT32_MAX || d->ncols > UINT32_MAX;
}

static gbl_Info write_indices(const Writing *w, const char *name, const uint64_t *indices,
                              uint64_t n) {
    return write_array(w, name, is_wide(&w->d) ? H5T_STD_U64LE : H5T_STD_U32LE, H5T_NATIVE_UINT64,
                       indices, n);
}

/* p[k] = first entry of major k, of all or of those with entries, which are listed then. */
static gbl_Info write_pointers(const Writing *w) {
    const bool listed = w->d.format->majors;
    const uint64_t all = w->d.format->columns ? w->d.ncols : w->d.nrows, n = w->d.nvals;
    const uint64_t room = (listed && n < all ? n : all) + 1;
    uint64_t *p = room < SIZE_MAX / sizeof *p ? malloc(room * sizeof *p) : NULL;
    uint64_t *list = listed ? malloc(room * sizeof *list) : NULL, majors = 0;
    gbl_Info info = !p || (listed && !list) ? no_memory(w) : GBL_SUCCESS;
    for (uint64_t e = 0; !info && e < n; e++) {
        if (!listed) {
            while (majors <= w->major[e]) p[majors++] = e;
        } else if (e == 0 || w->major[e] != w->major[e - 1]) {
            list[majors] = w->major[e];
            p[majors++] = e;
        }
    }
    while (!info && !listed && majors < all) p[majors++] = n;
    if (!info) p[majors] = n;
    if (!info && listed) info = write_indices(w, "indices_0", list, majors);
    if (!info)
        info = write_array(w, "pointers_to_1", H5T_STD_U64LE, H5T_NATIVE_UINT64, p, majors + 1);
    free(list);
    free(p);
    return info;
}

static gbl_Info write_descriptor(const Writing *w) {
    char text[BSP_TEXT];
    bsp_print(text, &w->d, is_wide(&w->d));
    const hid_t type = H5Tcopy(H5T_C_S1), space = H5Screate(H5S_SCALAR);
    bool done = type >= 0 && space >= 0 && H5Tset_size(type, strlen(text) + 1) >= 0;
    const hid_t attribute =
        done ? H5Acreate2(w->file, "binsparse", type, space, H5P_DEFAULT, H5P_DEFAULT) : -1;
    done = attribute >= 0 && H5Awrite(attribute, type, text) >= 0;
    if (attribute >= 0) H5Aclose(attribute);
    if (space >= 0) H5Sclose(space);
    if (type >= 0) H5Tclose(type);
    return done ? GBL_SUCCESS
                : gbl_fail(GBL_IO_ERROR, NULL, "%s: HDF5 cannot write the descriptor", w->path);
}

static gbl_Info write_rows(const Writing *w) {
    const hid_t type = w->d.type.memory;
    gbl_Info info = write_array(w, "pointers_to_1", H5T_STD_U64LE, H5T_NATIVE_UINT64, w->rows.p,
                                w->d.nrows + 1);
    if (!info)
        info = write_array(w, "indices_1", H5T_STD_U32LE, H5T_NATIVE_UINT32, w->rows.i, w->d.nvals);
    return info ? info : write_array(w, "values", type, type, w->rows.x, w->d.iso ? 1 : w->d.nvals);
}

static gbl_Info write_all(Writing *w) {
    const bsp_Format *f = w->d.format;
    gbl_Info info = write_descriptor(w);
    if (info || w->rows.p) return info ? info : write_rows(w);
    if (!info && f->pointers) info = write_pointers(w);
    if (!info && f->majors && !f->pointers)
        info = write_indices(w, "indices_0", w->major, w->d.nvals);
    if (!info && f->minors) info = write_indices(w, "indices_1", w->minor, w->d.nvals);
    return info ? info
                : write_array(w, "values", w->d.type.memory, w->d.type.memory, w->x,
                              w->d.iso ? 1 : w->d.nvals);
}

/* -- the file ---------------------------------------------------------------------------------- */

/* Whether the matrix has what the format wants. */
static gbl_Info check_format(const Writing *w, bool full) {
    const bsp_Format *f = w->d.format;
    if (f->vector && w->d.ncols != 1)
        return gbl_fail(GBL_DIMENSION_MISMATCH, NULL,
                        "%s is a vector, and the matrix has %llu columns", f->name,
                        (unsigned long long)w->d.ncols);
    if (bsp_is_dense(f) && !full)
        return gbl_fail(GBL_INVALID_VALUE, NULL,
                        "%s has a value at every place, and the matrix has %llu entries", f->name,
                        (unsigned long long)w->d.nvals);
    return GBL_SUCCESS;
}

static gbl_Info describe(Writing *w, gbl_Matrix A, const char *name) {
    bsp_Descriptor *d = &w->d;
    gbl_Type type = NULL;
    gbl_Info info = gbl_Matrix_nrows(&d->nrows, A);
    if (!info) info = gbl_Matrix_ncols(&d->ncols, A);
    if (!info) info = gbl_Matrix_nvals(&d->nvals, A);
    if (!info) info = gbl_Matrix_type(&type, A);
    if (info) return info;
    const uint64_t most = UINT64_C(1) << 53;
    if (d->nrows > most || d->ncols > most)
        return gbl_fail(GBL_INVALID_VALUE, NULL,
                        "binsparse files have dimensions of up to 2^53 here, since readers take "
                        "numbers of JSON as doubles; the matrix is %llu x %llu",
                        (unsigned long long)d->nrows, (unsigned long long)d->ncols);
    if (!bsp_type_of(&d->type, type))
        return gbl_fail(GBL_DOMAIN_MISMATCH, NULL, "binsparse has no user-defined types");
    const bool full = d->nvals > 0 && d->nvals / d->nrows == d->ncols && d->nvals % d->nrows == 0;
    const bool few = d->nvals < d->nrows / 2;
    d->format = bsp_format(name ? name : full ? "DMATR" : few ? "DCSR" : "CSR");
    if (d->format == NULL)
        return gbl_fail(GBL_INVALID_VALUE, NULL,
                        "binsparse has no format '%.20s'; there are CSR, CSC, DCSR, DCSC, COOR, "
                        "COOC, DMATR, DMATC, CVEC and DVEC",
                        name);
    return check_format(w, full);
}

static gbl_Info write_beside(Writing *w, const char *beside) {
    gbl_Info info = GBL_SUCCESS;
    H5Eset_auto2(H5E_DEFAULT, NULL, NULL); /* what fails is told here */
    w->file = H5Fcreate(beside, H5F_ACC_TRUNC, H5P_DEFAULT, H5P_DEFAULT);
    if (w->file < 0) return gbl_fail(GBL_IO_ERROR, NULL, "cannot write %s", beside);
    info = write_all(w);
    if (H5Fclose(w->file) < 0 && !info)
        info = gbl_fail(GBL_IO_ERROR, NULL, "%s: HDF5 cannot close it", w->path);
    if (!info && rename(beside, w->path) != 0)
        info = gbl_fail(GBL_IO_ERROR, NULL, "cannot write %s: %s", w->path, strerror(errno));
    if (info) unlink(beside);
    return info;
}

gbl_Info bsp_write(gbl_Matrix A, const char *path, const char *name) {
    Writing w = {.path = path};
    const size_t room = strlen(path) + sizeof ".new";
    char *beside = malloc(room);
    gbl_Info info = beside ? describe(&w, A, name) : no_memory(&w);
    if (!info) info = take_rows(&w, A);
    if (!info && !w.rows.p) info = take_entries(&w, A);
    if (!info) {
        w.d.iso = is_iso(&w);
        snprintf(beside, room, "%s.new", path);
        info = write_beside(&w, beside);
    }
    free(w.x);
    free(w.minor);
    free(w.major);
    free(beside);
    return info;
}
