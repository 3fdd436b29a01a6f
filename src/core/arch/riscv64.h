/* SPDX-License-Identifier: Apache-2.0
 *
 * RISC-V of 64 bits under Linux; see core/arch.h.
 */
#pragma once

#include <sys/auxv.h>

/* `pause` of Zihintpause, as bytes for assemblers that do not know it; a fence without effect where
 * it is not there. */
static inline void gb_relax(void) {
    __asm__ volatile(".insn i 0x0F, 0, x0, x0, 0x010" ::: "memory");
}

/* Many processors trap where a program reads the time. */
static inline uint64_t gb_ticks(void) {
    return 0;
}

#define GB_ARCH_NAME_LINE "uarch"

/* AT_HWCAP has a bit for each letter of the name of the architecture. */
enum { GB_CPU_V = 1 << ('v' - 'a'), GB_NEEDS_RVV = GB_CPU_V };

#define GB_ARCH_FEATURES(F) F(GB_CPU_V, "v")

static inline unsigned gb_arch_features(void) {
    return (unsigned)getauxval(AT_HWCAP) & (unsigned)GB_NEEDS_RVV;
}

#ifndef GB_WITHOUT_RVV
#define GB_ARCH_SETS(SET) SET(rvv, GB_NEEDS_RVV)
#else
#define GB_ARCH_SETS(SET)
#endif
