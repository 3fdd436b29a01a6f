/* SPDX-License-Identifier: Apache-2.0
 *
 * Single elements: lookup, setElement, removeElement, and the list of updates that wait.
 *
 * Invariants:
 *   - An update is written in place where the form takes it in O(log nvals): values of entries that
 *     exist in sorted rows, and elements of dense forms. In blocking mode, entries also come and go
 *     in place. All others wait in A->pending, in the order of the calls.
 *   - Entries [0, n) of the list: keep[k] is 1 for setElement, whose value is x[k * size], and 0
 * for removeElement, whose x is unspecified. All arrays lie in one block, x first, and cap is a
 *     multiple of 8, so each is aligned. Huge objects have the upper halves of positions in arrays
 *     of their own. An object without updates has no list.
 *   - Few updates of large content are a delta beside it: the list gets an index, by which readers
 *     find the last update of a position, and `grown`. They read under the lock of the object
 *     (gb_delta_open), and so does whoever folds the updates into the content.
 *   - Duplicates share the arrays and the index of a list, each with an n of its own. The list that
 *     made them `owns` them: it alone appends, behind the n of all others, while these read. A list
 *     that does not own them copies them first.
 *   - After a failure content and updates are as they were.
 */
#pragma once

#include "matrix/object.h"

/* -- one element (element.c) ------------------------------------------------------------------- */

/* *x: the value at (row, col), which are in range, or NULL when there is no entry; valid until the
 * object is next written or read by others. Converts nothing: O(log) in sorted rows, O(entries of
 * the row) in unsorted ones, O(1) in dense vectors and among updates. */
gbl_Info gb_element_find(gb_Matrix *A, uint64_t row, uint64_t col, const void **x);
/* The same of a reader among others: *x, of that type, is the value if there is one. */
gbl_Info gb_element_extract(gb_Matrix *A, uint64_t row, uint64_t col, const gb_Type *type, void *x,
                            bool *exists);
/* A long list of a vector will be searched for the row: first, and again some searches later. */
void gb_element_prefetch(const gb_Matrix *v, uint64_t row, bool again);
/* Without its updates; NULL: no entry. */
const void *gb_element_assembled(const gb_Matrix *A, uint64_t row, uint64_t col);
/* The entry at (row, col), which is in range, becomes *x, or goes when x is NULL: now in blocking
 * mode, else perhaps when the content is next needed. */
gbl_Info gb_update(gb_Matrix *A, uint64_t row, uint64_t col, const void *x);
/* Its fast path: one sorted list of entries with values of their own, which has this one, or does
 * not have what is to go; or dense arrays. False: another case. */
bool gb_overwrite_at_hand(gb_Matrix *A, uint64_t row, uint64_t col, const void *x);

/* -- updates that wait (delta.c) --------------------------------------------------------------- */

/* Updates by position and by row: chains of their numbers + 1, the last one first; 0 ends one. */
typedef struct {
    uint64_t holders;                       /* atomic; lists that share this and the arrays */
    size_t bytes;                           /* of this block */
    int bits;                               /* of the number of a chain */
    gb_Idx *of_position, *next_of_position; /* heads are atomic */
    gb_Idx *of_row, *next_of_row;
} gb_EditIndex;

struct gb_Pending {
    uint64_t n, cap;                               /* entries */
    size_t bytes;                                  /* of the block */
    char *x;                                       /* [cap * size of the type] */
    gb_Idx *row;                                   /* [cap] */
    gb_Idx *col;                                   /* [cap] */
    gb_Idx *row_up;                                /* [cap], or NULL: they are 0 */
    gb_Idx *col_up;                                /* [cap], or NULL */
    int8_t *keep;                                  /* [cap] */
    uint64_t row_low, row_high, col_low, col_high; /* the least and the largest index, n > 0 */
    gb_EditIndex *index;                           /* NULL: none yet, and nobody shares the list */
    int64_t grown;  /* with an index: entries that the updates add, less those that they remove */
    uint64_t found; /* lookups by the index */
    bool owns;
};

/* For the writer of A; x NULL: the entry is removed. */
gbl_Info gb_pending_append(gb_Matrix *A, uint64_t row, uint64_t col, const void *x);
/* Capacity for n > 0 more, which must follow: appending them cannot fail. */
gbl_Info gb_pending_reserve(gb_Matrix *A, uint64_t n);
/* False: no update is in that row, or column. */
bool gb_pending_touches(const gb_Matrix *A, bool is_row, uint64_t line);
uint64_t gb_pending_count(const gb_Matrix *A);
void gb_pending_clear(gb_Matrix *A);
/* The number of the last update of the position, or GB_NOT_FOUND. The list has an index. */
uint64_t gb_pending_find(const gb_Pending *list, uint64_t row, uint64_t col);
/* Under the lock: whether the updates are few enough to be read beside the content, as lists, dense
 * or hypersparse; they get an index; the copy, of the same content, gets them too. */
bool gb_pending_is_delta(const gb_Matrix *A);
gbl_Info gb_pending_index(gb_Matrix *A);
gbl_Info gb_pending_share(gb_Matrix *copy, const gb_Matrix *A);
/* Under the lock: no list has to be sorted, indexed or folded before gb_delta_open returns. */
bool gb_delta_is_ready(const gb_Matrix *A);
static inline uint64_t gb_pending_row(const gb_Pending *list, uint64_t k) {
    return (list->row_up != NULL ? (uint64_t)list->row_up[k] << 32 : 0) | list->row[k];
}
static inline uint64_t gb_pending_col(const gb_Pending *list, uint64_t k) {
    return (list->col_up != NULL ? (uint64_t)list->col_up[k] << 32 : 0) | list->col[k];
}

/* *rows: the rows of A that a list names, those of the content with its updates, as a matrix of so
 * many rows. NULL where they are not few, or A has no updates that are read beside rows. */
gbl_Info gb_delta_rows(gb_Matrix **rows, gb_Matrix *A, const gb_RowList *of);

/* Under the lock: updates become content, which is held as lists of entries or as dense arrays. One
 * update is made in place where it can be; more are merged with sorted rows or
 * written to dense arrays (dense.c). */
gbl_Info gb_assemble_pending(gb_Matrix *A);
gbl_Info gb_merge_pending(gb_Matrix *A);
/* The same of a hypersparse object with updates. Their rows and columns join its row lists, which
 * keep the indices of entries that were removed until the object is written as a whole. */
gbl_Info gb_hyper_assemble(gb_Matrix *A);
