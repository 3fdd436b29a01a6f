/* SPDX-License-Identifier: Apache-2.0
 *
 * One definition of every built-in operator, as gb_<OP>_<TYPE>(x, y); valid C11 and CUDA C++.
 *
 * Integers wrap: signed arithmetic is done on the unsigned type, and 1u * keeps 16-bit factors from
 * overflowing int. x / 0 is the largest or smallest value by the sign of x, and 0 / 0 is 0. MIN and
 * MAX of floats ignore NaN. BOOL follows the GraphBLAS API: PLUS is LOR, TIMES is LAND, and so on.
 */
#pragma once

#include "semiring/ids.h" /* GB_FMIN, GB_FMAX */

#ifdef __CUDACC__
#define GB_SCALAR static inline __host__ __device__
#else
#define GB_SCALAR static inline
#endif

#define GB_SCALAR_UNARY(op, N, T, value)                                                           \
    GB_SCALAR T gb_##op##_##N(T x) {                                                               \
        (void)x;                                                                                   \
        return (T)(value);                                                                         \
    }
#define GB_SCALAR_BINARY(op, N, Z, T, value)                                                       \
    GB_SCALAR Z gb_##op##_##N(T x, T y) {                                                          \
        (void)x;                                                                                   \
        (void)y;                                                                                   \
        return (Z)(value);                                                                         \
    }

#define GB_SCALAR_COMMON(N, T)                                                                     \
    GB_SCALAR_UNARY(IDENTITY, N, T, x)                                                             \
    GB_SCALAR_UNARY(ONE, N, T, 1)                                                                  \
    GB_SCALAR_BINARY(FIRST, N, T, T, x)                                                            \
    GB_SCALAR_BINARY(SECOND, N, T, T, y)                                                           \
    GB_SCALAR_BINARY(ONEB, N, T, T, 1)                                                             \
    GB_SCALAR_BINARY(ANY, N, T, T, x)                                                              \
    GB_SCALAR_BINARY(EQ, N, bool, T, x == y)                                                       \
    GB_SCALAR_BINARY(NE, N, bool, T, x != y)                                                       \
    GB_SCALAR_BINARY(GT, N, bool, T, x > y)                                                        \
    GB_SCALAR_BINARY(LT, N, bool, T, x < y)                                                        \
    GB_SCALAR_BINARY(GE, N, bool, T, x >= y)                                                       \
    GB_SCALAR_BINARY(LE, N, bool, T, x <= y)

/* U is the unsigned type of the width of T */
#define GB_SCALAR_INTEGER(N, T, U)                                                                 \
    GB_SCALAR_COMMON(N, T)                                                                         \
    GB_SCALAR_UNARY(AINV, N, T, 0u - (U)x)                                                         \
    GB_SCALAR_UNARY(BNOT, N, T, ~(U)x)                                                             \
    GB_SCALAR_BINARY(PLUS, N, T, T, (U)x + (U)y)                                                   \
    GB_SCALAR_BINARY(MINUS, N, T, T, (U)x - (U)y)                                                  \
    GB_SCALAR_BINARY(TIMES, N, T, T, 1u * (U)x * (U)y)                                             \
    GB_SCALAR_BINARY(MIN, N, T, T, x < y ? x : y)                                                  \
    GB_SCALAR_BINARY(MAX, N, T, T, x > y ? x : y)                                                  \
    GB_SCALAR_BINARY(BOR, N, T, T, (U)x | (U)y)                                                    \
    GB_SCALAR_BINARY(BAND, N, T, T, ((U)x & (U)y))                                                 \
    GB_SCALAR_BINARY(BXOR, N, T, T, (U)x ^ (U)y)                                                   \
    GB_SCALAR_BINARY(BXNOR, N, T, T, ~((U)x ^ (U)y))                                               \
    GB_SCALAR_BINARY(ABSDIFF, N, T, T, x > y ? (U)x - (U)y : (U)y - (U)x)

