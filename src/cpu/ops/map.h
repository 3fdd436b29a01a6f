/* SPDX-License-Identifier: Apache-2.0
 *
 * Operations that treat entries one by one: apply, select, reduce. Work is cut into blocks of fixed
 * size that threads take in any order; no result depends on who took which.
 *
 * Absent positions of a bitmap hold unspecified values, which operators must never see: kernels on
 * dense vectors go from one run of present positions to the next.
 */
#pragma once

#include "cpu/cpu.h"
#include "core/arrays.h"

/* -- shared by these kernels (apply.c) */

/* An index operator at entries [from, from + n) of A, n <= GB_BATCH: z[k] is its result at entry
 * from + k. *row is that of the first of them, and becomes one at or before the next.  */
void gb_map_index_cs(const gb_MapArgs *args, const gb_CsView *A, uint64_t from, size_t n,
                     uint64_t *row, void *z);
/* The same at positions [from, from + n) of a dense vector, or of the cells of a matrix, all of
 * them present. */
void gb_map_index_dense(const gb_MapArgs *args, const gb_DenseView *u, uint64_t from, size_t n,
                        void *z);

/* Values [from, to) of a sequence of steps (apply.c). */
void gb_run_steps_on(const gb_StepArgs *args, uint64_t from, uint64_t to);

/* The row of entry e < p[nmajor]. */
static inline uint64_t gb_row_of(const gb_Off *p, uint64_t nmajor, uint64_t e) {
    return gb_holder(p, 0, nmajor, e);
}

/* The next run of present positions in [*from, to): true, and the run is [*from, *end). */
static inline bool gb_next_run(const int8_t *b, uint64_t to, uint64_t *from, uint64_t *end) {
    uint64_t k = *from;
    if (b == NULL) {
        *end = to;
        return k < to;
    }
    while (k < to && !b[k]) k++;
    *from = k;
    while (k < to && b[k]) k++;
    *end = k;
    return *from < to;
}

static inline uint64_t gb_blocks(uint64_t items, uint64_t size) {
    return items / size + (items % size != 0);
}

static inline size_t gb_min_size(uint64_t a, uint64_t b) {
    return (size_t)(a < b ? a : b);
}
