/* SPDX-License-Identifier: Apache-2.0
 *
 * bench/tiled: options, the suite, the document, which is JSON. Exit status 0 when every part of
 * every input was measured and every result was right, 1 when one was not, 64 for a wrong command
 * line.
 */
#include "tiled.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

typedef struct {
    const char *name;
    const char *keyword; /* of the lines of the suite that it runs on */
    int (*measure)(cJSON *object, const char *operand, const tiled_setup *setup);
    bool counted; /* under the counting allocator */
} tiled_part;

static const tiled_part PARTS[] = {
    {"race", "mxm", tiled_race, false},
    {"steps", "mxm", tiled_steps, false},
    {"sweep", "sweep", tiled_sweep, false},
    {"memory", "mxm", tiled_memory, true},
    {"growth", "growth", tiled_growth, true},
    {"triangles", "triangles", tiled_triangles, false},
    {"galerkin", "galerkin", tiled_galerkin, false},
    {"cube", "cube", tiled_cube, false},
};
enum { PART_COUNT = sizeof PARTS / sizeof *PARTS, MOST_INPUTS = 64 };

typedef struct {
    tiled_setup setup;
    const char *suite, *data;
    bool chosen[PART_COUNT];
    char *inputs[MOST_INPUTS];
    int input_count;
} options;

/* A part on its way through the suite. */
typedef struct {
    const options *options;
    const tiled_part *part;
    cJSON *inputs;
    int failures;
} progress;

static const struct argp_option OPTIONS[] = {
    {"only", 'o', "PART", 0,
     "race, steps, sweep, memory, growth, triangles, galerkin or cube; may be given several times",
     0},
    {"repeats", 'r', "N", 0, "rounds; the median counts (default 5)", 0},
    {"threads", 't', "N", 0, "threads of all sides (default: all processors)", 0},
    {"suite", 's', "FILE", 0, "lines of KEYWORD INPUT to run when no input is named", 0},
    {"data", 'd', "DIR", 0, "folder of the suite's files (those that start with ?)", 0},
    {0},
};

static int find_part(const char *name) {
    for (int k = 0; k < PART_COUNT; k++)
        if (strcmp(name, PARTS[k].name) == 0) return k;
    return -1;
}

static error_t parse(int key, char *argument, struct argp_state *state) {
    options *o = state->input;
    int k;
    switch (key) {
    case 'o':
        k = find_part(argument);
        if (k < 0)
            argp_error(state, "no part '%s'; see --help", argument);
        else
            o->chosen[k] = true;
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
    fprintf(stderr, "tiled: %s %s\n", p->part->name, operand);
    if (p->part->measure(object, operand, &p->options->setup) == 0) return;
    fprintf(stderr, "tiled: %s %s failed\n", p->part->name, operand);
    p->failures++;
}

static bool is_keyword(const char *keyword) {
    for (int k = 0; k < PART_COUNT; k++)
        if (strcmp(keyword, PARTS[k].keyword) == 0) return true;
    return false;
}

static void visit(void *context, const char *keyword, const char *operand) {
    progress *p = context;
    if (strcmp(keyword, p->part->keyword) == 0) {
        run_input(p, operand);
    } else if (!is_keyword(keyword)) {
        fprintf(stderr, "tiled: the suite has a line '%s %s'\n", keyword, operand);
        p->failures++;
    }
}

static gbl_Info start_library(bool counted, int threads) {
    gbl_Info info;
    if (counted) {
        bench_return_freed_memory();
        info = gbl_init_with_allocator(GBL_NONBLOCKING, tiled_counted_malloc, tiled_counted_realloc,
                                       tiled_counted_free);
        if (info == GBL_SUCCESS) info = gbl_Global_set_INT64(GBL_GLOBAL, 0, GBL_POOL_LIMIT);
    } else {
        bench_keep_freed_memory();
        info = gbl_init(GBL_NONBLOCKING);
    }
    return info == GBL_SUCCESS ? gbl_Global_set_INT32(GBL_GLOBAL, threads, GBL_NTHREADS) : info;
}

/* The part's member of the document. */
static cJSON *run_part(const options *o, const tiled_part *part, int *failures) {
    cJSON *object = cJSON_CreateObject();
    progress p = {.options = o, .part = part, .inputs = cJSON_AddArrayToObject(object, "inputs")};
    int skipped = 0;
    bench_load load = bench_load_now();
    if (bench_failed(start_library(part->counted, o->setup.threads), "start"))
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

int main(int argc, char **argv) {
    static const struct argp ARGP = {
        OPTIONS,
        parse,
        "[INPUT...]",
        "Measures the tiled product on generator specs like fem:12:6 or Matrix Market files, "
        "checks "
        "every result, and prints JSON. Without a part named, all are measured; inputs of sweep "
        "are SEMIRING:ENTRIES.",
        NULL,
        NULL,
        NULL};
    options o = {.setup = {.rounds = 5}, .suite = TILED_SUITE_FILE};
    argp_parse(&ARGP, argc, argv, 0, NULL, &o);
    if (o.setup.threads == 0) o.setup.threads = (int)sysconf(_SC_NPROCESSORS_ONLN);
    if (compare_failed_other(GrB_init(GrB_NONBLOCKING), "init")) return 1;
    if (compare_failed_other(GxB_Global_Option_set(GxB_GLOBAL_NTHREADS, o.setup.threads),
                             "threads"))
        return 1;
    bool any = false;
    for (int k = 0; k < PART_COUNT; k++) any = any || o.chosen[k];
    int failures = 0;
    cJSON *document = cJSON_CreateObject();
    for (int k = 0; k < PART_COUNT; k++)
        if (!any || o.chosen[k])
            cJSON_AddItemToObject(document, PARTS[k].name, run_part(&o, &PARTS[k], &failures));
    if (bench_print(document) != 0) failures++;
    cJSON_Delete(document);
    GrB_finalize();
    return failures == 0 ? 0 : 1;
}
