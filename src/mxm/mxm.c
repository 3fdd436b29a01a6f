/* SPDX-License-Identifier: Apache-2.0
 *
 * C<M> accum= A * B: the path of data from a checked call to the finished matrix. The fold of a
 * product is a product whose output nobody else sees: a method that can folds entries as it makes
 * them and leaves the output empty; what others have stored is folded as reduce does.
 */
#include "mxm/mxm.h"

#include <stdio.h>

#include "core/clock.h"
#include "mxm/explain/explain.h"
#include "ops/operations.h"

/* Record of a product, from which explanations are made on request. Candidates are priced again
 * then: pricing takes as long as planning, and candidates would be most of the record. */
enum {
    HEAD = offsetof(gbl_Explanation, candidates),
    REST = HEAD + sizeof(((gbl_Explanation *)0)->candidates),
    TAIL = sizeof(gbl_Explanation) - REST
};
typedef struct {
    gb_Features features;
    gb_Plan plan;
    bool planned;              /* the plan found something to multiply */
    gb_ReportedShape reported; /* all 0: the features' */
    char head[HEAD], tail[TAIL];
} gb_Record;

/* Everything a product owns while it runs; released in one place. */
typedef struct {
    gb_Operands in;
    gb_Record *record; /* its explanation is `why` until the product is done */
    gbl_Explanation why;
    double lap; /* when the last step ended: one look at the clock between two */
} gb_MxmHold;

/* Seconds since the last step ended. */
static double end_step(gb_MxmHold *hold) {
    const double before = hold->lap;
    hold->lap = gb_seconds();
    return hold->lap - before;
}

/* -- check ------------------------------------------------------------------------------------- */

static gbl_Info check_sizes(const gb_MxmCall *call) {
    const gb_Matrix *C = call->C;
    const gb_VectorChoices *v = &call->choices.vector;
    const uint64_t m = gb_nmajor(call->A, gb_rows_of_a(call));
    const uint64_t n = gb_nminor(call->B, gb_rows_of_b(call));
    const gbl_Info info = gb_check_inner(call);
    if (info != GBL_SUCCESS) return info;
    if (C->nrows != m || C->ncols != n)
        return gb_fail(GBL_DIMENSION_MISMATCH, "C is %llu x %llu, but the product is %llu x %llu",
                       (unsigned long long)C->nrows, (unsigned long long)C->ncols,
                       (unsigned long long)m, (unsigned long long)n);
    if (v->block_most == 0 || v->block_least <= v->block_most) return GBL_SUCCESS;
    return gb_fail(GBL_INVALID_VALUE,
                   "the descriptor's GBL_BLOCK_LEAST, %d, is above its GBL_BLOCK_MOST, %d; it may "
                   "be that number at most",
                   (int)v->block_least, (int)v->block_most);
}

/* Whether there is nothing to multiply. */
static bool is_empty(const gb_MxmCall *call) {
    return call->A->nvals == 0 || call->B->nvals == 0 || gb_mask_allows_none(&call->mask);
}

/* Whether the method that approximates can make the product, whatever its factors hold. */
static gbl_Info check_approximation(const gb_MxmCall *call) {
    gbl_Desc_Value method;
    if (!gb_is_approximate(&call->choices)) return GBL_SUCCESS;
    const gbl_Info info = gb_plan_forced(&method, call);
    if (info != GBL_SUCCESS) return info;
    if (!gb_ring_has_norms(call->ring))
        return gb_fail(GBL_INVALID_VALUE,
                       "the descriptor asks for an approximation (GBL_TAU, GBL_VALID_RATIO, "
                       "GBL_ERROR_BOUND or GBL_ROUND_FACTORS): norms bound the error of PLUS_TIMES "
                       "in FP64 and FP32 alone");
    if (call->choices.rounding == GBL_DEFAULT || call->ring->kernel == GB_RING_PLUS_TIMES_FP32)
        return GBL_SUCCESS;
    return gb_fail(
        GBL_INVALID_VALUE,
        "the descriptor's GBL_ROUND_FACTORS is for PLUS_TIMES in FP32; take its semiring, "
        "which casts the factors, or leave the field out");
}

