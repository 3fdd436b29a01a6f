/* SPDX-License-Identifier: Apache-2.0
 *
 * bench/gpu: options, the suite, the document. Every way runs 10 times to warm up and 10 times for
 * its median, all on the same factors; results are checked against each other. flops counts
 * multiplications; gflops counts their additions too, so it is twice as much a second. Exit status
 * 0 when all inputs were measured and all results agree.
 */
#include "gpu/gpu.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "harness/values.h"
#include "peers/cusparse.h"

enum { PEERS = 3, WAYS = GPU_OWN + PEERS };
#define AGREES 1e-9 /* sums of positive values in different orders */

typedef struct {
    bench_options shared;
    int limit;
    double start;
    bool spamm;
    const char *output, *commit, *driver;
    cJSON *document, *results;
    int failures, left_out;
    double speedup_logs, gflops_logs;
    int speedups, products;
} options;

static const struct argp_option OPTIONS[] = {
    {"limit", 'l', "SECONDS", 0, "begin no input later than that", 0},
    {"spamm", 'S', NULL, 0, "approximate products alone, against cuBLAS and truncated ones", 0},
    {"output", 'o', "FILE", 0, "write there after every input, not at the end to stdout", 0},
    {"commit", 'c', "NAME", 0, "of gblite, for the document", 0},
    {"driver", 'D', "VERSION", 0, "of the GPU, for the document", 0},
    {0},
};

static error_t parse(int key, char *argument, struct argp_state *state) {
    options *o = state->input;
    switch (key) {
    case 'l':
        o->limit = bench_positive(argument, "--limit", state);
        return 0;
    case 'S':
        o->spamm = true;
        return 0;
    case 'o':
        o->output = argument;
        return 0;
    case 'c':
        o->commit = argument;
        return 0;
    case 'D':
        o->driver = argument;
        return 0;
    default:
        return ARGP_ERR_UNKNOWN;
    }
}

static uint64_t count_flops(const gpu_factors *f) {
    uint64_t flops = 0;
    for (uint64_t q = 0; q < f->Ap[f->m]; q++) flops += f->Bp[f->Ai[q] + 1] - f->Bp[f->Ai[q]];
    return flops;
}

/* Medians in seconds; negative when the way cannot do this input. */
static double race(const options *o, const gpu_way *way, const gpu_factors *f, gpu_checksum *sum,
                   cJSON *line) {
    const int rounds = o->shared.rounds;
    double seconds[BENCH_MOST_NUMBER], median = -1.0;
    void *state = NULL;
    bool good = way->open(&state, f) == 0;
    for (int k = 0; k < rounds && good; k++) good = gpu_time(way, state) >= 0.0;
    for (int k = 0; k < rounds && good; k++) good = (seconds[k] = gpu_time(way, state)) >= 0.0;
    if (good) good = way->check(state, sum) == 0;
    cJSON *own = cJSON_AddObjectToObject(line, way->name);
    if (good) {
        median = bench_median(seconds, rounds);
        cJSON_AddNumberToObject(own, "seconds", median);
        cJSON_AddNumberToObject(own, "gflops", 2e-9 * (double)count_flops(f) / median);
        cJSON_AddNumberToObject(own, "bytes_peak", (double)way->peak(state));
        cJSON_AddNumberToObject(own, "entries", (double)sum->nvals);
        if (way >= GPU_GBLITE && way < GPU_GBLITE + GPU_OWN)
            cJSON_AddItemToObject(own, "how", gpu_explain(state));
    } else {
        cJSON_AddStringToObject(own, "failed", "see the messages");
    }
    way->close(state);
    return median;
}

static void run_ways(options *o, const gpu_factors *f, cJSON *line) {
    gpu_checksum sums[WAYS];
    const char *best_name = NULL;
    double own = -1.0, tiled = -1.0, outer = -1.0, best = -1.0;
    for (int w = 0; w < WAYS; w++) {
        const gpu_way *way = w < GPU_OWN ? &GPU_GBLITE[w] : &CUSPARSE[w - GPU_OWN];
        const double seconds = race(o, way, f, &sums[w], line);
        if (w == 0) own = seconds;
        if (w == 1) tiled = seconds;
        if (w == 2) outer = seconds; /* its products may not fit, which is no failure */
        o->failures += w < 2 && seconds < 0.0;
        if (w == 0 || seconds < 0.0) continue;
        if (w >= GPU_OWN && (best < 0.0 || seconds < best)) {
            best = seconds;
            best_name = way->name;
        }
        if (own >= 0.0 && (sums[w].nvals != sums[0].nvals ||
                           fabs(sums[w].sum - sums[0].sum) > AGREES * fabs(sums[0].sum))) {
            fprintf(stderr, "gpu: %s and %s differ: %.17g and %.17g in %.0f and %.0f entries\n",
                    GPU_GBLITE[0].name, way->name, sums[0].sum, sums[w].sum, (double)sums[0].nvals,
                    (double)sums[w].nvals);
            o->failures++;
        }
    }
    if (own <= 0.0) return;
    o->gflops_logs += log(2e-9 * (double)count_flops(f) / own);
    o->products++;
    if (best <= 0.0) return;
    cJSON_AddStringToObject(line, "best_cusparse", best_name);
    cJSON_AddNumberToObject(line, "speedup", best / own);
    if (tiled > 0.0) cJSON_AddNumberToObject(line, "speedup_tiled", best / tiled);
    if (outer > 0.0) cJSON_AddNumberToObject(line, "speedup_outer", best / outer);
    o->speedup_logs += log(best / own);
    o->speedups++;
}

