/* SPDX-License-Identifier: Apache-2.0
 *
 * w<m> accum= op(A) * u and u * op(A): the n x 1 case of the product, in two forms.
 *
 * Call R the matrix whose rows are the positions of w: op(A), or its transpose when u is on the
 * left. pull reads R by rows, for every position that may be written; push reads R by columns, for
 * every entry of u. The choice (mxv_plan.c) compares the entries each would look at; a semiring
 * whose sums end early (ANY, LOR) lets pull stop after the first hit. Both forms sum in the same
 * order (cpu/mxv/mxv.h), so the choice cannot be seen in the result.
 */
#include "core/clock.h"
#include "mxm/mxm.h"

#include "mxm/explain/explain.h"
#include "mxm/mxv.h"
#include "matrix/updates.h"
#include "ops/operations.h"
#include "ops/device.h"

/* -- what a call must satisfy */

gbl_Info gb_mxv_check(const gb_MxvCall *call) {
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
    const gbl_Info info = call->u_is_left ? gb_ring_check(call->ring, call->u->type, call->A->type)
                                          : gb_ring_check(call->ring, call->A->type, call->u->type);
    if (info != GBL_SUCCESS) return info;
    return gb_check_output(call->w, &call->mask, call->accum, call->ring->add->op->ztype);
}

/* The requested form: by the descriptor, if it clearly means this call, else by GBLITE_METHOD,
 * whose mxm methods do not apply to vectors. */
gbl_Info gb_mxv_ask(gbl_Desc_Value *method, const gb_MxvCall *call) {
    gbl_Info info = gb_mxv_check(call);
    if (info != GBL_SUCCESS) return info;
    const gb_Choices *c = &call->choices;
    *method = c->method;
    if (c->method != GBL_DEFAULT && c->method != GBL_METHOD_PUSH && c->method != GBL_METHOD_PULL)
        return gb_fail(GBL_INVALID_VALUE,
                       "the descriptor's GBL_METHOD, %d, is for products of matrices; for vectors "
                       "it may be GBL_METHOD_PUSH, GBL_METHOD_PULL or GBL_DEFAULT",
                       (int)c->method);
    const gb_VectorChoices *v = &c->vector;
    const char *of_matrices = c->workflow != GBL_DEFAULT ? "WORKFLOW"
                              : c->accumulators != 0     ? "ACCUMULATORS"
                              : c->registers != 0        ? "REGISTERS"
                              : c->bin_bytes != 0        ? "BIN_BYTES"
                              : c->bin_lines != 0        ? "BIN_LINES"
                              : v->variant != 0          ? "VECTOR_VARIANT"
                              : v->block_least != 0      ? "BLOCK_LEAST"
                              : v->block_most != 0       ? "BLOCK_MOST"
                              : v->block_below != 0      ? "BLOCK_BELOW"
                                                         : NULL;
    if (of_matrices != NULL)
        return gb_fail(GBL_INVALID_VALUE,
                       "the descriptor's GBL_%s is for products of matrices; leave it at "
                       "GBL_DEFAULT for vectors",
                       of_matrices);
    if (*method != GBL_DEFAULT) return GBL_SUCCESS;
    info = gb_plan_environment(method);
    if (*method != GBL_METHOD_PUSH && *method != GBL_METHOD_PULL) *method = GBL_DEFAULT;
    return info;
}

/* -- updates: best add= u * A, w the changes. The same as the product as a vector of its own, and
 * then gb_update_vector; it comes
 *   - of ANY, which keeps what is there, by the product at the positions that `best` does not have,
 *   - of MIN and MAX by a push that leaves out what does not improve on `best`.
 * Then all that the product has is a change. */

/* Before the plan: call->best becomes dense, and of ANY the mask. */
static gbl_Info begin_update(gb_MxvCall *call) {
    gb_DenseView view;
    const gb_Mask none = {0};
    const gb_BinaryOp *add = call->ring->add->op;
    gbl_Info info = gb_check_output(call->best, &none, add, add->ztype);
    if (info == GBL_SUCCESS) info = gb_matrix_own_dense(call->best);
    if (info == GBL_SUCCESS) info = gb_acquire_dense(call->best, &view);
    if (info == GBL_SUCCESS && add->code == GB_ANY)
        call->mask = (gb_Mask){.M = call->best, .structural = true, .complement = true};
    return info;
}

