/* SPDX-License-Identifier: Apache-2.0
 *
 * Names of the specialised kernels, one per block of semiring/foreach.h in the same order:
 * X(name, add, multiply, type). Those of GB_FOREACH_WIDE_RING are on values that are no lanes of
 * vectors: methods whose kernels are loops over lanes run them as GB_RING_GENERIC (gb_lane_ring).
 * GB_RING_GENERIC runs every other semiring, and GB_RING_COMPILED the kernels that a user compiled
 * of the same bodies (compiled.h).
 */
#pragma once

#include <math.h>
#include <string.h>

#include "core/view.h"

#define GB_FOREACH_RING(X)                                                                         \
    X(PLUS_TIMES_FP64, PLUS, TIMES, FP64)                                                          \
    X(PLUS_TIMES_FP32, PLUS, TIMES, FP32)                                                          \
    X(PLUS_TIMES_INT64, PLUS, TIMES, INT64)                                                        \
    X(PLUS_TIMES_INT32, PLUS, TIMES, INT32)                                                        \
    X(PLUS_PAIR_FP64, PLUS, ONEB, FP64)                                                            \
    X(PLUS_PAIR_INT64, PLUS, ONEB, INT64)                                                          \
    X(PLUS_PAIR_INT32, PLUS, ONEB, INT32)                                                          \
    X(PLUS_FIRST_FP64, PLUS, FIRST, FP64)                                                          \
    X(PLUS_SECOND_FP64, PLUS, SECOND, FP64)                                                        \
    X(PLUS_SECOND_FP32, PLUS, SECOND, FP32)                                                        \
    X(PLUS_SECOND_INT64, PLUS, SECOND, INT64)                                                      \
    X(MIN_PLUS_FP64, MIN, PLUS, FP64)                                                              \
    X(MIN_PLUS_FP32, MIN, PLUS, FP32)                                                              \
    X(MIN_PLUS_INT64, MIN, PLUS, INT64)                                                            \
    X(MIN_PLUS_INT32, MIN, PLUS, INT32)                                                            \
    X(MAX_PLUS_FP64, MAX, PLUS, FP64)                                                              \
    X(MIN_MAX_FP64, MIN, MAX, FP64)                                                                \
    X(MAX_MIN_FP64, MAX, MIN, FP64)                                                                \
    X(MAX_TIMES_FP64, MAX, TIMES, FP64)                                                            \
    X(MIN_FIRST_INT64, MIN, FIRST, INT64)                                                          \
    X(MIN_SECOND_INT64, MIN, SECOND, INT64)                                                        \
    X(LOR_LAND_BOOL, LOR, LAND, BOOL)                                                              \
    X(ANY_PAIR_BOOL, ANY, ONEB, BOOL)                                                              \
    X(ANY_FIRST_INT64, ANY, FIRST, INT64)                                                          \
    X(ANY_SECOND_INT64, ANY, SECOND, INT64)                                                        \
    X(ANY_SECONDI_INT64, ANY, SECONDI, INT64)                                                      \
    X(ANY_SECONDI_INT32, ANY, SECONDI, INT32)                                                      \
    X(MIN_SECONDI_INT64, MIN, SECONDI, INT64)
#define GB_FOREACH_WIDE_RING(X)                                                                    \
    X(PLUS_TIMES_FC64, PLUS, TIMES, FC64)                                                          \
    X(PLUS_TIMES_FC32, PLUS, TIMES, FC32)
#define GB_FOREACH_ANY_RING(X) GB_FOREACH_RING(X) GB_FOREACH_WIDE_RING(X)

typedef enum {
#define GB_RING_ID(name, add, multiply, type) GB_RING_##name,
    GB_FOREACH_ANY_RING(GB_RING_ID)
#undef GB_RING_ID
        GB_RING_GENERIC,
    GB_RING_COMPILED,
    GB_RING_COUNT,
    GB_RING_WIDE = GB_RING_PLUS_TIMES_FC64 /* the first one */
} gb_Ring;

static inline bool gb_ring_is_wide(int ring) {
    return ring >= GB_RING_WIDE && ring < GB_RING_GENERIC;
}
static inline int gb_lane_ring(int ring) {
    return gb_ring_is_wide(ring) ? GB_RING_GENERIC : ring;
}

/* -- what a kernel knows of semiring and values ------------------------------------------------ */

/* For one call, of the semiring and the values of A and B. Specialised entries use Ax, Bx and the
 * masks (all ones, or 0 when the matrix is iso) and nothing else. The generic entry uses strides in
 * bytes (0 when iso) and goes through functions; values were cast to the multiplication's types
 * before. */

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
