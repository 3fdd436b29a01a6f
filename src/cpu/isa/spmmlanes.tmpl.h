/* SPDX-License-Identifier: Apache-2.0
 *
 * A part of a row of C, or of two, in registers of SPMM_BYTES: over all entries of the row of A,
 * their value in all lanes times a part of the row of B. Part of spmm.tmpl.h, which includes it
 * once per length of registers.
 */
#include "cpu/isa/spmmwork.h"
#include "cpu/isa/template.h"

#define SIZED(f) GB_CAT(NAME(f), SPMM_BYTES)
#define PART SIZED(SpmmLanes)
typedef SR_T PART __attribute__((vector_size(SPMM_BYTES)));
typedef uint64_t SIZED(SpmmWide) __attribute__((vector_size(SPMM_BYTES)));
typedef uint32_t SIZED(SpmmHalf) __attribute__((vector_size(SPMM_BYTES)));

#define LANES64 SIZED(SpmmWide)
#define LANES32 SIZED(SpmmHalf)
#include "cpu/isa/laneops.h"
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
#include "cpu/isa/laneops_end.h"

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
/* The same of two rows in lockstep. */
GB_INLINE void SIZED(spmm_pair)(const gb_RingArgs *R, const gb_SpmmRow *row, const SR_T *b,
                                SR_T *to, unsigned registers) {
    gb_SpmmHow how = {.registers = registers, .first = true};
    PART sum[GB_SPMM_REGISTERS], next[GB_SPMM_REGISTERS];
    gb_Off p = row->p, q = row->p_next;
    SIZED(spmm_entry)(R, row, b, p++, sum, how);
    SIZED(spmm_entry)(R, row, b, q++, next, how);
    how.first = false;
    for (; p < row->end && q < row->end_next; p++, q++) {
        SIZED(spmm_entry)(R, row, b, p, sum, how);
        SIZED(spmm_entry)(R, row, b, q, next, how);
    }
    for (; p < row->end; p++) SIZED(spmm_entry)(R, row, b, p, sum, how);
    FOR_REGISTERS memcpy(to + OFFSET(h), &sum[h], sizeof sum[h]);
    for (; q < row->end_next; q++) SIZED(spmm_entry)(R, row, b, q, next, how);
    FOR_REGISTERS memcpy(to + row->width + OFFSET(h), &next[h], sizeof next[h]);
}
#endif

#undef FOR_REGISTERS
#undef OFFSET
#undef PART
#undef SIZED
