/* SPDX-License-Identifier: Apache-2.0
 *
 * Content from and to arrays of the caller: tuples, compressed rows or columns by copy, and the
 * arrays themselves.
 *
 * Handles and NULL pointers were checked by the caller; what arrays say is checked here. After a
 * failure the object is as it was, or there is none. Rows that go out are sorted.
 */
#pragma once

#include "matrix/object.h"

/* -- build (build.c) --------------------------------------------------------------------------- */

/* Rows and columns were checked. major NULL: every major index is 0. Indices of 32 bits, if there
 * are any, are read instead. */
typedef struct {
    const gbl_Index *major, *minor;
    const gb_Idx *short_major, *short_minor;
    const void *x;
    int sx; /* 1: a value each; 0: one for all, and the result is iso */
    uint64_t n;
    uint64_t nmajor, nminor;
    /* What the numbers of rows and columns stand for, in texts of errors; NULL: for themselves. */
    const uint64_t *major_names, *minor_names;
} gb_Tuples;
/* Values have type `type`, which is dup's only type. dup NULL: duplicates fail with
 * GBL_INVALID_VALUE naming the position. With sx = 0 a dup means that duplicates are merged; it is
 * not called. */
gbl_Info gb_tuples_to_cs(gb_Cs *cs, const gb_Tuples *tuples, const gb_Type *type,
                         const gb_BinaryOp *dup);

/* Values from the caller, of any type that casts into the object's. */
typedef struct {
    const gb_Type *type;
    const void *x;
    int sx; /* 1: one value per tuple; 0: one value for all */
} gb_Values;

/* The tuples become the content of A, which must have none. J is NULL for vectors. With sx = 0
 * duplicates are merged and dup is not used. */
gbl_Info gb_matrix_build(gb_Matrix *A, const gbl_Index *I, const gbl_Index *J,
                         const gb_Values *values, uint64_t n, const gb_BinaryOp *dup);

/* -- import (import.c) */

typedef struct {
    uint64_t nrows, ncols;
    gbl_Format format;
    const gbl_Index *Ap, *Ai;
    const void *Ax;             /* values of the matrix's type */
    gbl_Index plen, ilen, xlen; /* elements of Ap, Ai, Ax */
} gb_Import;
gbl_Info gb_matrix_import(gb_Matrix **A, gb_Type *type, const gb_Import *in);
/* Arrays that become the content as they are. */
typedef struct {
    uint64_t nrows, ncols;
    gb_Format format;
    const gbl_Arrays *arrays;
    const gbl_Lender *lender; /* NULL: they become the library's */
    bool trusted;             /* they are right and sorted: nothing is checked */
} gb_MoveIn;
gbl_Info gb_matrix_move_in(gb_Matrix **A, gb_Type *type, const gb_MoveIn *in);
gbl_Info gb_matrix_lend_dense(gb_Matrix *A, const gbl_Dense *dense, const gbl_Lender *lender);
/* Arrays of the library's own (core/arrays.h), whose nvals must be their last pointer. On success
 * they are the matrix's; a failure leaves them to the caller. */
gbl_Info gb_matrix_take(gb_Matrix **A, gb_Type *type, uint64_t nrows, uint64_t ncols,
                        gb_Format format, gb_Cs *cs);

/* -- extract, export (export.c) */

/* majors[e] = the row (or column) of entry e; of the view only pointers and sizes are read. */
gbl_Info gb_list_majors(const gb_CsView *view, gbl_Index *majors);

/* All entries by row, then column; any of I, J, X may be NULL. X has values of xtype. */
gbl_Info gb_matrix_extract(gb_Matrix *A, gbl_Index *I, gbl_Index *J, void *X, const gb_Type *xtype);

typedef struct {
    gbl_Index *Ap, *Ai;
    void *Ax;
    gbl_Index *plen, *ilen, *xlen; /* in: capacity; out: elements written */
    gbl_Format format;
} gb_Export;
gbl_Info gb_matrix_export_size(gb_Matrix *A, gbl_Format format, gbl_Index *plen, gbl_Index *ilen);
gbl_Info gb_matrix_export(gb_Matrix *A, const gb_Export *out);
gbl_Info gb_matrix_view(gb_Matrix *A, gb_Format format, gbl_Arrays *arrays);
gbl_Info gb_matrix_move_out(gb_Matrix *A, gb_Format format, gbl_Arrays *arrays);
gbl_Info gb_matrix_move_out_dense(gb_Matrix *A, gbl_Dense *dense);
