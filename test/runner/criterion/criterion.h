/* SPDX-License-Identifier: Apache-2.0
 *
 * What the tests use of Criterion, for machines where Criterion cannot be: a GPU's, where
 * compute-sanitizer watches one process, and emulators of other processors, whose programs cannot
 * start each other as Criterion does; see runner.c. A test ends at its first failure.
 */
#pragma once

#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

typedef struct {
    void (*init)(void), (*fini)(void);
    double timeout; /* seconds; 0: as the runner has it */
} runner_options;

typedef struct runner_test {
    const char *suite, *name; /* name: NULL for what holds for all tests of the suite */
    void (*body)(void);
    runner_options own;
    struct runner_test *next;
} runner_test;

void runner_register(runner_test *test);
void runner_fail(const char *file, int line, const char *condition, const char *format, ...)
    __attribute__((noreturn, format(printf, 4, 5)));

#define RUNNER_ADD(id, suite_, name_, body_, ...)                                                  \
    __attribute__((constructor)) static void runner_add_##id(void) {                               \
        static runner_test test = {                                                                \
            .suite = suite_, .name = name_, .body = body_, .own = {__VA_ARGS__}};                  \
        runner_register(&test);                                                                    \
    }
#define RUNNER_TEST(suite_, name_, ...)                                                            \
    static void runner_body_##suite_##_##name_(void);                                              \
    RUNNER_ADD(suite_##_##name_, #suite_, #name_, runner_body_##suite_##_##name_, __VA_ARGS__)     \
    static void runner_body_##suite_##_##name_(void)
#define RUNNER_SUITE(suite_, ...) RUNNER_ADD(all_of_##suite_, #suite_, NULL, NULL, __VA_ARGS__)
/* Names that are macros are those that they stand for. */
#define Test(...) RUNNER_TEST(__VA_ARGS__, )
#define TestSuite(...) RUNNER_SUITE(__VA_ARGS__, )

#define cr_assert(condition, ...)                                                                  \
    do {                                                                                           \
        if (!(condition)) runner_fail(__FILE__, __LINE__, #condition, " " __VA_ARGS__);            \
    } while (0)
#define cr_assert_fail(...) runner_fail(__FILE__, __LINE__, "", " " __VA_ARGS__)
#define cr_assert_eq(a, b, ...) cr_assert((a) == (b), __VA_ARGS__)
#define cr_assert_lt(a, b, ...) cr_assert((a) < (b), __VA_ARGS__)
#define cr_assert_gt(a, b, ...) cr_assert((a) > (b), __VA_ARGS__)
#define cr_assert_leq(a, b, ...) cr_assert((a) <= (b), __VA_ARGS__)
#define cr_assert_null(a, ...) cr_assert((a) == NULL, __VA_ARGS__)
#define cr_assert_not_null(a, ...) cr_assert((a) != NULL, __VA_ARGS__)
#define cr_assert_float_eq(a, b, most, ...)                                                        \
    cr_assert((a) - (b) <= (most) && (b) - (a) <= (most), __VA_ARGS__)
#define cr_expect_eq cr_assert_eq
#define cr_assert_str_eq(a, b, ...)                                                                \
    do {                                                                                           \
        const char *runner_a = (a), *runner_b = (b);                                               \
        if (strcmp(runner_a, runner_b) != 0)                                                       \
            runner_fail(__FILE__, __LINE__, "", " %s is '%s', not '%s'", #a, runner_a, runner_b);  \
    } while (0)
#define cr_log_info(...) (printf(__VA_ARGS__), printf("\n"))