gbl_Info gb_mxm_check(const gb_MxmCall *call) {
    gbl_Info info = check_sizes(call);
    if (info == GBL_SUCCESS) info = gb_ring_check(call->ring, call->A->type, call->B->type);
    if (info == GBL_SUCCESS)
        info = gb_check_output(call->C, &call->mask, call->accum, call->ring->add->op->ztype);
    return info == GBL_SUCCESS ? check_approximation(call) : info;
}

static gbl_Info check(const gb_MxmCall *call) {
    gbl_Info info = gb_mxm_check(call);
    if (info == GBL_SUCCESS) info = gb_assemble(call->A);
    if (info == GBL_SUCCESS) info = gb_assemble(call->B);
    if (info == GBL_SUCCESS && gb_memory_limit() > 0)
        info = gb_assemble(call->C); /* is it merged? */
    if (info == GBL_SUCCESS && call->mask.M != NULL) info = gb_assemble(call->mask.M);
    return info == GBL_SUCCESS && !is_empty(call) ? gb_memory_for_plan(call) : info;
}

/* -- plan -------------------------------------------------------------------------------------- */

/* Whether means suffice, so that no flops are counted: skewed inputs have more flops than means
 * predict, never far fewer, which only favours methods that do not read them. */
static bool may_be_clear(const gb_MxmHold *hold) {
    const gb_Features *f = &hold->record->features;
    if (f->place == GBL_PLACE_GPU || !gb_operands_are_sparse(&hold->in)) return true;
    if (gb_is_full(&f->A, f->m, f->k) || gb_is_full(&f->B, f->k, f->n)) return true;
    return f->mask == GB_MASK_INSIDE && f->B.has[GB_BY_COLUMNS] && !f->memory.limited;
}

/* The choice; only dense factors have become rows. Where flops cannot be counted it is made by
 * means. */
static gbl_Info make_plan(const gb_MxmCall *call, gb_MxmHold *hold) {
    gb_Record *r = hold->record;
    gbl_Info info = gb_operands_look(&hold->in, call);
    hold->why.seconds_convert += hold->in.made_seconds;
    if (info == GBL_SUCCESS) info = gb_features_begin(&r->features, call, &hold->in);
    if (info != GBL_SUCCESS) return info;
    const bool by_means = may_be_clear(hold);
    if (by_means) info = gb_plan_choose(&r->plan, &r->features, r->features.machine, GB_PLACE_NONE);
    const bool counts = !by_means || (info == GBL_SUCCESS && r->plan.method->reads_flops);
    /* flops are counted and rows are sampled, and the choice is made by them */
    if (counts && gb_operands_are_sparse(&hold->in)) {
        info = gb_features_count(&r->features, &hold->in);
        if (info == GBL_SUCCESS)
            info = gb_plan_choose(&r->plan, &r->features, r->features.machine, GB_PLACE_NONE);
    }
    hold->why.seconds_plan += end_step(hold) - hold->in.made_seconds;
    hold->why.seconds_count += r->features.seconds_count;
    r->planned = info == GBL_SUCCESS;
    if (r->planned) hold->why.workflow = NULL; /* the method may name its own */
    return info;
}

/* -- operands ---------------------------------------------------------------------------------- */

