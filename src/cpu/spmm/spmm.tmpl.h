/* SPDX-License-Identifier: Apache-2.0
 *
 * Rows of A times a full B for one semiring: C(i,:) is the sum of A(i,k) * B(k,:). Included once
 * per entry of semiring/foreach.h.
 *
 * Up to GB_SPMM_REGISTERS registers of columns are summed at a time over all entries of the row of
 * A, so that C is written once and nothing is read but A and B. The last register ends where the
 * row of B ends, over columns that another one has too. Narrower rows take shorter registers, down
 * to 16 bytes, and then single values; of floats four rows go in lockstep where two registers are
 * enough (lanes.tmpl.h).
 *
 * Preconditions: A by rows, sorted; B full, by rows, of which only values are read. Every value is
 * summed in the order of k, beginning with the first product.
 * Cost: a load of B and a multiplication and an addition per register and entry of A.
 */
#include "cpu/spmm/work.h"
#include "cpu/simd/template.h"

#if SR_PAIR
/* Every product is 1. */
static void NAME(spmm)(const gb_Spmm *s, const gb_RingArgs *R, gb_SpmmPart part, void *out) {
    const gb_Off *restrict Ap = s->g->A.p;
    SR_T *restrict to = out;
    for (uint64_t i = part.from; i < part.to; i++) {
        if (Ap[i] == Ap[i + 1]) continue;
        const SR_T value = SR_ANY ? (SR_T)1 : (SR_T)(Ap[i + 1] - Ap[i]);
        for (uint64_t j = 0; j < part.width; j++) to[j] = value;
        to += part.width;
    }
    (void)R;
}

#elif defined(SR_GENERIC) || SR_NO_LANES
static void NAME(spmm)(const gb_Spmm *s, const gb_RingArgs *R, gb_SpmmPart part, void *out) {
    const gb_CsView *A = &s->g->A;
    SR_T *to = (SR_T *)out;
    for (uint64_t i = part.from; i < part.to; i++) {
        if (A->p[i] == A->p[i + 1]) continue;
        for (gb_Off p = A->p[i]; p < A->p[i + 1]; p++) {
            const uint64_t k = A->i[p];
            for (uint64_t j = 0; j < part.width; j++) {
                const uint64_t column = part.first + j;
                SR_T *c = SR_AT(to, j);
                if (p == A->p[i])
                    SR_SET(c, SR_A(p), SR_B(k * s->n + column), i, k, column);
                else if (!SR_DONE(c))
                    SR_FMA(c, SR_A(p), SR_B(k * s->n + column), i, k, column);
            }
        }
        to = SR_AT(to, part.width);
    }
}

#else
/* Of a part: what its rows have in common, and where its columns are in B. */
GB_INLINE gb_SpmmRow NAME(spmm_begin)(const gb_Spmm *s, const gb_RingArgs *R,
                                      const gb_SpmmPart part) {
    return (gb_SpmmRow){.i = s->g->A.i,
                        .stride = R->bmask != 0 ? s->n : 0,
                        .width = part.width,
                        .reach = part.ahead ? UINT64_MAX : 0};
}

GB_INLINE const SR_T *NAME(spmm_columns)(const gb_Spmm *s, const gb_RingArgs *R,
                                         const gb_SpmmPart part) {
    return R->bmask != 0 ? (const SR_T *)R->Bx + part.first : (const SR_T *)s->one;
}

#if SR_PLAIN
/* Prefetches entries of A that come after entries [from, to): the hardware does not follow four
 * rows at a time, nor far enough beside rows of B. */
GB_INLINE void NAME(spmm_prefetch)(const gb_RingArgs *R, const gb_Idx *i, gb_Off from, gb_Off to) {
    for (gb_Off p = from; p < to; p += GB_LINE_BYTES / sizeof *i)
        __builtin_prefetch(i + p + GB_MXV_AHEAD);
    for (gb_Off p = from; p < to; p += GB_LINE_BYTES / sizeof(SR_T))
        __builtin_prefetch(SR_A(p + GB_MXV_AHEAD));
}
#endif

