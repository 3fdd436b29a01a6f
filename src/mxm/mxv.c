/* SPDX-License-Identifier: Apache-2.0
 *
 * w<m> accum= op(A) * u and u * op(A): the n x 1 case of the product, in two forms.
 *
 * Call R the matrix whose rows are the positions of w: op(A), or its transpose when u is on the
 * left. pull reads R by rows, for every position that may be written; push reads R by columns, for
 * every entry of u. The choice (mxv_plan.c) compares the entries each would look at; a semiring
 * whose sums end early (ANY, LOR) lets pull stop after the first hit. Both forms
 * sum in the same order (cpu/mxv/mxv.h), so the choice cannot be seen in the result.
 *
 * A call costs what it looks at, not the length of a vector: push finds its sums in a set that
 * stays with A, empty, between calls (matrix/scratch.h), or sorts them while there is none; a
 * structural mask that is a bitmap is probed as it is; pull passes over 64 positions at a time that
 * may not be written. The result is a list, unless pull had no mask. Rows that are multiplied by
 * full vectors again and again are kept in strips (mxv_strips.h), in which an accumulation is no
 * pass of its own. Nor is an assign of what a search has found to its mask (mxv_visit.h).
 *
 * When the better form wants a representation that does not exist, the matrix remembers what having
 * it would have saved; once the sum of these savings would have paid for the conversion, it is
 * made. So a single product never waits for a conversion that it does not repay, and a graph that
 * is searched often gets its transpose: at most twice the time of the best choice in hindsight.
 */
#include "mxm/mxm.h"

#include <string.h>

#include "core/arrays.h"
#include "core/bits.h"
#include "core/clock.h"
#include "core/context.h"
#include "core/parallel.h"
#include "core/search.h"
#include "core/trace.h"
#include "core/tune.h"
#include "mxm/explain/explain.h"
#include "mxm/machine/cost_table.h"
#include "mxm/mxv_device.h"
#include "mxm/mxv_into.h"
#include "mxm/mxv_plan.h"
#include "mxm/mxv_sell.h"
#include "mxm/mxv_update.h"
#include "mxm/mxv_fused.h"
#include "mxm/ring.h"
#include "mxm/widen.h"
#include "ops/finish.h"
#include "semiring/ids.h"

typedef struct {
    gb_Operand A, u;
    gb_DenseOperand u_dense;
    bool u_is_list;    /* pull searches u instead of u_dense */
    gb_DenseView mask; /* b: bytes of the mask, or NULL */
    gb_CsView rows;    /* or the mask as a list; i NULL: not so */
    bool refused;      /* the byte of positions that may not be written */
    int8_t *bytes;     /* [length of w] the same, made for this call, or NULL */
    gb_Scratch *found; /* along w */
    gb_Scratch *met;   /* along u: what is there of it; pull under a mask */
    bool added;        /* T is what becomes of w: the accumulation is in it */
    bool visits;       /* the kernel writes the mask too (mxv_visit.h) */
    bool in_place;     /* sums were added where w stands ... */
    uint64_t gained;   /* ... which got so many entries by that */
    gb_MxvNote *note;
} gb_MxvHold;

/* Before w is written, which may be u. */
static void give_scratch(gb_MxvHold *hold, const gb_MxvCall *call, const gb_MxvPlan *plan) {
    if (hold->met != NULL) gb_scratch_unmark(hold->met, &hold->u.view);
    gb_scratch_give(call->A, plan->u_axis, hold->met);
    gb_scratch_give(call->A, plan->w_axis, hold->found);
}

static void release(gb_MxvHold *hold, const gb_MxvCall *call) {
    gb_operand_release(&hold->A);
    gb_operand_release(&hold->u);
    gb_dense_operand_release(&hold->u_dense);
    gb_free(hold->bytes, call->w->nrows);
    gb_free(hold->note, sizeof *hold->note);
}

