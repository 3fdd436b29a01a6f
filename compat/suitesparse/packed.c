/* SPDX-License-Identifier: Apache-2.0
 *
 * Content of matrices and vectors to and from SuiteSparse's arrays; see packed.h.
 */
#include "packed.h"

static void *new_array(gbl_Index n, size_t size) {
    if (n >= SIZE_MAX / size) return NULL;
    void *array = gbl_Memory_malloc((n > 0 ? n : 1) * size);
    if (array != NULL) memset(array, 0, (n > 0 ? n : 1) * size);
    return array;
}

void compat_free_packed(compat_Packed *a) {
    gbl_Memory_free(a->p);
    gbl_Memory_free(a->h);
    gbl_Memory_free(a->i);
    gbl_Memory_free(a->b);
    gbl_Memory_free(a->x);
}

/* -------------------------------------------------------------------------------- unpacking -- */

/* Entries in the order of vectors; x has one value where iso. */
typedef struct {
    gbl_Index n, *major, *minor;
    char *x;
    size_t size;
    bool iso;
} Tuples;

static void free_tuples(Tuples *t) {
    gbl_Memory_free(t->major);
    gbl_Memory_free(t->minor);
    gbl_Memory_free(t->x);
}

static gbl_Info new_tuples(Tuples *t, gbl_Index n, gbl_Type type) {
    *t = (Tuples){.n = n, .size = compat_type_size(type)};
    t->major = new_array(n, sizeof *t->major);
    t->minor = new_array(n, sizeof *t->minor);
    t->x = new_array(n, t->size);
    if (t->major != NULL && t->minor != NULL && t->x != NULL) return GBL_SUCCESS;
    free_tuples(t);
    return GBL_OUT_OF_MEMORY;
}

static gbl_Info matrix_tuples(Tuples *t, gbl_Matrix A, const compat_Packed *a) {
    gbl_Formats formats;
    gbl_Index n;
    COMPAT_TRY(gbl_Matrix_wait(A, GBL_MATERIALIZE));
    COMPAT_TRY(gbl_Matrix_formats(&formats, A));
    COMPAT_TRY(gbl_Matrix_nvals(&n, A));
    COMPAT_TRY(new_tuples(t, n, a->type));
    const gbl_Info info = compat_tuples_along(a->by_col, t->major, t->minor, t->x, &n, A);
    t->iso = a->iso && formats.iso && n > 0;
    if (info != GBL_SUCCESS) free_tuples(t);
    return info;
}

static gbl_Info vector_tuples(Tuples *t, gbl_Vector v, const compat_Packed *a) {
    gbl_Formats formats;
    gbl_Index n;
    COMPAT_TRY(gbl_Vector_wait(v, GBL_MATERIALIZE));
    COMPAT_TRY(gbl_Vector_formats(&formats, v));
    COMPAT_TRY(gbl_Vector_nvals(&n, v));
    COMPAT_TRY(new_tuples(t, n, a->type));
    const gbl_Info info = compat_vector_tuples(t->minor, t->x, &n, v);
    t->iso = a->iso && formats.iso && n > 0;
    if (info != GBL_SUCCESS) free_tuples(t);
    return info;
}

static gbl_Info pack_cs(compat_Packed *a, Tuples *t) {
    gbl_Index nvec = a->vdim;
    if (a->form == FORM_HYPER) {
        nvec = 0;
        for (gbl_Index k = 0; k < t->n; k++) nvec += k == 0 || t->major[k] != t->major[k - 1];
        a->h = new_array(nvec, sizeof *a->h);
        if (a->h == NULL) return GBL_OUT_OF_MEMORY;
    }
    a->p = new_array(nvec + 1, sizeof *a->p);
    if (a->p == NULL) return GBL_OUT_OF_MEMORY;
    gbl_Index at = 0;
    for (gbl_Index k = 0; k < t->n; k++) {
        if (a->form == FORM_HYPER) {
            if (k > 0 && t->major[k] != t->major[k - 1]) at++;
            a->h[at] = t->major[k];
            a->p[at + 1]++;
        } else
            a->p[t->major[k] + 1]++;
    }
    for (gbl_Index k = 0; k < nvec; k++) a->p[k + 1] += a->p[k];
    a->nvec = nvec;
    a->psize = (nvec + 1) * sizeof *a->p;
    a->hsize = nvec * sizeof *a->h;
    a->isize = t->n * sizeof *a->i;
    a->xsize = (t->iso ? 1 : t->n) * t->size;
    a->i = t->minor;
    a->x = t->x;
    t->minor = NULL;
    t->x = NULL;
    return GBL_SUCCESS;
}

