/* SPDX-License-Identifier: Apache-2.0
 *
 * scatter. The pairs (index, value) are read in batches from the two vectors as stored, full or
 * with gaps; two sparse ones are merged first. If the output is full and its accumulator is the
 * monoid of dup, values are folded into it in place, after all indices were checked. Else many
 * pairs go to an array as long as the result; few are sorted by index, and nothing is as long as
 * the result. Threads write ranges of their own and all of them read all indices, so values fold in
 * order without locks.
 */
#include "graph/graph.h"

#include "ops/operations.h"
#include "ops/entry_list.h"

/* Candidates 0 .. n - 1, of which those are pairs that have an index and a value. Candidate k
 * stands at list[k] of the dense side, or both sides are dense and it stands at k. Values have
 * dup's type. */
typedef struct {
    gb_Indices64 indices;
    const char *x;
    int sx;
    uint64_t n;
    const gb_Idx *list; /* [n] or NULL */
    bool lists_indices, lists_values;
    const int8_t *has_index, *has_value; /* by position, or NULL: everywhere */
    gb_EntryList own;                    /* those that were collected */
    gb_Operand u;
    gb_DenseOperand u_dense;
} Pairs;

static void pairs_free(Pairs *pairs) {
    gb_entry_list_release(&pairs->own);
    gb_operand_release(&pairs->u);
    gb_dense_operand_release(&pairs->u_dense);
}

/* The pairs among candidates first .. first + count - 1, count <= GB_BATCH: index k is at[k], its
 * value is number from[k] of pairs->x. Returns how many there are. */
static size_t read_pairs(const Pairs *pairs, uint64_t first, size_t count, uint64_t *at,
                         uint64_t *from) {
    uint64_t number[GB_BATCH], space[GB_BATCH];
    const gb_Indices64 *indices = &pairs->indices;
    size_t m = 0;
    for (size_t k = 0; k < count; k++) {
        const uint64_t mine = first + k, position = pairs->list ? pairs->list[mine] : mine;
        number[m] = pairs->lists_indices ? mine : position;
        from[m] = pairs->sx == 0 ? 0 : pairs->lists_values ? mine : position;
        m += (pairs->has_index == NULL || pairs->has_index[position]) &&
             (pairs->has_value == NULL || pairs->has_value[position]);
    }
    if (indices->sx == 0) {
        gb_indices_read(indices, 0, m, at);
    } else {
        gb_gather(space, indices->x, number, indices->type->size, m);
        gb_indices_read(&(gb_Indices64){indices->type, space, 1}, 0, m, at);
    }
    return m;
}

static size_t batch_from(const Pairs *pairs, uint64_t first) {
    return pairs->n - first < GB_BATCH ? pairs->n - first : GB_BATCH;
}

/* Some index is not below n. */
static gbl_Info fail_pairs(const Pairs *pairs, uint64_t n) {
    uint64_t at[GB_BATCH], from[GB_BATCH], k = 0;
    while (read_pairs(pairs, k, 1, at, from) == 0 || at[0] < n) k++;
    return gb_fail_index("I", pairs->list != NULL ? pairs->list[k] : k, at[0], n);
}

/* Both vectors, or one of them, are dense. */
static gbl_Info pairs_of_dense(Pairs *pairs, const gb_Scatter *call) {
    const bool I_is_dense = gb_is_dense(call->I), u_is_dense = gb_is_dense(call->u);
    const gb_Type *type = call->dup->ztype;
    gb_DenseView I = {0};
    gb_CsView list = {0};
    gbl_Info info =
        I_is_dense ? gb_acquire_dense(call->I, &I) : gb_acquire_sorted(call->I, GB_CSC, &list);
    if (info == GBL_SUCCESS && !u_is_dense)
        info = gb_acquire_sorted(call->u, GB_CSC, &pairs->u.view);
    if (info == GBL_SUCCESS)
        info = u_is_dense ? gb_dense_operand_get(&pairs->u_dense, call->u, type)
                          : gb_operand_get(&pairs->u, call->u, GB_CSC, type);
    if (info != GBL_SUCCESS) return info;
    const gb_DenseView *u = &pairs->u_dense.view;
    const bool I_iso = I_is_dense ? I.iso : list.iso;
    pairs->indices = (gb_Indices64){call->I->type, I_is_dense ? I.x : list.x, I_iso ? 0 : 1};
    pairs->x = u_is_dense ? u->x : pairs->u.view.x;
    pairs->sx = (u_is_dense ? u->iso : pairs->u.view.iso) ? 0 : 1;
    pairs->has_index = I.b;
    pairs->has_value = u->b;
    pairs->lists_indices = !I_is_dense;
    pairs->lists_values = !u_is_dense;
    pairs->list = !I_is_dense ? list.i : pairs->u.view.i;
    pairs->n = !I_is_dense ? list.nvals : !u_is_dense ? pairs->u.view.nvals : I.n;
    return GBL_SUCCESS;
}

