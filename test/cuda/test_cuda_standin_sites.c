/* SPDX-License-Identifier: Apache-2.0
 *
 * The stand-in multiplies fragments as a GPU does, and finds what is wrong about fragments and
 * about the use of several devices.
 */
#include "cuda_on_cpu/control.h"
#include "cuda_on_cpu/planted_sites.h"

#include <signal.h>
#include <string.h>

#include <criterion/criterion.h>

static void expect(const char *(*plant)(void), const char *part) {
    for (uint64_t seed = 1; seed <= 20; seed++) {
        cuda_on_cpu_seed(seed);
        const char *text = plant();
        cr_assert(strstr(text, part) != NULL, "seed %d: '%s' does not say '%s'", (int)seed, text,
                  part);
    }
}

Test(standin_sites, multiplies_fragments) {
    for (uint64_t seed = 1; seed <= 20; seed++) {
        cuda_on_cpu_seed(seed);
        cr_assert(planted_fragments() == 0.0, "seed %d", (int)seed);
    }
}

Test(standin_sites, finds_faults_of_fragments) {
    expect(planted_fragment_lanes, "lane");
    expect(planted_fragment_alignment, "aligned");
    expect(planted_fragment_race, "with no barrier between");
}

Test(standin_sites, multiplies_by_one_instruction) {
    for (uint64_t seed = 1; seed <= 20; seed++) {
        double difference = 1.0;
        cuda_on_cpu_seed(seed);
        const char *text = planted_mma(false, &difference);
        cr_assert(text[0] == '\0' && difference == 0.0, "seed %d: %s", (int)seed, text);
        text = planted_mma(true, &difference);
        cr_assert(strstr(text, "lane") != NULL, "seed %d: '%s'", (int)seed, text);
    }
}

/* AddressSanitizer ends the program with its own exit status. */
Test(standin_sites, finds_memory_of_another_device, .exit_code = 1) {
    planted_foreign_memory();
}

Test(standin_sites, finds_streams_of_another_device, .signal = SIGABRT) {
    planted_foreign_stream();
}
