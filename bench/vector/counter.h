/* SPDX-License-Identifier: Apache-2.0
 *
 * The counter of vector operations: included before everything else by the kernels of the set
 * `counted`, which are compiled for this program alone (src/cpu/simd/veclayer.h says what it is
 * told). For one thread.
 */
#ifndef VECTOR_COUNTER_H
#define VECTOR_COUNTER_H

#include <stdint.h>

/* Longest vectors of the machines that are counted for. */
enum { VECTOR_LENGTHS = 4 };
/* Numbers of gb_VecKind, which counts.c does not see. */
enum { VECTOR_STRIDED = 3, VECTOR_GATHER = 4, VECTOR_SCATTER = 5, VECTOR_KINDS = 7 };

/* By kind (gb_VecKind): instructions on vectors of each length, lanes, lanes that were active, and
 * bytes that these moved. */
typedef struct {
    uint64_t instructions[VECTOR_LENGTHS][VECTOR_KINDS];
    uint64_t lanes[VECTOR_KINDS], active[VECTOR_KINDS], bytes[VECTOR_KINDS];
    double in_blocks, range; /* flops of rows in dense blocks, and bytes of these accumulators */
} vector_counter;

extern vector_counter vector_counts;
extern const unsigned vector_lengths[VECTOR_LENGTHS]; /* 8, 16, 64, 256 */

static inline void vector_note(int kind, uint64_t n, uint64_t active, uint64_t bytes) {
    for (int k = 0; k < VECTOR_LENGTHS; k++)
        vector_counts.instructions[k][kind] += (n + vector_lengths[k] - 1) / vector_lengths[k];
    vector_counts.lanes[kind] += n;
    vector_counts.active[kind] += active;
    vector_counts.bytes[kind] += active * bytes;
}

#define GB_VEC_NOTE(kind, n, active, bytes) vector_note(kind, n, active, bytes)

#endif
