/* SPDX-License-Identifier: Apache-2.0
 *
 * Candidates and choice; see plan.h. Methods are known by their descriptors alone.
 */
#include "mxm/plan/plan.h"

#include <stdlib.h>

/* -- requests of the call ---------------------------------------------------------------------- */

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

/* The call requests an approximation, which one method computes. */
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

/* -- what is possible -------------------------------------------------------------------------- */

static const char *why_not_similar(const gb_PanelFacts *p, gb_MaskKind mask) {
    if (p->sampled == 0) return "neighbouring rows were not compared";
    if (mask == GB_MASK_OUTSIDE) return NULL; /* which rowwise takes long for */
    return p->share > GB_PANEL_SHARE_MOST ? "neighbouring rows have little in common" : NULL;
}

static const char *why_not_grouped(const gb_PanelFacts *p) {
    if (p->grouped == 0.0) return "similar rows were not looked for";
    if (p->grouped > GB_PANEL_SHARE_MOST) return "no similar rows were found";
    return p->grouped > p->share ? "neighbouring rows are as similar" : NULL;
}

enum { CONDITIONS = 18 };

/* Why each condition of model/method.h does not hold, in their order; NULL where it does. Returns
 * the GB_IF_ bits of those that do not. */
static unsigned find_unmet(const char *why[CONDITIONS], const gb_Features *f) {
    const bool inside = f->mask == GB_MASK_INSIDE, generic = f->values == GB_VALUES_GENERIC;
    const bool listed = !generic && !f->compiled;
    const struct {
        bool met;
        const char *why;
    } of[CONDITIONS] = {
        {inside,
         "needs a mask that is not complemented: one inner product for each of its entries"},
        {f->mask == GB_MASK_NONE, "a mask spares rowwise more"},
        {!inside, "a mask spares rowwise and dot more"},
        {f->by_norms, "norms bound the error of PLUS_TIMES in FP64 and FP32 alone"},
        {gb_is_full(&f->A, f->m, f->k), "needs a full A: one with an entry at every position"},
        {gb_is_full(&f->B, f->k, f->n), "needs a full B: one with an entry at every position"},
        {listed && !f->wide,
         "has no kernel for this semiring, only for those of semiring/foreach.h"},
        {!f->accumulated, "C has to be rows to accumulate"},
        {listed, "tiles do not speed up user-defined operators"},
        {!f->memory.limited, "C is there twice until its rows are in order, and memory is limited"},
        {false, why_not_similar(&f->panels, f->mask)},
        {false, why_not_grouped(&f->panels)},
        {!f->no_device_columns, "has no columns of B on the GPU"},
        {f->lanes, "needs GBL_SEMIRING_LANES of the compiled semiring"},
        {!f->compiled, "has no kernel of compiled semirings"},
        {false, "has to be asked for"},
        {!f->wide, "calls functions on complex numbers"},
        {(listed && !f->wide) || f->compiled_for_device,
         "has no kernel for this semiring on the GPU"},
    };
    unsigned unmet = 0;
    for (unsigned k = 0; k < CONDITIONS; k++) {
        why[k] = of[k].met ? NULL : of[k].why;
        unmet |= (unsigned)(why[k] != NULL) << k;
    }
    return unmet;
}

/* A product while methods are weighed. */
typedef struct {
    gb_CostCase costs;
    const gb_Features *f;
    unsigned unmet; /* GB_IF_ bits that do not hold */
    const char *why[CONDITIONS];
    bool small; /* only methods that suit few flops are compared */
    int alone;  /* the only method that is priced; -1: all are */
    int failed;
    double best; /* seconds of the fastest one so far */
} Weighing;

static void begin(Weighing *w, const gb_Features *f, const gb_MachineTable *machine, int failed) {
    *w = (Weighing){.f = f, .alone = -1, .failed = failed, .best = HUGE_VAL};
    /* comparing all methods would take longer than the product: then only those for small products
     * are compared, if the call requests nothing and needs no conversion */
    w->small = f->flops < GB_SMALL_FLOPS && f->choices.method == GBL_DEFAULT &&
               f->choices.workflow == GBL_DEFAULT && f->place == GBL_PLACE_CPU &&
               !f->memory.limited && f->A.has[GB_BY_ROWS] && f->B.has[GB_BY_ROWS] &&
               !f->stays_tiled;
    gb_cost_case(&w->costs, f, machine);
    w->unmet = find_unmet(w->why, f);
}

/* The first of the conditions that does not hold; NULL: all do. */
static const char *first_unmet(const Weighing *w, unsigned conditions) {
    const unsigned unmet = conditions & w->unmet;
    return unmet == 0 ? NULL : w->why[__builtin_ctz(unmet)];
}

