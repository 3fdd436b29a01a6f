/* SPDX-License-Identifier: Apache-2.0
 *
 * The kernels of the host, by name; src/cpu/registry.c puts them into the table. Those that
 * are compiled once per instruction set are in folders of their method and come as a gb_IsaKernels.
 */
#ifndef GB_CPU_CPU_H
#define GB_CPU_CPU_H

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

#endif
