/* SPDX-License-Identifier: Apache-2.0
 *
 * Runs the tests for a GPU:
 *     gpu_tests                   every test, each in a process of its own, TEST_SECONDS at most,
 * so that one that crashes or hangs does not take the others along gpu_tests SUITE/NAME... these
 * tests, in this process gpu_tests --list            their names Exit status 0 when all passed; 1
 * when one failed; 64 when there is no such test.
 */
#include "criterion/criterion.h"

#include <signal.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/wait.h>
#include <unistd.h>

enum { TEST_SECONDS = 60, NAME_MOST = 200 };

static gpu_test *tests;

void gpu_test_register(gpu_test *test) {
    test->next = tests;
    tests = test;
}

void gpu_test_fail(const char *file, int line, const char *condition, const char *format, ...) {
    va_list list;
    va_start(list, format);
    printf("%s:%d: %s:", file, line, condition);
    vprintf(format, list);
    printf("\n");
    va_end(list);
    fflush(stdout);
    _Exit(1); /* what the test holds is the system's to release */
}

static void full_name(char name[NAME_MOST], const gpu_test *test) {
    snprintf(name, NAME_MOST, "%s/%s", test->suite, test->name);
}

static void run_here(const gpu_test *test) {
    if (test->init != NULL) test->init();
    test->body();
    if (test->fini != NULL) test->fini();
}

static int run_named(int count, char **names) {
    char name[NAME_MOST];
    for (int k = 0; k < count; k++) {
        const gpu_test *test = tests;
        for (; test != NULL; test = test->next) {
            full_name(name, test);
            if (strcmp(name, names[k]) == 0) break;
        }
        if (test == NULL) {
            fprintf(stderr, "gpu_tests: there is no test '%s'; --list tells their names\n",
                    names[k]);
            return 64;
        }
        run_here(test);
    }
    return 0;
}

/* A program of its own: CUDA does not live through a fork. */
static int run_apart(const char *program, char name[NAME_MOST]) {
    int status = -1;
    fflush(NULL);
    const pid_t child = fork();
    if (child == 0) {
        alarm(TEST_SECONDS);
        execl(program, program, name, (char *)NULL);
        _Exit(127);
    }
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

int main(int argc, char **argv) {
    char name[NAME_MOST];
    int count = 0, failed = 0;
    const int list = argc == 2 && strcmp(argv[1], "--list") == 0;
    if (argc > 1 && !list) return run_named(argc - 1, argv + 1);
    for (const gpu_test *test = tests; test != NULL; test = test->next, count++) {
        full_name(name, test);
        if (list)
            puts(name);
        else
            failed += run_apart("/proc/self/exe", name);
    }
    if (!list) printf("gpu_tests: %d tests, %d failed\n", count, failed);
    return failed > 0 || count == 0;
}