static gbl_Info check_shapes(const gb_MxvCall *call) {
    const uint64_t rows = call->transpose ? call->A->ncols : call->A->nrows;
    const uint64_t columns = call->transpose ? call->A->nrows : call->A->ncols;
    const uint64_t in = call->u_is_left ? rows : columns, out = call->u_is_left ? columns : rows;
    if (call->u->nrows != in)
        return gb_fail(GBL_DIMENSION_MISMATCH,
                       "u has %llu elements, but A%s has %llu %s; they must be equal",
                       (unsigned long long)call->u->nrows, call->transpose ? "'" : "",
                       (unsigned long long)in, call->u_is_left ? "rows" : "columns");
    if (call->w->nrows != out)
        return gb_fail(GBL_DIMENSION_MISMATCH, "w has %llu elements, but the product has %llu",
                       (unsigned long long)call->w->nrows, (unsigned long long)out);
    return GBL_SUCCESS;
}

/* Whether pull searches a list u: an array over its positions would be far longer than what A has.
 */
static bool pulls_list(const gb_MxvCall *call, const gb_MxvPlan *plan) {
    const gb_Matrix *A = call->A, *u = call->u;
    if (plan->push || gb_has(u) & (GBL_HAS_BITMAP | GBL_HAS_FULL)) return false;
    return u->nrows / GB_FEW > A->nvals + gb_nmajor(A, plan->by_rows);
}

/* Which positions may be written, unless few sums are looked up by gb_finish. A bitmap that is a
 * structural mask is looked at where it is. */
static gbl_Info get_mask(gb_MxvHold *hold, const gb_MxvPlan *plan, const gb_MxvCall *call) {
    const gb_Mask *mask = &call->mask;
    if (mask->M == NULL || (plan->push && plan->sorted)) return GBL_SUCCESS;
    if (plan->listed && !hold->u_is_list) return gb_acquire_sorted(mask->M, GB_CSC, &hold->rows);
    if (mask->structural && gb_has(mask->M) & GBL_HAS_BITMAP) {
        hold->refused = mask->complement;
        return gb_acquire_dense(mask->M, &hold->mask);
    }
    if (plan->push && plan->few) return GBL_SUCCESS;
    const gbl_Info info = gb_mask_bytes(&hold->bytes, mask, call->w->nrows);
    hold->mask.b = hold->bytes;
    return info;
}

/* The list of u in the order that sums have. */
static gbl_Info take_list(gb_MxvHold *hold, const gb_MxvCall *call, const gb_Type *type) {
    return gb_operand_get_sorted(&hold->u, call->u, GB_CSC, type);
}

/* The values of the list u at their positions; the others hold anything. */
static gbl_Info spread_list(gb_MxvHold *hold, const gb_MxvCall *call, const gb_MxvPlan *plan,
                            const gb_Type *type) {
    const gb_CsView *u = &hold->u.view;
    size_t val_bytes;
    if (!gb_size_mul(&val_bytes, call->u->nrows, type->size)) return gb_fail_memory(SIZE_MAX);
    const gbl_Info info = gb_scratch_take(&hold->met, call->A, plan->u_axis, val_bytes);
    if (info != GBL_SUCCESS) return info;
    if (!u->iso) gb_scratch_spread(hold->met, u, type->size);
    hold->u_dense.view = (gb_DenseView){.n = call->u->nrows, .iso = u->iso};
    hold->u_dense.view.x = u->iso ? u->x : hold->met->val;
    gb_scratch_mark(hold->met, u);
    return info;
}

