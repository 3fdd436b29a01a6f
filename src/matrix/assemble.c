/* SPDX-License-Identifier: Apache-2.0
 *
 * Pending updates and sorted rows become new sorted rows, in one pass over both.
 *
 * The updates are sorted by position and only the last one of each position stays: those are the
 * edits, at most one per position. Edit d stands in front of the old entry at[d].entry, or on it
 * when at[d].hit. With grown[d] = entries that the edits before d add (less those they remove), old
 * entry e goes to e + grown[d] for the first edit d behind it, so that runs between edits are plain
 * copies and any part of the output can be written on its own. Updates that only change the values
 * of sorted entries are written in place instead.
 */
#include "kernel_api/backend.h"
#include "core/arrays.h"
#include "matrix/hyper.h"
#include "matrix/radix.h"
#include "matrix/updates.h"

/* Where an edit goes: in front of the old entry, or onto it. */
typedef struct {
    uint64_t entry : 63, hit : 1;
} Target;

typedef struct {
    const gb_Pending *list;
    gb_Format format;
    uint64_t nmajor;
    int minor_bits;
    size_t size;     /* bytes of a value */
    gb_CsView old;   /* sorted; p is NULL when there are no entries */
    gb_Record *edit; /* [n] key: position; load: number in the list << 1 | keep */
    Target *at;      /* [n] */
    int64_t *grown;  /* [n + 1] */
    uint64_t n;      /* edits */
    gb_Cs out;
    int threads;
    uint64_t nparts;
} Merge;

static void read_updates(const void *input, uint64_t first, size_t count, uint64_t *keys,
                         uint64_t *loads) {
    const Merge *m = input;
    const gb_Idx *major = (m->format == GB_CSR ? m->list->row : m->list->col) + first;
    const gb_Idx *minor = (m->format == GB_CSR ? m->list->col : m->list->row) + first;
    for (size_t k = 0; k < count; k++) keys[k] = (uint64_t)major[k] << m->minor_bits | minor[k];
    for (size_t k = 0; loads != NULL && k < count; k++)
        loads[k] = (first + k) << 1 | (uint64_t)m->list->keep[first + k];
}

/* Of equal positions the last update stays. */
static void drop_overwritten(Merge *m) {
    uint64_t kept = 0;
    for (uint64_t k = 0; k < m->n; k++) {
        if (k + 1 < m->n && m->edit[k].key == m->edit[k + 1].key) continue;
        m->edit[kept++] = m->edit[k];
    }
    m->n = kept;
}

static uint64_t major_of(const Merge *m, uint64_t d) {
    return m->edit[d].key >> m->minor_bits;
}

static gb_Idx minor_of(const Merge *m, uint64_t d) {
    return (gb_Idx)(m->edit[d].key & (((uint64_t)1 << m->minor_bits) - 1));
}

static bool keeps(const Merge *m, uint64_t d) {
    return m->edit[d].load & 1;
}

static const char *edit_value(const Merge *m, uint64_t d) {
    return m->list->x + (m->edit[d].load >> 1) * m->size;
}

static void locate_range(void *context, uint64_t first, uint64_t end) {
    Merge *m = context;
    for (uint64_t d = first; d < end; d++) {
        uint64_t first_entry = 0, row_end = 0;
        if (m->old.p != NULL) {
            first_entry = m->old.p[major_of(m, d)];
            row_end = m->old.p[major_of(m, d) + 1];
        }
        const gb_Idx minor = minor_of(m, d);
        const uint64_t at = gb_first_at_least(m->old.i, first_entry, row_end, minor);
        m->at[d].entry = at & (UINT64_MAX >> 1);
        m->at[d].hit = at < row_end && m->old.i[at] == minor;
    }
}

static gbl_Info locate(Merge *m) {
    const gbl_Info info = gb_parallel_try_ranges(m->threads, m->n, locate_range, m);
    if (info != GBL_SUCCESS) return info;
    int64_t sum = 0;
    for (uint64_t d = 0; d < m->n; d++) {
        m->grown[d] = sum;
        sum += keeps(m, d) - (int)m->at[d].hit;
    }
    m->grown[m->n] = sum;
    return GBL_SUCCESS;
}

/* Whether one value for all still does. */
static bool stays_iso(const Merge *m) {
    bool same = m->old.iso && m->old.nvals > 0;
    for (uint64_t d = 0; same && d < m->n; d++)
        same = !keeps(m, d) || memcmp(edit_value(m, d), m->old.x, m->size) == 0;
    return same;
}

/* Border of part t: the first edit and the first old entry of it. */
typedef struct {
    uint64_t edit, entry;
} Border;

