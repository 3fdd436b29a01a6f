/* SPDX-License-Identifier: Apache-2.0
 *
 * The mask of the method VECTOR, inside the steps of its kernels: each lane looks its column up in
 * the mask's row, and lanes that the mask forbids are not live. So nothing is accumulated that is
 * not wanted, and tables, lists and sorting see wanted entries alone.
 *
 * Cost: the logarithm of the longest row of the mask that a lane is in, a gather each.
 */
#include "cpu/vector/vectorwork.h"

/* Whether v[from .. to) has x; the loop has no branch that depends on what is compared. */
static bool has(const gb_Idx *v, gb_Off from, gb_Off to, gb_Idx x) {
    uint64_t n = to - from;
    while (n > 1) {
        const uint64_t half = n / 2;
        from += v[from + half - 1] < x ? half : 0;
        n -= half;
    }
    return n == 1 && v[from] == x;
}

void GB_ISA_NAME(gb_vector_mask)(gb_VectorWork *w, unsigned n) {
    const gb_CsView *M = &w->g->M;
    gb_VectorLanes *v = w->lanes;
    const bool inside = w->g->mask_kind == GB_MASK_INSIDE;
    for (unsigned l = 0; l < n; l++) {
        const uint64_t i = v->row[l], bit = (uint64_t)1 << l % 64;
        if (gb_m_test(&v->live, l) && has(M->i, M->p[i], M->p[i + 1], v->j[l]) != inside)
            v->live.w[l / 64] &= ~bit;
    }
}
