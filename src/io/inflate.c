/* SPDX-License-Identifier: Apache-2.0
 *
 * Decompression of gzip by zlib; see inflate.h. Memory is constant, however much the text grows.
 */
#include "inflate.h"

#include <string.h>
#include <zlib.h>

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
        gb_io_free(made);
        return gb_io_no_memory("decompression");
    }
    *inflater = made;
    return GBL_SUCCESS;
}

void gb_inflater_free(gb_Inflater *inflater) {
    if (!inflater) return;
    inflateEnd(&inflater->stream);
    gb_io_free(inflater);
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
        if (!inflater->inside && inflateReset(stream) != Z_OK) {
            return fail_damaged(inflater, Z_STREAM_ERROR);
        }
        inflater->inside = true;
        const size_t left = size - *got < OUTPUT_AT_ONCE ? size - *got : OUTPUT_AT_ONCE;
        stream->next_out = (Bytef *)out + *got;
        stream->avail_out = (uInt)left;
        const int code = inflate(stream, Z_NO_FLUSH);
        *got += left - stream->avail_out;
        if (code == Z_STREAM_END) {
            inflater->inside = false;
        } else if (code != Z_OK) {
            return fail_damaged(inflater, code);
        }
    }
    return GBL_SUCCESS;
}
