/* SPDX-License-Identifier: Apache-2.0
 *
 * The body of a Matrix Market text, slab by slab, each in pieces of about PIECE bytes, cut at line
 * ends. Counting first gives every piece the number of its first entry and line; then all pieces
 * are read at once, straight to their slots in the list, and errors know their lines.
 */
#include "mm.h"

#include <string.h>

#ifdef GB_TINY
enum { PIECE = 16 };
#else
enum { PIECE = 1 << 17 };
#endif
enum { PIECES_MAX = (int)GB_TEXT_SLAB / (int)PIECE + 1 };

/* Whole lines of a slab. */
typedef struct {
    gb_Lines lines;
    uint64_t line, nlines;   /* number of the first line; how many */
    uint64_t entry, entries; /* number of the first entry; how many */
    uint64_t comments;       /* bytes of comments and blank lines */
    gb_MmProblem problem;    /* the first one, set while the piece is read */
} Piece;

/* The first line that starts at or behind `at`. */
static const char *line_border(gb_Lines lines, uint64_t at) {
    if (at == 0) return lines.begin;
    if (at >= (uint64_t)(lines.end - lines.begin)) return lines.end;
    const char *const before = lines.begin + at - 1;
    return (const char *)memchr(before, '\n', (size_t)(lines.end - before)) + 1;
}

/* What all pieces share. */
typedef struct {
    const gb_MmBody *body;
    gb_Lines lines;
    Piece *pieces;
} Slab;

static void count_piece(void *context, gbl_Index k) {
    const Slab *const slab = context;
    Piece *const piece = &slab->pieces[k];
    const uint64_t at = k * PIECE;
    *piece = (Piece){.lines = {line_border(slab->lines, at), line_border(slab->lines, at + PIECE)}};
    const char *p = piece->lines.begin;
    while (p < piece->lines.end) {
        const char *const first = gb_mm_skip_blank(p);
        const char *const next =
            (const char *)memchr(first, '\n', (size_t)(piece->lines.end - first)) + 1;
        if (gb_mm_is_comment(*first)) {
            piece->comments += (uint64_t)(next - p);
        } else {
            piece->entries++;
        }
        piece->nlines++;
        p = next;
    }
}

static void read_piece(void *context, gbl_Index k) {
    const gb_MmBody *const body = ((Slab *)context)->body;
    Piece *const piece = &((Slab *)context)->pieces[k];
    const unsigned copies = gb_mm_copies(&body->header);
    const char *p = piece->lines.begin;
    uint64_t entry = piece->entry;
    gb_MmProblem problem = {.line = piece->line};
    for (; gb_mm_next_entry(&p, piece->lines.end, &problem.line); entry++, problem.line++) {
        if (entry >= body->header.entries) {
            gb_mm_note(&problem, GBL_INVALID_VALUE, p,
                       "one entry too many: the size line announces %llu",
                       (unsigned long long)body->header.entries);
            piece->problem = problem;
            return;
        }
        if (!gb_mm_read_line(body, &p, entry * copies, &problem)) {
            piece->problem = problem;
            return;
        }
    }
}

/* Cuts the lines and counts; returns the number of pieces. */
static int64_t split(Slab *slab) {
    const gb_MmBody *const body = slab->body;
    Piece *const pieces = slab->pieces;
    const int64_t n = (slab->lines.end - slab->lines.begin - 1) / PIECE + 1;
    gbl_parallel((gbl_Index)n, count_piece, slab);
    uint64_t line = body->text->line, entry = body->entries;
    for (int64_t k = 0; k < n; k++) {
        pieces[k].line = line;
        pieces[k].entry = entry;
        line += pieces[k].nlines;
        entry += pieces[k].entries;
    }
    return n;
}

/* Whether the announced number may well be right, as far as the text has been read: it is at most
 * 1.5 times what there would be if the rest were as dense. */
static bool is_plausible(const gb_MmBody *body, uint64_t found) {
    const double expected = (double)found / gb_text_part(body->text);
    return (double)body->header.entries <= 1.5 * expected;
}

/* Makes the list long enough for the pieces, but never longer than announced. */
static gbl_Info reserve(gb_MmBody *body, const Piece *last) {
    const uint64_t copies = gb_mm_copies(&body->header), announced = body->header.entries;
    const uint64_t found = last->entry + last->entries;
    body->entries = found < announced ? found : announced;
    uint64_t wanted = body->entries * copies, most;
    if (__builtin_mul_overflow(announced, copies, &most)) most = UINT64_MAX;
    if (is_plausible(body, found)) wanted = most;
    return gb_coo_reserve(&body->list, wanted, most, "the entries");
}

static gbl_Info read_slab(gb_MmBody *body, gb_Lines lines, Piece *pieces) {
    Slab slab = {body, lines, pieces};
    const int64_t n = split(&slab);
    const gbl_Info info = reserve(body, &pieces[n - 1]);
    if (info != GBL_SUCCESS) return info;
    gbl_parallel((gbl_Index)n, read_piece, &slab);
    for (int64_t k = 0; k < n; k++) {
        if (pieces[k].problem.code != GBL_SUCCESS)
            return gb_mm_fail(body->text, &pieces[k].problem);
    }
    body->text->line = pieces[n - 1].line + pieces[n - 1].nlines;
    uint64_t comments = 0;
    for (int64_t k = 0; k < n; k++) comments += pieces[k].comments;
    return gb_mm_count_comments(body, comments);
}

/* Reads the lines and all that follow. */
static gbl_Info read_slabs(gb_MmBody *body, gb_Lines lines, Piece *pieces) {
    for (;;) {
        gbl_Info info = GBL_SUCCESS;
        if (lines.begin < lines.end) info = read_slab(body, lines, pieces);
        if (info == GBL_SUCCESS) info = gb_text_next(body->text, &lines);
        if (info != GBL_SUCCESS || lines.begin == lines.end) return info;
    }
}

gbl_Info gb_mm_read_body(gb_MmBody *body, gb_Lines lines) {
    const gb_MmHeader *const header = &body->header;
    Piece *const pieces = gb_io_alloc(PIECES_MAX, sizeof *pieces);
    if (!pieces) return gb_io_no_memory("the pieces of the file");
    body->list = (gb_Coo){.nrows = header->nrows,
                          .ncols = header->ncols,
                          .size = header->field == GB_MM_PATTERN ? 0 : body->kind.size,
                          .full = header->array,
                          .wide = !header->array && gb_mm_is_wide(header)};
    gbl_Info info = read_slabs(body, lines, pieces);
    gb_io_free(pieces);
    body->list.n = body->entries * gb_mm_copies(header);
    if (info == GBL_SUCCESS && body->entries < header->entries) {
        info = gbl_fail(GBL_INVALID_VALUE, NULL,
                        "%s: the size line announces %llu entries, the file has only %llu",
                        body->text->input.name, (unsigned long long)header->entries,
                        (unsigned long long)body->entries);
    }
    if (info != GBL_SUCCESS) gb_coo_free(&body->list);
    return info;
}
