/* SPDX-License-Identifier: Apache-2.0
 *
 * Iterators over entries, rows and columns. Programs in C move them by macros of SuiteSparse's
 * header, so the struct and its meaning are part of the ABI: sparse vectors with pointers Ap,
 * indices Ai and values Ax. Release 10 takes indices of 32 bits, so attach is O(1) for the rows or
 * columns that gblite has; for 9 it copies the indices. Hypersparse content and that of vectors is
 * copied. A step is O(1).
 *
 * Programs declare the struct on the stack, uninitialized, and attach it without freeing it: what
 * attach makes is one block, kept by the iterator's address until that is attached again or freed.
 */
#include "compat.h"

#include <stdlib.h>

typedef struct GB_Iterator_opaque {
    int64_t pstart, pend, p, k;
    size_t bitmap; /* SuiteSparse would have a bitmap: positions count what is not there, too */
    int64_t pmax, avlen, avdim, anvec;
#if COMPAT_MAJOR < 10
    const int64_t *Ap, *Ah;
    const int8_t *Ab;
    const int64_t *Ai;
#else
    const uint32_t *Ap32;
    const int64_t *Ap;
    const uint32_t *Ah32;
    const int64_t *Ah;
    const uint32_t *Ai32;
    const int64_t *Ai;
    const int8_t *Ab;
#endif
    const void *Ax;
    size_t type_size;
    int A_sparsity;
    bool iso, by_col;
} * GxB_Iterator;
_Static_assert(sizeof(struct GB_Iterator_opaque) == (COMPAT_MAJOR < 10 ? 128 : 152), "the ABI");

static inline gbl_Index index_at(const struct GB_Iterator_opaque *it, int64_t q) {
#if COMPAT_MAJOR >= 10
    if (it->Ai32 != NULL) return it->Ai32[q];
#endif
    return (gbl_Index)it->Ai[q];
}

COMPAT(GxB_Iterator_new, GxB_Iterator *iterator) {
    if (iterator == NULL) return GBL_NULL_POINTER;
    *iterator = gbl_Memory_malloc(sizeof **iterator);
    if (*iterator == NULL) return GBL_OUT_OF_MEMORY;
    memset(*iterator, 0, sizeof **iterator);
    return GBL_SUCCESS;
}

COMPAT(GxB_Iterator_free, GxB_Iterator *iterator) {
    if (iterator != NULL && *iterator != NULL) {
        compat_extra_drop(*iterator);
        gbl_Memory_free(*iterator);
        *iterator = NULL;
    }
    return GBL_SUCCESS;
}

/* A block of its own for the iterator, which is otherwise as new. */
static void *new_block(GxB_Iterator it, size_t bytes) {
    compat_Extra *extra = compat_extra_made(it);
    memset(it, 0, sizeof *it);
    if (extra == NULL) return NULL;
    free(extra->theta);
    return extra->theta = malloc(bytes + 1);
}

/* Arrays for n entries of nvec vectors; the row or column of each goes to *major, behind them. */
static gbl_Info new_arrays(GxB_Iterator it, gbl_Index n, gbl_Index nvec, gbl_Type type,
                           gbl_Index **major) {
    const size_t size = compat_type_size(type), words = sizeof(int64_t);
    if (n > SIZE_MAX / 4 / (size + 2 * words)) return GBL_OUT_OF_MEMORY;
    char *block = new_block(it, (2 * nvec + 1 + 2 * n) * words + n * size);
    if (block == NULL) return GBL_OUT_OF_MEMORY;
    it->type_size = size;
    it->Ap = (const int64_t *)block;
    it->Ah = it->Ap + nvec + 1;
    it->Ai = it->Ah + nvec;
    *major = (gbl_Index *)(it->Ai + n);
    it->Ax = *major + n;
    return GBL_SUCCESS;
}

/* Pointers of hypersparse form, from the rows or columns of the entries in order. */
static void set_pointers(GxB_Iterator it, gbl_Index n, const gbl_Index *major) {
    int64_t *p = (int64_t *)it->Ap, *h = (int64_t *)it->Ah, nvec = 0;
    for (gbl_Index q = 0; q < n; q++)
        if (q == 0 || major[q] != major[q - 1]) {
            h[nvec] = (int64_t)major[q];
            p[nvec++] = (int64_t)q;
        }
    p[nvec] = (int64_t)n;
    it->anvec = nvec;
    it->pmax = (int64_t)n;
    it->A_sparsity = GxB_HYPERSPARSE;
}

