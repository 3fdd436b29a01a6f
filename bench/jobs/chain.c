/* SPDX-License-Identifier: Apache-2.0
 *
 * Job chain: whether the order that gbl_mxm_chain takes is the quickest one: every order that the
 * plan shows, product by product, and gbl_mxm_chain, which plans first, in turns. Plus-times on
 * FP64, random values; all results must be equal up to rounding.
 */
#include "jobs/job.h"

#include <stdio.h>
#include <string.h>

#include "harness/values.h"

typedef struct {
    char name[64];
    char specs[GBL_CHAIN_MOST][128]; /* as in the suite, with ' where transposed */
    gbl_Matrix A[GBL_CHAIN_MOST];
    int count;
} chain_factors;

typedef struct {
    const chain_factors *factors;
    const gbl_ChainOrder *order; /* NULL: gbl_mxm_chain */
    gbl_Matrix C;
} contender;

/* *C = an empty matrix of as many rows as A and columns as B. */
static gbl_Info new_product(gbl_Matrix *C, gbl_Matrix A, gbl_Matrix B) {
    gbl_Index nrows = 0, ncols = 0;
    gbl_Info info = gbl_Matrix_nrows(&nrows, A);
    if (info == GBL_SUCCESS) info = gbl_Matrix_ncols(&ncols, B);
    return info == GBL_SUCCESS ? gbl_Matrix_new(C, GBL_FP64, nrows, ncols) : info;
}

/* In sorted rows, whatever the method left. */
static gbl_Info finish(gbl_Matrix C) {
    double first;
    gbl_Info info = gbl_Matrix_wait(C, GBL_MATERIALIZE);
    if (info == GBL_SUCCESS) info = gbl_Matrix_extractElement_FP64(&first, C, 0, 0);
    return info == GBL_NO_VALUE ? GBL_SUCCESS : info;
}

/* The products of an order, as its steps say. */
static gbl_Info follow(gbl_Matrix *C, const chain_factors *f, const gbl_ChainOrder *order) {
    struct {
        gbl_Matrix A;
        bool owned;
    } left[GBL_CHAIN_MOST];
    gbl_Info info = GBL_SUCCESS;
    int n = f->count;
    for (int k = 0; k < n; k++) {
        left[k].A = f->A[k];
        left[k].owned = false;
    }
    for (int s = 0; s + 1 < f->count && info == GBL_SUCCESS; s++) {
        const int at = order->step[s];
        gbl_Matrix A = left[at].A, B = left[at + 1].A, product = NULL;
        info = new_product(&product, A, B);
        if (info == GBL_SUCCESS)
            info = gbl_mxm(product, NULL, NULL, GBL_PLUS_TIMES_SEMIRING_FP64, A, B, NULL);
        for (int k = at; k < at + 2; k++)
            if (left[k].owned) gbl_Matrix_free(&left[k].A);
        left[at].A = product;
        left[at].owned = true;
        n--;
        memmove(&left[at + 1], &left[at + 2], (size_t)(n - at - 1) * sizeof *left);
    }
    *C = left[0].A;
    for (int k = 1; k < n; k++)
        if (left[k].owned) gbl_Matrix_free(&left[k].A);
    return info;
}

static int run(void *context) {
    contender *c = context;
    const chain_factors *f = c->factors;
    gbl_Info info;
    if (c->order != NULL) {
        info = follow(&c->C, f, c->order);
    } else {
        info = new_product(&c->C, f->A[0], f->A[f->count - 1]);
        if (info == GBL_SUCCESS)
            info =
                gbl_mxm_chain(c->C, NULL, NULL, GBL_PLUS_TIMES_SEMIRING_FP64, f->A, f->count, NULL);
    }
    if (info == GBL_SUCCESS) info = finish(c->C);
    return bench_failed(info, f->name) ? -1 : 0;
}

static void reset(void *context) {
    contender *c = context;
    gbl_Matrix_free(&c->C);
}

static int check_all(contender *list, int count) {
    for (int k = 1; k < count; k++) {
        double difference = 0;
        if (bench_failed(bench_difference(&difference, list[0].C, list[k].C), "compare")) return -1;
        if (difference <= 1e-10) continue;
        fprintf(stderr, "bench: %s: order %d gives another result than order 1\n",
                list[0].factors->name, k + 1);
        return -1;
    }
    return 0;
}

static void report(cJSON *object, const gbl_ChainPlan *plan, const bench_contender *list) {
    cJSON *orders = cJSON_AddArrayToObject(object, "orders");
    for (int k = 0; k < plan->norders; k++) {
        const gbl_ChainOrder *o = &plan->orders[k];
        cJSON *order = cJSON_CreateObject();
        cJSON_AddStringToObject(order, "order", o->text);
        cJSON_AddNumberToObject(order, "seconds", list[k].median);
        cJSON_AddNumberToObject(order, "predicted", o->seconds);
        cJSON_AddNumberToObject(order, "flops", o->flops);
        cJSON_AddNumberToObject(order, "entries", o->entries);
        cJSON_AddItemToArray(orders, order);
    }
    cJSON_AddNumberToObject(object, "chosen", plan->chosen);
    cJSON_AddNumberToObject(object, "chain_seconds", list[plan->norders].median);
}

