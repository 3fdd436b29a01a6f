/* SPDX-License-Identifier: Apache-2.0
 *
 * Reading Matrix Market texts, in this order:
 *   mm_header.c  banner, comments, size line
 *   mm_line.c    one line of the body, and error texts
 *   mm_read.c    slab by slab: cuts it into pieces at line ends, counts the entries of each, then
 *                reads all pieces at once to a list of entries, and that to a full matrix; and the
 *                public functions
 *   mm_coordinate.c  the list to rows or columns
 *
 * Invariants: lines end in '\\n', so a loop that stops at '\\n' or at any byte that it does not
 * expect needs no other bound. Lines count from 1, entries from 0. Memory grows with what has been
 * read, never with what the size line announces; pointers, which the dimensions ask for, are made
 * when all entries are there.
 */
#pragma once

#include "coo.h"
#include "text.h"

typedef enum { GB_MM_REAL, GB_MM_INTEGER, GB_MM_UNSIGNED, GB_MM_PATTERN, GB_MM_COMPLEX } gb_MmField;
typedef enum { GB_MM_GENERAL, GB_MM_SYMMETRIC, GB_MM_SKEW, GB_MM_HERMITIAN } gb_MmSymmetry;

typedef struct {
    bool array;
    gb_MmField field;
    gb_MmSymmetry symmetry;
    gbl_Type type; /* that a line "%%GraphBLAS type NAME" names, or NULL */
    gbl_Index nrows, ncols;
    uint64_t entries; /* that the body must have */
    bool sizeless;    /* there is no size line: dimensions follow from the entries */
    bool from_0;      /* indices in the text count from 0 */
} gb_MmHeader;

/* What was mended of a text that is not quite Matrix Market. */
enum {
    GB_MM_BEFORE_BANNER = 1,
    GB_MM_BANNER = 2,
    GB_MM_BEHIND = 4,
    GB_MM_EXPONENT = 8,
    GB_MM_CR = 16,
    GB_MM_NO_SIZE = 32,
    GB_MM_ARRAY_SIZE = 64,
    GB_MM_NO_BANNER = 128,
    GB_MM_VALUES = 256,
    GB_MM_FROM_0 = 512
};

/* Bytes of comments and blank lines of one text, together: no file needs so many, and a text that
 * never ends is found out. */
#define GB_MM_COMMENTS_MAX (UINT64_C(64) << 20)

/* Rows and columns, and how many of them per entry, from which a matrix is built of tuples: a sort
 * of these, about 20 ns each, takes less time than to clear pointers to so many. */
#define GB_MM_LEAST ((gbl_Index)1 << 26)
#define GB_MM_POINTERS 64

typedef struct {
    gb_Text *text;
    gb_MmHeader header;
    gb_Kind kind;       /* what values are stored as */
    uint64_t comments;  /* bytes of comments and blank lines read so far */
    uint64_t entries;   /* read so far */
    gb_Piece *pieces;   /* of a slab */
    gbl_Arrays *arrays; /* of the result, where it is full */
    gb_Coo list;        /* the entries: each takes gb_mm_copies slots */
    const char *to; /* a file that the matrix goes to, if its list can; NULL: it stays in memory */
    bool strict, weights;
    bool named; /* the type of the values is what a comment names */
    gbl_Duplicates duplicates;
    unsigned mended; /* GB_MM_... */
    uint64_t merged; /* entries that were given before */
} gb_MmBody;

/* Reads up to the size line, into body->header and body->comments. What is behind it in the same
 * slab goes to *lines. */
gbl_Info gb_mm_read_header(gb_MmBody *body, gb_Lines *lines);

/* Counts bytes of comments and blank lines before text->line; an error when they are too many. */
gbl_Info gb_mm_count_comments(gb_MmBody *body, uint64_t bytes);

/* -- lines: mm_line.c */

static inline size_t gb_mm_word_length(const char *p) {
    size_t n = 0;
    while (p[n] != ' ' && p[n] != '\t' && p[n] != '\r' && p[n] != '\n') n++;
    return n;
}

/* Moves *p to the next entry before `end`, over blank lines and comments, counting *line. False at
 * the end. */
bool gb_mm_next_entry(const char **p, const char *end, uint64_t *line);

/* Reads the two indices at *p, from 1 in the text. False, with the problem noted, when they are not
 * in the matrix. */
bool gb_mm_read_indices(const gb_MmHeader *header, const char **p, gb_Place *at,
                        gb_Problem *problem);

/* Reads the entry at *p to slot k of the list, and its mirror image, for a skew-symmetric matrix
 * negated, for a hermitian one conjugated, to slot k + 1. False, with the problem noted, when the
 * line is wrong. */
bool gb_mm_read_line(const gb_MmBody *body, const char **p, uint64_t k, gb_Problem *problem);

/* Moves *p behind the line end; false, with the problem noted, when there is more on the line. */
bool gb_mm_finish_line(const char **p, gb_Problem *problem);

/* -- mm_coordinate.c */

/* A of the list, or the file, and A stays NULL; the list is used up, also on failure. */
gbl_Info gb_mm_make_coordinate(gbl_Matrix *A, gb_MmBody *body);

#define GB_MM_MARKS ((gb_Marks){'%', '%'})

/* Whether the matrix may be hypersparse: then entries are given to gbl_Matrix_build, since arrays
 * of pointers to its rows and columns would be far larger than they are. */
static inline bool gb_mm_is_wide(const gb_MmHeader *header) {
    const gbl_Index least = header->nrows < header->ncols ? header->nrows : header->ncols;
    const gbl_Index most = header->nrows < header->ncols ? header->ncols : header->nrows;
    return most > GB_IO_DIMENSION_MAX ||
           (least > GB_MM_LEAST && least / GB_MM_POINTERS > header->entries);
}

/* Slots of an entry in the list: two when its mirror image is stored too. */
static inline unsigned gb_mm_copies(const gb_MmHeader *header) {
    return header->symmetry == GB_MM_GENERAL ? 1 : 2;
}
