/* SPDX-License-Identifier: Apache-2.0
 *
 * What differs between architectures and no compiler hides: one file each in core/arch. Prefetches
 * and atomic operations are the compiler's (__builtin_prefetch, __atomic_*), and ordered for
 * processors that reorder stores: nothing may rest on the order that x86-64 happens to keep. The
 * size of a page is asked for (sysconf), and unaligned numbers are read by memcpy. Vectors are in
 * cpu/simd/simd.h. docs/ports.md says what a new architecture takes.
 *
 * A file of core/arch has
 *   gb_relax()            the processor is told that this thread waits for another one
 *   gb_ticks()            time as the processor counts it, for shares of a whole; 0 where reading
 *                         it is not cheap
 *   GB_ARCH_NAME_LINE     how the line of /proc/cpuinfo begins that names the processor
 *   GB_CPU_..., GB_NEEDS_...  a bit for each feature that kernels are compiled for, and those that
 *                         a set of kernels needs together
 *   GB_ARCH_FEATURES(F)   F(bit, word): how /proc/cpuinfo calls each feature
 *   gb_arch_features()    the bits of this processor; those of vectors only where the system saves
 *                         their registers
 *   GB_ARCH_SETS(SET)     SET(name, needs): sets of kernels beside `portable`, the best first, less
 *                         those that the build leaves out (GB_WITHOUT_...)
 */
#pragma once

#include <stdint.h>

#if __BYTE_ORDER__ != __ORDER_LITTLE_ENDIAN__ || __SIZEOF_POINTER__ != 8
#error "gblite needs a processor of 64 bits that stores the lowest byte first"
#endif

#if defined(__x86_64__)
#include "core/arch/x86_64.h"
#elif defined(__aarch64__)
#include "core/arch/aarch64.h"
#elif defined(__riscv)
#include "core/arch/riscv64.h"
#else
#include "core/arch/other.h"
#endif