static gbl_Info pack_dense(compat_Packed *a, Tuples *t) {
    if (a->vdim > 0 && a->vlen > SIZE_MAX / 16 / a->vdim) return GBL_OUT_OF_MEMORY;
    const gbl_Index n = a->vlen * a->vdim;
    if (a->form == FORM_FULL && t->n != n)
        return gbl_fail(GBL_INVALID_VALUE, NULL, "not all entries are there: it is not full");
    a->x = new_array(t->iso ? 1 : n, t->size);
    if (a->form == FORM_BITMAP) a->b = new_array(n, 1);
    if (a->x == NULL || (a->form == FORM_BITMAP && a->b == NULL)) return GBL_OUT_OF_MEMORY;
    for (gbl_Index k = 0; k < t->n; k++) {
        const gbl_Index at = t->major[k] * a->vlen + t->minor[k];
        if (a->b != NULL) a->b[at] = 1;
        memcpy(a->x + (t->iso ? 0 : at * t->size), t->x + k * t->size, t->size);
    }
    a->bsize = n;
    a->xsize = (t->iso ? 1 : n) * t->size;
    return GBL_SUCCESS;
}

static gbl_Info fill_packed(compat_Packed *a, Tuples *t) {
    const gbl_Info info =
        a->form == FORM_CS || a->form == FORM_HYPER ? pack_cs(a, t) : pack_dense(a, t);
    a->iso = t->iso;
    a->nvals = t->n;
    free_tuples(t);
    if (info != GBL_SUCCESS) compat_free_packed(a);
    return info;
}

static const int status_of_form[] = {GxB_SPARSE, GxB_HYPERSPARSE, GxB_BITMAP, GxB_FULL};

/* Grows the array to `bytes`; there may be no realloc. */
static gbl_Info grow(void *array, gbl_Index *size, gbl_Index bytes) {
    void *block;
    if (bytes <= *size) return GBL_SUCCESS;
    void *larger = gbl_Memory_malloc(bytes);
    if (larger == NULL) return GBL_OUT_OF_MEMORY;
    memcpy(&block, array, sizeof block);
    memcpy(larger, block, *size);
    gbl_Memory_free(block);
    memcpy(array, &larger, sizeof larger);
    *size = bytes;
    return GBL_SUCCESS;
}

/* Programs pack arrays with room and fill it once they have unpacked them, so an object that has
 * not changed in between gives arrays of the sizes that it got. */
static gbl_Info grow_as_packed(compat_Packed *a, compat_Extra *extra) {
    if (extra == NULL) return GBL_SUCCESS;
    const bool same = extra->status == status_of_form[a->form] && extra->nvals == a->nvals;
    extra->status = 0;
    if (!same) return GBL_SUCCESS;
    gbl_Info info = GBL_SUCCESS;
    void *const arrays[] = {&a->p, &a->h, &a->i, &a->b, &a->x};
    gbl_Index *const sizes[] = {&a->psize, &a->hsize, &a->isize, &a->bsize, &a->xsize};
    for (int k = 0; k < 5 && info == GBL_SUCCESS; k++)
        info = grow(arrays[k], sizes[k], extra->bytes[k]);
    if (info != GBL_SUCCESS) compat_free_packed(a);
    return info;
}

/* CSR and CSC: pointers and values as they are. *done is false where there are no such arrays, and
 * where the caller does not take one value for all. */
