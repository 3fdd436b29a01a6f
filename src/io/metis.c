/* SPDX-License-Identifier: Apache-2.0
 *
 * Reading graphs in the form of METIS: a line "vertices edges [format [weights]]", then a line for
 * each vertex: its neighbours, counted from 1, each edge at both of its ends. The format has three
 * digits: there are sizes of vertices; weights of vertices, one or as many as the header says,
 * before the neighbours; a weight behind each neighbour. Sizes and weights of vertices are skipped.
 * Lines that begin with % are comments; a vertex without neighbours has an empty line.
 *
 * Pieces of a slab are read at once, each to as many slots as its text can have entries; then the
 * pieces move together.
 */
#include <stdio.h>

#include "coo.h"
#include "gblite_io.h"
#include "text.h"

typedef struct {
    gb_Text text;
    gb_Lines slab;
    gb_Piece *pieces; /* of the slab */
    gb_Kind kind;
    gb_Coo list;                    /* by rows; capacity of p: */
    uint64_t capacity, rows;        /* rows that have been read */
    uint64_t vertices, edges, skip; /* numbers to be skipped in front of a line */
    bool weights;
} Reading;

static bool fails(gb_Problem *problem, const char *at, const char *what) {
    return gb_problem_note(problem, GBL_INVALID_VALUE, at, "%s", what);
}

/* The next whole number of the line, or UINT64_MAX if that is less; false at its end. */
static inline bool next_number(const char **p, uint64_t *x) {
    *p = gb_skip_blank(*p);
    if ((unsigned)**p - '0' > 9) return false;
    if (!gb_read_whole(p, x)) *x = UINT64_MAX;
    return true;
}

static bool end_line(gb_Problem *problem, const char **p) {
    *p = gb_skip_blank(*p);
    return **p == '\n' || fails(problem, *p, "here must be a whole number");
}

static bool parse_header(Reading *r, const char **p, gb_Problem *problem) {
    uint64_t format = 0, weights = 1;
    if (!next_number(p, &r->vertices) || !next_number(p, &r->edges))
        return fails(problem, *p, "the first line must have the numbers of vertices and of edges");
    if (next_number(p, &format)) next_number(p, &weights);
    if (format > 111 || format % 10 > 1 || format / 10 % 10 > 1)
        return fails(problem, *p, "the format must have three digits, each 0 or 1");
    if (r->vertices > GB_IO_DIMENSION_MAX)
        return fails(problem, *p, "there are more than 4294967295 vertices");
    r->weights = format % 10;
    r->skip = format / 100 + (format / 10 % 10 ? weights : 0);
    return end_line(problem, p);
}

/* Reads the first line that is no comment. */
static gbl_Info read_header(Reading *r) {
    gbl_Info info = gb_text_next(&r->text, &r->slab);
    while (info == GBL_SUCCESS && r->slab.begin < r->slab.end && *r->slab.begin == '%') {
        r->slab.begin = gb_next_line(r->slab.begin, r->slab.end);
        r->text.line++;
        if (r->slab.begin == r->slab.end) info = gb_text_next(&r->text, &r->slab);
    }
    if (info != GBL_SUCCESS) return info;
    const char *p = r->slab.begin;
    gb_Problem problem = {.begin = p, .line = r->text.line};
    if (!parse_header(r, &p, &problem)) return gb_problem_fail(&r->text, &problem);
    r->slab.begin = p + 1;
    r->text.line++;
    return GBL_SUCCESS;
}

