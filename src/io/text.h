/* SPDX-License-Identifier: Apache-2.0
 *
 * A text as slabs of whole lines, decompressed on the way when it starts with the mark of gzip.
 * Memory is that of one slab, however long the text is; a line that does not fit into one is
 * refused.
 */
#ifndef GB_IO_TEXT_H
#define GB_IO_TEXT_H

#include "input.h"

/* Bytes of the first portion of a text, and of a slab: what several threads share out, and what no
 * line may exceed. */
#ifdef GB_TINY
enum { GB_TEXT_FIRST = 64, GB_TEXT_SLAB = 4096 };
#else
enum { GB_TEXT_FIRST = 1 << 16, GB_TEXT_SLAB = 16 << 20 };
#endif

typedef struct {
    gb_Input input;
    gb_Inflater *inflater; /* NULL: the text is not compressed */
    char *bytes;           /* [size + 1], the last of which is always '\n' */
    size_t size, used;     /* bytes[used .. size) have not been given out */
    size_t capacity;
    bool ended;    /* there is no more input */
    bool cr_ends;  /* lines end in CR alone; they are given out with '\n' */
    uint64_t line; /* number of the first line not given out; its reader counts */
} gb_Text;

/* After these the first portion of the text is in bytes[size]. On failure nothing is kept. */
gbl_Info gb_text_open(gb_Text *text, const char *path);
gbl_Info gb_text_open_memory(gb_Text *text, const char *bytes, size_t size, const char *name);
void gb_text_close(gb_Text *text);

/* Starts again at the first portion; GBL_NO_VALUE, without an error text, for a pipe, which cannot.
 */
gbl_Info gb_text_rewind(gb_Text *text);

/* The part of the text that has been read, above 0; 1 also where that is not known, of pipes and
 * compressed files. */
double gb_text_part(const gb_Text *text);

/* Whole lines: the byte before `end` is '\n', which the file need not have behind its last line. */
typedef struct {
    const char *begin, *end;
} gb_Lines;

/* The next lines, valid until the next call; none at the end. */
gbl_Info gb_text_next(gb_Text *text, gb_Lines *lines);

#endif
