/* SPDX-License-Identifier: Apache-2.0
 *
 * The host's arrays stay; only a result that was left there (GBL_HAS_DEVICE) is nowhere else.
 */
#include "matrix/matrix.h"

#include "core/tune_cuda.h"

/* Under the lock. The copy that exists, pinned; NULL when there is none or it has been dropped. */
static gbl_Info pin_cached(gb_Matrix *A, gb_Format format, gb_DeviceCs **copy) {
    *copy = NULL;
    if (A->device[format] == NULL) return GBL_SUCCESS;
    const gbl_Info info = gb_device()->pin(A->device[format]);
    if (info == GBL_SUCCESS) *copy = A->device[format];
    if (info != GBL_NO_VALUE) return info;
    gb_device()->release(A->device[format]);
    A->device[format] = NULL;
    return GBL_SUCCESS;
}

/* Under the lock. */
static gbl_Info pin_or_make(gb_Matrix *A, gb_Format format, const gb_CsView *view,
                            gb_DeviceCs **copy) {
    const gb_Device *device = gb_device();
    gbl_Info info = pin_cached(A, format, copy);
    if (info != GBL_SUCCESS) return info;
    if (*copy == NULL) {
        info = device->upload(view, copy);
        if (info == GBL_SUCCESS) A->device[format] = *copy;
        return info;
    }
    if (view->x == NULL || device->has_values(*copy)) return GBL_SUCCESS;
    info = device->upload_values(view, *copy);
    if (info == GBL_SUCCESS) return info;
    device->unpin(*copy);
    *copy = NULL; /* the caller gives back what it has got */
    return info;
}

/* Under the lock, where all content is on the device: its columns, made there. */
static gbl_Info pin_or_transpose(gb_Matrix *A, gb_DeviceCs **copy) {
    gb_DeviceCs *rows;
    gbl_Info info = pin_cached(A, GB_CSC, copy);
    if (info != GBL_SUCCESS || *copy != NULL) return info;
    info = pin_cached(A, GB_CSR, &rows);
    if (info != GBL_SUCCESS) return info;
    info = gb_device()->transpose(rows, true, copy);
    gb_device()->unpin(rows);
    if (info == GBL_SUCCESS) A->device[GB_CSC] = *copy;
    return info;
}

gbl_Info gb_acquire_device(gb_Matrix *A, gb_Format format, bool values, gb_DeviceCs **copy) {
    gb_CsView view;
    gbl_Info info = gb_assemble(A);
    *copy = NULL;
    if (info != GBL_SUCCESS) return info;
    gb_lock(&A->lock);
    if (A->has == GBL_HAS_DEVICE)
        info = format == GB_CSR ? pin_cached(A, format, copy) : pin_or_transpose(A, copy);
    gb_unlock(&A->lock);
    if (info != GBL_SUCCESS || *copy != NULL) return info;
    info = gb_acquire_sorted(A, format, &view);
    if (info != GBL_SUCCESS) return info;
    if (!values) view.x = NULL;
    gb_lock(&A->lock);
    info = pin_or_make(A, format, &view, copy);
    gb_unlock(&A->lock);
    return info;
}

bool gb_on_device(gb_Matrix *A, gb_Format format) {
    gb_lock(&A->lock);
    const bool is_there = A->device[format] != NULL;
    gb_unlock(&A->lock);
    return is_there;
}

/* A form of v that moves little, made where it has none. */
typedef struct {
    bool is_list;
    gb_CsView list;
    gb_DenseView dense;
} gb_Sent;

static gbl_Info get_form(gb_Sent *sent, gb_Matrix *v) {
    const unsigned has = gb_has(v);
    const bool dense = (has & (GBL_HAS_BITMAP | GBL_HAS_FULL)) != 0;
    *sent = (gb_Sent){.list = {.nmajor = 1, .nminor = v->nrows, .xsize = v->type->size}};
    sent->is_list = !dense || (has & GBL_HAS_CSC && v->nvals < v->nrows / GB_CUDA_LISTED_BELOW);
    if (v->nvals == 0) return GBL_SUCCESS; /* an empty list */
    return sent->is_list ? gb_acquire(v, GB_CSC, &sent->list) : gb_acquire_dense(v, &sent->dense);
}

gbl_Info gb_acquire_device_vector(gb_Matrix *v, gb_DeviceCs **there) {
    const gb_Device *device = gb_device();
    gb_Sent sent;
    gbl_Info info = gb_assemble(v);
    *there = NULL;
    if (info != GBL_SUCCESS) return info;
    gb_lock(&v->lock);
    info = pin_cached(v, GB_CSC, there);
    gb_unlock(&v->lock);
    if (info != GBL_SUCCESS || *there != NULL) return info;
    info = get_form(&sent, v);
    if (info != GBL_SUCCESS) return info;
    gb_lock(&v->lock);
    info = pin_cached(v, GB_CSC, there); /* another reader may have made it meanwhile */
    if (info == GBL_SUCCESS && *there == NULL) {
        info = sent.is_list ? device->upload_list(&sent.list, there)
                            : device->upload_cells(&sent.dense, there);
        if (info == GBL_SUCCESS) v->device[GB_CSC] = *there;
    }
    gb_unlock(&v->lock);
    return info;
}

gbl_Info gb_acquire_device_operand(gb_Matrix *A, gb_Format format, gb_DeviceCs **copy) {
    return gb_is_vector(A) ? gb_acquire_device_vector(A, copy)
                           : gb_acquire_device(A, format, true, copy);
}

void gb_device_becomes(gb_Matrix *A, gb_DeviceCs *there) {
    const uint64_t nvals = gb_device()->nvals(there);
    gb_DeviceCs **own = &A->device[gb_device_format(A)];
    if (*own == there) *own = NULL; /* it outlives what else A has */
    gb_device()->unpin(there);
    if (nvals > 0) {
        gb_matrix_set_device(A, there, nvals);
    } else {
        gb_matrix_clear(A);
        gb_device()->release(there);
    }
}
