/* SPDX-License-Identifier: Apache-2.0
 *
 * One input: every contender's result is compared with SuiteSparse's, and its memory counted while
 * the libraries keep no freed blocks; then all are timed in turns.
 */
#include "jobs/product.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "harness/counted.h"

/* Seconds of all rounds of one input, beyond which there are fewer. A forced variant that takes
 * longer than `SHORT` seconds and `HOPELESS` times as long as the quickest contender when results
 * are checked is not run again. */
static const double BUDGET = 4.0, SHORT = 0.2, HOPELESS = 20.0;
enum { LEAST_ROUNDS = 3 };

static gbl_Info describe(product_problem *p) {
    const bool transposed = p->masked || p->in.nrows != p->in.ncols;
    gbl_TileFacts facts = {0};
    gbl_MxmEstimate product = GBL_MXM_ESTIMATE_INIT;
    gbl_Matrix A = NULL; /* a copy, which keeps the sketches to itself */
    gbl_Info info = gbl_Matrix_dup(&A, p->in.A);
    if (info == GBL_SUCCESS)
        info = gbl_mxm_estimate(&product, GBL_PLUS_PAIR_SEMIRING_INT64, A, A,
                                transposed ? GBL_DESC_T1 : NULL);
    if (info == GBL_SUCCESS) info = gbl_Matrix_tiles(&facts, A);
    gbl_Matrix_free(&A);
    p->flops = (double)product.flops;
    p->fill = facts.fill;
    return info;
}

int product_load(product_problem *p) {
    return peer_load(&p->in, p->operand, p->masked ? PEER_SORTED_LOWER : p->order);
}

bool product_is_mine(const product_contender *c) {
    return c->of.task.variant != NULL;
}

bool product_is_forced(const product_contender *c) {
    return product_is_mine(c) && c->of.task.variant != &PRODUCT_VARIANTS[0];
}

int product_new(product_contender *c, const product_problem *problem, const char *name) {
    side_entrant *e = &c->of;
    *e = (side_entrant){name, NULL, NULL, {.in = &problem->in, .masked = problem->masked}};
    for (int w = 0; w < PRODUCT_VARIANT_COUNT; w++)
        if (strcmp(PRODUCT_VARIANTS[w].name, name) == 0) e->task.variant = &PRODUCT_VARIANTS[w];
    e->row = e->task.variant != NULL ? gblite_variant.rows : suitesparse_variant.rows;
    if (e->task.variant != NULL)
        e->library = &GBLITE_SIDE;
    else
        e->library = strcmp(name, "mkl") == 0 ? &MKL_SIDE : &SUITESPARSE_SIDE;
    if (e->library == &MKL_SIDE && !bench_has_mkl()) return -1;
    c->work = e->library->open(e->row, &e->task);
    return c->work != NULL ? 0 : -1;
}

static int add(product_race *race, const product_problem *problem, const char *name) {
    return product_new(&race->list[race->count++], problem, name);
}

static bool is_wanted(const product_rules *rules, const char *name, bool mine) {
    if (rules->regret && !mine) return false;
    for (int k = 0; k < rules->contender_count; k++)
        if (strcmp(rules->contenders[k], name) == 0) return true;
    return rules->contender_count == 0;
}

/* SuiteSparse first, which all results are compared with, then gblite's variants, its own choice
 * first, then MKL. */
static int gather(product_race *race, const product_problem *problem, const product_rules *rules) {
    if (add(race, problem, "suitesparse") != 0) return -1;
    for (int w = 0; w < PRODUCT_VARIANT_COUNT; w++) {
        if (PRODUCT_VARIANTS[w].with_mask == (problem->masked ? -1 : 1)) continue;
        if (PRODUCT_VARIANTS[w].extra && rules->contender_count == 0) continue;
        if (!is_wanted(rules, PRODUCT_VARIANTS[w].name, true)) continue;
        if (add(race, problem, PRODUCT_VARIANTS[w].name) != 0) return -1;
    }
    if (!bench_has_mkl() || problem->masked || !is_wanted(rules, "mkl", false)) return 0;
    return add(race, problem, "mkl");
}

static int run(void *context) {
    const product_contender *c = context;
    return c->of.library->run(c->work);
}

/* Without a fresh factor the next run fails, and says so. */
static void reset(void *context) {
    const product_contender *c = context;
    c->of.library->renew(c->work);
}

/* One product of a contender, its memory and its result, which the first one leaves as the
 * reference. */
static int check_one(product_contender *c, const product_problem *problem, side_tuples *reference) {
    const side_library *library = c->of.library;
    product_result *r = &c->result;
    *r = (product_result){.bytes = -1, .predicted = -1};
    reset(c);
    counted_begin();
    const double start = bench_seconds();
    const int done = library->attempt(c->work, r->why_not, sizeof r->why_not);
    r->seconds = bench_seconds() - start;
    if (done <= 0) return done;
    r->bytes = library->peak != NULL ? library->peak(c->work) : counted_peak();
    side_result found = {.count = 0};
    side_tuples *result = &found.part[SIDE_C];
    int status = library->take(c->work, (side_part){0, 1}, &found);
    if (status == 0 && reference->I != NULL &&
        !side_tuples_agree(reference, result, problem->masked)) {
        fprintf(stderr, "bench: %s: the result of %s is wrong\n", problem->operand, c->of.name);
        status = -1;
    }
    if (status == 0 && reference->I == NULL)
        *reference = *result;
    else
        side_tuples_free(result);
    if (status != 0) return -1;
    reset(c);
    if (product_is_mine(c)) r->how = library->explain(c->work);
    return 0;
}

