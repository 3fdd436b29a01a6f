/* SPDX-License-Identifier: Apache-2.0
 *
 * What a descriptor asks of a product.
 */
#ifndef GB_MXM_CHOICES_H
#define GB_MXM_CHOICES_H

#include <stdbool.h>

#include "gblite.h"

/* Of the method VECTOR; 0: as the variant has it. */
typedef struct {
    gbl_Desc_Value variant;
    int32_t block_least, block_most, block_below;
} gb_VectorChoices;

/* 0 everywhere leaves the choice to the planner. */
typedef struct {
    gbl_Desc_Value method, workflow, row_order;
    int32_t accumulators, registers, bin_bytes, bin_lines;
    gb_VectorChoices vector;
    bool on_host; /* whatever GBL_PLACE says */
} gb_Choices;

#endif
