/* SPDX-License-Identifier: Apache-2.0
 *
 * Products with vectors on the device. Facts are counted from forms the call may read: the forms of
 * A that exist, or only the requested one. So unless push or pull is requested, A is uploaded in
 * both forms if it has both.
 */
#include "mxm/mxv.h"

#include "ops/device.h"

static bool casts(const gb_Type *type, const gb_Matrix *X) {
    return type != NULL && type->code != X->type->code;
}

const char *gb_mxv_refuse_device(const void *asked) {
    const gb_MxvCall *call = &((const gb_MxvAsked *)asked)->call;
    if (call->best != NULL) return "updates of a vector have no kernel";
    if (call->ring->kernel >= GB_RING_WIDE) return "the semiring has no kernel";
    if (casts(gb_mxv_matrix_type(call), call->A) || casts(gb_mxv_vector_type(call), call->u))
        return "factors would have to be cast";
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
                              .push = held->plan->push,
                              .u_is_left = call->u_is_left};
}

/* The forms of A that exist, and the choice. */
static gbl_Info choose(gb_MxvHeld *held) {
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
static gbl_Info multiply(gb_MxvHeld *held, gbl_Desc_Value method, gb_DeviceCs **made) {
    const gb_MxvCall *call = held->call;
    gb_MxvPlan *plan = held->plan;
    gbl_Info info = gb_mxv_plan_begin(plan, call, method);
    plan->push_workflow = "by edges";
    plan->pull_workflow = "by rows";
    if (info == GBL_SUCCESS) info = gb_acquire_device_vector(call->u, &held->u);
    if (info == GBL_SUCCESS) info = gb_get_device_mask(&held->mask, &call->mask);
    if (info == GBL_SUCCESS) info = choose(held);
    if (info == GBL_SUCCESS)
        info = plan->push ? get_matrix(held, plan->by_columns, &held->columns)
                          : get_matrix(held, plan->by_rows, &held->rows);
    const gb_DeviceMxvArgs args = args_of(held);
    return info == GBL_SUCCESS ? gb_device()->mxv(&args, made) : info;
}

gbl_Info gb_mxv_device(const void *context) {
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
        info = multiply(&held, asked->method, &made);
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
