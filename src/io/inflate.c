/* SPDX-License-Identifier: Apache-2.0
 *
 * Decompression of gzip files in memory: one or more members one after the other, as gzip and
 * parallel compressors write them. Check sums and lengths are verified by zlib.
 */
#include "io.h"

#include <stdlib.h>
#include <zlib.h>

enum { GZIP_WINDOW = 15 + 16 }; /* largest window, gzip frame only */
enum { PORTION = 1 << 30 };     /* zlib counts in unsigned int */

typedef struct {
    const gb_Text *in;
    size_t used; /* bytes of in->bytes */
    char *out;
    size_t size, room; /* out[size] are done, out[room] allocated; one byte stays free */
} gb_Inflater;

bool gb_text_is_compressed(const gb_Text *text) {
    return text->size >= 2 && text->bytes[0] == '\x1f' && text->bytes[1] == '\x8b';
}

static gbl_Info grow(gb_Inflater *inflater) {
    const size_t start = 4 * (inflater->in->size / 4096 + 1) * 4096;
    const size_t room = inflater->room ? 2 * inflater->room : start;
    const gbl_Info info = gb_io_claim(room, "the decompressed text");
    if (info != GBL_SUCCESS) return info;
    char *const out = room > inflater->room ? realloc(inflater->out, room) : NULL;
    if (!out) return gb_io_no_memory("the decompressed text");
    inflater->out = out;
    inflater->room = room;
    return GBL_SUCCESS;
}

static gbl_Info fail_damaged(const gb_Text *text, int code) {
    if (code == Z_MEM_ERROR) return gb_io_no_memory("decompression");
    if (code == Z_BUF_ERROR) {
        return gbl_fail(GBL_IO_ERROR, NULL, "%s: the compressed data end too early", text->name);
    }
    return gbl_fail(GBL_IO_ERROR, NULL, "%s: the compressed data are damaged", text->name);
}

/* Runs one member to its end. */
static gbl_Info inflate_member(gb_Inflater *inflater, z_stream *stream) {
    int code = Z_OK;
    while (code != Z_STREAM_END) {
        if (inflater->size + 1 >= inflater->room) {
            const gbl_Info info = grow(inflater);
            if (info != GBL_SUCCESS) return info;
        }
        const size_t in = inflater->in->size - inflater->used;
        const size_t out = inflater->room - 1 - inflater->size;
        const uInt in_part = (uInt)(in < PORTION ? in : PORTION);
        const uInt out_part = (uInt)(out < PORTION ? out : PORTION);
        stream->next_in = (Bytef *)inflater->in->bytes + inflater->used;
        stream->avail_in = in_part;
        stream->next_out = (Bytef *)inflater->out + inflater->size;
        stream->avail_out = out_part;
        code = inflate(stream, Z_NO_FLUSH);
        inflater->used += in_part - stream->avail_in;
        inflater->size += out_part - stream->avail_out;
        /* with room in the output, no progress means that the input has ended */
        if (code != Z_OK && code != Z_STREAM_END) return fail_damaged(inflater->in, code);
    }
    return GBL_SUCCESS;
}

static gbl_Info inflate_members(gb_Inflater *inflater, z_stream *stream) {
    while (inflater->used < inflater->in->size) {
        const gbl_Info info = inflate_member(inflater, stream);
        if (info != GBL_SUCCESS) return info;
        if (inflateReset(stream) != Z_OK) return fail_damaged(inflater->in, Z_STREAM_ERROR);
    }
    return GBL_SUCCESS;
}

gbl_Info gb_text_inflate(gb_Text *text) {
    gb_Inflater inflater = {.in = text};
    z_stream stream = {0};
    const int code = inflateInit2(&stream, GZIP_WINDOW);
    if (code != Z_OK) return fail_damaged(text, code);
    const gbl_Info info = inflate_members(&inflater, &stream);
    inflateEnd(&stream);
    if (info != GBL_SUCCESS) {
        free(inflater.out);
        return info;
    }
    free(text->bytes);
    text->bytes = inflater.out;
    text->size = inflater.size;
    return GBL_SUCCESS;
}
