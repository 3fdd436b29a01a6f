/* SPDX-License-Identifier: Apache-2.0
 *
 * Rows of a representation told apart by hubs (core/heavy_rows.h), cached with the matrix until it
 * is written. An inner index is a hub when at least sqrt(entries) / GB_HEAVY_SHARE rows have it,
 * and twice that where as many are not yet GB_HEAVY_SKEW times the mean. They take at most 32 bytes
 * an entry, and 8 a row or an inner index; while they are made, 4 more for each of up to
 * GB_HEAVY_PARTS counts of an inner index. They are made under the lock, once the calls that could
 * have used them would have been spared GB_HEAVY_WORTH steps for each entry.
 */
#ifndef GB_MATRIX_HEAVY_ROWS_H
#define GB_MATRIX_HEAVY_ROWS_H

#include "core/heavy_rows.h"
#include "matrix/object.h"

/* A masked inner product that asks for them: entries that it scans without, entries of its mask,
 * and of the other factor. */
typedef struct {
    uint64_t steps, mask, others;
} gb_HeavyUse;

/* The hubs of the rows of cs[format]; none where they do not pay, or not yet, where there is no
 * skew, and where memory is short. */
gb_HeavyRows gb_heavy_get(gb_Matrix *A, gb_Format format, const gb_HeavyUse *use);

#endif
