/* SPDX-License-Identifier: Apache-2.0
 *
 * Candidates and choice; see plan.h. Methods are known by their descriptors alone.
 */
#include "mxm/plan/plan.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "kernel_api/place.h"
#include "core/bits.h"
#include "core/context.h"
#include "core/text.h"
#include "core/trace.h"
#include "core/tune.h"
#include "matrix/derived.h"
#include "mxm/machine/cost_table.h"
#include "mxm/plan/budget.h"
#include "mxm/plan/price.h"

/* -- what was asked for ------------------------------------------------------------------------ */

/* "auto, rowwise, outer, tiled or dot" */
static void list_methods(char *to, size_t capacity) {
    gb_Text text = {.to = to, .capacity = capacity};
    gb_text_add(&text, "auto");
    for (int k = 0; gb_method_name(k) != NULL; k++)
        gb_text_add(&text, "%s%s", gb_method_name(k + 1) != NULL ? ", " : " or ",
                    gb_method_name(k));
}

/* Whether a value of GBL_METHOD is one of mxv and vxm. */
static bool is_for_vectors(int method) {
    return method == GBL_METHOD_PUSH || method == GBL_METHOD_PULL;
}

bool gb_is_method(int method) {
    return is_for_vectors(method) || gb_method_exists(method);
}

gbl_Info gb_plan_environment(gbl_Desc_Value *method) {
    const char *wanted = getenv("GBLITE_METHOD");
    char names[128];
    *method = GBL_DEFAULT;
    if (wanted == NULL || *wanted == '\0' || strcmp(wanted, "auto") == 0) return GBL_SUCCESS;
    if (gb_method_find(method, wanted)) return GBL_SUCCESS;
    if (strcmp(wanted, "push") == 0) *method = GBL_METHOD_PUSH;
    if (strcmp(wanted, "pull") == 0) *method = GBL_METHOD_PULL;
    if (*method != GBL_DEFAULT) return GBL_SUCCESS;
    list_methods(names, sizeof names);
    return gb_fail(GBL_INVALID_VALUE,
                   "GBLITE_METHOD is '%.20s'; it must be %s for mxm, or push or pull for mxv and "
                   "vxm",
                   wanted, names);
}

bool gb_plan_is_open(const gb_MxmCall *call) {
    const gb_Choices none = {0};
    gbl_Desc_Value method;
    int place;
    bool asked;
    return memcmp(&call->choices, &none, sizeof none) == 0 && call->filter == NULL &&
           gb_place_wanted(&place, &asked) == GBL_SUCCESS && !asked &&
           gb_plan_environment(&method) == GBL_SUCCESS && method == GBL_DEFAULT;
}

bool gb_plan_is_free(const gb_MxmCall *call) {
    return gb_plan_is_open(call) && gb_memory_limit() == 0 && !gb_has_progress() &&
           gb_tracing() == GB_TRACE_OFF;
}

/* An approximation is asked for, which one method makes. */
static gbl_Info force_spamm(gbl_Desc_Value *method) {
    if (*method != GBL_DEFAULT && *method != GBL_METHOD_SPAMM)
        return gb_fail(GBL_INVALID_VALUE,
                       "the descriptor asks for an approximation (GBL_TAU, GBL_VALID_RATIO, "
                       "GBL_ERROR_BOUND or GBL_ROUND_FACTORS) and for a method that makes none; "
                       "leave GBL_METHOD alone "
                       "or set it to GBL_METHOD_SPAMM");
    *method = GBL_METHOD_SPAMM;
    return GBL_SUCCESS;
}

gbl_Info gb_plan_forced(gbl_Desc_Value *method, const gb_MxmCall *call) {
    char names[128];
    *method = call->choices.method;
    if (is_for_vectors(*method)) {
        list_methods(names, sizeof names);
        return gb_fail(GBL_INVALID_VALUE,
                       "GBL_METHOD_PUSH and GBL_METHOD_PULL are for mxv and vxm; for mxm the "
                       "method may be %s",
                       names);
    }
    if (gb_is_approximate(&call->choices)) return force_spamm(method);
    if (*method != GBL_DEFAULT) return GBL_SUCCESS;
    const gbl_Info info = gb_plan_environment(method);
    if (is_for_vectors(*method)) *method = GBL_DEFAULT;
    return info;
}

