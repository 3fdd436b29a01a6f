/* SPDX-License-Identifier: Apache-2.0
 *
 * Life and content of a matrix object; the integrity rules are in matrix.h.
 */
#include "matrix/matrix.h"

#include <string.h>

struct gb_Retired {
    gb_Cs cs;
    gb_Tiles tiles;
    gb_Retired *next;
};

gbl_Info gb_matrix_new(gb_Matrix **A, uint64_t magic, gb_Type *type, uint64_t nrows,
                       uint64_t ncols) {
    *A = NULL;
    if (nrows > GBL_INDEX_MAX || ncols > GBL_INDEX_MAX)
        return gb_fail(GBL_INVALID_VALUE, NULL,
                       "a %llu x %llu object is too large; each dimension may be at most %llu",
                       (unsigned long long)nrows, (unsigned long long)ncols,
                       (unsigned long long)GBL_INDEX_MAX);
    gb_Matrix *made = gb_malloc(sizeof *made);
    if (made == NULL) return gb_fail_memory(NULL, sizeof *made);
    memset(made, 0, sizeof *made);
    made->magic = magic;
    made->type = gb_type_retain(type);
    made->nrows = nrows;
    made->ncols = ncols;
    pthread_mutex_init(&made->lock, NULL);
    *A = made;
    return GBL_SUCCESS;
}

static gbl_Info retire(gb_Matrix *A, const gb_Retired *arrays) {
    gb_Retired *node = gb_malloc(sizeof *node);
    if (node == NULL) return gb_fail_memory(NULL, sizeof *node);
    *node = *arrays;
    node->next = A->retired;
    A->retired = node;
    return GBL_SUCCESS;
}

gbl_Info gb_matrix_retire(gb_Matrix *A, gb_Cs *arrays) {
    const gbl_Info info = retire(A, &(gb_Retired){.cs = *arrays});
    if (info == GBL_SUCCESS) *arrays = (gb_Cs){0};
    return info;
}

gbl_Info gb_matrix_retire_tiles(gb_Matrix *A, gb_Tiles *arrays) {
    const gbl_Info info = retire(A, &(gb_Retired){.tiles = *arrays});
    if (info == GBL_SUCCESS) *arrays = (gb_Tiles){0};
    return info;
}

void gb_matrix_keep_only(gb_Matrix *A, unsigned which) {
    while (A->retired != NULL) {
        gb_Retired *node = A->retired;
        A->retired = node->next;
        gb_cs_free(&node->cs);
        gb_tiles_free(&node->tiles);
        gb_free(node, sizeof *node);
    }
    if (!(which & GBL_HAS_CSR)) gb_cs_free(&A->cs[GB_CSR]);
    if (!(which & GBL_HAS_CSC)) gb_cs_free(&A->cs[GB_CSC]);
    for (gb_Format format = GB_CSR; format <= GB_CSC; format++)
        if (!(which & gb_tiles_bit(format))) gb_tiles_free(&A->tiles[format]);
    if (!(which & (GBL_HAS_BITMAP | GBL_HAS_FULL))) gb_dense_free(&A->dense);
    gb_sketch_drop(A);
    gb_device_drop(A);
    A->facts[GB_CSR].known = A->facts[GB_CSC].known = false;
    gb_free(A->why, sizeof *A->why);
    A->why = NULL;
    A->wish[GB_CSR] = A->wish[GB_CSC] = 0;
    __atomic_store_n(&A->has, A->has & which, __ATOMIC_RELEASE);
}

void gb_matrix_clear(gb_Matrix *A) {
    gb_pending_clear(A);
    gb_matrix_keep_only(A, 0);
    A->nvals = 0;
    A->iso = false;
}

void gb_matrix_free(gb_Matrix *A) {
    if (A == NULL) return;
    gb_matrix_clear(A);
    gb_type_release(A->type);
    pthread_mutex_destroy(&A->lock);
    A->magic = GB_MAGIC_FREED;
    gb_free(A, sizeof *A);
}

