/* SPDX-License-Identifier: Apache-2.0
 *
 * bench/run: options, the suite, the document. The files are written after every input, so that an
 * interrupted run leaves what it has. Exit status 0 when every input was measured and every result
 * was right, 1 when one was not, 64 for a wrong command line.
 */
#include "run/run.h"

#include <dirent.h>
#include <errno.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "harness/counted.h"
#include "peers/mkl.h"

enum { MOST_INPUTS = 256, FIRST_CALLS = 3 };

typedef struct {
    char *keyword, *operand;
    bool held_out;
} entry;

typedef struct {
    bench_options shared;
    run_rules rules;
    const char *output, *name, *suitesparse;
    const char *fresh; /* KEYWORD:CONTENDER: this is a process of first.c */
    bool tiny;
    peer_order order;
    int first_calls; /* -1: not given */
    const char *only[RUN_MOST_CHOSEN];
    int only_count;
    entry inputs[MOST_INPUTS];
    int count;
    int failures;
} options;

enum {
    KEY_TINY = 256,
    KEY_PEERS,
    KEY_REGRET,
    KEY_FIRST,
    KEY_NO_FIRST,
    KEY_SUITESPARSE,
    KEY_FRESH,
    KEY_SHUFFLE
};
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
    {"contender", 'c', "NAME", 0,
     "runs this one, as the document calls it (auto, upper_bound, ..., suitesparse, mkl), and "
     "SuiteSparse to check it; may be given several times",
     0},
    {"regret", KEY_REGRET, NULL, 0,
     "inputs are all files of --data and what --only names, instead of a suite; gblite's ways "
     "alone are timed; NAME is regret",
     0},
    {"first", KEY_FIRST, "N", 0, "first calls, each in a fresh process (default 3)", 0},
    {"no-first", KEY_NO_FIRST, NULL, 0, "no first calls", 0},
    {"suitesparse", KEY_SUITESPARSE, "FILE", 0,
     "this libgraphblas.so, of release 7 or later, instead of the system's", 0},
    {"shuffle", KEY_SHUFFLE, "HOW", 0,
     "rows and columns of the inputs in a random order: `same' for both, or `apart'; no first "
     "calls",
     0},
    {"fresh", KEY_FRESH, "OPERATION:CONTENDER", OPTION_HIDDEN, NULL, 0},
    {0},
};

/* Ends the program when there is none of that name. */
static void add_contender(run_rules *rules, const char *name, struct argp_state *state) {
    char names[256] = "suitesparse, mkl";
    bool known = strcmp(name, "suitesparse") == 0 || strcmp(name, "mkl") == 0;
    for (int w = 0; w < RUN_WAY_COUNT; w++) {
        const size_t used = strlen(names);
        snprintf(names + used, sizeof names - used, ", %s", RUN_WAYS[w].name);
        known = known || strcmp(name, RUN_WAYS[w].name) == 0;
    }
    if (!known) argp_error(state, "no contender '%s'; there are %s", name, names);
    if (rules->contender_count == RUN_MOST_CHOSEN)
        argp_error(state, "at most %d contenders", RUN_MOST_CHOSEN);
    rules->contenders[rules->contender_count++] = name;
}

static peer_order find_order(const char *name, struct argp_state *state) {
    if (strcmp(name, "same") == 0) return PEER_SHUFFLED;
    if (strcmp(name, "apart") == 0) return PEER_SHUFFLED_APART;
    argp_error(state, "--shuffle is `same' or `apart', not '%s'", name);
    return PEER_IN_ORDER;
}

