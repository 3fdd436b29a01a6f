/* SPDX-License-Identifier: Apache-2.0
 *
 * Counting entries into pixels, and writing the counts as an indexed PNG or as SVG. Colour 0 is
 * white: no entry. Colours 1 to 255 grow darker with the logarithm of the count, 255 being the
 * fullest pixel.
 */
#include <errno.h>
#include <math.h>
#include <png.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <sys/stat.h>

#include "picture.h"

enum { COLOURS = PICTURE_COLOURS };

gbl_Info picture_new(Picture *picture, gbl_Index nrows, gbl_Index ncols, uint32_t size) {
    double longer = (double)(nrows > ncols ? nrows : ncols);
    *picture = (Picture){0};
    if (nrows == 0 || ncols == 0)
        return gbl_fail(GBL_INVALID_VALUE, NULL,
                        "the matrix is %llu x %llu: there is nothing to draw",
                        (unsigned long long)nrows, (unsigned long long)ncols);
    picture->width = (uint32_t)fmax(1, round(size * ((double)ncols / longer)));
    picture->height = (uint32_t)fmax(1, round(size * ((double)nrows / longer)));
    picture->count = calloc((size_t)picture->width * picture->height, sizeof *picture->count);
    if (!picture->count)
        return gbl_fail(GBL_OUT_OF_MEMORY, NULL, "not enough memory for a picture of %u x %u",
                        picture->width, picture->height);
    return GBL_SUCCESS;
}

/* Pixels that cell k of n covers, of pixels in all; at least one. */
static void cover(uint32_t *first, uint32_t *end, gbl_Index k, gbl_Index n, uint32_t pixels) {
    *first = (uint32_t)(k * pixels / n);
    *end = (uint32_t)((k + 1) * pixels / n);
    if (*end == *first) *end = *first + 1;
}

void picture_add(Picture *picture, gbl_Index nrows, gbl_Index ncols, const gbl_Arrays *csr) {
    for (gbl_Index row = 0; row < nrows; row++) {
        uint32_t top, bottom, left, right;
        cover(&top, &bottom, row, nrows, picture->height);
        for (uint64_t e = csr->p[row]; e < csr->p[row + 1]; e++) {
            cover(&left, &right, csr->i[e], ncols, picture->width);
            for (uint32_t y = top; y < bottom; y++)
                for (uint32_t x = left; x < right; x++) {
                    uint32_t *count = &picture->count[(size_t)y * picture->width + x];
                    *count += *count < UINT32_MAX;
                    if (*count > picture->most) picture->most = *count;
                }
        }
    }
}

/* What a value counts for; see picture_add_norms. */
static uint32_t count_of(double x, double most) {
    if (!isfinite(x)) return UINT32_MAX;
    if (x == 0.0) return 1;
    const double below = fmin(log2(most / x) / 2.0, PICTURE_STEPS);
    return (uint32_t)exp2(PICTURE_STEPS - below);
}

void picture_add_norms(Picture *picture, gbl_Index nrows, gbl_Index ncols, const gbl_Arrays *csr) {
    const double *values = csr->x;
    double most = 0.0;
    for (uint64_t e = 0; e < csr->p[nrows]; e++) {
        const double x = fabs(values[csr->iso ? 0 : e]);
        if (isfinite(x) && x > most) most = x;
    }
    for (gbl_Index row = 0; row < nrows; row++) {
        uint32_t top, bottom, left, right;
        cover(&top, &bottom, row, nrows, picture->height);
        for (uint64_t e = csr->p[row]; e < csr->p[row + 1]; e++) {
            const uint32_t own = count_of(fabs(values[csr->iso ? 0 : e]), most);
            cover(&left, &right, csr->i[e], ncols, picture->width);
            for (uint32_t y = top; y < bottom; y++)
                for (uint32_t x = left; x < right; x++) {
                    uint32_t *count = &picture->count[(size_t)y * picture->width + x];
                    if (own > *count) *count = own;
                    if (own > picture->most) picture->most = own;
                }
        }
    }
}

/* White, then from light to dark through the colours below, evenly spaced. */
void picture_palette(png_color *palette) {
    static const double stops[][3] = {
        {186, 221, 214}, {96, 179, 192}, {44, 123, 176}, {36, 67, 133}, {14, 18, 56}};
    enum { LAST = sizeof stops / sizeof *stops - 1 };
    palette[0] = (png_color){255, 255, 255};
    for (int k = 1; k < COLOURS; k++) {
        double at = (double)(k - 1) / (COLOURS - 2) * LAST;
        int stop = at < LAST ? (int)at : LAST - 1;
        double part = at - stop, mixed[3];
        for (int c = 0; c < 3; c++)
            mixed[c] = round(stops[stop][c] * (1 - part) + stops[stop + 1][c] * part);
        palette[k] = (png_color){(png_byte)mixed[0], (png_byte)mixed[1], (png_byte)mixed[2]};
    }
}

