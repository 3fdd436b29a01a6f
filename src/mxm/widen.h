/* SPDX-License-Identifier: Apache-2.0
 *
 * Semirings of integers that have no kernel of their own and run as those of INT64, to the bit:
 * least values of the vector, MIN with FIRST or SECOND. Values are compared and copied, never
 * computed, so a wider type that holds them all gives the same ones.
 */
#ifndef GB_MXM_WIDEN_H
#define GB_MXM_WIDEN_H

#include "mxm/model/call.h"

/* *ring becomes that of INT64 where it may stand for the call's; its values are then cast by those
 * who take and write vectors. u is assembled; of UINT64 it is read once. */
gbl_Info gb_ring_widen(const gb_Semiring **ring, const gb_MxvCall *call);

#endif
