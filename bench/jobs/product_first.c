/* SPDX-License-Identifier: Apache-2.0
 *
 * The first call. Every measurement is a fresh process of this program: it starts both libraries,
 * loads the operand for both, drops the other side with its library, empties pools, gives free
 * memory back to the system, multiplies once and prints what that took. So every contender begins
 * alike: nothing pooled, no page of the result touched, threads started.
 *
 * Resident memory is VmHWM, set to the present size before the call, minus VmRSS before it. The
 * kernel counts both in batches of pages per thread: of small products they say nothing.
 */
#define _GNU_SOURCE /* program_invocation_name */
#include "jobs/product.h"

#include <errno.h>
#include <malloc.h>
#include <spawn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>

#include "harness/counted.h"

extern char **environ;

enum { MOST_CALLS = 32, MOST_CONTENDERS = 3 /* those that are not forced */ };

/* A line of /proc/self/status, in bytes; -1 when it is not there. */
static double status_bytes(const char *key) {
    char line[256], format[64];
    double kilobytes = -1;
    FILE *file = fopen("/proc/self/status", "r");
    snprintf(format, sizeof format, "%s: %%lf", key);
    while (file != NULL && fgets(line, sizeof line, file) != NULL)
        sscanf(line, format, &kilobytes); /* changes it by the line of the key alone */
    if (file != NULL) fclose(file);
    return kilobytes >= 0 ? 1024.0 * kilobytes : -1;
}

/* The peak of resident memory becomes the present size. */
static int forget_peak(void) {
    FILE *file = fopen("/proc/self/clear_refs", "w");
    const bool written = file != NULL && fputs("5", file) >= 0;
    if (file != NULL && fclose(file) == 0 && written) return 0;
    fprintf(stderr, "bench: cannot reset the peak of resident memory: %s\n", strerror(errno));
    return -1;
}

/* Leaves one library with its operand and the bytes that it needs. */
static int leave_one(const product_contender *c, product_problem *problem) {
    const bool mine = product_is_mine(c);
    int64_t pool = 0;
    if (c->of.library != &SUITESPARSE_SIDE) {
        GrB_Matrix_free(&problem->in.S);
        peer_stop();
    }
    if (!mine) {
        gbl_Matrix_free(&problem->in.A);
        gbl_finalize();
    } else if (bench_failed(gbl_Global_get_INT64(GBL_GLOBAL, &pool, GBL_POOL_LIMIT), "pool") ||
               bench_failed(gbl_Global_set_INT64(GBL_GLOBAL, 0, GBL_POOL_LIMIT), "pool") ||
               bench_failed(gbl_Global_set_INT64(GBL_GLOBAL, pool, GBL_POOL_LIMIT), "pool")) {
        return -1;
    }
    if (c->of.library->renew(c->work) != 0) return -1;
    malloc_trim(0);
    return 0;
}

static int call_once(const product_contender *c) {
    const side_library *library = c->of.library;
    char why[160] = "";
    const double resident = status_bytes("VmRSS");
    if (resident < 0 || forget_peak() != 0) return -1;
    counted_begin();
    const double start = bench_seconds();
    const int done = library->attempt(c->work, why, sizeof why);
    const double seconds = bench_seconds() - start;
    const double most = status_bytes("VmHWM");
    if (done != 1) {
        fprintf(stderr, "bench: %s: %s\n", c->of.name, why);
        return -1;
    }
    const double counted = library->peak != NULL ? library->peak(c->work) : counted_peak();
    const double entries = (double)library->entries(c->work);
    if (library->renew(c->work) != 0) return -1;
    const double held = library->peak != NULL ? -1 : counted_held();
    printf("%.9g %.0f %.0f %.0f %.0f\n", seconds, most - resident, counted, held, entries);
    return 0;
}

int product_be_fresh(const char *contender, product_problem *problem, const product_rules *rules) {
    product_contender c = {.work = NULL};
    if (strcmp(contender, "mkl") == 0) bench_load_mkl(rules->peers, rules->threads);
    if (product_load(problem) != 0) return 1;
    int status = product_new(&c, problem, contender);
    if (status == 0) status = leave_one(&c, problem);
    if (status == 0) status = call_once(&c);
    if (c.work != NULL) c.of.library->close(c.work);
    peer_unload(&problem->in);
    return status == 0 ? 0 : 1;
}

