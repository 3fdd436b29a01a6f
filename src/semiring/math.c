/* SPDX-License-Identifier: Apache-2.0
 *
 * Predefined operators that are functions of <math.h>, on FP32 and FP64, and powers of all numbers.
 * Values of a batch are computed one after the other; results are those of the C library.
 */

#include "semiring/objects.h"

/* -- unary */

/* X(name, function of double): the function of float has an f behind its name. */
#define GB_FOREACH_MATH(X)                                                                         \
    X(SQRT, sqrt)                                                                                  \
    X(CBRT, cbrt)                                                                                  \
    X(EXP, exp)                                                                                    \
    X(EXP2, exp2)                                                                                  \
    X(EXPM1, expm1)                                                                                \
    X(LOG, log)                                                                                    \
    X(LOG2, log2)                                                                                  \
    X(LOG10, log10)                                                                                \
    X(LOG1P, log1p)                                                                                \
    X(SIN, sin)                                                                                    \
    X(COS, cos)                                                                                    \
    X(TAN, tan)                                                                                    \
    X(ASIN, asin)                                                                                  \
    X(ACOS, acos)                                                                                  \
    X(ATAN, atan)                                                                                  \
    X(SINH, sinh)                                                                                  \
    X(COSH, cosh)                                                                                  \
    X(TANH, tanh)                                                                                  \
    X(ASINH, asinh)                                                                                \
    X(ACOSH, acosh)                                                                                \
    X(ATANH, atanh)                                                                                \
    X(ERF, erf)                                                                                    \
    X(ERFC, erfc)                                                                                  \
    X(LGAMMA, log_gamma)                                                                           \
    X(TGAMMA, tgamma)                                                                              \
    X(CEIL, ceil)                                                                                  \
    X(FLOOR, floor)                                                                                \
    X(ROUND, round)                                                                                \
    X(TRUNC, trunc)                                                                                \
    X(SIGNUM, sign)

/* lgamma stores a sign for all threads. */
static double log_gamma(double x) {
    int sign;
    return lgamma_r(x, &sign);
}
static float log_gammaf(float x) {
    int sign;
    return lgammaf_r(x, &sign);
}
/* -1, 0 or 1; NaN stays. */
static double sign(double x) {
    return x > 0 ? 1 : x < 0 ? -1 : x;
}
static float signf(float x) {
    return x > 0 ? 1 : x < 0 ? -1 : x;
}

#define GB_DEFINE(op, call)                                                                        \
    GB_DEFINE_UNARY_BY_VALUE(op, op##_FP64, FP64, double, FP64, double, call)                      \
    GB_DEFINE_UNARY_BY_VALUE(op, op##_FP32, FP32, float, FP32, float, call##f)
GB_FOREACH_MATH(GB_DEFINE)
#undef GB_DEFINE
#define GB_DEFINE(op, call)                                                                        \
    GB_DEFINE_UNARY_BY_VALUE(op, op##_FP64, FP64, double, BOOL, bool, call)                        \
    GB_DEFINE_UNARY_BY_VALUE(op, op##_FP32, FP32, float, BOOL, bool, call)
GB_DEFINE(ISNAN, 0 != isnan)
GB_DEFINE(ISINF, 0 != isinf)
GB_DEFINE(ISFINITE, 0 != isfinite)
#undef GB_DEFINE

/* -- binary */

/* x * 2^y, y cut to a whole number. */
static double scale(double x, double y) {
    return ldexp(x, (int)fmax(fmin(y, 1e6), -1e6));
}
static float scalef(float x, float y) {
    return ldexpf(x, (int)fmaxf(fminf(y, 1e6f), -1e6f));
}

#define GB_DEFINE(op, call)                                                                        \
    GB_DEFINE_BINARY_BY_VALUE(static, op, op##_FP64, FP64, double, FP64, double, call)             \
    GB_DEFINE_BINARY_BY_VALUE(static, op, op##_FP32, FP32, float, FP32, float, call##f)
GB_DEFINE(POW, pow)
GB_DEFINE(ATAN2, atan2)
GB_DEFINE(HYPOT, hypot)
GB_DEFINE(FMOD, fmod)
GB_DEFINE(REMAINDER, remainder)
GB_DEFINE(COPYSIGN, copysign)
GB_DEFINE(LDEXP, scale)
#undef GB_DEFINE

/* Powers of integers wrap, as products do; one of a negative exponent is that of 1 / x (DIV). */
static uint64_t power(uint64_t x, uint64_t y) {
    uint64_t z = 1;
    for (; y > 0; y /= 2, x *= x)
        if (y % 2 == 1) z *= x;
    return z;
}
#define GB_DEFINE(N, T)                                                                            \
    static T power_##N(T x, T y) {                                                                 \
        const T one = 1, minus = (T)-1;                                                            \
        if (y >= 0) return (T)power((uint64_t)x, (uint64_t)y);                                     \
        if (x == 0) return N##_MAX;                                                                \
        return x == one || (x == minus && y % 2 == 0) ? one : x == minus ? minus : 0;              \
    }                                                                                              \
    GB_DEFINE_BINARY_BY_VALUE(static, POW, POW_##N, N, T, N, T, power_##N)
GBL_FOREACH_SIGNED(GB_DEFINE)
#undef GB_DEFINE
#define GB_DEFINE(N, T)                                                                            \
    static T power_##N(T x, T y) {                                                                 \
        return (T)power(x, y);                                                                     \
    }                                                                                              \
    GB_DEFINE_BINARY_BY_VALUE(static, POW, POW_##N, N, T, N, T, power_##N)
GBL_FOREACH_UNSIGNED(GB_DEFINE)
#undef GB_DEFINE
