/* SPDX-License-Identifier: Apache-2.0
 *
 * Long vectors with AVX2, where the compiler has a pragma for it and the processor has the set.
 */
#include "support/gb_test.h"

#include <string.h>

#if defined(__x86_64__) && defined(__GNUC__) && !defined(__clang__)
#pragma GCC push_options
#pragma GCC target("avx2")
#define VECLAYER every_operation
#include "veclayer_cases.h"
#pragma GCC pop_options

GB_TEST(veclayer_avx2, operations) {
    if (__builtin_cpu_supports("avx2")) every_operation();
}
#endif
