/* SPDX-License-Identifier: Apache-2.0
 *
 * Small matrices to measure a machine with. The same on every machine.
 */
#ifndef GB_MXM_SYNTHETIC_H
#define GB_MXM_SYNTHETIC_H

#include "matrix/matrix.h"

typedef enum {
    GB_UNIFORM, /* a entries a row on average, anywhere */
    GB_SKEWED,  /* the same number of entries, rows and columns of small number more often */
    GB_BANDED,  /* |i - j| <= a */
    GB_FILLED,  /* an entry at every position */
    GB_BLOCKS,  /* grid of sqrt(nrows) / a points a side, nine neighbours each, full a x a blocks */
} gb_Shape;

typedef struct {
    gb_Shape shape;
    uint64_t nrows, ncols;
    unsigned a;
} gb_Synthetic;

/* A new FP64 matrix, by rows. */
gbl_Info gb_synthetic_new(gb_Matrix **A, const gb_Synthetic *what);

#endif
