/* SPDX-License-Identifier: Apache-2.0
 *
 * permute. The vector is read once into an array of indices and its inverse, which also shows
 * whether it is a permutation; the rest is one kernel.
 */
#include "graph/permute.h"

#include <string.h>

#include "kernel_api/backend.h"
#include "core/context.h"
#include "ops/apply.h"
#include "ops/indices.h"

static gbl_Info fail_missing(const gb_Matrix *p) {
    return gb_fail(GBL_INVALID_VALUE,
                   "p has %llu entries, but a permutation of %llu rows has one for each",
                   (unsigned long long)p->nvals, (unsigned long long)p->nrows);
}

/* order[i] = p(i), place[p(i)] = i */
static gbl_Info read_permutation(gb_Idx *order, gb_Idx *place, gb_Matrix *p) {
    const uint64_t n = p->nrows;
    const gb_Idx unseen = UINT32_MAX; /* no dimension is so large that an index could be this */
    gb_DenseView view;
    gbl_Info info = gb_acquire_dense(p, &view);
    if (info != GBL_SUCCESS) return info;
    if (view.nvals != n) return fail_missing(p);
    const gb_Indices64 places = {p->type, view.x, view.iso ? 0 : 1};
    memset(place, 0xff, n * sizeof *place);
    for (uint64_t first = 0; first < n; first += GB_BATCH) {
        uint64_t at[GB_BATCH];
        const size_t count = n - first < GB_BATCH ? n - first : GB_BATCH;
        gb_indices_read(&places, first, count, at);
        for (size_t k = 0; k < count; k++) {
            if (at[k] >= n) return gb_fail_index("p", first + k, at[k], n);
            if (place[at[k]] != unseen)
                return gb_fail(GBL_INVALID_VALUE,
                               "p(%llu) and p(%llu) are both %llu, but p must be a permutation",
                               (unsigned long long)place[at[k]], (unsigned long long)(first + k),
                               (unsigned long long)at[k]);
            order[first + k] = (gb_Idx)at[k];
            place[at[k]] = (gb_Idx)(first + k);
        }
    }
    return GBL_SUCCESS;
}

gbl_Info gb_permute(gb_Matrix *C, const gb_Mask *mask, const gb_BinaryOp *accum,
                    const gb_Permute *call) {
    const uint64_t n = call->A->nrows;
    const size_t bytes = n * sizeof(gb_Idx);
    gb_Result T = {.type = call->A->type, .format = GB_CSR};
    gb_MapSource source;
    if (gb_is_huge(C) || gb_is_huge(call->A) || gb_is_huge(call->p)) return gb_fail_hyper(C);
    gbl_Info info = gb_assemble(call->p);
    if (info == GBL_SUCCESS && call->p->nvals != n) return fail_missing(call->p);
    if (info == GBL_SUCCESS) info = gb_map_source(&source, call->A, call->transpose);
    if (info != GBL_SUCCESS) return info;
    gb_Idx *order = gb_malloc(bytes), *place = gb_malloc(bytes);
    if ((order == NULL || place == NULL) && bytes > 0) {
        info = gb_fail_memory(2 * bytes);
    } else if (n > 0) {
        info = read_permutation(order, place, call->p);
    }
    if (info == GBL_SUCCESS && !source.is_empty) {
        const bool by_rows = source.format == GB_CSR;
        const gb_Band band = call->band;
        const gb_PermuteArgs args = {.order = order,
                                     .place = place,
                                     .low = by_rows ? band.low : -band.high,
                                     .high = by_rows ? band.high : -band.low,
                                     .nthreads = gb_nthreads()};
        info = gb_backend()->permute(&args, &source.cs, &T.cs);
        T.format = source.format;
    }
    gb_free(order, bytes);
    gb_free(place, bytes);
    return info == GBL_SUCCESS ? gb_finish(C, mask, accum, &T) : info;
}
