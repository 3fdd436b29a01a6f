/* SPDX-License-Identifier: Apache-2.0
 *
 * bench/gpu: options, the suite, the document. Every contender runs for 0.3 seconds to warm up,
 * then all of them 10 times in turns for their medians, on the same factors; results are checked
 * against each other. flops counts multiplications; gflops counts their additions too, so it is
 * twice as much a second. Exit status 0 when all inputs were measured and all results agree.
 */
#include "gpu/gpu.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "harness/values.h"
#include "peers/cub_esc.h"
#include "peers/cusparse.h"

/* gblite's come first, then cuSPARSE's, then ESC. */
enum { CUSPARSES = 3, ESC = GPU_OWN + CUSPARSES, CONTENDERS = ESC + 1 };
#define AGREES 1e-9      /* sums of positive values in different orders */
#define WARM_SECONDS 0.3 /* a GPU's clocks have risen by then */
#define LARGE 50000000u  /* flops from which times compare with those of papers */

/* Of which geometric means are made. */
typedef struct {
    double speedup_logs, gflops_logs;
    int speedups, products;
} means;

typedef struct {
    bench_options shared;
    int limit;
    double start;
    bool spamm, triangles, graphs, operations;
    const char *output, *commit, *driver;
    cJSON *document, *results;
    int failures, left_out;
    means of[2]; /* of small inputs, of large ones */
} options;

