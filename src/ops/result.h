/* SPDX-License-Identifier: Apache-2.0
 *
 * The result T of an operation, before it is written to C.
 */
#ifndef GB_OPS_RESULT_H
#define GB_OPS_RESULT_H

#include "matrix/matrix.h"

typedef struct {
    const gb_Type *type; /* of T's values */
    gb_Format format;    /* of cs */
    bool is_tiled;       /* the result is `tiles`, of rows, until gb_finish needs more of it */
    bool is_dense;       /* the result is `dense`, else `cs` (sorted rows) */
    bool by_cells;       /* cs is the list of a matrix's cells; see matrix/cells.h */
    bool masked;         /* T has no entry outside the mask: the kernel has seen to it */
    gb_Cs cs;
    gb_Dense dense;
    gb_Tiles tiles;
    gb_DeviceCs *device;   /* of rows; the result, unless it is a copy of cs */
    uint64_t device_nvals; /* entries there; 0: `device` is a copy of cs */
} gb_Result;

void gb_result_free(gb_Result *T);
/* Values of T become values of `type`; T is cs or dense. */
gbl_Info gb_result_cast(gb_Result *T, const gb_Type *type);

#endif
