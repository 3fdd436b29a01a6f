/* SPDX-License-Identifier: Apache-2.0
 *
 * Compression. Input by zstd or bzip2 is decompressed into memory, and text of UTF-16 becomes UTF-8
 * there; input by gzip is left to the readers of the library, which take it in portions. Output
 * goes through a pipe to a thread that compresses it, so that every writer of a file can have it.
 */
#define _GNU_SOURCE
#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <unistd.h>
#include <zlib.h>
#ifdef GBLITE_ZSTD
#include <zstd.h>
#endif
#ifdef GBLITE_BZIP2
#include <bzlib.h>
#endif

#include "formats.h"

enum { PORTION = 1 << 20, GZIP_WINDOW = 15 + 16, GZIP_LEVEL = 4, ZSTD_LEVEL = 3, BZIP2_LEVEL = 9 };

static const char *const suffixes[] = {".gz", ".zst", ".bz2"};
typedef enum { GZIP, ZSTD, BZIP2, PLAIN } Method;

static Method method_of(const char *path) {
    const size_t n = strlen(path);
    for (int k = GZIP; k < PLAIN; k++) {
        const size_t m = strlen(suffixes[k]);
        if (n > m && strcasecmp(path + n - m, suffixes[k]) == 0) return (Method)k;
    }
    return PLAIN;
}

size_t format_stem(const char *path) {
    const Method method = method_of(path);
    return strlen(path) - (method == PLAIN ? 0 : strlen(suffixes[method]));
}

static gbl_Info no_memory(void) {
    return gbl_fail(GBL_OUT_OF_MEMORY, NULL, "not enough memory to compress or decompress");
}

#if !defined GBLITE_ZSTD || !defined GBLITE_BZIP2
static gbl_Info not_built(const char *path, Method method) {
    const bool zstd = method == ZSTD;
    return gbl_fail(GBL_NOT_IMPLEMENTED, NULL,
                    "%s: this gblite was built without %s (Debian: %s); %s the file and give the "
                    "result to gblite by a pipe and -",
                    path, zstd ? "zstd" : "bzip2", zstd ? "libzstd-dev" : "libbz2-dev",
                    zstd ? "zstdcat" : "bzcat");
}
#endif

/* -- input */

/* Bytes on their way: what is left of the portion in, what is made. */
typedef struct {
    const char *path;
    char *in;
    size_t at, n; /* of in */
    FILE *file;
    char *out;
    size_t size, room;
} Stream;

static gbl_Info damaged(const Stream *s) {
    return gbl_fail(GBL_IO_ERROR, NULL,
                    "%s: the compressed data are damaged or end too early; fetch the file again",
                    s->path);
}

/* Makes room to write to, and, where all has been used, reads on; *more: there is input. */
static gbl_Info feed(Stream *s, bool *more) {
    if (s->room - s->size < PORTION) {
        const size_t room = 2 * s->room + 4 * PORTION;
        char *out = gbl_Memory_malloc(room);
        if (!out) return no_memory();
        if (s->size > 0) memcpy(out, s->out, s->size);
        gbl_Memory_free(s->out);
        s->out = out;
        s->room = room;
    }
    if (s->at == s->n) {
        s->at = 0;
        s->n = fread(s->in, 1, PORTION, s->file);
        if (ferror(s->file))
            return gbl_fail(GBL_IO_ERROR, NULL, "%s: cannot read: %s", s->path, strerror(errno));
    }
    *more = s->at < s->n;
    return GBL_SUCCESS;
}