/* The pairs are now those that were collected. */
static void use_own(Pairs *pairs) {
    pairs->indices = (gb_Indices64){gb_type_of(GBL_UINT64_CODE), pairs->own.I, 1};
    pairs->x = pairs->own.X;
    pairs->sx = 1;
    pairs->n = pairs->own.n;
    pairs->list = NULL;
    pairs->lists_indices = pairs->lists_values = false;
    pairs->has_index = pairs->has_value = NULL;
}

/* value->I becomes the indices, and value->X the values, of the positions that both have. */
static gbl_Info pair_up(gb_EntryList *value, const gb_EntryList *at, uint64_t limit) {
    const gbl_Index *index = gb_entry_indices(at);
    const size_t size = value->type->size;
    uint64_t n = 0;
    for (uint64_t a = 0, v = 0; a < at->n && v < value->n;) {
        const gbl_Index i = at->I[a], j = value->I[v];
        if (i == j && index[a] >= limit) return gb_fail_index("I", i, index[a], limit);
        if (i == j) { /* n <= v, so nothing is lost that is still to be read */
            value->I[n] = index[a];
            if (n != v) memcpy(value->X + n * size, value->X + v * size, size);
            n++;
        }
        a += i <= j;
        v += j <= i;
    }
    value->n = n;
    return GBL_SUCCESS;
}

/* Neither is dense, or one is hypersparse: entries at equal positions are collected. */
static gbl_Info pairs_of_lists(Pairs *pairs, const gb_Scatter *call) {
    gb_EntryList at = {0};
    gbl_Info info = gb_entry_list_of(&at, call->I, gb_type_of(GBL_UINT64_CODE));
    if (info == GBL_SUCCESS) info = gb_entry_list_of(&pairs->own, call->u, call->dup->ztype);
    if (info == GBL_SUCCESS) info = pair_up(&pairs->own, &at, call->w->nrows);
    if (info == GBL_SUCCESS) use_own(pairs);
    gb_entry_list_release(&at);
    return info;
}

/* Pairs that are read from dense vectors are collected. */
static gbl_Info collect(Pairs *pairs, const gb_Type *type) {
    gb_EntryList *const own = &pairs->own;
    if (own->type != NULL) return GBL_SUCCESS;
    const gbl_Info info = gb_entry_list_new(own, pairs->n, true, type);
    if (info != GBL_SUCCESS) return info;
    uint64_t at[GB_BATCH], from[GB_BATCH], n = 0;
    for (uint64_t first = 0; first < pairs->n; first += GB_BATCH) {
        const size_t m = read_pairs(pairs, first, batch_from(pairs, first), at, from);
        memcpy(own->I + n, at, m * sizeof *at);
        for (size_t k = 0; k < m; k++)
            memcpy(own->X + (n + k) * type->size, pairs->x + from[k] * type->size, type->size);
        n += m;
    }
    own->n = n;
    use_own(pairs);
    return GBL_SUCCESS;
}

/* -- into a full output */

/* w accum= T, T folded by dup, may be w folded by dup: nothing is in the way, and no order of the
 * values can be seen. The loop, or NULL. */
static gb_scatter_fold fold_in_place_of(const gb_Scatter *call) {
    const gb_Matrix *w = call->w;
    const gb_BinaryOp *accum = call->accum;
    const gb_Mask *mask = &call->mask;
    const gb_Fold fold = gb_fold_op(call->dup);
    if (accum == NULL || mask->M != NULL || mask->complement) return NULL;
    if (fold.monoid == NULL || fold.monoid != gb_fold_op(accum).monoid) return NULL;
    if (w == call->u || w == call->I || !(w->has & GBL_HAS_FULL) || w->iso) return NULL;
    if (!gb_fold_order_is_unseen(&fold) || w->type != call->dup->ztype) return NULL;
    return gb_scatter_fold_of(call->dup);
}