/* T holds only changes, and is a sparse vector of values as `best`, which is not hypersparse,
 * stores them. */
static bool is_written_as_is(const gb_MxvCall *call, bool pruned, const gb_Result *T) {
    const gb_Matrix *best = call->best;
    if (T->is_dense || best->iso || gb_is_hyper(best) || T->type->code != best->type->code)
        return false;
    return pruned || (call->ring->add->op->code == GB_ANY && T->masked);
}

/* Writes T to call->best and call->w. add: of the requested semiring, which call->ring may replace;
 * its sums with `best` have its own type. pruned: the kernel dropped products. Consumes T. */
static gbl_Info update(const gb_MxvCall *call, const gb_BinaryOp *add, bool pruned, gb_Result *T) {
    gb_Matrix *product;
    if (is_written_as_is(call, pruned, T)) {
        const gb_CsView list = gb_cs_view(&T->cs, call->best->nrows, T->type->size);
        if (list.nvals > 0) gb_dense_write_list(call->best, &list, list.x, list.iso);
        gb_matrix_set_cs(call->w, GB_CSC, &T->cs);
        gb_result_free(T);
        return GBL_SUCCESS;
    }
    gbl_Info info = gb_matrix_new(&product, GB_MAGIC_VECTOR, add->ztype, call->best->nrows, 1);
    info = gb_finish_if(info, product, &call->mask, NULL, T);
    if (info == GBL_SUCCESS)
        info = gb_update_vector(&(gb_Update){call->best, call->w, add, product});
    gb_matrix_free(product);
    return info;
}

/* -- on the host */

/* T = the product, unless it is empty. */
static gbl_Info multiply(gb_Result *T, gb_MxvOutcome *out, const gb_MxvCall *call,
                         gbl_Desc_Value method, gb_MxvNote *note) {
    gb_MxvPlan *plan = &note->plan;
    /* asking the clock would take as long as a push of few products, or its plan */
    const double start = call->u->nvals <= call->w->nrows / GB_FEW ? 0.0 : gb_seconds();
    gbl_Info info = gb_mxv_plan(plan, call, method);
    if (info != GBL_SUCCESS) return info;
    const bool timed = !(plan->push && plan->few);
    const double planned = timed ? gb_seconds() : 0.0;
    note->planned = true;
    /* no position may be written, whatever the values of the mask */
    if (plan->allowed == 0 && (call->mask.structural || !call->mask.complement)) return info;
    info = gb_mxv_multiply(T, out, call, plan);
    if (info != GBL_SUCCESS) return info;
    note->nvals = T->is_dense ? T->dense.nvals : T->cs.nvals;
    if (timed && start > 0.0) note->seconds_prepare = planned - start;
    if (timed) note->seconds_kernel = gb_seconds() - planned;
    return info;
}

/* Writes T to w. add: of the requested semiring. */
static gbl_Info finish(const gb_MxvCall *call, const gb_BinaryOp *add, const gb_MxvOutcome *out,
                       gb_MxvNote *note, gb_Result *T) {
    const bool timed = note->planned && !(note->plan.push && note->plan.few);
    const double start = timed ? gb_seconds() : 0.0;
    gbl_Info info = GBL_SUCCESS;
    if (out->in_place) {
        gb_dense_gained(call->w, out->gained);
    } else if (out->fused) {
        if (T->cs.nvals > 0) gb_dense_gained(call->mask.M, T->cs.nvals);
        gb_matrix_set_cs(call->w, GB_CSC, &T->cs);
        gb_result_free(T);
        call->fused->made = true;
        note->fused = call->fused->calls;
    } else if (call->best != NULL) {
        info = update(call, add, note->plan.pruned, T);
    } else {
        info = gb_finish(call->w, &call->mask, out->accumulated ? NULL : call->accum, T);
    }
    if (timed) note->seconds_finish = gb_seconds() - start;
    return info;
}

