/* SPDX-License-Identifier: Apache-2.0
 *
 * bench/overhead: rounds and the document, which is JSON. Exit status 0 when every call worked and
 * both libraries ended with the same matrices.
 */
#include "overhead/overhead.h"

#include <math.h>
#include <stdio.h>

typedef struct {
    const overhead_call *call;
    overhead_mine *mine;
    overhead_other *other;
    int repeats; /* calls of one run */
} batch;

static int run_mine(void *context) {
    const batch *b = context;
    gbl_Info info = GBL_SUCCESS;
    for (int k = 0; k < b->repeats && info == GBL_SUCCESS; k++) info = b->call->mine(b->mine);
    return bench_failed(info, b->call->name) ? -1 : 0;
}

static int run_other(void *context) {
    const batch *b = context;
    GrB_Info info = GrB_SUCCESS;
    for (int k = 0; k < b->repeats && info == GrB_SUCCESS; k++) info = b->call->other(b->other);
    return peer_failed(info, b->call->name) ? -1 : 0;
}

static void reset(void *context) {
    (void)context;
}

/* The sums of what the last call wrote are the same. */
static int check(const batch *b) {
    double mine[2] = {0}, other[2] = {0};
    gbl_Info info = gbl_Matrix_reduce_FP64(&mine[0], NULL, GBL_PLUS_MONOID_FP64, b->mine->C, NULL);
    if (info == GBL_SUCCESS)
        info = gbl_Vector_reduce_FP64(&mine[1], NULL, GBL_PLUS_MONOID_FP64, b->mine->w, NULL);
    if (bench_failed(info, "sum")) return -1;
    GrB_Info theirs =
        GrB_Matrix_reduce_FP64(&other[0], NULL, GrB_PLUS_MONOID_FP64, b->other->C, NULL);
    if (theirs == GrB_SUCCESS)
        theirs = GrB_Vector_reduce_FP64(&other[1], NULL, GrB_PLUS_MONOID_FP64, b->other->w, NULL);
    if (peer_failed(theirs, "sum")) return -1;
    if (peer_close(mine[0], other[0]) && peer_close(mine[1], other[1])) return 0;
    fprintf(stderr, "overhead: %s: the results differ\n", b->call->name);
    return -1;
}

static int measure(cJSON *list, const overhead_call *call, int rounds, int repeats) {
    overhead_mine mine = {0};
    overhead_other other = {0};
    batch b = {call, &mine, &other, repeats};
    bench_contender pair[2] = {{"gblite", run_mine, reset, &b, 0},
                               {"suitesparse", run_other, reset, &b, 0}};
    const int contenders = call->other != NULL ? 2 : 1;
    int status = -1;
    if (bench_failed(overhead_mine_new(&mine), "objects")) goto done;
    if (peer_failed(overhead_other_new(&other), "objects")) goto done;
    if (bench_take_turns(pair, contenders, rounds) != 0 || check(&b) != 0) goto done;
    cJSON *object = cJSON_CreateObject();
    cJSON_AddStringToObject(object, "name", call->name);
    for (int k = 0; k < contenders; k++)
        cJSON_AddNumberToObject(object, pair[k].name, 1e6 * pair[k].median / repeats);
    cJSON_AddItemToArray(list, object);
    status = 0;
done:
    overhead_mine_free(&mine);
    overhead_other_free(&other);
    return status;
}

static error_t parse(int key, char *argument, struct argp_state *state) {
    int *calls = state->input;
    if (key != 'c') return ARGP_ERR_UNKNOWN;
    *calls = bench_positive(argument, "--calls", state);
    return 0;
}

int main(int argc, char **argv) {
    static const struct argp_option OPTIONS[] = {
        {"calls", 'c', "N", 0, "calls per run (default 1000)", 0}, {0}};
    static const bench_command COMMAND = {
        .about = "Microseconds of calls on 10 x 10 matrices and of planning, gblite and "
                 "SuiteSparse:GraphBLAS in turns; prints JSON.",
        .own = {.options = OPTIONS, .parser = parse}};
    bench_options shared = {.rounds = 21};
    int calls = 1000;
    int failures = 0;
    bench_parse(argc, argv, &COMMAND, &shared, &calls);
    if (bench_start(shared.threads) != 0 || peer_start(shared.threads) != 0) return 1;
    bench_load load = bench_load_now();
    cJSON *document = cJSON_CreateObject();
    bench_describe(document, shared.threads, shared.rounds);
    cJSON *list = cJSON_AddArrayToObject(document, "calls");
    for (int k = 0; k < OVERHEAD_CALL_COUNT; k++)
        if (measure(list, &OVERHEAD_CALLS[k], shared.rounds, calls) != 0) failures++;
    peer_stop();
    return bench_end(document, &load, failures);
}
