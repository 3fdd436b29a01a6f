/* SPDX-License-Identifier: Apache-2.0
 *
 * Roots: w(i) = the last of i -> u(i) -> u(u(i)) ..., which is its own next or has none. Links
 * become an array of 32 bits, in which the root replaces the link of every node on the way to it:
 * O(elements) for each thread, since several may follow the same path. Roots do not depend on who
 * found them first.
 *
 * join: trees united along edges, by the algorithm of Rem (in E. W. Dijkstra, A Discipline of
 * Programming, 1976; its steps by compare-and-swap as in ConnectIt, L. Dhulipala, C. Hong, J. Shun,
 * VLDB 2020). Links are flat at first, so only roots are ever linked to. A link changes to a lower
 * root alone, and the links of roots, on the way up, descend: there is no cycle, whoever writes
 * when, and the root of united trees is the lowest of theirs. O(entries looked at) but for the
 * paths, which are shortened as they are followed.
 */
#include "graph/graph.h"

#include "ops/operations.h"
#include "ops/entry_list.h"

typedef struct {
    gb_Indices64 indices;
    const int8_t *b; /* whether the link exists, or NULL: everywhere */
    uint64_t n;
    gb_Idx *link;   /* [n] atomic; its own number where a chain ends */
    uint64_t wrong; /* atomic, out: the first node whose link is no node, or n */
    uint64_t round; /* atomic, out: a node whose path has no root, or n */
    bool deep;      /* atomic: a link does not lead to a root, or nobody has looked */
} Chains;

/* Links of nodes [from, to). */
static void read_range(void *context, uint64_t from, uint64_t to) {
    Chains *c = context;
    uint64_t space[GB_BATCH];
    for (uint64_t first = from; first < to; first += GB_BATCH) {
        const size_t count = to - first < GB_BATCH ? to - first : GB_BATCH;
        const uint64_t *at = gb_indices_view(&c->indices, first, count, space);
        for (size_t k = 0; k < count; k++) {
            const bool linked = c->b == NULL || c->b[first + k];
            const uint64_t next = linked ? at[k] : first + k;
            c->link[first + k] = (gb_Idx)next;
            if (next >= c->n) gb_note_least(&c->wrong, first + k);
        }
    }
}

/* The same where the links are numbers of 32 bits, which then are looked at where they are: whether
 * all lead to roots, so that nothing need be followed. */
static void copy_range(void *context, uint64_t from, uint64_t to) {
    Chains *c = context;
    const gb_Idx *x = c->indices.x;
    bool flat = true;
    for (uint64_t k = from; k < to; k++) {
        const gb_Idx next = x[k];
        c->link[k] = next;
        if (next >= c->n) {
            gb_note_least(&c->wrong, k);
            return;
        }
        flat &= x[next] == next;
    }
    if (!flat) __atomic_store_n(&c->deep, true, __ATOMIC_RELAXED);
}

static inline gb_Idx link_of(const gb_Idx *link, gb_Idx k) {
    return __atomic_load_n(&link[k], __ATOMIC_RELAXED);
}

/* The end of the chain that begins at k; false without one. */
static bool find_end(const Chains *c, gb_Idx k, gb_Idx *end) {
    uint64_t steps = 0;
    gb_Idx next = link_of(c->link, k);
    while (next != k && steps++ < c->n) {
        k = next;
        next = link_of(c->link, k);
    }
    *end = k;
    return next == k;
}

static void follow_range(void *context, uint64_t from, uint64_t to) {
    Chains *c = context;
    for (uint64_t first = from; first < to; first++) {
        gb_Idx k = (gb_Idx)first, next = link_of(c->link, k), end = link_of(c->link, next);
        if (link_of(c->link, end) == end) { /* mostly, where parents come before children */
            if (next != end) __atomic_store_n(&c->link[k], end, __ATOMIC_RELAXED);
            continue;
        }
        if (!find_end(c, next, &end)) {
            gb_note_least(&c->round, first);
            return;
        }
        for (; next != end; next = link_of(c->link, k)) {
            __atomic_store_n(&c->link[k], end, __ATOMIC_RELAXED);
            k = next;
        }
    }
}

static gbl_Info fail_round(const char *name, uint64_t first) {
    return gb_fail(
        GBL_INVALID_VALUE,
        "the chain of %s that begins at %llu goes round; each must end at a place that is "
        "its own next or has none",
        name, (unsigned long long)first);
}

