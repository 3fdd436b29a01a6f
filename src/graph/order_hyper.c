/* SPDX-License-Identifier: Apache-2.0
 *
 * Degrees, sorting and permuting, elements at places that vectors list, roots and join, lifted.
 * Degrees are lifted as other operations are; the rest goes by the entries as tuples, whose indices
 * have 64 bits: O(entries), or a radix sort of them.
 */
#include <string.h>

#include "core/arrays.h"
#include "core/context.h"
#include "core/parallel.h"
#include "core/tune.h"
#include "hyper/hyper.h"
#include "hyper/lift.h"
#include "matrix/tuples.h"
#include "ops/indices.h"

static const gb_Mask no_mask = {0};

/* The entries of an object, by row, then column. */
typedef struct {
    uint64_t n;
    gbl_Index *I, *J; /* [n]; J: NULL for vectors */
    char *X;          /* [n] of `type` */
    gbl_Index *block; /* what I and J are in */
    const gb_Type *type;
    size_t bytes, xbytes;
} gb_Listed;

static void release_listed(gb_Listed *t) {
    gb_free(t->block, t->bytes);
    gb_free(t->X, t->xbytes);
    *t = (gb_Listed){0};
}

static gbl_Info new_listed(gb_Listed *t, uint64_t n, bool vector, const gb_Type *type) {
    *t = (gb_Listed){.n = n, .type = type};
    if (!gb_size_mul(&t->bytes, n + 1, (vector ? 1 : 2) * sizeof *t->I) ||
        !gb_size_mul(&t->xbytes, n + 1, type->size))
        return gb_fail_memory(SIZE_MAX);
    t->block = t->I = gb_malloc(t->bytes);
    t->X = gb_malloc(t->xbytes);
    if (!vector && t->I != NULL) t->J = t->I + n;
    if (t->I != NULL && t->X != NULL) return GBL_SUCCESS;
    const size_t bytes = t->bytes + t->xbytes;
    release_listed(t);
    return gb_fail_memory(bytes);
}

static gbl_Info list_entries(gb_Listed *t, gb_Matrix *A, const gb_Type *type) {
    *t = (gb_Listed){0};
    gbl_Info info = gb_assemble(A);
    if (info == GBL_SUCCESS) info = new_listed(t, A->nvals, gb_is_vector(A), type);
    if (info == GBL_SUCCESS) info = gb_matrix_extract(A, t->I, t->J, t->X, type);
    if (info != GBL_SUCCESS) release_listed(t);
    return info;
}

/* GBL_INDEX_OUT_OF_BOUNDS unless the values, UINT64, are below limit. */
static gbl_Info check_places(const gb_Listed *t, const char *name, uint64_t limit) {
    const uint64_t *value = (const uint64_t *)(const void *)t->X;
    for (uint64_t k = 0; k < t->n; k++)
        if (value[k] >= limit) return gb_fail_index(name, t->I[k], value[k], limit);
    return GBL_SUCCESS;
}

/* *T = a new object like A with the first n entries of the list, folded by dup. */
static gbl_Info of_listed(gb_Matrix **T, const gb_Matrix *like, gb_Type *type, const gb_Listed *t,
                          const gb_BinaryOp *dup) {
    const gb_Values values = {.type = t->type, .x = t->X, .sx = 1};
    gbl_Info info = gb_matrix_new(T, like->magic, type, like->nrows, like->ncols);
    if (info == GBL_SUCCESS) info = gb_matrix_build(*T, t->I, t->J, &values, t->n, dup);
    if (info == GBL_SUCCESS) return info;
    gb_matrix_free(*T);
    *T = NULL;
    return info;
}

/* -- degrees: every row has one, so they are for the rows that the mask tells */

gbl_Info gb_lifted_degrees(gb_Matrix *w, const gb_Mask *mask, const gb_BinaryOp *accum,
                           gb_Matrix *A, bool transpose) {
    const bool inside = mask->M != NULL ? !mask->complement : mask->complement;
    if (!gb_any_hyper(w, mask, A, NULL)) return gb_degrees(w, mask, accum, A, transpose);
    if (!inside && !gb_any_huge(w, mask, A, NULL)) return gb_degrees(w, mask, accum, A, transpose);
    if (!inside && gb_is_huge(w))
        return gb_fail(GBL_OUT_OF_MEMORY,
                       "degrees of all of %llu rows or columns do not fit in memory; give a mask "
                       "that is not complemented, such as a vector of those that are wanted",
                       (unsigned long long)w->nrows);
    gb_RowList *all = NULL;
    gb_Lift lift;
    gb_lift_output(&lift, w, mask, accum);
    gb_lift_input(&lift, GB_OF_A, A, transpose ? GB_DIM_INNER : GB_DIM_ROWS,
                  transpose ? GB_DIM_ROWS : GB_DIM_INNER);
    gbl_Info info = inside ? GBL_SUCCESS : gb_row_list_of_first(&all, w->nrows);
    lift.more[GB_DIM_ROWS] = all;
    if (info == GBL_SUCCESS) info = gb_lift_begin(&lift);
    if (info == GBL_SUCCESS)
        info = gb_degrees(gb_core(&lift, GB_OF_C), &lift.core_mask, accum, gb_core(&lift, GB_OF_A),
                          transpose);
    info = gb_lift_end(&lift, info);
    gb_row_list_release(all);
    return info;
}

