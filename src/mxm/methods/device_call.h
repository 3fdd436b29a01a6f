/* SPDX-License-Identifier: Apache-2.0
 *
 * What methods of a device share: operands there, the call, the result back.
 */
#ifndef GB_MXM_METHODS_DEVICE_CALL_H
#define GB_MXM_METHODS_DEVICE_CALL_H

#include "mxm/model/method.h"

/* Why there is no kernel for the call; NULL when there is one. */
const char *gb_device_refuse(const gb_Method *m, const gb_MxmCall *call, const gb_Features *f);
/* Nothing beside C in the host's memory. */
gb_Workspace gb_device_workspace(const gb_Method *m, const gb_CostCase *s, const gb_Cut *cut);

/* n things that the rates of a GPU count, as many as take the same time on the GPU of the rates. */
double gb_device_scaled(const gb_Features *f, double n);
/* T by the device, in slices where it does not fit there, and into run->why what every product
 * there tells; *stats has the rest. */
gbl_Info gb_device_run(gb_MxmRun *run, gb_DeviceWay way, gb_Result *T, gb_DeviceMxmStats *stats);

#endif
