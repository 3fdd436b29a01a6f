/* SPDX-License-Identifier: Apache-2.0
 *
 * Values of the generic entry (entry.h): a product or a sum is one call of an operator. Sums go
 * through scratch, since a user's function may not expect its output to overlap an input.
 */
#pragma once

#include "semiring/ids.h"

#define GB_GENERIC __attribute__((always_inline)) static inline

/* Numbers and words of structs are one load and one store each: a longer load would have to wait
 * for what a function has just stored member by member. */
GB_GENERIC void gb_generic_copy_sized(void *c, const void *d, const size_t size) {
    if (size == 4 || size > 64 || size % 8 != 0) {
        memcpy(c, d, size);
        return;
    }
    for (size_t at = 0; at < size; at += 8) {
        uint64_t word;
        memcpy(&word, (const char *)d + at, 8);
        __asm__("" : "+r"(word)); /* else gcc makes a vector of two */
        memcpy((char *)c + at, &word, 8);
    }
}

GB_GENERIC void gb_generic_copy(const gb_RingArgs *R, void *c, const void *d) {
    if (R->zsize == 4)
        memcpy(c, d, 4);
    else
        gb_generic_copy_sized(c, d, R->zsize);
}

/* *c = a (x) b */
GB_GENERIC void gb_generic_set(const gb_RingArgs *R, void *c, const void *a, const void *b,
                               gb_Triple at) {
    const void *const x = R->swapped ? b : a, *const y = R->swapped ? a : b;
    if (R->multiply != NULL)
        R->multiply(c, x, y);
    else
        R->set(R, c, x, y, R->swapped ? (gb_Triple){at.j, at.k, at.i} : at);
}

/* *sum = *c (+) *d; they do not overlap. ANY has no identity, so the latest value wins: then an
 * accumulator at rest does no harm. */
GB_GENERIC void gb_generic_add(const gb_RingArgs *R, void *sum, const void *c, const void *d) {
    if (R->add != NULL)
        R->add(sum, c, d);
    else
        gb_generic_copy(R, sum, d);
}

/* *c = *c (+) *d */
GB_GENERIC void gb_generic_join(const gb_RingArgs *R, void *c, const void *d) {
    void *const sum = (char *)R->scratch + R->zsize;
    gb_generic_add(R, sum, c, d);
    gb_generic_copy(R, c, sum);
}

/* *c = *c (+) (a (x) b) */
GB_GENERIC void gb_generic_fma(const gb_RingArgs *R, void *c, const void *a, const void *b,
                               gb_Triple at) {
    gb_generic_set(R, R->scratch, a, b, at);
    gb_generic_join(R, c, R->scratch);
}

/* The products of *a and n entries of B, values from b on and columns from j on, and where they go:
 * sums at c, `stride` bytes from one slot to the next, of which slot[e] - base is that of product
 * e. filled: bits, of which `bit` is set where a slot has a sum, else it gets its first product;
 * NULL: all have one. ANY keeps the first one where sums are marked. */
typedef struct {
    const void *a, *b;
    const uint32_t *j, *slot;
    uint32_t base;
    unsigned n, bit;
    const uint16_t *filled;
    char *c;
    size_t stride;
} gb_GenericRow;

GB_GENERIC void gb_generic_add_sized(const gb_RingArgs *R, const gb_GenericRow *row, gb_Triple at,
                                     const size_t size) {
    void (*const add)(void *z, const void *x, const void *y) = R->add;
    char *const product = (char *)R->scratch, *const sum = product + size;
    const char *b = (const char *)row->b;
    for (unsigned e = 0; e < row->n; e++, b += R->bstride) {
        const uint32_t s = row->slot[e] - row->base;
        char *const c = row->c + s * row->stride;
        at.j = row->j[e];
        if (row->filled != NULL ? !(row->filled[s] & row->bit) : add == NULL) {
            gb_generic_set(R, c, row->a, b, at);
        } else if (add != NULL) {
            gb_generic_set(R, product, row->a, b, at);
            add(sum, c, product);
            gb_generic_copy_sized(c, sum, size);
        }
    }
}

/* Loops that are not inlined keep what they need in registers. */
#define GB_SIZED(name, size)                                                                       \
    __attribute__((noinline, unused)) static void gb_generic_add_##name(                           \
        const gb_RingArgs *R, const gb_GenericRow *row, gb_Triple at) {                            \
        gb_generic_add_sized(R, row, at, size);                                                    \
    }
GB_SIZED(4, 4)
GB_SIZED(8, 8)
GB_SIZED(16, 16)
GB_SIZED(any, R->zsize)
#undef GB_SIZED

GB_GENERIC void gb_generic_add_row(const gb_RingArgs *R, const gb_GenericRow *row, gb_Triple at) {
    (R->zsize == 8    ? gb_generic_add_8
     : R->zsize == 4  ? gb_generic_add_4
     : R->zsize == 16 ? gb_generic_add_16
                      : gb_generic_add_any)(R, row, at);
}

/* Whether nothing can change *c any more. */
GB_GENERIC bool gb_generic_done(const gb_RingArgs *R, const void *c) {
    const size_t size = R->zsize;
    if (R->add == NULL || R->terminal == NULL) return R->add == NULL;
    return (size == 8   ? memcmp(c, R->terminal, 8)
            : size == 4 ? memcmp(c, R->terminal, 4)
                        : memcmp(c, R->terminal, size)) == 0;
}
