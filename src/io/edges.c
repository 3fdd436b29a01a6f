/* SPDX-License-Identifier: Apache-2.0
 *
 * Reading lists of edges; see edges.h. Pieces of a slab are read at once, each to its slots in the
 * list. Names are looked up at once too; those that are new in some pieces are then numbered in the
 * order of the text, so that numbers do not depend on threads.
 */
#include "edges.h"

#include <float.h>
#include <stdio.h>

typedef struct {
    gb_Text text;
    gb_EdgeForm form;
    gbl_EdgeText *how;
    gb_Names names;
    gbl_Type type; /* that the caller wants; NULL: one that suits the weights */
    gb_Kind kind;  /* of the weights in the list */
    gb_Coo list;   /* the vertices as they are called; wide where they do not fit into 32 bits */
    uint64_t most; /* the largest number of a vertex */
    unsigned seen; /* of weights */
    gb_Piece *pieces, *group; /* of a slab; some of them, which are read at once */
    gb_NewName *unknown;      /* names of the group: two for each edge at most */
    gb_Lines slab;
    const char *to; /* a file that the matrix goes to; NULL: it stays in memory */
} Reading;
enum { GROUP = 2 }; /* pieces of names per thread */

/* Notes what is wrong with the line. */
static bool fails(gb_Piece *piece, const char *at, const char *what) {
    return gb_problem_note(&piece->problem, GBL_INVALID_VALUE, at, "%s", what);
}

/* Of the weights so far: some are below 0, above INT64_MAX, not whole, whole and above 2^53. */
enum { NEGATIVE = 1, LARGE = 2, REAL = 4, ABOVE_53 = 8 };

