/* SPDX-License-Identifier: Apache-2.0
 *
 * Rows of a representation in SELL slices (core/sell.h), cached with the matrix until it is
 * written: a pattern of 2 or 4 bytes an entry and 7 a row, and, once they are wanted, the values of
 * its entries, in a block of their own beside it, so that a pattern that products read never moves.
 * The product number GB_SELL_WORTH that could have used them, and reads values or does not, makes
 * them, under the lock, so that a matrix that is multiplied once or twice is not charged; number
 * GB_SELL_WORTH_LONG makes values of long rows beyond the caches. Where memory is short there are
 * none.
 */
#ifndef GB_MATRIX_SELL_H
#define GB_MATRIX_SELL_H

#include "matrix/object.h"

/* Those of A, a sorted view of cs[format], with its values, of 4 or 8 bytes, or without. */
gb_SellView gb_sell_get(gb_Matrix *X, gb_Format format, const gb_CsView *A, bool values);

#endif
