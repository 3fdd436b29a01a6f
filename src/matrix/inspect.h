/* SPDX-License-Identifier: Apache-2.0
 *
 * What an object says of itself, and waiting for it.
 */
#ifndef GB_MATRIX_INSPECT_H
#define GB_MATRIX_INSPECT_H

#include "matrix/matrix.h"

void gb_matrix_formats(gb_Matrix *A, gbl_Formats *formats);
/* How the product that last wrote A was computed, or GBL_NO_VALUE. */
gbl_Info gb_matrix_explain(gb_Matrix *A, gbl_Explanation *explanation);
/* What A would be, or is, in tiles. */
gbl_Info gb_matrix_tiles(gb_Matrix *A, gbl_TileFacts *facts);
/* Assembles; GBL_MATERIALIZE also sorts what exists and drops its empty tiles. Adds no
 * representation. */
gbl_Info gb_matrix_wait(gb_Matrix *A, gbl_WaitMode mode);

#endif
