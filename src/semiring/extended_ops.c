/* SPDX-License-Identifier: Apache-2.0
 *
 * Predefined operators beyond the standard, in all types that suit them: comparisons and logic that
 * give the type they take, reversed differences and quotients, single bits, parts of floats, and
 * operators by position. Each has one small function of a value; the batch functions call it for
 * all types, so that an operator takes tens of bytes and not a vectorised loop.
 */
#include "semiring/objects.h"
#include "semiring/scalar_ops.h"

#define GB_DEFINE_UNARY(op, name, N, T, value)                                                     \
    static void scalar_##name(void *z, const void *x_) {                                           \
        const T x = *(const T *)x_;                                                                \
        *(T *)z = (T)(value);                                                                      \
    }                                                                                              \
    static const gb_UnaryOp unary_##name =                                                         \
        GB_UNARY_OBJECT(GB_##op, GB_TYPE(N), GB_TYPE(N), gb_batch_unary, scalar_##name);           \
    gbl_UnaryOp const GBL_##name = (gb_UnaryOp *)&unary_##name;

#define GB_DEFINE_BINARY(op, name, N, T, YN, Y, value)                                             \
    static void scalar_##name(void *z, const void *x_, const void *y_) {                           \
        const T x = *(const T *)x_;                                                                \
        const Y y = *(const Y *)y_;                                                                \
        *(T *)z = (T)(value);                                                                      \
    }                                                                                              \
    static const gb_BinaryOp binary_##name = GB_BINARY_OBJECT(                                     \
        GB_##op, GB_TYPE(N), GB_TYPE(N), GB_TYPE(YN), gb_batch_scalar, scalar_##name);             \
    gbl_BinaryOp const GBL_##name = (gb_BinaryOp *)&binary_##name;

/* -- comparisons, reversed arithmetic, logic */

