/* SPDX-License-Identifier: Apache-2.0
 *
 * C<M>(I, J) accum= A, or = one value. The mask has C's shape. Without accum, entries of C at (I,
 * J) where A has none are deleted.
 */
#ifndef GB_OPS_ASSIGN_H
#define GB_OPS_ASSIGN_H

#include "matrix/index_map.h"
#include "ops/finish.h"

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

/* Domains and shapes; the handles and indices are valid. */
gbl_Info gb_assign_check(const gb_Assign *call);
gbl_Info gb_assign(const gb_Assign *call);

/* assign_indices.c: the general case */
gbl_Info gb_assign_at(const gb_Assign *call);
/* How C is written: by columns where it has nothing else, or where rows would be far more than
 * columns. */
gbl_Info gb_assign_format(gb_Format *format, gb_Matrix *C);

/* assign_line.c: one row or column of a matrix, its mask as long as it is: replace deletes in this
 * line only. */
typedef struct {
    gb_Assign assign; /* to the line as a vector, which is C here: an empty one of C's type */
    uint64_t line;
    bool is_row;
} gb_LineAssign;
gbl_Info gb_assign_line(gb_Matrix *C, const gb_LineAssign *call);

#endif
