/* SPDX-License-Identifier: Apache-2.0
 *
 * A file that is written slice by slice, NAME.partial, and what of it is whole, NAME.journal.
 *
 * A streamed block (docs/serial_format.md) has three sections that grow. After each slice the
 * journal gets a record of their lengths and sums. Whoever resumes reads the sections again and
 * compares, so a record counts only where all that it tells of is in the file, also after the
 * machine lost power. One call at a time has the files: it locks the journal.
 *
 * Whole blocks are written past the page cache, which would hold what nobody reads soon and costs
 * more than the disk; the ends of an append, and all where the file system cannot, go through it.
 */
#pragma once

#include "files.h"

typedef struct {
    uint64_t at, bytes; /* offset of the section, and its length */
    uint64_t sums[4];
    uint64_t word; /* the first bytes % 8 bytes of a word */
} gb_Section;

/* What the slices so far made: a record, without padding. */
typedef struct {
    uint64_t rows, nvals, slices;
    uint64_t iso;            /* all values so far are `value`, and none is written */
    unsigned char value[16]; /* aligned as bytes: only copied */
    gb_Section p, i, x;
    uint64_t sum; /* of the key and of all before */
} gb_Slices;

typedef struct {
    gb_Output output, journal;
    uint64_t key;   /* of the content: another one is another file's */
    uint64_t block; /* of the file system */
    int direct;     /* the file once more, past the page cache; -1: none */
    void *portion;  /* aligned, to write from */
    bool stopped;   /* atomic: what is being written past the page cache need not be whole */
    gb_Slices now;
} gb_Partial;

uint64_t gb_mix(uint64_t sum, uint64_t word);
uint64_t gb_padded(uint64_t bytes); /* to a multiple of 8 */
gb_Section gb_section_at(uint64_t at);
void gb_section_add(gb_Section *s, const void *bytes, size_t size);
uint64_t gb_section_end(gb_Section *s); /* padded; the sum of all */

/* The header of a block, but for its checksum, which comes last; sizes: rows, columns, entries,
 * rows stored, bytes. */
enum { GB_HEADER_BYTES = 88, GB_ISO = 1, GB_BY_COLUMNS = 2, GB_LISTED = 4, GB_STREAMED = 8 };
void gb_header_put(unsigned char *bytes, const gb_Kind *kind, uint32_t flags,
                   const uint64_t sizes[5]);

/* Empty, but to resume where there is such a file. */
gbl_Info gb_partial_open(gb_Partial *f, const char *path, bool resume);
/* f->now, which is empty, becomes what is whole; GBL_INVALID_VALUE: slices of something else. */
gbl_Info gb_partial_resume(gb_Partial *f);
gbl_Info gb_partial_append(gb_Partial *f, gb_Section *s, const void *bytes, size_t size);
gbl_Info gb_partial_record(gb_Partial *f); /* one more slice is whole */
/* Takes out of the file what is free before the values, where the file system can. */
void gb_partial_collapse(gb_Partial *f);
/* A success gives the file its name; a failure leaves it where a slice is whole. */
gbl_Info gb_partial_close(gb_Partial *f, gbl_Info info);
