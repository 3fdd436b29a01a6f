/* SPDX-License-Identifier: Apache-2.0
 *
 * Start and end of the work of one command.
 */
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "cli.h"

/* Where a mapped file ends before the place that is read. */
static void end_without_pages(int number) {
    static const char text[] =
        "\ngblite: a .gbl file became shorter while it was read, or its disk "
        "fails; no result was written\n";
    (void)number;
    if (write(STDERR_FILENO, text, sizeof text - 1) < 0) _exit(CLI_FAILED);
    _exit(CLI_FAILED);
}

/* The library takes what is no number for not set. */
static void check_threads(void) {
    const char *const text = getenv("GBLITE_THREADS");
    if (text && text[strspn(text, "0123456789")])
        fprintf(stderr,
                "gblite: note: GBLITE_THREADS is '%s', which is no number of threads; it is not "
                "used\n",
                text);
}

gbl_Info cli_begin(const cli_Common *common, cli_Report **report) {
    gbl_Info info = gbl_init(GBL_NONBLOCKING);
    signal(SIGBUS, end_without_pages);
    if (!info) info = cli_report_new(report, common->json);
    if (!info && common->output) info = cli_check_output(common->output);
    if (!info && common->threads > 0)
        info = gbl_Global_set_INT32(GBL_GLOBAL, common->threads, GBL_NTHREADS);
    if (!info && common->threads == 0) check_threads();
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
