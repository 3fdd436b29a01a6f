/* SPDX-License-Identifier: Apache-2.0
 *
 * Content of matrices and vectors to and from SuiteSparse's arrays; see packed.h. A and v: one of
 * the two is NULL.
 */
#include "packed.h"

#include <stdlib.h>

/* A call on the one of A and v that is not NULL, which comes first or last. */
#define ON(method, ...)                                                                            \
    (v ? gbl_Vector_##method(v, __VA_ARGS__) : gbl_Matrix_##method(A, __VA_ARGS__))
#define OF(method, to) (v ? gbl_Vector_##method(to, v) : gbl_Matrix_##method(to, A))
#define CLEAR (v ? gbl_Vector_clear(v) : gbl_Matrix_clear(A))
#define OBJECT (v ? (const void *)v : (const void *)A)

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
    a->p = a->h = a->i = NULL;
    a->b = NULL;
    a->x = NULL;
}

/* ---------------------------------------------------------------------------- widths, lending --
 */

typedef struct {
    void *to;
    const void *from;
    gbl_Index n;
    bool widen;
    int over; /* atomic: an index does not fit */
} Widths;
enum { PART = 1 << 16 };

static void change_part(void *context, gbl_Index part) {
    Widths *w = context;
    const gbl_Index *wide = w->from;
    const uint32_t *narrow = w->from;
    gbl_Index *to = w->to, seen = 0, k = part * PART, end = w->n - k < PART ? w->n : k + PART;
    for (; w->widen && k < end; k++) to[k] = narrow[k];
    for (; k < end; k++) {
        seen |= wide[k];
        ((uint32_t *)w->to)[k] = (uint32_t)wide[k];
    }
    if (seen > UINT32_MAX) __atomic_store_n(&w->over, 1, __ATOMIC_RELAXED);
}

gbl_Info compat_change_width(void *to, const void *from, gbl_Index n, bool widen) {
    Widths w = {to, from, n, widen, 0};
    gbl_parallel(n / PART + (n % PART > 0), change_part, &w);
    return w.over ? gbl_fail(GBL_INDEX_OUT_OF_BOUNDS, NULL, "an index does not fit into 32 bits")
                  : GBL_SUCCESS;
}

void compat_lent_drop(compat_Lent *lent) {
    if (lent != NULL && __atomic_sub_fetch(&lent->holders, 1, __ATOMIC_ACQ_REL) == 0) free(lent);
}
static void release(void *context) {
    compat_Lent *lent = context;
    if (!lent->keeps) {
        gbl_Memory_free(lent->b);
        gbl_Memory_free(lent->x);
    }
    __atomic_store_n(&lent->read, false, __ATOMIC_RELEASE);
    compat_lent_drop(lent);
}

gbl_Info compat_lend(gbl_Matrix A, gbl_Vector v, const compat_Packed *a, bool keeps) {
    compat_Extra *extra = compat_extra_made(OBJECT);
    compat_Lent *lent = malloc(sizeof *lent);
    const gbl_Dense dense = {a->b, a->x, a->iso};
    const gbl_Lender lender = {release, lent};
    gbl_Info info = GBL_OUT_OF_MEMORY;
    if (lent != NULL) *lent = (compat_Lent){a->b, a->x, a->iso, keeps, true, 2};
    if (lent != NULL && extra != NULL) info = ON(lendDense, &dense, &lender);
    if (info != GBL_SUCCESS) {
        free(lent);
        return info;
    }
    compat_lent_drop(extra->lent);
    extra->lent = lent;
    return GBL_SUCCESS;
}

compat_Lent *compat_lent(const void *object) {
    const compat_Extra *extra = compat_extra(object);
    compat_Lent *lent = extra != NULL ? extra->lent : NULL;
    return lent != NULL && __atomic_load_n(&lent->read, __ATOMIC_ACQUIRE) ? lent : NULL;
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
    a->i = t->minor;
    a->x = t->x;
    t->minor = NULL;
    t->x = NULL;
    return GBL_SUCCESS;
}

/* The vectors that have entries; the arrays of a are lost after a failure. */
static gbl_Info unpack_tuples(compat_Packed *a, gbl_Matrix A, gbl_Vector v) {
    Tuples t;
    COMPAT_TRY(new_tuples(&t, a->nvals, a->type));
    gbl_Info info = v != NULL ? compat_vector_tuples(t.minor, t.x, &t.n, v)
                              : compat_tuples_along(a->by_col, t.major, t.minor, t.x, &t.n, A);
    t.iso = a->iso;
    if (info == GBL_SUCCESS) info = pack_cs(a, &t);
    free_tuples(&t);
    return info;
}

