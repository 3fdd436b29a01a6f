/* SPDX-License-Identifier: Apache-2.0
 *
 * See hyper.h. Writers replace the whole of a hypersparse content by a swap of one pointer, after
 * the last step that can fail.
 */
#include "matrix/hyper.h"

/* -- compact forms */

/* The list of entries that exists, of an object with entries. */
static gbl_Info any_list(gb_List *list, gb_Matrix *A) {
    gb_Matrix *source = A->hyper != NULL ? A->hyper->core : A;
    *list = (gb_List){.format = GB_CSC};
    if (A->hyper != NULL) list->row_lists = (gb_RowLists){A->hyper->rows, A->hyper->cols};
    gbl_Info info = GBL_SUCCESS;
    if (!gb_is_vector(A)) info = gb_any_format(source, GB_CSR, &list->format);
    return info == GBL_SUCCESS ? gb_acquire_sorted(source, list->format, &list->view) : info;
}

static gbl_Info no_indices(gb_RowLists *row_lists, bool vector) {
    const gbl_Info info = gb_row_list_new(&row_lists->rows, 0);
    if (!vector) row_lists->cols = gb_row_list_retain(row_lists->rows);
    return info;
}

gbl_Info gb_row_lists_of(gb_RowLists *row_lists, gb_Matrix *A) {
    gb_List list;
    *row_lists = (gb_RowLists){0};
    if (A->hyper != NULL) {
        row_lists->rows = gb_row_list_retain(A->hyper->rows);
        row_lists->cols = gb_row_list_retain(A->hyper->cols);
        return GBL_SUCCESS;
    }
    if (A->nvals == 0) return no_indices(row_lists, gb_is_vector(A));
    const gbl_Info info = any_list(&list, A);
    return info == GBL_SUCCESS ? gb_row_lists_of_list(row_lists, &list, gb_is_vector(A)) : info;
}

gbl_Info gb_compact_get(gb_Compact *compact, gb_Matrix *A, const gb_RowLists *row_lists, bool own) {
    gb_List list;
    *compact = (gb_Compact){0};
    if (!own && A->hyper != NULL && A->hyper->rows == row_lists->rows &&
        A->hyper->cols == row_lists->cols) {
        compact->m = A->hyper->core;
        compact->lent = A;
        return GBL_SUCCESS;
    }
    gbl_Info info = gb_compact_new(&compact->m, A, A->type, row_lists);
    if (info == GBL_SUCCESS && A->nvals > 0) {
        info = any_list(&list, A);
        if (info == GBL_SUCCESS) info = gb_compact_of_list(compact, &list, row_lists, own);
    }
    if (info != GBL_SUCCESS) gb_compact_release(compact);
    return info;
}

gbl_Info gb_compact_expand(gb_Cs *cs, gb_Format *format, gb_Matrix *A) {
    gb_Compact whole;
    const gbl_Info info = gb_compact_get(&whole, A, &(gb_RowLists){NULL, NULL}, true);
    if (info != GBL_SUCCESS) return info;
    *format = gb_has(whole.m) & GBL_HAS_CSR ? GB_CSR : GB_CSC;
    *cs = whole.m->cs[*format];
    whole.m->cs[*format] = (gb_Cs){0};
    gb_compact_release(&whole);
    return GBL_SUCCESS;
}

/* -- row lists that have far more indices than there are entries lose those without */

static bool is_loose(const gb_RowList *row_list, uint64_t nvals) {
    return row_list != NULL && row_list->n / GB_ROW_LIST_SLACK > nvals;
}

/* The indices of rows and columns with entries; one row list for both stays one. */
static gbl_Info tight_lists(gb_RowLists *tight, const gb_RowLists *row_lists, gb_Matrix *core) {
    gb_RowLists used;
    gbl_Info info = gb_row_lists_of(&used, core);
    *tight = (gb_RowLists){0};
    if (info != GBL_SUCCESS) return info;
    if (row_lists->rows == row_lists->cols) {
        gb_RowList *both;
        info = gb_row_list_unite(&both, (gb_RowList *[]){used.rows, used.cols}, 2);
        if (info == GBL_SUCCESS) info = gb_row_list_part(&tight->rows, row_lists->rows, both);
        if (info == GBL_SUCCESS) tight->cols = gb_row_list_retain(tight->rows);
        gb_row_list_release(both);
    } else {
        info = gb_row_list_part(&tight->rows, row_lists->rows, used.rows);
        if (info == GBL_SUCCESS && row_lists->cols != NULL)
            info = gb_row_list_part(&tight->cols, row_lists->cols, used.cols);
    }
    gb_row_lists_release(&used);
    if (info != GBL_SUCCESS) gb_row_lists_release(tight);
    return info;
}

static void move_note(gb_Matrix *to, gb_Matrix *from) {
    gb_matrix_set_note(to, from->note);
    from->note = (gb_Note){0};
}

