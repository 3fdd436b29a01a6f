/* SPDX-License-Identifier: Apache-2.0
 *
 * x86-64; see core/arch.h. Every one has SSE2.
 */
#pragma once

#include <cpuid.h>

static inline void gb_relax(void) {
    __builtin_ia32_pause();
}

static inline uint64_t gb_ticks(void) {
    return __builtin_ia32_rdtsc();
}

#define GB_ARCH_NAME_LINE "model name"

/* One for each -m option of cmake/isa.cmake: what the compiler may use must be asked for. */
enum {
    GB_CPU_AVX2 = 1 << 0,
    GB_CPU_FMA = 1 << 1,
    GB_CPU_BMI1 = 1 << 2,
    GB_CPU_BMI2 = 1 << 3,
    GB_CPU_LZCNT = 1 << 4,
    GB_CPU_POPCNT = 1 << 5,
    GB_CPU_AVX512F = 1 << 6,
    GB_CPU_AVX512DQ = 1 << 7,
    GB_CPU_AVX512BW = 1 << 8,
    GB_CPU_AVX512VL = 1 << 9,
    GB_CPU_AVX512CD = 1 << 10,
    GB_NEEDS_AVX2 =
        GB_CPU_AVX2 | GB_CPU_FMA | GB_CPU_BMI1 | GB_CPU_BMI2 | GB_CPU_LZCNT | GB_CPU_POPCNT,
    GB_NEEDS_AVX512 = GB_NEEDS_AVX2 | GB_CPU_AVX512F | GB_CPU_AVX512DQ | GB_CPU_AVX512BW |
                      GB_CPU_AVX512VL | GB_CPU_AVX512CD
};

#define GB_ARCH_FEATURES(F)                                                                        \
    F(GB_CPU_AVX2, "avx2")                                                                         \
    F(GB_CPU_FMA, "fma")                                                                           \
    F(GB_CPU_BMI1, "bmi1")                                                                         \
    F(GB_CPU_BMI2, "bmi2")                                                                         \
    F(GB_CPU_LZCNT, "abm")                                                                         \
    F(GB_CPU_POPCNT, "popcnt")                                                                     \
    F(GB_CPU_AVX512F, "avx512f")                                                                   \
    F(GB_CPU_AVX512DQ, "avx512dq")                                                                 \
    F(GB_CPU_AVX512BW, "avx512bw")                                                                 \
    F(GB_CPU_AVX512VL, "avx512vl")                                                                 \
    F(GB_CPU_AVX512CD, "avx512cd")

/* Compilers that we support do not know "lzcnt". A processor without it runs the instruction as
 * another one, with other results. */
static inline int gb_arch_has_lzcnt(void) {
    unsigned a, b, c, d;
    return __get_cpuid(0x80000001u, &a, &b, &c, &d) != 0 && (c & bit_LZCNT) != 0;
}

#define GB_ARCH_BIT(name, feature) (__builtin_cpu_supports(name) ? (unsigned)(feature) : 0u)
static inline unsigned gb_arch_features(void) {
    return GB_ARCH_BIT("avx2", GB_CPU_AVX2) | GB_ARCH_BIT("fma", GB_CPU_FMA) |
           GB_ARCH_BIT("bmi", GB_CPU_BMI1) | GB_ARCH_BIT("bmi2", GB_CPU_BMI2) |
           (gb_arch_has_lzcnt() ? (unsigned)GB_CPU_LZCNT : 0u) |
           GB_ARCH_BIT("popcnt", GB_CPU_POPCNT) | GB_ARCH_BIT("avx512f", GB_CPU_AVX512F) |
           GB_ARCH_BIT("avx512dq", GB_CPU_AVX512DQ) | GB_ARCH_BIT("avx512bw", GB_CPU_AVX512BW) |
           GB_ARCH_BIT("avx512vl", GB_CPU_AVX512VL) | GB_ARCH_BIT("avx512cd", GB_CPU_AVX512CD);
}
#undef GB_ARCH_BIT

#ifndef GB_WITHOUT_AVX512
#define GB_ARCH_AVX512(SET) SET(avx512, GB_NEEDS_AVX512)
#else
#define GB_ARCH_AVX512(SET)
#endif
#ifndef GB_WITHOUT_AVX2
#define GB_ARCH_AVX2(SET) SET(avx2, GB_NEEDS_AVX2)
#else
#define GB_ARCH_AVX2(SET)
#endif
#define GB_ARCH_SETS(SET) GB_ARCH_AVX512(SET) GB_ARCH_AVX2(SET)
