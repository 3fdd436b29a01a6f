/* SPDX-License-Identifier: Apache-2.0
 *
 * A picture of where the entries of a matrix lie, as a PNG file.
 */
#ifndef GBLITE_CLI_PICTURE_H
#define GBLITE_CLI_PICTURE_H

#include "gblite.h"

typedef struct {
    uint32_t width, height;
    uint32_t most;   /* entries of the fullest pixel */
    uint32_t *count; /* [width * height] entries that fall on each pixel, row by row */
} Picture;

/* The longer side has size pixels, the other as many as the shape of the matrix asks for. */
gbl_Info picture_new(Picture *picture, gbl_Index nrows, gbl_Index ncols, uint32_t size);
/* Adds the entries of a CSR matrix of the shape given to picture_new. */
void picture_add(Picture *picture, gbl_Index nrows, gbl_Index ncols, const gbl_Arrays *csr);
/* The same by magnitude of FP64 values: a pixel whose largest value is 4^-k of the largest of all
 * counts for 2^(PICTURE_STEPS - k), so that colours are logarithms of magnitudes. */
enum { PICTURE_STEPS = 31 };
void picture_add_norms(Picture *picture, gbl_Index nrows, gbl_Index ncols, const gbl_Arrays *csr);
gbl_Info picture_write(const Picture *picture, const char *path);
void picture_free(Picture *picture);

#endif
