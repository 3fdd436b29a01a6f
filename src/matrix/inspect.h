/* SPDX-License-Identifier: Apache-2.0
 *
 * Facts about an object, and waiting for it.
 */
#ifndef GB_MATRIX_INSPECT_H
#define GB_MATRIX_INSPECT_H

#include "matrix/object.h"

void gb_matrix_formats(gb_Matrix *A, gbl_Formats *formats);
/* What A would be, or is, in tiles. */
gbl_Info gb_matrix_tiles(gb_Matrix *A, gbl_TileFacts *facts);
/* Assembles; GBL_MATERIALIZE also sorts what exists, drops its empty tiles, and copies to the host
 * what is on the device alone. Adds no other representation. */
gbl_Info gb_matrix_wait(gb_Matrix *A, gbl_WaitMode mode);

#endif
