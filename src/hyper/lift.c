/* SPDX-License-Identifier: Apache-2.0
 *
 * See lift.h.
 */
#include "hyper/lift.h"

#include <string.h>

#include "matrix/acquire.h"

static bool begins_hyper(const gb_Matrix *C, gb_Matrix *A, gb_Matrix *B) {
    gb_Matrix *const inputs[] = {A, B};
    uint64_t nvals = 0;
    if (C->nvals > 0 || C->pending != NULL || !gb_suits_hyper(C, 0)) return false;
    for (int k = 0; k < 2; k++) {
        if (inputs[k] == NULL) continue;
        if (gb_assemble(inputs[k]) != GBL_SUCCESS) return false; /* the operation will say why */
        nvals += inputs[k]->nvals;
    }
    return gb_suits_hyper(C, nvals);
}

bool gb_any_hyper(const gb_Matrix *C, const gb_Mask *mask, gb_Matrix *A, gb_Matrix *B) {
    return (C != NULL && gb_is_hyper(C)) || (mask->M != NULL && gb_is_hyper(mask->M)) ||
           (A != NULL && gb_is_hyper(A)) || (B != NULL && gb_is_hyper(B)) ||
           (C != NULL && begins_hyper(C, A, B));
}

bool gb_any_huge(const gb_Matrix *C, const gb_Mask *mask, const gb_Matrix *A, const gb_Matrix *B) {
    return (C != NULL && gb_is_huge(C)) || (mask->M != NULL && gb_is_huge(mask->M)) ||
           (A != NULL && gb_is_huge(A)) || (B != NULL && gb_is_huge(B));
}

void gb_lift_input(gb_Lift *lift, gb_OperandOf which, gb_Matrix *A, gb_Dimension rows,
                   gb_Dimension cols) {
    const bool vector = A != NULL && gb_is_vector(A);
    lift->operand[which] = (gb_Lifted){A, rows, vector ? GB_DIM_ONE : cols};
}

void gb_lift_output(gb_Lift *lift, gb_Matrix *C, const gb_Mask *mask, const gb_BinaryOp *accum) {
    *lift = (gb_Lift){.mask = mask, .accum = accum};
    gb_lift_input(lift, GB_OF_C, C, GB_DIM_ROWS, GB_DIM_COLS);
    gb_lift_input(lift, GB_OF_M, mask->M, GB_DIM_ROWS, GB_DIM_COLS);
}

/* Whether the output depends on what C has. */
static bool keeps_output(const gb_Lift *lift) {
    const gb_Matrix *C = lift->operand[GB_OF_C].object;
    const gb_Mask *mask = lift->mask;
    const bool masked = mask->M != NULL || mask->complement;
    return C != NULL && C->nvals > 0 &&
           (lift->keeps || lift->accum != NULL || (masked && !mask->replace));
}

/* The axis of each dimension is the union of those that operands have along it. Where two
 * dimensions have the same axes to unite they share the union. */
static gbl_Info unite(gb_Lift *lift, const gb_RowLists *held) {
    gb_RowList *parts[GB_DIMENSIONS][2 * GB_OPERANDS + 1] = {{NULL}};
    int count[GB_DIMENSIONS] = {0};
    for (int d = 0; d < GB_DIMENSIONS; d++)
        if (lift->more[d] != NULL) parts[d][count[d]++] = lift->more[d];
    for (int k = 0; k < GB_OPERANDS; k++) {
        const gb_Lifted *of = &lift->operand[k];
        if (of->object == NULL) continue;
        if (held[k].rows != NULL) parts[of->rows][count[of->rows]++] = held[k].rows;
        if (held[k].cols != NULL) parts[of->cols][count[of->cols]++] = held[k].cols;
    }
    for (int d = 0; d < GB_DIMENSIONS; d++) {
        for (int e = 0; e < d && lift->axis[d] == NULL; e++)
            if (memcmp(parts[d], parts[e], sizeof parts[d]) == 0)
                lift->axis[d] = gb_row_list_retain(lift->axis[e]);
        if (lift->axis[d] != NULL) continue;
        const gbl_Info info = gb_row_list_unite(&lift->axis[d], parts[d], count[d]);
        if (info != GBL_SUCCESS) return info;
    }
    return GBL_SUCCESS;
}

static gb_RowLists axes_for(const gb_Lift *lift, int k) {
    const gb_Lifted *of = &lift->operand[k];
    return (gb_RowLists){lift->axis[of->rows],
                         of->cols == GB_DIM_ONE ? NULL : lift->axis[of->cols]};
}

/* C's compact form: its own where that has the axes, else a copy, or an empty one. */
static gbl_Info take_output(gb_Lift *lift, bool keeps) {
    gb_Matrix *C = lift->operand[GB_OF_C].object;
    gb_Compact *compact = &lift->compact[GB_OF_C];
    const gb_RowLists axes = axes_for(lift, GB_OF_C);
    if (!keeps) return gb_compact_new(&compact->m, C, C->type, &axes);
    lift->in_place = C->hyper != NULL && C->hyper->rows == axes.rows && C->hyper->cols == axes.cols;
    return gb_compact_get(compact, C, &axes, !lift->in_place);
}

gbl_Info gb_lift_begin(gb_Lift *lift) {
    gb_RowLists held[GB_OPERANDS] = {{NULL, NULL}};
    gbl_Info info = GBL_SUCCESS;
    for (int k = 0; k < GB_OPERANDS && info == GBL_SUCCESS; k++)
        if (lift->operand[k].object != NULL) info = gb_assemble(lift->operand[k].object);
    const bool keeps = info == GBL_SUCCESS && keeps_output(lift);
    for (int k = 0; k < GB_OPERANDS && info == GBL_SUCCESS; k++)
        if (lift->operand[k].object != NULL && (k != GB_OF_C || keeps))
            info = gb_row_lists_of(&held[k], lift->operand[k].object);
    if (info == GBL_SUCCESS) info = unite(lift, held);
    for (int k = 0; k < GB_OPERANDS && info == GBL_SUCCESS; k++) {
        const gb_RowLists axes = axes_for(lift, k);
        if (lift->operand[k].object == NULL) continue;
        info = k == GB_OF_C
                   ? take_output(lift, keeps)
                   : gb_compact_get(&lift->compact[k], lift->operand[k].object, &axes, false);
    }
    for (int k = 0; k < GB_OPERANDS; k++) gb_row_lists_release(&held[k]);
    lift->core_mask = *lift->mask;
    lift->core_mask.M = gb_core(lift, GB_OF_M);
    return info;
}

gbl_Info gb_lift_end(gb_Lift *lift, gbl_Info info) {
    gb_Matrix *C = lift->operand[GB_OF_C].object;
    gb_Compact *output = &lift->compact[GB_OF_C];
    if (info == GBL_SUCCESS && C != NULL) {
        if (lift->in_place) info = gb_assemble(output->m);
        if (lift->in_place && info == GBL_SUCCESS) {
            gb_hyper_written(C);
        } else if (!lift->in_place) {
            gb_RowLists axes = axes_for(lift, GB_OF_C);
            axes = (gb_RowLists){gb_row_list_retain(axes.rows), gb_row_list_retain(axes.cols)};
            gb_Matrix *const core = output->m;
            *output = (gb_Compact){0};
            info = gb_hyper_set(C, &axes, core);
        }
    }
    for (int k = 0; k < GB_OPERANDS; k++) gb_compact_release(&lift->compact[k]);
    for (int d = 0; d < GB_DIMENSIONS; d++) gb_row_list_release(lift->axis[d]);
    return info;
}
