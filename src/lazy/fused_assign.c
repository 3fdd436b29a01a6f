/* SPDX-License-Identifier: Apache-2.0
 *
 * Deferred products with vectors, w<!m, replace> = u * A by structure over ANY, since a search
 * mostly writes its result into m: m<w> = w, or = a value. The assigns that follow join the record,
 * and the product and the one into m are executed in one pass (gb_FusedAssigns).
 *
 * If nothing follows, deferring costs time: masks for which that happened GB_FUSED_IN_VAIN times
 * are excluded. Assigns join if they write in place and so allocate no memory.
 */
#include "lazy/operations.h"
#include "ops/operations.h"

enum { GB_FUSED_CALLS_MOST = 4 };

/* An assign through what the product gives: into<w> = w, or a value of into's type. */
typedef struct {
    gb_Matrix *into;
    bool is_value;
    uint64_t value;
} gb_FusedAssign;

typedef struct {
    gb_Deferred d;
    gb_MxvCall mxv; /* holds a reference to its ring */
    gbl_Desc_Value method;
    gb_FusedAssign assign[GB_FUSED_CALLS_MOST];
} Fused;

static const gb_DeferredKind fused_products;

static Fused *fused_of(gb_Deferred *d) {
    return (Fused *)d;
}

/* -- deferring --------------------------------------------------------------------------------- */

/* No function of the user's is called later, and w's values are the product's. */
static bool is_plain(const gb_MxvCall *call) {
    const gb_Semiring *ring = call->ring;
    const gb_Type *type = ring->add->op->ztype;
    return ring->add->op->code == GB_ANY && ring->multiply->code != GB_USER &&
           gb_type_is_real(type) && call->w->type == type && gb_type_is_real(call->A->type) &&
           gb_type_is_real(call->u->type);
}

static bool fits(const gb_MxvCall *call) {
    const gb_Matrix *m = call->mask.M;
    return m != call->w && m != call->u && gb_is_assembled(m) && is_plain(call) &&
           !gb_deferred_is_lent(call->A) && !gb_deferred_is_lent(call->u);
}

/* False: an object is part of something else. */
static bool attach(gb_Deferred *d) {
    const gb_MxvCall *call = &fused_of(d)->mxv;
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
    gb_Deferred *d = gb_deferred_new(&fused_products);
    if (d == NULL) return GBL_SUCCESS; /* then it is made at once */
    fused_of(d)->mxv = *call;
    fused_of(d)->mxv.ring = gb_retain(call->ring);
    fused_of(d)->method = method;
    *deferred = attach(d);
    if (!*deferred) gb_deferred_destroy(d);
    return GBL_SUCCESS;
}

/* -- what follows ------------------------------------------------------------------------------ */

/* Under gb_deferred_lock: part of nothing that somebody may be at work on. */
static bool takes_in_place(const gb_Matrix *into) {
    return gb_is_assembled(into) && !gb_is_hyper(into) && gb_is_dense(into) && !into->iso &&
           into->nvals > 0 && !gb_is_lent(into->dense.lender);
}

/* into<w> = w or a value, where `into` takes it in place for any w. */
static bool may_follow(const gb_Assign *call) {
    const gb_Matrix *into = call->C;
    const gb_Mask *mask = &call->mask;
    const gb_Matrix *w = mask->M;
    if (!mask->structural || mask->complement || mask->replace || call->accum != NULL) return false;
    if (into == w || !gb_is_vector(into) || !gb_type_is_real(into->type) || !call->I.all)
        return false;
    return call->A != NULL ? call->A == w && into->type == w->type
                           : call->x != NULL && gb_type_is_real(call->xtype);
}

static bool join(gb_Matrix *w, gb_Follows what, const void *follows) {
    const gb_Assign *call = follows;
    if (what != GB_FOLLOWS_ASSIGN || !may_follow(call)) return false;
    gb_Matrix *into = call->C;
    gb_deferred_lock();
    gb_Deferred *d = w->deferred;
    /* one reference: nobody is at work on it */
    const bool joins = d != NULL && d->kind == &fused_products && d->part[0] == w &&
                       d->references == 1 && !d->multiplied && d->steps < GB_FUSED_CALLS_MOST &&
                       (into->deferred == NULL || into->deferred == d) &&
                       into != fused_of(d)->mxv.u && takes_in_place(into);
    if (joins) {
        gb_FusedAssign *step = &fused_of(d)->assign[d->steps++];
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
static int step_of_mask(const Fused *f) {
    int k = 0;
    while (k < f->d.steps && f->assign[k].into != f->mxv.mask.M) k++;
    return k;
}

static gbl_Info multiply(gb_Deferred *d) {
    Fused *f = fused_of(d);
    const int k = step_of_mask(f);
    gb_Matrix *m = f->mxv.mask.M;
    gb_MxvCall call = f->mxv;
    gb_FusedAssigns fused = {.calls = 1 + d->steps};
    if (k < d->steps) {
        fused.value = f->assign[k].is_value ? &f->assign[k].value : NULL;
        call.fused = m->type->size == call.w->type->size ? &fused : NULL;
    }
    const gbl_Info info = gb_mxv_asked(&call, f->method);
    if (info != GBL_SUCCESS) return info;
    if (k < d->steps)
        __atomic_store_n(&m->unjoined, 0, __ATOMIC_RELAXED);
    else
        __atomic_add_fetch(&m->unjoined, 1, __ATOMIC_RELAXED);
    d->multiplied = true;
    if (fused.made) f->assign[k].into = NULL;
    return GBL_SUCCESS;
}

static gbl_Info make_step(const Fused *f, const gb_FusedAssign *step) {
    gb_Matrix *w = f->mxv.w, *into = step->into;
    gb_Assign call = gb_assign_to_all(into, &(gb_Mask){.M = w, .structural = true}, NULL);
    call.A = step->is_value ? NULL : w;
    call.xtype = into->type;
    call.x = &step->value;
    return gb_execute(&gb_op_assign, &call, NULL);
}

/* After a failure the next try goes on where this one ended. */
static gbl_Info make(gb_Deferred *d) {
    gbl_Info info = d->multiplied ? GBL_SUCCESS : multiply(d);
    const Fused *f = fused_of(d);
    while (info == GBL_SUCCESS && d->made < d->steps) {
        const gb_FusedAssign *step = &f->assign[d->made];
        if (step->into != NULL) info = make_step(f, step);
        if (info == GBL_SUCCESS) d->made++;
    }
    return info;
}

static void release(gb_Deferred *d) {
    gb_release((gb_Semiring *)fused_of(d)->mxv.ring);
}

_Static_assert(sizeof(Fused) <= GB_NOTE_BYTES, "a deferred product takes no memory");
static const gb_DeferredKind fused_products = {
    .make = make, .release = release, .join = join, .bytes = sizeof(Fused)};
