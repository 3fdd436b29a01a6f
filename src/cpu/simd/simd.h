/* SPDX-License-Identifier: Apache-2.0
 *
 * Vectors as kernels see them: a few types and operations with the same names and results on every
 * processor. A header per instruction set defines the operations that the set is good at and says
 * so with a macro of the same name (`#define gb_min8 gb_min8`); what is left, the header of the
 * next lower set defines, and in the end simd_portable.h in plain C.
 * docs/how_to_add.md lists what a new set takes.
 *
 *   gb_Lanes32    GB_LANES numbers of 32 bits: as many as a line of the cache has, and the rows
 *                 that are sorted together. Each set splits them into its registers
 *   gb_Lanes64    8 numbers of 64 bits
 *   gb_Bytes32    32 bytes
 *   GB_REGISTER   bytes of a register, for kernels that hold a few whole ones: gb_Register32,
 *                 gb_Register64
 *   a mask        bit l of an unsigned number says something of lane l
 *   first n       lanes [0, min(n, GB_LANES))
 *
 * Arithmetic is written with the operators of C, which compilers know for these types.
 *
 * What a set can do besides, each 0 or 1; where it is 0 the operations are there, but kernels have
 * something faster:
 *   GB_HAS_COMPRESS  lanes of a mask are packed by an instruction: gb_compress32, gb_pack32,
 *                    gb_pack64, gb_pack_numbers
 *   GB_HAS_EXPAND    ... and put apart again: gb_expand
 *   GB_HAS_ROWS      gb_Lanes32 is one register, whose lanes are loaded, compared, permuted and
 *                    stored under masks
 *
 * In memory, without alignment unless said otherwise:
 *   gb_load32(p), gb_store32(p, v)      all lanes
 *   gb_load_first32(p, n)               the first n lanes, others 0; p is mapped even if n is 0
 *   gb_store_first32(p, v, n)           the first n lanes and nothing else
 *   gb_stream_line(to, from)            64 bytes past the caches; both on multiples of 64
 *   gb_stream16(to, from)               16 bytes; `to` on a multiple of 16
 *   gb_stream_end()                     before other threads read what was streamed
 * Lane by lane:
 *   gb_all32(x), gb_numbers32(x)        x in all lanes; x, x + 1, x + 2, ...
 *   gb_order32(x, y), gb_order64(x, y)  *x becomes the minimum, *y the maximum, unsigned, of
 *                                       registers
 *   gb_max8(x, y)                       *x becomes the maximum, of gb_Bytes32
 *   gb_first_or32(n, a, b)              the first n lanes of a, the others of b
 *   gb_previous32(v, last)              last, v[0], v[1], ...
 *   gb_transpose32(r)                   swaps lane k of r[l] and lane l of r[k]
 *   gb_transpose64(r)                   the same of 8 gb_Lanes64
 *   gb_transpose_masks(to, m)           bit k of to[l] is bit l of m[k], of 16 numbers of 16 bits
 * To masks:
 *   gb_mask32(v)                        lanes of v, each all ones or 0
 *   gb_equal32(a, b), gb_less32(a, b)   unsigned
 *   gb_find32(line, x)                  lanes equal to x of a line on a multiple of 64 bytes
 *   gb_nonzero_bytes(m)                 of 64 bytes
 *   gb_nonzero_words(m)                 of 16 numbers of 16 bits
 * By masks and numbers of lanes:
 *   gb_pick_lanes(x, y, mask, size)     lanes of `size` bytes of gb_Lanes32 (cast to it): of y
 *                                       where the mask has their bit, else of x
 *   gb_compress32(v, mask)              lanes of the mask first, then 0
 *   gb_pack32(to, from, mask)           of 16 numbers in memory, those of the mask, and nothing
 *                                       behind them; returns how many
 *   gb_pack64(to, from, mask)           the same of 16 numbers of 64 bits
 *   gb_pack_numbers(to, x, mask)        the same of x, x + 1, ..., x + 15
 *   gb_put32(to, v, mask)               the same of the lanes of a gb_Lanes32
 *   gb_put64(to, v, mask)               ... and of a gb_Lanes64
 *   gb_expand(to, from, mask, size)     a register: lanes of the mask get values of `size` bytes,
 *                                       one after the other, the others 0
 *   gb_shuffle(to, x, at, size)         to[l] = x[at[l]] for 16 values of 4 or 8 bytes, at[l] < 16
 *   gb_gather_first(to, x, at, n, size) to[l] = x[at[l]] for the first n lanes and nothing else
 *   gb_gather32(to, x, at, mask)        to[l] = x[at[l]] for lanes of the mask, others stay; 16
 *                                       numbers of 32 bits are read and written at `to`, 16 read at
 *                                       `at`; at[l] < 2^31 in the mask, anything outside
 *   gb_scatter32(x, at, v, mask)        x[at[l]] = v[l] for lanes of the mask, in memory as for
 *                                       gb_gather32; indices differ
 *   gb_set_bits(to, mask, base)         base + l as a byte for each lane of the mask, ascending;
 *                                       returns how many, but may write 16
 * Of rows of bits, in blocks of 512 (core/forms.h):
 *   gb_and_count(a, b, blocks)          bits that both have
 *   gb_and_sum(sum, a, b, blocks)       adds them to a gb_AndSum, which is 0 at first
 *   gb_and_total(sum)                   all that were added
 *   gb_and_first(a, b, blocks)          the first of them; UINT64_MAX: there is none
 *   gb_count64(x)                       bits of one word
 *   gb_and_words(b, base, end, w, n)    bits that word w.number[k] - base of b and w.bits[k] both
 *                                       have, of k < n with w.number[k] in [base, end); ascending
 * Of short ascending lists:
 *   gb_few(a, n)                        a list of n <= GB_FEW_MOST numbers, ready to be intersected
 *   gb_count_few(few, b, m)             numbers that it and b[0 .. m) both have
 * Of marks:
 *   gb_count_marked(mark, i, n)         sum of mark[i[k]], each 1 or 0; k < n, i[k] < 2^31, and
 *                                       mark[i[k] + 3] is mapped
 *   gb_raise_marked(mark, i, n)         adds 1 to mark[i[k]] where it is not 0; k < n, i[k] < 2^31,
 *                                       all different
 */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "core/bits.h"

