/* SPDX-License-Identifier: Apache-2.0
 *
 * Copies of a matrix in the memory of the device, cached beside the representations of the host:
 * repeated products by the same matrix move it once. The host's arrays stay.
 */
#include "matrix/matrix.h"

gbl_Info gb_need_device(gb_Matrix *A, gb_Format format, bool values, const gb_DeviceCs **copy) {
    const gb_Device *device = gb_device();
    gb_CsView view;
    gbl_Info info = gb_need_sorted(A, format, &view);
    if (info != GBL_SUCCESS) return info;
    if (!values) view.x = NULL;
    pthread_mutex_lock(&A->lock);
    gb_DeviceCs **cached = &A->device[format];
    if (*cached == NULL)
        info = device->upload(&view, cached);
    else if (values && !device->has_values(*cached))
        info = device->upload_values(&view, *cached);
    *copy = *cached;
    pthread_mutex_unlock(&A->lock);
    return info;
}

bool gb_on_device(gb_Matrix *A, gb_Format format) {
    pthread_mutex_lock(&A->lock);
    const bool is_there = A->device[format] != NULL;
    pthread_mutex_unlock(&A->lock);
    return is_there;
}

void gb_device_drop(gb_Matrix *A) {
    for (int format = 0; format < 2; format++) {
        gb_device()->release(A->device[format]);
        A->device[format] = NULL;
    }
}
