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
    gb_Mask mask;
    const gb_BinaryOp *accum;
    gb_Matrix *A; /* or NULL: the value at x everywhere; x NULL: no entry anywhere */
    bool atransposed;
    const gb_Type *xtype;
    const void *x;
    gb_Indices I, J; /* rows and columns; for a vector J is all of its one column */
} gb_Assign;
extern const gb_Op gb_op_assign;
/* Its `full_iso`; full_iso.c. */
gbl_Info gb_assign_full_iso(const gb_Op *op, const void *call, bool *done);

/* All of C, which nothing survives in, becomes a value. C is complete. */
static inline bool gb_assign_fills(const gb_Assign *call) {
    const gb_Mask *mask = &call->mask;
    return call->x != NULL && call->A == NULL && call->I.all && call->J.all && mask->M == NULL &&
           !mask->complement &&
           (call->accum == NULL || (gb_is_assembled(call->C) && call->C->nvals == 0));
}

/* Its `hyper`; hyper_lists.c. */
gbl_Info gb_assign_hyper(const void *call);

/* C<M> accum= T, which is of C's shape; of any dimension. */
gbl_Info gb_write(gb_Matrix *C, const gb_Mask *mask, const gb_BinaryOp *accum, gb_Matrix *T);
/* The same where info is GBL_SUCCESS. T is freed whatever comes. */
gbl_Info gb_write_and_free(gb_Matrix *C, const gb_Mask *mask, const gb_BinaryOp *accum,
                           gb_Matrix *T, gbl_Info info);

/* One row or column of a matrix, its mask as long as it is: replace deletes in this line only. */
typedef struct {
    gb_Assign assign; /* to the line as a vector, its C: an empty one of C's type */
    uint64_t line;
    bool is_row;
} gb_LineAssign;
/* assign.check has been called; all objects are complete. */
gbl_Info gb_assign_line(gb_Matrix *C, const gb_LineAssign *call);
gbl_Info gb_assign_line_hyper(gb_Matrix *C, const gb_LineAssign *call); /* hyper_lists.c */

/* *T = the vector as a matrix of one row, or one column; hyper_lists.c. */
gbl_Info gb_vector_as_matrix(gb_Matrix **T, gb_Matrix *line, bool is_row);
/* -- few.c: where few positions are written, by elements. *done: C has what the call says, now in
 * blocking mode, else perhaps when it is next read. Else nothing has happened. Any dimension. */

gbl_Info gb_assign_few(const gb_Assign *call, bool *done);
gbl_Info gb_assign_few_line(gb_Matrix *C, const gb_LineAssign *call, bool *done);

/* -- assign_indices.c */

/* The general case, of ordinary objects. */
gbl_Info gb_assign_at(const gb_Assign *call);

#endif
