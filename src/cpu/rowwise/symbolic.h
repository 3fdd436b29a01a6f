/* SPDX-License-Identifier: Apache-2.0
 *
 * The symbolic pass of the row-wise product.
 */
#ifndef GB_CPU_ROWWISE_SYMBOLIC_H
#define GB_CPU_ROWWISE_SYMBOLIC_H

#include "cpu/common/chunks.h"
#include "cpu/rowwise/rowwork.h"

/* size[m] becomes the entries of each row, *total their sum. Cost: one pass over all products. */
gbl_Info GB_ISA_NAME(gb_count_rows)(const gb_MxmArgs *g, const gb_Chunks *chunks, float *size,
                                    uint64_t *total);

#endif