#ifdef GBLITE_ZSTD
static gbl_Info from_zstd(Stream *s) {
    ZSTD_DStream *const z = ZSTD_createDStream();
    gbl_Info info = z ? GBL_SUCCESS : no_memory();
    bool more = true;
    size_t left = 0; /* of a frame: 0 at its end */
    while (!info && !(info = feed(s, &more)) && more) {
        ZSTD_inBuffer in = {s->in, s->n, s->at};
        ZSTD_outBuffer out = {s->out, s->room - 1, s->size};
        left = ZSTD_decompressStream(z, &out, &in);
        s->at = in.pos;
        s->size = out.pos;
        if (ZSTD_isError(left)) info = damaged(s);
    }
    /* what was held back because there was no room */
    for (size_t before = SIZE_MAX; !info && left > 0 && before != s->size;) {
        ZSTD_inBuffer in = {s->in, 0, 0};
        before = s->size;
        if ((info = feed(s, &more))) break;
        ZSTD_outBuffer out = {s->out, s->room - 1, s->size};
        left = ZSTD_decompressStream(z, &out, &in);
        s->size = out.pos;
        if (ZSTD_isError(left)) info = damaged(s);
    }
    if (!info && left > 0) info = damaged(s);
    ZSTD_freeDStream(z);
    return info;
}
#else
static gbl_Info from_zstd(Stream *s) {
    return not_built(s->path, ZSTD);
}
#endif

#ifdef GBLITE_BZIP2
static gbl_Info from_bzip2(Stream *s) {
    bz_stream z = {0};
    gbl_Info info = GBL_SUCCESS;
    bool more = true, inside = false; /* a stream; several may follow each other */
    while (!info && !(info = feed(s, &more)) && (more || inside)) {
        if (!inside && BZ2_bzDecompressInit(&z, 0, 0) != BZ_OK) return no_memory();
        inside = true;
        const size_t before = s->size;
        z.next_in = s->in + s->at;
        z.avail_in = (unsigned)(s->n - s->at);
        z.next_out = s->out + s->size;
        z.avail_out = PORTION - 1;
        const int code = BZ2_bzDecompress(&z);
        s->at = s->n - z.avail_in;
        s->size += PORTION - 1 - z.avail_out;
        if (code == BZ_STREAM_END) {
            BZ2_bzDecompressEnd(&z);
            inside = false;
        } else if (code != BZ_OK || (!more && s->size == before)) {
            info = damaged(s);
        }
    }
    if (inside) BZ2_bzDecompressEnd(&z);
    return info;
}
#else
static gbl_Info from_bzip2(Stream *s) {
    return not_built(s->path, BZIP2);
}
#endif

/* A character as UTF-8. */
static void put(Stream *s, uint32_t c) {
    const int more = c < 0x80      ? 0
                     : c < 0x800   ? 1
                     : c < 0x10000 ? 2
                                   : 3; /* bytes behind the first */
    static const unsigned char first[] = {0, 0xC0, 0xE0, 0xF0};
    s->out[s->size++] = (char)(first[more] | c >> 6 * more);
    for (int k = more - 1; k >= 0; k--) s->out[s->size++] = (char)(0x80 | (c >> 6 * k & 0x3F));
}

/* Text of 16-bit units, as spreadsheets save it. What is no character becomes U+FFFD. */
static gbl_Info from_utf16(Stream *s, bool big) {
    enum { NONE = 0xFFFD, HIGH = 0xD800, LOW = 0xDC00, END = 0xE000 };
    gbl_Info info = GBL_SUCCESS;
    bool more = true;
    uint32_t high = 0; /* the first unit of a pair */
    while (!(info = feed(s, &more)) && more) {
        /* two bytes become three at most, and there is room for a portion */
        const size_t end = s->n - s->at < PORTION / 2 ? s->n : s->at + PORTION / 2;
        for (; s->at + 1 < end; s->at += 2) {
            const unsigned char *const p = (const unsigned char *)s->in + s->at;
            const uint32_t unit = big ? p[0] << 8 | p[1] : p[1] << 8 | p[0];
            const bool low = unit >= LOW && unit < END;
            if (high) put(s, low ? 0x10000 + ((high - HIGH) << 10) + (unit - LOW) : NONE);
            if (high && low) {
                high = 0;
                continue;
            }
            high = unit >= HIGH && unit < LOW ? unit : 0;
            if (!high) put(s, low ? NONE : unit);
        }
        if (s->at + 1 == s->n)
            return gbl_fail(GBL_IO_ERROR, NULL, "%s: the text of UTF-16 ends within a character",
                            s->path);
    }
    if (!info && high) put(s, NONE);
    return info;
}

