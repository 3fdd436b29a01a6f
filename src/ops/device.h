/* SPDX-License-Identifier: Apache-2.0
 *
 * Device side of operations: operands, reasons why there is no kernel, and results.
 */
#pragma once

#include "ops/finish.h"

/* An operand on the device: the object's own copy, or one with values cast for this call. */
typedef struct {
    gb_DeviceCs *copy; /* pinned */
    bool owned;
} gb_DeviceOperand;
/* With values of the type, a built-in one or A's, which gb_refuse_cast has let through; NULL: the
 * pattern of a matrix will do. */
gbl_Info gb_device_operand(gb_DeviceOperand *operand, gb_Matrix *A, gb_Format format,
                           const gb_Type *type);
void gb_device_operand_release(const gb_DeviceOperand *operand);

/* T, which holds `made`, the rows of a matrix or a vector, is to be finished as C. */
void gb_result_adopt(gb_Result *T, const gb_Matrix *C, gb_DeviceCs *made);

/* Why an operand is not uploaded, else NULL: it has no entries, or values of a type of the user. */
const char *gb_refuse_operand(const gb_Matrix *A);
/* Why the device cannot cast values of A to a built-in type; NULL: it can. */
const char *gb_refuse_cast(const gb_Matrix *A, const gb_Type *type);
/* Why the device has no kernel for the operator (a gb_Opcode) and values of the type, else NULL. */
const char *gb_refuse_operator(int op, const gb_Type *type);

/* -- vectors */

/* w<mask, replace> accum= T without a transfer but of what is not on the device yet, and of the
 * number of entries. w is on the device afterwards and nowhere else. */
typedef struct {
    gb_Matrix *w;
    const gb_Mask *mask;
    const gb_BinaryOp *accum; /* or NULL */
    gb_DeviceCs *T;    /* pinned until gb_write_device gives it back: it may be w's own. NULL: */
    const void *value; /* everywhere, of w's type */
} gb_DeviceStore;

/* Why no kernel reads the mask; NULL: some do. */
const char *gb_refuse_mask(const gb_Mask *mask);
/* Why there is no kernel that writes T, of this type, to w; NULL: one exists. */
const char *gb_refuse_write(const gb_Matrix *w, const gb_Mask *mask, const gb_BinaryOp *accum,
                            const gb_Type *type);
/* gb_refuse_write has no objection; w and the mask are assembled, and the mask lets something be
 * written. */
gbl_Info gb_write_device(const gb_DeviceStore *write);

/* The mask as the device wants it, M pinned; to be given back where it was got. */
gbl_Info gb_get_device_mask(gb_DeviceMask *device, const gb_Mask *mask);
void gb_put_device_mask(const gb_DeviceMask *device);
