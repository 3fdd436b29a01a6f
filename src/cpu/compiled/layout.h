/* SPDX-License-Identifier: Apache-2.0
 *
 * GB_KERNEL_LAYOUT: the structs that the library and kernels of users share; see
 * semiring/compiled.h. Each size has a weight of its own, so that changes do not cancel.
 */
#pragma once

#include "cpu/dot/work.h"
#include "cpu/mxv/mxv.h"
#include "cpu/outer/work.h"
#include "cpu/panel/work.h"
#include "cpu/spmm/work.h"

#define GB_KERNEL_LAYOUT                                                                           \
    ((uint64_t)(sizeof(gb_MxmArgs) + 31 * sizeof(gb_RowWork) + 37 * sizeof(gb_DotWork) +           \
                41 * sizeof(gb_PullArgs) + 43 * sizeof(gb_PushArgs) + 47 * sizeof(gb_RingArgs) +   \
                53 * sizeof(gb_ShortRows) + 59 * sizeof(gb_ShortKeys) + 61 * sizeof(gb_Cs) +       \
                67 * sizeof(gb_Dense) + 71 * sizeof(gb_PanelWork) + 73 * sizeof(gb_Spmm) +         \
                79 * sizeof(gb_OuterWork)))
