/* SPDX-License-Identifier: Apache-2.0
 *
 * Products as operations (ops/op.h): of gb_MxmCall and gb_MxvCall, for operands of any dimension,
 * and deferred where that may pay. Domains and shapes are checked here; for gb_op_mxm_reduce and
 * gb_op_mxm_estimate the call has no C.
 *
 * gbl_mxm defers a product of integers under a mask, since programs mostly need its sum alone
 * (product.c). A product with a vector that grows a search, w<!m, replace> = u * A by structure, is
 * fused with the assigns through w that follow it (fused_assign.c).
 */
#pragma once

#include "mxm/chain/chain.h"
#include "mxm/mxm.h"
#include "ops/deferred.h"
#include "ops/op.h"

extern const gb_Op gb_op_mxm, gb_op_mxm_plan, gb_op_mxm_estimate, gb_op_mxm_reduce;

/* By u_is_left of the gb_MxvCall; with `best`, the second input is complete. */
extern const gb_Op gb_op_mxv, gb_op_vxm, gb_op_vxm_update;

/* Their `full_iso`; full_iso.c. */
gbl_Info gb_mxm_full_iso(const gb_Op *op, const void *call, bool *done);
gbl_Info gb_mxv_full_iso(const gb_Op *op, const void *call, bool *done);

/* Of a gb_ChainCall, whose factors are complete; and how it would be made. */
extern const gb_Op gb_op_chain;
gbl_Info gb_chain_plan(gbl_ChainPlan *plan, const gb_ChainCall *call);

/* gbl_mxm_batch, whose objects are checked. */
typedef struct {
    gb_MxmCall like;                 /* of all, without objects */
    const gbl_Matrix *C, *M, *A, *B; /* [n]; M may be NULL, as may its elements */
    uint64_t n;
} gb_MxmBatch;
gbl_Info gb_mxm_batch(const gb_MxmBatch *batch);
gb_MxmCall gb_mxm_batch_call(const gb_MxmBatch *batch, uint64_t k);
/* The error, with the number of the product, or of the first of its group, in front. */
gbl_Info gb_mxm_batch_name(gbl_Info info, uint64_t product);

/* -- what is deferred */

/* *deferred: the product was checked and is deferred, replacing one that C had. Precondition: C may
 * be incomplete, the other operands are not, and nothing is hypersparse. */
gbl_Info gb_mxm_defer(const gb_MxmCall *call, bool *deferred);
/* *deferred: the product was checked and is deferred. All objects are complete, and none is
 * hypersparse. */
gbl_Info gb_fused_defer(const gb_MxvCall *call, bool *deferred);
/* How the product was made, or its sum. Completes C where neither was. */
gbl_Info gb_deferred_explain(gbl_Explanation *why, gb_Matrix *C);
