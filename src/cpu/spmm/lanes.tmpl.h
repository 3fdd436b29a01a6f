/* SPDX-License-Identifier: Apache-2.0
 *
 * A part of a row of C, or of four, in registers of SPMM_BYTES: over all entries of the row of A,
 * their value in all lanes times a part of the row of B. Part of spmm.tmpl.h, which includes it
 * once per length of registers.
 */
#include "cpu/spmm/work.h"
#include "cpu/simd/template.h"

#define SIZED(f) GB_CAT(NAME(f), SPMM_BYTES)
#define PART SIZED(SpmmLanes)
typedef SR_T PART __attribute__((vector_size(SPMM_BYTES)));
typedef uint64_t SIZED(SpmmWide) __attribute__((vector_size(SPMM_BYTES)));
typedef uint32_t SIZED(SpmmHalf) __attribute__((vector_size(SPMM_BYTES)));

#define LANES64 SIZED(SpmmWide)
#define LANES32 SIZED(SpmmHalf)
#include "cpu/simd/laneops.h"
GB_INLINE PART SIZED(spmm_product)(SR_T a, PART b, uint64_t k) {
#if SR_TRUTH
    (void)k;
    return b & (SR_T)-a; /* a is 0 or 1 */
#else
    const PART left = a - (PART){0}, position = (SR_T)k - (PART){0}; /* that is, in all lanes */
    (void)left, (void)position, (void)b;
    return SR_MUL(left, b, 0, position, 0);
#endif
}
GB_INLINE PART SIZED(spmm_sum)(PART x, PART y) {
#if SR_TRUTH
    return x | y;
#else
    (void)y;
    return SR_ADD(x, y);
#endif
}
#include "cpu/simd/laneops_end.h"

/* Where register h begins, in values. */
#define OFFSET(h)                                                                                  \
    ((h) + 1 < how.registers ? (int64_t)((h) * (SPMM_BYTES / sizeof(SR_T))) : row->last)
#define FOR_REGISTERS GB_UNROLL for (unsigned h = 0; h < how.registers; h++)

/* The products of entry p join the sums. */
GB_INLINE void SIZED(spmm_entry)(const gb_RingArgs *R, const gb_SpmmRow *row, const SR_T *b,
                                 gb_Off p, PART *sum, gb_SpmmHow how) {
    const uint64_t k = row->i[p];
    const SR_T a = SR_USES_A ? *SR_A(p) : (SR_T)0;
    const unsigned distance =
        how.registers > 2 ? GB_SPMM_REGISTERS_AHEAD / how.registers : GB_SPMM_AHEAD;
    const gb_Off later = p + (distance & row->reach);
    PART lanes = {0};
    FOR_REGISTERS {
        if (SR_USES_B && (!SR_PLAIN || row->reach != 0) && h * SPMM_BYTES % GB_LINE_BYTES == 0)
            __builtin_prefetch(b + row->i[later] * row->stride + OFFSET(h));
        if (SR_USES_B) memcpy(&lanes, b + k * row->stride + OFFSET(h), sizeof lanes);
        const PART product = SIZED(spmm_product)(a, lanes, k);
        sum[h] = how.first ? product : SIZED(spmm_sum)(sum[h], product);
    }
    (void)R, (void)b, (void)later;
}

/* The sums are variables, so that they stay in registers; `registers` is constant. */
GB_INLINE void SIZED(spmm_block)(const gb_RingArgs *R, const gb_SpmmRow *row, const SR_T *b,
                                 SR_T *to, unsigned registers) {
    gb_SpmmHow how = {.registers = registers, .first = true};
    PART sum[GB_SPMM_REGISTERS];
    gb_Off p = row->p;
    SIZED(spmm_entry)(R, row, b, p++, sum, how);
    how.first = false;
    for (; p < row->end && !SR_ANY; p++) SIZED(spmm_entry)(R, row, b, p, sum, how);
    FOR_REGISTERS memcpy(to + OFFSET(h), &sum[h], sizeof sum[h]);
}

#if SR_PLAIN
/* The same of one register, or of two that no others precede. */
#define NARROW_OFFSET(h) ((h) == 0 ? 0 : row->last)
#define FOR_ROWS GB_UNROLL for (unsigned r = 0; r < how.rows; r++)

