/* SPDX-License-Identifier: Apache-2.0
 *
 * Memory beside a product that every method has: what the call holds, and what is there already.
 */
#ifndef GB_MXM_PLAN_MEMORY_H
#define GB_MXM_PLAN_MEMORY_H

#include "mxm/model/call.h"

/* What GBL_MEMORY_LIMIT has to be divided among; all zero where there is no limit. */
typedef struct {
    bool limited;
    double held;        /* bytes: counts of products, copies of the mask and of values; of features
                         * the rows made of cells too */
    uint64_t mask_most; /* entries of the mask's longest row */
    bool result_waits;  /* the product is not C yet: it is cast or merged into C at the end */
    bool result_merges; /* the latter */
} gb_MemoryFacts;

/* Samples and other arrays whose size does not depend on the operands. */
#define GB_SMALL_BYTES 49152.0
/* Large blocks are rounded up to a class of the pool, by 1 / 8 at most. */
#define GB_BLOCK_SHARE (8.0 / 9.0)

/* What GBL_MEMORY_LIMIT leaves less room by. */
gb_MemoryFacts gb_memory_facts(const gb_MxmCall *call);
/* GBL_OUT_OF_MEMORY where the limit does not even allow to make rows of cells and count flops. */
gbl_Info gb_memory_for_plan(const gb_MxmCall *call);

#endif
