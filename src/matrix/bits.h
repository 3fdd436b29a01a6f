/* SPDX-License-Identifier: Apache-2.0
 *
 * Rows of a representation as bits (core/bitrows.h), cached with the matrix until it is written:
 * those with GB_BITS_LEAST entries and one per GB_BITS_SPAN columns of their span. At most 16 bytes
 * an entry of such a row, and 12 a row. They are made under the lock, once the calls that could
 * have used them would have been spared as many steps as there are entries: what making them takes
 * at most.
 */
#ifndef GB_MATRIX_BITS_H
#define GB_MATRIX_BITS_H

#include "core/bitrows.h"
#include "matrix/object.h"

/* The rows of cs[format] that exist as bits. `spared`: entries that this call need not look at with
 * them. None where they do not pay yet, where rows are not sorted, or where memory is short. */
gb_BitRows gb_bits_get(gb_Matrix *A, gb_Format format, uint64_t spared);
/* Under the lock: where bits and hubs are cached; NULL without memory. */
gb_RowCaches *gb_row_caches(gb_Matrix *A, gb_Format format);
/* Whether a sorted row with these entries is such a row; blocks of its span. */
bool gb_bits_suit(const gb_Idx *i, uint64_t entries, uint32_t *blocks);

#endif
