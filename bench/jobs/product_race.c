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

/* -- gblite's variants: its own choice, and every method and workflow forced */

#define CHOICE(id, m, w, mt, wt, mask)                                                             \
    {                                                                                              \
        .name = id, .method = m, .workflow = w, .method_text = mt, .workflow_text = wt,            \
        .with_mask = mask                                                                          \
    }
#define WARM(id, m, tiles)                                                                         \
    {                                                                                              \
        .name = id, .method = m, .method_text = "", .workflow_text = "", .with_mask = -1,          \
        .extra = true, .warm = true, .in_tiles = tiles                                             \
    }
#define VARIANT(id, v)                                                                             \
    {                                                                                              \
        .name = id, .method = GBL_METHOD_VECTOR, .method_text = "", .workflow_text = "",           \
        .with_mask = -1, .extra = true, .vector = v                                                \
    }
const product_variant PRODUCT_VARIANTS[] = {
    CHOICE("auto", GBL_DEFAULT, GBL_DEFAULT, "", "", 0),
    CHOICE("upper_bound", GBL_METHOD_ROWWISE, GBL_WORKFLOW_UPPER_BOUND, "rowwise", "upper bound",
           0),
    CHOICE("estimate", GBL_METHOD_ROWWISE, GBL_WORKFLOW_ESTIMATE, "rowwise", "estimate", -1),
    CHOICE("symbolic", GBL_METHOD_ROWWISE, GBL_WORKFLOW_SYMBOLIC, "rowwise", "symbolic", -1),
    CHOICE("tiled", GBL_METHOD_TILED, GBL_DEFAULT, "tiled", "", 0),
    CHOICE("panel", GBL_METHOD_PANEL, GBL_WORKFLOW_AS_THEY_ARE, "panel", "rows", 0),
    CHOICE("panel_grouped", GBL_METHOD_PANEL, GBL_WORKFLOW_GROUPED, "panel", "grouped rows", 0),
    CHOICE("outer", GBL_METHOD_OUTER, GBL_DEFAULT, "outer", "", 0),
    CHOICE("dot", GBL_METHOD_DOT, GBL_DEFAULT, "dot", "", 1),
    WARM("rowwise_warm", GBL_METHOD_ROWWISE, false),
    WARM("outer_warm", GBL_METHOD_OUTER, false),
    WARM("tiled_warm", GBL_METHOD_TILED, false),
    WARM("tiled_to_tiles", GBL_METHOD_TILED, true),
    VARIANT("spa", GBL_VECTOR_SPA),
    VARIANT("hash-32/256", GBL_VECTOR_HASH_32_256),
    VARIANT("hash-256/256", GBL_VECTOR_HASH_256_256),
    VARIANT("h-hash-32/256", GBL_VECTOR_H_HASH_32_256),
    VARIANT("h-hash-256/256", GBL_VECTOR_H_HASH_256_256)};
const int PRODUCT_VARIANT_COUNT = sizeof PRODUCT_VARIANTS / sizeof *PRODUCT_VARIANTS;

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

static bool is_wanted(const product_rules *rules, const char *name, bool mine) {
    if (rules->regret && !mine) return false;
    for (int k = 0; k < rules->contender_count; k++)
        if (strcmp(rules->contenders[k], name) == 0) return true;
    return rules->contender_count == 0;
}

enum { MOST = 24 };
typedef struct {
    product_contender list[MOST];
    int count;
    cJSON *results; /* of the document */
} race;

static int add(race *r, const product_problem *problem, const char *name) {
    product_contender *c = &r->list[r->count++];
    const int status = product_new(c, problem, name);
    c->result = cJSON_CreateObject();
    cJSON_AddStringToObject(c->result, "name", name);
    cJSON_AddItemToArray(r->results, c->result);
    return status;
}

/* SuiteSparse first, which all results are compared with, then gblite's variants, its own choice
 * first, then MKL. */
