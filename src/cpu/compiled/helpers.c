/* SPDX-License-Identifier: Apache-2.0
 *
 * What kernels that users compiled for this instruction set call of the library.
 */
#include "cpu/compiled/layout.h"

const gb_KernelHelpers *GB_ISA_NAME(gb_kernel_helpers)(void);

const gb_KernelHelpers *GB_ISA_NAME(gb_kernel_helpers)(void) {
    static const gb_RowHelpers rows = {GB_ISA_NAME(gb_reserve_slots), GB_ISA_NAME(gb_filter_row),
                                       GB_ISA_NAME(gb_short_sort)};
    static const gb_KernelHelpers helpers = {GB_KERNEL_LAYOUT, &rows};
    return &helpers;
}
