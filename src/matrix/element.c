/* SPDX-License-Identifier: Apache-2.0
 *
 * See updates.h.
 */
#include "matrix/updates.h"

#include "matrix/matrix.h"
#include "matrix/hyper.h"

/* Full lists of entries double while they are short, and grow by a share of their entries then. */
enum { LEAST_CAPACITY = 16, CAPACITY_SHARE = 4, DOUBLED_MOST = 1 << 16 };

/* Lists above the first are searched from where evenly spread entries would stand, in doubling
 * steps from the second on: one or two misses of caches instead of ten. */
#ifdef GB_TINY
enum { LONG_LIST = 8, FIRST_STEP = 2 };
#else
enum { LONG_LIST = 4096, FIRST_STEP = 8 };
#endif

/* -- lookup ------------------------------------------------------------------------------------ */

/* Where x would be in v[lo .. hi), by where v[from] is. */
static gb_Off extrapolate(const gb_Idx *v, gb_Off lo, gb_Off hi, gb_Off from, uint64_t x) {
    const double slope = (double)(hi - 1 - lo) / (double)(v[hi - 1] - v[lo]);
    const double at = (double)from + ((double)x - (double)v[from]) * slope;
    return at <= (double)lo ? lo : at >= (double)(hi - 1) ? hi - 1 : (gb_Off)at;
}

gb_Off gb_first_near(const gb_Idx *v, gb_Off lo, gb_Off hi, uint64_t x) {
    gb_Off step = FIRST_STEP;
    if (hi - lo >= LONG_LIST && x > v[lo] && x <= v[hi - 1]) {
        const gb_Off guess = extrapolate(v, lo, hi, extrapolate(v, lo, hi, lo, x), x);
        if (v[guess] >= x) {
            for (hi = guess; step < hi - lo && v[hi - step] >= x; step *= 2) hi -= step;
            lo = step < hi - lo ? hi - step : lo;
        } else {
            for (lo = guess; step < hi - lo && v[lo + step] < x; step *= 2) lo += step;
            hi = step < hi - lo ? lo + step : hi;
        }
    }
    while (lo < hi) { /* by moves instead of branches, which scattered lookups mispredict */
        const gb_Off k = lo + (hi - lo) / 2;
        const bool below = __builtin_expect_with_probability(v[k] < x, 1, 0.5);
        lo = below ? k + 1 : lo;
        hi = below ? hi : k;
    }
    return lo;
}

void gb_element_prefetch(const gb_Matrix *v, uint64_t row, bool again) {
    const gb_Cs *cs = &v->cs[GB_CSC];
    if (!gb_is_vector(v) || gb_has(v) != GBL_HAS_CSC || !cs->sorted || cs->nvals < LONG_LIST)
        return;
    gb_Off guess = extrapolate(cs->i, 0, cs->nvals, 0, row);
    if (again) guess = extrapolate(cs->i, 0, cs->nvals, guess, row);
    __builtin_prefetch(&cs->i[guess]);
}

/* Position of the entry in row k (column k, of columns), or GB_NOT_FOUND. */
static uint64_t find_in(const gb_CsView *view, uint64_t k, uint64_t minor) {
    uint64_t at = view->p[k];
    const uint64_t end = view->p[k + 1];
    if (view->sorted)
        at = gb_first_near(view->i, at, end, minor);
    else
        while (at < end && view->i[at] != minor) at++;
    return at < end && view->i[at] == minor ? at : GB_NOT_FOUND;
}

/* In the lists or dense arrays that are there. */
static const void *find_stored(const gb_Matrix *A, uint64_t row, uint64_t col) {
    const size_t size = A->type->size;
    if (gb_is_dense(A)) {
        const uint64_t k = gb_flat_index(A, row, col);
        if (A->dense.b != NULL && !A->dense.b[k]) return NULL;
        return (const char *)A->dense.x + (A->dense.iso ? 0 : k * size);
    }
    const gb_Format usual = gb_is_vector(A) ? GB_CSC : GB_CSR;
    const gb_Format format = gb_has(A) & gb_has_bit(usual) ? usual : 1 - usual;
    const gb_CsView view = gb_cs_view(&A->cs[format], gb_nminor(A, format), size);
    const uint64_t at = format == GB_CSR ? find_in(&view, row, col) : find_in(&view, col, row);
    return at == GB_NOT_FOUND ? NULL : (const char *)view.x + (view.iso ? 0 : at * size);
}

/* The position in the compact matrix; false: its row or column has no entry. */
static bool find_rows(const gb_Hyper *hyper, uint64_t *row, uint64_t *col) {
    *row = gb_row_list_find(hyper->rows, *row);
    *col = hyper->cols == NULL ? 0 : gb_row_list_find(hyper->cols, *col);
    return *row != GB_NOT_FOUND && *col != GB_NOT_FOUND;
}

