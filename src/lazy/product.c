/* SPDX-License-Identifier: Apache-2.0
 *
 * Deferred products.
 *   - A sum of C is folded during the product, without storing C. C stays deferred; a later read
 *     computes it a second time. Products fold so only while recomputed products are few compared
 *     with unread ones (GB_FOLDS_WORTH), one more at most.
 *   - A product whose C is freed, or overwritten by another product, is never computed.
 *   - select and apply in place, C = f(C), join the record: they run with the product, and a
 *     leading select drops entries before rows are stored, where the method can.
 */
#include "lazy/operations.h"
#include "mxm/explain/explain.h"
#include "ops/operations.h"

/* C = f(C), after the product. */
typedef struct {
    gb_Map map;
    gb_Builtin value; /* what map.bound points to, or nothing */
} Step;

typedef struct {
    gb_Deferred d;
    gb_MxmCall call;      /* holds a reference to its ring */
    bool folded;          /* the sum has been formed, and C is not stored */
    gbl_Explanation *how; /* steps: of the product, for C once they are made ... */
    bool reported;        /* ... if any */
    Step step[GB_STEPS_MOST];
} Product;

static const gb_DeferredKind products;

static Product *product_of(gb_Deferred *d) {
    return (Product *)d;
}

static uint64_t left_unmade, made_again; /* atomic: of the products that were folded */

static void count_folded(uint64_t *counter, const Product *p) {
    if (p->folded) __atomic_add_fetch(counter, 1, __ATOMIC_RELAXED);
}

/* -- deferring --------------------------------------------------------------------------------- */

/* Sums of its values do not depend on their order, and no function of the user's could be called
 * twice for one product. */
