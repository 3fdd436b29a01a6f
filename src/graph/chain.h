/* SPDX-License-Identifier: Apache-2.0
 *
 * Products of many factors of any dimension (mxm/chain/chain.h). Factors are complete.
 */
#ifndef GB_GRAPH_CHAIN_H
#define GB_GRAPH_CHAIN_H

#include "mxm/chain/chain.h"
#include "ops/op.h"

extern const gb_Op gb_op_chain; /* of a gb_ChainCall */
gbl_Info gb_chain_plan(gbl_ChainPlan *plan, const gb_ChainCall *call);

#endif
