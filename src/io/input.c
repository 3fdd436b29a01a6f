/* SPDX-License-Identifier: Apache-2.0
 *
 * Reading files, pipes and memory. Files are not mapped, since a mapped file that someone else cuts
 * short kills the process.
 */
#define _GNU_SOURCE
#include "input.h"

#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

enum { BLOCK = 1 << 20 }; /* bytes that a thread reads from a regular file at once */

static gbl_Info fail_errno(const char *name, const char *verb, int error) {
    return gbl_fail(GBL_IO_ERROR, NULL, "%s: cannot %s: %s", name, verb, strerror(error));
}

gbl_Info gb_input_open(gb_Input *input, const char *path) {
    *input = (gb_Input){.name = path, .file = open(path, O_RDONLY | O_CLOEXEC)};
    if (input->file < 0) return fail_errno(path, "open", errno);
    struct stat facts;
    input->regular = fstat(input->file, &facts) == 0 && S_ISREG(facts.st_mode);
    if (input->regular) input->size = (uint64_t)facts.st_size;
    return GBL_SUCCESS;
}

void gb_input_open_memory(gb_Input *input, const char *bytes, size_t size) {
    *input = (gb_Input){.name = "text in memory", .file = -1, .bytes = bytes, .size = size};
}

void gb_input_close(gb_Input *input) {
    if (input->file >= 0) close(input->file);
    input->file = -1;
}

/* Reads up to `size` bytes, from `offset` of a regular file, fewer only at the end; -1 and errno.
 */
static ssize_t read_block(const gb_Input *input, char *out, size_t size, uint64_t offset) {
    size_t done = 0;
    while (done < size) {
        const ssize_t n = input->regular
                              ? pread(input->file, out + done, size - done, (off_t)(offset + done))
                              : read(input->file, out + done, size - done);
        if (n < 0 && errno == EINTR) continue;
        if (n < 0) return -1;
        if (n == 0) break;
        done += (size_t)n;
    }
    return (ssize_t)done;
}

static gbl_Info read_regular(gb_Input *input, char *out, size_t size, size_t *got) {
    const int64_t blocks = (int64_t)((size + BLOCK - 1) / BLOCK);
    int error = 0;
    size_t end = size; /* where the first block ends that is not full */
#pragma omp parallel for schedule(dynamic, 1) num_threads(gb_io_threads()) if (blocks > 1)
    for (int64_t b = 0; b < blocks; b++) {
        const size_t at = (size_t)b * BLOCK, n = size - at < BLOCK ? size - at : BLOCK;
        const ssize_t done = read_block(input, out + at, n, input->at + at);
        if (done == (ssize_t)n) continue;
        const int reason = errno;
#pragma omp critical(gb_input_short)
        {
            if (done < 0) error = reason;
            if (done >= 0 && at + (size_t)done < end) end = at + (size_t)done;
        }
    }
    *got = end;
    return error ? fail_errno(input->name, "read", error) : GBL_SUCCESS;
}

gbl_Info gb_input_read(gb_Input *input, char *out, size_t size, size_t *got) {
    gbl_Info info = GBL_SUCCESS;
    *got = 0;
    if (input->file < 0) {
        const uint64_t left = input->size - input->at;
        *got = left < size ? (size_t)left : size;
        if (*got > 0) memcpy(out, input->bytes + input->at, *got);
    } else if (input->regular) {
        info = read_regular(input, out, size, got);
    } else {
        const ssize_t done = read_block(input, out, size, 0);
        if (done < 0) info = fail_errno(input->name, "read", errno);
        *got = done < 0 ? 0 : (size_t)done;
    }
    input->at += *got;
    return info;
}

double gb_input_part(const gb_Input *input) {
    const bool known = input->file < 0 || input->regular;
    return known && input->at < input->size ? (double)input->at / (double)input->size : 1;
}

bool gb_input_rewind(gb_Input *input) {
    if (input->file >= 0 && !input->regular) return false;
    input->at = 0;
    return true;
}
