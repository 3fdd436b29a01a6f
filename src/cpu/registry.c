/* SPDX-License-Identifier: Apache-2.0
 *
 * The only file that names the host's kernels. Their table is filled once: kernels for the best
 * instruction set that the processor has, or the one that GBLITE_ISA asks for. The device's table
 * comes from a library of its own (loader.c).
 */
#include <stdlib.h>

#include "core/text.h"
#include "cpu/cpu.h"

static gb_Backend host = {
#define GB_KERNEL(result, name, parameters) .name = gb_cpu_##name,
#define GB_SET_KERNEL(result, name, parameters)
#include "kernel_api/kernels.def"
};

#define DECLARE(name, needs) extern const gb_IsaKernels gb_kernels_##name;
GB_FOREACH_ISA(DECLARE)
#undef DECLARE

#define ENTRY(name, needs) {&gb_kernels_##name, needs},
static const struct {
    const gb_IsaKernels *kernels;
    unsigned needs;
} sets[] = {GB_FOREACH_ISA(ENTRY)};
#undef ENTRY
enum { NSETS = sizeof sets / sizeof *sets };

/* -- the processor */

unsigned gb_processor_features(void) {
    return gb_arch_features();
}

static bool has_all(unsigned features, unsigned needs) {
    return (features & needs) == needs;
}

bool gb_kernels_run_on(const char *set, unsigned features) {
    for (size_t k = 0; k < NSETS; k++)
        if (strcmp(set, sets[k].kernels->name) == 0) return has_all(features, sets[k].needs);
    return false;
}

const char *gb_best_kernels(unsigned features) {
    for (size_t k = 0; k < NSETS; k++)
        if (has_all(features, sets[k].needs)) return sets[k].kernels->name;
    return NULL;
}

/* -- the table */

/* The kernels of the set called name; NULL when the machine or the build lacks it. */
static const gb_IsaKernels *find_kernels(const char *name, unsigned features) {
    for (int k = 0; k < NSETS; k++)
        if (strcmp(name, sets[k].kernels->name) == 0)
            return gb_kernels_run_on(name, features) ? sets[k].kernels : NULL;
    return NULL;
}

/* "portable, avx2 or avx512" */
static void list_sets(char *to, size_t capacity) {
    gb_Text text = {.to = to, .capacity = capacity};
    for (int k = NSETS - 1; k >= 0; k--)
        gb_text_add(&text, "%s%s",
                    k == NSETS - 1 ? ""
                    : k > 0        ? ", "
                                   : " or ",
                    sets[k].kernels->name);
}

static gbl_Info no_kernels(void) {
    char names[128];
    list_sets(names, sizeof names);
    return gb_fail(GBL_INVALID_VALUE,
                   "this build has kernels for %s alone, which this processor lacks; configure it "
                   "without GBLITE_ISAS",
                   names);
}

static void use(const gb_IsaKernels *kernels) {
#define GB_KERNEL(result, name, parameters)
#define GB_SET_KERNEL(result, name, parameters) host.name = kernels->name;
#include "kernel_api/kernels.def"
    host.name = kernels->name;
}

gbl_Info gb_backend_init(void) {
    const unsigned features = gb_processor_features();
    const char *best = gb_best_kernels(features);
    const char *wanted = getenv("GBLITE_ISA");
    if (best == NULL) return no_kernels();
    if (wanted == NULL || *wanted == '\0') wanted = best;
    const gb_IsaKernels *kernels = find_kernels(wanted, features);
    char names[128];
    if (kernels != NULL) {
        use(kernels);
        return GBL_SUCCESS;
    }
    list_sets(names, sizeof names);
    return gb_fail(GBL_INVALID_VALUE,
                   "GBLITE_ISA is '%.20s', which this machine or build lacks; use %s (best here: "
                   "%s)",
                   wanted, names, best);
}

const gb_KernelHelpers *gb_helpers_of(const char *set) {
    const gb_IsaKernels *kernels = find_kernels(set, gb_processor_features());
    return kernels != NULL ? kernels->kernel_helpers() : NULL;
}

const gb_Backend *gb_backend(void) {
    return &host;
}