/* The arrays of the matrix, which stay while it is only read. */
static gbl_Info view(GxB_Iterator it, const gbl_Arrays *arrays, gbl_Type type, gbl_Index vdim) {
    const gbl_Index n = arrays->p[vdim];
#if COMPAT_MAJOR >= 10
    compat_extra_drop(it);
    memset(it, 0, sizeof *it);
    it->Ai32 = arrays->i;
#else
    it->Ai = n <= SIZE_MAX / 16 ? new_block(it, n * sizeof *it->Ai) : NULL;
    if (it->Ai == NULL) return GBL_OUT_OF_MEMORY;
    COMPAT_TRY(compat_change_width((gbl_Index *)it->Ai, arrays->i, n, true));
#endif
    it->Ap = (const int64_t *)arrays->p;
    it->Ax = arrays->x;
    it->iso = arrays->iso;
    it->type_size = compat_type_size(type);
    it->anvec = (int64_t)vdim;
    it->pmax = (int64_t)n;
    it->A_sparsity = GxB_SPARSE;
    return GBL_SUCCESS;
}

static gbl_Info copy(GxB_Iterator it, gbl_Matrix A, gbl_Type type, gbl_Index vdim, bool by_col) {
    gbl_Index n, *major;
    COMPAT_TRY(gbl_Matrix_nvals(&n, A));
    COMPAT_TRY(new_arrays(it, n, n < vdim ? n : vdim, type, &major));
    const gbl_Info info =
        compat_tuples_along(by_col, major, (gbl_Index *)it->Ai, (void *)it->Ax, &n, A);
    if (info == GBL_SUCCESS) set_pointers(it, n, major);
    return info;
}

COMPAT(GB_Iterator_attach, GxB_Iterator it, gbl_Matrix A, int format, gbl_Descriptor desc) {
    gbl_Index nrows, ncols, n;
    gbl_Type type;
    gbl_Formats formats;
    gbl_Arrays arrays;
    (void)desc;
    if (it == NULL || A == NULL) return GBL_NULL_POINTER;
    COMPAT_TRY(gbl_Matrix_nrows(&nrows, A));
    COMPAT_TRY(gbl_Matrix_ncols(&ncols, A));
    COMPAT_TRY(gbl_Matrix_nvals(&n, A));
    COMPAT_TRY(gbl_Matrix_type(&type, A));
    COMPAT_TRY(gbl_Matrix_formats(&formats, A));
    const bool by_col = format == GxB_BY_COL || (format == GxB_NO_FORMAT && compat_by_column(A));
    const gbl_Index vdim = by_col ? ncols : nrows;
    /* pointers to all rows are not made for few entries */
    const bool exists = (formats.present & (by_col ? GBL_HAS_CSC : GBL_HAS_CSR)) != 0;
    gbl_Info info = GBL_NOT_IMPLEMENTED;
    if (exists || n >= vdim / 16)
        info = gbl_Matrix_view(&arrays, A, by_col ? GBL_CSC_FORMAT : GBL_CSR_FORMAT);
    info = info == GBL_NOT_IMPLEMENTED ? copy(it, A, type, vdim, by_col)
           : info == GBL_SUCCESS       ? view(it, &arrays, type, vdim)
                                       : info;
    if (info != GBL_SUCCESS) return info;
    it->by_col = by_col;
    it->avlen = (int64_t)(by_col ? nrows : ncols);
    it->avdim = (int64_t)vdim;
    bool bitmap = false;
    COMPAT_TRY(compat_is_bitmap(&bitmap, A));
    it->bitmap = bitmap;
    return GBL_SUCCESS;
}

/* A vector that SuiteSparse keeps as a bitmap: the macros count positions that are not there. */
static gbl_Info scatter(GxB_Iterator it) {
    const size_t n = (size_t)it->avlen, size = it->type_size;
    compat_Extra *extra = compat_extra(it);
    char *x = n < SIZE_MAX / 2 / (size + 1) ? malloc(n * (size + 1)) : NULL;
    if (x == NULL || extra == NULL) {
        free(x);
        return GBL_OUT_OF_MEMORY;
    }
    int8_t *b = (int8_t *)x + n * size;
    memset(b, 0, n);
    for (int64_t q = 0; q < it->pmax; q++) {
        const size_t i = (size_t)it->Ai[q];
        b[i] = 1;
        memcpy(x + i * size, (const char *)it->Ax + (size_t)q * size, size);
    }
    free(extra->theta);
    extra->theta = x;
    it->Ap = it->Ah = it->Ai = NULL;
    it->Ab = b;
    it->Ax = x;
    it->pmax = it->avlen;
    it->A_sparsity = GxB_BITMAP;
    return GBL_SUCCESS;
}

