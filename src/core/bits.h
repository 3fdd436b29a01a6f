/* SPDX-License-Identifier: Apache-2.0
 *
 * Widths of numbers, and numbers that may not fit.
 */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Bits that hold every number below n. */
static inline int gb_bits_below(uint64_t n) {
    return n <= 1 ? 0 : 64 - __builtin_clzll(n - 1);
}

/* The integer part of x: 0 where x is negative or NaN, UINT64_MAX where it is too large. A cast
 * alone is undefined there, and does differ between instruction sets. */
static inline uint64_t gb_to_u64(double x) {
    if (!(x > 0.0)) return 0;
    return x < 0x1p64 ? (uint64_t)x : UINT64_MAX;
}

/* A function that has to disappear into its callers, whose constants become its own. Without
 * optimisation they do not, and copies would only make sanitized code ten times as large. */
#ifdef __OPTIMIZE__
#define GB_INLINE __attribute__((always_inline)) static inline
#else
#define GB_INLINE static inline
#endif

/* f(size, ...) with a size that is constant for values of built-in types: where f is inlined, each
 * of its copies of a value is then one instruction. */
#define GB_BY_SIZE(f, size, ...)                                                                   \
    ((size) == 8    ? f(8, __VA_ARGS__)                                                            \
     : (size) == 4  ? f(4, __VA_ARGS__)                                                            \
     : (size) == 1  ? f(1, __VA_ARGS__)                                                            \
     : (size) == 2  ? f(2, __VA_ARGS__)                                                            \
     : (size) == 16 ? f(16, __VA_ARGS__)                                                           \
                    : f(size, __VA_ARGS__))

/* -- sets of bits of three levels -------------------------------------------------------------- */

/* Sets of numbers below n that cost what they hold. Bit k % 64 of words[k / 64] says whether k is a
 * member; a bit of `blocks` says that a word is not zero, a bit of `groups` that a word of blocks
 * is not. So members are found in ascending order, and the set is emptied, in time of their number
 * and n / 2^18.
 *
 * Threads may add to one set when no two of them share a block: GB_BLOCK_SPAN numbers from a
 * multiple of it on. */

enum { GB_BLOCK_SPAN = 64 * 64 };

typedef struct {
    uint64_t *words, *blocks, *groups;
    uint64_t n;
} gb_BitSet;

static inline uint64_t gb_words_for(uint64_t n) {
    return n / 64 + 1;
}

static inline size_t gb_bitset_bytes(uint64_t n) {
    const uint64_t words = gb_words_for(n), blocks = gb_words_for(words);
    return (size_t)(words + blocks + gb_words_for(blocks)) * sizeof(uint64_t);
}

/* A set in memory of gb_bitset_bytes(n); empty where that is zero. */
static inline gb_BitSet gb_bitset_at(uint64_t *memory, uint64_t n) {
    const uint64_t words = gb_words_for(n), blocks = gb_words_for(words);
    return (gb_BitSet){memory, memory + words, memory + words + blocks, n};
}

static inline bool gb_bit(const uint64_t *words, uint64_t k) {
    return words[k / 64] >> (k % 64) & 1;
}

/* Words[w], zero so far, will not be. shared: other threads add to the set too. An atomic operation
 * waits until all that was written before it has reached the cache. */
static inline void gb_bitset_touch(const gb_BitSet *s, uint64_t w, bool shared) {
    uint64_t *const block = &s->blocks[w / 64], *const group = &s->groups[w / 64 / 64];
    const uint64_t bit = (uint64_t)1 << (w / 64 % 64);
    if (*block == 0 && shared)
        __atomic_fetch_or(group, bit, __ATOMIC_RELAXED);
    else if (*block == 0)
        *group |= bit;
    *block |= (uint64_t)1 << (w % 64);
}

/* The first b in [from, end) with blocks[b] != 0; end if there is none. */
static inline uint64_t gb_bitset_block(const gb_BitSet *s, uint64_t from, uint64_t end) {
    if (from >= end) return end;
    uint64_t g = from / 64, bits = s->groups[g] & UINT64_MAX << (from % 64);
    while (bits == 0) {
        if (++g * 64 >= end) return end;
        bits = s->groups[g];
    }
    const uint64_t b = 64 * g + (uint64_t)__builtin_ctzll(bits);
    return b < end ? b : end;
}
