/* SPDX-License-Identifier: Apache-2.0
 *
 * Panels of rows for one semiring: every entry (k, j) of a row of B that some row of the panel
 * meets is read once, and its products with the values of A(:,k) of all rows of the panel join the
 * sums of column j, a lane each. Included once per entry of semiring/foreach.h.
 *
 * Preconditions: the panel is united and its columns have room (panelwork.h); sums are at rest. k
 * ascends, so the products of a place are added in the order of every other method; lanes whose row
 * does not have k keep what they had.
 * Cost: for each entry of B read, 64 bytes of sums loaded and stored, a multiplication, an addition
 * and a selection (of 16 lanes of 4 bytes, of 8 of 8), and 2 bytes that say who met the column.
 */
#include "cpu/isa/lanes.h"
#include "cpu/isa/panelwork.h"
#include "cpu/isa/template.h"

#ifdef SR_GENERIC

/* Sums begin with their first product. */
static void NAME(panel_rest)(char *rest) {
    (void)rest;
}

/* Entries [from, to) of a row of B with inner index number u; slots of their columns. */
static void NAME(panel_add)(gb_PanelWork *w, const gb_MxmArgs *g, uint64_t u, gb_Off from,
                            gb_Off to) {
    const gb_RingArgs *R = &w->args;
    const uint64_t k = w->k[u], *entry = (const uint64_t *)(const void *)w->a + u * w->lanes;
    for (gb_Off q = from; q < to; q++) {
        const uint64_t j = g->B.i[q], s = w->hashed ? w->found[q - from] : j - w->low;
        const unsigned met = w->met[s];
        for (unsigned left = w->holders[u]; left != 0; left &= left - 1) {
            const unsigned l = (unsigned)__builtin_ctz(left);
            char *c = w->sum + s * w->stride + l * R->zsize;
            if (!(met >> l & 1u))
                SR_SET(c, SR_A(entry[l]), SR_B(q), w->row + l, k, j);
            else if (!SR_DONE(c))
                SR_FMA(c, SR_A(entry[l]), SR_B(q), w->row + l, k, j);
        }
        w->met[s] = (uint16_t)(met | w->holders[u]);
    }
}

#else

/* Lanes of a panel, and the registers that hold them. */
enum {
    NAME(PANEL_ROWS) = sizeof(SR_T) == 8 ? 8 : 16,
    NAME(PANEL_BYTES) = NAME(PANEL_ROWS) * sizeof(SR_T),
    NAME(PANEL_PART) = NAME(PANEL_BYTES) < GB_REGISTER ? NAME(PANEL_BYTES) : GB_REGISTER,
    NAME(PANEL_PARTS) = NAME(PANEL_BYTES) / NAME(PANEL_PART),
    NAME(PANEL_WHOLE) = GB_HAS_ROWS && NAME(PANEL_PART) == 64 /* one register, with masks */
};
#define PART NAME(PanelLanes)
#define BITS NAME(PanelBits)
typedef SR_T PART __attribute__((vector_size(NAME(PANEL_PART))));
typedef uint64_t NAME(PanelWide) __attribute__((vector_size(NAME(PANEL_PART))));
typedef uint32_t NAME(PanelHalf) __attribute__((vector_size(NAME(PANEL_PART))));
/* An integer as wide as SR_T: all ones, or 0. */
typedef __typeof__(__builtin_choose_expr(sizeof(SR_T) == 8, (int64_t)0,
                                         __builtin_choose_expr(sizeof(SR_T) == 4, (int32_t)0,
                                                               (int8_t)0))) NAME(PanelBit);
typedef NAME(PanelBit) BITS __attribute__((vector_size(NAME(PANEL_PART))));
#define FOR_PARTS GB_UNROLL for (unsigned h = 0; h < NAME(PANEL_PARTS); h++)