/* The forms that the method reads. */
static gbl_Info take_operands(gb_MxmHold *hold) {
    const gb_Plan *plan = &hold->record->plan;
    const gb_Method *m = plan->method;
    const bool converts =
        plan->cost.convert > 0.0 || !hold->in.B.has[m->b]; /* which may have been repaid */
    const double start = converts ? gb_seconds() : 0.0;
    gbl_Info info = gb_take_factor(&hold->in.A, m->a, m->sorted_a);
    if (info == GBL_SUCCESS) info = gb_take_factor(&hold->in.B, m->b, m->sorted_b);
    if (info == GBL_SUCCESS && m->reads_mask) info = gb_take_mask(&hold->in, m->probes_mask);
    if (converts) hold->why.seconds_convert += gb_seconds() - start;
    return info;
}

/* Flop counts need CSR or CSC: convert the factors to the forms that the method reads, then plan
 * again. */
static gbl_Info count_late(const gb_MxmCall *call, gb_MxmHold *hold) {
    gbl_Info info = take_operands(hold);
    end_step(hold); /* the kernel's; the plan's begins */
    gb_operands_release(&hold->in);
    hold->in = (gb_Operands){.made_bytes = hold->in.made_bytes};
    return info == GBL_SUCCESS ? make_plan(call, hold) : info;
}

/* -- run --------------------------------------------------------------------------------------- */

static gbl_Info run_plan(const gb_MxmCall *call, gb_MxmHold *hold, gb_Result *T) {
    gb_Record *r = hold->record;
    gbl_Explanation *why = &hold->why;
    gb_MxmRun run = {
        .call = call, .f = &r->features, .budget = &r->plan.budget, .in = &hold->in, .why = why};
    const double made = hold->in.made_seconds; /* a conversion like those to come */
    const double start = hold->lap - made;
    gbl_Info info = GBL_SUCCESS;
    if (r->plan.method->reads_flops && hold->in.flops == NULL) info = count_late(call, hold);
    if (info != GBL_SUCCESS) return info;
    if (r->plan.method->place != GBL_PLACE_CPU) gb_explain_flops(why, &r->features);
    info = take_operands(hold);
    if (info == GBL_SUCCESS) info = r->plan.method->run(r->plan.method, &run, T);
    const double sized = why->seconds_sketch + why->seconds_estimate;
    why->seconds_prepare += sized; /* size estimates count as preparation */
    end_step(hold);
    why->seconds_kernel = hold->lap - start - sized;
    if (info == GBL_SUCCESS) gb_machine_count_product(r->features.flops);
    if (info == GBL_SUCCESS) gb_plan_credit(&r->plan, &hold->in);
    if (info == GBL_SUCCESS && T->device == NULL)
        why->nvals = T->is_tiled ? T->tiles.nvals : T->is_dense ? T->dense.nvals : T->cs.nvals;
    why->folded = call->fold != NULL && call->fold->done;
    if (why->folded) why->nvals = call->fold->nvals;
    why->filtered = call->filter != NULL && r->plan.method->filters_rows;
    return info;
}

/* A failing device fails the call only if it was requested: no operand has changed yet. */
static gbl_Info run_again(const gb_MxmCall *call, gb_MxmHold *hold, gb_Result *T) {
    gb_Record *r = hold->record;
    snprintf(hold->why.place_reason, sizeof hold->why.place_reason, "%.90s", gbl_last_error());
    gb_error_begin(); /* the device's error is not this call's */
    end_step(hold);
    gb_MxmCall host = *call;
    host.choices.place = GBL_PLACE_CPU; /* also where the plan has to be made anew */
    const int failed = (int)r->plan.method->place;
    const gbl_Info info = gb_plan_choose(&r->plan, &r->features, r->features.machine, failed);
    return info == GBL_SUCCESS ? run_plan(&host, hold, T) : info;
}

static void explain_triangles(gb_MxmHold *hold, const gb_Matrix *A) {
    gbl_Explanation *why = &hold->why;
    why->method = "dot";
    why->workflow = "triangles";
    snprintf(why->reason, sizeof why->reason, "dot: the triangle sum of a graph");
    why->nrows = why->inner = why->ncols = A->nrows;
    why->nnz_a = why->nnz_b = why->nnz_mask = A->nvals;
    why->folded = true;
    why->seconds_kernel = end_step(hold);
}

