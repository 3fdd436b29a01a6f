/* SPDX-License-Identifier: Apache-2.0
 *
 * The mask of a row that is already summed and sorted.
 */
#ifndef GB_CPU_ROWWISE_MASKROW_H
#define GB_CPU_ROWWISE_MASKROW_H

#include "kernel_api/backend.h"
#include "core/search.h"
#include "cpu/simd/isa.h"

/* Where the cells of a mask's row begin, if it is held as these. */
static inline const int8_t *gb_mask_cells(const gb_MxmArgs *g, uint64_t i) {
    return g->Mb == NULL ? NULL : g->Mb + i * g->B.nminor;
}

/* gb_mask_row where the mask's row is cells: each column is looked up. */
static inline uint64_t gb_mask_row_by_cells(const gb_MxmArgs *g, uint64_t i, gb_Idx *Ci, void *Cx,
                                            uint64_t n) {
    const int8_t *cells = gb_mask_cells(g, i);
    const size_t size = g->args.zsize;
    const bool inside = g->mask_kind == GB_MASK_INSIDE;
    uint64_t kept = 0;
    for (uint64_t e = 0; e < n; e++) {
        if ((cells[Ci[e]] != 0) != inside) continue;
        if (kept != e) {
            Ci[kept] = Ci[e];
            memcpy((char *)Cx + kept * size, (char *)Cx + e * size, size);
        }
        kept++;
    }
    return kept;
}

/* Keeps the entries of a finished row that the mask lets through; both are sorted. The search in
 * the mask's row gallops, so a short row costs little in a long mask. */
GB_PER_ROW uint64_t gb_mask_row(const gb_MxmArgs *g, uint64_t i, gb_Idx *Ci, void *Cx, uint64_t n) {
    if (g->Mb != NULL) return gb_mask_row_by_cells(g, i, Ci, Cx, n);
    const gb_Idx *Mi = g->M.i;
    const size_t size = g->args.zsize;
    const bool inside = g->mask_kind == GB_MASK_INSIDE;
    gb_Off q = g->M.p[i];
    const gb_Off end = g->M.p[i + 1];
    uint64_t kept = 0;
    for (uint64_t e = 0; e < n; e++) {
        q = gb_gallop(Mi, q, end, Ci[e]);
        const bool listed = q < end && Mi[q] == Ci[e];
        if (listed != inside) continue;
        if (kept != e) {
            Ci[kept] = Ci[e];
            memcpy((char *)Cx + kept * size, (char *)Cx + e * size, size);
        }
        kept++;
    }
    return kept;
}

#endif
