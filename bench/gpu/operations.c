/* SPDX-License-Identifier: Apache-2.0
 *
 * Operations on matrices on the GPU, and by the same calls on the CPU of that machine: whole calls
 * by the host's clock, from operands that are there. RUNS of them and one sum of the last result,
 * which waits for all, are timed together. Results must be those of the CPU to the bit. Then Markov
 * clustering, from the graph on the host to clusters there.
 */
#include "gpu/gpu.h"

#include <stdlib.h>

#include "../examples/markov_cluster.h"
#include "harness/values.h"

enum { RUNS = 8 };

#define OPERATION(name, ...)                                                                       \
    static gbl_Info name(gbl_Matrix C, gbl_Matrix A, gbl_Matrix B) {                               \
        (void)B;                                                                                   \
        return __VA_ARGS__;                                                                        \
    }
OPERATION(apply, gbl_Matrix_apply_BinaryOp2nd_FP64(C, NULL, NULL, GBL_TIMES_FP64, A, 3.0, NULL))
OPERATION(select_values, gbl_Matrix_select_FP64(C, NULL, NULL, GBL_VALUEGE_FP64, A, 0.5, NULL))
OPERATION(select_places, gbl_Matrix_select_INT64(C, NULL, NULL, GBL_TRIL, A, -1, NULL))
OPERATION(unite, gbl_Matrix_eWiseAdd_BinaryOp(C, NULL, NULL, GBL_PLUS_FP64, A, B, NULL))
OPERATION(intersect, gbl_Matrix_eWiseMult_BinaryOp(C, NULL, NULL, GBL_TIMES_FP64, A, B, NULL))
OPERATION(turn, gbl_transpose(C, NULL, NULL, A, NULL))

/* Docs/cuda.md predicts entries of A a second for each; of A and B for eWise. */
static const struct {
    const char *name;
    gbl_Info (*run)(gbl_Matrix C, gbl_Matrix A, gbl_Matrix B);
    bool both;
} operations[] = {
    {"apply", apply, false},
    {"select_values", select_values, false},
    {"select_places", select_places, false},
    {"ewise_add", unite, true},
    {"ewise_mult", intersect, true},
    {"transpose", turn, false},
};
enum { OPERATIONS = sizeof operations / sizeof operations[0] };

typedef struct {
    gbl_Matrix A, B, C[GPU_PLACES];
    gbl_Index entries, both; /* of A, of A and B */
    size_t op;               /* of the operations */
} operands;

/* A, and as B those of its entries that are below the diagonal of A', so that half of B is met. */
static gbl_Info load(operands *o, const char *spec) {
    gbl_Index n, m;
    *o = (operands){.A = NULL};
    gbl_Info info = gpu_go_to(1);
    if (info == GBL_SUCCESS) info = gbl_load(&o->A, GBL_FP64, spec);
    if (info == GBL_SUCCESS) info = gbl_Matrix_nrows(&n, o->A);
    if (info == GBL_SUCCESS) info = gbl_Matrix_new(&o->B, GBL_FP64, n, n);
    if (info == GBL_SUCCESS)
        info = gbl_Matrix_select_INT64(o->B, NULL, NULL, GBL_TRIL, o->A, 0, GBL_DESC_T0);
    if (info == GBL_SUCCESS) info = gbl_Matrix_nvals(&o->entries, o->A);
    if (info == GBL_SUCCESS) info = gbl_Matrix_nvals(&m, o->B);
    for (int k = 0; k < GPU_PLACES && info == GBL_SUCCESS; k++)
        info = gbl_Matrix_new(&o->C[k], GBL_FP64, n, n);
    o->both = info == GBL_SUCCESS ? o->entries + m : 0;
    return info;
}

static void unload(operands *o) {
    gbl_Matrix *all[] = {&o->A, &o->B, &o->C[0], &o->C[1]};
    for (size_t k = 0; k < sizeof all / sizeof all[0]; k++) gbl_Matrix_free(all[k]);
}

static gbl_Info run_many(void *context, int k) {
    operands *o = context;
    double sum = 0.0;
    gbl_Info info = GBL_SUCCESS;
    for (int r = 0; r < RUNS && info == GBL_SUCCESS; r++)
        info = operations[o->op].run(o->C[k], o->A, o->B);
    if (info != GBL_SUCCESS) return info;
    return gbl_Matrix_reduce_FP64(&sum, NULL, GBL_PLUS_MONOID_FP64, o->C[k], NULL);
}

static gbl_Info compare(void *context, bool *equal, double *done) {
    const operands *o = context;
    double difference = 0.0;
    const gbl_Info info = bench_difference(&difference, o->C[0], o->C[1]);
    *done = (double)(operations[o->op].both ? o->both : o->entries);
    *equal = difference == 0.0;
    return info;
}

void gpu_operations(gpu_run *run, const char *input) {
    operands o;
    cJSON *line = gpu_add_line(run, input);
    const bool failed = bench_failed(load(&o, input), input);
    cJSON_AddNumberToObject(line, "entries", (double)o.entries);
    for (; o.op < OPERATIONS && !failed; o.op++) {
        const gpu_duel duel = {operations[o.op].name, run_many, RUNS, compare,
                               "entries_per_second"};
        gpu_fight(run, &duel, &o, line);
    }
    run->failures += failed;
    unload(&o);
}

/* -- Markov clustering */

typedef struct {
    gbl_Matrix A;
    gbl_Index found[GPU_PLACES], edges;
} clustering;

static gbl_Info cluster(void *context, int k) {
    clustering *c = context;
    const markov_options options = MARKOV_USUAL;
    gbl_Vector clusters[MARKOV_FOUND] = {NULL};
    gbl_Matrix A = NULL;
    gbl_Info info = gbl_Matrix_dup(&A, c->A);
    if (info == GBL_SUCCESS) info = markov_cluster(clusters, A, &options);
    if (info == GBL_SUCCESS) info = gbl_Vector_nvals(&c->found[k], clusters[MARKOV_ATTRACTORS]);
    for (int v = 0; v < MARKOV_FOUND; v++) gbl_Vector_free(&clusters[v]);
    gbl_Matrix_free(&A);
    return info;
}

static gbl_Info compare_clusters(void *context, bool *agree, double *done) {
    const clustering *c = context;
    *agree = c->found[0] == c->found[1];
    *done = (double)c->edges;
    return GBL_SUCCESS;
}

void gpu_clusters(gpu_run *run, const char *input) {
    static const gpu_duel duel = {"markov_cluster", cluster, 1, compare_clusters,
                                  "edges_per_second"};
    clustering c = {.A = NULL};
    if (!bench_is_chosen(&run->shared, duel.name)) return;
    gbl_Info info = gpu_go_to(1);
    cJSON *line = gpu_add_line(run, input);
    if (info == GBL_SUCCESS) info = gbl_load(&c.A, GBL_FP64, input);
    if (info == GBL_SUCCESS) info = gbl_Matrix_nvals(&c.edges, c.A);
    if (bench_failed(info, input))
        run->failures++;
    else
        gpu_fight(run, &duel, &c, line);
    gbl_Matrix_free(&c.A);
}
