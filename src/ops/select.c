/* SPDX-License-Identifier: Apache-2.0
 *
 * select. The result keeps the representation of A, and its one value when A is iso. The mask is
 * left to finish: what it would cut is mostly dropped here anyway.
 */
#include "ops/select.h"

gbl_Info gb_select(gb_Matrix *C, const gb_Mask *mask, const gb_BinaryOp *accum, const gb_Map *map,
                   gb_Matrix *A, bool transpose) {
    gb_MapSource source;
    gbl_Info info = gb_map_source_or_cells(&source, A, mask, transpose);
    if (info != GBL_SUCCESS) return info;
    gb_Result T = {.type = A->type, .format = source.format, .is_dense = source.is_dense};
    if (source.is_empty) return gb_finish(C, mask, accum, &T);
    const gb_MapArgs args = gb_map_args(map, A, &source);
    info = source.is_dense ? gb_backend()->select_dense(&args, &source.dense, &T.dense)
                           : gb_backend()->select_cs(&args, &source.cs, &T.cs);
    gb_map_source_release(&source);
    if (info != GBL_SUCCESS) return info;
    return gb_finish(C, mask, accum, &T);
}