/* n times the value. */
static void *repeat(const void *x, gbl_Index n, size_t size) {
    char *array = new_array(n, size);
    for (gbl_Index k = 0; array != NULL && k < n; k++) memcpy(array + k * size, x, size);
    return array;
}

/* CSR, CSC and sparse vectors: pointers and values as they are. */
static gbl_Info unpack_arrays(compat_Packed *a, gbl_Matrix A, gbl_Vector v) {
    const gbl_Index n = a->nvals;
    gbl_Arrays arrays;
    if (!a->narrow && (a->i = new_array(n, sizeof *a->i)) == NULL) return GBL_OUT_OF_MEMORY;
    COMPAT_TRY(v != NULL
                   ? gbl_Vector_moveOut(v, &arrays)
                   : gbl_Matrix_moveOut(A, a->by_col ? GBL_CSC_FORMAT : GBL_CSR_FORMAT, &arrays));
    if (a->narrow)
        a->i = (gbl_Index *)arrays.i;
    else {
        (void)compat_change_width(a->i, arrays.i, n, true);
        gbl_Memory_free(arrays.i);
    }
    a->p = arrays.p;
    a->x = arrays.x;
    a->iso = arrays.iso;
    a->nvec = a->vdim;
    a->psize = (a->vdim + 1) * sizeof *a->p;
    a->isize = n * (a->narrow ? sizeof *arrays.i : sizeof *a->i);
    return GBL_SUCCESS;
}

static gbl_Index positions(const compat_Packed *a) {
    return a->vdim > 0 && a->vlen > SIZE_MAX / a->vdim ? SIZE_MAX : a->vlen * a->vdim;
}

/* The object's arrays; those that the program lent are given back. */
static gbl_Info take_dense(compat_Packed *a, gbl_Matrix A, gbl_Vector v) {
    gbl_Dense dense;
    const void *const object = OBJECT;
    compat_Lent *lent = compat_lent(object);
    if (lent == NULL || lent->keeps)
        COMPAT_TRY(ON(moveOutDense, &dense));
    else {
        dense = (gbl_Dense){lent->b, lent->x, lent->iso};
        lent->keeps = true;
        a->bsize = compat_extra(object)->bytes[3];
        a->xsize = compat_extra(object)->bytes[4];
    }
    a->b = dense.b;
    a->x = dense.x;
    a->iso = dense.iso;
    return GBL_SUCCESS;
}

static gbl_Info unpack_dense(compat_Packed *a, gbl_Matrix A, gbl_Vector v) {
    const gbl_Index n = positions(a);
    gbl_Info info = GBL_SUCCESS;
    int8_t *all = NULL;
    if (a->form == FORM_FULL && a->nvals != n)
        return gbl_fail(GBL_INVALID_VALUE, NULL, "not all entries are there: it is not full");
    if (a->form == FORM_BITMAP && (all = new_array(n, 1)) == NULL) return GBL_OUT_OF_MEMORY;
    if (a->nvals > 0)
        info = take_dense(a, A, v);
    else if ((a->x = new_array(n, compat_type_size(a->type))) == NULL)
        info = GBL_OUT_OF_MEMORY;
    const bool keeps = info != GBL_SUCCESS || a->b != NULL;
    if (a->b == NULL && info == GBL_SUCCESS && all != NULL) a->b = memset(all, a->nvals > 0, n);
    if (keeps) gbl_Memory_free(all);
    if (a->form == FORM_FULL) gbl_Memory_free(a->b);
    if (a->form == FORM_FULL) a->b = NULL;
    if (a->b != NULL && a->bsize < n) a->bsize = n;
    return info;
}

static const int status_of_form[] = {GxB_SPARSE, GxB_HYPERSPARSE, GxB_BITMAP, GxB_FULL};

gbl_Info compat_form(compat_Form *form, int format) {
    for (*form = FORM_CS; *form <= FORM_FULL; ++*form)
        if (status_of_form[*form] == format) return GBL_SUCCESS;
    return gbl_fail(GBL_INVALID_VALUE, NULL, "%d is no format of a Container", format);
}

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

static gbl_Info set_shape(compat_Packed *a, gbl_Matrix A, gbl_Vector v) {
    gbl_Index nrows, ncols = 1;
    COMPAT_TRY(v != NULL ? compat_vector_shape(&v, &a->type, &nrows)
                         : compat_matrix_shape(&A, &a->type, &nrows, &ncols));
    a->vlen = a->by_col ? nrows : ncols;
    a->vdim = a->by_col ? ncols : nrows;
    return GBL_SUCCESS;
}

