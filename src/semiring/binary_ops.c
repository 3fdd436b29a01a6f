/* SPDX-License-Identifier: Apache-2.0
 *
 * The predefined binary operators.
 *
 * GB_DEFINE_BINARY(op, name, N, Z, ZN, T): the batch and scalar functions of gb_<op>_<N>, T x T ->
 * Z (type name ZN), the constant object gb_binary_<op>_<N> and the handle GBL_<name>. One loop per
 * pair of strides, each of which vectorises.
 */
#include "semiring/objects.h"
#include "semiring/scalar_ops.h"

#define GB_DEFINE_BINARY(op, name, N, Z, ZN, T)                                                    \
    static void gb_scalar_##op##_##N(void *z, const void *x, const void *y) {                      \
        *(Z *)z = gb_##op##_##N(*(const T *)x, *(const T *)y);                                     \
    }                                                                                              \
    static void gb_batch_##op##_##N(const gb_BinaryOp *self, size_t n, void *z_, const void *x_,   \
                                    int sx, const void *y_, int sy) {                              \
        Z *restrict z = z_;                                                                        \
        const T *restrict x = x_;                                                                  \
        const T *restrict y = y_;                                                                  \
        (void)self;                                                                                \
        if (n == 0) return;                                                                        \
        if (sx != 0 && sy != 0) {                                                                  \
            for (size_t k = 0; k < n; k++) z[k] = gb_##op##_##N(x[k], y[k]);                       \
        } else if (sx != 0) {                                                                      \
            const T b = *y;                                                                        \
            for (size_t k = 0; k < n; k++) z[k] = gb_##op##_##N(x[k], b);                          \
        } else if (sy != 0) {                                                                      \
            const T a = *x;                                                                        \
            for (size_t k = 0; k < n; k++) z[k] = gb_##op##_##N(a, y[k]);                          \
        } else {                                                                                   \
            const Z c = gb_##op##_##N(*x, *y);                                                     \
            gb_fill(z, &c, sizeof(Z), n);                                                          \
        }                                                                                          \
    }                                                                                              \
    const gb_BinaryOp gb_binary_##op##_##N = {.magic = GB_MAGIC_BINARY,                            \
                                              .refs = GB_STATIC,                                   \
                                              .code = GB_##op,                                     \
                                              .ztype = GB_TYPE(ZN),                                \
                                              .xtype = GB_TYPE(N),                                 \
                                              .ytype = GB_TYPE(N),                                 \
                                              .batch = gb_batch_##op##_##N,                        \
                                              .scalar = gb_scalar_##op##_##N};                     \
    gbl_BinaryOp const GBL_##name = GB_BINARY(op, N);

/* -- arithmetic */

#define GB_DEFINE(N, T)                                                                            \
    GB_DEFINE_BINARY(MIN, MIN_##N, N, T, N, T)                                                     \
    GB_DEFINE_BINARY(MAX, MAX_##N, N, T, N, T)                                                     \
    GB_DEFINE_BINARY(PLUS, PLUS_##N, N, T, N, T)                                                   \
    GB_DEFINE_BINARY(MINUS, MINUS_##N, N, T, N, T)                                                 \
    GB_DEFINE_BINARY(TIMES, TIMES_##N, N, T, N, T)                                                 \
    GB_DEFINE_BINARY(DIV, DIV_##N, N, T, N, T)                                                     \
    GB_DEFINE_BINARY(ABSDIFF, ABSDIFF_##N, N, T, N, T)
GBL_FOREACH_TYPE(GB_DEFINE)
#undef GB_DEFINE

/* -- comparisons, T x T -> BOOL */

#define GB_DEFINE(N, T)                                                                            \
    GB_DEFINE_BINARY(EQ, EQ_##N, N, bool, BOOL, T)                                                 \
    GB_DEFINE_BINARY(NE, NE_##N, N, bool, BOOL, T)                                                 \
    GB_DEFINE_BINARY(GT, GT_##N, N, bool, BOOL, T)                                                 \
    GB_DEFINE_BINARY(LT, LT_##N, N, bool, BOOL, T)                                                 \
    GB_DEFINE_BINARY(GE, GE_##N, N, bool, BOOL, T)                                                 \
    GB_DEFINE_BINARY(LE, LE_##N, N, bool, BOOL, T)
GBL_FOREACH_TYPE(GB_DEFINE)
#undef GB_DEFINE

/* -- choices, logic, bits */

#define GB_DEFINE(N, T)                                                                            \
    GB_DEFINE_BINARY(FIRST, FIRST_##N, N, T, N, T)                                                 \
    GB_DEFINE_BINARY(SECOND, SECOND_##N, N, T, N, T)                                               \
    GB_DEFINE_BINARY(ONEB, ONEB_##N, N, T, N, T)                                                   \
    GB_DEFINE_BINARY(ANY, ANY_##N, N, T, N, T)
GBL_FOREACH_TYPE(GB_DEFINE)
#undef GB_DEFINE

GB_DEFINE_BINARY(LOR, LOR, BOOL, bool, BOOL, bool)
GB_DEFINE_BINARY(LAND, LAND, BOOL, bool, BOOL, bool)
GB_DEFINE_BINARY(LXOR, LXOR, BOOL, bool, BOOL, bool)
GB_DEFINE_BINARY(LXNOR, LXNOR, BOOL, bool, BOOL, bool)

#define GB_DEFINE(N, T)                                                                            \
    GB_DEFINE_BINARY(BOR, BOR_##N, N, T, N, T)                                                     \
    GB_DEFINE_BINARY(BAND, BAND_##N, N, T, N, T)                                                   \
    GB_DEFINE_BINARY(BXOR, BXOR_##N, N, T, N, T)                                                   \
    GB_DEFINE_BINARY(BXNOR, BXNOR_##N, N, T, N, T)
GBL_FOREACH_INTEGER(GB_DEFINE)
#undef GB_DEFINE
