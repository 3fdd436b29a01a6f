/* SPDX-License-Identifier: Apache-2.0
 *
 * The built-in machine tables; see rates.h.
 */
#include "mxm/machine/rates.h"

#include <string.h>

#include "core/hardware.h"

#define GB_RATE_NAME(name, portable, avx2, avx512) #name,
const char *const gb_rate_names[GB_RATES] = {GB_FOREACH_RATE(GB_RATE_NAME)};
#undef GB_RATE_NAME

#define GB_RATE_PORTABLE(name, portable, avx2, avx512) portable,
#define GB_RATE_AVX2(name, portable, avx2, avx512) avx2,
#define GB_RATE_AVX512(name, portable, avx2, avx512) avx512,
static const double builtin[3][GB_RATES] = {{GB_FOREACH_RATE(GB_RATE_PORTABLE)},
                                            {GB_FOREACH_RATE(GB_RATE_AVX2)},
                                            {GB_FOREACH_RATE(GB_RATE_AVX512)}};

void gb_machine_builtin(gb_MachineTable *machine, const char *isa) {
    const int set = strcmp(isa, "avx512") == 0 ? 2 : strcmp(isa, "avx2") == 0 ? 1 : 0;
    *machine = (gb_MachineTable){.latency = GB_LATENCY, .bandwidth = GB_BANDWIDTH};
    memcpy(machine->ns, builtin[set], sizeof machine->ns);
    gb_cache_sizes(machine->cache);
    machine->source = "built in";
}
