/* SPDX-License-Identifier: Apache-2.0
 *
 * bench/compare: options, the suite, the table. Exit status 0 when every result was equal, 1 when
 * one was not or a job failed, 64 for a wrong command line.
 */
#include "compare/compare.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const compare_job JOBS[] = {
    {"mxm", false, compare_mxm}, {"boolean", false, compare_boolean},
    {"mxv", false, compare_mxv}, {"push", false, compare_push},
    {"bfs", true, compare_bfs},  {"triangles", true, compare_triangles},
};
enum { JOB_COUNT = sizeof JOBS / sizeof *JOBS, MOST_ROWS = 512 };

typedef struct {
    bench_options shared;
    bool json;
    int busy; /* processes beside */
    bool chosen[JOB_COUNT];
} options;

typedef struct {
    compare_row rows[MOST_ROWS];
    char *names[MOST_ROWS]; /* the texts that rows[].input point to; owned */
    int count, failures;
    double others; /* share of the processors that other programs used meanwhile */
} report;

typedef struct {
    const options *options;
    report *all;
} suite_context;

static const double BUSY = 0.1; /* share of other programs above which times deserve a warning */

static const struct argp_option OPTIONS[] = {
    {"only", 'o', "OPERATION", 0,
     "mxm, boolean, mxv, push, bfs or triangles; may be given several times", 0},
    {"json", 'j', NULL, 0, "print JSON instead of a table", 0},
    {"busy", 'b', "N", 0, "start N processes that compute meanwhile, at most 1000", 0},
    {0},
};

static int find_job(const char *name) {
    for (int k = 0; k < JOB_COUNT; k++)
        if (strcmp(name, JOBS[k].name) == 0) return k;
    return -1;
}

static error_t parse(int key, char *argument, struct argp_state *state) {
    options *o = state->input;
    int job;
    switch (key) {
    case 'j':
        o->json = true;
        return 0;
    case 'b':
        o->busy = bench_positive(argument, "--busy", state);
        if (o->busy > COMPARE_MOST_BUSY) argp_error(state, "--busy is at most 1000");
        return 0;
    case 'o':
        job = find_job(argument);
        if (job < 0)
            argp_error(state, "no operation '%s': mxm, boolean, mxv, push, bfs or triangles",
                       argument);
        else
            o->chosen[job] = true;
        return 0;
    default:
        return ARGP_ERR_UNKNOWN;
    }
}

static void print_count(uint64_t x, char text[16]) {
    if (x < 10000)
        snprintf(text, 16, "%d", (int)x);
    else if (x < 10000000)
        snprintf(text, 16, "%.1f k", (double)x / 1e3);
    else
        snprintf(text, 16, "%.1f M", (double)x / 1e6);
}

static void print_time(double s, char text[16]) {
    if (s < 1e-3)
        snprintf(text, 16, "%.0f us", s * 1e6);
    else if (s < 1)
        snprintf(text, 16, "%.2f ms", s * 1e3);
    else
        snprintf(text, 16, "%.3f s", s);
}

static void print_row(const compare_row *r) {
    char result[16], other[16], mine[16], method[80];
    char name[64];
    bench_operand_name(name, sizeof name, r->input);
    print_count(r->result, result);
    print_time(r->other, other);
    print_time(r->gblite, mine);
    snprintf(method, sizeof method, "%s%s%s", r->how.method, r->how.workflow[0] ? ", " : "",
             r->how.workflow);
    printf("%-12s %-20s %10s %-9s %10s %10s %6.2fx  %-5s  %s", r->operation, name, result,
           r->result_unit, other, mine, r->other / r->gblite, r->equal ? "equal" : "WRONG", method);
    if (r->other_form[0]) printf("  (SuiteSparse: %s)", r->other_form);
    printf("\n");
    fflush(stdout);
}