#define GB_SCALAR_SIGNED(N, T, U)                                                                  \
    GB_SCALAR_INTEGER(N, T, U)                                                                     \
    GB_SCALAR_UNARY(ABS, N, T, x < 0 ? 0u - (U)x : (U)x)                                           \
    GB_SCALAR_UNARY(BY_ZERO, N, T, x == 0 ? 0 : x < 0 ? N##_MIN : N##_MAX)                         \
    GB_SCALAR_BINARY(DIV, N, T, T,                                                                 \
                     y == 0    ? gb_BY_ZERO_##N(x)                                                 \
                     : y == -1 ? gb_AINV_##N(x)                                                    \
                               : (T)(x / y))                                                       \
    GB_SCALAR_UNARY(MINV, N, T, gb_DIV_##N(1, x))

#define GB_SCALAR_UNSIGNED(N, T)                                                                   \
    GB_SCALAR_INTEGER(N, T, T)                                                                     \
    GB_SCALAR_UNARY(ABS, N, T, x)                                                                  \
    GB_SCALAR_BINARY(DIV, N, T, T, y != 0 ? (T)(x / y) : x == 0 ? (T)0 : (T)N##_MAX)               \
    GB_SCALAR_UNARY(MINV, N, T, gb_DIV_##N(1, x))

#define GB_SCALAR_FLOAT(N, T, abs)                                                                 \
    GB_SCALAR_COMMON(N, T)                                                                         \
    GB_SCALAR_UNARY(AINV, N, T, -x)                                                                \
    GB_SCALAR_UNARY(ABS, N, T, abs(x))                                                             \
    GB_SCALAR_UNARY(MINV, N, T, 1 / x)                                                             \
    GB_SCALAR_BINARY(PLUS, N, T, T, x + y)                                                         \
    GB_SCALAR_BINARY(MINUS, N, T, T, x - y)                                                        \
    GB_SCALAR_BINARY(TIMES, N, T, T, x *y)                                                         \
    GB_SCALAR_BINARY(DIV, N, T, T, x / y)                                                          \
    GB_SCALAR_BINARY(MIN, N, T, T, GB_FMIN(x, y))                                                  \
    GB_SCALAR_BINARY(MAX, N, T, T, GB_FMAX(x, y))                                                  \
    GB_SCALAR_BINARY(ABSDIFF, N, T, T, abs(x - y))

GB_SCALAR_SIGNED(INT8, int8_t, uint8_t)
GB_SCALAR_SIGNED(INT16, int16_t, uint16_t)
GB_SCALAR_SIGNED(INT32, int32_t, uint32_t)
GB_SCALAR_SIGNED(INT64, int64_t, uint64_t)
GB_SCALAR_UNSIGNED(UINT8, uint8_t)
GB_SCALAR_UNSIGNED(UINT16, uint16_t)
GB_SCALAR_UNSIGNED(UINT32, uint32_t)
GB_SCALAR_UNSIGNED(UINT64, uint64_t)
GB_SCALAR_FLOAT(FP32, float, fabsf)
GB_SCALAR_FLOAT(FP64, double, fabs)

GB_SCALAR_COMMON(BOOL, bool)
GB_SCALAR_UNARY(AINV, BOOL, bool, x)
GB_SCALAR_UNARY(ABS, BOOL, bool, x)
GB_SCALAR_UNARY(MINV, BOOL, bool, 1)
GB_SCALAR_UNARY(LNOT, BOOL, bool, x ^ 1)
GB_SCALAR_BINARY(LOR, BOOL, bool, bool, x | y)
GB_SCALAR_BINARY(LAND, BOOL, bool, bool, (x & y))
GB_SCALAR_BINARY(LXOR, BOOL, bool, bool, x ^ y)
GB_SCALAR_BINARY(LXNOR, BOOL, bool, bool, x == y)
GB_SCALAR_BINARY(PLUS, BOOL, bool, bool, x | y)
GB_SCALAR_BINARY(MINUS, BOOL, bool, bool, x ^ y)
GB_SCALAR_BINARY(TIMES, BOOL, bool, bool, (x & y))
GB_SCALAR_BINARY(DIV, BOOL, bool, bool, x)
GB_SCALAR_BINARY(MIN, BOOL, bool, bool, (x & y))
GB_SCALAR_BINARY(MAX, BOOL, bool, bool, x | y)
GB_SCALAR_BINARY(ABSDIFF, BOOL, bool, bool, x ^ y)

/* Index-unary operators on position (i, j); indices fit in 61 bits, so j - i cannot overflow, while
 * the caller's y may be anything. */
#define GB_SCALAR_INDEX(op, N, Z, Y, value)                                                        \
    GB_SCALAR Z gb_##op##_##N(int64_t i, int64_t j, Y y) {                                         \
        (void)i;                                                                                   \
        (void)j;                                                                                   \
        return (Z)(value);                                                                         \
    }
#define GB_SCALAR_INDICES(N, T, U)                                                                 \
    GB_SCALAR_INDEX(ROWINDEX, N, T, T, (U)i + (U)y)                                                \
    GB_SCALAR_INDEX(COLINDEX, N, T, T, (U)j + (U)y)                                                \
    GB_SCALAR_INDEX(DIAGINDEX, N, T, T, (U)(j - i) + (U)y)
GB_SCALAR_INDICES(INT32, int32_t, uint32_t)
GB_SCALAR_INDICES(INT64, int64_t, uint64_t)
GB_SCALAR_INDEX(TRIL, INT64, bool, int64_t, j - i <= y)
GB_SCALAR_INDEX(TRIU, INT64, bool, int64_t, j - i >= y)
GB_SCALAR_INDEX(DIAG, INT64, bool, int64_t, j - i == y)
GB_SCALAR_INDEX(OFFDIAG, INT64, bool, int64_t, j - i != y)
GB_SCALAR_INDEX(COLLE, INT64, bool, int64_t, j <= y)
GB_SCALAR_INDEX(COLGT, INT64, bool, int64_t, j > y)
GB_SCALAR_INDEX(ROWLE, INT64, bool, int64_t, i <= y)
GB_SCALAR_INDEX(ROWGT, INT64, bool, int64_t, i > y)
