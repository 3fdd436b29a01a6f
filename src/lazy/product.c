/* SPDX-License-Identifier: Apache-2.0
 *
 * Products that are put off; see deferred.h.
 */
#include "lazy/queue.h"

#include <string.h>

#include "lazy/queue_note.h"
#include "mxm/explain/explain.h"
#include "mxm/machine/machine.h"
#include "mxm/mxm.h"
#include "mxm/plan/plan.h"
#include "ops/select.h"
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
    if (gb_deferred_is_lent(call->A) || gb_deferred_is_lent(call->B) ||
        gb_deferred_is_lent(call->mask.M))
        return GBL_SUCCESS;
    const gbl_Info info = gb_mxm_check(call);
    if (info != GBL_SUCCESS) return info;
    gb_Deferred *d = gb_deferred_new(&gb_deferred_product);
    if (d == NULL) return GBL_SUCCESS; /* then it is made at once */
    d->call = *call;
    d->call.ring = gb_semiring_retain(call->ring);
    gb_deferred_add(d, call->C, true);
    gb_deferred_add(d, call->A, false);
    gb_deferred_add(d, call->B, false);
    gb_deferred_add(d, call->mask.M, false);
    *deferred = attach(d);
    if (!*deferred) gb_deferred_destroy(d);
    return GBL_SUCCESS;
}

/* -- making ------------------------------------------------------------------------------------ */

static gbl_Info multiply(const gb_Deferred *d, const gb_RowFilter *filter, gb_Folding *fold) {
    gb_MxmCall call = d->call;
    call.filter = filter;
    call.filter_is_optional = true;
    call.fold = fold;
    const gb_Deferred *outer = gb_deferred_at_work(d);
    const gbl_Info info = gb_mxm(&call);
    gb_deferred_at_work(outer);
    return info;
}

/* C becomes the product, without what a select that comes first drops where the method filters
 * rows. */
static gbl_Info make_product(gb_Deferred *d) {
    const gb_ValueStep *first = &d->step[0];
    const bool drops = d->steps > 0 && first->index != NULL;
    const gb_RowFilter filter = {.op = drops ? first->index : NULL,
                                 .y = drops ? &first->value : NULL,
                                 .most = UINT64_MAX,
                                 .power = 1.0};
    const gbl_Info info = multiply(d, drops ? &filter : NULL, NULL);
    if (info != GBL_SUCCESS) return info;
    count(&made_again, d);
    d->multiplied = true;
    d->told = d->how != NULL && gb_explain_get(d->how, d->call.C) == GBL_SUCCESS;
    if (d->told && drops && d->how->filtered) d->made = 1;
    return GBL_SUCCESS;
}

/* Step `made` of d: C = f(C). */
static gbl_Info make_step(const gb_Deferred *d) {
    static const gb_Mask no_mask = {0};
    const gb_ValueStep *step = &d->step[d->made];
    gb_Matrix *C = d->call.C;
    const gb_Map map = {.unary = step->unary,
                        .binary = step->binary,
                        .index = step->index,
                        .bound = step->bound != 0 ? &step->value : NULL,
                        .bound_first = step->bound == 1};
    return step->index != NULL ? gb_select(C, &no_mask, NULL, &map, C, false)
                               : gb_apply(C, &no_mask, NULL, &map, C, false);
}

/* C has all steps. */
static void explain(gb_Deferred *d) {
    if (!d->told) return;
    d->how->fused = 1 + d->steps;
    gb_matrix_set_note(d->call.C, (gb_Note){.block = d->how, .bytes = sizeof *d->how});
    d->how = NULL;
}

/* After a failure the next try goes on where this one ended. */
static gbl_Info make(gb_Deferred *d) {
    if (d->steps > 0 && d->how == NULL) d->how = gb_malloc(sizeof *d->how);
    if (d->steps > 0 && d->how == NULL) return gb_fail_memory(sizeof *d->how);
    gbl_Info info = d->multiplied ? GBL_SUCCESS : make_product(d);
    while (info == GBL_SUCCESS && d->made < d->steps) {
        info = make_step(d);
        if (info == GBL_SUCCESS) d->made++;
    }
    if (info == GBL_SUCCESS) explain(d);
    return info;
}

static void leave(gb_Deferred *d) {
    count(&left_unmade, d);
}

static void release(gb_Deferred *d) {
    gb_semiring_release((gb_Semiring *)d->call.ring);
    gb_free(d->how, sizeof *d->how);
}

/* -- what follows ------------------------------------------------------------------------------ */

/* No function of the user's is called. */
static bool is_built_in(const gb_Map *map) {
    if (map->index != NULL) return map->index->code != GB_USER;
    return map->unary != NULL ? map->unary->code != GB_USER : map->binary->code != GB_USER;
}

/* Its value is one of a built-in type. */
static gb_ValueStep step_of(const gb_Map *map) {
    gb_ValueStep step = {.unary = map->unary, .binary = map->binary, .index = map->index};
    if (map->unary != NULL) return step;
    const gb_Type *type = map->index != NULL ? map->index->ytype
                          : map->bound_first ? map->binary->xtype
                                             : map->binary->ytype;
    step.bound = map->bound_first ? 1 : 2;
    memcpy(&step.value, map->bound, type->size);
    return step;
}

bool gb_product_join(gb_Matrix *C, const gb_Map *map) {
    gb_Deferred *d = gb_deferred_acquire(C, true);
    if (d == NULL) return false;
    const bool joins = !d->done && d->kind == &gb_deferred_product && !d->multiplied &&
                       d->steps < GB_STEPS_MOST && is_built_in(map);
    if (joins) d->step[d->steps++] = step_of(map);
    gb_deferred_release(d);
    return joins;
}

/* -- without storing --------------------------------------------------------------------------- */

/* A second sum is a second reader. */
static bool may_fold(const gb_Deferred *d, const gb_Fold *fold) {
    const uint64_t left = __atomic_load_n(&left_unmade, __ATOMIC_RELAXED);
    const uint64_t again = __atomic_load_n(&made_again, __ATOMIC_RELAXED);
    return !d->folded && d->steps == 0 && fold->monoid != NULL &&
           fold->op->ztype == d->call.C->type && gb_fold_order_is_unseen(fold) &&
           fold->op->code != GB_ANY && again * GB_FOLDS_WORTH <= left;
}

/* A method that has stored the product all the same has completed C. */
static gbl_Info fold_product(gb_Deferred *d, void *z, const gb_Fold *fold, bool *folded) {
    if (!may_fold(d, fold)) return gb_deferred_complete(d);
    gb_Folding folding = {.monoid = fold->monoid, .z = z};
    const gbl_Info info = multiply(d, NULL, &folding);
    if (info != GBL_SUCCESS) return info;
    if (!folding.done) {
        gb_deferred_end(d);
        return GBL_SUCCESS;
    }
    d->folded = *folded = true;
    return folding.nvals > 0 ? GBL_SUCCESS : GBL_NO_VALUE;
}

const gb_DeferredKind gb_deferred_product = {make, leave, release, fold_product};
