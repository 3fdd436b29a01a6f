/* SPDX-License-Identifier: Apache-2.0
 *
 * setElement and removeElement: appended to a list that doubles when it is full. The next reader
 * assembles the list. Written in place, while there is no list: a vector that exists only as a
 * bitmap or full array, and values of entries that exist in sorted rows or columns.
 */
#include "matrix/pending.h"

#include <string.h>

#include "core/tune.h"
#include "matrix/element.h"

/* 17 bytes each with values of 8: a block that malloc keeps at hand for the thread (below 1032). */
enum { FIRST_CAP = 32 };

static bool dense_only(const gb_Matrix *v) {
    return v->has == GBL_HAS_BITMAP || v->has == GBL_HAS_FULL;
}

static bool is_dense(const gb_Matrix *v) {
    return (v->has & (GBL_HAS_BITMAP | GBL_HAS_FULL)) != 0;
}

/* Dense arrays have changed: a bitmap of ones says nothing. */
static void publish_dense(gb_Matrix *v) {
    gb_Dense *dense = &v->dense;
    if (dense->b != NULL && dense->nvals == dense->n) {
        gb_free(dense->b, dense->n);
        dense->b = NULL;
    }
    v->nvals = dense->nvals;
    v->iso = dense->iso;
    __atomic_store_n(&v->has, dense->b == NULL ? GBL_HAS_FULL : GBL_HAS_BITMAP, __ATOMIC_RELEASE);
}

static void put_dense(gb_Dense *dense, uint64_t k, const void *x, size_t size) {
    if (dense->b != NULL) {
        dense->nvals += x != NULL;
        dense->nvals -= dense->b[k] != 0;
        dense->b[k] = x != NULL;
    }
    if (x != NULL && !dense->iso) memcpy((char *)dense->x + k * size, x, size);
}

/* True when the update was written in place. */
static bool write_dense(gb_Matrix *v, uint64_t k, const void *x) {
    if (v->pending != NULL || !dense_only(v)) return false;
    if (x == NULL && v->dense.b == NULL) return false;
    if (x != NULL && v->iso && memcmp(x, v->dense.x, v->type->size) != 0) return false;
    gb_matrix_keep_only(v, GBL_HAS_BITMAP | GBL_HAS_FULL);
    put_dense(&v->dense, k, x, v->type->size);
    publish_dense(v);
    return true;
}

/* The same for an entry that exists in sorted rows or columns: nobody reads an object that is being
 * written, so its value may change where it stands. */
static bool write_listed(gb_Matrix *A, uint64_t row, uint64_t col, const void *x) {
    const unsigned lists = A->has & GB_HAS_LISTS;
    if (A->pending != NULL || x == NULL || lists == 0 || is_dense(A)) return false;
    const gb_Format usual = gb_is_vector(A) ? GB_CSC : GB_CSR;
    const gb_Format format = lists & gb_has_bit(usual) ? usual : 1 - usual;
    const size_t size = A->type->size;
    const gb_CsView view = gb_cs_view(&A->cs[format], gb_nminor(A, format), size);
    if (!view.sorted) return false;
    const uint64_t at =
        format == GB_CSR ? gb_element_at(&view, row, col) : gb_element_at(&view, col, row);
    if (at == UINT64_MAX) return false;
    if (view.iso && memcmp(x, view.x, size) != 0) return false;
    gb_matrix_keep_only(A, gb_has_bit(format));
    if (!view.iso) memcpy((char *)A->cs[format].x + at * size, x, size);
    return true;
}

static bool block_bytes(size_t *bytes, uint64_t cap, size_t size) {
    return size <= PTRDIFF_MAX / 2 &&
           gb_size_mul(bytes, cap, size + 2 * sizeof(gb_Idx) + sizeof(int8_t));
}

static void lay_out(gb_Pending *list, char *block, uint64_t cap, size_t size) {
    list->cap = cap;
    list->x = block;
    list->row = (gb_Idx *)(void *)(block + cap * size);
    list->col = list->row + cap;
    list->keep = (int8_t *)(list->col + cap);
}

/* Makes room for one more entry. */
static gbl_Info grow(gb_Pending *list, size_t size) {
    gb_Pending larger = *list;
    const uint64_t cap = list->cap == 0 ? FIRST_CAP : 2 * list->cap;
    if (!block_bytes(&larger.bytes, cap, size)) return gb_fail_memory(NULL, SIZE_MAX);
    char *block = gb_malloc(larger.bytes);
    if (block == NULL) return gb_fail_memory(NULL, larger.bytes);
    lay_out(&larger, block, cap, size);
    if (list->n > 0) {
        memcpy(larger.x, list->x, list->n * size);
        memcpy(larger.row, list->row, list->n * sizeof *list->row);
        memcpy(larger.col, list->col, list->n * sizeof *list->col);
        memcpy(larger.keep, list->keep, list->n * sizeof *list->keep);
    }
    gb_free(list->x, list->bytes);
    *list = larger;
    return GBL_SUCCESS;
}