static Border border(const Merge *m, uint64_t t) {
    const uint64_t work = gb_part(m->old.nvals + m->n, t, m->nparts);
    if (t == m->nparts) return (Border){m->n, m->old.nvals};
    const uint64_t low = GB_FIRST(d, 0, m->n, m->at[d].entry + d >= work);
    uint64_t entry = work - low;
    if (low > 0 && m->at[low - 1].entry + m->at[low - 1].hit > entry)
        entry = m->at[low - 1].entry + m->at[low - 1].hit;
    return (Border){low, entry};
}

static void copy_entries(const Merge *m, uint64_t to, uint64_t from, uint64_t end) {
    if (from == end) return;
    memcpy(m->out.i + to, m->old.i + from, (end - from) * sizeof(gb_Idx));
    if (m->out.iso) return;
    char *x = (char *)m->out.x + to * m->size;
    if (m->old.iso) {
        gb_fill(x, m->old.x, m->size, end - from);
    } else {
        memcpy(x, (const char *)m->old.x + from * m->size, (end - from) * m->size);
    }
}

static void write_part(const Merge *m, uint64_t t) {
    const Border first = border(m, t), end = border(m, t + 1);
    uint64_t entry = first.entry;
    uint64_t to = (uint64_t)((int64_t)entry + m->grown[first.edit]);
    for (uint64_t d = first.edit; d < end.edit; d++) {
        copy_entries(m, to, entry, m->at[d].entry);
        to += m->at[d].entry - entry;
        entry = m->at[d].entry + m->at[d].hit;
        if (!keeps(m, d)) continue;
        m->out.i[to] = minor_of(m, d);
        if (!m->out.iso) memcpy((char *)m->out.x + to * m->size, edit_value(m, d), m->size);
        to++;
    }
    copy_entries(m, to, entry, end.entry);
}

static void write_pointers(const Merge *m, uint64_t first, uint64_t end) {
    uint64_t low = GB_FIRST(d, 0, m->n, major_of(m, d) >= first);
    for (uint64_t row = first; row < end; row++) {
        while (low < m->n && major_of(m, low) < row) low++;
        const uint64_t before = m->old.p == NULL ? 0 : m->old.p[row];
        m->out.p[row] = (uint64_t)((int64_t)before + m->grown[low]);
    }
}

static void write_entries_and_pointers(void *context, uint64_t t) {
    Merge *m = context;
    const uint64_t n = m->nmajor + 1;
    write_part(m, t);
    write_pointers(m, gb_part(n, t, m->nparts), gb_part(n, t + 1, m->nparts));
}

static gbl_Info write_merged(Merge *m) {
    const uint64_t nvals = (uint64_t)((int64_t)m->old.nvals + m->grown[m->n]);
    const bool iso = stays_iso(m);
    const size_t xbytes = gb_size_of(iso && nvals > 0 ? 1 : nvals, m->size);
    gbl_Info info = gb_cs_alloc(&m->out, m->nmajor, nvals, xbytes);
    if (info != GBL_SUCCESS) return info;
    m->out.iso = iso;
    if (iso && nvals > 0) memcpy(m->out.x, m->old.x, m->size);
    info = gb_parallel_try(m->threads, m->nparts, write_entries_and_pointers, m);
    if (info != GBL_SUCCESS) gb_cs_free(&m->out);
    return info;
}

/* m->old: the content in the format that it has, sorted; `sorted` owns the arrays when they had to
 * be sorted for this. */
static gbl_Info view_old(Merge *m, const gb_Matrix *A, gb_Cs *sorted) {
    if (A->nvals == 0) return GBL_SUCCESS;
    m->old = gb_cs_view(&A->cs[m->format], gb_nminor(A, m->format), m->size);
    if (m->old.sorted) return GBL_SUCCESS;
    const gbl_Info info = gb_backend()->sort_rows(&m->old, sorted, gb_nthreads());
    if (info == GBL_SUCCESS) m->old = gb_cs_view(sorted, gb_nminor(A, m->format), m->size);
    return info;
}

/* The updates only change values of entries that exist. */
static bool only_values(const Merge *m, bool lent) {
    bool only = !m->old.iso && !lent;
    for (uint64_t d = 0; only && d < m->n; d++) only = keeps(m, d) && m->at[d].hit;
    return only;
}

/* Nobody holds a view of arrays that updates are waiting for, so values may change in place. */
static void overwrite_values(gb_Matrix *A, const Merge *m) {
    gb_matrix_keep_only(A, gb_has_bit(m->format));
    char *x = A->cs[m->format].x;
    for (uint64_t d = 0; d < m->n; d++)
        memcpy(x + m->at[d].entry * m->size, edit_value(m, d), m->size);
}

