/* SPDX-License-Identifier: Apache-2.0
 *
 * What the matrix-vector products share, whatever the matrix is held as.
 */
#ifndef GB_CPU_ISA_MXV_H
#define GB_CPU_ISA_MXV_H

#include "core/search.h"

/* c = matrix entry p (x) vector entry q at inner index k and position i of the result, in the order
 * of the factors: the vector is the left one when `left`, which must be in scope. op is SR_SET or
 * SR_FMA of semiring/entry.h. */
#define GB_MXV_PRODUCT(op, c, p, q, k, i)                                                          \
    do {                                                                                           \
        if (left)                                                                                  \
            op(c, SR_A(q), SR_B(p), (uint64_t)0, (uint64_t)(k), (uint64_t)(i));                    \
        else                                                                                       \
            op(c, SR_A(p), SR_B(q), (uint64_t)(i), (uint64_t)(k), (uint64_t)0);                    \
    } while (0)

#endif
