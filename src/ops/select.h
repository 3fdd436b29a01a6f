/* SPDX-License-Identifier: Apache-2.0
 *
 * C<M> accum= A where an index operator is true. Domains and shapes were checked.
 */
#ifndef GB_OPS_SELECT_H
#define GB_OPS_SELECT_H

#include "ops/apply.h"

/* map->index is the operator and map->bound its y; entries keep the type and values of A. */
gbl_Info gb_select(gb_Matrix *C, const gb_Mask *mask, const gb_BinaryOp *accum, const gb_Map *map,
                   gb_Matrix *A, bool transpose);

#endif