static gbl_Info read_and_follow(Chains *c, const char *name) {
    const bool copied = c->indices.type->code == GBL_UINT32_CODE && c->indices.sx != 0 && !c->b;
    c->deep = !copied;
    gb_parallel_items(gb_nthreads(), c->n, copied ? copy_range : read_range, c);
    if (c->wrong < c->n) {
        uint64_t index;
        gb_indices_read(&c->indices, c->wrong, 1, &index);
        return gb_fail_index(name, c->wrong, index, c->n);
    }
    if (c->deep) gb_parallel_items(gb_nthreads(), c->n, follow_range, c);
    return c->round == c->n ? GBL_SUCCESS : fail_round(name, c->round);
}

/* *T = the root of the tree of each entry of u, whose values are integers: a dense result of
 * UINT32, to be released after a failure too. Nodes without an entry are roots. u's name is for
 * errors. */
static gbl_Info find_roots(gb_Result *T, gb_Matrix *u, const char *name) {
    gb_DenseView view;
    *T = (gb_Result){.type = gb_type_of(GBL_UINT32_CODE), .format = GB_CSC, .is_dense = true};
    gbl_Info info = gb_acquire_dense(u, &view);
    if (info != GBL_SUCCESS) return info;
    const size_t bytes = gb_size_of(view.n, sizeof(gb_Idx));
    info = gb_dense_alloc(&T->dense, view.n, bytes, view.b != NULL);
    if (info != GBL_SUCCESS) return info;
    Chains chains = {.indices = {u->type, view.x, view.iso ? 0 : 1},
                     .b = view.b,
                     .n = view.n,
                     .link = T->dense.x,
                     .wrong = view.n,
                     .round = view.n};
    info = read_and_follow(&chains, name);
    if (view.b != NULL) memcpy(T->dense.b, view.b, view.n);
    T->dense.nvals = view.nvals;
    return info;
}

static gbl_Info roots_host(const void *asked) {
    const gb_Roots *call = asked;
    gb_Result T;
    const gbl_Info info = find_roots(&T, call->u, "u");
    return gb_finish_if(info, call->w, &call->mask, call->accum, &T);
}

/* -- join */

typedef struct {
    gb_CsView A;
    const gb_Idx *rows; /* [nrows] that are looked at; NULL: those below nrows */
    uint64_t nrows;
    const int8_t *allowed; /* of all rows, or NULL: every one */
    uint64_t first, count; /* entries of a row */
    uint64_t parts;        /* of the rows */
    gb_Idx *link;          /* [n] atomic */
    int8_t *b;             /* [n] atomic: nodes that are entries; NULL: all */
    bool *joined;          /* atomic: a link has changed */
} Joining;

/* link[k] becomes `to`, unless it is no longer *from, which then gets what it is. */
static inline bool exchange(const Joining *j, gb_Idx k, gb_Idx *from, gb_Idx to) {
    return __atomic_compare_exchange_n(&j->link[k], from, to, false, __ATOMIC_RELAXED,
                                       __ATOMIC_RELAXED);
}

/* Unites the trees of u and v; false if they are one. Continues from the higher of both links,
 * which becomes the lower one: a root then has a parent, any other node is nearer to the root. */
static inline bool join_trees(const Joining *j, gb_Idx u, gb_Idx v) {
    gb_Idx up = link_of(j->link, u), low = link_of(j->link, v);
    const bool apart = up != low;
    while (up != low) {
        if (up < low) {
            const gb_Idx node = u, link = up;
            u = v;
            up = low;
            v = node;
            low = link;
        }
        gb_Idx seen = up;
        const bool done = exchange(j, u, &seen, low);
        if (u == up) {
            if (done) break;
            up = seen;
        } else {
            u = up;
            up = link_of(j->link, u);
        }
    }
    return apart;
}

/* Along the entries of a row, more than `first` of them: whether trees were united. */
static bool join_row(const Joining *j, gb_Idx row) {
    const uint64_t length = j->A.p[row + 1] - j->A.p[row] - j->first;
    const uint64_t count = length < j->count ? length : j->count;
    const gb_Idx *i = j->A.i + j->A.p[row] + j->first;
    bool joined = false;
    for (uint64_t e = 0; e < count; e++) joined |= join_trees(j, row, i[e]);
    if (j->b == NULL) return joined;
    for (uint64_t e = 0; e < count; e++) __atomic_store_n(&j->b[i[e]], 1, __ATOMIC_RELAXED);
    __atomic_store_n(&j->b[row], 1, __ATOMIC_RELAXED);
    return joined;
}