static int gather(race *r, const product_problem *problem, const product_rules *rules) {
    if (add(r, problem, "suitesparse") != 0) return -1;
    for (int w = 0; w < PRODUCT_VARIANT_COUNT; w++) {
        if (PRODUCT_VARIANTS[w].with_mask == (problem->masked ? -1 : 1)) continue;
        if (PRODUCT_VARIANTS[w].extra && rules->contender_count == 0) continue;
        if (!is_wanted(rules, PRODUCT_VARIANTS[w].name, true)) continue;
        if (add(r, problem, PRODUCT_VARIANTS[w].name) != 0) return -1;
    }
    if (!bench_has_mkl() || problem->masked || !is_wanted(rules, "mkl", false)) return 0;
    return add(r, problem, "mkl");
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

/* The result of a product, which the first contender leaves as the reference. */
static int check_result(const product_contender *c, const product_problem *problem,
                        side_tuples *reference) {
    side_result found = {.count = 0};
    side_tuples *result = &found.part[SIDE_C];
    if (c->of.library->take(c->work, (side_part){0, 1}, &found) != 0) return -1;
    if (reference->I == NULL) {
        *reference = *result;
        return 0;
    }
    const bool right = side_tuples_agree(reference, result, problem->masked);
    side_tuples_free(result);
    if (!right)
        fprintf(stderr, "bench: %s: the result of %s is wrong\n", problem->operand, c->of.name);
    return right ? 0 : -1;
}

/* One product of a contender, its memory and its result. "seconds" are those of this one product.
 */
static int check_one(product_contender *c, const product_problem *problem,
                     const product_rules *rules, side_tuples *reference) {
    const side_library *library = c->of.library;
    char why_not[160] = "not asked for";
    reset(c);
    counted_begin();
    const double start = bench_seconds();
    const int done = library->attempt(c->work, why_not, sizeof why_not);
    const double seconds = bench_seconds() - start;
    if (done < 0) return -1;
    const double bytes = library->peak != NULL ? library->peak(c->work) : counted_peak();
    if (done > 0 && check_result(c, problem, reference) != 0) return -1;
    if (done > 0) reset(c);
    if (done == 0 || !is_wanted(rules, c->of.name, product_is_mine(c))) {
        cJSON_AddStringToObject(c->result, "why_not", why_not);
        return 0;
    }
    cJSON_AddNumberToObject(c->result, "seconds", seconds);
    cJSON_AddNumberToObject(c->result, "samples", 1);
    if (bytes >= 0) cJSON_AddNumberToObject(c->result, "bytes", bytes);
    if (product_is_mine(c)) c->how = library->explain(c->work);
    return 0;
}

static int check(race *r, product_problem *problem, const product_rules *rules) {
    side_tuples reference = {0};
    int64_t pool = 0;
    int status = 0;
    if (bench_failed(gbl_Global_get_INT64(GBL_GLOBAL, &pool, GBL_POOL_LIMIT), "pool")) return -1;
    if (bench_failed(gbl_Global_set_INT64(GBL_GLOBAL, 0, GBL_POOL_LIMIT), "pool")) return -1;
    peer_pool(false);
    for (int k = 0; k < r->count && status == 0; k++)
        status = check_one(&r->list[k], problem, rules, &reference);
    problem->result_entries = (double)reference.n;
    /* the pools come back in any case, for the inputs that follow */
    peer_pool(true);
    if (bench_failed(gbl_Global_set_INT64(GBL_GLOBAL, pool, GBL_POOL_LIMIT), "pool")) status = -1;
    side_tuples_free(&reference);
    return status;
}

/* NAN of a contender that did not run. */
static double seconds_of(const product_contender *c) {
    const cJSON *seconds = cJSON_GetObjectItem(c->result, "seconds");
    return seconds != NULL ? seconds->valuedouble : NAN;
}

/* Of the forced variants; the others are what results are compared with. */
static bool is_hopeless(const race *r, const product_contender *c) {
    double quickest = seconds_of(c);
    for (int k = 0; k < r->count; k++) quickest = fmin(quickest, seconds_of(&r->list[k]));
    return product_is_forced(c) && seconds_of(c) > SHORT && seconds_of(c) > HOPELESS * quickest;
}

static int time_all(race *r, const product_rules *rules) {
    const bench_rules turns = {
        .rounds = rules->rounds, .least = LEAST_ROUNDS, .budget = BUDGET, .drop = true};
    bench_contender list[MOST];
    int count = 0;
    for (int k = 0; k < r->count; k++) {
        product_contender *c = &r->list[k];
        if (isnan(seconds_of(c)) || is_hopeless(r, c)) continue;
        list[count++] = (bench_contender){c->of.name, run, reset, c, 0, 0};
    }
    const int rounds = count > 0 ? bench_take_turns_by(&turns, list, count) : 0;
    for (int k = 0; k < count && rounds > 0; k++) {
        product_contender *c = list[k].context;
        bench_set_number(c->result, "seconds", list[k].median);
        bench_set_number(c->result, "samples", rounds);
        if (product_is_mine(c)) c->how = c->of.library->explain(c->work);
    }
    return rounds < 0 ? -1 : 0;
}

/* What the automatic plan expected of every variant. */
static void add_predictions(const race *r, const gbl_Explanation *plan) {
    for (int k = 0; k < r->count; k++) {
        const product_variant *v = r->list[k].of.task.variant;
        if (v == NULL || isnan(seconds_of(&r->list[k]))) continue;
        for (int c = 0; c < plan->ncandidates; c++) {
            const gbl_Candidate *candidate = &plan->candidates[c];
            if (v == &PRODUCT_VARIANTS[0]
                    ? c == plan->chosen
                    : candidate->legal && strcmp(candidate->method, v->method_text) == 0 &&
                          (v->workflow_text[0] == '\0' ||
                           strcmp(candidate->workflow, v->workflow_text) == 0))
                bench_set_number(r->list[k].result, "predicted", candidate->seconds);
        }
    }
}

/* The automatic choice: its reason, and its seconds over those of the quickest forced variant. */
static void report_choice(cJSON *input, const race *r) {
    double automatic = NAN, forced = NAN;
    for (int k = 0; k < r->count; k++) {
        const product_contender *c = &r->list[k];
        if (product_is_forced(c) && !c->of.task.variant->extra)
            forced = fmin(forced, seconds_of(c));
        if (!product_is_mine(c) || isnan(seconds_of(c))) continue;
        product_explain(c->result, &c->how);
        if (product_is_forced(c)) continue;
        automatic = seconds_of(c);
        cJSON_AddStringToObject(input, "reason", c->how.reason);
        add_predictions(r, &c->how);
    }
    if (!isnan(automatic / forced)) cJSON_AddNumberToObject(input, "regret", automatic / forced);
}

static void report_facts(cJSON *input, const product_problem *p) {
    char name[64];
    bench_operand_name(name, sizeof name, p->operand);
    cJSON_AddStringToObject(input, "operation", p->keyword);
    cJSON_AddStringToObject(input, "name", name);
    cJSON_AddBoolToObject(input, "held_out", p->held_out);
    cJSON_AddNumberToObject(input, "rows", (double)p->in.nrows);
    cJSON_AddNumberToObject(input, "columns", (double)p->in.ncols);
    cJSON_AddNumberToObject(input, "entries", (double)p->in.nvals);
    cJSON_AddNumberToObject(input, "fill", p->fill);
    cJSON_AddNumberToObject(input, "flops", p->flops);
    cJSON_AddNumberToObject(input, "result_entries", p->result_entries);
}

static int measure(cJSON *input, race *r, product_problem *problem, const product_rules *rules) {
    if (product_load(problem) != 0) return -1;
    if (bench_failed(describe(problem), problem->operand)) return -1;
    if (gather(r, problem, rules) != 0 || check(r, problem, rules) != 0) return -1;
    if (time_all(r, rules) != 0) return -1;
    report_facts(input, problem);
    report_choice(input, r);
    return product_first_calls(r->list, r->count, problem, rules);
}

cJSON *product_input(product_problem *problem, const product_rules *rules) {
    cJSON *input = cJSON_CreateObject();
    race r = {.results = cJSON_AddArrayToObject(input, "contenders")};
    const int status = measure(input, &r, problem, rules);
    for (int k = 0; k < r.count; k++)
        if (r.list[k].work != NULL) r.list[k].of.library->close(r.list[k].work);
    peer_unload(&problem->in);
    if (status == 0) return input;
    cJSON_Delete(input);
    return NULL;
}
