/* SPDX-License-Identifier: Apache-2.0
 *
 * Elements of a vector at places that are listed: read (extract) or written (scatter). Domains and
 * shapes were checked.
 */
#ifndef GB_OPS_GATHER_H
#define GB_OPS_GATHER_H

#include "ops/assign.h"
#include "ops/finish.h"

/* w<m> accum= u(I), I an array of indices that are in range, in any order, also repeated. */
gbl_Info gb_extract(gb_Matrix *w, const gb_Mask *mask, const gb_BinaryOp *accum, gb_Matrix *u,
                    const gb_Indices *I);

/* w<m> accum= u(I(k)) for each entry I(k) of a vector of integers; GBL_INDEX_OUT_OF_BOUNDS for one
 * that is no place of u. */
gbl_Info gb_extract_at(gb_Matrix *w, const gb_Mask *mask, const gb_BinaryOp *accum, gb_Matrix *u,
                       gb_Matrix *I);

/* w<m> accum= T, T(I(k)) = the values u(k) of all k with that place, folded by dup in the order of
 * k; dup is T x T -> T. */
typedef struct {
    const gb_BinaryOp *dup;
    gb_Matrix *u, *I;
} gb_ScatterAt;
gbl_Info gb_scatter_at(gb_Matrix *w, const gb_Mask *mask, const gb_BinaryOp *accum,
                       const gb_ScatterAt *call);

#endif
