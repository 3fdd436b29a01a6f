/* SPDX-License-Identifier: Apache-2.0
 *
 * A picture on the terminal: as pixels where the terminal speaks kitty's protocol or sixel, else
 * two pixels a character by half blocks. What is no terminal, or a dumb one, gets half blocks
 * without colours, where every pixel with an entry is dark; where the locale is not of UTF-8, ASCII
 * instead.
 */
#define _GNU_SOURCE
#include <poll.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <termios.h>
#include <unistd.h>

#include "picture.h"

enum { USUAL_COLUMNS = 72, USUAL_LINES = 38, PROMPT_LINES = 6, ANSWER_MILLISECONDS = 200 };

static bool variable_has(const char *name, const char *part) {
    const char *value = getenv(name);
    return value && strstr(value, part);
}

/* The variable that decides the charset names UTF-8. None set, as in containers, counts as UTF-8.
 */
static bool speaks_utf8(void) {
    static const char *const names[] = {"LC_ALL", "LC_CTYPE", "LANG"};
    for (int k = 0; k < 3; k++) {
        const char *value = getenv(names[k]);
        if (value && *value) return strcasestr(value, "utf-8") || strcasestr(value, "utf8");
    }
    return true;
}

/* Terminals that draw PNG by kitty's protocol say so by their names; multiplexers keep these names
 * from them. */
static bool speaks_kitty(void) {
    if (getenv("TMUX") || variable_has("TERM", "screen")) return false;
    return variable_has("TERM", "kitty") || variable_has("TERM", "ghostty") ||
           variable_has("TERM_PROGRAM", "WezTerm") || variable_has("TERM_PROGRAM", "ghostty");
}

/* Whether the terminal's answer to "what are you", CSI ? 62 ; 4 ; ... c, has the 4 of sixel. */
static bool has_sixel(const char *answer) {
    const char *at = strstr(answer, "\033[?");
    if (!at) return false;
    for (at += 3; *at && *at != 'c'; at++)
        if (at[-1] == ';' && at[0] == '4' && (at[1] == ';' || at[1] == 'c')) return true;
    return false;
}

static bool speaks_sixel(void) {
    struct termios before, raw;
    char answer[128];
    size_t n = 0;
    if (!isatty(STDIN_FILENO) || tcgetattr(STDIN_FILENO, &before)) return false;
    raw = before;
    raw.c_lflag &= ~(tcflag_t)(ICANON | ECHO);
    if (tcsetattr(STDIN_FILENO, TCSANOW, &raw)) return false;
    fputs("\033[c", stdout);
    fflush(stdout);
    struct pollfd input = {.fd = STDIN_FILENO, .events = POLLIN};
    while (n < sizeof answer - 1 && poll(&input, 1, ANSWER_MILLISECONDS) == 1 &&
           read(STDIN_FILENO, answer + n, 1) == 1 && answer[n++] != 'c') {
    }
    answer[n] = 0;
    tcsetattr(STDIN_FILENO, TCSANOW, &before);
    return has_sixel(answer);
}

Terminal picture_terminal(void) {
    if (!isatty(STDOUT_FILENO) || variable_has("TERM", "dumb")) return TERMINAL_PLAIN;
    if (speaks_kitty()) return TERMINAL_KITTY;
    if (speaks_sixel()) return TERMINAL_SIXEL;
    if (getenv("NO_COLOR") || !speaks_utf8()) return TERMINAL_PLAIN;
    return variable_has("COLORTERM", "truecolor") || variable_has("COLORTERM", "24bit")
               ? TERMINAL_TRUE_COLOUR
               : TERMINAL_COLOURS;
}

uint32_t picture_fits(Terminal terminal, gbl_Index nrows, gbl_Index ncols, uint32_t size) {
    struct winsize window;
    double across = USUAL_COLUMNS, down = 2.0 * (USUAL_LINES - PROMPT_LINES);
    if (terminal == TERMINAL_KITTY || terminal == TERMINAL_SIXEL) return size;
    if (ioctl(STDOUT_FILENO, TIOCGWINSZ, &window) == 0 && window.ws_col > 1 &&
        window.ws_row > PROMPT_LINES) {
        across = window.ws_col;
        down = 2.0 * (window.ws_row - PROMPT_LINES);
    }
    /* the longer side that makes both sides fit */
    const double rows = (double)nrows, columns = (double)ncols;
    const double longer = rows > columns ? rows : columns;
    double fits = across * longer / columns;
    if (down * longer / rows < fits) fits = down * longer / rows;
    if (fits > longer) fits = longer;
    return fits < 1 ? 1 : fits < size ? (uint32_t)fits : size;
}

/* -- half blocks */

