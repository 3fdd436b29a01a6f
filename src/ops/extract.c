/* SPDX-License-Identifier: Apache-2.0
 *
 * extract.
 *
 * A matrix held by columns is read by columns, with I and J exchanged, and the result has that form
 * too. Where both forms exist, the one of which I or J select the smaller share is read; it is made
 * once calls have spent as much time without it (gb_repays). A dense matrix is read in segments,
 * each within a row of the result: consecutive columns are copied, others are gathered in batches.
 *
 * From vectors indices are read in blocks, and become positions of the values of u: the same where
 * u is dense, found by binary search where it is sparse. Blocks are independent. The result is
 * dense where the indices are, and has no more entries than there are indices where they are not.
 */
#include "ops/operations.h"

#include "ops/entry_list.h"

/* -- parts of a dense matrix */

typedef struct {
    const gb_Extract *call;
    gb_DenseView A;
    uint64_t by_row, by_column; /* strides of op(A) */
    bool adjacent;              /* the columns follow each other in A's arrays */
    gb_Dense *T;
    uint64_t nvals; /* atomic */
} Part;

static uint64_t index_of(const gb_Indices *list, uint64_t k) {
    return list->all ? k : list->i[k];
}

static bool ascends_by_one(const gb_Indices *list) {
    bool ascends = true;
    for (uint64_t k = 1; !list->all && ascends && k < list->n; k++)
        ascends = list->i[k] == list->i[k - 1] + 1;
    return ascends;
}

/* Elements to .. to + n - 1 of the result, which begin at column j; `row` is the offset of their
 * row in A. */
static void copy_segment(const Part *part, uint64_t to, uint64_t row, uint64_t j, uint64_t n) {
    const size_t size = part->A.iso ? 0 : part->A.xsize;
    const uint64_t from = row + index_of(&part->call->J, j);
    if (size > 0)
        memcpy((char *)part->T->x + to * size, (const char *)part->A.x + from * size, n * size);
    if (part->A.b != NULL) memcpy(part->T->b + to, part->A.b + from, n);
}

static void gather_segment(const Part *part, uint64_t to, uint64_t row, uint64_t j, uint64_t n) {
    const size_t size = part->A.xsize;
    for (uint64_t first = 0; first < n; first += GB_BATCH) {
        uint64_t at[GB_BATCH];
        const size_t count = n - first < GB_BATCH ? n - first : GB_BATCH;
        for (size_t k = 0; k < count; k++)
            at[k] = row + index_of(&part->call->J, j + first + k) * part->by_column;
        if (!part->A.iso)
            gb_gather((char *)part->T->x + (to + first) * size, part->A.x, at, size, count);
        for (size_t k = 0; part->A.b != NULL && k < count; k++)
            part->T->b[to + first + k] = part->A.b[at[k]];
    }
}

/* Elements first .. end - 1 of the result. */
static void take_range(void *context, uint64_t first, uint64_t end) {
    Part *part = context;
    const uint64_t columns = part->call->J.n;
    uint64_t present = 0;
    for (uint64_t to = first; to < end;) {
        const uint64_t i = to / columns, j = to % columns;
        const uint64_t n = columns - j < end - to ? columns - j : end - to;
        const uint64_t row = index_of(&part->call->I, i) * part->by_row;
        if (part->adjacent)
            copy_segment(part, to, row, j, n);
        else
            gather_segment(part, to, row, j, n);
        to += n;
    }
    for (uint64_t k = first; part->A.b != NULL && k < end; k++) present += (uint64_t)part->T->b[k];
    __atomic_fetch_add(&part->nvals, present, __ATOMIC_RELAXED);
}

/* Whether A has only the dense form, and the part has no more elements than indices reach, nor,
 * unless A is well filled, than A: index lists may repeat indices, and a dense part of few entries
 * would take many times the memory of a sparse one. */
static bool is_dense_part(const gb_Extract *call) {
    const gb_Matrix *A = call->A;
    const uint64_t m = call->I.n, n = call->J.n, size = gb_flat_size(A);
    if (!gb_only_dense(A) || m == 0 || n == 0 || m > GB_COMPACT_MAX / n) return false;
    if (m <= size / n) return true;
    const uint64_t entries = (uint64_t)((unsigned __int128)A->nvals * (m * n) / size);
    return gb_fills_dense(entries, m * n, A->type->size);
}

/* T = the part, row after row: dense, as that of a matrix of I.n x J.n or, with one column, of a
 * vector. A has entries. O(I.n * J.n). */
