/* SPDX-License-Identifier: Apache-2.0
 *
 * What the tests that run on a GPU use of Criterion, for machines where Criterion is not installed
 * and so that compute-sanitizer watches one process; see runner.c. A test ends at its first
 * failure.
 */
#ifndef ON_GPU_CRITERION_H
#define ON_GPU_CRITERION_H

#include <string.h>

typedef struct gpu_test {
    const char *suite, *name;
    void (*body)(void), (*init)(void), (*fini)(void);
    struct gpu_test *next;
} gpu_test;

void gpu_test_register(gpu_test *test);
void gpu_test_fail(const char *file, int line, const char *condition, const char *format, ...)
    __attribute__((noreturn, format(printf, 4, 5)));

#define Test(suite_, name_, ...)                                                                   \
    static void gpu_body_##suite_##_##name_(void);                                                 \
    __attribute__((constructor)) static void gpu_add_##suite_##_##name_(void) {                    \
        static gpu_test test = {                                                                   \
            .suite = #suite_, .name = #name_, .body = gpu_body_##suite_##_##name_, __VA_ARGS__};   \
        gpu_test_register(&test);                                                                  \
    }                                                                                              \
    static void gpu_body_##suite_##_##name_(void)

#define cr_assert(condition, ...)                                                                  \
    do {                                                                                           \
        if (!(condition)) gpu_test_fail(__FILE__, __LINE__, #condition, " " __VA_ARGS__);          \
    } while (0)
#define cr_assert_fail(...) gpu_test_fail(__FILE__, __LINE__, "", " " __VA_ARGS__)
#define cr_assert_str_eq(a, b)                                                                     \
    do {                                                                                           \
        const char *gpu_a = (a), *gpu_b = (b);                                                     \
        if (strcmp(gpu_a, gpu_b) != 0)                                                             \
            gpu_test_fail(__FILE__, __LINE__, "", " %s is '%s', not '%s'", #a, gpu_a, gpu_b);      \
    } while (0)

#endif
