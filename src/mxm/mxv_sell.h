/* SPDX-License-Identifier: Apache-2.0
 *
 * The pull of a full vector by the strips that A keeps (matrix/derived.h), which takes the
 * accumulation into a full w along.
 */
#ifndef GB_MXM_MXV_SELL_H
#define GB_MXM_MXV_SELL_H

#include "mxm/model/call.h"

/* Whether A has strips for the pull that args describe, or gets them with this call: args get them,
 * and as base what w has, where that is full and `accum` is the semiring's addition. rows: the
 * format that args->A is. */
bool gb_mxv_acquire_sell(gb_MxvArgs *args, const gb_MxvCall *call, gb_Format rows);

#endif
