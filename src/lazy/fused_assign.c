/* SPDX-License-Identifier: Apache-2.0
 *
 * Deferred products with vectors, w<!m, replace> = u * A by structure over ANY, since a search
 * mostly writes what it finds into m: m<w> = w, or = a value. The assigns that follow join the
 * product, and the one into m is made in one pass with it (gb_FusedAssigns).
 *
 * Where nothing follows, deferring takes longer: masks for which that was so GB_FUSED_IN_VAIN times
 * are left alone. Assigns join where they write in place and so need no memory.
 */
#include "lazy/queue.h"

#include "lazy/queue_note.h"
#include "mxm/mxm.h"
#include "semiring/objects.h"

static bool is_built_in(const gb_Type *type) {
    return type->code != GBL_UDT_CODE;
}

/* -- deferring --------------------------------------------------------------------------------- */

/* No function of the user's is called later, and w's values are the product's. */
static bool is_plain(const gb_MxvCall *call) {
    const gb_Semiring *ring = call->ring;
    const gb_Type *type = ring->add->op->ztype;
    return ring->add->op->code == GB_ANY && ring->multiply->code != GB_USER && is_built_in(type) &&
           call->w->type == type && is_built_in(call->A->type) && is_built_in(call->u->type);
}

static bool fits(const gb_MxvCall *call) {
    const gb_Matrix *m = call->mask.M;
    return m != call->w && m != call->u && gb_is_assembled(m) && is_plain(call) &&
           !gb_deferred_is_lent(call->A) && !gb_deferred_is_lent(call->u);
}

/* False: an object is part of something else. */
static bool attach(gb_Deferred *d) {
    const gb_MxvCall *call = &d->mxv;
    gb_deferred_add(d, call->w, true);
    gb_deferred_add(d, call->mask.M, false);
    gb_deferred_add(d, call->A, false);
    gb_deferred_add(d, call->u, false);
    gb_deferred_lock();
    bool unused = true;
    for (int k = 0; k < d->parts; k++) unused = unused && d->part[k]->deferred == NULL;
    if (unused) gb_deferred_point(d, d);
    gb_deferred_unlock();
    return unused;
}

gbl_Info gb_fused_defer(const gb_MxvCall *call, bool *deferred) {
    gbl_Desc_Value method;
    *deferred = false;
    if (!fits(call)) return GBL_SUCCESS;
    const gbl_Info info = gb_mxv_ask(&method, call);
    if (info != GBL_SUCCESS) return info;
    gb_Deferred *d = gb_deferred_new(&gb_deferred_fused_assign);
    if (d == NULL) return GBL_SUCCESS; /* then it is made at once */
    d->mxv = *call;
    d->mxv.ring = gb_semiring_retain(call->ring);
    d->method = method;
    *deferred = attach(d);
    if (!*deferred) gb_deferred_destroy(d);
    return GBL_SUCCESS;
}

/* -- what follows ------------------------------------------------------------------------------ */

/* Under gb_deferred_lock: part of nothing that somebody may be at work on. */
static bool takes_in_place(const gb_Matrix *into) {
    return gb_is_assembled(into) && !gb_is_hyper(into) && gb_is_dense(into) && !into->iso &&
           into->nvals > 0;
}

/* into<w> = w or a value, where `into` takes it in place, whatever w will be. */
static bool may_follow(const gb_Assign *call) {
    const gb_Matrix *into = call->C;
    const gb_Mask *mask = call->mask;
    const gb_Matrix *w = mask->M;
    if (!mask->structural || mask->complement || mask->replace || call->accum != NULL) return false;
    if (into == w || !gb_is_vector(into) || !is_built_in(into->type) || !call->I.all) return false;
    return call->A != NULL ? call->A == w && into->type == w->type
                           : call->x != NULL && is_built_in(call->xtype);
}

bool gb_fused_join(const gb_Assign *call) {
    gb_Matrix *w = call->mask->M, *into = call->C;
    if (!may_follow(call)) return false;
    gb_deferred_lock();
    gb_Deferred *d = w->deferred;
    /* one reference: nobody is at work on it */
    const bool joins = d != NULL && d->kind == &gb_deferred_fused_assign && d->part[0] == w &&
                       d->references == 1 && !d->multiplied && d->steps < GB_FUSED_CALLS_MOST &&
                       (into->deferred == NULL || into->deferred == d) && into != d->mxv.u &&
                       takes_in_place(into);
    if (joins) {
        gb_FusedAssign *step = &d->assign[d->steps++];
        *step = (gb_FusedAssign){.into = into, .is_value = call->A == NULL};
        if (step->is_value) gb_cast(into->type, &step->value, call->xtype, call->x, 1, 1);
        gb_deferred_add(d, into, true);
        __atomic_store_n(&into->deferred, d, __ATOMIC_RELEASE);
    }
    gb_deferred_unlock();
    return joins;
}

/* -- making ------------------------------------------------------------------------------------ */

/* The first step into the mask, or d->steps. */
static int step_of_mask(const gb_Deferred *d) {
    int k = 0;
    while (k < d->steps && d->assign[k].into != d->mxv.mask.M) k++;
    return k;
}

static gbl_Info multiply(gb_Deferred *d) {
    const int k = step_of_mask(d);
    gb_Matrix *m = d->mxv.mask.M;
    gb_MxvCall call = d->mxv;
    gb_FusedAssigns fused = {.calls = 1 + d->steps};
    if (k < d->steps) {
        fused.value = d->assign[k].is_value ? &d->assign[k].value : NULL;
        call.fused = m->type->size == call.w->type->size ? &fused : NULL;
    }
    const gbl_Info info = gb_mxv_asked(&call, d->method);
    if (info != GBL_SUCCESS) return info;
    if (k < d->steps)
        __atomic_store_n(&m->unjoined, 0, __ATOMIC_RELAXED);
    else
        __atomic_add_fetch(&m->unjoined, 1, __ATOMIC_RELAXED);
    d->multiplied = true;
    if (fused.made) d->assign[k].into = NULL;
    return GBL_SUCCESS;
}

static gbl_Info make_step(const gb_Deferred *d, const gb_FusedAssign *step) {
    gb_Matrix *w = d->mxv.w, *into = step->into;
    const gb_Mask mask = {.M = w, .structural = true};
    const gb_Assign call = {.C = into,
                            .mask = &mask,
                            .A = step->is_value ? NULL : w,
                            .xtype = into->type,
                            .x = &step->value,
                            .I = {.n = into->nrows, .all = true},
                            .J = {.n = 1, .all = true}};
    return gb_assign(&call);
}

/* After a failure the next try goes on where this one ended. */
static gbl_Info make(gb_Deferred *d) {
    gbl_Info info = d->multiplied ? GBL_SUCCESS : multiply(d);
    while (info == GBL_SUCCESS && d->made < d->steps) {
        const gb_FusedAssign *step = &d->assign[d->made];
        if (step->into != NULL) info = make_step(d, step);
        if (info == GBL_SUCCESS) d->made++;
    }
    return info;
}

static void release(gb_Deferred *d) {
    gb_semiring_release((gb_Semiring *)d->mxv.ring);
}

const gb_DeferredKind gb_deferred_fused_assign = {make, NULL, release, NULL};