/* Operations are inlined, and static where they are not: how a vector wider than registers is
 * passed is no matter, and no reason to warn. */
#define GB_OP GB_INLINE
#pragma GCC diagnostic ignored "-Wpsabi"

enum { GB_LANES = 16 };
typedef uint32_t gb_Lanes32 __attribute__((vector_size(64)));
typedef uint64_t gb_Lanes64 __attribute__((vector_size(64)));
typedef struct {
    const uint32_t *number; /* and 8 more that are mapped */
    const uint64_t *bits;
} gb_Words;
enum { GB_FEW_MOST = 8 }; /* numbers of 32 bits in a register of AVX2; others were not tried */
typedef uint8_t gb_Bytes32 __attribute__((vector_size(32)));

#if defined(__AVX512F__)
#define GB_REGISTER 64
#elif defined(__AVX2__)
#define GB_REGISTER 32
#else
#define GB_REGISTER 16
#endif
typedef uint64_t gb_Register64 __attribute__((vector_size(GB_REGISTER)));
typedef uint32_t gb_Register32 __attribute__((vector_size(GB_REGISTER)));

/* The best first. */
#if defined(__AVX512F__)
#include "cpu/simd/simd_avx512.h"
#endif
#if defined(__AVX2__)
#include "cpu/simd/simd_avx2.h"
#endif
#if defined(__SSE2__)
#include "cpu/simd/simd_sse2.h"
#endif
#if defined(__ARM_FEATURE_SVE)
#include "cpu/simd/simd_sve.h"
#endif
#if defined(__ARM_NEON)
#include "cpu/simd/simd_neon.h"
#endif
#if defined(__riscv_vector)
#include "cpu/simd/simd_rvv.h"
#endif
#include "cpu/simd/simd_portable.h"
