/* SPDX-License-Identifier: Apache-2.0
 *
 * Which kernels run on which processor: each feature that kernels are compiled for is asked for, so
 * a processor that lacks a single one gets the next lower set.
 */
#include "support/gb_test.h"

#include <stdio.h>
#include <string.h>

#include "backend/processor.h"

static const char *const sets[] = {"portable", "avx2", "avx512"};

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
        CHECK_EQ(gb_kernels_run_on(sets[k], features), k <= best && is_built(sets[k]));
    while (built > 0 && !is_built(sets[built - 1])) built--;
    CHECK(built == 0 ? found == NULL : found != NULL && strcmp(found, sets[built - 1]) == 0);
}

Test(processor, has_all_or_nothing) {
    expect(GB_NEEDS_AVX512, 2);
    expect(GB_NEEDS_AVX2, 1);
    expect(0, 0);
    expect(~0u, 2);
}

Test(processor, lacks_one_feature) {
    expect(GB_NEEDS_AVX512 & ~(unsigned)GB_CPU_LZCNT, 0);
    for (unsigned bit = 1; bit <= GB_NEEDS_AVX512; bit <<= 1)
        expect(GB_NEEDS_AVX512 & ~bit, bit & GB_NEEDS_AVX2 ? 0 : 1);
}

Test(processor, unknown_set) {
    CHECK(!gb_kernels_run_on("", ~0u));
    CHECK(!gb_kernels_run_on("avx", ~0u));
}

/* What the system says of itself agrees, where it says anything. */
Test(processor, this_one) {
    static const struct {
        const char *flag;
        unsigned bit;
    } flags[] = {{" avx2 ", GB_CPU_AVX2},         {" fma ", GB_CPU_FMA},
                 {" bmi1 ", GB_CPU_BMI1},         {" bmi2 ", GB_CPU_BMI2},
                 {" abm ", GB_CPU_LZCNT},         {" popcnt ", GB_CPU_POPCNT},
                 {" avx512f ", GB_CPU_AVX512F},   {" avx512dq ", GB_CPU_AVX512DQ},
                 {" avx512bw ", GB_CPU_AVX512BW}, {" avx512vl ", GB_CPU_AVX512VL},
                 {" avx512cd ", GB_CPU_AVX512CD}};
    static char line[8192];
    FILE *file = fopen("/proc/cpuinfo", "r");
    bool found = false;
    while (file != NULL && !found && fgets(line, sizeof line - 1, file) != NULL)
        found = strncmp(line, "flags", 5) == 0;
    if (file != NULL) fclose(file);
    const unsigned features = gb_processor_features();
    if (!found) line[0] = '\0'; /* a processor of another kind, which has none of them */
    line[strcspn(line, "\n")] = ' ';
    for (size_t k = 0; k < T_COUNT(flags); k++) {
        t_case("flag%s", flags[k].flag);
        CHECK_EQ((features & flags[k].bit) != 0, strstr(line, flags[k].flag) != NULL);
    }
}
