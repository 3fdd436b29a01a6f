/* SPDX-License-Identifier: Apache-2.0
 *
 * AArch64 under Linux; see core/arch.h. Every one has NEON, which the portable kernels use.
 */
#pragma once

#include <sys/auxv.h>

static inline void gb_relax(void) {
    __asm__ volatile("yield" ::: "memory");
}

/* The generic timer, which the kernel lets programs read. 25 MHz to 1 GHz. */
static inline uint64_t gb_ticks(void) {
    uint64_t now;
    __asm__ volatile("mrs %0, cntvct_el0" : "=r"(now));
    return now;
}

#define GB_ARCH_NAME_LINE "CPU part"

/* What the compiler may use with the flags of cmake/isa.cmake: to gcc and clang SVE includes
 * numbers of 16 bits. Their places are those of AT_HWCAP (asm/hwcap.h). */
enum {
    GB_CPU_FPHP = 1 << 9,
    GB_CPU_ASIMDHP = 1 << 10,
    GB_CPU_SVE = 1 << 22,
    GB_NEEDS_SVE = GB_CPU_FPHP | GB_CPU_ASIMDHP | GB_CPU_SVE
};

#define GB_ARCH_FEATURES(F)                                                                        \
    F(GB_CPU_FPHP, "fphp")                                                                         \
    F(GB_CPU_ASIMDHP, "asimdhp")                                                                   \
    F(GB_CPU_SVE, "sve")

static inline unsigned gb_arch_features(void) {
    return (unsigned)getauxval(AT_HWCAP) & (unsigned)GB_NEEDS_SVE;
}

#ifndef GB_WITHOUT_SVE
#define GB_ARCH_SETS(SET) SET(sve, GB_NEEDS_SVE)
#else
#define GB_ARCH_SETS(SET)
#endif
