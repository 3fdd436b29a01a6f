/* SPDX-License-Identifier: Apache-2.0
 *
 * Products with vectors on the host: operands in the forms of the plan, in the order of summation,
 * and the kernel. Writes nothing visible before all memory is allocated.
 *
 * A call costs O(entries read), not O(length of a vector): push finds sums in a set that stays with
 * A, empty, between calls (matrix/matrix.h), or sorts them while there is none; a structural
 * bitmap mask is probed directly; pull skips 64 positions at a time that may not be written. Fused
 * with the product:
 *   - an assign of what a search has found to its mask (gb_FusedAssigns);
 *   - an accumulation, in a pull of few rows and by SELL slices (core/forms.h), which rows that are
 *     multiplied by full vectors repeatedly are kept in;
 *   - a comparison with the values that a minimum or maximum is to update (gb_MxvCall, best).
 */
#include "mxm/mxv.h"

#include "mxm/machine/cost_table.h"

const gb_Type *gb_mxv_matrix_type(const gb_MxvCall *call) {
    return call->u_is_left ? gb_ring_right_type(call->ring) : gb_ring_left_type(call->ring);
}

const gb_Type *gb_mxv_vector_type(const gb_MxvCall *call) {
    return call->u_is_left ? gb_ring_left_type(call->ring) : gb_ring_right_type(call->ring);
}

typedef struct {
    gb_Operand A, u;
    gb_DenseOperand u_dense;
    gb_CsView rows;      /* the mask as a sparse vector; i NULL: not so */
    int8_t *bytes;       /* [length of w] the mask, made for this call, or NULL */
    gb_Scratch *found;   /* along w */
    gb_Scratch *present; /* along u: its bits; pull under a mask */
    gb_MxvSink to;
    uint64_t *room; /* of a fused assign of few products; NULL: not so */
} gb_MxvHold;

static void release(gb_MxvHold *hold, const gb_MxvCall *call, const gb_MxvPlan *plan) {
    if (hold->present != NULL) gb_scratch_unmark(hold->present, &hold->u.view);
    gb_scratch_give(call->A, plan->u_axis, hold->present);
    gb_scratch_give(call->A, plan->w_axis, hold->found);
    gb_operand_release(&hold->A);
    gb_operand_release(&hold->u);
    if (!plan->push) gb_dense_operand_release(&hold->u_dense);
    gb_free(hold->bytes, call->w->nrows);
}

/* Which positions may be written, unless few sums are looked up by gb_finish. A bitmap that is a
 * structural mask is read where it is. */
static gbl_Info get_mask(gb_MxvHold *hold, const gb_MxvPlan *plan, const gb_MxvCall *call) {
    const gb_Mask *mask = &call->mask;
    gb_DenseView bitmap;
    gbl_Info info = GBL_SUCCESS;
    if (mask->M == NULL || (plan->push && plan->sorted)) return info;
    if (plan->listed) return gb_acquire_sorted(mask->M, GB_CSC, &hold->rows);
    if (mask->structural && gb_has(mask->M) & GBL_HAS_BITMAP) {
        info = gb_acquire_dense(mask->M, &bitmap);
        if (info != GBL_SUCCESS) return info;
        hold->to.allowed = bitmap.b;
        hold->to.refused = mask->complement;
        return info;
    }
    if (plan->push && plan->few) return info;
    info = gb_mask_bytes(&hold->bytes, mask, call->w->nrows);
    hold->to.allowed = hold->bytes;
    return info;
}

/* -- sums that are found in a set */

/* The set, with memory for sums. A fused assign of few products stores and sorts their indices in
 * it, and one of w keeps its sums where the mask keeps its values. */