static void commit(gb_Matrix *A, gb_Format format, gb_Cs *arrays) {
    gb_matrix_keep_only(A, 0);
    A->nvals = arrays->nvals;
    A->iso = arrays->nvals > 0 && arrays->iso;
    if (arrays->nvals == 0) {
        gb_cs_free(arrays);
        return;
    }
    A->cs[format] = *arrays;
    __atomic_store_n(&A->has, gb_has_bit(format), __ATOMIC_RELEASE);
}

gbl_Info gb_merge_pending(gb_Matrix *A) {
    const gb_Pending *list = A->pending;
    const gb_Format usual = gb_is_vector(A) ? GB_CSC : GB_CSR;
    const gb_Format other = gb_other(usual);
    const bool tall = A->nvals == 0 && !gb_is_vector(A) && A->nrows > GB_HYPER_LEAST &&
                      A->nrows / GB_HYPER_FEW > A->ncols + list->n;
    Merge m = {.list = list,
               .format = tall || (A->has & GB_HAS_LISTS) == gb_has_bit(other) ? other : usual,
               .size = A->type->size,
               .n = list->n};
    m.nmajor = gb_nmajor(A, m.format);
    m.minor_bits = gb_bits_below(gb_nminor(A, m.format));
    m.threads = gb_threads_for(list->n + A->nvals + m.nmajor, GB_GRAIN, gb_nthreads());
    m.nparts = (uint64_t)gb_parts_for(m.threads);
    const gb_RecordInput updates = {.read = read_updates,
                                    .input = &m,
                                    .n = list->n,
                                    .bits = m.minor_bits + gb_bits_below(m.nmajor)};
    gb_Cs sorted = {0};
    const size_t bytes = gb_size_of(list->n + 1, sizeof *m.edit + sizeof *m.at + sizeof *m.grown);
    char *block = gb_malloc(bytes);
    if (block == NULL) return gb_fail_memory(bytes);
    m.edit = (gb_Record *)(void *)block;
    m.at = (Target *)(m.edit + list->n + 1);
    m.grown = (int64_t *)(m.at + list->n + 1);
    gbl_Info info = gb_records_sort(m.edit, &updates, gb_nthreads());
    if (info == GBL_SUCCESS) info = view_old(&m, A, &sorted);
    if (info != GBL_SUCCESS) goto done;
    drop_overwritten(&m);
    info = locate(&m);
    if (info != GBL_SUCCESS) goto done;
    if (sorted.p == NULL && only_values(&m, gb_is_lent(A->cs[m.format].lender))) {
        overwrite_values(A, &m);
        goto done;
    }
    info = write_merged(&m);
    if (info == GBL_SUCCESS) commit(A, m.format, &m.out);

done:
    gb_cs_free(&sorted);
    gb_free(block, bytes);
    return info;
}

/* -- hypersparse objects ----------------------------------------------------------------------- */

/* The row lists that A has with the rows and columns of its updates, and positions in these. */
typedef struct {
    gb_RowLists row_lists;
    uint64_t *row, *col; /* [n] positions; col: NULL for vectors */
} Updates;

static gbl_Info row_list_with(gb_RowList **row_list, gb_RowList *old, gb_RowListMerge *lists) {
    gb_RowList *fresh;
    gbl_Info info = gb_row_list_of_lists(&fresh, lists);
    if (info != GBL_SUCCESS) return info;
    info = gb_row_list_unite(row_list, (gb_RowList *[]){old, fresh}, 2);
    gb_row_list_release(fresh);
    return info;
}

/* u->row and u->col hold indices, and then positions. */
static gbl_Info unite_updates(Updates *u, const gb_Matrix *A, uint64_t n) {
    const gb_Hyper *old = A->hyper;
    gb_RowList *rows = old != NULL ? old->rows : NULL, *cols = old != NULL ? old->cols : NULL;
    const bool vector = gb_is_vector(A), shared = !vector && A->nrows == A->ncols && rows == cols;
    gb_RowListMerge lists = {
        .list = {u->row, u->col}, .n = {n, shared ? n : 0}, .dimension = A->nrows};
    gbl_Info info = row_list_with(&u->row_lists.rows, rows, &lists);
    if (info == GBL_SUCCESS && shared) {
        u->row_lists.cols = gb_row_list_retain(u->row_lists.rows);
    } else if (info == GBL_SUCCESS && !vector) {
        lists = (gb_RowListMerge){.list = {u->col}, .n = {n}, .dimension = A->ncols};
        info = row_list_with(&u->row_lists.cols, cols, &lists);
    }
    for (uint64_t k = 0; info == GBL_SUCCESS && k < n; k++) {
        u->row[k] = gb_row_list_find(u->row_lists.rows, u->row[k]);
        if (!vector) u->col[k] = gb_row_list_find(u->row_lists.cols, u->col[k]);
    }
    return info;
}

