/* SPDX-License-Identifier: Apache-2.0
 *
 * HyperLogLog sketches (core/hll.h) of the rows of a representation, `registers` bytes a row. Made
 * once under the lock, cached until the object is written: repeated products by the same matrix
 * make them once.
 */
#ifndef GB_MATRIX_SKETCH_H
#define GB_MATRIX_SKETCH_H

#include "matrix/object.h"

gbl_Info gb_sketch_get(const uint8_t **sketch, gb_Matrix *A, gb_Format format, unsigned registers);
/* The cached sketches, or NULL. */
const uint8_t *gb_sketch_at_hand(gb_Matrix *A, gb_Format format, unsigned registers);

#endif
