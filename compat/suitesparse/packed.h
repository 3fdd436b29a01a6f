/* SPDX-License-Identifier: Apache-2.0
 *
 * Matrices and vectors as SuiteSparse's arrays. Pointers and values of CSR and CSC are moved in and
 * out; their indices, of 64 bits and gblite's 32, are copied, and so is content of other formats:
 * arrays that a program packs are freed by the library's allocator once they are read, and those
 * that it unpacks are fresh, of the same sizes.
 */
#ifndef COMPAT_PACKED_H
#define COMPAT_PACKED_H

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
} compat_Packed;
void compat_free_packed(compat_Packed *a);

/* Take the content of A or v out, into fresh arrays. iso NULL: all values are written. */
gbl_Info compat_unpack_matrix(compat_Packed *a, gbl_Matrix A, compat_Form form, bool by_col,
                              const bool *iso);
gbl_Info compat_unpack_vector(compat_Packed *a, gbl_Vector v, compat_Form form, const bool *iso);

/* Put content in. The arrays belong to the library on success. A vector needs no p but nvals. */
gbl_Info compat_pack_matrix(gbl_Matrix A, compat_Packed *a);
gbl_Info compat_pack_vector(gbl_Vector v, compat_Packed *a);

/* The type and shape of an object that is exported. */
gbl_Info compat_matrix_shape(gbl_Matrix *A, gbl_Type *type, gbl_Index *nrows, gbl_Index *ncols);
gbl_Info compat_vector_shape(gbl_Vector *v, gbl_Type *type, gbl_Index *n);

#endif