/* A, u and the mask are assembled. */
static gbl_Info run_host(const void *context) {
    const gb_MxvAsked *asked_for = context;
    const gb_MxvCall *asked = &asked_for->call;
    gb_MxvCall own = *asked;
    const gb_MxvCall *call = &own;
    gb_MxvOutcome out = {0};
    gb_Result T = {
        .format = GB_CSC, .masked = call->mask.M != NULL, .cs = {.nmajor = 1, .sorted = true}};
    uint64_t nnz_a = 0, nnz_u = 0;
    gbl_Info info = call->best != NULL ? begin_update(&own) : GBL_SUCCESS;
    if (info == GBL_SUCCESS) info = gb_matrix_nvals(call->A, &nnz_a);
    if (info == GBL_SUCCESS) info = gb_matrix_nvals(call->u, &nnz_u);
    if (info == GBL_SUCCESS && call->mask.M != NULL) info = gb_assemble(call->mask.M);
    if (info == GBL_SUCCESS && nnz_u > 0 && call->ring->kernel == GB_RING_GENERIC)
        info = gb_mxv_widen(&own.ring, asked);
    if (info != GBL_SUCCESS) return info;
    T.type = own.ring->add->op->ztype;

    gb_MxvNote *note = gb_malloc(sizeof *note);
    if (note == NULL) return gb_fail_memory(sizeof *note);
    gb_mxv_note(note, call);
    const bool nothing = call->mask.M == NULL && call->mask.complement;
    if (nnz_a > 0 && nnz_u > 0 && !nothing)
        info = multiply(&T, &out, call, asked_for->method, note);
    if (info == GBL_SUCCESS) info = finish(call, asked->ring->add->op, &out, note, &T);
    if (info == GBL_SUCCESS)
        gb_matrix_set_note(call->w, (gb_Note){note, sizeof *note, gb_mxv_report});
    else
        gb_free(note, sizeof *note);
    return info;
}

/* -- on the device */

/* The same two forms and rule as on the host. Facts are counted from forms the call may read: the
 * forms of A that exist, or only the requested one. So unless push or pull is requested, A is
 * uploaded in both forms if it has both. */

static bool casts(const gb_Type *type, const gb_Matrix *X) {
    return type != NULL && type->code != X->type->code;
}

static const char *refuse_device(const void *asked) {
    const gb_MxvCall *call = &((const gb_MxvAsked *)asked)->call;
    const bool own = call->ring->device != NULL;
    if (call->best != NULL) return "updates of a vector have no kernel";
    if (call->ring->kernel >= GB_RING_WIDE && !own) return "the semiring has no kernel";
    if (own && ((const gb_MxvAsked *)asked)->method == GBL_METHOD_PUSH)
        return "compiled semirings have no push there";
    if (casts(gb_mxv_matrix_type(call), call->A) || casts(gb_mxv_vector_type(call), call->u))
        return "factors would have to be cast";
    if (own) return gb_refuse_mask(&call->mask); /* the host writes w where it has to */
    return gb_refuse_write(call->w, &call->mask, call->accum, call->ring->add->op->ztype);
}

/* What a product holds on the device, pinned. */
typedef struct {
    const gb_MxvCall *call;
    gb_MxvPlan *plan;
    gb_DeviceCs *rows, *columns, *u;
    gb_DeviceMask mask;
} gb_MxvHeld;

static void put(gb_DeviceCs *copy) {
    if (copy != NULL) gb_device()->unpin(copy);
}

/* Before w is written, which may be u. */
static void put_all(gb_MxvHeld *held) {
    put(held->rows);
    put(held->columns);
    put(held->u);
    gb_put_device_mask(&held->mask);
}

static gbl_Info get_matrix(gb_MxvHeld *held, gb_Format format, gb_DeviceCs **copy) {
    if (*copy != NULL) return GBL_SUCCESS;
    return gb_acquire_device(held->call->A, format, gb_mxv_matrix_type(held->call) != NULL, copy);
}

/* A has this form on the host or device, and the call does not request the other one. */
static bool may_count(const gb_MxvPlan *plan, gb_Matrix *A, gb_Format format) {
    const gb_Format asked = plan->method == GBL_METHOD_PUSH ? plan->by_columns : plan->by_rows;
    if (plan->method != GBL_DEFAULT && format != asked) return false;
    if (gb_has(A) == GBL_HAS_DEVICE) return format == GB_CSR;
    return (gb_has(A) & gb_has_bit(format)) != 0 || gb_on_device(A, format);
}

