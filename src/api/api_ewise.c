/* SPDX-License-Identifier: Apache-2.0
 *
 * gbl_Matrix_eWiseAdd_BinaryOp and its kin, and gbl_Matrix_kronecker_BinaryOp. A monoid stands for
 * its operator; a semiring for its monoid's operator in Add and for its multiplication elsewhere.
 */
#include "api/check.h"
#include "ops/operations.h"

#define CHECK_BinaryOp gb_check_binary
#define CHECK_Monoid gb_check_monoid
#define CHECK_Semiring gb_check_semiring
#define ADD_BinaryOp(op) (op)
#define ADD_Monoid(op) (op)->op
#define ADD_Semiring(op) (op)->add->op
#define MULT_BinaryOp(op) (op)
#define MULT_Monoid(op) (op)->op
#define MULT_Semiring(op) (op)->multiply

/* OP: the operator's gb_Op; CALL: its call, whose further fields follow; BINARY: which of O's */
#define GB_DEFINE_ONE(K, LETTERS, NAME, O, BINARY, OP, CALL, ...)                                  \
    gbl_Info gbl_##K##_##NAME##_##O(gbl_##K C, gbl_##K M, gbl_BinaryOp accum, gbl_##O op,          \
                                    gbl_##K A, gbl_##K B, gbl_Descriptor desc) {                   \
        CALL call = {.C = GB_OF(C),                                                                \
                     .mask.M = GB_OF(M),                                                           \
                     .accum = accum,                                                               \
                     .A = GB_OF(A),                                                                \
                     .B = GB_OF(B),                                                                \
                     __VA_ARGS__};                                                                 \
        gbl_Info info = gb_begin_call(&OP, &call, LETTERS, desc);                                  \
        if (info == GBL_SUCCESS) info = CHECK_##O(op, "op");                                       \
        if (info != GBL_SUCCESS) return gb_end(C, info);                                           \
        call.op = BINARY##_##O(op);                                                                \
        const bool positional = gb_binary_is_positional(call.op);                                  \
        return gb_end(C, positional ? gb_run_pairs(&OP, &call) : gb_run(&OP, &call));              \
    }
#define GB_DEFINE_EWISE(K, LETTERS, O)                                                             \
    GB_DEFINE_ONE(K, LETTERS, eWiseAdd, O, ADD, gb_op_ewise_add, gb_Ewise, .unite = true)          \
    GB_DEFINE_ONE(K, LETTERS, eWiseMult, O, MULT, gb_op_ewise_mult, gb_Ewise, .unite = false)
#define GB_DEFINE(O)                                                                               \
    GB_DEFINE_EWISE(Vector, "wmuv", O)                                                             \
    GB_DEFINE_EWISE(Matrix, "CMAB", O)                                                             \
    GB_DEFINE_ONE(Matrix, "CMAB", kronecker, O, MULT, gb_op_kronecker, gb_Kronecker, )
GB_DEFINE(BinaryOp)
GB_DEFINE(Monoid)
GB_DEFINE(Semiring)
