/* SPDX-License-Identifier: Apache-2.0
 *
 * Reads the rows and columns of row lists from an object that has others too. Time is O(entries of
 * the listed rows), or of the listed columns, times a search of each in the list of the others, if
 * there is one; none where the entries outnumber the columns, which then have a table. Where a row
 * is far longer than the list of columns, each column is searched in the row. The order of entries
 * stays, so rows stay sorted.
 */
#include "core/arrays.h"
#include "core/context.h"
#include "matrix/hyper.h"
#include "matrix/updates.h"

/* From one list of entries to another, whose majors and minors are on these row lists. */
typedef struct {
    const gb_List *from;
    const gb_RowList *from_major, *from_minor, *major, *minor; /* NULL: each index */
    const gb_Idx *place;                                       /* of each index in minor, or NULL */
    gb_Cs *to;
} Gather;

static const gb_Idx NOWHERE = UINT32_MAX; /* of place */

static uint64_t find(const gb_RowList *row_list, uint64_t index) {
    return row_list == NULL ? index : gb_row_list_find(row_list, index);
}

/* Entry e of the source becomes entry n, at this minor. */
static void put(const Gather *g, uint64_t n, uint64_t minor, gb_Off e) {
    const gb_CsView *view = &g->from->view;
    g->to->i[n] = (gb_Idx)minor;
    if (!view->iso)
        gb_copy_value((char *)g->to->x + n * view->xsize, (const char *)view->x + e * view->xsize,
                      view->xsize);
}

/* Each listed minor is searched in the row. */
static uint64_t search_row(const Gather *g, gb_Off first, gb_Off end, uint64_t n, bool writes) {
    const gb_Idx *i = g->from->view.i;
    const uint64_t before = n;
    for (uint64_t m = 0; m < g->minor->n && first < end; m++) {
        const uint64_t k = find(g->from_minor, g->minor->index[m]);
        if (k == GB_NOT_FOUND) continue;
        first = gb_first_at_least(i, first, end, k);
        if (first == end || i[first] != k) continue;
        if (writes) put(g, n, m, first);
        n++;
    }
    return n - before;
}

/* Each minor of the row is searched in the list. */
static uint64_t scan_row(const Gather *g, gb_Off first, gb_Off end, uint64_t n, bool writes) {
    const gb_Idx *i = g->from->view.i;
    const uint64_t before = n;
    for (gb_Off e = first; e < end; e++) {
        const uint64_t at = gb_row_list_at(g->from_minor, i[e]);
        const uint64_t m = g->place == NULL ? find(g->minor, at) : g->place[at];
        if (m == (g->place == NULL ? GB_NOT_FOUND : NOWHERE)) continue;
        if (writes) put(g, n, m, e);
        n++;
    }
    return n - before;
}

/* Where the source of row t of the result begins; returns its end. */
static gb_Off source_row(gb_Off *first, const Gather *g, uint64_t t) {
    const gb_CsView *view = &g->from->view;
    const uint64_t r = find(g->from_major, gb_row_list_at(g->major, t));
    if (r == GB_NOT_FOUND || r >= view->nmajor) return *first = 0;
    *first = view->p[r];
    return view->p[r + 1];
}

/* The table of places, of `dimension` minors, where searches would take longer; NULL: not so, or
 * there is no memory. */
static gb_Idx *make_places(const Gather *g, uint64_t nmajor, uint64_t dimension) {
    uint64_t entries = 0;
    if (g->minor == NULL || g->minor == g->from_minor) return NULL;
    for (uint64_t t = 0; t < nmajor && entries < dimension / GB_MAP_WORTH; t++) {
        gb_Off first;
        const uint64_t n = source_row(&first, g, t) - first;
        if (n / GB_GATHER_SEARCHED <= g->minor->n) entries += n; /* else columns are searched */
    }
    gb_Idx *place =
        entries < dimension / GB_MAP_WORTH ? NULL : gb_malloc(dimension * sizeof *place);
    if (place == NULL) return NULL;
    memset(place, UINT8_MAX, dimension * sizeof *place);
    for (uint64_t m = 0; m < g->minor->n; m++) place[g->minor->index[m]] = (gb_Idx)m;
    return place;
}

/* Of row t of the result: how many entries; writes them from position n on. */
static uint64_t gather_row(const Gather *g, uint64_t t, uint64_t n, bool writes) {
    const gb_CsView *view = &g->from->view;
    gb_Off first;
    const gb_Off end = source_row(&first, g, t);
    if (g->minor != g->from_minor && g->minor != NULL)
        return (end - first) / GB_GATHER_SEARCHED > g->minor->n
                   ? search_row(g, first, end, n, writes)
                   : scan_row(g, first, end, n, writes);
    for (gb_Off e = first; writes && e < end; e++)
        put(g, n + (e - first),
            g->minor == g->from_minor ? view->i[e] : gb_row_list_at(g->from_minor, view->i[e]), e);
    return end - first;
}

