/* SPDX-License-Identifier: Apache-2.0
 *
 * Arrays from outside become a matrix: by copy, or the arrays themselves. NULL pointers were
 * checked by the caller; what arrays say is checked here. After a failure there is no matrix.
 */
#ifndef GB_MATRIX_IMPORT_H
#define GB_MATRIX_IMPORT_H

#include "matrix/object.h"

typedef struct {
    uint64_t nrows, ncols;
    gbl_Format format;
    const gbl_Index *Ap, *Ai;
    const void *Ax;             /* values of the matrix's type */
    gbl_Index plen, ilen, xlen; /* elements of Ap, Ai, Ax */
} gb_Import;
gbl_Info gb_matrix_import(gb_Matrix **A, gb_Type *type, const gb_Import *in);
/* Arrays that become the content as they are. */
typedef struct {
    uint64_t nrows, ncols;
    gb_Format format;
    const gbl_Arrays *arrays;
    const gbl_Lender *lender; /* NULL: they become the library's */
    bool trusted;             /* they are right and sorted: nothing is checked */
} gb_MoveIn;
gbl_Info gb_matrix_move_in(gb_Matrix **A, gb_Type *type, const gb_MoveIn *in);
/* Arrays of the library's own (core/arrays.h), whose nvals must be their last pointer. On success
 * they are the matrix's; a failure leaves them to the caller. */
gbl_Info gb_matrix_take(gb_Matrix **A, gb_Type *type, uint64_t nrows, uint64_t ncols,
                        gb_Format format, gb_Cs *cs);

#endif
