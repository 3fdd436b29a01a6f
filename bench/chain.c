/* SPDX-License-Identifier: Apache-2.0
 *
 * bench/chain: options, the suite, the document, which is JSON. Exit status 0 when every chain was
 * measured and all orders gave the same result.
 */
#include "chain.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

typedef struct {
    int rounds, threads;
    const char *suite, *only;
} options;

static error_t parse(int key, char *argument, struct argp_state *state) {
    options *o = state->input;
    switch (key) {
    case 'r':
        o->rounds = bench_positive(argument, "--repeats", state);
        return 0;
    case 't':
        o->threads = bench_positive(argument, "--threads", state);
        return 0;
    case 's':
        o->suite = argument;
        return 0;
    case 'o':
        o->only = argument;
        return 0;
    default:
        return ARGP_ERR_UNKNOWN;
    }
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
    FILE *file = fopen(o->suite, "r");
    if (file == NULL) {
        fprintf(stderr, "chain: cannot open the suite %s: %s\n", o->suite, strerror(errno));
        return 1;
    }
    while (fgets(text, sizeof text, file) != NULL) {
        if (!read_chain(&factors, text)) continue;
        if (o->only != NULL && strcmp(o->only, factors.name) != 0) continue;
        fprintf(stderr, "chain: %s\n", factors.name);
        cJSON *object = cJSON_CreateObject();
        cJSON_AddItemToArray(list, object);
        if (chain_race(object, &factors, o->rounds) != 0) failures++;
    }
    fclose(file);
    return failures;
}

int main(int argc, char **argv) {
    static const struct argp_option OPTIONS[] = {
        {"repeats", 'r', "N", 0, "rounds; the median counts (default 5)", 0},
        {"threads", 't', "N", 0, "threads (default: all processors)", 0},
        {"suite", 's', "FILE", 0, "lines of NAME FACTOR FACTOR...", 0},
        {"only", 'o', "NAME", 0, "one chain of the suite", 0},
        {0}};
    static const struct argp ARGP = {
        OPTIONS,
        parse,
        "",
        "Multiplies chains of matrices in every order and by gbl_mxm_chain, checks that the "
        "results are equal, and prints JSON.",
        NULL,
        NULL,
        NULL};
    options o = {.rounds = 5, .suite = CHAIN_SUITE_FILE};
    argp_parse(&ARGP, argc, argv, 0, NULL, &o);
    if (o.threads == 0) o.threads = (int)sysconf(_SC_NPROCESSORS_ONLN);
    bench_keep_freed_memory();
    if (bench_failed(gbl_init(GBL_NONBLOCKING), "init")) return 1;
    if (bench_failed(gbl_Global_set_INT32(GBL_GLOBAL, o.threads, GBL_NTHREADS), "threads"))
        return 1;
    bench_load load = bench_load_now();
    cJSON *document = cJSON_CreateObject();
    bench_describe(document, o.threads, o.rounds);
    cJSON *list = cJSON_AddArrayToObject(document, "chains");
    int failures = run_suite(&o, list);
    if (cJSON_GetArraySize(list) == 0) failures++;
    cJSON_AddNumberToObject(document, "share_of_other_programs", bench_others_since(&load));
    if (bench_print(document) != 0) failures++;
    cJSON_Delete(document);
    gbl_finalize();
    return failures == 0 ? 0 : 1;
}
