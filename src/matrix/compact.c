/* SPDX-License-Identifier: Apache-2.0
 *
 * See hyper.h. Writers replace the whole of a hypersparse content by a swap of one pointer, after
 * the last step that can fail.
 */
#include "matrix/hyper.h"

#include <string.h>

#include "core/arrays.h"
#include "core/context.h"

/* -- renumbering ------------------------------------------------------------------------------- */

/* The order is kept, so rows stay sorted, values stay where they are, and a matrix that is only
 * read shares its values, and what else does not change. Along pointers it is a merge of two row
 * lists, along indices a look-up of each. */

void gb_row_lists_release(gb_RowLists *row_lists) {
    gb_row_list_release(row_lists->rows);
    gb_row_list_release(row_lists->cols);
    *row_lists = (gb_RowLists){0};
}

/* -- rows and columns with entries */

static gbl_Info used_majors(gb_RowList **row_list, const gb_CsView *view) {
    uint64_t used = 0;
    for (uint64_t r = 0; r < view->nmajor; r++) used += view->p[r] != view->p[r + 1];
    const gbl_Info info = gb_row_list_new(row_list, used);
    if (info != GBL_SUCCESS) return info;
    used = 0;
    for (uint64_t r = 0; r < view->nmajor; r++)
        if (view->p[r] != view->p[r + 1]) (*row_list)->index[used++] = r;
    return GBL_SUCCESS;
}

/* By a bit for each index that there can be. */
static gbl_Info used_minors_by_bits(gb_RowList **row_list, const gb_CsView *view) {
    const uint64_t words = view->nminor / 64 + 1;
    uint64_t *bits = gb_calloc(words * sizeof *bits), n = 0;
    if (bits == NULL) return gb_fail_memory(words * sizeof *bits);
    for (uint64_t e = 0; e < view->nvals; e++)
        bits[view->i[e] / 64] |= (uint64_t)1 << (view->i[e] % 64);
    for (uint64_t w = 0; w < words; w++) n += (uint64_t)__builtin_popcountll(bits[w]);
    const gbl_Info info = gb_row_list_new(row_list, n);
    n = 0;
    for (uint64_t w = 0; info == GBL_SUCCESS && w < words; w++)
        for (uint64_t left = bits[w]; left != 0; left &= left - 1)
            (*row_list)->index[n++] = 64 * w + (uint64_t)__builtin_ctzll(left);
    gb_free(bits, words * sizeof *bits);
    return info;
}

/* By a sort. */
static gbl_Info used_minors_by_sort(gb_RowList **row_list, const gb_CsView *view) {
    const size_t bytes = gb_size_of(view->nvals, sizeof(uint64_t));
    uint64_t *list = gb_malloc(bytes);
    if (list == NULL) return gb_fail_memory(bytes);
    for (uint64_t e = 0; e < view->nvals; e++) list[e] = view->i[e];
    const gbl_Info info = gb_row_list_of_lists(
        row_list,
        &(gb_RowListMerge){.list = {list}, .n = {view->nvals}, .dimension = view->nminor});
    gb_free(list, bytes);
    return info;
}

static gbl_Info used_minors(gb_RowList **row_list, const gb_CsView *view) {
    if (view->nmajor == 1) { /* they ascend */
        const gbl_Info info = gb_row_list_new(row_list, view->nvals);
        for (uint64_t e = 0; info == GBL_SUCCESS && e < view->nvals; e++)
            (*row_list)->index[e] = view->i[e];
        return info;
    }
    return view->nminor / 64 <= view->nvals ? used_minors_by_bits(row_list, view)
                                            : used_minors_by_sort(row_list, view);
}

/* The rows and columns with entries, as numbers of the list; to be released. */
static gbl_Info row_lists_of_list(gb_RowLists *row_lists, const gb_List *list, bool vector) {
    const bool by_rows = list->format == GB_CSR;
    *row_lists = (gb_RowLists){0};
    if (vector) return used_minors(&row_lists->rows, &list->view);
    gbl_Info info = used_majors(by_rows ? &row_lists->rows : &row_lists->cols, &list->view);
    if (info == GBL_SUCCESS)
        info = used_minors(by_rows ? &row_lists->cols : &row_lists->rows, &list->view);
    if (info != GBL_SUCCESS) gb_row_lists_release(row_lists);
    return info;
}

/* -- renumbering */

/* One dimension before and after; NULL: every index is there. */
typedef struct {
    const gb_RowList *from, *to;
    uint64_t nfrom, nto; /* rows (or columns) of the compact forms */
} Rename;

static bool is_same(const Rename *r) {
    return r->from == r->to;
}

enum { RUN = 64 };

/* Two lists of which one has few more indices have long runs in common. */
static bool has_runs(const Rename *r) {
    return r->from != NULL && r->to != NULL && r->to->n <= r->from->n + r->from->n / RUN;
}

