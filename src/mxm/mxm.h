/* SPDX-License-Identifier: Apache-2.0
 *
 * Products: check -> call -> facts -> plan -> operands -> kernel -> finish. Arrows never run back.
 */
#ifndef GB_MXM_MXM_H
#define GB_MXM_MXM_H

#include "mxm/model/call.h"
#include "mxm/model/features.h"

gbl_Info gb_mxm(const gb_MxmCall *call);
gbl_Info gb_mxv(const gb_MxvCall *call);
/* Shapes and domains alone, which gb_mxm and gb_mxv check themselves. */
gbl_Info gb_mxm_check(const gb_MxmCall *call);
gbl_Info gb_mxv_check(const gb_MxvCall *call);
/* All that gb_mxv checks, and the form that is asked for; and the rest of it. */
gbl_Info gb_mxv_ask(gbl_Desc_Value *method, const gb_MxvCall *call);
gbl_Info gb_mxv_asked(const gb_MxvCall *call, gbl_Desc_Value method);
/* fold->z = all entries of the product, folded; nothing where fold->nvals is 0. call->C and accum
 * are NULL. The product is stored only where the method cannot do without. */
gbl_Info gb_mxm_reduce(const gb_MxmCall *call, gb_Folding *fold);

/* How gb_mxm would do it, without a conversion: where a factor is held neither by rows nor by
 * columns, means stand for counts. */
gbl_Info gb_mxm_plan(gbl_Explanation *why, const gb_MxmCall *call);

/* All facts that the choice would be made of, for shapes that fit and factors that have entries;
 * whatever C is. */
gbl_Info gb_mxm_features(gb_Features *f, const gb_MxmCall *call);

#endif
