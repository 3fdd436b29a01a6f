/* SPDX-License-Identifier: Apache-2.0
 *
 * gbl_transpose. With GBL_INP0 = GBL_TRAN in the descriptor the two transpositions cancel.
 */
#include "api/check.h"
#include "hyper/hyper.h"

static gbl_Info transpose(gbl_Matrix C, gbl_Matrix M, gbl_BinaryOp accum, gbl_Matrix A,
                          gbl_Descriptor desc) {
    /* handles */
    gb_Settings settings;
    gbl_Info info = gb_begin_matrix(&settings, C, M, accum, desc);
    if (info == GBL_SUCCESS) info = gb_check_matrix(A, "A");
    if (info != GBL_SUCCESS) return info;
    /* domains and dimensions */
    const bool turned = !settings.transpose0;
    info = gb_check_output(&C->m, &settings.mask, accum, A->m.type);
    if (info == GBL_SUCCESS) info = gb_check_shape(&A->m, turned, C->m.nrows, C->m.ncols, "A");
    if (info != GBL_SUCCESS) return info;
    /* do */
    return gb_lifted_transpose(&C->m, &settings.mask, accum, &A->m, turned);
}

gbl_Info gbl_transpose(gbl_Matrix C, gbl_Matrix M, gbl_BinaryOp accum, gbl_Matrix A,
                       gbl_Descriptor desc) {
    return gb_end(C, transpose(C, M, accum, A, desc));
}