static error_t parse(int key, char *argument, struct argp_state *state) {
    options *o = state->input;
    switch (key) {
    case 'o':
        if (o->only_count == RUN_MOST_CHOSEN)
            argp_error(state, "at most %d inputs", RUN_MOST_CHOSEN);
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
        o->rules.peers = argument;
        return 0;
    case 'c':
        add_contender(&o->rules, argument, state);
        return 0;
    case KEY_REGRET:
        o->rules.regret = true;
        return 0;
    case KEY_FIRST:
        o->first_calls = bench_positive(argument, "--first", state);
        return 0;
    case KEY_NO_FIRST:
        o->first_calls = 0;
        return 0;
    case KEY_SUITESPARSE:
        o->suitesparse = argument;
        return 0;
    case KEY_SHUFFLE:
        o->order = find_order(argument, state);
        return 0;
    case KEY_FRESH:
        o->fresh = argument;
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

static bool is_file(const char *name) {
    const char *dot = strstr(name, ".mtx");
    return dot != NULL && (dot[4] == '\0' || strcmp(dot, ".mtx.gz") == 0);
}

/* With --regret of the suite only files count, for their marks, and what was chosen. */
static void visit(void *context, const bench_line *line) {
    const options *o = context;
    const bool masked = strcmp(line->keyword, "triangles") == 0;
    if (!masked && strcmp(line->keyword, "mxm") != 0) return;
    const bool chosen = is_chosen(o, line->operand) && !(o->rules.regret && o->only_count == 0);
    if (chosen || (o->rules.regret && !masked && is_file(line->operand))) append(context, line);
}

static bool is_listed(const options *o, const char *operand) {
    const options wanted = {.only = {operand}, .only_count = 1};
    for (int i = 0; i < o->count; i++)
        if (is_chosen(&wanted, o->inputs[i].operand)) return true;
    return false;
}

/* The other files of --data. Nothing was fitted to them: the suite does not name them. */
static int list_files(options *o) {
    char path[4096];
    struct dirent **names;
    const int count = scandir(o->shared.data, &names, NULL, alphasort);
    if (count < 0) {
        fprintf(stderr, "run: cannot read the folder %s: %s\n", o->shared.data, strerror(errno));
        return -1;
    }
    for (int k = 0; k < count; k++) {
        snprintf(path, sizeof path, "%s/%s", o->shared.data, names[k]->d_name);
        if (is_file(path) && !is_listed(o, path)) append(o, &(bench_line){"mxm", path, true});
        free(names[k]);
    }
    free(names);
    return 0;
}

/* The suite or the files, and what --only names beside them. */
static int list_inputs(options *o) {
    if (bench_read_suite(&o->shared, visit, o) != 0) return -1;
    if (o->rules.regret && o->shared.data != NULL && list_files(o) != 0) return -1;
    for (int k = 0; k < o->only_count; k++)
        if (!is_listed(o, o->only[k])) append(o, &(bench_line){"mxm", o->only[k], o->rules.regret});
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
    if (o->order != PEER_IN_ORDER)
        cJSON_AddStringToObject(document, "shuffled", o->order == PEER_SHUFFLED ? "same" : "apart");
    cJSON_AddArrayToObject(document, "inputs");
    return document;
}

static void run_one(options *o, const entry *e, cJSON *document) {
    run_race race = {.count = 0};
    run_problem problem = {.keyword = e->keyword,
                           .operand = e->operand,
                           .held_out = e->held_out,
                           .order = o->order,
                           .masked = strcmp(e->keyword, "triangles") == 0};
    const int status = run_input(&race, &problem, &o->rules);
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
    run_table_foot(document);
    if (written && run_write(document, o->output, o->name) != 0) o->failures++;
    printf("%s, %d threads; SuiteSparse:GraphBLAS %s; %.0f s\n",
           cJSON_GetObjectItem(document, "machine")->valuestring, o->shared.threads,
           cJSON_GetObjectItem(document, "suitesparse")->valuestring, bench_seconds() - started);
    cJSON_Delete(document);
}

int run_start(const run_rules *rules) {
    if (bench_failed(
            gbl_init_with_allocator(GBL_NONBLOCKING, counted_malloc, counted_realloc, counted_free),
            "init"))
        return -1;
    if (bench_failed(gbl_Global_set_INT32(GBL_GLOBAL, rules->setup.threads, GBL_NTHREADS),
                     "threads"))
        return -1;
    if (peer_failed(GxB_init(GrB_NONBLOCKING, counted_malloc, counted_calloc, counted_realloc,
                             counted_free),
                    "start SuiteSparse") ||
        peer_configure(rules->setup.threads) != 0)
        return -1;
    return 0;
}

/* This program again, with another SuiteSparse in front of the one that it is linked with; the
 * later releases have all functions that are used here. Returns when that is done, or -1. */
static int preload(const options *o, char **argv) {
    char path[PATH_MAX], threads[16];
    if (o->suitesparse == NULL) return 0;
    if (realpath(o->suitesparse, path) == NULL) {
        fprintf(stderr, "run: cannot open %s: %s\n", o->suitesparse, strerror(errno));
        return -1;
    }
    const char *now = getenv("LD_PRELOAD");
    if (now != NULL && strcmp(now, path) == 0) return 0;
    snprintf(threads, sizeof threads, "%d", o->shared.threads);
    if (setenv("LD_PRELOAD", path, 1) == 0 && setenv("OMP_NUM_THREADS", threads, 1) == 0)
        execv("/proc/self/exe", argv);
    fprintf(stderr, "run: cannot start again: %s\n", strerror(errno));
    return -1;
}

static int be_fresh(const options *o) {
    char keyword[64];
    const char *colon = strchr(o->fresh, ':');
    if (colon == NULL || o->only_count != 1) return 1;
    snprintf(keyword, sizeof keyword, "%.*s", (int)(colon - o->fresh), o->fresh);
    run_problem problem = {
        .keyword = keyword, .operand = o->only[0], .masked = strcmp(keyword, "triangles") == 0};
    return run_be_fresh(colon + 1, &problem, &o->rules);
}

static int measure(options *o) {
    char why[512];
    bench_keep_freed_memory();
    if (check_output(o) != 0 || run_start(&o->rules) != 0 || list_inputs(o) != 0) {
        o->failures++;
    } else {
        if (!peer_mkl_load(o->rules.peers, o->rules.setup.threads, why, sizeof why))
            fprintf(stderr, "run: without MKL: %s\n", why);
        run_all(o);
    }
    peer_stop();
    gbl_finalize();
    for (int k = 0; k < o->count; k++) {
        free(o->inputs[k].keyword);
        free(o->inputs[k].operand);
    }
    return o->failures == 0 && o->count > 0 ? 0 : 1;
}

int main(int argc, char **argv) {
    static const bench_command COMMAND = {
        .about = "Runs every method of gblite, its automatic choice, SuiteSparse:GraphBLAS and "
                 "Intel MKL on every input of a suite, in turns, and compares their results; then "
                 "the first call of each in a fresh process.",
        .lines = "mxm INPUT or triangles INPUT",
        .takes = BENCH_THREADS | BENCH_DATA,
        .own = {.options = OPTIONS, .parser = parse}};
    options *o = calloc(1, sizeof *o);
    if (o == NULL) return 1;
    o->rules.peers = BENCH_FOLDER "/../build-peers";
    o->first_calls = -1;
    o->shared = (bench_options){.rounds = 5, .suite = BENCH_FOLDER "/suite.txt"};
    bench_parse(argc, argv, &COMMAND, &o->shared, o);
    o->rules.setup = (bench_setup){o->shared.rounds, o->shared.threads};
    o->rules.first_calls = o->tiny ? 1 : o->rules.regret ? 0 : FIRST_CALLS;
    if (o->first_calls >= 0) o->rules.first_calls = o->first_calls;
    if (o->order != PEER_IN_ORDER) o->rules.first_calls = 0; /* other processes do not shuffle */
    if (o->name == NULL) o->name = o->rules.regret ? "regret" : "run";
    if (o->output == NULL && !o->tiny && o->only_count == 0) o->output = BENCH_FOLDER "/results";
    int status = preload(o, argv) == 0 ? 0 : 1;
    if (status == 0) status = o->fresh != NULL ? be_fresh(o) : measure(o);
    free(o);
    return status;
}
