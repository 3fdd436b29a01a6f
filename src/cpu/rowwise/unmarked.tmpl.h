/* SPDX-License-Identifier: Apache-2.0
 *
 * The dense accumulator without marks, for sums of floats whose rows touch most columns: at rest a
 * value is -0, and since 0 is added to every product no sum is ever -0, so the bits of a value tell
 * whether its column has an entry. The sums are to the bit those of the accumulator that begins
 * with 0. Part of rowwise.tmpl.h.
 *
 * Two stores less per product; but looking for the entries of a row reads all values instead of the
 * bytes of columns that were touched. What is left per product is few instructions: GB_LINE_ENTRIES
 * of them are made at a time by vectors and put into memory, from where each is added to its sum.
 */
#include "cpu/rowwise/rowwork.h"
#include "cpu/simd/template.h"

static void NAME(rest)(void *val, uint64_t n) {
    for (uint64_t j = 0; j < n; j++) *SR_AT(val, j) = -SR_ZERO;
}

/* Bit l is set where val[l] is not at rest; l < width <= 64. */
static inline uint64_t NAME(touched)(const SR_T *val, unsigned width) {
    enum { LINE = 64 / sizeof(SR_T) };
    SR_T line[LINE], last[64];
    uint64_t bits = 0;
    NAME(rest)(line, LINE);
    const gb_Lanes32 rest = gb_load32(line);
    if (width < 64) {
        NAME(rest)(last, 64);
        memcpy(last, val, width * sizeof *last);
        val = last;
    }
    for (unsigned l = 0; l < 64; l += LINE) {
        const unsigned same = gb_equal32(gb_load32(val + l), rest);
        const unsigned there =
            sizeof(SR_T) == 4 ? ~same & 0xFFFFu : gb_even_bits(~(same & same >> 1));
        bits |= (uint64_t)there << l;
    }
    return bits;
}

typedef SR_T NAME(Part) __attribute__((vector_size(GB_REGISTER)));

/* Adds a * b[q] to the sums of columns j[q], q < n. What is `next` entries ahead is asked for line
 * by line. */
static inline void NAME(add_unmarked)(SR_T *val, SR_T a, const gb_Idx *restrict j,
                                      const SR_T *restrict b, gb_Off n, int64_t next) {
    enum { LANES = GB_REGISTER / sizeof(SR_T) };
    gb_Off q = 0;
    for (; q + GB_LINE_ENTRIES <= n; q += GB_LINE_ENTRIES) {
        SR_T product[GB_LINE_ENTRIES];
        __builtin_prefetch(&j[next + (int64_t)q]);
        __builtin_prefetch(&b[next + (int64_t)q]);
        for (unsigned l = 0; l < GB_LINE_ENTRIES; l += LANES) {
            NAME(Part) x;
            memcpy(&x, b + q + l, sizeof x);
            x = a * x + SR_ZERO;
            memcpy(product + l, &x, sizeof x);
        }
        __asm__("" : "+m"(product)); /* else gcc takes each from a register by several shuffles */
#pragma GCC unroll 16
        for (unsigned l = 0; l < GB_LINE_ENTRIES; l++) val[j[q + l]] += product[l];
    }
    __builtin_prefetch(&j[next + (int64_t)q]);
    __builtin_prefetch(&b[next + (int64_t)q]);
    for (; q < n; q++) val[j[q]] += a * b[q] + SR_ZERO;
}

/* The products of row i. */
static void NAME(add_rows_unmarked)(const gb_MxmArgs *g, const gb_RingArgs *shared, gb_RowWork *w,
                                    uint64_t i) {
    const gb_RingArgs own = *shared, *R = &own;
    const gb_Off *restrict Bp = g->B.p;
    const gb_Off end = g->A.p[i + 1];
    for (gb_Off p = g->A.p[i]; p < end; p++) {
        const gb_Off from = Bp[g->A.i[p]], n = Bp[g->A.i[p] + 1] - from;
        const gb_Off then = p + 1 < end ? Bp[g->A.i[p + 1]] : from;
        NAME(add_unmarked)
        (w->val, *SR_A(p), g->B.i + from, SR_B(from), n, (int64_t)(then - from));
    }
}

/* Emits the columns that are not at rest, and puts them to rest. */
static uint64_t NAME(gather_unmarked)(gb_RowWork *w, uint64_t ncols, gb_Idx *Ci, void *Cx) {
    const SR_T rest = -SR_ZERO;
    uint64_t n = 0, clear = 0;
    memcpy(&clear, &rest, sizeof rest);
    for (uint64_t base = 0; base < ncols; base += 64) {
        const unsigned width = ncols - base < 64 ? (unsigned)(ncols - base) : 64;
        SR_T *val = SR_AT(w->val, base);
        uint64_t bits = NAME(touched)(val, width);
#if GB_HAS_COMPRESS
        if (width == 64 && __builtin_popcountll(bits) > GB_PACK_LEAST) {
            n += sizeof(SR_T) == 8
                     ? gb_pack_columns(bits, (gb_Idx)base, Ci + n, (uint64_t *)Cx + n,
                                       (uint64_t *)(void *)val, clear)
                     : gb_pack_columns32(bits, (gb_Idx)base, Ci + n, (uint32_t *)Cx + n,
                                         (uint32_t *)(void *)val, (uint32_t)clear);
            continue;
        }
#endif
        for (; bits != 0; bits &= bits - 1, n++) {
            const unsigned l = (unsigned)__builtin_ctzll(bits);
            Ci[n] = (gb_Idx)(base + l);
            *SR_AT(Cx, n) = val[l];
            val[l] = rest;
        }
    }
    return n;
}