static bool sums_exactly(const gb_MxmCall *call) {
    const gb_Semiring *ring = call->ring;
    const gb_Type *type = ring->add->op->ztype;
    return gb_type_is_real(type) && type->code < GBL_FP32_CODE && call->C->type == type &&
           ring->add->op->code != GB_USER && ring->add->op->code != GB_ANY &&
           ring->multiply->code != GB_USER;
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
static bool is_replaced(gb_Deferred *old, const gb_MxmCall *call) {
    if (old->kind != &products) return false;
    const gb_MxmCall *own = &product_of(old)->call;
    const gb_Mask *mask = &call->mask, *before = &own->mask;
    const bool same = before->M == mask->M && before->structural == mask->structural;
    return own->C == call->C && old->references == 1 && old->orphans == 0 &&
           (mask->replace || same);
}

/* Replaces the previous deferred product of C; false: that, or another product of some object, must
 * be executed first. */
static bool attach(gb_Deferred *d) {
    const gb_MxmCall *call = &product_of(d)->call;
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
        count_folded(&left_unmade, product_of(old));
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
    gb_Deferred *d = gb_deferred_new(&products);
    if (d == NULL) return GBL_SUCCESS; /* then it is made at once */
    Product *p = product_of(d);
    p->call = *call;
    p->call.ring = gb_retain(call->ring);
    p->folded = p->reported = false;
    p->how = NULL;
    gb_deferred_add(d, call->C, true);
    gb_deferred_add(d, call->A, false);
    gb_deferred_add(d, call->B, false);
    gb_deferred_add(d, call->mask.M, false);
    *deferred = attach(d);
    if (!*deferred) gb_deferred_destroy(d);
    return GBL_SUCCESS;
}

/* -- making ------------------------------------------------------------------------------------ */

static gbl_Info multiply(const Product *p, const gb_RowFilter *filter, gb_Folding *fold) {
    gb_MxmCall call = p->call;
    call.filter = filter;
    call.filter_is_optional = true;
    call.fold = fold;
    const gb_Deferred *outer = gb_deferred_at_work(&p->d);
    const gbl_Info info = gb_mxm(&call);
    gb_deferred_at_work(outer);
    return info;
}

/* C becomes the product, without what a select that comes first drops where the method filters
 * rows. */
static gbl_Info make_product(Product *p) {
    const gb_Map *first = &p->step[0].map;
    const bool drops = p->d.steps > 0 && first->index != NULL;
    const gb_RowFilter filter = {.op = drops ? first->index : NULL,
                                 .y = drops ? first->bound : NULL,
                                 .most = UINT64_MAX,
                                 .power = 1.0};
    const gbl_Info info = multiply(p, drops ? &filter : NULL, NULL);
    if (info != GBL_SUCCESS) return info;
    count_folded(&made_again, p);
    p->d.multiplied = true;
    p->reported = p->how != NULL && gb_explain_get(p->how, p->call.C) == GBL_SUCCESS;
    if (p->reported && drops && p->how->filtered) p->d.made = 1;
    return GBL_SUCCESS;
}

/* Step `made`: C = f(C). */
static gbl_Info make_step(const Product *p) {
    const gb_Map *map = &p->step[p->d.made].map;
    const gb_Apply call = {.C = p->call.C, .A = p->call.C, .map = *map};
    return gb_execute(map->index != NULL ? &gb_op_select : &gb_op_apply, &call, NULL);
}

/* C has all steps. */
static void explain(Product *p) {
    if (!p->reported) return;
    p->how->fused = 1 + p->d.steps;
    gb_matrix_set_note(p->call.C, (gb_Note){.block = p->how, .bytes = sizeof *p->how});
    p->how = NULL;
}

/* After a failure the next try goes on where this one ended. */
static gbl_Info make(gb_Deferred *d) {
    Product *p = product_of(d);
    if (d->steps > 0 && p->how == NULL) p->how = gb_malloc(sizeof *p->how);
    if (d->steps > 0 && p->how == NULL) return gb_fail_memory(sizeof *p->how);
    gbl_Info info = d->multiplied ? GBL_SUCCESS : make_product(p);
    while (info == GBL_SUCCESS && d->made < d->steps) {
        info = make_step(p);
        if (info == GBL_SUCCESS) d->made++;
    }
    if (info == GBL_SUCCESS) explain(p);
    return info;
}

static void leave(gb_Deferred *d) {
    count_folded(&left_unmade, product_of(d));
}

/* All of C, which held nothing that outlives the product, is computed anew: a thread that is gone
 * may have been writing it. */
static void again(gb_Deferred *d) {
    Product *p = product_of(d);
    gb_matrix_forget(p->call.C);
    d->multiplied = p->reported = false;
    d->made = 0;
    p->how = NULL;
}

static void release(gb_Deferred *d) {
    Product *p = product_of(d);
    gb_release((gb_Semiring *)p->call.ring);
    gb_free(p->how, sizeof *p->how);
}

/* -- what follows ------------------------------------------------------------------------------ */

/* No function of the user's is called. */
static bool is_built_in(const gb_Map *map) {
    if (map->index != NULL) return map->index->code != GB_USER;
    return map->unary != NULL ? map->unary->code != GB_USER : map->binary->code != GB_USER;
}

/* The bound value, which is of a built-in type, is copied. */
static void set_step(Step *step, const gb_Map *map) {
    step->map = *map;
    if (map->unary != NULL) return;
    const gb_Type *type = map->index != NULL ? map->index->ytype
                          : map->bound_first ? map->binary->xtype
                                             : map->binary->ytype;
    memcpy(&step->value, map->bound, type->size);
    step->map.bound = &step->value;
}

static bool join(gb_Matrix *C, gb_Follows what, const void *map) {
    gb_Deferred *d = what == GB_FOLLOWS_MAP ? gb_deferred_acquire(C, true) : NULL;
    if (d == NULL) return false;
    const bool joins = !d->done && d->kind == &products && !d->multiplied &&
                       d->steps < GB_STEPS_MOST && is_built_in(map);
    if (joins) set_step(&product_of(d)->step[d->steps++], map);
    gb_deferred_release(d);
    return joins;
}

/* -- without storing --------------------------------------------------------------------------- */

/* A second sum is a second reader. */
static bool may_fold(const Product *p, const gb_Fold *fold) {
    const uint64_t left = __atomic_load_n(&left_unmade, __ATOMIC_RELAXED);
    const uint64_t again = __atomic_load_n(&made_again, __ATOMIC_RELAXED);
    return !p->folded && p->d.steps == 0 && fold->monoid != NULL &&
           fold->op->ztype == p->call.C->type && gb_fold_order_is_unseen(fold) &&
           fold->op->code != GB_ANY && again * GB_FOLDS_WORTH <= left;
}

/* A method that has stored the product all the same has completed C. */
static gbl_Info fold_product(gb_Deferred *d, void *z, const gb_Fold *fold, bool *folded) {
    Product *p = product_of(d);
    if (!may_fold(p, fold)) return gb_deferred_complete(d);
    gb_Folding folding = {.monoid = fold->monoid, .z = z};
    const gbl_Info info = multiply(p, NULL, &folding);
    if (info != GBL_SUCCESS) return info;
    if (!folding.done) {
        gb_deferred_end(d);
        return GBL_SUCCESS;
    }
    p->folded = *folded = true;
    return folding.nvals > 0 ? GBL_SUCCESS : GBL_NO_VALUE;
}

_Static_assert(sizeof(Product) <= GB_NOTE_BYTES, "a deferred product takes no memory");
static const gb_DeferredKind products = {.make = make,
                                         .leave = leave,
                                         .release = release,
                                         .fold = fold_product,
                                         .again = again,
                                         .join = join,
                                         .bytes = sizeof(Product)};

/* A sum has an explanation too. */
gbl_Info gb_deferred_explain(gbl_Explanation *why, gb_Matrix *C) {
    gb_Deferred *d = gb_is_deferred(C) ? gb_deferred_acquire(C, true) : NULL;
    if (d == NULL) return gb_explain_get(why, C);
    const bool folded = d->kind == &products && product_of(d)->folded && d->steps == 0;
    gbl_Info info = folded ? GBL_SUCCESS : gb_deferred_complete(d);
    if (info == GBL_SUCCESS) info = gb_explain_get(why, C);
    gb_deferred_release(d);
    return info;
}
