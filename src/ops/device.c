/* SPDX-License-Identifier: Apache-2.0
 *
 * See device.h.
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

/* -- results */

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
