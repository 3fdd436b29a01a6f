/* SPDX-License-Identifier: Apache-2.0
 *
 * Part "race": A*A by every variant of VECTOR, ROWWISE, OUTER, the planner's choice and
 * SuiteSparse, in turns; all results are compared. Beside the median of seconds, the least of the
 * rounds in processor time of all threads, which other programs disturb less.
 */
#include "vector/vector.h"

#include "peers/suitesparse.h"

#include <stdio.h>
#include <time.h>

enum { OTHERS = 3, GBLITE = VECTOR_VARIANTS + OTHERS };

typedef struct {
    const peer_input *in;
    gbl_Descriptor desc;
    gbl_Matrix C;
    peer_csr csr;     /* SuiteSparse's */
    double processor; /* seconds, the least of all runs */
} contender;

static double processor_seconds(void) {
    return (double)clock() / (double)CLOCKS_PER_SEC;
}

static void note(contender *c, double start) {
    const double seconds = processor_seconds() - start;
    if (c->processor == 0.0 || seconds < c->processor) c->processor = seconds;
}

static int run_mine(void *context) {
    contender *c = context;
    const double start = processor_seconds();
    gbl_Info info = gbl_Matrix_new(&c->C, GBL_FP64, c->in->nrows, c->in->ncols);
    if (info == GBL_SUCCESS)
        info = gbl_mxm(c->C, NULL, NULL, GBL_PLUS_TIMES_SEMIRING_FP64, c->in->A, c->in->A, c->desc);
    if (info == GBL_SUCCESS) info = gbl_Matrix_wait(c->C, GBL_MATERIALIZE);
    note(c, start);
    return bench_failed(info, "mxm") ? -1 : 0;
}

static void reset_mine(void *context) {
    contender *c = context;
    gbl_Matrix_free(&c->C);
}

static int run_other(void *context) {
    contender *c = context;
    const double start = processor_seconds();
    const int status = peer_multiply(c->in, &c->csr);
    note(c, start);
    return status;
}

static void reset_other(void *context) {
    contender *c = context;
    peer_drop(&c->csr);
}

static gbl_Info choose(gbl_Descriptor *desc, gbl_Desc_Value method, gbl_Desc_Value variant) {
    gbl_Info info = gbl_Descriptor_new(desc);
    if (info == GBL_SUCCESS) info = gbl_Descriptor_set(*desc, GBL_METHOD, method);
    if (info == GBL_SUCCESS) info = gbl_Descriptor_set(*desc, GBL_VECTOR_VARIANT, variant);
    return info;
}

static int check(contender *all, uint64_t *nvals) {
    contender *other = &all[GBLITE];
    if (peer_take(&other->csr) != 0) return -1;
    for (int k = 0; k < GBLITE; k++)
        if (!peer_equal(all[k].C, &other->csr, PEER_FP64, nvals)) return -1;
    return 0;
}

static int race(cJSON *object, const peer_input *in, const bench_setup *setup) {
    static const vector_variant others[OTHERS] = {
        {"auto", GBL_DEFAULT}, {"rowwise", GBL_METHOD_ROWWISE}, {"outer", GBL_METHOD_OUTER}};
    contender all[GBLITE + 1] = {{0}};
    bench_contender list[GBLITE + 1];
    uint64_t nvals = 0;
    int status = 0;
    for (int k = 0; k <= GBLITE; k++) {
        const int v = k - OTHERS;
        all[k].in = in;
        if (k == GBLITE)
            list[k] = (bench_contender){"suitesparse", run_other, reset_other, &all[k], 0};
        else
            list[k] = (bench_contender){v < 0 ? others[k].name : vector_variants[v].name, run_mine,
                                        reset_mine, &all[k], 0};
        if (k < GBLITE &&
            bench_failed(choose(&all[k].desc, v < 0 ? others[k].value : GBL_METHOD_VECTOR,
                                v < 0 ? GBL_DEFAULT : vector_variants[v].value),
                         "descriptor"))
            status = -1;
    }
    if (status == 0) status = bench_take_turns(list, GBLITE + 1, setup->rounds);
    cJSON *processor = cJSON_AddObjectToObject(object, "processor");
    for (int k = 0; k <= GBLITE && status == 0; k++) {
        cJSON_AddNumberToObject(object, list[k].name, list[k].median);
        cJSON_AddNumberToObject(processor, list[k].name, all[k].processor);
    }
    if (status == 0 && all[0].C != NULL) {
        gbl_Explanation how = GBL_EXPLANATION_INIT;
        if (gbl_Matrix_explain(&how, all[0].C) == GBL_SUCCESS) {
            cJSON_AddStringToObject(object, "choice", how.method);
            cJSON_AddNumberToObject(object, "flops", (double)how.flops);
        }
    }
    if (status == 0) status = check(all, &nvals);
    cJSON_AddNumberToObject(object, "result_entries", (double)nvals);
    for (int k = 0; k < GBLITE; k++) {
        gbl_Matrix_free(&all[k].C);
        gbl_Descriptor_free(&all[k].desc);
    }
    reset_other(&all[GBLITE]);
    return status;
}

int vector_race(cJSON *object, const char *operand, const bench_setup *setup) {
    peer_input in;
    char name[64];
    int status = -1;
    bench_operand_name(name, sizeof name, operand);
    cJSON_AddStringToObject(object, "name", name);
    if (peer_load(&in, operand, false) == 0 && in.nrows == in.ncols) {
        cJSON_AddNumberToObject(object, "rows", (double)in.nrows);
        cJSON_AddNumberToObject(object, "entries", (double)in.nvals);
        status = race(object, &in, setup);
    }
    peer_unload(&in);
    return status;
}
