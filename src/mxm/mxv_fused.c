/* SPDX-License-Identifier: Apache-2.0
 *
 * See mxv_visit.h.
 */
#include "mxm/mxv_fused.h"

#include "core/bits.h"
#include "matrix/dense.h"
#include "mxm/machine/cost_table.h"

bool gb_mxv_can_fused(const gb_MxvCall *call, const gb_MxvPlan *plan) {
    const gb_Matrix *m = call->mask.M;
    return call->visit != NULL && !(plan->push && plan->sorted) && !m->iso &&
           gb_has(m) & GBL_HAS_BITMAP;
}

/* So few products that they are listed as they come, and sorted. */
static bool is_short(const gb_MxvPlan *plan) {
    return plan->push && plan->counted && plan->products <= GB_FUSED_MOST;
}

size_t gb_mxv_fused_bytes(const gb_MxvCall *call, const gb_MxvPlan *plan, size_t values) {
    const size_t room = is_short(plan) ? 2 * sizeof(uint64_t) * gb_to_u64(plan->products) : 0;
    if (call->visit->value == NULL) return room;
    return room > values ? room : values;
}

void gb_mxv_begin_fused(gb_MxvArgs *args, const gb_MxvCall *call, const gb_MxvPlan *plan) {
    const gb_Dense *seen = &call->mask.M->dense;
    args->seen.b = seen->b;
    args->seen.x = seen->x;
    args->seen.value = call->visit->value;
    if (is_short(plan) && gb_backend()->has_visit(args->ring)) args->seen.room = args->val;
    if (call->visit->value == NULL) args->val = seen->x;
}

int32_t gb_mxv_end_fused(const gb_MxvCall *call, gb_Result *T) {
    if (T->cs.nvals > 0) gb_dense_gained(call->mask.M, T->cs.nvals);
    gb_matrix_set_cs(call->w, GB_CSC, &T->cs);
    gb_result_free(T);
    call->visit->made = true;
    return call->visit->calls;
}
