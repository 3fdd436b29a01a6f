/* SPDX-License-Identifier: Apache-2.0
 *
 * GB_DEFINE_BINARY(op, name, N, Z, ZN, T): the batch and scalar functions of gb_<op>_<N>, T x T ->
 * Z (type name ZN), the constant object gb_binary_<op>_<N> and the handle GBL_<name>.
 *
 * One loop per pair of strides, each of which vectorises.
 */
#ifndef GB_SEMIRING_BINARY_LOOPS_H
#define GB_SEMIRING_BINARY_LOOPS_H

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
    const gb_BinaryOp gb_binary_##op##_##N = {                                                     \
        GB_MAGIC_BINARY,      0,          GB_STATIC,  GB_##op,                                     \
        GB_TYPE(ZN),          GB_TYPE(N), GB_TYPE(N), gb_batch_##op##_##N,                         \
        gb_scalar_##op##_##N, NULL};                                                               \
    gbl_BinaryOp const GBL_##name = GB_BINARY(op, N);

#endif
