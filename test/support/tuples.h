/* SPDX-License-Identifier: Apache-2.0
 *
 * The entries of a matrix as sorted tuples, for comparing large results to the bit. Values of every
 * built-in type are read as FP64.
 */
#pragma once

#include "support/gb_test.h"

typedef struct {
    gbl_Index *I, *J, n;
    double *X;
} t_Tuples;

t_Tuples t_tuples_of(gbl_Matrix A);
void t_tuples_free(t_Tuples *t);
/* The same places and bits; with any_nan, where a NaN is expected any NaN will do. */
void t_same_tuples(const t_Tuples *expected, const t_Tuples *found, bool any_nan);
void t_expect_tuples(const t_Tuples *expected, gbl_Matrix A);