static gbl_Info extract_dense(gb_Result *T, const gb_Extract *call) {
    Part part = {.call = call, .T = &T->dense};
    const uint64_t size = call->I.n * call->J.n, width = call->A->ncols;
    gbl_Info info = gb_acquire_dense(call->A, &part.A);
    if (info != GBL_SUCCESS) return info;
    const size_t xbytes = gb_size_of(part.A.iso ? 1 : size, part.A.xsize);
    part.by_row = call->transpose ? 1 : width;
    part.by_column = call->transpose ? width : 1;
    part.adjacent = part.by_column == 1 && ascends_by_one(&call->J);
    info = gb_dense_alloc(&T->dense, size, xbytes, part.A.b != NULL);
    if (info != GBL_SUCCESS) return info;
    info = gb_parallel_try_items(gb_nthreads(), size, take_range, &part);
    if (part.A.iso) memcpy(T->dense.x, part.A.x, part.A.xsize);
    T->is_dense = true;
    T->dense.iso = part.A.iso;
    T->dense.nvals = part.A.b != NULL ? part.nvals : size;
    return info;
}

/* -- parts of a matrix by rows or columns */

/* The share of n that an index list selects. */
static double share(const gb_Indices *list, uint64_t n) {
    return list->all || n == 0 ? 1.0 : (double)list->n / (double)n;
}

/* Every entry is looked at: its row is wanted, and one column is. */
static bool is_one_of_all(const gb_Indices *minor, const gb_Indices *major) {
    return minor->n == 1 && major->all;
}

/* *format: of the result, rows of it from rows of the view; A has entries. */
static gbl_Info open_matrix(gb_CsView *view, gb_Format *format, const gb_Extract *call) {
    gb_Matrix *A = call->A;
    const uint64_t m = call->transpose ? A->ncols : A->nrows;
    const uint64_t n = call->transpose ? A->nrows : A->ncols;
    const double rows = share(&call->I, m), columns = share(&call->J, n);
    const bool by_columns = columns < rows;
    const gb_Format wanted = by_columns != call->transpose ? GB_CSC : GB_CSR;
    gb_Format held;
    gbl_Info info = gb_any_format(A, wanted, &held);
    if (info == GBL_SUCCESS && held != wanted) {
        const double searched = by_columns ? rows * (double)m : columns * (double)n;
        const double copied = fmin(rows, columns) * (double)A->nvals;
        const bool one =
            is_one_of_all(by_columns ? &call->J : &call->I, by_columns ? &call->I : &call->J);
        const double ns =
            one ? GB_NS_EXTRACT_ENTRY * (double)A->nvals : GB_NS_EXTRACT_ROW * searched;
        if (gb_repays(A, wanted, ns - copied)) held = wanted;
    }
    if (info == GBL_SUCCESS) info = gb_acquire_sorted(A, held, view);
    *format = call->transpose ? gb_other(held) : held;
    return info;
}

/* T = the rows and columns that are listed. */
static gbl_Info take_submatrix(gb_Result *T, const gb_Extract *call) {
    gb_CsView view;
    gb_IndexMap columns;
    gbl_Info info = gb_assemble(call->A);
    if (info != GBL_SUCCESS || call->A->nvals == 0 || call->I.n == 0 || call->J.n == 0) return info;
    if (is_dense_part(call)) return extract_dense(T, call);
    info = open_matrix(&view, &T->format, call);
    if (info != GBL_SUCCESS) return info;
    const bool by_rows = T->format == GB_CSR;
    const gb_Indices *major = by_rows ? &call->I : &call->J, *minor = by_rows ? &call->J : &call->I;
    if (is_one_of_all(minor, major)) {
        T->format = gb_other(T->format);
        return gb_backend()->extract_column(&view, (gb_Idx)index_of(minor, 0), &T->cs,
                                            gb_nthreads());
    }
    const double lookups = share(major, view.nmajor) * (double)view.nvals;
    const gb_IndexMap rows = gb_index_list(major, view.nmajor);
    info = gb_index_map_make(&columns, minor, view.nminor, gb_to_u64(lookups));
    const gb_ExtractArgs args = {.rows = &rows, .columns = &columns, .nthreads = gb_nthreads()};
    if (info == GBL_SUCCESS) info = gb_backend()->extract(&args, &view, &T->cs);
    gb_index_map_free(&columns);
    return info;
}

/* -- elements of a vector */

