/* SPDX-License-Identifier: Apache-2.0
 *
 * Deferred sequences on values: w = f(w, ...) one call after the other, and a reduction of w to a
 * value, which ends them. One pass (fused eWise, cpu/ops/apply.c) executes them when w is read, or
 * an operand is written or freed. Only calls that cannot fail are deferred: built-in operators, all
 * arguments of w's type, and operand values at the positions of the result:
 *   - w is full, and so are the operands, or
 *   - w is a matrix held by rows or columns, and each call changes its values alone.
 * A call that does not read w discards all before it.
 */
#include "matrix/matrix.h"
#include "ops/deferred.h"
#include "ops/op.h"

/* One call, with the objects that its operands come from. */
typedef struct {
    const gb_UnaryOp *unary;
    const gb_BinaryOp *binary;
    const gb_Matrix *x, *y; /* NULL: what the call before gave, or the bound value */
    int bound;              /* 0, or 1 or 2: the argument that `value` stands for */
    uint64_t value;
} Step;

typedef struct {
    gb_Deferred d;
    Step step[GB_STEPS_MOST];
} Sequence;

static const gb_DeferredKind sequences;

/* -- deferring --------------------------------------------------------------------------------- */

/* Whether values differ where those do that it is given; else the result is one value for all
 * entries, which other operations store as such. */
static bool keeps_values_apart(const gb_ValueCall *call) {
    if (call->unary != NULL) return call->unary->code != GB_ONE;
    const bool uses_x = gb_binary_uses_x(call->binary), uses_y = gb_binary_uses_y(call->binary);
    if (call->bound != NULL) return call->bound_first ? uses_y : uses_x;
    return uses_x || uses_y;
}

/* Operator and operands are of w's type, and no function of the user's is called. */
static bool has_one_type(const gb_ValueCall *call) {
    const gb_Type *type = call->w->type;
    if (!gb_type_is_real(type) || call->x->type != type) return false;
    if (call->y != NULL && call->y->type != type) return false;
    if (call->unary != NULL)
        return call->unary->code != GB_USER && call->unary->xtype == type &&
               call->unary->ztype == type;
    const gb_BinaryOp *op = call->binary;
    return op->code != GB_USER && op->xtype == type && op->ytype == type && op->ztype == type;
}

/* It is full, not iso, and held in no other form that an operation would prefer. */
static bool is_full(const gb_Matrix *X) {
    return gb_is_assembled(X) && !gb_is_hyper(X) && (gb_has(X) & GBL_HAS_FULL) != 0 && !X->iso &&
           (gb_is_vector(X) || gb_only_dense(X));
}

/* Rows, or columns, whose values are the library's own. */
static bool is_list(const gb_Matrix *X) {
    const gb_Format format = gb_has(X) & GBL_HAS_CSR ? GB_CSR : GB_CSC;
    return gb_is_assembled(X) && !gb_is_hyper(X) && !gb_is_vector(X) && !X->iso &&
           (gb_has(X) & gb_has_bit(format)) != 0 && !gb_is_lent(X->cs[format].lender);
}

/* Whether its values can become those of the call where they stand. */
static bool fits(const gb_ValueCall *call) {
    const gb_Matrix *w = call->w, *x = call->x, *y = call->y;
    if (w->nvals < GB_VALUES_LEAST || gb_is_lent(w->dense.lender)) return false;
    if (is_full(w)) return (x == w || is_full(x)) && (y == NULL || y == w || is_full(y));
    return is_list(w) && x == w && y == NULL;
}

static Step step_of(const gb_ValueCall *call) {
    Step step = {.unary = call->unary, .binary = call->binary};
    if (call->bound != NULL) {
        step.bound = call->bound_first ? 1 : 2;
        memcpy(&step.value, call->bound, call->w->type->size);
    }
    if (call->x != call->w) *(step.bound == 1 ? &step.y : &step.x) = call->x;
    if (call->y != NULL && call->y != call->w) step.y = call->y;
    return step;
}

static bool reads_before(const Step *step) {
    const bool x = step->x == NULL && step->bound != 1;
    return x || (step->binary != NULL && step->y == NULL && step->bound != 2);
}

/* Under gb_deferred_lock. X is w, or part of d, or of nothing. */
static bool may_be_part(const gb_Matrix *X, const gb_Deferred *d) {
    return X == NULL || X->deferred == NULL || X->deferred == d;
}

/* The call is the next of d; false: its values are not at the result's positions, or an operand is
 * part of another record, which another thread may just have executed. Precondition: d's lock is
 * held, or d is private. */
static bool append(gb_Deferred *d, const gb_ValueCall *call) {
    const Step step = step_of(call);
    gb_deferred_lock();
    const bool joins =
        may_be_part(call->w, d) && may_be_part(call->x, d) && may_be_part(call->y, d) && fits(call);
    if (joins) {
        gb_deferred_add(d, call->w, true);
        gb_deferred_add(d, call->x, false);
        if (call->y != NULL) gb_deferred_add(d, call->y, false);
        gb_deferred_point(d, d);
    }
    gb_deferred_unlock();
    if (!joins) return false;
    if (!reads_before(&step)) d->steps = 0;
    ((Sequence *)d)->step[d->steps++] = step;
    return true;
}

