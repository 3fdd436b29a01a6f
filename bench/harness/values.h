/* SPDX-License-Identifier: Apache-2.0
 *
 * Values of matrices that are timed: random ones and choices, and what two results differ by.
 */
#ifndef HARNESS_VALUES_H
#define HARNESS_VALUES_H

#include "gblite.h"

/* Every entry of an FP64 matrix gets a random value in (0, 1], a function of its place. Files of
 * patterns have one value for all entries, which spares a library the reading of them; positive
 * values make sums without cancellation, so that two orders of summation agree closely. */
gbl_Info bench_set_values(gbl_Matrix A);

/* *most = the largest relative difference of C and D, 0 where both are equal to the bit; INFINITY
 * where one has an entry that the other has not. */
gbl_Info bench_difference(double *most, gbl_Matrix C, gbl_Matrix D);

/* The next of a sequence of random numbers, which depends on the first *state alone. */
uint64_t bench_random(uint64_t *state);
/* The same by a linear congruence, 31 bits of it; *state is all that there is. */
uint64_t bench_congruent(uint64_t *state);
double bench_unit(uint64_t *state); /* above 0, up to 1 */
/* The first `count` of all n numbers become a random choice of them. */
void bench_shuffle(uint32_t *x, uint64_t n, uint64_t count, uint64_t *state);
/* For qsort: numbers of uint32_t, ascending. */
int bench_by_number(const void *a, const void *b);

#endif
