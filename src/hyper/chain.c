/* SPDX-License-Identifier: Apache-2.0
 *
 * Products of many factors, lifted. The dimensions of a chain are the rows of the first factor,
 * what each factor sums over with the next one, and the columns of the last: along each the axes of
 * its two factors are united, and the ordinary chain runs on compact factors.
 */
#include "core/memory.h"
#include "hyper/hyper.h"
#include "hyper/lift.h"

/* Factor f is of axis[f] and axis[f + 1]. */
typedef struct {
    gb_RowList *axis[GB_CHAIN_MOST + 1];
    gb_Compact A[GB_CHAIN_MOST];
    uint64_t shape[GB_CHAIN_MOST + 1]; /* factor f is shape[f] x shape[f + 1] */
    gb_ChainCall core;                 /* the call on compact matrices */
} Factors;

static bool is_lifted(const gb_ChainCall *call, bool huge_only) {
    const gb_Mask *mask = &call->mask;
    if (huge_only ? gb_any_huge(call->C, mask, NULL, NULL)
                  : gb_any_hyper(call->C, mask, call->A[0], call->A[call->count - 1]))
        return true;
    for (int f = 0; f < call->count; f++)
        if (huge_only ? gb_is_huge(call->A[f]) : gb_is_hyper(call->A[f])) return true;
    return false;
}

static void release(Factors *factors) {
    for (int f = 0; f < GB_CHAIN_MOST; f++) gb_compact_release(&factors->A[f]);
    for (int f = 0; f <= GB_CHAIN_MOST; f++) gb_row_list_release(factors->axis[f]);
    gb_free(factors, sizeof *factors);
}

static gbl_Info unite_axes(Factors *factors, const gb_ChainCall *call) {
    gb_RowList *before = NULL; /* that of the factor before, along the dimension */
    gbl_Info info = GBL_SUCCESS;
    for (int f = 0; f <= call->count && info == GBL_SUCCESS; f++) {
        gb_RowLists held = {0};
        if (f < call->count) info = gb_assemble(call->A[f]);
        if (f < call->count && info == GBL_SUCCESS) info = gb_row_lists_of(&held, call->A[f]);
        const bool turned = f < call->count && gb_chain_transposed(call, f);
        gb_RowList *const mine = turned ? held.cols : held.rows;
        if (f < call->count) {
            factors->shape[f] = gb_nmajor(call->A[f], turned ? GB_CSC : GB_CSR);
            factors->shape[f + 1] = gb_nminor(call->A[f], turned ? GB_CSC : GB_CSR);
        }
        if (info == GBL_SUCCESS)
            info = gb_row_list_unite(&factors->axis[f], (gb_RowList *[]){before, mine}, 2);
        gb_row_list_release(before);
        before = gb_row_list_retain(turned ? held.rows : held.cols);
        gb_row_lists_release(&held);
    }
    gb_row_list_release(before);
    return info;
}

static gbl_Info compact_factors(Factors *factors, const gb_ChainCall *call) {
    gbl_Info info = GBL_SUCCESS;
    for (int f = 0; f < call->count && info == GBL_SUCCESS; f++) {
        const bool turned = gb_chain_transposed(call, f);
        const gb_RowLists axes = {factors->axis[turned ? f + 1 : f],
                                  factors->axis[turned ? f : f + 1]};
        info = gb_compact_get(&factors->A[f], call->A[f], &axes, false);
        factors->core.A[f] = factors->A[f].m;
    }
    return info;
}

/* Afterwards the axes are there; to be released also after a failure, unless it is NULL. */
static gbl_Info open_factors(Factors **opened, const gb_ChainCall *call) {
    Factors *factors = gb_calloc(sizeof *factors);
    *opened = factors;
    if (factors == NULL) return gb_fail_memory(sizeof *factors);
    factors->core = *call;
    factors->core.told = factors->shape;
    return unite_axes(factors, call);
}

static void replace_axis(gb_RowList **axis, gb_RowList *with) {
    gb_row_list_release(*axis);
    *axis = gb_row_list_retain(with);
}

/* The outer axes become those that C and its mask have too. */
static gbl_Info multiply_lifted(Factors *factors, const gb_ChainCall *call) {
    gb_Lift lift;
    gb_lift_output(&lift, call->C, &call->mask, call->accum);
    lift.more[GB_DIM_ROWS] = factors->axis[0];
    lift.more[GB_DIM_COLS] = factors->axis[call->count];
    gbl_Info info = gb_lift_begin(&lift);
    if (info == GBL_SUCCESS) {
        replace_axis(&factors->axis[0], lift.axis[GB_DIM_ROWS]);
        replace_axis(&factors->axis[call->count], lift.axis[GB_DIM_COLS]);
        factors->core.C = gb_core(&lift, GB_OF_C);
        factors->core.mask = lift.core_mask;
        info = compact_factors(factors, call);
    }
    if (info == GBL_SUCCESS) info = gb_mxm_chain(&factors->core);
    return gb_lift_end(&lift, info);
}

/* Multiplications by position see true indices: product by product, from left to right. */
static gbl_Info multiply_by_position(const gb_ChainCall *call) {
    gb_Matrix *left = NULL;
    gbl_Info info = GBL_SUCCESS;
    for (int f = 1; f < call->count && info == GBL_SUCCESS; f++) {
        const bool last = f == call->count - 1, first = f == 1;
        gb_Matrix *C = call->C;
        if (!last)
            info = gb_matrix_new(&C, GB_MAGIC_MATRIX, call->ring->add->op->ztype, call->C->nrows,
                                 call->A[f]->ncols);
        if (info == GBL_SUCCESS)
            info = gb_lifted_mxm(&(gb_MxmCall){.C = C,
                                               .mask = last ? call->mask : (gb_Mask){.M = NULL},
                                               .accum = last ? call->accum : NULL,
                                               .ring = call->ring,
                                               .A = first ? call->A[0] : left,
                                               .B = call->A[f],
                                               .transpose_a = first && call->transpose_first,
                                               .transpose_b = last && call->transpose_last,
                                               .choices = call->choices});
        gb_matrix_free(left);
        left = last ? NULL : C;
    }
    gb_matrix_free(left);
    return info;
}

gbl_Info gb_lifted_chain(const gb_ChainCall *call) {
    Factors *factors;
    if (!is_lifted(call, false)) return gb_mxm_chain(call);
    gbl_Info info = gb_chain_check(call);
    if (info != GBL_SUCCESS) return info;
    if (gb_binary_is_positional(call->ring->multiply))
        return is_lifted(call, true) ? multiply_by_position(call) : gb_mxm_chain(call);
    info = open_factors(&factors, call);
    if (info == GBL_SUCCESS) info = multiply_lifted(factors, call);
    if (factors != NULL) release(factors);
    return info;
}

gbl_Info gb_lifted_chain_plan(gbl_ChainPlan *plan, const gb_ChainCall *call) {
    Factors *factors;
    if (!is_lifted(call, false)) return gb_mxm_chain_plan(plan, call);
    gbl_Info info = gb_chain_check(call);
    if (info != GBL_SUCCESS) return info;
    info = open_factors(&factors, call);
    if (info == GBL_SUCCESS) info = compact_factors(factors, call);
    if (info == GBL_SUCCESS) info = gb_mxm_chain_plan(plan, &factors->core);
    if (factors != NULL) release(factors);
    return info;
}
