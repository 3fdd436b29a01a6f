/* SPDX-License-Identifier: Apache-2.0
 *
 * Reading files, pipes and memory. Files are not mapped, since a mapped file that someone else cuts
 * short kills the process.
 */
#define _GNU_SOURCE
#include "files.h"

#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>
#include <zlib.h>

enum { BLOCK = 1 << 20 }; /* bytes that a thread reads from a regular file at once */

gbl_Info gb_input_open(gb_Input *input, const char *path) {
    *input = (gb_Input){.name = path, .file = open(path, O_RDONLY | O_CLOEXEC)};
    if (input->file < 0) return gb_io_fail_errno(path, "open", errno);
    struct stat facts;
    input->regular = fstat(input->file, &facts) == 0 && S_ISREG(facts.st_mode);
    if (input->regular) input->size = (uint64_t)facts.st_size;
    return GBL_SUCCESS;
}

void gb_input_open_memory(gb_Input *input, const char *bytes, size_t size, const char *name) {
    *input = (gb_Input){.name = name, .file = -1, .bytes = bytes, .size = size};
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
    return blocks.error ? gb_io_fail_errno(input->name, "read", blocks.error) : GBL_SUCCESS;
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
        if (done < 0) info = gb_io_fail_errno(input->name, "read", errno);
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

/* -- compressed input ----------------------------------------------------------------------- */

/* Decompression of gzip by zlib; see files.h. Memory is constant, however much the text grows. */

enum { GZIP_WINDOW = 15 + 16 };    /* largest window, gzip frame only */
enum { PORTION = 1 << 20 };        /* compressed bytes read at once */
enum { OUTPUT_AT_ONCE = 1 << 30 }; /* zlib counts in unsigned int */
_Static_assert((int)GB_INFLATER_FIRST <= (int)PORTION, "the first bytes must fit");

struct gb_Inflater {
    gb_Input *input;
    z_stream stream;
    bool inside; /* a member, or in front of the first */
    char in[PORTION];
};

bool gb_is_compressed(const char *bytes, size_t size) {
    return size >= 2 && bytes[0] == '\x1f' && bytes[1] == '\x8b';
}

static gbl_Info fail_damaged(const gb_Inflater *inflater, int code) {
    if (code == Z_MEM_ERROR) return gb_io_no_memory("decompression");
    return gbl_fail(GBL_IO_ERROR, NULL, "%s: the compressed data are damaged; fetch the file again",
                    inflater->input->name);
}

gbl_Info gb_inflater_new(gb_Inflater **inflater, gb_Input *input, const char *first, size_t size) {
    gb_Inflater *const made = gb_io_alloc(1, sizeof *made);
    if (!made) return gb_io_no_memory("decompression");
    made->input = input;
    made->inside = true;
    memcpy(made->in, first, size);
    made->stream = (z_stream){.next_in = (Bytef *)made->in, .avail_in = (uInt)size};
    if (inflateInit2(&made->stream, GZIP_WINDOW) != Z_OK) {
        gbl_Memory_free(made);
        return gb_io_no_memory("decompression");
    }
    *inflater = made;
    return GBL_SUCCESS;
}

void gb_inflater_free(gb_Inflater *inflater) {
    if (!inflater) return;
    inflateEnd(&inflater->stream);
    gbl_Memory_free(inflater);
}

/* Makes sure that there is compressed input; *more is false at the end behind a whole member. */
static gbl_Info feed(gb_Inflater *inflater, bool *more) {
    z_stream *const stream = &inflater->stream;
    *more = true;
    if (stream->avail_in > 0) return GBL_SUCCESS;
    size_t got;
    const gbl_Info info = gb_input_read(inflater->input, inflater->in, PORTION, &got);
    if (info != GBL_SUCCESS) return info;
    stream->next_in = (Bytef *)inflater->in;
    stream->avail_in = (uInt)got;
    *more = got > 0;
    if (*more || !inflater->inside) return GBL_SUCCESS;
    return gbl_fail(GBL_IO_ERROR, NULL,
                    "%s: the compressed data end too early; fetch the file again",
                    inflater->input->name);
}

gbl_Info gb_inflater_read(gb_Inflater *inflater, char *out, size_t size, size_t *got) {
    z_stream *const stream = &inflater->stream;
    *got = 0;
    while (*got < size) {
        bool more;
        const gbl_Info info = feed(inflater, &more);
        if (info != GBL_SUCCESS || !more) return info;
        if (!inflater->inside && inflateReset(stream) != Z_OK)
            return fail_damaged(inflater, Z_STREAM_ERROR);
        inflater->inside = true;
        const size_t left = size - *got < OUTPUT_AT_ONCE ? size - *got : OUTPUT_AT_ONCE;
        stream->next_out = (Bytef *)out + *got;
        stream->avail_out = (uInt)left;
        const int code = inflate(stream, Z_NO_FLUSH);
        *got += left - stream->avail_out;
        if (code == Z_STREAM_END)
            inflater->inside = false;
        else if (code != Z_OK)
            return fail_damaged(inflater, code);
    }
    return GBL_SUCCESS;
}