/* Runs one job and takes its rows into the report; a failure is counted, the rest goes on. */
static void run_job(const compare_job *job, const char *operand, const options *o, report *all) {
    peer_input in;
    compare_row rows[COMPARE_MOST_ROWS];
    int count = -1;
    if (peer_load(&in, operand, job->undirected) != 0) goto done;
    count = job->run(&in, o->shared.rounds, rows);
done:
    peer_unload(&in);
    if (count < 0) {
        fprintf(stderr, "compare: %s %s failed\n", job->name, operand);
        all->failures++;
    }
    if (all->count + COMPARE_MOST_ROWS > MOST_ROWS) {
        fprintf(stderr, "compare: at most %d rows; run the rest alone\n", MOST_ROWS);
        all->failures++;
        return;
    }
    for (int k = 0; k < count; k++) {
        char *name = strdup(operand);
        if (name == NULL) {
            all->failures++;
            return;
        }
        all->names[all->count] = name;
        all->rows[all->count] = rows[k];
        all->rows[all->count].input = name;
        if (!rows[k].equal) all->failures++;
        if (!o->json) print_row(&all->rows[all->count]);
        all->count++;
    }
}

static bool wanted(const options *o, int job) {
    bool any = false;
    for (int k = 0; k < JOB_COUNT; k++) any = any || o->chosen[k];
    return !any || o->chosen[job];
}

static void visit(void *context, const bench_line *line) {
    suite_context *c = context;
    const int job = find_job(line->keyword);
    if (job < 0) {
        fprintf(stderr,
                "compare: '%s %s': a line of the suite is an operation (mxm, boolean, mxv, "
                "push, bfs, triangles) and an input\n",
                line->keyword, line->operand);
        c->all->failures++;
    } else if (wanted(c->options, job)) {
        run_job(&JOBS[job], line->operand, c->options, c->all);
    }
}

static int run_suite(const options *o, report *all) {
    suite_context context = {o, all};
    return bench_read_suite(&o->shared, visit, &context);
}

/* The geometric mean of the ratios of one operation, or of all when name is NULL; 0 if none. */
static double mean_ratio(const report *all, const char *name, int *count) {
    double ratios[MOST_ROWS];
    *count = 0;
    for (int k = 0; k < all->count; k++)
        if (name == NULL || strcmp(name, all->rows[k].operation) == 0)
            ratios[(*count)++] = all->rows[k].other / all->rows[k].gblite;
    return *count > 0 ? bench_geometric_mean(ratios, *count) : 0;
}

static void describe(const options *o, const report *all, char *text, size_t size) {
    char cpu[128], version[32];
    bench_cpu_name(cpu, sizeof cpu);
    peer_version(version, sizeof version);
    snprintf(text, size,
             "%s, %d threads, %s kernels, %d busy processes beside; gblite %d.%d.%d, "
             "SuiteSparse:GraphBLAS %s; medians of %d",
             cpu, o->shared.threads, all->count ? all->rows[0].how.isa : "no", o->busy,
             GBLITE_VERSION_MAJOR, GBLITE_VERSION_MINOR, GBLITE_VERSION_PATCH, version,
             o->shared.rounds);
}

static void print_summary(const options *o, const report *all) {
    char machine[320];
    int count;
    printf("geometric mean of SuiteSparse time / gblite time:");
    for (int k = 0; k < all->count; k++) {
        bool seen = false;
        for (int j = 0; j < k; j++)
            seen = seen || strcmp(all->rows[j].operation, all->rows[k].operation) == 0;
        if (seen) continue;
        double mean = mean_ratio(all, all->rows[k].operation, &count);
        printf(" %s %.2fx (%d),", all->rows[k].operation, mean, count);
    }
    printf(" all %.2fx\n", mean_ratio(all, NULL, &count));
    describe(o, all, machine, sizeof machine);
    printf("%s\n", machine);
    if (all->others > BUSY && o->busy == 0)
        printf(
            "note: other programs used %.0f%% of the processors meanwhile; threads that wait for "
            "each other suffer unequally, so repeat this on an idle machine\n",
            100 * all->others);
}

