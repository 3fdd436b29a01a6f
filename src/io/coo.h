/* SPDX-License-Identifier: Apache-2.0
 *
 * Lists of entries (row, column, value) in any order, and their conversion to sorted rows.
 *
 * A list is used in this order: fill in what it is, reserve slots, fill slots [0, n), then convert
 * or free it.
 */
#pragma once

#include "gblite_io.h"
#include "io.h"

/* A row index that says "this slot holds no entry"; no matrix has such a row. */
#define GB_COO_NONE UINT32_MAX
#define GB_COO_WIDE_NONE UINT64_MAX /* the same of a wide list */

typedef struct {
    gbl_Index nrows, ncols;
    uint64_t n;                /* slots in use, with an entry or without */
    uint64_t capacity;         /* slots allocated */
    uint32_t *i, *j;           /* [capacity]; NULL when `full` or `wide` */
    gbl_Index *wi, *wj;        /* [capacity] when `wide`, else NULL */
    void *x;                   /* [capacity] values of `size` bytes; NULL when size is 0 */
    size_t size;               /* 0, 1, 2, 4, 8 or 16 */
    bool full;                 /* values only: the order of the list says where they belong */
    gbl_Type_Code code;        /* of the values, for duplicates that are merged */
    gbl_Duplicates duplicates; /* of the conversion */
    double listed;             /* parts of the time of the call: until the list is there, */
    double rest;               /* and when its rows are sorted */
    uint64_t merged;           /* entries that it merged with others */
    bool wide;      /* dimensions beyond 32 bits; the list is not converted, but built from */
    const char *to; /* NULL, or the .gbl file to be: all arrays are blocks of gb_io_map */
    uint64_t *p;    /* NULL, or [nrows + 1]: with `by_rows` where rows begin */
    bool by_rows;   /* entries are by rows: i has columns, and there is no j */
} gb_Coo;

/* Makes the capacity at least n, or more for the calls to come, but not above `most` >= n. `what`
 * names the list in error texts. The memory of the conversion is claimed too, so that a limit shows
 * early. On failure the list is freed. */
gbl_Info gb_coo_reserve(gb_Coo *coo, uint64_t n, uint64_t most, const char *what);
void gb_coo_free(gb_Coo *coo);
/* Slots [from, to) are done with for now. */
void gb_coo_leave(const gb_Coo *coo, uint64_t from, uint64_t to);
/* Arrays as the list has them: makes one, if info says that all is well so far; is done with a part
 * of it; frees it. */
gbl_Info gb_coo_block(gbl_Info info, void *array, const gb_Coo *coo, uint64_t count, size_t size);
void gb_coo_leave_some(const gb_Coo *coo, void *array, uint64_t from, uint64_t to, size_t size);
void gb_coo_release(const gb_Coo *coo, void *array);

/* Exchanges rows and columns: the conversion then gives columns. No slot may be without entry. */
void gb_coo_transpose(gb_Coo *coo);

typedef struct {
    gbl_Index i, j;
} gb_Place;

/* Rows with ascending columns, in out->p, out->i and out->x; coo is used up, also on failure. Of
 * entries with the same place `duplicates` keeps the sum, in the order of the list, the largest,
 * the smallest or the first (without values: one). With GBL_DUPLICATES_ERROR the conversion sets
 * *repeated to the first such place, with GBL_DUPLICATES_SUM to the first of which an integer type
 * does not hold the sum, returns GBL_NO_VALUE and leaves the error text to the caller.
 * The result does not depend on the number of threads. */
gbl_Info gb_coo_to_rows(gb_Coo *coo, gbl_Duplicates duplicates, gbl_Arrays *out,
                        gb_Place *repeated);

/* What is wrong with the sum of what `given` names, in the text of that name. */
gbl_Info gb_coo_fail_sum(const char *name, const char *given);

/* Makes A of what gb_coo_to_rows made, by rows or by columns; of values that are not there, 1 for
 * all. Or writes the file, and A stays as it is. Frees the arrays. */
gbl_Info gb_coo_deliver(gbl_Matrix *A, const gb_Coo *coo, const gb_Kind *kind, gbl_Format format,
                        gbl_Arrays *arrays);
