/* SPDX-License-Identifier: Apache-2.0
 *
 * Reading of binsparse files. All that a file says is checked: lengths against each other and
 * against the size of the file, indices by the build of the matrix.
 */
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "binsparse.h"

/* Bytes that a byte of a file may stand for: what deflate, the best filter of HDF5, can reach. */
enum { MOST_PER_BYTE = 1100, LEAST_BYTES = 1 << 20 };

typedef struct {
    const char *path;
    hid_t file;
    uint64_t most_bytes; /* that one array may have */
    bsp_Descriptor d;
    uint64_t *major, *minor; /* [d.nvals] */
    void *x;                 /* [d.nvals], or one value when iso */
} Reading;

static gbl_Info fail(const Reading *r, const char *array, const char *what) {
    return gbl_fail(GBL_INVALID_VALUE, NULL, "%s: %s: %s", r->path, array, what);
}

/* -- arrays ------------------------------------------------------------------------------------ */

typedef struct {
    const char *name;
    hid_t set, type;
    uint64_t n;
} Array;

static void close_array(Array *a) {
    if (a->type >= 0) H5Tclose(a->type);
    if (a->set >= 0) H5Dclose(a->set);
}

/* An array of one dimension whose elements are numbers. */
static gbl_Info open_array(Array *a, const Reading *r, const char *name) {
    *a = (Array){.name = name, .set = -1, .type = -1};
    if (H5Lexists(r->file, name, H5P_DEFAULT) > 0) a->set = H5Dopen2(r->file, name, H5P_DEFAULT);
    if (a->set < 0) return fail(r, name, "there is no data set of that name");
    a->type = H5Dget_type(a->set);
    const hid_t space = H5Dget_space(a->set);
    hsize_t n = 0;
    const bool line = space >= 0 && H5Sget_simple_extent_ndims(space) == 1 &&
                      H5Sget_simple_extent_dims(space, &n, NULL) == 1;
    if (space >= 0) H5Sclose(space);
    a->n = n;
    if (!line) return fail(r, name, "must be an array of one dimension");
    if (n > r->most_bytes / sizeof(uint64_t))
        return fail(r, name, "has more elements than a file of this size can hold");
    return GBL_SUCCESS;
}

/* The elements, in room for at least one. */
static gbl_Info read_array(void **to, const Reading *r, const Array *a, hid_t memory, size_t size) {
    *to = malloc(a->n > 0 ? a->n * size : 1);
    if (*to == NULL)
        return gbl_fail(GBL_OUT_OF_MEMORY, NULL, "%s: %s: not enough memory for %llu elements",
                        r->path, a->name, (unsigned long long)a->n);
    if (a->n > 0 && H5Dread(a->set, memory, H5S_ALL, H5S_ALL, H5P_DEFAULT, *to) < 0)
        return gbl_fail(GBL_IO_ERROR, NULL, "%s: %s: HDF5 cannot read it", r->path, a->name);
    return GBL_SUCCESS;
}

/* Indices or pointers, of any width; those with a sign may not be below 0. */
static gbl_Info read_indices(uint64_t **to, uint64_t *n, const Reading *r, const char *name) {
    Array a;
    void *read = NULL;
    gbl_Info info = open_array(&a, r, name);
    if (!info && H5Tget_class(a.type) != H5T_INTEGER) info = fail(r, name, "must be of integers");
    const bool has_sign = !info && H5Tget_sign(a.type) == H5T_SGN_2;
    if (!info)
        info = read_array(&read, r, &a, has_sign ? H5T_NATIVE_INT64 : H5T_NATIVE_UINT64,
                          sizeof(uint64_t));
    *to = read;
    *n = a.n;
    for (uint64_t k = 0; !info && has_sign && k < a.n; k++)
        if ((int64_t)(*to)[k] < 0) info = fail(r, name, "has numbers below 0");
    close_array(&a);
    return info;
}