#define GB_DEFINE(N, T)                                                                            \
    GB_DEFINE_BINARY(ISEQ, ISEQ_##N, N, T, N, T, x == y)                                           \
    GB_DEFINE_BINARY(ISNE, ISNE_##N, N, T, N, T, x != y)                                           \
    GB_DEFINE_BINARY(ISGT, ISGT_##N, N, T, N, T, x > y)                                            \
    GB_DEFINE_BINARY(ISLT, ISLT_##N, N, T, N, T, x < y)                                            \
    GB_DEFINE_BINARY(ISGE, ISGE_##N, N, T, N, T, x >= y)                                           \
    GB_DEFINE_BINARY(ISLE, ISLE_##N, N, T, N, T, x <= y)                                           \
    GB_DEFINE_BINARY(RMINUS, RMINUS_##N, N, T, N, T, gb_MINUS_##N(y, x))                           \
    GB_DEFINE_BINARY(RDIV, RDIV_##N, N, T, N, T, gb_DIV_##N(y, x))
GBL_FOREACH_TYPE(GB_DEFINE)
#undef GB_DEFINE

#define GB_DEFINE(N, T)                                                                            \
    GB_DEFINE_UNARY(LNOT_OF, LNOT_##N, N, T, x == 0)                                               \
    GB_DEFINE_BINARY(LOR_OF, LOR_##N, N, T, N, T, x != 0 || y != 0)                                \
    GB_DEFINE_BINARY(LAND_OF, LAND_##N, N, T, N, T, x != 0 && y != 0)                              \
    GB_DEFINE_BINARY(LXOR_OF, LXOR_##N, N, T, N, T, (x != 0) != (y != 0))
GBL_FOREACH_NUMERIC(GB_DEFINE)
#undef GB_DEFINE

/* -- bits, which are numbered from 1, the lowest; there is none of another number */

static bool is_bit(int64_t number, size_t size) {
    return number >= 1 && number <= (int64_t)(8 * size);
}

/* x shifted left by k bits, or right where k is negative, which repeats the sign of x. */
static uint64_t shift(int64_t x, int k, int bits) {
    if (k >= bits) return 0;
    if (k >= 0) return (uint64_t)x << k;
    return (uint64_t)(k <= -bits ? (x < 0 ? -1 : 0) : x >> -k);
}

#define GB_BIT(U) ((U)1 << ((y - 1) & (8 * sizeof(U) - 1)))
#define GB_DEFINE_BITS(N, T, U)                                                                    \
    GB_DEFINE_BINARY(BGET, BGET_##N, N, T, N, T,                                                   \
                     is_bit((int64_t)y, sizeof(T)) && ((U)x & GB_BIT(U)) != 0)                     \
    GB_DEFINE_BINARY(BSET, BSET_##N, N, T, N, T,                                                   \
                     is_bit((int64_t)y, sizeof(T)) ? (U)x | GB_BIT(U) : (U)x)                      \
    GB_DEFINE_BINARY(BCLR, BCLR_##N, N, T, N, T,                                                   \
                     is_bit((int64_t)y, sizeof(T)) ? (U)x & ~GB_BIT(U) : (U)x)
#define GB_DEFINE(N, T)                                                                            \
    GB_DEFINE_BITS(N, T, u##T)                                                                     \
    GB_DEFINE_BINARY(BSHIFT, BSHIFT_##N, N, T, INT8, int8_t, shift(x, y, 8 * (int)sizeof(T)))
GBL_FOREACH_SIGNED(GB_DEFINE)
#undef GB_DEFINE
#define GB_DEFINE(N, T)                                                                            \
    GB_DEFINE_BITS(N, T, T)                                                                        \
    GB_DEFINE_BINARY(BSHIFT, BSHIFT_##N, N, T, INT8, int8_t,                                       \
                     y > -8 * (int)sizeof(T) && y < 8 * (int)sizeof(T)                             \
                         ? y >= 0 ? (uint64_t)x << y : (uint64_t)x >> -y                           \
                         : 0)
GBL_FOREACH_UNSIGNED(GB_DEFINE)
#undef GB_DEFINE

/* -- x = m * 2^e with 0.5 <= |m| < 1 */

static double mantissa(double x) {
    int e;
    return frexp(x, &e);
}
static int exponent(double x) {
    int e = 0;
    return isfinite(x) ? (frexp(x, &e), e) : 0;
}
#define GB_DEFINE(N, T)                                                                            \
    GB_DEFINE_UNARY(FREXPX, FREXPX_##N, N, T, mantissa(x))                                         \
    GB_DEFINE_UNARY(FREXPE, FREXPE_##N, N, T, exponent(x))
GBL_FOREACH_FLOAT(GB_DEFINE)
#undef GB_DEFINE

/* -- positions: the binary ones as functions of both operands' indices, the unary ones as what
 * gbl_Matrix_apply replaces by ROWINDEX and COLINDEX */

#define GB_DEFINE_POSITION(op, N, T, value)                                                        \
    static void position_##op##_##N(void *z, const void *x, gbl_Index ix, gbl_Index jx,            \
                                    const void *y, gbl_Index iy, gbl_Index jy,                     \
                                    const void *theta) {                                           \
        (void)x, (void)ix, (void)jx, (void)y, (void)iy, (void)jy, (void)theta;                     \
        const T index = (T)(value);                                                                \
        *(T *)z = index;                                                                           \
    }                                                                                              \
    const gb_BinaryOp gb_binary_##op##_##N = {.magic = GB_MAGIC_BINARY,                            \
                                              .refs = GB_STATIC,                                   \
                                              .code = GB_##op,                                     \
                                              .ztype = GB_TYPE(N),                                 \
                                              .xtype = GB_TYPE(N),                                 \
                                              .ytype = GB_TYPE(N),                                 \
                                              .index = position_##op##_##N};                       \
    gbl_BinaryOp const GBL_##op##_##N = GB_BINARY(op, N);
#define GB_DEFINE_OF(op, N)                                                                        \
    static const gb_UnaryOp unary_##op##_##N =                                                     \
        GB_UNARY_OBJECT(GB_##op, GB_TYPE(N), GB_TYPE(N), NULL, NULL);                              \
    gbl_UnaryOp const GBL_##op##_##N = (gb_UnaryOp *)&unary_##op##_##N;
#define GB_DEFINE(N, T)                                                                            \
    GB_DEFINE_POSITION(FIRSTI, N, T, ix)                                                           \
    GB_DEFINE_POSITION(FIRSTJ, N, T, jx)                                                           \
    GB_DEFINE_POSITION(SECONDI, N, T, iy)                                                          \
    GB_DEFINE_POSITION(SECONDJ, N, T, jy)                                                          \
    GB_DEFINE_POSITION(FIRSTI1, N, T, ix + 1)                                                      \
    GB_DEFINE_POSITION(FIRSTJ1, N, T, jx + 1)                                                      \
    GB_DEFINE_POSITION(SECONDI1, N, T, iy + 1)                                                     \
    GB_DEFINE_POSITION(SECONDJ1, N, T, jy + 1)                                                     \
    GB_DEFINE_OF(POSITIONI, N)                                                                     \
    GB_DEFINE_OF(POSITIONI1, N)                                                                    \
    GB_DEFINE_OF(POSITIONJ, N)                                                                     \
    GB_DEFINE_OF(POSITIONJ1, N)
GB_DEFINE(INT32, int32_t)
GB_DEFINE(INT64, int64_t)