/* Where u has entries, as bits; full vectors need none. */
static gbl_Info find_met(gb_MxvHold *hold, const gb_MxvCall *call, const gb_MxvPlan *plan) {
    gb_Matrix *u = call->u;
    gb_DenseView dense;
    gbl_Info info = GBL_SUCCESS;
    if (gb_has(u) & GBL_HAS_FULL) return info;
    if (gb_has(u) & gb_has_bit(GB_CSC))
        info = take_list(hold, call, NULL);
    else
        info = gb_acquire_dense(u, &dense);
    if (info == GBL_SUCCESS) info = gb_scratch_take(&hold->met, call->A, plan->u_axis, 0);
    if (info != GBL_SUCCESS) return info;
    if (hold->u.view.i != NULL)
        gb_scratch_mark(hold->met, &hold->u.view);
    else
        gb_scratch_mark_bytes(hold->met, &dense);
    return info;
}

/* The operands in the forms that the plan wants, in the order that sums have: sorted. */
static gbl_Info get_operands(const gb_MxvCall *call, const gb_MxvPlan *plan, gb_MxvHold *hold) {
    const gb_Type *left = gb_ring_left_type(call->ring), *right = gb_ring_right_type(call->ring);
    const gb_Type *utype = call->u_is_left ? left : right, *atype = call->u_is_left ? right : left;
    const gb_Format format = plan->push ? plan->by_columns : plan->by_rows;
    const bool listed = hold->rows.i != NULL;
    const bool masked_pull = !plan->push && !hold->u_is_list && (hold->mask.b != NULL || listed);
    size_t val_bytes = 0;
    gbl_Info info = GBL_SUCCESS;
    info = plan->push ? gb_operand_get(&hold->A, call->A, format, atype)
                      : gb_operand_get_sorted(&hold->A, call->A, format, atype);
    if (info == GBL_SUCCESS && (plan->push ? !plan->sorted : masked_pull && !listed)) {
        if (!gb_size_mul(&val_bytes, call->w->nrows, call->ring->add->op->ztype->size))
            return gb_fail_memory(SIZE_MAX);
        if (hold->visits) val_bytes = gb_mxv_fused_bytes(call, plan, val_bytes);
        info = gb_scratch_take(&hold->found, call->A, plan->w_axis, val_bytes);
    }
    if (info != GBL_SUCCESS) return info;
    if (plan->push || hold->u_is_list) return take_list(hold, call, utype);
    if (listed && utype != NULL && gb_has(call->u) & gb_has_bit(GB_CSC) &&
        call->u->nvals <= call->u->nrows / GB_FEW) {
        info = take_list(hold, call, utype);
        return info == GBL_SUCCESS ? spread_list(hold, call, plan, utype) : info;
    }
    if (masked_pull) info = find_met(hold, call, plan);
    if (info != GBL_SUCCESS || (masked_pull && utype == NULL)) return info;
    return gb_dense_operand_get(&hold->u_dense, call->u, utype);
}

static gbl_Info run_kernel(const gb_MxvPlan *plan, const gb_MxvArgs *args, gb_Result *T) {
    const gb_Backend *backend = gb_backend();
    if (args->strips.nstrips > 0) {
        T->is_dense = true;
        return backend->mxv_strips(args, &T->dense);
    }
    T->is_dense = !plan->push && args->val == NULL && args->rows.i == NULL;
    if (T->is_dense) return backend->mxv_pull(args, &T->dense);
    if (args->seen.room != NULL) return backend->mxv_visit(args, &T->cs);
    if (!plan->push) return backend->mxv_pull_masked(args, &T->cs);
    return plan->sorted ? backend->mxv_push_sorted(args, &T->cs) : backend->mxv_push(args, &T->cs);
}

