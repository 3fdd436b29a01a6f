/* SPDX-License-Identifier: Apache-2.0
 *
 * permute. The vector is read once into an array of indices and its inverse, which also shows
 * whether it is a permutation; the rest is one kernel. Huge matrices are permuted by their entries.
 */
#include "graph/graph.h"

#include "ops/operations.h"
#include "ops/entry_list.h"

static gbl_Info fail_missing(const gb_Matrix *p) {
    return gb_fail(GBL_INVALID_VALUE,
                   "p has %llu entries, but a permutation of %llu rows has one for each",
                   (unsigned long long)p->nvals, (unsigned long long)p->nrows);
}

/* order[i] = p(i), inverse[p(i)] = i */
static gbl_Info read_permutation(gb_Idx *order, gb_Idx *inverse, gb_Matrix *p) {
    const uint64_t n = p->nrows;
    const gb_Idx unseen = UINT32_MAX; /* no dimension is so large that an index could be this */
    gb_DenseView view;
    gbl_Info info = gb_acquire_dense(p, &view);
    if (info != GBL_SUCCESS) return info;
    if (view.nvals != n) return fail_missing(p);
    const gb_Indices64 indices = {p->type, view.x, view.iso ? 0 : 1};
    memset(inverse, 0xff, n * sizeof *inverse);
    for (uint64_t first = 0; first < n; first += GB_BATCH) {
        uint64_t at[GB_BATCH];
        const size_t count = n - first < GB_BATCH ? n - first : GB_BATCH;
        gb_indices_read(&indices, first, count, at);
        for (size_t k = 0; k < count; k++) {
            if (at[k] >= n) return gb_fail_index("p", first + k, at[k], n);
            if (inverse[at[k]] != unseen)
                return gb_fail(GBL_INVALID_VALUE,
                               "p(%llu) and p(%llu) are both %llu, but p must be a permutation",
                               (unsigned long long)inverse[at[k]], (unsigned long long)(first + k),
                               (unsigned long long)at[k]);
            order[first + k] = (gb_Idx)at[k];
            inverse[at[k]] = (gb_Idx)(first + k);
        }
    }
    return GBL_SUCCESS;
}

static gbl_Info permute_host(const void *asked) {
    const gb_Permute *call = asked;
    const uint64_t n = call->A->nrows;
    const size_t bytes = n * sizeof(gb_Idx);
    gb_Result T = {.type = call->A->type, .format = GB_CSR};
    gb_MapSource source;
    gbl_Info info = gb_assemble(call->p);
    if (info == GBL_SUCCESS && call->p->nvals != n) return fail_missing(call->p);
    if (info == GBL_SUCCESS) info = gb_map_source(&source, call->A, call->transpose);
    if (info != GBL_SUCCESS) return info;
    gb_Idx *order = gb_malloc(bytes), *inverse = gb_malloc(bytes);
    if ((order == NULL || inverse == NULL) && bytes > 0) {
        info = gb_fail_memory(2 * bytes);
    } else if (n > 0) {
        info = read_permutation(order, inverse, call->p);
    }
    if (info == GBL_SUCCESS && !source.is_empty) {
        const bool by_rows = source.format == GB_CSR;
        const gb_Band band = call->band;
        const gb_PermuteArgs args = {.order = order,
                                     .place = inverse,
                                     .low = by_rows ? band.low : -band.high,
                                     .high = by_rows ? band.high : -band.low,
                                     .nthreads = gb_nthreads()};
        info = gb_backend()->permute(&args, &source.cs, &T.cs);
        T.format = source.format;
    }
    gb_free(order, bytes);
    gb_free(inverse, bytes);
    return info == GBL_SUCCESS ? gb_finish(call->C, &call->mask, call->accum, &T) : info;
}

/* -- huge matrices: rows that p has no entry for stay where they are */

/* Where rows go. */
typedef struct {
    gb_RowList *taken; /* the values of p: rows of A that another row takes */
    gbl_Index *goes;   /* [taken->n] which one */
    size_t bytes;
} Moves;

static void release_moves(Moves *moves) {
    gb_row_list_release(moves->taken);
    gb_free(moves->goes, moves->bytes);
    *moves = (Moves){0};
}

/* The values of p are its indices in another order, or it is none. */
static gbl_Info check_moves(const Moves *moves, const gb_EntryList *p) {
    for (uint64_t k = 0; k < p->n; k++) {
        const gbl_Index row = p->I[k], value = moves->taken->index[k];
        if (value < row)
            return gb_fail(GBL_INVALID_VALUE,
                           "p(%llu) is %llu, but p has no entry for %llu: rows without one stay, "
                           "and the others must be permuted among themselves",
                           (unsigned long long)moves->goes[k], (unsigned long long)value,
                           (unsigned long long)value);
        if (value > row)
            return gb_fail(GBL_INVALID_VALUE,
                           "p has an entry for %llu, but none with that value: rows without an "
                           "entry stay, and the others must be permuted among themselves",
                           (unsigned long long)row);
    }
    return GBL_SUCCESS;
}

