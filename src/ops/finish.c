/* SPDX-License-Identifier: Apache-2.0
 *
 * The only writer of C; see finish.h. Lists are written here; vectors with a dense side in
 * finish_dense.c, those that are on the device in finish_there.c, and matrices, as the vectors of
 * their cells, by finish_cells.c. Cheap cases come first: nothing may be written, nothing changes,
 * nothing of C survives (C becomes T by a swap). None of them needs an array as long as a
 * dimension.
 */
#include "ops/finish.h"

#include "kernel_api/backend.h"
#include "core/context.h"
#include "ops/domain.h"
#include "matrix/object.h"
#include "ops/finish_job.h"

/* -- checks */
static gbl_Info check_mask(const gb_Matrix *C, const gb_Mask *mask) {
    if (mask->M == NULL) return GBL_SUCCESS;
    gbl_Info info = gb_check_shape(mask->M, false, C->nrows, C->ncols, "the mask");
    if (info == GBL_SUCCESS && !mask->structural && mask->M->type->code == GBL_UDT_CODE)
        info = gb_fail(GBL_DOMAIN_MISMATCH,
                       "the mask has a user type, whose values are neither true nor false; use a "
                       "structural mask (GBL_STRUCTURE)");
    return info;
}

gbl_Info gb_check_output(const gb_Matrix *C, const gb_Mask *mask, const gb_BinaryOp *accum,
                         const gb_Type *type) {
    gbl_Info info = check_mask(C, mask);
    if (info == GBL_SUCCESS) info = gb_check_cast(C->type, type, "the result into the output");
    if (info != GBL_SUCCESS || accum == NULL) return info;
    if (gb_binary_is_positional(accum))
        return gb_fail(GBL_DOMAIN_MISMATCH,
                       "accum is an operator by position; those are for semirings only");
    info = gb_check_cast(accum->xtype, C->type, "the output into accum's first argument");
    if (info == GBL_SUCCESS)
        info = gb_check_cast(accum->ytype, type, "the result into accum's second argument");
    if (info == GBL_SUCCESS)
        info = gb_check_cast(C->type, accum->ztype, "accum's result into the output");
    return info;
}

/* -- steps on a sparse T */
static void replace_cs(gb_Result *T, gb_Cs *fresh) {
    gb_cs_free(&T->cs);
    T->cs = *fresh;
    *fresh = (gb_Cs){0};
}

static uint64_t result_nminor(const gb_FinishJob *job) {
    return gb_nminor(job->C, job->T->format);
}

static gb_CsView result_view(const gb_FinishJob *job) {
    return gb_cs_view(&job->T->cs, result_nminor(job), job->T->type->size);
}

