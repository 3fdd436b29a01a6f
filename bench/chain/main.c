/* SPDX-License-Identifier: Apache-2.0
 *
 * bench/chain: options, the suite, the document, which is JSON. Exit status 0 when every chain was
 * measured and all orders gave the same result.
 */
#include "chain/chain.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>

typedef struct {
    bench_options shared;
    const char *only;
} options;

static error_t parse(int key, char *argument, struct argp_state *state) {
    options *o = state->input;
    if (key != 'o') return ARGP_ERR_UNKNOWN;
    o->only = argument;
    return 0;
}

/* NAME FACTOR FACTOR ... of a line; false when there is no chain in it. */
static bool read_chain(chain_factors *f, char *text) {
    char *rest = NULL;
    text[strcspn(text, "#\n")] = '\0';
    memset(f, 0, sizeof *f);
    const char *word = strtok_r(text, " ", &rest);
    if (word == NULL) return false;
    snprintf(f->name, sizeof f->name, "%s", word);
    while (f->count < GBL_CHAIN_MOST && (word = strtok_r(NULL, " ", &rest)) != NULL)
        snprintf(f->specs[f->count++], sizeof f->specs[0], "%s", word);
    return true;
}

static int run_suite(const options *o, cJSON *list) {
    static chain_factors factors;
    char text[4096];
    int failures = 0;
    FILE *file = fopen(o->shared.suite, "r");
    if (file == NULL) {
        fprintf(stderr, "chain: cannot open the suite %s: %s\n", o->shared.suite, strerror(errno));
        return 1;
    }
    while (fgets(text, sizeof text, file) != NULL) {
        if (!read_chain(&factors, text)) continue;
        if (o->only != NULL && strcmp(o->only, factors.name) != 0) continue;
        fprintf(stderr, "chain: %s\n", factors.name);
        cJSON *object = cJSON_CreateObject();
        cJSON_AddItemToArray(list, object);
        if (chain_race(object, &factors, o->shared.rounds) != 0) failures++;
    }
    fclose(file);
    if (failures == 0 && cJSON_GetArraySize(list) == 0) {
        fprintf(stderr, "chain: no chain %s in %s\n", o->only != NULL ? o->only : "",
                o->shared.suite);
        failures++;
    }
    return failures;
}

int main(int argc, char **argv) {
    static const struct argp_option OPTIONS[] = {
        {"only", 'o', "NAME", 0, "one chain of the suite", 0}, {0}};
    static const bench_command COMMAND = {
        .about = "Multiplies chains of matrices in every order and by gbl_mxm_chain, checks that "
                 "the results are equal, and prints JSON.",
        .lines = "NAME FACTOR FACTOR...",
        .takes = BENCH_THREADS,
        .own = {.options = OPTIONS, .parser = parse}};
    options o = {.shared = {.rounds = 5, .suite = BENCH_FOLDER "/chain/suite.txt"}};
    bench_parse(argc, argv, &COMMAND, &o.shared, &o);
    if (bench_start(o.shared.threads) != 0) return 1;
    bench_load load = bench_load_now();
    cJSON *document = cJSON_CreateObject();
    bench_describe(document, o.shared.threads, o.shared.rounds);
    cJSON *list = cJSON_AddArrayToObject(document, "chains");
    int failures = run_suite(&o, list);
    return bench_end(document, &load, failures);
}
