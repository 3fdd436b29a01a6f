/* SPDX-License-Identifier: Apache-2.0
 *
 * A text as slabs of whole lines, decompressed on the way when it starts with the mark of gzip.
 * Memory is that of one slab, however long the text is; a line that does not fit into one is
 * refused, unless `any_length`. And numbers as text.
 */
#pragma once

#include <string.h>

#include "files.h"

/* Bytes of the first portion of a text, and of a slab, which several threads share out: that of up
 * to GB_TEXT_FEW threads stays in the cache, that of more, or of long lines, is what no line may
 * exceed. */
#ifdef GB_TINY
enum { GB_TEXT_FIRST = 64, GB_TEXT_SMALL = 1024, GB_TEXT_SLAB = 4096 };
#else
enum { GB_TEXT_FIRST = 1 << 16, GB_TEXT_SMALL = 4 << 20, GB_TEXT_SLAB = 16 << 20 };
#endif
#define GB_TEXT_LISTED 0.7 /* of the time of a call, when all entries are listed */
enum { GB_TEXT_FEW = 8 };

typedef struct {
    gb_Input input;
    gb_Inflater *inflater; /* NULL: the text is not compressed */
    char *bytes;           /* [size + 1], the last of which is always '\n' */
    size_t size, used;     /* bytes[used .. size) have not been given out */
    size_t capacity;
    bool ended;      /* there is no more input */
    bool cr_ends;    /* lines end in CR alone; they are given out with '\n' */
    bool any_length; /* lines may be longer than a slab */
    uint64_t line;   /* number of the first line not given out; its reader counts */
} gb_Text;

/* Opens the file, or bytes[size] of that name unless NULL; then the first portion of the text is in
 * text->bytes. On failure nothing is kept. */
gbl_Info gb_text_open(gb_Text *text, const char *path, const char *bytes, size_t size);
void gb_text_close(gb_Text *text);

/* Starts again at the first portion; GBL_NO_VALUE, without an error text, for a pipe. */
gbl_Info gb_text_rewind(gb_Text *text);

/* Whole lines: the byte before `end` is '\n', which the file need not have behind its last line. */
typedef struct {
    const char *begin, *end;
} gb_Lines;

/* The next lines, valid until the next call; none at the end. */
gbl_Info gb_text_next(gb_Text *text, gb_Lines *lines);

static inline const char *gb_skip_blank(const char *p) {
    while (*p == ' ' || *p == '\t' || *p == '\r') p++;
    return p;
}

/* Reads the digits at *p, of which there must be 1 to 20; false where 64 bits do not hold them. */
static inline bool gb_read_whole(const char **p, uint64_t *value) {
    const char *const first = *p, *s = first;
    uint64_t sum = 0;
    unsigned digit;
    for (; (digit = (unsigned)*s - '0') < 10; s++) sum = sum * 10 + digit;
    *value = sum;
    *p = s;
    /* of 20 digits that begin with 1, those that do not fit come out below 10^19 */
    return (s > first && s - first <= 19) ||
           (s - first == 20 && *first == '1' && sum >= UINT64_C(10000000000000000000));
}

/* Behind the end of the line that p is in. */
static inline const char *gb_next_line(const char *p, const char *end) {
    return (const char *)memchr(p, '\n', (size_t)(end - p)) + 1;
}

/* What is wrong with a line; code GBL_SUCCESS: nothing. */
typedef struct {
    gbl_Info code;
    uint64_t line;
    const char *begin; /* of lines that the one of the problem is among */
    bool strict, weights;
    unsigned mended; /* of the lines so far: GB_MM_... */
    uint64_t column; /* from 1 */
    char what[120];
    char found[32]; /* the text there, unprintable bytes replaced */
} gb_Problem;

/* Returns false. */
__attribute__((format(printf, 4, 5))) bool gb_problem_note(gb_Problem *problem, gbl_Info code,
                                                           const char *at, const char *format, ...);

/* Sets the error text and returns the code. */
gbl_Info gb_problem_fail(const gb_Text *text, const gb_Problem *problem);

/* -- pieces: whole lines of a slab, for a thread */

#ifdef GB_TINY
enum { GB_TEXT_PIECE = 16 };
#else
enum { GB_TEXT_PIECE = 1 << 17 };
#endif
enum { GB_TEXT_PIECES = (int)GB_TEXT_SLAB / (int)GB_TEXT_PIECE + 1 }; /* of a slab at most */

typedef struct {
    gb_Lines lines;
    uint64_t line, nlines;   /* number of the first line; how many */
    uint64_t entry, entries; /* number of the first entry; how many */
    uint64_t comments;       /* bytes of comments and blank lines */
    unsigned seen;           /* of weights of edges: edges.c */
    uint64_t most;           /* the largest number of a vertex */
    uint64_t unknown;        /* names that are to be numbered */
    uint64_t row, rows;      /* of lines that are rows: slot of the first; how many */
    gb_Problem problem;      /* the first one, and what was mended */
} gb_Piece;

/* What comments begin with, behind blanks: one or the other. */
typedef struct {
    char a, b;
} gb_Marks;

/* Of a line, its first character behind blanks: it is blank, or a comment. */
static inline bool gb_is_comment(gb_Marks marks, char first) {
    return first == '\n' || first == marks.a || first == marks.b;
}

/* Cuts lines, at least one, into pieces, and counts their lines and entries; the first of these has
 * the number `entry`. Returns how many pieces there are. */
int64_t gb_text_split(const gb_Text *text, gb_Lines lines, gb_Marks marks, uint64_t entry,
                      gb_Piece *pieces);

/* -- numbers (number.c) ------------------------------------------------------------------------ */

/* Fast reading and printing of floating point numbers, both exact. Reading rounds correctly (to
 * nearest, ties to even). Printing gives the shortest of 15, 16 and 17 digits (FP32: 6 to 9) that
 * reads back as the same number; subnormal doubles always get 17. Whole numbers below 2^53 are
 * printed as such. Neither looks at the locale. */
/* Longest text that the print functions make, for any number. */
enum { GB_NUMBER_MAX = 32 };

/* Fills the tables; to be called before the other functions, by any thread, any number of times. */
gbl_Info gb_number_init(void);

/* Reads a number at *p: digits with an optional sign, point and exponent, or inf, infinity, nan in
 * any case. Moves *p behind it. The text must end in a byte that no number contains. */
bool gb_number_read(const char **p, double *value);

/* Reads a word that has an exponent of Fortran from `letter` on: 1.5D+3, 1.5+3, 1.5Q3. */
bool gb_number_read_fortran(const char *begin, const char *letter, const char *end, double *value);

/* Print without a terminating zero and return the length, at most GB_NUMBER_MAX. */
size_t gb_number_print_fp64(char *out, double value);
size_t gb_number_print_fp32(char *out, float value);
size_t gb_number_print_uint(char *out, uint64_t value);
size_t gb_number_print_int(char *out, int64_t value);
