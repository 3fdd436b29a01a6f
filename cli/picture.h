/* SPDX-License-Identifier: Apache-2.0
 *
 * A picture of where the entries of a matrix lie, as a PNG or SVG file, or on the terminal.
 */
#pragma once

#include <png.h>
#include <stdbool.h>
#include <stdio.h>

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
/* SVG if the name ends in .svg, PNG if it ends in .png or is that of a device or pipe; others are
 * refused, which picture_check does before there is a picture. */
gbl_Info picture_check(const char *path);
gbl_Info picture_write(const Picture *picture, const char *path);
gbl_Info picture_png(const Picture *picture, FILE *file);
void picture_free(Picture *picture);

/* Colour 0 is white: no entry; the others grow darker with the logarithm of the count. */
enum { PICTURE_COLOURS = 256 };
void picture_palette(png_color *palette);
void picture_row(const Picture *picture, uint32_t y, png_byte *colours); /* [width] */

/* -- terminal.c */
typedef enum {
    TERMINAL_PLAIN, /* no colours: half blocks or ASCII, dark where there is an entry */
    TERMINAL_COLOURS,
    TERMINAL_TRUE_COLOUR,
    TERMINAL_SIXEL,
    TERMINAL_KITTY
} Terminal;
Terminal picture_terminal(void);
/* The longer side, at most size, with which a picture fits on the screen. */
uint32_t picture_fits(Terminal terminal, gbl_Index nrows, gbl_Index ncols, uint32_t size);
gbl_Info picture_show(const Picture *picture, Terminal terminal);