static gbl_Info take_set(gb_MxvHold *hold, const gb_MxvCall *call, const gb_MxvPlan *plan,
                         int ring) {
    gb_MxvSink *to = &hold->to;
    const gb_Matrix *m = call->mask.M;
    const bool fuses = call->fused != NULL && !m->iso && gb_has(m) & GBL_HAS_BITMAP;
    const bool few = fuses && plan->push && plan->counted && plan->products <= GB_FUSED_MOST &&
                     gb_backend()->mxv_has_fused(ring);
    const size_t room = few ? 2 * sizeof(uint64_t) * gb_to_u64(plan->products) : 0;
    size_t bytes;
    if (!gb_size_mul(&bytes, call->w->nrows, call->ring->add->op->ztype->size))
        return gb_fail_memory(SIZE_MAX);
    if (fuses && (call->fused->value == NULL || bytes < room)) bytes = room;
    const gbl_Info info = gb_scratch_take(&hold->found, call->A, plan->w_axis, bytes);
    if (info != GBL_SUCCESS) return info;
    to->found = hold->found->set;
    to->val = hold->found->val;
    if (!fuses) return info;
    if (few) hold->room = to->val;
    to->mark = m->dense.b;
    to->x = m->dense.x;
    to->value = call->fused->value;
    if (to->value == NULL) to->val = to->x;
    return info;
}

/* -- push */

static gbl_Info push(gb_Result *T, gb_MxvHold *hold, const gb_MxvCall *call,
                     const gb_MxvPlan *plan) {
    gb_PushArgs args = {.sorted = plan->sorted, .nthreads = gb_nthreads()};
    const gb_Type *const type = gb_mxv_matrix_type(call);
    gbl_Info info = gb_operand_get_sorted(&hold->u, call->u, GB_CSC, gb_mxv_vector_type(call));
    if (info == GBL_SUCCESS)
        info = plan->few
                   ? gb_operand_get_rows(&hold->A, call->A, plan->by_columns, type, &hold->u.view)
                   : gb_operand_get(&hold->A, call->A, plan->by_columns, type);
    if (info != GBL_SUCCESS) return info;
    args.A = hold->A.view;
    args.u = hold->u.view;
    args.work = gb_to_u64(plan->products);
    args.ring = gb_mxv_ring(call->ring, call->u_is_left, &args.A, args.u.x, args.u.iso);
    if (!plan->sorted) info = take_set(hold, call, plan, args.ring.id);
    if (info != GBL_SUCCESS) return info;
    args.to = hold->to;
    args.room = hold->room;
    if (plan->pruned) {
        args.best.x = call->best->dense.x;
        args.best.b = call->best->dense.b;
    }
    return gb_backend()->mxv_push(&args, &T->cs);
}

/* -- pull */

/* What few rows read of u, as a list: columns in their order, which may come twice. */
static gbl_Info get_touched(gb_Operand *touched, const gb_PullArgs *args, gb_Matrix *u,
                            const gb_Type *type, uint64_t most) {
    const gb_CsView *A = &args->A, *rows = &args->rows;
    const size_t size = type != NULL ? type->size : 0, step = u->iso ? 0 : u->type->size;
    gb_CsView list = {0};
    gb_DenseView dense = {0};
    uint64_t n = 0;
    const bool is_list = !gb_is_dense(u);
    const gbl_Info info =
        is_list ? gb_acquire_sorted(u, GB_CSC, &list) : gb_acquire_dense(u, &dense);
    if (info != GBL_SUCCESS) return info;
    most += 4 - most % 4; /* values are aligned */
    touched->owned_bytes = gb_size_of(most, sizeof(gb_Idx) + size);
    touched->owned = gb_malloc(touched->owned_bytes);
    if (touched->owned == NULL) return gb_fail_memory(touched->owned_bytes);
    gb_Idx *const i = touched->owned;
    char *const x = (char *)(i + most);
    for (gb_Off e = 0; e < rows->nvals; e++) {
        for (gb_Off q = A->p[rows->i[e]]; q < A->p[rows->i[e] + 1]; q++) {
            const gb_Idx j = A->i[q];
            const gb_Off at = is_list ? gb_first_at_least(list.i, 0, list.nvals, j) : j;
            if (is_list ? at == list.nvals || list.i[at] != j : dense.b != NULL && !dense.b[j])
                continue;
            const char *const from = (const char *)(is_list ? list.x : dense.x) + at * step;
            if (type != NULL && type->code == u->type->code)
                gb_copy_value(x + n * size, from, size);
            else if (type != NULL)
                gb_cast(type, x + n * size, u->type, from, 1, 1);
            i[n++] = j;
        }
    }
    touched->view = (gb_CsView){.nmajor = 1, .nvals = n, .i = i, .x = x, .xsize = size};
    return GBL_SUCCESS;
}

