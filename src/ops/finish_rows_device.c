/* SPDX-License-Identifier: Apache-2.0
 *
 * A matrix T that is on the device, rows by rows: cut to the mask and united with what stays of C
 * there. The steps are those of finish.c; all that may fail comes before C is touched.
 */
#include "kernel_api/device.h"
#include "matrix/device.h"
#include "ops/finish_job.h"
#include "semiring/algebra.h"

/* Values are not cast there. Without an accumulator entries of C and T never meet, and any operator
 * that keeps values serves. */
bool gb_finish_fits_device(const gb_FinishJob *job) {
    const gb_BinaryOp *accum = job->accum;
    const gbl_Type_Code type = job->C->type->code;
    if (gb_is_vector(job->C) || gb_is_hyper(job->C)) return false;
    if (gb_mask_allows_none(job->mask)) return false;
    if (type == GBL_UDT_CODE || job->T->type->code != type) return false;
    if (!job->keep) return true;
    if (accum == NULL) return gb_device()->has_operator(GB_SECOND, type);
    if (accum->xtype->code != type || accum->ytype->code != type || accum->ztype->code != type)
        return false;
    return accum->code != GB_USER && gb_device()->has_operator((int)accum->code, type);
}

/* *made = the entries of X inside the mask, or outside. */
static gbl_Info cut(const gb_FinishJob *job, const gb_DeviceCs *X, bool inside,
                    gb_DeviceCs **made) {
    const gb_Mask *mask = job->mask;
    gb_DeviceCs *M;
    gbl_Info info = gb_acquire_device(mask->M, GB_CSR, !mask->structural, &M);
    if (info != GBL_SUCCESS) return info;
    const gb_DeviceRowMask args = {M, mask->M->type->code, mask->structural, inside};
    info = gb_device()->filter(X, &args, made);
    gb_device()->unpin(M);
    return info;
}

/* *made = what stays of C, united with X. */
static gbl_Info join(const gb_FinishJob *job, const gb_DeviceCs *X, gb_DeviceCs **made) {
    const gb_Device *device = gb_device();
    const bool inside = job->accum != NULL ? !job->mask->complement : job->mask->complement;
    const bool cuts = job->masked && (job->accum == NULL || job->mask->replace) &&
                      !gb_finish_covers(job, device->nvals(X));
    gb_DeviceCs *base, *part = NULL;
    gbl_Info info = gb_acquire_device(job->C, GB_CSR, true, &base);
    if (info != GBL_SUCCESS) return info;
    if (cuts) info = cut(job, base, inside, &part);
    const gb_DeviceMerge args = {job->accum != NULL ? (int)job->accum->code : GB_SECOND,
                                 job->C->type->code, true, part != NULL ? part : base, X};
    if (info == GBL_SUCCESS) info = device->merge(&args, made);
    device->release(part);
    device->unpin(base);
    return info;
}

gbl_Info gb_finish_rows_device(const gb_FinishJob *job) {
    gb_Result *T = job->T;
    gb_DeviceCs *mine = NULL, *joined = NULL;
    gbl_Info info = GBL_SUCCESS;
    if (job->masked && !T->masked) info = cut(job, T->device, !job->mask->complement, &mine);
    if (info == GBL_SUCCESS && job->keep)
        info = join(job, mine != NULL ? mine : T->device, &joined);
    if (info == GBL_SUCCESS && joined == NULL && mine == NULL) {
        gb_device_becomes(job->C, T->device);
        T->device = NULL;
    } else if (info == GBL_SUCCESS) {
        gb_device_becomes(job->C, joined != NULL ? joined : mine);
        joined = NULL;
        if (job->keep) gb_device()->release(mine);
    } else {
        gb_device()->release(mine);
    }
    return info;
}
