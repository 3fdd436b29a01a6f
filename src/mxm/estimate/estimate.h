/* SPDX-License-Identifier: Apache-2.0
 *
 * What gbl_mxm_estimate knows about C before a single multiplication.
 */
#ifndef GB_MXM_ESTIMATE_H
#define GB_MXM_ESTIMATE_H

#include "mxm/model/call.h"

gbl_Info gb_mxm_estimate(gbl_MxmEstimate *estimate, const gb_MxmCall *call);

#endif
