/* SPDX-License-Identifier: Apache-2.0
 *
 * Products that are made slice by slice, each within the memory, and handed on: to a file
 * (mxm_to_file.c), or folded.
 */
#pragma once

#include "gblite_io.h"
#include "io.h"

typedef struct gb_Product {
    const char *path; /* of the file, or what else error texts call the product */
    gbl_Semiring ring;
    gbl_Matrix A, B;
    gbl_FileProduct *how; /* rows_done: the first row of the next slice */
    gb_Kind kind;         /* of C */
    gbl_Index ncols;
    double most;  /* entries that C can have */
    double bytes; /* of C, expected, and of A */
    double slice; /* bytes that a slice may have */
    bool gathers; /* the rows of B that it wants */
    bool placed;  /* slices keep the indices of their rows, which values or the filter depend on */
    void *to;
    /* Takes rows I of C, and frees them, also on failure; rows_done counts them then. */
    gbl_Info (*take)(struct gb_Product *c, gbl_Matrix *rows, const gbl_Index *I, gbl_Index count);
} gb_Product;

gbl_Info gb_product_plan(gb_Product *c);   /* what is to be made, and how large it may be */
bool gb_product_fits(const gb_Product *c); /* certainly, in one slice */
gbl_Info gb_product_whole(gbl_Matrix *C, gb_Product *c);
gbl_Info gb_product_row(gbl_Matrix *C, gb_Product *c, gbl_Index row);
gbl_Info gb_product_run(gb_Product *c); /* makes the slices from rows_done on */
/* Of making all slices, as three samples of rows are made and timed; the first makes the forms that
 * B lacks, and does not count. 0 for a small product, or where samples fail, as slices do later. */
double gb_product_seconds(const gb_Product *c);
gbl_Info gb_product_report(const gb_Product *c); /* tells the progress, which may cancel */

/* Decides whether c->B is multiplied by the rows that a slice wants. */
gbl_Info gb_product_gathers(gb_Product *c);
/* Makes B the rows of c->B that S, of `count` rows, has entries for, and S a matrix of these
 * columns only: S B is S c->B, to the bit. B stays NULL where it would be more than a slice. */
gbl_Info gb_product_gather(gbl_Matrix *B, gbl_Matrix *S, const gb_Product *c, gbl_Index count);
