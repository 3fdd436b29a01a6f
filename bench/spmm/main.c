/* SPDX-License-Identifier: Apache-2.0
 *
 * bench/spmm: options, the suite, the document, which is JSON. Exit status 0 when every product was
 * measured and all results were equal.
 */
#include "spmm/spmm.h"

#include <stdio.h>
#include <string.h>

typedef struct {
    bench_options shared;
    const char *peers;
    bool left; /* the full factor is the left one */
    int columns[SPMM_COLUMNS_MOST], count;
} options;

typedef struct {
    const options *o;
    cJSON *list;
    int failures;
} suite_context;

static const int COLUMNS[] = {2, 4, 8, 16, 32, 64, 128, 256};
enum { COLUMNS_COUNT = sizeof COLUMNS / sizeof *COLUMNS };

static error_t parse(int key, char *argument, struct argp_state *state) {
    options *o = state->input;
    switch (key) {
    case 'm':
        o->peers = argument;
        return 0;
    case 'l':
        o->left = true;
        return 0;
    case 'c':
        if (o->count == SPMM_COLUMNS_MOST)
            argp_error(state, "--columns at most %d times", SPMM_COLUMNS_MOST);
        else
            o->columns[o->count++] = bench_positive(argument, "--columns", state);
        return 0;
    default:
        return ARGP_ERR_UNKNOWN;
    }
}

static void visit(void *context, const bench_line *line) {
    suite_context *s = context;
    const options *o = s->o;
    const bench_setup setup = {o->shared.rounds, o->shared.threads};
    peer_input in;
    cJSON *object = cJSON_CreateObject();
    cJSON_AddItemToArray(s->list, object);
    fprintf(stderr, "spmm: %s\n", line->operand);
    cJSON_AddStringToObject(object, "name", line->operand);
    if (peer_load(&in, line->operand, false) != 0) {
        s->failures++;
        goto done;
    }
    cJSON_AddNumberToObject(object, "rows", (double)in.nrows);
    cJSON_AddNumberToObject(object, "entries", (double)in.nvals);
    cJSON *products = cJSON_AddArrayToObject(object, "products");
    for (int k = 0; k < o->count; k++) {
        cJSON *product = cJSON_CreateObject();
        cJSON_AddItemToArray(products, product);
        if (spmm_race(product, &in, (peer_mkl_full){o->left, (gbl_Index)o->columns[k]}, &setup) !=
            0)
            s->failures++;
    }
done:
    peer_unload(&in);
}

static void describe(cJSON *document, const options *o) {
    char text[256];
    bench_describe(document, o->shared.threads, o->shared.rounds);
    peer_version(text, sizeof text);
    cJSON_AddStringToObject(document, "suitesparse", text);
    peer_mkl_version(text, sizeof text);
    cJSON_AddStringToObject(document, "mkl", text);
}

static int start(const options *o) {
    char why[256];
    if (bench_start(o->shared.threads) != 0 || peer_start(o->shared.threads) != 0) return -1;
    if (!peer_mkl_load(o->peers, o->shared.threads, why, sizeof why))
        fprintf(stderr, "spmm: without MKL: %s\n", why);
    return 0;
}

int main(int argc, char **argv) {
    static const struct argp_option OPTIONS[] = {
        {"columns", 'c', "N", 0,
         "of the full factor, or its rows with --left; may be given several times", 0},
        {"left", 'l', NULL, 0, "full times sparse", 0},
        {"mkl", 'm', "DIR", 0,
         "folder of libmkl_rt.so (default: build-peers, filled by scripts/bench_peers.sh)", 0},
        {0}};
    static const bench_command COMMAND = {
        .about = "Multiplies sparse matrices by full ones with gblite, SuiteSparse and Intel MKL, "
                 "checks that the results are equal, and prints JSON.",
        .lines = "INPUT",
        .takes = BENCH_THREADS | BENCH_DATA,
        .own = {.options = OPTIONS, .parser = parse}};
    options o = {.shared = {.rounds = 9, .suite = BENCH_FOLDER "/spmm/suite.txt"},
                 .peers = BENCH_FOLDER "/../build-peers"};
    bench_parse(argc, argv, &COMMAND, &o.shared, &o);
    if (o.count == 0) {
        memcpy(o.columns, COLUMNS, sizeof COLUMNS);
        o.count = COLUMNS_COUNT;
    }
    if (start(&o) != 0) return 1;
    bench_load load = bench_load_now();
    cJSON *document = cJSON_CreateObject();
    describe(document, &o);
    suite_context context = {.o = &o, .list = cJSON_AddArrayToObject(document, "inputs")};
    if (bench_read_suite(&o.shared, visit, &context) != 0) context.failures++;
    peer_stop();
    return bench_end(document, &load, context.failures);
}