/* How many indices from k of r->from, and from t of r->to, are the same. */
static uint64_t run_of(const Rename *r, uint64_t k, uint64_t t) {
    const uint64_t *a = r->from->index + k, *b = r->to->index + t;
    const uint64_t left = r->from->n - k, n = left < r->to->n - t ? left : r->to->n - t;
    uint64_t same = 0;
    while (n - same >= RUN && a[same + RUN - 1] == b[same + RUN - 1] &&
           memcmp(a + same, b + same, RUN * sizeof *a) == 0)
        same += RUN;
    while (same < n && a[same] == b[same]) same++;
    return same;
}

/* New rows that were none are empty. */
static void rename_pointers(gb_Off *to, const gb_Off *from, const Rename *r) {
    const bool runs = has_runs(r);
    uint64_t k = 0, run;
    for (uint64_t t = 0; t < r->nto; t += (run > 0 ? run : 1)) {
        const uint64_t index = gb_row_list_at(r->to, t);
        if (r->from == NULL)
            k = index;
        else
            while (k < r->nfrom && r->from->index[k] < index) k++;
        to[t] = from[k];
        run = runs ? run_of(r, k, t) : 0;
        if (run > 0) memcpy(to + t, from + k, run * sizeof *to);
        k += run > 0 ? run : r->from != NULL && k < r->nfrom && r->from->index[k] == index;
    }
    to[r->nto] = from[r->nfrom];
}

typedef struct {
    const gb_Idx *from, *map; /* map: NULL, each is searched or named */
    gb_Idx *to;
    const Rename *r;
} Indices;

static void rename_range(void *context, uint64_t first, uint64_t end) {
    const Indices *in = context;
    const Rename *r = in->r;
    if (in->map != NULL) {
        for (uint64_t e = first; e < end; e++) in->to[e] = in->map[in->from[e]];
    } else if (r->to == NULL) {
        for (uint64_t e = first; e < end; e++) in->to[e] = (gb_Idx)r->from->index[in->from[e]];
    } else {
        for (uint64_t e = first; e < end; e++)
            in->to[e] = (gb_Idx)gb_row_list_find(r->to, gb_row_list_at(r->from, in->from[e]));
    }
}

/* map[k] = the new number of k; of indices that are not in the new row list, and so have no entry,
 * some number. */
static void fill_map(gb_Idx *map, const Rename *r) {
    const bool runs = has_runs(r);
    uint64_t t = 0, k = 0;
    while (k < r->nfrom && t < r->to->n) {
        const uint64_t index = gb_row_list_at(r->from, k), other = r->to->index[t];
        const uint64_t run = runs ? run_of(r, k, t) : 0;
        map[k] = (gb_Idx)t;
        for (uint64_t n = 1; n < run; n++) map[k + n] = (gb_Idx)(t + n);
        k += run > 0 ? run : index <= other;
        t += run > 0 ? run : other <= index;
    }
    for (; k < r->nfrom; k++) map[k] = (gb_Idx)t;
}

static gbl_Info rename_indices(gb_Idx *to, const gb_CsView *view, const Rename *r) {
    Indices in = {.from = view->i, .to = to, .r = r};
    const bool maps = r->to != NULL && r->nfrom / GB_MAP_WORTH <= view->nvals;
    const size_t bytes = maps ? r->nfrom * sizeof(gb_Idx) : 0;
    gb_Idx *map = gb_malloc(bytes);
    if (map == NULL && bytes > 0) return gb_fail_memory(bytes);
    if (maps) fill_map(map, r);
    in.map = map;
    gb_parallel_items(gb_nthreads(), view->nvals, rename_range, &in);
    gb_free(map, bytes);
    return GBL_SUCCESS;
}

/* The array, or a copy of it. */
static gbl_Info take(void *array, const void *from, size_t bytes, const void **lent, bool own) {
    void **const to = array;
    if (!own) {
        *to = (void *)(uintptr_t)from; /* nobody writes to it */
        *lent = from;
        return GBL_SUCCESS;
    }
    *to = gb_malloc(bytes);
    if (*to == NULL && bytes > 0) return gb_fail_memory(bytes);
    if (bytes > 0) memcpy(*to, from, bytes);
    return GBL_SUCCESS;
}

typedef struct {
    Rename major, minor;
    bool own;
} Renames;

static gbl_Info rename_cs(gb_Cs *out, gb_Compact *lent, const gb_CsView *in, const Renames *r) {
    const size_t pbytes = gb_size_of(r->major.nto + 1, sizeof *out->p);
    const size_t ibytes = gb_size_of(in->nvals, sizeof *out->i);
    *out = (gb_Cs){.nmajor = r->major.nto,
                   .nvals = in->nvals,
                   .icap = in->nvals,
                   .xcap = (in->iso ? 1 : in->nvals) * in->xsize,
                   .iso = in->iso,
                   .sorted = true};
    gbl_Info info = GBL_SUCCESS;
    if (is_same(&r->major)) {
        info = take(&out->p, in->p, pbytes, &lent->p, r->own);
    } else {
        out->p = gb_malloc(pbytes);
        if (out->p == NULL) return gb_fail_memory(pbytes);
        rename_pointers(out->p, in->p, &r->major);
    }
    if (info == GBL_SUCCESS && is_same(&r->minor)) {
        info = take(&out->i, in->i, ibytes, &lent->i, r->own);
    } else if (info == GBL_SUCCESS) {
        out->i = gb_malloc(ibytes);
        info = out->i == NULL ? gb_fail_memory(ibytes) : rename_indices(out->i, in, &r->minor);
    }
    return info == GBL_SUCCESS ? take(&out->x, in->x, out->xcap, &lent->x, r->own) : info;
}

