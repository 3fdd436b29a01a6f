/* SPDX-License-Identifier: Apache-2.0
 *
 * Content as kernels read it.
 *
 * Operands are views whose values have the given type, cast into workspace when A's type differs;
 * type NULL: the pattern alone, view.x is NULL. A cast copy belongs to the call and is not cached:
 * a caller that multiplies often should hold the matrix in the right type. Masks are sorted
 * patterns of the true entries.
 */
#ifndef GB_MATRIX_OPERAND_H
#define GB_MATRIX_OPERAND_H

#include "matrix/object.h"

typedef struct {
    gb_CsView view;
    void *owned;
    size_t owned_bytes;
} gb_Operand;
gbl_Info gb_operand_get(gb_Operand *operand, gb_Matrix *A, gb_Format format, const gb_Type *type);
/* Entries of a row ascend. */
gbl_Info gb_operand_get_sorted(gb_Operand *operand, gb_Matrix *A, gb_Format format,
                               const gb_Type *type);
void gb_operand_release(gb_Operand *operand);
typedef struct {
    gb_TileView view;
    gb_Tiles owned; /* values cast, or for a filtered mask all of it */
} gb_TileOperand;
gbl_Info gb_tile_operand_get(gb_TileOperand *operand, gb_Matrix *A, gb_Format format,
                             const gb_Type *type);
void gb_tile_operand_release(gb_TileOperand *operand);
typedef struct {
    gb_DenseView view;
    void *owned;
    size_t owned_bytes;
} gb_DenseOperand;
gbl_Info gb_dense_operand_get(gb_DenseOperand *operand, gb_Matrix *v, const gb_Type *type);
void gb_dense_operand_release(gb_DenseOperand *operand);

/* -- masks */

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