/* The product of non-empty operands into T, and its explanation into hold->why. */
static gbl_Info multiply(const gb_MxmCall *asked, gb_MxmHold *hold, gb_Result *T) {
    gb_MxmCall call = *asked;
    bool made = false;
    gbl_Info info = asked->fold != NULL ? gb_triangle_sum(asked, &made) : GBL_SUCCESS;
    if (made) explain_triangles(hold, asked->A);
    if (info != GBL_SUCCESS || made) return info;
    info = gb_plan_forced(&call.choices.method, asked);
    if (info == GBL_SUCCESS) info = make_plan(&call, hold);
    if (info != GBL_SUCCESS) return info;
    hold->why.seconds_prepare = hold->why.seconds_plan;
    info = run_plan(&call, hold, T);
    const gb_Record *r = hold->record;
    const bool again = info != GBL_SUCCESS && info != GBL_CANCELLED && r->plan.method->may_fail;
    return again && r->features.place != GBL_PLACE_GPU ? run_again(&call, hold, T) : info;
}

/* -- explanations ------------------------------------------------------------------------------ */

/* What is known before the plan, which may change the forms. Candidates are left as they are. */
static void explain_nothing(gbl_Explanation *why, const gb_MxmCall *call) {
    memset(why, 0, HEAD);
    memset((char *)why + REST, 0, TAIL);
    why->operation = "mxm";
    why->formats_a = gb_reported_forms(call->A);
    why->formats_b = gb_reported_forms(call->B);
    why->method = why->workflow = "none";
    why->isa = gb_backend()->name;
    why->place = "cpu";
    strcpy(why->reason, "a factor is empty");
    gb_ring_describe(why->semiring, call->ring);
    why->chosen = -1;
}

static void report_shape(gbl_Explanation *why, const gb_ReportedShape *shape) {
    why->nrows = shape->nrows;
    why->inner = shape->inner;
    why->ncols = shape->ncols;
}

/* *explanation, a gbl_Explanation, from a gb_Record. */
static void report(void *explanation, const void *record) {
    gbl_Explanation *why = explanation;
    const gb_Record *r = record;
    memset(why, 0, sizeof *why);
    memcpy(why, r->head, HEAD);
    memcpy((char *)why + REST, r->tail, TAIL);
    if (!r->planned) return;
    gb_explain_plan(why, &r->plan, &r->features);
    if (r->plan.method->place == GBL_PLACE_CPU) gb_explain_flops(why, &r->features);
    if (r->reported.nrows > 0) report_shape(why, &r->reported);
}

/* C keeps the record. */
static void keep_record(gb_MxmHold *hold, const gb_MxmCall *call) {
    gb_Record *r = hold->record;
    memcpy(r->head, &hold->why, HEAD);
    memcpy(r->tail, (const char *)&hold->why + REST, TAIL);
    r->reported = call->told != NULL ? *call->told : (gb_ReportedShape){0};
    if (gb_tracing() != GB_TRACE_OFF) {
        report(&hold->why, r);
        gb_trace(&hold->why);
    }
    gb_matrix_set_note(call->C, (gb_Note){r, sizeof *r, report});
    hold->record = NULL;
}

/* -- what others call -------------------------------------------------------------------------- */

gbl_Info gb_mxm_features(gb_Features *f, const gb_MxmCall *call) {
    gb_Operands in = {0};
    gbl_Info info = gb_operands_look(&in, call);
    if (info == GBL_SUCCESS) info = gb_features_begin(f, call, &in);
    if (info == GBL_SUCCESS && gb_operands_are_sparse(&in)) info = gb_features_count(f, &in);
    gb_operands_release(&in);
    return info;
}

