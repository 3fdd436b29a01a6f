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

#if SR_PLAIN
/* Whether values are those that the layer has operations for. */
#define IS_FP64 _Generic((SR_T)0, double : true, default : false)
static inline gb_VFactors NAME(factors)(const gb_RingArgs *R, const gb_VectorLanes *v) {
    return (gb_VFactors){
        .a = R->Ax, .b = R->Bx, .p = v->p, .q = v->q, .amask = R->amask, .bmask = R->bmask};
}
#endif

static void NAME(accumulate)(const gb_RingArgs *R, gb_VectorLanes *v, unsigned n, void *val) {
#if SR_PLAIN
    if (IS_FP64) {
        const gb_VFactors f = NAME(factors)(R, v);
        gb_v_multiply_fp64(v->product, &f, n);
        gb_v_accumulate_fp64(val, v->slot, v->product, &v->live, &v->fresh, n);
        return;
    }
#endif
    GB_V_EACH(l, &v->live, n) {
        SR_T *c = SR_AT(val, v->slot[l]);
        SR_HOLD_A(a, v->p[l]);
        if (gb_m_test(&v->fresh, l))
            SR_SET(c, a, SR_B(v->q[l]), v->row[l], (uint64_t)v->k[l], (uint64_t)v->j[l]);
        else
            SR_FMA(c, a, SR_B(v->q[l]), v->row[l], (uint64_t)v->k[l], (uint64_t)v->j[l]);
        (void)a;
    }
}

static void NAME(multiply)(const gb_RingArgs *R, const gb_VectorLanes *v, unsigned n, void *to) {
#if SR_PLAIN
    if (IS_FP64) {
        const gb_VFactors f = NAME(factors)(R, v);
        gb_v_multiply_fp64(to, &f, n);
        return;
    }
#endif
    for (unsigned l = 0; l < n; l++) {
        SR_HOLD_A(a, v->p[l]);
        SR_SET(SR_AT(to, l), a, SR_B(v->q[l]), v->row[l], (uint64_t)v->k[l], (uint64_t)v->j[l]);
        (void)a;
    }
}

static void NAME(fold)(const gb_RingArgs *R, gb_VectorLanes *v, unsigned n, void *to,
                       const void *prod) {
    GB_V_EACH(l, &v->live, n) {
        if (gb_m_test(&v->fresh, l))
            SR_COPY(SR_AT(to, l), SR_AT(prod, v->slot[l]));
        else
            SR_JOIN(SR_AT(to, l), SR_AT(prod, v->slot[l]));
    }
    (void)R;
}

#if SR_PLAIN
#undef IS_FP64
#endif
#undef NAME
