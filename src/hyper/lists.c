/* SPDX-License-Identifier: Apache-2.0
 *
 * extract and assign with lists of indices, lifted. A list pairs numbers k with indices I(k): those
 * pairs whose index is on the axis of the matrix are the list of the compact call, and their
 * numbers are the axis of the other side. Pairs that are left out touch no entry.
 */
#include "kernel_api/backend.h"
#include "core/arrays.h"
#include "core/memory.h"
#include "core/parallel.h"
#include "core/search.h"
#include "core/tune.h"
#include "hyper/hyper.h"
#include "hyper/lift.h"
#include "ops/gather.h"

static const gb_Mask no_mask = {0};

/* A list on an axis. */
typedef struct {
    gb_RowList *numbers; /* the k whose index is there; where the list is all: the axis */
    gbl_Index *places;   /* [numbers->n] of I(k) on the axis; NULL: all */
    size_t bytes;        /* 0: another list has the places */
} gb_ListOn;

static void release_list(gb_ListOn *list) {
    gb_row_list_release(list->numbers);
    if (list->bytes > 0) gb_free(list->places, list->bytes);
    *list = (gb_ListOn){0};
}

static gb_Indices indices_of(const gb_ListOn *list) {
    return (gb_Indices){.i = list->places, .n = list->numbers->n, .all = list->places == NULL};
}

/* The place of an index, which mostly is just behind that of the index before. */
static uint64_t find_behind(const gb_RowList *axis, uint64_t index, uint64_t *behind) {
    uint64_t low = *behind, step = 1;
    if (low >= axis->n || axis->index[low] > index) low = 0;
    while (low + step < axis->n && axis->index[low + step] <= index) {
        low += step;
        step *= 2;
    }
    const uint64_t high = low + step < axis->n ? low + step : axis->n;
    const uint64_t at = gb_first_from(axis->index, low, high, index);
    *behind = at;
    return at < axis->n && axis->index[at] == index ? at : GB_NOT_FOUND;
}

typedef struct {
    gbl_Index *places;
    const gbl_Index *indices;
    const gb_RowList *axis;
} Finding;

static void find_range(void *context, uint64_t first, uint64_t end) {
    const Finding *f = context;
    uint64_t behind = 0;
    for (uint64_t k = first; k < end; k++)
        f->places[k] = find_behind(f->axis, f->indices[k], &behind);
}

static gbl_Info place_list(gb_ListOn *list, const gb_Indices *I, gb_RowList *axis) {
    *list = (gb_ListOn){0};
    if (I->all) {
        list->numbers = gb_row_list_retain(axis);
        return GBL_SUCCESS;
    }
    uint64_t n = 0;
    if (!gb_size_mul(&list->bytes, I->n + 1, sizeof *list->places)) return gb_fail_memory(SIZE_MAX);
    list->places = gb_malloc(list->bytes);
    if (list->places == NULL) return gb_fail_memory(list->bytes);
    gb_parallel_ranges(gb_threads_for(I->n, GB_GRAIN, gb_nthreads()), I->n, find_range,
                       &(Finding){list->places, I->i, axis});
    for (uint64_t k = 0; k < I->n; k++) n += list->places[k] != GB_NOT_FOUND;
    const gbl_Info info = gb_row_list_new(&list->numbers, n);
    if (info != GBL_SUCCESS) {
        release_list(list);
        return info;
    }
    n = 0;
    for (uint64_t k = 0; k < I->n; k++) {
        if (list->places[k] == GB_NOT_FOUND) continue;
        list->places[n] = list->places[k];
        list->numbers->index[n++] = k;
    }
    return GBL_SUCCESS;
}

/* The same list on the same axis, as where the subgraph of some vertices is taken, stands on it
 * once; the part then has one axis for both dimensions too. */
static gbl_Info place_second(gb_ListOn *list, const gb_Indices *J, gb_RowList *axis,
                             const gb_Indices *I, const gb_ListOn *first,
                             const gb_RowList *of_first) {
    if (J->all || I->all || J->i != I->i || J->n != I->n || axis != of_first)
        return place_list(list, J, axis);
    *list = (gb_ListOn){.numbers = gb_row_list_retain(first->numbers), .places = first->places};
    return GBL_SUCCESS;
}

/* -- extract */

/* What is extracted from: op(A) on its own axes, and the lists on these. */
typedef struct {
    gb_RowLists axes;
    gb_Compact A;
    gb_ListOn rows, cols;
} gb_From;

static void release_from(gb_From *from) {
    release_list(&from->rows);
    release_list(&from->cols);
    gb_compact_release(&from->A);
    gb_row_lists_release(&from->axes);
}