/* Entries of few rows and 1, where these touch so little of u that the rest is better not read;
 * else 0. */
static uint64_t count_touched(const gb_PullArgs *args, const gb_Matrix *u, const gb_Type *type) {
    const gb_CsView *A = &args->A, *rows = &args->rows;
    const bool cast = type != NULL && type->code != u->type->code;
    const uint64_t all = gb_is_dense(u) ? u->nrows : u->nvals;
    uint64_t n = 0;
    if (rows->i == NULL || (gb_has(u) & GBL_HAS_FULL && !cast)) return 0;
    for (gb_Off e = 0; e < rows->nvals && n <= all / GB_GATHER_SEARCHED; e++)
        n += A->p[rows->i[e] + 1] - A->p[rows->i[e]];
    return n <= all / GB_GATHER_SEARCHED ? n + 1 : 0;
}

/* u under a mask that is not full: its pattern as bits; for few rows the values of a sparse u, or
 * what they touch of it, at their positions (`spread`), where the others are undefined. */
static gbl_Info get_bits(gb_PullArgs *args, gb_MxvHold *hold, const gb_MxvCall *call,
                         const gb_MxvPlan *plan, const gb_Type *spread, uint64_t touched) {
    gb_CsView *list = &hold->u.view;
    gb_DenseView bitmap;
    gbl_Info info;
    size_t bytes = 0;
    if (spread != NULL && !gb_size_mul(&bytes, call->u->nrows, spread->size))
        return gb_fail_memory(SIZE_MAX);
    if (touched > 0)
        info = get_touched(&hold->u, args, call->u, spread, touched);
    else if (gb_has(call->u) & gb_has_bit(GB_CSC))
        info = gb_operand_get_sorted(&hold->u, call->u, GB_CSC, spread);
    else
        info = gb_acquire_dense(call->u, &bitmap);
    if (info == GBL_SUCCESS) info = gb_scratch_take(&hold->present, call->A, plan->u_axis, bytes);
    if (info != GBL_SUCCESS) return info;
    if (spread != NULL) {
        if (!list->iso) gb_scratch_spread(hold->present, list, spread->size);
        args->u = (gb_DenseView){.n = call->u->nrows, .iso = list->iso};
        args->u.x = list->iso ? list->x : hold->present->val;
    }
    if (list->i != NULL)
        gb_scratch_mark(hold->present, list);
    else
        gb_scratch_mark_bytes(hold->present, &bitmap);
    args->bits = hold->present->set.words;
    return info;
}

static gbl_Info get_vector(gb_PullArgs *args, gb_MxvHold *hold, const gb_MxvCall *call,
                           const gb_MxvPlan *plan) {
    gb_Matrix *u = call->u;
    const gb_Type *type = gb_mxv_vector_type(call);
    const bool few = args->rows.i != NULL, masked = few || args->to.allowed != NULL;
    const uint64_t touched = count_touched(args, u, type);
    const bool listed = few && gb_has(u) & gb_has_bit(GB_CSC) && u->nvals <= u->nrows / GB_FEW;
    const bool spreads = (listed || touched > 0) && type != NULL;
    gbl_Info info = GBL_SUCCESS;
    if (masked && (spreads || !(gb_has(u) & GBL_HAS_FULL)))
        info = get_bits(args, hold, call, plan, spreads ? type : NULL, touched);
    if (info != GBL_SUCCESS || spreads || (masked && type == NULL)) return info;
    info = gb_dense_operand_get(&hold->u_dense, u, type);
    args->u = hold->u_dense.view;
    return info;
}

/* w += the product, all of one type, and nothing of w waits to be assembled. Kernels of SELL slices
 * add, so the accumulator is their own addition. */
static bool adds_to_full(const gb_MxvCall *call) {
    const gb_BinaryOp *accum = call->accum;
    const gb_Matrix *w = call->w;
    const gbl_Type_Code type = w->type->code;
    return accum != NULL && accum->code == GB_PLUS && accum->ztype->code == type &&
           call->ring->add->op->ztype->code == type && call->best == NULL && gb_is_assembled(w) &&
           (gb_has(w) & GBL_HAS_FULL) != 0;
}

/* Whether A has SELL slices for a pull of a full vector from the right without a mask, or gets them
 * with this call: args get them, and what a full w has where `accum` is the semiring's addition. */