static gbl_Info unpack_arrays(compat_Packed *a, gbl_Matrix A, const compat_Extra *extra,
                              bool *done) {
    const gbl_Format format = a->by_col ? GBL_CSC_FORMAT : GBL_CSR_FORMAT;
    gbl_Arrays arrays;
    *done = false;
    if (a->form != FORM_CS) return GBL_SUCCESS;
    gbl_Info info = gbl_Matrix_view(&arrays, A, format);
    if (info == GBL_NOT_IMPLEMENTED || (info == GBL_SUCCESS && arrays.iso && !a->iso))
        return GBL_SUCCESS;
    if (info != GBL_SUCCESS) return info;
    const gbl_Index n = arrays.p[a->vdim], least = extra != NULL ? extra->bytes[2] : 0;
    a->isize = n * sizeof *a->i > least ? n * sizeof *a->i : least;
    a->i = gbl_Memory_malloc(a->isize > 0 ? a->isize : 1);
    if (a->i == NULL) return GBL_OUT_OF_MEMORY;
    info = gbl_Indices_widen(a->i, arrays.i, n);
    if (info == GBL_SUCCESS) info = gbl_Matrix_moveOut(A, format, &arrays);
    if (info != GBL_SUCCESS) {
        gbl_Memory_free(a->i);
        return info;
    }
    gbl_Memory_free(arrays.i);
    a->p = arrays.p;
    a->x = arrays.x != NULL ? arrays.x : new_array(1, compat_type_size(a->type));
    a->iso = arrays.iso;
    a->nvec = a->vdim;
    a->nvals = n;
    a->psize = (a->vdim + 1) * sizeof *a->p;
    a->xsize = (n > 0 && a->iso ? 1 : n) * compat_type_size(a->type);
    *done = true;
    return a->x != NULL ? GBL_SUCCESS : GBL_OUT_OF_MEMORY;
}

/* iso: whether the caller takes one value for all. */
gbl_Info compat_unpack_matrix(compat_Packed *a, gbl_Matrix A, compat_Form form, bool by_col,
                              const bool *iso) {
    Tuples t;
    gbl_Index nrows, ncols;
    *a = (compat_Packed){.form = form, .by_col = by_col, .iso = iso != NULL};
    if (A == NULL) return GBL_NULL_POINTER;
    COMPAT_TRY(gbl_Matrix_type(&a->type, A));
    COMPAT_TRY(gbl_Matrix_nrows(&nrows, A));
    COMPAT_TRY(gbl_Matrix_ncols(&ncols, A));
    a->vlen = by_col ? nrows : ncols;
    a->vdim = by_col ? ncols : nrows;
    bool done;
    COMPAT_TRY(unpack_arrays(a, A, compat_extra(A), &done));
    if (!done) COMPAT_TRY(matrix_tuples(&t, A, a));
    if (!done) COMPAT_TRY(fill_packed(a, &t));
    COMPAT_TRY(grow_as_packed(a, compat_extra(A)));
    return gbl_Matrix_clear(A);
}

gbl_Info compat_unpack_vector(compat_Packed *a, gbl_Vector v, compat_Form form, const bool *iso) {
    Tuples t;
    *a = (compat_Packed){.form = form, .by_col = true, .vdim = 1, .iso = iso != NULL};
    if (v == NULL) return GBL_NULL_POINTER;
    COMPAT_TRY(gbl_Vector_type(&a->type, v));
    COMPAT_TRY(gbl_Vector_size(&a->vlen, v));
    COMPAT_TRY(vector_tuples(&t, v, a));
    COMPAT_TRY(fill_packed(a, &t));
    COMPAT_TRY(grow_as_packed(a, compat_extra(v)));
    return gbl_Vector_clear(v);
}

/* ---------------------------------------------------------------------------------- packing -- */

static gbl_Info cs_tuples(Tuples *t, const compat_Packed *a) {
    const gbl_Index nvec = a->form == FORM_HYPER ? a->nvec : a->vdim;
    COMPAT_TRY(new_tuples(t, a->p[nvec], a->type));
    for (gbl_Index k = 0; k < nvec; k++) {
        const gbl_Index major = a->form == FORM_HYPER ? a->h[k] : k;
        if (a->p[k] > a->p[k + 1] || a->p[k + 1] > t->n) {
            free_tuples(t);
            return gbl_fail(GBL_INVALID_OBJECT, NULL, "pointers decrease at %llu",
                            (unsigned long long)k);
        }
        for (gbl_Index q = a->p[k]; q < a->p[k + 1]; q++) {
            t->major[q] = major;
            t->minor[q] = a->i[q];
            memcpy(t->x + q * t->size, a->x + (a->iso ? 0 : q * t->size), t->size);
        }
    }
    return GBL_SUCCESS;
}