static void set_number(cJSON *document, const char *name, double number) {
    cJSON_DeleteItemFromObject(document, name);
    cJSON_AddNumberToObject(document, name, number);
}

/* All that is known so far; the file is whole at any time. */
static int save(const options *o) {
    char fresh[4096];
    if (o->speedups > 0)
        set_number(o->document, "speedup_geometric_mean", exp(o->speedup_logs / o->speedups));
    if (o->products > 0)
        set_number(o->document, "gflops_geometric_mean", exp(o->gflops_logs / o->products));
    set_number(o->document, "inputs_left_out", o->left_out);
    if (o->output == NULL) return 0;
    const int length = snprintf(fresh, sizeof fresh, "%s.new", o->output);
    char *text = cJSON_Print(o->document);
    FILE *file = length < (int)sizeof fresh ? fopen(fresh, "w") : NULL;
    bool good = text != NULL && file != NULL && fputs(text, file) >= 0 && fputc('\n', file) >= 0;
    if (file != NULL) good = fclose(file) == 0 && good;
    good = good && rename(fresh, o->output) == 0;
    free(text);
    if (!good) fprintf(stderr, "gpu: %s cannot be written\n", o->output);
    return good ? 0 : -1;
}

static void run_input(options *o, const char *operand) {
    gbl_Matrix A = NULL;
    gbl_Index nrows = 0, ncols = 0, nvals = 0;
    gpu_factors factors;
    char name[64];
    if (o->limit > 0 && bench_seconds() - o->start > o->limit) {
        o->left_out++;
        return;
    }
    bench_operand_name(name, sizeof name, operand);
    fprintf(stderr, "gpu: %s\n", name);
    if (bench_failed(gbl_load(&A, GBL_FP64, operand), operand) ||
        bench_failed(bench_set_values(A), operand) ||
        bench_failed(gbl_Matrix_nrows(&nrows, A), operand) ||
        bench_failed(gbl_Matrix_ncols(&ncols, A), operand) ||
        bench_failed(gbl_Matrix_nvals(&nvals, A), operand) ||
        gpu_factors_of(&factors, A, nrows == ncols) != 0) {
        o->failures++;
    } else {
        cJSON *line = cJSON_CreateObject();
        cJSON_AddStringToObject(line, "input", name);
        cJSON_AddNumberToObject(line, "rows", (double)nrows);
        cJSON_AddNumberToObject(line, "columns", (double)ncols);
        cJSON_AddNumberToObject(line, "entries", (double)nvals);
        cJSON_AddNumberToObject(line, "flops", (double)count_flops(&factors));
        run_ways(o, &factors, line);
        cJSON_AddItemToArray(o->results, line);
        if (save(o) != 0) o->failures++;
    }
    gbl_Matrix_free(&A);
}

static void visit(void *context, const bench_line *line) {
    if (line->keyword[0] == '\0' || strcmp(line->keyword, "mxm") == 0)
        run_input(context, line->operand);
}

int main(int argc, char **argv) {
    static const bench_command COMMAND = {
        .about = "Times C = A*A (A*A' where A is not square) on a GPU, by gblite and by cuSPARSE, "
                 "from factors there to a result there; prints JSON. As many rounds again come "
                 "first, to warm up.",
        .lines = "INPUT or mxm INPUT",
        .takes = BENCH_DATA | BENCH_INPUTS,
        .own = {.options = OPTIONS, .parser = parse}};
    options o = {.shared = {.rounds = 10, .suite = BENCH_FOLDER "/suite.txt"},
                 .start = bench_seconds()};
    bench_parse(argc, argv, &COMMAND, &o.shared, &o);
    if (bench_failed(gbl_init(GBL_NONBLOCKING), "init")) return 1;
    cJSON *document = cJSON_CreateObject();
    bench_describe(document, 1, o.shared.rounds);
    if (o.commit != NULL) cJSON_AddStringToObject(document, "commit", o.commit);
    if (o.driver != NULL) cJSON_AddStringToObject(document, "driver", o.driver);
    if (gpu_describe(document) != 0) {
        fprintf(stderr, "gpu: there is no usable GPU\n");
        cJSON_Delete(document);
        gbl_finalize();
        return 1;
    }
    o.document = document;
    o.results = cJSON_AddArrayToObject(document, "inputs");
    if (o.spamm)
        o.failures += gpu_spamm(document, o.shared.rounds, o.limit > 0 ? o.start + o.limit : 0.0);
    else if (o.shared.input_count == 0 && bench_read_suite(&o.shared, visit, &o) != 0)
        o.failures++;
    for (int k = 0; k < o.shared.input_count; k++) run_input(&o, o.shared.inputs[k]);
    if (save(&o) != 0 || (o.output == NULL && bench_print(document) != 0)) o.failures++;
    const bool complete = o.failures == 0 && (o.spamm || cJSON_GetArraySize(o.results) > 0);
    cJSON_Delete(document);
    gbl_finalize();
    return complete ? 0 : 1;
}
