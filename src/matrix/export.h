/* SPDX-License-Identifier: Apache-2.0
 *
 * Whole content in and out of an object: tuples, import and export by copy, and arrays that move
 * without a copy. Handles and NULL pointers were checked by the caller; what arrays say is checked
 * here. After a failure the object is as it was.
 */
#ifndef GB_MATRIX_EXPORT_H
#define GB_MATRIX_EXPORT_H

#include "matrix/matrix.h"

/* Values from the caller, of any type that casts into the object's. */
typedef struct {
    const gb_Type *type;
    const void *x;
    int sx; /* 1: one value per tuple; 0: one value for all */
} gb_Values;

/* -- tuples.c */
/* The tuples become the content of A, which must have none. J is NULL for vectors. With sx = 0
 * duplicates are merged and dup is not used. */
gbl_Info gb_matrix_build(gb_Matrix *A, const gbl_Index *I, const gbl_Index *J,
                         const gb_Values *values, uint64_t n, const gb_BinaryOp *dup);
/* All entries by row, then column; any of I, J, X may be NULL. X has values of xtype. */
gbl_Info gb_matrix_extract(gb_Matrix *A, gbl_Index *I, gbl_Index *J, void *X, const gb_Type *xtype);

/* -- diag.c: entry i of v becomes (i, i + k), or (i - k, i) when k is negative. */
gbl_Info gb_matrix_diag(gb_Matrix **C, gb_Matrix *v, int64_t k);

/* -- import.c */
typedef struct {
    uint64_t nrows, ncols;
    gbl_Format format;
    const gbl_Index *Ap, *Ai;
    const void *Ax;             /* values of the matrix's type */
    gbl_Index plen, ilen, xlen; /* elements of Ap, Ai, Ax */
} gb_Import;
gbl_Info gb_matrix_import(gb_Matrix **A, gb_Type *type, const gb_Import *in);
gbl_Info gb_matrix_move_in(gb_Matrix **A, gb_Type *type, uint64_t nrows, uint64_t ncols,
                           gb_Format format, const gbl_Arrays *arrays);

/* -- export.c */
typedef struct {
    gbl_Index *Ap, *Ai;
    void *Ax;
    gbl_Index *plen, *ilen, *xlen; /* in: room; out: elements written */
    gbl_Format format;
} gb_Export;
gbl_Info gb_matrix_export_size(gb_Matrix *A, gbl_Format format, gbl_Index *plen, gbl_Index *ilen);
gbl_Info gb_matrix_export(gb_Matrix *A, const gb_Export *out);
gbl_Info gb_matrix_move_out(gb_Matrix *A, gb_Format format, gbl_Arrays *arrays);

#endif
