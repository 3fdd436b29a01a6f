/* SPDX-License-Identifier: Apache-2.0
 *
 * Products with vectors on the device: the same two forms and the same rule as on the host
 * (mxv_plan.h), by facts that are counted there.
 */
#ifndef GB_MXM_MXV_DEVICE_H
#define GB_MXM_MXV_DEVICE_H

#include "mxm/model/call.h"

typedef struct {
    gb_MxvCall call;
    gbl_Desc_Value method; /* that was asked for, or GBL_DEFAULT */
} gb_MxvAsked;

/* Both take a gb_MxvAsked; see gb_Op. */
const char *gb_mxv_refuse_device(const void *asked);
gbl_Info gb_mxv_device(const void *asked);

#endif