/* goes[position of p(i)] = i, and no position twice. */
static gbl_Info invert(Moves *moves, const gb_EntryList *p, const gb_Idx *position) {
    const uint64_t *value = gb_entry_indices(p);
    for (uint64_t k = 0; k < moves->taken->n; k++) moves->goes[k] = GB_NOT_FOUND;
    for (uint64_t k = 0; k < p->n; k++) {
        gbl_Index *const goes = &moves->goes[position[k]];
        if (*goes != GB_NOT_FOUND)
            return gb_fail(GBL_INVALID_VALUE,
                           "p(%llu) and p(%llu) are both %llu, but p must be a permutation",
                           (unsigned long long)*goes, (unsigned long long)p->I[k],
                           (unsigned long long)value[k]);
        *goes = p->I[k];
    }
    return check_moves(moves, p);
}

static gbl_Info read_moves(Moves *moves, gb_Matrix *vector) {
    gb_EntryList p;
    gb_Idx *position = NULL;
    *moves = (Moves){0};
    gbl_Info info = gb_entry_list_of(&p, vector, gb_type_of(GBL_UINT64_CODE));
    if (info != GBL_SUCCESS) return info;
    const uint64_t *value = gb_entry_indices(&p), n = vector->nrows;
    const size_t bytes = p.bytes;
    info = gb_entry_list_check(&p, "p", n);
    if (info == GBL_SUCCESS) {
        moves->bytes = bytes;
        moves->goes = gb_malloc(bytes);
        position = gb_malloc(bytes);
        if (moves->goes == NULL || position == NULL) info = gb_fail_memory(2 * bytes);
    }
    const gb_RowListMerge values = {
        .list = {value}, .n = {p.n}, .positions = {position}, .dimension = n};
    if (info == GBL_SUCCESS) info = gb_row_list_of_lists(&moves->taken, &values);
    if (info == GBL_SUCCESS) info = invert(moves, &p, position);
    gb_free(position, bytes);
    gb_entry_list_release(&p);
    if (info != GBL_SUCCESS) release_moves(moves);
    return info;
}

typedef struct {
    const Moves *moves;
    gbl_Index *list;
} Moving;

static void move_range(void *context, uint64_t first, uint64_t end) {
    const Moving *m = context;
    for (uint64_t k = first; k < end; k++) {
        const uint64_t at = gb_row_list_find(m->moves->taken, m->list[k]);
        if (at != GB_NOT_FOUND) m->list[k] = m->moves->goes[at];
    }
}

/* Entries outside the band are left out. */
static void keep_band(gb_EntryList *t, const gb_Band *band) {
    const size_t size = t->type->size;
    uint64_t kept = 0;
    for (uint64_t k = 0; k < t->n; k++) {
        const int64_t above = (int64_t)t->J[k] - (int64_t)t->I[k];
        if (above < band->low || above > band->high) continue;
        t->I[kept] = t->I[k];
        t->J[kept] = t->J[k];
        if (kept != k) memcpy(t->X + kept * size, t->X + k * size, size);
        kept++;
    }
    t->n = kept;
}

static gbl_Info permute_hyper(const void *asked) {
    const gb_Permute *call = asked;
    Moves moves;
    gb_EntryList t = {0};
    gb_Matrix *T = NULL, *const C = call->C, *const A = call->A;
    if (!gb_any_huge(C, call->mask.M, A, call->p)) return permute_host(call);
    gbl_Info info = read_moves(&moves, call->p);
    if (info == GBL_SUCCESS) info = gb_entry_list_of(&t, A, A->type);
    if (info == GBL_SUCCESS) {
        gb_parallel_items(gb_nthreads(), t.n, move_range, &(Moving){&moves, t.I});
        gb_parallel_items(gb_nthreads(), t.n, move_range, &(Moving){&moves, t.J});
        if (call->transpose) {
            gbl_Index *const rows = t.I;
            t.I = t.J;
            t.J = rows;
        }
        keep_band(&t, &call->band);
        info = gb_entry_list_to(&T, C, A->type, &t, NULL);
    }
    gb_entry_list_release(&t);
    release_moves(&moves);
    return gb_write_and_free(C, &call->mask, call->accum, T, info);
}

/* -- the descriptor */

static gbl_Info check(const void *asked) {
    const gb_Permute *call = asked;
    const gb_Matrix *C = call->C, *A = call->A;
    const uint64_t n = call->p->nrows;
    gbl_Info info = gb_check_indices(call->p, "p");
    if (info == GBL_SUCCESS) info = gb_check_output(C, &call->mask, call->accum, A->type);
    if (info == GBL_SUCCESS) info = gb_check_shape(A, call->transpose, C->nrows, C->ncols, "A");
    return info == GBL_SUCCESS ? gb_check_shape(A, false, n, n, "A") : info;
}

const gb_Op gb_op_permute = {GB_OP("permute", gb_Permute),
                             .A = GB_INPUT_TRANSPOSED(gb_Permute, A, transpose, ROWS, COLS),
                             .B = {.at = offsetof(gb_Permute, p)},
                             .check = check,
                             .hyper = permute_hyper,
                             .host = permute_host};
