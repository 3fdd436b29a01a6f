/* SPDX-License-Identifier: Apache-2.0
 *
 * extract and assign of hypersparse objects with index lists. A list pairs numbers k with indices
 * I(k): the pairs whose index is in the row list of the matrix form the list of the compact call,
 * and their numbers are the row list of the other side. Other pairs touch no entry. Few rows of a
 * matrix, or elements of a vector, are read beside the updates that wait.
 *
 * One row or column of any matrix, where few.c does not write it: it is extracted, written as a
 * vector with a mask of its own, and put back.
 */
#include "core/parallel.h"
#include "matrix/updates.h"
#include "ops/entry_list.h"
#include "ops/operations.h"

/* An index list, found in a row list. */
typedef struct {
    gb_RowList *numbers; /* the k whose index is found; for GBL_ALL: the row list */
    gbl_Index *at;       /* [numbers->n] positions of I(k) in the row list; NULL: all */
    size_t bytes;        /* 0: another list owns them */
} Found;

static void release_list(Found *list) {
    gb_row_list_release(list->numbers);
    if (list->bytes > 0) gb_free(list->at, list->bytes);
    *list = (Found){0};
}

static gb_Indices indices_of(const Found *list) {
    return (gb_Indices){.i = list->at, .n = list->numbers->n, .all = list->at == NULL};
}

/* The position of an index, which mostly is just behind that of the index before. */
static uint64_t find_behind(const gb_RowList *list, uint64_t index, uint64_t *behind) {
    uint64_t low = *behind, step = 1;
    if (low >= list->n || list->index[low] > index) low = 0;
    while (low + step < list->n && list->index[low + step] <= index) {
        low += step;
        step *= 2;
    }
    const uint64_t high = low + step < list->n ? low + step : list->n;
    const uint64_t at = gb_first_from(list->index, low, high, index);
    *behind = at;
    return at < list->n && list->index[at] == index ? at : GB_NOT_FOUND;
}

typedef struct {
    gbl_Index *at;
    const gbl_Index *indices;
    const gb_RowList *list;
} Finding;

static void find_range(void *context, uint64_t first, uint64_t end) {
    const Finding *f = context;
    uint64_t behind = 0;
    for (uint64_t k = first; k < end; k++) f->at[k] = find_behind(f->list, f->indices[k], &behind);
}

static gbl_Info find_list(Found *list, const gb_Indices *I, gb_RowList *in) {
    *list = (Found){0};
    if (I->all) {
        list->numbers = gb_row_list_retain(in);
        return GBL_SUCCESS;
    }
    uint64_t n = 0;
    list->bytes = gb_size_of(I->n + 1, sizeof *list->at);
    list->at = gb_malloc(list->bytes);
    if (list->at == NULL) return gb_fail_memory(list->bytes);
    gb_parallel_items(gb_nthreads(), I->n, find_range, &(Finding){list->at, I->i, in});
    for (uint64_t k = 0; k < I->n; k++) n += list->at[k] != GB_NOT_FOUND;
    const gbl_Info info = gb_row_list_new(&list->numbers, n);
    if (info != GBL_SUCCESS) {
        release_list(list);
        return info;
    }
    n = 0;
    for (uint64_t k = 0; k < I->n; k++) {
        if (list->at[k] == GB_NOT_FOUND) continue;
        list->at[n] = list->at[k];
        list->numbers->index[n++] = k;
    }
    return GBL_SUCCESS;
}

/* The same list in the same row list, as in extracting a subgraph, is searched once; the part then
 * has one row list for both dimensions too. */
static gbl_Info find_second(Found *list, const gb_Indices *J, gb_RowList *in, const gb_Indices *I,
                            const Found *first, const gb_RowList *of_first) {
    if (J->all || I->all || J->i != I->i || J->n != I->n || in != of_first)
        return find_list(list, J, in);
    *list = (Found){.numbers = gb_row_list_retain(first->numbers), .at = first->at};
    return GBL_SUCCESS;
}

/* -- extract */

/* Source of an extract: op(A) on its own row lists, and the indices found in these. */
typedef struct {
    gb_RowLists own;
    gb_Compact A;
    Found rows, cols;
} Source;

static void release_source(Source *from) {
    release_list(&from->rows);
    release_list(&from->cols);
    gb_compact_release(&from->A);
    gb_row_lists_release(&from->own);
}