/* As many numbers of that type as there must be. */
static gbl_Info read_values(void **x, const Reading *r, const char *name, uint64_t n) {
    const bsp_Type *type = &r->d.type;
    Array a;
    gbl_Info info = open_array(&a, r, name);
    const bool real = type->type == GBL_FP32 || type->type == GBL_FP64;
    if (!info && H5Tget_class(a.type) != (real ? H5T_FLOAT : H5T_INTEGER))
        info = fail(r, name, "has numbers of another kind than the descriptor says");
    if (!info && a.n != n) info = fail(r, name, "has another length than the descriptor says");
    if (!info) info = read_array(x, r, &a, type->memory, type->size);
    for (uint64_t k = 0; !info && type->type == GBL_BOOL && k < n; k++)
        ((bool *)*x)[k] = ((uint8_t *)*x)[k] != 0;
    close_array(&a);
    return info;
}

/* -- entries ----------------------------------------------------------------------------------- */

static gbl_Info new_indices(uint64_t **to, const Reading *r) {
    *to = r->d.nvals < SIZE_MAX / sizeof **to ? malloc((r->d.nvals + 1) * sizeof **to) : NULL;
    return *to ? GBL_SUCCESS
               : gbl_fail(GBL_OUT_OF_MEMORY, NULL, "%s: not enough memory for %llu entries",
                          r->path, (unsigned long long)r->d.nvals);
}

/* The major index of each entry from pointers; listed[k] names major k, NULL: k does. */
static gbl_Info expand_pointers(Reading *r, const uint64_t *p, uint64_t majors,
                                const uint64_t *listed) {
    const gbl_Info info = new_indices(&r->major, r);
    if (info) return info;
    if (p[0] != 0 || p[majors] != r->d.nvals)
        return fail(r, "pointers_to_1", "must go from 0 to number_of_stored_values");
    for (uint64_t k = 0; k < majors; k++) {
        if (p[k + 1] < p[k] || p[k + 1] > r->d.nvals)
            return fail(r, "pointers_to_1", "must not descend");
        for (uint64_t e = p[k]; e < p[k + 1]; e++) r->major[e] = listed ? listed[k] : k;
    }
    return GBL_SUCCESS;
}

static gbl_Info read_pointers(Reading *r) {
    const bool by_columns = r->d.format->columns;
    uint64_t *p = NULL, *listed = NULL, n, majors = by_columns ? r->d.ncols : r->d.nrows;
    gbl_Info info = read_indices(&p, &n, r, "pointers_to_1");
    if (!info && r->d.format->majors) info = read_indices(&listed, &majors, r, "indices_0");
    if (!info && n != majors + 1)
        info = fail(r, "pointers_to_1", "must have one number more than there are rows (columns)");
    if (!info) info = expand_pointers(r, p, majors, listed);
    free(listed);
    free(p);
    return info;
}

/* Every place has an entry. */
static gbl_Info make_dense(Reading *r) {
    const bsp_Descriptor *d = &r->d;
    const uint64_t minors = d->format->columns ? d->nrows : d->ncols;
    if (d->nrows > 0 && d->ncols > UINT64_MAX / d->nrows)
        return fail(r, "shape", "has too many places");
    if (d->nvals != d->nrows * d->ncols)
        return fail(r, "number_of_stored_values", "must be that of all places");
    gbl_Info info = new_indices(&r->major, r);
    if (!info) info = new_indices(&r->minor, r);
    for (uint64_t e = 0; !info && e < d->nvals; e++) {
        r->major[e] = e / minors;
        r->minor[e] = e % minors;
    }
    return info;
}

static gbl_Info read_majors_or_minors(uint64_t **to, Reading *r, const char *name) {
    uint64_t n;
    const gbl_Info info = read_indices(to, &n, r, name);
    return info || n == r->d.nvals ? info
                                   : fail(r, name, "must have number_of_stored_values elements");
}

