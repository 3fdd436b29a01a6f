/* SPDX-License-Identifier: Apache-2.0
 *
 * apply and select on the device (on_device.h).
 */
#ifndef GB_OPS_MAP_DEVICE_H
#define GB_OPS_MAP_DEVICE_H

#include "kernel_api/backend.h"
#include "kernel_api/device.h"
#include "ops/finish.h"

/* A map as the device takes it, of values of its own type; why there is no kernel, else NULL. */
const char *gb_device_map(gb_DeviceMap *there, const gb_Map *map);
/* The same of an index operator that selects among values of a type. */
const char *gb_device_test(gb_DeviceMap *there, const gb_Map *map, const gb_Type *type);

/* An apply or a select; `here` takes one. */
typedef struct {
    gb_Matrix *C;
    const gb_Mask *mask;
    const gb_BinaryOp *accum;
    const gb_Map *map;
    gb_Matrix *A;
    bool transpose;
} gb_MapJob;
gbl_Info gb_apply_placed(const gb_MapJob *job, gbl_Info (*here)(const void *job));
gbl_Info gb_select_placed(const gb_MapJob *job, gbl_Info (*here)(const void *job));

#endif
