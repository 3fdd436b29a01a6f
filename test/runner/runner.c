/* SPDX-License-Identifier: Apache-2.0
 *
 * Runs tests in the place of Criterion:
 *     PROGRAM                   every test apart, TEST_SECONDS at most, so that one that crashes or
 *                               hangs does not take the others along
 *     PROGRAM SUITE/NAME...     these tests, in this process
 *     PROGRAM --list            their names
 * Apart is a child for each test; with RUNNER_EXEC a program for each suite, since CUDA does not
 * live through a fork and starting it takes a second or two. The tests of a suite behind one that
 * fails go on in a fresh program. Environment variables: RUNNER_JOBS, so many side by side;
 * RUNNER_SECONDS replaces TEST_SECONDS; RUNNER_SKIP names tests, with blanks between them, that
 * this machine cannot run. Exit status 0 when all passed; 1 when one failed; 64 when there is no
 * such test.
 */
#define _GNU_SOURCE
#include "criterion/criterion.h"

#include <errno.h>
#include <signal.h>
#include <stdarg.h>
#include <sys/wait.h>
#include <unistd.h>

enum { TEST_SECONDS = 60, NAME_MOST = 200, TESTS_MOST = 1000 };

static runner_test *tests;

void runner_register(runner_test *test) {
    test->next = tests;
    tests = test;
}

void runner_fail(const char *file, int line, const char *condition, const char *format, ...) {
    va_list list;
    va_start(list, format);
    printf("%s:%d: %s:", file, line, condition);
    vprintf(format, list);
    printf("\n");
    va_end(list);
    fflush(stdout);
    _Exit(1); /* what the test holds is the system's to release */
}

static void full_name(char name[NAME_MOST], const runner_test *test) {
    snprintf(name, NAME_MOST, "%s/%s", test->suite, test->name);
}

/* What holds for the whole suite; the test's own comes before it. */
static runner_options options_of(const runner_test *test) {
    runner_options o = test->own;
    for (const runner_test *all = tests; all != NULL; all = all->next) {
        if (all->name != NULL || strcmp(all->suite, test->suite) != 0) continue;
        if (o.init == NULL) o.init = all->own.init;
        if (o.fini == NULL) o.fini = all->own.fini;
        if (o.timeout <= 0) o.timeout = all->own.timeout;
    }
    return o;
}

static void run_here(const runner_test *test) {
    const runner_options o = options_of(test);
    if (o.init != NULL) o.init();
    test->body();
    if (o.fini != NULL) o.fini();
}

static const runner_test *find_test(const char *wanted) {
    char name[NAME_MOST];
    for (const runner_test *test = tests; test != NULL; test = test->next) {
        if (test->name == NULL) continue;
        full_name(name, test);
        if (strcmp(name, wanted) == 0) return test;
    }
    return NULL;
}

static unsigned seconds_for(const runner_test *test) {
    const char *given = getenv("RUNNER_SECONDS");
    const double own = options_of(test).timeout;
    if (given != NULL && atoi(given) > 0) return (unsigned)atoi(given);
    return own > 0 ? (unsigned)own + 1 : (unsigned)TEST_SECONDS;
}

/* Says of each which has passed, for the process that waits. */
static void run_reporting(const runner_test *const *list, int count) {
    char name[NAME_MOST];
    for (int k = 0; k < count; k++) {
        full_name(name, list[k]);
        alarm(seconds_for(list[k]));
        run_here(list[k]);
        printf("[PASS] %s\n", name);
        fflush(stdout);
    }
    alarm(0);
}

static int run_named(int count, char **names) {
    const runner_test *list[TESTS_MOST];
    if (count > TESTS_MOST) {
        fprintf(stderr, "%s: at most %d tests are named\n", program_invocation_short_name,
                TESTS_MOST);
        return 64;
    }
    for (int k = 0; k < count; k++) {
        list[k] = find_test(names[k]);
        if (list[k] != NULL) continue;
        fprintf(stderr, "%s: there is no test '%s'; --list tells their names\n",
                program_invocation_short_name, names[k]);
        return 64;
    }
    if (getenv("RUNNER_REPORTS") != NULL) {
        run_reporting(list, count);
        return 0;
    }
    for (int k = 0; k < count; k++) run_here(list[k]);
    return 0;
}

/* Tests that share a process, which list[0] to list[passed - 1] have left behind. */
typedef struct {
    const runner_test *const *list;
    int count, passed;
    pid_t child; /* 0: none runs */
    FILE *output;
} group;

