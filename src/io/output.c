/* SPDX-License-Identifier: Apache-2.0
 *
 * Output files; see files.h.
 */
#define _GNU_SOURCE
#include "files.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>
#include <zlib.h>

enum { ATTEMPTS = 100, GZIP_WINDOW = 15 + 16 };
enum { WRITTEN_MOST = 4 << 20 }; /* bytes between two looks at the deadline, a few ms */
enum { GZIP_LEVEL = 4 }; /* twice as fast as 6, and digits compress to nearly the same size */

/* Opens a new file beside the target. */
static gbl_Info open_temporary(gb_Output *output) {
    const size_t size = strlen(output->target) + 64;
    output->temporary = malloc(size);
    if (!output->temporary) return gb_io_no_memory("a file name");
    for (int k = 0; k < ATTEMPTS && output->file < 0; k++) {
        snprintf(output->temporary, size, "%s.%ld-%d.tmp", output->target, (long)getpid(), k);
        output->file = open(output->temporary, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0666);
        if (output->file < 0 && errno != EEXIST) break;
    }
    if (output->file >= 0) return GBL_SUCCESS;
    const int error = errno;
    free(output->temporary);
    output->temporary = NULL; /* not ours to remove */
    if (error == ENOENT) {
        return gbl_fail(GBL_IO_ERROR, NULL, "%s: cannot create the file: %s; make its folder first",
                        output->path, strerror(error));
    }
    return gb_io_fail_errno(output->path, "create", error);
}

gbl_Info gb_output_open(gb_Output *output, const char *path) {
    *output = (gb_Output){.path = path, .file = -1};
    struct stat facts;
    /* what a shell has redirected is continued, not replaced */
    const bool standard = strcmp(path, "/dev/stdout") == 0, exists = stat(path, &facts) == 0;
    const bool file = exists && S_ISREG(facts.st_mode) && !standard;
    output->target = file ? realpath(path, NULL) : strdup(path); /* pipes have no path */
    gbl_Info info = GBL_SUCCESS;
    if (!output->target) {
        info = gb_io_fail_errno(output->path, "find", errno);
    } else if (exists && !file) {
        output->file =
            standard ? fcntl(STDOUT_FILENO, F_DUPFD_CLOEXEC, 0) : open(path, O_WRONLY | O_CLOEXEC);
        if (output->file < 0) info = gb_io_fail_errno(output->path, "open", errno);
    } else {
        info = open_temporary(output);
        /* who could not read the old file shall not read the new one */
        if (info == GBL_SUCCESS && exists && fchmod(output->file, facts.st_mode & 07777) != 0)
            info = gb_io_fail_errno(output->path, "protect", errno);
    }
    if (info != GBL_SUCCESS) gb_output_discard(output);
    return info;
}

gbl_Info gb_output_write_at(gb_Output *output, const void *bytes, size_t size, int64_t at) {
    const char *from = bytes;
    while (size > 0) {
        const gbl_Info info = gbl_call_state();
        if (info != GBL_SUCCESS) return info;
        const size_t some = size < WRITTEN_MOST ? size : WRITTEN_MOST;
        const ssize_t n =
            at < 0 ? write(output->file, from, some) : pwrite(output->file, from, some, at);
        if (n < 0 && errno == EINTR) continue;
        if (n < 0) return gb_io_fail_errno(output->path, "write", errno);
        from += n;
        size -= (size_t)n;
        if (at >= 0) at += n;
    }
    return GBL_SUCCESS;
}

gbl_Info gb_output_write(gb_Output *output, const char *bytes, size_t size) {
    return gb_output_write_at(output, bytes, size, -1);
}

gbl_Info gb_output_commit(gb_Output *output) {
    gbl_Info info = GBL_SUCCESS;
    const int failed = close(output->file);
    output->file = -1;
    if (failed)
        info = gb_io_fail_errno(output->path, "write", errno);
    else if (output->temporary && rename(output->temporary, output->target) != 0)
        info = gb_io_fail_errno(output->path, "rename", errno);
    (info == GBL_SUCCESS ? gb_output_leave : gb_output_discard)(output);
    return info;
}

void gb_output_discard(gb_Output *output) {
    if (output->file >= 0) close(output->file);
    if (output->temporary) unlink(output->temporary);
    free(output->temporary);
    free(output->target);
    *output = (gb_Output){.path = output->path, .file = -1};
}

gbl_Info gb_output_end(gb_Output *output, gbl_Info info) {
    if (info == GBL_SUCCESS) return gb_output_commit(output);
    gb_output_discard(output);
    return info;
}

void gb_output_leave(gb_Output *output) {
    free(output->temporary);
    output->temporary = NULL;
    gb_output_discard(output);
}

bool gb_output_compress(gb_Block *out, const gb_Block *in) {
    z_stream stream = {0};
    if (deflateInit2(&stream, GZIP_LEVEL, Z_DEFLATED, GZIP_WINDOW, MAX_MEM_LEVEL,
                     Z_DEFAULT_STRATEGY) != Z_OK)
        return false;
    const size_t most = deflateBound(&stream, in->size);
    bool done = false;
    if (out->capacity < most) {
        char *const bytes = gb_io_resize(out->bytes, out->capacity, most, 1);
        if (!bytes) goto end;
        out->bytes = bytes;
        out->capacity = most;
    }
    stream.next_in = (Bytef *)in->bytes;
    stream.avail_in = (uInt)in->size;
    stream.next_out = (Bytef *)out->bytes;
    stream.avail_out = (uInt)out->capacity;
    done = deflate(&stream, Z_FINISH) == Z_STREAM_END;
    out->size = stream.total_out;
end:
    deflateEnd(&stream);
    return done;
}
