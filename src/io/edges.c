/* SPDX-License-Identifier: Apache-2.0
 *
 * Reading lists of edges; see edges.h. Numbers are read by pieces of a slab at once, each to its
 * slots in the list; names one after the other, as they are numbered in the order of the text.
 */
#include "edges.h"

#include <float.h>
#include <stdio.h>

typedef struct {
    gb_Text text;
    gb_EdgeForm form;
    gbl_EdgeText *how;
    gb_Names names;
    gb_Kind kind;  /* of the weights in the list; FP64 where the caller has no type */
    gb_Coo list;   /* the vertices as they are called; wide where they do not fit into 32 bits */
    uint64_t most; /* the largest number of a vertex */
    bool real;
    gb_Piece *pieces;
    gb_Lines slab;
    const char *to; /* a file that the matrix goes to; NULL: it stays in memory */
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

/* Both vertices of an edge, as numbers. */
static bool read_vertices(const Reading *r, gb_Piece *piece, const gb_Word *words, gb_Place *ends) {
    const gb_Word from = words[r->form.from], to = words[r->form.to];
    const bool good = gb_edges_whole(from, &ends->i);
    if (!good || !gb_edges_whole(to, &ends->j))
        fails(
            piece, good ? to.begin : from.begin,
            "the vertex is not a whole number, as those of the first lines are; are these names?");
    return piece->problem.code == GBL_SUCCESS;
}

/* A whole number; behind the separator, if one follows, else NULL but at a line end. */
static const char *quick_number(const char *p, char separator, uint64_t *value) {
    if (!gb_read_whole(&p, value)) return NULL;
    if (*p == separator || (separator == ' ' && *p == '\t')) return p + 1;
    return *p == '\n' || *p == '\r' ? p : NULL;
}

/* The line at p where it is as most lines of most files: two numbers, perhaps a weight, nothing but
 * one separator between them. *end: its '\n'. False: it is to be split. */
static bool read_quick(const Reading *r, const char *p, gb_Place *ends, gb_Word *weight,
                       const char **end) {
    const char separator = r->form.separator;
    if ((p = quick_number(p, separator, &ends->i)) == NULL) return false;
    if ((p = quick_number(p, separator, &ends->j)) == NULL) return false;
    weight->begin = p;
    while (r->list.size > 0 && *p > ' ' && *p != separator && *p != '"') p++;
    weight->end = p;
    *end = p += *p == '\r';
    return *p == '\n' && (weight->end > weight->begin) == (r->list.size > 0);
}

/* Stores an edge; cuts vertices that do not fit into 32 bits. */
static void store(const Reading *r, gb_Piece *piece, uint64_t edge, gb_Place ends, double x) {
    const gb_Coo *const list = &r->list;
    const uint64_t most = ends.i > ends.j ? ends.i : ends.j;
    if (most > piece->most) piece->most = most;
    if (list->wide) {
        list->wi[edge] = ends.i;
        list->wj[edge] = ends.j;
    } else {
        list->i[edge] = (uint32_t)ends.i;
        list->j[edge] = (uint32_t)ends.j;
    }
    if (list->size > 0) gb_io_store_real(list->x, edge, r->kind.code, x);
}

/* Edges by their names, of some lines that follow each other, before they are numbered. */
typedef struct {
    gb_Word names[GB_NAMES_AT_ONCE];
    double x[GB_NAMES_AT_ONCE / 2];
    int n; /* names */
} Batch;

static gbl_Info store_batch(Reading *r, gb_Piece *piece, uint64_t *edge, Batch *batch) {
    uint64_t v[GB_NAMES_AT_ONCE];
    const gbl_Info info = gb_names_number(&r->names, batch->names, batch->n, v);
    for (int k = 0; k < batch->n && !info; k += 2)
        store(r, piece, (*edge)++, (gb_Place){v[k], v[k + 1]}, batch->x[k / 2]);
    batch->n = 0;
    return info;
}

/* The edges of a piece; says what is wrong with its first wrong line in piece->problem. */
static gbl_Info read_piece(Reading *r, gb_Piece *piece) {
    const gb_EdgeForm *const form = &r->form;
    const bool quick = !form->names && form->from == 0 && form->to == 1 && form->weight <= 2;
    gb_Word words[GB_EDGE_COLUMNS], weight = {0};
    Batch batch = {.n = 0};
    uint64_t edge = piece->entry;
    gbl_Info info = GBL_SUCCESS;
    const char *end;
    piece->problem = (gb_Problem){.line = piece->line, .begin = piece->lines.begin};
    for (const char *p = piece->lines.begin; p < piece->lines.end && !info;
         p = end + 1, piece->problem.line++) {
        gb_Place ends = {0};
        double x = 0;
        if (!quick || !read_quick(r, p, &ends, &weight, &end)) {
            end = gb_next_line(p, piece->lines.end) - 1;
            if (!is_edge(r, p)) continue;
            if (form->names && memchr(p, '\0', (size_t)(end - p)))
                return fails(piece, p, "there is a byte 0 on the line"), GBL_SUCCESS;
            if (!split(r, piece, p, words)) return GBL_SUCCESS;
            if (!form->names && !read_vertices(r, piece, words, &ends)) return GBL_SUCCESS;
            if (form->weight >= 0) weight = words[form->weight];
        }
        if (r->list.size > 0 && !read_weight(r, piece, weight, &x)) return GBL_SUCCESS;
        if (!form->names) {
            store(r, piece, edge++, ends, x);
            continue;
        }
        batch.x[batch.n / 2] = x;
        batch.names[batch.n++] = words[form->from];
        batch.names[batch.n++] = words[form->to];
        if (batch.n == GB_NAMES_AT_ONCE) info = store_batch(r, piece, &edge, &batch);
    }
    return form->names && !info ? store_batch(r, piece, &edge, &batch) : info;
}

/* Vertices are numbers: pieces are read in any order. */
static void read_numbers(void *context, gbl_Index k) {
    Reading *const r = context;
    (void)read_piece(r, &r->pieces[k]);
}

/* From now on vertices have 64 bits. */
static gbl_Info widen(gb_Coo *list) {
    gb_Coo wide = {.size = list->size, .wide = true, .to = list->to};
    gbl_Info info = gb_coo_reserve(&wide, list->capacity, list->capacity, "the edges");
    if (info != GBL_SUCCESS) return info;
    for (uint64_t k = 0; k < list->n; k++) {
        wide.wi[k] = list->i[k];
        wide.wj[k] = list->j[k];
        gb_io_copy_value(wide.x, k, list->x, k, list->size);
    }
    wide.n = list->n;
    gb_coo_free(list);
    *list = wide;
    return GBL_SUCCESS;
}

static gbl_Info read_slab(Reading *r) {
    gb_Coo *const list = &r->list;
    const int64_t n = gb_text_split(&r->text, r->slab, r->form.marks, list->n, r->pieces);
    const gb_Piece *const last = &r->pieces[n - 1];
    gbl_Info info = gb_coo_reserve(list, last->entry + last->entries, UINT64_MAX, "the edges");
    if (info == GBL_SUCCESS && !r->form.names) gbl_parallel((gbl_Index)n, read_numbers, r);
    for (int64_t k = 0; k < n; k++)
        if (r->pieces[k].most > r->most) r->most = r->pieces[k].most;
    if (info == GBL_SUCCESS && r->most >= GB_COO_NONE && !list->wide) {
        info = widen(list);
        if (info == GBL_SUCCESS) gbl_parallel((gbl_Index)n, read_numbers, r);
    }
    if (info == GBL_SUCCESS) info = gbl_call_state();
    for (int64_t k = 0; k < n && !info; k++) {
        gb_Piece *const piece = &r->pieces[k];
        if (r->form.names) info = read_piece(r, piece);
        if (piece->problem.code) info = gb_problem_fail(&r->text, &piece->problem);
        r->real |= piece->real;
    }
    r->text.line = last->line + last->nlines;
    gb_coo_leave(list, list->n, last->entry + last->entries);
    list->n = last->entry + last->entries;
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
    r->list = (gb_Coo){.size = r->form.weight < 0 ? 0 : r->kind.size,
                       .code = r->kind.code,
                       .to = r->to,
                       .listed = GB_TEXT_LISTED};
    while (info == GBL_SUCCESS) {
        if (r->slab.begin < r->slab.end) info = read_slab(r);
        if (info == GBL_SUCCESS) info = gb_text_next(&r->text, &r->slab);
        if (r->slab.begin == r->slab.end) break;
    }
    if (info == GBL_SUCCESS && r->list.n == 0)
        info = gbl_fail(GBL_INVALID_VALUE, NULL,
                        "%s has no edges: give two vertices, and perhaps a weight, on each line",
                        r->text.input.name);
    return info;
}

/* Weights that are whole numbers become such where the caller has no type. */
static gbl_Info choose_kind(Reading *r, gbl_Type type) {
    gb_Coo *const list = &r->list;
    if (type || (list->size > 0 && r->real)) return GBL_SUCCESS;
    const gbl_Info info = gb_io_kind(&r->kind, list->size > 0 ? GBL_INT64 : GBL_BOOL);
    for (uint64_t k = 0; k < list->n && list->size > 0; k++) {
        gb_io_store_real(list->x, k, GBL_INT64_CODE, ((const double *)list->x)[k]);
        if (k % (1 << 18) == 0) gb_coo_leave(list, 0, k);
    }
    list->code = r->kind.code;
    return info;
}

static gbl_Info make_matrix(gbl_Matrix *A, Reading *r, gbl_Index n) {
    const gbl_Duplicates rule =
        r->how->duplicates > GBL_DUPLICATES_ERROR ? r->how->duplicates : GBL_DUPLICATES_SUM;
    const size_t length = strlen(r->how->found);
    gb_Place repeated;
    gbl_Arrays arrays = {0};
    r->list.nrows = r->list.ncols = n;
    const gbl_Info info = gb_coo_to_rows(&r->list, rule, &arrays, &repeated);
    if (info != GBL_SUCCESS) return info;
    if (r->list.merged > 0)
        snprintf(r->how->found + length, sizeof r->how->found - length,
                 "; merged edges given before: %llu", (unsigned long long)r->list.merged);
    return gb_coo_deliver(A, &r->list, &r->kind, GBL_CSR_FORMAT, &arrays);
}

/* Numbers the vertices and makes the matrix. */
static gbl_Info finish(gbl_Matrix *A, gbl_Labels *labels, Reading *r, gbl_Type type) {
    gbl_Index n = labels->n;
    gbl_Info info = r->form.names ? GBL_SUCCESS : gb_labels_rank(labels, &r->list, r->most, &n);
    if (info == GBL_SUCCESS) info = choose_kind(r, type);
    return info == GBL_SUCCESS ? make_matrix(A, r, n) : info;
}

/* *A stays NULL where it goes to a file. */
static gbl_Info read_edges(gbl_Matrix *A, gbl_Labels *labels, gbl_Type type, Reading *r) {
    gbl_EdgeText *const how = r->how;
    if (!A || !labels || !how || !how->path)
        return gbl_fail(GBL_NULL_POINTER, NULL, "reading edges: an argument is NULL");
    *A = NULL;
    *labels = (gbl_Labels){0};
    how->found[0] = '\0';
    r->names.labels = labels;
    gbl_Info info = gb_number_init();
    if (info == GBL_SUCCESS) info = gb_io_kind(&r->kind, type ? type : GBL_FP64);
    if (info == GBL_SUCCESS)
        info = how->bytes ? gb_text_open_memory(&r->text, how->bytes, how->size, how->path)
                          : gb_text_open(&r->text, how->path);
    if (info != GBL_SUCCESS) return info;
    gbl_call_begin();
    info = read_all(r);
    gb_text_close(&r->text);
    gbl_Memory_free(r->names.table);
    gbl_Memory_free(r->pieces);
    if (info == GBL_SUCCESS) info = finish(A, labels, r, type);
    gbl_call_end();
    gb_coo_free(&r->list);
    return info;
}

gbl_Info gbl_edges_read(gbl_Matrix *A, gbl_Labels *labels, gbl_Type type, gbl_EdgeText *how) {
    return read_edges(A, labels, type, &(Reading){.how = how});
}

gbl_Info gbl_edges_to_file(const char *path, gbl_Labels *labels, gbl_Type type, gbl_EdgeText *how) {
    gbl_Matrix A;
    if (!path) return gbl_fail(GBL_NULL_POINTER, NULL, "gbl_edges_to_file: path is NULL");
    return read_edges(&A, labels, type, &(Reading){.how = how, .to = path});
}