static void print_colour(Terminal terminal, int ground, const png_color *c) {
    if (terminal == TERMINAL_TRUE_COLOUR)
        printf("\033[%d;2;%d;%d;%dm", ground, c->red, c->green, c->blue);
    else /* of the cube of 6 x 6 x 6 among the 256 colours */
        printf("\033[%d;5;%dm", ground,
               16 + 36 * ((c->red * 5 + 127) / 255) + 6 * ((c->green * 5 + 127) / 255) +
                   (c->blue * 5 + 127) / 255);
}

static void print_blocks(const Picture *picture, Terminal terminal, const png_byte *colours,
                         const png_color *palette) {
    static const char *const halves[] = {" ", "\u2580", "\u2584", "\u2588"};
    static const char *const ascii[] = {" ", "'", ".", ":"};
    const char *const *blocks = speaks_utf8() ? halves : ascii;
    const uint32_t width = picture->width;
    for (uint32_t y = 0; y < picture->height; y += 2) {
        const png_byte *upper = colours + (size_t)y * width, *lower = upper + width;
        const bool both = y + 1 < picture->height;
        for (uint32_t x = 0; x < width; x++) {
            const int below = both ? lower[x] : 0;
            if (terminal == TERMINAL_PLAIN) {
                fputs(blocks[(upper[x] != 0) + 2 * (below != 0)], stdout);
                continue;
            }
            print_colour(terminal, 38, &palette[upper[x]]);
            if (both) print_colour(terminal, 48, &palette[below]);
            fputs(blocks[1], stdout);
        }
        puts(terminal == TERMINAL_PLAIN ? "" : "\033[0m");
    }
}

/* -- pixels */

/* Six rows a line; each colour of a line is drawn over the others. */
static void print_sixel(const Picture *picture, const png_byte *colours, const png_color *palette) {
    const uint32_t width = picture->width;
    printf("\033Pq\"1;1;%u;%u", width, picture->height);
    for (int c = 0; c < 256; c++)
        printf("#%d;2;%d;%d;%d", c, palette[c].red * 100 / 255, palette[c].green * 100 / 255,
               palette[c].blue * 100 / 255);
    for (uint32_t top = 0; top < picture->height; top += 6) {
        bool used[256] = {false};
        const uint32_t rows = picture->height - top < 6 ? picture->height - top : 6;
        const png_byte *line = colours + (size_t)top * width;
        for (size_t k = 0; k < (size_t)rows * width; k++) used[line[k]] = true;
        for (int c = 0; c < 256; c++) {
            if (!used[c]) continue;
            printf("#%d", c);
            for (uint32_t x = 0; x < width; x++) {
                int bits = 0;
                for (uint32_t r = 0; r < rows; r++) bits |= (line[(size_t)r * width + x] == c) << r;
                putchar('?' + bits);
            }
            putchar('$');
        }
        putchar('-');
    }
    fputs("\033\\\n", stdout);
}

/* A PNG in pieces of base64. */
static void print_kitty(const char *bytes, size_t n) {
    static const char digits[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
    enum { PIECE = 3072 };
    for (size_t at = 0; at < n; at += PIECE) {
        const size_t end = n - at < PIECE ? n : at + PIECE;
        printf(at == 0 ? "\033_Gf=100,a=T,m=%d;" : "\033_Gm=%d;", end < n);
        for (size_t k = at; k < end; k += 3) {
            uint32_t three = 0;
            for (size_t j = 0; j < 3; j++)
                three = three << 8 | (k + j < end ? (unsigned char)bytes[k + j] : 0);
            for (int j = 0; j < 4; j++)
                putchar(k + (size_t)j > end ? '=' : digits[three >> (18 - 6 * j) & 63]);
        }
        fputs("\033\\", stdout);
    }
    putchar('\n');
}

gbl_Info picture_show(const Picture *picture, Terminal terminal) {
    png_color palette[PICTURE_COLOURS];
    char *bytes = NULL;
    size_t n = 0;
    gbl_Info info = GBL_SUCCESS;
    picture_palette(palette);
    if (terminal == TERMINAL_KITTY) {
        FILE *file = open_memstream(&bytes, &n);
        info = file ? picture_png(picture, file) : GBL_OUT_OF_MEMORY;
        if (file && fclose(file)) info = GBL_OUT_OF_MEMORY;
        if (info == GBL_SUCCESS) print_kitty(bytes, n);
        free(bytes);
        return info ? gbl_fail(info, NULL, "not enough memory for a picture") : info;
    }
    png_byte *colours = malloc((size_t)picture->width * picture->height);
    if (!colours) return gbl_fail(GBL_OUT_OF_MEMORY, NULL, "not enough memory for a picture");
    for (uint32_t y = 0; y < picture->height; y++)
        picture_row(picture, y, colours + (size_t)y * picture->width);
    if (terminal == TERMINAL_SIXEL)
        print_sixel(picture, colours, palette);
    else
        print_blocks(picture, terminal, colours, palette);
    free(colours);
    return GBL_SUCCESS;
}