static gbl_Info begin_list(gb_Matrix *A) {
    gb_Pending *list = gb_malloc(sizeof *list);
    if (list == NULL) return gb_fail_memory(A, sizeof *list);
    *list = (gb_Pending){0};
    const gbl_Info info = grow(list, A->type->size);
    if (info != GBL_SUCCESS) {
        gb_free(list, sizeof *list);
        return info;
    }
    __atomic_store_n(&A->pending, list, __ATOMIC_RELEASE);
    return GBL_SUCCESS;
}

gbl_Info gb_pending_add(gb_Matrix *A, uint64_t row, uint64_t col, const void *x) {
    const size_t size = A->type->size;
    gbl_Info info = GBL_SUCCESS;
    if (gb_is_vector(A) && write_dense(A, row, x)) return info;
    if (write_listed(A, row, col, x)) return info;
    if (A->pending == NULL) {
        info = begin_list(A);
    } else if (A->pending->n == A->pending->cap) {
        info = grow(A->pending, size);
    }
    if (info != GBL_SUCCESS) return info;
    gb_Pending *list = A->pending;
    const uint64_t k = list->n++;
    list->row[k] = (gb_Idx)row;
    list->col[k] = (gb_Idx)col;
    list->keep[k] = x != NULL;
    if (x != NULL) memcpy(list->x + k * size, x, size);
    return GBL_SUCCESS;
}

uint64_t gb_pending_count(const gb_Matrix *A) {
    return A->pending == NULL ? 0 : A->pending->n;
}

void gb_pending_clear(gb_Matrix *A) {
    gb_Pending *list = A->pending;
    if (list == NULL) return;
    __atomic_store_n(&A->pending, NULL, __ATOMIC_RELEASE);
    gb_free(list->x, list->bytes);
    gb_free(list, sizeof *list);
}

/* What dense arrays lack to take the updates: a bitmap when entries go, a value each when the one
 * value for all no longer does. */
static gbl_Info widen_dense(gb_Matrix *v, const gb_Pending *list) {
    gb_Dense *dense = &v->dense;
    const size_t size = v->type->size;
    bool removes = false, differs = false;
    for (uint64_t k = 0; k < list->n; k++) {
        removes = removes || !list->keep[k];
        differs = differs ||
                  (dense->iso && list->keep[k] && memcmp(list->x + k * size, dense->x, size) != 0);
    }
    int8_t *b = NULL;
    void *x = NULL;
    size_t xbytes = 0;
    if (removes && dense->b == NULL) {
        b = gb_malloc(dense->n);
        if (b == NULL) return gb_fail_memory(v, dense->n);
    }
    if (differs) {
        if (gb_size_mul(&xbytes, dense->n, size)) x = gb_malloc(xbytes);
        if (x == NULL) {
            gb_free(b, dense->n);
            return gb_fail_memory(v, xbytes);
        }
    }
    if (b != NULL) {
        memset(b, 1, dense->n);
        dense->b = b;
    }
    if (x != NULL) {
        gb_fill(x, dense->x, size, dense->n);
        gb_free(dense->x, dense->xcap);
        dense->x = x;
        dense->xcap = xbytes;
        dense->iso = false;
    }
    return GBL_SUCCESS;
}

/* The dense arrays take the updates in the order of the calls. */
static gbl_Info assemble_dense(gb_Matrix *v, const gb_Pending *list) {
    const gbl_Info info = widen_dense(v, list);
    if (info != GBL_SUCCESS) return info;
    gb_matrix_keep_only(v, GBL_HAS_BITMAP | GBL_HAS_FULL);
    for (uint64_t k = 0; k < list->n; k++) {
        const void *x = list->keep[k] ? list->x + k * v->type->size : NULL;
        put_dense(&v->dense, list->row[k], x, v->type->size);
    }
    publish_dense(v);
    return GBL_SUCCESS;
}

gbl_Info gb_pending_assemble(gb_Matrix *A) {
    if (A->pending == NULL) return GBL_SUCCESS;
    const gbl_Info info =
        is_dense(A) ? assemble_dense(A, A->pending) : gb_pending_merge(A, A->pending);
    if (info == GBL_SUCCESS) gb_pending_clear(A); /* last: readers that see no list do not wait */
    return info;
}