static inline gb_Idx row_at(const Joining *j, uint64_t k) {
    return j->rows != NULL ? j->rows[k] : (gb_Idx)k;
}

/* Prefetches the first entry of a row that is read, if any. */
static inline void prefetch_row(const Joining *j, gb_Idx row) {
    const uint64_t e = j->A.p[row] + j->first;
    if (e < j->A.nvals) __builtin_prefetch(j->A.i + e);
}

/* A row that the mask does not have is taken for an empty one: where the mask leaves few but empty
 * rows, processors would guess wrong at either condition alone. */
static void join_part(void *context, uint64_t t) {
    const Joining own = *(const Joining *)context, *const j = &own; /* links do not alias it */
    const gb_Off *p = j->A.p;
    /* entries of the next rows are worth a prefetch where all rows are looked at, and are longer on
     * average than a line of the cache, so that hardware does not see where the next one begins */
    const bool looks_ahead =
        j->allowed == NULL && j->A.nvals / (GB_LINE_BYTES / sizeof(gb_Idx)) > j->A.nmajor;
    const uint64_t ahead = looks_ahead ? GB_JOIN_AHEAD : UINT64_MAX;
    bool joined = false;
    const uint64_t end = gb_part(j->nrows, t + 1, j->parts);
    for (uint64_t k = gb_part(j->nrows, t, j->parts); k < end; k++) {
        const gb_Idx row = row_at(j, k);
        if (end - k > ahead) prefetch_row(j, row_at(j, k + ahead));
        const uint64_t all = j->allowed == NULL ? UINT64_MAX : -(uint64_t)j->allowed[row];
        if (((p[row + 1] - p[row]) & all) > j->first) joined |= join_row(j, row);
    }
    if (joined) __atomic_store_n(j->joined, true, __ATOMIC_RELAXED);
    gb_call_part((double)(t + 1) / (double)j->parts);
}

/* Rows may have very different lengths, and a thread may lose its processor: many parts. */
static void join_rows(Joining *j) {
    enum { PARTS = 16 }; /* a thread */
    uint64_t entries = j->A.nvals;
    if (j->count < entries / (j->nrows + 1)) entries = j->nrows * j->count;
    const int threads = gb_threads_for(j->nrows + entries, GB_GRAIN, gb_nthreads());
    j->parts = threads > 1 ? PARTS * (uint64_t)threads : 1;
    gb_parallel_for(threads, j->parts, join_part, j);
}

/* Rows of the mask, as a sparse vector if it is one. */
static gbl_Info join_masked(Joining *j, const gb_Mask *mask, uint64_t n) {
    gb_MaskView list = {0};
    int8_t *allowed = NULL;
    const bool listed = mask->M != NULL && !mask->complement && !gb_is_dense(mask->M);
    gbl_Info info = GBL_SUCCESS;
    if (listed) {
        info = gb_mask_get(&list, mask, GB_CSC);
        j->rows = list.view.i;
        j->nrows = list.view.nvals;
    } else if (mask->M != NULL) {
        info = gb_mask_bytes(&allowed, mask, n);
        j->allowed = allowed;
    }
    if (info == GBL_SUCCESS && j->nrows > 0) join_rows(j);
    gb_mask_release(&list);
    gb_free(allowed, n);
    return info;
}

static uint64_t count_entries(const int8_t *b, uint64_t n) {
    uint64_t nvals = 0;
    for (uint64_t k = 0; k < n; k++) nvals += (uint64_t)b[k];
    return nvals;
}

static gbl_Info join_host(const void *asked) {
    const gb_Join *call = asked;
    gb_Matrix *const w = call->w;
    const gb_Mask *mask = &call->mask;
    gb_Matrix *const A = call->A;
    const gb_Format format = call->transpose ? GB_CSC : GB_CSR;
    const uint64_t n = w->nrows;
    bool joined = false;
    Joining j = {.nrows = n, .first = call->first, .count = call->count, .joined = &joined};
    gb_Result T = {.type = NULL};
    gbl_Info info = gb_assemble(A);
    if (info == GBL_SUCCESS && mask->M != NULL) info = gb_assemble(mask->M);
    if (info != GBL_SUCCESS) return info;
    const bool any = A->nvals > 0 && call->count > 0 && !gb_mask_allows_none(mask);
    if (any) info = gb_acquire_sorted(A, format, &j.A);
    if (info == GBL_SUCCESS) info = find_roots(&T, w, "w");
    if (info == GBL_SUCCESS && any) {
        j.link = T.dense.x;
        j.b = T.dense.b;
        info = join_masked(&j, mask, n);
    }
    if (info == GBL_SUCCESS && joined)
        gb_parallel_items(gb_nthreads(), n, follow_range,
                          &(Chains){.n = n, .link = j.link, .round = n});
    if (info == GBL_SUCCESS && any && j.b != NULL) T.dense.nvals = count_entries(j.b, n);
    return gb_finish_if(info, w, &(gb_Mask){0}, NULL, &T);
}

