/* SPDX-License-Identifier: Apache-2.0
 *
 * Job compare: gblite and SuiteSparse side by side, a line for each result; the quick check of a
 * change. A row is timed from ready inputs to a result in its final form.
 */
#include "jobs/job.h"
#include "jobs/sides.h"

#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

/* How the input of an operation is loaded. */
typedef enum { WEIGHTED, PATTERN, UNDIRECTED, LOWER } kind;

static const struct {
    const char *name;
    kind load;
    const side_rows *mine, *other;
} OPERATIONS[] = {{"mxm", WEIGHTED, &gblite_mxm, &suitesparse_mxm},
                  {"boolean", PATTERN, &gblite_boolean, &suitesparse_boolean},
                  {"mxv", WEIGHTED, &gblite_mxv, &suitesparse_mxv},
                  {"push", WEIGHTED, &gblite_push, &suitesparse_push},
                  {"bfs", UNDIRECTED, &gblite_bfs, &suitesparse_bfs},
                  {"triangles", LOWER, &gblite_triangles, &suitesparse_triangles}};
static const char *const NAMES[] = {"mxm", "boolean", "mxv", "push", "bfs", "triangles", NULL};
enum { OPERATION_COUNT = sizeof OPERATIONS / sizeof *OPERATIONS, MOST_BUSY = 1000 };

static int busy_count; /* processes beside */

static int find_operation(const char *name) {
    for (int k = 0; k < OPERATION_COUNT; k++)
        if (strcmp(name, OPERATIONS[k].name) == 0) return k;
    return -1;
}

/* -- processes that compute all the time; they end with this program, however it ends */

static pid_t busy[MOST_BUSY];

static void stop_busy(int n) {
    for (int k = 0; k < n; k++) {
        kill(busy[k], SIGKILL);
        waitpid(busy[k], NULL, 0);
    }
}

static int start_busy(void) {
    for (int k = 0; k < busy_count; k++) {
        busy[k] = fork();
        if (busy[k] == 0) {
            prctl(PR_SET_PDEATHSIG, SIGKILL);
            for (volatile unsigned n = 0;; n++) continue;
        }
        if (busy[k] < 0) {
            perror("bench: fork");
            stop_busy(k);
            return -1;
        }
    }
    return 0;
}

/* -- one operation on one input */

/* 1: the operation is nothing for this input. */
static int load(peer_input *in, const char *operand, kind how, bool by_degree) {
    peer_input base = {0};
    int status;
    memset(in, 0, sizeof *in);
    if (how == WEIGHTED || how == UNDIRECTED) return peer_load(in, operand, how == UNDIRECTED);
    status = peer_load(&base, operand, how == LOWER);
    if (status == 0 && how == LOWER) status = peer_lower(in, &base, by_degree);
    if (status == 0 && how == PATTERN)
        status = base.nrows == base.ncols ? peer_pattern_of(in, &base) : 1;
    peer_unload(&base);
    return status;
}

static int measure_operation(cJSON *document, int which, const char *operand,
                             const bench_options *o) {
    const side_setup setup = {.rules = bench_all_rounds(o->rounds)};
    const side_rows *mine = OPERATIONS[which].mine;
    const kind how = OPERATIONS[which].load;
    int failures = 0, loaded = -1, status = -1;
    peer_input in = {0};
    for (int k = 0; k < mine->count; k++) {
        const int by_degree = how == LOWER ? mine->rows[k].of[0] : 0;
        if (by_degree != loaded) {
            peer_unload(&in);
            status = load(&in, operand, how, by_degree);
            loaded = by_degree;
        }
        if (status == 1) break;
        cJSON *row = bench_row(document, OPERATIONS[which].name, mine->rows[k].name, operand);
        const side_task task = {.in = &in};
        const int done =
            status == 0 ? side_pair(row, mine, OPERATIONS[which].other, k, &task, &setup) : -1;
        failures += bench_row_done(document, o, done);
    }
    peer_unload(&in);
    return failures;
}

typedef struct {
    cJSON *document;
    const bench_options *o;
    int failures;
} context;

static void visit(void *of, const bench_line *line) {
    context *c = of;
    const int which = find_operation(line->keyword);
    if (which < 0) {
        fprintf(stderr,
                "bench: '%s %s': a line of the suite is an operation (mxm, boolean, mxv, push, "
                "bfs, triangles) and an input\n",
                line->keyword, line->operand);
        c->failures++;
    } else if (bench_is_chosen(c->o, line->keyword)) {
        c->failures += measure_operation(c->document, which, line->operand, c->o);
    }
}

static int measure(cJSON *document, const bench_job *job, const bench_options *o) {
    context c = {document, o, 0};
    (void)job;
    if (start_busy() != 0) return 1;
    cJSON_AddNumberToObject(document, "busy", busy_count);
    if (o->input_count == 0 && bench_read_suite(o, visit, &c) != 0) c.failures++;
    for (int i = 0; i < o->input_count; i++)
        for (int k = 0; k < OPERATION_COUNT; k++)
            if (bench_is_chosen(o, OPERATIONS[k].name))
                c.failures += measure_operation(document, k, o->inputs[i], o);
    stop_busy(busy_count);
    return c.failures + bench_rows_end(document, o);
}

static const bench_option OPTIONS[] = {{"busy", 'b', "N",
                                        "start N processes that compute meanwhile, at most 1000",
                                        bench_take_number, &busy_count, MOST_BUSY, NULL},
                                       {0}};
const bench_job JOB_COMPARE = {
    .name = "compare",
    .about = "gblite and SuiteSparse:GraphBLAS on the same inputs: mxm, boolean, mxv, push, bfs, "
             "triangles",
    .lines = "OPERATION INPUT",
    .suite = "suite.txt",
    .rounds = 5,
    .takes = BENCH_THREADS | BENCH_DATA | BENCH_INPUTS | BENCH_ONLY | BENCH_JSON,
    .names = NAMES,
    .own = OPTIONS,
    .measure = measure};