static gbl_Info open_source(Source *from, const gb_Extract *call) {
    *from = (Source){0};
    gbl_Info info = gb_assemble(call->A);
    if (info == GBL_SUCCESS) info = gb_row_lists_of(&from->own, call->A);
    if (info == GBL_SUCCESS) info = gb_compact_get(&from->A, call->A, &from->own, false);
    gb_RowList *rows = call->transpose ? from->own.cols : from->own.rows;
    gb_RowList *cols = call->transpose ? from->own.rows : from->own.cols;
    if (info == GBL_SUCCESS) info = find_list(&from->rows, &call->I, rows);
    if (info == GBL_SUCCESS && cols != NULL)
        info = find_second(&from->cols, &call->J, cols, &call->I, &from->rows, rows);
    return info;
}

/* T = what the call extracts, without mask and accumulator. A column that A has no entries in gives
 * an empty one. */
static gbl_Info extract_to(gb_Matrix *T, const gb_Extract *call) {
    Source from;
    gb_Matrix *core = NULL;
    gbl_Info info = open_source(&from, call);
    gb_RowLists lists = {gb_row_list_retain(from.rows.numbers),
                         gb_is_vector(T) ? NULL : gb_row_list_retain(from.cols.numbers)};
    if (info == GBL_SUCCESS) info = gb_compact_new(&core, T, T->type, &lists);
    const bool of_vector = gb_is_vector(call->A), column = gb_is_vector(T) && !of_vector;
    if (info == GBL_SUCCESS && !(column && from.cols.numbers->n == 0)) {
        const gb_Extract part = {.C = core,
                                 .A = from.A.m,
                                 .transpose = call->transpose,
                                 .I = indices_of(&from.rows),
                                 .J = of_vector ? call->J : indices_of(&from.cols)};
        info = gb_execute(&gb_op_extract, &part, NULL);
    }
    release_source(&from);
    return gb_hyper_set_if(info, T, &lists, core);
}

gbl_Info gb_extract_hyper(const void *asked) {
    const gb_Extract *call = asked;
    gb_Matrix *const C = call->C, *const A = call->A;
    const gb_Mask *mask = &call->mask;
    const bool all = call->I.all && call->J.all;
    gb_Matrix *T = NULL;
    if (all && (gb_is_vector(A) || !gb_is_vector(C)) && !call->transpose)
        return gb_write(C, mask, call->accum, A);
    if (all && !gb_is_vector(C))
        return gb_run_now(
            &gb_op_transpose,
            &(gb_Transpose){
                .C = C, .mask = *mask, .accum = call->accum, .A = A, .transpose = true});
    const bool plain = mask->M == NULL && !mask->complement && call->accum == NULL;
    if (plain && C->type == A->type && !gb_is_vector(C)) return extract_to(C, call);
    gbl_Info info = gb_matrix_new(&T, C->magic, A->type, C->nrows, C->ncols);
    if (info == GBL_SUCCESS) info = extract_to(T, call);
    return gb_write_and_free(C, mask, call->accum, T, info);
}

/* -- extract beside updates */

static gbl_Info extract_elements(const gb_Extract *call) {
    gb_Matrix *const u = call->A, *T;
    gbl_Info info = gb_matrix_new(&T, GB_MAGIC_VECTOR, u->type, call->I.n, 1);
    for (uint64_t k = 0; info == GBL_SUCCESS && k < call->I.n; k++) {
        const void *x = NULL;
        info = gb_element_find(u, call->I.i[k], 0, &x);
        if (info == GBL_SUCCESS && x != NULL) info = gb_update(T, k, 0, x);
    }
    return gb_write_and_free(call->C, &call->mask, call->accum, T, info);
}

/* The listed rows as a matrix of their own, of which the call then lists each by its number. */
static gbl_Info extract_rows(const gb_Extract *call, bool *done) {
    gb_Extract part = *call;
    gb_Indices *const I = call->transpose ? &part.J : &part.I;
    gb_RowList *list = NULL;
    const uint64_t n = I->n;
    gb_Block blocks[] = {{NULL, gb_size_of(n, sizeof(gbl_Index))}, {NULL, n * sizeof(gb_Idx)}};
    if (!gb_malloc_all(blocks, 2)) return gb_fail_memory(blocks[0].bytes);
    gbl_Index *const at = blocks[0].at;
    gb_Idx *const rank = blocks[1].at;
    const gb_RowListMerge all = {
        .list = {I->i}, .n = {n}, .positions = {rank}, .dimension = call->A->nrows};
    gbl_Info info = gb_row_list_of_lists(&list, &all);
    if (info == GBL_SUCCESS) info = gb_delta_rows(&part.A, call->A, list);
    *done = info == GBL_SUCCESS && part.A != NULL;
    for (uint64_t k = 0; *done && k < n; k++) at[k] = rank[k];
    I->i = at;
    if (*done) info = gb_execute(&gb_op_extract, &part, NULL);
    if (*done) gb_matrix_free(part.A);
    gb_row_list_release(list);
    gb_free_all(blocks, 2);
    return info;
}