static gbl_Info dense_tuples(Tuples *t, const compat_Packed *a) {
    gbl_Index n = a->vlen * a->vdim, used = 0;
    if (a->b != NULL)
        for (gbl_Index k = 0; k < a->vlen * a->vdim; k++) used += a->b[k] != 0;
    COMPAT_TRY(new_tuples(t, a->b != NULL ? used : n, a->type));
    used = 0;
    for (gbl_Index k = 0; k < n; k++) {
        if (a->b != NULL && a->b[k] == 0) continue;
        t->major[used] = k / a->vlen;
        t->minor[used] = k % a->vlen;
        const gbl_Index at = a->iso ? 0 : k * t->size;
        if (at + t->size <= a->xsize) memcpy(t->x + used * t->size, a->x + at, t->size);
        used++;
    }
    return GBL_SUCCESS;
}

/* Arrays that are shorter than the format wants are not read. */
static gbl_Info check_sizes(const compat_Packed *a) {
    const bool dense = a->form == FORM_BITMAP || a->form == FORM_FULL;
    const gbl_Index nvec = a->form == FORM_HYPER ? a->nvec : a->vdim;
    gbl_Index n = 0;
    bool fits = !dense || a->vdim == 0 || a->vlen <= SIZE_MAX / 16 / a->vdim;
    if (dense)
        n = fits ? a->vlen * a->vdim : 0;
    else {
        if (a->p == NULL) return GBL_NULL_POINTER;
        fits = a->psize / sizeof *a->p > nvec && a->hsize / sizeof *a->h >= a->nvec;
        n = fits ? a->p[nvec] : 0;
        fits = fits && a->isize / sizeof *a->i >= n;
    }
    fits = fits && (a->form != FORM_BITMAP || a->bsize >= n);
    /* values that a bitmap has no room for are zero */
    fits = fits && (a->form == FORM_BITMAP ||
                    a->xsize / compat_type_size(a->type) >= (a->iso && n > 0 ? 1 : n));
    return fits ? GBL_SUCCESS : gbl_fail(GBL_INVALID_VALUE, NULL, "an array is too small");
}

static gbl_Info packed_tuples(Tuples *t, const compat_Packed *a) {
    return a->form == FORM_CS || a->form == FORM_HYPER ? cs_tuples(t, a) : dense_tuples(t, a);
}

/* Arrays that say what cannot be make the object invalid. */
static gbl_Info pack_info(gbl_Info info) {
    return info == GBL_INDEX_OUT_OF_BOUNDS || info == GBL_INVALID_VALUE ? GBL_INVALID_OBJECT : info;
}

static void keep_status(const void *object, const compat_Packed *a, bool is_matrix) {
    compat_Extra *extra = compat_extra_made(object);
    if (extra == NULL) return;
    gbl_Index nvals = 0;
    if (is_matrix)
        gbl_Matrix_nvals(&nvals, (gbl_Matrix)object);
    else
        gbl_Vector_nvals(&nvals, (gbl_Vector)object);
    extra->status = status_of_form[a->form];
    extra->nvals = nvals;
    const gbl_Index bytes[] = {a->psize, a->hsize, a->isize, a->bsize, a->xsize};
    memcpy(extra->bytes, bytes, sizeof bytes);
    if (is_matrix) extra->by_column = 1 + (a->by_col ? GxB_BY_COL : GxB_BY_ROW);
}

/* The arrays, which are checked and become A's; those of CSR and CSC only, of 32-bit indices. */
static gbl_Info pack_arrays(gbl_Matrix A, compat_Packed *a) {
    if (a->form != FORM_CS || a->borrowed) return GBL_NOT_IMPLEMENTED;
    const gbl_Index n = a->p[a->vdim];
    gbl_Arrays arrays = {a->p, gbl_Memory_malloc((n + 1) * sizeof *arrays.i), a->x, a->iso};
    if (arrays.i == NULL) return GBL_OUT_OF_MEMORY;
    gbl_Info info = gbl_Indices_narrow(arrays.i, a->i, n);
    if (info == GBL_SUCCESS)
        info = gbl_Matrix_moveInto(A, a->by_col ? GBL_CSC_FORMAT : GBL_CSR_FORMAT, &arrays);
    gbl_Memory_free(info == GBL_SUCCESS ? (void *)a->i : arrays.i);
    if (info == GBL_SUCCESS) keep_status(A, a, true);
    return info;
}

