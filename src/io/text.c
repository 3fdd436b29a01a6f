/* SPDX-License-Identifier: Apache-2.0
 *
 * Texts from files, pipes and memory, decompressed where they are compressed, cut into slabs of
 * whole lines, and these into pieces; see text.h. Files are not mapped, since a mapped file that
 * someone else cuts short kills the process.
 */
#define _GNU_SOURCE
#include "text.h"

#include <errno.h>
#include <fcntl.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>
#include <zlib.h>

#include "gblite_io.h"

/* -- files, pipes and memory ------------------------------------------------------------------- */

enum { BLOCK = 1 << 20 }; /* bytes that a thread reads from a regular file at once */

static gbl_Info open_input(gb_Input *input, const char *path) {
    *input = (gb_Input){.name = path, .file = open(path, O_RDONLY | O_CLOEXEC)};
    if (input->file < 0) return gb_io_fail_errno(path, "open", errno);
    struct stat facts;
    input->regular = fstat(input->file, &facts) == 0 && S_ISREG(facts.st_mode);
    if (input->regular) input->size = (uint64_t)facts.st_size;
    return GBL_SUCCESS;
}

/* Reads `size` bytes, from `offset` of a regular file, fewer only at the end; -1 and errno. */
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

/* Reads `size` bytes, fewer only at the end; *got says how many. */
static gbl_Info read_input(gb_Input *input, char *out, size_t size, size_t *got) {
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

/* -- gzip, by zlib, in constant memory, however much the text grows ---------------------------- */

enum { GZIP_WINDOW = 15 + 16 };    /* largest window, gzip frame only */
enum { PORTION = 1 << 20 };        /* compressed bytes read at once */
enum { OUTPUT_AT_ONCE = 1 << 30 }; /* zlib counts in unsigned int */
_Static_assert((int)GB_TEXT_FIRST <= (int)PORTION, "the first portion of a text must fit");

struct gb_Inflater {
    gb_Input *input;
    z_stream stream;
    bool inside; /* a member, or in front of the first */
    char in[PORTION];
};

static gbl_Info fail_damaged(const gb_Inflater *inflater, int code) {
    if (code == Z_MEM_ERROR) return gb_io_no_memory("decompression");
    return gbl_fail(GBL_IO_ERROR, NULL, "%s: the compressed data are damaged; fetch the file again",
                    inflater->input->name);
}

/* first[size], at most PORTION bytes, are what has already been read of the input. */
static gbl_Info new_inflater(gb_Inflater **inflater, gb_Input *input, const char *first,
                             size_t size) {
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

static void free_inflater(gb_Inflater *inflater) {
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
    const gbl_Info info = read_input(inflater->input, inflater->in, PORTION, &got);
    if (info != GBL_SUCCESS) return info;
    stream->next_in = (Bytef *)inflater->in;
    stream->avail_in = (uInt)got;
    *more = got > 0;
    if (*more || !inflater->inside) return GBL_SUCCESS;
    return gbl_fail(GBL_IO_ERROR, NULL,
                    "%s: the compressed data end too early; fetch the file again",
                    inflater->input->name);
}

/* Like read_input. Check sums and lengths are verified. */
static gbl_Info inflate_more(gb_Inflater *inflater, char *out, size_t size, size_t *got) {
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

/* -- slabs of a text --------------------------------------------------------------------------- */

/* Fills the text up to its capacity, or to the end of the input. */
static gbl_Info fill(gb_Text *text) {
    const size_t wanted = text->capacity - text->size;
    char *const out = text->bytes + text->size;
    size_t got = 0;
    const gbl_Info info = text->inflater ? inflate_more(text->inflater, out, wanted, &got)
                                         : read_input(&text->input, out, wanted, &got);
    for (size_t k = 0; text->cr_ends && k < got; k++)
        if (out[k] == '\r') out[k] = '\n';
    text->size += got;
    text->ended = got < wanted;
    text->bytes[text->size] = '\n';
    return info;
}

static gbl_Info set_capacity(gb_Text *text, size_t capacity) {
    char *const bytes = gb_io_resize(text->bytes, text->capacity + 1, capacity + 1, 1);
    if (!bytes) return gb_io_no_memory("the text of the file");
    text->bytes = bytes;
    text->capacity = capacity;
    return GBL_SUCCESS;
}

/* Reads the first portion, and again as what it says when it is compressed. */
static gbl_Info start(gb_Text *text) {
    text->size = text->used = 0;
    text->line = 1;
    text->cr_ends = false;
    gbl_Info info = fill(text);
    if (info == GBL_SUCCESS && text->size >= 2 && memcmp(text->bytes, "\x1f\x8b", 2) == 0) {
        info = new_inflater(&text->inflater, &text->input, text->bytes, text->size);
        text->size = 0;
        if (info == GBL_SUCCESS) info = fill(text);
    }
    char *const cr = memchr(text->bytes, '\r', text->size);
    if (info != GBL_SUCCESS || !cr || memchr(text->bytes, '\n', text->size) ||
        memchr(text->bytes, '\0', text->size)) /* no text at all */
        return info;
    text->cr_ends = cr + 1 < text->bytes + text->size; /* else half of CR LF, or the last line */
    for (char *p = cr; text->cr_ends && p < text->bytes + text->size; p++)
        if (*p == '\r') *p = '\n';
    return info;
}

gbl_Info gb_text_open(gb_Text *text, const char *path, const char *bytes, size_t size) {
    *text = (gb_Text){.input = {.name = path, .file = -1, .bytes = bytes, .size = size}};
    gbl_Info info = bytes ? GBL_SUCCESS : open_input(&text->input, path);
    if (info != GBL_SUCCESS) return info;
    info = set_capacity(text, GB_TEXT_FIRST);
    if (info == GBL_SUCCESS) info = start(text);
    if (info != GBL_SUCCESS) gb_text_close(text);
    return info;
}

void gb_text_close(gb_Text *text) {
    if (text->input.file >= 0) close(text->input.file);
    text->input.file = -1;
    free_inflater(text->inflater);
    gbl_Memory_free(text->bytes);
    text->inflater = NULL;
    text->bytes = NULL;
}

gbl_Info gb_text_rewind(gb_Text *text) {
    if (text->input.file >= 0 && !text->input.regular) return GBL_NO_VALUE;
    text->input.at = 0;
    free_inflater(text->inflater);
    text->inflater = NULL;
    const gbl_Info info = set_capacity(text, GB_TEXT_FIRST);
    return info == GBL_SUCCESS ? start(text) : info;
}

/* Moves what has not been given out to the front and reads on behind it. */
static gbl_Info read_on(gb_Text *text) {
    text->size -= text->used;
    memmove(text->bytes, text->bytes + text->used, text->size);
    text->used = 0;
    const bool full = text->size == text->capacity;
    const size_t slab = full || gb_io_threads() > GB_TEXT_FEW ? GB_TEXT_SLAB : GB_TEXT_SMALL;
    const size_t wanted = full && text->any_length ? 2 * text->capacity : slab;
    if (text->capacity < wanted) {
        const gbl_Info info = set_capacity(text, wanted);
        if (info != GBL_SUCCESS) return info;
    } else if (full) {
        return gbl_fail(GBL_INVALID_VALUE, NULL,
                        "%s: line %llu is longer than %d bytes; no line of a Matrix Market file is",
                        text->input.name, (unsigned long long)text->line, (int)GB_TEXT_SLAB);
    }
    return fill(text);
}

gbl_Info gb_text_next(gb_Text *text, gb_Lines *lines) {
    const char *last;
    const double part = gb_input_part(&text->input); /* 1 also where it is not known */
    if ((part < 1 ? gbl_call_part(GB_TEXT_LISTED * part) : gbl_call_state()) != GBL_SUCCESS)
        return GBL_CANCELLED;
    while ((last = memrchr(text->bytes + text->used, '\n', text->size - text->used)) == NULL &&
           !text->ended) {
        const gbl_Info info = read_on(text);
        if (info != GBL_SUCCESS) return info;
    }
    const char *const begin = text->bytes + text->used;
    const bool unfinished = !last && text->used < text->size; /* the line at the end of the text */
    lines->begin = begin;
    lines->end = last ? last + 1 : unfinished ? text->bytes + text->size + 1 : begin;
    text->used = unfinished ? text->size : (size_t)(lines->end - text->bytes);
    return GBL_SUCCESS;
}

/* -- problems */

/* Copies the start of the rest of the line, made printable. */
static void quote(char *out, size_t size, const char *at) {
    size_t n = 0;
    for (; at[n] != '\n' && at[n] != '\r' && n + 4 < size; n++)
        out[n] = at[n] >= ' ' && at[n] <= '~' ? at[n] : '?';
    const bool more = at[n] != '\n' && at[n] != '\r';
    strcpy(out + n, more ? "..." : "");
}

bool gb_problem_note(gb_Problem *problem, gbl_Info code, const char *at, const char *format, ...) {
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(problem->what, sizeof problem->what, format, arguments);
    va_end(arguments);
    problem->code = code;
    problem->column = 1;
    for (const char *p = at; p > problem->begin && p[-1] != '\n'; p--) problem->column++;
    quote(problem->found, sizeof problem->found, at);
    return false;
}

gbl_Info gb_problem_fail(const gb_Text *text, const gb_Problem *problem) {
    const char *const name = text->input.name;
    const unsigned long long line = problem->line;
    if (problem->found[0] == '\0') {
        return gbl_fail(problem->code, NULL, "%s: line %llu: %s; the line ends there", name, line,
                        problem->what);
    }
    return gbl_fail(problem->code, NULL, "%s: line %llu: %s; found '%s' in column %llu", name, line,
                    problem->what, problem->found, (unsigned long long)problem->column);
}

/* -- pieces */

typedef struct {
    gb_Marks marks;
    gb_Piece *pieces;
} Slab;

/* Counts the lines; false where a glance sees what may be a comment or a blank line. */
static bool are_plain(gb_Lines lines, gb_Marks marks, uint64_t *nlines) {
    enum { GLANCE = 128 }; /* at most 255 */
    const char *const last = lines.end - 1;
    uint64_t n = 1;
    int length;
    if (lines.begin == lines.end || *lines.begin <= ' ') return false;
    for (const char *p = lines.begin; p < last; p += length) {
        uint8_t ends = 0, odd = 0;
        length = last - p < GLANCE ? (int)(last - p) : GLANCE;
        for (int k = 0; k < length; k++) {
            const uint8_t end = p[k] == '\n';
            ends = (uint8_t)(ends + end);
            odd |=
                (uint8_t)(p[k] == marks.a) | (uint8_t)(p[k] == marks.b) | (end & (p[k + 1] <= ' '));
        }
        if (odd) return false;
        n += ends;
    }
    *nlines = n;
    return true;
}

static void count_piece(void *context, gbl_Index k) {
    const Slab *const slab = context;
    gb_Piece *const piece = &slab->pieces[k];
    const char *next;
    if (are_plain(piece->lines, slab->marks, &piece->nlines)) {
        piece->entries = piece->nlines;
        return;
    }
    for (const char *p = piece->lines.begin; p < piece->lines.end; p = next, piece->nlines++) {
        const char *const first = gb_skip_blank(p);
        next = gb_next_line(first, piece->lines.end);
        if (gb_is_comment(slab->marks, *first))
            piece->comments += (uint64_t)(next - p);
        else
            piece->entries++;
    }
}

int64_t gb_text_split(const gb_Text *text, gb_Lines lines, gb_Marks marks, uint64_t entry,
                      gb_Piece *pieces) {
    const int64_t n = (lines.end - lines.begin - 1) / GB_TEXT_PIECE + 1;
    uint64_t line = text->line;
    const char *begin = lines.begin;
    for (int64_t k = 0; k < n; k++) { /* linear also where a line goes through many pieces */
        const int64_t at = (k + 1) * GB_TEXT_PIECE;
        const char *end = begin;
        if (k + 1 == n)
            end = lines.end;
        else if (at > begin - lines.begin)
            end = gb_next_line(lines.begin + at - 1, lines.end);
        pieces[k] = (gb_Piece){.lines = {begin, end}, .problem = {.begin = begin}};
        begin = end;
    }
    gbl_parallel((gbl_Index)n, count_piece, &(Slab){marks, pieces});
    for (int64_t k = 0; k < n; k++) {
        pieces[k].line = pieces[k].problem.line = line;
        pieces[k].entry = entry;
        line += pieces[k].nlines;
        entry += pieces[k].entries;
    }
    return n;
}

/* -- whole files */

gbl_Info gbl_file_bytes(char **bytes, size_t *size, size_t most, const char *path) {
    gb_Text text;
    if (!bytes || !size || !path)
        return gbl_fail(GBL_NULL_POINTER, NULL, "gbl_file_bytes: an argument is NULL");
    *bytes = NULL;
    *size = 0;
    gbl_Info info = gb_text_open(&text, path, NULL, 0);
    if (info != GBL_SUCCESS) return info;
    while (info == GBL_SUCCESS && !text.ended && text.size < most) {
        const size_t doubled = text.capacity < most / 2 ? 2 * text.capacity : most;
        info = set_capacity(&text, doubled > text.size ? doubled : text.size);
        if (info == GBL_SUCCESS) info = fill(&text);
    }
    if (info == GBL_SUCCESS) {
        *size = text.size < most ? text.size : most;
        *bytes = text.bytes;
        (*bytes)[*size] = '\0';
        text.bytes = NULL;
    }
    gb_text_close(&text);
    return info;
}