/* Reads the line at *p up to its '\n'. */
static bool read_vertex(const Reading *r, gb_Piece *piece, const char **p) {
    gb_Problem *const problem = &piece->problem;
    uint64_t to, weight = 1;
    for (uint64_t k = 0; k < r->skip; k++)
        if (!next_number(p, &to))
            return fails(problem, *p, "a size or weight of the vertex is missing");
    for (const char *at = *p; next_number(p, &to); at = *p) {
        if (to < 1 || to > r->vertices)
            return fails(problem, gb_skip_blank(at), "a neighbour is not from 1 to the vertices");
        const uint64_t slot = piece->entry + piece->entries++;
        r->list.i[slot] = (uint32_t)(to - 1);
        if (!r->weights) continue;
        if (!next_number(p, &weight))
            return fails(problem, *p, "the weight of the edge to the last neighbour is missing");
        if (weight > INT64_MAX)
            return fails(problem, *p, "the weight of an edge is above 2^63 - 1");
        gb_io_store_integer(r->list.x, slot, r->kind.code, (gb_Integer){false, weight});
    }
    return end_line(problem, p);
}

/* Reads a piece; rows begin where its own entries do. */
static void read_piece(void *context, gbl_Index k) {
    const Reading *const r = context;
    gb_Piece *const piece = &r->pieces[k];
    if (gbl_call_state() != GBL_SUCCESS) return;
    /* an entry has two bytes at least */
    piece->entry = r->list.n + (uint64_t)(piece->lines.begin - r->slab.begin) / 2;
    piece->entries = 0;
    piece->row = r->rows + (piece->line - r->text.line);
    for (const char *p = piece->lines.begin; p < piece->lines.end; piece->problem.line++) {
        if (*p == '%') {
            p = gb_next_line(p, piece->lines.end);
            continue;
        }
        r->list.p[piece->row + piece->rows++] = piece->entries;
        if (!read_vertex(r, piece, &p)) return;
        p++;
    }
}

/* Moves what the piece has behind what is there. Lines behind the last vertex do not count. */
static gbl_Info add_piece(Reading *r, const gb_Piece *piece) {
    gb_Coo *const list = &r->list;
    const uint64_t left = r->vertices - r->rows, *const from = list->p + piece->row;
    const bool all = piece->rows <= left;
    if (all && piece->problem.code) return gb_problem_fail(&r->text, &piece->problem);
    const uint64_t rows = all ? piece->rows : left, n = all ? piece->entries : from[left];
    char *const x = list->x;
    for (uint64_t k = 0; k < rows; k++) list->p[r->rows + k] = list->n + from[k];
    memmove(list->i + list->n, list->i + piece->entry, n * sizeof *list->i);
    if (x) memmove(x + list->n * list->size, x + piece->entry * list->size, n * list->size);
    r->rows += rows;
    list->n += n;
    return GBL_SUCCESS;
}

static gbl_Info set_capacity(Reading *r, uint64_t capacity) {
    gbl_Info info = gb_io_claim(capacity * sizeof *r->list.p, "the vertices");
    if (info != GBL_SUCCESS) return info;
    uint64_t *const p = gb_io_resize(r->list.p, r->capacity, capacity, sizeof *p);
    if (!p) return gb_io_no_memory("the vertices");
    r->list.p = p;
    r->capacity = capacity;
    return GBL_SUCCESS;
}

static gbl_Info read_slab(Reading *r) {
    const uint64_t bytes = (uint64_t)(r->slab.end - r->slab.begin);
    const uint64_t more = bytes / 2 + 1, slots = r->list.n + more, announced = 2 * r->edges + more;
    gbl_Info info =
        gb_coo_reserve(&r->list, slots, slots < announced ? announced : UINT64_MAX, "the edges");
    if (info != GBL_SUCCESS) return info;
    gbl_Memory_free(r->pieces);
    r->pieces = gb_io_alloc(bytes / GB_TEXT_PIECE + 1, sizeof *r->pieces);
    if (!r->pieces) return gb_io_no_memory("the pieces of the file");
    const int64_t n = gb_text_split(&r->text, r->slab, (gb_Marks){'%', '%'}, 0, r->pieces);
    const gb_Piece *const last = &r->pieces[n - 1];
    const uint64_t rows = r->rows + (last->line + last->nlines - r->text.line);
    if (rows > r->capacity) info = set_capacity(r, 2 * rows);
    if (info == GBL_SUCCESS) gbl_parallel((gbl_Index)n, read_piece, r);
    if (info == GBL_SUCCESS) info = gbl_call_state();
    for (int64_t k = 0; k < n && info == GBL_SUCCESS; k++) info = add_piece(r, &r->pieces[k]);
    r->text.line = last->line + last->nlines;
    return info;
}