static gb_DeviceMxvArgs args_of(const gb_MxvHeld *held) {
    const gb_MxvCall *call = held->call;
    return (gb_DeviceMxvArgs){.by_rows = held->rows,
                              .by_columns = held->columns,
                              .u = held->u,
                              .mask = held->mask,
                              .rows = call->w->nrows,
                              .ring = call->ring->kernel,
                              .own = call->ring->device,
                              .push = held->plan->push,
                              .u_is_left = call->u_is_left};
}

/* The forms of A that exist, and the choice. */
static gbl_Info choose_on_device(gb_MxvHeld *held) {
    const gb_MxvCall *call = held->call;
    gb_MxvPlan *plan = held->plan;
    gb_DeviceMxvFacts facts;
    double mean = gb_mxv_mean_row(call);
    gbl_Info info = GBL_SUCCESS;
    if (may_count(plan, call->A, plan->by_columns))
        info = get_matrix(held, plan->by_columns, &held->columns);
    if (info == GBL_SUCCESS && may_count(plan, call->A, plan->by_rows))
        info = get_matrix(held, plan->by_rows, &held->rows);
    const gb_DeviceMxvArgs args = args_of(held);
    if (info == GBL_SUCCESS) info = gb_device()->mxv_facts(&args, &facts);
    if (info != GBL_SUCCESS) return info;
    if (held->columns != NULL) plan->products = (double)facts.products;
    if (held->rows != NULL && plan->allowed > 0) mean = (double)facts.open / (double)plan->allowed;
    return gb_mxv_plan_choose(plan, call, mean);
}

/* *made = the product inside the mask. */
static gbl_Info multiply_on_device(gb_MxvHeld *held, gbl_Desc_Value method, gb_DeviceCs **made) {
    const gb_MxvCall *call = held->call;
    gb_MxvPlan *plan = held->plan;
    if (call->ring->device != NULL) method = GBL_METHOD_PULL;
    gbl_Info info = gb_mxv_plan_begin(plan, call, method);
    plan->push_workflow = "by edges";
    plan->pull_workflow = "by rows";
    if (info == GBL_SUCCESS) info = gb_acquire_device_vector(call->u, &held->u);
    if (info == GBL_SUCCESS) info = gb_get_device_mask(&held->mask, &call->mask);
    if (info == GBL_SUCCESS) info = choose_on_device(held);
    if (info == GBL_SUCCESS)
        info = plan->push ? get_matrix(held, plan->by_columns, &held->columns)
                          : get_matrix(held, plan->by_rows, &held->rows);
    const gb_DeviceMxvArgs args = args_of(held);
    return info == GBL_SUCCESS ? gb_device()->mxv(&args, made) : info;
}

static gbl_Info run_device(const void *context) {
    const gb_MxvAsked *asked = context;
    const gb_MxvCall *call = &asked->call;
    gb_Result T = {.type = call->ring->add->op->ztype,
                   .format = GB_CSC,
                   .masked = call->mask.M != NULL,
                   .cs = {.nmajor = 1, .sorted = true}};
    gb_DeviceCs *made = NULL;
    gbl_Info info = GBL_SUCCESS;
    gb_MxvNote *note = gb_malloc(sizeof *note);
    if (note == NULL) return gb_fail_memory(sizeof *note);
    gb_mxv_note(note, call);
    gb_MxvHeld held = {.call = call, .plan = &note->plan};
    double lap = gb_seconds();
    /* there is something to multiply, and a position to write */
    if (!gb_mask_allows_none(&call->mask) && call->A->nvals > 0 && call->u->nvals > 0) {
        info = multiply_on_device(&held, asked->method, &made);
        note->planned = true;
        put_all(&held);
        if (info == GBL_SUCCESS) gb_result_adopt(&T, call->w, made);
        note->nvals = T.device_nvals;
        note->seconds_kernel = gb_seconds() - lap;
        lap += note->seconds_kernel;
    }
    if (info == GBL_SUCCESS) info = gb_finish(call->w, &call->mask, call->accum, &T);
    note->seconds_finish = gb_seconds() - lap;
    if (info == GBL_SUCCESS)
        gb_matrix_set_note(call->w, (gb_Note){note, sizeof *note, gb_mxv_report});
    else
        gb_free(note, sizeof *note);
    return info;
}

