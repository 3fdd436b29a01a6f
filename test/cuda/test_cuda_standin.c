/* SPDX-License-Identifier: Apache-2.0
 *
 * The stand-in for a GPU finds the faults it is there to find, whatever the order of threads, and
 * none where there is none.
 */
#include "cuda_on_cpu/control.h"
#include "cuda_on_cpu/planted.h"

#include <string.h>

#include <criterion/criterion.h>

enum { SEEDS = 20 };

static void expect(const char *(*plant)(void), const char *part) {
    for (uint64_t seed = 1; seed <= SEEDS; seed++) {
        cuda_on_cpu_seed(seed);
        const char *text = plant();
        cr_assert(strstr(text, part) != NULL, "seed %d: '%s' does not say '%s'", (int)seed, text,
                  part);
    }
}

Test(standin, finds_nothing_in_a_correct_kernel) {
    for (uint64_t seed = 1; seed <= SEEDS; seed++) {
        int sum = 0;
        cuda_on_cpu_seed(seed);
        const char *text = planted_sum(&sum);
        cr_assert(text[0] == '\0', "seed %d: %s", (int)seed, text);
        cr_assert(sum == 256 * 257 / 2, "seed %d: the sum is %d", (int)seed, sum);
    }
}

Test(standin, finds_a_missing_barrier) {
    expect(planted_missing_barrier, "with no barrier between");
}

/* A lane that reads before another has written finds nothing, one that reads later finds a race. */
Test(standin, finds_a_missing_barrier_of_a_warp) {
    for (uint64_t seed = 1; seed <= SEEDS; seed++) {
        cuda_on_cpu_seed(seed);
        const char *text = planted_missing_warp_barrier();
        cr_assert(strstr(text, "no barrier between") != NULL || strstr(text, "nobody has written"),
                  "seed %d: '%s'", (int)seed, text);
    }
}

Test(standin, finds_divergent_barriers) {
    expect(planted_divergent_barrier, "is not reached by thread");
    expect(planted_different_barriers, "different barriers");
}

Test(standin, finds_lanes_that_do_not_come) {
    expect(planted_wrong_mask, "lane");
}

Test(standin, finds_reads_of_what_nobody_wrote) {
    expect(planted_uninitialised, "nobody has written");
}

Test(standin, finds_writes_outside_shared_memory) {
    expect(planted_shared_overrun, "of an array of 256 in shared memory");
}

Test(standin, refuses_too_much_shared_memory) {
    expect(planted_too_much_shared, "cannot launch");
}

/* AddressSanitizer ends the program with its own exit status. */
Test(standin, finds_writes_outside_device_memory, .exit_code = 1) {
    planted_global_overrun();
}

Test(standin, streams_lag_but_wait_for_events) {
    for (uint64_t seed = 1; seed <= SEEDS; seed++) {
        cuda_on_cpu_seed(seed);
        cr_assert(planted_join() == 7, "seed %d", (int)seed);
    }
}

Test(standin, finds_frees_that_do_not_wait, .exit_code = 1) {
    for (uint64_t seed = 1; seed <= SEEDS; seed++) {
        cuda_on_cpu_seed(seed);
        planted_missing_join();
    }
}

Test(standin, finds_buffers_that_are_used_again_too_early) {
    bool found = false;
    for (uint64_t seed = 1; seed <= SEEDS; seed++) {
        cuda_on_cpu_seed(seed);
        found = planted_reused_buffer() == 2 || found;
    }
    cr_assert(found);
}

/* -- device memory */

static void expect_text(const char *text, const char *part, uint64_t seed) {
    const bool found = part[0] == '\0' ? text[0] == '\0' : strstr(text, part) != NULL;
    cr_assert(found, "seed %d: '%s' is not '%s'", (int)seed, text, part);
}

Test(standin, finds_races_between_blocks) {
    for (uint64_t seed = 1; seed <= SEEDS; seed++) {
        int count = 0;
        cuda_on_cpu_seed(seed);
        expect_text(planted_count(true, &count), "", seed);
        cr_assert(count == 5);
        expect_text(planted_count(false, &count), "races with thread 0 of block", seed);
    }
}

Test(standin, finds_races_of_threads_in_device_memory) {
    for (uint64_t seed = 1; seed <= SEEDS; seed++) {
        cuda_on_cpu_seed(seed);
        expect_text(planted_turn(true), "", seed);
        expect_text(planted_turn(false), "races with thread", seed);
    }
}

Test(standin, finds_races_of_streams) {
    for (uint64_t seed = 1; seed <= SEEDS; seed++) {
        cuda_on_cpu_seed(seed);
        expect_text(planted_two_streams(true), "", seed);
        expect_text(planted_two_streams(false), "races with thread", seed);
    }
}

Test(standin, exchanges_64_bits_and_votes) {
    for (uint64_t seed = 1; seed <= SEEDS; seed++) {
        int votes = 0;
        cuda_on_cpu_seed(seed);
        expect_text(planted_vote(0xffffffffu, &votes), "", seed);
        cr_assert(votes == 11, "seed %d: %d", (int)seed, votes);
        expect_text(planted_vote(0xfffffffeu, &votes), "a mask without its own lane", seed);
    }
}
