/* SPDX-License-Identifier: Apache-2.0
 *
 * Values of pairs: z[k] = op(x[at.x[k]], y[at.y[k]]) with all casts, a batch at a time through
 * short buffers. This is how code that merges patterns combines values without knowing their types.
 */
#ifndef GB_SEMIRING_PAIRS_H
#define GB_SEMIRING_PAIRS_H

#include "semiring/algebra.h"

typedef struct {
    const gb_BinaryOp *op;
    const gb_Type *xtype, *ytype, *ztype; /* of x, of y, wanted of the results */
    const void *x, *y;
    bool xiso, yiso;     /* one value for all positions */
    uint64_t batch;      /* pairs that one call may combine, at most GB_BATCH */
    size_t buffer_bytes; /* private: of one buffer of the workspace */
} gb_Pairs;

typedef struct {
    const uint64_t *x, *y; /* [n] positions, or NULL: from, from + 1, ... on both sides */
    uint64_t from;
} gb_PairsAt;

/* Sets batch and buffer_bytes, of which at most `most` pairs will be combined at once; returns the
 * bytes of workspace that a thread needs. */
size_t gb_pairs_prepare(gb_Pairs *pairs, uint64_t most);
/* Returns where the n <= batch results are: at z, or for z NULL somewhere in work. */
const void *gb_pairs_combine(const gb_Pairs *pairs, char *work, gb_PairsAt at, uint64_t n, void *z);

/* z[at[k]] = values[k] for k < n. */
void gb_scatter(void *z, const uint64_t *at, const void *values, size_t size, uint64_t n);

#endif