static bool acquire_sell(gb_PullArgs *args, const gb_MxvCall *call, gb_Format rows) {
    gb_RingArgs *R = &args->ring.args;
    const bool uses = gb_mxv_matrix_type(call) != NULL;
    if (args->u.b != NULL || args->u.iso || args->to.allowed != NULL || args->rows.i != NULL ||
        args->ring.u_is_left || args->A.nmajor < GB_SELL_WINDOW / 4 ||
        args->A.nmajor / GB_FEW > args->A.nvals || !gb_backend()->mxv_has_sell(args->ring.id))
        return false;
    /* one value for all, or cast for this call */
    if (uses && (R->amask == 0 || args->A.x != call->A->cs[rows].x)) return false;
    args->sell = gb_sell_get(call->A, rows, &args->A, uses);
    if (args->sell.nslices == 0) return false;
    if (uses) R->Ax = args->sell.x;
    if (adds_to_full(call)) {
        args->base = call->w->dense.x;
        args->base_mask = call->w->dense.iso ? 0 : UINT64_MAX;
    }
    return true;
}

/* Whether a pull of few rows adds to w in place: accum is the addition of the semiring, which has a
 * kernel, all of one type, and the product neither deletes nor reads entries of w. ANY keeps w's
 * entry or takes the sum. */
static bool adds_in_place(const gb_MxvCall *call) {
    const gb_BinaryOp *accum = call->accum, *add = call->ring->add->op;
    const gb_Matrix *w = call->w;
    const gbl_Type_Code type = add->ztype->code;
    if (accum == NULL || accum->code != add->code || add->code == GB_ANY ||
        accum->ztype->code != type || call->ring->kernel == GB_RING_GENERIC)
        return false;
    return call->best == NULL && !call->mask.replace && w != call->mask.M && w != call->u &&
           !w->iso && gb_is_assembled(w) && gb_is_dense(w) && w->type->code == type;
}

static gbl_Info pull(gb_Result *T, gb_MxvOutcome *out, gb_MxvHold *hold, const gb_MxvCall *call,
                     gb_MxvPlan *plan) {
    gb_PullArgs args = {.to = hold->to, .rows = hold->rows, .nthreads = gb_nthreads()};
    gbl_Info info = gb_operand_get_rows(&hold->A, call->A, plan->by_rows, gb_mxv_matrix_type(call),
                                        &hold->rows);
    args.A = hold->A.view;
    if (info == GBL_SUCCESS) info = get_vector(&args, hold, call, plan);
    if (info != GBL_SUCCESS) return info;
    args.work = gb_to_u64(plan->pull_ns / GB_NS_GRAIN * GB_GRAIN);
    args.ring = gb_mxv_ring(call->ring, call->u_is_left, &args.A, args.u.x, args.u.iso);
    if (args.rows.i != NULL) {
        out->in_place = adds_in_place(call);
        if (out->in_place) {
            args.into.x = call->w->dense.x;
            args.into.b = call->w->dense.b;
            args.into.gained = &out->gained;
        }
        return gb_backend()->mxv_pull_masked(&args, &T->cs);
    }
    if (args.to.allowed != NULL) {
        info = take_set(hold, call, plan, args.ring.id);
        args.to = hold->to;
        return info == GBL_SUCCESS ? gb_backend()->mxv_pull_masked(&args, &T->cs) : info;
    }
    if (acquire_sell(&args, call, plan->by_rows)) {
        plan->pull_workflow = "strips";
        out->accumulated = args.base != NULL;
    }
    T->is_dense = true;
    return gb_backend()->mxv_pull(&args, &T->dense);
}

gbl_Info gb_mxv_multiply(gb_Result *T, gb_MxvOutcome *out, const gb_MxvCall *call,
                         gb_MxvPlan *plan) {
    gb_MxvHold hold = {0};
    gbl_Info info = get_mask(&hold, plan, call);
    if (info == GBL_SUCCESS)
        info = plan->push ? push(T, &hold, call, plan) : pull(T, out, &hold, call, plan);
    T->masked = hold.to.allowed != NULL || hold.rows.i != NULL;
    out->fused = hold.to.mark != NULL;
    release(&hold, call, plan); /* before w is written, which may be u */
    return info;
}