static gbl_Info read_entries(Reading *r) {
    const bsp_Format *f = r->d.format;
    gbl_Info info = GBL_SUCCESS;
    if (r->d.nvals > r->most_bytes)
        return fail(r, "number_of_stored_values", "is more than a file of this size can hold");
    if (bsp_is_dense(f)) {
        info = make_dense(r);
    } else {
        info = f->pointers ? read_pointers(r) : read_majors_or_minors(&r->major, r, "indices_0");
        if (!info && f->minors) info = read_majors_or_minors(&r->minor, r, "indices_1");
        if (!info && !f->minors) info = new_indices(&r->minor, r);
        if (!info && !f->minors) memset(r->minor, 0, r->d.nvals * sizeof *r->minor);
    }
    return info ? info : read_values(&r->x, r, "values", r->d.iso ? 1 : r->d.nvals);
}

/* Other places than entries have no value in GraphBLAS; one that is 0 says nothing new. */
static gbl_Info check_fill(const Reading *r) {
    static const char zero[sizeof(uint64_t)];
    void *x = NULL;
    if (!r->d.filled) return GBL_SUCCESS;
    gbl_Info info = read_values(&x, r, "fill_value", 1);
    if (!info && memcmp(x, zero, r->d.type.size) != 0)
        info = gbl_fail(GBL_NOT_IMPLEMENTED, NULL,
                        "%s: fill_value is not 0; gblite's matrices have no value where they have "
                        "no entry",
                        r->path);
    free(x);
    return info;
}

/* -- the matrix -------------------------------------------------------------------------------- */