/* Runs this program with other arguments; what it printed goes to text. 0 when all went well. */
static int run_again(char *const *arguments, char *text, size_t size) {
    int ends[2], status = -1;
    pid_t child;
    posix_spawn_file_actions_t actions;
    if (pipe(ends) != 0) return -1;
    posix_spawn_file_actions_init(&actions);
    posix_spawn_file_actions_adddup2(&actions, ends[1], STDOUT_FILENO);
    posix_spawn_file_actions_addclose(&actions, ends[0]);
    const int error = posix_spawn(&child, "/proc/self/exe", &actions, NULL, arguments, environ);
    posix_spawn_file_actions_destroy(&actions);
    close(ends[1]);
    FILE *file = error == 0 ? fdopen(ends[0], "r") : NULL;
    if (file == NULL || fgets(text, (int)size, file) == NULL) text[0] = '\0';
    if (file != NULL)
        fclose(file);
    else
        close(ends[0]);
    if (error == 0 && waitpid(child, &status, 0) != child) status = -1;
    return error == 0 && status == 0 ? 0 : -1;
}

/* What a fresh process prints, in this order, and the document's names of it: bytes by which
 * resident memory grew, at the most; bytes asked for, at the most; and those that are kept when the
 * result is freed. -1: not known. */
enum { SECONDS, RESIDENT, COUNTED, HELD, NUMBERS };
static const char *const NAMES[NUMBERS] = {"seconds", "resident", "counted", "held"};

static int call_fresh(const product_contender *c, const product_problem *p,
                      const product_rules *rules, double numbers[NUMBERS]) {
    char what[64], threads[16], text[256] = "";
    double entries = -1;
    snprintf(what, sizeof what, "--fresh=%s:%s", p->keyword, c->of.name);
    snprintf(threads, sizeof threads, "--threads=%d", rules->threads);
    char *arguments[] = {program_invocation_name,
                         (char *)"run",
                         what,
                         threads,
                         (char *)"--only",
                         (char *)p->operand,
                         (char *)"--peers",
                         (char *)rules->peers,
                         NULL};
    if (run_again(arguments, text, sizeof text) == 0 &&
        sscanf(text, "%lf %lf %lf %lf %lf", &numbers[SECONDS], &numbers[RESIDENT],
               &numbers[COUNTED], &numbers[HELD], &entries) == 5 &&
        entries == p->result_entries)
        return 0;
    fprintf(stderr, "bench: %s: the first call of %s failed or has %.0f entries, not %.0f\n",
            p->operand, c->of.name, entries, p->result_entries);
    return -1;
}

static void add_medians(cJSON *result, double samples[][NUMBERS], int n) {
    cJSON *first = cJSON_AddObjectToObject(result, "first");
    cJSON_AddNumberToObject(first, "samples", n);
    for (int number = 0; number < NUMBERS; number++) {
        double x[MOST_CALLS];
        for (int k = 0; k < n; k++) x[k] = samples[k][number];
        const double median = bench_median(x, n);
        if (median >= 0 || number == RESIDENT)
            cJSON_AddNumberToObject(first, NAMES[number], median);
    }
}

int product_first_calls(const product_contender *list, int count, const product_problem *problem,
                        const product_rules *rules) {
    double samples[MOST_CONTENDERS][MOST_CALLS][NUMBERS];
    const int n = rules->first_calls < MOST_CALLS ? rules->first_calls : MOST_CALLS;
    for (int r = 0; r < n; r++)
        for (int k = 0, at = 0; k < count; k++) {
            const product_contender *c = &list[k];
            if (product_is_forced(c) || cJSON_HasObjectItem(c->result, "why_not")) continue;
            if (call_fresh(c, problem, rules, samples[at][r]) != 0) return -1;
            if (r == n - 1) add_medians(c->result, samples[at], n);
            at++;
        }
    return 0;
}
