/* SPDX-License-Identifier: Apache-2.0
 *
 * See hyper.h. Writers replace the whole of a hypersparse content by a swap of one pointer, after
 * the last step that can fail.
 */
#include "matrix/hyper.h"

#include "core/memory.h"
#include "core/tune.h"
#include "matrix/object.h"
#include "matrix/acquire.h"

/* -- compact forms */

/* The list of entries that exists, of an object with entries. */
static gbl_Info any_list(gb_List *list, gb_Matrix *A) {
    gb_Matrix *source = A->hyper != NULL ? A->hyper->core : A;
    *list = (gb_List){.format = GB_CSC};
    if (A->hyper != NULL) list->axes = (gb_RowLists){A->hyper->rows, A->hyper->cols};
    gbl_Info info = GBL_SUCCESS;
    if (!gb_is_vector(A)) info = gb_any_format(source, GB_CSR, &list->format);
    return info == GBL_SUCCESS ? gb_acquire_sorted(source, list->format, &list->view) : info;
}

static gbl_Info no_indices(gb_RowLists *axes, bool vector) {
    const gbl_Info info = gb_row_list_new(&axes->rows, 0);
    if (!vector) axes->cols = gb_row_list_retain(axes->rows);
    return info;
}

gbl_Info gb_row_lists_of(gb_RowLists *axes, gb_Matrix *A) {
    gb_List list;
    *axes = (gb_RowLists){0};
    if (A->hyper != NULL) {
        axes->rows = gb_row_list_retain(A->hyper->rows);
        axes->cols = gb_row_list_retain(A->hyper->cols);
        return GBL_SUCCESS;
    }
    if (A->nvals == 0) return no_indices(axes, gb_is_vector(A));
    const gbl_Info info = any_list(&list, A);
    return info == GBL_SUCCESS ? gb_row_lists_of_list(axes, &list, gb_is_vector(A)) : info;
}

gbl_Info gb_compact_get(gb_Compact *compact, gb_Matrix *A, const gb_RowLists *axes, bool own) {
    gb_List list;
    *compact = (gb_Compact){0};
    if (!own && A->hyper != NULL && A->hyper->rows == axes->rows && A->hyper->cols == axes->cols) {
        compact->m = A->hyper->core;
        compact->lent = A;
        return GBL_SUCCESS;
    }
    gbl_Info info = gb_compact_new(&compact->m, A, A->type, axes);
    if (info == GBL_SUCCESS && A->nvals > 0) {
        info = any_list(&list, A);
        if (info == GBL_SUCCESS) info = gb_compact_of_list(compact, &list, axes, own);
    }
    if (info != GBL_SUCCESS) gb_compact_release(compact);
    return info;
}

/* -- axes that have far more indices than there are entries lose those without */

static bool is_loose(const gb_RowList *axis, uint64_t nvals) {
    return axis != NULL && axis->n / GB_ROW_LIST_SLACK > nvals;
}

/* The indices of rows and columns with entries; one axis for both stays one. */
static gbl_Info tight_axes(gb_RowLists *tight, const gb_RowLists *axes, gb_Matrix *core) {
    gb_RowLists used;
    gbl_Info info = gb_row_lists_of(&used, core);
    *tight = (gb_RowLists){0};
    if (info != GBL_SUCCESS) return info;
    if (axes->rows == axes->cols) {
        gb_RowList *both;
        info = gb_row_list_unite(&both, (gb_RowList *[]){used.rows, used.cols}, 2);
        if (info == GBL_SUCCESS) info = gb_row_list_part(&tight->rows, axes->rows, both);
        if (info == GBL_SUCCESS) tight->cols = gb_row_list_retain(tight->rows);
        gb_row_list_release(both);
    } else {
        info = gb_row_list_part(&tight->rows, axes->rows, used.rows);
        if (info == GBL_SUCCESS && axes->cols != NULL)
            info = gb_row_list_part(&tight->cols, axes->cols, used.cols);
    }
    gb_row_lists_release(&used);
    if (info != GBL_SUCCESS) gb_row_lists_release(tight);
    return info;
}

static void hand_note(gb_Matrix *to, gb_Matrix *from) {
    gb_matrix_set_note(to, from->note);
    from->note = (gb_Note){0};
}

/* Afterwards axes and core are tight, or, where there is no memory for that, as they were: the
 * content is the same. */
