/* SPDX-License-Identifier: Apache-2.0
 *
 * Content of objects whose dimensions are beyond 32 bits, or far beyond their entries: a compact
 * matrix and, for each of its rows and columns, the index that it stands for (row_list.h). No
 * kernel sees any of it: operations renumber their operands to common row lists, work on compact
 * matrices, and give the result its row lists (ops/hyper.c).
 *
 * Invariants (test/matrix/check.c verifies them): an object of huge dimensions has no
 * representation of its own; its nvals and iso are those of the compact matrix; row lists are as
 * long as the compact matrix has rows and columns, and their indices are below the dimensions; the
 * compact matrix has entries, unless updates wait; updates wait in the object, never in the compact
 * matrix. A vector has no row list of columns. Row lists may have indices without entries;
 * writers drop them once they outnumber the entries by GB_ROW_LIST_SLACK.
 */
#pragma once

#include "matrix/object.h"

/* -- compact forms (compact.c) */

/* The row lists of a compact form; cols is NULL for vectors. Where a row list is NULL, each index
 * of the dimension is a row (or column) of the compact form: the form of ordinary objects. */
typedef struct {
    gb_RowList *rows, *cols;
} gb_RowLists;
void gb_row_lists_release(gb_RowLists *row_lists);

/* Entries as they are held: sorted rows (or columns) that stand for indices in row lists, which the
 * list does not own. */
typedef struct {
    gb_CsView view;
    gb_Format format;
    gb_RowLists row_lists;
} gb_List;

/* A in a compact form. It may be A's own compact matrix, or share arrays with A, which must stay as
 * it is; where it was made with `own` it is nobody else's. */
typedef struct {
    gb_Matrix *m;
    const gb_Matrix *lent; /* whose own compact matrix m is; NULL: it is to be freed */
    const void *p, *i, *x; /* what belongs to others */
} gb_Compact;
void gb_compact_release(gb_Compact *compact);
/* What belongs to others is taken out, before the rest is freed. */
void gb_compact_forget(gb_Cs *cs, const gb_Compact *compact);
/* An empty one for an object like A of that type. */
gbl_Info gb_compact_new(gb_Matrix **core, const gb_Matrix *A, gb_Type *type,
                        const gb_RowLists *row_lists);

/* The row lists that A has, or, for an ordinary object, those of its rows and columns with entries;
 * to be released. A is assembled. */
gbl_Info gb_row_lists_of(gb_RowLists *row_lists, gb_Matrix *A);

/* A in a compact form on row lists that have all indices with entries. A is assembled. */
gbl_Info gb_compact_get(gb_Compact *compact, gb_Matrix *A, const gb_RowLists *row_lists, bool own);

/* *cs = all of A, with all pointers, in that format. */
gbl_Info gb_compact_expand(gb_Cs *cs, gb_Format *format, gb_Matrix *A);
/* An object like A with that content instead, for the two above. */
static inline gb_Matrix gb_like_hyper(const gb_Matrix *A, gb_Hyper *content) {
    return (gb_Matrix){.magic = A->magic,
                       .type = A->type,
                       .nrows = A->nrows,
                       .ncols = A->ncols,
                       .nvals = content->core->nvals,
                       .hyper = content};
}

/* The rows and columns of row lists alone, in time O(their entries): A's other entries are left out
 * (gather.c). Of an ordinary object by rows where rows are listed, by columns where only these are.
 * It is nobody else's. Updates that wait are read beside the rows where these are listed. */
gbl_Info gb_compact_gather(gb_Compact *compact, gb_Matrix *A, const gb_RowLists *row_lists);

/* The same of an object of which rows (or columns) alone are listed: its entries list the others,
 * which become *list; they are numbers of indices on the list `within`, unless that is NULL. The
 * form is by what was listed. */
gbl_Info gb_compact_list_minors(gb_Compact *compact, gb_RowList **list, const gb_RowList *within);

/* -- writers */

/* The row lists and the compact matrix as a content, for gb_matrix_swap_hyper; both are consumed
 * whether or not there is memory for it. */
gbl_Info gb_hyper_new(gb_Hyper **hyper, gb_RowLists *row_lists, gb_Matrix *core);

/* Whether A with so many entries is held hypersparse: it has to be, or pointers to its rows would
 * far outnumber them, or those to its columns would take too much memory. */
bool gb_suits_hyper(const gb_Matrix *A, uint64_t nvals);

/* The compact matrix becomes A's content, as an ordinary object's where A is better held as one. It
 * and the row lists are consumed whether or not the call succeeds; after a failure A is as it
 * was. */
gbl_Info gb_hyper_set(gb_Matrix *A, gb_RowLists *row_lists, gb_Matrix *core);
/* The same where they could be made, of which `info` tells. */
gbl_Info gb_hyper_set_if(gbl_Info info, gb_Matrix *A, gb_RowLists *row_lists, gb_Matrix *core);
/* After A's own compact matrix has been written. */
void gb_hyper_written(gb_Matrix *A);
