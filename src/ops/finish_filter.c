/* SPDX-License-Identifier: Apache-2.0
 *
 * Entries of lists inside or outside a mask. A mask that is a list is merged with them; the dense
 * mask of a vector is looked up where they stand, in time of the list's length.
 */
#include <string.h>

#include "kernel_api/backend.h"
#include "core/context.h"
#include "core/tune.h"
#include "ops/finish_job.h"

bool gb_finish_looks_up(const gb_FinishJob *job) {
    return gb_is_vector(job->C) && (gb_has(job->mask->M) & (GBL_HAS_BITMAP | GBL_HAS_FULL));
}

/* keep[k] = position i[k] is inside; n <= GB_BATCH. Returns how many are kept. */
static uint64_t look_up(const gb_Type *type, const gb_DenseView *M, const gb_Idx *i, uint64_t n,
                        char *raw, bool inside, bool *keep) {
    uint64_t at[GB_BATCH], kept = 0;
    memset(keep, 1, n);
    if (raw != NULL) {
        memset(raw, 0, n * type->size); /* false where M has no entry */
        for (uint64_t k = 0; k < n; k++)
            at[k] = M->b != NULL && !M->b[i[k]] ? UINT64_MAX : M->iso ? 0 : i[k];
        gb_gather(raw, M->x, at, type->size, n);
        gb_cast(gb_type_of(GBL_BOOL_CODE), keep, type, raw, 1, n);
    }
    for (uint64_t k = 0; k < n; k++) {
        keep[k] = (keep[k] && (M->b == NULL || M->b[i[k]])) == inside;
        kept += keep[k];
    }
    return kept;
}

static gbl_Info copy_kept(const gb_CsView *list, const bool *keep, uint64_t kept, gb_Cs *Z) {
    const size_t size = list->iso ? 0 : list->xsize;
    const gbl_Info info =
        gb_cs_alloc(Z, 1, kept, kept > 0 && list->iso ? list->xsize : kept * size);
    if (info != GBL_SUCCESS) return info;
    uint64_t n = 0;
    for (uint64_t k = 0; n < kept; k++) {
        if (!keep[k]) continue;
        Z->i[n] = list->i[k];
        if (size > 0) memcpy((char *)Z->x + n * size, (const char *)list->x + k * size, size);
        n++;
    }
    if (list->iso && kept > 0) memcpy(Z->x, list->x, list->xsize);
    Z->p[0] = 0;
    Z->p[1] = kept;
    Z->iso = list->iso;
    return GBL_SUCCESS;
}

static gbl_Info filter_by_dense(const gb_FinishJob *job, const gb_CsView *list, bool inside,
                                gb_Cs *Z) {
    const gb_Type *type = job->mask->M->type;
    const size_t raw_bytes = job->mask->structural ? 0 : GB_BATCH * type->size;
    gb_DenseView M;
    gbl_Info info = gb_acquire_dense(job->mask->M, &M);
    if (info != GBL_SUCCESS) return info;
    char *raw = gb_malloc(raw_bytes);
    bool *keep = gb_malloc(list->nvals);
    if ((raw == NULL && raw_bytes > 0) || (keep == NULL && list->nvals > 0))
        info = gb_fail_memory(raw_bytes + list->nvals);
    uint64_t kept = 0;
    for (uint64_t k = 0; info == GBL_SUCCESS && k < list->nvals; k += GB_BATCH) {
        const uint64_t n = list->nvals - k < GB_BATCH ? list->nvals - k : GB_BATCH;
        kept += look_up(type, &M, list->i + k, n, raw, inside, keep + k);
    }
    if (info == GBL_SUCCESS) info = copy_kept(list, keep, kept, Z);
    gb_free(raw, raw_bytes);
    gb_free(keep, list->nvals);
    return info;
}

gbl_Info gb_finish_filter(const gb_FinishJob *job, const gb_CsView *list, const gb_CsView *M,
                          bool inside, gb_Cs *Z) {
    *Z = (gb_Cs){0};
    if (gb_finish_looks_up(job)) return filter_by_dense(job, list, inside, Z);
    return gb_backend()->filter(list, M, inside, Z, gb_nthreads());
}

gbl_Info gb_finish_cut(const gb_FinishJob *job, const gb_CsView *M) {
    gb_Result *T = job->T;
    gb_Cs cut;
    if (!job->masked || T->masked || T->cs.nvals == 0) return GBL_SUCCESS;
    const gb_CsView view = gb_cs_view(&T->cs, gb_nminor(job->C, T->format), T->type->size);
    const gbl_Info info = gb_finish_filter(job, &view, M, !job->mask->complement, &cut);
    if (info != GBL_SUCCESS) return info;
    gb_cs_free(&T->cs);
    T->cs = cut;
    return GBL_SUCCESS;
}