typedef struct {
    gb_Indices64 indices;
    uint64_t n;      /* how many */
    const int8_t *b; /* [n] whether the index exists, or NULL: everywhere */
    gb_MapSource u;
    const void *values; /* of u; one where it is iso */
    bool iso;
    uint64_t limit; /* length of u */
    size_t size;    /* of a value */
    int8_t *found;  /* [n] out, or NULL: all are */
    char *x;        /* [n] out, values where found; unused when u is iso */
    uint64_t kept;  /* atomic, out: how many were found */
    uint64_t wrong; /* atomic, out: the first position of an index that u does not have, or n */
} Gather;

/* Position of u's element `index` among the values of u; UINT64_MAX if absent. */
static inline uint64_t look_up(const Gather *g, uint64_t index) {
    const gb_MapSource *u = &g->u;
    if (u->is_empty) return UINT64_MAX;
    if (u->is_dense) return u->dense.b == NULL || u->dense.b[index] ? index : UINT64_MAX;
    const uint64_t k = gb_first_at_least(u->cs.i, 0, u->cs.nvals, index);
    return k < u->cs.nvals && u->cs.i[k] == index ? k : UINT64_MAX;
}

static void gather_block(Gather *g, uint64_t first, uint64_t end) {
    uint64_t kept = 0;
    for (; first < end; first += GB_BATCH) {
        uint64_t at[GB_BATCH];
        const size_t count = end - first < GB_BATCH ? end - first : GB_BATCH;
        gb_indices_read(&g->indices, first, count, at);
        for (size_t k = 0; k < count; k++) {
            const bool present = g->b == NULL || g->b[first + k];
            if (present && at[k] >= g->limit) {
                gb_note_least(&g->wrong, first + k);
                return;
            }
            at[k] = present ? look_up(g, at[k]) : UINT64_MAX;
            g->found[first + k] = at[k] != UINT64_MAX;
            kept += at[k] != UINT64_MAX;
        }
        if (!g->iso && !g->u.is_empty)
            gb_gather(g->x + first * g->size, g->values, at, g->size, count);
    }
    __atomic_fetch_add(&g->kept, kept, __ATOMIC_RELAXED);
}

/* The same where u is full and every index exists: no lookup. */
static void gather_full(Gather *g, uint64_t first, uint64_t end) {
    for (; first < end; first += GB_BATCH) {
        uint64_t space[GB_BATCH];
        const size_t count = end - first < GB_BATCH ? end - first : GB_BATCH;
        const uint64_t *at = gb_indices_view(&g->indices, first, count, space);
        bool fit = true;
        for (size_t k = 0; k < count; k++) fit &= at[k] < g->limit;
        for (size_t k = 0; !fit && k < count; k++)
            if (at[k] >= g->limit) gb_note_least(&g->wrong, first + k);
        if (!fit) return;
        if (!g->iso) gb_gather(g->x + first * g->size, g->values, at, g->size, count);
    }
}

static void run_gather(void *context, uint64_t b) {
    Gather *g = context;
    const uint64_t from = b * GB_GRAIN;
    const uint64_t end = g->n - from < GB_GRAIN ? g->n : from + GB_GRAIN;
    if (g->found == NULL)
        gather_full(g, from, end);
    else
        gather_block(g, from, end);
}

/* i[n]: the positions of the indices; NULL: all in order. */
static gbl_Info gather(Gather *g, const gb_Idx *i) {
    const uint64_t blocks = g->n / GB_GRAIN + (g->n % GB_GRAIN != 0);
    const int threads = gb_threads_for(g->n, GB_GRAIN, gb_nthreads());
    g->wrong = g->n;
    const gbl_Info info = gb_parallel_try(threads, blocks, run_gather, g);
    if (info != GBL_SUCCESS || g->wrong == g->n) return info;
    uint64_t index;
    gb_indices_read(&g->indices, g->wrong, 1, &index);
    return gb_fail_index("I", i != NULL ? i[g->wrong] : g->wrong, index, g->limit);
}

/* -- results: values[n] and found[n] become T */

