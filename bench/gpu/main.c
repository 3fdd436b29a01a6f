/* SPDX-License-Identifier: Apache-2.0
 *
 * bench/gpu: options, and the job that they ask for. Exit status 0 when all that there was time for
 * was measured and all results agree.
 */
#include "gpu/gpu.h"

#include <stdlib.h>
#include <string.h>

static struct {
    gpu_run run;
    int limit, warm_up;
    bool spamm, graphs, operations;
    const char *commit, *driver;
} own = {.run = {.shared = {.rounds = 10, .suite = BENCH_FOLDER "/suites/gpu.txt"}},
         .warm_up = 300};

static const bench_option OPTIONS[] = {
    {"limit", 'l', "SECONDS", "begin nothing later than that", bench_take_number, &own.limit, 0,
     NULL},
    {"spamm", 'S', NULL, "approximate products alone, against cuBLAS", bench_take_flag, &own.spamm,
     0, NULL},
    {"graphs", 'g', NULL, "triangles, searches and PageRank alone, against the CPU",
     bench_take_flag, &own.graphs, 0, NULL},
    {"operations", 'p', NULL, "apply, select and so on alone, against the CPU", bench_take_flag,
     &own.operations, 0, NULL},
    {"warm-up", 'w', "MS", "milliseconds of a contender before it is timed (default 300)",
     bench_take_number, &own.warm_up, 0, NULL},
    {"once", '1', NULL, "run each contender once, for a profiler", bench_take_flag, &own.run.once,
     0, NULL},
    {"output", 'O', "FILE", "write there after every line, not at the end to stdout",
     bench_take_text, &own.run.output, 0, NULL},
    {"commit", 'c', "NAME", "of gblite, for the document", bench_take_text, &own.commit, 0, NULL},
    {"driver", 'D', "VERSION", "of the GPU, for the document", bench_take_text, &own.driver, 0,
     NULL},
    {0},
};

/* What is done with an input: by the option that asks for it and the keyword of its lines in the
 * suite. Inputs of the command line are for the first row that is asked for. */
static const struct {
    const bool *asked; /* NULL: without any other option */
    const char *keyword;
    void (*run)(gpu_run *run, const char *input);
} JOBS[] = {{&own.spamm, "spamm", gpu_spamm},
            {&own.graphs, "graph", gpu_graph},
            {&own.operations, "operations", gpu_operations},
            {&own.operations, "clusters", gpu_clusters},
            {NULL, "mxm", gpu_product}};
enum { MXM = sizeof JOBS / sizeof *JOBS - 1 };

static void visit(void *context, const bench_line *line) {
    gpu_run *run = context;
    int job = 0;
    while (job < MXM && !*JOBS[job].asked) job++;
    if (run->shared.input_count == 0) { /* a line, by default of products */
        const char *keyword = line->keyword[0] != '\0' ? line->keyword : JOBS[MXM].keyword;
        const bool *asked = JOBS[job].asked;
        while (job <= MXM && (JOBS[job].asked != asked || strcmp(JOBS[job].keyword, keyword) != 0))
            job++;
        if (job > MXM) return;
    }
    if (gpu_is_late(run))
        run->left_out++;
    else
        JOBS[job].run(run, line->operand);
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

static int run_job(void) {
    gpu_run *run = &own.run;
    bench_describe(run->document, 1, run->shared.rounds);
    if (own.commit != NULL) cJSON_AddStringToObject(run->document, "commit", own.commit);
    if (own.driver != NULL) cJSON_AddStringToObject(run->document, "driver", own.driver);
    const char *settings = getenv("GBLITE_CUDA");
    cJSON_AddStringToObject(run->document, "settings", settings != NULL ? settings : "");
    if (device_describe(run->document) != 0) {
        fprintf(stderr, "gpu: there is no usable GPU\n");
        return 1;
    }
    run->lines = cJSON_AddArrayToObject(run->document, "inputs");
    if (bench_read_inputs(&run->shared, visit, run) != 0) run->failures++;
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
        .lines = "INPUT, or what is done with it and INPUT",
        .takes = BENCH_DATA | BENCH_INPUTS | BENCH_ONLY,
        .own = OPTIONS};
    const double start = bench_seconds();
    bench_parse(argc, argv, &COMMAND, &own.run.shared);
    own.run.warm_up = 1e-3 * own.warm_up;
    if (own.limit > 0) own.run.end = start + own.limit;
    if (ask_for_stages() != 0) return 1;
    if (bench_failed(gbl_init(GBL_NONBLOCKING), "init")) return 1;
    own.run.document = cJSON_CreateObject();
    const int status = run_job();
    cJSON_Delete(own.run.document);
    gbl_finalize();
    return status;
}
