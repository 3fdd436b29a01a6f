/* SPDX-License-Identifier: Apache-2.0
 *
 * The kernels of the host, by name; src/cpu/registry.c puts them into the table. Those that
 * are compiled once per instruction set are in folders of their method and come as a gb_IsaKernels.
 */
#pragma once

#include "core/arch.h"
#include "kernel_api/backend.h"

#define GB_KERNEL(result, name, parameters) result gb_cpu_##name parameters;
#define GB_SET_KERNEL(result, name, parameters)
#include "kernel_api/kernels.def"

typedef struct {
    const char *name;
#define GB_KERNEL(result, name, parameters)
#define GB_SET_KERNEL(result, name, parameters) result(*name) parameters;
#include "kernel_api/kernels.def"
} gb_IsaKernels; /* gb_kernels_portable and so on, made by simd/table.c */

/* -- sets of kernels (registry.c) -------------------------------------------------------------- */

/* Which instructions the processor has, and which kernels it can therefore run. A set of kernels is
 * named as its instruction set is in cmake/isa.cmake: "portable", "avx2", "avx512", "sve", "rvv".
 */

/* The sets of kernels in this build, the best first: name, GB_CPU_ bits that it needs (core/arch).
 * The build may leave out some (GBLITE_ISAS), not all. */
#ifndef GB_WITHOUT_PORTABLE
#define GB_ISA_PORTABLE(ISA) ISA(portable, 0)
#else
#define GB_ISA_PORTABLE(ISA)
#endif
#define GB_FOREACH_ISA(ISA) GB_ARCH_SETS(ISA) GB_ISA_PORTABLE(ISA)

/* GB_CPU_ bits of this processor; those of vectors only where the system saves their registers. */
unsigned gb_processor_features(void);

/* Whether kernels of the set run on a processor with these features; false for unknown names. */
bool gb_kernels_run_on(const char *set, unsigned features);
/* The name of the best set that does; NULL: none of this build does. */
const char *gb_best_kernels(unsigned features);
