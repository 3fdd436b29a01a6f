/* SPDX-License-Identifier: Apache-2.0
 *
 * Operations on the device: operands, reasons why there is no kernel, and finishing results that
 * are there, in the steps of finish.c. A vector w is written in place where its content is needed
 * or is on the device anyway; a matrix T, by rows, is cut to the mask and united with the surviving
 * entries of C. Allocation and transfers, which may fail, precede any change of C.
 */
#include "ops/device.h"

/* Values that are on the device, or can be, are cast on it. */
static gbl_Info cast_on_device(gb_DeviceOperand *operand, gb_Matrix *A, gb_Format format,
                               const gb_Type *type) {
    const gb_Device *device = gb_device();
    gb_DeviceCs *own;
    gbl_Info info = gb_acquire_device_operand(A, format, &own);
    if (info != GBL_SUCCESS) return info;
    info = device->cast_copy(own, A->type->code, type->code, &operand->copy);
    device->unpin(own);
    operand->owned = info == GBL_SUCCESS;
    return info;
}

/* Of matrices alone. */
static gbl_Info cast_on_host(gb_DeviceOperand *operand, gb_Matrix *A, gb_Format format,
                             const gb_Type *type) {
    gb_Operand host;
    gb_CsView sorted;
    gbl_Info info = gb_acquire_sorted(A, format, &sorted);
    if (info == GBL_SUCCESS) info = gb_operand_get(&host, A, format, type);
    if (info != GBL_SUCCESS) return info;
    info = gb_device()->upload(&host.view, &operand->copy);
    operand->owned = info == GBL_SUCCESS;
    gb_operand_release(&host);
    return info;
}

gbl_Info gb_device_operand(gb_DeviceOperand *operand, gb_Matrix *A, gb_Format format,
                           const gb_Type *type) {
    const bool casts = type != NULL && type->code != A->type->code;
    *operand = (gb_DeviceOperand){0};
    if (type == NULL) return gb_acquire_device(A, format, false, &operand->copy);
    if (!casts) return gb_acquire_device_operand(A, format, &operand->copy);
    if (gb_device()->casts(A->type->code, type->code)) {
        const gbl_Info info = cast_on_device(operand, A, format, type);
        if (info != GBL_OUT_OF_MEMORY || gb_is_vector(A)) return info;
        gb_error_begin(); /* no memory for A's own values in addition to the others */
    }
    return cast_on_host(operand, A, format, type);
}

void gb_device_operand_release(const gb_DeviceOperand *operand) {
    if (operand->owned)
        gb_device()->release(operand->copy);
    else if (operand->copy != NULL)
        gb_device()->unpin(operand->copy);
}

void gb_result_adopt(gb_Result *T, const gb_Matrix *C, gb_DeviceCs *made) {
    const bool is_vector = gb_is_vector(C);
    T->format = is_vector ? GB_CSC : GB_CSR;
    T->device_nvals = gb_device()->nvals(made);
    if (T->device_nvals > 0) {
        T->device = made;
    } else {
        gb_device()->release(made);
        T->cs = (gb_Cs){.nmajor = is_vector ? 1 : C->nrows, .sorted = true};
    }
}

const char *gb_refuse_operand(const gb_Matrix *A) {
    if (A->nvals == 0) return "an operand has no entries";
    return !gb_type_is_real(A->type) ? "values of this type have no kernels" : NULL;
}

const char *gb_refuse_cast(const gb_Matrix *A, const gb_Type *type) {
    if (!gb_is_vector(A) || A->type->code == type->code) return NULL;
    return gb_device()->casts(A->type->code, type->code)
               ? NULL
               : "values of the vector's type are not cast on the device";
}

const char *gb_refuse_operator(int op, const gb_Type *type) {
    if (op == GB_USER) return "operators of the user have no kernel";
    if (gb_device()->has_operator != NULL && gb_device()->has_operator(op, type->code)) return NULL;
    return "the operator has no kernel for this type";
}

/* -- vectors */

const char *gb_refuse_mask(const gb_Mask *mask) {
    const gb_Matrix *M = mask->M;
    return M != NULL && !gb_type_is_real(M->type) ? "values of the mask have no kernels" : NULL;
}

