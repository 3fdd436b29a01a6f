/* SPDX-License-Identifier: Apache-2.0
 *
 * See deferred.h. Two kinds of locks: `pointers` guards the `deferred` of all objects and the
 * references, and is held for a few instructions; the lock of a product is held while it is made.
 * The objects of a product hold one reference together, each thread at work on it holds another.
 */
#include "mxm/deferred.h"

#include <string.h>

#include "core/memory.h"
#include "core/trace.h"
#include "mxm/explain/explain.h"
#include "mxm/mxm.h"
#include "mxm/plan/plan.h"
#include "semiring/objects.h"

struct gb_Deferred {
    gb_MxmCall call;      /* holds a reference to its ring */
    gb_Matrix *orphan[3]; /* inputs that the user has freed */
    int orphans;
    int references; /* under `pointers` */
    bool folded;    /* the sum has been formed, and C is not stored */
    bool done;      /* C is stored, or nobody wants it */
    pthread_mutex_t lock;
};

static pthread_mutex_t pointers = PTHREAD_MUTEX_INITIALIZER;
static pthread_once_t forks_seen = PTHREAD_ONCE_INIT;
static _Thread_local const gb_Deferred *at_work; /* this thread makes it: it may read its inputs */
static uint64_t left_unmade, made_again;         /* atomic: of the products that were folded */

static void lock_pointers(void) {
    pthread_mutex_lock(&pointers);
}

static void unlock_pointers(void) {
    pthread_mutex_unlock(&pointers);
}

/* A child must not find the lock of a thread that it has not. */
static void see_forks(void) {
    pthread_atfork(lock_pointers, unlock_pointers, unlock_pointers);
}

/* -- references -------------------------------------------------------------------------------- */

/* Under `pointers`. */
static void point(const gb_Deferred *d, gb_Deferred *to) {
    gb_Matrix *const part[] = {d->call.C, d->call.A, d->call.B, d->call.mask.M};
    for (int k = 0; k < 4; k++) __atomic_store_n(&part[k]->deferred, to, __ATOMIC_RELEASE);
}

static void destroy(gb_Deferred *d) {
    gb_semiring_release((gb_Semiring *)d->call.ring);
    pthread_mutex_destroy(&d->lock);
    gb_free(d, sizeof *d);
}

static void drop_reference(gb_Deferred *d) {
    pthread_mutex_lock(&pointers);
    const bool last = --d->references == 0;
    pthread_mutex_unlock(&pointers);
    if (last) destroy(d);
}

/* The product that X is part of, locked; as_output: that X is to become. NULL where there is none,
 * or this thread is making it. */
static gb_Deferred *acquire(const gb_Matrix *X, bool as_output) {
    pthread_mutex_lock(&pointers);
    gb_Deferred *d = X->deferred;
    if (d != NULL && (d == at_work || (as_output && d->call.C != X))) d = NULL;
    if (d != NULL) d->references++;
    pthread_mutex_unlock(&pointers);
    if (d != NULL) pthread_mutex_lock(&d->lock);
    return d;
}

static void release(gb_Deferred *d) {
    pthread_mutex_unlock(&d->lock);
    drop_reference(d);
}

/* Under its lock: the objects are free of it. */
static void end(gb_Deferred *d) {
    pthread_mutex_lock(&pointers);
    point(d, NULL);
    d->references--;
    pthread_mutex_unlock(&pointers);
    d->done = true;
    while (d->orphans > 0) gb_matrix_free(d->orphan[--d->orphans]);
}

static void count(uint64_t *counter, const gb_Deferred *d) {
    if (d->folded) __atomic_add_fetch(counter, 1, __ATOMIC_RELAXED);
}

/* -- putting off ------------------------------------------------------------------------------- */

static bool is_whole(const gb_Type *type) {
    const gbl_Type_Code code = type->code;
    return code != GBL_FP32_CODE && code != GBL_FP64_CODE && code != GBL_UDT_CODE;
}

/* Sums of its values do not depend on their order, and no function of the user's could be called
 * twice for one product. */
static bool sums_exactly(const gb_MxmCall *call) {
    const gb_Semiring *ring = call->ring;
    const gb_Type *type = ring->add->op->ztype;
    return is_whole(type) && call->C->type == type && ring->add->op->code != GB_USER &&
           ring->add->op->code != GB_ANY && ring->multiply->code != GB_USER;
}

/* Its arrays are somebody else's, who may take them back when the user frees it. */
static bool is_lent(gb_Matrix *X) {
    pthread_mutex_lock(&X->lock);
    const bool lent = X->cs[GB_CSR].lender != NULL || X->cs[GB_CSC].lender != NULL;
    pthread_mutex_unlock(&X->lock);
    return lent;
}

/* Under `pointers`: nothing of C, when it is complete, outlives the product. */
static bool overwrites(const gb_MxmCall *call) {
    const gb_Matrix *C = call->C;
    return C != call->A && C != call->B && C != call->mask.M && gb_is_assembled(C) &&
           (C->nvals == 0 || call->mask.replace);
}

/* Under `pointers`: X is part of no product but perhaps `old`. */
static bool is_free(const gb_Matrix *X, const gb_Deferred *old) {
    return X->deferred == NULL || X->deferred == old;
}

/* Under `pointers`. Nobody is at work on what C was to become, and nothing of it outlives the call:
 * by replace, or since it lies inside the same mask. */
static bool is_replaced(const gb_Deferred *old, const gb_MxmCall *call) {
    const gb_Mask *mask = &call->mask, *before = &old->call.mask;
    const bool same = before->M == mask->M && before->structural == mask->structural;
    return old->call.C == call->C && old->references == 1 && old->orphans == 0 &&
           (mask->replace || same);
}

