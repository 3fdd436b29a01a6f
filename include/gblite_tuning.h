/* SPDX-License-Identifier: Apache-2.0
 *
 * Descriptor fields that tune products; included by gblite.h. All of it is a gblite addition. They
 * are for measurements: GBL_DEFAULT leaves each choice to the planner.
 *
 * Set by gbl_Descriptor_set, or by gbl_Descriptor_set_INT32 where the value is a number; read by
 * gbl_Descriptor_get_INT32. A value out of range is GBL_INVALID_VALUE. They act on gbl_mxm and what
 * multiplies by it; gbl_mxv, gbl_vxm and the other operations ignore them.
 */
#ifndef GBLITE_TUNING_H
#define GBLITE_TUNING_H

#include "gblite_types.h"

/* Of the row-wise method (docs/rowwise.md): where the capacity for a row of C comes from. Unless a
 * method is forced, a workflow or accumulators ask for ROWWISE, and only DOT may take its place
 * inside a mask; with another method they are ignored. */
#define GBL_WORKFLOW ((gbl_Desc_Field)7010)
#define GBL_WORKFLOW_UPPER_BOUND ((gbl_Desc_Value)7011) /* its flops */
#define GBL_WORKFLOW_ESTIMATE ((gbl_Desc_Value)7012)    /* an estimate from sketches of B's rows */
#define GBL_WORKFLOW_SYMBOLIC ((gbl_Desc_Value)7013) /* its entries, counted by a symbolic pass */
/* Of panels (docs/panel.md), for which these two ask: rows of A are taken as they stand, or those
 * that are alike come together first. */
#define GBL_WORKFLOW_AS_THEY_ARE ((gbl_Desc_Value)7014)
#define GBL_WORKFLOW_GROUPED ((gbl_Desc_Value)7015)

/* Of the row-wise method: a sum of the accumulators that rows may use, HASH or DENSE among them. */
#define GBL_ACCUMULATORS ((gbl_Desc_Field)7020)
#define GBL_ACCUMULATE_SORT ((gbl_Desc_Value)1)   /* expand, sort, compress; short rows only */
#define GBL_ACCUMULATE_HASH ((gbl_Desc_Value)2)   /* a hash table */
#define GBL_ACCUMULATE_DENSE ((gbl_Desc_Value)4)  /* an array of all columns */
#define GBL_ACCUMULATE_ASSIST ((gbl_Desc_Value)8) /* sized by the sampled compression ratio */

/* Registers of a row's HyperLogLog sketch: 32, 64 or 128. gbl_mxm_estimate heeds it too. */
#define GBL_REGISTERS ((gbl_Desc_Field)7030)

/* Of the outer product (docs/outer.md): bytes of a bin, 1024 or more; and cache lines of a thread's
 * local bin that are flushed at once, 1 to 64. */
#define GBL_BIN_BYTES ((gbl_Desc_Field)7050)
#define GBL_BIN_LINES ((gbl_Desc_Field)7051)

/* Of the method VECTOR (docs/vector.md): one of the paper's algorithms. */
#define GBL_VECTOR_VARIANT ((gbl_Desc_Field)7080)
#define GBL_VECTOR_SPA ((gbl_Desc_Value)7081)           /* rows one by one, along rows of B */
#define GBL_VECTOR_HASH_32_256 ((gbl_Desc_Value)7082)   /* blocks of rows, in hash tables */
#define GBL_VECTOR_HASH_256_256 ((gbl_Desc_Value)7083)  /* ... of b_min / b_max rows */
#define GBL_VECTOR_H_HASH_32_256 ((gbl_Desc_Value)7084) /* SPA from 40 flops a row, else HASH */
#define GBL_VECTOR_H_HASH_256_256 ((gbl_Desc_Value)7085)
/* Its parameters, instead of those of the variant: least and most rows of a block, 1 to 256, and
 * the flops from which on rows are summed one by one (2147483647: none is). */
#define GBL_BLOCK_LEAST ((gbl_Desc_Field)7091)
#define GBL_BLOCK_MOST ((gbl_Desc_Field)7092)
#define GBL_BLOCK_BELOW ((gbl_Desc_Field)7093)
/* Of the approximate product (docs/spamm.md): the side of the sub-matrices whose norms are
 * compared, 16, 32 or 64; 32 by default. */
#define GBL_SUBMATRIX ((gbl_Desc_Field)7064)

#endif
