/* SPDX-License-Identifier: Apache-2.0
 *
 * The machine table in use, and the built-in ones; see machine.h.
 */
#include "mxm/machine/machine.h"

#include <stdio.h>
#include <stdlib.h>

#include "core/hardware.h"
#include "kernel_api/backend.h"

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

/* Set by gbl_init. */
static gb_MachineTable in_use;
static gb_DevicesKnown devices;
static gb_MachineTable with_device[GB_DEVICES_MOST]; /* the table in use with rates of each */
static char devices_refusal[GB_MACHINE_TEXT];
static char file_path[GB_PATH_MOST], refusal[GB_MACHINE_TEXT];
static bool has_path;
static uint64_t products; /* atomic */

const gb_MachineTable *gb_machine(void) {
    return &in_use;
}

const gb_MachineTable *gb_machine_on(const char *device) {
    const gb_DeviceRates *rates = gb_devices_find(&devices, device);
    return rates != NULL ? &with_device[rates - devices.at] : NULL;
}

static void add_device_rates(void) {
    const bool calibrated = strcmp(in_use.source, "calibrated") == 0;
    for (int k = 0; k < devices.n; k++) {
        with_device[k] = in_use;
        with_device[k].source =
            calibrated ? "calibrated, the GPU's too" : "built in, the GPU's calibrated";
        for (int r = GB_FIRST_DEVICE_RATE; r < GB_RATES; r++)
            with_device[k].ns[r] = devices.at[k].ns[r];
    }
}

void gb_machine_use(const gb_MachineTable *machine) {
    in_use = *machine;
    refusal[0] = '\0';
    add_device_rates();
}

void gb_machine_use_devices(const gb_DevicesKnown *known) {
    devices = *known;
    devices_refusal[0] = '\0';
    add_device_rates();
}

/* A file that is not used is reported by gb_machine_facts, and at once when calls are traced. */
static void report(gbl_Info info, const char *path, const char *why) {
    const bool fine = info == GBL_SUCCESS || info == GBL_NO_VALUE;
    if (!fine && (gb_tracing() == GB_TRACE_LINE || gb_tracing() == GB_TRACE_TABLE))
        fprintf(stderr, "gblite: %s is not used: %s\n", path, why);
}

static void read_files(void) {
    char path[GB_PATH_MOST];
    report(gb_machine_read(&in_use, file_path, refusal), file_path, refusal);
    if (gb_devices_path(path, file_path))
        report(gb_devices_read(&devices, path, devices_refusal), path, devices_refusal);
    add_device_rates();
}

void gb_machine_init(void) {
    gb_trace_start();
    gb_machine_builtin(&in_use, gb_backend()->name);
    refusal[0] = devices_refusal[0] = '\0';
    devices.n = 0;
    products = 0;
    has_path = gb_machine_path(file_path);
    if (has_path) read_files();
}

void gb_machine_facts(gbl_MachineFacts *facts) {
    *facts =
        (gbl_MachineFacts){.source = in_use.source,
                           .isa = gb_backend()->name,
                           .path = has_path ? file_path : NULL,
                           .refused = refusal[0] != '\0' ? refusal : NULL,
                           .latency = in_use.latency,
                           .bandwidth = in_use.bandwidth,
                           .error = in_use.error,
                           .devices = devices.n,
                           .devices_refused = devices_refusal[0] != '\0' ? devices_refusal : NULL};
    memcpy(facts->cache, in_use.cache, sizeof facts->cache);
}

void gb_machine_count_product(uint64_t flops) {
    if (flops >= GB_SAMPLE_FLOPS) __atomic_add_fetch(&products, 1, __ATOMIC_RELAXED);
}

uint64_t gb_machine_products(void) {
    return __atomic_load_n(&products, __ATOMIC_RELAXED);
}
