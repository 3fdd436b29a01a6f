/* SPDX-License-Identifier: Apache-2.0
 *
 * Reading Matrix Market texts, in this order:
 *   mm_header.c      banner, comments, size line
 *   mm_body.c        cuts the rest into pieces at line ends, counts the entries of each
 *   mm_entry.c       one value; error texts
 *   mm_coordinate.c  all pieces at once, to a list of entries, to rows
 *   mm_array.c       all pieces at once, to a full matrix
 *
 * Invariant: a text ends in a line end, so a loop that stops at '\n' or at any byte that it does
 * not expect needs no other bound. Lines count from 1, entries from 0.
 */
#ifndef GB_IO_MM_H
#define GB_IO_MM_H

#include "io.h"

typedef enum { GB_MM_REAL, GB_MM_INTEGER, GB_MM_PATTERN } gb_MmField;
typedef enum { GB_MM_GENERAL, GB_MM_SYMMETRIC, GB_MM_SKEW } gb_MmSymmetry;

typedef struct {
    bool array;
    gb_MmField field;
    gb_MmSymmetry symmetry;
    gbl_Index nrows, ncols;
    uint64_t entries; /* that the body must have */
    const char *body; /* behind the size line */
    uint64_t line;    /* number of the first line of the body */
} gb_MmHeader;

gbl_Info gb_mm_read_header(gb_MmHeader *header, const gb_Text *text);

/* What is wrong with a line; code GBL_SUCCESS: nothing. */
typedef struct {
    gbl_Info code;
    uint64_t line;
    char what[120];
    char found[32]; /* the text there, unprintable bytes replaced */
} gb_MmProblem;

#if defined(__GNUC__)
__attribute__((format(printf, 4, 5)))
#endif
void gb_mm_note(gb_MmProblem *problem, gbl_Info code, const char *at, const char *format, ...);

/* Sets the error text and returns the code. */
gbl_Info gb_mm_fail(const gb_Text *text, const gb_MmProblem *problem);

/* Whole lines of the body. */
typedef struct {
    const char *begin, *end;
    uint64_t line, lines;
    uint64_t entry, entries; /* the first one, how many */
    gb_MmProblem problem;    /* the first one, set while the piece is read */
} gb_MmPiece;

typedef struct {
    const gb_Text *text;
    const gb_MmHeader *header;
    gb_MmPiece *piece;
    int64_t pieces;
    gb_Kind kind; /* what values are stored as */
} gb_MmBody;

/* Cuts and counts; an error when the number of entries is not the announced one. */
gbl_Info gb_mm_split(gb_MmBody *body);

/* The result of a parallel reading: the first problem, if any. */
gbl_Info gb_mm_check_pieces(const gb_MmBody *body);

/* Moves *p to the next entry before `end`, over blank lines and comments, counting *line. False at
 * the end. */
bool gb_mm_next_entry(const char **p, const char *end, uint64_t *line);

/* Reads a value at *p and stores it at x[k], and for its mirror image at x[k + 1], negated for a
 * skew-symmetric matrix. False, with the problem noted, when there is none. */
bool gb_mm_read_value(const gb_MmBody *body, const char **p, void *x, uint64_t k,
                      gb_MmProblem *problem);

/* Moves *p behind the line end; false, with the problem noted, when there is more on the line. */
bool gb_mm_finish_line(const char **p, gb_MmProblem *problem);

static inline const char *gb_mm_skip_blank(const char *p) {
    while (*p == ' ' || *p == '\t' || *p == '\r') p++;
    return p;
}

/* Slots of an entry in the list: two when its mirror image is stored too. */
static inline unsigned gb_mm_copies(const gb_MmHeader *header) {
    return header->symmetry == GB_MM_GENERAL ? 1 : 2;
}

/* Make A from the body, whose number of entries is checked and above 0. */
gbl_Info gb_mm_read_coordinate(gbl_Matrix *A, gb_MmBody *body);
gbl_Info gb_mm_read_array(gbl_Matrix *A, gb_MmBody *body);

#endif