COMPAT(GxB_Vector_Iterator_attach, GxB_Iterator it, gbl_Vector v, gbl_Descriptor desc) {
    gbl_Index size, n;
    gbl_Type type;
    gbl_Index *major;
    (void)desc;
    if (it == NULL || v == NULL) return GBL_NULL_POINTER;
    COMPAT_TRY(gbl_Vector_size(&size, v));
    COMPAT_TRY(gbl_Vector_nvals(&n, v));
    COMPAT_TRY(gbl_Vector_type(&type, v));
    COMPAT_TRY(new_arrays(it, n, 1, type, &major));
    COMPAT_TRY(compat_vector_tuples((gbl_Index *)it->Ai, (void *)it->Ax, &n, v));
    memset(major, 0, n * sizeof *major);
    it->by_col = true;
    it->avlen = (int64_t)size;
    it->avdim = 1;
    set_pointers(it, n, major);
    it->A_sparsity = GxB_SPARSE;
    int status = 0;
    COMPAT_TRY(compat_vector_status(&status, v));
    return status == GxB_BITMAP && n > 0 ? scatter(it) : GBL_SUCCESS;
}

/* -- rows and columns */

/* To vector j, or the first one after it that has entries; or to the j-th that has. */
COMPAT(GB_Iterator_rc_seek, GxB_Iterator it, gbl_Index j, bool jth_vector) {
    int64_t low = 0, high = it->anvec;
    if (jth_vector || it->Ah == NULL)
        low = j < (gbl_Index)it->anvec ? (int64_t)j : it->anvec;
    else
        while (low < high) {
            const int64_t middle = low + (high - low) / 2;
            if (it->Ah[middle] < (int64_t)(j <= INT64_MAX ? j : INT64_MAX))
                low = middle + 1;
            else
                high = middle;
        }
    it->k = low;
    it->pstart = it->pend = it->p = 0;
    if (low >= it->anvec) return (gbl_Info)GxB_EXHAUSTED;
    it->pstart = it->p = it->Ap[low];
    it->pend = it->Ap[low + 1];
    return it->p < it->pend ? GBL_SUCCESS : GBL_NO_VALUE;
}
/* No iterator of rows or columns is a bitmap. */
SAME(GB_Iterator_rc_bitmap_next, (GxB_Iterator it), ((void)it, GBL_PANIC))
/* To the first entry at p or behind. */
COMPAT(GB_Vector_Iterator_bitmap_seek, GxB_Iterator it, gbl_Index unused) {
    (void)unused;
    while (it->p < it->pmax && it->Ab[it->p] == 0) it->p++;
    return it->p < it->pmax ? GBL_SUCCESS : (gbl_Info)GxB_EXHAUSTED;
}

