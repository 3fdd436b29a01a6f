/* SPDX-License-Identifier: Apache-2.0
 *
 * Reading lists of edges; see edges.h. Numbers are read by pieces of a slab at once, each to its
 * slots in the list; names one after the other, as they are numbered in the order of the text.
 */
#include "edges.h"

#include <float.h>
#include <stdio.h>
#include <string.h>

#include "coo.h"
#include "number.h"

#ifdef GB_TINY
enum { PIECE = 16 };
#else
enum { PIECE = 1 << 17 };
#endif
enum { PIECES_MAX = (int)GB_TEXT_SLAB / (int)PIECE + 1 };

typedef struct {
    gb_Lines lines;
    uint64_t line, nlines, edge, edges; /* first line and edge, from 1 and 0; how many */
    uint64_t wrong;                     /* line of the first that cannot be read; 0: none */
    const char *at, *what;              /* of it */
    bool real;                          /* a weight is not whole */
} Piece;

typedef struct {
    gb_Text text;
    gb_EdgeForm form;
    gbl_EdgeText *how;
    gb_Names names;
    uint64_t *ends; /* [2 capacity] the vertices of each edge */
    double *x;      /* [capacity] weights; NULL: none */
    uint64_t n, capacity;
    bool real;
    Piece *pieces;
    gb_Lines slab;
} Reading;

static const char *line_border(gb_Lines lines, uint64_t at) {
    if (at == 0) return lines.begin;
    if (at >= (uint64_t)(lines.end - lines.begin)) return lines.end;
    const char *const before = lines.begin + at - 1;
    return (const char *)memchr(before, '\n', (size_t)(lines.end - before)) + 1;
}

static const char *next_line(const char *p, const char *end) {
    return (const char *)memchr(p, '\n', (size_t)(end - p)) + 1;
}

static void count_piece(void *context, gbl_Index k) {
    const Reading *const r = context;
    Piece *const piece = &r->pieces[k];
    const uint64_t at = k * PIECE;
    *piece = (Piece){.lines = {line_border(r->slab, at), line_border(r->slab, at + PIECE)}};
    for (const char *p = piece->lines.begin; p < piece->lines.end; piece->nlines++) {
        const char *const first = gb_edges_skip_blank(p);
        piece->edges += !gb_edges_skips(&r->form, *first);
        p = next_line(first, piece->lines.end);
    }
}

/* Notes what is wrong with the line. */
static bool fails(Piece *piece, uint64_t line, const char *at, const char *what) {
    piece->wrong = line;
    piece->at = at;
    piece->what = what;
    return false;
}

static bool read_weight(const Reading *r, Piece *piece, uint64_t line, gb_Word word, double *x) {
    uint64_t whole;
    if (gb_edges_whole(word, &whole)) {
        *x = (double)whole;
        piece->real |= whole > UINT64_C(1) << 53;
        return true;
    }
    if (!gb_edges_number(word, x))
        return fails(piece, line, word.begin, "the weight must be a number");
    if (r->how->weights && !(*x >= 0 && *x <= DBL_MAX))
        return fails(piece, line, word.begin, "the weight must be a finite number of 0 or more");
    piece->real |= !(*x > -0x1p53 && *x < 0x1p53 && *x == (double)(int64_t)*x);
    return true;
}

/* The words of an edge; false where there are too few. */
static bool split(const Reading *r, Piece *piece, uint64_t line, const char *p, gb_Word *words) {
    const gb_EdgeForm *const form = &r->form;
    const int n = gb_edges_split(words, form->columns, p, form->separator);
    if (n > form->from && n > form->to) {
        /* a weight left out is 1 */
        if (form->weight >= n) words[form->weight] = (gb_Word){"1\n", NULL};
        if (form->weight >= n) words[form->weight].end = words[form->weight].begin + 1;
        return true;
    }
    return fails(piece, line, p,
                 n == 1 ? "an edge is two vertices; there is only one"
                        : "the line has no such column as vertices are in");
}

/* Both vertices as numbers. */
static void read_numbers(void *context, gbl_Index k) {
    const Reading *const r = context;
    Piece *const piece = &r->pieces[k];
    gb_Word words[GB_EDGE_COLUMNS];
    uint64_t line = piece->line, edge = piece->edge;
    for (const char *p = piece->lines.begin; p < piece->lines.end; line++) {
        const char *const first = gb_edges_skip_blank(p);
        if (!gb_edges_skips(&r->form, *first)) {
            if (!split(r, piece, line, p, words)) return;
            const gb_Word from = words[r->form.from], to = words[r->form.to];
            const bool good = gb_edges_whole(from, &r->ends[2 * edge]);
            if (!good || !gb_edges_whole(to, &r->ends[2 * edge + 1])) {
                fails(
                    piece, line, good ? to.begin : from.begin,
                    "the vertex is not a whole number, as those of the first lines are; are these "
                    "names?");
                return;
            }
            if (r->x && !read_weight(r, piece, line, words[r->form.weight], &r->x[edge])) return;
            edge++;
        }
        p = next_line(first, piece->lines.end);
    }
}

