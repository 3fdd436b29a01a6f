/* SPDX-License-Identifier: Apache-2.0
 *
 * The jobs of one product: options, the suite, the document. The files are written after every
 * input, so that an interrupted run keeps the lines before.
 */
#include "jobs/product.h"

#include <dirent.h>
#include <errno.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "harness/counted.h"

enum { MOST_INPUTS = 256, FIRST_CALLS = 3 };

/* Of the job that runs; one runs in a process. */
static struct {
    product_rules rules;
    const char *output, *name, *suitesparse;
    const char *fresh; /* KEYWORD:CONTENDER: this is a process of product_first.c */
    bool tiny, no_first;
    peer_kind order;
    int first_calls;                /* 0: not given */
    bench_line inputs[MOST_INPUTS]; /* copies */
    int count;
    int failures;
} own = {.rules.peers = BENCH_FOLDER "/../build-peers"};

static void take_contender(const bench_option *option, const char *name, struct argp_state *state) {
    const char *names[PRODUCT_MOST_CHOSEN] = {"suitesparse", "mkl"};
    for (int w = 0; w < PRODUCT_VARIANT_COUNT; w++) names[2 + w] = PRODUCT_VARIANTS[w].name;
    bench_check_name("no contender", name, names, state);
    own.rules.contenders[bench_take_next(option, state)] = name;
}

static void take_order(const bench_option *option, const char *name, struct argp_state *state) {
    const bool same = strcmp(name, "same") == 0;
    (void)option;
    if (!same && strcmp(name, "apart") != 0)
        argp_error(state, "--shuffle is `same' or `apart', not '%s'", name);
    own.order = same ? PEER_SHUFFLED : PEER_SHUFFLED_APART;
}

static const bench_option OPTIONS[] = {
    {"output", 'O', "DIR",
     "folder for NAME.json (default: bench/results; with --only nothing is written)",
     bench_take_text, &own.output, 0, NULL},
    {"name", 'n', "NAME", "of the files (default: that of the job)", bench_take_text, &own.name, 0,
     NULL},
    {"tiny", 0, NULL, "small inputs, one round: checks the program, not the speed", bench_take_flag,
     &own.tiny, 0, NULL},
    {"peers", 0, "DIR",
     "folder of libmkl_rt.so (default: build-peers, filled by scripts/bench_peers.sh)",
     bench_take_text, &own.rules.peers, 0, NULL},
    {"contender", 'c', "NAME",
     "runs this one, as the document calls it (auto, upper_bound, ..., suitesparse, mkl), and "
     "SuiteSparse to check it; may be given several times",
     take_contender, NULL, PRODUCT_MOST_CHOSEN, &own.rules.contender_count},
    {"regret", 0, NULL,
     "inputs are all files of --data and what --only names, instead of a suite; gblite's variants "
     "alone are timed; NAME is regret",
     bench_take_flag, &own.rules.regret, 0, NULL},
    {"first", 0, "N", "first calls, each in a fresh process (default 3)", bench_take_number,
     &own.first_calls, 0, NULL},
    {"no-first", 0, NULL, "no first calls", bench_take_flag, &own.no_first, 0, NULL},
    {"suitesparse", 0, "FILE",
     "this libgraphblas.so, of release 7 or later, instead of the system's", bench_take_text,
     &own.suitesparse, 0, NULL},
    {"shuffle", 0, "HOW",
     "rows and columns of the inputs in a random order: `same' for both, or `apart'; no first "
     "calls",
     take_order, NULL, 0, NULL},
    {"fresh", 0, "OPERATION:CONTENDER", NULL, bench_take_text, &own.fresh, 0, NULL},
    {0},
};

/* -- inputs */

static bool same_name(const char *x, const char *y) {
    char a[64], b[64];
    bench_operand_name(a, sizeof a, x);
    bench_operand_name(b, sizeof b, y);
    return strcmp(a, b) == 0;
}

static bool is_chosen(const bench_options *o, const char *operand) {
    for (int k = 0; k < o->only_count; k++)
        if (same_name(operand, o->only[k])) return true;
    return o->only_count == 0;
}

static void append(const bench_line *line) {
    bench_line *e = &own.inputs[own.count];
    if (own.count == MOST_INPUTS) {
        fprintf(stderr, "bench: at most %d inputs\n", MOST_INPUTS);
        own.failures++;
        return;
    }
    *e = (bench_line){strdup(line->keyword[0] != '\0' ? line->keyword : "mxm"),
                      strdup(line->operand), line->held_out};
    if (e->keyword != NULL && e->operand != NULL)
        own.count++;
    else
        own.failures++;
}

static bool is_file(const char *name) {
    const char *dot = strstr(name, ".mtx");
    return dot != NULL && (dot[4] == '\0' || strcmp(dot, ".mtx.gz") == 0);
}

/* With --regret of the suite only files count, for their marks, and what was chosen. */
static void visit(void *context, const bench_line *line) {
    const bench_options *o = context;
    const bool masked = strcmp(line->keyword, "triangles") == 0;
    if (!masked && line->keyword[0] != '\0' && strcmp(line->keyword, "mxm") != 0) return;
    const bool chosen = is_chosen(o, line->operand) && !(own.rules.regret && o->only_count == 0);
    if (chosen || (own.rules.regret && !masked && is_file(line->operand))) append(line);
}

