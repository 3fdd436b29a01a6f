/* SPDX-License-Identifier: Apache-2.0
 *
 * The graph of a symmetric or strictly triangular pattern, each edge held once
 * (core/degree_lower.h), cached with the matrix until it is written: 4 bytes an edge, 8 a vertex,
 * and bits, at most a line of the cache for GB_DEGREE_LOWER_SHARE edges and GB_DEGREE_LOWER_LEAST
 * more. Made under the lock in two passes over the entries, with 8 bytes a vertex meanwhile. A
 * triangular pattern is read by rows and by columns, one of which may have to be converted: it is
 * made for the second who asks.
 */
#ifndef GB_MATRIX_DEGREE_LOWER_H
#define GB_MATRIX_DEGREE_LOWER_H

#include "core/degree_lower.h"
#include "matrix/object.h"

/* Of A, held sorted as cs[format], which is known to be symmetric or strictly triangular
 * (facts.h); loops are left out. None, without arrays, where it is not worth while yet, where it is
 * too large, where workspace is limited to less, and where memory is short. */
gb_DegreeLower gb_degree_lower_get(gb_Matrix *A, gb_Format format);

#endif