void picture_row(const Picture *picture, uint32_t y, png_byte *colours) {
    const uint32_t *count = picture->count + (size_t)y * picture->width;
    const uint32_t width = picture->width, most = picture->most;
    double scale = (COLOURS - 2) / log1p(most > 1 ? most - 1 : 1);
    for (uint32_t x = 0; x < width; x++) {
        if (count[x] == 0)
            colours[x] = 0;
        else if (most == 1)
            colours[x] = COLOURS - 1;
        else
            colours[x] = (png_byte)(1 + lround(scale * log1p(count[x] - 1)));
    }
}

/* libpng reports failures by a jump to here; nothing is allocated between that call and the jump
 * that is not in these parameters. */
static bool write_png(png_structp png, png_infop info, FILE *file, const Picture *picture,
                      png_byte *row) {
    png_color palette[COLOURS];
    if (setjmp(png_jmpbuf(png))) return false;
    picture_palette(palette);
    png_init_io(png, file);
    png_set_IHDR(png, info, picture->width, picture->height, 8, PNG_COLOR_TYPE_PALETTE,
                 PNG_INTERLACE_NONE, PNG_COMPRESSION_TYPE_DEFAULT, PNG_FILTER_TYPE_DEFAULT);
    png_set_PLTE(png, info, palette, COLOURS);
    png_write_info(png, info);
    for (uint32_t y = 0; y < picture->height; y++) {
        picture_row(picture, y, row);
        png_write_row(png, row);
    }
    png_write_end(png, info);
    return true;
}

static void ignore_message(png_structp png, png_const_charp text) {
    (void)png;
    (void)text;
}

static void fail_silently(png_structp png, png_const_charp text) {
    (void)text;
    png_longjmp(png, 1);
}

gbl_Info picture_png(const Picture *picture, FILE *file) {
    png_byte *row = malloc(picture->width);
    png_structp png =
        png_create_write_struct(PNG_LIBPNG_VER_STRING, NULL, fail_silently, ignore_message);
    png_infop info = png ? png_create_info_struct(png) : NULL;
    gbl_Info result = GBL_OUT_OF_MEMORY;
    if (row && info) result = write_png(png, info, file, picture, row) ? GBL_SUCCESS : GBL_IO_ERROR;
    png_destroy_write_struct(&png, &info);
    free(row);
    return result;
}

/* Runs of one colour in a row are one rectangle, rectangles of one colour one path. */
static gbl_Info write_svg(const Picture *picture, FILE *file) {
    const uint32_t width = picture->width, height = picture->height;
    png_color palette[COLOURS];
    png_byte *colours = malloc((size_t)width * height);
    if (!colours) return GBL_OUT_OF_MEMORY;
    picture_palette(palette);
    for (uint32_t y = 0; y < height; y++) picture_row(picture, y, colours + (size_t)y * width);
    fprintf(file,
            "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"%u\" height=\"%u\" "
            "viewBox=\"0 0 %u %u\" shape-rendering=\"crispEdges\">\n"
            "<rect width=\"%u\" height=\"%u\" fill=\"#fff\"/>\n",
            width, height, width, height, width, height);
    for (int c = 1; c < COLOURS; c++) {
        bool begun = false;
        for (uint32_t y = 0; y < height; y++)
            for (uint32_t x = 0, end; x < width; x = end) {
                const png_byte *row = colours + (size_t)y * width;
                for (end = x + 1; end < width && row[end] == row[x];) end++;
                if (row[x] != c) continue;
                if (!begun)
                    fprintf(file, "<path fill=\"#%02x%02x%02x\" d=\"", palette[c].red,
                            palette[c].green, palette[c].blue);
                begun = true;
                fprintf(file, "M%u %uh%uv1h-%uz", x, y, end - x, end - x);
            }
        if (begun) fputs("\"/>\n", file);
    }
    fputs("</svg>\n", file);
    free(colours);
    return ferror(file) ? GBL_IO_ERROR : GBL_SUCCESS;
}

static bool ends_in(const char *path, const char *suffix) {
    const size_t n = strlen(path), m = strlen(suffix);
    return n > m && strcasecmp(path + n - m, suffix) == 0;
}

gbl_Info picture_check(const char *path) {
    struct stat facts;
    if (ends_in(path, ".png") || ends_in(path, ".svg")) return GBL_SUCCESS;
    if (stat(path, &facts) == 0 && !S_ISREG(facts.st_mode)) return GBL_SUCCESS;
    return gbl_fail(GBL_INVALID_VALUE, NULL,
                    "cannot draw into %s: the end of the name says how; give .png or .svg", path);
}

gbl_Info picture_write(const Picture *picture, const char *path) {
    gbl_Info result = picture_check(path);
    if (result) return result;
    errno = 0;
    FILE *file = fopen(path, "wb");
    result = !file                   ? GBL_IO_ERROR
             : ends_in(path, ".svg") ? write_svg(picture, file)
                                     : picture_png(picture, file);
    if (file && fclose(file) && !result) result = GBL_IO_ERROR;
    if (result == GBL_OUT_OF_MEMORY)
        return gbl_fail(result, NULL, "not enough memory for a picture");
    return result ? gbl_fail(result, NULL, "cannot write %s: %s", path,
                             errno ? strerror(errno) : "encoding the picture failed")
                  : GBL_SUCCESS;
}

void picture_free(Picture *picture) {
    free(picture->count);
    picture->count = NULL;
}
