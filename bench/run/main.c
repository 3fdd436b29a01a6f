/* SPDX-License-Identifier: Apache-2.0
 *
 * bench/run: options, the suite, the document. The files are written after every input, so that an
 * interrupted run leaves what it has. Exit status 0 when every input was measured and every result
 * was right, 1 when one was not, 64 for a wrong command line.
 */
#include "run/run.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "harness/counted.h"
#include "peers/mkl.h"

enum { MOST_INPUTS = 256, MOST_CHOSEN = 32 };

typedef struct {
    char *keyword, *operand;
    bool held_out;
} entry;

typedef struct {
    bench_options shared;
    const char *output, *peers, *name;
    bool tiny;
    const char *only[MOST_CHOSEN];
    int only_count;
    entry inputs[MOST_INPUTS];
    int count;
    int failures;
} options;

enum { KEY_TINY = 256, KEY_PEERS };
static const struct argp_option OPTIONS[] = {
    {"only", 'o', "INPUT", 0,
     "this line of the suite, or any other input; may be given several times. Nothing is written "
     "without --output",
     0},
    {"output", 'O', "DIR", 0, "folder for NAME.json and NAME.csv (default: bench/results)", 0},
    {"name", 'n', "NAME", 0, "of the files (default: run)", 0},
    {"tiny", KEY_TINY, NULL, 0, "small inputs, one round: checks the program, not the speed", 0},
    {"peers", KEY_PEERS, "DIR", 0,
     "folder of libmkl_rt.so (default: build-peers, filled by scripts/bench_peers.sh)", 0},
    {0},
};

static error_t parse(int key, char *argument, struct argp_state *state) {
    options *o = state->input;
    switch (key) {
    case 'o':
        if (o->only_count == MOST_CHOSEN) argp_error(state, "at most %d inputs", MOST_CHOSEN);
        o->only[o->only_count++] = argument;
        return 0;
    case 'O':
        o->output = argument;
        return 0;
    case 'n':
        o->name = argument;
        return 0;
    case KEY_TINY:
        o->tiny = true;
        o->shared.rounds = 1;
        o->shared.suite = BENCH_FOLDER "/run/tiny.txt";
        return 0;
    case KEY_PEERS:
        o->peers = argument;
        return 0;
    default:
        return ARGP_ERR_UNKNOWN;
    }
}

static bool is_chosen(const options *o, const char *operand) {
    char name[64], wanted[64];
    bench_operand_name(name, sizeof name, operand);
    for (int k = 0; k < o->only_count; k++) {
        bench_operand_name(wanted, sizeof wanted, o->only[k]);
        if (strcmp(name, wanted) == 0) return true;
    }
    return o->only_count == 0;
}

static void append(options *o, const bench_line *line) {
    entry *e = &o->inputs[o->count];
    if (o->count == MOST_INPUTS) {
        fprintf(stderr, "run: at most %d inputs\n", MOST_INPUTS);
        o->failures++;
        return;
    }
    *e = (entry){strdup(line->keyword), strdup(line->operand), line->held_out};
    if (e->keyword != NULL && e->operand != NULL)
        o->count++;
    else
        o->failures++;
}

static void visit(void *context, const bench_line *line) {
    const bool mine = strcmp(line->keyword, "mxm") == 0 || strcmp(line->keyword, "triangles") == 0;
    if (mine && is_chosen(context, line->operand)) append(context, line);
}

/* The suite, and what --only names beside it. */
static int list_inputs(options *o) {
    if (bench_read_suite(&o->shared, visit, o) != 0) return -1;
    for (int k = 0; k < o->only_count; k++) {
        const options wanted = {.only = {o->only[k]}, .only_count = 1};
        bool found = false;
        for (int i = 0; i < o->count; i++)
            found = found || is_chosen(&wanted, o->inputs[i].operand);
        if (!found) append(o, &(bench_line){"mxm", o->only[k], false});
    }
    return o->failures == 0 ? 0 : -1;
}

/* Said before anything is measured. */
static int check_output(const options *o) {
    if (o->output == NULL || access(o->output, W_OK | X_OK) == 0) return 0;
    fprintf(stderr, "run: cannot write to the folder %s: %s\n", o->output, strerror(errno));
    return -1;
}

