/* SPDX-License-Identifier: Apache-2.0
 *
 * Candidates and choice; see plan.h.
 */
#include "mxm/plan.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "core/tune.h"
#include "semiring/ids.h"

gbl_Info gb_plan_environment(gbl_Desc_Value *method, const gb_Matrix *object) {
    static const struct {
        const char *name;
        gbl_Desc_Value value;
    } names[] = {{"auto", GBL_DEFAULT},       {"rowwise", GBL_METHOD_ROWWISE},
                 {"dot", GBL_METHOD_DOT},     {"tiled", GBL_METHOD_TILED},
                 {"outer", GBL_METHOD_OUTER}, {"push", GBL_METHOD_PUSH},
                 {"pull", GBL_METHOD_PULL}};
    const char *wanted = getenv("GBLITE_METHOD");
    *method = GBL_DEFAULT;
    if (wanted == NULL || *wanted == '\0') return GBL_SUCCESS;
    for (size_t k = 0; k < sizeof names / sizeof names[0]; k++) {
        if (strcmp(wanted, names[k].name) != 0) continue;
        *method = names[k].value;
        return GBL_SUCCESS;
    }
    return gb_fail(GBL_INVALID_VALUE, object,
                   "GBLITE_METHOD is '%.20s'; it must be auto, rowwise, dot, tiled or outer for "
                   "mxm, or push or pull for mxv and vxm",
                   wanted);
}

static bool is_for_vectors(gbl_Desc_Value method) {
    return method == GBL_METHOD_PUSH || method == GBL_METHOD_PULL;
}

gbl_Info gb_plan_forced(gbl_Desc_Value *method, const gb_MxmCall *call) {
    *method = call->choices.method;
    if (is_for_vectors(*method))
        return gb_fail(
            GBL_INVALID_VALUE, call->C,
            "GBL_METHOD_PUSH and GBL_METHOD_PULL are for mxv and vxm; for mxm GBL_METHOD "
            "may be GBL_METHOD_ROWWISE, DOT, TILED, OUTER or GBL_DEFAULT");
    if (*method != GBL_DEFAULT) return GBL_SUCCESS;
    const gbl_Info info = gb_plan_environment(method, call->C);
    if (is_for_vectors(*method)) *method = GBL_DEFAULT;
    return info;
}

static const char *const method_names[] = {"rowwise", "rowwise", "rowwise",
                                           "outer",   "tiled",   "dot"};
static const char *const workflow_names[] = {"upper bound", "estimate", "symbolic",
                                             "slices",      "tiles",    "mask"};
static const gbl_Desc_Value methods[] = {GBL_METHOD_ROWWISE, GBL_METHOD_ROWWISE, GBL_METHOD_ROWWISE,
                                         GBL_METHOD_OUTER,   GBL_METHOD_TILED,   GBL_METHOD_DOT};
static const gbl_Desc_Value workflows[] = {GBL_WORKFLOW_UPPER_BOUND, GBL_WORKFLOW_ESTIMATE,
                                           GBL_WORKFLOW_SYMBOLIC};

/* Why a way is not for calls like this unless it is asked for; NULL if it is. */
static const char *unsuitable(const gb_MxmCall *call, const gb_Features *f, gb_Way way) {
    const gb_Method method = gb_way_method(way);
    const bool details = call->choices.workflow != GBL_DEFAULT || call->choices.accumulators != 0;
    if (method == GB_ROWWISE) return NULL;
    if (details && method != GB_DOT) return "has no workflows and accumulators to choose from";
    if (method == GB_OUTER && f->mask != GB_MASK_NONE) return "a mask spares rowwise more";
    if (method != GB_TILED) return NULL;
    if (f->mask == GB_MASK_INSIDE) return "a mask spares rowwise and dot more";
    if (call->accum != NULL) return "C has to be rows to accumulate";
    if (f->values == GB_VALUES_GENERIC) return "tiles do not speed up user-defined operators";
    return NULL;
}

/* Arrays of C as the workflow makes them have to fit into the budget, or into slices of it. */
static const char *too_large(const gb_Features *f, gb_Way way) {
    const double entry = (double)(f->zsize + sizeof(gb_Idx));
    const bool fits = f->memory.limited || (double)f->rows.room * entry <= f->budget;
    if (way == GB_WAY_BOUND && !fits) return "the upper bound exceeds the memory allowed";
    if (way != GB_WAY_ESTIMATE) return NULL;
    if (f->A.nvals > 0 && f->sampled == 0) return "nothing was sampled";
    const double expected = gb_expect_entries(f) * GB_ESTIMATE_MARGIN * entry;
    return fits || expected <= f->budget ? NULL : "the estimate exceeds the memory allowed";
}

