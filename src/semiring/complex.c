/* SPDX-License-Identifier: Apache-2.0
 *
 * Complex numbers, FC32 and FC64: their operators, and casts.
 *
 * They are built-in types, with the codes behind FP64, that cast into all others: real to complex
 * has an imaginary part of 0, complex to real is the real part, and to BOOL whether it is not 0.
 * Operations work on them through batch functions as on all types; what counts on values of 8 bytes
 * or on an order asks gb_type_is_real and treats them as types of the user. Products have kernels
 * of their own for PLUS_TIMES (semiring/foreach.h); other semirings run the generic entry, on these
 * functions.
 */
#include <complex.h>

#include "semiring/complex_ops.h"
#include "semiring/objects.h"

/* -- unary */

/* What C has no function for; f is what functions of float end with. LOG1P and EXPM1 lose digits
 * where x is small, as SIGNUM does where |x| overflows. */
#define GB_ONE_OF(x) ((void)(x), 1)
#define GB_FUNCTIONS(N, T, R, f)                                                                   \
    static T exp2_##N(T x) {                                                                       \
        return cexp##f(x * (R)0.69314718055994530942);                                             \
    }                                                                                              \
    static T expm1_##N(T x) {                                                                      \
        return cexp##f(x) - 1;                                                                     \
    }                                                                                              \
    static T log2_##N(T x) {                                                                       \
        return clog##f(x) / (R)0.69314718055994530942;                                             \
    }                                                                                              \
    static T log10_##N(T x) {                                                                      \
        return clog##f(x) / (R)2.30258509299404568402;                                             \
    }                                                                                              \
    static T log1p_##N(T x) {                                                                      \
        return clog##f(1 + x);                                                                     \
    }                                                                                              \
    static T ceil_##N(T x) {                                                                       \
        return gb_complex_##N(ceil##f(creal##f(x)), ceil##f(cimag##f(x)));                         \
    }                                                                                              \
    static T floor_##N(T x) {                                                                      \
        return gb_complex_##N(floor##f(creal##f(x)), floor##f(cimag##f(x)));                       \
    }                                                                                              \
    static T round_##N(T x) {                                                                      \
        return gb_complex_##N(round##f(creal##f(x)), round##f(cimag##f(x)));                       \
    }                                                                                              \
    static T trunc_##N(T x) {                                                                      \
        return gb_complex_##N(trunc##f(creal##f(x)), trunc##f(cimag##f(x)));                       \
    }                                                                                              \
    static T signum_##N(T x) {                                                                     \
        return x == 0 ? 0 : x / cabs##f(x);                                                        \
    }                                                                                              \
    static bool isnan_##N(T x) {                                                                   \
        return isnan(creal##f(x)) || isnan(cimag##f(x));                                           \
    }                                                                                              \
    static bool isinf_##N(T x) {                                                                   \
        return isinf(creal##f(x)) || isinf(cimag##f(x));                                           \
    }                                                                                              \
    /* Exact where real numbers have the power; 0 to the 0 is 1. */                                \
    static T power_##N(T x, T y) {                                                                 \
        const R a = creal##f(x), b = creal##f(y);                                                  \
        const bool real = cimag##f(x) == 0 && cimag##f(y) == 0 && (a >= 0 || b == trunc##f(b));    \
        return real || y == 0 ? pow##f(y == 0 ? 1 : a, b) : cpow##f(x, y);                         \
    }                                                                                              \
    static bool isfinite_##N(T x) {                                                                \
        return isfinite(creal##f(x)) && isfinite(cimag##f(x));                                     \
    }
GB_FUNCTIONS(FC32, gbl_FC32, float, f)
GB_FUNCTIONS(FC64, gbl_FC64, double, )