static void count_range(void *context, uint64_t first, uint64_t end) {
    const Gather *g = context;
    for (uint64_t t = first; t < end; t++) g->to->p[t + 1] = gather_row(g, t, 0, false);
}

static void write_range(void *context, uint64_t first, uint64_t end) {
    const Gather *g = context;
    for (uint64_t t = first; t < end; t++) gather_row(g, t, g->to->p[t], true);
}

static gbl_Info gather_cs(Gather *g, uint64_t nmajor) {
    const gb_CsView *view = &g->from->view;
    gb_Cs made = {.nmajor = nmajor, .iso = view->iso, .sorted = true}, *to = g->to;
    const size_t pbytes = gb_size_of(nmajor + 1, sizeof *made.p);
    *to = made;
    to->p = gb_malloc(pbytes);
    if (to->p == NULL) return gb_fail_memory(pbytes);
    const int threads = gb_threads_for(nmajor, GB_GRAIN, gb_nthreads());
    to->p[0] = 0;
    const gbl_Info info = gb_parallel_try_ranges(threads, nmajor, count_range, g);
    if (info != GBL_SUCCESS) return info;
    for (uint64_t t = 0; t < nmajor; t++) to->p[t + 1] += to->p[t];
    const uint64_t n = to->p[nmajor];
    to->nvals = n;
    if (n == 0) return GBL_SUCCESS;
    const size_t ibytes = gb_size_of(n, sizeof *to->i);
    to->xcap = gb_size_of(view->iso ? 1 : n, view->xsize);
    to->icap = n;
    to->i = gb_malloc(ibytes);
    to->x = to->i != NULL ? gb_malloc(to->xcap) : NULL;
    if (to->i == NULL || (to->x == NULL && to->xcap > 0)) return gb_fail_memory(ibytes + to->xcap);
    if (view->iso && view->xsize > 0) memcpy(to->x, view->x, view->xsize);
    return gb_parallel_try_ranges(threads, nmajor, write_range, g);
}

/* A bitmap or full array has its elements looked up: rows x cols of them. */
static gbl_Info gather_dense(gb_Cs *to, const gb_Matrix *A, const gb_RowLists *row_lists,
                             const uint64_t shape[2]) {
    const gb_Dense *dense = &A->dense;
    const size_t size = A->type->size;
    const bool vector = gb_is_vector(A);
    const uint64_t most = shape[0] * shape[1], nmajor = vector ? 1 : shape[0];
    gbl_Info info = gb_cs_alloc(to, nmajor, most, (dense->iso ? 1 : most) * size);
    if (info != GBL_SUCCESS) return info;
    uint64_t n = 0;
    for (uint64_t r = 0; r < shape[0]; r++) {
        if (!vector) to->p[r] = n;
        for (uint64_t c = 0; c < shape[1]; c++) {
            const uint64_t k = gb_flat_index(A, gb_row_list_at(row_lists->rows, r),
                                             vector ? 0 : gb_row_list_at(row_lists->cols, c));
            if (dense->b != NULL && !dense->b[k]) continue;
            if (!dense->iso && size > 0)
                memcpy((char *)to->x + n * size, (const char *)dense->x + k * size, size);
            to->i[n++] = (gb_Idx)(vector ? r : c);
        }
    }
    if (vector) to->p[0] = 0;
    to->p[nmajor] = n;
    to->nvals = n;
    to->iso = dense->iso;
    to->sorted = true;
    if (dense->iso && size > 0) memcpy(to->x, dense->x, size);
    return GBL_SUCCESS;
}

/* Whether fewer elements of a dense form are looked up than A has entries. */
static bool looks_up(const gb_Matrix *A, const uint64_t shape[2]) {
    size_t most;
    return A->hyper == NULL && gb_is_dense(A) && (gb_is_vector(A) || gb_only_dense(A)) &&
           gb_size_mul(&most, shape[0], shape[1]) && most <= A->nvals;
}

/* The form by rows where only rows are listed, by columns where only columns are, unless it is to
 * be made and its pointers would far outnumber the entries. */
static gbl_Info source_list(gb_List *list, gb_Matrix *A, const gb_RowLists *row_lists) {
    gb_Matrix *source = A->hyper != NULL ? A->hyper->core : A;
    *list = (gb_List){.format = GB_CSC};
    if (A->hyper != NULL) list->row_lists = (gb_RowLists){A->hyper->rows, A->hyper->cols};
    const bool rows = row_lists->rows != list->row_lists.rows;
    const bool cols = row_lists->cols != list->row_lists.cols;
    const gb_Format wanted = rows ? GB_CSR : GB_CSC;
    const bool may = (gb_has(source) & gb_has_bit(wanted)) ||
                     gb_nmajor(source, wanted) / GB_HYPER_FEW <= source->nvals;
    gbl_Info info = GBL_SUCCESS;
    if (!gb_is_vector(A) && rows != cols && may)
        list->format = wanted;
    else if (!gb_is_vector(A))
        info = gb_any_format(source, GB_CSR, &list->format);
    return info == GBL_SUCCESS ? gb_acquire_sorted(source, list->format, &list->view) : info;
}