static const char *why_not(const gb_MxmCall *call, const gb_Features *f, gb_Way way) {
    const gbl_Desc_Value method = call->choices.method, workflow = call->choices.workflow;
    const bool possible = way != GB_WAY_DOT || f->dot_work != UINT64_MAX;
    if (!possible) return "needs a mask that is not complemented";
    if (method != GBL_DEFAULT && method != methods[way]) return "another method was asked for";
    if (gb_way_method(way) == GB_ROWWISE) {
        if (workflow == GBL_DEFAULT) return too_large(f, way);
        return workflow == workflows[way] ? NULL : "another workflow was asked for";
    }
    return method == GBL_DEFAULT ? unsuitable(call, f, way) : NULL;
}

/* Rows of tiles are counted when there are tiles: a bound would keep too many calls from them. */
static bool is_checked_later(const gb_MxmCall *call, gb_Way way) {
    return way == GB_WAY_TILED && call->choices.method == GBL_METHOD_TILED;
}

static gbl_Candidate candidate(const gb_MxmCall *call, const gb_CostCase *costs, gb_Way way,
                               double *wanted) {
    const gb_Features *f = costs->f;
    gbl_Candidate c = {.method = method_names[way],
                       .workflow = workflow_names[way],
                       .why_not = why_not(call, f, way)};
    if (c.why_not == NULL && f->memory.limited && !is_checked_later(call, way)) {
        const gb_Budget budget = gb_budget(f, way);
        if (budget.wanted > f->budget) c.why_not = "does not fit into GBL_MEMORY_LIMIT";
        if (budget.wanted < *wanted) *wanted = budget.wanted;
    }
    c.legal = c.why_not == NULL;
    if (way == GB_WAY_DOT && f->dot_work == UINT64_MAX) return c;
    const gb_Cost cost = gb_cost_of(costs, way);
    c.seconds = cost.seconds;
    c.seconds_convert = cost.convert;
    c.seconds_plan = cost.plan;
    c.seconds_size = cost.size;
    c.seconds_kernel = cost.seconds - cost.plan - cost.size - cost.convert;
    c.bytes = (uint64_t)cost.bytes;
    c.slices = (uint64_t)cost.slices;
    return c;
}

static bool is_better(const gbl_Candidate *x, const gbl_Candidate *y, double best) {
    const bool x_ready = x->seconds <= best * GB_TIE && x->seconds_convert == 0.0;
    const bool y_ready = y->seconds <= best * GB_TIE && y->seconds_convert == 0.0;
    return x_ready != y_ready ? x_ready : x->seconds < y->seconds;
}

static int least(const gb_Plan *plan) {
    double best = 0.0;
    int chosen = -1;
    for (int w = 0; w < plan->n; w++) {
        const gbl_Candidate *c = &plan->candidates[w];
        if (c->legal && (chosen < 0 || c->seconds < best)) {
            best = c->seconds;
            chosen = w;
        }
    }
    for (int w = 0; w < plan->n; w++)
        if (plan->candidates[w].legal &&
            is_better(&plan->candidates[w], &plan->candidates[chosen], best))
            chosen = w;
    return chosen;
}

gbl_Info gb_plan_choose(gb_Plan *plan, const gb_MxmCall *call, const gb_Features *f,
                        const gb_MachineTable *machine) {
    const gbl_Desc_Value method = call->choices.method;
    if (method == GBL_METHOD_DOT && f->dot_work == UINT64_MAX)
        return gb_fail(GBL_INVALID_VALUE, call->C,
                       "method dot needs a mask that is not complemented, since it computes one "
                       "inner product per entry of the mask; use rowwise or auto");
    gb_CostCase costs;
    gb_cost_case(&costs, f, machine);
    *plan = (gb_Plan){.n = GB_WAYS,
                      .forced = method != GBL_DEFAULT || call->choices.workflow != GBL_DEFAULT};
    double wanted = HUGE_VAL;
    for (int w = 0; w < GB_WAYS; w++)
        plan->candidates[w] = candidate(call, &costs, (gb_Way)w, &wanted);
    plan->chosen = least(plan);
    if (plan->chosen < 0) return gb_fail_limit(call->C, wanted, f->budget);
    plan->way = (gb_Way)plan->chosen;
    plan->budget = gb_budget(f, plan->way);
    plan->method = gb_way_method(plan->way);
    return GBL_SUCCESS;
}
