/* SPDX-License-Identifier: Apache-2.0
 *
 * The fold of a product: a product whose output nobody else sees. A method that can folds entries
 * as it makes them and leaves the output empty; what others have stored is folded as reduce does.
 */
#include "mxm/mxm.h"
#include "ops/reduce.h"

/* Made entries have the semiring's type; reduce casts, methods do not. */
static bool folds_as_made(const gb_MxmCall *call, const gb_Monoid *monoid) {
    return monoid->op->ztype == call->ring->add->op->ztype;
}

static gbl_Info fold_stored(gb_Folding *fold, gb_Matrix *C) {
    const gb_Fold how = gb_fold_monoid(fold->monoid);
    const gbl_Info info = gb_reduce_all(fold->z, &how, C);
    fold->nvals = info == GBL_SUCCESS ? C->nvals : 0;
    return info == GBL_NO_VALUE ? GBL_SUCCESS : info;
}

gbl_Info gb_mxm_reduce(const gb_MxmCall *asked, gb_Folding *fold) {
    gb_MxmCall call = *asked;
    fold->nvals = 0;
    fold->done = false;
    if (folds_as_made(asked, fold->monoid)) call.fold = fold;
    gbl_Info info = gb_matrix_new(&call.C, GB_MAGIC_MATRIX, call.ring->add->op->ztype,
                                  gb_nmajor(call.A, gb_rows_of_a(&call)),
                                  gb_nminor(call.B, gb_rows_of_b(&call)));
    if (info == GBL_SUCCESS) info = gb_mxm(&call);
    if (info == GBL_SUCCESS && !fold->done) info = fold_stored(fold, call.C);
    gb_matrix_free(call.C);
    return info;
}
