/* SPDX-License-Identifier: Apache-2.0
 *
 * C<M, replace> accum= T: the only writer of C. Every operation computes its result T without
 * looking at C and hands it over here.
 *
 * With T cut to the mask first, three cases remain:
 *   base = accum ? (replace ? C inside M : C) : (replace or no mask ? nothing : C outside M)
 *   C    = base united with T, accum where both have an entry.
 * C is changed by a swap after the last step that can fail; the one exception is an update of a
 * dense vector in place at the positions of T, which cannot fail once it has begun.
 */
#ifndef GB_OPS_FINISH_H
#define GB_OPS_FINISH_H

#include "matrix/matrix.h"

typedef struct {
    const gb_Type *type; /* of T's values */
    gb_Format format;    /* of cs */
    bool is_tiled;       /* the result is `tiles`, of rows, until gb_finish needs more of it */
    bool is_dense;       /* the result is `dense` (vectors only), else `cs` (sorted rows) */
    bool masked;         /* T has no entry outside the mask: the kernel has seen to it */
    gb_Cs cs;
    gb_Dense dense;
    gb_Tiles tiles;
    gb_DeviceCs
        *device; /* of rows; the result, until gb_finish needs more of it, unless cs has it */
    uint64_t device_nvals; /* entries there; 0: `device` is a copy of cs */
} gb_Result;

/* T is consumed whether or not the call succeeds. accum may be NULL. */
gbl_Info gb_finish(gb_Matrix *C, const gb_Mask *mask, const gb_BinaryOp *accum, gb_Result *T);
void gb_result_free(gb_Result *T);

/* Checks common to all operations: C's type can hold type, the mask has C's shape and a built-in
 * type (or is structural), accum's types fit. */
gbl_Info gb_check_output(const gb_Matrix *C, const gb_Mask *mask, const gb_BinaryOp *accum,
                         const gb_Type *type);

#endif