static gbl_Info make_dense(Gather *g, gb_Result *T) {
    const size_t bytes = gb_size_of(g->iso ? 1 : g->n, g->size);
    T->is_dense = true;
    const bool full = g->b == NULL && g->u.is_dense && g->u.dense.b == NULL;
    gbl_Info info = gb_dense_alloc(&T->dense, g->n, bytes, !full);
    if (info != GBL_SUCCESS) return info;
    g->found = T->dense.b;
    g->kept = full ? g->n : 0;
    g->x = T->dense.x;
    info = gather(g, NULL);
    if (info != GBL_SUCCESS) return info;
    if (g->iso && !g->u.is_empty) memcpy(T->dense.x, g->values, g->size);
    T->dense.iso = g->iso;
    T->dense.nvals = g->kept;
    if (full || g->kept < g->n) return GBL_SUCCESS;
    gb_free(T->dense.b, g->n);
    T->dense.b = NULL;
    return GBL_SUCCESS;
}

/* i[n]: the position of each index. */
static gbl_Info make_list(Gather *g, const gb_Idx *i, gb_Result *T) {
    const size_t bytes = gb_size_of(g->iso ? 1 : g->n, g->size);
    gbl_Info info = gb_cs_alloc(&T->cs, 1, g->n, bytes);
    if (info != GBL_SUCCESS) return info;
    gb_Cs *cs = &T->cs;
    g->x = cs->x;
    g->found = gb_malloc(g->n);
    if (g->found == NULL) return gb_fail_memory(g->n);
    info = gather(g, i);
    uint64_t q = 0;
    for (uint64_t k = 0; info == GBL_SUCCESS && k < g->n; k++) {
        if (!g->found[k]) continue;
        cs->i[q] = i[k];
        if (!g->iso && q < k) memcpy(g->x + q * g->size, g->x + k * g->size, g->size);
        q++;
    }
    gb_free(g->found, g->n);
    if (info != GBL_SUCCESS) return info;
    if (g->iso && !g->u.is_empty) memcpy(cs->x, g->values, g->size);
    cs->iso = g->iso;
    cs->nvals = q;
    cs->p[0] = 0;
    cs->p[1] = q;
    return GBL_SUCCESS;
}

static gbl_Info open_source(Gather *g, gb_Matrix *u) {
    gbl_Info info = gb_map_source(&g->u, u, false);
    if (info == GBL_SUCCESS && !g->u.is_empty && !g->u.is_dense)
        info = gb_acquire_sorted(u, GB_CSC, &g->u.cs);
    g->values = g->u.is_dense ? g->u.dense.x : g->u.cs.x;
    g->iso = g->u.is_dense ? g->u.dense.iso : g->u.cs.iso;
    g->limit = u->nrows;
    g->size = u->type->size;
    return info;
}

static gbl_Info extract_elements(gb_Result *T, const gb_Extract *call) {
    Gather g = {.indices = {gb_type_of(GBL_UINT64_CODE), call->I.i, 1}, .n = call->I.n};
    const gbl_Info info = open_source(&g, call->A);
    if (info != GBL_SUCCESS || call->I.n == 0 || g.u.is_empty) return info;
    return make_dense(&g, T);
}

/* -- extract */

static gbl_Info check_lengths(const gb_Extract *call) {
    const gb_Matrix *C = call->C, *A = call->A;
    if (!gb_is_vector(A))
        return gb_check_shape(C, false, call->I.n, call->J.n, gb_is_vector(C) ? "w" : "C");
    return gb_check_length("w", C->nrows, call->I.n, "one per index");
}

static gbl_Info check(const void *asked) {
    const gb_Extract *call = asked;
    const gb_Matrix *A = call->A;
    const uint64_t m = call->transpose ? A->ncols : A->nrows;
    const uint64_t n = call->transpose ? A->nrows : A->ncols;
    gbl_Info info = gb_check_output(call->C, &call->mask, call->accum, A->type);
    if (info == GBL_SUCCESS) info = check_lengths(call);
    if (info == GBL_SUCCESS) info = gb_indices_check(&call->I, m, "I");
    return info == GBL_SUCCESS ? gb_indices_check(&call->J, n, "J") : info;
}

