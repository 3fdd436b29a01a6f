/* SPDX-License-Identifier: Apache-2.0
 *
 * Ends of chains: w(i) = the last place of i -> u(i) -> u(u(i)) ..., which is its own next or has
 * none. Links become an array of 32 bits, in which the end of a chain replaces the link of every
 * place on the way to it: O(elements) for each thread, since several may walk the same way. Ends do
 * not depend on who found them first.
 */
#include "graph/forest.h"

#include <string.h>

#include "core/context.h"
#include "core/parallel.h"
#include "core/tune.h"
#include "ops/indices.h"

typedef struct {
    gb_Indices64 places;
    const int8_t *b; /* whether there is a link, or NULL: everywhere */
    uint64_t n;
    gb_Idx *link;   /* [n] atomic; its own number where a chain ends */
    uint64_t wrong; /* atomic, out: the first place whose link leads nowhere, or n */
    uint64_t round; /* atomic, out: a place whose chain has no end, or n */
    bool deep;      /* atomic: a link does not lead to a root, or nobody has looked */
} Chains;

/* Links of places [from, to). */
static void read_range(void *context, uint64_t from, uint64_t to) {
    Chains *c = context;
    uint64_t space[GB_BATCH];
    for (uint64_t first = from; first < to; first += GB_BATCH) {
        const size_t count = to - first < GB_BATCH ? to - first : GB_BATCH;
        const uint64_t *at = gb_indices_view(&c->places, first, count, space);
        for (size_t k = 0; k < count; k++) {
            const bool there = c->b == NULL || c->b[first + k];
            const uint64_t next = there ? at[k] : first + k;
            c->link[first + k] = (gb_Idx)next;
            if (next >= c->n) gb_note_least(&c->wrong, first + k);
        }
    }
}

/* The same where the links are numbers of 32 bits, which then are looked at where they are: whether
 * all lead to roots, so that nothing need be followed. */
static void copy_range(void *context, uint64_t from, uint64_t to) {
    Chains *c = context;
    const gb_Idx *x = c->places.x;
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

static inline gb_Idx next_of(const Chains *c, gb_Idx k) {
    return __atomic_load_n(&c->link[k], __ATOMIC_RELAXED);
}

/* The end of the chain that begins at k; false where there is none. */
static bool find_end(const Chains *c, gb_Idx k, gb_Idx *end) {
    uint64_t steps = 0;
    gb_Idx next = next_of(c, k);
    while (next != k && steps++ < c->n) {
        k = next;
        next = next_of(c, k);
    }
    *end = k;
    return next == k;
}

static void follow_range(void *context, uint64_t from, uint64_t to) {
    Chains *c = context;
    for (uint64_t first = from; first < to; first++) {
        gb_Idx k = (gb_Idx)first, next = next_of(c, k), end = next_of(c, next);
        if (next_of(c, end) == end) { /* as most are, in the order of parents before children */
            if (next != end) __atomic_store_n(&c->link[k], end, __ATOMIC_RELAXED);
            continue;
        }
        if (!find_end(c, next, &end)) {
            gb_note_least(&c->round, first);
            return;
        }
        for (; next != end; next = next_of(c, k)) {
            __atomic_store_n(&c->link[k], end, __ATOMIC_RELAXED);
            k = next;
        }
    }
}

static void follow(Chains *c) {
    const int threads = gb_threads_for(c->n, GB_GRAIN, gb_nthreads());
    gb_parallel_ranges(threads, c->n, follow_range, c);
}

static gbl_Info read_and_follow(Chains *c, const char *name) {
    const int threads = gb_threads_for(c->n, GB_GRAIN, gb_nthreads());
    const bool copied = c->places.type->code == GBL_UINT32_CODE && c->places.sx != 0 && !c->b;
    c->deep = !copied;
    gb_parallel_ranges(threads, c->n, copied ? copy_range : read_range, c);
    if (c->wrong < c->n) {
        uint64_t place;
        gb_indices_read(&c->places, c->wrong, 1, &place);
        return gb_fail_index(name, c->wrong, place, c->n);
    }
    if (c->deep) follow(c);
    if (c->round == c->n) return GBL_SUCCESS;
    return gb_fail(
        GBL_INVALID_VALUE,
        "the chain of %s that begins at %llu goes round; each must end at a place that is "
        "its own next or has none",
        name, (unsigned long long)c->round);
}

void gb_forest_flatten(gb_Idx *link, uint64_t n) {
    follow(&(Chains){.n = n, .link = link, .round = n});
}

gbl_Info gb_forest_roots(gb_Result *T, gb_Matrix *u, const char *name) {
    gb_DenseView view;
    size_t bytes;
    *T = (gb_Result){.type = gb_type_of(GBL_UINT32_CODE), .format = GB_CSC, .is_dense = true};
    gbl_Info info = gb_acquire_dense(u, &view);
    if (info != GBL_SUCCESS) return info;
    if (!gb_size_mul(&bytes, view.n, sizeof(gb_Idx))) return gb_fail_memory(SIZE_MAX);
    info = gb_dense_alloc(&T->dense, view.n, bytes, view.b != NULL);
    if (info != GBL_SUCCESS) return info;
    Chains chains = {.places = {u->type, view.x, view.iso ? 0 : 1},
                     .b = view.b,
                     .n = view.n,
                     .link = T->dense.x,
                     .wrong = view.n,
                     .round = view.n};
    info = read_and_follow(&chains, name);
    if (info != GBL_SUCCESS) {
        gb_result_free(T);
        return info;
    }
    if (view.b != NULL) memcpy(T->dense.b, view.b, view.n);
    T->dense.nvals = view.nvals;
    return GBL_SUCCESS;
}

gbl_Info gb_roots(gb_Matrix *w, const gb_Mask *mask, const gb_BinaryOp *accum, gb_Matrix *u) {
    gb_Result T;
    const gbl_Info info = gb_forest_roots(&T, u, "u");
    return info == GBL_SUCCESS ? gb_finish(w, mask, accum, &T) : info;
}