static int print_json(const options *o, const report *all) {
    char machine[320];
    int count, status;
    describe(o, all, machine, sizeof machine);
    cJSON *root = cJSON_CreateObject();
    cJSON_AddStringToObject(root, "machine", machine);
    cJSON_AddNumberToObject(root, "share_of_other_programs", all->others);
    cJSON *list = cJSON_AddArrayToObject(root, "rows");
    for (int k = 0; k < all->count; k++) {
        const compare_row *r = &all->rows[k];
        cJSON *row = cJSON_CreateObject();
        cJSON_AddStringToObject(row, "operation", r->operation);
        cJSON_AddStringToObject(row, "input", r->input);
        cJSON_AddNumberToObject(row, "suitesparse_seconds", r->other);
        cJSON_AddStringToObject(row, "suitesparse_form", r->other_form);
        cJSON_AddNumberToObject(row, "gblite_seconds", r->gblite);
        cJSON_AddNumberToObject(row, "ratio", r->other / r->gblite);
        cJSON_AddNumberToObject(row, r->result_unit, (double)r->result);
        cJSON_AddBoolToObject(row, "equal", r->equal);
        cJSON_AddStringToObject(row, "method", r->how.method);
        cJSON_AddStringToObject(row, "workflow", r->how.workflow);
        cJSON_AddStringToObject(row, "isa", r->how.isa);
        cJSON_AddStringToObject(row, "reason", r->how.reason);
        cJSON_AddItemToArray(list, row);
    }
    cJSON_AddNumberToObject(root, "geometric_mean", mean_ratio(all, NULL, &count));
    status = bench_print(root);
    cJSON_Delete(root);
    return status;
}

int main(int argc, char **argv) {
    static const bench_command COMMAND = {
        .about = "Runs gblite and SuiteSparse:GraphBLAS on the same inputs (generator specs like "
                 "rmat:16:8, or Matrix Market files), checks that the results are equal and "
                 "compares the times.",
        .lines = "OPERATION INPUT",
        .takes = BENCH_THREADS | BENCH_DATA | BENCH_INPUTS,
        .own = {.options = OPTIONS, .parser = parse}};
    options o = {.shared = {.rounds = 5, .suite = BENCH_FOLDER "/suite.txt"}};
    report *all = calloc(1, sizeof *all);
    if (all == NULL) return 1;
    bench_parse(argc, argv, &COMMAND, &o.shared, &o);
    bench_load load = bench_load_now();
    if (compare_start_busy(o.busy) != 0) goto done;
    if (bench_start(o.shared.threads) != 0 || peer_start(o.shared.threads) != 0) goto done;

    if (!o.json)
        printf("%-12s %-20s %10s %-9s %10s %10s %7s  %-5s  %s\n", "operation", "input", "result",
               "", "SuiteSparse", "gblite", "ratio", "", "gblite's method");
    if (o.shared.input_count == 0 && run_suite(&o, all) != 0) all->failures++;
    for (int i = 0; i < o.shared.input_count; i++)
        for (int k = 0; k < JOB_COUNT; k++)
            if (wanted(&o, k)) run_job(&JOBS[k], o.shared.inputs[i], &o, all);
    if (all->count == 0 && all->failures == 0)
        fprintf(stderr, "compare: no line of %s is to be run\n", o.shared.suite);
    all->others = bench_others_since(&load);
    if (o.json && print_json(&o, all) != 0) all->failures++;
    if (!o.json && all->count > 0) print_summary(&o, all);
done:
    compare_stop_busy();
    peer_stop();
    gbl_finalize();
    int status = all->count > 0 && all->failures == 0 ? 0 : 1;
    for (int k = 0; k < all->count; k++) free(all->names[k]);
    free(all);
    return status;
}
