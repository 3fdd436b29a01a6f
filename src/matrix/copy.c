/* SPDX-License-Identifier: Apache-2.0
 *
 * See matrix.h.
 */
#include "matrix/matrix.h"

#include "matrix/hyper.h"
#include "matrix/updates.h"

gbl_Info gb_matrix_own(gb_Matrix *A, gb_Format format) {
    gb_Cs *cs = &A->cs[format], *other = &A->cs[gb_other(format)];
    if (other->lender != NULL && other->p == cs->p) { /* A symmetric matrix's own */
        __atomic_store_n(&A->has, A->has & ~gb_has_bit(gb_other(format)), __ATOMIC_RELEASE);
        __atomic_store_n(&A->ready, A->ready & gb_has_bit(format), __ATOMIC_RELEASE);
        gb_cs_free(other);
    }
    return gb_is_lent(cs->lender) ? gb_cs_copy(cs, cs, cs->nvals, A->type->size) : GBL_SUCCESS;
}

/* Of content that is on the device and nowhere else: it stays there. *C stays NULL where the device
 * has no memory. */
static gbl_Info dup_on_device(gb_Matrix **C, gb_Matrix *A) {
    gb_DeviceCs *there, *made = NULL;
    gb_Matrix *copy = NULL;
    gbl_Info info = gb_acquire_device_operand(A, GB_CSR, &there);
    if (info != GBL_SUCCESS) return info;
    info = gb_device()->copy(there, &made);
    gb_device()->unpin(there);
    if (info == GBL_SUCCESS) info = gb_matrix_new(&copy, A->magic, A->type, A->nrows, A->ncols);
    if (info != GBL_SUCCESS) {
        gb_device()->release(made);
        return info;
    }
    gb_device()->unpin(made);
    gb_matrix_set_device(copy, made, A->nvals);
    *C = copy;
    return GBL_SUCCESS;
}

/* The object begins: what has to be made before the content of A can be copied or shared. *C stays
 * NULL where it has to be copied from the host. */
static gbl_Info begin_copy(gb_Matrix **C, gb_Matrix *A) {
    gb_CsView view; /* a copy of tiles would be as large as one of rows, and less often useful */
    gbl_Info info = GBL_SUCCESS;
    *C = NULL;
    if (gb_has(A) == GBL_HAS_DEVICE) info = gb_assemble(A);
    if (info == GBL_SUCCESS && gb_has(A) == GBL_HAS_DEVICE) {
        info = dup_on_device(C, A);
        if (info != GBL_OUT_OF_MEMORY) return info;
        info = GBL_SUCCESS; /* the host may have it */
        gb_error_begin();
    }
    if (info == GBL_SUCCESS && gb_has_no_list(A))
        info = gb_acquire(A, gb_is_vector(A) ? GB_CSC : GB_CSR, &view);
    return info;
}

/* Under the lock or `making`: the form that is there, in arrays of the copy's own; of several, the
 * cheapest to use later. */
static gbl_Info copy_forms(gb_Matrix *copy, const gb_Matrix *A) {
    gb_Dense dense = {0};
    gb_Cs cs = {0};
    gbl_Info info;
    if (gb_is_dense(A)) {
        info = gb_dense_copy(&dense, &A->dense, A->type->size);
        if (info == GBL_SUCCESS) gb_matrix_set_dense(copy, &dense);
        return info;
    }
    const gb_Format format = (A->has & GBL_HAS_CSR) ? GB_CSR : GB_CSC;
    info = gb_cs_copy(&cs, &A->cs[format], A->nvals, A->type->size);
    if (info == GBL_SUCCESS) gb_matrix_set_cs(copy, format, &cs);
    return info;
}

