/* SPDX-License-Identifier: Apache-2.0
 *
 * The body of a Matrix Market text in pieces of about PIECE bytes, cut at line ends. Counting first
 * gives every piece the number of its first entry and line; then all can be read at once, straight
 * to their places, and errors know their lines. Nothing in proportion to the announced sizes is
 * allocated before the counts agree.
 */
#include "mm.h"

#include <stdlib.h>
#include <string.h>

#ifdef GB_TINY
enum { PIECE = 16 };
#else
enum { PIECE = 1 << 18 };
#endif

/* The first line that starts at or behind `at`. */
static const char *line_border(const char *begin, const char *end, uint64_t at) {
    if (at == 0) return begin;
    if (at >= (uint64_t)(end - begin)) return end;
    const char *const before = begin + at - 1;
    return (const char *)memchr(before, '\n', (size_t)(end - before)) + 1;
}

static void count_piece(gb_MmPiece *piece) {
    const char *p = piece->begin;
    while (gb_mm_next_entry(&p, piece->end, &piece->lines)) {
        p = (const char *)memchr(p, '\n', (size_t)(piece->end - p)) + 1;
        piece->lines++;
        piece->entries++;
    }
}

/* The line of an entry of the body. */
static uint64_t find_line(const gb_MmBody *body, uint64_t entry) {
    const gb_MmPiece *piece = body->piece;
    while (piece->entry + piece->entries <= entry) piece++;
    const char *p = piece->begin;
    uint64_t line = piece->line;
    for (uint64_t k = piece->entry; gb_mm_next_entry(&p, piece->end, &line) && k < entry; k++) {
        p = (const char *)memchr(p, '\n', (size_t)(piece->end - p)) + 1;
        line++;
    }
    return line;
}

static gbl_Info check_count(const gb_MmBody *body) {
    const gb_MmPiece *const last = body->piece + body->pieces - 1;
    const uint64_t found = last->entry + last->entries, announced = body->header->entries;
    const char *const name = body->text->name;
    if (found > announced) {
        return gbl_fail(GBL_INVALID_VALUE, NULL,
                        "%s: line %llu: one entry too many: the size line announces %llu, the file "
                        "has %llu",
                        name, (unsigned long long)find_line(body, announced),
                        (unsigned long long)announced, (unsigned long long)found);
    }
    if (found < announced) {
        return gbl_fail(GBL_INVALID_VALUE, NULL,
                        "%s: the size line announces %llu entries, the file has only %llu", name,
                        (unsigned long long)announced, (unsigned long long)found);
    }
    return GBL_SUCCESS;
}

gbl_Info gb_mm_split(gb_MmBody *body) {
    const char *const begin = body->header->body;
    const char *const end = body->text->bytes + body->text->size;
    body->pieces = (end - begin) / PIECE + 1;
    body->piece = calloc((size_t)body->pieces, sizeof *body->piece);
    if (!body->piece) return gb_io_no_memory("the pieces of the file");
#pragma omp parallel for schedule(dynamic, 1) num_threads(gb_io_threads())
    for (int64_t k = 0; k < body->pieces; k++) {
        gb_MmPiece *const piece = &body->piece[k];
        piece->begin = line_border(begin, end, (uint64_t)k * PIECE);
        piece->end = line_border(begin, end, (uint64_t)(k + 1) * PIECE);
        count_piece(piece);
    }
    uint64_t line = body->header->line, entry = 0;
    for (int64_t k = 0; k < body->pieces; k++) {
        body->piece[k].line = line;
        body->piece[k].entry = entry;
        line += body->piece[k].lines;
        entry += body->piece[k].entries;
    }
    return check_count(body);
}

gbl_Info gb_mm_check_pieces(const gb_MmBody *body) {
    for (int64_t k = 0; k < body->pieces; k++) {
        const gb_MmProblem *const problem = &body->piece[k].problem;
        if (problem->code != GBL_SUCCESS) return gb_mm_fail(body->text, problem);
    }
    return GBL_SUCCESS;
}
