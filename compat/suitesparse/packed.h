/* SPDX-License-Identifier: Apache-2.0
 *
 * Matrices and vectors as SuiteSparse's arrays, which move in and out. Arrays of bitmaps and full
 * objects are lent to gblite: they come back as they are while the object was only read, else its
 * own do. Copied are indices of 64 bits, since gblite's have 32, what is hypersparse, and bitmaps
 * and full matrices by columns. Arrays that are given are freed by the library's allocator, and an
 * object that has not changed gives arrays of the sizes that it got.
 */
#pragma once

#include "compat.h"

typedef enum { FORM_CS, FORM_HYPER, FORM_BITMAP, FORM_FULL } compat_Form;

/* A matrix, or a vector as a matrix of one column held by columns, in one format. */
typedef struct {
    gbl_Type type;
    gbl_Index vlen, vdim; /* the length and number of vectors: rows, or columns where by_col */
    compat_Form form;
    bool by_col, iso;
    gbl_Index *p, *h, *i;
    int8_t *b;
    char *x;
    gbl_Index nvec, nvals;
    gbl_Index psize, hsize, isize, bsize, xsize; /* in bytes */
    bool borrowed;                               /* the arrays stay the caller's */
    bool narrow;                                 /* i has 32 bits; not of FORM_HYPER */
} compat_Packed;
void compat_free_packed(compat_Packed *a);

/* SuiteSparse's number of a format. */
gbl_Info compat_form(compat_Form *form, int format);

/* A or v, the other one is NULL. Takes the content out, in the form of a; `one`: it may be one
 * value for all. */
gbl_Info compat_unpack(compat_Packed *a, gbl_Matrix A, gbl_Vector v, bool one);
/* Puts content in. The arrays belong to the library on success. A vector needs no p but nvals. */
gbl_Info compat_pack(gbl_Matrix A, gbl_Vector v, compat_Packed *a);

/* A or v reads the full or bitmap arrays of a. On success they are the
 * object's unless the program keeps them. */
gbl_Info compat_lend(gbl_Matrix A, gbl_Vector v, const compat_Packed *a, bool keeps);
/* What the object reads, or NULL. It is assembled. */
compat_Lent *compat_lent(const void *object);

/* The type and shape of an object that is exported. */
gbl_Info compat_matrix_shape(gbl_Matrix *A, gbl_Type *type, gbl_Index *nrows, gbl_Index *ncols);
gbl_Info compat_vector_shape(gbl_Vector *v, gbl_Type *type, gbl_Index *n);
