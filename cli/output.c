/* SPDX-License-Identifier: Apache-2.0
 *
 * Files that commands write.
 */
#define _GNU_SOURCE
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "cli.h"

/* The folder of a path, as a path; NULL when there is no memory. */
static char *folder_of(const char *path) {
    const char *slash = strrchr(path, '/');
    if (!slash) return strdup(".");
    return slash == path ? strdup("/") : strndup(path, (size_t)(slash - path));
}

gbl_Info cli_check_output(const char *path) {
    gbl_Info info = GBL_SUCCESS;
    char *folder = NULL;
    if (access(path, W_OK) == 0 || !strcmp(path, "-")) return info;
    if (errno != ENOENT)
        return gbl_fail(GBL_IO_ERROR, NULL, "cannot write %s: %s", path, strerror(errno));
    folder = folder_of(path);
    if (!folder)
        info = gbl_fail(GBL_OUT_OF_MEMORY, NULL, "not enough memory for a file name");
    else if (access(folder, W_OK | X_OK) != 0)
        info = gbl_fail(GBL_IO_ERROR, NULL, "cannot write %s: folder %s: %s", path, folder,
                        strerror(errno));
    free(folder);
    return info;
}

static bool is_stdout(const char *path) {
    return !path || !strcmp(path, "-") || !strcmp(path, "/dev/stdout");
}

gbl_Info cli_open(FILE **file, const char *path) {
    *file = is_stdout(path) ? stdout : fopen(path, "w");
    return *file ? GBL_SUCCESS
                 : gbl_fail(GBL_IO_ERROR, NULL, "cannot write %s: %s", path, strerror(errno));
}

gbl_Info cli_close(FILE **file, const char *path) {
    if (!*file) return GBL_SUCCESS;
    errno = 0;
    bool lost = ferror(*file) || fflush(*file);
    int reason = errno;
    if (!is_stdout(path) && fclose(*file) && !lost) {
        lost = true;
        reason = errno;
    }
    *file = NULL;
    if (!lost) return GBL_SUCCESS;
    return gbl_fail(GBL_IO_ERROR, NULL, "cannot write %s: %s", path ? path : "standard output",
                    reason ? strerror(reason) : "the device refused the data");
}

void cli_warn_full(gbl_Index nrows, gbl_Index ncols, gbl_Index nvals, const char *path) {
    enum { LARGE = 1000000 };
    if (path == NULL || nvals < LARGE || nvals / nrows != ncols) return;
    if (cli_kind_of(path) == CLI_GBL || cli_kind_of(path) == CLI_BINSPARSE) return; /* no lines */
    fprintf(stderr,
            "gblite: note: the matrix has an entry at every place; %s will have %llu lines\n", path,
            (unsigned long long)nvals);
}