static bool is_listed(const char *operand) {
    for (int i = 0; i < own.count; i++)
        if (same_name(operand, own.inputs[i].operand)) return true;
    return false;
}

/* The other files of --data. Nothing was fitted to them: the suite does not name them. */
static int list_files(const char *folder) {
    char path[4096];
    struct dirent **names;
    const int count = scandir(folder, &names, NULL, alphasort);
    if (count < 0) {
        fprintf(stderr, "bench: cannot read the folder %s: %s\n", folder, strerror(errno));
        return -1;
    }
    for (int k = 0; k < count; k++) {
        snprintf(path, sizeof path, "%s/%s", folder, names[k]->d_name);
        if (is_file(path) && !is_listed(path)) append(&(bench_line){"mxm", path, true});
        free(names[k]);
    }
    free(names);
    return 0;
}

/* The suite or the files, and what --only names beside them. */
static int list_inputs(const bench_options *o) {
    bench_options suite = *o;
    if (own.tiny) suite.suite = BENCH_FOLDER "/suites/run_tiny.txt";
    if (bench_read_suite(&suite, visit, &suite) != 0) return -1;
    if (own.rules.regret && o->data != NULL && list_files(o->data) != 0) return -1;
    for (int k = 0; k < o->only_count; k++)
        if (!is_listed(o->only[k])) append(&(bench_line){"mxm", o->only[k], own.rules.regret});
    return own.failures == 0 ? 0 : -1;
}

/* -- the document */

static void run_one(const bench_line *e, cJSON *document) {
    product_problem problem = {.keyword = e->keyword,
                               .operand = e->operand,
                               .held_out = e->held_out,
                               .order = own.order,
                               .masked = strcmp(e->keyword, "triangles") == 0};
    cJSON *input = product_input(&problem, &own.rules);
    if (input == NULL) {
        fprintf(stderr, "bench: %s failed\n", e->operand);
        own.failures++;
        return;
    }
    product_print(input);
    cJSON_AddItemToArray(cJSON_GetObjectItem(document, "inputs"), input);
}

static void write_file(const cJSON *document) {
    char path[PATH_MAX];
    if (own.output == NULL) return;
    snprintf(path, sizeof path, "%s/%s.json", own.output, own.name);
    if (bench_write(document, path) != 0) own.failures++;
}

static void run_all(cJSON *document, const bench_options *o) {
    const double started = bench_seconds();
    const bench_load load = bench_load_now();
    for (int k = 0; k < own.count; k++) {
        fprintf(stderr, "[%d of %d, %.0f s] %s\n", k + 1, own.count, bench_seconds() - started,
                own.inputs[k].operand);
        run_one(&own.inputs[k], document);
        bench_set_number(document, "share_of_other_programs", bench_others_since(&load));
        write_file(document);
    }
    product_sum_up(document);
    write_file(document);
    printf("%s, %d threads; SuiteSparse:GraphBLAS %s; %.0f s\n", bench_text(document, "machine"),
           o->threads, bench_text(document, "suitesparse"), bench_seconds() - started);
}

static int be_fresh(const bench_options *o) {
    char keyword[64];
    const char *colon = strchr(own.fresh, ':');
    if (colon == NULL || o->only_count != 1) return 1;
    snprintf(keyword, sizeof keyword, "%.*s", (int)(colon - own.fresh), own.fresh);
    product_problem problem = {
        .keyword = keyword, .operand = o->only[0], .masked = strcmp(keyword, "triangles") == 0};
    return product_be_fresh(colon + 1, &problem, &own.rules);
}

static void measure(bench_sink *to) {
    cJSON *document = to->document;
    const bench_options *o = to->o;
    char text[32];
    const time_t now = time(NULL);
    if (own.fresh != NULL) exit(be_fresh(o)); /* one library has been stopped */
    strftime(text, sizeof text, "%Y-%m-%d", gmtime(&now));
    cJSON_AddStringToObject(document, "date", text);
    if (own.order != PEER_WEIGHTED)
        cJSON_AddStringToObject(document, "shuffled",
                                own.order == PEER_SHUFFLED ? "same" : "apart");
    cJSON_AddArrayToObject(document, "inputs");
    if (list_inputs(o) == 0) run_all(document, o);
    for (int k = 0; k < own.count; k++) {
        free((char *)own.inputs[k].keyword);
        free((char *)own.inputs[k].operand);
    }
    to->failures = own.failures + (own.count == 0);
}

/* -- start */

/* This program again, with another SuiteSparse in front of the one that it is linked with; the
 * later releases have all functions that are used here. Returns when that is done, or -1. */
