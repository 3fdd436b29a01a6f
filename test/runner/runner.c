/* SPDX-License-Identifier: Apache-2.0
 *
 * Runs tests in the place of Criterion:
 *     PROGRAM                   every test, each in a process of its own, TEST_SECONDS at most, so
 *                               that one that crashes or hangs does not take the others along
 *     PROGRAM SUITE/NAME...     these tests, in this process
 *     PROGRAM --list            their names
 * A process of its own is a child; with RUNNER_EXEC a program of its own, since CUDA does not live
 * through a fork. Environment variables: RUNNER_SECONDS replaces TEST_SECONDS; RUNNER_SKIP names
 * tests, with blanks between them, that this machine cannot run. Exit status 0 when all passed; 1
 * when one failed; 64 when there is no such test.
 */
#define _GNU_SOURCE
#include "criterion/criterion.h"

#include <errno.h>
#include <signal.h>
#include <stdarg.h>
#include <sys/wait.h>
#include <unistd.h>

enum { TEST_SECONDS = 60, NAME_MOST = 200 };

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

static int run_named(int count, char **names) {
    char name[NAME_MOST];
    for (int k = 0; k < count; k++) {
        const runner_test *test = tests;
        for (; test != NULL; test = test->next) {
            if (test->name == NULL) continue;
            full_name(name, test);
            if (strcmp(name, names[k]) == 0) break;
        }
        if (test == NULL) {
            fprintf(stderr, "%s: there is no test '%s'; --list tells their names\n",
                    program_invocation_short_name, names[k]);
            return 64;
        }
        run_here(test);
    }
    return 0;
}

static unsigned seconds_for(const runner_test *test) {
    const char *given = getenv("RUNNER_SECONDS");
    const double own = options_of(test).timeout;
    if (given != NULL && atoi(given) > 0) return (unsigned)atoi(given);
    return own > 0 ? (unsigned)own + 1 : (unsigned)TEST_SECONDS;
}

static void begin_apart(const runner_test *test, char name[NAME_MOST]) {
    alarm(seconds_for(test));
#ifdef RUNNER_EXEC
    execl("/proc/self/exe", "/proc/self/exe", name, (char *)NULL);
    _Exit(127);
#else
    (void)name;
    run_here(test);
    exit(0);
#endif
}

static int run_apart(const runner_test *test, char name[NAME_MOST]) {
    int status = -1;
    fflush(NULL);
    const pid_t child = fork();
    if (child == 0) begin_apart(test, name);
    if (child < 0 || waitpid(child, &status, 0) != child) {
        printf("[FAIL] %s: it cannot be started\n", name);
        return 1;
    }
    if (WIFEXITED(status) && WEXITSTATUS(status) == 0) {
        printf("[PASS] %s\n", name);
        return 0;
    }
    if (WIFSIGNALED(status))
        printf("[FAIL] %s: %s\n", name,
               WTERMSIG(status) == SIGALRM ? "ran out of time" : strsignal(WTERMSIG(status)));
    else
        printf("[FAIL] %s: exit status %d\n", name, WEXITSTATUS(status));
    return 1;
}

static int is_skipped(const char *name) {
    const char *const all = getenv("RUNNER_SKIP"), *at = all;
    const size_t length = strlen(name);
    for (; at != NULL && (at = strstr(at, name)) != NULL; at += length)
        if ((at == all || at[-1] == ' ') && (at[length] == ' ' || at[length] == '\0')) return 1;
    return 0;
}

int main(int argc, char **argv) {
    char name[NAME_MOST];
    int count = 0, failed = 0, skipped = 0;
    const int list = argc == 2 && strcmp(argv[1], "--list") == 0;
    if (argc > 1 && !list) return run_named(argc - 1, argv + 1);
    for (const runner_test *test = tests; test != NULL; test = test->next) {
        if (test->name == NULL) continue;
        full_name(name, test);
        count++;
        if (list) {
            puts(name);
        } else if (is_skipped(name)) {
            printf("[SKIP] %s\n", name);
            skipped++;
        } else {
            failed += run_apart(test, name);
        }
    }
    if (!list)
        printf("%s: %d tests, %d failed, %d skipped\n", program_invocation_short_name, count,
               failed, skipped);
    return failed > 0 || count == 0;
}
