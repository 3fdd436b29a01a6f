/* SPDX-License-Identifier: Apache-2.0
 *
 * What reduce.c and reduce_rows.c share.
 */
#ifndef GB_CPU_OPS_REDUCE_H
#define GB_CPU_OPS_REDUCE_H

#include "cpu/ops/map.h"

/* Memory of each thread: one value for operators without a monoid, and a block of values. */
typedef struct {
    char *memory;
    size_t bytes, stride; /* of all threads; of one thread, which starts with its spare value */
    size_t block;         /* offset of the block in it */
} gb_FoldScratch;
gbl_Info gb_fold_scratch_new(gb_FoldScratch *scratch, const gb_FoldArgs *args, uint64_t block,
                             int threads);
static inline char *gb_fold_scratch_of(const gb_FoldScratch *scratch) {
    return scratch->memory + scratch->stride * (size_t)gb_thread_id();
}

/* *z = x[0] + ... + x[n-1], n >= 1, of the operator's type; `spare` holds one value. */
void gb_fold(const gb_FoldArgs *args, uint64_t n, const void *x, void *z, void *spare);
/* The same by blocks and threads, for values of any type; iso: all are *x. */
gbl_Info gb_fold_all(const gb_FoldArgs *args, uint64_t n, const void *x, bool iso, void *z);

#endif
