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
    const overhead_mine *m = b->mine;
    const overhead_other *o = b->other;
    double mine[3] = {0}, other[3] = {0};
    gbl_Info info = GBL_SUCCESS;
    GrB_Info theirs = GrB_SUCCESS;
    if (m->C) info = gbl_Matrix_reduce_FP64(&mine[0], NULL, GBL_PLUS_MONOID_FP64, m->C, NULL);
    if (!info) info = gbl_Vector_reduce_FP64(&mine[1], NULL, GBL_PLUS_MONOID_FP64, m->w, NULL);
    if (!info && m->f)
        info = gbl_Vector_reduce_FP64(&mine[2], NULL, GBL_PLUS_MONOID_FP64, m->f, NULL);
    if (bench_failed(info, "sum")) return -1;
    if (o->C) theirs = GrB_Matrix_reduce_FP64(&other[0], NULL, GrB_PLUS_MONOID_FP64, o->C, NULL);
    if (!theirs) theirs = GrB_Vector_reduce_FP64(&other[1], NULL, GrB_PLUS_MONOID_FP64, o->w, NULL);
    if (!theirs && o->f)
        theirs = GrB_Vector_reduce_FP64(&other[2], NULL, GrB_PLUS_MONOID_FP64, o->f, NULL);
    if (peer_failed(theirs, "sum")) return -1;
    for (int k = 0; k < 3; k++)
        if (!peer_close(mine[k], other[k])) {
            fprintf(stderr, "overhead: %s: the results differ\n", b->call->name);
            return -1;
        }
    return 0;
}

void overhead_mine_free(overhead_mine *o) {
    gbl_Matrix *matrices[] = {&o->A, &o->M, &o->C, &o->full, &o->full_out, &o->band, &o->band_out};
    gbl_Vector *vectors[] = {&o->u, &o->w, &o->m, &o->f};
    for (int k = 0; k < 7; k++) gbl_Matrix_free(matrices[k]);
    for (int k = 0; k < 4; k++) gbl_Vector_free(vectors[k]);
}

void overhead_other_free(overhead_other *o) {
    GrB_Matrix *matrices[] = {&o->A, &o->M, &o->C};
    GrB_Vector *vectors[] = {&o->u, &o->w, &o->m, &o->f};
    for (int k = 0; k < 3; k++) GrB_Matrix_free(matrices[k]);
    for (int k = 0; k < 4; k++) GrB_Vector_free(vectors[k]);
}

typedef struct {
    cJSON *list; /* of what is measured */
    int rounds, repeats, failures;
} race;

/* entries: of the lists, written down; 0: there are none. */
static int measure(race *r, const overhead_group *group, const overhead_call *call,
                   uint64_t entries) {
    overhead_mine mine = {0};
    overhead_other other = {0};
    batch b = {call, &mine, &other, r->repeats};
    bench_contender pair[2] = {{"gblite", run_mine, reset, &b, 0},
                               {"suitesparse", run_other, reset, &b, 0}};
    const int contenders = call->other != NULL ? 2 : 1;
    int status = -1;
    if (bench_failed(group->mine_new(&mine, entries), "objects")) goto done;
    if (peer_failed(group->other_new(&other, entries), "objects")) goto done;
    if (bench_take_turns(pair, contenders, r->rounds) != 0 || check(&b) != 0) goto done;
    cJSON *object = cJSON_CreateObject();
    cJSON_AddStringToObject(object, "name", call->name);
    if (entries > 0) cJSON_AddNumberToObject(object, "entries", (double)entries);
    for (int k = 0; k < contenders; k++)
        cJSON_AddNumberToObject(object, pair[k].name, 1e6 * pair[k].median / r->repeats);
    cJSON_AddItemToArray(r->list, object);
    status = 0;
done:
    overhead_mine_free(&mine);
    overhead_other_free(&other);
    return status;
}

static void measure_group(race *r, const overhead_group *group, uint64_t entries) {
    for (int k = 0; k < group->count; k++)
        if (measure(r, group, &group->calls[k], entries) != 0) r->failures++;
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
        .about = "Microseconds of calls on 10 x 10 matrices, of planning, and of calls on lists "
                 "of 1, 10 and 100 entries, gblite and SuiteSparse:GraphBLAS in turns; prints "
                 "JSON.",
        .own = {.options = OPTIONS, .parser = parse}};
    bench_options shared = {.rounds = 21};
    int calls = 1000;
    bench_parse(argc, argv, &COMMAND, &shared, &calls);
    if (bench_start(shared.threads) != 0 || peer_start(shared.threads) != 0) return 1;
    bench_load load = bench_load_now();
    cJSON *document = cJSON_CreateObject();
    bench_describe(document, shared.threads, shared.rounds);
    race r = {cJSON_AddArrayToObject(document, "calls"), shared.rounds, calls, 0};
    measure_group(&r, &OVERHEAD_TINY, 0);
    r.list = cJSON_AddArrayToObject(document, "lists");
    for (uint64_t entries = 1; entries <= 100; entries *= 10)
        measure_group(&r, &OVERHEAD_LISTS, entries);
    measure_group(&r, &OVERHEAD_SEARCH, 1);
    peer_stop();
    return bench_end(document, &load, r.failures);
}
