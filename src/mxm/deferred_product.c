/* SPDX-License-Identifier: Apache-2.0
 *
 * Products that are put off; see deferred.h.
 */
#include "mxm/deferred.h"

#include <string.h>

#include "mxm/deferred_note.h"
#include "mxm/explain/explain.h"
#include "mxm/machine/machine.h"
#include "mxm/mxm.h"
#include "mxm/plan/plan.h"
#include "semiring/objects.h"

static uint64_t left_unmade, made_again; /* atomic: of the products that were folded */

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

/* Under gb_deferred_lock: nothing of C, when it is complete, outlives the product. */
static bool overwrites(const gb_MxmCall *call) {
    const gb_Matrix *C = call->C;
    return C != call->A && C != call->B && C != call->mask.M && gb_is_assembled(C) &&
           (C->nvals == 0 || call->mask.replace);
}

/* Under gb_deferred_lock: X is part of no product but perhaps `old`. */
static bool is_free(const gb_Matrix *X, const gb_Deferred *old) {
    return X->deferred == NULL || X->deferred == old;
}

/* Under gb_deferred_lock. Nobody is at work on what C was to become, and nothing of it outlives the
 * call: by replace, or since it lies inside the same mask. */
static bool is_replaced(const gb_Deferred *old, const gb_MxmCall *call) {
    if (old->kind != &gb_deferred_product) return false;
    const gb_Mask *mask = &call->mask, *before = &old->call.mask;
    const bool same = before->M == mask->M && before->structural == mask->structural;
    return old->call.C == call->C && old->references == 1 && old->orphans == 0 &&
           (mask->replace || same);
}

/* In the place of what C was to become; false: that, or another product of some object, has to be
 * made first. */
static bool attach(gb_Deferred *d) {
    const gb_MxmCall *call = &d->call;
    gb_deferred_lock();
    gb_Deferred *old = call->C->deferred;
    bool fits = old == NULL || is_replaced(old, call);
    fits = fits && is_free(call->A, old) && is_free(call->B, old) && is_free(call->mask.M, old);
    fits = fits && overwrites(call); /* nobody writes C now; another thread may just have done so */
    if (fits && old != NULL) {
        gb_deferred_point(old, NULL);
        old->references = 0;
    }
    if (fits) gb_deferred_point(d, d);
    gb_deferred_unlock();
    if (fits && old != NULL) {
        count(&left_unmade, old);
        gb_deferred_destroy(old);
    }
    return fits;
}

gbl_Info gb_mxm_defer(const gb_MxmCall *call, bool *deferred) {
    *deferred = false;
    if (!sums_exactly(call) || !gb_plan_is_free(call)) return GBL_SUCCESS;
    if (is_lent(call->A) || is_lent(call->B) || is_lent(call->mask.M)) return GBL_SUCCESS;
    const gbl_Info info = gb_mxm_check(call);
    if (info != GBL_SUCCESS) return info;
    gb_Deferred *d = gb_deferred_new(&gb_deferred_product);
    if (d == NULL) return GBL_SUCCESS; /* then it is made at once */
    d->call = *call;
    d->call.ring = gb_semiring_retain(call->ring);
    gb_Matrix *const part[] = {call->C, call->A, call->B, call->mask.M};
    for (d->parts = 0; d->parts < 4; d->parts++) d->part[d->parts] = part[d->parts];
    *deferred = attach(d);
    if (!*deferred) gb_deferred_destroy(d);
    return GBL_SUCCESS;
}

/* -- making ------------------------------------------------------------------------------------ */

static gbl_Info multiply(const gb_Deferred *d, gb_Folding *fold) {
    gb_MxmCall call = d->call;
    call.fold = fold;
    const gb_Deferred *outer = gb_deferred_at_work(d);
    const gbl_Info info = gb_mxm(&call);
    gb_deferred_at_work(outer);
    return info;
}

static gbl_Info make(gb_Deferred *d) {
    const gbl_Info info = multiply(d, NULL);
    if (info == GBL_SUCCESS) count(&made_again, d);
    return info;
}

static void leave(gb_Deferred *d) {
    count(&left_unmade, d);
}

static void release(gb_Deferred *d) {
    gb_semiring_release((gb_Semiring *)d->call.ring);
}

const gb_DeferredKind gb_deferred_product = {make, leave, release};

/* -- without storing --------------------------------------------------------------------------- */

/* A second sum is a second reader. */
static bool may_fold(const gb_Deferred *d, const gb_Fold *fold) {
    const uint64_t left = __atomic_load_n(&left_unmade, __ATOMIC_RELAXED);
    const uint64_t again = __atomic_load_n(&made_again, __ATOMIC_RELAXED);
    return !d->folded && fold->monoid != NULL && fold->op->ztype == d->call.C->type &&
           gb_fold_order_is_unseen(fold) && fold->op->code != GB_ANY &&
           again * GB_FOLDS_WORTH <= left;
}

/* A method that has stored the product all the same has completed C. */
gbl_Info gb_fold_product(gb_Deferred *d, void *z, const gb_Fold *fold, bool *folded) {
    if (!may_fold(d, fold)) return gb_deferred_complete(d);
    gb_Folding folding = {.monoid = fold->monoid, .z = z};
    const gbl_Info info = multiply(d, &folding);
    if (info != GBL_SUCCESS) return info;
    if (!folding.done) {
        gb_deferred_end(d);
        return GBL_SUCCESS;
    }
    d->folded = *folded = true;
    return folding.nvals > 0 ? GBL_SUCCESS : GBL_NO_VALUE;
}
