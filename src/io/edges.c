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

typedef struct {
    gb_Text text;
    gb_EdgeForm form;
    gbl_EdgeText *how;
    gb_Names names;
    uint64_t *ends; /* [2 capacity] the vertices of each edge */
    double *x;      /* [capacity] weights; NULL: none */
    uint64_t n, capacity;
    bool real;
    gb_Piece *pieces;
    gb_Lines slab;
} Reading;

/* Notes what is wrong with the line. */
static bool fails(gb_Piece *piece, const char *at, const char *what) {
    return gb_problem_note(&piece->problem, GBL_INVALID_VALUE, at, "%s", what);
}

/* Whether the line at p is an edge. */
static bool is_edge(const Reading *r, const char *p) {
    return !gb_is_comment(r->form.marks, *gb_skip_blank(p));
}

static bool read_weight(const Reading *r, gb_Piece *piece, gb_Word word, double *x) {
    uint64_t whole;
    if (gb_edges_whole(word, &whole)) {
        *x = (double)whole;
        piece->real |= whole > UINT64_C(1) << 53;
        return true;
    }
    if (!gb_edges_number(word, x)) return fails(piece, word.begin, "the weight must be a number");
    if (r->how->weights && !(*x >= 0 && *x <= DBL_MAX))
        return fails(piece, word.begin, "the weight must be a finite number of 0 or more");
    piece->real |= !(*x > -0x1p53 && *x < 0x1p53 && *x == (double)(int64_t)*x);
    return true;
}

/* The words of an edge; false where there are too few. */
static bool split(const Reading *r, gb_Piece *piece, const char *p, gb_Word *words) {
    const gb_EdgeForm *const form = &r->form;
    const int n = gb_edges_split(words, form->columns, p, form->separator);
    if (n > form->from && n > form->to) {
        /* a weight left out is 1 */
        static const char one[] = "1\n";
        if (form->weight >= n) words[form->weight] = (gb_Word){one, one + 1};
        return true;
    }
    return fails(piece, p,
                 n == 1 ? "an edge is two vertices; there is only one"
                        : "the line has no such column as vertices are in");
}

/* Both vertices of an edge, as numbers or by their names. */
static gbl_Info read_vertices(Reading *r, gb_Piece *piece, const gb_Word *words, uint64_t *ends) {
    const gb_Word from = words[r->form.from], to = words[r->form.to];
    if (r->form.names) {
        const gbl_Info info = gb_names_number(&r->names, from, &ends[0]);
        return info == GBL_SUCCESS ? gb_names_number(&r->names, to, &ends[1]) : info;
    }
    const bool good = gb_edges_whole(from, &ends[0]);
    if (!good || !gb_edges_whole(to, &ends[1]))
        fails(
            piece, good ? to.begin : from.begin,
            "the vertex is not a whole number, as those of the first lines are; are these names?");
    return piece->problem.code;
}

/* The edges of a piece; says what is wrong with its first wrong line in piece->problem. */
static gbl_Info read_piece(Reading *r, gb_Piece *piece) {
    gb_Word words[GB_EDGE_COLUMNS];
    uint64_t edge = piece->entry;
    gbl_Info info = GBL_SUCCESS;
    const char *next;
    for (const char *p = piece->lines.begin; p < piece->lines.end;
         p = next, piece->problem.line++) {
        next = gb_next_line(p, piece->lines.end);
        if (!is_edge(r, p)) continue;
        if (r->form.names && memchr(p, '\0', (size_t)(next - p))) {
            fails(piece, p, "there is a byte 0 on the line");
            break;
        }
        if (!split(r, piece, p, words)) break;
        info = read_vertices(r, piece, words, &r->ends[2 * edge]);
        if (info != GBL_SUCCESS) break;
        if (r->x && !read_weight(r, piece, words[r->form.weight], &r->x[edge])) break;
        edge++;
    }
    return info;
}

/* Vertices are numbers: pieces are read in any order. */
static void read_numbers(void *context, gbl_Index k) {
    Reading *const r = context;
    read_piece(r, &r->pieces[k]);
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
    const int64_t n = gb_text_split(&r->text, r->slab, r->form.marks, r->n, r->pieces);
    const gb_Piece *const last = &r->pieces[n - 1];
    gbl_Info info = reserve(r, last->entry + last->entries);
    if (info == GBL_SUCCESS && !r->form.names) gbl_parallel((gbl_Index)n, read_numbers, r);
    if (info == GBL_SUCCESS) info = gbl_call_state();
    for (int64_t k = 0; k < n && !info; k++) {
        gb_Piece *const piece = &r->pieces[k];
        if (r->form.names) info = read_piece(r, piece);
        if (piece->problem.code) info = gb_problem_fail(&r->text, &piece->problem);
        r->real |= piece->real;
    }
    r->text.line = last->line + last->nlines;
    r->n = last->entry + last->entries;
    return info;
}

/* Moves behind the line that names the columns, the first that is not a comment. */
static void skip_head(Reading *r) {
    for (bool head = false; !head && r->slab.begin < r->slab.end; r->text.line++) {
        head = is_edge(r, r->slab.begin);
        r->slab.begin = gb_next_line(r->slab.begin, r->slab.end);
    }
}

static gbl_Info read_all(Reading *r) {
    r->pieces = gb_io_alloc(GB_TEXT_PIECES, sizeof *r->pieces);
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
    static const int rules[] = {GB_COO_SUM, GB_COO_SUM,   GB_COO_SUM,
                                GB_COO_MAX, GB_COO_FIRST, GB_COO_MIN};
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
