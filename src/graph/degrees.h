/* SPDX-License-Identifier: Apache-2.0
 *
 * w<m> accum= how many entries each row of A has. Domains and shapes were checked.
 */
#ifndef GB_GRAPH_DEGREES_H
#define GB_GRAPH_DEGREES_H

#include "ops/finish.h"

/* Of the rows of A, or of A'; rows without entries give 0. Nothing is converted but tiles. */
gbl_Info gb_degrees(gb_Matrix *w, const gb_Mask *mask, const gb_BinaryOp *accum, gb_Matrix *A,
                    bool transpose);

#endif
