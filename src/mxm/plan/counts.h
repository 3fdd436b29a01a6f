/* SPDX-License-Identifier: Apache-2.0
 *
 * Flops of every row of C, counted from the lists that the factors are held in: none is converted.
 * O(nnz(A) + m); op(B) by columns takes a pass over its entries besides.
 */
#ifndef GB_MXM_PLAN_COUNTS_H
#define GB_MXM_PLAN_COUNTS_H

#include "mxm/plan/features.h"

/* The class of a row of f flops among those of gb_RowCounts. */
static inline unsigned gb_flops_class(uint64_t f) {
    const unsigned bits = 64u - (unsigned)__builtin_clzll(f | 1u) - (f == 0);
    return bits < GB_CLASSES ? bits : GB_CLASSES - 1u;
}

/* Adds a row of f flops in a product of n columns; copied: A has one entry there. */
static inline void gb_count_row(gb_RowCounts *c, bool copied, uint64_t f, uint64_t n) {
    const unsigned class = gb_flops_class(f);
    uint64_t *rows = copied ? &c->rows_copied : &c->rows[class];
    uint64_t *flops = copied ? &c->flops_copied : &c->flops[class];
    *rows += 1;
    *flops += f;
    c->most = f > c->most ? f : c->most;
    c->upper_bound += f < n ? f : n;
    c->squares += (double)f * (double)f;
}

/* flops[m + 1] receives the running sum; f->rows and f->flops what they say. */
gbl_Info gb_count_flops(gb_Features *f, const gb_Operands *in, uint64_t *flops);

#endif
