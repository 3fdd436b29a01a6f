/* SPDX-License-Identifier: Apache-2.0
 *
 * C<M, replace> accum= T: the only writer of C. Every operation computes its result T without
 * looking at C and hands it over here.
 *
 * With T cut to the mask first, three cases remain:
 *   base = accum ? (replace ? C inside M : C) : (replace or no mask ? nothing : C outside M)
 *   C    = base united with T, accum where both have an entry.
 * C is changed by a swap after the last step that can fail; the one exception is an update of a
 * dense vector, or of the cells of a dense matrix, in place at the positions of T, which cannot
 * fail once it has begun.
 */
#ifndef GB_OPS_FINISH_H
#define GB_OPS_FINISH_H

#include "ops/result.h"

/* T is consumed whether or not the call succeeds. accum may be NULL. */
gbl_Info gb_finish(gb_Matrix *C, const gb_Mask *mask, const gb_BinaryOp *accum, gb_Result *T);

/* Whether so many entries are better held as cells, of values of `size` bytes: below, passing over
 * the cells could cost more than the lists. Large ones only where they take little more memory. */
bool gb_finish_fills(uint64_t nvals, uint64_t cells, size_t size);

/* Checks common to all operations: C's type can hold type, the mask has C's shape and a built-in
 * type (or is structural), accum's types fit. */
gbl_Info gb_check_output(const gb_Matrix *C, const gb_Mask *mask, const gb_BinaryOp *accum,
                         const gb_Type *type);

#endif
