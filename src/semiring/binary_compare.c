/* SPDX-License-Identifier: Apache-2.0
 *
 * Predefined binary operators: comparisons, T x T -> BOOL.
 */
#include "semiring/binary_loops.h"

#define GB_DEFINE(N, T)                                                                            \
    GB_DEFINE_BINARY(EQ, EQ_##N, N, bool, BOOL, T)                                                 \
    GB_DEFINE_BINARY(NE, NE_##N, N, bool, BOOL, T)                                                 \
    GB_DEFINE_BINARY(GT, GT_##N, N, bool, BOOL, T)                                                 \
    GB_DEFINE_BINARY(LT, LT_##N, N, bool, BOOL, T)                                                 \
    GB_DEFINE_BINARY(GE, GE_##N, N, bool, BOOL, T)                                                 \
    GB_DEFINE_BINARY(LE, LE_##N, N, bool, BOOL, T)
GBL_FOREACH_TYPE(GB_DEFINE)