/* Reads the weight of an edge to its slot. */
static bool read_weight(const Reading *r, gb_Piece *piece, gb_Word word, uint64_t edge) {
    const gbl_Type_Code code = r->kind.code;
    gb_Integer whole = {.negative = *word.begin == '-'};
    const char *p = word.begin + (whole.negative || *word.begin == '+');
    const bool is_whole = gb_read_whole(&p, &whole.magnitude) && p == word.end;
    double x = whole.negative ? -(double)whole.magnitude : (double)whole.magnitude;
    if (!is_whole && !gb_edges_number(word, &x))
        return fails(piece, word.begin, "the weight must be a number");
    if (r->how->weights && !(x >= 0 && x <= DBL_MAX))
        return fails(piece, word.begin, "the weight must be a finite number of 0 or more");
    if (!is_whole && x > -0x1p53 && x < 0x1p53 && x == (double)(int64_t)x)
        whole = (gb_Integer){x < 0, (uint64_t)(x < 0 ? -x : x)}; /* as 1e3 or 2.0 */
    else if (!is_whole)
        piece->seen |= p == word.end ? REAL | ABOVE_53 : REAL;
    const bool large = whole.magnitude > INT64_MAX;
    if (whole.magnitude > UINT64_C(1) << 53) piece->seen |= ABOVE_53;
    if (large) piece->seen |= whole.negative ? REAL : LARGE;
    if (x < 0) piece->seen |= NEGATIVE;
    if (code == GBL_INT64_CODE ? !large : code == GBL_UINT64_CODE && !whole.negative)
        gb_io_store_integer(r->list.x, edge, code, whole);
    else
        gb_io_store_real(r->list.x, edge, code, x);
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

/* Behind the separator at p, if there is one, else NULL but at a line end. */
static const char *skip_separator(const char *p, char separator) {
    if (*p == separator || (separator == ' ' && *p == '\t')) return p + 1;
    return *p == '\n' || *p == '\r' ? p : NULL;
}

/* The word at p, up to what no plain word has. */
static gb_Word plain_word(const char *p, char separator) {
    const char *const begin = p;
    while ((uint8_t)*p > ' ' && *p != separator && *p != '"') p++;
    return (gb_Word){begin, p};
}

/* The line at p where it is as most lines of most files: two vertices, perhaps a weight, nothing
 * but one separator between them. *end: its '\n'. False: it is to be split. */
static bool read_quick(const Reading *r, const char *p, gb_Place *ends, gb_Word *words,
                       const char **end) {
    const char separator = r->form.separator;
    if (r->form.names && gb_is_comment(r->form.marks, *p)) return false;
    for (int k = 0; k < 2; k++) {
        if (r->form.names) {
            words[k] = plain_word(p, separator);
            p = words[k].end;
            if (p == words[k].begin) return false;
        } else if (!gb_read_whole(&p, k ? &ends->j : &ends->i)) {
            return false;
        }
        if ((p = skip_separator(p, separator)) == NULL) return false;
    }
    words[2] = (gb_Word){p, p};
    if (r->list.size > 0) words[2] = plain_word(p, separator);
    p = words[2].end;
    *end = p += *p == '\r';
    return *p == '\n' && (words[2].end > words[2].begin) == (r->list.size > 0);
}

/* Stores vertices of an edge; cuts those that do not fit into 32 bits. */
static void store(const Reading *r, gb_Piece *piece, uint64_t edge, gb_Place ends) {
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
}

/* Names of the last edges, up to `edge`, before they are looked up. */
typedef struct {
    gb_Word names[GB_NAMES_AT_ONCE];
    int n;
} Batch;

static void look_up(const Reading *r, gb_Piece *piece, uint64_t edge, Batch *batch) {
    const uint64_t first = edge - (uint64_t)batch->n / 2;
    uint32_t *const ends[2] = {r->list.i + first, r->list.j + first};
    gb_NewName *const unknown = r->unknown + 2 * (piece->entry - r->group->entry) + piece->unknown;
    piece->unknown += (uint64_t)gb_names_find(&r->names, batch->names, batch->n, ends, unknown);
    batch->n = 0;
}

/* The edges of piece k of the group; says what is wrong with its first wrong line. */
static void read_piece(void *context, gbl_Index k) {
    const Reading *const r = context;
    const gb_EdgeForm *const form = &r->form;
    gb_Piece *const piece = &r->group[k];
    const bool quick = form->from == 0 && form->to == 1 && (form->weight < 0 || form->weight == 2);
    gb_Word words[GB_EDGE_COLUMNS];
    Batch batch = {.n = 0};
    uint64_t edge = piece->entry;
    const char *end;
    piece->problem = (gb_Problem){.line = piece->line, .begin = piece->lines.begin};
    piece->unknown = 0;
    for (const char *p = piece->lines.begin; p < piece->lines.end;
         p = end + 1, piece->problem.line++) {
        gb_Place ends = {0};
        if (!quick || !read_quick(r, p, &ends, words, &end)) {
            end = gb_next_line(p, piece->lines.end) - 1;
            if (gb_is_comment(form->marks, *gb_skip_blank(p))) continue;
            if (form->names && memchr(p, '\0', (size_t)(end - p)) &&
                !fails(piece, p, "there is a byte 0 on the line"))
                return;
            if (!split(r, piece, p, words)) return;
            if (!form->names && !read_vertices(r, piece, words, &ends)) return;
        }
        if (r->list.size > 0 && !read_weight(r, piece, words[form->weight], edge)) return;
        if (form->names) {
            batch.names[batch.n++] = words[form->from];
            batch.names[batch.n++] = words[form->to];
        } else {
            store(r, piece, edge, ends);
        }
        edge++;
        if (batch.n == GB_NAMES_AT_ONCE) look_up(r, piece, edge, &batch);
    }
    if (batch.n > 0) look_up(r, piece, edge, &batch);
}

/* From now on vertices have 64 bits. */
static gbl_Info widen(gb_Coo *list) {
    gbl_Info info = gb_coo_block(GBL_SUCCESS, &list->wi, list, list->capacity, sizeof *list->wi);
    info = gb_coo_block(info, &list->wj, list, list->capacity, sizeof *list->wj);
    if (info != GBL_SUCCESS) return info;
    for (uint64_t k = 0; k < list->n; k++) {
        list->wi[k] = list->i[k];
        list->wj[k] = list->j[k];
    }
    gb_coo_release(list, list->i);
    gb_coo_release(list, list->j);
    list->i = list->j = NULL;
    list->wide = true;
    return GBL_SUCCESS;
}

/* Makes the list such that it holds what n pieces have; *again: these are to be read once more. */
static gbl_Info adapt(Reading *r, gbl_Index n, bool *again) {
    gb_Coo *const list = &r->list;
    gbl_Info info = GBL_SUCCESS;
    for (const gb_Piece *piece = r->group; piece < r->group + n; piece++) {
        if (piece->most > r->most) r->most = piece->most;
        r->seen |= piece->seen;
    }
    const bool both = r->seen & LARGE && r->seen & NEGATIVE, wide = r->most >= GB_COO_NONE;
    const gbl_Type type = both || r->seen & REAL ? GBL_FP64
                          : r->seen & LARGE      ? GBL_UINT64
                                                 : GBL_INT64;
    const bool other = !r->type && list->size > 0 && type != r->kind.type;
    *again = other || (wide && !list->wide);
    if (other) {
        const bool sign = r->kind.code == GBL_INT64_CODE;
        const int64_t *const x = list->x;
        for (uint64_t k = 0; k < r->group->entry && type == GBL_FP64; k++)
            ((double *)list->x)[k] = sign ? (double)x[k] : (double)(uint64_t)x[k];
        info = gb_io_kind(&r->kind, type);
        list->code = r->kind.code;
    }
    return wide && !list->wide && !info ? widen(list) : info;
}

/* Reads n pieces from r->group on. */
static gbl_Info read_group(Reading *r, gbl_Index n) {
    gb_Piece *const first = r->group, *const end = first + n;
    bool again;
    if (r->form.names) {
        const uint64_t edges = end[-1].entry + end[-1].entries - first->entry;
        r->unknown = gb_io_alloc(2 * edges, sizeof *r->unknown);
        if (!r->unknown) return gb_io_no_memory("the labels");
    }
    gbl_parallel(n, read_piece, r);
    gbl_Info info = adapt(r, n, &again);
    if (info == GBL_SUCCESS && again) gbl_parallel(n, read_piece, r);
    if (info == GBL_SUCCESS) info = gbl_call_state();
    for (const gb_Piece *piece = first; piece < end && !info; piece++) {
        if (piece->problem.code)
            info = gb_problem_fail(&r->text, &piece->problem);
        else if (r->form.names)
            info = gb_names_add(&r->names, r->unknown + 2 * (piece->entry - first->entry),
                                piece->unknown);
    }
    gbl_Memory_free(r->unknown);
    r->unknown = NULL;
    return info;
}

static gbl_Info read_slab(Reading *r) {
    gb_Coo *const list = &r->list;
    const int64_t n = gb_text_split(&r->text, r->slab, r->form.marks, list->n, r->pieces);
    const int64_t at_once = r->form.names ? GROUP * gb_io_threads() : n;
    const gb_Piece *const last = &r->pieces[n - 1];
    gbl_Info info = gb_coo_reserve(list, last->entry + last->entries, UINT64_MAX, "the edges");
    for (int64_t k = 0; k < n && !info; k += at_once) {
        r->group = r->pieces + k;
        info = read_group(r, (gbl_Index)(n - k < at_once ? n - k : at_once));
    }
    r->text.line = last->line + last->nlines;
    gb_coo_leave(list, list->n, last->entry + last->entries);
    list->n = last->entry + last->entries;
    return info;
}

/* Moves behind the line that names the columns, the first that is not a comment. */
static void skip_head(Reading *r) {
    for (bool head = false; !head && r->slab.begin < r->slab.end; r->text.line++) {
        head = !gb_is_comment(r->form.marks, *gb_skip_blank(r->slab.begin));
        r->slab.begin = gb_next_line(r->slab.begin, r->slab.end);
    }
}

static gbl_Info read_all(Reading *r) {
    r->pieces = gb_io_alloc(GB_TEXT_PIECES, sizeof *r->pieces);
    if (!r->pieces) return gb_io_no_memory("the pieces of the file");
    gbl_Info info = gb_text_next(&r->text, &r->slab);
    if (info == GBL_SUCCESS && r->slab.begin < r->slab.end)
        r->slab.begin += strncmp(r->slab.begin, "\xEF\xBB\xBF", 3) ? 0 : 3; /* a mark of UTF-8 */
    if (info == GBL_SUCCESS) info = gb_edges_guess(&r->form, r->how, r->slab);
    const gbl_Type usual = r->form.weight < 0 ? GBL_BOOL : GBL_INT64;
    if (info == GBL_SUCCESS) info = gb_io_kind(&r->kind, r->type ? r->type : usual);
    if (info == GBL_SUCCESS && r->form.head) skip_head(r);
    if (info == GBL_SUCCESS && r->form.names) info = gb_names_add(&r->names, NULL, 0);
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

/* Whether the first line gives sizes. Its last number is that of the other edges. No other vertex
 * exceeds the sizes, where they are two also not the second: a circle may be listed from its end.
 * Or the sizes are no vertices, among so many edges. */
static bool gives_sizes(const Reading *r) {
    enum { MANY = 100 };
    const gb_Coo *const list = &r->list;
    const uint64_t *const size = r->form.size, edges = list->n - 1;
    const bool two = r->form.sizes == 2;
    const uint64_t rows = size[two ? 0 : r->form.from], columns = size[two ? 0 : r->form.to];
    bool fits = true, fresh = true, above = true;
    for (uint64_t k = 1; k <= edges; k++) {
        const uint64_t i = list->wide ? list->wi[k] : list->i[k];
        const uint64_t j = list->wide ? list->wj[k] : list->j[k];
        fits &= i <= rows && j <= columns;
        fresh &= i != rows && j != columns;
        above &= i < edges && j < edges;
    }
    return two ? fits && above : fits || (fresh && edges >= MANY);
}

/* Leaves the first line out where it gives sizes; says so. */
static void use_sizes(Reading *r) {
    gb_Coo *const list = &r->list;
    char *const found = r->how->found;
    if (!r->form.sizes || list->n < 2 || r->form.size[r->form.sizes - 1] != list->n - 1) return;
    const bool sizes = gives_sizes(r);
    const size_t n = (list->n -= sizes), length = strlen(found);
    snprintf(found + length, sizeof r->how->found - length,
             sizes ? "; the first line gives sizes"
                   : "; the first line is read as an edge, but may give sizes");
    if (!sizes) return;
    if (list->wide) {
        memmove(list->wi, list->wi + 1, n * sizeof *list->wi);
        memmove(list->wj, list->wj + 1, n * sizeof *list->wj);
    } else {
        memmove(list->i, list->i + 1, n * sizeof *list->i);
        memmove(list->j, list->j + 1, n * sizeof *list->j);
    }
    if (list->size > 0) memmove(list->x, (char *)list->x + list->size, n * list->size);
}

static gbl_Info fail_repeated(const Reading *r, gb_Place place) {
    char from[24], to[24], edge[192];
    const gbl_Labels *const labels = r->names.labels;
    const char *const name = r->text.input.name;
    snprintf(edge, sizeof edge, "the edge from %.60s to %.60s", gbl_label(labels, place.i, from),
             gbl_label(labels, place.j, to));
    if (r->list.duplicates == GBL_DUPLICATES_SUM) return gb_coo_fail_sum(name, edge);
    return gbl_fail(GBL_INVALID_VALUE, NULL, "%s: %s is given twice", name, edge);
}

static gbl_Info make_matrix(gbl_Matrix *A, Reading *r, gbl_Index n) {
    const gbl_Duplicates asked = r->how->duplicates;
    const gbl_Duplicates rule = asked ? asked : GBL_DUPLICATES_SUM;
    gb_Place repeated;
    gbl_Arrays arrays = {0};
    r->list.nrows = r->list.ncols = n;
    const gbl_Info info = gb_coo_to_rows(&r->list, rule, &arrays, &repeated);
    if (info != GBL_SUCCESS) return info == GBL_NO_VALUE ? fail_repeated(r, repeated) : info;
    size_t length = strlen(r->how->found);
    const size_t size = sizeof r->how->found;
    if (r->seen & ABOVE_53 && r->kind.code == GBL_FP64_CODE)
        length += (size_t)snprintf(r->how->found + length, size - length,
                                   "; whole weights above 2^53 are rounded");
    if (r->list.merged > 0)
        snprintf(r->how->found + length, size - length, "; merged edges given before: %llu",
                 (unsigned long long)r->list.merged);
    return gb_coo_deliver(A, &r->list, &r->kind, GBL_CSR_FORMAT, &arrays);
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
    r->type = type;
    gbl_Info info = gb_number_init();
    if (info == GBL_SUCCESS) info = gb_text_open(&r->text, how->path, how->bytes, how->size);
    if (info != GBL_SUCCESS) return info;
    gbl_call_begin();
    info = read_all(r);
    gb_text_close(&r->text);
    gbl_Memory_free(r->names.table);
    gbl_Memory_free(r->pieces);
    gbl_Index n = labels->n;
    if (info == GBL_SUCCESS) use_sizes(r);
    if (info == GBL_SUCCESS && !r->form.names) info = gb_labels_rank(labels, &r->list, r->most, &n);
    if (info == GBL_SUCCESS) info = make_matrix(A, r, n);
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
