/* SPDX-License-Identifier: Apache-2.0
 *
 * w accum= u, and which entries of w that has changed. Domains and shapes were checked; w, changed
 * and u are three vectors, changed of w's type.
 */
#ifndef GB_OPS_UPDATE_H
#define GB_OPS_UPDATE_H

#include "matrix/matrix.h"

gbl_Info gb_update_vector(gb_Matrix *w, gb_Matrix *changed, const gb_BinaryOp *accum, gb_Matrix *u);

#endif
