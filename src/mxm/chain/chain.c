/* SPDX-License-Identifier: Apache-2.0
 *
 * Products of many factors: checks, and the products in the order chosen; see chain.h.
 */
#include "mxm/chain/chain.h"

#include "core/clock.h"
#include "core/memory.h"
#include "mxm/mxm.h"
#include "mxm/model/ring.h"
#include "ops/finish.h"

static uint64_t rows_of(const gb_ChainCall *call, int f) {
    return gb_chain_transposed(call, f) ? call->A[f]->ncols : call->A[f]->nrows;
}

static uint64_t columns_of(const gb_ChainCall *call, int f) {
    return gb_chain_transposed(call, f) ? call->A[f]->nrows : call->A[f]->ncols;
}

static gbl_Info check_inner(const gb_ChainCall *call) {
    for (int f = 0; f + 1 < call->count; f++) {
        const uint64_t k = columns_of(call, f), rows = rows_of(call, f + 1);
        if (k == rows) continue;
        return gb_fail(GBL_DIMENSION_MISMATCH,
                       "A[%d]%s has %llu columns and A[%d]%s has %llu rows; they must be equal", f,
                       gb_chain_transposed(call, f) ? "'" : "", (unsigned long long)k, f + 1,
                       gb_chain_transposed(call, f + 1) ? "'" : "", (unsigned long long)rows);
    }
    return GBL_SUCCESS;
}

/* A product between may be either factor of the next one. */
static gbl_Info check_ring(const gb_ChainCall *call) {
    const gb_BinaryOp *multiply = call->ring->multiply;
    const gb_Type *type = call->ring->add->op->ztype;
    if (call->count > 2 && (multiply->xtype != type || multiply->ytype != type))
        return gb_fail(GBL_DOMAIN_MISMATCH,
                       "the semiring's multiplication must take the type that it makes, since a "
                       "product is a factor of the next one");
    for (int f = 0; f + 1 < call->count; f++) {
        const gbl_Info info = gb_ring_check(call->ring, call->A[f]->type, call->A[f + 1]->type);
        if (info != GBL_SUCCESS) return info;
    }
    return GBL_SUCCESS;
}

gbl_Info gb_chain_check(const gb_ChainCall *call) {
    const gb_Matrix *C = call->C;
    gbl_Info info = check_inner(call);
    if (info == GBL_SUCCESS) info = check_ring(call);
    if (info != GBL_SUCCESS || C == NULL) return info;
    const uint64_t m = rows_of(call, 0), n = columns_of(call, call->count - 1);
    if (C->nrows != m || C->ncols != n)
        return gb_fail(GBL_DIMENSION_MISMATCH, "C is %llu x %llu, but the product is %llu x %llu",
                       (unsigned long long)C->nrows, (unsigned long long)C->ncols,
                       (unsigned long long)m, (unsigned long long)n);
    return gb_check_output(C, &call->mask, call->accum, call->ring->add->op->ztype);
}

/* Sizes and the order that follows; `sizes` is to be released. */
static gbl_Info plan_chain(gb_ChainSizes *sizes, gb_ChainOrder *order, const gb_ChainCall *call) {
    uint64_t nvals;
    gbl_Info info = GBL_SUCCESS;
    for (int f = 0; f < call->count && info == GBL_SUCCESS; f++)
        info = gb_matrix_nvals(call->A[f], &nvals);
    if (info == GBL_SUCCESS) info = gb_chain_measure(sizes, call);
    if (info == GBL_SUCCESS) gb_chain_choose(order, sizes);
    return info;
}

static gbl_Info multiply(const gb_ChainCall *call, const gb_ChainOrder *order, int i, int j,
                         gb_Matrix *C);

/* i..j: a factor, or a new matrix *made. */
static gbl_Info operand(const gb_ChainCall *call, const gb_ChainOrder *order, int i, int j,
                        gb_Matrix **made) {
    if (i == j) return GBL_SUCCESS;
    gb_Type *type = (gb_Type *)call->ring->add->op->ztype;
    gbl_Info info =
        gb_matrix_new(made, GB_MAGIC_MATRIX, type, rows_of(call, i), columns_of(call, j));
    return info == GBL_SUCCESS ? multiply(call, order, i, j, *made) : info;
}

/* i..j into C, which is the call's for the whole chain. */
static gbl_Info multiply(const gb_ChainCall *call, const gb_ChainOrder *order, int i, int j,
                         gb_Matrix *C) {
    const int m = order->cut[i][j];
    const bool whole = C == call->C;
    const uint64_t *told = call->told;
    const gb_ReportedShape shape = {told != NULL ? told[i] : 0, told != NULL ? told[m + 1] : 0,
                                    told != NULL ? told[j + 1] : 0};
    gb_Matrix *left = NULL, *right = NULL;
    gbl_Info info = operand(call, order, i, m, &left);
    if (info == GBL_SUCCESS) info = operand(call, order, m + 1, j, &right);
    if (info == GBL_SUCCESS)
        info = gb_mxm(&(gb_MxmCall){.C = C,
                                    .mask = whole ? call->mask : (gb_Mask){.M = NULL},
                                    .accum = whole ? call->accum : NULL,
                                    .ring = call->ring,
                                    .A = left != NULL ? left : call->A[i],
                                    .B = right != NULL ? right : call->A[j],
                                    .transpose_a = i == m && gb_chain_transposed(call, i),
                                    .transpose_b = m + 1 == j && gb_chain_transposed(call, j),
                                    .choices = call->choices,
                                    .told = told != NULL ? &shape : NULL});
    gb_matrix_free(left);
    gb_matrix_free(right);
    return info;
}

gbl_Info gb_mxm_chain(const gb_ChainCall *call) {
    gb_ChainOrder order;
    gbl_Info info = gb_chain_check(call);
    if (info != GBL_SUCCESS) return info;
    gb_ChainSizes *sizes = gb_calloc(sizeof *sizes);
    if (sizes == NULL) return gb_fail_memory(sizeof *sizes);
    order.cut[0][1] = 0;
    if (call->count > 2) info = plan_chain(sizes, &order, call);
    gb_chain_release(sizes);
    gb_free(sizes, sizeof *sizes);
    return info == GBL_SUCCESS ? multiply(call, &order, 0, call->count - 1, call->C) : info;
}

gbl_Info gb_mxm_chain_plan(gbl_ChainPlan *plan, const gb_ChainCall *call) {
    const double start = gb_seconds();
    gb_ChainOrder order;
    gbl_Info info = gb_chain_check(call);
    if (info != GBL_SUCCESS) return info;
    gb_ChainSizes *sizes = gb_calloc(sizeof *sizes);
    if (sizes == NULL) return gb_fail_memory(sizeof *sizes);
    info = plan_chain(sizes, &order, call);
    if (info == GBL_SUCCESS) {
        const double planned = gb_seconds();
        gb_chain_explain(plan, &order, sizes);
        plan->seconds_plan = planned - start;
    }
    gb_chain_release(sizes);
    gb_free(sizes, sizeof *sizes);
    return info;
}