/* Under the lock. */
static gbl_Info share_forms(gb_Matrix *copy, gb_Matrix *A) {
    const unsigned dense = A->has & (GBL_HAS_BITMAP | GBL_HAS_FULL);
    gbl_Info info = GBL_SUCCESS;
    if (gb_reads_the_users(A)) return copy_forms(copy, A);
    for (gb_Format format = GB_CSR; format <= GB_CSC && info == GBL_SUCCESS; format++) {
        if (!(A->has & gb_has_bit(format))) continue;
        info = gb_cs_share(&copy->cs[format], &A->cs[format]);
        if (info != GBL_SUCCESS) return info;
        copy->has = (uint16_t)(copy->has | gb_has_bit(format));
        if (copy->cs[format].sorted) gb_matrix_set_ready(copy, format);
    }
    if (dense != 0) info = gb_dense_share(&copy->dense, &A->dense);
    if (info == GBL_SUCCESS) copy->has = (uint16_t)(copy->has | dense);
    copy->nvals = A->nvals;
    copy->iso = A->iso;
    return info;
}

/* Under the lock. */
static gbl_Info share_hyper(gb_Matrix *copy, const gb_Matrix *A) {
    gb_RowLists lists = {gb_row_list_retain(A->hyper->rows), gb_row_list_retain(A->hyper->cols)};
    gb_Hyper *hyper;
    gb_Matrix *core;
    gbl_Info info = gb_matrix_dup(&core, A->hyper->core);
    if (info == GBL_SUCCESS) info = gb_hyper_new(&hyper, &lists, core);
    if (info == GBL_SUCCESS) gb_matrix_swap_hyper(copy, hyper);
    gb_row_lists_release(&lists);
    return info;
}

/* What is known of the content of A. Under the lock. */
static void dup_facts(gb_Matrix *copy, const gb_Matrix *A) {
    for (gb_Format format = GB_CSR; format <= GB_CSC; format++)
        copy->facts[format] = A->facts[format];
    copy->symmetry = __atomic_load_n(&A->symmetry, __ATOMIC_RELAXED);
    copy->truth = __atomic_load_n(&A->truth, __ATOMIC_RELAXED);
    copy->diagonal = __atomic_load_n(&A->diagonal, __ATOMIC_RELAXED);
}

gbl_Info gb_matrix_dup(gb_Matrix **C, gb_Matrix *A) {
    gb_Matrix *copy;
    gbl_Info info = begin_copy(C, A);
    if (info != GBL_SUCCESS || *C != NULL) return info;
    info = gb_matrix_new(&copy, A->magic, A->type, A->nrows, A->ncols);
    if (info != GBL_SUCCESS) return info;
    info = gb_delta_open(A);
    if (info == GBL_SUCCESS) {
        if (A->hyper != NULL)
            info = share_hyper(copy, A);
        else if (A->nvals > 0)
            info = share_forms(copy, A);
        if (A->hyper == NULL) dup_facts(copy, A);
        if (info == GBL_SUCCESS && A->pending != NULL) info = gb_pending_share(copy, A);
        gb_delta_close(A);
    }
    return gb_matrix_give(C, copy, info);
}

gbl_Info gb_matrix_copy(gb_Matrix **C, gb_Matrix *A) {
    gb_Matrix *copy;
    gbl_Info info = gb_assemble(A);
    if (info == GBL_SUCCESS && gb_is_hyper(A)) return gb_matrix_dup(C, A);
    if (info == GBL_SUCCESS) info = begin_copy(C, A);
    if (info != GBL_SUCCESS || *C != NULL) return info;
    info = gb_matrix_new(&copy, A->magic, A->type, A->nrows, A->ncols);
    if (info != GBL_SUCCESS) return info;
    gb_begin_making(A);
    if (A->nvals > 0) info = copy_forms(copy, A);
    gb_end_making(A);
    return gb_matrix_give(C, copy, info);
}

