/* SPDX-License-Identifier: Apache-2.0
 *
 * What the method VECTOR does to values, for one semiring: everything else of it is the same for
 * all. Included once per entry of semiring/foreach.h.
 *
 * Preconditions: live and fresh have no lanes at or behind n; fresh lanes are live; lanes of one
 * call have different slots.
 */
#include "cpu/simd/template.h"
#include "cpu/vector/work.h"

static void NAME(accumulate)(const gb_RingArgs *R, gb_VectorLanes *v, unsigned n, void *val) {
    GB_V_EACH(l, &v->live, n) {
        SR_T *c = SR_AT(val, v->slot[l]);
        SR_HOLD_A(a, v->p[l]);
        if (gb_m_test(&v->fresh, l))
            SR_SET(c, a, SR_B(v->q[l]), v->row[l], (uint64_t)v->k[l], (uint64_t)v->j[l]);
        else
            SR_FMA(c, a, SR_B(v->q[l]), v->row[l], (uint64_t)v->k[l], (uint64_t)v->j[l]);
        (void)a;
    }
    (void)R;
}

#undef NAME