static gbl_Info run(const gb_MxvCall *call, gb_MxvPlan *plan, gb_MxvHold *hold, gb_Result *T) {
    hold->u_is_list = pulls_list(call, plan);
    hold->visits = !hold->u_is_list && gb_mxv_can_fused(call, plan);
    gbl_Info info = get_mask(hold, plan, call);
    if (info == GBL_SUCCESS) info = get_operands(call, plan, hold);
    if (info != GBL_SUCCESS) return info;
    const bool listed = plan->push || hold->u_is_list;
    const void *ax = hold->A.view.x;
    const bool a_iso = hold->A.view.iso;
    const void *ux = listed ? hold->u.view.x : hold->u_dense.view.x;
    const bool u_iso = listed ? hold->u.view.iso : hold->u_dense.view.iso;
    const double work = plan->push ? plan->products : plan->pull_ns / GB_NS_GRAIN * GB_GRAIN;
    gb_MxvArgs args = {
        .A = hold->A.view,
        .u_dense = hold->u_dense.view,
        .u_list = hold->u.view,
        .allowed = hold->mask.b,
        .refused = hold->refused,
        .rows = hold->rows,
        .u_bits = hold->met != NULL ? hold->met->set.words : NULL,
        .work = gb_to_u64(work),
        .ring = call->ring->kernel,
        .args = call->u_is_left ? gb_ring_args(call->ring, ux, u_iso, ax, a_iso)
                                : gb_ring_args(call->ring, ax, a_iso, ux, u_iso),
        .u_is_left = call->u_is_left,
        .u_is_list = hold->u_is_list,
        .nthreads = gb_nthreads(),
    };
    if (plan->pruned) {
        args.best.x = call->best->dense.x;
        args.best.b = call->best->dense.b;
    }
    if (hold->found != NULL) {
        args.found = hold->found->set;
        args.val = hold->found->val;
    }
    gb_semiring_swap(&args);
    if (hold->visits) gb_mxv_begin_fused(&args, call, plan);
    if (!plan->push && gb_mxv_acquire_sell(&args, call, plan->by_rows)) {
        plan->pull_workflow = "strips";
        hold->added = args.base != NULL;
    }
    hold->in_place = hold->rows.i != NULL && gb_mxv_adds_in_place(call);
    if (hold->in_place) args.into = (gb_MxvInto){call->w->dense.x, call->w->dense.b, &hold->gained};
    T->masked = hold->mask.b != NULL || hold->rows.i != NULL;
    return run_kernel(plan, &args, T);
}

/* A dense matrix is used by rows, tiles by the rows that they are tiles of: one conversion. */
static gbl_Info make_lists(const gb_MxvCall *call) {
    const gb_Matrix *A = call->A;
    gb_CsView view;
    if (gb_only_dense(A)) return gb_acquire_rows(call->A);
    if (A->nvals == 0 || !gb_only_tiles(A)) return GBL_SUCCESS;
    return gb_acquire(call->A, gb_has(A) & gb_tiles_bit(GB_CSR) ? GB_CSR : GB_CSC, &view);
}

/* No position may be written, whatever the values of the mask. */
static bool allows_none(const gb_MxvCall *call, const gb_MxvPlan *plan) {
    return plan->allowed == 0 && (call->mask.structural || !call->mask.complement);
}

/* Asking the clock would take as long as a push of few products. */
static bool is_timed(const gb_MxvPlan *plan) {
    return !(plan->push && plan->few);
}

/* So few entries that there may be few products; then the plan is not timed either. */
static bool may_be_few(const gb_MxvCall *call) {
    return call->u->nvals <= call->w->nrows / GB_FEW;
}

static gbl_Info multiply(const gb_MxvCall *call, gbl_Desc_Value method, gb_MxvHold *hold,
                         gb_Result *T) {
    const double start = may_be_few(call) ? 0.0 : gb_seconds();
    gb_MxvNote *note = hold->note;
    gbl_Info info = gb_mxv_plan(&note->plan, call, method);
    if (info != GBL_SUCCESS) return info;
    const bool timed = is_timed(&note->plan);
    const double planned = timed ? gb_seconds() : 0.0;
    note->planned = true;
    if (allows_none(call, &note->plan)) return GBL_SUCCESS;
    info = run(call, &note->plan, hold, T);
    give_scratch(hold, call, &note->plan);
    if (info != GBL_SUCCESS) return info;
    note->nvals = T->is_dense ? T->dense.nvals : T->cs.nvals;
    if (!timed) return GBL_SUCCESS;
    if (start > 0.0) note->seconds_prepare = planned - start;
    note->seconds_kernel = gb_seconds() - planned;
    return GBL_SUCCESS;
}