gbl_Info gb_extract_beside(const gb_Op *op, const void *asked, bool *done) {
    const gb_Extract *call = asked;
    const gb_Matrix *A = call->A;
    const gb_Indices *I = call->transpose ? &call->J : &call->I;
    (void)op;
    if (gb_is_assembled(A) || I->all || I->n == 0) return GBL_SUCCESS;
    *done = gb_is_vector(A) && I->n <= A->nvals / GB_FEW_EDITS;
    if (*done) return extract_elements(call);
    if (gb_is_vector(A) || gb_is_hyper(A) || I->n > A->nrows / GB_FEW_EDITS) return GBL_SUCCESS;
    return extract_rows(call, done);
}

/* -- assign */

/* Along one dimension of C: the list, and the row list of A, or NULL for a value. */
typedef struct {
    const gb_Indices *list;
    gb_RowList *of_a;
} Side;

/* Whether a value goes to indices that neither C nor the mask has. */
static bool spreads(const gb_Assign *call) {
    const gb_Mask *mask = &call->mask;
    const bool inside = mask->M != NULL ? !mask->complement : mask->complement;
    return call->A == NULL && call->x != NULL && !inside;
}

/* All indices of a dimension that a compact matrix can have. */
static gbl_Info whole_list(gb_RowList **list, uint64_t dimension) {
    if (dimension > GB_COMPACT_MAX)
        return gb_fail(GBL_OUT_OF_MEMORY,
                       "a value for all of %llu rows or columns of a hypersparse object does not "
                       "fit in memory; give a list, or a mask that is not complemented",
                       (unsigned long long)dimension);
    return gb_row_list_of_first(list, dimension);
}

/* The indices of C that are written: those of A's entries, or, for a value that spreads, all. */
static gbl_Info written_list(gb_RowList **list, const Side *side, const gb_Assign *call,
                             uint64_t dimension) {
    const gb_Indices *I = side->list;
    *list = NULL;
    if (side->of_a == NULL && !spreads(call)) return GBL_SUCCESS;
    if (I->all && side->of_a != NULL) {
        *list = gb_row_list_retain(side->of_a);
        return GBL_SUCCESS;
    }
    if (I->all) return whole_list(list, dimension);
    if (side->of_a == NULL)
        return gb_row_list_of_lists(
            list, &(gb_RowListMerge){.list = {I->i}, .n = {I->n}, .dimension = dimension});
    const size_t bytes = gb_size_of(side->of_a->n, sizeof(uint64_t));
    uint64_t *index = gb_malloc(bytes);
    if (index == NULL && bytes > 0) return gb_fail_memory(bytes);
    for (uint64_t k = 0; k < side->of_a->n; k++) index[k] = I->i[side->of_a->index[k]];
    const gb_RowListMerge lists = {.list = {index}, .n = {side->of_a->n}, .dimension = dimension};
    const gbl_Info info = gb_row_list_of_lists(list, &lists);
    gb_free(index, bytes);
    return info;
}

/* C and the mask are open on their row lists; A is on its own. */
static gbl_Info assign_core(const gb_HyperCall *hyper, const gb_Assign *call) {
    Found rows = {0}, cols = {0};
    gb_Compact A = {0};
    gb_Assign core = *call;
    const bool vector = gb_is_vector(call->C);
    gbl_Info info = find_list(&rows, &call->I, hyper->list[GB_DIM_ROWS]);
    if (info == GBL_SUCCESS && !vector) info = find_list(&cols, &call->J, hyper->list[GB_DIM_COLS]);
    if (info == GBL_SUCCESS && call->A != NULL) {
        const gb_RowLists lists = call->atransposed ? (gb_RowLists){cols.numbers, rows.numbers}
                                                    : (gb_RowLists){rows.numbers, cols.numbers};
        const bool own = call->A == call->C; /* C may be written in place */
        info = gb_compact_get(&A, call->A, &lists, own);
    }
    core.C = gb_core(hyper, GB_OF_C);
    core.mask.M = gb_core(hyper, GB_OF_M);
    core.A = A.m;
    if (info == GBL_SUCCESS) core.I = indices_of(&rows);
    if (info == GBL_SUCCESS && !vector) core.J = indices_of(&cols);
    if (info == GBL_SUCCESS) info = gb_execute(&gb_op_assign, &core, NULL);
    gb_compact_release(&A);
    release_list(&rows);
    release_list(&cols);
    return info;
}

