/* SPDX-License-Identifier: Apache-2.0
 *
 * A matrix as a block of bytes, and back; the layout is docs/serial_format.md. Handles and NULL
 * pointers were checked by the caller; what the bytes say is checked here.
 */
#ifndef GB_MATRIX_SERIAL_H
#define GB_MATRIX_SERIAL_H

#include "matrix/object.h"

gbl_Info gb_matrix_serial_size(gb_Matrix *A, gbl_Index *size);
/* *size: in the capacity, out the bytes written. After a failure nothing is written. */
gbl_Info gb_matrix_serialize(gb_Matrix *A, void *data, gbl_Index *size);
/* type: NULL, or what the block must hold. After a failure there is no matrix. */
gbl_Info gb_matrix_deserialize(gb_Matrix **A, gb_Type *type, const void *data, uint64_t size);

/* A block that stays where it lies; see gbl_Matrix_map. */
typedef struct {
    const void *data;
    uint64_t size;
    bool check;
    const gbl_Lender *lender;
} gb_MappedBlock;
gbl_Info gb_matrix_map(gb_Matrix **A, gb_Type *type, const gb_MappedBlock *block);

#endif