/* -- huge forests, by the entries */

/* The values of t, which are indices, become the roots of their trees. The name is for errors. */
static gbl_Info find_listed_roots(gb_EntryList *t, const char *name) {
    uint64_t *value = gb_entry_indices(t);
    const uint64_t n = t->n;
    gb_RowList *nodes = NULL;
    const size_t bytes = gb_size_of(4 * n + 1, sizeof(gb_Idx));
    gb_Idx *const node = gb_malloc(bytes);
    if (node == NULL) return gb_fail_memory(bytes);
    gb_Idx *const link = node + 2 * n;
    gbl_Info info = gb_row_list_of_lists(&nodes, &(gb_RowListMerge){.list = {t->I, value},
                                                                    .n = {n, n},
                                                                    .positions = {node, node + n},
                                                                    .dimension = GB_DIMENSION_MAX});
    for (uint64_t k = 0; info == GBL_SUCCESS && k < nodes->n; k++) link[k] = (gb_Idx)k;
    for (uint64_t k = 0; info == GBL_SUCCESS && k < n; k++) link[node[k]] = node[n + k];
    if (info == GBL_SUCCESS) {
        Chains chains = {.n = nodes->n, .link = link, .round = nodes->n};
        gb_parallel_items(gb_nthreads(), chains.n, follow_range, &chains);
        if (chains.round < nodes->n) info = fail_round(name, nodes->index[chains.round]);
    }
    for (uint64_t k = 0; info == GBL_SUCCESS && k < n; k++) value[k] = nodes->index[link[node[k]]];
    gb_row_list_release(nodes);
    gb_free(node, bytes);
    return info;
}

static gb_Type *roots_type(const gb_Matrix *u) {
    return gb_type_of(gb_is_huge(u) ? GBL_UINT64_CODE : GBL_UINT32_CODE);
}

static gbl_Info roots_hyper(const void *asked) {
    const gb_Roots *call = asked;
    gb_Type *const type = roots_type(call->u);
    gb_EntryList t = {0};
    gb_Matrix *T = NULL;
    if (!gb_is_huge(call->u)) return roots_host(call);
    gbl_Info info = gb_entry_list_of(&t, call->u, type);
    if (info == GBL_SUCCESS) info = gb_entry_list_check(&t, "u", call->u->nrows);
    if (info == GBL_SUCCESS) info = find_listed_roots(&t, "u");
    if (info == GBL_SUCCESS) info = gb_entry_list_to(&T, call->w, type, &t, NULL);
    gb_entry_list_release(&t);
    return gb_write_and_free(call->w, &call->mask, call->accum, T, info);
}

/* *compact = the forest w on the row list, in positions of the row list, which holds all its
 * values. */
static gbl_Info compact_forest(gb_Matrix **compact, gb_EntryList *t, const gb_Matrix *w,
                               gb_RowList *rows) {
    uint64_t *value = gb_entry_indices(t);
    const gb_Values values = {.type = t->type, .x = value, .sx = 1};
    for (uint64_t k = 0; k < t->n; k++) {
        t->I[k] = gb_row_list_find(rows, t->I[k]);
        value[k] = gb_row_list_find(rows, value[k]);
    }
    gbl_Info info =
        gb_compact_new(compact, w, gb_type_of(GBL_UINT32_CODE), &(gb_RowLists){.rows = rows});
    if (info == GBL_SUCCESS) info = gb_matrix_build(*compact, t->I, NULL, &values, t->n, NULL);
    return info;
}

/* *T = a new vector like w of the compact forest. */
static gbl_Info widen_forest(gb_Matrix **T, gb_Matrix *compact, const gb_Matrix *w,
                             const gb_RowList *rows) {
    gb_EntryList t;
    gbl_Info info = gb_entry_list_of(&t, compact, gb_type_of(GBL_UINT64_CODE));
    uint64_t *value = gb_entry_indices(&t);
    for (uint64_t k = 0; info == GBL_SUCCESS && k < t.n; k++) {
        t.I[k] = rows->index[t.I[k]];
        value[k] = rows->index[value[k]];
    }
    if (info == GBL_SUCCESS) info = gb_entry_list_to(T, w, w->type, &t, NULL);
    gb_entry_list_release(&t);
    return info;
}

