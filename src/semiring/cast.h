/* SPDX-License-Identifier: Apache-2.0
 *
 * Casts of whole arrays, in which values may be absent. (gb_cast, of a few values: algebra.h.)
 */
#pragma once

#include "semiring/algebra.h"

/* n values. Where b is given and b[k] is 0 there is none: x[k] is unspecified and not looked at. */
typedef struct {
    const gb_Type *type;
    const void *x;
    const int8_t *b; /* [n] or NULL */
    uint64_t n;
} gb_Array;
/* The values [first, first + n) cast to z[0], z[1], ...; absent ones become zero bytes. */
void gb_cast_present(const gb_Type *to, void *z, const gb_Array *from, size_t first, size_t n);
/* *z: all of them, in a fresh block of *bytes. */
gbl_Info gb_cast_copy(void **z, size_t *bytes, const gb_Type *to, const gb_Array *from,
                      int nthreads);

/* -- values of pairs ------------------------------------------------------------------------ */

/* Values of pairs: z[k] = op(x[at.x[k]], y[at.y[k]]) with all casts, a batch at a time through
 * short buffers. This is how code that merges patterns combines values without knowing their types.
 */

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