gbl_Info format_decompress(char **bytes, size_t *size, const char *path, const char *packed,
                           size_t packed_size) {
    char first[4] = {0};
    Stream s = {.path = path};
    *bytes = NULL;
    if (packed && packed_size < sizeof first) return GBL_SUCCESS;
    s.file = packed ? fmemopen((void *)packed, packed_size, "rb") : fopen(path, "rb");
    if (!s.file) return gbl_fail(GBL_IO_ERROR, NULL, "%s: cannot open: %s", path, strerror(errno));
    const size_t n = fread(first, 1, sizeof first, s.file);
    const bool zstd = n == 4 && !memcmp(first, "\x28\xb5\x2f\xfd", 4);
    const bool bzip2 = n == 4 && !memcmp(first, "BZh", 3) && first[3] >= '1' && first[3] <= '9';
    const bool big = n == 4 && !memcmp(first, "\xfe\xff", 2);
    const bool utf16 = big || (n == 4 && !memcmp(first, "\xff\xfe", 2));
    gbl_Info info = GBL_SUCCESS;
    if (zstd || bzip2 || utf16) {
        rewind(s.file);
        s.in = malloc(PORTION);
        info = !s.in   ? no_memory()
               : zstd  ? from_zstd(&s)
               : bzip2 ? from_bzip2(&s)
                       : from_utf16(&s, big);
    }
    free(s.in);
    fclose(s.file);
    if (!info && s.out) {
        s.out[s.size] = '\0';
        *bytes = s.out;
        *size = s.size;
        s.out = NULL;
    }
    gbl_Memory_free(s.out);
    return info;
}

/* -- output */

struct format_Pipe {
    const char *path;
    char name[32]; /* the end that is written to */
    int from, to;
    FILE *file;
    Method method;
    pthread_t thread;
    bool lost; /* something was not written, or not compressed */
};

static ssize_t take(const format_Pipe *p, char *in) {
    ssize_t n;
    do n = read(p->from, in, PORTION);
    while (n < 0 && errno == EINTR);
    return n;
}

static bool to_gzip(const format_Pipe *p, char *in, char *out) {
    z_stream z = {0};
    if (deflateInit2(&z, GZIP_LEVEL, Z_DEFLATED, GZIP_WINDOW, MAX_MEM_LEVEL, Z_DEFAULT_STRATEGY))
        return false;
    bool good = true;
    for (ssize_t n = 1; good && n > 0;) {
        n = take(p, in);
        z.next_in = (Bytef *)in;
        z.avail_in = n > 0 ? (uInt)n : 0;
        good = n >= 0;
        do {
            z.next_out = (Bytef *)out;
            z.avail_out = PORTION;
            good &= deflate(&z, n > 0 ? Z_NO_FLUSH : Z_FINISH) != Z_STREAM_ERROR;
            good &= fwrite(out, 1, PORTION - z.avail_out, p->file) == PORTION - z.avail_out;
        } while (good && z.avail_out == 0);
    }
    deflateEnd(&z);
    return good;
}

#ifdef GBLITE_ZSTD
static bool to_zstd(const format_Pipe *p, char *in, char *out) {
    ZSTD_CCtx *const z = ZSTD_createCCtx();
    if (!z) return false;
    ZSTD_CCtx_setParameter(z, ZSTD_c_compressionLevel, ZSTD_LEVEL);
    bool good = true;
    for (ssize_t n = 1; good && n > 0;) {
        n = take(p, in);
        good = n >= 0;
        ZSTD_inBuffer from = {in, n > 0 ? (size_t)n : 0, 0};
        for (bool done = false; good && !done;) {
            ZSTD_outBuffer to = {out, PORTION, 0};
            const size_t left =
                ZSTD_compressStream2(z, &to, &from, n > 0 ? ZSTD_e_continue : ZSTD_e_end);
            good = !ZSTD_isError(left) && fwrite(out, 1, to.pos, p->file) == to.pos;
            done = n > 0 ? from.pos == from.size : left == 0;
        }
    }
    ZSTD_freeCCtx(z);
    return good;
}
#endif