/* -- sort */

/* *out = a vector like u with the entries of `sorted`. Values that are places on an axis become its
 * indices. */
static gbl_Info widen(gb_Matrix **out, const gb_Matrix *u, gb_Type *type, gb_Matrix *sorted,
                      const gb_RowList *axis) {
    gb_Listed t;
    gbl_Info info = list_entries(&t, sorted, sorted->type);
    if (info != GBL_SUCCESS) return info;
    gbl_Index *places = (gbl_Index *)(void *)t.X;
    for (uint64_t k = 0; axis != NULL && k < t.n; k++) places[k] = axis->index[places[k]];
    info = of_listed(out, u, type, &t, NULL);
    release_listed(&t);
    return info;
}

/* Sorts the compact vector; w and p are new ones with the results, or stay NULL. */
static gbl_Info sort_compact(const gb_Sort *call, gb_Matrix *u, gb_Matrix **w, gb_Matrix **p) {
    gb_RowLists axes = {0};
    gb_Compact from = {0};
    gb_Matrix *values = NULL, *places = NULL;
    gbl_Info info = gb_row_lists_of(&axes, u);
    if (info == GBL_SUCCESS) info = gb_compact_get(&from, u, &axes, false);
    if (info == GBL_SUCCESS && call->w != NULL)
        info = gb_compact_new(&values, u, call->w->type, &axes);
    if (info == GBL_SUCCESS && call->p != NULL)
        info = gb_compact_new(&places, u, gb_type_of(GBL_UINT64_CODE), &axes);
    if (info == GBL_SUCCESS)
        info = gb_sort(&(gb_Sort){values, places, call->type, call->descending}, from.m);
    if (info == GBL_SUCCESS && values != NULL) info = widen(w, u, call->w->type, values, NULL);
    if (info == GBL_SUCCESS && places != NULL) info = widen(p, u, call->p->type, places, axes.rows);
    gb_matrix_free(values);
    gb_matrix_free(places);
    gb_compact_release(&from);
    gb_row_lists_release(&axes);
    return info;
}

gbl_Info gb_lifted_sort(const gb_Sort *call, gb_Matrix *u) {
    gb_Matrix *w = NULL, *p = NULL;
    if (!gb_is_hyper(u)) return gb_sort(call, u);
    gbl_Info info = gb_assemble(u);
    if (info == GBL_SUCCESS) info = sort_compact(call, u, &w, &p);
    if (info == GBL_SUCCESS && call->w != NULL) gb_matrix_move(call->w, w);
    if (info == GBL_SUCCESS && call->p != NULL) gb_matrix_move(call->p, p);
    gb_matrix_free(w);
    gb_matrix_free(p);
    return info;
}

/* -- permute: rows that p has no entry for stay where they are */

/* Where rows go. */
typedef struct {
    gb_RowList *taken; /* the values of p: rows of A that another row takes */
    gbl_Index *goes;   /* [taken->n] which one */
    size_t bytes;
} gb_Moves;

static void release_moves(gb_Moves *moves) {
    gb_row_list_release(moves->taken);
    gb_free(moves->goes, moves->bytes);
    *moves = (gb_Moves){0};
}

