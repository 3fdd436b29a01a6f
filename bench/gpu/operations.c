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

enum { RUNS = 8, PLACES = 2 };
static const int places[PLACES] = {GBL_PLACE_GPU, GBL_PLACE_CPU};
static const char *const names[PLACES] = {"gpu", "cpu"};

static gbl_Info apply(gbl_Matrix C, gbl_Matrix A, gbl_Matrix B) {
    (void)B;
    return gbl_Matrix_apply_BinaryOp2nd_FP64(C, NULL, NULL, GBL_TIMES_FP64, A, 3.0, NULL);
}
static gbl_Info select_values(gbl_Matrix C, gbl_Matrix A, gbl_Matrix B) {
    (void)B;
    return gbl_Matrix_select_FP64(C, NULL, NULL, GBL_VALUEGE_FP64, A, 0.5, NULL);
}
static gbl_Info select_places(gbl_Matrix C, gbl_Matrix A, gbl_Matrix B) {
    (void)B;
    return gbl_Matrix_select_INT64(C, NULL, NULL, GBL_TRIL, A, -1, NULL);
}
static gbl_Info unite(gbl_Matrix C, gbl_Matrix A, gbl_Matrix B) {
    return gbl_Matrix_eWiseAdd_BinaryOp(C, NULL, NULL, GBL_PLUS_FP64, A, B, NULL);
}
static gbl_Info intersect(gbl_Matrix C, gbl_Matrix A, gbl_Matrix B) {
    return gbl_Matrix_eWiseMult_BinaryOp(C, NULL, NULL, GBL_TIMES_FP64, A, B, NULL);
}
static gbl_Info turn(gbl_Matrix C, gbl_Matrix A, gbl_Matrix B) {
    (void)B;
    return gbl_transpose(C, NULL, NULL, A, NULL);
}

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
    gbl_Matrix A, B, C[PLACES];
    gbl_Index entries, both; /* of A, of A and B */
} operands;

static gbl_Info at_place(int k) {
    return gbl_Global_set_INT32(GBL_GLOBAL, places[k], GBL_PLACE);
}

/* A, and as B those of its entries that are below the diagonal of A', so that half of B is met. */
static gbl_Info load(operands *o, const char *spec) {
    gbl_Index n, m;
    *o = (operands){.A = NULL};
    gbl_Info info = at_place(1);
    if (info == GBL_SUCCESS) info = gbl_load(&o->A, GBL_FP64, spec);
    if (info == GBL_SUCCESS) info = gbl_Matrix_nrows(&n, o->A);
    if (info == GBL_SUCCESS) info = gbl_Matrix_new(&o->B, GBL_FP64, n, n);
    if (info == GBL_SUCCESS)
        info = gbl_Matrix_select_INT64(o->B, NULL, NULL, GBL_TRIL, o->A, 0, GBL_DESC_T0);
    if (info == GBL_SUCCESS) info = gbl_Matrix_nvals(&o->entries, o->A);
    if (info == GBL_SUCCESS) info = gbl_Matrix_nvals(&m, o->B);
    for (int k = 0; k < PLACES && info == GBL_SUCCESS; k++)
        info = gbl_Matrix_new(&o->C[k], GBL_FP64, n, n);
    o->both = info == GBL_SUCCESS ? o->entries + m : 0;
    return info;
}

static void unload(operands *o) {
    gbl_Matrix *all[] = {&o->A, &o->B, &o->C[0], &o->C[1]};
    for (size_t k = 0; k < sizeof all / sizeof all[0]; k++) gbl_Matrix_free(all[k]);
}

static gbl_Info time_runs(const operands *o, size_t op, int k, double *seconds) {
    double sum = 0.0;
    gbl_Info info = at_place(k);
    const double start = bench_seconds();
    for (int r = 0; r < RUNS && info == GBL_SUCCESS; r++)
        info = operations[op].run(o->C[k], o->A, o->B);
    if (info == GBL_SUCCESS)
        info = gbl_Matrix_reduce_FP64(&sum, NULL, GBL_PLUS_MONOID_FP64, o->C[k], NULL);
    *seconds = (bench_seconds() - start) / RUNS;
    return info;
}

