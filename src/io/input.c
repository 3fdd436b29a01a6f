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

typedef struct {
    const gb_Input *input;
    char *out;
    size_t size;
    size_t end; /* atomic: where the first block ends that is not full */
    int error;  /* atomic: errno of a block that could not be read */
} Blocks;

static void read_one(void *context, gbl_Index b) {
    Blocks *blocks = context;
    const size_t at = b * BLOCK, left = blocks->size - at, n = left < BLOCK ? left : BLOCK;
    const ssize_t done = read_block(blocks->input, blocks->out + at, n, blocks->input->at + at);
    if (done == (ssize_t)n) return;
    if (done < 0) {
        __atomic_store_n(&blocks->error, errno, __ATOMIC_RELAXED);
        return;
    }
    const size_t end = at + (size_t)done;
    size_t now = __atomic_load_n(&blocks->end, __ATOMIC_RELAXED);
    while (end < now && !__atomic_compare_exchange_n(&blocks->end, &now, end, true,
                                                     __ATOMIC_RELAXED, __ATOMIC_RELAXED)) {
    }
}

static gbl_Info read_regular(gb_Input *input, char *out, size_t size, size_t *got) {
    Blocks blocks = {.input = input, .out = out, .size = size, .end = size};
    gbl_parallel((size + BLOCK - 1) / BLOCK, read_one, &blocks);
    *got = blocks.end;
    return blocks.error ? fail_errno(input->name, "read", blocks.error) : GBL_SUCCESS;
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