const void *gb_element_assembled(const gb_Matrix *A, uint64_t row, uint64_t col) {
    if (A->nvals == 0) return NULL;
    if (A->hyper == NULL) return find_stored(A, row, col);
    if (!find_rows(A->hyper, &row, &col)) return NULL;
    gb_Matrix *core = A->hyper->core; /* whose rows others may be sorting */
    gb_lock_to_read(&core->lock);
    const void *x = find_stored(core, row, col);
    gb_unlock(&core->lock);
    return x;
}

/* False: neither ready lists nor dense arrays are there. */
static bool is_at_hand(const gb_Matrix *A, uint64_t row, uint64_t col, const void **x) {
    if (gb_element_at_hand(A, gb_is_vector(A) ? GB_CSC : GB_CSR, row, col, x)) return true;
    *x = NULL;
    if (!gb_is_assembled(A)) return false;
    if (A->nvals == 0) return true;
    if (A->hyper != NULL)
        return !find_rows(A->hyper, &row, &col) || is_at_hand(A->hyper->core, row, col, x);
    return false;
}

static gbl_Info find_assembled(gb_Matrix *A, uint64_t row, uint64_t col, const void **x) {
    gb_CsView view;
    gb_DenseView dense;
    gb_Format format = GB_CSC;
    gbl_Info info;
    if (A->hyper != NULL) {
        if (!find_rows(A->hyper, &row, &col)) return GBL_SUCCESS;
        A = A->hyper->core;
    }
    if (gb_is_vector(A) && gb_has(A) == GBL_HAS_DEVICE) {
        info = gb_acquire_dense(A, &dense);
        if (info == GBL_SUCCESS) *x = find_stored(A, row, col);
        return info;
    }
    info = gb_is_vector(A) ? GBL_SUCCESS : gb_any_format(A, GB_CSR, &format);
    if (info == GBL_SUCCESS) info = gb_acquire(A, format, &view);
    if (info != GBL_SUCCESS) return info;
    const uint64_t at = format == GB_CSR ? find_in(&view, row, col) : find_in(&view, col, row);
    if (at != GB_NOT_FOUND) *x = (const char *)view.x + (view.iso ? 0 : at * view.xsize);
    return GBL_SUCCESS;
}

/* *open: A is locked, until *x has been read. */
static gbl_Info find(gb_Matrix *A, uint64_t row, uint64_t col, const void **x, bool *open) {
    *open = false;
    if (is_at_hand(A, row, col, x)) return GBL_SUCCESS;
    if (gb_is_assembled(A)) return find_assembled(A, row, col, x);
    const gbl_Info info = gb_delta_open(A);
    if (info != GBL_SUCCESS) return info;
    gb_Pending *list = A->pending;
    if (list == NULL) {
        gb_delta_close(A);
        return is_at_hand(A, row, col, x) ? GBL_SUCCESS : find_assembled(A, row, col, x);
    }
    const uint64_t k = gb_pending_find(list, row, col);
    *open = true;
    list->found++;
    if (k == GB_NOT_FOUND)
        *x = gb_element_assembled(A, row, col);
    else if (list->keep[k])
        *x = list->x + k * A->type->size;
    return GBL_SUCCESS;
}

gbl_Info gb_element_find(gb_Matrix *A, uint64_t row, uint64_t col, const void **x) {
    bool open;
    const gbl_Info info = find(A, row, col, x, &open);
    if (open) gb_delta_close(A);
    return info;
}

gbl_Info gb_element_extract(gb_Matrix *A, uint64_t row, uint64_t col, const gb_Type *type, void *x,
                            bool *exists) {
    const void *found;
    bool open;
    const gbl_Info info = find(A, row, col, &found, &open);
    *exists = info == GBL_SUCCESS && found != NULL;
    if (*exists) gb_cast(type, x, A->type, found, 1, 1);
    if (open) gb_delta_close(A);
    return info;
}

/* -- one update of sorted rows or columns where they are --------------------------------------- */

/* Arrays of the library's own with capacity for one more entry; they stay as they are when there is
 * no memory. */
static gbl_Info make_capacity(gb_Cs *cs, size_t size) {
    const bool grows_x = !cs->iso && cs->xcap / size <= cs->nvals;
    const uint64_t more = cs->nvals < DOUBLED_MOST ? cs->nvals : cs->nvals / CAPACITY_SHARE;
    const uint64_t wanted = cs->nvals + more + LEAST_CAPACITY;
    if (cs->foreign) return gb_cs_copy(cs, cs, wanted, size);
    if (cs->icap > cs->nvals && !grows_x) return GBL_SUCCESS;
    return gb_cs_resize(cs, wanted, cs->nvals, size);
}