const char *gb_refuse_write(const gb_Matrix *w, const gb_Mask *mask, const gb_BinaryOp *accum,
                            const gb_Type *type) {
    const gbl_Type_Code code = w->type->code;
    const char *why = gb_refuse_mask(mask);
    if (!gb_type_is_real(w->type)) return "values of this type have no kernels";
    if (why != NULL) return why;
    if (type->code != code) return "the result would have to be cast";
    if (accum == NULL) return NULL;
    if (accum->xtype->code != code || accum->ytype->code != code || accum->ztype->code != code)
        return "the accumulator would have to cast";
    if (accum->code != GB_USER && gb_device()->has_operator(accum->code, code)) return NULL;
    return "the accumulator has no kernel";
}

gbl_Info gb_get_device_mask(gb_DeviceMask *device, const gb_Mask *mask) {
    gb_DeviceCs *M = NULL;
    *device = (gb_DeviceMask){.structural = mask->structural, .complement = mask->complement};
    if (mask->M == NULL) return GBL_SUCCESS;
    const gbl_Info info = gb_acquire_device_vector(mask->M, &M);
    device->M = M;
    device->type = mask->M->type->code;
    return info;
}

void gb_put_device_mask(const gb_DeviceMask *device) {
    if (device->M != NULL) gb_device()->unpin((gb_DeviceCs *)device->M);
}

/* What is written to: w's own content, or, where that is not on the device and does not count,
 * nothing. */
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

/* *done: C is written; else T is on the host, or empty where nothing may be written. whole: T
 * becomes C as it is. */
static gbl_Info finish_vector(const gb_FinishJob *job, bool whole, bool *done) {
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
        gb_error_begin(); /* the host may have the memory */
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

/* -- matrices */

/* Values are not cast. Without an accumulator entries of C and T never share a position, so any
 * operator that keeps values serves. */
static bool fits_rows(const gb_FinishJob *job) {
    const gb_Matrix *C = job->C;
    const gb_BinaryOp *accum = job->keep ? job->accum : NULL;
    if (gb_is_vector(C) || gb_is_hyper(C) || gb_mask_allows_none(job->mask)) return false;
    if (gb_refuse_write(C, job->mask, accum, job->T->type) != NULL) return false;
    return !job->keep || accum != NULL || gb_device()->has_operator(GB_SECOND, C->type->code);
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

static gbl_Info finish_rows(const gb_FinishJob *job) {
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

/* -- the whole */

/* T, which is on the device, gets values of C's type, unless the host has to do that. */
static gbl_Info cast_result(const gb_FinishJob *job) {
    gb_Result *T = job->T;
    const gb_Type *type = job->C->type;
    if (T->type->code == type->code || !gb_device()->casts(T->type->code, type->code))
        return GBL_SUCCESS;
    if (job->accum != NULL && job->accum->ytype->code != type->code) return GBL_SUCCESS;
    const gbl_Info info = gb_device()->cast(T->device, T->type->code, type->code);
    if (info == GBL_SUCCESS) T->type = type;
    if (info != GBL_OUT_OF_MEMORY) return info;
    gb_error_begin(); /* the host may have the memory */
    return GBL_SUCCESS;
}

gbl_Info gb_finish_device(const gb_FinishJob *job, bool *done) {
    gb_Result *T = job->T;
    gb_DeviceCs *device = T->device;
    const bool on_host = T->device_nvals == 0;
    const gbl_Info cast = on_host ? GBL_SUCCESS : cast_result(job);
    *done = false;
    if (cast != GBL_SUCCESS) return cast;
    *done = gb_finish_takes_all(job, on_host ? T->cs.nvals : T->device_nvals);
    if (gb_is_vector(job->C)) return finish_vector(job, *done, done);
    if (on_host && *done) {
        gb_device()->unpin(device);
        T->device = NULL;
        gb_matrix_set_cs(job->C, GB_CSR, &T->cs);
        job->C->device[GB_CSR] = device;
    }
    if (on_host) return GBL_SUCCESS;
    if (*done || fits_rows(job)) {
        const gbl_Info info = finish_rows(job);
        *done = true;
        if (info != GBL_OUT_OF_MEMORY) return info;
        gb_error_begin(); /* the host may have the memory */
        *done = false;
    }
    return gb_device()->download(device, &T->cs);
}
