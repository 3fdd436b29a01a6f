/* SPDX-License-Identifier: Apache-2.0
 *
 * Values folded into places that may repeat: what scatters do, one loop for each predefined monoid.
 */
#ifndef GB_SEMIRING_FOLD_H
#define GB_SEMIRING_FOLD_H

#include "semiring/algebra.h"

/* z[at[k]] = z[at[k]] + x[from[k]] for k < n, one after the other. */
typedef struct {
    void *z;
    const void *x;
    const uint64_t *at, *from; /* [n] */
    size_t n;
} gb_ScatterFold;
typedef void (*gb_scatter_fold)(const gb_ScatterFold *f);

/* The loop for op, or NULL where no predefined monoid computes what it does. */
gb_scatter_fold gb_scatter_fold_of(const gb_BinaryOp *op);

#endif