static cJSON *new_document(const options *o) {
    char text[256];
    const time_t now = time(NULL);
    cJSON *document = cJSON_CreateObject();
    bench_describe(document, o->shared.threads, o->shared.rounds);
    peer_version(text, sizeof text);
    cJSON_AddStringToObject(document, "suitesparse", text);
    peer_mkl_version(text, sizeof text);
    cJSON_AddStringToObject(document, "mkl", text);
    strftime(text, sizeof text, "%Y-%m-%d", gmtime(&now));
    cJSON_AddStringToObject(document, "date", text);
    cJSON_AddArrayToObject(document, "inputs");
    return document;
}

static void run_one(options *o, const entry *e, cJSON *document) {
    run_race race = {.count = 0};
    run_problem problem = {.keyword = e->keyword,
                           .operand = e->operand,
                           .held_out = e->held_out,
                           .masked = strcmp(e->keyword, "triangles") == 0};
    const int status = run_input(&race, &problem, &o->shared);
    run_progress(0, 1, 0, NULL);
    if (status == 0) {
        run_table_row(&race, &problem);
        cJSON *list = cJSON_GetObjectItem(document, "inputs");
        cJSON_AddItemToArray(list, run_report(&race, &problem));
    } else {
        fprintf(stderr, "run: %s failed\n", e->operand);
        o->failures++;
    }
    run_end(&race);
    peer_unload(&problem.in);
}

static void run_all(options *o) {
    const double started = bench_seconds();
    const bool written = o->output != NULL;
    bench_load load = bench_load_now();
    cJSON *document = new_document(o);
    run_table_head();
    for (int k = 0; k < o->count; k++) {
        run_progress(k, o->count, started, o->inputs[k].operand);
        run_one(o, &o->inputs[k], document);
        cJSON_DeleteItemFromObject(document, "share_of_other_programs");
        cJSON_AddNumberToObject(document, "share_of_other_programs", bench_others_since(&load));
        if (written && run_write(document, o->output, o->name) != 0) o->failures++;
    }
    run_table_foot(cJSON_GetObjectItem(document, "inputs"));
    printf("%.0f s\n", bench_seconds() - started);
    cJSON_Delete(document);
}

static int start_libraries(options *o) {
    char why[512];
    bench_keep_freed_memory();
    if (bench_failed(
            gbl_init_with_allocator(GBL_NONBLOCKING, counted_malloc, counted_realloc, counted_free),
            "init"))
        return -1;
    if (bench_failed(gbl_Global_set_INT32(GBL_GLOBAL, o->shared.threads, GBL_NTHREADS), "threads"))
        return -1;
    GrB_Info info =
        GxB_init(GrB_NONBLOCKING, counted_malloc, counted_calloc, counted_realloc, counted_free);
    if (info == GrB_SUCCESS) info = GxB_Global_Option_set(GxB_GLOBAL_NTHREADS, o->shared.threads);
    if (peer_failed(info, "start SuiteSparse")) return -1;
    if (!peer_mkl_load(o->peers, o->shared.threads, why, sizeof why))
        fprintf(stderr, "run: without MKL: %s\n", why);
    return 0;
}

int main(int argc, char **argv) {
    static const bench_command COMMAND = {
        .about = "Runs every method of gblite, its automatic choice, SuiteSparse:GraphBLAS and "
                 "Intel MKL on every input of a suite, in turns, and compares their results.",
        .lines = "mxm INPUT or triangles INPUT",
        .takes = BENCH_THREADS | BENCH_DATA,
        .own = {.options = OPTIONS, .parser = parse}};
    options *o = calloc(1, sizeof *o);
    if (o == NULL) return 1;
    o->peers = BENCH_FOLDER "/../build-peers";
    o->name = "run";
    o->shared = (bench_options){.rounds = 5, .suite = BENCH_FOLDER "/suite.txt"};
    bench_parse(argc, argv, &COMMAND, &o->shared, o);
    if (o->output == NULL && !o->tiny && o->only_count == 0) o->output = BENCH_FOLDER "/results";
    if (check_output(o) != 0 || start_libraries(o) != 0 || list_inputs(o) != 0)
        o->failures++;
    else
        run_all(o);
    peer_stop();
    gbl_finalize();
    const int status = o->failures == 0 && o->count > 0 ? 0 : 1;
    for (int k = 0; k < o->count; k++) {
        free(o->inputs[k].keyword);
        free(o->inputs[k].operand);
    }
    free(o);
    return status;
}
