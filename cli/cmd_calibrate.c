/* SPDX-License-Identifier: Apache-2.0
 *
 * gblite calibrate: measures the machine, so that the planner knows what its methods cost here; or
 * tells what it goes by.
 */
#include "cli.h"

typedef struct {
    cli_Common common;
    bool show, device;
} Arguments;

static const struct argp_option options[] = {
    {"device", 'd', NULL, 0, "Measure the GPU, not the processor", 0},
    {"show", 's', NULL, 0, "Measure nothing, tell what is in use", 0},
    {0}};

static error_t parse(int key, char *text, struct argp_state *state) {
    Arguments *a = state->input;
    (void)text;
    if (key == 'd')
        a->device = true;
    else if (key == 's')
        a->show = true;
    else
        return ARGP_ERR_UNKNOWN;
    return 0;
}

static gbl_Info report_machine(cli_Report *report, const char *path) {
    gbl_MachineFacts facts = GBL_MACHINE_FACTS_INIT;
    const gbl_Info info = gbl_machine(&facts);
    if (info) return info;
    cli_report_text(report, "table", facts.source);
    cli_report_text(report, "isa", facts.isa);
    cli_report_text(report, "file", path ? path : facts.path ? facts.path : "none");
    if (facts.refused) cli_report_text(report, "refused", facts.refused);
    cli_report_count(report, "cache1_bytes", (uint64_t)facts.cache[0]);
    cli_report_count(report, "cache2_bytes", (uint64_t)facts.cache[1]);
    cli_report_count(report, "cache3_bytes", (uint64_t)facts.cache[2]);
    cli_report_number(report, "latency_ns", facts.latency);
    cli_report_number(report, "bytes_per_ns", facts.bandwidth);
    cli_report_number(report, "error_log2", facts.error);
    cli_report_number(report, "devices", facts.devices);
    if (facts.devices_refused) cli_report_text(report, "devices_refused", facts.devices_refused);
    return GBL_SUCCESS;
}

int cmd_calibrate(int argc, char **argv) {
    const cli_Usage usage = {
        .about = "Measure how fast this machine multiplies, in about a minute, and keep the table "
                 "for all programs that use gblite. Run it while nothing else does.",
        .output = "Write the table to FILE, not to the configuration folder",
        .options = options,
        .parse = parse};
    Arguments a = {0};
    cli_Report *report = NULL;
    gbl_Info info;

    cli_parse(argc, argv, &usage, &a.common, &a);
    if ((info = cli_begin(&a.common, &report))) goto done;
    double start = cli_seconds();
    cli_progress_only("calibrate");
    if (!a.show &&
        (info = a.device ? gbl_calibrate_device(a.common.output) : gbl_calibrate(a.common.output)))
        goto done;
    if ((info = report_machine(report, a.common.output))) goto done;
    cli_report_text(report, "method", a.show ? "show" : "calibrate");
    cli_report_number(report, "seconds", cli_seconds() - start);
done:
    return cli_end(info, &report, &a.common);
}