static void begin_apart(const group *g) {
    const runner_test *const *list = g->list + g->passed;
    const int count = g->count - g->passed;
    dup2(fileno(g->output), STDOUT_FILENO);
    dup2(fileno(g->output), STDERR_FILENO);
#ifdef RUNNER_EXEC
    static char names[TESTS_MOST][NAME_MOST], program[] = "/proc/self/exe";
    char *words[TESTS_MOST + 2] = {program};
    for (int k = 0; k < count; k++) {
        full_name(names[k], list[k]);
        words[k + 1] = names[k];
    }
    setenv("RUNNER_REPORTS", "1", 1);
    execv(program, words);
    _Exit(127);
#else
    run_reporting(list, count);
    exit(0);
#endif
}

static void start_group(group *g) {
    fflush(NULL);
    g->output = tmpfile();
    g->child = g->output != NULL ? fork() : -1;
    if (g->child == 0) begin_apart(g);
    if (g->child > 0) return;
    printf("[FAIL] tests of %s: they cannot be started\n", g->list[0]->suite);
    exit(1);
}

/* Prints what the child has written; whether a test failed, behind which the group goes on. */
static int end_group(group *g, int status) {
    char line[4096], name[NAME_MOST];
    rewind(g->output);
    while (fgets(line, sizeof line, g->output) != NULL) {
        fputs(line, stdout);
        g->passed += strncmp(line, "[PASS] ", 7) == 0;
    }
    fclose(g->output);
    g->child = 0;
    if (WIFEXITED(status) && WEXITSTATUS(status) == 0) {
        g->passed = g->count;
        return 0;
    }
    if (g->passed == g->count) g->passed--; /* it fails as it ends */
    full_name(name, g->list[g->passed++]);
    if (WIFSIGNALED(status))
        printf("[FAIL] %s: %s\n", name,
               WTERMSIG(status) == SIGALRM ? "ran out of time" : strsignal(WTERMSIG(status)));
    else
        printf("[FAIL] %s: exit status %d\n", name, WEXITSTATUS(status));
    return 1;
}

static int jobs(void) {
    const char *given = getenv("RUNNER_JOBS");
    return given != NULL && atoi(given) > 1 ? atoi(given) : 1;
}

/* All groups, some of them side by side; how many tests failed. */
static int run_groups(group *list, int count) {
    int failed = 0, running = 0;
    for (;;) {
        for (int k = 0; k < count && running < jobs(); k++) {
            if (list[k].child != 0 || list[k].passed == list[k].count) continue;
            start_group(&list[k]);
            running++;
        }
        int status;
        const pid_t child = running > 0 ? wait(&status) : -1;
        if (child < 0) return failed;
        for (int k = 0; k < count; k++) {
            if (list[k].child != child) continue;
            failed += end_group(&list[k], status);
            running--;
        }
    }
}

static int is_skipped(const char *name) {
    const char *const all = getenv("RUNNER_SKIP"), *at = all;
    const size_t length = strlen(name);
    for (; at != NULL && (at = strstr(at, name)) != NULL; at += length)
        if ((at == all || at[-1] == ' ') && (at[length] == ' ' || at[length] == '\0')) return 1;
    return 0;
}

/* Whether a test is the first of a group. */
static int begins_group(const runner_test *test, const runner_test *before) {
#ifdef RUNNER_EXEC
    return before == NULL || strcmp(test->suite, before->suite) != 0;
#else
    (void)test, (void)before;
    return 1;
#endif
}

int main(int argc, char **argv) {
    static const runner_test *all[TESTS_MOST];
    static group groups[TESTS_MOST];
    char name[NAME_MOST];
    int count = 0, ngroups = 0, skipped = 0;
    const int list = argc == 2 && strcmp(argv[1], "--list") == 0;
    if (argc > 1 && !list) return run_named(argc - 1, argv + 1);
    for (const runner_test *test = tests; test != NULL && count < TESTS_MOST; test = test->next) {
        if (test->name == NULL) continue;
        full_name(name, test);
        if (list) {
            puts(name);
        } else if (is_skipped(name)) {
            printf("[SKIP] %s\n", name);
            skipped++;
            continue;
        } else if (begins_group(test, count > 0 ? all[count - 1] : NULL)) {
            groups[ngroups++] = (group){.list = all + count};
        }
        if (!list) groups[ngroups - 1].count++;
        all[count++] = test;
    }
    if (list) return count == 0;
    const int failed = run_groups(groups, ngroups);
    printf("%s: %d tests, %d failed, %d skipped\n", program_invocation_short_name, count + skipped,
           failed, skipped);
    return failed > 0 || count + skipped == 0;
}