static int check(product_race *race, product_problem *problem) {
    side_tuples reference = {0};
    int64_t pool = 0;
    int status = -1;
    if (bench_failed(gbl_Global_get_INT64(GBL_GLOBAL, &pool, GBL_POOL_LIMIT), "pool")) return -1;
    if (bench_failed(gbl_Global_set_INT64(GBL_GLOBAL, 0, GBL_POOL_LIMIT), "pool")) return -1;
    peer_pool(false);
    for (int k = 0; k < race->count; k++)
        if (check_one(&race->list[k], problem, &reference) != 0) goto done;
    problem->result_entries = (double)reference.n;
    status = 0;
done: /* the pools come back in any case, for the inputs that follow */
    peer_pool(true);
    if (bench_failed(gbl_Global_set_INT64(GBL_GLOBAL, pool, GBL_POOL_LIMIT), "pool")) status = -1;
    side_tuples_free(&reference);
    return status;
}

/* Of the forced variants; the others are what results are compared with. */
static bool is_hopeless(const product_race *race, const product_contender *c) {
    double quickest = c->result.seconds;
    for (int k = 0; k < race->count; k++)
        if (race->list[k].result.why_not[0] == '\0')
            quickest = fmin(quickest, race->list[k].result.seconds);
    return product_is_forced(c) && c->result.seconds > SHORT &&
           c->result.seconds > HOPELESS * quickest;
}

static int time_all(product_race *race, const product_rules *rules) {
    const bench_rules turns = {
        .rounds = rules->setup.rounds, .least = LEAST_ROUNDS, .budget = BUDGET, .drop = true};
    bench_contender list[PRODUCT_MOST];
    int which[PRODUCT_MOST], count = 0;
    for (int k = 0; k < race->count; k++) {
        product_contender *c = &race->list[k];
        c->result.samples = 1;
        if (c->result.why_not[0] == '\0' && !is_wanted(rules, c->of.name, product_is_mine(c)))
            snprintf(c->result.why_not, sizeof c->result.why_not, "not asked for");
        if (c->result.why_not[0] != '\0' || is_hopeless(race, c)) continue;
        which[count] = k;
        list[count++] = (bench_contender){c->of.name, run, reset, c, 0};
    }
    const int rounds = count > 0 ? bench_take_turns_by(&turns, list, count) : 0;
    if (rounds < 0) return -1;
    for (int k = 0; k < count; k++) {
        product_contender *c = &race->list[which[k]];
        c->result.seconds = list[k].median;
        c->result.samples = rounds;
        if (product_is_mine(c)) c->result.how = c->of.library->explain(c->work);
    }
    return 0;
}

/* What the automatic plan expected of every variant. */
static void take_predictions(product_race *race) {
    const product_result *automatic = product_find(race, PRODUCT_VARIANTS[0].name);
    if (automatic == NULL) return;
    const gbl_Explanation *plan = &automatic->how;
    for (int k = 0; k < race->count; k++) {
        const product_variant *v = race->list[k].of.task.variant;
        for (int c = 0; c < plan->ncandidates && v != NULL; c++) {
            const gbl_Candidate *candidate = &plan->candidates[c];
            if (v == &PRODUCT_VARIANTS[0]
                    ? c == plan->chosen
                    : candidate->legal && strcmp(candidate->method, v->method_text) == 0 &&
                          (v->workflow_text[0] == '\0' ||
                           strcmp(candidate->workflow, v->workflow_text) == 0))
                race->list[k].result.predicted = candidate->seconds;
        }
    }
}

int product_input(product_race *race, product_problem *problem, const product_rules *rules) {
    race->count = 0;
    if (product_load(problem) != 0) return -1;
    if (bench_failed(describe(problem), problem->operand)) return -1;
    if (gather(race, problem, rules) != 0 || check(race, problem) != 0) return -1;
    if (time_all(race, rules) != 0) return -1;
    take_predictions(race);
    return product_first_calls(race, problem, rules);
}

void product_end(product_race *race) {
    for (int k = 0; k < race->count; k++)
        if (race->list[k].work != NULL) race->list[k].of.library->close(race->list[k].work);
    race->count = 0;
}

const product_result *product_find(const product_race *race, const char *name) {
    for (int k = 0; k < race->count; k++)
        if (strcmp(race->list[k].of.name, name) == 0)
            return race->list[k].result.why_not[0] == '\0' ? &race->list[k].result : NULL;
    return NULL;
}

const product_contender *product_best_forced(const product_race *race) {
    const product_contender *best = NULL;
    for (int k = 0; k < race->count; k++) {
        const product_contender *c = &race->list[k];
        if (!product_is_forced(c) || c->of.task.variant->extra || c->result.why_not[0] != '\0')
            continue;
        if (best == NULL || c->result.seconds < best->result.seconds) best = c;
    }
    return best;
}

double product_regret(const product_race *race) {
    const product_result *automatic = product_find(race, PRODUCT_VARIANTS[0].name);
    const product_contender *best = product_best_forced(race);
    return automatic != NULL && best != NULL ? automatic->seconds / best->result.seconds : NAN;
}

double product_plan_share(const gbl_Explanation *how) {
    const double all = how->seconds_prepare + how->seconds_kernel + how->seconds_finish;
    const bool reads = strcmp(how->method, "rowwise") == 0 || strcmp(how->method, "outer") == 0;
    /* flops of rows that the kernel reads would be counted without a plan too */
    return all > 0 ? (how->seconds_plan - (reads ? how->seconds_count : 0)) / all : 0;
}
