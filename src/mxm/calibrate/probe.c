/* SPDX-License-Identifier: Apache-2.0
 *
 * Latency by a walk in which every load needs the one before; bandwidth by sums over a block, each
 * thread its own part, since that is how products read.
 */
#include "mxm/calibrate/probe.h"

#include "core/clock.h"
#include "core/context.h"
#include "core/memory.h"
#include "core/parallel.h"
#include "core/status.h"

enum { LINE = 8, STEPS = 1 << 20, ROUNDS = 3 }; /* words of a line; loads of a walk */

/* Visits every line once: a full period of a linear congruence modulo a power of two. */
static double walk(const uint64_t *word, uint64_t lines) {
    uint64_t at = 0;
    const double start = gb_seconds();
    for (uint64_t k = 0; k < STEPS; k++) at = word[at * LINE];
    const double seconds = gb_seconds() - start;
    return at < lines ? 1e9 * seconds / STEPS : 0.0; /* uses `at`, which is always a line */
}

typedef struct {
    const uint64_t *word;
    uint64_t sum; /* atomic */
} Reading;

static void read_range(void *context, uint64_t from, uint64_t to) {
    Reading *r = context;
    uint64_t sum = 0;
    for (uint64_t k = from; k < to; k++) sum += r->word[k];
    __atomic_add_fetch(&r->sum, sum, __ATOMIC_RELAXED);
}

static double read_all(const uint64_t *word, uint64_t words, int threads) {
    const double start = gb_seconds();
    gb_parallel_ranges(threads, words, read_range, &(Reading){.word = word});
    const double seconds = gb_seconds() - start;
    return (double)words * sizeof *word / (1e9 * seconds) / threads;
}

gbl_Info gb_probe_memory(gb_MachineTable *machine) {
    const int threads = gb_nthreads();
    uint64_t lines = 1u << 20;
    while ((double)(lines * LINE * sizeof(uint64_t)) < 4.0 * machine->cache[2]) lines *= 2;
    const size_t bytes = lines * LINE * sizeof(uint64_t);
    uint64_t *word = gb_malloc(bytes);
    if (word == NULL) return gb_fail_memory(bytes);
    for (uint64_t l = 0; l < lines; l++)
        for (unsigned k = 0; k < LINE; k++)
            word[l * LINE + k] = (l * UINT64_C(0x5851F42D4C957F2D) + 1) & (lines - 1);
    machine->latency = machine->bandwidth = 0.0;
    for (int round = 0; round < ROUNDS; round++) {
        const double latency = walk(word, lines), speed = read_all(word, lines * LINE, threads);
        if (round == 0 || latency < machine->latency) machine->latency = latency;
        if (speed > machine->bandwidth) machine->bandwidth = speed;
    }
    gb_free(word, bytes);
    return GBL_SUCCESS;
}
