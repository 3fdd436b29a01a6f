/* SPDX-License-Identifier: Apache-2.0
 *
 * See mxv_update.h.
 */
#include "mxm/mxv_update.h"

#include "ops/finish.h"
#include "ops/update.h"

static bool keeps_any(const gb_MxvCall *call) {
    return call->ring->add->op->code == GB_ANY;
}

gbl_Info gb_mxv_begin_update(gb_MxvCall *call) {
    gb_DenseView view;
    const gb_Mask none = {0};
    const gb_BinaryOp *add = call->ring->add->op;
    gbl_Info info = gb_check_output(call->best, &none, add, add->ztype);
    if (info == GBL_SUCCESS) info = gb_acquire_dense(call->best, &view);
    if (info == GBL_SUCCESS && keeps_any(call))
        call->mask = (gb_Mask){.M = call->best, .structural = true, .complement = true};
    return info;
}

/* T holds nothing but changes, and is a list of values as `best` has them, which is held by no axes
 * beside. */
static bool is_written_as_is(const gb_MxvCall *call, bool pruned, const gb_Result *T) {
    const gb_Matrix *best = call->best;
    if (T->is_dense || best->iso || gb_is_hyper(best) || T->type->code != best->type->code)
        return false;
    return pruned || (keeps_any(call) && T->masked);
}

static void write_list(const gb_MxvCall *call, gb_Result *T) {
    const gb_CsView list = gb_cs_view(&T->cs, call->best->nrows, T->type->size);
    if (list.nvals > 0) gb_dense_write_list(call->best, &list, list.x, list.iso);
    gb_matrix_set_cs(call->w, GB_CSC, &T->cs);
}

gbl_Info gb_mxv_update(const gb_MxvCall *call, const gb_BinaryOp *add, bool pruned, gb_Result *T) {
    gb_Matrix *product;
    if (is_written_as_is(call, pruned, T)) {
        write_list(call, T);
        gb_result_free(T);
        return GBL_SUCCESS;
    }
    gbl_Info info = gb_matrix_new(&product, GB_MAGIC_VECTOR, add->ztype, call->best->nrows, 1);
    if (info != GBL_SUCCESS) {
        gb_result_free(T);
        return info;
    }
    info = gb_finish(product, &call->mask, NULL, T);
    if (info == GBL_SUCCESS) info = gb_update_vector(call->best, call->w, add, product);
    gb_matrix_free(product);
    return info;
}
