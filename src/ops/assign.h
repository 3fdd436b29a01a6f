/* SPDX-License-Identifier: Apache-2.0
 *
 * C<M>(I, J) accum= A, or = one value. The mask has C's shape. Without accum, entries of C at (I,
 * J) where A has none are deleted.
 */
#ifndef GB_OPS_ASSIGN_H
#define GB_OPS_ASSIGN_H

#include "ops/finish.h"

/* A list of rows or columns. */
typedef struct {
    const gbl_Index *i; /* [n], each < the dimension; unused when all */
    uint64_t n;         /* when all: the dimension */
    bool all;
} gb_Indices;

typedef struct {
    gb_Matrix *C;
    const gb_Mask *mask;
    const gb_BinaryOp *accum;
    gb_Matrix *A; /* or NULL: the value at x everywhere; x NULL: no entry anywhere */
    bool atransposed;
    const gb_Type *xtype;
    const void *x;
    gb_Indices I, J; /* rows and columns; for a vector J is all of its one column */
} gb_Assign;

/* GBL_NULL_POINTER, or GBL_INDEX_OUT_OF_BOUNDS for an index that is not below the dimension. */
gbl_Info gb_indices_check(const gb_Indices *indices, uint64_t dimension, const char *name);
/* Domains and shapes; the handles and indices are valid. */
gbl_Info gb_assign_check(const gb_Assign *call);
gbl_Info gb_assign(const gb_Assign *call);

/* assign_indices.c: the general case */
gbl_Info gb_assign_at(const gb_Assign *call);

#endif