/* Of a gb_MxvAsked, for the choice of the device. */
#define GB_OP_OF_ASKED                                                                             \
    .bytes = sizeof(gb_MxvAsked), .mask = offsetof(gb_MxvAsked, call.mask),                        \
    .A = {.at = offsetof(gb_MxvAsked, call.A)}, .B = {.at = offsetof(gb_MxvAsked, call.u)},        \
    .host = run_host, .device = run_device, .refuse = refuse_device
static const gb_Op asked_mxv = {.name = "mxv", GB_OP_OF_ASKED};
static const gb_Op asked_vxm = {.name = "vxm", GB_OP_OF_ASKED};

/* -- few rows of a matrix with updates that wait */

/* A push by few entries of u reads few rows of A. */
static gbl_Info reads_few_rows(bool *few, const gb_MxvCall *call) {
    const gb_Matrix *u = call->u;
    uint64_t nvals; /* of A, which another reader may assemble meanwhile */
    *few = false;
    if (gb_is_assembled(call->A) || call->u_is_left == call->transpose || call->fused != NULL ||
        gb_binary_is_positional(call->ring->multiply))
        return GBL_SUCCESS;
    gbl_Info info = gb_assemble(call->u);
    if (info != GBL_SUCCESS || gb_is_hyper(u) || u->nvals == 0 || !(gb_has(u) & GBL_HAS_CSC))
        return info;
    info = gb_matrix_count(call->A, &nvals);
    *few = info == GBL_SUCCESS && u->nvals <= nvals / GB_DELTA_SHARE;
    return info;
}

/* The product by rows of A that are read beside its updates, in the same order of summation. *done
 * is false where A is to be read as a whole. */
static gbl_Info multiply_rows(const gb_MxvCall *call, gbl_Desc_Value method, bool *done) {
    const gb_ReportedShape shape = {call->u_is_left ? 1 : call->w->nrows, call->u->nrows,
                                    call->u_is_left ? call->w->nrows : 1};
    gb_RowLists of;
    gb_Compact u = {0};
    gb_Matrix *rows = NULL;
    bool few_rows;
    *done = false;
    gbl_Info info = reads_few_rows(&few_rows, call);
    if (info != GBL_SUCCESS || !few_rows) return info;
    info = gb_row_lists_of(&of, call->u);
    if (info != GBL_SUCCESS) return info;
    info = gb_delta_rows(&rows, call->A, of.rows);
    *done = rows != NULL;
    if (*done && info == GBL_SUCCESS) info = gb_compact_get(&u, call->u, &of, false);
    if (*done && info == GBL_SUCCESS) {
        gb_MxvCall few = *call;
        few.A = rows;
        few.u = u.m;
        if (few.told == NULL) few.told = &shape;
        info = gb_mxv_asked(&few, method);
    }
    gb_compact_release(&u);
    gb_row_lists_release(&of);
    gb_matrix_free(rows);
    return info;
}

gbl_Info gb_mxv_asked(const gb_MxvCall *call, gbl_Desc_Value method) {
    const gb_MxvAsked asked = {.call = *call, .method = method};
    gb_DeviceReport report;
    gbl_Explanation why;
    bool done;
    gbl_Info info = multiply_rows(call, method, &done);
    if (info != GBL_SUCCESS || done) return info;
    info = gb_execute(call->u_is_left ? &asked_vxm : &asked_mxv, &asked, &report);
    if (info != GBL_SUCCESS) return info;
    /* the record includes the device of w's product, known once it is computed */
    gb_MxvNote *note = call->w->note.block;
    if (report.reason[0] != '\0') note->placed = report;
    if (gb_tracing() == GB_TRACE_OFF) return info;
    gb_mxv_report(&why, note);
    gb_trace(&why);
    return info;
}

gbl_Info gb_mxv(const gb_MxvCall *call) {
    gbl_Desc_Value method;
    const gbl_Info info = gb_mxv_ask(&method, call);
    return info == GBL_SUCCESS ? gb_mxv_asked(call, method) : info;
}