/* Why the method does not match the call's request; NULL when it does. */
static const char *asked_otherwise(const gb_Features *f, const gb_Method *m) {
    const gb_Choices *c = &f->choices;
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
static const char *why_impossible(const Weighing *w, const gb_Method *m) {
    const gb_Features *f = w->f;
    if (f->filtered && !m->filters_rows && !f->filter_optional)
        return "stores whole rows, which are to be filtered first";
    const char *reason = first_unmet(w, m->needs);
    if (reason == NULL && m->refuse != NULL) reason = m->refuse(m, f);
    return reason == NULL && m->place == GBL_PLACE_GPU ? f->no_device_filter : reason;
}

/* Why the method must be requested for such products; NULL when it need not be. */
static const char *why_unsuitable(const Weighing *w, const gb_Method *m) {
    const gb_Choices *c = &w->f->choices;
    const bool by_method = m->workflow == GBL_DEFAULT || m->by_method_alone;
    if (m->workflow != GBL_DEFAULT && c->workflow == m->workflow) return NULL;
    if (by_method && c->method == m->method) return NULL;
    const char *reason = first_unmet(w, m->suits);
    return reason == NULL && m->avoid != NULL ? m->avoid(m, w->f) : reason;
}

/* -- candidates -------------------------------------------------------------------------------- */

typedef struct {
    const char *why_not; /* NULL: legal */
    bool priced;
    gb_Cost cost;
    double wanted; /* bytes, where it does not fit into the limit; else HUGE_VAL */
} Weighed;

/* Seconds that the method takes at least. */
static double least_seconds(const Weighing *w, const gb_Method *m) {
    const gb_Features *f = w->f;
    const double *ns = w->costs.machine->ns;
    double least = 0.0;
    if (m->per_flop[0] != GB_RATE_NONE)
        least += fmin(ns[m->per_flop[0]], ns[m->per_flop[1]]) * (double)f->flops;
    if (m->per_pair != GB_RATE_NONE && !f->by_pattern) least += ns[m->per_pair] * w->costs.pairs;
    return 1e-9 * least / (double)f->threads;
}

/* Method k; one that is not legal is priced where `all` are wanted, if it is possible. */
static void weigh(Weighed *to, const Weighing *w, int k, bool all) {
    const gb_Method *m = gb_methods[k];
    const gb_Features *f = w->f;
    to->wanted = HUGE_VAL;
    to->priced = false;
    to->why_not = "not compared, since the product takes less time than comparing would";
    if (w->alone >= 0 ? k != w->alone : w->small && !m->suits_small) return;
    if (!all && f->place == GBL_PLACE_CPU && m->place != GBL_PLACE_CPU) return;
    const char *impossible = w->alone >= 0 ? NULL : why_impossible(w, m);
    to->why_not = impossible;
    if (to->why_not == NULL && w->alone < 0) to->why_not = asked_otherwise(f, m);
    if (to->why_not == NULL && w->alone < 0) to->why_not = why_unsuitable(w, m);
    if (impossible != NULL || (f->place == GBL_PLACE_CPU && m->place != GBL_PLACE_CPU)) return;
    if (to->why_not == NULL && !all && least_seconds(w, m) > w->best * GB_TIE)
        to->why_not = "takes longer, whatever else it does";
    if (to->why_not != NULL && !all) return;
    const gb_Budget budget = gb_budget(m, &w->costs);
    /* rows of tiles are counted once tiles exist, and flops once rows or columns exist: bounds
     * would rule out too many calls */
    const bool later =
        (m->makes_tiles && f->choices.method == m->method) || (m->reads_flops && !f->counted);
    if (to->why_not == NULL && f->memory.limited && !later && budget.wanted > f->budget) {
        to->why_not = "does not fit into GBL_MEMORY_LIMIT (GBLITE_MEMORY_LIMIT)";
        to->wanted = budget.wanted;
    }
    if (to->why_not == NULL && (int)m->place == w->failed)
        to->why_not = "a method has failed there";
    if (to->why_not != NULL && !all) return;
    to->cost = gb_price(&budget, m, &w->costs);
    to->priced = true;
}

int gb_plan_candidates(gbl_Candidate candidates[GBL_CANDIDATES_MOST], const gb_Plan *plan,
                       const gb_Features *f, const gb_MachineTable *machine) {
    Weighing w;
    begin(&w, f, machine, plan->failed);
    if (plan->alone) w.alone = plan->chosen;
    for (int k = 0; k < gb_nmethods; k++) {
        Weighed found;
        weigh(&found, &w, k, true);
        gbl_Candidate *c = &candidates[k];
        *c = (gbl_Candidate){.method = gb_methods[k]->name,
                             .workflow = gb_methods[k]->variant,
                             .place = gb_methods[k]->place == GBL_PLACE_GPU ? "gpu" : "cpu",
                             .legal = found.why_not == NULL,
                             .why_not = found.why_not};
        if (!found.priced) continue;
        const gb_Cost *cost = &found.cost;
        c->seconds = cost->seconds;
        c->seconds_convert = cost->convert;
        c->seconds_plan = cost->plan;
        c->seconds_size = cost->size;
        c->seconds_pages = cost->pages;
        c->seconds_kernel = cost->seconds - cost->plan - cost->size - cost->convert - cost->pages;
        c->bytes = gb_to_u64(cost->bytes);
        c->slices = gb_to_u64(cost->slices);
    }
    return gb_nmethods;
}

/* -- choice ------------------------------------------------------------------------------------ */

/* The legal candidate of least seconds; -1: none. Of those that tie with it the fastest that needs
 * no conversion. */
static int find_best(const Weighed *weighed) {
    int best = -1, ready = -1;
    for (int k = 0; k < gb_nmethods; k++)
        if (weighed[k].why_not == NULL &&
            (best < 0 || weighed[k].cost.seconds < weighed[best].cost.seconds))
            best = k;
    for (int k = 0; best >= 0 && k < gb_nmethods; k++) {
        const gb_Cost *c = &weighed[k].cost;
        if (weighed[k].why_not == NULL && c->convert == 0.0 &&
            c->seconds <= weighed[best].cost.seconds * GB_TIE &&
            (ready < 0 || c->seconds < weighed[ready].cost.seconds))
            ready = k;
    }
    return ready >= 0 ? ready : best;
}

/* The first method that matches the requested method and device; else the first that matches the
 * method. */
static int find_meant(const gb_Features *f) {
    const gbl_Desc_Value method = f->choices.method;
    int found = gb_nmethods - 1;
    for (int k = gb_nmethods - 1; k >= 0; k--)
        if (method == gb_methods[k]->method) found = k;
    for (int k = 0; k < gb_nmethods; k++)
        if ((method == GBL_DEFAULT || method == gb_methods[k]->method) &&
            f->place == (int)gb_methods[k]->place)
            return k;
    return found;
}

/* No candidate is legal: the reason why the requested one is not. */
static gbl_Info fail(const Weighing *w, const Weighed *weighed) {
    double wanted = HUGE_VAL;
    for (int k = 0; k < gb_nmethods; k++) wanted = fmin(wanted, weighed[k].wanted);
    if (wanted < HUGE_VAL) return gb_fail_limit(wanted, w->f->budget);
    const int meant = find_meant(w->f);
    Weighed why;
    weigh(&why, w, meant, true);
    return gb_fail(GBL_INVALID_VALUE,
                   "%s (%s) was asked for, but %s; leave the method, the workflow or the place to "
                   "the planner",
                   gb_methods[meant]->name, gb_methods[meant]->variant, why.why_not);
}

/* What other methods that are legal would have taken without what they keep for later products. */
static void find_savings(gb_Plan *plan, const Weighing *w, const Weighed *weighed) {
    const gb_Cost *taken = &plan->cost;
    plan->saved_by_groups = plan->saved_by_columns = 0.0;
    for (int k = 0; k < gb_nmethods && !plan->forced; k++) {
        const gb_Method *m = gb_methods[k];
        const gb_Cost *c = &weighed[k].cost;
        if (weighed[k].why_not != NULL || k == plan->chosen) continue;
        const double kernel = c->seconds - c->convert;
        if (m->groups_rows && kernel < taken->seconds && c->convert > 0.0)
            plan->saved_by_groups = taken->seconds - kernel;
        if (!m->repays_columns) continue;
        /* without pages, most of which the columns take, once */
        const double left = gb_price_left(m, w->f, w->costs.machine); /* of each A anew */
        plan->saved_by_columns = fmax(plan->saved_by_columns,
                                      taken->seconds - taken->pages - (kernel - c->pages) - left);
    }
}

gbl_Info gb_plan_choose(gb_Plan *plan, const gb_Features *f, const gb_MachineTable *machine,
                        int failed) {
    Weighing w;
    Weighed weighed[GBL_CANDIDATES_MOST];
    plan->failed = failed;
    begin(&w, f, machine, failed);
    for (int k = 0; k < gb_nmethods; k++) {
        weigh(&weighed[k], &w, k, false);
        if (weighed[k].why_not == NULL) w.best = fmin(w.best, weighed[k].cost.seconds);
    }
    plan->forced = f->choices.method != GBL_DEFAULT || f->choices.workflow != GBL_DEFAULT;
    plan->alone = false;
    plan->chosen = find_best(weighed);
    if (plan->chosen < 0) return fail(&w, weighed);
    plan->method = gb_methods[plan->chosen];
    plan->cost = weighed[plan->chosen].cost;
    plan->budget = gb_budget(plan->method, &w.costs);
    find_savings(plan, &w, weighed);
    return GBL_SUCCESS;
}

void gb_plan_credit(const gb_Plan *plan, const gb_Operands *in) {
    const gb_Factor *A = &in->A, *B = &in->B;
    if (plan->saved_by_groups > 0.0) gb_groups_credit(A->X, A->rows, plan->saved_by_groups);
    /* no column pointers where columns far outnumber B's entries */
    const bool many = gb_nminor(B->X, B->rows) / GB_FEW > B->X->nvals + gb_nmajor(B->X, B->rows);
    if (plan->saved_by_columns > 0.0 && !B->has[GB_BY_COLUMNS] && !many)
        __atomic_add_fetch(&B->X->demand[1 - B->rows], gb_to_u64(1e9 * plan->saved_by_columns),
                           __ATOMIC_RELAXED);
}
