/* SPDX-License-Identifier: Apache-2.0
 *
 * Which instructions the processor has, and which kernels it can therefore run. A set of kernels is
 * named as its instruction set is in cmake/isa.cmake: "portable", "avx2", "avx512".
 */
#ifndef GB_BACKEND_PROCESSOR_H
#define GB_BACKEND_PROCESSOR_H

#include <stdbool.h>

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

/* The sets of kernels in this build, the best first: name, GB_CPU_ bits that it needs. The build
 * may leave out some (GBLITE_ISAS), not all. */
#if defined(__x86_64__) && !defined(GB_WITHOUT_AVX512)
#define GB_ISA_AVX512(ISA) ISA(avx512, GB_NEEDS_AVX512)
#else
#define GB_ISA_AVX512(ISA)
#endif
#if defined(__x86_64__) && !defined(GB_WITHOUT_AVX2)
#define GB_ISA_AVX2(ISA) ISA(avx2, GB_NEEDS_AVX2)
#else
#define GB_ISA_AVX2(ISA)
#endif
#ifndef GB_WITHOUT_PORTABLE
#define GB_ISA_PORTABLE(ISA) ISA(portable, 0)
#else
#define GB_ISA_PORTABLE(ISA)
#endif
#define GB_FOREACH_ISA(ISA) GB_ISA_AVX512(ISA) GB_ISA_AVX2(ISA) GB_ISA_PORTABLE(ISA)

/* GB_CPU_ bits of this processor; those of vectors only where the system saves their registers. */
unsigned gb_processor_features(void);

/* Whether kernels of the set run on a processor with these features; false for unknown names. */
bool gb_kernels_run_on(const char *set, unsigned features);
/* The name of the best set that does; NULL: none of this build does. */
const char *gb_best_kernels(unsigned features);

#endif
