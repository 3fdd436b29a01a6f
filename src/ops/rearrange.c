/* SPDX-License-Identifier: Apache-2.0
 *
 * See operations.h. Outputs are written last, so a failure leaves them as they were.
 */
#include "ops/operations.h"

#include "ops/entry_list.h"

/* What gb_entry_list_to wants of an object of that shape. */
static gb_Matrix shape_of(uint64_t nrows, uint64_t ncols) {
    return (gb_Matrix){.magic = GB_MAGIC_MATRIX, .nrows = nrows, .ncols = ncols};
}

/* C = the entries of the list, which are all different. */
static gbl_Info write_list(gb_Matrix *C, const gb_EntryList *list) {
    gb_Matrix *T = NULL;
    const gbl_Info info = gb_entry_list_to(&T, C, C->type, list, NULL);
    return gb_write_and_free(C, &(gb_Mask){0}, NULL, T, info);
}

/* -- a diagonal */

static gbl_Info check_diagonal(const void *asked) {
    const gb_DiagonalOf *call = asked;
    const gb_Matrix *A = call->A;
    const uint64_t m = call->transpose ? A->ncols : A->nrows;
    const uint64_t n = call->transpose ? A->nrows : A->ncols;
    const uint64_t away = call->k < 0 ? 0 - (uint64_t)call->k : (uint64_t)call->k;
    const uint64_t cut = call->k < 0 ? m : n, other = call->k < 0 ? n : m;
    const uint64_t left = away < cut ? cut - away : 0, length = left < other ? left : other;
    const gbl_Info info = gb_check_output(call->v, &(gb_Mask){0}, NULL, A->type);
    if (info != GBL_SUCCESS) return info;
    return gb_check_length("v", call->v->nrows, length, "one per position of the diagonal");
}

static gbl_Info take_diagonal(const void *asked) {
    const gb_DiagonalOf *call = asked;
    gb_Matrix *A = call->A, *D = NULL;
    const bool turned = call->transpose;
    gb_EntryList list = {0};
    gb_Apply select = {.A = A, .transpose = turned, .map = {.index = GBL_DIAG, .bound = &call->k}};
    gbl_Info info = gb_matrix_new(&D, GB_MAGIC_MATRIX, A->type, turned ? A->ncols : A->nrows,
                                  turned ? A->nrows : A->ncols);
    select.C = D;
    if (info == GBL_SUCCESS) info = gb_run_now(&gb_op_select, &select);
    if (info == GBL_SUCCESS) info = gb_entry_list_of(&list, D, A->type);
    gb_matrix_free(D);
    if (info != GBL_SUCCESS) return info;
    for (uint64_t e = 0; e < list.n; e++)
        if (list.J[e] < list.I[e]) list.I[e] = list.J[e];
    list.J = NULL;
    info = write_list(call->v, &list);
    gb_entry_list_release(&list);
    return info;
}

const gb_Op gb_op_diagonal = {
    .name = "diag",
    .bytes = sizeof(gb_DiagonalOf),
    .A = {.at = offsetof(gb_DiagonalOf, A), .transposed = offsetof(gb_DiagonalOf, transpose)},
    .check = check_diagonal,
    .hyper = take_diagonal,
    .host = take_diagonal};

/* -- a grid of matrices becomes one */

static gbl_Info fail_grid(const char *what, uint64_t sum, uint64_t wanted) {
    return gb_fail(GBL_DIMENSION_MISMATCH, "the tiles have %llu %s together, but must have %llu",
                   (unsigned long long)sum, what, (unsigned long long)wanted);
}

static gbl_Info check_concat(const void *asked) {
    const gb_Concat *call = asked;
    const gb_Matrix *C = call->C;
    uint64_t rows = 0, cols = 0;
    for (uint64_t i = 0; i < call->m; i++) rows += call->tiles[i * call->n]->nrows;
    for (uint64_t j = 0; j < call->n; j++) cols += call->tiles[j]->ncols;
    for (uint64_t t = 0; t < call->m * call->n; t++) {
        const gb_Matrix *tile = call->tiles[t];
        const uint64_t nrows = call->tiles[t / call->n * call->n]->nrows;
        gbl_Info info = gb_check_shape(tile, false, nrows, call->tiles[t % call->n]->ncols,
                                       "a tile, by those left of it and above,");
        if (info == GBL_SUCCESS) info = gb_check_cast(C->type, tile->type, "a tile into C");
        if (info != GBL_SUCCESS) return info;
    }
    if (rows != C->nrows) return fail_grid("rows", rows, C->nrows);
    return cols == C->ncols ? GBL_SUCCESS : fail_grid("columns", cols, C->ncols);
}