/* Entries [from, to) are behind what `out` has. */
static void append_run(gb_Cs *out, const gb_CsView *in, gb_Off from, gb_Off to) {
    const size_t size = in->iso ? 0 : in->xsize;
    if (from == to) return;
    memcpy(out->i + out->nvals, in->i + from, (to - from) * sizeof *out->i);
    if (size > 0)
        memcpy((char *)out->x + out->nvals * size, (const char *)in->x + from * size,
               (to - from) * size);
    out->nvals += to - from;
}

/* Entries with major < nmajor and minor < nminor, of sorted rows. What lies between rows that lose
 * some is one run. */
static gbl_Info crop(gb_Cs *out, const gb_CsView *in, uint64_t nmajor, uint64_t nminor) {
    const uint64_t rows = nmajor < in->nmajor ? nmajor : in->nmajor, most = in->p[rows];
    gbl_Info info = gb_cs_alloc(out, nmajor, most, gb_size_of(in->iso ? 1 : most, in->xsize));
    if (info != GBL_SUCCESS) return info;
    gb_Off from = 0; /* of the run */
    out->nvals = 0;
    for (uint64_t r = 0; r < rows && info == GBL_SUCCESS; r++) {
        const gb_Off first = in->p[r], end = in->p[r + 1];
        out->p[r] = out->nvals + (first - from);
        if (r % GB_CALL_ENTRIES == 0) {
            append_run(out, in, from, first);
            from = first;
            if (gb_call_stops()) info = gb_call_end();
        }
        if (first == end || in->i[end - 1] < nminor) continue;
        append_run(out, in, from, gb_first_at_least(in->i, first, end, nminor));
        from = end;
    }
    append_run(out, in, from, most);
    for (uint64_t r = rows; r <= nmajor; r++) out->p[r] = out->nvals;
    if (in->iso && most > 0) memcpy(out->x, in->x, in->xsize);
    out->iso = in->iso;
    if (info != GBL_SUCCESS)
        gb_cs_free(out);
    else
        gb_cs_trim(out, in->xsize);
    return info;
}

/* To fewer rows of a list that holds half of its entries in these: it ends there, in O(1). */
static bool cut_rows(gb_Matrix *A, uint64_t nrows, uint64_t ncols) {
    const gb_Matrix shape = {.nrows = nrows, .ncols = ncols};
    for (gb_Format format = GB_CSR; format <= GB_CSC; format++) {
        gb_Cs *const cs = &A->cs[format];
        const uint64_t nmajor = gb_nmajor(&shape, format);
        if (!(gb_has(A) & gb_has_bit(format)) || nmajor > cs->nmajor || cs->p[nmajor] == 0 ||
            cs->p[nmajor] < cs->icap / 2 || gb_nminor(&shape, format) < gb_nminor(A, format))
            continue;
        gb_matrix_keep_only(A, gb_has_bit(format));
        A->nrows = nrows;
        A->ncols = ncols;
        cs->pspare += cs->nmajor - nmajor;
        cs->nmajor = nmajor;
        cs->nvals = A->nvals = cs->p[nmajor];
        if (cs->sorted) gb_matrix_set_ready(A, format);
        return true;
    }
    return false;
}

static gbl_Info resize_lists(gb_Matrix *A, uint64_t nrows, uint64_t ncols) {
    gb_Cs cs = {0};
    gb_Format format = GB_CSC;
    gbl_Info info = GBL_SUCCESS;
    if (A->nvals > 0) {
        gb_CsView view;
        if (!gb_is_vector(A)) info = gb_any_format(A, GB_CSR, &format);
        if (info == GBL_SUCCESS) info = gb_acquire_sorted(A, format, &view);
        if (info == GBL_SUCCESS)
            info = crop(&cs, &view, format == GB_CSR ? nrows : ncols,
                        format == GB_CSR ? ncols : nrows);
    }
    if (info != GBL_SUCCESS) return info;
    gb_matrix_clear(A); /* under the old shape, which sizes what is freed */
    A->nrows = nrows;
    A->ncols = ncols;
    gb_matrix_set_cs(A, format, &cs);
    return GBL_SUCCESS;
}

