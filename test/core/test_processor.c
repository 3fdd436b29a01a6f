/* SPDX-License-Identifier: Apache-2.0
 *
 * Which kernels run on which processor: each feature that kernels are compiled for is asked for, so
 * a processor that lacks a single one gets the next lower set.
 */
#include "support/gb_test.h"

#include <stdio.h>
#include <string.h>

#include "cpu/cpu.h"

/* RISC-V has letters in the place of words: hardly a line to compare with. */
#if defined(__x86_64__)
#define FEATURES_LINE "flags"
#elif defined(__aarch64__)
#define FEATURES_LINE "Features"
#else
#define FEATURES_LINE "none of them"
#endif

/* The sets of this architecture, the plainest first, with what each needs. */
static const struct {
    const char *name;
    unsigned needs;
} sets[] = {
    {"portable", 0},
#if defined(__x86_64__)
    {"avx2", GB_NEEDS_AVX2},
    {"avx512", GB_NEEDS_AVX512},
#elif defined(__aarch64__)
    {"sve", GB_NEEDS_SVE},
#elif defined(__riscv)
    {"rvv", GB_NEEDS_RVV},
#endif
};

/* Builds may leave out some (GBLITE_ISAS). */
static bool is_built(const char *set) {
#define IS(name, needs) || strcmp(set, #name) == 0
    return false GB_FOREACH_ISA(IS);
#undef IS
}

/* `best` and all sets below run, those above do not; and none that is not in the build. */
static void expect(unsigned features, size_t best) {
    const char *found = gb_best_kernels(features);
    size_t built = best + 1;
    t_case("features %x", features);
    for (size_t k = 0; k < T_COUNT(sets); k++)
        CHECK_EQ(gb_kernels_run_on(sets[k].name, features), k <= best && is_built(sets[k].name));
    while (built > 0 && !is_built(sets[built - 1].name)) built--;
    CHECK(built == 0 ? found == NULL : found != NULL && strcmp(found, sets[built - 1].name) == 0);
}

Test(processor, has_all_or_nothing) {
    for (size_t k = 0; k < T_COUNT(sets); k++) expect(sets[k].needs, k);
    expect(~0u, T_COUNT(sets) - 1);
}

/* Sets build on each other: what lacks a feature of one lacks those above. */
Test(processor, lacks_one_feature) {
    const unsigned all = sets[T_COUNT(sets) - 1].needs;
#define LACKS(feature, word)                                                                       \
    {                                                                                              \
        size_t best = 0;                                                                           \
        while (best + 1 < T_COUNT(sets) && !(sets[best + 1].needs & (unsigned)(feature))) best++;  \
        expect(all & ~(unsigned)(feature), best);                                                  \
    }
    GB_ARCH_FEATURES(LACKS)
#undef LACKS
}

Test(processor, unknown_set) {
    CHECK(!gb_kernels_run_on("", ~0u));
    CHECK(!gb_kernels_run_on("avx", ~0u));
}

/* The line of /proc/cpuinfo that lists features, as words between blanks; empty where the system
 * says nothing of this kind of processor, as beneath an emulator. */
static bool words_of_the_system(char line[8192]) {
    FILE *file = fopen("/proc/cpuinfo", "r");
    bool found = false;
    const char *const begin = FEATURES_LINE;
    while (file != NULL && !found && fgets(line, 8191, file) != NULL)
        found = strncmp(line, begin, strlen(begin)) == 0;
    if (file != NULL) fclose(file);
    line[strcspn(line, "\n")] = ' ';
    return found;
}

/* What the system says of itself agrees, where it says anything. */
Test(processor, this_one) {
    static const struct {
        const char *word;
        unsigned bit;
    } features[] = {
#define FEATURE(feature, word) {" " word " ", feature},
        GB_ARCH_FEATURES(FEATURE)
#undef FEATURE
    };
    static char line[8192];
    const unsigned found = gb_processor_features();
    if (words_of_the_system(line))
        for (size_t k = 0; k < T_COUNT(features); k++) {
            t_case("feature%s", features[k].word);
            CHECK_EQ((found & features[k].bit) != 0, strstr(line, features[k].word) != NULL);
        }
}
