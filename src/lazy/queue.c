/* SPDX-License-Identifier: Apache-2.0
 *
 * Life of what was put off: locks, references, completion; see deferred.h and deferred_note.h.
 */
#include "lazy/queue.h"

#include "core/memory.h"
#include "lazy/queue_note.h"
#include "mxm/explain/explain.h"

static pthread_mutex_t pointers = PTHREAD_MUTEX_INITIALIZER;
static pthread_once_t forks_seen = PTHREAD_ONCE_INIT;
static _Thread_local const gb_Deferred *at_work; /* this thread makes it: it may read its inputs */

void gb_deferred_lock(void) {
    pthread_mutex_lock(&pointers);
}

void gb_deferred_unlock(void) {
    pthread_mutex_unlock(&pointers);
}

/* A child must not find the lock of a thread that it has not. */
static void see_forks(void) {
    pthread_atfork(gb_deferred_lock, gb_deferred_unlock, gb_deferred_unlock);
}

const gb_Deferred *gb_deferred_at_work(const gb_Deferred *d) {
    const gb_Deferred *before = at_work; /* a progress callback may complete others meanwhile */
    at_work = d;
    return before;
}

/* -- references -------------------------------------------------------------------------------- */

/* Notes that take no memory: a search puts off a call at each level. */
static gb_Deferred kept[GB_NOTES_KEPT];
static unsigned taken; /* atomic: bits of `kept` */

static gb_Deferred *take_note(void) {
    unsigned before = __atomic_load_n(&taken, __ATOMIC_RELAXED);
    while (before + 1 != 1u << GB_NOTES_KEPT)
        if (__atomic_compare_exchange_n(&taken, &before, before | (before + 1), false,
                                        __ATOMIC_ACQUIRE, __ATOMIC_RELAXED))
            return &kept[__builtin_ctz(~before)];
    return gb_malloc(sizeof(gb_Deferred));
}

static void give_note(gb_Deferred *d) {
    if (d >= kept && d < kept + GB_NOTES_KEPT)
        __atomic_fetch_and(&taken, ~(1u << (d - kept)), __ATOMIC_RELEASE);
    else
        gb_free(d, sizeof *d);
}

gb_Deferred *gb_deferred_new(const gb_DeferredKind *kind) {
    pthread_once(&forks_seen, see_forks);
    gb_Deferred *d = take_note();
    if (d == NULL) return NULL;
    d->kind = kind;
    d->parts = d->orphans = d->steps = d->made = 0;
    d->written = 0;
    d->references = 1;
    d->done = d->folded = d->multiplied = d->told = false;
    d->how = NULL;
    pthread_mutex_init(&d->lock, NULL);
    return d;
}

void gb_deferred_destroy(gb_Deferred *d) {
    if (d->kind->release != NULL) d->kind->release(d);
    pthread_mutex_destroy(&d->lock);
    give_note(d);
}

bool gb_deferred_is_lent(gb_Matrix *X) {
    pthread_mutex_lock(&X->lock);
    const bool lent = X->cs[GB_CSR].lender != NULL || X->cs[GB_CSC].lender != NULL;
    pthread_mutex_unlock(&X->lock);
    return lent;
}

void gb_deferred_add(gb_Deferred *d, gb_Matrix *X, bool written) {
    int k = 0;
    while (k < d->parts && d->part[k] != X) k++;
    if (k == d->parts) d->part[d->parts++] = X;
    d->written |= (unsigned)written << k;
}

/* Under gb_deferred_lock. */
static bool is_written(const gb_Deferred *d, const gb_Matrix *X) {
    for (int k = 0; k < d->parts; k++)
        if (d->part[k] == X) return d->written >> k & 1;
    return false;
}

void gb_deferred_point(const gb_Deferred *d, gb_Deferred *to) {
    for (int k = 0; k < d->parts; k++)
        __atomic_store_n(&d->part[k]->deferred, to, __ATOMIC_RELEASE);
}

static void drop_reference(gb_Deferred *d) {
    gb_deferred_lock();
    const bool last = --d->references == 0;
    gb_deferred_unlock();
    if (last) gb_deferred_destroy(d);
}

gb_Deferred *gb_deferred_acquire(const gb_Matrix *X, bool as_output) {
    gb_deferred_lock();
    gb_Deferred *d = X->deferred;
    if (d != NULL && (d == at_work || (as_output && !is_written(d, X)))) d = NULL;
    if (d != NULL) d->references++;
    gb_deferred_unlock();
    if (d != NULL) pthread_mutex_lock(&d->lock);
    return d;
}

void gb_deferred_release(gb_Deferred *d) {
    pthread_mutex_unlock(&d->lock);
    drop_reference(d);
}

void gb_deferred_end(gb_Deferred *d) {
    gb_deferred_lock();
    gb_deferred_point(d, NULL);
    d->references--;
    gb_deferred_unlock();
    d->done = true;
    while (d->orphans > 0) gb_matrix_free(d->orphan[--d->orphans]);
}

/* -- completion -------------------------------------------------------------------------------- */

gbl_Info gb_deferred_complete(gb_Deferred *d) {
    const gbl_Info info = d->done ? GBL_SUCCESS : d->kind->make(d);
    if (info == GBL_SUCCESS && !d->done) gb_deferred_end(d);
    return info;
}

static gbl_Info complete_of(gb_Matrix *X, bool as_output) {
    gb_Deferred *d = gb_deferred_acquire(X, as_output);
    if (d == NULL) return GBL_SUCCESS;
    const gbl_Info info = gb_deferred_complete(d);
    gb_deferred_release(d);
    return info;
}

gbl_Info gb_complete_deferred(gb_Matrix *X) {
    return complete_of(X, false);
}

gbl_Info gb_complete_output_deferred(gb_Matrix *X) {
    return complete_of(X, true);
}

gbl_Info gb_deferred_fold(void *z, const gb_Fold *fold, gb_Matrix *C, bool *folded) {
    *folded = false;
    gb_Deferred *d = gb_is_deferred(C) ? gb_deferred_acquire(C, true) : NULL;
    if (d == NULL) return GBL_SUCCESS;
    gbl_Info info = GBL_SUCCESS;
    if (!d->done)
        info = d->kind->fold != NULL ? d->kind->fold(d, z, fold, folded) : gb_deferred_complete(d);
    gb_deferred_release(d);
    return info;
}

gbl_Info gb_deferred_explain(gbl_Explanation *why, gb_Matrix *C) {
    gb_Deferred *d = gb_is_deferred(C) ? gb_deferred_acquire(C, true) : NULL;
    if (d == NULL) return gb_explain_get(why, C);
    gbl_Info info = d->folded && d->steps == 0 ? GBL_SUCCESS : gb_deferred_complete(d);
    if (info == GBL_SUCCESS) info = gb_explain_get(why, C);
    gb_deferred_release(d);
    return info;
}

bool gb_deferred_leave(gb_Matrix *X) {
    gb_Deferred *d = gb_is_deferred(X) ? gb_deferred_acquire(X, false) : NULL;
    if (d == NULL) return true;
    bool leaves = true;
    if (!d->done && d->part[0] == X && d->written == 1) {
        if (d->kind->leave != NULL) d->kind->leave(d);
        gb_deferred_end(d);
    } else if (gb_deferred_complete(d) != GBL_SUCCESS) {
        leaves = false;
        d->orphan[d->orphans++] = X;
    }
    gb_deferred_release(d);
    return leaves;
}