/* What of A is inside the new shape, on row lists that end there. */
static gbl_Info crop_hyper(gb_RowLists *row_lists, gb_Matrix **core, gb_Matrix *A,
                           const uint64_t shape[2]) {
    gb_RowLists whole;
    gbl_Info info = gb_row_lists_of(&whole, A);
    *row_lists = (gb_RowLists){0};
    *core = NULL;
    if (info != GBL_SUCCESS) return info;
    gb_Compact compact = {0};
    const uint64_t m = gb_row_list_from(whole.rows, shape[0]);
    const uint64_t n = whole.cols == NULL ? 1 : gb_row_list_from(whole.cols, shape[1]);
    info = gb_row_list_head(&row_lists->rows, whole.rows, m);
    if (info == GBL_SUCCESS && whole.cols == whole.rows && n == m)
        row_lists->cols = gb_row_list_retain(row_lists->rows);
    else if (info == GBL_SUCCESS && whole.cols != NULL)
        info = gb_row_list_head(&row_lists->cols, whole.cols, n);
    if (info == GBL_SUCCESS) info = gb_compact_get(&compact, A, &whole, true);
    if (info == GBL_SUCCESS) info = resize_lists(compact.m, m, n);
    gb_row_lists_release(&whole);
    if (info == GBL_SUCCESS) {
        *core = compact.m;
    } else {
        gb_compact_release(&compact);
        gb_row_lists_release(row_lists);
    }
    return info;
}

/* One of both shapes is held hypersparse. */
static gbl_Info resize_hyper(gb_Matrix *A, uint64_t nrows, uint64_t ncols) {
    gb_RowLists row_lists;
    gb_Matrix *core, *like;
    gbl_Info info = crop_hyper(&row_lists, &core, A, (uint64_t[]){nrows, ncols});
    if (info != GBL_SUCCESS) return info;
    info = gb_matrix_new(&like, A->magic, A->type, nrows, ncols);
    info = gb_hyper_set_if(info, like, &row_lists, core);
    if (info == GBL_SUCCESS) {
        gb_matrix_clear(A);
        A->nrows = nrows;
        A->ncols = ncols;
        gb_matrix_move(A, like);
    }
    gb_matrix_free(like);
    return info;
}

/* To fewer rows or columns: the value stays where it is. */
static gbl_Info resize_full_iso(gb_Matrix *A, uint64_t nrows, uint64_t ncols) {
    const gb_Matrix shape = {.nrows = nrows, .ncols = ncols};
    const uint64_t n = gb_positions(&shape);
    if (n == 0)
        gb_matrix_clear(A); /* under the old shape, which sizes what is freed */
    else
        gb_matrix_keep_only(A, GBL_HAS_FULL);
    A->nrows = nrows;
    A->ncols = ncols;
    if (n > 0) A->dense.n = A->dense.nvals = A->nvals = n;
    return GBL_SUCCESS;
}

/* -- a larger shape ---------------------------------------------------------------------------- */

/* Forms that a larger shape leaves valid, but for what is added; 0: there is no such form. */
static unsigned growing_forms(const gb_Matrix *A, const gb_Matrix *shape) {
    const unsigned lists = A->has & GB_HAS_LISTS;
    if (!gb_is_vector(A) && lists != 0) return lists;
    if (shape->ncols != A->ncols || !gb_may_be_dense(shape)) return lists;
    return lists | (A->has & (GBL_HAS_BITMAP | GBL_HAS_FULL));
}

/* Whether nothing needs to be folded or moved. */
static bool just_grows(const gb_Matrix *A, const gb_Matrix *shape) {
    const uint64_t most = A->nvals + gb_pending_count(A);
    if (shape->nrows < A->nrows || shape->ncols < A->ncols) return false;
    if (gb_is_huge(A) != gb_is_huge(shape)) return false;
    if (gb_is_full_iso(A)) return growing_forms(A, shape) != 0;
    if (gb_is_hyper(A)) return true;
    if (most > 0 && gb_suits_hyper(shape, most)) return false;
    return A->nvals == 0 || growing_forms(A, shape) != 0;
}

