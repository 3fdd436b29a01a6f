/* SPDX-License-Identifier: Apache-2.0
 *
 * The functions of operators (algebra.h) that are functions of values, of predefined ones and of
 * those of semirings that users compile.
 */
#pragma once

#include "semiring/algebra.h"

/* z[k] = f(x[k], y[k]), f of T x T -> Z, for one k and for many: a loop per pair of strides, each
 * of which vectorises. */
#define GB_DEFINE_OPERATOR(scalar, batch, f, Z, T)                                                 \
    static void scalar(void *z, const void *x, const void *y) {                                    \
        *(Z *)z = f(*(const T *)x, *(const T *)y);                                                 \
    }                                                                                              \
    static void batch(const gb_BinaryOp *self, size_t n, void *z_, const void *x_, int sx,         \
                      const void *y_, int sy) {                                                    \
        Z *restrict z = (Z *)z_;                                                                   \
        const T *restrict x = (const T *)x_;                                                       \
        const T *restrict y = (const T *)y_;                                                       \
        (void)self;                                                                                \
        if (n == 0) return;                                                                        \
        if (sx != 0 && sy != 0) {                                                                  \
            for (size_t k = 0; k < n; k++) z[k] = f(x[k], y[k]);                                   \
        } else if (sx != 0) {                                                                      \
            const T b = *y;                                                                        \
            for (size_t k = 0; k < n; k++) z[k] = f(x[k], b);                                      \
        } else if (sy != 0) {                                                                      \
            const T a = *x;                                                                        \
            for (size_t k = 0; k < n; k++) z[k] = f(a, y[k]);                                      \
        } else {                                                                                   \
            const Z c = f(*x, *y);                                                                 \
            for (size_t k = 0; k < n; k++) z[k] = c;                                               \
        }                                                                                          \
    }

#define GB_REDUCE_STEP ((size_t)1024)

/* *acc = *acc + x[0] + ..., + being f of T x T -> T: GB_REDUCE_STEP values at a time as interleaved
 * partial sums, which are joined in a fixed order. It stops between two steps once IS_TERMINAL, of
 * `acc`, is true. Sums of large structs would fill the stack. */
#define GB_DEFINE_REDUCE(name, f, T, IS_TERMINAL)                                                  \
    static void name(const gb_Monoid *self, size_t n, void *acc_, const void *x_) {                \
        enum { LANES = sizeof(T) <= 64 ? 8 : 1 };                                                  \
        const T *x = (const T *)x_;                                                                \
        T acc = *(T *)acc_, lane[LANES];                                                           \
        size_t k = 0;                                                                              \
        (void)self;                                                                                \
        while (n - k >= LANES && !(IS_TERMINAL)) {                                                 \
            const size_t end = n - k < GB_REDUCE_STEP ? n : k + GB_REDUCE_STEP;                    \
            for (size_t l = 0; l < LANES; l++) lane[l] = x[k + l];                                 \
            for (k += LANES; k + LANES <= end; k += LANES)                                         \
                _Pragma("GCC unroll 8") for (size_t l = 0; l < LANES; l++) lane[l] =               \
                    f(lane[l], x[k + l]);                                                          \
            for (size_t l = 0; k < end; k++, l++) lane[l] = f(lane[l], x[k]);                      \
            for (size_t half = LANES / 2; half > 0; half /= 2)                                     \
                for (size_t l = 0; l < half; l++) lane[l] = f(lane[l], lane[l + half]);            \
            acc = f(acc, lane[0]);                                                                 \
        }                                                                                          \
        if (n - k < LANES)                                                                         \
            for (; k < n; k++) acc = f(acc, x[k]);                                                 \
        *(T *)acc_ = acc;                                                                          \
    }