static void insert_entry(gb_Cs *cs, uint64_t major, uint64_t minor, gb_Off at, const void *x,
                         size_t size) {
    const uint64_t behind = cs->nvals - at;
    memmove(cs->i + at + 1, cs->i + at, behind * sizeof(gb_Idx));
    cs->i[at] = (gb_Idx)minor;
    if (!cs->iso) {
        char *here = (char *)cs->x + at * size;
        memmove(here + size, here, behind * size);
        memcpy(here, x, size);
    }
    for (uint64_t k = major + 1; k <= cs->nmajor; k++) cs->p[k]++;
    cs->nvals++;
}

static void remove_entry(gb_Cs *cs, uint64_t major, gb_Off at, size_t size) {
    const uint64_t behind = cs->nvals - at - 1;
    memmove(cs->i + at, cs->i + at + 1, behind * sizeof(gb_Idx));
    if (!cs->iso) {
        char *here = (char *)cs->x + at * size;
        memmove(here, here + size, behind * size);
    }
    for (uint64_t k = major + 1; k <= cs->nmajor; k++) cs->p[k]--;
    cs->nvals--;
}

/* Another value for an entry of cs[format], where it stands; at: NULL, it has this one. */
static void overwrite(gb_Matrix *A, gb_Format format, void *at, const void *x) {
    gb_matrix_keep_only(A, gb_has_bit(format));
    if (at != NULL) gb_copy_value(at, x, A->type->size);
    gb_matrix_set_ready(A, format);
}

/* The entry at (row, col) becomes *x, or goes when x is NULL: an element of dense arrays, or an
 * entry of a list. Without `moves` only the value of one that exists is written, O(log); with it
 * entries come and go: what lies behind them moves, O(nvals + nmajor). *done is false, and nothing
 * has happened, where the arrays cannot take it: they are not sorted, are shared or lent, or hold
 * one value for all that is not *x; or there are none. */
static gbl_Info update_in_place(gb_Matrix *A, uint64_t row, uint64_t col, const void *x, bool moves,
                                bool *done) {
    const unsigned lists = A->has & GB_HAS_LISTS;
    const gb_Format usual = gb_is_vector(A) ? GB_CSC : GB_CSR;
    const gb_Format format = lists & gb_has_bit(usual) ? usual : 1 - usual;
    const size_t size = A->type->size;
    gb_Cs *cs = &A->cs[format];
    *done = gb_is_dense(A) && gb_dense_write(A, gb_flat_index(A, row, col), x);
    if (lists == 0 || gb_is_dense(A) || !cs->sorted) return GBL_SUCCESS;
    if (x != NULL && cs->iso && memcmp(x, cs->x, size) != 0) return GBL_SUCCESS;
    const uint64_t major = format == GB_CSR ? row : col, minor = format == GB_CSR ? col : row;
    const gb_Off end = cs->p[major + 1], at = gb_first_near(cs->i, cs->p[major], end, minor);
    const bool exists = at < end && cs->i[at] == minor;
    const bool has_to_move = x == NULL || !exists;
    if (gb_is_lent(cs->lender) || (has_to_move && !moves)) return GBL_SUCCESS;
    *done = true;
    if (x == NULL && !exists) return GBL_SUCCESS;
    if (!has_to_move) {
        overwrite(A, format, cs->iso ? NULL : (char *)cs->x + at * size, x);
        return GBL_SUCCESS;
    }
    if (x == NULL && cs->nvals == 1) {
        gb_matrix_keep_only(A, 0);
        A->nvals = 0;
        A->iso = false;
        return GBL_SUCCESS;
    }
    const gbl_Info info = x != NULL ? make_capacity(cs, size) : GBL_SUCCESS;
    if (info != GBL_SUCCESS) return info;
    gb_matrix_keep_only(A, gb_has_bit(format));
    if (x == NULL)
        remove_entry(cs, major, at, size);
    else
        insert_entry(cs, major, minor, at, x, size);
    A->nvals = cs->nvals;
    gb_matrix_set_ready(A, format); /* still sorted */
    return GBL_SUCCESS;
}

/* -- updates ----------------------------------------------------------------------------------- */