static gbl_Info extract_host(const void *asked) {
    const gb_Extract *call = asked;
    gb_Matrix *const C = call->C, *const A = call->A;
    gb_Result T = {.type = A->type, .format = GB_CSR};
    gbl_Info info;
    if (call->I.all && call->J.all && gb_is_vector(A))
        return gb_execute(&gb_op_assign,
                          &(gb_Assign){.C = C,
                                       .mask = call->mask,
                                       .accum = call->accum,
                                       .A = A,
                                       .I = call->I,
                                       .J = call->J},
                          NULL);
    if (call->I.all && call->J.all && !gb_is_vector(C))
        return gb_execute(&gb_op_extract_all,
                          &(gb_Transpose){.C = C,
                                          .mask = call->mask,
                                          .accum = call->accum,
                                          .A = A,
                                          .transpose = call->transpose},
                          NULL);
    if (gb_is_vector(A)) {
        T.format = GB_CSC;
        info = extract_elements(&T, call);
    } else {
        info = take_submatrix(&T, call);
    }
    if (info == GBL_SUCCESS && gb_is_vector(C)) { /* one column, by rows, becomes a list */
        if (!T.is_dense && T.cs.nvals > 0 && T.format == GB_CSR)
            info = gb_result_arrange(&T, C, true);
        T.format = GB_CSC;
    }
    return gb_finish_if(info, C, &call->mask, call->accum, &T);
}

const gb_Op gb_op_extract = {GB_OP("extract", gb_Extract),
                             .A = GB_INPUT_TRANSPOSED(gb_Extract, A, transpose, ROWS, COLS),
                             .check = check,
                             .full_iso = gb_copy_full_iso,
                             .few = gb_extract_beside,
                             .hyper = gb_extract_hyper,
                             .host = extract_host};

/* -- at indices that a vector has */

static gbl_Info check_at(const void *asked) {
    const gb_ExtractAt *call = asked;
    gbl_Info info = gb_check_indices(call->I, "I");
    if (info == GBL_SUCCESS)
        info = gb_check_output(call->w, &call->mask, call->accum, call->u->type);
    return info == GBL_SUCCESS ? gb_check_length("w", call->w->nrows, call->I->nrows, "as I")
                               : info;
}

static gbl_Info extract_at_host(const void *asked) {
    const gb_ExtractAt *call = asked;
    gb_Matrix *const I = call->I;
    gb_Result T = {.type = call->u->type, .format = GB_CSC};
    Gather g = {0};
    gb_MapSource at;
    gbl_Info info = open_source(&g, call->u);
    if (info == GBL_SUCCESS) info = gb_map_source(&at, I, false);
    if (info != GBL_SUCCESS) return info;
    if (at.is_dense) {
        g.indices = (gb_Indices64){I->type, at.dense.x, at.dense.iso ? 0 : 1};
        g.b = at.dense.b;
        g.n = I->nrows;
        info = make_dense(&g, &T);
    } else if (!at.is_empty) {
        g.indices = (gb_Indices64){I->type, at.cs.x, at.cs.iso ? 0 : 1};
        g.n = at.cs.nvals;
        info = make_list(&g, at.cs.i, &T);
        T.cs.sorted = at.cs.sorted;
    }
    return gb_finish_if(info, call->w, &call->mask, call->accum, &T);
}

/* By the entries, as tuples. */
static gbl_Info extract_at_hyper(const void *asked) {
    const gb_ExtractAt *call = asked;
    gb_Matrix *const u = call->u, *const w = call->w;
    gb_EntryList at = {0}, found = {0};
    gb_Matrix *T = NULL;
    gbl_Info info = gb_entry_list_of(&at, call->I, gb_type_of(GBL_UINT64_CODE));
    if (info != GBL_SUCCESS) return info;
    info = gb_entry_list_check(&at, "I", u->nrows);
    if (info == GBL_SUCCESS) info = gb_matrix_new(&T, GB_MAGIC_VECTOR, u->type, at.n, 1);
    if (info == GBL_SUCCESS)
        info =
            gb_run_now(&gb_op_extract, &(gb_Extract){.C = T,
                                                     .A = u,
                                                     .I = {.i = gb_entry_indices(&at), .n = at.n},
                                                     .J = {.n = 1, .all = true}});
    if (info == GBL_SUCCESS) info = gb_entry_list_of(&found, T, u->type);
    gb_matrix_free(T);
    T = NULL;
    for (uint64_t k = 0; info == GBL_SUCCESS && k < found.n; k++) found.I[k] = at.I[found.I[k]];
    if (info == GBL_SUCCESS) info = gb_entry_list_to(&T, w, u->type, &found, NULL);
    gb_entry_list_release(&found);
    gb_entry_list_release(&at);
    return gb_write_and_free(w, &call->mask, call->accum, T, info);
}

const gb_Op gb_op_extract_at = {GB_OP("extract", gb_ExtractAt),
                                .A = {.at = offsetof(gb_ExtractAt, u)},
                                .B = {.at = offsetof(gb_ExtractAt, I)},
                                .check = check_at,
                                .hyper = extract_at_hyper,
                                .host = extract_at_host};