typedef struct {
    const Pairs *pairs;
    gb_scatter_fold fold;
    void *z;
    uint64_t n; /* of z */
    int parts;
} InPlace;

/* Indices in part t of z. */
static void fold_part(void *context, int t) {
    const InPlace *job = context;
    const Pairs *pairs = job->pairs;
    const uint64_t low = gb_part(job->n, (uint64_t)t, (uint64_t)job->parts);
    const uint64_t high = gb_part(job->n, (uint64_t)t + 1, (uint64_t)job->parts);
    uint64_t at[GB_BATCH], from[GB_BATCH];
    for (uint64_t first = 0; first < pairs->n; first += GB_BATCH) {
        size_t m = read_pairs(pairs, first, batch_from(pairs, first), at, from), mine = 0;
        for (size_t k = 0; high - low < job->n && k < m; k++) {
            const bool inside = at[k] >= low && at[k] < high;
            at[mine] = at[k];
            from[mine] = from[k];
            mine += inside;
        }
        if (high - low < job->n) m = mine;
        job->fold(&(gb_ScatterFold){.z = job->z, .x = pairs->x, .at = at, .from = from, .n = m});
    }
}

static bool indices_fit(const Pairs *pairs, uint64_t n) {
    uint64_t at[GB_BATCH], from[GB_BATCH];
    bool fit = true;
    for (uint64_t first = 0; fit && first < pairs->n; first += GB_BATCH) {
        const size_t m = read_pairs(pairs, first, batch_from(pairs, first), at, from);
        for (size_t k = 0; k < m; k++) fit = fit && at[k] < n;
    }
    return fit;
}

static gbl_Info fold_in_place(gb_Matrix *w, const Pairs *pairs, gb_scatter_fold fold) {
    const int threads = gb_threads_for(pairs->n, GB_GRAIN, gb_nthreads());
    if (!indices_fit(pairs, w->nrows)) return fail_pairs(pairs, w->nrows);
    gb_matrix_keep_only(w, GBL_HAS_FULL);
    InPlace job = {.pairs = pairs,
                   .fold = fold,
                   .z = w->dense.x,
                   .n = w->nrows,
                   .parts = threads < GB_PLACED_THREADS ? 1 : threads};
    gb_parallel(job.parts, fold_part, &job);
    return GBL_SUCCESS;
}

/* -- many pairs */

typedef struct {
    const Pairs *pairs;
    const gb_BinaryOp *dup;
    gb_Dense *z;
    char *folds; /* [parts] values */
    int parts;
    uint64_t kept; /* atomic */
} Spread;

/* Indices in part t of z. */
static void spread_part(void *context, int t) {
    Spread *s = context;
    const Pairs *pairs = s->pairs;
    const size_t size = s->dup->ztype->size;
    const uint64_t low = gb_part(s->z->n, (uint64_t)t, (uint64_t)s->parts);
    const uint64_t high = gb_part(s->z->n, (uint64_t)t + 1, (uint64_t)s->parts);
    char *const fold = s->folds + (size_t)t * size;
    uint64_t kept = 0, at[GB_BATCH], from[GB_BATCH];
    for (uint64_t first = 0; first < pairs->n; first += GB_BATCH) {
        const size_t count = read_pairs(pairs, first, batch_from(pairs, first), at, from);
        for (size_t k = 0; k < count; k++) {
            if (at[k] < low || at[k] >= high) continue;
            const char *x = pairs->x + from[k] * size;
            char *z = (char *)s->z->x + at[k] * size;
            if (s->z->b[at[k]]) {
                gb_fold_one(s->dup, z, x, fold);
            } else {
                memcpy(z, x, size);
                s->z->b[at[k]] = 1;
                kept++;
            }
        }
    }
    __atomic_fetch_add(&s->kept, kept, __ATOMIC_RELAXED);
}

