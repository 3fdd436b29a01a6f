/* SPDX-License-Identifier: Apache-2.0
 *
 * The semirings of examples/semirings for the job semiring: kernels, and the same as functions.
 */
#include "../examples/semirings/common_prefix.h"
#include "../examples/semirings/dual.h"
#include "../examples/semirings/k_shortest.h"
#include "../examples/semirings/small_sets.h"
#include "../examples/semirings/widest.h"

#include "jobs/semiring.h"

#ifndef GBL_KERNEL_SET /* once, not for every set */

#define FUNCTIONS(name, T, add, multiply, edge, ...)                                               \
    static void name##_add(void *z, const void *x, const void *y) {                                \
        *(T *)z = add(*(const T *)x, *(const T *)y);                                               \
    }                                                                                              \
    static void name##_multiply(void *z, const void *a, const void *b) {                           \
        *(T *)z = multiply(*(const T *)a, *(const T *)b);                                          \
    }                                                                                              \
    static void name##_edge(void *z, const void *w, gbl_Index i, gbl_Index j, const void *y) {     \
        const double weight = *(const double *)w;                                                  \
        (void)i, (void)j, (void)y, (void)weight;                                                   \
        *(T *)z = edge;                                                                            \
    }                                                                                              \
    static const T name##_identity = __VA_ARGS__;

FUNCTIONS(widest, double, wider, narrower, weight, 0)
FUNCTIONS(k_shortest, lengths, least, sums, ((lengths){{weight, INFINITY, INFINITY, INFINITY}}),
          {{INFINITY, INFINITY, INFINITY, INFINITY}})
FUNCTIONS(common_prefix, label, prefix, append, ((label){1, {(char)('a' + (i + j) % 26)}}),
          {ANY_STRING, {0}})
FUNCTIONS(dual, dual_number, dual_sum, dual_product, ((dual_number){weight, 1}), {0, 0})
FUNCTIONS(small_sets, small_set, set_union, set_intersection,
          ((small_set){{~(UINT64_C(1) << (i + j) % 64)}}), {{0}})

#define EXAMPLE(name, T)                                                                           \
    {                                                                                              \
        {#name,           BENCH_STRUCT,     sizeof(T),  name##_add,                                \
         name##_multiply, &name##_identity, name##_edge},                                          \
            &name, 2 /* mxm, mxv */, NULL                                                          \
    }
const bench_semiring bench_examples[BENCH_EXAMPLES] = {
    EXAMPLE(widest, double), EXAMPLE(k_shortest, lengths), EXAMPLE(common_prefix, label),
    EXAMPLE(dual, dual_number), EXAMPLE(small_sets, small_set)};

#endif
