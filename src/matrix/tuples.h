/* SPDX-License-Identifier: Apache-2.0
 *
 * build and extractTuples. Handles and NULL pointers were checked by the caller; what arrays say is
 * checked here. After a failure the object is as it was.
 */
#ifndef GB_MATRIX_TUPLES_H
#define GB_MATRIX_TUPLES_H

#include "matrix/object.h"

/* Values from the caller, of any type that casts into the object's. */
typedef struct {
    const gb_Type *type;
    const void *x;
    int sx; /* 1: one value per tuple; 0: one value for all */
} gb_Values;

/* The tuples become the content of A, which must have none. J is NULL for vectors. With sx = 0
 * duplicates are merged and dup is not used. */
gbl_Info gb_matrix_build(gb_Matrix *A, const gbl_Index *I, const gbl_Index *J,
                         const gb_Values *values, uint64_t n, const gb_BinaryOp *dup);
/* All entries by row, then column; any of I, J, X may be NULL. X has values of xtype. */
gbl_Info gb_matrix_extract(gb_Matrix *A, gbl_Index *I, gbl_Index *J, void *X, const gb_Type *xtype);

#endif