static gbl_Info open_from(gb_From *from, const gb_Submatrix *call) {
    *from = (gb_From){0};
    gbl_Info info = gb_assemble(call->A);
    if (info == GBL_SUCCESS) info = gb_row_lists_of(&from->axes, call->A);
    if (info == GBL_SUCCESS) info = gb_compact_get(&from->A, call->A, &from->axes, false);
    gb_RowList *rows = call->transpose ? from->axes.cols : from->axes.rows;
    gb_RowList *cols = call->transpose ? from->axes.rows : from->axes.cols;
    if (info == GBL_SUCCESS) info = place_list(&from->rows, &call->I, rows);
    if (info == GBL_SUCCESS && cols != NULL)
        info = place_second(&from->cols, &call->J, cols, &call->I, &from->rows, rows);
    return info;
}

/* The core, filled for T, becomes T's content after a success. */
static gbl_Info close_from(gb_From *from, gb_Matrix *T, gb_Matrix *core, gbl_Info info) {
    if (info == GBL_SUCCESS) {
        gb_RowLists axes = {from->rows.numbers, gb_is_vector(T) ? NULL : from->cols.numbers};
        gb_row_list_retain(axes.rows);
        gb_row_list_retain(axes.cols);
        info = gb_hyper_set(T, &axes, core);
    } else {
        gb_matrix_free(core);
    }
    release_from(from);
    return info;
}

static gbl_Info new_core(gb_Matrix **core, const gb_From *from, const gb_Matrix *T) {
    const gb_RowLists axes = {from->rows.numbers, gb_is_vector(T) ? NULL : from->cols.numbers};
    return gb_compact_new(core, T, T->type, &axes);
}

static gbl_Info take_submatrix(gb_Matrix *T, const gb_Submatrix *call) {
    gb_From from;
    gb_Matrix *core = NULL;
    gbl_Info info = open_from(&from, call);
    if (info == GBL_SUCCESS) info = new_core(&core, &from, T);
    if (info == GBL_SUCCESS) {
        const gb_Submatrix part = {.A = from.A.m,
                                   .transpose = call->transpose,
                                   .I = indices_of(&from.rows),
                                   .J = indices_of(&from.cols)};
        info = gb_extract_submatrix(core, &no_mask, NULL, &part);
    }
    return close_from(&from, T, core, info);
}

static gbl_Info take_column(gb_Matrix *T, const gb_Column *call) {
    gb_From from;
    gb_Matrix *core = NULL;
    const gb_Submatrix part = {
        .A = call->A, .transpose = call->transpose, .I = call->I, .J = {.i = &call->j, .n = 1}};
    gbl_Info info = open_from(&from, &part);
    if (info == GBL_SUCCESS) info = new_core(&core, &from, T);
    if (info == GBL_SUCCESS && from.cols.numbers->n > 0) {
        const gb_Column column = {.A = from.A.m,
                                  .transpose = call->transpose,
                                  .I = indices_of(&from.rows),
                                  .j = from.cols.places[0]};
        info = gb_extract_column(core, &no_mask, NULL, &column);
    }
    return close_from(&from, T, core, info);
}

static gbl_Info take_elements(gb_Matrix *T, gb_Matrix *u, const gb_Indices *I) {
    gb_From from;
    gb_Matrix *core = NULL;
    gbl_Info info = open_from(&from, &(gb_Submatrix){.A = u, .I = *I});
    if (info == GBL_SUCCESS) info = new_core(&core, &from, T);
    if (info == GBL_SUCCESS) {
        const gb_Indices places = indices_of(&from.rows);
        info = gb_extract(core, &no_mask, NULL, from.A.m, &places);
    }
    return close_from(&from, T, core, info);
}

static gbl_Info write_and_free(gb_Matrix *C, const gb_Mask *mask, const gb_BinaryOp *accum,
                               gb_Matrix *T, gbl_Info info) {
    if (info == GBL_SUCCESS) info = gb_lifted_write(C, mask, accum, T);
    gb_matrix_free(T);
    return info;
}

gbl_Info gb_lifted_submatrix(gb_Matrix *C, const gb_Mask *mask, const gb_BinaryOp *accum,
                             const gb_Submatrix *call) {
    gb_Matrix *T;
    if (!gb_any_hyper(C, mask, call->A, NULL)) return gb_extract_submatrix(C, mask, accum, call);
    if (call->I.all && call->J.all)
        return gb_lifted_transpose(C, mask, accum, call->A, call->transpose);
    const bool plain = mask->M == NULL && !mask->complement && accum == NULL;
    if (plain && C->type == call->A->type) return take_submatrix(C, call);
    gbl_Info info = gb_matrix_new(&T, GB_MAGIC_MATRIX, call->A->type, C->nrows, C->ncols);
    if (info == GBL_SUCCESS) info = take_submatrix(T, call);
    return write_and_free(C, mask, accum, T, info);
}