#define SPMM_BYTES GB_REGISTER
#include "cpu/spmm/lanes.tmpl.h"
#undef SPMM_BYTES
#if GB_REGISTER > 32
#define SPMM_BYTES 32
#include "cpu/spmm/lanes.tmpl.h"
#undef SPMM_BYTES
#endif
#if GB_REGISTER > 16
#define SPMM_BYTES 16
#include "cpu/spmm/lanes.tmpl.h"
#undef SPMM_BYTES
#endif
#define LANES(bytes) ((bytes) / sizeof(SR_T))
#define BLOCK(bytes, count) GB_CAT(NAME(spmm_block), bytes)(R, row, b, to, count)

/* So few columns that each has a variable of its own. */
GB_INLINE void NAME(spmm_few)(const gb_RingArgs *R, const gb_SpmmRow *row, const SR_T *b, SR_T *to,
                              const unsigned columns) {
    SR_T sum[4];
    for (unsigned h = 0; h < columns; h++)
        SR_SET(&sum[h], SR_A(row->p), b + row->i[row->p] * row->stride + h, 0,
               (uint64_t)row->i[row->p], 0);
    for (gb_Off p = row->p + 1; p < row->end && !SR_ANY; p++)
        for (unsigned h = 0; h < columns; h++)
            SR_FMA(&sum[h], SR_A(p), b + row->i[p] * row->stride + h, 0, (uint64_t)row->i[p], 0);
    for (unsigned h = 0; h < columns; h++) to[h] = sum[h];
    (void)R, (void)b;
}

/* Fewer columns than lanes of 16 bytes: of 8 bytes one, of 4 bytes up to three. */
static inline void NAME(spmm_values)(const gb_RingArgs *R, const gb_SpmmRow *row, const SR_T *b,
                                     SR_T *to, uint64_t width) {
    if (LANES(16) > 4)
        for (; width >= 4; width -= 4, b += 4, to += 4) NAME(spmm_few)(R, row, b, to, 4);
    if (LANES(16) > 3 && width == 3) NAME(spmm_few)(R, row, b, to, 3);
    if (LANES(16) > 2 && width == 2) NAME(spmm_few)(R, row, b, to, 2);
    if (width == 1) NAME(spmm_few)(R, row, b, to, 1);
}

/* Bytes of the shortest registers of which two suffice. */
GB_INLINE size_t NAME(spmm_bytes)(uint64_t width) {
    return width >= LANES(GB_REGISTER)              ? GB_REGISTER
           : GB_REGISTER > 32 && width >= LANES(32) ? 32
                                                    : 16;
}

#if SR_PLAIN
/* An addition of floats waits three or four cycles for the one before it, of integers one. Where
 * rows of B come from beyond the second cache that does not matter, and each row of A goes alone:
 * of four, only the entries that they have side by side could be prefetched in time. */
#define IN_FOURS ((SR_T)0.5 != 0)
#define FOURS(bytes)                                                                               \
    (part.width == LANES(bytes) ? GB_CAT(NAME(spmm_single), bytes)(s, R, part, to)                 \
                                : GB_CAT(NAME(spmm_double), bytes)(s, R, part, to))

/* Up to two registers of columns, four rows at a time. Returns the end of the last row. */
GB_INLINE SR_T *NAME(spmm_fours)(const gb_Spmm *s, const gb_RingArgs *R, gb_SpmmPart part,
                                 SR_T *to) {
    const size_t bytes = NAME(spmm_bytes)(part.width);
    if (bytes == GB_REGISTER) return FOURS(GB_REGISTER);
#if GB_REGISTER > 32
    if (bytes == 32) return FOURS(32);
#endif
    return FOURS(16);
}
#undef FOURS
#endif