#define GB_DEFINE_UNARIES(N, T, RN, R, f)                                                          \
    GB_DEFINE_UNARY_BY_VALUE(IDENTITY, IDENTITY_##N, N, T, N, T, )                                 \
    GB_DEFINE_UNARY_BY_VALUE(AINV, AINV_##N, N, T, N, T, -)                                        \
    GB_DEFINE_UNARY_BY_VALUE(MINV, MINV_##N, N, T, N, T, 1 /)                                      \
    GB_DEFINE_UNARY_BY_VALUE(ONE, ONE_##N, N, T, N, T, GB_ONE_OF)                                  \
    GB_DEFINE_UNARY_BY_VALUE(CONJ, CONJ_##N, N, T, N, T, conj##f)                                  \
    GB_DEFINE_UNARY_BY_VALUE(ABS, ABS_##N, N, T, RN, R, cabs##f)                                   \
    GB_DEFINE_UNARY_BY_VALUE(CREAL, CREAL_##N, N, T, RN, R, creal##f)                              \
    GB_DEFINE_UNARY_BY_VALUE(CIMAG, CIMAG_##N, N, T, RN, R, cimag##f)                              \
    GB_DEFINE_UNARY_BY_VALUE(CARG, CARG_##N, N, T, RN, R, carg##f)                                 \
    GB_DEFINE_UNARY_BY_VALUE(SQRT, SQRT_##N, N, T, N, T, csqrt##f)                                 \
    GB_DEFINE_UNARY_BY_VALUE(EXP, EXP_##N, N, T, N, T, cexp##f)                                    \
    GB_DEFINE_UNARY_BY_VALUE(EXP2, EXP2_##N, N, T, N, T, exp2_##N)                                 \
    GB_DEFINE_UNARY_BY_VALUE(EXPM1, EXPM1_##N, N, T, N, T, expm1_##N)                              \
    GB_DEFINE_UNARY_BY_VALUE(LOG, LOG_##N, N, T, N, T, clog##f)                                    \
    GB_DEFINE_UNARY_BY_VALUE(LOG2, LOG2_##N, N, T, N, T, log2_##N)                                 \
    GB_DEFINE_UNARY_BY_VALUE(LOG10, LOG10_##N, N, T, N, T, log10_##N)                              \
    GB_DEFINE_UNARY_BY_VALUE(LOG1P, LOG1P_##N, N, T, N, T, log1p_##N)                              \
    GB_DEFINE_UNARY_BY_VALUE(SIN, SIN_##N, N, T, N, T, csin##f)                                    \
    GB_DEFINE_UNARY_BY_VALUE(COS, COS_##N, N, T, N, T, ccos##f)                                    \
    GB_DEFINE_UNARY_BY_VALUE(TAN, TAN_##N, N, T, N, T, ctan##f)                                    \
    GB_DEFINE_UNARY_BY_VALUE(ASIN, ASIN_##N, N, T, N, T, casin##f)                                 \
    GB_DEFINE_UNARY_BY_VALUE(ACOS, ACOS_##N, N, T, N, T, cacos##f)                                 \
    GB_DEFINE_UNARY_BY_VALUE(ATAN, ATAN_##N, N, T, N, T, catan##f)                                 \
    GB_DEFINE_UNARY_BY_VALUE(SINH, SINH_##N, N, T, N, T, csinh##f)                                 \
    GB_DEFINE_UNARY_BY_VALUE(COSH, COSH_##N, N, T, N, T, ccosh##f)                                 \
    GB_DEFINE_UNARY_BY_VALUE(TANH, TANH_##N, N, T, N, T, ctanh##f)                                 \
    GB_DEFINE_UNARY_BY_VALUE(ASINH, ASINH_##N, N, T, N, T, casinh##f)                              \
    GB_DEFINE_UNARY_BY_VALUE(ACOSH, ACOSH_##N, N, T, N, T, cacosh##f)                              \
    GB_DEFINE_UNARY_BY_VALUE(ATANH, ATANH_##N, N, T, N, T, catanh##f)                              \
    GB_DEFINE_UNARY_BY_VALUE(CEIL, CEIL_##N, N, T, N, T, ceil_##N)                                 \
    GB_DEFINE_UNARY_BY_VALUE(FLOOR, FLOOR_##N, N, T, N, T, floor_##N)                              \
    GB_DEFINE_UNARY_BY_VALUE(ROUND, ROUND_##N, N, T, N, T, round_##N)                              \
    GB_DEFINE_UNARY_BY_VALUE(TRUNC, TRUNC_##N, N, T, N, T, trunc_##N)                              \
    GB_DEFINE_UNARY_BY_VALUE(SIGNUM, SIGNUM_##N, N, T, N, T, signum_##N)                           \
    GB_DEFINE_UNARY_BY_VALUE(ISNAN, ISNAN_##N, N, T, BOOL, bool, isnan_##N)                        \
    GB_DEFINE_UNARY_BY_VALUE(ISINF, ISINF_##N, N, T, BOOL, bool, isinf_##N)                        \
    GB_DEFINE_UNARY_BY_VALUE(ISFINITE, ISFINITE_##N, N, T, BOOL, bool, isfinite_##N)
GB_DEFINE_UNARIES(FC32, gbl_FC32, FP32, float, f)
GB_DEFINE_UNARIES(FC64, gbl_FC64, FP64, double, )

/* -- binary, and comparisons with a bound value */

#define GB_DEFINE_BINARIES(N, T, RN, R, f)                                                         \
    GB_DEFINE_BINARY_BY_VALUE(, FIRST, FIRST_##N, N, T, N, T, gb_FIRST_##N)                        \
    GB_DEFINE_BINARY_BY_VALUE(, SECOND, SECOND_##N, N, T, N, T, gb_SECOND_##N)                     \
    GB_DEFINE_BINARY_BY_VALUE(, ONEB, ONEB_##N, N, T, N, T, gb_ONEB_##N)                           \
    GB_DEFINE_BINARY_BY_VALUE(, ANY, ANY_##N, N, T, N, T, gb_ANY_##N)                              \
    GB_DEFINE_BINARY_BY_VALUE(, PLUS, PLUS_##N, N, T, N, T, gb_PLUS_##N)                           \
    GB_DEFINE_BINARY_BY_VALUE(, MINUS, MINUS_##N, N, T, N, T, gb_MINUS_##N)                        \
    GB_DEFINE_BINARY_BY_VALUE(, RMINUS, RMINUS_##N, N, T, N, T, gb_RMINUS_##N)                     \
    GB_DEFINE_BINARY_BY_VALUE(, TIMES, TIMES_##N, N, T, N, T, gb_TIMES_##N)                        \
    GB_DEFINE_BINARY_BY_VALUE(, DIV, DIV_##N, N, T, N, T, gb_DIV_##N)                              \
    GB_DEFINE_BINARY_BY_VALUE(, RDIV, RDIV_##N, N, T, N, T, gb_RDIV_##N)                           \
    GB_DEFINE_BINARY_BY_VALUE(static, POW, POW_##N, N, T, N, T, power_##N)                         \
    GB_DEFINE_BINARY_BY_VALUE(static, ISEQ, ISEQ_##N, N, T, N, T, gb_ISEQ_##N)                     \
    GB_DEFINE_BINARY_BY_VALUE(static, ISNE, ISNE_##N, N, T, N, T, gb_ISNE_##N)                     \
    GB_DEFINE_BINARY_BY_VALUE(static, EQ, EQ_##N, N, T, BOOL, bool, gb_EQ_##N)                     \
    GB_DEFINE_BINARY_BY_VALUE(static, NE, NE_##N, N, T, BOOL, bool, gb_NE_##N)                     \
    GB_DEFINE_BINARY_BY_VALUE(static, CMPLX, CMPLX_##RN, RN, R, N, T, gb_complex_##N)              \
    GB_DEFINE_COMPARING(EQ, N)                                                                     \
    GB_DEFINE_COMPARING(NE, N)
GB_DEFINE_BINARIES(FC32, gbl_FC32, FP32, float, f)
GB_DEFINE_BINARIES(FC64, gbl_FC64, FP64, double, )

/* -- casts */

/* Of count <= GB_BATCH values: the parts go through the real type of the complex one. */
#define GB_DEFINE_CASTS(N, T, RN, R)                                                               \
    static void from_##N(const gb_Type *to, void *z, const T *x, size_t n) {                       \
        R part[GB_BATCH];                                                                          \
        for (size_t k = 0; k < n; k++)                                                             \
            part[k] = to->code == GBL_BOOL_CODE ? (R)(x[k] != 0) : __real__ x[k];                  \
        gb_cast(to, z, GB_TYPE(RN), part, 1, n);                                                   \
    }                                                                                              \
    static void to_##N(T *z, const gb_Type *from, const void *x, size_t n) {                       \
        R part[GB_BATCH];                                                                          \
        gb_cast(GB_TYPE(RN), part, from, x, 1, n);                                                 \
        for (size_t k = 0; k < n; k++) z[k] = gb_complex_##N(part[k], 0);                          \
    }
GB_DEFINE_CASTS(FC32, gbl_FC32, FP32, float)
GB_DEFINE_CASTS(FC64, gbl_FC64, FP64, double)

void gb_cast_complex(const gb_Type *to, void *z, const gb_Type *from, const void *x, size_t n) {
    const bool is_single = from->code == GBL_FC32_CODE;
    if (gb_type_is_complex(to) && gb_type_is_complex(from)) {
        for (size_t k = 0; k < n && is_single; k++) ((gbl_FC64 *)z)[k] = ((const gbl_FC32 *)x)[k];
        for (size_t k = 0; k < n && !is_single; k++)
            ((gbl_FC32 *)z)[k] = (gbl_FC32)((const gbl_FC64 *)x)[k];
        return;
    }
    for (size_t k = 0; k < n; k += GB_BATCH) {
        const size_t m = n - k < GB_BATCH ? n - k : GB_BATCH;
        const char *values = (const char *)x + k * from->size;
        char *to_values = (char *)z + k * to->size;
        if (is_single)
            from_FC32(to, to_values, (const gbl_FC32 *)(const void *)values, m);
        else if (from->code == GBL_FC64_CODE)
            from_FC64(to, to_values, (const gbl_FC64 *)(const void *)values, m);
        else if (to->code == GBL_FC32_CODE)
            to_FC32((gbl_FC32 *)(void *)to_values, from, values, m);
        else
            to_FC64((gbl_FC64 *)(void *)to_values, from, values, m);
    }
}
