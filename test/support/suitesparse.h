/* SPDX-License-Identifier: Apache-2.0
 *
 * The same operations by SuiteSparse:GraphBLAS, on dense matrices as the oracle has them. Only
 * suitesparse.c sees GraphBLAS.h. Objects are named by their place in the tables of gb_test.h.
 */
#pragma once

#include "support/gb_test.h"

void s_setup(void); /* both libraries */
void s_teardown(void);
#define SS_TEST(suite, name) Test(suite, name, .init = s_setup, .fini = s_teardown)

/* C<M> accum= op(A, B); the matrices are those the oracle would get, and C is replaced by the
 * result. Vectors are n x 1. */
typedef struct {
    o_Matrix *C;
    const o_Matrix *M, *A, *B;
    t_Flags flags;
    size_t accum, op; /* places in t_binaries, and in the table of the operation's operators */
    o_Type type;      /* of x */
    o_Value x;        /* a bound value */
} s_Call;

void s_mxm(const s_Call *call); /* op: in t_rings */
void s_mxv(const s_Call *call);
void s_vxm(const s_Call *call); /* A is the vector, B the matrix */
void s_add(const s_Call *call); /* op: in t_binaries */
void s_mult(const s_Call *call);
void s_apply(const s_Call *call);       /* op: in t_unaries */
void s_apply_first(const s_Call *call); /* op: in t_binaries */
void s_apply_second(const s_Call *call);
void s_apply_index(const s_Call *call); /* op: in t_indexes */
void s_select(const s_Call *call);
void s_transpose(const s_Call *call);
void s_assign(const s_Call *call);
void s_assign_value(const s_Call *call);
void s_reduce_rows(const s_Call *call); /* op: in t_monoids; C is n x 1 */
o_Value s_reduce(const s_Call *call);   /* of A, in the monoid's type */
void s_kronecker(const s_Call *call);   /* op: in t_binaries */

/* By lists of rows and columns; NULL: all. Rows and columns of C are assigned from the vector B,
 * and the mask M is a vector then. */
typedef struct {
    s_Call call;
    const gbl_Index *I, *J;
    gbl_Index ni, nj, line;
} s_Lists;
void s_extract(const s_Lists *lists);
void s_extract_column(const s_Lists *lists); /* C is n x 1 */
void s_assign_at(const s_Lists *lists);
void s_assign_value_at(const s_Lists *lists);
void s_assign_row(const s_Lists *lists);
void s_assign_column(const s_Lists *lists);