/* Steps of `rows` rows, a constant: the next entry of each joins its row's sums. */
GB_INLINE void SIZED(spmm_steps)(const gb_RingArgs *R, const gb_SpmmRow *row, const SR_T *b,
                                 PART (*sum)[2], gb_SpmmSteps steps, gb_SpmmHow how) {
    const gb_Idx *i[GB_SPMM_FOUR];
    const SR_T *a[GB_SPMM_FOUR];
    FOR_ROWS {
        i[r] = row->i + steps.start[r];
        a[r] = SR_A(steps.start[r]);
    }
    for (gb_Off s = steps.from; s < steps.to; s++) {
        FOR_ROWS {
            const uint64_t k = i[r][s];
            FOR_REGISTERS {
                PART lanes;
                memcpy(&lanes, b + k * row->stride + NARROW_OFFSET(h), sizeof lanes);
                const PART product = SIZED(spmm_product)(a[r][s & R->amask], lanes, k);
                sum[r][h] = SIZED(spmm_sum)(sum[r][h], product);
            }
        }
    }
}

/* Rows of C of up to two registers, `registers`, for four of A, one behind the other, of which the
 * last ones may be empty. Sums begin with what changes nothing that is added to it, -0 for floats.
 */
GB_INLINE void SIZED(spmm_four)(const gb_RingArgs *R, const gb_SpmmRow *row, const SR_T *b,
                                SR_T *to, const gb_Off *start, unsigned registers) {
    const gb_SpmmHow how = {.registers = registers, .rows = GB_SPMM_FOUR};
    const gb_SpmmHow alone = {.registers = registers, .rows = 1};
    gb_Off least = UINT64_MAX;
    PART sum[GB_SPMM_FOUR][2];
    FOR_ROWS FOR_REGISTERS sum[r][h] = -(PART){0};
    FOR_ROWS if (start[r + 1] - start[r] < least) least = start[r + 1] - start[r];
    SIZED(spmm_steps)(R, row, b, sum, (gb_SpmmSteps){start, 0, least}, how);
    FOR_ROWS {
        const gb_SpmmSteps rest = {start + r, least, start[r + 1] - start[r]};
        if (rest.to == 0) break;
        SIZED(spmm_steps)(R, row, b, sum + r, rest, alone);
        FOR_REGISTERS memcpy(to + r * row->width + NARROW_OFFSET(h), &sum[r][h], sizeof sum[r][h]);
    }
}

/* Rows of the part, four at a time. Returns the end of the last row. */
GB_INLINE SR_T *SIZED(spmm_by_fours)(const gb_Spmm *s, const gb_RingArgs *args, gb_SpmmPart part,
                                     SR_T *to, unsigned registers) {
    const gb_RingArgs copy = *args, *R = &copy; /* which no store to C can change */
    const SR_T *b = NAME(spmm_columns)(s, R, part);
    gb_SpmmRow row = NAME(spmm_begin)(s, R, part);
    row.last = (int64_t)(part.width - SPMM_BYTES / sizeof(SR_T));
    for (uint64_t from = part.from, end; from < part.to; from = end) {
        gb_Off start[GB_ROW_WINDOW + GB_SPMM_FOUR];
        end = part.to - from < GB_ROW_WINDOW ? part.to : from + GB_ROW_WINDOW;
        const unsigned n = gb_spmm_starts(start, s->g->A.p, from, end);
        SR_T *at = to;
        for (unsigned r = 0; r < n; r += GB_SPMM_FOUR, at += GB_SPMM_FOUR * part.width) {
            NAME(spmm_prefetch)(R, row.i, start[r], start[r + GB_SPMM_FOUR]);
            SIZED(spmm_four)(R, &row, b, at, start + r, registers);
        }
        to += n * part.width;
    }
    return to;
}

/* Never inlined: the pointers of a lockstep take all registers there are. */
__attribute__((noinline)) static SR_T *SIZED(spmm_single)(const gb_Spmm *s, const gb_RingArgs *R,
                                                          gb_SpmmPart part, SR_T *to) {
    return SIZED(spmm_by_fours)(s, R, part, to, 1);
}
__attribute__((noinline)) static SR_T *SIZED(spmm_double)(const gb_Spmm *s, const gb_RingArgs *R,
                                                          gb_SpmmPart part, SR_T *to) {
    return SIZED(spmm_by_fours)(s, R, part, to, 2);
}
#undef FOR_ROWS
#undef NARROW_OFFSET
#endif

#undef FOR_REGISTERS
#undef OFFSET
#undef PART
#undef SIZED
