/* SPDX-License-Identifier: Apache-2.0
 *
 * The operators of monoids and semirings on complex numbers, as gb_<OP>_<N>(x, y). Products are the
 * plain formula, not that of C's Annex G, which asks for infinities: so they are the same bits in
 * every kernel, and a fifth of the time.
 */
#pragma once

#include "gblite_types.h"

#define GB_COMPLEX_BINARY(op, N, Z, T, value)                                                      \
    static inline Z gb_##op##_##N(T x, T y) {                                                      \
        (void)x;                                                                                   \
        (void)y;                                                                                   \
        return value;                                                                              \
    }
/* R: type of the parts. */
#define GB_COMPLEX_OPS(N, T, R)                                                                    \
    static inline T gb_complex_##N(R re, R im) {                                                   \
        return __builtin_complex(re, im);                                                          \
    }                                                                                              \
    static inline T gb_TIMES_##N(T x, T y) {                                                       \
        const R a = __real__ x, b = __imag__ x, c = __real__ y, d = __imag__ y;                    \
        return gb_complex_##N(a * c - b * d, a * d + b * c);                                       \
    }                                                                                              \
    GB_COMPLEX_BINARY(FIRST, N, T, T, x)                                                           \
    GB_COMPLEX_BINARY(SECOND, N, T, T, y)                                                          \
    GB_COMPLEX_BINARY(ONEB, N, T, T, 1)                                                            \
    GB_COMPLEX_BINARY(ANY, N, T, T, x)                                                             \
    GB_COMPLEX_BINARY(PLUS, N, T, T, x + y)                                                        \
    GB_COMPLEX_BINARY(MINUS, N, T, T, x - y)                                                       \
    GB_COMPLEX_BINARY(RMINUS, N, T, T, y - x)                                                      \
    GB_COMPLEX_BINARY(DIV, N, T, T, x / y)                                                         \
    GB_COMPLEX_BINARY(RDIV, N, T, T, y / x)                                                        \
    GB_COMPLEX_BINARY(ISEQ, N, T, T, x == y)                                                       \
    GB_COMPLEX_BINARY(ISNE, N, T, T, x != y)                                                       \
    GB_COMPLEX_BINARY(EQ, N, bool, T, x == y)                                                      \
    GB_COMPLEX_BINARY(NE, N, bool, T, x != y)
GB_COMPLEX_OPS(FC32, gbl_FC32, float)
GB_COMPLEX_OPS(FC64, gbl_FC64, double)