/* Afterwards row lists and core are tight, or, where there is no memory for that, as they were: the
 * content is the same. */
static void trim(gb_Matrix *A, gb_RowLists *row_lists, gb_Matrix **core) {
    if (!is_loose(row_lists->rows, (*core)->nvals) && !is_loose(row_lists->cols, (*core)->nvals))
        return;
    gb_Hyper loose = {row_lists->rows, row_lists->cols, *core};
    gb_Matrix like = gb_like_hyper(A, &loose);
    gb_RowLists tight;
    gb_Compact compact;
    gb_LastError last; /* a failure here is none of the call's */
    gb_error_keep(&last);
    if (tight_lists(&tight, row_lists, *core) == GBL_SUCCESS) {
        const bool done = gb_compact_get(&compact, &like, &tight, true) == GBL_SUCCESS;
        gb_row_lists_release(done ? row_lists : &tight);
        if (done) {
            move_note(compact.m, *core);
            gb_matrix_free(*core);
            *core = compact.m;
            *row_lists = tight;
        }
    }
    gb_error_put_back(&last);
}

/* No entries, but what the core, which may be A's, says of how that came. */
static void clear_keeping_note(gb_Matrix *A, gb_Matrix *core) {
    const gb_Note note = core->note;
    core->note = (gb_Note){0};
    gb_matrix_clear(A);
    gb_matrix_set_note(A, note);
}

/* -- writers */

bool gb_suits_hyper(const gb_Matrix *A, uint64_t nvals) {
    const uint64_t longer = A->nrows > A->ncols ? A->nrows : A->ncols;
    if (gb_is_huge(A) || gb_is_vector(A) || longer <= GB_HYPER_LEAST) return gb_is_huge(A);
    return longer / GB_HYPER_FEW > nvals &&
           (longer > GB_HYPER_LONG || A->nrows / GB_HYPER_FEW > nvals);
}

/* The content as that of an ordinary object. */
static gbl_Info set_ordinary(gb_Matrix *A, const gb_RowLists *row_lists, gb_Matrix *core) {
    gb_Hyper held = {row_lists->rows, row_lists->cols, core};
    gb_Matrix like = gb_like_hyper(A, &held);
    gb_Format format;
    gb_Cs cs;
    gb_CsView view;
    gbl_Info info = GBL_SUCCESS;
    /* pointers along the shorter dimension, where those of the longer outnumber the entries */
    const gb_Format shorter = A->nrows <= A->ncols ? GB_CSR : GB_CSC;
    const gb_Format longer = gb_other(shorter);
    if (!gb_is_vector(A) && gb_nmajor(A, longer) / GB_HYPER_FEW > core->nvals) {
        info = gb_acquire_sorted(core, shorter, &view);
        if (info == GBL_SUCCESS && (gb_has(core) & gb_has_bit(longer)))
            gb_matrix_keep_only(core, gb_has_bit(shorter));
    }
    if (info == GBL_SUCCESS) info = gb_compact_expand(&cs, &format, &like);
    if (info != GBL_SUCCESS) return info;
    gb_matrix_set_cs(A, format, &cs);
    move_note(A, core);
    return GBL_SUCCESS;
}

static gbl_Info set_hyper(gb_Matrix *A, gb_RowLists *row_lists, gb_Matrix **core) {
    gb_Hyper *hyper = gb_malloc(sizeof *hyper);
    if (hyper == NULL) return gb_fail_memory(sizeof *hyper);
    trim(A, row_lists, core);
    *hyper = (gb_Hyper){row_lists->rows, row_lists->cols, *core};
    *row_lists = (gb_RowLists){0};
    *core = NULL;
    gb_matrix_clear(A);
    gb_matrix_swap_hyper(A, hyper);
    return GBL_SUCCESS;
}

gbl_Info gb_hyper_set(gb_Matrix *A, gb_RowLists *row_lists, gb_Matrix *core) {
    gbl_Info info = gb_assemble(core);
    if (info == GBL_SUCCESS) {
        if (core->nvals == 0)
            clear_keeping_note(A, core);
        else if (gb_suits_hyper(A, core->nvals) && row_lists->rows != NULL &&
                 (gb_is_vector(A) || row_lists->cols != NULL))
            info = set_hyper(A, row_lists, &core);
        else
            info = set_ordinary(A, row_lists, core);
    }
    gb_row_lists_release(row_lists);
    gb_matrix_free(core);
    return info;
}

void gb_hyper_written(gb_Matrix *A) {
    gb_Hyper *hyper = A->hyper;
    gb_RowLists row_lists = {hyper->rows, hyper->cols};
    if (hyper->core->nvals == 0) {
        clear_keeping_note(A, hyper->core);
        return;
    }
    gb_matrix_keep_only(A, 0);
    trim(A, &row_lists, &hyper->core);
    hyper->rows = row_lists.rows;
    hyper->cols = row_lists.cols;
    A->nvals = hyper->core->nvals;
    A->iso = hyper->core->iso;
}
