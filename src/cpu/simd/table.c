/* SPDX-License-Identifier: Apache-2.0
 *
 * The kernels of one instruction set.
 */
#include "cpu/cpu.h"
#include "cpu/simd/isa.h"

#define GB_KERNEL(result, name, parameters)
#define GB_SET_KERNEL(result, name, parameters) result GB_ISA_NAME(gb_##name) parameters;
#include "kernel_api/kernels.def"

#define TEXT2(x) #x
#define TEXT(x) TEXT2(x)
extern const gb_IsaKernels GB_ISA_NAME(gb_kernels);
const gb_IsaKernels GB_ISA_NAME(gb_kernels) = {
    .name = TEXT(GB_ISA),
#define GB_KERNEL(result, name, parameters)
#define GB_SET_KERNEL(result, name, parameters) .name = GB_ISA_NAME(gb_##name),
#include "kernel_api/kernels.def"
};
