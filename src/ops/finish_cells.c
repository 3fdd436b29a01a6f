/* SPDX-License-Identifier: Apache-2.0
 *
 * Writing a matrix where one side is dense: its cells are a vector, and are written as vectors are
 * (finish_dense.c). So an update of a matrix that is full, or nearly, costs what the update has.
 */
#include "kernel_api/backend.h"
#include "core/context.h"
#include "core/tune.h"
#include "ops/finish_job.h"

/* T, unless it is dense, as a list of cells. */
static gbl_Info number_result(const gb_FinishJob *job) {
    gb_Result *T = job->T;
    const gb_Matrix *C = job->C;
    if (T->is_dense || T->by_cells) return GBL_SUCCESS;
    const bool turned = T->format == GB_CSC;
    if (T->cs.nvals > 0 && (turned || !T->cs.sorted)) {
        const gb_CsView view = gb_cs_view(&T->cs, gb_nminor(C, T->format), T->type->size);
        gb_Cs rows;
        const gbl_Info info = turned ? gb_backend()->transpose(&view, &rows, gb_nthreads())
                                     : gb_backend()->sort_rows(&view, &rows, gb_nthreads());
        if (info != GBL_SUCCESS) return info;
        gb_cs_free(&T->cs);
        T->cs = rows;
    }
    const gbl_Info info = gb_cells_from_rows(&T->cs, C->ncols);
    T->by_cells = info == GBL_SUCCESS;
    T->format = GB_CSC;
    return info;
}

/* The mask of the cells: the matrix's own cells where it is dense, else the list of what is true.
 */
static gbl_Info open_mask(const gb_FinishJob *job, gb_Cells *cells, gb_Mask *mask) {
    gb_Matrix *M = job->mask->M;
    gb_MaskView list;
    *mask = *job->mask;
    if (!job->masked) return GBL_SUCCESS;
    mask->M = &cells->v;
    if (gb_is_dense(M)) return gb_cells_open(cells, M);
    mask->structural = true;
    gbl_Info info = gb_mask_get(&list, job->mask, GB_CSR);
    if (info == GBL_SUCCESS) info = gb_cells_of_pattern(cells, &list.view);
    gb_mask_release(&list);
    return info;
}

/* Few entries are a list again, unless memory for it is short. */
static void settle(gb_Matrix *C) {
    gb_CsView view;
    if (!gb_is_dense(C) || C->nvals >= gb_flat_size(C) / GB_LIST_BELOW) return;
    if (gb_acquire(C, GB_CSR, &view) == GBL_SUCCESS) gb_matrix_keep_only(C, GBL_HAS_CSR);
}

gbl_Info gb_finish_cells(const gb_FinishJob *job) {
    gb_Matrix *C = job->C;
    gb_Cells cells, masked = {0};
    gb_Mask mask;
    gb_DenseView view;
    gbl_Info info = number_result(job);
    if (info == GBL_SUCCESS && job->keep) info = gb_acquire_dense(C, &view);
    if (info == GBL_SUCCESS) info = open_mask(job, &masked, &mask);
    if (info == GBL_SUCCESS) {
        const gb_FinishJob flat = {.C = &cells.v,
                                   .mask = &mask,
                                   .accum = job->accum,
                                   .T = job->T,
                                   .masked = job->masked,
                                   .keep = job->keep};
        gb_cells_take(&cells, C);
        info = gb_finish_dense(&flat);
        gb_cells_give(&cells, C, info == GBL_SUCCESS);
    }
    gb_cells_close(&masked);
    if (info == GBL_SUCCESS) settle(C);
    return info;
}
