/* SPDX-License-Identifier: Apache-2.0
 *
 * What a templated kernel knows of the semiring and of the values of A and B, for one call.
 *
 * Specialised entries use Ax, Bx and the masks (all ones, or 0 when the matrix is iso) and nothing
 * else. The generic entry uses strides in bytes (0 when iso) and goes through functions; values
 * were cast to the multiplication's types before.
 */
#ifndef GB_SEMIRING_RING_ARGS_H
#define GB_SEMIRING_RING_ARGS_H

#include <math.h>
#include <string.h>

#include "core/view.h"

/* NaN loses. So written they are one instruction and a branch that is always the same, where no NaN
 * is; which of two numbers is less is no branch. */
#define GB_FMIN(x, y) ((y) != (y) ? (x) : (x) < (y) ? (x) : (y))
#define GB_FMAX(x, y) ((y) != (y) ? (x) : (x) > (y) ? (x) : (y))
#define GB_IMIN(x, y) ((x) < (y) ? (x) : (y))
#define GB_IADD(x, y) ((uint64_t)(x) + (uint64_t)(y)) /* wraps around */

typedef struct {
    uint64_t i, k, j;
} gb_Triple;

struct gbl_Semiring_opaque;
struct gbl_CompiledSemiring;

typedef struct gb_RingArgs gb_RingArgs;
struct gb_RingArgs {
    const void *Ax, *Bx;
    uint64_t amask, bmask;           /* specialised: index masks */
    size_t astride, bstride;         /* generic: bytes from one value to the next */
    size_t zsize;                    /* bytes of a value of C */
    const void *identity, *terminal; /* where accumulators start (SR_ZERO), and may stop */
    const struct gbl_Semiring_opaque *ring;
    const struct gbl_CompiledSemiring *compiled; /* of GB_RING_COMPILED */
    void *scratch; /* generic: [gb_scratch_bytes], two values of the thread's own */
    /* generic: the operators. multiply is NULL where `set` needs more than values, add is NULL of
     * ANY; swapped: a is of the right factor, and i is a column */
    void (*multiply)(void *z, const void *x, const void *y);
    void (*add)(void *z, const void *x, const void *y);
    void (*set)(const gb_RingArgs *, void *c, const void *a, const void *b, gb_Triple at);
    bool swapped;
};

/* Cache lines that no other thread writes, wherever the block lies. */
static inline size_t gb_scratch_bytes(const gb_RingArgs *R) {
    return (2 * R->zsize + 127) / 64 * 64;
}

#endif
