/* SPDX-License-Identifier: Apache-2.0
 *
 * gbl_Matrix_eWiseAdd_BinaryOp and its kin. A monoid stands for its operator; a semiring for its
 * monoid's operator in Add and for its multiplication in Mult.
 */
#include "api/check.h"
#include "hyper/hyper.h"

/* Handles as the user gave them, checked up to the operator. */
typedef struct {
    gbl_Info info;
    gb_Settings settings;
    gb_Ewise call;
} Begin;

static Begin begin_Matrix(gbl_Matrix C, gbl_Matrix M, gbl_BinaryOp accum, gbl_Matrix A,
                          gbl_Matrix B, gbl_Descriptor desc) {
    Begin begin;
    gbl_Info info = gb_begin_matrix_deferred(&begin.settings, C, M, accum, desc);
    if (info == GBL_SUCCESS) info = gb_check_handle(A, "A");
    if (info == GBL_SUCCESS) info = gb_check_handle(B, "B");
    begin.info = info;
    begin.call = (gb_Ewise){.C = gb_of_matrix(C),
                            .A = gb_of_matrix(A),
                            .B = gb_of_matrix(B),
                            .accum = accum,
                            .atransposed = begin.settings.transpose0,
                            .btransposed = begin.settings.transpose1};
    return begin;
}

static Begin begin_Vector(gbl_Vector w, gbl_Vector m, gbl_BinaryOp accum, gbl_Vector u,
                          gbl_Vector v, gbl_Descriptor desc) {
    Begin begin;
    gbl_Info info = gb_begin_vector_deferred(&begin.settings, w, m, accum, desc);
    if (info == GBL_SUCCESS) info = gb_check_vector_handle(u, "u");
    if (info == GBL_SUCCESS) info = gb_check_vector_handle(v, "v");
    begin.info = info;
    begin.call = (gb_Ewise){
        .C = gb_of_vector(w), .A = gb_of_vector(u), .B = gb_of_vector(v), .accum = accum};
    return begin;
}

static gbl_Info ewise(Begin *begin, const gb_BinaryOp *op, bool unite) {
    /* domains and dimensions */
    begin->call.mask = &begin->settings.mask;
    begin->call.op = op;
    begin->call.unite = unite;
    const gbl_Info info = gb_ewise_check(&begin->call);
    if (info != GBL_SUCCESS) return info;
    /* do */
    return gb_lifted_ewise_later(&begin->call);
}

#define CHECK_BinaryOp gb_check_binary
#define CHECK_Monoid gb_check_monoid
#define CHECK_Semiring gb_check_semiring
#define ADD_BinaryOp(op) (op)
#define ADD_Monoid(op) (op)->op
#define ADD_Semiring(op) (op)->add->op
#define MULT_BinaryOp(op) (op)
#define MULT_Monoid(op) (op)->op
#define MULT_Semiring(op) (op)->multiply

#define GB_DEFINE_ONE(K, NAME, O, OP, UNITE)                                                       \
    gbl_Info gbl_##K##_##NAME##_##O(gbl_##K C, gbl_##K M, gbl_BinaryOp accum, gbl_##O op,          \
                                    gbl_##K A, gbl_##K B, gbl_Descriptor desc) {                   \
        /* handles */                                                                              \
        Begin begin = begin_##K(C, M, accum, A, B, desc);                                          \
        if (begin.info == GBL_SUCCESS) begin.info = CHECK_##O(op, "op");                           \
        if (begin.info == GBL_SUCCESS) begin.info = ewise(&begin, OP, UNITE);                      \
        return gb_end(C, begin.info);                                                              \
    }
#define GB_DEFINE(K, O)                                                                            \
    GB_DEFINE_ONE(K, eWiseAdd, O, ADD_##O(op), true)                                               \
    GB_DEFINE_ONE(K, eWiseMult, O, MULT_##O(op), false)
GB_DEFINE(Vector, BinaryOp)
GB_DEFINE(Vector, Monoid)
GB_DEFINE(Vector, Semiring)
GB_DEFINE(Matrix, BinaryOp)
GB_DEFINE(Matrix, Monoid)
GB_DEFINE(Matrix, Semiring)