/* Why the call asked for something else; NULL when it did not. */
static const char *asked_otherwise(const gb_MxmCall *call, const gb_Features *f,
                                   const gb_Method *m) {
    const gb_Choices *c = &call->choices;
    if (f->place == GBL_PLACE_GPU && m->place != GBL_PLACE_GPU) return "the GPU was asked for";
    if (f->place == GBL_PLACE_CPU && m->place != GBL_PLACE_CPU)
        return "runs only where GBL_PLACE asks for the GPU";
    if (c->method != GBL_DEFAULT && c->method != m->method) return "another method was asked for";
    if (c->workflow != GBL_DEFAULT && !m->any_workflow && c->workflow != m->workflow)
        return m->workflow == GBL_DEFAULT ? "has no workflows to choose from"
                                          : "another workflow was asked for";
    if (c->accumulators != 0 && !m->has_accumulators) return "has no accumulators to choose from";
    return NULL;
}

/* Why the method cannot compute the product at all; NULL when it can. */
static const char *why_impossible(const gb_MxmCall *call, const gb_Features *f,
                                  const gb_Method *m) {
    if (f->filtered && !m->filters_rows && !call->filter_is_wish)
        return "stores whole rows, which are to be filtered first";
    return m->refuse != NULL ? m->refuse(m, call, f) : NULL;
}

/* Whether comparing all methods would take longer than the product: those that suit few flops are
 * compared alone, if nothing was asked for and nothing has to be converted. */
static bool has_few_flops(const gb_MxmCall *call, const gb_Features *f) {
    const gb_Choices *c = &call->choices;
    return f->flops < GB_SMALL_FLOPS && c->method == GBL_DEFAULT && c->workflow == GBL_DEFAULT &&
           f->place == GBL_PLACE_CPU && !f->memory.limited && f->A.has[GB_BY_ROWS] &&
           f->B.has[GB_BY_ROWS] && !f->stays_tiled;
}

static const char *why_not(const gb_MxmCall *call, const gb_Features *f, const gb_Method *m) {
    const gb_Choices *c = &call->choices;
    const bool named =
        m->workflow != GBL_DEFAULT ? c->workflow == m->workflow : c->method == m->method;
    const char *reason = why_impossible(call, f, m);
    if (reason == NULL) reason = asked_otherwise(call, f, m);
    if (reason == NULL && !named && m->avoid != NULL) reason = m->avoid(m, call, f);
    return reason;
}

/* -- candidates -------------------------------------------------------------------------------- */

/* Rows of tiles are counted once there are tiles, and flops once there are lists: bounds would keep
 * too many calls from them. */
static bool is_checked_later(const gb_MxmCall *call, const gb_Features *f, const gb_Method *m) {
    return (m->makes_tiles && call->choices.method == m->method) || (m->reads_flops && !f->counted);
}

/* A candidate is filled where it stands: to copy one takes longer than to price it. */
static void name_candidate(gbl_Candidate *c, const gb_Method *m, const char *reason) {
    memset(c, 0, sizeof *c);
    c->method = m->name;
    c->workflow = m->variant;
    c->place = m->place == GBL_PLACE_GPU ? "gpu" : "cpu";
    c->why_not = reason;
}

static void price_candidate(gbl_Candidate *c, const gb_Budget *budget, const gb_Method *m,
                            const gb_CostCase *s) {
    const gb_Cost cost = gb_price_within(budget, m, s);
    c->seconds = cost.seconds;
    c->seconds_convert = cost.convert;
    c->seconds_plan = cost.plan;
    c->seconds_size = cost.size;
    c->seconds_pages = cost.pages;
    c->seconds_kernel = cost.seconds - cost.plan - cost.size - cost.convert - cost.pages;
    c->bytes = gb_to_u64(cost.bytes);
    c->slices = gb_to_u64(cost.slices);
}

