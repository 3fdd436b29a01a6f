/* SPDX-License-Identifier: Apache-2.0
 *
 * Whether a sorted pattern is symmetric, or on one side of the main diagonal; see facts.h.
 *
 * Each entry (k, j) below the diagonal asks for its counterpart (j, k) above it. Where rows k are
 * met in ascending order, those above the diagonal of row j must be asked for in the order in which
 * they stand, so one cursor for each row is all it takes. A second thread meets rows in descending
 * order, from the last one on, with cursors that begin at the ends of rows, until both meet. The
 * pattern is symmetric when nobody has asked in vain and both cursors of each row have met, too:
 * then each entry above the diagonal was asked for once.
 */
#include <string.h>

#include "core/context.h"
#include "core/memory.h"
#include "core/parallel.h"
#include "core/search.h"
#include "core/tune.h"
#include "matrix/facts.h"
#include "matrix/acquire.h"

typedef struct {
    const gb_CsView *A;
    gb_Off *next;     /* [rows] of who goes up: the entry of a row that is to be asked for next */
    gb_Off *last;     /* [rows] of who goes down: behind it; NULL: nobody does */
    uint64_t blocks;  /* of rows */
    uint64_t claimed; /* atomic: blocks from the first on, and above 32 bits from the last on */
    uint64_t met;     /* rows below were met on the way up */
    bool differs;     /* atomic */
} Walks;

/* *at becomes the next block of this way; false: there is none, or it does not matter any more. */
static bool claim(Walks *w, bool up, uint64_t *at) {
    const uint64_t one = up ? 1 : (uint64_t)1 << 32;
    const uint64_t claimed = __atomic_fetch_add(&w->claimed, one, __ATOMIC_RELAXED);
    const uint64_t front = claimed & UINT32_MAX, back = claimed >> 32;
    *at = up ? front : w->blocks - 1 - back;
    return front + back < w->blocks && !__atomic_load_n(&w->differs, __ATOMIC_RELAXED);
}

/* An entry that is asked for may lie outside of its row, as the end will tell. */
static bool is_there(const gb_CsView *A, gb_Off at, uint64_t column) {
    return at < A->nvals && A->i[at] == column;
}

static bool row_up(const Walks *w, uint64_t k) {
    const gb_CsView *A = w->A;
    const gb_Off end = A->p[k + 1];
    gb_Off q = A->p[k];
    for (; q < end && A->i[q] < k; q++)
        if (!is_there(A, w->next[A->i[q]]++, k)) return false;
    w->next[k] = q + (q < end && A->i[q] == k);
    return true;
}

/* All rows behind it have been met so, and have asked for what is above the diagonal here. */
static bool row_down(const Walks *w, uint64_t k) {
    const gb_CsView *A = w->A;
    const gb_Off end = A->p[k + 1];
    gb_Off q = A->p[k];
    for (; q < end && A->i[q] < k; q++)
        if (!is_there(A, --w->last[A->i[q]], k)) return false;
    return w->last[k] == q + (q < end && A->i[q] == k);
}

static void walk_up(Walks *w) {
    bool same = true;
    for (uint64_t b; same && claim(w, true, &b);) {
        w->met = gb_first_row(w->A, b + 1, w->blocks);
        for (uint64_t k = gb_first_row(w->A, b, w->blocks); k < w->met && same; k++)
            same = row_up(w, k);
    }
    if (!same) __atomic_store_n(&w->differs, true, __ATOMIC_RELAXED);
}

static void walk_down(Walks *w) {
    bool same = true;
    memcpy(w->last, w->A->p + 1, w->A->nmajor * sizeof *w->last);
    for (uint64_t b; same && claim(w, false, &b);) {
        const uint64_t from = gb_first_row(w->A, b, w->blocks);
        for (uint64_t k = gb_first_row(w->A, b + 1, w->blocks); k > from && same; k--)
            same = row_down(w, k - 1);
    }
    if (!same) __atomic_store_n(&w->differs, true, __ATOMIC_RELAXED);
}

static void walk(void *context, uint64_t way) {
    if (way == 0)
        walk_up(context);
    else
        walk_down(context);
}

static bool is_symmetric(Walks *w) {
    const gb_CsView *A = w->A;
    const gb_Off *end = w->last != NULL ? w->last : A->p + 1;
    const int ways = w->last != NULL ? 2 : 1;
    w->blocks = (A->nmajor + A->nvals) / GB_CHUNK_ENTRIES + 1;
    gb_parallel_for(ways, (uint64_t)ways, walk, w);
    return !w->differs && memcmp(w->next, end, w->met * sizeof *end) == 0;
}

/* Below or above the main diagonal, with sorted rows. */
static gb_Symmetry side_of(const gb_CsView *A) {
    bool below = true, above = true;
    for (uint64_t k = 0; k < A->nmajor && (below || above); k++) {
        if (A->p[k] == A->p[k + 1]) continue;
        below = below && A->i[A->p[k + 1] - 1] < k;
        above = above && A->i[A->p[k]] > k;
    }
    return below ? GB_LOWER : above ? GB_UPPER : GB_UNSYMMETRIC;
}

/* The same of the transpose. */
static gb_Symmetry turned(gb_Symmetry side) {
    return side == GB_LOWER ? GB_UPPER : side == GB_UPPER ? GB_LOWER : side;
}

gbl_Info gb_find_symmetry(gb_Matrix *A, gb_Format format) {
    gb_CsView view;
    size_t bytes;
    const gbl_Info info = gb_acquire_sorted(A, format, &view);
    if (info != GBL_SUCCESS) return info;
    if (!gb_size_mul(&bytes, view.nmajor, sizeof(gb_Off))) return gb_fail_memory(SIZE_MAX);
    Walks w = {.A = &view, .next = gb_malloc(bytes)};
    if (w.next == NULL) return gb_fail_memory(bytes);
    const bool two = gb_threads_for(view.nvals, GB_GRAIN, gb_nthreads()) > 1;
    if (two && bytes < gb_workspace_budget() / 2) w.last = gb_malloc(bytes);
    gb_Symmetry found = GB_SYMMETRIC;
    if (!is_symmetric(&w)) found = format == GB_CSR ? side_of(&view) : turned(side_of(&view));
    gb_free(w.last, bytes);
    gb_free(w.next, bytes);
    __atomic_store_n(&A->symmetry, (int)found, __ATOMIC_RELEASE);
    return GBL_SUCCESS;
}
