/* SPDX-License-Identifier: Apache-2.0
 *
 * Start and end of the work of one command, and files it writes.
 */
#include <errno.h>
#include <string.h>
#include <time.h>

#include "cli.h"

gbl_Info cli_begin(const cli_Common *common) {
    gbl_Info info = gbl_init(GBL_NONBLOCKING);
    if (!info && common->threads > 0)
        info = gbl_Global_set_INT32(GBL_GLOBAL, common->threads, GBL_NTHREADS);
    if (!info) cli_progress_start();
    return info;
}

int cli_end(gbl_Info info) {
    cli_progress_stop();
    if (info) fprintf(stderr, "gblite: %s\n", gbl_last_error());
    gbl_finalize();
    return info ? CLI_FAILED : CLI_OK;
}

double cli_seconds(void) {
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}

gbl_Info cli_open(FILE **file, const char *path) {
    *file = path ? fopen(path, "w") : stdout;
    return *file ? GBL_SUCCESS
                 : gbl_fail(GBL_IO_ERROR, NULL, "cannot write %s: %s", path, strerror(errno));
}

gbl_Info cli_close(FILE **file, const char *path) {
    if (!*file) return GBL_SUCCESS;
    errno = 0;
    bool lost = ferror(*file) || fflush(*file);
    int reason = errno;
    if (path && fclose(*file) && !lost) {
        lost = true;
        reason = errno;
    }
    *file = NULL;
    if (!lost) return GBL_SUCCESS;
    return gbl_fail(GBL_IO_ERROR, NULL, "cannot write %s: %s", path ? path : "standard output",
                    reason ? strerror(reason) : "the device refused the data");
}
