/* SPDX-License-Identifier: Apache-2.0
 *
 * Writing a vector where one side is dense. Nothing of C survives: C becomes T. C dense and T a
 * list: finish_list.c, when that can do it. Else both become dense and are merged by a table.
 */
#include <string.h>

#include "ops/dense_merge.h"
#include "ops/finish_job.h"

/* A list T as a bitmap. */
static gbl_Info make_dense(const gb_FinishJob *job) {
    gb_Result *T = job->T;
    const size_t size = T->type->size;
    const gb_Cs *cs = &T->cs;
    size_t xbytes;
    if (!gb_size_mul(&xbytes, cs->iso ? 1 : job->C->nrows, size)) return gb_fail_memory(SIZE_MAX);
    const gbl_Info info = gb_dense_alloc(&T->dense, job->C->nrows, xbytes, true);
    if (info != GBL_SUCCESS) return info;
    gb_Dense *dense = &T->dense;
    memset(dense->b, 0, dense->n);
    for (uint64_t k = 0; k < cs->nvals; k++) {
        dense->b[cs->i[k]] = 1;
        if (!cs->iso)
            memcpy((char *)dense->x + cs->i[k] * size, (const char *)cs->x + k * size, size);
    }
    if (cs->iso && cs->nvals > 0) memcpy(dense->x, cs->x, size);
    dense->nvals = cs->nvals;
    dense->iso = cs->iso;
    T->is_dense = true;
    return GBL_SUCCESS;
}

static gb_DenseView view_of(const gb_Dense *dense, size_t size) {
    return (gb_DenseView){.n = dense->n,
                          .nvals = dense->nvals,
                          .b = dense->nvals < dense->n ? dense->b : NULL,
                          .x = dense->x,
                          .xsize = size,
                          .iso = dense->iso};
}

/* What survives where: the three cases of finish.h as a table. */
static void fill_table(const gb_FinishJob *job, gb_DenseMerge *merge, bool covered) {
    const bool outside_stays = !job->mask->replace;
    for (int present = 0; present < 4; present++) {
        const bool x = present & 1, y = present & 2;
        merge->pick[0][present] = x && outside_stays ? GB_PICK_X : GB_PICK_NONE;
        merge->pick[1][present] = y && x && job->accum != NULL           ? GB_PICK_OP
                                  : y                                    ? GB_PICK_Y
                                  : x && (covered || job->accum != NULL) ? GB_PICK_X
                                                                         : GB_PICK_NONE;
    }
}

/* T's array, or else C's own, takes the result where it can. */
static gb_Dense *reusable(const gb_FinishJob *job, const gb_DenseMerge *merge) {
    if (gb_dense_may_reuse(merge, &job->T->dense, job->T->type)) return &job->T->dense;
    return gb_dense_may_reuse(merge, &job->C->dense, job->C->type) ? &job->C->dense : NULL;
}

/* C keeps something. */
static gbl_Info merge_dense(const gb_FinishJob *job) {
    const gb_Type *ctype = job->C->type;
    const uint64_t n = job->C->nrows;
    gb_Dense Z = {0};
    int8_t *allowed = NULL;
    gb_DenseMerge merge = {.Y = view_of(&job->T->dense, job->T->type->size),
                           .xtype = ctype,
                           .ytype = job->T->type,
                           .ztype = ctype,
                           .op = job->accum};
    const bool covered =
        job->masked && job->T->masked && gb_finish_covers(job, job->T->dense.nvals);
    fill_table(job, &merge, covered);
    gbl_Info info = gb_acquire_dense(job->C, &merge.X);
    if (info == GBL_SUCCESS && job->masked && !covered)
        info = gb_mask_bytes(&allowed, job->mask, n);
    merge.allowed = allowed;
    if (info == GBL_SUCCESS) merge.onto = reusable(job, &merge);
    if (info == GBL_SUCCESS) info = gb_dense_merge(&merge, &Z);
    gb_free(allowed, n);
    if (info == GBL_SUCCESS) gb_matrix_set_dense(job->C, &Z);
    return info;
}

/* Nothing of C survives and T is to be cut: only its bitmap changes. */
static gbl_Info cut_dense(const gb_FinishJob *job) {
    gb_Dense *dense = &job->T->dense;
    int8_t *allowed;
    const gbl_Info info = gb_mask_bytes(&allowed, job->mask, dense->n);
    if (info != GBL_SUCCESS) return info;
    uint64_t nvals = 0;
    for (uint64_t k = 0; dense->b != NULL && k < dense->n; k++) allowed[k] &= dense->b[k];
    for (uint64_t k = 0; k < dense->n; k++) nvals += (uint64_t)allowed[k];
    gb_free(dense->b, dense->n);
    dense->b = allowed;
    dense->nvals = nvals;
    return GBL_SUCCESS;
}

gbl_Info gb_finish_dense(const gb_FinishJob *job) {
    gb_Result *T = job->T;
    gbl_Info info = GBL_SUCCESS;
    if (gb_finish_fits_list(job)) return gb_finish_list(job);
    if (!T->is_dense) info = make_dense(job);
    if (info != GBL_SUCCESS) return info;
    if (job->keep) return merge_dense(job);
    if (job->masked && !T->masked) info = cut_dense(job);
    if (info == GBL_SUCCESS) info = gb_result_cast(T, job->C->type);
    if (info == GBL_SUCCESS) gb_matrix_set_dense(job->C, &T->dense);
    return info;
}