/* An empty matrix that would have far more rows than it can soon have entries is held by these. */
static gbl_Info begin_hyper(gb_Matrix *A) {
    gb_RowLists lists;
    gb_Hyper *hyper;
    gb_Matrix *core;
    gbl_Info info = gb_row_lists_of(&lists, A);
    if (info == GBL_SUCCESS) info = gb_compact_new(&core, A, A->type, &lists);
    if (info == GBL_SUCCESS) info = gb_hyper_new(&hyper, &lists, core);
    if (info == GBL_SUCCESS) gb_matrix_swap_hyper(A, hyper);
    gb_row_lists_release(&lists);
    return info;
}

/* An entry that exists in the row lists gets another value in the compact matrix; one that is not
 * there needs no removal. */
static gbl_Info update_hyper(gb_Matrix *A, uint64_t row, uint64_t col, const void *x, bool *done) {
    gb_Matrix *const core = A->hyper->core;
    const uint64_t r = gb_row_list_find(A->hyper->rows, row);
    const uint64_t c = A->hyper->cols != NULL ? gb_row_list_find(A->hyper->cols, col) : 0;
    *done = x == NULL && gb_element_assembled(A, row, col) == NULL;
    if (x == NULL || r == GB_NOT_FOUND || c == GB_NOT_FOUND || gb_is_dense(core))
        return GBL_SUCCESS;
    const gbl_Info info = update_in_place(core, r, c, x, false, done);
    if (info == GBL_SUCCESS && *done) gb_matrix_keep_only(A, 0);
    return info;
}

bool gb_overwrite_at_hand(gb_Matrix *A, uint64_t row, uint64_t col, const void *x) {
    const gb_Format usual = gb_is_vector(A) ? GB_CSC : GB_CSR;
    const bool dense = gb_is_dense(A);
    const void *here;
    if (dense ? !gb_is_assembled(A) : gb_has(A) != gb_has_bit(usual) || A->hyper != NULL)
        return false;
    if (!dense && !gb_element_at_hand(A, usual, row, col, &here)) return false;
    if (!dense && x == NULL && here == NULL) return true;
    if (!dense && (x == NULL || here == NULL || A->iso || gb_is_lent(A->cs[usual].lender)))
        return false;
    const gb_Lock before = gb_begin_writing(A);
    const bool done = !dense || gb_dense_write(A, gb_flat_index(A, row, col), x);
    if (!dense) overwrite(A, usual, (void *)(uintptr_t)here, x);
    gb_end_writing(A, before);
    return done;
}

static gbl_Info update(gb_Matrix *A, uint64_t row, uint64_t col, const void *x) {
    const bool at_once = gb_blocking();
    bool done = false;
    if (gb_is_full_iso_only(A)) {
        const bool same = x != NULL && memcmp(x, A->dense.x, A->type->size) == 0;
        return same ? GBL_SUCCESS : gb_fail_positions(A);
    }
    gbl_Info info = at_once ? gb_assemble(A) : GBL_SUCCESS; /* left from before gbl_init */
    if (info == GBL_SUCCESS && A->nvals == 0 && A->pending == NULL && !gb_is_hyper(A) &&
        gb_suits_hyper(A, 0))
        info = begin_hyper(A);
    if (info != GBL_SUCCESS) return info;
    if (A->pending == NULL && !gb_is_hyper(A))
        info = update_in_place(A, row, col, x, at_once, &done);
    else if (A->pending == NULL && A->hyper != NULL)
        info = update_hyper(A, row, col, x, &done);
    if (info != GBL_SUCCESS || done) return info;
    info = gb_pending_append(A, row, col, x);
    if (info != GBL_SUCCESS || !at_once) return info;
    info = gb_assemble(A);
    if (info != GBL_SUCCESS) gb_pending_clear(A); /* this update alone */
    return info;
}

gbl_Info gb_update(gb_Matrix *A, uint64_t row, uint64_t col, const void *x) {
    const gb_Lock before = gb_begin_writing(A);
    const gbl_Info info = update(A, row, col, x);
    gb_end_writing(A, before);
    return info;
}

gbl_Info gb_assemble_pending(gb_Matrix *A) {
    const gb_Pending *list = A->pending;
    gbl_Info info = GBL_SUCCESS;
    bool done = false;
    if (list == NULL) return GBL_SUCCESS;
    if (list->n == 1) {
        const void *x = list->keep[0] ? list->x : NULL;
        info = update_in_place(A, list->row[0], list->col[0], x, true, &done);
        if (info != GBL_SUCCESS) done = false; /* no capacity to grow: merging takes less memory */
        if (info != GBL_SUCCESS) gb_error_begin();
    }
    if (!done) info = gb_is_dense(A) ? gb_dense_assemble(A, list) : gb_merge_pending(A);
    if (info == GBL_SUCCESS) gb_pending_clear(A); /* last: readers that see no list do not wait */
    return info;
}
