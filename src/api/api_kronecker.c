/* SPDX-License-Identifier: Apache-2.0
 *
 * gbl_Matrix_kronecker_O: by an operator, a monoid or a semiring. A monoid stands for its operator,
 * a semiring for its multiplication.
 */
#include "api/check.h"
#include "hyper/hyper.h"

/* The operator was checked with the other handles, or info says what is wrong. */
static gbl_Info run(gb_Settings *settings, gb_Kronecker *call) {
    /* domains and dimensions */
    call->mask = &settings->mask;
    call->atransposed = settings->transpose0;
    call->btransposed = settings->transpose1;
    const gbl_Info info = gb_kronecker_check(call);
    if (info != GBL_SUCCESS) return info;
    /* do */
    return gb_lifted_kronecker(call);
}

#define GB_DEFINE(O, CHECK, OP)                                                                    \
    gbl_Info gbl_Matrix_kronecker_##O(gbl_Matrix C, gbl_Matrix M, gbl_BinaryOp accum, gbl_##O op,  \
                                      gbl_Matrix A, gbl_Matrix B, gbl_Descriptor desc) {           \
        /* handles */                                                                              \
        gb_Settings settings;                                                                      \
        gbl_Info info = gb_begin_matrix(&settings, C, M, accum, desc);                             \
        if (info == GBL_SUCCESS) info = CHECK(op, "op");                                           \
        if (info == GBL_SUCCESS) info = gb_check_matrix(A, "A");                                   \
        if (info == GBL_SUCCESS) info = gb_check_matrix(B, "B");                                   \
        if (info != GBL_SUCCESS) return gb_end(C, info);                                           \
        gb_Kronecker call = {.C = &C->m, .A = &A->m, .B = &B->m, .accum = accum, .op = OP};        \
        return gb_end(C, run(&settings, &call));                                                   \
    }
GB_DEFINE(BinaryOp, gb_check_binary, op)
GB_DEFINE(Monoid, gb_check_monoid, op->op)
GB_DEFINE(Semiring, gb_check_semiring, op->multiply)
