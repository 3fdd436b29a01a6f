/* SPDX-License-Identifier: Apache-2.0
 *
 * See chain.h. The dimensions of a chain are the rows of the first factor, what each factor sums
 * over with the next one, and the columns of the last: along each the row lists of its two factors
 * are united, and the ordinary chain runs on compact factors.
 */
#include "graph/chain.h"

#include "core/memory.h"
#include "lazy/operations.h"
#include "matrix/acquire.h"

/* Factor f is of list[f] and list[f + 1]. */
typedef struct {
    gb_RowList *list[GB_CHAIN_MOST + 1];
    gb_Compact A[GB_CHAIN_MOST];
    uint64_t shape[GB_CHAIN_MOST + 1]; /* factor f is shape[f] x shape[f + 1] */
    gb_ChainCall core;                 /* the call on compact matrices */
} Factors;

static bool is_hyper(const gb_ChainCall *call, bool huge_only) {
    const gb_Matrix *M = call->mask.M;
    if (huge_only ? gb_any_huge(call->C, M, NULL, NULL)
                  : gb_any_hyper(call->C, M, call->A[0], call->A[call->count - 1]))
        return true;
    for (int f = 0; f < call->count; f++)
        if (huge_only ? gb_is_huge(call->A[f]) : gb_is_hyper(call->A[f])) return true;
    return false;
}

static void release(Factors *factors) {
    for (int f = 0; f < GB_CHAIN_MOST; f++) gb_compact_release(&factors->A[f]);
    for (int f = 0; f <= GB_CHAIN_MOST; f++) gb_row_list_release(factors->list[f]);
    gb_free(factors, sizeof *factors);
}

static gbl_Info unite_lists(Factors *factors, const gb_ChainCall *call) {
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
            info = gb_row_list_unite(&factors->list[f], (gb_RowList *[]){before, mine}, 2);
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
        const gb_RowLists lists = {factors->list[turned ? f + 1 : f],
                                   factors->list[turned ? f : f + 1]};
        info = gb_compact_get(&factors->A[f], call->A[f], &lists, false);
        factors->core.A[f] = factors->A[f].m;
    }
    return info;
}

/* Afterwards the row lists are there; to be released also after a failure, unless it is NULL. */
static gbl_Info open_factors(Factors **opened, const gb_ChainCall *call) {
    Factors *factors = gb_calloc(sizeof *factors);
    *opened = factors;
    if (factors == NULL) return gb_fail_memory(sizeof *factors);
    factors->core = *call;
    factors->core.told = factors->shape;
    return unite_lists(factors, call);
}

static void replace_list(gb_RowList **list, gb_RowList *with) {
    gb_row_list_release(*list);
    *list = gb_row_list_retain(with);
}

/* The outer row lists become those that C and its mask have too. */
static gbl_Info multiply_compact(Factors *factors, const gb_ChainCall *call) {
    gb_HyperCall hyper;
    gb_hyper_begin(&hyper, &gb_op_chain, call);
    hyper.more[GB_DIM_ROWS] = factors->list[0];
    hyper.more[GB_DIM_COLS] = factors->list[call->count];
    gbl_Info info = gb_hyper_open(&hyper);
    if (info == GBL_SUCCESS) {
        replace_list(&factors->list[0], hyper.list[GB_DIM_ROWS]);
        replace_list(&factors->list[call->count], hyper.list[GB_DIM_COLS]);
        factors->core.C = gb_core(&hyper, GB_OF_C);
        factors->core.mask.M = gb_core(&hyper, GB_OF_M);
        info = compact_factors(factors, call);
    }
    if (info == GBL_SUCCESS) info = gb_mxm_chain(&factors->core);
    return gb_hyper_close(&hyper, info);
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
            info = gb_run_now(&gb_op_mxm,
                              &(gb_MxmCall){.C = C,
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

static gbl_Info run_chain(const void *asked) {
    const gb_ChainCall *call = asked;
    Factors *factors;
    if (!is_hyper(call, false)) return gb_mxm_chain(call);
    gbl_Info info = gb_chain_check(call);
    if (info != GBL_SUCCESS) return info;
    if (gb_binary_is_positional(call->ring->multiply))
        return is_hyper(call, true) ? multiply_by_position(call) : gb_mxm_chain(call);
    info = open_factors(&factors, call);
    if (info == GBL_SUCCESS) info = multiply_compact(factors, call);
    if (factors != NULL) release(factors);
    return info;
}

const gb_Op gb_op_chain = {.name = "mxm_chain",
                           .bytes = sizeof(gb_ChainCall),
                           .mask = offsetof(gb_ChainCall, mask),
                           .accum = offsetof(gb_ChainCall, accum),
                           .hyper = run_chain,
                           .host = run_chain};

gbl_Info gb_chain_plan(gbl_ChainPlan *plan, const gb_ChainCall *call) {
    Factors *factors;
    if (!is_hyper(call, false)) return gb_mxm_chain_plan(plan, call);
    gbl_Info info = gb_chain_check(call);
    if (info != GBL_SUCCESS) return info;
    info = open_factors(&factors, call);
    if (info == GBL_SUCCESS) info = compact_factors(factors, call);
    if (info == GBL_SUCCESS) info = gb_mxm_chain_plan(plan, &factors->core);
    if (factors != NULL) release(factors);
    return info;
}