static gbl_Info spread(const Pairs *pairs, const gb_BinaryOp *dup, uint64_t n, gb_Result *T) {
    const size_t size = dup->ztype->size;
    const int threads = gb_threads_for(pairs->n, GB_GRAIN, gb_nthreads());
    if (!indices_fit(pairs, n)) return fail_pairs(pairs, n);
    T->is_dense = true;
    const size_t bytes = gb_size_of(n, size);
    gbl_Info info = gb_dense_alloc(&T->dense, n, bytes, true);
    if (info != GBL_SUCCESS) return info;
    memset(T->dense.b, 0, n);
    char *folds = gb_malloc((size_t)threads * size);
    if (folds == NULL) return gb_fail_memory((size_t)threads * size);
    Spread s = {.pairs = pairs, .dup = dup, .z = &T->dense, .folds = folds, .parts = threads};
    gb_parallel(threads, spread_part, &s);
    gb_free(folds, (size_t)threads * size);
    T->dense.nvals = s.kept;
    return GBL_SUCCESS;
}

/* -- few */

static gbl_Info sort_pairs(Pairs *pairs, const gb_BinaryOp *dup, uint64_t n, gb_Result *T) {
    if (!indices_fit(pairs, n)) return fail_pairs(pairs, n);
    const gbl_Info info = collect(pairs, dup->ztype);
    if (info != GBL_SUCCESS || pairs->n == 0) return info;
    const gb_Tuples tuples = {
        .minor = pairs->own.I, .x = pairs->own.X, .sx = 1, .n = pairs->n, .nmajor = 1, .nminor = n};
    return gb_tuples_to_cs(&T->cs, &tuples, dup->ztype, dup);
}

static gbl_Info scatter_host(const void *asked) {
    const gb_Scatter *call = asked;
    gb_Matrix *const w = call->w;
    gb_Result T = {.type = call->dup->ztype, .format = GB_CSC};
    Pairs pairs = {0};
    gbl_Info info = gb_assemble(call->u);
    if (info == GBL_SUCCESS) info = gb_assemble(call->I);
    if (info == GBL_SUCCESS) info = gb_assemble(w);
    if (info != GBL_SUCCESS) return info;
    const uint64_t n = w->nrows;
    const gb_scatter_fold fold = fold_in_place_of(call);
    if (call->u->nvals > 0 && call->I->nvals > 0)
        info = gb_is_dense(call->u) || gb_is_dense(call->I) ? pairs_of_dense(&pairs, call)
                                                            : pairs_of_lists(&pairs, call);
    if (info == GBL_SUCCESS && pairs.n > 0)
        info = fold != NULL            ? fold_in_place(w, &pairs, fold)
               : n / GB_FEW <= pairs.n ? spread(&pairs, call->dup, n, &T)
                                       : sort_pairs(&pairs, call->dup, n, &T);
    pairs_free(&pairs);
    if (info == GBL_SUCCESS && fold != NULL) return info;
    return gb_finish_if(info, w, &call->mask, call->accum, &T);
}

static gbl_Info scatter_hyper(const void *asked) {
    const gb_Scatter *call = asked;
    Pairs pairs = {0};
    gb_Matrix *T = NULL, *const w = call->w;
    gbl_Info info = pairs_of_lists(&pairs, call);
    if (info == GBL_SUCCESS)
        info = gb_entry_list_to(&T, w, call->dup->ztype, &pairs.own, call->dup);
    pairs_free(&pairs);
    return gb_write_and_free(w, &call->mask, call->accum, T, info);
}

/* -- the descriptor */

static gbl_Info check(const void *asked) {
    const gb_Scatter *call = asked;
    const gb_BinaryOp *dup = call->dup;
    if (gb_binary_is_positional(dup) || dup->xtype != dup->ztype || dup->ytype != dup->ztype)
        return gb_fail(GBL_DOMAIN_MISMATCH,
                       "dup must be an operator on values with one type for both arguments and the "
                       "result");
    gbl_Info info = gb_check_indices(call->I, "I");
    if (info == GBL_SUCCESS) info = gb_check_cast(dup->ztype, call->u->type, "u into dup's input");
    if (info == GBL_SUCCESS) info = gb_check_output(call->w, &call->mask, call->accum, dup->ztype);
    if (info != GBL_SUCCESS) return info;
    return gb_check_length("I", call->I->nrows, call->u->nrows, "as u");
}

const gb_Op gb_op_scatter = {GB_OP("scatter", gb_Scatter),
                             .A = {.at = offsetof(gb_Scatter, u)},
                             .B = {.at = offsetof(gb_Scatter, I)},
                             .check = check,
                             .hyper = scatter_hyper,
                             .host = scatter_host};
