/* SPDX-License-Identifier: Apache-2.0
 *
 * Assembly of the updates of hypersparse objects.
 */
#ifndef GB_MATRIX_HYPER_ASSEMBLE_H
#define GB_MATRIX_HYPER_ASSEMBLE_H

#include "matrix/rename.h"

/* Under the lock of A, which is hyper: pending updates become content. entries: the content as it
 * is, where there is any. */
gbl_Info gb_hyper_assemble(gb_Matrix *A, const gb_List *entries);

#endif
