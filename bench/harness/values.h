/* SPDX-License-Identifier: Apache-2.0
 *
 * Values of matrices that are timed: random ones, what two results differ by, approximate products;
 * and random choices.
 */
#pragma once

#include "gblite.h"

/* Every entry of an FP64 matrix gets a random value in (0, 1], a function of its place. Files of
 * patterns have one value for all entries, which spares a library the reading of them; positive
 * values make sums without cancellation, so that two orders of summation agree closely. */
gbl_Info bench_set_values(gbl_Matrix A);

/* *most = the largest relative difference of C and D, 0 where both are equal to the bit; INFINITY
 * where one has an entry that the other has not. */
gbl_Info bench_difference(double *most, gbl_Matrix C, gbl_Matrix D);

/* -- approximate products of a square matrix by itself, FP64 or FP32 */

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

/* The next of a sequence of random numbers, which depends on the first *state alone. */
uint64_t bench_random(uint64_t *state);
double bench_unit(uint64_t *state); /* above 0, up to 1 */
/* Rows with entries, the same each time; p[n + 1] points to rows of which some have. */
gbl_Info bench_choose_sources(uint32_t *source, int count, const uint64_t *p, uint64_t n);
/* For qsort: numbers of uint32_t, ascending. */
int bench_by_number(const void *a, const void *b);
