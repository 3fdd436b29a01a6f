/* SPDX-License-Identifier: Apache-2.0
 *
 * bench/lists: options, the suite, the document, which is JSON; a line for each case goes to
 * stderr. Exit status 0 when every case was measured and all results were equal.
 */
#include <stdio.h>
#include <string.h>

#include "lists/lists.h"

enum { MOST_CASES = 1024 };

typedef struct {
    bench_options shared;
    const char *only; /* cases whose names begin so; NULL: all */
} options;

typedef struct {
    const options *o;
    cJSON *list; /* of inputs, then of the cases of one */
    double ratio[MOST_CASES];
    int count, failures;
} suite_context;

static error_t parse(int key, char *argument, struct argp_state *state) {
    options *o = state->input;
    if (key != 'o') return ARGP_ERR_UNKNOWN;
    o->only = argument;
    return 0;
}

static int visit_case(void *context, lists_case *of) {
    suite_context *s = context;
    const char *only = s->o->only;
    if (only != NULL && strncmp(of->name, only, strlen(only)) != 0) return 0;
    cJSON *object = cJSON_CreateObject();
    double ratio = 0;
    cJSON_AddItemToArray(s->list, object);
    if (lists_race(object, of, s->o->shared.rounds, &ratio) != 0) {
        s->failures++;
        return 0;
    }
    if (s->count < MOST_CASES) s->ratio[s->count++] = ratio;
    fprintf(stderr, "%-14s %-46s %9.3f ms %9.3f ms %6.2f\n", of->in->name, of->name,
            1e3 * cJSON_GetObjectItem(object, "gblite")->valuedouble,
            1e3 * cJSON_GetObjectItem(object, "suitesparse")->valuedouble, ratio);
    return 0;
}

static void visit(void *context, const bench_line *line) {
    suite_context *s = context;
    cJSON *object = cJSON_CreateObject(), *all = s->list;
    peer_input in;
    cJSON_AddItemToArray(all, object);
    cJSON_AddStringToObject(object, "name", line->operand);
    s->list = cJSON_AddArrayToObject(object, "cases");
    if (peer_load(&in, line->operand, false) != 0 || lists_each(&in, visit_case, s) != 0)
        s->failures++;
    peer_unload(&in);
    s->list = all;
}

int main(int argc, char **argv) {
    static const struct argp_option OPTIONS[] = {
        {"only", 'o', "NAME", 0, "cases whose names begin so", 0}, {0}};
    static const bench_command COMMAND = {
        .about = "Extracts and assigns by lists with gblite and SuiteSparse, checks that the "
                 "results are equal, and prints JSON.",
        .lines = "INPUT",
        .takes = BENCH_THREADS | BENCH_DATA,
        .own = {.options = OPTIONS, .parser = parse}};
    options o = {.shared = {.rounds = 9, .suite = BENCH_FOLDER "/lists/suite.txt"}};
    char text[64];
    bench_parse(argc, argv, &COMMAND, &o.shared, &o);
    if (bench_start(o.shared.threads) != 0 || peer_start(o.shared.threads) != 0) return 1;
    bench_load load = bench_load_now();
    cJSON *document = cJSON_CreateObject();
    bench_describe(document, o.shared.threads, o.shared.rounds);
    peer_version(text, sizeof text);
    cJSON_AddStringToObject(document, "suitesparse", text);
    suite_context context = {.o = &o, .list = cJSON_AddArrayToObject(document, "inputs")};
    if (bench_read_suite(&o.shared, visit, &context) != 0) context.failures++;
    if (context.count > 0)
        cJSON_AddNumberToObject(document, "geometric_mean",
                                bench_geometric_mean(context.ratio, context.count));
    peer_stop();
    return bench_end(document, &load, context.failures);
}