static gbl_Info build_iso(gbl_Matrix A, const Reading *r, const uint64_t *I, const uint64_t *J) {
    gbl_Scalar x = NULL;
    gbl_Index nvals = 0;
    gbl_Info info = gbl_Scalar_new(&x, r->d.type.type);
#define SET(N, T)                                                                                  \
    if (!info && r->d.type.type == GBL_##N) info = gbl_Scalar_setElement_##N(x, *(const T *)r->x);
    GBL_FOREACH_TYPE(SET)
#undef SET
    if (!info) info = gbl_Matrix_build_Scalar(A, I, J, x, r->d.nvals);
    if (!info) info = gbl_Matrix_nvals(&nvals, A);
    if (!info && nvals != r->d.nvals) info = fail(r, "indices_1", "an entry is there twice");
    gbl_Scalar_free(&x);
    return info;
}

static gbl_Info build(gbl_Matrix A, const Reading *r) {
    const uint64_t *I = r->d.format->columns ? r->minor : r->major;
    const uint64_t *J = r->d.format->columns ? r->major : r->minor;
    if (r->d.iso) return build_iso(A, r, I, J);
#define BUILD(N, T)                                                                                \
    if (r->d.type.type == GBL_##N) return gbl_Matrix_build_##N(A, I, J, r->x, r->d.nvals, NULL);
    GBL_FOREACH_TYPE(BUILD)
#undef BUILD
    return GBL_DOMAIN_MISMATCH;
}

/* The other triangle. On the diagonal the entry itself counts. */
static gbl_Info complete(gbl_Matrix A, const Reading *r) {
    gbl_Matrix wrong = NULL;
    gbl_Index n = 0;
    gbl_Info info = gbl_Matrix_new(&wrong, r->d.type.type, r->d.nrows, r->d.ncols);
    if (!info)
        info = gbl_Matrix_select_INT64(wrong, NULL, NULL, r->d.lower ? GBL_TRIU : GBL_TRIL, A,
                                       r->d.lower ? 1 : -1, NULL);
    if (!info) info = gbl_Matrix_nvals(&n, wrong);
    gbl_Matrix_free(&wrong);
    if (!info && n > 0) info = fail(r, "structure", "an entry stands in the other triangle");
#define ADD(N, T)                                                                                  \
    if (!info && r->d.type.type == GBL_##N)                                                        \
        info = r->d.structure == BSP_SKEW                                                          \
                   ? gbl_Matrix_apply(A, NULL, GBL_FIRST_##N, GBL_AINV_##N, A, GBL_DESC_T0)        \
                   : gbl_transpose(A, NULL, GBL_FIRST_##N, A, NULL);
    GBL_FOREACH_TYPE(ADD)
#undef ADD
    return info;
}

/* A copy of *A in another type, in its place. */
static gbl_Info cast(gbl_Matrix *A, gbl_Type type, const Reading *r) {
    gbl_Matrix C = NULL;
    gbl_Info info = gbl_Matrix_new(&C, type, r->d.nrows, r->d.ncols);
#define COPY(N, T)                                                                                 \
    if (!info && type == GBL_##N)                                                                  \
        info = gbl_Matrix_apply(C, NULL, NULL, GBL_IDENTITY_##N, *A, NULL);
    GBL_FOREACH_TYPE(COPY)
#undef COPY
    if (info) {
        gbl_Matrix_free(&C);
        return info;
    }
    gbl_Matrix_free(A);
    *A = C;
    return GBL_SUCCESS;
}

static gbl_Info make_matrix(gbl_Matrix *A, gbl_Type type, const Reading *r) {
    gbl_Matrix made = NULL;
    gbl_Info info = gbl_Matrix_new(&made, r->d.type.type, r->d.nrows, r->d.ncols);
    if (!info) info = build(made, r);
    if (!info && r->d.structure != BSP_GENERAL) info = complete(made, r);
    if (!info && type != NULL && type != r->d.type.type) info = cast(&made, type, r);
    if (info) {
        char reason[256];
        snprintf(reason, sizeof reason, "%s", gbl_last_error());
        gbl_Matrix_free(&made);
        const bool ours = strncmp(reason, r->path, strlen(r->path)) == 0;
        return ours ? gbl_fail(info, NULL, "%s", reason)
                    : gbl_fail(info, NULL, "%s: %s", r->path, reason);
    }
    *A = made;
    return GBL_SUCCESS;
}

/* -- the file ---------------------------------------------------------------------------------- */

/* The text of the attribute, to be freed; NULL: there is none. */
static char *read_text(hid_t file) {
    char *text = NULL, *variable = NULL;
    if (H5Aexists(file, "binsparse") <= 0) return NULL;
    const hid_t attribute = H5Aopen(file, "binsparse", H5P_DEFAULT);
    const hid_t type = attribute < 0 ? -1 : H5Aget_type(attribute);
    const hid_t space = attribute < 0 ? -1 : H5Aget_space(attribute);
    const bool one = space >= 0 && H5Sget_simple_extent_npoints(space) == 1;
    if (one && type >= 0 && H5Tget_class(type) == H5T_STRING) {
        if (H5Tis_variable_str(type) > 0) {
            if (H5Aread(attribute, type, &variable) >= 0 && variable) text = strdup(variable);
            if (variable) H5free_memory(variable);
        } else {
            text = calloc(H5Tget_size(type) + 1, 1);
            if (text && H5Aread(attribute, type, text) < 0) {
                free(text);
                text = NULL;
            }
        }
    }
    if (space >= 0) H5Sclose(space);
    if (type >= 0) H5Tclose(type);
    if (attribute >= 0) H5Aclose(attribute);
    return text;
}

static gbl_Info read_file(gbl_Matrix *A, gbl_Type type, Reading *r) {
    char *text = read_text(r->file);
    if (text == NULL)
        return fail(r, "binsparse", "the file has no attribute of that name with a descriptor");
    gbl_Info info = bsp_parse(&r->d, text, r->path);
    free(text);
    if (!info) info = read_entries(r);
    if (!info) info = check_fill(r);
    return info ? info : make_matrix(A, type, r);
}

gbl_Info bsp_read(gbl_Matrix *A, gbl_Type type, const char *path) {
    Reading r = {.path = path};
    struct stat status;
    if (stat(path, &status) != 0) return gbl_fail(GBL_IO_ERROR, NULL, "cannot read %s", path);
    r.most_bytes = (uint64_t)status.st_size * MOST_PER_BYTE + LEAST_BYTES;
    H5Eset_auto2(H5E_DEFAULT, NULL, NULL); /* what fails is told here */
    r.file = H5Fopen(path, H5F_ACC_RDONLY, H5P_DEFAULT);
    if (r.file < 0) return gbl_fail(GBL_IO_ERROR, NULL, "%s: it is no HDF5 file", path);
    const gbl_Info info = read_file(A, type, &r);
    free(r.x);
    free(r.minor);
    free(r.major);
    H5Fclose(r.file);
    return info;
}