/* Both vertices as names. */
static gbl_Info read_names(Reading *r, Piece *piece) {
    gb_Word words[GB_EDGE_COLUMNS];
    uint64_t line = piece->line, edge = piece->edge;
    gbl_Info info = GBL_SUCCESS;
    for (const char *p = piece->lines.begin; p < piece->lines.end && !info; line++) {
        const char *const first = gb_edges_skip_blank(p), *const next =
                                                              next_line(first, piece->lines.end);
        if (!gb_edges_skips(&r->form, *first)) {
            if (memchr(p, '\0', (size_t)(next - p))) {
                fails(piece, line, p, "there is a byte 0 on the line");
                return GBL_SUCCESS;
            }
            if (!split(r, piece, line, p, words)) return GBL_SUCCESS;
            if (r->x && !read_weight(r, piece, line, words[r->form.weight], &r->x[edge]))
                return GBL_SUCCESS;
            info = gb_names_number(&r->names, words[r->form.from], &r->ends[2 * edge]);
            if (!info) info = gb_names_number(&r->names, words[r->form.to], &r->ends[2 * edge + 1]);
            edge++;
        }
        p = next;
    }
    return info;
}

static gbl_Info fail_at(const Reading *r, const Piece *piece) {
    char found[32];
    size_t n = 0;
    const char *begin = piece->at;
    for (; n + 4 < sizeof found && piece->at[n] != '\n' && piece->at[n] != '\r'; n++)
        found[n] = piece->at[n] >= ' ' && piece->at[n] <= '~' ? piece->at[n] : '?';
    strcpy(found + n, piece->at[n] == '\n' || piece->at[n] == '\r' ? "" : "...");
    while (begin > piece->lines.begin && begin[-1] != '\n') begin--;
    return gbl_fail(GBL_INVALID_VALUE, NULL, "%s: line %llu: %s; found '%s' in column %llu",
                    r->text.input.name, (unsigned long long)piece->wrong, piece->what, found,
                    (unsigned long long)(piece->at - begin) + 1);
}

static gbl_Info reserve(Reading *r, uint64_t wanted) {
    if (wanted <= r->capacity) return GBL_SUCCESS;
    const uint64_t more = wanted + wanted / 2;
    uint64_t *const ends = gb_io_resize(r->ends, 2 * r->capacity, 2 * more, sizeof *ends);
    if (ends) r->ends = ends;
    double *const x = r->form.weight >= 0 ? gb_io_resize(r->x, r->capacity, more, sizeof *x) : NULL;
    if (x) r->x = x;
    if (!ends || (r->form.weight >= 0 && !x)) return gb_io_no_memory("the edges");
    r->capacity = more;
    return GBL_SUCCESS;
}

static gbl_Info read_slab(Reading *r) {
    const int64_t n = (r->slab.end - r->slab.begin - 1) / PIECE + 1;
    uint64_t line = r->text.line, edge = r->n;
    gbl_parallel((gbl_Index)n, count_piece, r);
    for (int64_t k = 0; k < n; k++) {
        Piece *const piece = &r->pieces[k];
        piece->line = line;
        piece->edge = edge;
        line += piece->nlines;
        edge += piece->edges;
    }
    gbl_Info info = reserve(r, edge);
    if (info == GBL_SUCCESS && !r->form.names) gbl_parallel((gbl_Index)n, read_numbers, r);
    if (info == GBL_SUCCESS) info = gbl_call_state();
    for (int64_t k = 0; k < n && !info; k++) {
        Piece *const piece = &r->pieces[k];
        if (r->form.names) info = read_names(r, piece);
        if (!info && piece->wrong) info = fail_at(r, piece);
        r->real |= piece->real;
    }
    r->text.line = line;
    r->n = edge;
    return info;
}

/* Moves behind the line that names the columns, the first that is not a comment. */
static void skip_head(Reading *r) {
    for (bool head = false; !head && r->slab.begin < r->slab.end; r->text.line++) {
        const char *const first = gb_edges_skip_blank(r->slab.begin);
        head = !gb_edges_skips(&r->form, *first);
        r->slab.begin = next_line(first, r->slab.end);
    }
}

