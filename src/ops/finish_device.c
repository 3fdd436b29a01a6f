/* SPDX-License-Identifier: Apache-2.0
 *
 * See finish_there.h. w is written in place where its content counts or is on the device anyway;
 * what may fail, memory and transfers, comes before the kernel.
 */
#include "ops/finish_device.h"

#include <string.h>

#include "matrix/device.h"
#include "ops/finish_job.h"
#include "ops/run_device.h"

const char *gb_refuse_write(const gb_Matrix *w, const gb_Mask *mask, const gb_BinaryOp *accum,
                            const gb_Type *type) {
    const gbl_Type_Code code = w->type->code;
    const gb_Matrix *M = mask->M;
    if (code == GBL_UDT_CODE) return "user types have no kernels";
    if (M != NULL && M->type->code == GBL_UDT_CODE) return "the mask has a user type";
    if (type->code != code) return "the result would have to be cast";
    if (accum == NULL) return NULL;
    if (accum->xtype->code != code || accum->ytype->code != code || accum->ztype->code != code)
        return "the accumulator would have to cast";
    if (accum->code != GB_USER && gb_device()->has_operator(accum->code, code)) return NULL;
    return "the accumulator has no kernel";
}

gbl_Info gb_get_device_mask(gb_DeviceMask *there, const gb_Mask *mask) {
    gb_DeviceCs *M = NULL;
    *there = (gb_DeviceMask){.structural = mask->structural, .complement = mask->complement};
    if (mask->M == NULL) return GBL_SUCCESS;
    const gbl_Info info = gb_acquire_device_vector(mask->M, &M);
    there->M = M;
    there->type = mask->M->type->code;
    return info;
}

void gb_put_device_mask(const gb_DeviceMask *there) {
    if (there->M != NULL) gb_device()->unpin((gb_DeviceCs *)there->M);
}

/* What is written to: w's own content, or, where that is not there and does not count, nothing. */
static gbl_Info get_target(const gb_DeviceStore *write, gb_DeviceCs **target) {
    gb_Matrix *w = write->w;
    const gb_Mask *mask = write->mask;
    const bool keep = write->accum != NULL || (mask->M != NULL && !mask->replace);
    const gb_CsView none = {.nmajor = 1, .nminor = w->nrows, .xsize = w->type->size};
    if (keep || w->nvals == 0 || gb_on_device(w, GB_CSC))
        return gb_acquire_device_vector(w, target);
    return gb_device()->upload_list(&none, target);
}

gbl_Info gb_write_device(const gb_DeviceStore *write) {
    gb_Matrix *w = write->w;
    gb_DeviceCs *target = NULL;
    gb_DeviceWrite args = {.replace = write->mask->replace,
                           .T = write->T,
                           .type = w->type->code,
                           .accum = write->accum != NULL ? (int)write->accum->code : GB_USER};
    if (write->T == NULL) memcpy(args.value, write->value, w->type->size);
    gbl_Info info = gb_get_device_mask(&args.mask, write->mask);
    if (info == GBL_SUCCESS) info = get_target(write, &target);
    args.w = target;
    if (info == GBL_SUCCESS) info = gb_device()->write(&args);
    gb_put_device_mask(&args.mask);
    if (write->T != NULL) gb_device()->unpin(write->T);
    if (info == GBL_SUCCESS)
        gb_device_becomes(w, target);
    else if (target != NULL && target == w->device[GB_CSC])
        gb_device()->unpin(target);
    else if (target != NULL)
        gb_device()->release(target);
    return info;
}

gbl_Info gb_finish_device(const gb_FinishJob *job, bool whole, bool *done) {
    gb_Result *T = job->T;
    *done = true;
    if (whole) {
        gb_device_becomes(job->C, T->device);
        T->device = NULL;
        return GBL_SUCCESS;
    }
    const bool none = gb_mask_allows_none(job->mask);
    if (!none && gb_refuse_write(job->C, job->mask, job->accum, T->type) == NULL) {
        const gb_DeviceStore write = {job->C, job->mask, job->accum, T->device, NULL};
        const gbl_Info written = gb_write_device(&write);
        if (written != GBL_OUT_OF_MEMORY) return written;
        gb_error_begin(); /* the host may have the room */
    }
    *done = false;
    gbl_Info info = GBL_SUCCESS;
    if (none) {
        T->cs = (gb_Cs){.nmajor = 1, .sorted = true};
    } else {
        info = gb_device()->download_cells(T->device, &T->dense);
        T->is_dense = info == GBL_SUCCESS;
    }
    gb_device()->release(T->device);
    T->device = NULL;
    return info;
}
