/* SPDX-License-Identifier: Apache-2.0
 *
 * The content of a matrix as arrays: by copy, or the arrays themselves. Rows are sorted either way.
 * Handles and NULL pointers were checked by the caller. After a failure the object is as it was.
 */
#ifndef GB_MATRIX_EXPORT_H
#define GB_MATRIX_EXPORT_H

#include "matrix/object.h"

typedef struct {
    gbl_Index *Ap, *Ai;
    void *Ax;
    gbl_Index *plen, *ilen, *xlen; /* in: capacity; out: elements written */
    gbl_Format format;
} gb_Export;
gbl_Info gb_matrix_export_size(gb_Matrix *A, gbl_Format format, gbl_Index *plen, gbl_Index *ilen);
gbl_Info gb_matrix_export(gb_Matrix *A, const gb_Export *out);
gbl_Info gb_matrix_move_out(gb_Matrix *A, gb_Format format, gbl_Arrays *arrays);

#endif