static gbl_Info pack_tuples(gbl_Matrix A, compat_Packed *a) {
    Tuples t;
    gbl_Scalar s = NULL;
    COMPAT_TRY(packed_tuples(&t, a));
    const gbl_Index *I = a->by_col ? t.minor : t.major, *J = a->by_col ? t.major : t.minor;
    gbl_Info info = gbl_Matrix_clear(A);
    if (info == GBL_SUCCESS && a->iso && t.n > 0) {
        info = compat_scalar(&s, a->type, a->x);
        if (info == GBL_SUCCESS) info = gbl_Matrix_build_Scalar(A, I, J, s, t.n);
        gbl_Scalar_free(&s);
    } else if (info == GBL_SUCCESS)
        info = compat_matrix_build(A, I, J, t.x, t.n, NULL);
    free_tuples(&t);
    if (info != GBL_SUCCESS) return info;
    keep_status(A, a, true);
    if (!a->borrowed) compat_free_packed(a);
    return GBL_SUCCESS;
}

gbl_Info compat_pack_matrix(gbl_Matrix A, compat_Packed *a) {
    gbl_Index nrows, ncols;
    if (A == NULL) return GBL_NULL_POINTER;
    COMPAT_TRY(gbl_Matrix_type(&a->type, A));
    COMPAT_TRY(gbl_Matrix_nrows(&nrows, A));
    COMPAT_TRY(gbl_Matrix_ncols(&ncols, A));
    a->vlen = a->by_col ? nrows : ncols;
    a->vdim = a->by_col ? ncols : nrows;
    COMPAT_TRY(check_sizes(a));
    const gbl_Info info = pack_arrays(A, a);
    return pack_info(info == GBL_NOT_IMPLEMENTED ? pack_tuples(A, a) : info);
}

gbl_Info compat_pack_vector(gbl_Vector v, compat_Packed *a) {
    Tuples t;
    gbl_Scalar s = NULL;
    if (v == NULL) return GBL_NULL_POINTER;
    COMPAT_TRY(gbl_Vector_type(&a->type, v));
    COMPAT_TRY(gbl_Vector_size(&a->vlen, v));
    a->vdim = 1;
    gbl_Index p[2] = {0, a->nvals};
    compat_Packed with = *a;
    if (a->form == FORM_CS && a->p == NULL) {
        with.p = p;
        with.psize = sizeof p;
    }
    COMPAT_TRY(check_sizes(&with));
    COMPAT_TRY(packed_tuples(&t, &with));
    gbl_Info info = gbl_Vector_clear(v);
    if (info == GBL_SUCCESS && a->iso && t.n > 0) {
        info = compat_scalar(&s, a->type, a->x);
        if (info == GBL_SUCCESS) info = gbl_Vector_build_Scalar(v, t.minor, s, t.n);
        gbl_Scalar_free(&s);
    } else if (info == GBL_SUCCESS)
        info = compat_vector_build(v, t.minor, t.x, t.n, NULL);
    free_tuples(&t);
    if (info != GBL_SUCCESS) return pack_info(info);
    keep_status(v, a, false);
    if (!a->borrowed) compat_free_packed(a);
    return GBL_SUCCESS;
}

/* ---------------------------------------------------------------------------------- exports -- */

gbl_Info compat_matrix_shape(gbl_Matrix *A, gbl_Type *type, gbl_Index *nrows, gbl_Index *ncols) {
    if (A == NULL || type == NULL || nrows == NULL || ncols == NULL) return GBL_NULL_POINTER;
    COMPAT_TRY(gbl_Matrix_type(type, *A));
    COMPAT_TRY(gbl_Matrix_nrows(nrows, *A));
    return gbl_Matrix_ncols(ncols, *A);
}
gbl_Info compat_vector_shape(gbl_Vector *v, gbl_Type *type, gbl_Index *n) {
    if (v == NULL || type == NULL || n == NULL) return GBL_NULL_POINTER;
    COMPAT_TRY(gbl_Vector_type(type, *v));
    return gbl_Vector_size(n, *v);
}

/* gblite keeps no hash of the vectors of a hypersparse matrix. */
COMPAT(GxB_unpack_HyperHash, gbl_Matrix A, gbl_Matrix *Y, gbl_Descriptor desc) {
    (void)desc;
    if (A == NULL || Y == NULL) return GBL_NULL_POINTER;
    *Y = NULL;
    return GBL_SUCCESS;
}
COMPAT(GxB_pack_HyperHash, gbl_Matrix A, gbl_Matrix *Y, gbl_Descriptor desc) {
    (void)desc;
    if (A == NULL || Y == NULL) return GBL_NULL_POINTER;
    return *Y != NULL ? gbl_Matrix_free(Y) : GBL_SUCCESS;
}
