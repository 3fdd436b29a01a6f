/* SPDX-License-Identifier: Apache-2.0
 *
 * C<M> accum= A(I, J): parts of a matrix, one column of it, or elements of a vector.
 */
#ifndef GB_OPS_EXTRACT_H
#define GB_OPS_EXTRACT_H

#include "matrix/index_map.h"
#include "ops/finish.h"

/* Rows I and columns J of A, or of A'; both in any order, also repeated. Where C is a vector and A
 * a matrix, J is one column; where A is a vector, J is all of its one column. */
typedef struct {
    gb_Matrix *C;
    gb_Mask mask;
    const gb_BinaryOp *accum;
    gb_Matrix *A;
    bool transpose;
    gb_Indices I, J;
} gb_Extract;
extern const gb_Op gb_op_extract;

/* For a gb_Extract of ordinary objects; for one with hypersparse ones (hyper_lists.c). */
gbl_Info gb_extract_host(const void *call);
gbl_Info gb_extract_hyper(const void *call);

/* w<m> accum= u(I(k)) for each entry I(k) of a vector of integers; GBL_INDEX_OUT_OF_BOUNDS for one
 * that is no index of u. */
typedef struct {
    gb_Matrix *w;
    gb_Mask mask;
    const gb_BinaryOp *accum;
    gb_Matrix *u, *I;
} gb_ExtractAt;
extern const gb_Op gb_op_extract_at;

#endif