static void trim(gb_Matrix *A, gb_RowLists *axes, gb_Matrix **core) {
    if (!is_loose(axes->rows, (*core)->nvals) && !is_loose(axes->cols, (*core)->nvals)) return;
    gb_Hyper loose = {axes->rows, axes->cols, *core};
    gb_Matrix like = {.magic = A->magic, .type = A->type, .nrows = A->nrows, .ncols = A->ncols};
    like.nvals = (*core)->nvals;
    like.hyper = &loose;
    gb_RowLists tight;
    gb_Compact compact;
    gb_LastError last; /* a failure here is none of the call's */
    gb_error_keep(&last);
    gbl_Info info = tight_axes(&tight, axes, *core);
    if (info == GBL_SUCCESS) {
        info = gb_compact_get(&compact, &like, &tight, true);
        if (info == GBL_SUCCESS) {
            hand_note(compact.m, *core);
            gb_matrix_free(*core);
            *core = compact.m;
            gb_row_lists_release(axes);
            *axes = tight;
        } else {
            gb_row_lists_release(&tight);
        }
    }
    gb_error_put_back(&last);
}

/* No entries, but what the core, which may be A's, says of how that came. */
static void clear_noted(gb_Matrix *A, gb_Matrix *core) {
    const gb_Note note = core->note;
    core->note = (gb_Note){0};
    gb_matrix_clear(A);
    gb_matrix_set_note(A, note);
}

/* -- writers */

bool gb_suits_hyper(const gb_Matrix *A, uint64_t nvals) {
    const uint64_t least = A->nrows < A->ncols ? A->nrows : A->ncols;
    if (gb_is_huge(A)) return true;
    return !gb_is_vector(A) && least > GB_HYPER_LEAST && least / GB_HYPER_FEW > nvals;
}

/* The content as that of an ordinary object. */
static gbl_Info set_ordinary(gb_Matrix *A, const gb_RowLists *axes, gb_Matrix *core) {
    gb_Hyper held = {axes->rows, axes->cols, core};
    gb_Matrix like = {.magic = A->magic, .type = A->type, .nrows = A->nrows, .ncols = A->ncols};
    like.nvals = core->nvals;
    like.hyper = &held;
    gb_Compact whole = {0};
    gb_CsView view;
    gbl_Info info = GBL_SUCCESS;
    /* pointers along the shorter dimension, where those of the longer outnumber the entries */
    const gb_Format shorter = A->nrows <= A->ncols ? GB_CSR : GB_CSC;
    const gb_Format longer = shorter == GB_CSR ? GB_CSC : GB_CSR;
    if (!gb_is_vector(A) && gb_nmajor(A, longer) / GB_HYPER_FEW > core->nvals) {
        info = gb_acquire_sorted(core, shorter, &view);
        if (info == GBL_SUCCESS && (gb_has(core) & gb_has_bit(longer)))
            gb_matrix_keep_only(core, gb_has_bit(shorter));
    }
    if (info == GBL_SUCCESS) info = gb_compact_get(&whole, &like, &(gb_RowLists){NULL, NULL}, true);
    if (info != GBL_SUCCESS) return info;
    const gb_Format format = gb_has(whole.m) & GBL_HAS_CSR ? GB_CSR : GB_CSC;
    gb_matrix_set_cs(A, format, &whole.m->cs[format]);
    hand_note(A, core);
    gb_compact_release(&whole);
    return GBL_SUCCESS;
}

static gbl_Info set_hyper(gb_Matrix *A, gb_RowLists *axes, gb_Matrix **core) {
    gb_Hyper *hyper = gb_malloc(sizeof *hyper);
    if (hyper == NULL) return gb_fail_memory(sizeof *hyper);
    trim(A, axes, core);
    *hyper = (gb_Hyper){axes->rows, axes->cols, *core};
    *axes = (gb_RowLists){0};
    *core = NULL;
    gb_matrix_clear(A);
    gb_matrix_swap_hyper(A, hyper);
    return GBL_SUCCESS;
}

gbl_Info gb_hyper_set(gb_Matrix *A, gb_RowLists *axes, gb_Matrix *core) {
    gbl_Info info = gb_assemble(core);
    if (info == GBL_SUCCESS) {
        if (core->nvals == 0)
            clear_noted(A, core);
        else if (gb_suits_hyper(A, core->nvals))
            info = set_hyper(A, axes, &core);
        else
            info = set_ordinary(A, axes, core);
    }
    gb_row_lists_release(axes);
    gb_matrix_free(core);
    return info;
}

void gb_hyper_written(gb_Matrix *A) {
    gb_Hyper *hyper = A->hyper;
    gb_RowLists axes = {hyper->rows, hyper->cols};
    if (hyper->core->nvals == 0) {
        clear_noted(A, hyper->core);
        return;
    }
    gb_matrix_keep_only(A, 0);
    trim(A, &axes, &hyper->core);
    hyper->rows = axes.rows;
    hyper->cols = axes.cols;
    A->nvals = hyper->core->nvals;
    A->iso = hyper->core->iso;
}
