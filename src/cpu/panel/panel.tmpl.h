/* SPDX-License-Identifier: Apache-2.0
 *
 * Panels of rows for one semiring: every entry (k, j) of a row of B that some row of the panel
 * has as inner index is read once, and its products with the values of A(:,k) of all rows of the
 * panel join the sums of column j, a lane each. Of rows of B that have the same columns some are
 * taken at once, so that sums are loaded and stored once for all of them (panel.c). Included once
 * per entry of semiring/foreach.h.
 *
 * Preconditions: the panel is united and its columns have slots (work.h); sums are at rest. k
 * ascends, so the products of an entry are added in the order of every other method; lanes whose
 * row does not have k keep what they had. Cost: for each entry of B read, a multiplication, and an
 * addition under a mask (of 16 lanes of 4 bytes, of 8 of 8); for each column of a piece 64 bytes of
 * sums loaded and stored, and 2 bytes that say which rows have it.
 */
#include "cpu/simd/lanes.h"
#include "cpu/panel/work.h"
#include "cpu/simd/template.h"

#ifdef SR_GENERIC

/* Sums begin with their first product. */
static void NAME(panel_rest)(char *rest) {
    (void)rest;
}

static void NAME(panel_add)(gb_PanelWork *w, const gb_MxmArgs *g, const gb_PanelPiece *piece) {
    const gb_RingArgs *R = &w->args;
    gb_GenericRow row = {.slot = piece->slot, .base = piece->base, .n = (unsigned)piece->count};
    row.filled = w->filled;
    row.stride = w->stride;
    for (unsigned r = 0; r < piece->rows; r++) {
        const uint64_t u = piece->u + r;
        const uint64_t *entry = (const uint64_t *)(const void *)w->a + u * w->lanes;
        row.b = SR_B(piece->from[r]);
        row.j = g->B.i + piece->from[r];
        for (unsigned left = w->holders[u]; left != 0; left &= left - 1) {
            const unsigned l = (unsigned)__builtin_ctz(left);
            row.a = SR_A(entry[l]);
            row.bit = 1u << l;
            row.c = w->sum + l * R->zsize;
            gb_generic_add_row(R, &row, (gb_Triple){w->rows[l], w->k[u], 0});
        }
        for (uint64_t e = 0; e < piece->count; e++)
            w->filled[piece->slot[e] - piece->base] |= w->holders[u];
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
typedef __typeof__(((PART){0} == (PART){0})[0]) NAME(PanelBit);
typedef NAME(PanelBit) BITS __attribute__((vector_size(NAME(PANEL_PART))));
#define FOR_PARTS GB_UNROLL for (unsigned h = 0; h < NAME(PANEL_PARTS); h++)

#define LANES64 NAME(PanelWide)
#define LANES32 NAME(PanelHalf)
#include "cpu/simd/laneops.h"
GB_INLINE PART NAME(panel_product)(const gb_RingArgs *R, PART a, const SR_T *b, uint64_t k) {
    const PART position = (SR_T)k - (PART){0}; /* that is, in all lanes */
#if SR_USES_B
    const PART right = *b - (PART){0};
    (void)right;
#endif
    (void)position, (void)a, (void)R, (void)b;
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
#include "cpu/simd/laneops_end.h"

/* What changes no product that is added to it: -0 where the identity is 0, else the identity. */
static void NAME(panel_rest)(char *rest) {
    const SR_T zero = SR_ZERO, value = zero == 0 ? (SR_T)-zero : zero;
    for (unsigned l = 0; l < NAME(PANEL_ROWS); l++)
        memcpy(rest + l * sizeof value, &value, sizeof value);
}

/* Lanes of y that are held, else of x. */
GB_INLINE PART NAME(panel_pick)(PART x, PART y, BITS has, unsigned holders) {
    gb_Lanes32 before = {0}, after = {0};
    if (!NAME(PANEL_WHOLE)) return GB_PICK(has, y, x);
    memcpy(&before, &x, sizeof x);
    memcpy(&after, &y, sizeof y);
    after = gb_pick_lanes(before, after, holders, sizeof(SR_T));
    memcpy(&y, &after, sizeof y);
    return y;
}

/* A piece of so many rows of B. */
GB_INLINE void NAME(panel_rows)(gb_PanelWork *w, const gb_MxmArgs *g, const gb_PanelPiece *piece,
                                const unsigned rows) {
    const gb_RingArgs own = w->args, *R = &own;
    const uint32_t *restrict slot = piece->slot;
    const uint32_t base = piece->base;
    uint16_t *restrict filled = w->filled;
    char *restrict sum = w->sum;
    PART a[GB_PANEL_AT_ONCE][NAME(PANEL_PARTS)];
    BITS has[GB_PANEL_AT_ONCE][NAME(PANEL_PARTS)];
    unsigned holders[GB_PANEL_AT_ONCE], all = 0;
    const SR_T *b[GB_PANEL_AT_ONCE];
    uint64_t k[GB_PANEL_AT_ONCE];
    GB_UNROLL for (unsigned r = 0; r < rows; r++) {
        const uint64_t u = piece->u + r;
        NAME(PanelBit) bit[NAME(PANEL_ROWS)];
        holders[r] = w->holders[u];
        all |= holders[r];
        b[r] = SR_B(piece->from[r]);
        k[r] = w->k[u];
        GB_ROLLED for (unsigned l = 0; l < NAME(PANEL_ROWS); l++) bit[l] =
            (NAME(PanelBit))(0 - (int)(holders[r] >> l & 1u));
        memcpy(has[r], bit, sizeof bit);
        memcpy(a[r], (const SR_T *)(const void *)w->a + u * w->step, sizeof a[r]);
    }
#if SR_PAIR && SR_ANY /* whoever has a column has the value of all */
    for (uint64_t e = 0, count = piece->count; e < count; e++)
        filled[slot[e] - base] |= (uint16_t)all;
    (void)sum, (void)b, (void)k, (void)a, (void)has;
#else
    for (uint64_t e = 0, count = piece->count; e < count; e++) {
        const uint64_t s = slot[e] - base, at = e & own.bmask;
        char *to_sum = sum + s * NAME(PANEL_BYTES);
        filled[s] = (uint16_t)(filled[s] | all);
        FOR_PARTS {
            PART x;
            memcpy(&x, to_sum + h * sizeof x, sizeof x);
            GB_UNROLL for (unsigned r = 0; r < rows; r++) {
                const PART y = NAME(panel_sum)(x, NAME(panel_product)(R, a[r][h], b[r] + at, k[r]));
                x = NAME(panel_pick)(x, y, has[r][h], holders[r]);
            }
            memcpy(to_sum + h * sizeof x, &x, sizeof x);
        }
    }
#endif
    (void)g, (void)R;
}

static void NAME(panel_add)(gb_PanelWork *w, const gb_MxmArgs *g, const gb_PanelPiece *piece) {
    switch (piece->rows) {
    case 1:
        NAME(panel_rows)(w, g, piece, 1);
        break;
    case 2:
        NAME(panel_rows)(w, g, piece, 2);
        break;
    case 3:
        NAME(panel_rows)(w, g, piece, 3);
        break;
    default:
        NAME(panel_rows)(w, g, piece, GB_PANEL_AT_ONCE);
    }
}

#undef FOR_PARTS
#undef BITS
#undef PART
#endif

#undef NAME