static gbl_Info concat(const void *asked) {
    const gb_Concat *call = asked;
    const gb_Type *type = call->C->type;
    gb_EntryList list;
    uint64_t n = 0, row = 0, col = 0;
    gbl_Info info = GBL_SUCCESS;
    for (uint64_t t = 0; t < call->m * call->n && info == GBL_SUCCESS; t++) {
        info = gb_assemble(call->tiles[t]);
        n += call->tiles[t]->nvals;
    }
    if (info == GBL_SUCCESS) info = gb_entry_list_new(&list, n, false, type);
    if (info != GBL_SUCCESS) return info;
    n = 0;
    for (uint64_t t = 0; t < call->m * call->n && info == GBL_SUCCESS; t++) {
        gb_Matrix *tile = call->tiles[t];
        info = gb_matrix_extract(tile, list.I + n, list.J + n, list.X + n * type->size, type);
        for (uint64_t end = n + tile->nvals; info == GBL_SUCCESS && n < end; n++) {
            list.I[n] += row;
            list.J[n] += col;
        }
        const bool last = t % call->n == call->n - 1;
        col = last ? 0 : col + tile->ncols;
        if (last) row += tile->nrows;
    }
    if (info == GBL_SUCCESS) info = write_list(call->C, &list);
    gb_entry_list_release(&list);
    return info;
}

const gb_Op gb_op_concat = {.name = "concat",
                            .bytes = sizeof(gb_Concat),
                            .check = check_concat,
                            .hyper = concat,
                            .host = concat};

/* -- and the other way round */

static gbl_Info check_sum(const gbl_Index *lengths, uint64_t n, uint64_t wanted, const char *what) {
    uint64_t sum = 0;
    for (uint64_t k = 0; k < n; k++)
        if (lengths[k] > wanted || (sum += lengths[k]) > wanted)
            return fail_grid(what, lengths[k] > wanted ? lengths[k] : sum, wanted);
    return sum == wanted ? GBL_SUCCESS : fail_grid(what, sum, wanted);
}

/* The part of a dimension that an index is in; indices mostly ascend. */
typedef struct {
    const gbl_Index *lengths;
    uint64_t part, start;
} Cut;
static uint64_t find_part(Cut *cut, gbl_Index *index) {
    if (*index < cut->start) cut->part = cut->start = 0;
    while (*index - cut->start >= cut->lengths[cut->part]) cut->start += cut->lengths[cut->part++];
    *index -= cut->start;
    return cut->part;
}

/* at[t] .. at[t + 1]: where the entries of tile t are in `to`, which gets them from `from`. */
static gbl_Info deal(const gb_Split *call, gb_EntryList *from, gb_EntryList *to, uint64_t *at) {
    const size_t size = from->type->size, bytes = from->n * sizeof(uint64_t);
    uint64_t *tile = gb_malloc(bytes);
    if (tile == NULL && bytes > 0) return gb_fail_memory(bytes);
    const uint64_t tiles = call->m * call->n;
    Cut rows = {.lengths = call->nrows}, cols = {.lengths = call->ncols};
    for (uint64_t e = 0; e < from->n; e++) {
        tile[e] = find_part(&rows, &from->I[e]) * call->n;
        tile[e] += find_part(&cols, &from->J[e]);
        at[tile[e] + 1]++;
    }
    for (uint64_t t = 0; t < tiles; t++) at[t + 1] += at[t];
    for (uint64_t e = 0; e < from->n; e++) {
        const uint64_t k = at[tile[e]]++;
        to->I[k] = from->I[e];
        to->J[k] = from->J[e];
        memcpy(to->X + k * size, from->X + e * size, size);
    }
    memmove(at + 1, at, tiles * sizeof *at); /* the ends became the next ones' beginnings */
    at[0] = 0;
    gb_free(tile, bytes);
    return GBL_SUCCESS;
}

