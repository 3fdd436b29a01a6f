/* SPDX-License-Identifier: Apache-2.0
 *
 * Flops of every row of C, counted from the lists that the factors are held in: none is converted.
 * O(nnz(A) + m); op(B) by columns takes a pass over its entries besides.
 */
#ifndef GB_MXM_PLAN_COUNTS_H
#define GB_MXM_PLAN_COUNTS_H

#include "mxm/model/features.h"

/* The class of a row of f flops among those of gb_RowCounts. */
static inline unsigned gb_flops_class(uint64_t f) {
    const unsigned bits = 64u - (unsigned)__builtin_clzll(f | 1u) - (f == 0);
    return bits < GB_CLASSES ? bits : GB_CLASSES - 1u;
}

/* Rows while they are counted. Those with one entry in A are a class behind the others, so that no
 * branch depends on the row. Neighbours are counted in turns: counting in the same class waits for
 * the store before. */
enum { GB_COPIED = GB_CLASSES, GB_CLASSES_AND_COPIED, GB_TURNS = 4 };
typedef struct {
    uint64_t rows, flops;
} gb_FlopsClass;
typedef struct {
    gb_FlopsClass classes[GB_TURNS][GB_CLASSES_AND_COPIED];
    uint64_t most, upper_bound;
    double squares[2];
} gb_Tally;

/* Adds row i of f flops in a product of n columns; copied: A has one entry there. */
static inline void gb_tally_row(gb_Tally *t, uint64_t i, bool copied, uint64_t f, uint64_t n) {
    gb_FlopsClass *class = &t->classes[i % GB_TURNS][copied ? GB_COPIED : gb_flops_class(f)];
    class->rows++;
    class->flops += f;
    t->most = f > t->most ? f : t->most;
    t->upper_bound += f < n ? f : n;
    t->squares[i % 2] += (double)f * (double)f;
}
void gb_tally_end(gb_RowCounts *c, const gb_Tally *t);

/* flops[m + 1] receives the running sum; f->rows and f->flops what they say. */
gbl_Info gb_count_flops(gb_Features *f, const gb_Operands *in, uint64_t *flops);

#endif