static int preload(const bench_options *o) {
    char path[PATH_MAX], threads[16];
    if (own.suitesparse == NULL) return 0;
    if (realpath(own.suitesparse, path) == NULL) {
        fprintf(stderr, "bench: cannot open %s: %s\n", own.suitesparse, strerror(errno));
        return -1;
    }
    const char *now = getenv("LD_PRELOAD");
    if (now != NULL && strcmp(now, path) == 0) return 0;
    snprintf(threads, sizeof threads, "%d", o->threads);
    if (setenv("LD_PRELOAD", path, 1) == 0 && setenv("OMP_NUM_THREADS", threads, 1) == 0)
        execv("/proc/self/exe", o->words);
    fprintf(stderr, "bench: cannot start again: %s\n", strerror(errno));
    return -1;
}

/* What was not given is the job's. */
static void set_defaults(const bench_job *job, const bench_options *o) {
    product_rules *rules = &own.rules;
    const char *const *contenders = job->contenders;
    rules->rounds = own.tiny ? 1 : o->rounds;
    rules->threads = o->threads;
    for (int k = 0; contenders != NULL && contenders[k] != NULL && !own.tiny && k < 32; k++)
        if (rules->contender_count == k)
            rules->contenders[rules->contender_count++] = contenders[k];
    rules->first_calls = own.tiny ? 1 : rules->regret || contenders != NULL ? 0 : FIRST_CALLS;
    if (own.first_calls > 0) rules->first_calls = own.first_calls;
    if (own.no_first || own.order != PEER_WEIGHTED)
        rules->first_calls = 0; /* other processes do not shuffle */
    if (own.name == NULL) own.name = rules->regret ? "regret" : job->name;
    if (own.output == NULL && !own.tiny && o->only_count == 0) own.output = BENCH_FOLDER "/results";
}

static int start_counted(const product_rules *rules) {
    if (bench_failed(
            gbl_init_with_allocator(GBL_NONBLOCKING, counted_malloc, counted_realloc, counted_free),
            "init"))
        return -1;
    if (bench_failed(gbl_Global_set_INT32(GBL_GLOBAL, rules->threads, GBL_NTHREADS), "threads"))
        return -1;
    if (peer_failed(GxB_init(GrB_NONBLOCKING, counted_malloc, counted_calloc, counted_realloc,
                             counted_free),
                    "start SuiteSparse") ||
        peer_configure(rules->threads) != 0)
        return -1;
    return 0;
}

/* Report wrong folders before anything is measured. A process for one first call keeps no memory
 * that was freed, and has MKL where it is the contender. */
static int start(const bench_job *job, const bench_options *o) {
    set_defaults(job, o);
    if (preload(o) != 0) return -1;
    if (own.fresh == NULL && own.output != NULL && access(own.output, W_OK | X_OK) != 0) {
        fprintf(stderr, "bench: cannot write to the folder %s: %s\n", own.output, strerror(errno));
        return -1;
    }
    if (own.fresh == NULL) bench_keep_freed_memory();
    if (start_counted(&own.rules) != 0) return -1;
    if (own.fresh == NULL) bench_load_mkl(own.rules.peers, o->threads);
    return 0;
}

#define PRODUCT_JOB(NAME, text, what, file, list)                                                  \
    const bench_job NAME = {.name = text,                                                          \
                            .about = what,                                                         \
                            .lines = "mxm INPUT or triangles INPUT",                               \
                            .suite = file,                                                         \
                            .rounds = 5,                                                           \
                            .takes = BENCH_THREADS | BENCH_DATA | BENCH_ONLY,                      \
                            .own = OPTIONS,                                                        \
                            .contenders = list,                                                    \
                            .start = start,                                                        \
                            .measure = measure,                                                    \
                            .writes = true}
#define LIST(NAME, ...) static const char *const NAME[] = {__VA_ARGS__, NULL}
LIST(ROWWISE, "auto", "upper_bound", "estimate", "symbolic", "suitesparse");
LIST(TILED, "auto", "rowwise_warm", "tiled", "tiled_warm", "tiled_to_tiles", "suitesparse");
LIST(OUTER, "auto", "rowwise_warm", "outer", "outer_warm", "suitesparse");
LIST(PANEL, "auto", "upper_bound", "estimate", "panel", "panel_grouped", "tiled", "suitesparse",
     "mkl");
LIST(VECTOR, "auto", "upper_bound", "outer", "spa", "hash-32/256", "hash-256/256", "h-hash-32/256",
     "h-hash-256/256", "suitesparse");
PRODUCT_JOB(JOB_RUN, "run", "C = A*A by every method, the automatic choice, SuiteSparse and MKL",
            "suite.txt", NULL);
PRODUCT_JOB(JOB_ROWWISE, "rowwise", "... by the workflows of ROWWISE", "suites/rowwise.txt",
            ROWWISE);
PRODUCT_JOB(JOB_TILED, "tiled", "... by TILED from rows and from tiles", "suites/tiled.txt", TILED);
PRODUCT_JOB(JOB_OUTER, "outer", "... by OUTER from CSR alone, and with A in CSC too",
            "suites/outer.txt", OUTER);
PRODUCT_JOB(JOB_PANEL, "panel", "... by PANEL on rows as they are and on grouped ones",
            "suites/panel.txt", PANEL);
PRODUCT_JOB(JOB_VECTOR, "vector", "... by the variants of VECTOR", "suites/vector.txt", VECTOR);
