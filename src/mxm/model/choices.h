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
    int32_t submatrix;  /* side */
    int approximates;   /* GBL_TAU, GBL_VALID_RATIO or GBL_ERROR_BOUND; 0: the product is exact */
    double approximate; /* its value */
    gbl_Desc_Value rounding; /* GBL_ROUND_ of factors */
    int place;               /* a gbl_Place, whatever GBL_PLACE says; DEFAULT: as it says */
} gb_Choices;

/* Whether the result may be another one than that of an exact product. */
static inline bool gb_is_approximate(const gb_Choices *choices) {
    return choices->approximates != 0 || choices->rounding != GBL_DEFAULT;
}

#endif
