/* SPDX-License-Identifier: Apache-2.0
 *
 * C<M> accum= the Kronecker product of A and B.
 */
#ifndef GB_OPS_KRONECKER_H
#define GB_OPS_KRONECKER_H

#include "ops/ewise.h"

typedef gb_Ewise gb_Kronecker; /* all but `unite` */

extern const gb_Op gb_op_kronecker;
/* Its `full_iso`; full_iso.c. */
gbl_Info gb_kronecker_full_iso(const void *call, bool *done);

#endif
