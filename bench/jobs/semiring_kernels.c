/* SPDX-License-Identifier: Apache-2.0
 *
 * The semirings of the job semiring: kernels, made as users make theirs, and the same as functions.
 */
#include <math.h>

#include "jobs/semiring.h"

#define PATH                                                                                       \
    struct {                                                                                       \
        double length;                                                                             \
        int64_t hops;                                                                              \
    }
typedef PATH path;
/* Expressions, which a JIT gets as text. */
#define BETTER(x, y)                                                                               \
    ((x).length < (y).length || ((x).length == (y).length && (x).hops <= (y).hops) ? (x) : (y))
#define FOLLOW(a, b) ((path){(a).length + (b).length, (a).hops + (b).hops})

#define GBL_SEMIRING plus_times
#define GBL_SEMIRING_TYPE double
#define GBL_SEMIRING_ADD(x, y) ((x) + (y))
#define GBL_SEMIRING_MULTIPLY(a, b) ((a) * (b))
#define GBL_SEMIRING_IDENTITY 0.0
#define GBL_SEMIRING_LANES 1
#include "gblite_semiring.h"

#define GBL_SEMIRING min_plus
#define GBL_SEMIRING_TYPE int32_t
#define GBL_SEMIRING_ADD(x, y) GBL_LANES_IMIN(x, y)
#define GBL_SEMIRING_MULTIPLY(a, b) ((a) + (b))
#define GBL_SEMIRING_IDENTITY INT32_MAX
#define GBL_SEMIRING_LANES 1
#include "gblite_semiring.h"

#define GBL_SEMIRING paths
#define GBL_SEMIRING_TYPE path
#define GBL_SEMIRING_ADD(x, y) BETTER(x, y)
#define GBL_SEMIRING_MULTIPLY(a, b) FOLLOW(a, b)
#define GBL_SEMIRING_IDENTITY ((path){INFINITY, 0})
#include "gblite_semiring.h"

#ifndef GBL_KERNEL_SET /* once, not for every set */

#define TEXT_OF(...) #__VA_ARGS__
#define TEXT(name, T, ...)                                                                         \
    "void bench_" name "(" #T " *z, const " #T " *x, const " #T                                    \
    " *y) { *z = " TEXT_OF(__VA_ARGS__) "; }"

#define FUNCTIONS(name, T, add, multiply, ...)                                                     \
    static void name##_add(void *z, const void *x, const void *y) {                                \
        *(T *)z = add(*(const T *)x, *(const T *)y);                                               \
    }                                                                                              \
    static void name##_multiply(void *z, const void *a, const void *b) {                           \
        *(T *)z = multiply(*(const T *)a, *(const T *)b);                                          \
    }                                                                                              \
    static const char name##_of_add[] = TEXT("add", T, add(*x, *y));                               \
    static const char name##_of_multiply[] = TEXT("multiply", T, multiply(*x, *y));                \
    static const T name##_identity = __VA_ARGS__;

#define SUM(x, y) ((x) + (y))
#define PRODUCT(x, y) ((x) * (y))
#define LEAST(x, y) ((x) < (y) ? (x) : (y))
#define WRAPPING_SUM(x, y) ((int32_t)((uint32_t)(x) + (uint32_t)(y)))
FUNCTIONS(plus_times, double, SUM, PRODUCT, 0)
FUNCTIONS(min_plus, int32_t, LEAST, WRAPPING_SUM, INT32_MAX)
FUNCTIONS(paths, path, BETTER, FOLLOW, {1e300, 0})

static void path_of(void *edge, double weight) {
    *(path *)edge = (path){weight, 1};
}

#define EXPANDED(...) TEXT_OF(__VA_ARGS__)
#define TYPE_TEXT "typedef " EXPANDED(PATH) " path;" /* of BENCH_STRUCT */
#define SEMIRING(text, name, kind, T, of_weight, operations, predefined)                           \
    {                                                                                              \
        text, kind, sizeof(T), name##_add, name##_multiply, &name##_identity, of_weight, &name,    \
            operations, predefined, TYPE_TEXT, name##_of_add, name##_of_multiply                   \
    }
const bench_semiring bench_semirings[BENCH_SEMIRINGS] = {
    SEMIRING("plus_times FP64", plus_times, BENCH_FP64, double, NULL, 4 /* no paths */,
             &GBL_PLUS_TIMES_SEMIRING_FP64),
    SEMIRING("min_plus INT32", min_plus, BENCH_INT32, int32_t, NULL, 5,
             &GBL_MIN_PLUS_SEMIRING_INT32),
    SEMIRING("(distance, hops)", paths, BENCH_STRUCT, path, path_of, 5, NULL)};

#endif
