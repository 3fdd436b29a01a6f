/* SPDX-License-Identifier: Apache-2.0
 *
 * The processor's features; see processor.h.
 */
#include "kernel_api/processor.h"

#include <stddef.h>
#include <string.h>

unsigned gb_processor_features(void) {
    return gb_arch_features();
}

#define ENTRY(name, needs) {#name, needs},
static const struct {
    const char *name;
    unsigned needs;
} sets[] = {GB_FOREACH_ISA(ENTRY)};
#undef ENTRY
enum { NSETS = sizeof sets / sizeof *sets };

static bool has_all(unsigned features, unsigned needs) {
    return (features & needs) == needs;
}

bool gb_kernels_run_on(const char *set, unsigned features) {
    for (size_t k = 0; k < NSETS; k++)
        if (strcmp(set, sets[k].name) == 0) return has_all(features, sets[k].needs);
    return false;
}

const char *gb_best_kernels(unsigned features) {
    for (size_t k = 0; k < NSETS; k++)
        if (has_all(features, sets[k].needs)) return sets[k].name;
    return NULL;
}
