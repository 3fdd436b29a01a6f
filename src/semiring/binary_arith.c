/* SPDX-License-Identifier: Apache-2.0
 *
 * Predefined binary operators: arithmetic.
 */
#include "semiring/binary_loops.h"

#define GB_DEFINE(N, T)                                                                            \
    GB_DEFINE_BINARY(MIN, MIN_##N, N, T, N, T)                                                     \
    GB_DEFINE_BINARY(MAX, MAX_##N, N, T, N, T)                                                     \
    GB_DEFINE_BINARY(PLUS, PLUS_##N, N, T, N, T)                                                   \
    GB_DEFINE_BINARY(MINUS, MINUS_##N, N, T, N, T)                                                 \
    GB_DEFINE_BINARY(TIMES, TIMES_##N, N, T, N, T)                                                 \
    GB_DEFINE_BINARY(DIV, DIV_##N, N, T, N, T)                                                     \
    GB_DEFINE_BINARY(ABSDIFF, ABSDIFF_##N, N, T, N, T)
GBL_FOREACH_TYPE(GB_DEFINE)