static void candidate(gbl_Candidate *c, const gb_MxmCall *call, const gb_CostCase *s,
                      const gb_Method *m, double *wanted) {
    const gb_Features *f = s->f;
    name_candidate(c, m, why_not(call, f, m));
    if (why_impossible(call, f, m) != NULL) return;
    if (f->place == GBL_PLACE_CPU && m->place != GBL_PLACE_CPU) return;
    const gb_Budget budget = gb_budget(m, s);
    if (c->why_not == NULL && f->memory.limited && !is_checked_later(call, f, m) &&
        budget.wanted > f->budget) {
        c->why_not = "does not fit into GBL_MEMORY_LIMIT";
        if (budget.wanted < *wanted) *wanted = budget.wanted;
    }
    c->legal = c->why_not == NULL;
    price_candidate(c, &budget, m, s);
}

static const char NOT_COMPARED[] =
    "not compared, since the product takes less time than comparing would";

/* Of a product of few flops only what suits few has a price. */
static void fill_candidates(gb_Plan *plan, const gb_MxmCall *call, const gb_CostCase *s) {
    const bool few = has_few_flops(call, s->f);
    for (int k = 0; k < plan->n; k++) {
        if (few && !gb_methods[k]->suits_few)
            name_candidate(&plan->candidates[k], gb_methods[k], NOT_COMPARED);
        else
            candidate(&plan->candidates[k], call, s, gb_methods[k], &plan->wanted);
    }
}

/* -- choice ------------------------------------------------------------------------------------ */

/* The legal candidate of least seconds; -1: there is none. */
static int fastest(const gbl_Candidate *candidates, int n) {
    int best = -1;
    for (int k = 0; k < n; k++)
        if (candidates[k].legal && (best < 0 || candidates[k].seconds < candidates[best].seconds))
            best = k;
    return best;
}

static bool is_better(const gbl_Candidate *x, const gbl_Candidate *y, double best) {
    const bool x_ready = x->seconds <= best * GB_TIE && x->seconds_convert == 0.0;
    const bool y_ready = y->seconds <= best * GB_TIE && y->seconds_convert == 0.0;
    return x_ready != y_ready ? x_ready : x->seconds < y->seconds;
}

static int choose(const gbl_Candidate *candidates, int n) {
    int chosen = fastest(candidates, n);
    if (chosen < 0) return chosen;
    const double best = candidates[chosen].seconds;
    for (int k = 0; k < n; k++)
        if (candidates[k].legal && is_better(&candidates[k], &candidates[chosen], best)) chosen = k;
    return chosen;
}

bool gb_is_tie(const gbl_Candidate *candidates, int n, int chosen) {
    return fastest(candidates, n) != chosen;
}

/* The first method that the call speaks of, as far as method and place go; else one of that method
 * alone. */
static int find_meant(const gb_Plan *plan, const gb_MxmCall *call, const gb_Features *f) {
    const gbl_Desc_Value method = call->choices.method;
    int found = plan->n - 1;
    for (int k = plan->n - 1; k >= 0; k--)
        if (method == gb_methods[k]->method) found = k;
    for (int k = 0; k < plan->n; k++)
        if ((method == GBL_DEFAULT || method == gb_methods[k]->method) &&
            f->place == (int)gb_methods[k]->place)
            return k;
    return found;
}

/* Nothing is possible: why that which was asked for is not. */
static gbl_Info fail(const gb_Plan *plan, const gb_MxmCall *call, const gb_Features *f) {
    if (plan->wanted < HUGE_VAL) return gb_fail_limit(plan->wanted, f->budget);
    const gbl_Candidate *c = &plan->candidates[find_meant(plan, call, f)];
    return gb_fail(GBL_INVALID_VALUE,
                   "%s (%s) was asked for, but %s; leave the method, the workflow or the place to "
                   "the planner",
                   c->method, c->workflow, c->why_not);
}

static gbl_Info take_best(gb_Plan *plan, const gb_CostCase *s) {
    plan->chosen = choose(plan->candidates, plan->n);
    if (plan->chosen < 0) return GBL_NO_VALUE;
    plan->method = gb_methods[plan->chosen];
    plan->budget = gb_budget(plan->method, s);
    return GBL_SUCCESS;
}

