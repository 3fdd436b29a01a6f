/* SPDX-License-Identifier: Apache-2.0
 *
 * Programs that measure in parts: options, the suite, the document, which is JSON; see product.h.
 */
#define _GNU_SOURCE /* program_invocation_short_name */
#include "product.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { MOST_PARTS = 16, MOST_INPUTS = 64 };

typedef struct {
    const bench_program *program;
    bench_setup setup;
    const char *suite, *data;
    bool chosen[MOST_PARTS];
    char *inputs[MOST_INPUTS];
    int input_count;
} options;

/* A part on its way through the suite. */
typedef struct {
    const options *options;
    const bench_part *part;
    cJSON *inputs;
    int failures;
} progress;

static const struct argp_option OPTIONS[] = {
    {"only", 'o', "PART", 0, "measures this part; may be given several times", 0},
    {"repeats", 'r', "N", 0, "rounds; the median counts (default 5)", 0},
    {"threads", 't', "N", 0, "threads of all sides (default: all processors)", 0},
    {"suite", 's', "FILE", 0, "lines of KEYWORD INPUT to run when no input is named", 0},
    {"data", 'd', "DIR", 0, "folder of the suite's files (those that start with ?)", 0},
    {0},
};

/* Ends the program when there is no such part. */
static void choose(options *o, const char *name, struct argp_state *state) {
    char names[256] = "";
    const bench_program *program = o->program;
    for (int k = 0; k < program->count; k++) {
        if (strcmp(name, program->parts[k].name) == 0) {
            o->chosen[k] = true;
            return;
        }
        const size_t used = strlen(names);
        snprintf(names + used, sizeof names - used, "%s%s", k > 0 ? ", " : "",
                 program->parts[k].name);
    }
    argp_error(state, "no part '%s'; there are %s", name, names);
}

static error_t parse(int key, char *argument, struct argp_state *state) {
    options *o = state->input;
    switch (key) {
    case 'o':
        choose(o, argument, state);
        return 0;
    case 'r':
        o->setup.rounds = bench_positive(argument, "--repeats", state);
        return 0;
    case 't':
        o->setup.threads = bench_positive(argument, "--threads", state);
        return 0;
    case 's':
        o->suite = argument;
        return 0;
    case 'd':
        o->data = argument;
        return 0;
    case ARGP_KEY_ARG:
        if (o->input_count == MOST_INPUTS)
            argp_error(state, "at most %d inputs", MOST_INPUTS);
        else
            o->inputs[o->input_count++] = argument;
        return 0;
    default:
        return ARGP_ERR_UNKNOWN;
    }
}

static void run_input(progress *p, const char *operand) {
    cJSON *object = cJSON_CreateObject();
    cJSON_AddItemToArray(p->inputs, object);
    fprintf(stderr, "%s: %s %s\n", program_invocation_short_name, p->part->name, operand);
    if (p->part->measure(object, operand, &p->options->setup) == 0) return;
    fprintf(stderr, "%s: %s %s failed\n", program_invocation_short_name, p->part->name, operand);
    p->failures++;
}

static bool is_keyword(const bench_program *program, const char *keyword) {
    for (int k = 0; k < program->count; k++)
        if (strcmp(keyword, program->parts[k].keyword) == 0) return true;
    return false;
}

static void visit(void *context, const bench_line *line) {
    progress *p = context;
    if (strcmp(line->keyword, p->part->keyword) == 0) {
        run_input(p, line->operand);
    } else if (!is_keyword(p->options->program, line->keyword)) {
        fprintf(stderr, "%s: the suite has a line '%s %s'\n", program_invocation_short_name,
                line->keyword, line->operand);
        p->failures++;
    }
}

static gbl_Info start(void) {
    bench_keep_freed_memory();
    return gbl_init(GBL_NONBLOCKING);
}

static gbl_Info start_library(const bench_part *part, int threads) {
    const gbl_Info info = part->start != NULL ? part->start() : start();
    return info == GBL_SUCCESS ? gbl_Global_set_INT32(GBL_GLOBAL, threads, GBL_NTHREADS) : info;
}

/* The part's member of the document. */
static cJSON *run_part(const options *o, const bench_part *part, int *failures) {
    cJSON *object = cJSON_CreateObject();
    progress p = {.options = o, .part = part, .inputs = cJSON_AddArrayToObject(object, "inputs")};
    int skipped = 0;
    bench_load load = bench_load_now();
    if (bench_failed(start_library(part, o->setup.threads), "start"))
        p.failures++;
    else if (o->input_count == 0 && bench_read_suite(o->suite, o->data, visit, &p, &skipped) != 0)
        p.failures++;
    for (int i = 0; i < o->input_count && p.failures == 0; i++) run_input(&p, o->inputs[i]);
    gbl_finalize();
    bench_describe(object, o->setup.threads, o->setup.rounds);
    cJSON_AddNumberToObject(object, "share_of_other_programs", bench_others_since(&load));
    if (cJSON_GetArraySize(p.inputs) == 0) p.failures++;
    *failures += p.failures;
    return object;
}

int bench_measure_parts(int argc, char **argv, const bench_program *program) {
    const struct argp argp = {OPTIONS, parse, "[INPUT...]", program->about, NULL, NULL, NULL};
    options o = {.program = program, .setup = {.rounds = 5}, .suite = program->suite};
    argp_parse(&argp, argc, argv, 0, NULL, &o);
    if (o.setup.threads == 0) o.setup.threads = (int)sysconf(_SC_NPROCESSORS_ONLN);
    if (compare_failed_other(GrB_init(GrB_NONBLOCKING), "init")) return 1;
    if (compare_failed_other(GxB_Global_Option_set(GxB_GLOBAL_NTHREADS, o.setup.threads),
                             "threads"))
        return 1;
    bool any = false;
    for (int k = 0; k < program->count; k++) any = any || o.chosen[k];
    int failures = 0;
    cJSON *document = cJSON_CreateObject();
    for (int k = 0; k < program->count; k++)
        if (!any || o.chosen[k])
            cJSON_AddItemToObject(document, program->parts[k].name,
                                  run_part(&o, &program->parts[k], &failures));
    if (bench_print(document) != 0) failures++;
    cJSON_Delete(document);
    GrB_finalize();
    return failures == 0 ? 0 : 1;
}