gbl_Info gb_mxm_plan(const void *asked) {
    const gb_MxmPlanCall *plan = asked;
    gb_MxmCall call = plan->mxm;
    gb_MxmHold hold;
    gb_Record record;
    hold.in = (gb_Operands){0};
    hold.lap = gb_seconds();
    hold.record = &record;
    gbl_Info info = check(&call);
    if (info == GBL_SUCCESS) info = gb_plan_forced(&call.choices.method, &plan->mxm);
    explain_nothing(&hold.why, &call);
    memset(hold.why.candidates, 0, sizeof hold.why.candidates);
    bool planned = is_empty(&call);
    if (info == GBL_SUCCESS && !planned) info = gb_plan_small(&hold.why, &call, &planned);
    if (info == GBL_SUCCESS && !planned) {
        info = make_plan(&call, &hold);
        if (info == GBL_SUCCESS) {
            gb_explain_plan(&hold.why, &record.plan, &record.features);
            gb_explain_flops(&hold.why, &record.features);
            if (call.told != NULL) report_shape(&hold.why, call.told);
        }
    }
    *plan->why = hold.why;
    gb_operands_release(&hold.in);
    return info;
}

gbl_Info gb_mxm(const gb_MxmCall *call) {
    gb_Result T = {
        .type = call->ring->add->op->ztype, .format = GB_CSR, .masked = call->mask.M != NULL};
    bool made = false;
    gbl_Info info = check(call);
    const bool empty = info == GBL_SUCCESS && is_empty(call);
    if (info == GBL_SUCCESS && !empty && call->A->nvals <= GB_SMALL_FLOPS)
        info = gb_mxm_small(call, &made);
    if (info != GBL_SUCCESS || made) return info;
    gb_MxmHold hold;
    hold.in = (gb_Operands){0};
    hold.lap = gb_seconds();
    hold.record = gb_malloc(sizeof *hold.record);
    if (hold.record == NULL) return gb_fail_memory(sizeof *hold.record);
    hold.record->planned = false;
    explain_nothing(&hold.why, call);
    T.cs = (gb_Cs){.nmajor = call->C->nrows, .sorted = true};
    if (!empty) info = multiply(call, &hold, &T);
    if (info == GBL_SUCCESS) {
        info = gb_finish(call->C, &call->mask, call->accum, &T);
        hold.why.seconds_finish = end_step(&hold);
    }
    if (info == GBL_SUCCESS) keep_record(&hold, call);
    gb_operands_release(&hold.in);
    gb_free(hold.record, sizeof *hold.record);
    return info;
}

/* -- fold -------------------------------------------------------------------------------------- */

static gbl_Info fold_stored(gb_Folding *fold, gb_Matrix *C) {
    const gb_Fold how = gb_fold_monoid(fold->monoid);
    const gbl_Info info = gb_reduce_all(fold->z, &how, C);
    fold->nvals = info == GBL_SUCCESS ? C->nvals : 0;
    return info == GBL_NO_VALUE ? GBL_SUCCESS : info;
}

gbl_Info gb_mxm_reduce(const void *asked) {
    gb_MxmCall call = ((const gb_MxmReduceCall *)asked)->mxm;
    gb_Folding *const fold = ((const gb_MxmReduceCall *)asked)->fold;
    fold->nvals = 0;
    fold->done = false;
    /* made entries have the semiring's type; reduce casts, methods do not */
    if (fold->monoid->op->ztype == call.ring->add->op->ztype) call.fold = fold;
    gbl_Info info = gb_matrix_new(&call.C, GB_MAGIC_MATRIX, call.ring->add->op->ztype,
                                  gb_nmajor(call.A, gb_rows_of_a(&call)),
                                  gb_nminor(call.B, gb_rows_of_b(&call)));
    if (info == GBL_SUCCESS) info = gb_mxm(&call);
    if (info == GBL_SUCCESS && !fold->done) info = fold_stored(fold, call.C);
    gb_matrix_free(call.C);
    return info;
}
