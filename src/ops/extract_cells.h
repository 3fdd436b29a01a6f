/* SPDX-License-Identifier: Apache-2.0
 *
 * Parts of a matrix that is held as its cells and in no other form.
 */
#ifndef GB_OPS_EXTRACT_CELLS_H
#define GB_OPS_EXTRACT_CELLS_H

#include "ops/submatrix.h"

/* Whether A is such a matrix, and the part has no more cells than indices reach. */
bool gb_extracts_cells(const gb_Submatrix *call);
/* T = the cells of the part, row after row: dense, as that of a matrix of I.n x J.n or, with one
 * column, of a vector. A has entries. O(cells of the part): nothing is converted. */
gbl_Info gb_extract_cells(gb_Result *T, const gb_Submatrix *call);

#endif