void gb_matrix_set_cs(gb_Matrix *A, gb_Format format, gb_Cs *arrays) {
    gb_matrix_clear(A);
    if (arrays->nvals == 0) {
        gb_cs_free(arrays);
        return;
    }
    A->cs[format] = *arrays;
    *arrays = (gb_Cs){0};
    A->nvals = A->cs[format].nvals;
    A->iso = A->cs[format].iso;
    __atomic_store_n(&A->has, gb_has_bit(format), __ATOMIC_RELEASE);
}

void gb_matrix_set_tiles(gb_Matrix *A, gb_Tiles *arrays) {
    gb_matrix_clear(A);
    if (arrays->nvals == 0) {
        gb_tiles_free(arrays);
        return;
    }
    A->tiles[GB_CSR] = *arrays;
    *arrays = (gb_Tiles){0};
    A->nvals = A->tiles[GB_CSR].nvals;
    A->iso = A->tiles[GB_CSR].iso;
    __atomic_store_n(&A->has, GBL_HAS_TILE16, __ATOMIC_RELEASE);
}

void gb_matrix_set_device(gb_Matrix *A, gb_DeviceCs *arrays, uint64_t nvals) {
    gb_matrix_clear(A);
    A->device[GB_CSR] = arrays;
    A->nvals = nvals;
    __atomic_store_n(&A->has, GBL_HAS_DEVICE, __ATOMIC_RELEASE);
}

void gb_matrix_set_dense(gb_Matrix *v, gb_Dense *arrays) {
    gb_matrix_clear(v);
    if (arrays->nvals == 0) {
        gb_dense_free(arrays);
        return;
    }
    if (arrays->nvals == arrays->n) { /* a bitmap of ones says nothing */
        gb_free(arrays->b, arrays->n);
        arrays->b = NULL;
    }
    v->dense = *arrays;
    *arrays = (gb_Dense){0};
    v->nvals = v->dense.nvals;
    v->iso = v->dense.iso;
    __atomic_store_n(&v->has, v->dense.b == NULL ? GBL_HAS_FULL : GBL_HAS_BITMAP, __ATOMIC_RELEASE);
}

gbl_Info gb_matrix_nvals(gb_Matrix *A, uint64_t *nvals) {
    const gbl_Info info = gb_assemble(A);
    if (info == GBL_SUCCESS) *nvals = A->nvals;
    return info;
}

static gbl_Info dup_cs(gb_Cs *copy, const gb_Cs *cs, size_t xsize) {
    const size_t xbytes = (cs->iso ? 1 : cs->nvals) * xsize;
    const gbl_Info info = gb_cs_alloc(copy, cs->nmajor, cs->nvals, xbytes);
    if (info != GBL_SUCCESS) return info;
    memcpy(copy->p, cs->p, (cs->nmajor + 1) * sizeof(gb_Off));
    memcpy(copy->i, cs->i, cs->nvals * sizeof(gb_Idx));
    memcpy(copy->x, cs->x, xbytes);
    copy->iso = cs->iso;
    copy->sorted = cs->sorted;
    return GBL_SUCCESS;
}

static gbl_Info dup_dense(gb_Dense *copy, const gb_Dense *dense, size_t xsize) {
    const size_t xbytes = (dense->iso ? 1 : dense->n) * xsize;
    const gbl_Info info = gb_dense_alloc(copy, dense->n, xbytes, dense->b != NULL);
    if (info != GBL_SUCCESS) return info;
    if (dense->b != NULL) memcpy(copy->b, dense->b, dense->n);
    memcpy(copy->x, dense->x, xbytes);
    copy->nvals = dense->nvals;
    copy->iso = dense->iso;
    return GBL_SUCCESS;
}

/* The copy gets one representation: the cheapest to use later is the one that exists. The lock
 * keeps other readers from adding or sorting one meanwhile. */