/* The form that is asked for: by the descriptor, where it is clear that it means this call, or else
 * by GBLITE_METHOD, whose methods of mxm leave vectors alone. */
static gbl_Info get_method(gbl_Desc_Value *method, const gb_MxvCall *call) {
    const gb_Choices *c = &call->choices;
    *method = c->method;
    if (c->method != GBL_DEFAULT && c->method != GBL_METHOD_PUSH && c->method != GBL_METHOD_PULL)
        return gb_fail(GBL_INVALID_VALUE,
                       "the descriptor's GBL_METHOD, %d, is for products of matrices; for vectors "
                       "it may be GBL_METHOD_PUSH, GBL_METHOD_PULL or GBL_DEFAULT",
                       (int)c->method);
    const gb_VectorChoices *v = &c->vector;
    const bool vector = v->variant != GBL_DEFAULT || v->block_least != 0 || v->block_most != 0 ||
                        v->block_below != 0;
    if (c->workflow != GBL_DEFAULT || c->accumulators != 0 || c->registers != 0 ||
        c->bin_bytes != 0 || c->bin_lines != 0 || vector)
        return gb_fail(GBL_INVALID_VALUE,
                       "the descriptor's GBL_%s is for products of matrices; leave it at "
                       "GBL_DEFAULT for vectors",
                       c->workflow != GBL_DEFAULT ? "WORKFLOW"
                       : c->accumulators != 0     ? "ACCUMULATORS"
                       : c->registers != 0        ? "REGISTERS"
                       : c->bin_bytes != 0        ? "BIN_BYTES"
                       : c->bin_lines != 0        ? "BIN_LINES"
                       : v->variant != 0          ? "VECTOR_VARIANT"
                       : v->block_least != 0      ? "BLOCK_LEAST"
                       : v->block_most != 0       ? "BLOCK_MOST"
                                                  : "BLOCK_BELOW");
    if (*method != GBL_DEFAULT) return GBL_SUCCESS;
    const gbl_Info info = gb_plan_environment(method);
    if (*method != GBL_METHOD_PUSH && *method != GBL_METHOD_PULL) *method = GBL_DEFAULT;
    return info;
}

gbl_Info gb_mxv_check(const gb_MxvCall *call) {
    gbl_Info info = check_shapes(call);
    if (info == GBL_SUCCESS)
        info = call->u_is_left ? gb_ring_check(call->ring, call->u->type, call->A->type)
                               : gb_ring_check(call->ring, call->A->type, call->u->type);
    if (info != GBL_SUCCESS) return info;
    return gb_check_output(call->w, &call->mask, call->accum, call->ring->add->op->ztype);
}

/* Where w's product was made, which is known once it is there, joins its note. */
static void tell_place(gb_Matrix *w, const gb_PlacedNote *placed) {
    gb_MxvNote *note = w->note.block;
    gbl_Explanation why;
    if (placed->reason[0] != '\0') note->placed = *placed;
    if (gb_tracing() == GB_TRACE_OFF) return;
    gb_mxv_report(&why, note);
    gb_trace(&why);
}

