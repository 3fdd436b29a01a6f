/* SPDX-License-Identifier: Apache-2.0
 *
 * Approximate products of a square matrix by itself, FP64 or FP32.
 */
#ifndef HARNESS_APPROXIMATE_H
#define HARNESS_APPROXIMATE_H

#include "gblite.h"

/* What a product is asked for: a field of a descriptor and its value. */
typedef struct {
    int field; /* GBL_TAU, GBL_VALID_RATIO */
    double value;
    gbl_Desc_Value rounding; /* of factors on a GPU, or GBL_DEFAULT */
} bench_approximation;

/* *C = A * A instead of what it was, and how. */
gbl_Info bench_square(gbl_Matrix *C, gbl_Explanation *how, gbl_Matrix A,
                      const bench_approximation *by);
/* *x = all n * n values by rows, zero where there is no entry; the caller's to free. */
gbl_Info bench_cells(double **x, gbl_Matrix A);

#endif