/* In the place of what C was to become; false: that, or another product of some object, has to be
 * made first. */
static bool attach(gb_Deferred *d) {
    const gb_MxmCall *call = &d->call;
    pthread_mutex_lock(&pointers);
    gb_Deferred *old = call->C->deferred;
    bool fits = old == NULL || is_replaced(old, call);
    fits = fits && is_free(call->A, old) && is_free(call->B, old) && is_free(call->mask.M, old);
    fits = fits && overwrites(call); /* nobody writes C now; another thread may just have done so */
    if (fits && old != NULL) {
        point(old, NULL);
        old->references = 0;
    }
    if (fits) point(d, d);
    pthread_mutex_unlock(&pointers);
    if (fits && old != NULL) {
        count(&left_unmade, old);
        destroy(old);
    }
    return fits;
}

gbl_Info gb_mxm_defer(const gb_MxmCall *call, bool *deferred) {
    *deferred = false;
    if (!sums_exactly(call) || !gb_plan_is_free(call)) return GBL_SUCCESS;
    if (is_lent(call->A) || is_lent(call->B) || is_lent(call->mask.M)) return GBL_SUCCESS;
    const gbl_Info info = gb_mxm_check(call);
    if (info != GBL_SUCCESS) return info;
    pthread_once(&forks_seen, see_forks);
    gb_Deferred *d = gb_malloc(sizeof *d);
    if (d == NULL) return GBL_SUCCESS; /* then it is made at once */
    *d = (gb_Deferred){.call = *call, .references = 1};
    d->call.ring = gb_semiring_retain(call->ring);
    pthread_mutex_init(&d->lock, NULL);
    *deferred = attach(d);
    if (!*deferred) destroy(d);
    return GBL_SUCCESS;
}

/* -- making ------------------------------------------------------------------------------------ */

static gbl_Info make(const gb_Deferred *d, gb_Folding *fold) {
    const gb_Deferred *outer = at_work; /* a progress callback may complete others meanwhile */
    gb_MxmCall call = d->call;
    call.fold = fold;
    at_work = d;
    const gbl_Info info = gb_mxm(&call);
    at_work = outer;
    return info;
}

/* Under its lock. */
static gbl_Info complete(gb_Deferred *d) {
    const gbl_Info info = d->done ? GBL_SUCCESS : make(d, NULL);
    if (info != GBL_SUCCESS || d->done) return info;
    count(&made_again, d);
    end(d);
    return GBL_SUCCESS;
}

static gbl_Info complete_of(gb_Matrix *X, bool as_output) {
    gb_Deferred *d = acquire(X, as_output);
    if (d == NULL) return GBL_SUCCESS;
    const gbl_Info info = complete(d);
    release(d);
    return info;
}

gbl_Info gb_complete_deferred(gb_Matrix *X) {
    return complete_of(X, false);
}

gbl_Info gb_complete_output_deferred(gb_Matrix *X) {
    return complete_of(X, true);
}

/* -- without storing --------------------------------------------------------------------------- */

/* A second sum is a second reader. */
static bool may_fold(const gb_Deferred *d, const gb_Fold *fold) {
    const uint64_t left = __atomic_load_n(&left_unmade, __ATOMIC_RELAXED);
    const uint64_t again = __atomic_load_n(&made_again, __ATOMIC_RELAXED);
    return !d->folded && fold->monoid != NULL && fold->op->ztype == d->call.C->type &&
           gb_fold_order_is_unseen(fold) && fold->op->code != GB_ANY &&
           again * GB_FOLDS_WORTH <= left;
}

/* Under its lock. A method that has stored the product all the same has completed C. */
static gbl_Info fold_product(gb_Deferred *d, void *z, const gb_Fold *fold, bool *folded) {
    gb_Folding folding = {.monoid = fold->monoid, .z = z};
    const gbl_Info info = make(d, &folding);
    if (info != GBL_SUCCESS) return info;
    if (!folding.done) {
        end(d);
        return GBL_SUCCESS;
    }
    d->folded = *folded = true;
    return folding.nvals > 0 ? GBL_SUCCESS : GBL_NO_VALUE;
}

gbl_Info gb_deferred_fold(void *z, const gb_Fold *fold, gb_Matrix *C, bool *folded) {
    *folded = false;
    gb_Deferred *d = gb_is_deferred(C) ? acquire(C, true) : NULL;
    if (d == NULL) return GBL_SUCCESS;
    const bool folds = !d->done && may_fold(d, fold);
    const gbl_Info info = folds ? fold_product(d, z, fold, folded) : complete(d);
    release(d);
    return info;
}

gbl_Info gb_deferred_explain(gbl_Explanation *why, gb_Matrix *C) {
    gb_Deferred *d = gb_is_deferred(C) ? acquire(C, true) : NULL;
    if (d == NULL) return gb_explain_get(why, C);
    gbl_Info info = d->folded ? GBL_SUCCESS : complete(d);
    if (info == GBL_SUCCESS) info = gb_explain_get(why, C);
    release(d);
    return info;
}

bool gb_deferred_leave(gb_Matrix *X) {
    gb_Deferred *d = gb_is_deferred(X) ? acquire(X, false) : NULL;
    if (d == NULL) return true;
    bool leaves = true;
    if (!d->done && d->call.C == X) {
        count(&left_unmade, d);
        end(d);
    } else if (complete(d) != GBL_SUCCESS) {
        leaves = false;
        d->orphan[d->orphans++] = X;
    }
    release(d);
    return leaves;
}