gbl_Info gb_compact_list_minors(gb_Compact *compact, gb_RowList **list, const gb_RowList *within) {
    gb_Matrix *m = compact->m;
    const bool by_rows = (gb_has(m) & GBL_HAS_CSR) != 0;
    gb_Cs *cs = &m->cs[by_rows ? GB_CSR : GB_CSC];
    uint64_t *const minors = by_rows ? &m->ncols : &m->nrows;
    const size_t bytes = gb_size_of(m->nvals, sizeof(uint64_t));
    uint64_t *const wide = gb_malloc(bytes);
    if (wide == NULL && m->nvals > 0) return gb_fail_memory(bytes);
    for (uint64_t e = 0; e < m->nvals; e++) wide[e] = gb_row_list_at(within, cs->i[e]);
    const uint64_t dimension = within == NULL   ? *minors
                               : within->n == 0 ? 1
                                                : within->index[within->n - 1] + 1;
    const gbl_Info info = gb_row_list_of_lists(
        list, &(gb_RowListMerge){
                  .list = {wide}, .n = {m->nvals}, .positions = {cs->i}, .dimension = dimension});
    if (info == GBL_SUCCESS) *minors = (*list)->n;
    gb_free(wide, bytes);
    return info;
}

/* Listed rows of a matrix with updates that wait, which are not folded; *done: so it was. */
static gbl_Info gather_beside(gb_Compact *compact, gb_Matrix *A, const gb_RowLists *row_lists,
                              bool *done) {
    gb_Cs cs = {0};
    *done = false;
    if (gb_is_assembled(A) || row_lists->rows == NULL) return GBL_SUCCESS;
    gbl_Info info = gb_delta_rows(&compact->m, A, row_lists->rows);
    *done = compact->m != NULL;
    if (!*done || row_lists->cols == NULL || compact->m->nvals == 0) return info;
    gb_List list = {.format = GB_CSR};
    info = gb_acquire_sorted(compact->m, GB_CSR, &list.view);
    Gather g = {.from = &list, .minor = row_lists->cols, .to = &cs};
    if (info == GBL_SUCCESS) info = gather_cs(&g, list.view.nmajor);
    gb_matrix_clear(compact->m);
    compact->m->ncols = row_lists->cols->n;
    if (info == GBL_SUCCESS)
        gb_matrix_set_cs(compact->m, GB_CSR, &cs);
    else
        gb_cs_free(&cs);
    return info;
}

gbl_Info gb_compact_gather(gb_Compact *compact, gb_Matrix *A, const gb_RowLists *row_lists) {
    gb_List list;
    gb_Cs cs = {0};
    bool done;
    *compact = (gb_Compact){0};
    gbl_Info info = gather_beside(compact, A, row_lists, &done);
    if (info == GBL_SUCCESS && !done) info = gb_assemble(A);
    if (info != GBL_SUCCESS || done) return info;
    info = gb_compact_new(&compact->m, A, A->type, row_lists);
    if (info != GBL_SUCCESS || A->nvals == 0) return info;
    if (gb_is_full_iso(A)) return gb_matrix_fill(compact->m, A->type, A->dense.x);
    const uint64_t shape[2] = {compact->m->nrows, compact->m->ncols};
    if (looks_up(A, shape)) {
        list.format = gb_is_vector(A) ? GB_CSC : GB_CSR;
        info = gather_dense(&cs, A, row_lists, shape);
    } else {
        info = source_list(&list, A, row_lists);
        const bool by_rows = list.format == GB_CSR;
        Gather g = {.from = &list,
                    .from_major = by_rows ? list.row_lists.rows : list.row_lists.cols,
                    .from_minor = by_rows ? list.row_lists.cols : list.row_lists.rows,
                    .major = by_rows ? row_lists->rows : row_lists->cols,
                    .minor = by_rows ? row_lists->cols : row_lists->rows,
                    .to = &cs};
        const uint64_t nmajor = shape[by_rows ? 0 : 1], dimension = by_rows ? A->ncols : A->nrows;
        gb_Idx *const place = info == GBL_SUCCESS ? make_places(&g, nmajor, dimension) : NULL;
        g.place = place;
        if (info == GBL_SUCCESS) info = gather_cs(&g, nmajor);
        if (place != NULL) gb_free(place, dimension * sizeof *place);
    }
    if (info == GBL_SUCCESS) {
        gb_matrix_set_cs(compact->m, list.format, &cs);
    } else {
        gb_cs_free(&cs);
        gb_compact_release(compact);
    }
    return info;
}
