/* SPDX-License-Identifier: Apache-2.0
 *
 * How many products of a row fall on the same entry of C, without sketches: the products of a few
 * rows are listed and sorted. Rows are taken at equal distances in products, so that a row counts
 * as much as it costs.
 */
#include "mxm/mxm.h"

#include <stdlib.h>

#include "core/parallel.h"
#include "mxm/cost_table.h"

static int ascending(const void *x, const void *y) {
    const gb_Idx a = *(const gb_Idx *)x, b = *(const gb_Idx *)y;
    return (a > b) - (a < b);
}

static uint64_t row_of_product(const uint64_t *flops, uint64_t m, uint64_t product) {
    uint64_t lo = 0, hi = m;
    while (lo < hi) {
        const uint64_t mid = lo + (hi - lo) / 2;
        if (flops[mid + 1] <= product)
            lo = mid + 1;
        else
            hi = mid;
    }
    return lo;
}

double gb_sample_compression(const gb_CsView *A, const gb_CsView *B, const uint64_t *flops) {
    gb_Idx list[GB_COMPRESSION_LIST];
    uint64_t products = 0, entries = 0;
    for (uint64_t s = 0; s < GB_COMPRESSION_SAMPLES; s++) {
        const uint64_t total = flops[A->nmajor];
        const uint64_t i =
            row_of_product(flops, A->nmajor, gb_part(total, s, GB_COMPRESSION_SAMPLES));
        if (flops[i + 1] - flops[i] > GB_COMPRESSION_LIST) return 0.0;
        uint64_t n = 0;
        for (gb_Off p = A->p[i]; p < A->p[i + 1]; p++)
            for (gb_Off q = B->p[A->i[p]]; q < B->p[A->i[p] + 1]; q++) list[n++] = B->i[q];
        qsort(list, n, sizeof *list, ascending);
        for (uint64_t e = 0; e < n; e++) entries += e == 0 || list[e] != list[e - 1];
        products += n;
    }
    return (double)products / (double)entries;
}
