/* SPDX-License-Identifier: Apache-2.0
 *
 * The processor's features; see processor.h.
 */
#include "backend/processor.h"

#include <stddef.h>
#include <string.h>

#if defined(__x86_64__)
#include <cpuid.h>

/* Compilers that we support do not know "lzcnt". A processor without it runs the instruction as
 * another one, with other results. */
static bool has_lzcnt(void) {
    unsigned a, b, c, d;
    return __get_cpuid(0x80000001u, &a, &b, &c, &d) != 0 && (c & bit_LZCNT) != 0;
}

#define BIT(name, feature) (__builtin_cpu_supports(name) ? (unsigned)(feature) : 0u)
unsigned gb_processor_features(void) {
    return BIT("avx2", GB_CPU_AVX2) | BIT("fma", GB_CPU_FMA) | BIT("bmi", GB_CPU_BMI1) |
           BIT("bmi2", GB_CPU_BMI2) | (has_lzcnt() ? (unsigned)GB_CPU_LZCNT : 0u) |
           BIT("popcnt", GB_CPU_POPCNT) | BIT("avx512f", GB_CPU_AVX512F) |
           BIT("avx512dq", GB_CPU_AVX512DQ) | BIT("avx512bw", GB_CPU_AVX512BW) |
           BIT("avx512vl", GB_CPU_AVX512VL) | BIT("avx512cd", GB_CPU_AVX512CD);
}
#undef BIT
#else
unsigned gb_processor_features(void) {
    return 0;
}
#endif

#define ENTRY(name, needs) {#name, needs},
static const struct {
    const char *name;
    unsigned needs;
} sets[] = {GB_FOREACH_ISA(ENTRY)};
#undef ENTRY
enum { NSETS = sizeof sets / sizeof *sets };

static bool has_all(unsigned features, unsigned needs) {
    return (features & needs) == needs;
}

bool gb_kernels_run_on(const char *set, unsigned features) {
    for (size_t k = 0; k < NSETS; k++)
        if (strcmp(set, sets[k].name) == 0) return has_all(features, sets[k].needs);
    return false;
}

const char *gb_best_kernels(unsigned features) {
    for (size_t k = 0; k < NSETS; k++)
        if (has_all(features, sets[k].needs)) return sets[k].name;
    return NULL;
}
