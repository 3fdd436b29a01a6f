/* SPDX-License-Identifier: Apache-2.0
 *
 * Compact forms: matrices whose rows and columns are those of axes (axis.h), made from lists of
 * entries by renumbering.
 */
#ifndef GB_MATRIX_RENAME_H
#define GB_MATRIX_RENAME_H

#include "matrix/object.h"

/* The axes of a compact form; cols is NULL for vectors. Where an axis is NULL, each index of the
 * dimension is a row (or column) of the compact form: the form of ordinary objects. */
typedef struct {
    gb_RowList *rows, *cols;
} gb_RowLists;
void gb_row_lists_release(gb_RowLists *axes);

/* Entries as they are held: sorted rows (or columns) that stand for indices on axes, which the list
 * does not own. */
typedef struct {
    gb_CsView view;
    gb_Format format;
    gb_RowLists axes;
} gb_List;

/* The rows and columns with entries, as numbers of the list; to be released. */
gbl_Info gb_row_lists_of_list(gb_RowLists *axes, const gb_List *list, bool vector);

/* A in a compact form. It may be A's own compact matrix, or share arrays with A, which must stay as
 * it is; where it was made with `own` it is nobody else's. */
typedef struct {
    gb_Matrix *m;
    const gb_Matrix *lent; /* whose own compact matrix m is; NULL: it is to be freed */
    const void *p, *i, *x; /* what belongs to others */
} gb_Compact;
void gb_compact_release(gb_Compact *compact);
/* An empty one for an object like A of that type. */
gbl_Info gb_compact_new(gb_Matrix **core, const gb_Matrix *A, gb_Type *type,
                        const gb_RowLists *axes);
/* compact->m, which is new and has the axes, gets the entries of the list. The axes have all
 * indices with entries. */
gbl_Info gb_compact_of_list(gb_Compact *compact, const gb_List *list, const gb_RowLists *axes,
                            bool own);

#endif