/* The trees of the compact forest w, on the row list of A's rows and columns, w's indices and
 * values; *T = the result. */
static gbl_Info join_compact(gb_HyperCall *hyper, gb_EntryList *t, gb_Matrix **T) {
    const gb_Join *call = hyper->call;
    gb_RowList *const rows = hyper->list[GB_DIM_ROWS];
    gb_Join core = *call;
    gb_Matrix *forest = NULL;
    gbl_Info info = compact_forest(&forest, t, call->w, rows);
    core.w = forest;
    core.A = gb_core(hyper, GB_OF_A);
    core.mask.M = gb_core(hyper, GB_OF_M);
    if (info == GBL_SUCCESS) info = join_host(&core);
    if (info == GBL_SUCCESS) info = widen_forest(T, forest, call->w, rows);
    gb_matrix_free(forest);
    return info;
}

static gbl_Info join_hyper(const void *asked) {
    const gb_Join *call = asked;
    gb_Matrix *T = NULL, *const w = call->w;
    gb_EntryList t = {0};
    gb_RowList *all = NULL;
    gb_HyperCall hyper;
    gbl_Info info = gb_assemble(w);
    if (info != GBL_SUCCESS) return info;
    if (gb_is_filled(w) && !gb_any_huge(w, call->mask.M, call->A, NULL)) return join_host(call);
    gb_hyper_begin(&hyper, &gb_op_join, call);
    hyper.operand[GB_OF_C].object = NULL;
    info = gb_entry_list_of(&t, w, gb_type_of(GBL_UINT64_CODE));
    if (info == GBL_SUCCESS) info = gb_entry_list_check(&t, "w", w->nrows);
    if (info == GBL_SUCCESS)
        info = find_listed_roots(&t, "w"); /* while indices are the true ones */
    const gb_RowListMerge lists = {
        .list = {t.I, gb_entry_indices(&t)}, .n = {t.n, t.n}, .dimension = w->nrows};
    if (info == GBL_SUCCESS) info = gb_row_list_of_lists(&all, &lists);
    hyper.more[GB_DIM_ROWS] = all;
    if (info == GBL_SUCCESS) info = gb_hyper_open(&hyper);
    if (info == GBL_SUCCESS) info = join_compact(&hyper, &t, &T);
    info = gb_hyper_close(&hyper, info);
    if (info == GBL_SUCCESS) gb_matrix_move(w, T);
    gb_matrix_free(T);
    gb_row_list_release(all);
    gb_entry_list_release(&t);
    return info;
}

/* -- the descriptors */

static gbl_Info check_roots(const void *asked) {
    const gb_Roots *call = asked;
    const gb_Matrix *w = call->w, *u = call->u;
    gbl_Info info = gb_check_indices(u, "u");
    if (info == GBL_SUCCESS) info = gb_check_output(w, &call->mask, call->accum, roots_type(u));
    return info == GBL_SUCCESS ? gb_check_shape(u, false, w->nrows, 1, "u") : info;
}

static gbl_Info check_join(const void *asked) {
    const gb_Join *call = asked;
    const gb_Matrix *w = call->w;
    gb_Type *const type = roots_type(w);
    gbl_Info info = gb_check_indices(w, "w");
    if (info == GBL_SUCCESS) info = gb_check_output(w, &call->mask, NULL, type);
    if (info == GBL_SUCCESS) info = gb_check_shape(call->A, false, w->nrows, w->nrows, "A");
    return info == GBL_SUCCESS ? gb_check_holds(w, "w", type) : info;
}

const gb_Op gb_op_roots = {GB_OP("roots", gb_Roots), .A = GB_INPUT(gb_Roots, u, ROWS, ONE),
                           .check = check_roots, .hyper = roots_hyper, .host = roots_host};
const gb_Op gb_op_join = {.name = "join",
                          .bytes = sizeof(gb_Join),
                          .mask = offsetof(gb_Join, mask),
                          .A = GB_INPUT_TRANSPOSED(gb_Join, A, transpose, ROWS, ROWS),
                          .check = check_join,
                          .hyper = join_hyper,
                          .host = join_host};
