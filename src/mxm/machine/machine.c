/* SPDX-License-Identifier: Apache-2.0
 *
 * The machine table in use; see machine.h.
 */
#include "mxm/machine/machine.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "backend/backend.h"
#include "core/trace.h"
#include "mxm/machine/machine_file.h"

/* Set by gbl_init. */
static gb_MachineTable in_use;
static char file_path[GB_PATH_MOST], refusal[GB_MACHINE_TEXT];
static bool has_path;
static uint64_t products; /* atomic */

const gb_MachineTable *gb_machine(void) {
    return &in_use;
}

void gb_machine_use(const gb_MachineTable *machine) {
    in_use = *machine;
    refusal[0] = '\0';
}

/* A file that is not used is told of by gb_machine_facts, and at once when calls are traced. */
static void read_file(void) {
    switch (gb_machine_read(&in_use, file_path, refusal)) {
    case GBL_SUCCESS:
    case GBL_NO_VALUE:
        return;
    default:
        if (gb_tracing() == GB_TRACE_TEXT)
            fprintf(stderr, "gblite: %s is not used: %s\n", file_path, refusal);
    }
}

void gb_machine_init(void) {
    gb_trace_start();
    gb_machine_builtin(&in_use, gb_backend()->name);
    refusal[0] = '\0';
    products = 0;
    has_path = gb_machine_path(file_path);
    if (has_path) read_file();
}

void gb_machine_facts(gbl_MachineFacts *facts) {
    *facts = (gbl_MachineFacts){.source = in_use.source,
                                .isa = gb_backend()->name,
                                .path = has_path ? file_path : NULL,
                                .refused = refusal[0] != '\0' ? refusal : NULL,
                                .latency = in_use.latency,
                                .bandwidth = in_use.bandwidth,
                                .error = in_use.error};
    memcpy(facts->cache, in_use.cache, sizeof facts->cache);
}

void gb_machine_count_product(uint64_t flops) {
    if (flops >= GB_SAMPLE_FLOPS) __atomic_add_fetch(&products, 1, __ATOMIC_RELAXED);
}

uint64_t gb_machine_products(void) {
    return __atomic_load_n(&products, __ATOMIC_RELAXED);
}
