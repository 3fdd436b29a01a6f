/* SPDX-License-Identifier: Apache-2.0
 *
 * The only writer of C; see finish.h. A sparse T is written here; what has a dense side in
 * finish_dense.c, what is on the device in device.c. Cheap cases come first: nothing may be
 * written, nothing changes, nothing of C survives (C becomes T by a swap). None of them needs an
 * array as long as a dimension.
 */
#include "ops/finish.h"

#include "semiring/cast.h"

/* -- results */

void gb_result_free(gb_Result *T) {
    gb_cs_free(&T->cs);
    if (T->is_tiled) gb_tiles_free(&T->tiles);
    gb_dense_free(&T->dense);
    if (T->device != NULL) gb_device()->release(T->device);
    T->device = NULL;
}

gbl_Info gb_result_cast(gb_Result *T, const gb_Type *type) {
    const bool iso = T->is_dense ? T->dense.iso : T->cs.iso;
    const uint64_t nvals = T->is_dense ? T->dense.nvals : T->cs.nvals;
    const gb_Array values = {.type = T->type,
                             .x = T->is_dense ? T->dense.x : T->cs.x,
                             .b = T->is_dense && !iso ? T->dense.b : NULL,
                             .n = nvals == 0    ? 0
                                  : iso         ? 1
                                  : T->is_dense ? T->dense.n
                                                : T->cs.nvals};
    void *z;
    size_t bytes;
    if (T->type == type) return GBL_SUCCESS;
    const gbl_Info info = gb_cast_copy(&z, &bytes, type, &values, gb_nthreads());
    if (info != GBL_SUCCESS) return info;
    if (T->is_dense) {
        gb_free(T->dense.x, T->dense.xcap);
        T->dense.x = z;
        T->dense.xcap = bytes;
    } else {
        (T->cs.foreign ? gb_free_foreign : gb_free)(T->cs.x, T->cs.xcap);
        T->cs.x = z;
        T->cs.xcap = bytes;
    }
    T->type = type;
    return GBL_SUCCESS;
}

/* -- entries inside or outside a mask: a sorted mask is merged with them, the dense mask of a
 * vector is looked up at their indices, in O(entries) */

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

/* *Z = the entries of the sparse T inside (or outside) the mask, of which M is a view unless it is
 * looked up. */
static gbl_Info filter(const gb_FinishJob *job, const gb_CsView *list, const gb_CsView *M,
                       bool inside, gb_Cs *Z) {
    *Z = (gb_Cs){0};
    if (gb_finish_looks_up(job)) return filter_by_dense(job, list, inside, Z);
    return gb_backend()->filter(list, M, inside, Z, gb_nthreads());
}

/* -- a sparse T */

static gb_CsView result_view(const gb_Result *T, const gb_Matrix *C) {
    return gb_cs_view(&T->cs, gb_nminor(C, T->format), T->type->size);
}

gbl_Info gb_finish_cut(const gb_FinishJob *job, const gb_CsView *M) {
    gb_Result *T = job->T;
    gb_Cs cut;
    if (!job->masked || T->masked || T->cs.nvals == 0) return GBL_SUCCESS;
    const gb_CsView view = result_view(T, job->C);
    const gbl_Info info = filter(job, &view, M, !job->mask->complement, &cut);
    if (info != GBL_SUCCESS) return info;
    gb_cs_free(&T->cs);
    T->cs = cut;
    return GBL_SUCCESS;
}

gbl_Info gb_result_arrange(gb_Result *T, const gb_Matrix *C, bool turn) {
    const gb_CsView view = result_view(T, C);
    gb_Cs fresh;
    const gbl_Info info = turn ? gb_backend()->transpose(&view, &fresh, gb_nthreads())
                               : gb_backend()->sort_rows(&view, &fresh, gb_nthreads());
    if (info != GBL_SUCCESS) return info;
    gb_cs_free(&T->cs);
    T->cs = fresh;
    if (turn) T->format = gb_other(T->format);
    return GBL_SUCCESS;
}

/* Merging wants sorted rows, and T in an orientation that C has when C is the larger of the two. */
static gbl_Info orient(const gb_FinishJob *job) {
    gb_Result *T = job->T;
    const bool turn = job->keep && !gb_is_vector(job->C) &&
                      !(gb_has(job->C) & gb_has_bit(T->format)) && job->C->nvals > T->cs.nvals;
    if (T->cs.nvals > 0 && (turn || !T->cs.sorted)) return gb_result_arrange(T, job->C, turn);
    if (turn) T->format = gb_other(T->format);
    return GBL_SUCCESS;
}

bool gb_finish_covers(const gb_FinishJob *job, uint64_t nT) {
    const gb_Mask *mask = job->mask;
    return job->accum == NULL && !mask->complement && !mask->replace && nT == mask->M->nvals;
}

/* Z = base united with T. M is a view of the mask when there is one. */
static gbl_Info join(const gb_FinishJob *job, const gb_CsView *M, gb_Cs *Z) {
    const gb_Type *ctype = job->C->type;
    gb_CsView base;
    gb_Cs cut = {0};
    gbl_Info info = gb_acquire_sorted(job->C, job->T->format, &base);
    if (info != GBL_SUCCESS) return info;
    const bool inside = job->accum != NULL ? !job->mask->complement : job->mask->complement;
    if (job->masked && (job->accum == NULL || job->mask->replace) &&
        !gb_finish_covers(job, job->T->cs.nvals)) {
        info = filter(job, &base, M, inside, &cut);
        if (info != GBL_SUCCESS) return info;
        base = gb_cs_view(&cut, base.nminor, ctype->size);
    }
    const gb_MergeArgs args = {.X = base,
                               .Y = result_view(job->T, job->C),
                               .xtype = ctype,
                               .ytype = job->T->type,
                               .ztype = ctype,
                               .op = job->accum,
                               .nthreads = gb_nthreads()};
    if (args.Y.nvals == 0 && cut.p != NULL) {
        *Z = cut;
        return GBL_SUCCESS;
    }
    info = gb_backend()->unite(&args, Z);
    gb_cs_free(&cut);
    return info;
}