gbl_Info gb_lifted_column(gb_Matrix *w, const gb_Mask *mask, const gb_BinaryOp *accum,
                          const gb_Column *call) {
    gb_Matrix *T;
    if (!gb_any_hyper(w, mask, call->A, NULL)) return gb_extract_column(w, mask, accum, call);
    gbl_Info info = gb_matrix_new(&T, GB_MAGIC_VECTOR, call->A->type, w->nrows, 1);
    if (info == GBL_SUCCESS) info = take_column(T, call);
    return write_and_free(w, mask, accum, T, info);
}

gbl_Info gb_lifted_extract(gb_Matrix *w, const gb_Mask *mask, const gb_BinaryOp *accum,
                           gb_Matrix *u, const gb_Indices *I) {
    gb_Matrix *T;
    if (!gb_any_hyper(w, mask, u, NULL)) return gb_extract(w, mask, accum, u, I);
    gbl_Info info = gb_matrix_new(&T, GB_MAGIC_VECTOR, u->type, w->nrows, 1);
    if (info == GBL_SUCCESS) info = take_elements(T, u, I);
    return write_and_free(w, mask, accum, T, info);
}

/* -- assign */

/* Along one dimension of C: the list, and the axis of A, or NULL for a value. */
typedef struct {
    const gb_Indices *list;
    gb_RowList *of_a;
} gb_Side;

/* Whether a value goes to places that neither C nor the mask knows. */
static bool spreads(const gb_Assign *call) {
    const gb_Mask *mask = call->mask;
    const bool inside = mask->M != NULL ? !mask->complement : mask->complement;
    return call->A == NULL && call->x != NULL && !inside;
}

/* All indices of a dimension that a compact matrix can have. */
static gbl_Info whole_axis(gb_RowList **axis, uint64_t dimension) {
    if (dimension > GB_COMPACT_MAX)
        return gb_fail(GBL_OUT_OF_MEMORY,
                       "a value for all of %llu rows or columns of a hypersparse object does not "
                       "fit in memory; give a list, or a mask that is not complemented",
                       (unsigned long long)dimension);
    return gb_row_list_of_first(axis, dimension);
}

/* The indices of C that are written: those of A's entries, or, for a value that spreads, all. */
static gbl_Info written_axis(gb_RowList **axis, const gb_Side *side, const gb_Assign *call,
                             uint64_t dimension) {
    const gb_Indices *I = side->list;
    *axis = NULL;
    if (side->of_a == NULL && !spreads(call)) return GBL_SUCCESS;
    if (I->all && side->of_a != NULL) {
        *axis = gb_row_list_retain(side->of_a);
        return GBL_SUCCESS;
    }
    if (I->all) return whole_axis(axis, dimension);
    if (side->of_a == NULL)
        return gb_row_list_of_lists(
            axis, &(gb_RowListMerge){.list = {I->i}, .n = {I->n}, .dimension = dimension});
    size_t bytes;
    uint64_t *list = NULL;
    if (gb_size_mul(&bytes, side->of_a->n, sizeof *list)) list = gb_malloc(bytes);
    if (list == NULL && bytes > 0) return gb_fail_memory(bytes);
    for (uint64_t k = 0; k < side->of_a->n; k++) list[k] = I->i[side->of_a->index[k]];
    const gb_RowListMerge lists = {.list = {list}, .n = {side->of_a->n}, .dimension = dimension};
    const gbl_Info info = gb_row_list_of_lists(axis, &lists);
    gb_free(list, bytes);
    return info;
}

/* The lift has C and the mask on their axes; A is on its own. */
static gbl_Info assign_lifted(const gb_Lift *lift, const gb_Assign *call) {
    gb_ListOn rows = {0}, cols = {0};
    gb_Compact A = {0};
    gb_Assign core = *call;
    const bool vector = gb_is_vector(call->C);
    gbl_Info info = place_list(&rows, &call->I, lift->axis[GB_DIM_ROWS]);
    if (info == GBL_SUCCESS && !vector) info = place_list(&cols, &call->J, lift->axis[GB_DIM_COLS]);
    if (info == GBL_SUCCESS && call->A != NULL) {
        const gb_RowLists axes = call->atransposed ? (gb_RowLists){cols.numbers, rows.numbers}
                                                   : (gb_RowLists){rows.numbers, cols.numbers};
        info =
            gb_compact_get(&A, call->A, &axes, call->A == call->C); /* C may be written in place */
    }
    core.C = gb_core(lift, GB_OF_C);
    core.mask = &lift->core_mask;
    core.A = A.m;
    if (info == GBL_SUCCESS) core.I = indices_of(&rows);
    if (info == GBL_SUCCESS && !vector) core.J = indices_of(&cols);
    if (info == GBL_SUCCESS) info = gb_assign(&core);
    gb_compact_release(&A);
    release_list(&rows);
    release_list(&cols);
    return info;
}

