/* SPDX-License-Identifier: Apache-2.0
 *
 * Writing vectors that are on the device: w<mask, replace> accum= T without a transfer but of what
 * is not there yet, and of the number of entries. w is there afterwards and nowhere else.
 */
#ifndef GB_OPS_FINISH_DEVICE_H
#define GB_OPS_FINISH_DEVICE_H

#include "ops/result.h"

typedef struct {
    gb_Matrix *w;
    const gb_Mask *mask;
    const gb_BinaryOp *accum; /* or NULL */
    gb_DeviceCs *T;    /* pinned until gb_write_device gives it back: it may be w's own. NULL: */
    const void *value; /* everywhere, of w's type */
} gb_DeviceStore;

/* Why there is no kernel that writes T, of this type, to w; NULL: there is one. */
const char *gb_refuse_write(const gb_Matrix *w, const gb_Mask *mask, const gb_BinaryOp *accum,
                            const gb_Type *type);
/* gb_refuse_write has no objection; w and the mask are assembled, and the mask lets something be
 * written. */
gbl_Info gb_write_device(const gb_DeviceStore *write);

/* The mask as the device wants it, M pinned; to be given back where it was got. */
gbl_Info gb_get_device_mask(gb_DeviceMask *there, const gb_Mask *mask);
void gb_put_device_mask(const gb_DeviceMask *there);

#endif
