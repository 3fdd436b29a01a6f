/* SPDX-License-Identifier: Apache-2.0
 *
 * bench/gpu: options, and the job that they ask for. Exit status 0 when all that there was time for
 * was measured and all results agree.
 */
#include "gpu/gpu.h"

#include <stdlib.h>

typedef struct {
    gpu_run run;
    int limit;
    void (*job)(gpu_run *run);
    const char *commit, *driver;
} options;

static const struct argp_option OPTIONS[] = {
    {"limit", 'l', "SECONDS", 0, "begin nothing later than that", 0},
    {"spamm", 'S', NULL, 0, "approximate products alone, against cuBLAS", 0},
    {"graphs", 'g', NULL, 0, "triangles, searches and PageRank alone, against the CPU", 0},
    {"operations", 'p', NULL, 0, "apply, select and so on alone, against the CPU", 0},
    {"warm-up", 'w', "MS", 0, "milliseconds of a contender before it is timed (default 300)", 0},
    {"once", '1', NULL, 0, "run each contender once, for a profiler", 0},
    {"output", 'O', "FILE", 0, "write there after every line, not at the end to stdout", 0},
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
    case 'w':
        o->run.warm_up = 1e-3 * bench_positive(argument, "--warm-up", state);
        return 0;
    case 'S':
        o->job = gpu_spamm;
        return 0;
    case 'g':
        o->job = gpu_graphs;
        return 0;
    case 'p':
        o->job = gpu_operations;
        return 0;
    case '1':
        o->run.once = true;
        return 0;
    case 'O':
        o->run.output = argument;
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

/* The seconds of stages are a part of the documents. */
static int ask_for_stages(void) {
    const char *settings = getenv("GBLITE_CUDA");
    char text[400];
    const bool some = settings != NULL && settings[0] != '\0';
    const int n =
        snprintf(text, sizeof text, "%s%sstages=1", some ? settings : "", some ? "," : "");
    return n >= (int)sizeof text ? -1 : setenv("GBLITE_CUDA", text, 1);
}

static int run_job(options *o) {
    gpu_run *run = &o->run;
    bench_describe(run->document, 1, run->shared.rounds);
    if (o->commit != NULL) cJSON_AddStringToObject(run->document, "commit", o->commit);
    if (o->driver != NULL) cJSON_AddStringToObject(run->document, "driver", o->driver);
    const char *settings = getenv("GBLITE_CUDA");
    cJSON_AddStringToObject(run->document, "settings", settings != NULL ? settings : "");
    if (gpu_describe(run->document) != 0) {
        fprintf(stderr, "gpu: there is no usable GPU\n");
        return 1;
    }
    run->lines = cJSON_AddArrayToObject(run->document, "inputs");
    o->job(run);
    gpu_save(run);
    if (run->output == NULL && bench_print(run->document) != 0) run->failures++;
    return run->failures == 0 && cJSON_GetArraySize(run->lines) > 0 ? 0 : 1;
}

int main(int argc, char **argv) {
    static const bench_command COMMAND = {
        .about =
            "Times C = A*A (A*A' where A is not square) on a GPU, by gblite, cuSPARSE and CUB, "
            "from factors there to a result there; prints JSON. --only NAME: a contender, a type "
            "of approximate products, or what is done with graphs or matrices.",
        .lines = "INPUT or mxm INPUT",
        .takes = BENCH_DATA | BENCH_INPUTS | BENCH_ONLY,
        .own = {.options = OPTIONS, .parser = parse}};
    options o = {
        .run = {.shared = {.rounds = 10, .suite = BENCH_FOLDER "/suites/gpu.txt"}, .warm_up = 0.3},
        .job = gpu_products};
    const double start = bench_seconds();
    bench_parse(argc, argv, &COMMAND, &o.run.shared, &o);
    if (o.limit > 0) o.run.end = start + o.limit;
    if (ask_for_stages() != 0) return 1;
    if (bench_failed(gbl_init(GBL_NONBLOCKING), "init")) return 1;
    o.run.document = cJSON_CreateObject();
    const int status = run_job(&o);
    cJSON_Delete(o.run.document);
    gbl_finalize();
    return status;
}