static const struct argp_option OPTIONS[] = {
    {"limit", 'l', "SECONDS", 0, "begin no input later than that", 0},
    {"spamm", 'S', NULL, 0, "approximate products alone, against cuBLAS", 0},
    {"graphs", 'g', NULL, 0, "searches and PageRank alone, against the CPU", 0},
    {"operations", 'p', NULL, 0, "apply, select and so on alone, against the CPU", 0},
    {"triangles", 'T', NULL, 0, "triangles alone, against the CPU", 0},
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
    case 'T':
        o->triangles = true;
        return 0;
    case 'g':
        o->graphs = true;
        return 0;
    case 'p':
        o->operations = true;
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

/* A contender in the race on one input. */
typedef struct {
    const gpu_contender *contender;
    void *state;
    bool good;
    gpu_checksum sum;
    double seconds[BENCH_MOST_NUMBER], median; /* negative: it cannot do this input */
} runner;

/* Runs until clocks and pools have settled, and looks at the result and at the memory that it took.
 */
static void warm_up(runner *r, const gpu_contender *contender, const gpu_factors *f) {
    const double start = bench_seconds();
    *r = (runner){.contender = contender, .median = -1.0};
    r->good = contender->open(&r->state, f) == 0;
    do {
        r->good = r->good && gpu_time(contender, r->state) >= 0.0;
    } while (r->good && bench_seconds() - start < WARM_SECONDS);
    r->good = r->good && contender->check(r->state, &r->sum) == 0;
}

static void report_contender(runner *r, uint64_t flops, int rounds, cJSON *line) {
    cJSON *own = cJSON_AddObjectToObject(line, r->contender->name);
    if (r->good) {
        r->median = bench_median(r->seconds, rounds);
        cJSON_AddNumberToObject(own, "seconds", r->median);
        cJSON_AddNumberToObject(own, "gflops", 2e-9 * (double)flops / r->median);
        cJSON_AddNumberToObject(own, "bytes_peak", (double)r->contender->peak(r->state));
        cJSON_AddNumberToObject(own, "entries", (double)r->sum.nvals);
        if (r->contender >= GPU_GBLITE && r->contender < GPU_GBLITE + GPU_OWN)
            cJSON_AddItemToObject(own, "how", gpu_explain(r->state));
    } else {
        cJSON_AddStringToObject(own, "failed", "see the messages");
    }
    r->contender->close(r->state);
}

static const gpu_contender *contender_of(int w) {
    if (w < GPU_OWN) return &GPU_GBLITE[w];
    return w < ESC ? &CUSPARSE[w - GPU_OWN] : &CUB_ESC;
}

/* Each contender warms up by itself; then all take turns, so that what the machine does meanwhile
 * happens to all of them. */
static void race(const options *o, runner *runners, const gpu_factors *f, cJSON *line) {
    const int rounds = o->shared.rounds;
    for (int w = 0; w < CONTENDERS; w++) warm_up(&runners[w], contender_of(w), f);
    for (int k = 0; k < rounds; k++)
        for (int w = 0; w < CONTENDERS; w++) {
            runner *r = &runners[w];
            if (r->good) r->good = (r->seconds[k] = gpu_time(r->contender, r->state)) >= 0.0;
        }
    for (int w = 0; w < CONTENDERS; w++)
        report_contender(&runners[w], count_flops(f), rounds, line);
}

static void compare_sums(options *o, const runner *own, const runner *other) {
    if (own->sum.nvals == other->sum.nvals &&
        fabs(other->sum.sum - own->sum.sum) <= AGREES * fabs(own->sum.sum))
        return;
    fprintf(stderr, "gpu: %s and %s differ: %.17g and %.17g in %.0f and %.0f entries\n",
            own->contender->name, other->contender->name, own->sum.sum, other->sum.sum,
            (double)own->sum.nvals, (double)other->sum.nvals);
    o->failures++;
}

static void run_contenders(options *o, const gpu_factors *f, cJSON *line) {
    static runner r[CONTENDERS];
    const runner *best = NULL;
    race(o, r, f, line);
    for (int w = 0; w < CONTENDERS; w++) {
        o->failures += w < GPU_OWN && r[w].median < 0.0;
        if (w == 0 || r[w].median < 0.0) continue;
        if (w >= GPU_OWN && w < ESC && (best == NULL || r[w].median < best->median)) best = &r[w];
        if (r[0].median >= 0.0) compare_sums(o, &r[0], &r[w]);
    }
    if (r[0].median <= 0.0) return;
    means *m = &o->of[count_flops(f) >= LARGE];
    m->gflops_logs += log(2e-9 * (double)count_flops(f) / r[0].median);
    m->products++;
    if (r[ESC].median > 0.0)
        cJSON_AddNumberToObject(line, "speedup_over_esc", r[ESC].median / r[0].median);
    if (best == NULL) return;
    cJSON_AddStringToObject(line, "best_cusparse", best->contender->name);
    cJSON_AddNumberToObject(line, "speedup", best->median / r[0].median);
    if (r[1].median > 0.0)
        cJSON_AddNumberToObject(line, "speedup_tiled", best->median / r[1].median);
    m->speedup_logs += log(best->median / r[0].median);
    m->speedups++;
}

static void set_number(cJSON *document, const char *name, double number) {
    cJSON_DeleteItemFromObject(document, name);
    cJSON_AddNumberToObject(document, name, number);
}

/* All that is known so far; the file is whole at any time. */
static int save(const options *o) {
    char fresh[4096];
    static const char *const sizes[] = {"small", "large"};
    for (int k = 0; k < 2; k++) {
        const means *m = &o->of[k];
        cJSON_DeleteItemFromObject(o->document, sizes[k]);
        cJSON *own = cJSON_AddObjectToObject(o->document, sizes[k]);
        cJSON_AddNumberToObject(own, "inputs", m->products);
        if (m->speedups > 0)
            cJSON_AddNumberToObject(own, "speedup_geometric_mean",
                                    exp(m->speedup_logs / m->speedups));
        if (m->products > 0)
            cJSON_AddNumberToObject(own, "gflops_geometric_mean",
                                    exp(m->gflops_logs / m->products));
    }
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
        run_contenders(o, &factors, line);
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
        .about =
            "Times C = A*A (A*A' where A is not square) on a GPU, by gblite, cuSPARSE and CUB, "
            "from factors there to a result there; prints JSON. Each contender warms up for 0.3 "
            "seconds first.",
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
    const double end = o.limit > 0 ? o.start + o.limit : 0.0;
    const bool alone = o.spamm || o.triangles || o.graphs || o.operations;
    if (o.spamm)
        o.failures += gpu_spamm(document, o.shared.rounds, end);
    else if (o.triangles)
        o.failures += gpu_triangles(document, o.shared.rounds, end);
    else if (o.graphs)
        o.failures += gpu_graphs(document, o.shared.rounds, end);
    else if (o.operations)
        o.failures += gpu_operations(document, o.shared.rounds, end);
    else if (o.shared.input_count == 0 && bench_read_suite(&o.shared, visit, &o) != 0)
        o.failures++;
    for (int k = 0; k < o.shared.input_count; k++) run_input(&o, o.shared.inputs[k]);
    if (save(&o) != 0 || (o.output == NULL && bench_print(document) != 0)) o.failures++;
    const bool complete = o.failures == 0 && (alone || cJSON_GetArraySize(o.results) > 0);
    cJSON_Delete(document);
    gbl_finalize();
    return complete ? 0 : 1;
}