/* T is written to w, which gets the note. add: of the ring that was asked for. */
static gbl_Info finish(const gb_MxvCall *call, const gb_BinaryOp *add, gb_MxvHold *hold,
                       gb_Result *T) {
    gb_MxvNote *note = hold->note;
    const bool timed = note->planned && is_timed(&note->plan);
    const double start = timed ? gb_seconds() : 0.0;
    const gb_BinaryOp *accum = hold->added ? NULL : call->accum;
    gbl_Info info = GBL_SUCCESS;
    if (hold->in_place)
        gb_dense_gained(call->w, hold->gained);
    else if (hold->visits)
        note->fused = gb_mxv_end_fused(call, T);
    else if (call->best != NULL)
        info = gb_mxv_update(call, add, note->plan.pruned, T);
    else
        info = gb_finish(call->w, &call->mask, accum, T);
    if (info != GBL_SUCCESS) return info;
    if (timed) note->seconds_finish = gb_seconds() - start;
    gb_matrix_set_note(call->w, (gb_Note){note, sizeof *note, gb_mxv_report});
    hold->note = NULL;
    return info;
}

/* What `best` has is compared in the type of the ring that was asked for, so where it has another
 * one a wider ring could not leave out products for it. */
static bool may_widen(const gb_MxvCall *call) {
    return call->best == NULL || call->best->type->code == call->ring->add->op->ztype->code;
}

/* On the host. A, u and the mask are assembled. */
static gbl_Info run_here(const void *context) {
    const gb_MxvAsked *asked_for = context;
    const gb_MxvCall *asked = asked_for->call;
    gb_MxvCall own = *asked;
    const gb_MxvCall *call = &own;
    gb_MxvHold hold = {0};
    gb_Result T = {
        .format = GB_CSC, .masked = call->mask.M != NULL, .cs = {.nmajor = 1, .sorted = true}};
    uint64_t nnz_a = 0, nnz_u = 0;
    gbl_Info info = call->best != NULL ? gb_mxv_begin_update(&own) : GBL_SUCCESS;
    if (info == GBL_SUCCESS) info = gb_matrix_nvals(call->A, &nnz_a);
    if (info == GBL_SUCCESS) info = gb_matrix_nvals(call->u, &nnz_u);
    if (info == GBL_SUCCESS && call->mask.M != NULL) info = gb_assemble(call->mask.M);
    if (info == GBL_SUCCESS && nnz_u > 0 && may_widen(call)) info = gb_ring_widen(&own.ring, asked);
    if (info != GBL_SUCCESS) return info;
    T.type = own.ring->add->op->ztype;

    hold.note = gb_malloc(sizeof *hold.note);
    if (hold.note == NULL) return gb_fail_memory(sizeof *hold.note);
    gb_mxv_note(hold.note, call);
    info = make_lists(call);
    const bool nothing = call->mask.M == NULL && call->mask.complement;
    if (info == GBL_SUCCESS && nnz_a > 0 && nnz_u > 0 && !nothing)
        info = multiply(call, asked_for->method, &hold, &T);
    if (info == GBL_SUCCESS) info = finish(call, asked->ring->add->op, &hold, &T);
    release(&hold, call);
    return info;
}

gbl_Info gb_mxv_ask(gbl_Desc_Value *method, const gb_MxvCall *call) {
    const gbl_Info info = gb_mxv_check(call);
    return info == GBL_SUCCESS ? get_method(method, call) : info;
}

gbl_Info gb_mxv_asked(const gb_MxvCall *call, gbl_Desc_Value method) {
    const gb_MxvAsked asked = {.call = call, .method = method};
    gb_PlacedNote placed = {0};
    const gb_Placed both = {.name = call->u_is_left ? "vxm" : "mxv",
                            .C = call->w,
                            .in = {call->A, call->u, call->mask.M},
                            .call = &asked,
                            .here = run_here,
                            .there = gb_mxv_device,
                            .refuse = gb_mxv_refuse_device,
                            .told = &placed};
    const gbl_Info info = gb_run_placed(&both);
    if (info == GBL_SUCCESS) tell_place(call->w, &placed);
    return info;
}

gbl_Info gb_mxv(const gb_MxvCall *call) {
    gbl_Desc_Value method;
    const gbl_Info info = gb_mxv_ask(&method, call);
    return info == GBL_SUCCESS ? gb_mxv_asked(call, method) : info;
}