gbl_Info gb_lifted_assign(const gb_Assign *call) {
    gb_Matrix *C = call->C, *A = call->A;
    const bool all = call->I.all || (call->J.all && !gb_is_vector(C));
    if (!gb_any_hyper(C, call->mask, A, NULL)) return gb_assign(call);
    if (all && spreads(call) && !gb_is_huge(C)) return gb_assign(call);
    gb_RowLists of_a = {0};
    gb_RowList *written[2] = {NULL, NULL};
    gb_Lift lift;
    gb_lift_output(&lift, C, call->mask, call->accum);
    lift.keeps = !(call->I.all && call->J.all);
    gbl_Info info = A != NULL ? gb_assemble(A) : GBL_SUCCESS;
    if (info == GBL_SUCCESS && A != NULL) info = gb_row_lists_of(&of_a, A);
    const gb_Side rows = {&call->I, call->atransposed ? of_a.cols : of_a.rows};
    const gb_Side cols = {&call->J, call->atransposed ? of_a.rows : of_a.cols};
    if (info == GBL_SUCCESS) info = written_axis(&written[0], &rows, call, C->nrows);
    if (info == GBL_SUCCESS && !gb_is_vector(C))
        info = written_axis(&written[1], &cols, call, C->ncols);
    lift.more[GB_DIM_ROWS] = written[0];
    lift.more[GB_DIM_COLS] = written[1];
    if (info == GBL_SUCCESS) info = gb_lift_begin(&lift);
    if (info == GBL_SUCCESS) info = assign_lifted(&lift, call);
    info = gb_lift_end(&lift, info);
    gb_row_list_release(written[0]);
    gb_row_list_release(written[1]);
    gb_row_lists_release(&of_a);
    return info;
}

/* *T = the vector as a matrix of one row, or one column. */
static gbl_Info as_matrix(gb_Matrix **T, gb_Matrix *line, bool is_row) {
    const uint64_t n = line->nrows;
    gb_RowLists of_line, axes = {0};
    gb_Compact list = {0};
    gb_CsView view;
    gb_Cs cs = {0};
    gb_Matrix *core = NULL;
    gbl_Info info = gb_matrix_new(T, GB_MAGIC_MATRIX, line->type, is_row ? 1 : n, is_row ? n : 1);
    if (info != GBL_SUCCESS || line->nvals == 0) return info;
    gb_RowList **const one = is_row ? &axes.rows : &axes.cols;
    info = gb_row_lists_of(&of_line, line);
    if (info != GBL_SUCCESS) return info;
    *(is_row ? &axes.cols : &axes.rows) = of_line.rows;
    info = gb_row_list_new(one, 1);
    if (info == GBL_SUCCESS) (*one)->index[0] = 0;
    if (info == GBL_SUCCESS) info = gb_compact_get(&list, line, &of_line, false);
    if (info == GBL_SUCCESS) info = gb_acquire_sorted(list.m, GB_CSC, &view);
    if (info == GBL_SUCCESS) info = gb_compact_new(&core, *T, line->type, &axes);
    if (info == GBL_SUCCESS) info = gb_backend()->copy_cs(&view, &cs, gb_nthreads());
    gb_compact_release(&list);
    if (info == GBL_SUCCESS) {
        gb_matrix_set_cs(core, is_row ? GB_CSR : GB_CSC, &cs);
        return gb_hyper_set(*T, &axes, core);
    }
    gb_matrix_free(core);
    gb_row_lists_release(&axes);
    return info;
}

gbl_Info gb_lifted_assign_line(gb_Matrix *C, const gb_LineAssign *call) {
    gb_Matrix *line = call->assign.C, *T = NULL;
    if (!gb_any_hyper(C, call->assign.mask, call->assign.A, line)) return gb_assign_line(C, call);
    const gb_Indices all = {.n = line->nrows, .all = true}, one = {.i = &call->line, .n = 1};
    const gb_Column taken = {.A = C, .transpose = call->is_row, .I = all, .j = call->line};
    gbl_Info info = gb_lifted_column(line, &no_mask, NULL, &taken);
    if (info == GBL_SUCCESS) info = gb_lifted_assign(&call->assign);
    if (info == GBL_SUCCESS) info = gb_assemble(line);
    if (info == GBL_SUCCESS) info = as_matrix(&T, line, call->is_row);
    if (info == GBL_SUCCESS)
        info = gb_lifted_assign(&(gb_Assign){.C = C,
                                             .mask = &no_mask,
                                             .A = T,
                                             .I = call->is_row ? one : all,
                                             .J = call->is_row ? all : one});
    gb_matrix_free(T);
    return info;
}
