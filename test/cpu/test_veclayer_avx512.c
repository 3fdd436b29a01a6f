/* SPDX-License-Identifier: Apache-2.0
 *
 * Long vectors with AVX-512, where the compiler has a pragma for it and the processor has the set.
 */
#include "support/gb_test.h"

#include <string.h>

#if defined(__x86_64__) && defined(__GNUC__) && !defined(__clang__)
#pragma GCC push_options
#pragma GCC target("avx512f,avx512bw,avx512dq,avx512vl")
#define VECLAYER every_operation
#include "veclayer_cases.h"
#pragma GCC pop_options

GB_TEST(veclayer_avx512, operations) {
    if (__builtin_cpu_supports("avx512f") && __builtin_cpu_supports("avx512vl")) every_operation();
}
#endif
