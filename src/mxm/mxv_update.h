/* SPDX-License-Identifier: Apache-2.0
 *
 * Products with vectors that update a dense vector and list what changed: best add= u * A. Written
 * as if the product were a vector of its own that gb_update_vector takes; the same result comes
 *   - of ANY, which keeps what is there, by the product at the places that `best` has not, and
 *   - of MIN and MAX by a push that leaves out what improves on nothing (gb_MxvArgs, best).
 * Then all that the product has is a change.
 */
#ifndef GB_MXM_MXV_UPDATE_H
#define GB_MXM_MXV_UPDATE_H

#include "mxm/model/call.h"
#include "ops/finish.h"

/* Before the plan: call->best becomes dense, and of ANY the mask. */
gbl_Info gb_mxv_begin_update(gb_MxvCall *call);
/* After the kernel: T is written to call->best and call->w. add: of the ring that was asked for,
 * for which call->ring may stand; its sums with `best` are of its own type. pruned: the kernel left
 * out products. T is consumed. */
gbl_Info gb_mxv_update(const gb_MxvCall *call, const gb_BinaryOp *add, bool pruned, gb_Result *T);

#endif
