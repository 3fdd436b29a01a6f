/* SPDX-License-Identifier: Apache-2.0
 *
 * Parts "choice", "ablation" and "scaling": ways to compute the same product, in turns.
 */
#include "rowwise/rowwise.h"

#include <stdio.h>
#include <string.h>

enum { SIMPLE = GBL_ACCUMULATE_HASH | GBL_ACCUMULATE_DENSE };

static const double NEARLY = 1.05; /* a choice this close to the best one counts as right */

typedef struct {
    const rowwise_input *in;
    gbl_Matrix *C; /* one for all variants: results of large products do not pile up */
    gbl_Descriptor desc;
    int threads;
    bool wrong;
} runner;

static int run(void *context) {
    runner *r = context;
    if (bench_failed(gbl_Global_set_INT32(GBL_GLOBAL, r->threads, GBL_NTHREADS), "threads"))
        return -1;
    return bench_failed(rowwise_multiply(r->C, r->in, r->in->A, r->desc), "mxm") ? -1 : 0;
}

/* Before it is dropped, a result is looked at: all variants must find the same number of entries.
 * C belongs to whoever ran last. */
static void reset(void *context) {
    runner *r = context;
    gbl_Index nvals;
    if (*r->C == NULL) return;
    if (gbl_Matrix_nvals(&nvals, *r->C) != GBL_SUCCESS || nvals != r->in->nvals) r->wrong = true;
    gbl_Matrix_free(r->C);
}

/* Runs the variants in turns and sets their medians; every result must have the entries of C. */
static int take_turns(const rowwise_input *in, const rowwise_variant *variants, int count,
                      double *seconds) {
    int status = -1;
    gbl_Matrix C = NULL;
    runner runners[ROWWISE_MOST_VARIANTS] = {0};
    bench_contender list[ROWWISE_MOST_VARIANTS];
    for (int k = 0; k < count; k++) {
        const int threads = variants[k].threads > 0 ? variants[k].threads : in->threads;
        runners[k] = (runner){.in = in, .C = &C, .threads = threads};
        list[k] = (bench_contender){variants[k].name, run, reset, &runners[k], 0};
        if (bench_failed(rowwise_descriptor(&runners[k].desc, in, &variants[k]), "descriptor"))
            goto done;
    }
    if (bench_take_turns(list, count, in->rounds) != 0) goto done;
    reset(&runners[0]);
    status = 0;
    for (int k = 0; k < count; k++) {
        seconds[k] = list[k].median;
        if (!runners[k].wrong) continue;
        fprintf(stderr, "rowwise: %s: products of one input differ in their entries\n", in->name);
        status = -1;
    }
done:
    gbl_Matrix_free(&C);
    for (int k = 0; k < count; k++) gbl_Descriptor_free(&runners[k].desc);
    bench_failed(gbl_Global_set_INT32(GBL_GLOBAL, in->threads, GBL_NTHREADS), "threads");
    return status;
}

/* An object with the seconds of each variant under its name. */
static cJSON *race(const rowwise_input *in, const rowwise_variant *variants, int count,
                   double *seconds) {
    if (take_turns(in, variants, count, seconds) != 0) return NULL;
    cJSON *object = cJSON_CreateObject();
    for (int k = 0; k < count; k++) cJSON_AddNumberToObject(object, variants[k].name, seconds[k]);
    return object;
}

/* The workflow that the planner takes is judged by its forced run, so that it is the same work as
 * when it competes; what choosing costs shows in "auto". */
cJSON *rowwise_choice(const rowwise_input *in) {
    static const rowwise_variant VARIANTS[] = {
        {"upper bound", GBL_WORKFLOW_UPPER_BOUND, 0, 0},
        {"estimate", GBL_WORKFLOW_ESTIMATE, 0, 0},
        {"symbolic", GBL_WORKFLOW_SYMBOLIC, 0, 0},
        {"auto", GBL_DEFAULT, 0, 0},
    };
    double seconds[4];
    cJSON *object = race(in, VARIANTS, 4, seconds);
    if (object == NULL) return NULL;
    int best = 0, chosen = -1;
    for (int k = 0; k < 3; k++) {
        if (seconds[k] < seconds[best]) best = k;
        if (strcmp(VARIANTS[k].name, in->how.workflow) == 0) chosen = k;
    }
    cJSON_AddStringToObject(object, "chosen", in->how.workflow);
    cJSON_AddStringToObject(object, "best", VARIANTS[best].name);
    if (chosen >= 0) {
        cJSON_AddNumberToObject(object, "loss", seconds[chosen] / seconds[best]);
        cJSON_AddBoolToObject(object, "right", seconds[chosen] <= NEARLY * seconds[best]);
    }
    return object;
}

/* Versions as in table 3 of Ocean (ICS '26), with the workflow forced. */
cJSON *rowwise_ablation(const rowwise_input *in) {
    static const rowwise_variant VARIANTS[] = {
        {"V1", GBL_WORKFLOW_SYMBOLIC, SIMPLE, 0},
        {"V2", GBL_WORKFLOW_ESTIMATE, SIMPLE, 0},
        {"V3", GBL_WORKFLOW_ESTIMATE, SIMPLE | GBL_ACCUMULATE_ASSIST, 0},
        {"V4", GBL_WORKFLOW_ESTIMATE, 0, 0},
        {"auto", GBL_DEFAULT, 0, 0},
    };
    double seconds[5];
    return race(in, VARIANTS, 5, seconds);
}

cJSON *rowwise_scaling(const rowwise_input *in) {
    const rowwise_variant variants[] = {{"one", 0, 0, 1}, {"all", 0, 0, 0}};
    double seconds[2];
    cJSON *object = race(in, variants, 2, seconds);
    if (object == NULL) return NULL;
    cJSON_AddNumberToObject(object, "threads", in->threads);
    cJSON_AddNumberToObject(object, "speedup", seconds[0] / seconds[1]);
    return object;
}