/* Arrays that the compact matrix shares are read only. */
static gbl_Info merge_lent(gb_Compact *compact) {
    gb_Matrix *const to = compact->m;
    const gb_Format format = gb_has(to) & GBL_HAS_CSR ? GB_CSR : GB_CSC;
    gb_Cs shared = to->cs[format];
    if (to->nvals == 0 || shared.x != compact->x) return gb_assemble_pending(to);
    gb_Lender others = {.holders = 2};
    to->cs[format].lender = &others;
    const gbl_Info info = gb_merge_pending(to);
    if (info == GBL_SUCCESS) {
        gb_pending_clear(to);
        gb_compact_forget(&shared, compact);
        gb_cs_free(&shared);
    } else {
        to->cs[format].lender = NULL;
    }
    return info;
}

/* The content of A with its updates, as a compact matrix of these row lists. */
static gbl_Info apply_updates(gb_Compact *compact, gb_Matrix *A, const Updates *u) {
    const gb_Pending *list = A->pending;
    const gb_Hyper *old = A->hyper;
    const bool own =
        old != NULL && old->rows == u->row_lists.rows && old->cols == u->row_lists.cols;
    gbl_Info info = gb_compact_get(compact, A, &u->row_lists, own);
    if (info != GBL_SUCCESS) return info;
    for (uint64_t k = 0; info == GBL_SUCCESS && k < list->n; k++) {
        const void *x = list->keep[k] ? list->x + k * A->type->size : NULL;
        info = gb_pending_append(compact->m, u->row[k], u->col != NULL ? u->col[k] : 0, x);
    }
    if (info == GBL_SUCCESS) info = merge_lent(compact);
    if (info != GBL_SUCCESS) gb_compact_release(compact);
    return info;
}

/* The content becomes that of an ordinary object: so many entries that pointers to all rows are
 * little beside them. */
static gbl_Info replace_by_ordinary(gb_Matrix *A, const gb_RowLists *row_lists, gb_Matrix *core) {
    gb_Hyper held = {row_lists->rows, row_lists->cols, core};
    gb_Matrix like = gb_like_hyper(A, &held);
    gb_Format format;
    gb_Cs cs;
    const gbl_Info info = gb_compact_expand(&cs, &format, &like);
    if (info == GBL_SUCCESS) {
        gb_matrix_keep_only(A, 0);
        gb_matrix_swap_hyper(A, NULL);
        commit(A, format, &cs);
        gb_pending_clear(A);
    }
    gb_matrix_free(core);
    return info;
}

/* The content without its updates is replaced; what waits is cleared last, since readers that see
 * no updates do not wait. */
static gbl_Info replace_content(gb_Matrix *A, gb_RowLists *row_lists, gb_Matrix *core) {
    gb_Hyper *hyper = NULL;
    gbl_Info info = GBL_SUCCESS;
    /* twice as many as a new object may have and be hypersparse, so that updates around the limit
     * do not convert it each time */
    if (!gb_suits_hyper(A, core->nvals / 2)) return replace_by_ordinary(A, row_lists, core);
    if (core->nvals > 0)
        info = gb_hyper_new(&hyper, row_lists, core);
    else
        gb_matrix_free(core);
    if (info != GBL_SUCCESS) return info;
    gb_matrix_keep_only(A, 0);
    gb_matrix_swap_hyper(A, hyper);
    gb_pending_clear(A);
    return GBL_SUCCESS;
}

gbl_Info gb_hyper_assemble(gb_Matrix *A) {
    const gb_Pending *list = A->pending;
    const uint64_t n = list->n;
    const bool vector = gb_is_vector(A);
    const size_t bytes = gb_size_of(n, 2 * sizeof(uint64_t));
    uint64_t *positions = gb_malloc(bytes);
    if (positions == NULL) return gb_fail_memory(bytes);
    Updates u = {.row = positions, .col = vector ? NULL : positions + n};
    gb_Compact compact = {0};
    for (uint64_t k = 0; k < n; k++) {
        positions[k] = gb_pending_row(list, k);
        positions[n + k] = gb_pending_col(list, k);
    }
    gbl_Info info = unite_updates(&u, A, n);
    if (info == GBL_SUCCESS) info = apply_updates(&compact, A, &u);
    if (info == GBL_SUCCESS) info = replace_content(A, &u.row_lists, compact.m);
    gb_row_lists_release(&u.row_lists);
    gb_free(positions, bytes);
    return info;
}
