/* SPDX-License-Identifier: Apache-2.0
 *
 * Records of deferred calls: locks, references, completion; see deferred.h.
 */
#include "ops/deferred.h"

#include <pthread.h>

#include "core/arrays.h"

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

/* Notes that take no memory: a search defers a call at each level. */
enum { NOTES_KEPT = 8 };
typedef union {
    max_align_t align;
    char bytes[GB_NOTE_BYTES];
} Kept;
static Kept kept[NOTES_KEPT];
static unsigned used; /* atomic: bits of `kept` */

static void *new_note(size_t bytes) {
    unsigned before = __atomic_load_n(&used, __ATOMIC_RELAXED);
    while (bytes <= GB_NOTE_BYTES && before + 1 != 1u << NOTES_KEPT)
        if (__atomic_compare_exchange_n(&used, &before, before | (before + 1), false,
                                        __ATOMIC_ACQUIRE, __ATOMIC_RELAXED))
            return &kept[__builtin_ctz(~before)];
    return gb_malloc(bytes);
}

static void free_note(gb_Deferred *d) {
    const Kept *note = (const Kept *)(void *)d;
    if (note >= kept && note < kept + NOTES_KEPT)
        __atomic_fetch_and(&used, ~(1u << (note - kept)), __ATOMIC_RELEASE);
    else
        gb_free(d, d->kind->bytes);
}

gb_Deferred *gb_deferred_new(const gb_DeferredKind *kind) {
    pthread_once(&forks_seen, see_forks);
    gb_Deferred *d = new_note(kind->bytes);
    if (d == NULL) return NULL;
    memset(d, 0, sizeof *d);
    d->kind = kind;
    d->references = 1;
    return d;
}

void gb_deferred_destroy(gb_Deferred *d) {
    if (d->kind->release != NULL) d->kind->release(d);
    free_note(d);
}

bool gb_deferred_is_lent(gb_Matrix *X) {
    gb_lock_to_read(&X->lock);
    const bool lent = gb_reads_the_users(X);
    gb_unlock(&X->lock);
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

/* What it writes is lost. */
static void lose(gb_Deferred *d) {
    for (int k = 0; k < d->parts; k++)
        if (d->written >> k & 1) gb_matrix_lose(d->part[k]);
    gb_deferred_end(d);
}

/* In a child: under its lock, which a thread that is gone held. */
static void recover(gb_Deferred *d) {
    if (d->done) return;
    if (d->kind->again != NULL)
        d->kind->again(d);
    else
        lose(d);
}

gb_Deferred *gb_deferred_acquire(const gb_Matrix *X, bool as_output) {
    gb_deferred_lock();
    gb_Deferred *d = X->deferred;
    if (d != NULL && (d == at_work || (as_output && !is_written(d, X)))) d = NULL;
    if (d != NULL) d->references++;
    gb_deferred_unlock();
    if (d != NULL && gb_lock(&d->lock)) recover(d);
    return d;
}

void gb_deferred_release(gb_Deferred *d) {
    gb_unlock(&d->lock);
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

/* In a child: whether what it reads was being changed by a thread that is gone. */
static bool reads_lost(const gb_Deferred *d) {
    bool lost = false;
    for (int k = 0; k < d->parts && !d->done; k++) {
        gb_find_lost(d->part[k]);
        lost = lost || gb_is_lost(d->part[k]);
    }
    return lost;
}

gbl_Info gb_deferred_complete(gb_Deferred *d) {
    if (reads_lost(d)) lose(d);
    const gbl_Info info = d->done ? GBL_SUCCESS : d->kind->make(d);
    if (info == GBL_SUCCESS && !d->done) gb_deferred_end(d);
    return info;
}

/* X is only read by a record that a thread is at work on. */
static bool is_busy(const gb_Matrix *X) {
    gb_deferred_lock();
    const gb_Deferred *d = X->deferred;
    const bool busy = d != NULL && d->references > 1 && !is_written(d, X);
    gb_deferred_unlock();
    return busy;
}

gbl_Info gb_complete_deferred(gb_Matrix *X, gb_Wanted wanted) {
    if (wanted == GB_WANTS_HANDLE || (wanted == GB_WANTS_IDLE && is_busy(X))) return GBL_SUCCESS;
    gb_Deferred *d = gb_deferred_acquire(X, wanted == GB_WANTS_INPUT);
    if (d == NULL) return GBL_SUCCESS;
    const gbl_Info info = gb_deferred_complete(d);
    gb_deferred_release(d);
    return info == GBL_SUCCESS && gb_is_lost(X) ? gb_fail_lost(X, "an object of the call") : info;
}

gbl_Info gb_deferred_fold(void *z, const gb_Fold *fold, gb_Matrix *C, bool *folded) {
    *folded = false;
    gb_Deferred *d = gb_is_deferred(C) ? gb_deferred_acquire(C, true) : NULL;
    if (d == NULL) return GBL_SUCCESS;
    gbl_Info info = GBL_SUCCESS;
    if (!d->done)
        info = d->kind->fold != NULL ? d->kind->fold(d, z, fold, folded) : gb_deferred_complete(d);
    gb_deferred_release(d);
    if (info == GBL_SUCCESS && gb_is_lost(C)) info = gb_fail_lost(C, "an object of the call");
    return info;
}

bool gb_deferred_join(gb_Matrix *X, gb_Follows what, const void *call) {
    gb_deferred_lock();
    const gb_Deferred *d = X->deferred;
    const gb_DeferredKind *kind = d != NULL ? d->kind : NULL;
    gb_deferred_unlock();
    return kind != NULL && kind->join != NULL && kind->join(X, what, call);
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