static gbl_Info read_all(Reading *r) {
    r->pieces = gb_io_alloc(PIECES_MAX, sizeof *r->pieces);
    if (!r->pieces) return gb_io_no_memory("the pieces of the file");
    gbl_Info info = gb_text_next(&r->text, &r->slab);
    if (info == GBL_SUCCESS) info = gb_edges_guess(&r->form, r->how, r->slab);
    if (info == GBL_SUCCESS && r->form.head) skip_head(r);
    while (info == GBL_SUCCESS) {
        if (r->slab.begin < r->slab.end) info = read_slab(r);
        if (info == GBL_SUCCESS) info = gb_text_next(&r->text, &r->slab);
        if (r->slab.begin == r->slab.end) break;
    }
    if (info == GBL_SUCCESS && r->n == 0)
        info = gbl_fail(GBL_INVALID_VALUE, NULL,
                        "%s has no edges: give two vertices, and perhaps a weight, on each line",
                        r->text.input.name);
    return info;
}

/* Moves the list to *coo. */
static gbl_Info make_list(gb_Coo *coo, Reading *r, const gb_Kind *kind, gbl_Index n) {
    *coo = (gb_Coo){.nrows = n, .ncols = n, .size = r->x ? kind->size : 0, .code = kind->code};
    gbl_Info info = gb_coo_reserve(coo, r->n, r->n, "the edges");
    if (info != GBL_SUCCESS) return info;
    for (uint64_t k = 0; k < r->n; k++) {
        coo->i[k] = (uint32_t)r->ends[2 * k];
        coo->j[k] = (uint32_t)r->ends[2 * k + 1];
        if (r->x) gb_io_store_real(coo->x, k, kind->code, r->x[k]);
    }
    coo->n = r->n;
    return GBL_SUCCESS;
}

static gbl_Info make_matrix(gbl_Matrix *A, Reading *r, gbl_Type type, gbl_Index n) {
    static const int rules[] = {GB_COO_SUM, GB_COO_SUM, GB_COO_SUM, GB_COO_MAX, GB_COO_FIRST};
    gb_Kind kind;
    gb_Coo coo;
    gb_Place repeated;
    gbl_Arrays arrays = {0};
    gbl_Info info = gb_io_kind(&kind, type      ? type
                                      : !r->x   ? GBL_BOOL
                                      : r->real ? GBL_FP64
                                                : GBL_INT64);
    if (info == GBL_SUCCESS) info = make_list(&coo, r, &kind, n);
    if (info == GBL_SUCCESS)
        info = gb_coo_to_rows(&coo, rules[r->how->duplicates], &arrays, &repeated);
    if (info == GBL_SUCCESS && !r->x) {
        arrays.iso = true;
        arrays.x = gb_io_alloc(1, kind.size);
        if (arrays.x)
            gb_io_store_real(arrays.x, 0, kind.code, 1);
        else
            info = gb_io_no_memory("a value");
    }
    if (info != GBL_SUCCESS) {
        gb_io_free_arrays(&arrays);
        return info;
    }
    const size_t length = strlen(r->how->found);
    if (coo.merged > 0)
        snprintf(r->how->found + length, sizeof r->how->found - length,
                 "; merged edges given before: %llu", (unsigned long long)coo.merged);
    return gb_io_move_in(A, &kind, (gb_Shape){n, n}, GBL_CSR_FORMAT, &arrays);
}

/* Numbers the vertices and makes the matrix. */
static gbl_Info finish(gbl_Matrix *A, gbl_Labels *labels, Reading *r, gbl_Type type) {
    gbl_Info info = r->form.names ? GBL_SUCCESS : gb_labels_rank(labels, r->ends, 2 * r->n);
    if (info != GBL_SUCCESS) return info;
    gbl_Index n = labels->n; /* 0: vertices are called as they are numbered */
    for (uint64_t k = 0; labels->n == 0 && k < 2 * r->n; k++)
        if (r->ends[k] >= n) n = r->ends[k] + 1;
    if (n > GB_IO_DIMENSION_MAX)
        return gbl_fail(GBL_INVALID_VALUE, NULL, "%s: there are more than 2^32 - 1 vertices",
                        r->text.input.name);
    return make_matrix(A, r, type, n);
}

gbl_Info gbl_edges_read(gbl_Matrix *A, gbl_Labels *labels, gbl_Type type, gbl_EdgeText *how) {
    if (!A || !labels || !how || !how->path)
        return gbl_fail(GBL_NULL_POINTER, NULL, "gbl_edges_read: an argument is NULL");
    *A = NULL;
    *labels = (gbl_Labels){0};
    how->found[0] = '\0';
    Reading r = {.how = how, .names.labels = labels};
    gbl_Info info = gb_number_init();
    if (info == GBL_SUCCESS)
        info = how->bytes ? gb_text_open_memory(&r.text, how->bytes, how->size, how->path)
                          : gb_text_open(&r.text, how->path);
    if (info != GBL_SUCCESS) return info;
    gbl_call_begin();
    info = read_all(&r);
    if (info == GBL_SUCCESS) info = finish(A, labels, &r, type);
    gbl_call_end();
    gb_text_close(&r.text);
    gb_io_free(r.names.table);
    gb_io_free(r.ends);
    gb_io_free(r.x);
    gb_io_free(r.pieces);
    return info;
}
