/* SPDX-License-Identifier: Apache-2.0
 *
 * The dense accumulator of gb_RowWork (rowwork.h): making it clean, and emptying it into a row.
 * Part of the templates that use it.
 */
#include "cpu/rowwise/rowwork.h"
#include "cpu/simd/template.h"

/* Values of the dense accumulator at rest. */
static void NAME(clean)(const gb_RingArgs *R, void *val, uint64_t n) {
    for (uint64_t j = 0; j < n; j++) SR_CLEAR(SR_AT(val, j));
    (void)R;
}

/* Emits the marked columns of the blocks touched, and cleans. */
static inline uint64_t NAME(gather)(const gb_RingArgs *R, gb_RowWork *w, uint64_t ncols, gb_Idx *Ci,
                                    void *Cx) {
#ifdef SR_GENERIC
    const void *clear = R->identity;
#else
    const SR_T zero = SR_ZERO, *clear = &zero;
    (void)R;
#endif
    return gb_gather_marked(w, ncols, clear, (gb_RowPlace){Ci, Cx});
}
