/* SPDX-License-Identifier: Apache-2.0
 *
 * Facts about an object, and waiting for it.
 */
#ifndef GB_MATRIX_INSPECT_H
#define GB_MATRIX_INSPECT_H

#include "matrix/acquire.h"

void gb_matrix_formats(gb_Matrix *A, gbl_Formats *formats);
/* What A would be, or is, in tiles. */
gbl_Info gb_matrix_tiles(gb_Matrix *A, gbl_TileFacts *facts);
/* There is nothing to wait for: only lists are there, and they are sorted. */
static inline bool gb_is_settled(const gb_Matrix *A) {
    const unsigned has = gb_has(A);
    return has != 0 && gb_is_assembled(A) && A->hyper == NULL &&
           (has & ~(unsigned)__atomic_load_n(&A->ready, __ATOMIC_ACQUIRE)) == 0;
}
/* Assembles; GBL_MATERIALIZE also sorts what exists, drops its empty tiles, and copies to the host
 * what is on the device alone. Adds no other representation. */
gbl_Info gb_matrix_wait(gb_Matrix *A, gbl_WaitMode mode);

#endif
