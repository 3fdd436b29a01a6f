/* SPDX-License-Identifier: Apache-2.0
 *
 * Predefined types, operators, monoids, semirings and descriptors; included by gblite.h.
 *
 * They are constants: usable before gbl_init, never freed (gbl_X_free only clears the handle), safe
 * in any thread. T stands for a type name (BOOL, INT8 ... FP64) and the C type behind it.
 *
 * Arithmetic: integers wrap; x / 0 is the largest (x > 0) or smallest (x < 0) value, and 0 / 0 is
 * 0; MIN and MAX of floats ignore NaN. On BOOL: PLUS and MAX are LOR, TIMES and MIN are LAND, MINUS
 * and ABSDIFF are LXOR, DIV is FIRST, ABS and AINV are IDENTITY, MINV is true.
 */
#ifndef GBLITE_BUILTIN_H
#define GBLITE_BUILTIN_H

#include "gblite_types.h"

#ifdef __cplusplus
extern "C" {
#endif

#define GBL_FOREACH_SIGNED(X) X(INT8, int8_t) X(INT16, int16_t) X(INT32, int32_t) X(INT64, int64_t)
#define GBL_FOREACH_UNSIGNED(X)                                                                    \
    X(UINT8, uint8_t) X(UINT16, uint16_t) X(UINT32, uint32_t) X(UINT64, uint64_t)
#define GBL_FOREACH_FLOAT(X) X(FP32, float) X(FP64, double)
#define GBL_FOREACH_INTEGER(X) GBL_FOREACH_SIGNED(X) GBL_FOREACH_UNSIGNED(X)
#define GBL_FOREACH_NUMERIC(X) GBL_FOREACH_INTEGER(X) GBL_FOREACH_FLOAT(X)

/* -- types */
#define GBL_DECLARE(N, T) extern gbl_Type const GBL_##N;
GBL_FOREACH_TYPE(GBL_DECLARE)
GBL_FOREACH_COMPLEX(GBL_DECLARE) /* gblite additions; what works on them stands at the end */
#undef GBL_DECLARE

/* -- unary operators T -> T */
#define GBL_DECLARE(N, T)                                                                          \
    extern gbl_UnaryOp const GBL_IDENTITY_##N; /* x */                                             \
    extern gbl_UnaryOp const GBL_ABS_##N;      /* |x| */                                           \
    extern gbl_UnaryOp const GBL_AINV_##N;     /* -x */                                            \
    extern gbl_UnaryOp const GBL_MINV_##N;     /* 1 / x */                                         \
    extern gbl_UnaryOp const GBL_ONE_##N;      /* 1; gblite addition */
GBL_FOREACH_TYPE(GBL_DECLARE)
#undef GBL_DECLARE
/* gblite additions: !x as a number */
#define GBL_DECLARE(N, T) extern gbl_UnaryOp const GBL_LNOT_##N;
GBL_FOREACH_NUMERIC(GBL_DECLARE)
#undef GBL_DECLARE
extern gbl_UnaryOp const GBL_LNOT;                               /* !x of BOOL */
#define GBL_DECLARE(N, T) extern gbl_UnaryOp const GBL_BNOT_##N; /* ~x */
GBL_FOREACH_INTEGER(GBL_DECLARE)
#undef GBL_DECLARE
/* gblite additions: functions of <math.h>, z of the type of x; SIGNUM is -1, 0 or 1. ISNAN, ISINF
 * and ISFINITE give BOOL. */
#define GBL_DECLARE(N, T)                                                                          \
    extern gbl_UnaryOp const GBL_SQRT_##N, GBL_CBRT_##N, GBL_EXP_##N, GBL_EXP2_##N, GBL_EXPM1_##N, \
        GBL_LOG_##N, GBL_LOG2_##N, GBL_LOG10_##N, GBL_LOG1P_##N, GBL_SIN_##N, GBL_COS_##N,         \
        GBL_TAN_##N, GBL_ASIN_##N, GBL_ACOS_##N, GBL_ATAN_##N, GBL_SINH_##N, GBL_COSH_##N,         \
        GBL_TANH_##N, GBL_ASINH_##N, GBL_ACOSH_##N, GBL_ATANH_##N, GBL_ERF_##N, GBL_ERFC_##N,      \
        GBL_LGAMMA_##N, GBL_TGAMMA_##N, GBL_CEIL_##N, GBL_FLOOR_##N, GBL_ROUND_##N, GBL_TRUNC_##N, \
        GBL_SIGNUM_##N, GBL_ISNAN_##N, GBL_ISINF_##N, GBL_ISFINITE_##N;                            \
    /* x = m * 2^e with 0.5 <= |m| < 1: m, and e */                                                \
    extern gbl_UnaryOp const GBL_FREXPX_##N, GBL_FREXPE_##N;
GBL_FOREACH_FLOAT(GBL_DECLARE)
#undef GBL_DECLARE
/* gblite additions: i or j of an entry, or one more; in gbl_Matrix_apply and gbl_Vector_apply */
#define GBL_DECLARE(N)                                                                             \
    extern gbl_UnaryOp const GBL_POSITIONI_##N, GBL_POSITIONI1_##N, GBL_POSITIONJ_##N,             \
        GBL_POSITIONJ1_##N;
GBL_DECLARE(INT32)
GBL_DECLARE(INT64)
#undef GBL_DECLARE

/* -- binary operators T x T -> T, and comparisons T x T -> BOOL */
#define GBL_DECLARE(N, T)                                                                          \
    extern gbl_BinaryOp const GBL_FIRST_##N;  /* x */                                              \
    extern gbl_BinaryOp const GBL_SECOND_##N; /* y */                                              \
    extern gbl_BinaryOp const GBL_ONEB_##N;   /* 1 */                                              \
    extern gbl_BinaryOp const GBL_ANY_##N;    /* x or y, as is quickest; gblite addition */        \
    extern gbl_BinaryOp const GBL_MIN_##N, GBL_MAX_##N;                                            \
    extern gbl_BinaryOp const GBL_PLUS_##N, GBL_MINUS_##N, GBL_TIMES_##N, GBL_DIV_##N;             \
    extern gbl_BinaryOp const GBL_ABSDIFF_##N; /* |x - y|; gblite addition */                      \
    extern gbl_BinaryOp const GBL_EQ_##N, GBL_NE_##N, GBL_GT_##N, GBL_LT_##N, GBL_GE_##N,          \
        GBL_LE_##N;
GBL_FOREACH_TYPE(GBL_DECLARE)
#undef GBL_DECLARE
/* gblite additions: comparisons that give 1 or 0 of the type they take; y - x and y / x */
#define GBL_DECLARE(N, T)                                                                          \
    extern gbl_BinaryOp const GBL_ISEQ_##N, GBL_ISNE_##N, GBL_ISGT_##N, GBL_ISLT_##N,              \
        GBL_ISGE_##N, GBL_ISLE_##N, GBL_RMINUS_##N, GBL_RDIV_##N;
GBL_FOREACH_TYPE(GBL_DECLARE)
#undef GBL_DECLARE
extern gbl_BinaryOp const GBL_LOR, GBL_LAND, GBL_LXOR, GBL_LXNOR; /* of BOOL */
/* gblite additions: of numbers that are 0 or not; 1 or 0 of their type */
#define GBL_DECLARE(N, T) extern gbl_BinaryOp const GBL_LOR_##N, GBL_LAND_##N, GBL_LXOR_##N;
GBL_FOREACH_NUMERIC(GBL_DECLARE)
#undef GBL_DECLARE
#define GBL_DECLARE(N, T)                                                                          \
    extern gbl_BinaryOp const GBL_BOR_##N, GBL_BAND_##N, GBL_BXOR_##N, GBL_BXNOR_##N;              \
    /* gblite additions: bit y of x, from 1: its value, x with it set, x with it cleared; x        \
     * shifted left by y of INT8, or right where y < 0, which repeats the sign */                  \
    extern gbl_BinaryOp const GBL_BGET_##N, GBL_BSET_##N, GBL_BCLR_##N, GBL_BSHIFT_##N;
GBL_FOREACH_INTEGER(GBL_DECLARE)
#undef GBL_DECLARE
/* gblite additions: x^y, integers wrap and 0 to a negative power is the largest value; functions of
 * <math.h>; LDEXP is x * 2^y */
#define GBL_DECLARE(N, T) extern gbl_BinaryOp const GBL_POW_##N;
GBL_FOREACH_NUMERIC(GBL_DECLARE)
#undef GBL_DECLARE
#define GBL_DECLARE(N, T)                                                                          \
    extern gbl_BinaryOp const GBL_ATAN2_##N, GBL_HYPOT_##N, GBL_FMOD_##N, GBL_REMAINDER_##N,       \
        GBL_COPYSIGN_##N, GBL_LDEXP_##N;
GBL_FOREACH_FLOAT(GBL_DECLARE)
#undef GBL_DECLARE
/* gblite addition: the row or column of the first or second operand; in products, of A(i,k) *
 * B(k,j), FIRSTI = i, FIRSTJ = SECONDI = k, SECONDJ = j. With 1: one more. Not as accumulator, dup
 * or the operator of a monoid. */
#define GBL_DECLARE(N)                                                                             \
    extern gbl_BinaryOp const GBL_FIRSTI_##N, GBL_FIRSTJ_##N, GBL_SECONDI_##N, GBL_SECONDJ_##N,    \
        GBL_FIRSTI1_##N, GBL_FIRSTJ1_##N, GBL_SECONDI1_##N, GBL_SECONDJ1_##N;
GBL_DECLARE(INT32)
GBL_DECLARE(INT64)
#undef GBL_DECLARE

/* -- index-unary operators: value x at (i, j), and y given by the caller; j = 0 in vectors */
#define GBL_DECLARE(N)                                                                             \
    extern gbl_IndexUnaryOp const GBL_ROWINDEX_##N;  /* i + y */                                   \
    extern gbl_IndexUnaryOp const GBL_COLINDEX_##N;  /* j + y */                                   \
    extern gbl_IndexUnaryOp const GBL_DIAGINDEX_##N; /* j - i + y */
GBL_DECLARE(INT32)
GBL_DECLARE(INT64)
#undef GBL_DECLARE
/* y INT64, result BOOL */
extern gbl_IndexUnaryOp const GBL_TRIL;    /* j <= i + y */
extern gbl_IndexUnaryOp const GBL_TRIU;    /* j >= i + y */
extern gbl_IndexUnaryOp const GBL_DIAG;    /* j == i + y */
extern gbl_IndexUnaryOp const GBL_OFFDIAG; /* j != i + y */
extern gbl_IndexUnaryOp const GBL_COLLE;   /* j <= y */
extern gbl_IndexUnaryOp const GBL_COLGT;   /* j > y */
extern gbl_IndexUnaryOp const GBL_ROWLE;   /* i <= y */
extern gbl_IndexUnaryOp const GBL_ROWGT;   /* i > y */
/* x compared with y, both T; result BOOL */
#define GBL_DECLARE(N, T)                                                                          \
    extern gbl_IndexUnaryOp const GBL_VALUEEQ_##N, GBL_VALUENE_##N, GBL_VALUELT_##N,               \
        GBL_VALUELE_##N, GBL_VALUEGT_##N, GBL_VALUEGE_##N;
GBL_FOREACH_TYPE(GBL_DECLARE)
#undef GBL_DECLARE

/* -- monoids */
#define GBL_DECLARE(N, T)                                                                          \
    extern gbl_Monoid const GBL_PLUS_MONOID_##N, GBL_TIMES_MONOID_##N, GBL_MIN_MONOID_##N,         \
        GBL_MAX_MONOID_##N;
GBL_FOREACH_NUMERIC(GBL_DECLARE)
#undef GBL_DECLARE
extern gbl_Monoid const GBL_LOR_MONOID_BOOL, GBL_LAND_MONOID_BOOL, GBL_LXOR_MONOID_BOOL,
    GBL_LXNOR_MONOID_BOOL;
/* gblite additions */
#define GBL_DECLARE(N, T) extern gbl_Monoid const GBL_ANY_MONOID_##N;
GBL_FOREACH_TYPE(GBL_DECLARE)
#undef GBL_DECLARE
#define GBL_DECLARE(N, T)                                                                          \
    extern gbl_Monoid const GBL_BOR_MONOID_##N, GBL_BAND_MONOID_##N, GBL_BXOR_MONOID_##N,          \
        GBL_BXNOR_MONOID_##N;
GBL_FOREACH_UNSIGNED(GBL_DECLARE)
#undef GBL_DECLARE

/* -- semirings: GBL_<monoid>_<multiplication>_SEMIRING_T */
#define GBL_DECLARE(N, T)                                                                          \
    extern gbl_Semiring const GBL_PLUS_TIMES_SEMIRING_##N, GBL_MIN_PLUS_SEMIRING_##N,              \
        GBL_MAX_PLUS_SEMIRING_##N, GBL_MIN_TIMES_SEMIRING_##N, GBL_MIN_MAX_SEMIRING_##N,           \
        GBL_MAX_MIN_SEMIRING_##N, GBL_MAX_TIMES_SEMIRING_##N, GBL_PLUS_MIN_SEMIRING_##N,           \
        GBL_MIN_FIRST_SEMIRING_##N, GBL_MIN_SECOND_SEMIRING_##N, GBL_MAX_FIRST_SEMIRING_##N,       \
        GBL_MAX_SECOND_SEMIRING_##N;                                                               \
    /* gblite additions; PAIR is ONEB */                                                           \
    extern gbl_Semiring const GBL_PLUS_PAIR_SEMIRING_##N, GBL_PLUS_FIRST_SEMIRING_##N,             \
        GBL_PLUS_SECOND_SEMIRING_##N;
GBL_FOREACH_NUMERIC(GBL_DECLARE)
#undef GBL_DECLARE
extern gbl_Semiring const GBL_LOR_LAND_SEMIRING_BOOL, GBL_LAND_LOR_SEMIRING_BOOL,
    GBL_LXOR_LAND_SEMIRING_BOOL, GBL_LXNOR_LOR_SEMIRING_BOOL;
/* gblite additions */
#define GBL_DECLARE(N, T)                                                                          \
    extern gbl_Semiring const GBL_ANY_PAIR_SEMIRING_##N, GBL_ANY_FIRST_SEMIRING_##N,               \
        GBL_ANY_SECOND_SEMIRING_##N;
GBL_FOREACH_TYPE(GBL_DECLARE)
#undef GBL_DECLARE
#define GBL_DECLARE(A, N)                                                                          \
    extern gbl_Semiring const GBL_##A##_FIRSTI_SEMIRING_##N, GBL_##A##_FIRSTJ_SEMIRING_##N,        \
        GBL_##A##_SECONDI_SEMIRING_##N, GBL_##A##_SECONDJ_SEMIRING_##N;
GBL_DECLARE(MIN, INT32)
GBL_DECLARE(MIN, INT64)
GBL_DECLARE(MAX, INT32)
GBL_DECLARE(MAX, INT64)
GBL_DECLARE(ANY, INT32)
GBL_DECLARE(ANY, INT64)
#undef GBL_DECLARE

/* -- complex numbers, gblite additions. Products are (ac - bd, ad + bc), whatever is infinite, and
 * quotients those of C. POW, roots, logarithms and inverse functions are principal values. */
#define GBL_DECLARE(N, T)                                                                          \
    extern gbl_UnaryOp const GBL_IDENTITY_##N, GBL_AINV_##N, GBL_MINV_##N, GBL_ONE_##N,            \
        GBL_CONJ_##N; /* the complex conjugate */                                                  \
    /* |x|, the parts and the angle of x as FP32 of FC32, FP64 of FC64 */                          \
    extern gbl_UnaryOp const GBL_ABS_##N, GBL_CREAL_##N, GBL_CIMAG_##N, GBL_CARG_##N;              \
    extern gbl_UnaryOp const GBL_SQRT_##N, GBL_EXP_##N, GBL_EXP2_##N, GBL_EXPM1_##N, GBL_LOG_##N,  \
        GBL_LOG2_##N, GBL_LOG10_##N, GBL_LOG1P_##N, GBL_SIN_##N, GBL_COS_##N, GBL_TAN_##N,         \
        GBL_ASIN_##N, GBL_ACOS_##N, GBL_ATAN_##N, GBL_SINH_##N, GBL_COSH_##N, GBL_TANH_##N,        \
        GBL_ASINH_##N, GBL_ACOSH_##N, GBL_ATANH_##N;                                               \
    /* of both parts; SIGNUM is x / |x|, or 0 */                                                   \
    extern gbl_UnaryOp const GBL_CEIL_##N, GBL_FLOOR_##N, GBL_ROUND_##N, GBL_TRUNC_##N,            \
        GBL_SIGNUM_##N;                                                                            \
    extern gbl_UnaryOp const GBL_ISNAN_##N, GBL_ISINF_##N, GBL_ISFINITE_##N; /* BOOL */            \
    extern gbl_BinaryOp const GBL_FIRST_##N, GBL_SECOND_##N, GBL_ONEB_##N, GBL_ANY_##N,            \
        GBL_PLUS_##N, GBL_MINUS_##N, GBL_RMINUS_##N, GBL_TIMES_##N, GBL_DIV_##N, GBL_RDIV_##N,     \
        GBL_POW_##N;                                        /* RMINUS y - x, RDIV y / x */         \
    extern gbl_BinaryOp const GBL_ISEQ_##N, GBL_ISNE_##N;   /* 1 or 0 */                           \
    extern gbl_BinaryOp const GBL_EQ_##N, GBL_NE_##N;       /* BOOL */                             \
    extern gbl_IndexUnaryOp const GBL_VALUEEQ_##N, GBL_VALUENE_##N;                                \
    extern gbl_Monoid const GBL_PLUS_MONOID_##N, GBL_TIMES_MONOID_##N, GBL_ANY_MONOID_##N;         \
    GBL_DECLARE_RINGS(PLUS, N)                                                                     \
    GBL_DECLARE_RINGS(TIMES, N)                                                                    \
    GBL_DECLARE_RINGS(ANY, N)
#define GBL_DECLARE_RINGS(A, N)                                                                    \
    extern gbl_Semiring const GBL_##A##_TIMES_SEMIRING_##N, GBL_##A##_FIRST_SEMIRING_##N,          \
        GBL_##A##_SECOND_SEMIRING_##N, GBL_##A##_PAIR_SEMIRING_##N, GBL_##A##_PLUS_SEMIRING_##N,   \
        GBL_##A##_MINUS_SEMIRING_##N, GBL_##A##_RMINUS_SEMIRING_##N, GBL_##A##_DIV_SEMIRING_##N,   \
        GBL_##A##_RDIV_SEMIRING_##N;
GBL_FOREACH_COMPLEX(GBL_DECLARE)
#undef GBL_DECLARE
#undef GBL_DECLARE_RINGS
extern gbl_BinaryOp const GBL_CMPLX_FP32, GBL_CMPLX_FP64; /* x + i y, of FC32 and FC64 */

/* -- descriptors. R: replace C; S: structural mask; C: complemented mask; T0, T1: transposed first,
 * second input. */
extern gbl_Descriptor const GBL_DESC_T1, GBL_DESC_T0, GBL_DESC_T0T1;
#define GBL_DECLARE(F)                                                                             \
    extern gbl_Descriptor const GBL_DESC_##F, GBL_DESC_##F##T1, GBL_DESC_##F##T0,                  \
        GBL_DESC_##F##T0T1;
GBL_DECLARE(C)
GBL_DECLARE(S)
GBL_DECLARE(SC)
GBL_DECLARE(R)
GBL_DECLARE(RC)
GBL_DECLARE(RS)
GBL_DECLARE(RSC)
#undef GBL_DECLARE

#ifdef __cplusplus
}
#endif

#endif