static gbl_Info finish_sparse(const gb_FinishJob *job) {
    gb_Result *T = job->T;
    const bool cuts_base = job->keep && (job->accum == NULL || job->mask->replace);
    const bool cuts = job->masked && (!T->masked || cuts_base);
    gb_MaskView M = {0};
    gb_Cs Z = {0};
    gbl_Info info = GBL_SUCCESS;
    if (cuts || job->keep) info = orient(job);
    if (info == GBL_SUCCESS && cuts && !gb_finish_looks_up(job))
        info = gb_mask_get(&M, job->mask, T->format);
    if (info == GBL_SUCCESS && cuts) info = gb_finish_cut(job, &M.view);
    const bool no_change = job->keep && !(job->masked && cuts_base) && T->cs.nvals == 0;
    if (info == GBL_SUCCESS && !no_change)
        info = job->keep ? join(job, &M.view, &Z) : gb_result_cast(T, job->C->type);
    if (cuts) gb_mask_release(&M);
    if (info == GBL_SUCCESS && !no_change)
        gb_matrix_set_cs(job->C, T->format, job->keep ? &Z : &T->cs);
    return info;
}

/* -- the whole */

/* T cannot add anything and nothing may be taken away, or nothing is allowed at all. */
static bool finish_trivial(const gb_FinishJob *job) {
    const gb_Mask *mask = job->mask;
    const uint64_t nT = job->T->is_dense ? job->T->dense.nvals : job->T->cs.nvals;
    if (gb_mask_allows_none(mask)) {
        if (mask->replace) gb_matrix_clear(job->C);
        return true;
    }
    if (nT > 0) return false;
    if (!job->keep) {
        gb_matrix_clear(job->C);
        return true;
    }
    return job->accum != NULL && !(job->masked && mask->replace);
}

/* Masks, accumulators and casts work on rows. */
static gbl_Info list_tiles(gb_Result *T) {
    const gb_TileView view = gb_tiles_view(&T->tiles, T->type->size);
    const gbl_Info info = gb_backend()->cs_from_tiles(&view, &T->cs, gb_nthreads());
    gb_tiles_free(&T->tiles);
    T->is_tiled = false;
    T->format = GB_CSR;
    return info;
}

/* Flat indices become rows. */
static gbl_Info list_rows(gb_Result *T, const gb_Matrix *C) {
    T->is_flat = false;
    T->format = GB_CSR;
    return gb_flat_to_rows(&T->cs, C->nrows, C->ncols);
}

bool gb_finish_takes_all(const gb_FinishJob *job, uint64_t nvals) {
    const gb_Result *T = job->T;
    const gb_Type *type = job->C->type;
    const bool unmasked = job->mask->M == NULL && !job->mask->complement;
    return nvals > 0 && (unmasked || T->masked) && !job->keep && T->type->code == type->code &&
           type->code != GBL_UDT_CODE;
}

gbl_Info gb_finish(gb_Matrix *C, const gb_Mask *mask, const gb_BinaryOp *accum, gb_Result *T) {
    gb_FinishJob job = {.C = C, .mask = mask, .accum = accum, .T = T};
    gbl_Info info = gb_is_huge(C) ? gb_fail_hyper(C) : gb_assemble(C);
    if (info == GBL_SUCCESS && mask->M != NULL) info = gb_assemble(mask->M);
    if (info != GBL_SUCCESS) goto done;
    job.masked = mask->M != NULL && mask->M->nvals > 0;
    job.keep = C->nvals > 0 && (accum != NULL || (job.masked && !mask->replace));
    if (job.keep) info = gb_matrix_own_dense(C);
    if (info != GBL_SUCCESS) goto done;
    if (T->device != NULL) {
        bool done;
        info = gb_finish_device(&job, &done);
        if (info != GBL_SUCCESS || done) goto done;
    }
    if (T->is_tiled) {
        if (gb_finish_takes_all(&job, T->tiles.nvals)) {
            gb_matrix_set_tiles(C, &T->tiles);
            goto done;
        }
        info = list_tiles(T);
        if (info != GBL_SUCCESS) goto done;
    }
    if (finish_trivial(&job)) goto done;
    if (job.keep && !T->is_dense) gb_finish_choose(&job);
    if (gb_is_vector(C) && job.masked && !T->masked && !T->is_dense)
        gb_mask_seek(mask->M, T->cs.nvals);
    const bool dense = T->is_dense || (job.keep && gb_is_dense(C));
    const bool in_place = dense && gb_is_vector(C) && gb_finish_updates(&job);
    if (gb_is_vector(C)) T->format = GB_CSC;
    if (dense && !gb_is_vector(C)) {
        info = gb_finish_flat(&job);
    } else if (dense) {
        info = gb_finish_dense(&job);
    } else {
        if (T->is_flat) info = list_rows(T, C);
        if (info == GBL_SUCCESS) info = finish_sparse(&job);
    }
    if (info == GBL_SUCCESS && !in_place) gb_choose_format(C);
done:
    gb_result_free(T);
    return info;
}

gbl_Info gb_finish_if(gbl_Info info, gb_Matrix *C, const gb_Mask *mask, const gb_BinaryOp *accum,
                      gb_Result *T) {
    if (info == GBL_SUCCESS) return gb_finish(C, mask, accum, T);
    gb_result_free(T);
    return info;
}
