/* SPDX-License-Identifier: Apache-2.0
 *
 * Reading lists of edges, in this order:
 *   edges_form.c   guesses from the first lines how the others are to be read; splits lines
 *   edges.c        reads all lines, by pieces of slabs, to a list of edges, and that to a matrix
 *   labels.c       numbers the vertices
 *
 * Invariants are those of mm.h: lines end in '\n', lines count from 1, memory grows with what has
 * been read.
 */
#pragma once

#include "coo.h"
#include "text.h"

enum { GB_EDGE_COLUMNS = 64, GB_NAMES_AT_ONCE = 64 }; /* of a line at most; looked up together */

/* How lines are to be read. */
typedef struct {
    char separator;       /* ' ': runs of blanks and tabs */
    int from, to, weight; /* columns from 0; weight -1: none */
    int columns;          /* the first so many are all that is looked at */
    bool names;           /* vertices are not numbers */
    bool head;            /* the first line names columns */
    int sizes;            /* it may give so many sizes, 2 or 3, instead of an edge; else 0 */
    uint64_t size[3];     /* vertices, or rows and columns; edges */
    gb_Marks marks;       /* of comments */
} gb_EdgeForm;

/* Some bytes of a line, without blanks around them and quotes. */
typedef struct {
    const char *begin, *end;
} gb_Word;

/* Fills form from what the caller wants and the first lines. */
gbl_Info gb_edges_guess(gb_EdgeForm *form, gbl_EdgeText *how, gb_Lines lines);

/* Splits the line at p, which ends in '\n', into at most `most` words; returns how many. */
int gb_edges_split(gb_Word *words, int most, const char *p, char separator);

/* Whether all of the word is a number. */
bool gb_edges_number(gb_Word word, double *value);
/* Whether all of the word is a whole number of 64 bits. */
static inline bool gb_edges_whole(gb_Word word, uint64_t *value) {
    const char *p = word.begin;
    return gb_read_whole(&p, value) && p == word.end;
}

/* -- labels.c */

typedef struct {
    uint32_t name, tag; /* 1 + vertex, 0 where the slot is free; the hash */
} gb_NameSlot;

/* Numbers names in the order of their first appearance. `table` is open hashing, of which three
 * quarters are taken at most. */
typedef struct {
    gbl_Labels *labels;
    gb_NameSlot *table;
    uint64_t slots, text_size, text_room, starts_room;
} gb_Names;

/* A name that has no number yet, and where that is to be stored. */
typedef struct {
    gb_Word word;
    uint32_t *vertex, tag;
} gb_NewName;

/* Numbers the names in their order, which may occur repeatedly; to be called first with n = 0. */
gbl_Info gb_names_add(gb_Names *names, const gb_NewName *new, uint64_t n);

/* Stores the numbers of n names, alternately to ends[0] and ends[1]; returns how many have none,
 * which are in unknown. Any number of threads may call it at once. */
int gb_names_find(const gb_Names *names, const gb_Word *words, int n, uint32_t *const ends[2],
                  gb_NewName *unknown);

/* Replaces the numbers of rows and columns, at most `most`, by their ranks among all that occur, *n
 * of them, which become labels. The list is not wide then. */
gbl_Info gb_labels_rank(gbl_Labels *labels, gb_Coo *list, uint64_t most, gbl_Index *n);
