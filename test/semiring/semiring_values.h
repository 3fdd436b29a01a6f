/* SPDX-License-Identifier: Apache-2.0
 *
 * Values of any built-in type as a test sees them, and edge values of every type.
 *
 * Integers live in 128 bits and wrap when stored, floats in double and are rounded when stored; for
 * one operation both give the exact result of the type.
 */
#pragma once

#include <math.h>
#include <string.h>

#include "semiring/algebra.h"
#include "support/gb_test.h"

__extension__ typedef __int128 wide;
__extension__ typedef unsigned __int128 uwide;

/* a value of any built-in type: integers and BOOL in i, floats in d */
typedef struct {
    wide i;
    double d;
} value;

enum { NVALUES = 32, NPAIRS = NVALUES * NVALUES, BYTES = 8 };

static inline bool is_float(gbl_Type_Code code) {
    return code == GBL_FP32_CODE || code == GBL_FP64_CODE;
}

static inline value load(gbl_Type_Code code, const void *p) {
    switch (code) {
#define CASE(N, T)                                                                                 \
    case GBL_##N##_CODE:                                                                           \
        return (value){.i = (wide) * (const T *)p};
        CASE(BOOL, bool)
        GBL_FOREACH_INTEGER(CASE)
#undef CASE
    case GBL_FP32_CODE:
        return (value){.d = (double)*(const float *)p};
    default:
        return (value){.d = *(const double *)p};
    }
}

/* wraps or rounds */
static inline void store(gbl_Type_Code code, void *p, value v) {
    switch (code) {
#define CASE(N, T)                                                                                 \
    case GBL_##N##_CODE:                                                                           \
        *(T *)p = (T)v.i;                                                                          \
        break;
        CASE(BOOL, bool)
        GBL_FOREACH_INTEGER(CASE)
#undef CASE
    case GBL_FP32_CODE:
        *(float *)p = (float)v.d;
        break;
    default:
        *(double *)p = v.d;
    }
}

static inline bool same(gbl_Type_Code code, const void *p, const void *q) {
    const value a = load(code, p), b = load(code, q);
    return is_float(code) ? a.d == b.d || (isnan(a.d) && isnan(b.d)) : a.i == b.i;
}

static inline value lowest(gbl_Type_Code code) {
    switch (code) {
#define CASE(N, T)                                                                                 \
    case GBL_##N##_CODE:                                                                           \
        return (value){.i = N##_MIN, .d = 0};
        GBL_FOREACH_SIGNED(CASE)
#undef CASE
    default:
        return (value){.i = 0, .d = (double)-INFINITY};
    }
}

static inline value highest(gbl_Type_Code code) {
    switch (code) {
#define CASE(N, T)                                                                                 \
    case GBL_##N##_CODE:                                                                           \
        return (value){.i = N##_MAX, .d = 0};
        GBL_FOREACH_INTEGER(CASE)
#undef CASE
    default:
        return (value){.i = 1, .d = (double)INFINITY};
    }
}

/* NVALUES edge and random values */
static inline void fill_values(gbl_Type_Code code, char *x) {
    const double inf = (double)INFINITY;
    /* clang-format off */
    const double floats[] = {0, 1, -1, 0.5, -0.5, 2, 3.75, 1e30, -1e30, 127.5, 255.9, -128.9, 1e-40,
                             NAN, inf, -inf, 0x1p31, 0x1p63, 0x1p64, -0x1p63};
    /* clang-format on */
    const wide low = lowest(code).i, high = highest(code).i;
    const wide integers[] = {low, low + 1, high, high - 1, high / 2, 0, 1, 2, 3, -1, -2, -3, 7};
    t_Random random = t_random(2024 + (uint64_t)code);
    for (size_t k = 0; k < NVALUES; k++) {
        value v = {.i = (wide)t_next(&random), .d = (double)(int64_t)t_next(&random) * 1e-15};
        if (k < T_COUNT(floats)) v.d = floats[k];
        if (k < T_COUNT(integers)) v.i = integers[k];
        if (code == GBL_BOOL_CODE) v.i &= 1;
        store(code, x + k * gb_type_of(code)->size, v);
    }
}