gbl_Info gb_plan_choose(gb_Plan *plan, const gb_MxmCall *call, const gb_Features *f,
                        const gb_MachineTable *machine) {
    const gb_Choices *c = &call->choices;
    gb_CostCase s;
    gb_cost_case(&s, f, machine);
    plan->n = gb_nmethods;
    plan->wanted = HUGE_VAL;
    plan->forced = c->method != GBL_DEFAULT || c->workflow != GBL_DEFAULT;
    fill_candidates(plan, call, &s);
    return take_best(plan, &s) == GBL_SUCCESS ? GBL_SUCCESS : fail(plan, call, f);
}

void gb_plan_take(gb_Plan *plan, const gb_Method *method, const gb_Features *f,
                  const gb_MachineTable *machine) {
    gb_CostCase s;
    gb_cost_case(&s, f, machine);
    plan->n = gb_nmethods;
    plan->wanted = HUGE_VAL;
    plan->forced = false;
    plan->method = method;
    plan->budget = gb_budget(method, &s);
    for (int k = 0; k < plan->n; k++) {
        gbl_Candidate *c = &plan->candidates[k];
        const bool taken = gb_methods[k] == method;
        name_candidate(c, gb_methods[k], taken ? NULL : NOT_COMPARED);
        if (!taken) continue;
        c->legal = true;
        price_candidate(c, &plan->budget, method, &s);
        plan->chosen = k;
    }
}

gbl_Info gb_plan_choose_again(gb_Plan *plan, const gb_MxmCall *call, const gb_Features *f,
                              const gb_MachineTable *machine) {
    gb_CostCase s;
    gb_cost_case(&s, f, machine);
    const gbl_Place place = gb_methods[plan->chosen]->place;
    for (int k = 0; k < gb_nmethods; k++) {
        if (gb_methods[k]->place != place || !plan->candidates[k].legal) continue;
        plan->candidates[k].legal = false;
        plan->candidates[k].why_not = "a method has failed there";
    }
    return take_best(plan, &s) == GBL_SUCCESS ? GBL_SUCCESS : fail(plan, call, f);
}

static void wish_for_groups(const gb_Plan *plan, gb_Factor *A) {
    const double taken = plan->candidates[plan->chosen].seconds;
    for (int k = 0; k < plan->n; k++) {
        const gbl_Candidate *c = &plan->candidates[k];
        const double without = c->seconds - c->seconds_convert;
        if (!gb_methods[k]->groups_rows || !c->legal || k == plan->chosen) continue;
        if (without < taken && c->seconds_convert > 0.0)
            gb_groups_credit(A->X, A->rows, taken - without);
    }
}

/* Pointers of columns are not worth making where they far outnumber what B has. */
static bool has_too_many_columns(const gb_Factor *B) {
    const gb_Format rows = B->rows;
    return gb_nminor(B->X, rows) / GB_FEW > B->X->nvals + gb_nmajor(B->X, rows);
}

static void wish_for_columns(const gb_Plan *plan, const gb_Features *f, gb_Factor *B) {
    /* without pages, most of which the columns take, once */
    const gbl_Candidate *chosen = &plan->candidates[plan->chosen];
    const double taken = chosen->seconds - chosen->seconds_pages;
    double spared = 0.0;
    if (B->has[GB_BY_COLUMNS] || has_too_many_columns(B)) return;
    for (int k = 0; k < plan->n; k++) {
        const gbl_Candidate *c = &plan->candidates[k];
        if (!gb_methods[k]->repays_columns || !c->legal || k == plan->chosen) continue;
        const double left = gb_price_left(gb_methods[k], f, f->machine); /* of each A anew */
        spared = fmax(spared, taken - (c->seconds - c->seconds_pages - c->seconds_convert) - left);
    }
    if (spared > 0.0)
        __atomic_add_fetch(&B->X->demand[1 - B->rows], gb_to_u64(1e9 * spared), __ATOMIC_RELAXED);
}

void gb_plan_credit(const gb_Plan *plan, const gb_Features *f, gb_Operands *in) {
    if (plan->forced) return;
    wish_for_groups(plan, &in->A);
    wish_for_columns(plan, f, &in->B);
}