static gbl_Index index_of_vector(GxB_Iterator it) {
    if (it->k >= it->anvec) return (gbl_Index)it->avdim;
    return (gbl_Index)(it->Ah != NULL ? it->Ah[it->k] : it->k);
}
#define DEFINE(NAME, MAJOR, MINOR, BY)                                                             \
    SAME(GxB_##NAME##Iterator_attach, (GxB_Iterator it, gbl_Matrix A, gbl_Descriptor desc),        \
         GB_Iterator_attach(it, A, BY, desc))                                                      \
    SAME_AS(gbl_Index, GxB_##NAME##Iterator_kount, (GxB_Iterator it), (gbl_Index)it->anvec)        \
    SAME(GxB_##NAME##Iterator_seek##MAJOR, (GxB_Iterator it, gbl_Index k),                         \
         GB_Iterator_rc_seek(it, k, false))                                                        \
    SAME(GxB_##NAME##Iterator_kseek, (GxB_Iterator it, gbl_Index k),                               \
         GB_Iterator_rc_seek(it, k, true))                                                         \
    SAME(GxB_##NAME##Iterator_next##MAJOR, (GxB_Iterator it),                                      \
         GB_Iterator_rc_seek(it, (gbl_Index)it->k + 1, true))                                      \
    SAME(GxB_##NAME##Iterator_next##MINOR, (GxB_Iterator it),                                      \
         ++it->p < it->pend ? GBL_SUCCESS : GBL_NO_VALUE)                                          \
    SAME_AS(gbl_Index, GxB_##NAME##Iterator_get##MAJOR##Index, (GxB_Iterator it),                  \
            index_of_vector(it))                                                                   \
    SAME_AS(gbl_Index, GxB_##NAME##Iterator_get##MINOR##Index, (GxB_Iterator it),                  \
            index_at(it, it->p))
DEFINE(row, Row, Col, GxB_BY_ROW)
DEFINE(col, Col, Row, GxB_BY_COL)
#undef DEFINE

/* -- entries */

/* The row or column of entry q; k is that of p, from which steps go on. */
static gbl_Index vector_of(GxB_Iterator it, int64_t q) {
    int64_t low = it->k < it->anvec && it->Ap[it->k] <= q ? it->k : 0, high = it->anvec;
    if (low + 1 < high && it->Ap[low + 1] <= q && q < it->Ap[low + 2]) low++;
    if (q < it->Ap[low + 1]) high = low + 1;
    while (high - low > 1) {
        const int64_t middle = low + (high - low) / 2;
        *(it->Ap[middle] <= q ? &low : &high) = middle;
    }
    if (q == it->p) it->k = low;
    return (gbl_Index)(it->Ah != NULL ? it->Ah[low] : low);
}
/* The position of entry q. */
static gbl_Index position(GxB_Iterator it, int64_t q) {
    if (!it->bitmap) return (gbl_Index)q;
    if (q < it->pmax) return vector_of(it, q) * (gbl_Index)it->avlen + index_at(it, q);
    return it->pmax > 0 ? (gbl_Index)(it->avlen * it->avdim) : 0;
}
static gbl_Info seek_entry(GxB_Iterator it, gbl_Index p) {
    if (it->bitmap) { /* the first entry there or behind */
        int64_t low = 0, high = it->pmax;
        while (low < high) {
            const int64_t middle = low + (high - low) / 2;
            if (position(it, middle) < p)
                low = middle + 1;
            else
                high = middle;
        }
        p = (gbl_Index)low;
    }
    it->p = p < (gbl_Index)it->pmax ? (int64_t)p : it->pmax;
    it->pstart = 0;
    it->pend = it->pmax;
    if (it->Ab != NULL) return GB_Vector_Iterator_bitmap_seek(it, 0);
    return it->p < it->pmax ? GBL_SUCCESS : (gbl_Info)GxB_EXHAUSTED;
}
static gbl_Info next_of_all(GxB_Iterator it) {
    if (it->Ab != NULL && ++it->p > 0) return GB_Vector_Iterator_bitmap_seek(it, 0);
    return ++it->p < it->pmax ? GBL_SUCCESS : (gbl_Info)GxB_EXHAUSTED;
}
#define DEFINE(K)                                                                                  \
    SAME_AS(gbl_Index, GxB_##K##_Iterator_getpmax, (GxB_Iterator it), position(it, it->pmax))      \
    SAME_AS(gbl_Index, GxB_##K##_Iterator_getp, (GxB_Iterator it), position(it, it->p))            \
    SAME(GxB_##K##_Iterator_seek, (GxB_Iterator it, gbl_Index p), seek_entry(it, p))               \
    SAME(GxB_##K##_Iterator_next, (GxB_Iterator it), next_of_all(it))
DEFINE(Matrix)
DEFINE(Vector)
#undef DEFINE
SAME(GxB_Matrix_Iterator_attach, (GxB_Iterator it, gbl_Matrix A, gbl_Descriptor desc),
     GB_Iterator_attach(it, A, GxB_NO_FORMAT, desc))
void GxB_Matrix_Iterator_getIndex(GxB_Iterator it, gbl_Index *row, gbl_Index *col);
void GxB_Matrix_Iterator_getIndex(GxB_Iterator it, gbl_Index *row, gbl_Index *col) {
    *(it->by_col ? col : row) = vector_of(it, it->p);
    *(it->by_col ? row : col) = index_at(it, it->p);
}
SAME_AS(gbl_Index, GxB_Vector_Iterator_getIndex, (GxB_Iterator it),
        (gbl_Index)(it->Ai != NULL ? it->Ai[it->p] : it->p))
#define DEFINE(N, T)                                                                               \
    SAME_AS(T, GxB_Iterator_get_##N, (GxB_Iterator it), ((const T *)it->Ax)[it->iso ? 0 : it->p])
GBL_FOREACH_TYPE(DEFINE)
GBL_FOREACH_COMPLEX(DEFINE)
#undef DEFINE
void GxB_Iterator_get_UDT(GxB_Iterator it, void *value);
void GxB_Iterator_get_UDT(GxB_Iterator it, void *value) {
    const size_t at = it->iso ? 0 : (size_t)it->p * it->type_size;
    memcpy(value, (const char *)it->Ax + at, it->type_size);
}