/* As the next call of the sequence that w is the output of. */
static bool join(const gb_ValueCall *call) {
    gb_Deferred *d = gb_is_deferred(call->w) ? gb_deferred_acquire(call->w, true) : NULL;
    if (d == NULL) return false;
    const bool joins = !d->done && d->kind == &sequences && d->steps < GB_STEPS_MOST &&
                       d->parts + 2 <= GB_PARTS_MOST && append(d, call);
    gb_deferred_release(d);
    return joins;
}

/* Nothing that an operand is part of is left undone. */
static bool are_complete(const gb_ValueCall *call) {
    return gb_complete(call->w, GB_WANTS_OUTPUT) == GBL_SUCCESS &&
           gb_complete(call->x, GB_WANTS_IDLE) == GBL_SUCCESS &&
           (call->y == NULL || gb_complete(call->y, GB_WANTS_IDLE) == GBL_SUCCESS);
}

bool gb_values_defer(const gb_ValueCall *call) {
    if (!has_one_type(call) || !keeps_values_apart(call)) return false;
    if (gb_wants_gpu()) return false; /* operations run on it one by one */
    if (join(call)) return true;
    if (!are_complete(call) || !fits(call)) return false;
    gb_Deferred *d = gb_deferred_new(&sequences);
    if (d == NULL) return false; /* then it is made at once */
    const bool begun = append(d, call);
    if (!begun) gb_deferred_destroy(d);
    return begun;
}

/* -- making ------------------------------------------------------------------------------------ */

static void report(gb_Matrix *w, int32_t calls) {
    if (calls < 2) return;
    gb_matrix_explain(w,
                      &(gbl_Explanation){.operation = "values",
                                         .method = "in one pass",
                                         .workflow = "value by value",
                                         .reason = "calls one after the other on the same values",
                                         .fused = calls});
}

/* Where the values of w stand; nothing else of it stays valid. */
static void *own_values(gb_Matrix *w) {
    const bool full = is_full(w);
    const gb_Format format = gb_has(w) & GBL_HAS_CSR ? GB_CSR : GB_CSC;
    gb_matrix_keep_only(w, full ? GBL_HAS_BITMAP | GBL_HAS_FULL : gb_has_bit(format));
    return full ? w->dense.x : w->cs[format].x;
}

static gb_StepArgs prepare(const gb_Deferred *d, gb_Step *step) {
    gb_Matrix *w = d->part[0];
    for (int s = 0; s < d->steps; s++) {
        const Step *from = &((const Sequence *)d)->step[s];
        step[s] = (gb_Step){.unary = from->unary, .binary = from->binary, .sx = 1, .sy = 1};
        if (from->x != NULL) step[s].x = from->x->dense.x;
        if (from->y != NULL) step[s].y = from->y->dense.x;
        if (from->bound == 1) {
            step[s].x = &from->value;
            step[s].sx = 0;
        } else if (from->bound == 2) {
            step[s].y = &from->value;
            step[s].sy = 0;
        }
    }
    return (gb_StepArgs){.step = step,
                         .steps = d->steps,
                         .size = w->type->size,
                         .values = own_values(w),
                         .n = w->nvals,
                         .nthreads = gb_nthreads()};
}

static gbl_Info make(gb_Deferred *d) {
    gb_Step step[GB_STEPS_MOST];
    const gb_StepArgs args = prepare(d, step);
    gb_backend()->run_steps(&args);
    report(d->part[0], d->steps);
    return GBL_SUCCESS;
}

/* -- and their sum ----------------------------------------------------------------------------- */

/* Folds of full values and of rows are in their order, whatever the operator; those of columns only
 * where nobody sees it. */
static bool may_fold(const gb_Deferred *d, const gb_Fold *fold) {
    const gb_Matrix *w = d->part[0];
    const bool in_order = is_full(w) || (gb_has(w) & GBL_HAS_CSR && w->cs[GB_CSR].sorted);
    return fold->op->ztype == w->type && fold->op->code != GB_ANY && fold->op->code != GB_USER &&
           (in_order || gb_fold_order_is_unseen(fold));
}

static gbl_Info fold_values(gb_Deferred *d, void *z, const gb_Fold *fold, bool *folded) {
    gb_Matrix *w = d->part[0];
    if (!may_fold(d, fold)) return gb_deferred_complete(d);
    gb_Step step[GB_STEPS_MOST];
    const gb_StepArgs steps = prepare(d, step);
    const gb_FoldArgs args = {.monoid = fold->monoid,
                              .op = fold->op,
                              .xtype = w->type,
                              .nthreads = gb_nthreads(),
                              .steps = &steps};
    const gb_CsView values = {.nvals = w->nvals, .x = steps.values, .xsize = w->type->size};
    const gbl_Info info = gb_backend()->reduce_cs(&args, &values, z);
    if (info != GBL_SUCCESS) return info;
    report(w, d->steps + 1);
    gb_deferred_end(d);
    *folded = true;
    return GBL_SUCCESS;
}

static const gb_DeferredKind sequences = {
    .make = make, .fold = fold_values, .bytes = sizeof(Sequence)};