#ifdef GBLITE_BZIP2
static bool to_bzip2(const format_Pipe *p, char *in, char *out) {
    bz_stream z = {0};
    if (BZ2_bzCompressInit(&z, BZIP2_LEVEL, 0, 0) != BZ_OK) return false;
    bool good = true;
    for (ssize_t n = 1; good && n > 0;) {
        n = take(p, in);
        good = n >= 0;
        z.next_in = in;
        z.avail_in = n > 0 ? (unsigned)n : 0;
        for (int code = BZ_OK; good && code != BZ_STREAM_END && (n == 0 || z.avail_in > 0);) {
            z.next_out = out;
            z.avail_out = PORTION;
            code = BZ2_bzCompress(&z, n > 0 ? BZ_RUN : BZ_FINISH);
            const size_t made = PORTION - z.avail_out;
            good = code >= 0 && fwrite(out, 1, made, p->file) == made;
        }
    }
    BZ2_bzCompressEnd(&z);
    return good;
}
#endif

static void *compress_all(void *context) {
    format_Pipe *const p = context;
    char *in = malloc(2 * PORTION);
    p->lost = true;
    if (in && p->method == GZIP) p->lost = !to_gzip(p, in, in + PORTION);
#ifdef GBLITE_ZSTD
    if (in && p->method == ZSTD) p->lost = !to_zstd(p, in, in + PORTION);
#endif
#ifdef GBLITE_BZIP2
    if (in && p->method == BZIP2) p->lost = !to_bzip2(p, in, in + PORTION);
#endif
    free(in);
    close(p->from); /* ends a writer whose bytes could not be kept */
    return NULL;
}

gbl_Info format_pipe_open(format_Pipe **pipe_out, const char *path) {
    int ends[2];
    const Method method = method_of(path);
    *pipe_out = NULL;
#ifndef GBLITE_ZSTD
    if (method == ZSTD) return not_built(path, method);
#endif
#ifndef GBLITE_BZIP2
    if (method == BZIP2) return not_built(path, method);
#endif
    format_Pipe *p = calloc(1, sizeof *p);
    if (!p) return no_memory();
    p->path = path;
    p->method = method;
    p->file = fopen(path, "wb");
    if (!p->file || pipe2(ends, O_CLOEXEC) != 0) {
        const int error = errno;
        if (p->file) fclose(p->file);
        free(p);
        return gbl_fail(GBL_IO_ERROR, NULL, "cannot write %s: %s", path, strerror(error));
    }
    p->from = ends[0];
    p->to = ends[1];
    snprintf(p->name, sizeof p->name, "/dev/fd/%d", p->to);
    signal(SIGPIPE, SIG_IGN); /* of the pipe whose reader has failed */
    if (pthread_create(&p->thread, NULL, compress_all, p) != 0) {
        close(p->from);
        close(p->to);
        fclose(p->file);
        free(p);
        return no_memory();
    }
    *pipe_out = p;
    return GBL_SUCCESS;
}

const char *format_pipe_path(const format_Pipe *p) {
    return p->name;
}

gbl_Info format_pipe_close(format_Pipe **pipe, gbl_Info info) {
    format_Pipe *const p = *pipe;
    close(p->to);
    pthread_join(p->thread, NULL);
    const bool closed = fclose(p->file) == 0;
    if (p->lost || !closed)
        info = gbl_fail(GBL_IO_ERROR, NULL, "cannot write %s: %s", p->path,
                        closed ? "it was not possible to compress all" : strerror(errno));
    if (info) unlink(p->path);
    free(p);
    *pipe = NULL;
    return info;
}