/* Reads all lines; the last may be missing where it would be empty. */
static gbl_Info read_all(Reading *r) {
    const char *const name = r->text.input.name;
    gbl_Info info = GBL_SUCCESS;
    while (info == GBL_SUCCESS) {
        if (r->slab.begin < r->slab.end) info = read_slab(r);
        if (info == GBL_SUCCESS) info = gb_text_next(&r->text, &r->slab);
        if (r->slab.begin == r->slab.end) break;
    }
    if (info != GBL_SUCCESS) return info;
    if (r->rows + (r->skip == 0) < r->vertices)
        return gbl_fail(
            GBL_INVALID_VALUE, NULL,
            "%s: line %llu: the file has fewer lines than vertices; it may have been cut short",
            name, (unsigned long long)r->text.line);
    if (r->list.n == 2 * r->edges) return GBL_SUCCESS;
    return gbl_fail(GBL_INVALID_VALUE, NULL,
                    "%s: the first line announces %llu edges, each in the lines of both ends; the "
                    "lines have %llu neighbours",
                    name, (unsigned long long)r->edges, (unsigned long long)r->list.n);
}

static gbl_Info make_matrix(gbl_Matrix *A, Reading *r) {
    gb_Coo *const list = &r->list;
    gbl_Arrays arrays = {0};
    gb_Place at;
    char entry[80];
    if (list->n == 0) return gbl_Matrix_new(A, r->kind.type, r->vertices, r->vertices);
    gbl_Info info = set_capacity(r, r->vertices + 1);
    if (info != GBL_SUCCESS) return info;
    for (; r->rows < r->vertices; r->rows++) list->p[r->rows] = list->n;
    list->nrows = list->ncols = r->vertices;
    info = gb_coo_to_rows(list, GBL_DUPLICATES_SUM, &arrays, &at);
    if (info == GBL_SUCCESS) return gb_coo_deliver(A, list, &r->kind, GBL_CSR_FORMAT, &arrays);
    if (info != GBL_NO_VALUE) return info;
    snprintf(entry, sizeof entry, "the entry (%llu, %llu)", (unsigned long long)at.i + 1,
             (unsigned long long)at.j + 1);
    return gb_coo_fail_sum(r->text.input.name, entry);
}

gbl_Info gbl_metis_read(gbl_Matrix *A, gbl_Type type, const char *path, const char *bytes,
                        size_t size) {
    Reading r = {0};
    if (!A || !path) return gbl_fail(GBL_NULL_POINTER, NULL, "gbl_metis_read: an argument is NULL");
    *A = NULL;
    gbl_Info info = gb_text_open(&r.text, path, bytes, size);
    if (info != GBL_SUCCESS) return info;
    r.text.any_length = true;
    gbl_call_begin();
    info = read_header(&r);
    if (info == GBL_SUCCESS)
        info = gb_io_kind(&r.kind, type ? type : r.weights ? GBL_INT64 : GBL_BOOL);
    r.list = (gb_Coo){.by_rows = true,
                      .size = r.weights ? r.kind.size : 0,
                      .code = r.kind.code,
                      .listed = GB_TEXT_LISTED};
    if (info == GBL_SUCCESS) info = read_all(&r);
    gb_text_close(&r.text);
    if (info == GBL_SUCCESS) info = make_matrix(A, &r);
    gbl_call_end();
    gbl_Memory_free(r.pieces);
    gb_coo_free(&r.list);
    return info;
}
