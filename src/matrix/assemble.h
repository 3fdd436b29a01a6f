/* SPDX-License-Identifier: Apache-2.0
 *
 * Pending updates become content.
 */
#ifndef GB_MATRIX_ASSEMBLE_H
#define GB_MATRIX_ASSEMBLE_H

#include "matrix/object.h"

/* Under the lock; content that exists is held as lists of entries or as dense arrays. After a
 * failure content and updates are as they were. */
gbl_Info gb_assemble_pending(gb_Matrix *A);

#endif
