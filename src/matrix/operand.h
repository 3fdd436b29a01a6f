/* SPDX-License-Identifier: Apache-2.0
 *
 * Operands: views whose values are of the given type, cast into workspace when A's type differs;
 * type NULL: only the pattern is wanted, view.x is NULL.
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

#endif
