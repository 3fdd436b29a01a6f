/* SPDX-License-Identifier: Apache-2.0
 *
 * Programs that measure in parts: options, the suite, the document, which is JSON; see parts.h.
 */
#define _GNU_SOURCE /* program_invocation_short_name */
#include "harness/parts.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { MOST_PARTS = 16 };

typedef struct {
    const bench_program *program;
    bench_options shared;
    bench_setup setup;
    bool chosen[MOST_PARTS];
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
    if (key != 'o') return ARGP_ERR_UNKNOWN;
    choose(state->input, argument, state);
    return 0;
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
    bench_load load = bench_load_now();
    if (bench_failed(start_library(part, o->setup.threads), "start"))
        p.failures++;
    else if (o->shared.input_count == 0 && bench_read_suite(&o->shared, visit, &p) != 0)
        p.failures++;
    for (int i = 0; i < o->shared.input_count && p.failures == 0; i++)
        run_input(&p, o->shared.inputs[i]);
    gbl_finalize();
    bench_describe(object, o->setup.threads, o->setup.rounds);
    cJSON_AddNumberToObject(object, "share_of_other_programs", bench_others_since(&load));
    if (p.failures == 0 && cJSON_GetArraySize(p.inputs) == 0) {
        fprintf(stderr, "%s: %s has no line '%s INPUT' for part %s\n",
                program_invocation_short_name, o->shared.suite, part->keyword, part->name);
        p.failures++;
    }
    *failures += p.failures;
    return object;
}

int bench_measure_parts(int argc, char **argv, const bench_program *program) {
    const bench_command command = {.about = program->about,
                                   .lines = "KEYWORD INPUT",
                                   .takes = BENCH_THREADS | BENCH_DATA | BENCH_INPUTS,
                                   .own = {.options = OPTIONS, .parser = parse}};
    options o = {.program = program, .shared = {.rounds = 5, .suite = program->suite}};
    bench_parse(argc, argv, &command, &o.shared, &o);
    o.setup = (bench_setup){o.shared.rounds, o.shared.threads};
    if (program->start_peer(o.setup.threads) != 0) return 1;
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
    program->stop_peer();
    return failures == 0 ? 0 : 1;
}