static int race(cJSON *object, const chain_factors *f, int rounds) {
    int status = -1, count;
    contender all[GBL_CHAIN_ORDERS + 1] = {{NULL, NULL, NULL}};
    bench_contender list[GBL_CHAIN_ORDERS + 1];
    gbl_ChainPlan plan = GBL_CHAIN_PLAN_INIT;
    double seconds[2];
    for (int k = 0; k < 2; k++) { /* the first one makes sketches that stay with the factors */
        if (bench_failed(
                gbl_mxm_chain_plan(&plan, GBL_PLUS_TIMES_SEMIRING_FP64, f->A, f->count, NULL),
                f->name))
            return -1;
        seconds[k] = plan.seconds_plan;
    }
    count = plan.norders + 1;
    for (int k = 0; k < count; k++) {
        all[k] = (contender){f, k < plan.norders ? &plan.orders[k] : NULL, NULL};
        list[k] = (bench_contender){f->name, run, reset, &all[k], 0, 0};
    }
    if (bench_take_turns(list, count, rounds) != 0 || check_all(all, count) != 0) goto done;
    report(object, &plan, list);
    cJSON_AddNumberToObject(object, "plan_first", seconds[0]);
    cJSON_AddNumberToObject(object, "plan_again", seconds[1]);
    status = 0;
done:
    for (int k = 0; k < count; k++) reset(&all[k]);
    return status;
}

static gbl_Info load(gbl_Matrix *A, const char *text) {
    char spec[128];
    gbl_Matrix T = NULL;
    gbl_Index nrows = 0, ncols = 0;
    snprintf(spec, sizeof spec, "%s", text);
    char *mark = strchr(spec, '\'');
    if (mark != NULL) *mark = '\0';
    gbl_Info info = gbl_load(A, GBL_FP64, spec);
    if (info == GBL_SUCCESS) info = bench_set_values(*A);
    if (info != GBL_SUCCESS || mark == NULL) return info;
    info = gbl_Matrix_nrows(&nrows, *A);
    if (info == GBL_SUCCESS) info = gbl_Matrix_ncols(&ncols, *A);
    if (info == GBL_SUCCESS) info = gbl_Matrix_new(&T, GBL_FP64, ncols, nrows);
    if (info == GBL_SUCCESS) info = gbl_transpose(T, NULL, NULL, *A, NULL);
    gbl_Matrix_free(A);
    *A = T;
    return info;
}

/* Factors of the same text are one matrix. */
static gbl_Info load_all(chain_factors *f) {
    gbl_Info info = GBL_SUCCESS;
    for (int k = 0; k < f->count && info == GBL_SUCCESS; k++) {
        for (int j = 0; j < k && f->A[k] == NULL; j++)
            if (strcmp(f->specs[j], f->specs[k]) == 0) f->A[k] = f->A[j];
        if (f->A[k] == NULL) info = load(&f->A[k], f->specs[k]);
    }
    return info;
}

static void unload(chain_factors *f) {
    for (int k = 0; k < f->count; k++) {
        gbl_Matrix A = f->A[k];
        for (int j = k; j < f->count; j++)
            if (f->A[j] == A) f->A[j] = NULL;
        gbl_Matrix_free(&A);
    }
}

static int measure_chain(cJSON *object, chain_factors *f, int rounds) {
    cJSON_AddStringToObject(object, "name", f->name);
    cJSON *list = cJSON_AddArrayToObject(object, "factors");
    for (int k = 0; k < f->count; k++) cJSON_AddItemToArray(list, cJSON_CreateString(f->specs[k]));
    int status = -1;
    if (!bench_failed(load_all(f), f->name)) status = race(object, f, rounds);
    unload(f);
    return status;
}

/* NAME FACTOR FACTOR ... of a line; false when there is no chain in it. */
static bool read_chain(chain_factors *f, char *text) {
    char *rest = NULL;
    text[strcspn(text, "#\n")] = '\0';
    memset(f, 0, sizeof *f);
    const char *word = strtok_r(text, " ", &rest);
    if (word == NULL) return false;
    snprintf(f->name, sizeof f->name, "%s", word);
    while (f->count < GBL_CHAIN_MOST && (word = strtok_r(NULL, " ", &rest)) != NULL)
        snprintf(f->specs[f->count++], sizeof f->specs[0], "%s", word);
    return true;
}

static void measure(bench_sink *to) {
    static chain_factors factors;
    char text[4096];
    cJSON *list = cJSON_AddArrayToObject(to->document, "chains");
    FILE *file = fopen(to->o->suite, "r"); /* which bench_parse() has looked for */
    while (file != NULL && fgets(text, sizeof text, file) != NULL) {
        if (!read_chain(&factors, text) || !bench_is_chosen(to->o, factors.name)) continue;
        fprintf(stderr, "bench: chain %s\n", factors.name);
        cJSON *object = cJSON_CreateObject();
        cJSON_AddItemToArray(list, object);
        if (measure_chain(object, &factors, to->o->rounds) != 0) to->failures++;
    }
    if (file != NULL) fclose(file);
    if (cJSON_GetArraySize(list) > 0) return;
    fprintf(stderr, "bench: no such chain in %s\n", to->o->suite);
    to->failures++;
}

const bench_job JOB_CHAIN = {
    .name = "chain",
    .about = "chains of products in every order and by gbl_mxm_chain; prints JSON",
    .lines = "NAME FACTOR FACTOR...",
    .suite = "suites/chain.txt",
    .rounds = 5,
    .takes = BENCH_THREADS | BENCH_ONLY,
    .measure = measure};