/* Whether both results have the same entries and values. */
static gbl_Info are_equal(const operands *o, bool *equal) {
    gbl_Matrix D = NULL;
    gbl_Index n[3] = {0, 0, 0};
    double sum = 0.0;
    gbl_Info info = at_place(1);
    if (info == GBL_SUCCESS) info = gbl_Matrix_dup(&D, o->C[1]);
    if (info == GBL_SUCCESS)
        info =
            gbl_Matrix_eWiseMult_BinaryOp(D, NULL, NULL, GBL_ABSDIFF_FP64, o->C[0], o->C[1], NULL);
    if (info == GBL_SUCCESS) info = gbl_Matrix_nvals(&n[0], o->C[0]);
    if (info == GBL_SUCCESS) info = gbl_Matrix_nvals(&n[1], o->C[1]);
    if (info == GBL_SUCCESS) info = gbl_Matrix_nvals(&n[2], D);
    if (info == GBL_SUCCESS)
        info = gbl_Matrix_reduce_FP64(&sum, NULL, GBL_PLUS_MONOID_FP64, D, NULL);
    *equal = n[0] == n[1] && n[1] == n[2] && sum == 0.0;
    gbl_Matrix_free(&D);
    return info;
}

/* Both places in turns after one run each; how many failed. */
static int race(const operands *o, size_t op, int rounds, cJSON *line) {
    double seconds[PLACES][BENCH_MOST_NUMBER], medians[PLACES];
    bool equal = false;
    gbl_Info info = GBL_SUCCESS;
    for (int round = -1; round < rounds && info == GBL_SUCCESS; round++)
        for (int k = 0; k < PLACES && info == GBL_SUCCESS; k++)
            info = time_runs(o, op, k, &seconds[k][round < 0 ? 0 : round]);
    if (info == GBL_SUCCESS) info = are_equal(o, &equal);
    if (bench_failed(info, operations[op].name)) return 1;
    const gbl_Index entries = operations[op].both ? o->both : o->entries;
    for (int k = 0; k < PLACES; k++) {
        medians[k] = bench_median(seconds[k], rounds);
        cJSON *own = cJSON_AddObjectToObject(line, names[k]);
        cJSON_AddNumberToObject(own, "seconds", medians[k]);
        cJSON_AddNumberToObject(own, "entries_per_second", (double)entries / medians[k]);
    }
    cJSON_AddNumberToObject(line, "speedup", medians[1] / medians[0]);
    if (!equal) fprintf(stderr, "gpu: %s on the GPU and the CPU differ\n", operations[op].name);
    return equal ? 0 : 1;
}

static int cluster(const char *spec, cJSON *line) {
    double seconds[PLACES];
    gbl_Index found[PLACES] = {0, 0};
    gbl_Info info = GBL_SUCCESS;
    for (int k = 0; k < PLACES && info == GBL_SUCCESS; k++) {
        const markov_options options = MARKOV_USUAL;
        gbl_Vector clusters[MARKOV_FOUND] = {NULL};
        gbl_Matrix A = NULL;
        info = gbl_load(&A, GBL_FP64, spec);
        if (info == GBL_SUCCESS) info = at_place(k);
        const double start = bench_seconds();
        if (info == GBL_SUCCESS) info = markov_cluster(clusters, A, &options);
        seconds[k] = bench_seconds() - start;
        if (info == GBL_SUCCESS) info = gbl_Vector_nvals(&found[k], clusters[MARKOV_ATTRACTORS]);
        cJSON_AddNumberToObject(line, names[k], seconds[k]);
        for (int v = 0; v < MARKOV_FOUND; v++) gbl_Vector_free(&clusters[v]);
        gbl_Matrix_free(&A);
    }
    if (bench_failed(info, "markov")) return 1;
    cJSON_AddNumberToObject(line, "speedup", seconds[1] / seconds[0]);
    return found[0] == found[1] ? 0 : 1;
}

int gpu_operations(cJSON *document, int rounds, double end) {
    static const char *const specs[] = {"er:18:16", "rmat:18:16", "er:21:16", "rmat:21:16"};
    cJSON *list = cJSON_AddArrayToObject(document, "operations");
    int failures =
        cluster("planted:1000:40:20:2", cJSON_AddObjectToObject(document, "markov_cluster"));
    for (size_t s = 0; s < sizeof specs / sizeof specs[0]; s++) {
        operands o;
        if (end > 0.0 && bench_seconds() > end) continue;
        const gbl_Info info = load(&o, specs[s]);
        cJSON *line = cJSON_CreateObject();
        cJSON_AddItemToArray(list, line);
        cJSON_AddStringToObject(line, "input", specs[s]);
        cJSON_AddNumberToObject(line, "entries", (double)o.entries);
        failures += bench_failed(info, specs[s]) ? 1 : 0;
        for (size_t op = 0; op < OPERATIONS && info == GBL_SUCCESS; op++)
            failures += race(&o, op, rounds, cJSON_AddObjectToObject(line, operations[op].name));
        unload(&o);
    }
    return failures;
}