/* Merging wants sorted rows, and T in an orientation that C has when C is the larger of the two. */
static gbl_Info orient(const gb_FinishJob *job) {
    gb_Result *T = job->T;
    gb_Cs fresh;
    const unsigned has = __atomic_load_n(&job->C->has, __ATOMIC_ACQUIRE);
    const bool turn = job->keep && !gb_is_vector(job->C) && !(has & gb_has_bit(T->format)) &&
                      job->C->nvals > T->cs.nvals;
    if (T->cs.nvals == 0) {
        if (turn) T->format = T->format == GB_CSR ? GB_CSC : GB_CSR;
        return GBL_SUCCESS;
    }
    if (!turn && T->cs.sorted) return GBL_SUCCESS;
    const gb_CsView view = result_view(job);
    const gbl_Info info = turn ? gb_backend()->transpose(&view, &fresh, gb_nthreads())
                               : gb_backend()->sort_rows(&view, &fresh, gb_nthreads());
    if (info != GBL_SUCCESS) return info;
    replace_cs(T, &fresh);
    if (turn) T->format = T->format == GB_CSR ? GB_CSC : GB_CSR;
    return GBL_SUCCESS;
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
        info = gb_finish_filter(job, &base, M, inside, &cut);
        if (info != GBL_SUCCESS) return info;
        base = gb_cs_view(&cut, base.nminor, ctype->size);
    }
    const gb_MergeArgs args = {.X = base,
                               .Y = result_view(job),
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
    gb_mask_release(&M);
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

/* The list of a matrix's cells becomes rows. */
static gbl_Info list_rows(gb_Result *T, const gb_Matrix *C) {
    T->by_cells = false;
    T->format = GB_CSR;
    return gb_cells_to_rows(&T->cs, C->nrows, C->ncols);
}

/* T becomes C as it is, in whatever representation. */
static bool is_all(const gb_FinishJob *job, uint64_t nvals) {
    const gb_Result *T = job->T;
    const gb_Type *type = job->C->type;
    const bool unmasked = job->mask->M == NULL && !job->mask->complement;
    return nvals > 0 && (unmasked || T->masked) && !job->keep && T->type->code == type->code &&
           type->code != GBL_UDT_CODE;
}

/* T, which is on the device, gets values of C's type, unless the host has to do that. */
static gbl_Info cast_there(const gb_FinishJob *job) {
    gb_Result *T = job->T;
    const gb_Type *type = job->C->type;
    if (T->type->code == type->code || !gb_device()->casts(T->type->code, type->code))
        return GBL_SUCCESS;
    if (job->accum != NULL && job->accum->ytype->code != type->code) return GBL_SUCCESS;
    const gbl_Info info = gb_device()->cast(T->device, T->type->code, type->code);
    if (info == GBL_SUCCESS) T->type = type;
    if (info != GBL_OUT_OF_MEMORY) return info;
    gb_error_begin(); /* the host may have the room */
    return GBL_SUCCESS;
}

/* A result on the device is finished there where that has kernels and finds room, or copied to the
 * host, to be finished there. *done: C is written. */
static gbl_Info finish_device(const gb_FinishJob *job, bool *done) {
    gb_Result *T = job->T;
    gb_DeviceCs *device = T->device;
    const bool on_host = T->device_nvals == 0;
    const gbl_Info cast = on_host ? GBL_SUCCESS : cast_there(job);
    *done = false;
    if (cast != GBL_SUCCESS) return cast;
    *done = is_all(job, on_host ? T->cs.nvals : T->device_nvals);
    if (gb_is_vector(job->C)) return gb_finish_device(job, *done, done);
    if (on_host && *done) {
        gb_device()->unpin(device);
        T->device = NULL;
        gb_matrix_set_cs(job->C, GB_CSR, &T->cs);
        job->C->device[GB_CSR] = device;
    }
    if (on_host) return GBL_SUCCESS;
    if (*done || gb_finish_fits_device(job)) {
        const gbl_Info info = gb_finish_rows_device(job);
        *done = true;
        if (info != GBL_OUT_OF_MEMORY) return info;
        gb_error_begin(); /* the host may have the room */
        *done = false;
    }
    return gb_device()->download(device, &T->cs);
}

gbl_Info gb_finish(gb_Matrix *C, const gb_Mask *mask, const gb_BinaryOp *accum, gb_Result *T) {
    gb_FinishJob job = {.C = C, .mask = mask, .accum = accum, .T = T};
    gbl_Info info = gb_is_huge(C) ? gb_fail_hyper(C) : gb_assemble(C);
    if (info == GBL_SUCCESS && mask->M != NULL) info = gb_assemble(mask->M);
    if (info != GBL_SUCCESS) goto done;
    job.masked = mask->M != NULL && mask->M->nvals > 0;
    job.keep = C->nvals > 0 && (accum != NULL || (job.masked && !mask->replace));
    if (T->device != NULL) {
        bool done;
        info = finish_device(&job, &done);
        if (info != GBL_SUCCESS || done) goto done;
    }
    if (T->is_tiled) {
        if (is_all(&job, T->tiles.nvals)) {
            gb_matrix_set_tiles(C, &T->tiles);
            goto done;
        }
        info = list_tiles(T);
        if (info != GBL_SUCCESS) goto done;
    }
    if (finish_trivial(&job)) goto done;
    gb_finish_prefer_list(&job);
    gb_finish_prefer_dense(&job);
    if (gb_is_vector(C) && job.masked && !T->masked && !T->is_dense)
        gb_mask_seek(mask->M, T->cs.nvals);
    const bool dense = T->is_dense || (job.keep && gb_is_dense(C));
    const bool in_place = gb_is_vector(C) && gb_finish_fits_list(&job);
    if (gb_is_vector(C)) T->format = GB_CSC;
    if (dense && !gb_is_vector(C)) {
        info = gb_finish_cells(&job);
    } else if (dense) {
        info = gb_finish_dense(&job);
    } else {
        if (T->by_cells) info = list_rows(T, C);
        if (info == GBL_SUCCESS) info = finish_sparse(&job);
    }
    if (info == GBL_SUCCESS && gb_is_vector(C) && !in_place) gb_choose_format(C);
done:
    gb_result_free(T);
    return info;
}