/* The values of p are its indices in another order, or it is none. */
static gbl_Info check_moves(const gb_Moves *moves, const gb_Listed *p) {
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

/* goes[place of p(i)] = i, and no place twice. */
static gbl_Info invert(gb_Moves *moves, const gb_Listed *p, const gb_Idx *place) {
    const uint64_t *value = (const uint64_t *)(const void *)p->X;
    for (uint64_t k = 0; k < moves->taken->n; k++) moves->goes[k] = GB_NOT_FOUND;
    for (uint64_t k = 0; k < p->n; k++) {
        gbl_Index *const goes = &moves->goes[place[k]];
        if (*goes != GB_NOT_FOUND)
            return gb_fail(GBL_INVALID_VALUE,
                           "p(%llu) and p(%llu) are both %llu, but p must be a permutation",
                           (unsigned long long)*goes, (unsigned long long)p->I[k],
                           (unsigned long long)value[k]);
        *goes = p->I[k];
    }
    return check_moves(moves, p);
}

static gbl_Info read_moves(gb_Moves *moves, gb_Matrix *vector) {
    gb_Listed p;
    gb_Idx *place = NULL;
    *moves = (gb_Moves){0};
    gbl_Info info = list_entries(&p, vector, gb_type_of(GBL_UINT64_CODE));
    if (info != GBL_SUCCESS) return info;
    const uint64_t *value = (const uint64_t *)(const void *)p.X, n = vector->nrows;
    const size_t bytes = p.bytes;
    info = check_places(&p, "p", n);
    if (info == GBL_SUCCESS) {
        moves->bytes = bytes;
        moves->goes = gb_malloc(bytes);
        place = gb_malloc(bytes);
        if (moves->goes == NULL || place == NULL) info = gb_fail_memory(2 * bytes);
    }
    const gb_RowListMerge values = {
        .list = {value}, .n = {p.n}, .positions = {place}, .dimension = n};
    if (info == GBL_SUCCESS) info = gb_row_list_of_lists(&moves->taken, &values);
    if (info == GBL_SUCCESS) info = invert(moves, &p, place);
    gb_free(place, bytes);
    release_listed(&p);
    if (info != GBL_SUCCESS) release_moves(moves);
    return info;
}

typedef struct {
    const gb_Moves *moves;
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
static void keep_band(gb_Listed *t, const gb_Band *band) {
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

gbl_Info gb_lifted_permute(gb_Matrix *C, const gb_Mask *mask, const gb_BinaryOp *accum,
                           const gb_Permute *call) {
    gb_Moves moves;
    gb_Listed t = {0};
    gb_Matrix *T = NULL, *A = call->A;
    if (!gb_any_huge(C, mask, A, call->p)) return gb_permute(C, mask, accum, call);
    gbl_Info info = read_moves(&moves, call->p);
    if (info == GBL_SUCCESS) info = list_entries(&t, A, A->type);
    if (info == GBL_SUCCESS) {
        const int threads = gb_threads_for(t.n, GB_GRAIN, gb_nthreads());
        gb_parallel_ranges(threads, t.n, move_range, &(Moving){&moves, t.I});
        gb_parallel_ranges(threads, t.n, move_range, &(Moving){&moves, t.J});
        if (call->transpose) {
            gbl_Index *const rows = t.I;
            t.I = t.J;
            t.J = rows;
        }
        keep_band(&t, &call->band);
        info = of_listed(&T, C, A->type, &t, NULL);
    }
    if (info == GBL_SUCCESS) info = gb_lifted_write(C, mask, accum, T);
    gb_matrix_free(T);
    release_listed(&t);
    release_moves(&moves);
    return info;
}

/* -- elements at places that a vector lists */

gbl_Info gb_lifted_extract_at(gb_Matrix *w, const gb_Mask *mask, const gb_BinaryOp *accum,
                              gb_Matrix *u, gb_Matrix *I) {
    gb_Listed at = {0}, found = {0};
    gb_Matrix *T = NULL;
    if (!gb_any_hyper(w, mask, u, I)) return gb_extract_at(w, mask, accum, u, I);
    gbl_Info info = list_entries(&at, I, gb_type_of(GBL_UINT64_CODE));
    if (info != GBL_SUCCESS) return info;
    const gbl_Index *place = (const gbl_Index *)(const void *)at.X;
    info = check_places(&at, "I", u->nrows);
    const gb_Indices list = {.i = place, .n = at.n};
    if (info == GBL_SUCCESS) info = gb_matrix_new(&T, GB_MAGIC_VECTOR, u->type, at.n, 1);
    if (info == GBL_SUCCESS) info = gb_lifted_extract(T, &no_mask, NULL, u, &list);
    if (info == GBL_SUCCESS) info = list_entries(&found, T, u->type);
    gb_matrix_free(T);
    T = NULL;
    for (uint64_t k = 0; info == GBL_SUCCESS && k < found.n; k++) found.I[k] = at.I[found.I[k]];
    if (info == GBL_SUCCESS) info = of_listed(&T, w, u->type, &found, NULL);
    if (info == GBL_SUCCESS) info = gb_lifted_write(w, mask, accum, T);
    gb_matrix_free(T);
    release_listed(&found);
    release_listed(&at);
    return info;
}

/* value->I becomes the places and value->X the values of the numbers that both have. */
static gbl_Info pair_up(gb_Listed *value, const gb_Listed *at, uint64_t limit) {
    const uint64_t *place = (const uint64_t *)(const void *)at->X;
    const size_t size = value->type->size;
    uint64_t n = 0;
    for (uint64_t a = 0, v = 0; a < at->n && v < value->n;) {
        const gbl_Index i = at->I[a], j = value->I[v];
        if (i == j && place[a] >= limit) return gb_fail_index("I", i, place[a], limit);
        if (i == j) { /* n <= v, so nothing is lost that is still to be read */
            value->I[n] = place[a];
            if (n != v) memcpy(value->X + n * size, value->X + v * size, size);
            n++;
        }
        a += i <= j;
        v += j <= i;
    }
    value->n = n;
    return GBL_SUCCESS;
}

gbl_Info gb_lifted_scatter_at(gb_Matrix *w, const gb_Mask *mask, const gb_BinaryOp *accum,
                              const gb_ScatterAt *call) {
    gb_Listed at = {0}, value = {0};
    gb_Matrix *T = NULL;
    if (!gb_any_hyper(w, mask, call->u, call->I)) return gb_scatter_at(w, mask, accum, call);
    gbl_Info info = list_entries(&at, call->I, gb_type_of(GBL_UINT64_CODE));
    if (info == GBL_SUCCESS) info = list_entries(&value, call->u, call->u->type);
    if (info == GBL_SUCCESS) info = pair_up(&value, &at, w->nrows);
    if (info == GBL_SUCCESS) info = of_listed(&T, w, call->dup->ztype, &value, call->dup);
    if (info == GBL_SUCCESS) info = gb_lifted_write(w, mask, accum, T);
    gb_matrix_free(T);
    release_listed(&value);
    release_listed(&at);
    return info;
}

/* -- ends of chains */

gb_Type *gb_roots_type(const gb_Matrix *u) {
    return gb_type_of(gb_is_huge(u) ? GBL_UINT64_CODE : GBL_UINT32_CODE);
}

/* Links lead to the end of each chain; false where there is none, and *round begins it. Each walk
 * leaves the end behind for those that come after: O(n) altogether. */
static bool follow_links(gb_Idx *link, uint64_t n, uint64_t *round) {
    for (uint64_t first = 0; first < n; first++) {
        uint64_t steps = 0;
        gb_Idx end = (gb_Idx)first, next;
        for (; link[end] != end; end = link[end])
            if (steps++ == n) {
                *round = first;
                return false;
            }
        for (gb_Idx k = (gb_Idx)first; k != end; k = next) {
            next = link[k];
            link[k] = end;
        }
    }
    return true;
}

/* The values of t, which are places, become the ends of their chains. The name is for errors. */
static gbl_Info find_roots(gb_Listed *t, const char *name) {
    uint64_t *value = (uint64_t *)(void *)t->X, round = 0;
    const uint64_t n = t->n;
    gb_RowList *axis = NULL;
    gb_Idx *place = NULL, *link = NULL;
    size_t bytes;
    if (gb_size_mul(&bytes, 4 * n + 1, sizeof *place)) place = gb_malloc(bytes);
    if (place == NULL) return gb_fail_memory(bytes);
    link = place + 2 * n;
    gbl_Info info = gb_row_list_of_lists(&axis, &(gb_RowListMerge){.list = {t->I, value},
                                                                   .n = {n, n},
                                                                   .positions = {place, place + n},
                                                                   .dimension = GBL_INDEX_MAX});
    for (uint64_t k = 0; info == GBL_SUCCESS && k < axis->n; k++) link[k] = (gb_Idx)k;
    for (uint64_t k = 0; info == GBL_SUCCESS && k < n; k++) link[place[k]] = place[n + k];
    if (info == GBL_SUCCESS && !follow_links(link, axis->n, &round))
        info = gb_fail(GBL_INVALID_VALUE,
                       "the chain of %s that begins at %llu goes round; each must end at a place "
                       "that is its own next or has none",
                       name, (unsigned long long)axis->index[round]);
    for (uint64_t k = 0; info == GBL_SUCCESS && k < n; k++) value[k] = axis->index[link[place[k]]];
    gb_row_list_release(axis);
    gb_free(place, bytes);
    return info;
}

gbl_Info gb_lifted_roots(gb_Matrix *w, const gb_Mask *mask, const gb_BinaryOp *accum,
                         gb_Matrix *u) {
    gb_Type *const type = gb_roots_type(u);
    gb_Listed t = {0};
    gb_Matrix *T = NULL;
    if (!gb_is_huge(u)) return gb_roots(w, mask, accum, u);
    gbl_Info info = list_entries(&t, u, type);
    if (info == GBL_SUCCESS) info = check_places(&t, "u", u->nrows);
    if (info == GBL_SUCCESS) info = find_roots(&t, "u");
    if (info == GBL_SUCCESS) info = of_listed(&T, w, type, &t, NULL);
    if (info == GBL_SUCCESS) info = gb_lifted_write(w, mask, accum, T);
    gb_matrix_free(T);
    release_listed(&t);
    return info;
}

/* -- trees joined: on the axis that rows and columns of A, entries of w and its values share */

/* *compact = the forest w of the list, in places on the axis. The list becomes these places. */
static gbl_Info compact_forest(gb_Matrix **compact, gb_Listed *t, const gb_Matrix *w,
                               gb_RowList *axis) {
    uint64_t *value = (uint64_t *)(void *)t->X;
    const gb_Values values = {.type = t->type, .x = value, .sx = 1};
    for (uint64_t k = 0; k < t->n; k++) {
        t->I[k] = gb_row_list_find(axis, t->I[k]);
        value[k] = gb_row_list_find(axis, value[k]);
    }
    gbl_Info info =
        gb_compact_new(compact, w, gb_type_of(GBL_UINT32_CODE), &(gb_RowLists){.rows = axis});
    if (info == GBL_SUCCESS) info = gb_matrix_build(*compact, t->I, NULL, &values, t->n, NULL);
    return info;
}

/* *T = a new vector like w of the compact forest. */
static gbl_Info widen_forest(gb_Matrix **T, gb_Matrix *compact, const gb_Matrix *w,
                             const gb_RowList *axis) {
    gb_Listed t;
    gbl_Info info = list_entries(&t, compact, gb_type_of(GBL_UINT64_CODE));
    uint64_t *value = (uint64_t *)(void *)t.X;
    for (uint64_t k = 0; info == GBL_SUCCESS && k < t.n; k++) {
        t.I[k] = axis->index[t.I[k]];
        value[k] = axis->index[value[k]];
    }
    if (info == GBL_SUCCESS) info = of_listed(T, w, w->type, &t, NULL);
    release_listed(&t);
    return info;
}

gbl_Info gb_lifted_join(gb_Matrix *w, const gb_Mask *mask, const gb_Join *call) {
    gb_Matrix *compact = NULL, *T = NULL;
    gb_Listed t = {0};
    gb_RowList *all = NULL;
    gb_Lift lift;
    if (!gb_any_hyper(w, mask, call->A, NULL)) return gb_join(w, mask, call);
    gbl_Info info = gb_assemble(w);
    if (info != GBL_SUCCESS) return info;
    if (gb_is_filled(w) && !gb_any_huge(w, mask, call->A, NULL)) return gb_join(w, mask, call);
    gb_lift_output(&lift, NULL, mask, NULL);
    gb_lift_input(&lift, GB_OF_A, call->A, GB_DIM_ROWS, GB_DIM_ROWS);
    info = list_entries(&t, w, gb_type_of(GBL_UINT64_CODE));
    if (info == GBL_SUCCESS) info = check_places(&t, "w", w->nrows);
    if (info == GBL_SUCCESS) info = find_roots(&t, "w"); /* here, where indices are the true ones */
    const gb_RowListMerge lists = {
        .list = {t.I, (const uint64_t *)(const void *)t.X}, .n = {t.n, t.n}, .dimension = w->nrows};
    if (info == GBL_SUCCESS) info = gb_row_list_of_lists(&all, &lists);
    lift.more[GB_DIM_ROWS] = all;
    if (info == GBL_SUCCESS) info = gb_lift_begin(&lift);
    gb_RowList *const axis = lift.axis[GB_DIM_ROWS];
    if (info == GBL_SUCCESS) info = compact_forest(&compact, &t, w, axis);
    if (info == GBL_SUCCESS) {
        gb_Join core = *call;
        core.A = gb_core(&lift, GB_OF_A);
        info = gb_join(compact, &lift.core_mask, &core);
    }
    if (info == GBL_SUCCESS) info = widen_forest(&T, compact, w, axis);
    info = gb_lift_end(&lift, info);
    if (info == GBL_SUCCESS) gb_matrix_move(w, T);
    gb_matrix_free(T);
    gb_matrix_free(compact);
    gb_row_list_release(all);
    release_listed(&t);
    return info;
}