static gbl_Info reserve_growth(gb_Matrix *A, const gb_Matrix *shape, unsigned forms) {
    gbl_Info info = GBL_SUCCESS;
    for (gb_Format format = GB_CSR; format <= GB_CSC && info == GBL_SUCCESS; format++) {
        gb_Cs *cs = &A->cs[format];
        if (!(forms & gb_has_bit(format)) || gb_nmajor(shape, format) == cs->nmajor) continue;
        if (cs->foreign || gb_is_lent(cs->lender))
            info = gb_cs_copy(cs, cs, cs->nvals, A->type->size);
        if (info == GBL_SUCCESS) info = gb_cs_reserve_rows(cs, gb_nmajor(shape, format));
    }
    if (info != GBL_SUCCESS || !(forms & (GBL_HAS_BITMAP | GBL_HAS_FULL))) return info;
    info = gb_matrix_own_dense(A);
    if (info != GBL_SUCCESS) return info;
    return gb_dense_reserve(&A->dense, gb_flat_size(shape), A->type->size);
}

static gbl_Info grow(gb_Matrix *A, const gb_Matrix *shape) {
    const unsigned dense = GBL_HAS_BITMAP | GBL_HAS_FULL;
    const unsigned forms = A->nvals > 0 && A->hyper == NULL ? growing_forms(A, shape) : 0;
    const gbl_Info info = reserve_growth(A, shape, forms);
    if (info != GBL_SUCCESS) return info;
    if (A->has != 0 || A->hyper != NULL || A->note.block != NULL) gb_matrix_keep_only(A, forms);
    A->nrows = shape->nrows;
    A->ncols = shape->ncols;
    for (gb_Format format = GB_CSR; format <= GB_CSC; format++) {
        if (!(forms & gb_has_bit(format))) continue;
        gb_cs_add_rows(&A->cs[format], gb_nmajor(A, format));
        if (A->cs[format].sorted) gb_matrix_set_ready(A, format);
    }
    if (!(forms & dense)) return GBL_SUCCESS;
    gb_dense_add(&A->dense, gb_flat_size(A), A->type->size);
    A->has = (uint16_t)((A->has & ~dense) | GBL_HAS_BITMAP);
    return GBL_SUCCESS;
}

gbl_Info gb_matrix_resize(gb_Matrix *A, uint64_t nrows, uint64_t ncols) {
    const gb_Matrix shape = {.magic = A->magic, .nrows = nrows, .ncols = ncols};
    if (nrows > GB_DIMENSION_MAX || ncols > GB_DIMENSION_MAX)
        return gb_fail(GBL_INVALID_VALUE, "new size %llu x %llu is above the largest, %llu",
                       (unsigned long long)nrows, (unsigned long long)ncols,
                       (unsigned long long)GB_DIMENSION_MAX);
    if (nrows == A->nrows && ncols == A->ncols) return GBL_SUCCESS;
    if (just_grows(A, &shape)) return grow(A, &shape);
    const gbl_Info info = gb_assemble(A);
    if (info != GBL_SUCCESS) return info;
    if (gb_is_full_iso(A) && nrows <= A->nrows && ncols <= A->ncols)
        return resize_full_iso(A, nrows, ncols);
    if (gb_is_hyper(A) || gb_is_huge(&shape) || (A->nvals > 0 && gb_suits_hyper(&shape, A->nvals)))
        return resize_hyper(A, nrows, ncols);
    if (cut_rows(A, nrows, ncols)) return GBL_SUCCESS;
    return resize_lists(A, nrows, ncols);
}

/* -- a diagonal matrix ------------------------------------------------------------------------- */

