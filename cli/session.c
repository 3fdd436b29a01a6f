/* SPDX-License-Identifier: Apache-2.0
 *
 * Start and end of the work of one command.
 */
#include <string.h>

#include "cli.h"

gbl_Info cli_begin(const cli_Common *common, cli_Report **report) {
    gbl_Info info = gbl_init(GBL_NONBLOCKING);
    if (!info) info = cli_report_new(report, common->json);
    if (!info && common->output) info = cli_check_output(common->output);
    if (!info && common->threads > 0)
        info = gbl_Global_set_INT32(GBL_GLOBAL, common->threads, GBL_NTHREADS);
    if (!info) cli_progress_start();
    return info;
}

int cli_end(gbl_Info info, cli_Report **report, cli_Common *common) {
    cli_progress_stop();
    const bool piped = common->output && strcmp(common->output, "-") == 0;
    if (!info) info = cli_report_print(*report, piped ? stderr : stdout);
    cli_report_free(report);
    gbl_labels_free(&common->reading.labels);
    if (info) fprintf(stderr, "gblite: %s\n", gbl_last_error());
    gbl_finalize();
    return info ? CLI_FAILED : CLI_OK;
}