gbl_Info gb_matrix_dup(gb_Matrix **C, gb_Matrix *A) {
    *C = NULL;
    gb_Matrix *copy = NULL;
    gb_Dense dense = {0};
    gb_Cs cs = {0};
    gb_CsView view; /* a copy of tiles would be as large as one of rows, and less often useful */
    gbl_Info info = gb_assemble(A);
    if (info == GBL_SUCCESS && gb_has_no_list(A)) info = gb_need(A, GB_CSR, &view);
    if (info == GBL_SUCCESS) info = gb_matrix_new(&copy, A->magic, A->type, A->nrows, A->ncols);
    if (info != GBL_SUCCESS) return info;
    pthread_mutex_lock(&A->lock);
    const bool is_dense = (A->has & (GBL_HAS_BITMAP | GBL_HAS_FULL)) != 0;
    const gb_Format format = (A->has & GBL_HAS_CSR) ? GB_CSR : GB_CSC;
    if (A->nvals > 0)
        info = is_dense ? dup_dense(&dense, &A->dense, A->type->size)
                        : dup_cs(&cs, &A->cs[format], A->type->size);
    pthread_mutex_unlock(&A->lock);
    if (info != GBL_SUCCESS) {
        gb_matrix_free(copy);
        return info;
    }
    if (is_dense)
        gb_matrix_set_dense(copy, &dense);
    else
        gb_matrix_set_cs(copy, format, &cs);
    *C = copy;
    return GBL_SUCCESS;
}

/* Entries with major < nmajor and minor < nminor, in the order they stand. */
static gbl_Info crop(gb_Cs *out, const gb_CsView *in, uint64_t nmajor, uint64_t nminor) {
    const uint64_t rows = nmajor < in->nmajor ? nmajor : in->nmajor;
    uint64_t kept = 0;
    for (uint64_t p = 0; p < in->p[rows]; p++) kept += in->i[p] < nminor;
    const gbl_Info info = gb_cs_alloc(out, nmajor, kept, (in->iso ? 1 : kept) * in->xsize);
    if (info != GBL_SUCCESS) return info;
    uint64_t n = 0;
    for (uint64_t r = 0; r < rows; r++) {
        out->p[r] = n;
        for (uint64_t p = in->p[r]; p < in->p[r + 1]; p++) {
            if (in->i[p] >= nminor) continue;
            if (!in->iso)
                memcpy((char *)out->x + n * in->xsize, (const char *)in->x + p * in->xsize,
                       in->xsize);
            out->i[n++] = in->i[p];
        }
    }
    for (uint64_t r = rows; r <= nmajor; r++) out->p[r] = n;
    if (in->iso && kept > 0) memcpy(out->x, in->x, in->xsize);
    out->iso = in->iso;
    out->sorted = in->sorted;
    return GBL_SUCCESS;
}

gbl_Info gb_matrix_resize(gb_Matrix *A, uint64_t nrows, uint64_t ncols) {
    if (nrows > GBL_INDEX_MAX || ncols > GBL_INDEX_MAX)
        return gb_fail(GBL_INVALID_VALUE, A, "new size %llu x %llu is above the largest, %llu",
                       (unsigned long long)nrows, (unsigned long long)ncols,
                       (unsigned long long)GBL_INDEX_MAX);
    gb_Cs cs = {0};
    gb_Format format = GB_CSC;
    gbl_Info info = gb_assemble(A);
    if (info == GBL_SUCCESS && A->nvals > 0) {
        gb_CsView view;
        if (!gb_is_vector(A)) info = gb_any_format(A, GB_CSR, &format);
        if (info == GBL_SUCCESS) info = gb_need(A, format, &view);
        if (info == GBL_SUCCESS)
            info = crop(&cs, &view, format == GB_CSR ? nrows : ncols,
                        format == GB_CSR ? ncols : nrows);
    }
    if (info != GBL_SUCCESS) return info;
    gb_matrix_clear(A); /* under the old shape, which sizes what is freed */
    A->nrows = nrows;
    A->ncols = ncols;
    gb_matrix_set_cs(A, format, &cs);
    return GBL_SUCCESS;
}
