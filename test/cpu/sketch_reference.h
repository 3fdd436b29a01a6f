/* SPDX-License-Identifier: Apache-2.0
 *
 * HyperLogLog sketches and sizes of rows from them once more, plain and slow, from core/hll.h
 * alone. Floats are added in the order that the kernels promise: 16 lanes, lane l takes registers
 * l, l + 16, ..., then the lanes in double precision. So results are compared to the bit.
 */
#pragma once

#include "core/hll.h"
#include "core/view.h"

/* S[rows of B * registers] */
static inline void t_sketch_rows(const gb_CsView *B, unsigned registers, uint8_t *S) {
    memset(S, 0, B->nmajor * registers);
    for (uint64_t k = 0; k < B->nmajor; k++) {
        for (gb_Off q = B->p[k]; q < B->p[k + 1]; q++) {
            const uint32_t hash = gb_hll_hash(B->i[q]);
            uint8_t *at = &S[k * registers + hash % registers];
            if (*at < gb_hll_code(hash)) *at = (uint8_t)gb_hll_code(hash);
        }
    }
}

static inline double t_sketch_size(const uint8_t *sketch, unsigned registers) {
    float lane[16] = {0};
    double sum = 0.0;
    unsigned unused = 0;
    for (unsigned r = 0; r < registers; r++) {
        const uint32_t bits = gb_hll_bits(sketch[r]);
        float u;
        memcpy(&u, &bits, sizeof u);
        lane[r % 16] += u;
        unused += sketch[r] == 0;
    }
    for (int l = 0; l < 16; l++) sum += (double)lane[l];
    return gb_hll_size(sum, unused, registers);
}

/* What is certain of row i of A * B, and its expected entries. */
typedef struct {
    double least, most, size;
} t_RowSize;
static inline t_RowSize t_row_size(const gb_CsView *A, const gb_CsView *B, const uint8_t *S,
                                   unsigned registers, uint64_t i) {
    uint8_t merged[GB_HLL_MOST] = {0};
    uint64_t longest = 0, products = 0;
    for (gb_Off p = A->p[i]; p < A->p[i + 1]; p++) {
        const uint64_t k = A->i[p], length = B->p[k + 1] - B->p[k];
        products += length;
        if (length > longest) longest = length;
        for (unsigned r = 0; r < registers; r++)
            if (merged[r] < S[k * registers + r]) merged[r] = S[k * registers + r];
    }
    const uint64_t most = products < B->nminor ? products : B->nminor;
    t_RowSize row = {(double)longest, (double)most, (double)products};
    if (products != longest) row.size = t_sketch_size(merged, registers);
    return row;
}
