/* SPDX-License-Identifier: Apache-2.0
 *
 * Names of the specialised kernels, one per block of semiring/foreach.h in the same order:
 * X(name, add, multiply, type). Those of GB_FOREACH_WIDE_RING are on values that are no lanes of
 * vectors: methods whose kernels are loops over lanes run them as GB_RING_GENERIC (gb_lane_ring).
 * GB_RING_GENERIC runs every other semiring, and GB_RING_COMPILED the kernels that a user compiled
 * of the same bodies (compiled.h).
 */
#ifndef GB_SEMIRING_IDS_H
#define GB_SEMIRING_IDS_H

#include <stdbool.h>

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

#endif