void gb_compact_forget(gb_Cs *cs, const gb_Compact *compact) {
    if (cs->p == compact->p) cs->p = NULL;
    if (cs->i == compact->i) cs->i = NULL;
    if (cs->x == compact->x) cs->x = NULL;
}

static uint64_t length_of(const gb_RowList *row_list, uint64_t dimension) {
    return row_list == NULL ? dimension : row_list->n;
}

gbl_Info gb_compact_new(gb_Matrix **core, const gb_Matrix *A, gb_Type *type,
                        const gb_RowLists *row_lists) {
    return gb_matrix_new(core, A->magic, type, length_of(row_lists->rows, A->nrows),
                         length_of(row_lists->cols, A->ncols));
}

/* compact->m, which is new and has the row lists, gets the entries of the list. The row lists have
 * all indices with entries. */
static gbl_Info compact_of_list(gb_Compact *compact, const gb_List *list,
                                const gb_RowLists *row_lists, bool own) {
    gb_Matrix *to = compact->m;
    gb_Cs cs = {0};
    const uint64_t nmajor = list->view.nmajor, nminor = list->view.nminor;
    const bool by_rows = list->format == GB_CSR;
    /* a vector is one list: its rows are the minor indices */
    const Rename rows = {list->row_lists.rows, row_lists->rows, by_rows ? nmajor : nminor,
                         to->nrows};
    const Rename cols = {list->row_lists.cols, row_lists->cols, by_rows ? nminor : nmajor,
                         to->ncols};
    const Renames renames = {by_rows ? rows : cols, by_rows ? cols : rows, own};
    const gbl_Info info = rename_cs(&cs, compact, &list->view, &renames);
    if (info == GBL_SUCCESS) {
        gb_matrix_set_cs(to, list->format, &cs);
    } else {
        gb_compact_forget(&cs, compact);
        gb_cs_free(&cs);
    }
    return info;
}

void gb_compact_release(gb_Compact *compact) {
    if (compact->m != NULL && compact->lent == NULL) {
        for (gb_Format format = GB_CSR; format <= GB_CSC; format++) {
            gb_compact_forget(&compact->m->cs[format], compact);
            gb_cs_free(&compact->m->cs[format]);
        }
        gb_matrix_free(compact->m);
    }
    *compact = (gb_Compact){0};
}

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

gbl_Info gb_row_lists_of(gb_RowLists *row_lists, gb_Matrix *A) {
    gb_List list;
    *row_lists = (gb_RowLists){0};
    if (A->hyper != NULL) {
        row_lists->rows = gb_row_list_retain(A->hyper->rows);
        row_lists->cols = gb_row_list_retain(A->hyper->cols);
        return GBL_SUCCESS;
    }
    if (A->nvals == 0) {
        const gbl_Info info = gb_row_list_new(&row_lists->rows, 0);
        if (!gb_is_vector(A)) row_lists->cols = gb_row_list_retain(row_lists->rows);
        return info;
    }
    const gbl_Info info = any_list(&list, A);
    return info == GBL_SUCCESS ? row_lists_of_list(row_lists, &list, gb_is_vector(A)) : info;
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
        if (info == GBL_SUCCESS) info = compact_of_list(compact, &list, row_lists, own);
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
            gb_matrix_move_note(compact.m, *core);
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

gbl_Info gb_hyper_new(gb_Hyper **hyper, gb_RowLists *row_lists, gb_Matrix *core) {
    *hyper = gb_malloc(sizeof **hyper);
    if (*hyper == NULL) {
        gb_row_lists_release(row_lists);
        gb_matrix_free(core);
        return gb_fail_memory(sizeof **hyper);
    }
    **hyper = (gb_Hyper){row_lists->rows, row_lists->cols, core};
    *row_lists = (gb_RowLists){0};
    return GBL_SUCCESS;
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
    gb_matrix_move_note(A, core);
    return GBL_SUCCESS;
}

static gbl_Info set_hyper(gb_Matrix *A, gb_RowLists *row_lists, gb_Matrix **core) {
    gb_Hyper *hyper;
    trim(A, row_lists, core);
    const gbl_Info info = gb_hyper_new(&hyper, row_lists, *core);
    *core = NULL;
    if (info != GBL_SUCCESS) return info;
    gb_matrix_clear(A);
    gb_matrix_swap_hyper(A, hyper);
    return GBL_SUCCESS;
}

gbl_Info gb_hyper_set_if(gbl_Info info, gb_Matrix *A, gb_RowLists *row_lists, gb_Matrix *core) {
    if (info == GBL_SUCCESS) info = gb_assemble(core);
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

gbl_Info gb_hyper_set(gb_Matrix *A, gb_RowLists *row_lists, gb_Matrix *core) {
    return gb_hyper_set_if(GBL_SUCCESS, A, row_lists, core);
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
