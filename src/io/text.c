/* SPDX-License-Identifier: Apache-2.0
 *
 * Files into memory. A regular file is read by several threads, each its blocks; the file is not
 * mapped, since a mapped file that someone else cuts short kills the process. Pipes are read to
 * their end.
 */
#define _GNU_SOURCE
#include "io.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

enum { BLOCK = 4 << 20 };

static gbl_Info fail_errno(const char *name, const char *verb, int error) {
    return gbl_fail(GBL_IO_ERROR, NULL, "%s: cannot %s: %s", name, verb, strerror(error));
}

/* Reads up to `size` bytes from the offset, fewer only at the end of the file; -1 and errno. */
static ssize_t read_block(int file, char *out, size_t size, off_t offset) {
    size_t done = 0;
    while (done < size) {
        const ssize_t n = pread(file, out + done, size - done, offset + (off_t)done);
        if (n < 0 && errno == EINTR) continue;
        if (n < 0) return -1;
        if (n == 0) break;
        done += (size_t)n;
    }
    return (ssize_t)done;
}

static gbl_Info read_regular(gb_Text *text, int file, size_t size) {
    const gbl_Info info = gb_io_claim(size, "the text of the file");
    if (info != GBL_SUCCESS) return info;
    text->bytes = size < SIZE_MAX ? gb_io_alloc(size + 1, 1) : NULL;
    if (!text->bytes) return gb_io_no_memory("the text of the file");
    const int64_t blocks = (int64_t)((size + BLOCK - 1) / BLOCK);
    int error = 0, cut_short = 0;
#pragma omp parallel for schedule(dynamic, 1) num_threads(gb_io_threads())                         \
    reduction(max                                                                                  \
              : error, cut_short)
    for (int64_t b = 0; b < blocks; b++) {
        const size_t at = (size_t)b * BLOCK, n = size - at < BLOCK ? size - at : BLOCK;
        const ssize_t got = read_block(file, text->bytes + at, n, (off_t)at);
        if (got < 0) error = errno;
        if (got >= 0 && (size_t)got < n) cut_short = 1;
    }
    if (error) return fail_errno(text->name, "read", error);
    if (cut_short) {
        return gbl_fail(GBL_IO_ERROR, NULL, "%s: the file became shorter while it was read",
                        text->name);
    }
    text->size = size;
    return GBL_SUCCESS;
}

static gbl_Info read_stream(gb_Text *text, int file) {
    size_t room = 0;
    for (;;) {
        if (text->size + 1 >= room) {
            room = room ? 2 * room : BLOCK;
            const gbl_Info info = gb_io_claim(room, "the text of the file");
            if (info != GBL_SUCCESS) return info;
            char *const more = room > text->size ? realloc(text->bytes, room) : NULL;
            if (!more) return gb_io_no_memory("the text of the file");
            text->bytes = more;
        }
        const ssize_t n = read(file, text->bytes + text->size, room - 1 - text->size);
        if (n < 0 && errno == EINTR) continue;
        if (n < 0) return fail_errno(text->name, "read", errno);
        if (n == 0) return GBL_SUCCESS;
        text->size += (size_t)n;
    }
}

/* bytes has room for one more than size. */
static gbl_Info finish(gb_Text *text) {
    if (gb_text_is_compressed(text)) {
        const gbl_Info info = gb_text_inflate(text);
        if (info != GBL_SUCCESS) return info;
    }
    text->bytes[text->size++] = '\n';
    return GBL_SUCCESS;
}

gbl_Info gb_text_load(gb_Text *text, const char *path) {
    *text = (gb_Text){.name = path};
    const int file = open(path, O_RDONLY | O_CLOEXEC);
    if (file < 0) return fail_errno(path, "open", errno);
    struct stat facts;
    gbl_Info info;
    if (fstat(file, &facts) != 0) {
        info = fail_errno(path, "read", errno);
    } else if (S_ISREG(facts.st_mode) && facts.st_size > 0) {
        info = read_regular(text, file, (size_t)facts.st_size);
    } else {
        info = read_stream(text, file);
    }
    close(file);
    if (info == GBL_SUCCESS) info = finish(text);
    if (info != GBL_SUCCESS) gb_text_free(text);
    return info;
}

gbl_Info gb_text_copy(gb_Text *text, const char *bytes, size_t size) {
    *text = (gb_Text){.name = "text in memory"};
    gbl_Info info = gb_io_claim(size, "the text");
    if (info != GBL_SUCCESS) return info;
    text->bytes = size < SIZE_MAX ? gb_io_alloc(size + 1, 1) : NULL;
    if (!text->bytes) return gb_io_no_memory("the text");
    if (size > 0) memcpy(text->bytes, bytes, size);
    text->size = size;
    info = finish(text);
    if (info != GBL_SUCCESS) gb_text_free(text);
    return info;
}

void gb_text_free(gb_Text *text) {
    free(text->bytes);
    text->bytes = NULL;
    text->size = 0;
}