#define LANES64 NAME(PanelWide)
#define LANES32 NAME(PanelHalf)
#include "cpu/isa/laneops.h"
GB_INLINE PART NAME(panel_product)(const gb_RingArgs *R, PART a, gb_Off q, uint64_t k) {
    const PART position = (SR_T)k - (PART){0}; /* that is, in all lanes */
#if SR_USES_B
    const PART right = *SR_B(q) - (PART){0};
    (void)right;
#endif
    (void)position, (void)a, (void)R, (void)q;
#if SR_TRUTH
    return a & right;
#elif SR_PAIR
    return (SR_T)1 - (PART){0};
#else
    return SR_MUL(a, right, 0, position, 0);
#endif
}
GB_INLINE PART NAME(panel_sum)(PART x, PART y) {
    (void)x, (void)y;
#if SR_TRUTH
    return x | y;
#elif SR_ANY
    return y;
#else
    return SR_ADD(x, y);
#endif
}
#include "cpu/isa/laneops_end.h"

/* What changes no product that is added to it: -0 where the identity is 0, else the identity. */
static void NAME(panel_rest)(char *rest) {
    const SR_T zero = SR_ZERO, value = zero == 0 ? (SR_T)-zero : zero;
    for (unsigned l = 0; l < NAME(PANEL_ROWS); l++)
        memcpy(rest + l * sizeof value, &value, sizeof value);
}

/* Entries [from, to) of a row of B with inner index number u; slots of their columns. */
static void NAME(panel_add)(gb_PanelWork *w, const gb_MxmArgs *g, uint64_t u, gb_Off from,
                            gb_Off to) {
    const gb_RingArgs own = w->args, *R = &own;
    const uint32_t *restrict at = w->hashed ? w->found : g->B.i + from;
    const uint32_t base = w->hashed ? 0 : w->low;
    const uint64_t k = w->k[u];
    const unsigned holders = w->holders[u];
    uint16_t *restrict met = w->met;
    char *restrict sum = w->sum;
    PART a[NAME(PANEL_PARTS)];
    BITS has[NAME(PANEL_PARTS)];
    NAME(PanelBit) bit[NAME(PANEL_ROWS)];
    for (unsigned l = 0; l < NAME(PANEL_ROWS); l++)
        bit[l] = (NAME(PanelBit))(0 - (int)(holders >> l & 1u));
    memcpy(has, bit, sizeof has);
    memcpy(a, (const SR_T *)(const void *)w->a + u * w->step, sizeof a);
    for (gb_Off q = from; q < to; q++) {
        const uint64_t s = at[q - from] - base;
        char *to_sum = sum + s * NAME(PANEL_BYTES);
        met[s] = (uint16_t)(met[s] | holders);
        FOR_PARTS {
            PART x;
            memcpy(&x, to_sum + h * sizeof x, sizeof x);
            const PART y = NAME(panel_sum)(x, NAME(panel_product)(R, a[h], q, k));
            if (NAME(PANEL_WHOLE)) {
                gb_Lanes32 lanes;
                memcpy(&lanes, &y, sizeof y);
                gb_store_lanes(to_sum, lanes, holders, sizeof(SR_T));
            } else {
                x = GB_PICK(has[h], y, x);
                memcpy(to_sum + h * sizeof x, &x, sizeof x);
            }
        }
    }
    (void)R;
}

#undef FOR_PARTS
#undef BITS
#undef PART
#endif

/* All products of the panel. */
static void NAME(panel)(gb_PanelWork *w, const gb_MxmArgs *g) {
    for (uint64_t u = 0; u < w->count; u++) {
        const gb_Off end = g->B.p[w->k[u] + 1], next = g->B.p[w->k[u + 1]];
        __builtin_prefetch(g->B.i + next);
        for (gb_Off from = g->B.p[w->k[u]], to; from < end; from = to) {
            to = end;
            if (w->hashed) {
                to = end - from > GB_PANEL_PIECE ? from + GB_PANEL_PIECE : end;
                GB_ISA_NAME(gb_panel_find)(w, g->B.i + from, to - from);
            }
            NAME(panel_add)(w, g, u, from, to);
        }
    }
}

#undef NAME
