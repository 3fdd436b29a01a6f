/* SPDX-License-Identifier: Apache-2.0
 *
 * ROWWISE for a few rows under a mask, each of them a product of a vector with B: the frontiers of
 * a few searches. A mask of bytes is looked up for each product; one that is a list cuts the rows.
 * Sums are found in a set that stays with B, empty, between calls (matrix/scratch.h), so a row
 * costs its products, in any number of columns; no table is made, and nothing is sorted.
 */
#ifndef GB_MXM_METHODS_SMALL_ROWS_H
#define GB_MXM_METHODS_SMALL_ROWS_H

#include "mxm/model/method.h"

bool gb_suits_small_rows(const gb_MxmRun *run, const gb_MxmArgs *args);
/* T = the rows that args ask for; sums are those of ROWWISE, to the bit. */
gbl_Info gb_multiply_small_rows(const gb_MxmRun *run, const gb_MxmArgs *args, gb_Cs *T);

#endif