static void fill_diagonal(gb_Cs *cs, const gb_CsView *v, uint64_t down, uint64_t right) {
    uint64_t row = 0;
    for (uint64_t e = 0; e < v->nvals; e++) {
        for (; row <= v->i[e] + down; row++) cs->p[row] = e;
        cs->i[e] = (gb_Idx)(v->i[e] + right);
    }
    for (; row <= cs->nmajor; row++) cs->p[row] = v->nvals;
}

/* The indices moved by so many. */
static gbl_Info shift(gb_RowList **row_list, gb_RowList *of, uint64_t by) {
    if (by == 0) {
        *row_list = gb_row_list_retain(of);
        return GBL_SUCCESS;
    }
    const gbl_Info info = gb_row_list_new(row_list, of->n);
    for (uint64_t k = 0; info == GBL_SUCCESS && k < of->n; k++)
        (*row_list)->index[k] = of->index[k] + by;
    return info;
}

/* The main diagonal of the compact form, on row lists of which one is shifted. */
static gbl_Info diag_hyper(gb_Matrix *C, gb_Matrix *v, int64_t k) {
    const uint64_t off = k < 0 ? 0 - (uint64_t)k : (uint64_t)k;
    gb_RowLists of, row_lists = {0};
    gb_Compact compact = {0};
    gb_Matrix *core = NULL;
    gbl_Info info = gb_row_lists_of(&of, v);
    if (info != GBL_SUCCESS) return info;
    info = gb_compact_get(&compact, v, &of, false);
    if (info == GBL_SUCCESS) info = gb_matrix_diag(&core, compact.m, 0);
    if (info == GBL_SUCCESS) info = shift(&row_lists.rows, of.rows, k < 0 ? off : 0);
    if (info == GBL_SUCCESS) info = shift(&row_lists.cols, of.rows, k < 0 ? 0 : off);
    gb_compact_release(&compact);
    gb_row_lists_release(&of);
    return gb_hyper_set_if(info, C, &row_lists, core);
}

static gbl_Info diag_rows(gb_Matrix *C, gb_Matrix *v, int64_t k) {
    const uint64_t off = k < 0 ? 0 - (uint64_t)k : (uint64_t)k;
    gb_CsView list;
    gb_Cs cs;
    gbl_Info info = gb_acquire_sorted(v, GB_CSC, &list);
    if (info != GBL_SUCCESS || list.nvals == 0) return info;
    const size_t xbytes = (list.iso ? 1 : list.nvals) * list.xsize;
    info = gb_cs_alloc(&cs, C->nrows, list.nvals, xbytes);
    if (info != GBL_SUCCESS) return info;
    fill_diagonal(&cs, &list, k < 0 ? off : 0, k < 0 ? 0 : off);
    memcpy(cs.x, list.x, xbytes);
    cs.iso = list.iso;
    gb_matrix_set_cs(C, GB_CSR, &cs);
    return GBL_SUCCESS;
}

gbl_Info gb_matrix_diag(gb_Matrix **C, gb_Matrix *v, int64_t k) {
    const uint64_t off = k < 0 ? 0 - (uint64_t)k : (uint64_t)k, n = v->nrows + off;
    gb_Matrix *made;
    if (off > GB_DIMENSION_MAX - v->nrows)
        return gb_fail(GBL_INVALID_VALUE,
                       "diagonal %lld of a vector of %llu elements needs a dimension above the "
                       "largest, %llu",
                       (long long)k, (unsigned long long)v->nrows,
                       (unsigned long long)GB_DIMENSION_MAX);
    gbl_Info info = gb_assemble(v);
    if (info == GBL_SUCCESS) info = gb_matrix_new(&made, GB_MAGIC_MATRIX, v->type, n, n);
    if (info != GBL_SUCCESS) return info;
    const bool hyper = gb_is_hyper(v) || gb_suits_hyper(made, v->nvals);
    return gb_matrix_give(C, made, hyper ? diag_hyper(made, v, k) : diag_rows(made, v, k));
}