gbl_Info compat_unpack(compat_Packed *a, gbl_Matrix A, gbl_Vector v, bool one) {
    const void *const object = OBJECT;
    a->narrow = a->narrow && a->form == FORM_CS;
    const bool dense = a->form == FORM_BITMAP || a->form == FORM_FULL;
    gbl_Formats formats;
    gbl_Matrix T = NULL;
    if (object == NULL) return GBL_NULL_POINTER;
    COMPAT_TRY(set_shape(a, A, v));
    COMPAT_TRY(ON(wait, GBL_MATERIALIZE));
    COMPAT_TRY(OF(formats, &formats));
    COMPAT_TRY(OF(nvals, &a->nvals));
    a->iso = one && formats.iso && a->nvals > 0;
    if (dense && v == NULL && a->by_col) COMPAT_TRY(compat_transpose(&T, A));
    gbl_Info info = dense ? unpack_dense(a, T != NULL ? T : A, v) : GBL_NOT_IMPLEMENTED;
    gbl_Matrix_free(&T);
    if (a->form == FORM_CS) info = unpack_arrays(a, A, v);
    if (!dense && info == GBL_NOT_IMPLEMENTED) {
        gbl_Memory_free(a->i);
        a->i = NULL;
        a->narrow = false;
        info = unpack_tuples(a, A, v);
    }
    const gbl_Index n = dense ? positions(a) : a->nvals;
    const size_t size = compat_type_size(a->type);
    if (info == GBL_SUCCESS && (a->x == NULL || (a->iso && !one))) {
        void *x = repeat(a->x, a->x != NULL ? n : 0, size);
        gbl_Memory_free(a->x);
        a->x = x;
        a->iso = false;
        a->xsize = 0;
        if (x == NULL) info = GBL_OUT_OF_MEMORY;
    }
    if (a->xsize < (a->iso ? 1 : n) * size) a->xsize = (a->iso ? 1 : n) * size;
    if (info == GBL_SUCCESS) info = grow_as_packed(a, compat_extra(object));
    if (info != GBL_SUCCESS) {
        compat_free_packed(a);
        return info;
    }
    return CLEAR;
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

/* Arrays that are shorter than the format wants are not read. */
static gbl_Info check_sizes(const compat_Packed *a) {
    const bool dense = a->form == FORM_BITMAP || a->form == FORM_FULL;
    const gbl_Index nvec = a->form == FORM_HYPER ? a->nvec : a->vdim;
    gbl_Index n = 0;
    bool fits = !dense || positions(a) < SIZE_MAX / 16 || (a->form == FORM_FULL && a->iso);
    if (dense)
        n = fits ? positions(a) : 0;
    else {
        if (a->p == NULL) return GBL_NULL_POINTER;
        fits = a->psize / sizeof *a->p > nvec && a->hsize / sizeof *a->h >= a->nvec;
        n = fits ? a->p[nvec] : 0;
        fits = fits && a->isize / (a->narrow ? sizeof(uint32_t) : sizeof *a->i) >= n;
    }
    fits = fits && (a->form != FORM_BITMAP || a->bsize >= n);
    /* values that a bitmap has no room for are zero */
    fits = fits && (a->form == FORM_BITMAP ||
                    a->xsize / compat_type_size(a->type) >= (a->iso && n > 0 ? 1 : n));
    return fits ? GBL_SUCCESS : gbl_fail(GBL_INVALID_VALUE, NULL, "an array is too small");
}

/* Arrays that say what cannot be make the object invalid. */
static gbl_Info pack_info(gbl_Info info) {
    return info == GBL_INDEX_OUT_OF_BOUNDS || info == GBL_INVALID_VALUE ? GBL_INVALID_OBJECT : info;
}

static void keep_status(gbl_Matrix A, gbl_Vector v, const compat_Packed *a) {
    compat_Extra *extra = compat_extra_made(OBJECT);
    gbl_Index nvals = 0;
    if (extra == NULL || OF(nvals, &nvals) != GBL_SUCCESS) return;
    extra->status = status_of_form[a->form];
    extra->nvals = nvals;
    const gbl_Index bytes[] = {a->psize, a->hsize, a->isize, a->bsize, a->xsize};
    memcpy(extra->bytes, bytes, sizeof bytes);
    if (v == NULL) extra->by_column = 1 + (a->by_col ? GxB_BY_COL : GxB_BY_ROW);
}

/* The arrays, which are checked and become the object's; those of 32-bit indices alone. */
static gbl_Info pack_arrays(gbl_Matrix A, gbl_Vector v, const compat_Packed *a) {
    const gbl_Index n = a->p[a->vdim];
    gbl_Arrays arrays = {a->p, (uint32_t *)a->i, a->x, a->iso};
    gbl_Info info = GBL_SUCCESS;
    if (!a->narrow) {
        arrays.i = n < SIZE_MAX / 8 ? gbl_Memory_malloc((n + 1) * sizeof *arrays.i) : NULL;
        if (arrays.i == NULL) return GBL_OUT_OF_MEMORY;
        info = compat_change_width(arrays.i, a->i, n, false);
    }
    void *const narrow = a->narrow ? NULL : arrays.i;
    if (info == GBL_SUCCESS)
        info = v != NULL
                   ? gbl_Vector_moveInto(v, &arrays)
                   : gbl_Matrix_moveInto(A, a->by_col ? GBL_CSC_FORMAT : GBL_CSR_FORMAT, &arrays);
    if (!a->narrow) gbl_Memory_free(info == GBL_SUCCESS ? (void *)a->i : narrow);
    return info;
}

/* The object reads the arrays; a matrix by columns is a transpose. */
static gbl_Info pack_dense(gbl_Matrix A, gbl_Vector v, compat_Packed *a) {
    const size_t bytes = (a->iso ? 1 : positions(a)) * compat_type_size(a->type);
    gbl_Matrix T = NULL;
    if (a->form == FORM_BITMAP && a->xsize < bytes) COMPAT_TRY(grow(&a->x, &a->xsize, bytes));
    if (v != NULL || !a->by_col) return compat_lend(A, v, a, a->borrowed);
    COMPAT_TRY(gbl_Matrix_new(&T, a->type, a->vdim, a->vlen));
    gbl_Info info = compat_lend(T, NULL, a, true);
    if (info == GBL_SUCCESS) info = gbl_transpose(A, NULL, NULL, T, NULL);
    if (info == GBL_SUCCESS) info = gbl_Matrix_wait(A, GBL_MATERIALIZE);
    compat_extra_drop(T);
    gbl_Matrix_free(&T);
    if (info == GBL_SUCCESS && !a->borrowed) compat_free_packed(a);
    return info;
}

static gbl_Info pack_tuples(gbl_Matrix A, gbl_Vector v, compat_Packed *a) {
    Tuples t;
    gbl_Scalar s = NULL;
    COMPAT_TRY(cs_tuples(&t, a));
    const gbl_Index *I = a->by_col ? t.minor : t.major, *J = a->by_col ? t.major : t.minor;
    gbl_Info info = CLEAR;
    if (info == GBL_SUCCESS && a->iso && t.n > 0) {
        info = compat_scalar(&s, a->type, a->x);
        if (info == GBL_SUCCESS)
            info = v != NULL ? gbl_Vector_build_Scalar(v, I, s, t.n)
                             : gbl_Matrix_build_Scalar(A, I, J, s, t.n);
        gbl_Scalar_free(&s);
    } else if (info == GBL_SUCCESS)
        info = v != NULL ? compat_vector_build(v, I, t.x, t.n, NULL)
                         : compat_matrix_build(A, I, J, t.x, t.n, NULL);
    free_tuples(&t);
    if (info == GBL_SUCCESS && !a->borrowed) compat_free_packed(a);
    return info;
}

gbl_Info compat_pack(gbl_Matrix A, gbl_Vector v, compat_Packed *a) {
    if (A == NULL && v == NULL) return GBL_NULL_POINTER;
    COMPAT_TRY(set_shape(a, A, v));
    gbl_Index *own = NULL;
    if (v != NULL && a->form == FORM_CS && a->p == NULL) {
        a->psize = 2 * sizeof *own;
        a->p = own = new_array(2, sizeof *own);
        if (own == NULL) return GBL_OUT_OF_MEMORY;
        own[1] = a->nvals;
    }
    gbl_Info info = check_sizes(a);
    const bool checked = info == GBL_SUCCESS;
    if (checked && (a->form == FORM_BITMAP || a->form == FORM_FULL))
        info = pack_dense(A, v, a);
    else if (checked)
        info = a->form == FORM_CS && !a->borrowed ? pack_arrays(A, v, a) : GBL_NOT_IMPLEMENTED;
    if (info == GBL_NOT_IMPLEMENTED && !a->narrow && a->p != NULL) info = pack_tuples(A, v, a);
    if (info == GBL_SUCCESS) keep_status(A, v, a);
    if (info != GBL_SUCCESS) gbl_Memory_free(own);
    return checked ? pack_info(info) : info;
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
SAME(GxB_unpack_HyperHash, (gbl_Matrix A, gbl_Matrix *Y, gbl_Descriptor desc),
     ((void)desc, A == NULL ? GBL_NULL_POINTER : GIVE(Y, NULL)))
SAME(GxB_pack_HyperHash, (gbl_Matrix A, gbl_Matrix *Y, gbl_Descriptor desc),
     ((void)desc, A == NULL || Y == NULL ? GBL_NULL_POINTER : gbl_Matrix_free(Y)))
