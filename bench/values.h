/* SPDX-License-Identifier: Apache-2.0
 *
 * Values for matrices that are timed.
 */
#ifndef VALUES_H
#define VALUES_H

#include "gblite.h"

/* Every entry of an FP64 matrix gets a random value in (0, 1], a function of its place. Files of
 * patterns have one value for all entries, which spares a library the reading of them; positive
 * values make sums without cancellation, so that two orders of summation agree closely. */
gbl_Info bench_set_values(gbl_Matrix A);

#endif
