/* SPDX-License-Identifier: Apache-2.0
 *
 * The columns of a matrix that is there by rows.
 */
#ifndef GB_CUDA_COLUMNS_CUH
#define GB_CUDA_COLUMNS_CUH

#include "cuda/ops/entries.cuh"

struct gb_Columns {
    gb_Off *p;     /* [columns + 1] */
    gb_Idx *row;   /* [n] ascending in a column */
    gb_Idx *place; /* [n] number of the entry in the matrix by rows */
};

/* Fills the arrays. Cost: an entry is written twice, in no order, and read about four times; a
 * column of more than 256 entries is read once for each 32 * GB_CUDA_TILE_WINDOW rows. */
void gb_list_columns(gb_Job *job, const gb_Pattern &A, uint64_t columns, const gb_Columns &out);

#endif
