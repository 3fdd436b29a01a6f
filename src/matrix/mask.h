/* SPDX-License-Identifier: Apache-2.0
 *
 * Masks as kernels want them: structural, only the true entries, sorted.
 */
#ifndef GB_MATRIX_MASK_H
#define GB_MATRIX_MASK_H

#include "matrix/operand.h"

typedef struct {
    gb_Matrix *M; /* NULL: every position is allowed, or none when complement */
    bool structural, complement, replace;
} gb_Mask;
/* Nothing may be written, whatever the values of M, which is assembled. */
static inline bool gb_mask_allows_none(const gb_Mask *mask) {
    if (mask->M == NULL) return mask->complement;
    return mask->M->nvals == 0 && !mask->complement;
}
typedef struct {
    gb_CsView view; /* x is NULL */
    gb_Cs owned;    /* filtered copy when the mask is valued and not all true */
} gb_MaskView;
gbl_Info gb_mask_get(gb_MaskView *mask, const gb_Mask *spec, gb_Format format);
void gb_mask_release(gb_MaskView *mask);
gbl_Info gb_tile_mask_get(gb_TileOperand *mask, const gb_Mask *spec); /* as tiles of rows */
/* The same for vectors as bytes: allowed[k] is 1 where the mask (complement applied) lets w(k) be
 * written. */
gbl_Info gb_mask_bytes(int8_t **allowed, const gb_Mask *spec, uint64_t n);

/* So many positions of a vector M, which is assembled, will be looked up. A list in which that was
 * done often becomes a bitmap too, if it has enough entries (GB_SOUGHT_FULL); not having the
 * memory leaves the list. */
void gb_mask_seek(gb_Matrix *M, uint64_t positions);

#endif