gbl_Info gb_assign_hyper(const void *asked) {
    const gb_Assign *call = asked;
    gb_Matrix *C = call->C, *A = call->A;
    if (gb_assign_fills(call)) return gb_matrix_fill(C, call->xtype, call->x);
    const bool vector = gb_is_vector(C), all = call->I.all || (call->J.all && !vector);
    if (all && spreads(call) && !gb_is_huge(C)) return gb_execute(&gb_op_assign, call, NULL);
    gb_RowLists of_a = {0};
    gb_RowList *written[2] = {NULL, NULL};
    gb_HyperCall hyper;
    gb_hyper_begin(&hyper, &gb_op_assign, call);
    hyper.operand[GB_OF_A].object = NULL; /* its row lists are those of I and J */
    hyper.keeps = !(call->I.all && call->J.all);
    gbl_Info info = A != NULL ? gb_assemble(A) : GBL_SUCCESS;
    if (info == GBL_SUCCESS && A != NULL) info = gb_row_lists_of(&of_a, A);
    const Side rows = {&call->I, call->atransposed ? of_a.cols : of_a.rows};
    const Side cols = {&call->J, call->atransposed ? of_a.rows : of_a.cols};
    if (info == GBL_SUCCESS) info = written_list(&written[0], &rows, call, C->nrows);
    if (info == GBL_SUCCESS && !vector) info = written_list(&written[1], &cols, call, C->ncols);
    hyper.more[GB_DIM_ROWS] = written[0];
    hyper.more[GB_DIM_COLS] = written[1];
    if (info == GBL_SUCCESS) info = gb_hyper_open(&hyper);
    if (info == GBL_SUCCESS) info = assign_core(&hyper, call);
    info = gb_hyper_close(&hyper, info);
    gb_row_list_release(written[0]);
    gb_row_list_release(written[1]);
    gb_row_lists_release(&of_a);
    return info;
}

/* *T = the vector as a matrix of one row, or one column. */
static gbl_Info vector_as_matrix(gb_Matrix **T, gb_Matrix *line, bool is_row) {
    const uint64_t n = line->nrows;
    gb_EntryList t;
    gbl_Info info = gb_entry_list_of(&t, line, line->type);
    if (info != GBL_SUCCESS) return info;
    gbl_Index *const zeros = gb_calloc(t.bytes);
    const gb_Values values = {.type = t.type, .x = t.X, .sx = 1};
    info = zeros == NULL
               ? gb_fail_memory(t.bytes)
               : gb_matrix_new(T, GB_MAGIC_MATRIX, line->type, is_row ? 1 : n, is_row ? n : 1);
    if (info == GBL_SUCCESS)
        info = gb_matrix_build(*T, is_row ? zeros : t.I, is_row ? t.I : zeros, &values, t.n, NULL);
    gb_free(zeros, t.bytes);
    gb_entry_list_release(&t);
    return info;
}

gbl_Info gb_assign_line(gb_Matrix *C, const gb_LineAssign *call) {
    gb_Matrix *line = call->assign.C, *T = NULL;
    const gb_Indices all = {.n = line->nrows, .all = true}, one = {.i = &call->line, .n = 1};
    bool done = false;
    gbl_Info info = gb_assign_few_line(C, call, &done);
    if (info != GBL_SUCCESS || done) return info;
    info =
        gb_run_now(&gb_op_extract,
                   &(gb_Extract){.C = line, .A = C, .transpose = call->is_row, .I = all, .J = one});
    if (info == GBL_SUCCESS) info = gb_run_now(&gb_op_assign, &call->assign);
    if (info == GBL_SUCCESS) info = gb_assemble(line);
    if (info == GBL_SUCCESS) info = vector_as_matrix(&T, line, call->is_row);
    if (info == GBL_SUCCESS)
        info = gb_run_now(&gb_op_assign, &(gb_Assign){.C = C,
                                                      .A = T,
                                                      .I = call->is_row ? one : all,
                                                      .J = call->is_row ? all : one});
    gb_matrix_free(T);
    return info;
}