/* Up to two registers of columns of one row. */
GB_INLINE void NAME(spmm_narrow)(const gb_RingArgs *R, gb_SpmmRow *row, const SR_T *b, SR_T *to) {
    const size_t bytes = NAME(spmm_bytes)(row->width);
    row->last = (int64_t)row->width - (int64_t)LANES(bytes);
    const bool one = row->last == 0;
    if (bytes == GB_REGISTER && one)
        BLOCK(GB_REGISTER, 1);
    else if (bytes == GB_REGISTER)
        BLOCK(GB_REGISTER, 2);
#if GB_REGISTER > 32
    else if (bytes == 32 && one)
        BLOCK(32, 1);
    else if (bytes == 32)
        BLOCK(32, 2);
#endif
#if GB_REGISTER > 16
    else if (one)
        BLOCK(16, 1);
    else
        BLOCK(16, 2);
#endif
}

/* More columns, GB_SPMM_REGISTERS at a time. */
GB_INLINE void NAME(spmm_wide)(const gb_RingArgs *R, gb_SpmmRow *row, const SR_T *b, SR_T *to) {
    const uint64_t lanes = LANES(GB_REGISTER);
    for (uint64_t left = row->width, columns; left > 0; left -= columns, to += columns) {
        const uint64_t registers = (left + lanes - 1) / lanes;
        const uint64_t taken = registers >= 8 ? 8 : registers >= 4 ? 4 : registers >= 2 ? 2 : 1;
        columns = left < taken * lanes ? left : taken * lanes;
        row->last = (int64_t)columns - (int64_t)lanes;
        if (taken == 8)
            BLOCK(GB_REGISTER, 8);
        else if (taken == 4)
            BLOCK(GB_REGISTER, 4);
        else if (taken == 2)
            BLOCK(GB_REGISTER, 2);
        else
            BLOCK(GB_REGISTER, 1);
        if (row->stride > 0) b += columns;
    }
}

/* Code of its own for parts that prefetch rows of B and for those that do not is for + and * alone:
 * for all semirings, with four rows at a time, the library would grow by another 350 KB. */
#if SR_PLAIN
#define ROWS GB_INLINE
#else
#define ROWS __attribute__((noinline)) static
#endif

/* Returns the end of the last row. */
ROWS SR_T *NAME(spmm_rows)(const gb_Spmm *s, const gb_RingArgs *args, const gb_SpmmPart part,
                           SR_T *to) {
    const gb_RingArgs copy = *args, *R = &copy; /* which no store to C can change */
    const gb_Off *restrict Ap = s->g->A.p;
    const SR_T *b = NAME(spmm_columns)(s, R, part);
    gb_SpmmRow row = NAME(spmm_begin)(s, R, part);
    const bool wide = part.width > 2 * LANES(GB_REGISTER), few = part.width < LANES(16);
#if SR_PLAIN
    if (IN_FOURS && !wide && !few && !part.ahead) return NAME(spmm_fours)(s, args, part, to);
#endif
    for (uint64_t i = part.from; i < part.to; i++) {
        row.p = Ap[i];
        row.end = Ap[i + 1];
        if (row.p == row.end) continue;
#if SR_PLAIN
        NAME(spmm_prefetch)(R, row.i, row.p, row.end);
#endif
        if (wide)
            NAME(spmm_wide)(R, &row, b, to);
        else if (few)
            NAME(spmm_values)(R, &row, b, to, part.width);
        else
            NAME(spmm_narrow)(R, &row, b, to);
        to += part.width;
    }
    return to;
}

static void NAME(spmm)(const gb_Spmm *s, const gb_RingArgs *R, gb_SpmmPart part, void *out) {
    const gb_CsView *A = &s->g->A;
    SR_T *to = (SR_T *)out;
    if (s->ahead && R->bmask != 0) {
        uint64_t end = part.to;
        while (end > part.from && A->p[end] + GB_SPMM_AHEAD > A->nvals) end--;
        to = NAME(spmm_rows)(s, R, (gb_SpmmPart){part.from, end, part.first, part.width, true}, to);
        part.from = end;
    }
    NAME(spmm_rows)(s, R, (gb_SpmmPart){part.from, part.to, part.first, part.width, false}, to);
}
#undef ROWS
#undef IN_FOURS
#undef BLOCK
#undef LANES
#endif
#undef NAME
