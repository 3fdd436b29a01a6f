/* SPDX-License-Identifier: Apache-2.0
 *
 * Dense arrays turned: places of a matrix that has one at each row and column.
 */
#ifndef GB_CPU_OPS_DENSE_TRANSPOSE_H
#define GB_CPU_OPS_DENSE_TRANSPOSE_H

#include <stddef.h>
#include <stdint.h>

/* to[c * rows + r] = x[r * columns + c], each of `size` bytes; the arrays do not overlap. */
typedef struct {
    const char *x;
    char *to;
    uint64_t rows, columns;
    size_t size;
} gb_DenseTranspose;

/* Rows [from, to) of x. Calls for other rows may run side by side. O(rows * columns). */
void gb_turn_rows(const gb_DenseTranspose *turn, uint64_t from, uint64_t to);

#endif
