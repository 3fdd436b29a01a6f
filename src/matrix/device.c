/* SPDX-License-Identifier: Apache-2.0
 *
 * The host's arrays stay; only a product that was left there (GBL_HAS_DEVICE) is nowhere else.
 */
#include "matrix/device.h"

#include "matrix/need.h"

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

/* Under the lock, where all content is there: its columns, made there. */
static gbl_Info pin_or_turn(gb_Matrix *A, gb_DeviceCs **copy) {
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

gbl_Info gb_need_device(gb_Matrix *A, gb_Format format, bool values, gb_DeviceCs **copy) {
    gb_CsView view;
    gbl_Info info = gb_assemble(A);
    *copy = NULL;
    if (info != GBL_SUCCESS) return info;
    pthread_mutex_lock(&A->lock);
    if (A->has == GBL_HAS_DEVICE)
        info = format == GB_CSR ? pin_cached(A, format, copy) : pin_or_turn(A, copy);
    pthread_mutex_unlock(&A->lock);
    if (info != GBL_SUCCESS || *copy != NULL) return info;
    info = gb_need_sorted(A, format, &view);
    if (info != GBL_SUCCESS) return info;
    if (!values) view.x = NULL;
    pthread_mutex_lock(&A->lock);
    info = pin_or_make(A, format, &view, copy);
    pthread_mutex_unlock(&A->lock);
    return info;
}

bool gb_on_device(gb_Matrix *A, gb_Format format) {
    pthread_mutex_lock(&A->lock);
    const bool is_there = A->device[format] != NULL;
    pthread_mutex_unlock(&A->lock);
    return is_there;
}
