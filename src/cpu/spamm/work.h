/* SPDX-License-Identifier: Apache-2.0
 *
 * What the steps of the approximate product share: spamm.c fills it, spamm.tmpl.h computes with
 * it. Sub-matrices that take part are copied once, side x side values row by row, zero where there
 * is no entry, and have a slot each; their patterns are side words, bit c of word r for (r, c).
 */
#pragma once

#include "kernel_api/backend.h"
#include "cpu/simd/lanes.h"
#include "cpu/common/tiles.h"

/* Slots of sub-matrices to be multiplied. GB_SPAMM_WILD is added to b where a norm is infinite and
 * not all entries are there: then only those that are may be multiplied. */
typedef struct {
    uint32_t a, b;
} gb_SpammPair;
#define GB_SPAMM_WILD 0x80000000u
#define GB_SPAMM_NONE 0x7FFFFFFFu /* no slot: the sub-matrix takes no part */

/* The copies of a factor's sub-matrices. */
typedef struct {
    const gb_SpammFactor *X;
    bool owns;      /* the arrays are its own, not those of the other factor */
    uint32_t *slot; /* [X->n] */
    uint64_t used;  /* slots */
    void *x;        /* [used * side^2] on a multiple of 64 bytes, in `memory` */
    void *memory;
    size_t bytes;   /* of it */
    uint64_t *bits; /* [used * side]; NULL where the factor is full */
} gb_SpammCopy;

/* Of the whole product, read by all threads. */
typedef struct {
    const gb_SpammArgs *g;
    uint64_t rows, columns; /* of C's sub-matrices */
    gb_SpammCopy A, B;
    gb_Off *p;      /* [rows + 1] C's sub-matrices */
    gb_Idx *i;      /* [p[rows]] their columns */
    uint64_t *bits; /* [p[rows] * side] their patterns; NULL where they are full */
    gb_Off *first;  /* [p[rows] * side / 16] the first tile of each of their rows of tiles */
    gb_Cs *cs;
    gb_Tiles *tiles;
} gb_SpammRun;

/* Values of one type. */
typedef struct {
    size_t size;
    /* Row I of X's sub-matrices to their slots, which are 0. */
    void (*copy_rows)(const gb_SpammCopy *to, unsigned side, uint64_t I);
    void (*copy_tiles)(const gb_SpammCopy *to, unsigned side, uint64_t I);
    /* c, side x side values, += the products of n pairs, in their order. */
    void (*multiply)(void *c, const gb_SpammRun *run, const gb_SpammPair *pair, uint64_t n);
    /* Sub-matrix number c of C, of row I, to its position. */
    void (*store_rows)(const gb_SpammRun *run, uint64_t I, uint64_t c, const void *x);
    void (*store_tiles)(const gb_SpammRun *run, uint64_t c, const void *x);
} gb_SpammKernel;

static inline uint64_t gb_spamm_blocks(uint64_t n, unsigned side) {
    return n / side + (n % side != 0);
}

/* rank[B.p[K]] up to here: what a sub-matrix of A in column K and with this norm is multiplied
 * with. */
static inline gb_Off gb_spamm_end(const gb_SpammArgs *g, double norm, gb_Idx K) {
    gb_Off low = g->B.p[K], high = g->B.p[K + 1];
    while (low < high) {
        const gb_Off middle = low + (high - low) / 2;
        if (gb_spamm_skips(norm, g->rank[middle].norm, g->tau))
            high = middle;
        else
            low = middle + 1;
    }
    return low;
}

/* Products that are listed together at most: a task with more is cut, but not below the products of
 * one column of its sub-matrices. */
static inline double gb_spamm_listed(const gb_SpammArgs *g) {
    const double column = (double)gb_spamm_blocks(g->B.nmajor, g->side);
    return fmax(2.0 * GB_SPAMM_PAIRS, column * (GB_SPAMM_ROWS / g->side));
}

/* Bytes of lists of products, one a thread. */
static inline double gb_spamm_lists(const gb_SpammArgs *g) {
    const double most = gb_spamm_listed(g);
    return (double)g->nthreads * (g->valid < most ? g->valid : most) * sizeof(gb_SpammPair) * 1.25;
}

/* Bytes of the patterns of so many copies of X's sub-matrices. */
static inline double gb_spamm_pattern(const gb_SpammFactor *X, uint64_t used, unsigned side) {
    return X->full ? 0.0 : (double)used * side * sizeof(uint64_t);
}

/* Bytes of copies that were made. */
static inline double gb_spamm_copied(const gb_SpammCopy *copy, unsigned side) {
    if (!copy->owns || copy->memory == NULL) return 0.0;
    return (double)copy->bytes + gb_spamm_pattern(copy->X, copy->used, side);
}

/* GBL_OUT_OF_MEMORY where the limit does not allow so many more bytes. */
static inline gbl_Info gb_spamm_allow(const gb_SpammRun *run, double bytes) {
    const gb_SpammArgs *g = run->g;
    const double copies = gb_spamm_copied(&run->A, g->side) + gb_spamm_copied(&run->B, g->side);
    const double all = g->margin * (g->held + gb_spamm_lists(g) + copies + bytes);
    if (!g->limited || all <= g->limit) return GBL_SUCCESS;
    return gb_fail_limit(all + 1.0, g->limit);
}

/* Step 2: p, i, bits and first, and C's arrays but values and positions. */
gbl_Info GB_ISA_NAME(gb_spamm_lay_out)(gb_SpammRun *run, gb_TileMarks *marks, size_t size);

/* Row r of tile v of a row of tiles, whose words begin at bits. */
static inline unsigned gb_spamm_mask(const uint64_t *bits, unsigned r, unsigned v) {
    return (unsigned)(bits[r] >> (GB_TILE * v)) & 0xFFFFu;
}
/* Whether tile v has an entry. */
static inline bool gb_spamm_has_tile(const uint64_t *bits, unsigned v) {
    uint64_t any = 0;
    for (unsigned r = 0; r < GB_TILE; r++) any |= bits[r];
    return (any >> (GB_TILE * v) & 0xFFFFu) != 0;
}
