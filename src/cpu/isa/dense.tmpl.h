/* SPDX-License-Identifier: Apache-2.0
 *
 * The dense accumulator of gb_RowWork (rowwork.h): making it clean, and emptying it into a row.
 * Part of the templates that use it.
 */
#include "cpu/isa/dense.h"
#include "cpu/isa/rowwork.h"
#include "cpu/isa/template.h"

/* Values of the dense accumulator at rest. */
static void NAME(clean)(const gb_RingArgs *R, void *val, uint64_t n) {
    for (uint64_t j = 0; j < n; j++) SR_CLEAR(SR_AT(val, j));
    (void)R;
}

/* Emits the marked columns of the blocks touched, and cleans. */
static uint64_t NAME(gather)(const gb_RingArgs *R, gb_RowWork *w, uint64_t ncols, gb_Idx *Ci,
                             void *Cx) {
    uint64_t n = 0;
    const uint64_t nblocks = (ncols + 63) / 64;
    for (uint64_t b64 = 0; b64 < nblocks; b64 += 64) {
        uint64_t blocks = gb_nonzero_bytes(w->block + b64);
        if (blocks == 0) continue;
        memset(w->block + b64, 0, 64);
        for (; blocks != 0; blocks &= blocks - 1) {
            const uint64_t base = (b64 + (uint64_t)__builtin_ctzll(blocks)) * 64;
            uint64_t bits = gb_nonzero_bytes(w->mark + base);
            memset(w->mark + base, 0, 64);
#if GB_HAS_COMPRESS && !defined(SR_GENERIC)
            if (sizeof(SR_T) == 8 && __builtin_popcountll(bits) > GB_PACK_LEAST &&
                base + 64 <= ncols) {
                const SR_T zero = SR_ZERO;
                uint64_t clear = 0;
                memcpy(&clear, &zero, sizeof zero);
                n += gb_pack_columns(bits, (gb_Idx)base, Ci + n, (uint64_t *)Cx + n,
                                     (uint64_t *)w->val + base, clear);
                continue;
            }
#endif
            for (; bits != 0; bits &= bits - 1, n++) {
                const uint64_t j = base + (uint64_t)__builtin_ctzll(bits);
                Ci[n] = (gb_Idx)j;
                SR_COPY(SR_AT(Cx, n), SR_AT(w->val, j));
                SR_CLEAR(SR_AT(w->val, j));
            }
        }
    }
    (void)R;
    return n;
}
