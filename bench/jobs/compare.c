/* SPDX-License-Identifier: Apache-2.0
 *
 * Job compare: gblite and SuiteSparse side by side, a line for each result; the quick check of a
 * change. A row is timed from ready inputs to a result in its final form. Job lists: the same for
 * extract and assign by lists of rows and columns, and Kronecker products, FP64.
 */
#include "jobs/job.h"
#include "jobs/sides.h"

#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

static const struct {
    const char *name;
    peer_kind load;
    const side_rows *mine, *other;
} OPERATIONS[] = {
    {"mxm", PEER_WEIGHTED, &gblite_mxm, &suitesparse_mxm},
    {"boolean", PEER_PATTERN, &gblite_boolean, &suitesparse_boolean},
    {"mxv", PEER_WEIGHTED, &gblite_mxv, &suitesparse_mxv},
    {"push", PEER_WEIGHTED, &gblite_push, &suitesparse_push},
    {"bfs", PEER_UNDIRECTED, &gblite_bfs, &suitesparse_bfs},
    {"triangles", PEER_LOWER, &gblite_triangles, &suitesparse_triangles},
    {"triangles", PEER_SORTED_LOWER, &gblite_sorted_triangles, &suitesparse_sorted_triangles}};
static const char *const NAMES[] = {"mxm", "boolean", "mxv", "push", "bfs", "triangles", NULL};
enum { OPERATION_COUNT = sizeof OPERATIONS / sizeof *OPERATIONS, MOST_BUSY = 1000 };

static int busy_count; /* processes beside */

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

/* -- operations on one input */

/* A line without an operation is all of them. */
static void visit(void *of, const bench_line *line) {
    bench_sink *to = of;
    bool known = false;
    for (int k = 0; k < OPERATION_COUNT; k++) {
        const char *name = OPERATIONS[k].name;
        peer_input in = {0};
        if (line->keyword[0] != '\0' && strcmp(line->keyword, name) != 0) continue;
        known = true;
        if (!bench_is_chosen(to->o, name)) continue;
        const int status = peer_load(&in, line->operand, OPERATIONS[k].load);
        const bool fits = OPERATIONS[k].load != PEER_PATTERN || in.nrows == in.ncols;
        if (status < 0) to->failures++;
        if (status == 0 && fits)
            side_race_group(to, &(side_group){.operation = name,
                                              .input = line->operand,
                                              .mine = OPERATIONS[k].mine,
                                              .other = OPERATIONS[k].other,
                                              .task = {.in = &in},
                                              .setup = {.rules = bench_all_rounds(to->o->rounds)},
                                              .all = true});
        peer_unload(&in);
    }
    if (known) return;
    fprintf(stderr, "bench: '%s %s' begins with no operation\n", line->keyword, line->operand);
    to->failures++;
}

static void measure(bench_sink *to) {
    if (start_busy() != 0) {
        to->failures++;
        return;
    }
    cJSON_AddNumberToObject(to->document, "busy", busy_count);
    if (bench_read_inputs(to->o, visit, to) != 0) to->failures++;
    stop_busy(busy_count);
}

static void visit_lists(void *of, const bench_line *line) {
    bench_sink *to = of;
    peer_input in;
    if (peer_load(&in, line->operand, PEER_WEIGHTED) != 0)
        to->failures++;
    else
        side_race_group(to, &(side_group){.operation = "lists",
                                          .input = line->operand,
                                          .mine = &gblite_indexed,
                                          .other = &suitesparse_indexed,
                                          .task = {.in = &in},
                                          .setup = {.rules = {to->o->rounds, 3, 0.6, false}}});
    peer_unload(&in);
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
const bench_job JOB_LISTS = {
    .name = "lists",
    .about = "extract and assign by lists of rows and columns, Kronecker products",
    .lines = "INPUT",
    .suite = "suites/lists.txt",
    .rounds = 9,
    .takes = BENCH_THREADS | BENCH_DATA | BENCH_INPUTS | BENCH_ONLY | BENCH_JSON,
    .visit = visit_lists};