static gbl_Info make_tiles(const gb_Split *call, const gb_EntryList *list, const uint64_t *at) {
    const size_t size = list->type->size;
    gbl_Info info = GBL_SUCCESS;
    for (uint64_t t = 0; t < call->m * call->n && info == GBL_SUCCESS; t++) {
        const gb_EntryList part = {.n = at[t + 1] - at[t],
                                   .I = list->I + at[t],
                                   .J = list->J + at[t],
                                   .X = list->X + at[t] * size,
                                   .type = list->type};
        const gb_Matrix shape = shape_of(call->nrows[t / call->n], call->ncols[t % call->n]);
        info = gb_entry_list_to(&call->tiles[t], &shape, call->A->type, &part, NULL);
    }
    return info;
}

gbl_Info gb_split(const gb_Split *call) {
    gb_Matrix *A = call->A;
    gb_EntryList from = {0}, to = {0};
    gbl_Info info = check_sum(call->nrows, call->m, A->nrows, "rows");
    if (info == GBL_SUCCESS) info = check_sum(call->ncols, call->n, A->ncols, "columns");
    if (info != GBL_SUCCESS) return info;
    const size_t bytes = gb_size_of(call->m * call->n + 1, sizeof(uint64_t));
    uint64_t *at = gb_calloc(bytes);
    if (at == NULL) return gb_fail_memory(bytes);
    info = gb_entry_list_of(&from, A, A->type);
    if (info == GBL_SUCCESS) info = gb_entry_list_new(&to, from.n, false, A->type);
    if (info == GBL_SUCCESS) info = deal(call, &from, &to, at);
    if (info == GBL_SUCCESS) info = make_tiles(call, &to, at);
    gb_entry_list_release(&from);
    gb_entry_list_release(&to);
    gb_free(at, bytes);
    for (uint64_t t = 0; info != GBL_SUCCESS && t < call->m * call->n; t++) {
        gb_matrix_free(call->tiles[t]);
        call->tiles[t] = NULL;
    }
    return info;
}

/* -- reshape */

typedef unsigned __int128 Number; /* of a position */

static gbl_Info check_reshape(const void *asked) {
    const gb_Reshape *call = asked;
    const gb_Matrix *A = call->A;
    if ((Number)A->nrows * A->ncols == (Number)call->nrows * call->ncols) return GBL_SUCCESS;
    return gb_fail(GBL_DIMENSION_MISMATCH,
                   "A is %llu x %llu, which has not as many positions as %llu x %llu",
                   (unsigned long long)A->nrows, (unsigned long long)A->ncols,
                   (unsigned long long)call->nrows, (unsigned long long)call->ncols);
}

static gbl_Info reshape(const void *asked) {
    const gb_Reshape *call = asked;
    gb_Matrix *A = call->A, *T = NULL;
    const gb_Matrix shape = shape_of(call->nrows, call->ncols);
    gb_EntryList list;
    gbl_Info info = gb_entry_list_of(&list, A, A->type);
    if (info != GBL_SUCCESS) return info;
    for (uint64_t e = 0; e < list.n; e++) {
        const uint64_t i = list.I[e], j = list.J[e];
        const Number at = call->by_column ? i + (Number)j * A->nrows : (Number)i * A->ncols + j;
        const uint64_t length = call->by_column ? call->nrows : call->ncols;
        const uint64_t major = (uint64_t)(at / length), minor = (uint64_t)(at % length);
        list.I[e] = call->by_column ? minor : major;
        list.J[e] = call->by_column ? major : minor;
    }
    info = gb_entry_list_to(&T, &shape, A->type, &list, NULL);
    gb_entry_list_release(&list);
    if (info != GBL_SUCCESS) return info;
    gb_matrix_clear(A);
    A->nrows = call->nrows;
    A->ncols = call->ncols;
    gb_matrix_move(A, T);
    gb_matrix_free(T);
    return GBL_SUCCESS;
}

const gb_Op gb_op_reshape = {.name = "reshape",
                             .bytes = sizeof(gb_Reshape),
                             .check = check_reshape,
                             .hyper = reshape,
                             .host = reshape};
